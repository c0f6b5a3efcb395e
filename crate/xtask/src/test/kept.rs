//! Record of the chains of `cargo xtask test apart` that have passed on this machine, by the content of their inputs.
//!
//! Inputs are coarse: whole crates with all that they depend on, whole folders, all files at the root, the tools of the project,
//! the compiler, Node.js, and the versions of all packages of the system. Without git or Debian's list of packages nothing is
//! known, so everything runs.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::shell::{answer, cargo, command, root, target};

/// Inputs of a chain beside those of every chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs {
    pub(crate) packages: &'static [&'static str],
    pub(crate) folders: &'static [&'static str],
}

/// Packages that are an input of every chain: they build and run all others.
const TOOLS: [&str; 2] = ["xtask", "snapshot-bindings"];
/// Folder of the page. Chains with it build the site, of which Markdown outside the crates is a part.
const PAGE: &str = "www";
/// Folders that are an input of every chain: native tests and scripts read examples and documents.
const FOLDERS: [&str; 4] = [".cargo", ".ci", "docs", "recorders"];
/// Environment variables that change what a chain does.
const VARIABLES: [&str; 9] = [
    "CHROMIUM",
    "FIREFOX",
    "RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "PROPTEST_RNG_SEED",
    "LANG",
    "LC_ALL",
    "TZ",
    "SITE_URL",
];

/// State of the working tree and of the machine, from which the key of a chain is made.
pub(super) struct State {
    /// A line for each file: mode, kind and hash of its content, then its path.
    files: Vec<(String, String)>,
    packages: Packages,
    machine: String,
}

/// Folder and dependencies within the workspace of each package.
type Packages = BTreeMap<String, (String, Vec<String>)>;

impl State {
    /// Reads the present state; `None` if this machine has no git or no list of packages.
    pub(super) fn read() -> Option<Self> {
        Some(Self {
            files: files()?,
            packages: parse_packages(&metadata()?, &root().to_string_lossy())?,
            machine: machine()?,
        })
    }

    /// Returns the key of a chain: a hash of its inputs.
    pub(super) fn key(&self, name: &str, inputs: Inputs) -> Option<String> {
        let folders = self.folders(inputs);
        let has_site = folders.contains(PAGE);
        let is_input = |path: &str| {
            let is_at_root = !path.contains('/');
            let is_document = path.ends_with(".md") && !path.starts_with("crate/");
            let is_named = is_at_root || folders.iter().any(|folder| is_below(path, folder));
            is_named && (has_site || !is_document)
        };
        let mut text = format!("{name}\n{}", self.machine);
        for (path, content) in self.files.iter().filter(|(path, _)| is_input(path)) {
            text += &format!("{content} {path}\n");
        }
        hash(&text)
    }

    fn folders(&self, inputs: Inputs) -> BTreeSet<&str> {
        let mut folders: BTreeSet<&str> = FOLDERS.into_iter().collect();
        folders.extend(inputs.folders);
        let mut open: Vec<&str> = inputs.packages.iter().chain(&TOOLS).copied().collect();
        while let Some(package) = open.pop() {
            let Some((folder, dependencies)) = self.packages.get(package) else {
                // A package outside the workspace is named by its folder.
                continue;
            };
            if folders.insert(folder) {
                open.extend(dependencies.iter().map(String::as_str));
            }
        }
        folders
    }
}

/// Returns the date on which a chain with this key passed.
pub(super) fn passed_on(key: &str) -> Option<String> {
    std::fs::read_to_string(folder()?.join(key)).ok()
}

/// Keeps that a chain with this key has passed today. A folder that cannot be written keeps nothing.
pub(super) fn keep(key: &str) {
    let today = answer(&mut command("date", ["-u", "+%Y-%m-%d"]));
    if let (Some(folder), Some(today)) = (folder(), today) {
        let _ =
            std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(key), today));
    }
}

/// Returns the folder in the user's cache.
fn folder() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    Some(cache.or_else(home)?.join("snapshot-lab/passed"))
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// Lists the files of the working tree that git does not ignore, with hashes of their content.
fn files() -> Option<Vec<(String, String)>> {
    let index = target().join("kept.index");
    std::fs::create_dir_all(target()).ok()?;
    let git = |words: &str| {
        let mut git = command("git", words.split(' '));
        git.env("GIT_INDEX_FILE", &index);
        git
    };
    answer(&mut git("add --all"))?;
    let tree = answer(&mut git("write-tree"))?;
    let list = answer(&mut git(&format!("ls-tree -r {tree}")))?;
    let lines = list.lines().filter_map(|line| {
        let (content, path) = line.split_once('\t')?;
        Some((path.to_owned(), content.to_owned()))
    });
    Some(lines.collect())
}

fn metadata() -> Option<String> {
    answer(&mut cargo([
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
    ]))
}

/// Parses the packages of a workspace from Cargo's metadata.
fn parse_packages(metadata: &str, root: &str) -> Option<Packages> {
    let metadata: Value = serde_json::from_str(metadata).ok()?;
    let relative = |path: &str| {
        let path = path.strip_prefix(root)?.trim_start_matches(['/', '\\']);
        Some(path.replace('\\', "/"))
    };
    let mut packages = Packages::new();
    for package in metadata["packages"].as_array()? {
        let manifest = relative(package["manifest_path"].as_str()?)?;
        let folder = manifest.trim_end_matches("/Cargo.toml").to_owned();
        let dependencies = package["dependencies"].as_array()?.iter();
        let inner = dependencies.filter(|it| it["path"].is_string());
        let names = inner.filter_map(|it| it["name"].as_str());
        let names = names.map(str::to_owned).collect();
        packages.insert(package["name"].as_str()?.to_owned(), (folder, names));
    }
    Some(packages)
}

/// Describes compiler, Node.js, system, its packages and the environment.
fn machine() -> Option<String> {
    let mut text = String::new();
    for (program, words) in [
        ("rustc", "-vV"),
        ("node", "--version"),
        ("uname", "-srm"),
        ("dpkg-query", "-W"),
    ] {
        text += &answer(&mut command(program, words.split(' ')))?;
        text.push('\n');
    }
    for name in VARIABLES {
        text += &format!("{name}={:?}\n", std::env::var_os(name));
    }
    Some(text)
}

/// Hashes a text by git, which is there.
fn hash(text: &str) -> Option<String> {
    let mut git = Command::new("git")
        .args(["hash-object", "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    git.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = git.wait_with_output().ok()?;
    let key = String::from_utf8(output.stdout).ok()?;
    Some(key.trim().to_owned()).filter(|key| !key.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUTS: Inputs = Inputs {
        packages: &["lane"],
        folders: &["www"],
    };

    fn state(changed: &str) -> State {
        let paths = [
            "Cargo.lock",
            "README.md",
            "crate/lane/src/lib.rs",
            "crate/codec/src/lib.rs",
            "crate/codecs/src/lib.rs",
            "crate/cli/src/main.rs",
            "crate/xtask/src/main.rs",
            "www/main.ts",
            "docs/example.csv",
        ];
        let content = |path: &str| if path == changed { "2" } else { "1" };
        let files = paths.map(|path| (path.to_owned(), content(path).to_owned()));
        let package = |path: &str, dependencies: &[&str]| {
            let dependencies: Vec<_> = dependencies
                .iter()
                .map(|name| format!(r#"{{"name":"{name}","path":"/w/crate/{name}"}}"#))
                .collect();
            format!(
                r#"{{"name":"{path}","manifest_path":"/w/crate/{path}/Cargo.toml","dependencies":[{{"name":"serde"}},{}]}}"#,
                dependencies.join(",")
            )
        };
        let packages = [
            package("lane", &["codec"]),
            package("codec", &["codec"]),
            package("codecs", &["lane"]),
            package("cli", &["lane"]),
            package("xtask", &["codec"]),
        ];
        let metadata = format!(r#"{{"packages":[{}]}}"#, packages.join(","));
        State {
            files: files.to_vec(),
            packages: parse_packages(&metadata, "/w").unwrap(),
            machine: changed.replace("rustc", "other"),
        }
    }

    #[test]
    fn a_key_changes_with_each_input_and_with_nothing_else() {
        let key = |changed: &str| {
            let mut state = state(changed);
            if changed != "rustc" {
                state.machine.clear();
            }
            state.key("a chain", INPUTS).unwrap()
        };
        let same = key("");
        for input in [
            "Cargo.lock",
            "crate/lane/src/lib.rs",
            "crate/codec/src/lib.rs",
            "crate/xtask/src/main.rs",
            "www/main.ts",
            "docs/example.csv",
            "rustc",
        ] {
            assert_ne!(key(input), same, "{input}");
        }
        for other in ["crate/codecs/src/lib.rs", "crate/cli/src/main.rs"] {
            assert_eq!(key(other), same, "{other}");
        }
        let [before, after] = ["", "README.md"].map(|changed| {
            let mut state = state(changed);
            state.machine.clear();
            let inputs = |folders| Inputs { folders, ..INPUTS };
            [inputs(&[]), inputs(&["www"])].map(|inputs| state.key("a chain", inputs))
        });
        assert!(before[0] == after[0] && before[1] != after[1]);
        assert_ne!(state("").key("another", INPUTS), Some(same));
    }

    #[test]
    fn this_tree_has_a_key_for_each_chain_that_is_kept() {
        let Some(state) = State::read() else {
            return;
        };
        for chain in super::super::APART {
            let inputs = chain.inputs;
            let known = |name: &&str| state.packages.contains_key(*name);
            let unknown: Vec<_> = inputs.packages.iter().filter(|name| !known(name)).collect();
            assert!(unknown.is_empty(), "{unknown:?}");
            for folder in inputs.folders {
                assert!(root().join(folder).is_dir(), "{folder}");
            }
            assert!(state.key("a chain", inputs).is_some());
        }
    }
}
