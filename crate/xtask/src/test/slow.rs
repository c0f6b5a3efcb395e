//! Tests that took long in this run, with their times.

use std::sync::Mutex;
use std::time::Duration;

/// Time above which a test is listed.
const LISTED: Duration = Duration::from_secs(1);

static NOTED: Mutex<Vec<(Duration, String)>> = Mutex::new(Vec::new());

/// Notes the time of a test.
pub(super) fn note(time: Duration, name: &str) {
    if time > LISTED
        && let Ok(mut noted) = NOTED.lock()
    {
        noted.push((time, name.to_owned()));
    }
}

/// Prints the noted tests, the slowest first, and forgets them.
pub(super) fn print() {
    let mut noted = NOTED
        .lock()
        .map(|mut it| std::mem::take(&mut *it))
        .unwrap_or_default();
    noted.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    if !noted.is_empty() {
        println!("\n== Tests above 1 s");
    }
    for (time, name) in noted {
        println!("{:6.1} s  {name}", time.as_secs_f32());
    }
}
