//! A rule of modules: at most three files of a crate use each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::lines::{crates, is_test, rust_files, without_tests};

/// Files in a circle at most.
const MOST: usize = 3;
/// Larger circles that stand, as sizes by crate, largest first. They may only shrink.
const KNOWN: [(&str, &[usize]); 4] = [
    ("codec", &[4]),
    ("lane", &[17]),
    ("physics", &[4]),
    ("settings", &[10]),
];

/// A crate's modules, by path: the file's name, paths that it uses, and names that it hands on.
#[derive(Default)]
struct Modules(BTreeMap<Vec<String>, Module>);

#[derive(Default)]
struct Module {
    file: String,
    uses: Vec<Vec<String>>,
    /// Used paths that the module publishes under their last name.
    exports: Vec<Vec<String>>,
}

/// Names circles that are larger than the known ones, and known ones that have shrunk.
pub(super) fn complaints() -> Vec<String> {
    let mut complaints = Vec::new();
    for folder in crates() {
        let krate = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let known = KNOWN.iter().find(|(name, _)| *name == krate);
        let known = known.map_or(&[][..], |(_, sizes)| sizes);
        let modules = Modules::of_crate(&folder.join("src"));
        let found = modules.circles();
        let sizes: Vec<_> = found.iter().map(Vec::len).collect();
        if sizes != known {
            complaints.push(format!(
                "crate/{krate}: circles of {sizes:?} files that use each other, in place of the known {known:?} in circles.rs: {found:?}"
            ));
        }
    }
    complaints
}

impl Modules {
    fn of_crate(folder: &Path) -> Modules {
        let mut modules = Modules::default();
        for file in rust_files(folder) {
            let file = file.strip_prefix(folder).unwrap_or(&file);
            let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
            if !is_test(file) && !file.starts_with("bin") {
                modules.add(
                    &file.to_string_lossy().replace('\\', "/"),
                    &without_tests(&text),
                );
            }
        }
        modules
    }

    fn add(&mut self, file: &str, text: &str) {
        let path = file.trim_end_matches(".rs").split('/');
        let path = path.filter(|name| !matches!(*name, "lib" | "main" | "mod"));
        let mut module = Module {
            file: file.to_owned(),
            ..Module::default()
        };
        for statement in text.split('\n').scan(None, statement).flatten() {
            let (head, tree) = statement.split_once("use ").unwrap_or_default();
            let paths = if head.is_empty() {
                &mut module.uses
            } else {
                &mut module.exports
            };
            expand(&[], tree.trim_end_matches(';'), paths);
        }
        self.0.insert(path.map(str::to_owned).collect(), module);
    }

    /// Returns the files of each circle of more than [`MOST`] files, the largest circle first.
    fn circles(&self) -> Vec<Vec<&str>> {
        let reached: BTreeMap<_, _> = self
            .0
            .keys()
            .map(|from| (from, self.reached(from)))
            .collect();
        let circles: BTreeSet<Vec<&str>> = self
            .0
            .keys()
            .map(|from| {
                let both = reached[from].iter().filter(|to| reached[to].contains(from));
                both.map(|path| self.0[path].file.as_str()).collect()
            })
            .collect();
        let mut circles: Vec<_> = circles
            .into_iter()
            .filter(|files| files.len() > MOST)
            .collect();
        circles.sort_by_key(|files| std::cmp::Reverse(files.len()));
        circles
    }

    /// Modules that a module uses, directly or through others.
    fn reached(&self, from: &Vec<String>) -> BTreeSet<Vec<String>> {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = open.pop() {
            let used = self.0[&module]
                .uses
                .iter()
                .filter_map(|path| self.place(&module, path, 8));
            for used in used.filter(|used| *used != module) {
                if reached.insert(used.clone()) {
                    open.push(used);
                }
            }
        }
        reached
    }

    /// The module that a path names, past modules that only hand the name on; `None` in another crate.
    fn place(&self, module: &[String], path: &[String], steps: usize) -> Option<Vec<String>> {
        let mut place = module.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => place.clear(),
            "self" | "super" => {}
            child => {
                place.push(child.to_owned());
                self.0.contains_key(&place).then_some(())?;
                place.pop();
                rest = path;
            }
        }
        while let [name, more @ ..] = rest {
            match name.as_str() {
                "crate" | "self" => {}
                "super" => {
                    place.pop()?;
                }
                name => {
                    place.push(name.to_owned());
                    if !self.0.contains_key(&place) {
                        place.pop();
                        break;
                    }
                }
            }
            rest = more;
        }
        let handed = rest.first().and_then(|name| {
            let exports = self.0.get(&place)?.exports.iter();
            exports.rev().find(|export| export.last() == Some(name))
        });
        match handed {
            Some(export) if steps > 0 => self.place(&place.clone(), export, steps - 1),
            _ => self.0.contains_key(&place).then_some(place),
        }
    }
}

/// Joins the lines of each statement `use`, whatever its visibility.
fn statement(open: &mut Option<String>, line: &str) -> Option<Option<String>> {
    let begins = line.starts_with("use ")
        || line.starts_with("pub") && line.contains("use ") && !line.contains(" fn ");
    if open.is_none() && !begins {
        return Some(None);
    }
    let text = open.take().unwrap_or_default() + line.trim();
    if text.ends_with(';') {
        return Some(Some(text));
    }
    *open = Some(text);
    Some(None)
}

/// Writes out the paths of a tree such as `a::{b, c::{self, d as e}}`.
fn expand(before: &[String], tree: &str, paths: &mut Vec<Vec<String>>) {
    let (mut depth, mut start) = (0, 0);
    let ends = tree.char_indices().filter(|(_, letter)| {
        depth += i32::from(*letter == '{') - i32::from(*letter == '}');
        *letter == ',' && depth == 0
    });
    for end in ends
        .map(|(at, _)| at)
        .chain([tree.len()])
        .collect::<Vec<_>>()
    {
        let one = tree[start..end].trim();
        start = (end + 1).min(tree.len());
        let (head, inner) = one
            .split_once('{')
            .map_or((one, None), |(head, inner)| (head, Some(inner)));
        let head = head.split(" as ").next().unwrap_or_default();
        let names = head
            .split("::")
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let path = [before, &names.map(str::to_owned).collect::<Vec<_>>()].concat();
        match inner {
            Some(inner) => expand(
                &path,
                inner.trim_end_matches('}').trim_end_matches(','),
                paths,
            ),
            None if !path.is_empty() => paths.push(path),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_found_through_a_handed_on_name_and_a_tree() {
        let mut modules = Modules::default();
        modules.add("lib.rs", "mod a;\npub use d::D;\n");
        modules.add(
            "a.rs",
            "use crate::{\n    b::{B, b2},\n    std_like::X,\n};\n",
        );
        modules.add("b/mod.rs", "use self::c::C;\nuse std::fmt;\n");
        modules.add("b/c.rs", "use crate::D;\n");
        modules.add("d.rs", "use super::a::A as Other;\n");
        modules.add("e.rs", "use crate::a::A;\n");
        assert_eq!(modules.circles(), [["a.rs", "b/mod.rs", "b/c.rs", "d.rs"]]);
    }
}
