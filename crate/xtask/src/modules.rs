//! The lint of modules: in no folder of any crate do modules use each other in a circle.
//!
//! An edge is a path in the code of one module that names an item of another. It leads to the module that defines the item, whoever
//! re-exports it. Modules are compared with their siblings, each with all that is below it. A parent's own file and its children may use
//! each other. Methods and fields need no path, so their uses are not seen. Test code does not count.
//!
//! The reasons are in `docs/decisions/0002-no-circles-of-modules.md`.

mod fingerprint;
mod graph;
mod names;
mod public;
mod references;
mod source;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::shell::{Result, root};
pub(crate) use fingerprint::fingerprint;
use graph::Graph;
use source::Crate;

/// Modules that stand in circles today, by crate. Crates that are not named have none. These numbers may only fall.
const IN_CIRCLES: &[(&str, usize)] = &[];

/// Prints all circles, and fails where a crate has more or fewer modules in circles than `IN_CIRCLES` says.
pub(crate) fn check() -> Result {
    let graphs = graphs()?;
    for (_, graph) in &graphs {
        for line in graph.circles() {
            println!("{line}");
        }
    }
    let found: Vec<_> = graphs
        .iter()
        .map(|(name, graph)| (name.as_str(), graph.counts().in_circles))
        .collect();
    let complaints = compare(&found, IN_CIRCLES);
    if complaints.is_empty() {
        return Ok(());
    }
    Err(complaints.join("; "))
}

/// Prints the whole graph: every level with its edges, then counts and circles.
pub(crate) fn show() -> Result {
    for (name, graph) in graphs()? {
        let counts = graph.counts();
        println!(
            "{name}: {} modules, {} edges, {} circles with {} modules ({} if parents' own files counted)",
            counts.modules,
            counts.edges,
            counts.circles,
            counts.in_circles,
            counts.in_circles_with_parents
        );
        for line in graph.levels().iter().chain(&graph.circles()) {
            println!("{line}");
        }
    }
    Ok(())
}

/// The public items of the codec, which others may use.
const PUBLIC_ITEMS: &str = "crate/codec/public-items.txt";

/// Writes the list of the codec's public items.
pub(crate) fn write_public_items() -> Result {
    let path = root().join(PUBLIC_ITEMS);
    std::fs::write(&path, listed_public_items()?)
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Prints how the codec's public items differ from the committed list, and fails if they do.
pub(crate) fn check_public_items() -> Result {
    let committed = std::fs::read_to_string(root().join(PUBLIC_ITEMS))
        .map_err(|error| format!("{PUBLIC_ITEMS}: {error}"))?;
    let changes = changes(&committed, &listed_public_items()?);
    changes.iter().for_each(|line| println!("{line}"));
    match changes.len() {
        0 => Ok(()),
        count => Err(format!(
            "{count} lines of the codec's public items differ: tell it in crate/codec/CHANGELOG.md, then `cargo xtask api`"
        )),
    }
}

fn listed_public_items() -> Result<String> {
    let file = Path::new("crate/codec/src/lib.rs");
    let read = |path: &Path| std::fs::read_to_string(root().join(path)).ok();
    let mut text = public::list(&Crate::read("snapshot_codec", file, &read)?)?.join("\n");
    text.push('\n');
    Ok(text)
}

/// Lists lines that are only in the one text (`-`) or in the other (`+`).
fn changes(before: &str, after: &str) -> Vec<String> {
    let only = |these: &str, those: &str, sign: char| {
        let those: Vec<_> = those.lines().collect();
        let lines = these.lines().filter(|line| !those.contains(line));
        lines.map(|line| format!("{sign} {line}")).collect()
    };
    let gone: Vec<String> = only(before, after, '-');
    let new: Vec<String> = only(after, before, '+');
    [gone, new].concat()
}

/// Compares counts with the allowed ones.
fn compare(found: &[(&str, usize)], allowed: &[(&str, usize)]) -> Vec<String> {
    let limit = |name: &str| {
        let row = allowed.iter().find(|(named, _)| *named == name);
        row.map_or(0, |(_, limit)| *limit)
    };
    let judge = |&(name, count): &(&str, usize)| {
        let limit = limit(name);
        match count.cmp(&limit) {
            std::cmp::Ordering::Greater => Some(format!(
                "{name}: {count} modules are in circles, {limit} are allowed"
            )),
            std::cmp::Ordering::Less => Some(format!(
                "{name}: {count} modules are in circles, fewer than {limit}: lower IN_CIRCLES in {}",
                file!()
            )),
            std::cmp::Ordering::Equal => None,
        }
    };
    let gone = allowed
        .iter()
        .filter(|(name, _)| !found.iter().any(|(there, _)| there == name));
    let gone = gone.map(|(name, _)| {
        format!(
            "{name}: IN_CIRCLES in {} names it, but there is no such crate",
            file!()
        )
    });
    found.iter().filter_map(judge).chain(gone).collect()
}

/// Parses all crates of the project, sorted by name.
fn graphs() -> Result<Vec<(String, Graph)>> {
    let folder = root().join("crate");
    let entries = folder
        .read_dir()
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut crates: Vec<_> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    crates.sort();
    let read = |path: &Path| std::fs::read_to_string(root().join(path)).ok();
    let mut graphs = Vec::new();
    for name in crates {
        for file in ["lib.rs", "main.rs"] {
            let file = Path::new("crate").join(&name).join("src").join(file);
            if root().join(&file).is_file() {
                graphs.push((name.clone(), Graph::new(Crate::read(&name, &file, &read)?)));
            }
        }
    }
    Ok(graphs)
}
