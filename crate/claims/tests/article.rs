//! The article's text against what is measured.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use snapshot_claims::article::{Marked, Numbers, decimals, numbers};
use snapshot_claims::measure::Measurement;
use snapshot_claims::{CLAIMS, Claim};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Claims of short runs, which README's command measures.
const QUICK: [&str; 5] = [
    "rate-5",
    "rate-10",
    "line-linear",
    "line-10-hermite",
    "file-kb",
];

fn text() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/article/index.html");
    std::fs::read_to_string(path).unwrap()
}

/// Returns a line for each marked number that differs from the measured one, among these claims.
fn differences(numbers: &Numbers, is_wanted: impl Fn(&Claim) -> bool) -> String {
    let (mut measurement, mut lines) = (Measurement::default(), String::new());
    for Marked { id, text } in &numbers.marked {
        let Some(claim) = CLAIMS.iter().find(|claim| claim.id == id) else {
            let _ = writeln!(lines, "{id}: no such claim");
            continue;
        };
        if is_wanted(claim) {
            let measured = measurement.text(claim, decimals(text));
            if measured != *text {
                let _ = writeln!(lines, "{id}: the text has {text}, measured is {measured}");
            }
        }
    }
    lines
}

#[test]
fn five_numbers_of_the_text_are_measured() {
    assert_eq!(
        differences(&numbers(&text()), |it| QUICK.contains(&it.id)),
        ""
    );
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn each_number_of_the_text_is_measured_to_its_last_digit() {
    assert_eq!(differences(&numbers(&text()), |_| true), "");
}

#[test]
fn each_claim_is_in_the_text_and_no_number_is_without_one() {
    let numbers = numbers(&text());
    assert_eq!(numbers.unmarked, Vec::<String>::new());
    let used: BTreeSet<_> = numbers.marked.iter().map(|it| it.id.as_str()).collect();
    let table: BTreeSet<_> = CLAIMS.iter().map(|claim| claim.id).collect();
    assert_eq!(used, table);
    assert_eq!(table.len(), CLAIMS.len(), "an id is twice in the table");
}

#[test]
fn another_last_digit_fails() {
    let mut wrong = numbers(&text());
    let marked = wrong
        .marked
        .iter_mut()
        .find(|it| it.id == "rate-5")
        .unwrap();
    let last = marked.text.pop().unwrap().to_digit(10).unwrap();
    let _ = write!(marked.text, "{}", (last + 1) % 10);
    let found = differences(&wrong, |it| it.id == "rate-5");
    assert!(found.starts_with("rate-5: the text has "), "{found}");
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn each_number_of_the_document_on_the_articles_is_measured() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/article-numbers.md");
    let document = std::fs::read_to_string(path).unwrap();
    let rows = document.lines().filter_map(|line| {
        let [_, _, _, here, id, _] = line.split('|').collect::<Vec<_>>()[..] else {
            return None;
        };
        let id = id.trim().strip_prefix('`')?.strip_suffix('`')?.to_string();
        let text = here.split_whitespace().next()?.to_string();
        Some(Marked { id, text })
    });
    let marked: Vec<Marked> = rows.collect();
    assert!(marked.len() > 20);
    let unmarked = Vec::new();
    assert_eq!(differences(&Numbers { marked, unmarked }, |_| true), "");
}
