//! The task `lines`: counts lines of the product's Rust code, crate by crate, and of the page's scripts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::shell::{Result, command, entries, files_below, root, run, target};

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

/// Prints the counts of each crate and of the page's scripts, with the change of all lines since a commit, if one is named.
pub(crate) fn print(commit: Option<&str>) -> Result {
    let now = table(root())?;
    let before = commit.map(table_at).transpose()?;
    let change = |name: &str, lines: usize| match &before {
        Some(before) => {
            let [old, ..] = before.get(name).copied().unwrap_or_default();
            format!("{:+8}", lines as isize - old as isize)
        }
        None => String::new(),
    };
    println!("                lines    code   tests comments");
    for (name, [all, code, tests, comments]) in &now {
        let change = change(name, *all);
        println!("{name:14} {all:6} {code:7} {tests:7} {comments:8} {change}");
    }
    for name in before.iter().flat_map(|before| before.keys()) {
        if !now.contains_key(name) {
            println!("{name:14} {:6} {:24} {}", 0, "", change(name, 0));
        }
    }
    Ok(())
}

/// Returns the lines of Rust, of TypeScript without its tests, and of TypeScript with its tests.
pub(crate) fn totals() -> Result<[usize; 3]> {
    let table = table(root())?;
    let [rust, ..] = table.get(RUST).copied().unwrap_or_default();
    let [scripts, _, tests, _] = table.get(TYPESCRIPT).copied().unwrap_or_default();
    Ok([rust, scripts - tests, scripts])
}

const RUST: &str = "all Rust";
const TYPESCRIPT: &str = "TypeScript";

/// Counts the lines below a root folder: of each crate, of all crates, and of the page's scripts.
fn table(root: &Path) -> Result<BTreeMap<String, Counts>> {
    let mut table = BTreeMap::new();
    let mut all = Counts::default();
    for krate in crates_below(root) {
        let mut counts = Counts::default();
        for file in rust_files(&krate) {
            let is_test = is_test(file.strip_prefix(&krate).unwrap_or(&file));
            counts = sum(counts, count(&read(&file)?, is_test));
        }
        let name = krate.file_name().unwrap_or_default().to_string_lossy();
        table.insert(name.into_owned(), counts);
        all = sum(all, counts);
    }
    table.insert(RUST.to_owned(), all);
    let mut scripts = Counts::default();
    let page = root.join("www");
    for file in files_below(&page) {
        if file.extension().is_some_and(|it| it == "ts") {
            let is_test = file.starts_with(page.join("tests"));
            scripts = sum(scripts, count_script(&read(&file)?, is_test));
        }
    }
    table.insert(TYPESCRIPT.to_owned(), scripts);
    Ok(table)
}

/// Counts the lines of a commit, of which a copy is unpacked into the build folder.
fn table_at(commit: &str) -> Result<BTreeMap<String, Counts>> {
    let folder = target().join("lines");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let archive = folder.join("commit.tar");
    run(command("git", ["archive", "--output"])
        .arg(&archive)
        .args([commit, "crate", "www"]))?;
    run(command("tar", ["-xf"]).arg(&archive).arg("-C").arg(&folder))?;
    table(&folder)
}

fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Counts the lines of a script: all of a test's are tests, comments among them.
fn count_script(text: &str, is_test: bool) -> Counts {
    let lines = text.lines().count();
    let written = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_comment = |line: &&str| ["//", "/*", "*"].iter().any(|it| line.starts_with(it));
    let comments = written.clone().filter(is_comment).count();
    match is_test {
        true => [lines, 0, lines, 0],
        false => [lines, written.count() - comments, 0, comments],
    }
}

/// Folders of the product's crates.
pub(crate) fn crates() -> Vec<PathBuf> {
    crates_below(root())
}

fn crates_below(root: &Path) -> Vec<PathBuf> {
    let mut folders = entries(&root.join("crate"));
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
        let script = "/** A. */\n\nlet a; // b\n";
        assert_eq!(count_script(script, false), [3, 1, 0, 1]);
        assert_eq!(count_script(script, true), [3, 0, 3, 0]);
        assert!(is_test(Path::new("src/verdict/tests.rs")) && !is_test(Path::new("src/test.rs")));
    }
}
