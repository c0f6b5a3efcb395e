//! Checks before a release: one version everywhere, and a changelog entry for it.

use crate::package::{TAKEN_HOME, VERSION};
use crate::shell::{Result, root};

/// Checks that a tag, the workspace's version, the npm package's version and the published crates' changelogs agree.
pub(crate) fn check(tag: &str) -> Result {
    if tag != format!("v{VERSION}") {
        return Err(format!("the tag is {tag}, and the version is {VERSION}"));
    }
    let read = |path: &str| {
        std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
    };
    for name in TAKEN_HOME {
        let path = format!("crate/{name}/CHANGELOG.md");
        if !has_version(&read(&path)?, VERSION) {
            return Err(format!("{path} has no heading `## {VERSION}`"));
        }
    }
    let path = "crate/npm/package/package.json";
    if !read(path)?.contains(&format!("\"version\": \"{VERSION}\"")) {
        return Err(format!("{path} has another version than {VERSION}"));
    }
    Ok(())
}

fn has_version(changelog: &str, version: &str) -> bool {
    let headings = changelog
        .lines()
        .filter_map(|line| line.strip_prefix("## "));
    headings
        .filter_map(|heading| heading.split(' ').next())
        .any(|first| first == version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_version_could_be_released_and_no_other() {
        assert_eq!(check(&format!("v{VERSION}")), Ok(()));
        assert!(check("v9.9.9").is_err() && check(VERSION).is_err());
    }
}
