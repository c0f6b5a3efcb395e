//! Takes the recorder from the page.

use std::path::Path;

const PAGE: &str = "../../motion.html";

fn main() {
    println!("cargo::rerun-if-changed={PAGE}");
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let code = page
        .split_once("aria-label=\"Rust for Bevy\">")
        .and_then(|(_, rest)| rest.split_once("</pre>"));
    let (code, _) = code.expect("the page has a recorder for Bevy");
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    let code = signs
        .iter()
        .fold(code.to_owned(), |code, (from, to)| code.replace(from, to));
    let folder = std::env::var_os("OUT_DIR").expect("cargo names a folder");
    std::fs::write(Path::new(&folder).join("recorder.rs"), code)
        .expect("the folder can be written");
}
