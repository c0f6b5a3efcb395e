//! The list of the codec's public items, and fingerprints of sources: both read the sources as the compiler does.

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
