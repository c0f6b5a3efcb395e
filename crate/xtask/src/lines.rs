//! The task `lines`: counts lines of the product's Rust code, crate by crate.

use std::path::{Path, PathBuf};

use crate::shell::{Result, entries, files_below, root};

/// Counts of lines: all lines (with blank ones), code, tests, comments.
type Counts = [usize; 4];

fn count(text: &str, is_test: bool) -> Counts {
    let product = if is_test {
        String::new()
    } else {
        without_tests(text)
    };
    let written = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
    let is_comment = |line: &&str| line.trim_start().starts_with("//");
    let (product_lines, comments) = (
        written(&product),
        product.lines().filter(is_comment).count(),
    );
    let tests = written(text) - product_lines;
    [
        text.lines().count(),
        product_lines - comments,
        tests,
        comments,
    ]
}

fn sum(a: Counts, b: Counts) -> Counts {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Prints the counts of each crate. The package for C and the workspace `research` are not counted.
pub(crate) fn print() -> Result {
    let mut rows = Vec::new();
    for krate in crates() {
        let mut counts = Counts::default();
        for file in rust_files(&krate) {
            let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
            let is_test = is_test(file.strip_prefix(&krate).unwrap_or(&file));
            counts = sum(counts, count(&text, is_test));
        }
        let name = krate.file_name().unwrap_or_default().to_string_lossy();
        rows.push((name.into_owned(), counts));
    }
    rows.sort_by_key(|(_, [all, ..])| std::cmp::Reverse(*all));
    let all = rows
        .iter()
        .fold(Counts::default(), |all, (_, counts)| sum(all, *counts));
    rows.push(("all".to_owned(), all));
    println!("crate          lines    code   tests comments");
    for (name, [all, code, tests, comments]) in rows {
        println!("{name:12} {all:7} {code:7} {tests:7} {comments:8}");
    }
    Ok(())
}

/// Folders of the product's crates.
pub(crate) fn crates() -> Vec<PathBuf> {
    let mut folders = entries(&root().join("crate"));
    folders.retain(|folder| folder.join("Cargo.toml").is_file() && !folder.ends_with("c"));
    folders
}

/// Files of Rust below a folder, sorted.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = files_below(folder);
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files
}

/// Returns true for a file of tests, by its path in the crate.
pub(crate) fn is_test(path: &Path) -> bool {
    const NAMES: [&str; 6] = [
        "tests",
        "tests.rs",
        "testing.rs",
        "testing",
        "benches",
        "examples",
    ];
    path.iter()
        .any(|name| NAMES.iter().any(|test| name == *test))
}

/// Returns a source text without each item under `#[cfg(test)]` at the left margin.
pub(crate) fn without_tests(text: &str) -> String {
    let mut product = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            let ends = |line: &str| line == "}" || line.ends_with(';') && !line.starts_with(' ');
            lines.by_ref().find(|line| ends(line));
        } else {
            product += line;
            product.push('\n');
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_tests_and_comments_are_told_apart() {
        let text = "//! A\n\nuse a;\n#[cfg(test)]\nmod x;\nfn f() {\n    // why\n}\n\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n";
        let counts = sum(count(text, false), count("fn t() {}\n", true));
        assert_eq!(counts, [14, 3, 7, 2]);
        assert!(is_test(Path::new("src/verdict/tests.rs")) && !is_test(Path::new("src/test.rs")));
    }
}
