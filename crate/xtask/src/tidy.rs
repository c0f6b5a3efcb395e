//! Formatting, and the few rules of the house that no formatter or linter knows.

use std::path::{Path, PathBuf};

use crate::setup;
use crate::shell::{Result, cargo, root, run};

/// A source file of more lines is about two things. Most have 200 to 400, tests included.
const LINES_MAX: usize = 600;

/// Formats the sources, then checks the rest.
pub(crate) fn run_tidy() -> Result {
    setup::rust_components()?;
    run(&mut cargo(["fmt"]))?;
    run(&mut cargo([
        "fmt",
        "--manifest-path",
        "crate/fuzz/Cargo.toml",
    ]))?;
    check()
}

/// Names everything that is untidy.
pub(crate) fn check() -> Result {
    let mut sources = Vec::new();
    for folder in ["crate", "www", ".github"] {
        collect(&root().join(folder), &mut sources);
    }
    sources.extend(files(root()));
    sources.sort();
    let complaints: Vec<_> = sources
        .iter()
        .flat_map(|path| complaints_about(path))
        .collect();
    for complaint in &complaints {
        println!("{complaint}");
    }
    match complaints.len() {
        0 => Ok(()),
        count => Err(format!("{count} untidy places, named above")),
    }
}

fn complaints_about(path: &Path) -> Vec<String> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let is_code = matches!(&*extension, "rs" | "ts" | "mjs" | "css");
    let is_text = is_code || matches!(&*extension, "toml" | "json" | "yml" | "html" | "md");
    // Whatever is not UTF-8 is not ours to tidy.
    let Some(text) = std::fs::read_to_string(path).ok().filter(|_| is_text) else {
        return Vec::new();
    };
    let name = path.strip_prefix(root()).unwrap_or(path).display();
    let mut complaints = Vec::new();
    let lines = text.lines().count();
    if is_code && lines > LINES_MAX {
        complaints.push(format!(
            "{name}: {lines} lines, more than {LINES_MAX}: split it"
        ));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        complaints.push(format!("{name}: does not end with a line feed"));
    }
    for (index, line) in text.split('\n').enumerate() {
        if line.ends_with([' ', '\t', '\r']) {
            complaints.push(format!("{name}:{}: ends with a blank", index + 1));
        }
    }
    if path.ends_with("package-lock.json") && text.contains("\"resolved\"") {
        complaints.push(format!(
            "{name}: names a registry's host; .npmrc says how it is left out"
        ));
    }
    complaints
}

/// The files of a folder and of all folders below it, but for what a build makes there.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    found.extend(files(folder));
    for folder in entries(folder).into_iter().filter(|path| path.is_dir()) {
        if !folder.ends_with("target") {
            collect(&folder, found);
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    entries(folder)
        .into_iter()
        .filter(|path| path.is_file())
        .collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    folder
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_untidiness_is_named() {
        let folder = std::env::temp_dir().join(format!("xtask-tidy-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let long = "//\n".repeat(LINES_MAX + 1);
        for (name, text, complaint) in [
            ("tidy.rs", "fn main() {}\n", None),
            ("empty.css", "", None),
            ("long.rs", &long, Some("split it")),
            ("long.md", &long, None),
            ("open.ts", "let x", Some("line feed")),
            (
                "blank.toml",
                "[a] \nb = 1\n",
                Some("blank.toml:1: ends with a blank"),
            ),
            ("dos.html", "<p>\r\n", Some("dos.html:1: ends with a blank")),
            ("package-lock.json", "{\"resolved\": 1}\n", Some("host")),
            ("picture.png", " ", None),
        ] {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap();
            let complaints = complaints_about(&path);
            assert_eq!(
                complaints.len(),
                usize::from(complaint.is_some()),
                "{name}: {complaints:?}"
            );
            assert!(
                complaints
                    .iter()
                    .all(|found| complaint.is_some_and(|named| found.contains(named)))
            );
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn every_crate_is_looked_at() {
        let mut found = Vec::new();
        collect(&root().join("crate"), &mut found);
        for name in ["codec", "lab", "course", "web", "cli", "xtask"] {
            let manifest = root().join("crate").join(name).join("Cargo.toml");
            assert!(found.contains(&manifest), "{name}");
        }
    }
}
