//! Rules for documents: links must have targets, and the tables of ARCHITECTURE.md must name existing files.

use std::path::{Path, PathBuf};

use crate::package::TAKEN_HOME;
use crate::shell::{entries, files_below, root};

const MAP: &str = "ARCHITECTURE.md";
const DECISIONS: &str = "docs/decisions";
const BUGS: &str = "docs/bugs.md";

/// Returns the broken rules in a Markdown file, as sentences. `path` is relative to the project's root.
pub(super) fn complaints_about(path: &Path, text: &str) -> Vec<String> {
    let name = path.display();
    let folder = root().join(path.parent().unwrap_or(Path::new("")));
    let dead = links(text).filter(|link| !folder.join(link).exists());
    let mut complaints: Vec<_> = dead
        .map(|link| format!("{name}: links to {link}, which is not there"))
        .collect();
    let is_published = TAKEN_HOME
        .iter()
        .any(|package| path.starts_with(format!("crate/{package}")));
    if is_published {
        let outside = links(text).filter(|link| link.starts_with(".."));
        complaints.extend(
            outside.map(|link| {
                format!("{name}: links to {link}, which is not in the published package")
            }),
        );
    }
    if path == Path::new(MAP) {
        complaints.extend(
            missing_from(text).map(|file| format!("{name}: names {file}, which is not there")),
        );
    }
    if path == Path::new(BUGS) {
        let missing = missing_tests(text).into_iter();
        complaints.extend(missing.map(|test| format!("{name}: names {test}, which is no test")));
    }
    complaints
}

/// Returns the tests that the list of faults names and no source of the project has.
fn missing_tests(text: &str) -> Vec<&str> {
    let rows = text.lines().filter(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.rsplit('|').nth(1));
    let mut tests: Vec<_> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    for folder in ["crate", "research"] {
        for file in files_below(&root().join(folder)) {
            let is_rust = file.extension().is_some_and(|it| it == "rs");
            let source = std::fs::read_to_string(file).ok().filter(|_| is_rust);
            if let Some(source) = source {
                tests.retain(|test| !source.contains(&format!("fn {test}(")));
            }
        }
    }
    tests
}

pub(super) fn records_without_a_link() -> Vec<String> {
    let folder = root().join(DECISIONS);
    let index = std::fs::read_to_string(folder.join("README.md")).unwrap_or_default();
    let names = entries(&folder).into_iter();
    let names = names.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    names
        .filter(|name| name != "README.md" && !links(&index).any(|link| link == name))
        .map(|name| format!("{DECISIONS}/README.md: does not link {name}"))
        .collect()
}

/// Iterates over the files that a document links to, without anchors. Links of the built site, which begin with `./`, are
/// left out.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1);
    targets.filter_map(|rest| {
        let target = rest.split(')').next()?;
        let file = target.split('#').next()?;
        let is_file = !file.is_empty() && !file.contains("://") && !file.starts_with("./");
        is_file.then_some(file)
    })
}

/// Iterates over the paths in the tables of ARCHITECTURE.md that name no file.
///
/// A path begins with a crate's name and leaves out `src`, or begins with `www`. Any other path is in the folder of the path
/// before it.
fn missing_from(map: &str) -> impl Iterator<Item = &str> {
    let rows = map.lines().filter(|line| line.starts_with('|'));
    let quoted = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let paths = quoted.filter(|quoted| quoted.contains('/') || quoted.ends_with(".rs"));
    let mut folder = PathBuf::new();
    paths.filter(move |path| {
        let file = place(path, &folder);
        folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
        !file.exists()
    })
}

fn place(path: &str, folder: &Path) -> PathBuf {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let krate = root().join("crate").join(first);
    if first == "www" {
        root().join(path)
    } else if !rest.is_empty() && krate.is_dir() {
        krate.join("src").join(rest)
    } else {
        folder.join(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_no_file_is_named() {
        let text =
            "[a](Cargo.toml#x) [b](https://a.example/b) [c](./#step=x) [d](#top) [e](gone.md)";
        let complaints = complaints_about(Path::new("other.md"), text);
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].contains("gone.md"));
        assert!(complaints_about(Path::new("docs/other.md"), "[up](../Cargo.toml)").is_empty());
    }

    #[test]
    fn a_link_out_of_a_published_package_is_named() {
        let text = "[a](../netsim/README.md) [b](CHANGELOG.md)";
        let complaints = complaints_about(Path::new("crate/codec/README.md"), text);
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].contains("../netsim/README.md"));
    }

    #[test]
    fn a_path_of_the_map_that_leads_nowhere_is_named() {
        let map = "`gone/in/prose.rs`\n| `xtask/tidy.rs` (`check`), `shell.rs` | `xtask/gone.rs`, `www/main.ts` |\n| `setup.rs` | `lost.rs` |\n";
        let missing: Vec<_> = missing_from(map).collect();
        assert_eq!(missing, ["xtask/gone.rs", "setup.rs", "lost.rs"]);
    }

    #[test]
    fn a_test_that_is_gone_is_named() {
        let text = "| fault `x` | `a_test_that_is_gone_is_named` |\n| other | `no_such_test` |\n";
        assert_eq!(missing_tests(text), ["no_such_test"]);
    }

    #[test]
    fn every_record_of_the_project_is_linked() {
        assert_eq!(records_without_a_link(), Vec::<String>::new());
        let index = std::fs::read_to_string(root().join(DECISIONS).join("README.md")).unwrap();
        assert!(links(&index).count() > 20);
    }
}
