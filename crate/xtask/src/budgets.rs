//! Budgets of the project, in `budgets.json`: lines, words, bytes of the first load, bytes of packages. They only go down.

use serde_json::Value;

use crate::lines;
use crate::shell::{Result, entries, files_below, node, root, run};

const FILE: &str = "budgets.json";
/// Share of a budget below which the file has to be lowered to the measured figure.
const KEPT: f64 = 0.98;

/// Checks the budgets of lines and words against the sources.
pub(crate) fn check_sources() -> Result {
    let [rust, script, all_script] = lines::totals()?;
    let measured = [
        ("lines", "Rust", rust),
        ("lines", "TypeScript", script),
        ("lines", "TypeScript with tests", all_script),
        ("words", "Markdown", words_of_markdown()),
    ];
    let budgets = read()?;
    let mut wrong = Vec::new();
    for (group, name, count) in measured {
        match budget(&budgets, group, name) {
            Ok(most) => wrong.extend(complaint(group, name, count as f64, most)),
            Err(error) => wrong.push(error),
        }
    }
    match wrong.len() {
        0 => Ok(()),
        _ => Err(wrong.join("; ")),
    }
}

/// Returns the budget of a step of README's command in seconds, on a quiet machine of two cores; `None` for other steps.
///
/// The time is printed beside the budget, and fails nothing: another program may take the cores.
pub(crate) fn seconds(step: &str) -> Option<f64> {
    read().ok()?["seconds"][step].as_f64()
}

/// Checks the bytes of the built site's first load by kind.
pub(crate) fn check_first_load() -> Result {
    run(&mut node("www/tests/first-load.mjs", [""; 0]))
}

/// Returns an error if a package's bytes are above their budget.
pub(crate) fn check_package(name: &str, bytes: u64) -> Result {
    let most = budget(&read()?, "bytes", name)?;
    match bytes as f64 > most {
        true => Err(format!("{name} has {bytes} bytes, of {most} in {FILE}")),
        false => Ok(()),
    }
}

fn read() -> Result<Value> {
    let path = root().join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{FILE}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{FILE}: {error}"))
}

fn budget(budgets: &Value, group: &str, name: &str) -> Result<f64> {
    let figure = budgets[group][name].as_f64();
    figure.ok_or_else(|| format!("{FILE} has no budget {group:?}, {name:?}"))
}

/// Returns a sentence about a figure that is above its budget, or so far below that the budget has to be lowered.
fn complaint(group: &str, name: &str, measured: f64, most: f64) -> Option<String> {
    if measured > most {
        Some(format!(
            "{measured} {group} of {name}, {} above the budget",
            measured - most
        ))
    } else if measured < most * KEPT {
        Some(format!(
            "lower {group} of {name} in {FILE} from {most} to {measured}"
        ))
    } else {
        None
    }
}

fn words_of_markdown() -> usize {
    let folders = ["crate", "docs", "recorders", "research"].map(|name| root().join(name));
    let files = folders.iter().flat_map(|folder| files_below(folder));
    let files = files.chain(entries(root()));
    let documents = files.filter(|path| path.extension().is_some_and(|it| it == "md"));
    let texts = documents.flat_map(std::fs::read_to_string);
    texts.map(|text| text.split_whitespace().count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_within_two_per_cent_below_its_budget() {
        assert_eq!(complaint("lines", "Rust", 100.0, 100.0), None);
        assert_eq!(complaint("lines", "Rust", 98.0, 100.0), None);
        let above = complaint("lines", "Rust", 101.0, 100.0).unwrap();
        assert_eq!(above, "101 lines of Rust, 1 above the budget");
        let below = complaint("lines", "Rust", 97.0, 100.0).unwrap();
        assert!(below.starts_with("lower lines of Rust"), "{below}");
    }

    #[test]
    fn every_budget_that_is_asked_for_is_there() {
        let budgets = read().unwrap();
        assert!(budget(&budgets, "bytes", "C library").is_ok());
        assert!(budget(&budgets, "lines", "Fortran").is_err());
    }
}
