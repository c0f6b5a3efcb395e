//! The fingerprint of sources: a hash of all that a compiler sees, without documentation, layout and tests.

use std::path::{Path, PathBuf};

use quote::ToTokens;
use snapshot_base::hash::Fnv;

use super::public::without_documentation;
use super::source::{attributes, is_test};
use crate::shell::Result;

/// Hashes files and whole folders. Rust files are parsed; of others each byte counts.
pub(crate) fn fingerprint(paths: &[PathBuf]) -> Result<u64> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    files.sort();
    let mut hash = Fnv::new();
    for file in files {
        add(&mut hash, &file)?;
    }
    Ok(hash.finish())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result {
    let failed = |error| format!("{}: {error}", path.display());
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in path.read_dir().map_err(failed)? {
        let entry = entry.map_err(failed)?.path();
        let is_of_tests = entry.file_stem().is_some_and(|stem| stem == "tests");
        if !is_of_tests {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

fn add(hash: &mut Fnv, file: &Path) -> Result {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let bytes = std::fs::read(file).map_err(|error| failed(&error))?;
    if file.extension().is_none_or(|extension| extension != "rs") {
        hash.add_bytes(&bytes);
        return Ok(());
    }
    let text = String::from_utf8(bytes).map_err(|error| failed(&error))?;
    let parsed = syn::parse_file(&text).map_err(|error| failed(&error))?;
    for item in parsed
        .items
        .iter()
        .filter(|item| !is_test(attributes(item)))
    {
        let tokens = without_documentation(item.to_token_stream());
        hash.add_bytes(tokens.to_string().as_bytes());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_changes_with_code_and_tables_but_not_with_words_and_tests() {
        let folder = std::env::temp_dir().join(format!("xtask-print-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("tests")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        let print = || fingerprint(std::slice::from_ref(&folder)).unwrap();
        write("lib.rs", "//! One.\n/// Adds.\nfn f(a: u8) -> u8 { a + 1 }");
        write("a.tables", "12");
        let before = print();
        let same = "//! Two.\nfn f(a: u8)\n -> u8 { // why\n a + 1 }\n#[cfg(test)] mod tests { fn g() {} }";
        write("lib.rs", same);
        write("tests.rs", "fn h() {}");
        write("tests/more.rs", "fn h() {}");
        assert_eq!(print(), before);
        write("a.tables", "13");
        assert_ne!(print(), before);
        write("a.tables", "12");
        assert_eq!(print(), before);
        write("lib.rs", "fn f(a: u8) -> u8 { a + 2 }");
        assert_ne!(print(), before);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
