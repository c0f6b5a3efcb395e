//! Lists of crates' public items, and fingerprints of sources: both read the sources as the compiler does.

mod fingerprint;
mod names;
mod public;
mod source;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::shell::{Result, root};
pub(crate) use fingerprint::fingerprint;
use source::Crate;

/// Folders of the crates whose public items are listed, in `public-items.txt` of each.
const LISTED: [&str; 2] = ["codec", "replication"];

/// Writes the lists of public items.
pub(crate) fn write_public_items() -> Result {
    LISTED.iter().try_for_each(|name| {
        let path = root().join(list_of(name));
        std::fs::write(&path, listed_public_items(name)?)
            .map_err(|error| format!("{}: {error}", path.display()))
    })
}

fn list_of(name: &str) -> String {
    format!("crate/{name}/public-items.txt")
}

/// Prints how the public items differ from the committed lists, and fails if they do.
pub(crate) fn check_public_items() -> Result {
    LISTED.iter().try_for_each(|name| {
        let list = list_of(name);
        let committed = std::fs::read_to_string(root().join(&list))
            .map_err(|error| format!("{list}: {error}"))?;
        let changes = changes(&committed, &listed_public_items(name)?);
        changes.iter().for_each(|line| println!("{line}"));
        match changes.len() {
            0 => Ok(()),
            count => Err(format!(
                "{count} lines of {list} differ: tell it in crate/{name}/CHANGELOG.md, then `cargo xtask api`"
            )),
        }
    })
}

fn listed_public_items(name: &str) -> Result<String> {
    let file = format!("crate/{name}/src/lib.rs");
    let read = |path: &Path| std::fs::read_to_string(root().join(path)).ok();
    let krate = Crate::read(&format!("snapshot_{name}"), Path::new(&file), &read)?;
    let mut text = public::list(&krate)?.join("\n");
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
