//! Modules whose wasm is in two parts: JavaScript loads the first one, and the rest before the first call that needs it.

use std::path::Path;

use crate::Result;
use crate::split::split;

/// The start of the imports in a script of wasm-bindgen.
const IMPORTS: &str = "return {\n        __proto__: null,\n";
/// Scripts and types that are added to those of wasm-bindgen. `NAME` is the module's.
const PAGE: &str = include_str!("rest.js");
const NODE: &str = include_str!("rest-node.js");
const TYPES: &str = include_str!("rest.d.ts");

/// Writes modules for the page and for Node.js, in two folders.
pub(crate) fn write(wasm: &Path, page: &Path, node: &Path) -> Result {
    crate::write_page(wasm, page, node, true)?;
    let name = wasm.file_stem().unwrap_or_default().to_string_lossy();
    let failed = |error: std::io::Error| format!("the parts of {name}: {error}");
    let file = |folder: &Path, end: &str| folder.join(format!("{name}{end}"));
    let parts = split(&std::fs::read(file(page, "_bg.wasm")).map_err(failed)?)?;
    for (folder, added) in [(page, PAGE), (node, NODE)] {
        std::fs::write(file(folder, "_bg.wasm"), &parts.first).map_err(failed)?;
        std::fs::write(file(folder, "_rest.wasm"), &parts.rest).map_err(failed)?;
        let script = file(folder, ".js");
        let text = std::fs::read_to_string(&script).map_err(failed)?;
        let Some((before, after)) = text.split_once(IMPORTS) else {
            return Err(format!("{} has other imports", script.display()));
        };
        let added = added.replace("NAME", &name);
        let load = "\"rest\": { load: loadRestNow },";
        let text = format!("{before}{IMPORTS}        {load}\n{after}\n{added}");
        std::fs::write(&script, text).map_err(failed)?;
    }
    let types = file(page, ".d.ts");
    let text = std::fs::read_to_string(&types).map_err(failed)?;
    std::fs::write(&types, text + TYPES).map_err(failed)?;
    // For a test that fails: which function the first part called.
    let stubs = parts.stubs.iter();
    let stubs: Vec<String> = stubs
        .map(|(place, name)| format!("{place} {name}\n"))
        .collect();
    println!(
        "The first part has {} bytes, the rest {}, and {} functions in between.",
        parts.first.len(),
        parts.rest.len(),
        stubs.len()
    );
    std::fs::write(file(node, "_between.txt"), stubs.concat()).map_err(failed)
}
