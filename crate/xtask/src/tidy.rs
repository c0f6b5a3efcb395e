//! Formatting, and the project's own rules that no formatter or linter checks.

mod circles;
mod documents;

use std::path::Path;
use std::process::Command;

use crate::package::{TAKEN_HOME, minimum_rust};
use crate::page;
use crate::setup;
use crate::shell::{Result, cargo, entries, files_below, root, run};

pub(crate) const RUST_VERSION: &str = env!("CARGO_PKG_RUST_VERSION");

/// Formats the sources, then checks the project's own rules.
pub(crate) fn run_tidy() -> Result {
    setup::rust_components()?;
    run(&mut cargo(["fmt"]))?;
    run(&mut format_c())?;
    page::format()?;
    check()
}

/// Returns the command that formats the package for C. Cargo finds the members of a workspace from its folder alone.
pub(crate) fn format_c() -> Command {
    let mut format = cargo(["fmt"]);
    format.current_dir(root().join("crate/c"));
    format
}

pub(crate) fn check() -> Result {
    let mut sources = Vec::new();
    for folder in ["crate", "research", "docs", "www", ".github"] {
        sources.extend(files_below(&root().join(folder)));
    }
    sources.extend(entries(root()).into_iter().filter(|path| path.is_file()));
    sources.sort();
    let complaints: Vec<_> = sources
        .iter()
        .flat_map(|path| complaints_about(path))
        .chain(complaints_about_rust_version("README.md", RUST_VERSION))
        .chain(TAKEN_HOME.iter().flat_map(|name| {
            complaints_about_rust_version(&format!("crate/{name}/README.md"), &minimum_rust(name))
        }))
        .chain(documents::records_without_a_link())
        .chain(circles::complaints())
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
    let is_text = matches!(
        &*extension,
        "rs" | "ts" | "mjs" | "css" | "toml" | "json" | "yml" | "html" | "md"
    );
    // Whatever is not UTF-8 is not ours to tidy.
    let Some(text) = std::fs::read_to_string(path).ok().filter(|_| is_text) else {
        return Vec::new();
    };
    let path = path.strip_prefix(root()).unwrap_or(path);
    let name = path.display();
    let mut complaints = Vec::new();
    if !text.is_empty() && !text.ends_with('\n') {
        complaints.push(format!("{name}: does not end with a line feed"));
    }
    for (index, line) in text.split('\n').enumerate() {
        if line.ends_with([' ', '\t', '\r']) {
            complaints.push(format!("{name}:{}: ends with a blank", index + 1));
        }
        if extension == "rs" && is_heading_with_a_sentence(line) {
            complaints.push(format!(
                "{name}:{}: a heading has its sentence in its line",
                index + 1
            ));
        }
    }
    if extension == "md" {
        complaints.extend(documents::complaints_about(path, &text));
    }
    if path.ends_with("package-lock.json") && text.contains("\"resolved\"") {
        complaints.push(format!(
            "{name}: names a registry's host; .npmrc says how it is left out"
        ));
    }
    complaints
}

/// Returns true for a line of a doc comment that begins with a heading for errors or panics, but has more text after it.
fn is_heading_with_a_sentence(line: &str) -> bool {
    let heading = line.trim_start().strip_prefix("/// # ");
    heading.is_some_and(|text| {
        ["Errors ", "Panics ", "Safety "]
            .iter()
            .any(|name| text.starts_with(name))
    })
}

/// Returns a complaint if a document does not tell the minimum Rust version.
fn complaints_about_rust_version(file: &str, version: &str) -> Option<String> {
    let wanted = format!(" {version} or newer");
    let text = std::fs::read_to_string(root().join(file)).unwrap_or_default();
    let is_told = text.contains(&wanted);
    (!is_told).then(|| format!("{file}: does not say Rust{wanted}, as Cargo.toml does"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_untidiness_is_named() {
        let folder = std::env::temp_dir().join(format!("xtask-tidy-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text, complaint) in [
            ("tidy.rs", "fn main() {}\n", None),
            ("empty.css", "", None),
            ("open.ts", "let x", Some("line feed")),
            (
                "blank.toml",
                "[a] \nb = 1\n",
                Some("blank.toml:1: ends with a blank"),
            ),
            ("dos.html", "<p>\r\n", Some("dos.html:1: ends with a blank")),
            ("package-lock.json", "{\"resolved\": 1}\n", Some("host")),
            ("picture.png", " ", None),
            ("doc.rs", "/// # Errors\n///\n/// Never.\n", None),
            (
                "heading.rs",
                "/// # Errors Never.\n",
                Some("heading.rs:1: a heading"),
            ),
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
    fn people_are_told_the_minimum_rust_version_of_the_manifest() {
        for (file, version) in [
            ("README.md", RUST_VERSION),
            ("crate/codec/README.md", &minimum_rust("codec")),
        ] {
            assert_eq!(complaints_about_rust_version(file, version), None);
            assert!(complaints_about_rust_version(file, "1.2").is_some());
        }
    }
}
