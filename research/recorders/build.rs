//! Takes recorders from the page.

use std::path::Path;

const PAGE: &str = "../../motion.html";

fn main() {
    println!("cargo::rerun-if-changed={PAGE}");
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let folder = std::env::var_os("OUT_DIR").expect("cargo names a folder");
    for (label, name) in [("Rust for Bevy", "recorder.rs"), ("C++", "recorder.cpp")] {
        let begin = format!("aria-label=\"{label}\">");
        let code = page.split_once(&begin);
        let code = code.and_then(|(_, rest)| rest.split_once("</pre>"));
        let (code, _) = code.expect("the page has the recorder");
        let signs = [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
        let code = signs
            .iter()
            .fold(code.to_owned(), |code, (from, to)| code.replace(from, to));
        let path = Path::new(&folder).join(name);
        std::fs::write(path, code).expect("the folder can be written");
    }
}
