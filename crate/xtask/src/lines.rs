//! Lines of the product's Rust, crate by crate: the task `lines`.

use std::path::{Path, PathBuf};

use crate::shell::{Result, root};

/// Kinds of lines in a file.
#[derive(Clone, Copy, Default)]
struct Lines {
    /// All lines, blank ones included.
    all: usize,
    code: usize,
    tests: usize,
    comments: usize,
}

impl Lines {
    fn add(&mut self, text: &str, is_test: bool) {
        let product = if is_test {
            String::new()
        } else {
            without_tests(text)
        };
        self.all += text.lines().count();
        let written = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
        self.tests += written(text) - written(&product);
        let is_comment = |line: &&str| line.trim_start().starts_with("//");
        let comments = product.lines().filter(is_comment).count();
        self.comments += comments;
        self.code += written(&product) - comments;
    }
}

/// Prints the lines of each crate. The package for C and the workspace `research` are apart.
pub(crate) fn print() -> Result {
    let mut rows = Vec::new();
    for krate in crates() {
        let mut lines = Lines::default();
        for file in rust_files(&krate) {
            let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
            lines.add(&text, is_test(file.strip_prefix(&krate).unwrap_or(&file)));
        }
        let name = krate.file_name().unwrap_or_default().to_string_lossy();
        rows.push((name.into_owned(), lines));
    }
    rows.sort_by_key(|(_, lines)| std::cmp::Reverse(lines.all));
    let sum = rows.iter().fold(Lines::default(), |sum, (_, lines)| Lines {
        all: sum.all + lines.all,
        code: sum.code + lines.code,
        tests: sum.tests + lines.tests,
        comments: sum.comments + lines.comments,
    });
    rows.push(("all".to_owned(), sum));
    println!(
        "{:12} {:>7} {:>7} {:>7} {:>8}",
        "crate", "lines", "code", "tests", "comments"
    );
    for (name, lines) in rows {
        let Lines {
            all,
            code,
            tests,
            comments,
        } = lines;
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
    let is_source = |path: &PathBuf| !path.ends_with("target");
    let found = entries(folder)
        .into_iter()
        .filter(is_source)
        .flat_map(|path| {
            if path.is_dir() {
                rust_files(&path)
            } else {
                vec![path]
            }
        });
    found
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = folder
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

/// Returns true for a file of tests, by its path in the crate.
pub(crate) fn is_test(path: &Path) -> bool {
    let mut names = path
        .components()
        .map(|name| name.as_os_str().to_string_lossy());
    names.any(|name| {
        matches!(
            &*name,
            "tests" | "tests.rs" | "testing.rs" | "testing" | "benches" | "examples"
        )
    })
}

/// Leaves out each item under `#[cfg(test)]` at the left margin.
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
        let mut lines = Lines::default();
        lines.add(text, false);
        lines.add("fn t() {}\n", true);
        let Lines {
            all,
            code,
            tests,
            comments,
        } = lines;
        assert_eq!((all, code, tests, comments), (14, 3, 7, 2));
        assert!(is_test(Path::new("src/verdict/tests.rs")) && !is_test(Path::new("src/test.rs")));
    }
}
