//! The built page, in memory. Only files that were in its folder at the start are served, whatever path a request has.

use hyper::body::Bytes;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Upper limit of the size of all files of the page, bytes.
const BYTES_MAX: u64 = 64 << 20;
const INDEX: &str = "index.html";
/// The page that guests open.
pub(crate) const JOIN: &str = "join.html";
/// The page that the teacher opens.
pub(crate) const CLASS: &str = "class.html";

/// Content types by the extension of a file's name. Files with other extensions are served as plain bytes.
const TYPES: [(&str, &str); 13] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("json", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("csv", "text/csv; charset=utf-8"),
    ("txt", "text/plain; charset=utf-8"),
];

/// Files by their paths, which begin with a slash.
#[derive(Debug)]
pub(crate) struct Site {
    files: BTreeMap<String, Bytes>,
}

impl Site {
    /// Reads the page's folder.
    ///
    /// # Errors
    /// When the page is not built, or cannot be read.
    pub(crate) fn read(folder: &Path) -> Result<Site, String> {
        let pages = [JOIN, CLASS].map(|page| folder.join(page));
        if let Some(missing) = pages.iter().find(|page| !page.is_file()) {
            let missing = missing.display();
            return Err(format!(
                "The page is not built: there is no {missing}. Run `cargo xtask build`."
            ));
        }
        let (mut files, mut left) = (BTreeMap::new(), BYTES_MAX);
        let read = add_folder(folder, "/", &mut files, &mut left);
        read.map_err(|error| format!("The page in {}: {error}.", folder.display()))?;
        Ok(Site { files })
    }

    /// Returns a file and its content type; `None` if the page has no such file.
    pub(crate) fn file(&self, path: &str) -> Option<(Bytes, &'static str)> {
        let path = match path.ends_with('/') {
            true => &format!("{path}{INDEX}"),
            false => path,
        };
        let bytes = self.files.get(path)?;
        let end = path.rsplit_once('.').map_or("", |(_, end)| end);
        let content_type = TYPES.iter().find(|(name, _)| *name == end);
        let content_type = content_type.map_or("application/octet-stream", |(_, it)| it);
        Some((bytes.clone(), content_type))
    }
}

fn add_folder(
    folder: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, Bytes>,
    left: &mut u64,
) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    for entry in entries {
        let entry = entry.map_err(|error| error.to_string())?;
        let name = entry.file_name();
        let name = name.to_str().ok_or("a file's name is no text")?;
        // A link may lead out of the folder.
        let kind = entry.file_type().map_err(|error| error.to_string())?;
        let path = format!("{prefix}{name}");
        if kind.is_dir() {
            add_folder(&entry.path(), &format!("{path}/"), files, left)?;
        } else if kind.is_file() {
            let bytes = fs::read(entry.path()).map_err(|error| error.to_string())?;
            let size = bytes.len() as u64;
            *left = left.checked_sub(size).ok_or("it has more than 64 MB")?;
            files.insert(path, bytes.into());
        }
    }
    Ok(())
}

#[cfg(test)]
impl Site {
    /// A page of one file, `/index.html`.
    pub(crate) fn of_index(bytes: &'static [u8]) -> Site {
        let files = BTreeMap::from([(format!("/{INDEX}"), bytes.into())]);
        Site { files }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_read_and_nothing_beside_it() {
        let folder = std::env::temp_dir().join(format!("snapshot-host-{}", std::process::id()));
        let refusal = Site::read(&folder.join("none")).expect_err("not built");
        assert!(refusal.contains("cargo xtask build"), "{refusal}");
        fs::create_dir_all(folder.join("assets")).expect("a folder");
        for (name, bytes) in [
            (INDEX, &b"lab"[..]),
            (JOIN, b"join"),
            (CLASS, b"class"),
            ("assets/a.wasm", &[0, 1]),
        ] {
            fs::write(folder.join(name), bytes).expect("a file");
        }
        let site = Site::read(&folder);
        fs::remove_dir_all(&folder).expect("removed");
        let site = site.expect("a page");
        let html = "text/html; charset=utf-8";
        assert_eq!(site.file("/"), Some((Bytes::from("lab"), html)));
        assert_eq!(site.file("/join.html"), Some((Bytes::from("join"), html)));
        let (_, kind) = site.file("/assets/a.wasm").expect("a file");
        assert_eq!(kind, "application/wasm");
        for path in [
            "/assets",
            "/../Cargo.toml",
            "/assets/../index.html",
            "",
            "//",
        ] {
            assert!(site.file(path).is_none(), "{path}");
        }
    }
}
