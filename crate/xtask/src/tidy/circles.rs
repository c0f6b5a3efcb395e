//! A rule for modules: at most three files of a crate may use each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::lines::{crates, is_test, rust_files, without_tests};

/// Upper limit of the number of files in a circle.
const MOST: usize = 3;

/// Names of a path: of an item, such as `crate::world::Scene`, or of a module below its crate.
type Names = Vec<String>;

/// A crate's modules, by path.
#[derive(Default)]
struct Modules(BTreeMap<Names, Module>);

#[derive(Default)]
struct Module {
    file: String,
    uses: Vec<Names>,
    /// Paths that the module exports again, under their last name (`pub use`).
    exports: Vec<Names>,
}

/// Returns a complaint about each circle of more than [`MOST`] files.
pub(super) fn complaints() -> Vec<String> {
    let complaint = |folder: std::path::PathBuf| {
        let mut modules = Modules::default();
        let source = folder.join("src");
        for file in rust_files(&source) {
            let name = file.strip_prefix(&source).ok()?;
            if !is_test(name) && !name.starts_with("bin") {
                let text = std::fs::read_to_string(&file).ok()?;
                modules.add(&name.to_str()?.replace('\\', "/"), &without_tests(&text));
            }
        }
        let found = modules.circles();
        (!found.is_empty()).then(|| format!("{}: files in a circle: {found:?}", folder.display()))
    };
    crates().into_iter().filter_map(complaint).collect()
}

impl Modules {
    fn add(&mut self, file: &str, text: &str) {
        let path = file.trim_end_matches(".rs").split('/');
        let path = path.filter(|name| !matches!(*name, "lib" | "main" | "mod"));
        let mut module = Module {
            file: file.to_owned(),
            ..Module::default()
        };
        let mut open = String::new();
        for line in text.lines() {
            let begins = line.starts_with("use ")
                || line.starts_with("pub") && line.contains("use ") && !line.contains(" fn ");
            if begins || !open.is_empty() {
                open += line.trim();
            }
            if open.ends_with(';') {
                let (head, tree) = open.split_once("use ").unwrap_or_default();
                let paths = if head.is_empty() {
                    &mut module.uses
                } else {
                    &mut module.exports
                };
                expand(&[], tree.trim_end_matches(';'), paths);
                open.clear();
            }
        }
        self.0.insert(path.map(str::to_owned).collect(), module);
    }

    /// Returns the files of each circle of more than [`MOST`] files, the largest circle first.
    fn circles(&self) -> Vec<Vec<&str>> {
        let reached = self.0.keys().map(|from| (from, self.reached(from)));
        let reached: BTreeMap<_, _> = reached.collect();
        let circle = |(from, all): (&&Names, &BTreeSet<Names>)| {
            let both = all.iter().filter(|to| reached[to].contains(*from));
            both.map(|path| self.0[path].file.as_str()).collect()
        };
        let circles: BTreeSet<Vec<&str>> = reached.iter().map(circle).collect();
        let mut circles: Vec<_> = circles.into_iter().filter(|it| it.len() > MOST).collect();
        circles.sort_by_key(|files| std::cmp::Reverse(files.len()));
        circles
    }

    /// Modules that a module uses, directly or through others.
    fn reached(&self, from: &Names) -> BTreeSet<Names> {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = open.pop() {
            for path in &self.0[&module].uses {
                let used = self.place(&module, path, 8).filter(|used| *used != module);
                open.extend(used.filter(|used| reached.insert(used.clone())));
            }
        }
        reached
    }

    /// Finds the module that defines a path's item, through modules that only export it again. `None` for a path into another
    /// crate.
    fn place(&self, module: &[String], path: &[String], steps: usize) -> Option<Names> {
        let mut place = module.to_vec();
        let is_inner = matches!(path.first()?.as_str(), "crate" | "self" | "super");
        let child = [module, &path[..1]].concat();
        (is_inner || self.0.contains_key(&child)).then_some(())?;
        let mut rest = path;
        while let [name, more @ ..] = rest {
            match name.as_str() {
                "crate" => place.clear(),
                "self" => {}
                "super" => drop(place.pop()?),
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
        let exports = &self.0.get(&place)?.exports;
        let handed = rest.first().and_then(|name| {
            let mut exports = exports.iter().rev();
            exports.find(|export| export.last() == Some(name))
        });
        match handed {
            Some(export) if steps > 0 => self.place(&place, export, steps - 1),
            _ => Some(place),
        }
    }
}

/// Expands a tree of paths, such as `a::{b, c::{self, d as e}}`, to its paths.
fn expand(before: &[String], tree: &str, paths: &mut Vec<Names>) {
    let mut depth = 0;
    let parts = tree.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    for part in parts {
        let (head, inner) = match part.split_once('{') {
            Some((head, inner)) => (head, inner.trim().strip_suffix('}')),
            None => (part, None),
        };
        let head = head.split(" as ").next().unwrap_or_default();
        let names = head.split("::").map(|name| name.trim().to_owned());
        let names: Names = names.filter(|name| !name.is_empty()).collect();
        let path = [before, &names].concat();
        match inner {
            Some(inner) => expand(&path, inner, paths),
            None if !names.is_empty() => paths.push(path),
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
        for (file, text) in [
            ("lib.rs", "mod a;\npub use d::D;\n"),
            (
                "a.rs",
                "use crate::{\n    b::{B, b2},\n    std_like::X,\n};\n",
            ),
            ("b/mod.rs", "use self::c::C;\nuse std::fmt;\n"),
            ("b/c.rs", "use crate::D;\n"),
            ("d.rs", "use super::a::A as Other;\n"),
            ("e.rs", "use crate::a::A;\n"),
        ] {
            modules.add(file, text);
        }
        assert_eq!(modules.circles(), [["a.rs", "b/mod.rs", "b/c.rs", "d.rs"]]);
    }
}
