//! Tests that showed nothing, because what they need is missing.

use super::captures::{CAPTURES, TRAINED_ON, are_tables_made_again};
use super::{Part, minimum_rust};
use crate::setup;
use crate::shell::root;

pub(super) const NO_FIREFOX: &str = "Firefox is not there: install it (Debian: `apt-get install firefox-esr`), or set FIREFOX to its program";

/// Says which tests of the parts showed nothing, and how many they are.
pub(super) fn lines(parts: &[Part]) -> Vec<String> {
    let firefox = parts.contains(&Part::Wasm) && setup::firefox().is_none();
    let is_made = are_tables_made_again();
    let is_there = |file: &str| {
        let is_of_training = TRAINED_ON.iter().any(|name| file.starts_with(name));
        is_made && is_of_training || root().join(CAPTURES).join(file).is_file()
    };
    [
        without_files(parts, is_there),
        firefox.then(|| NO_FIREFOX.to_owned()),
        minimum_rust::skipped(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Tests that need whole captures or samples: their names, and the files. The test runner hides that they pass without them.
const NEEDS: &[(&str, &[&str])] = &[
    (
        "quantises_as_the_original_did",
        &["mixed-1200.f32.xz", "mixed.bin.xz"],
    ),
    (
        "every_delta_rung_is_lossless_and_as_small_as_it_was_on_the_whole_of_mixed",
        &["mixed.bin.xz"],
    ),
    (
        "relative_orientations_cost_what_was_published",
        &["smallest_three_values.txt.xz"],
    ),
    (
        "arithmetic_rungs_beat_the_best_of_the_challenge",
        &["mixed.bin.xz"],
    ),
    (
        "simulating_the_originals_world_saves_a_sixth_at_least_strict",
        &["mixed.bin.xz", "mixed.inputs"],
    ),
    (
        "simulating_the_originals_world_saves_a_sixth_at_least_chained",
        &["mixed.bin.xz", "mixed.inputs"],
    ),
    (
        "errors_are_those_of_an_independent_implementation",
        &["mixed-1200.f32.xz"],
    ),
];

fn without_files(parts: &[Part], is_there: impl Fn(&str) -> bool) -> Option<String> {
    let trained_on = TRAINED_ON.map(|name| format!("{name}.bin.xz"));
    let trained_on: Vec<_> = trained_on.iter().map(String::as_str).collect();
    let tables = ("tables made again", &trained_on[..]);
    let native = NEEDS.iter().filter(|_| parts.contains(&Part::Native));
    let wasm = parts.contains(&Part::Wasm).then_some(&tables);
    let (mut tests, mut missing) = (Vec::new(), Vec::new());
    for (test, files) in native.chain(wasm) {
        let files: Vec<_> = files
            .iter()
            .copied()
            .filter(|file| !is_there(file))
            .collect();
        if !files.is_empty() {
            tests.push(*test);
        }
        missing.extend(files);
    }
    missing.sort_unstable();
    missing.dedup();
    (!tests.is_empty()).then(|| {
        format!(
            "{} tests ({}), because {CAPTURES} lacks {}",
            tests.len(),
            tests.join(", "),
            missing.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_are_counted_and_their_files_named() {
        assert_eq!(without_files(&Part::ALL, |_| true), None);
        assert_eq!(without_files(&[Part::Lint, Part::Browser], |_| false), None);
        let no_mixed = |file: &str| file != "mixed.bin.xz";
        let said = without_files(&[Part::Native], no_mixed).unwrap();
        assert!(said.starts_with("5 tests (quantises_as"), "{said}");
        assert!(said.ends_with("lacks mixed.bin.xz"), "{said}");
        let all = without_files(&Part::ALL, |_| false).unwrap();
        assert!(
            all.starts_with(&format!("{} tests", NEEDS.len() + 1)),
            "{all}"
        );
    }

    #[test]
    fn tests_that_need_captures_are_the_named_ones() {
        let tests = [
            "codec/tests/captures.rs",
            "challenge/tests/captures.rs",
            "lab/tests/captured_truth.rs",
        ];
        let mut found = Vec::new();
        for file in tests {
            let text = std::fs::read_to_string(root().join("crate").join(file)).unwrap();
            for test in text.split("#[test]\nfn ").skip(1) {
                // To the end of the function and of its helper, if that follows.
                let name = test.split('(').next().unwrap();
                let body = test.split("\n}\n").next().unwrap();
                let marks = [
                    "read_capture(",
                    "unpack_shared(",
                    "captured()",
                    "check_saving",
                ];
                if marks.iter().any(|mark| body.contains(mark)) {
                    found.push(name.to_owned());
                }
            }
        }
        let named: Vec<_> = NEEDS.iter().map(|(test, _)| (*test).to_owned()).collect();
        assert_eq!(found, named);
        for (_, files) in NEEDS {
            assert!(!files.is_empty());
        }
    }
}
