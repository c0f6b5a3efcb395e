//! The bound of time of a target: an input that takes longer than its bytes allow is a finding, as a panic is.

use cpu_time::ThreadTime;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Bytes that count at least: below them the time of a call is all that is measured.
const LEAST_BYTES: usize = 64;
/// Number of runs of which the fastest counts: the first may make what is kept.
const RUNS: usize = 4;

/// The most time for any input, and more for each of its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    pub whole: Duration,
    pub byte: Duration,
}

/// Bound of packets and datagrams.
pub const PACKET: Bound = Bound {
    whole: Duration::from_millis(10),
    byte: Duration::from_micros(2),
};
/// Bound of links. A few bytes can drop the packets of twenty minutes, which are written and parsed again.
pub const LINK: Bound = Bound {
    whole: Duration::from_millis(100),
    byte: Duration::from_micros(5),
};
/// Bound of files. A few bytes can tell of ten minutes, each tick of which is read, written and read again.
pub const FILE: Bound = Bound {
    whole: Duration::from_millis(500),
    byte: Duration::from_micros(20),
};

/// Bound of two files that are judged: the delay between them is sought in an hour.
pub const JUDGED: Bound = Bound {
    whole: Duration::from_secs(2),
    byte: Duration::from_micros(20),
};

/// The slowest input so far, ns a byte.
static SLOWEST_NS: AtomicU64 = AtomicU64::new(0);

/// Runs a target's body over an input, and prints the time of the slowest input so far.
///
/// # Panics
/// When the input takes longer than the bound.
pub fn timed(bound: Bound, data: &[u8], mut body: impl FnMut(&[u8])) {
    let most = bound.whole + bound.byte * data.len() as u32;
    let bytes = data.len().max(LEAST_BYTES) as u64;
    let mut fastest = Duration::MAX;
    for _ in 0..RUNS {
        let started = ThreadTime::now();
        body(data);
        fastest = fastest.min(started.elapsed());
        if fastest <= most
            && fastest.as_nanos() as u64 / bytes <= SLOWEST_NS.load(Ordering::Relaxed)
        {
            return;
        }
    }
    let ns = fastest.as_nanos() as u64 / bytes;
    SLOWEST_NS.fetch_max(ns, Ordering::Relaxed);
    eprintln!(
        "slowest: {ns} ns a byte, {} bytes in {fastest:?}",
        data.len()
    );
    assert!(
        fastest <= most,
        "{} bytes took {fastest:?}, more than {most:?}",
        data.len()
    );
}
