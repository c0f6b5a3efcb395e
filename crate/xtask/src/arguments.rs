//! Parsing of the command line's tasks.

use std::num::NonZeroU16;

use crate::test::TestPart;

pub(crate) const USAGE: &str = "\
Usage: cargo xtask TASK

  serve [--port N] [--dev]   build the page and serve it; --dev: without slow optimisation, rebuilt and reloaded at every change
  test [PART]...             set up and test what works: native, wasm, browser; or only some of these,
                             or apart: the rest, as CI does; or machine: the same bits as everywhere
  lint                       check the sources: format, clippy, documentation, the minimum Rust version
  build                      write the static site to dist/; it works from any folder of any host
  bench                      measure speed and size against their targets
  pictures                   make the README's picture
  package npm|c              write the package for npm to target/npm/, or that for C to target/c/
  release TAG                check that a tag, the changelogs and the packages agree on the version
  lines [COMMIT]             count the lines of each crate and of the page: code, tests, comments; and the change since a commit
  tidy                       format the sources, then check what a formatter cannot
";

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Package {
    Npm,
    C,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Task {
    Help,
    Serve {
        port: Option<u16>,
        dev: bool,
    },
    Test(Vec<TestPart>),
    Lint,
    Build,
    Bench,
    Pictures,
    Package(Package),
    Release(String),
    /// The task `lines`, with the commit to compare with.
    Lines(Option<String>),
    Tidy,
}

pub(crate) fn parse(arguments: &[&str]) -> Result<Task, String> {
    Ok(match *arguments {
        [] | ["help" | "--help" | "-h"] => Task::Help,
        ["serve", ref flags @ ..] => parse_serve(flags)?,
        ["test", ref parts @ ..] => Task::Test(parse_parts(parts)?),
        ["lint"] => Task::Lint,
        ["build"] => Task::Build,
        ["bench"] => Task::Bench,
        ["pictures"] => Task::Pictures,
        ["package", "npm"] => Task::Package(Package::Npm),
        ["package", "c"] => Task::Package(Package::C),
        ["release", tag] => Task::Release(tag.to_owned()),
        ["lines"] => Task::Lines(None),
        ["lines", commit] => Task::Lines(Some(commit.to_owned())),
        ["tidy"] => Task::Tidy,
        _ => return Err(format!("There is no task '{}'.", arguments.join(" "))),
    })
}

fn parse_serve(mut flags: &[&str]) -> Result<Task, String> {
    let (mut port, mut dev) = (None, false);
    while let [flag, rest @ ..] = flags {
        flags = match (*flag, rest) {
            ("--dev", _) => {
                dev = true;
                rest
            }
            ("--port", [number, rest @ ..]) => {
                let number: Option<NonZeroU16> = number.parse().ok();
                port = Some(
                    number
                        .ok_or("--port takes a number from 1 to 65535.")?
                        .get(),
                );
                rest
            }
            _ => return Err(format!("serve does not know '{flag}'.")),
        };
    }
    Ok(Task::Serve { port, dev })
}

/// Parses the names of parts of the tests. Returns the named parts in their usual order; the usual parts if no part is named.
fn parse_parts(named: &[&str]) -> Result<Vec<TestPart>, String> {
    let is_part = |name: &&&str| TestPart::ALL.iter().any(|part| part.name() == **name);
    if let Some(other) = named.iter().find(|name| !is_part(name)) {
        return Err(format!("There is no part '{other}' of the tests."));
    }
    if named.is_empty() {
        return Ok(TestPart::USUAL.to_vec());
    }
    let parts = TestPart::ALL.into_iter();
    Ok(parts.filter(|part| named.contains(&part.name())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_understood_and_what_is_none_is_named() {
        let parsed = |line: &str| parse(&line.split_whitespace().collect::<Vec<_>>());
        let (port, dev) = (Some(8000), true);
        assert_eq!(
            parsed("serve --dev --port 8000"),
            Ok(Task::Serve { port, dev })
        );
        let test = |parts: &[TestPart]| Ok(Task::Test(parts.to_vec()));
        assert_eq!(parsed("test"), test(&TestPart::USUAL));
        assert_eq!(parsed("lines v1"), Ok(Task::Lines(Some("v1".to_owned()))));
        let parts = [TestPart::Native, TestPart::Apart];
        assert_eq!(parsed("test apart native"), test(&parts));
        for (line, named) in [
            ("deploy", "deploy"),
            ("build fast", "fast"),
            ("test everything", "everything"),
            ("test --all", "--all"),
            ("serve --prot 1", "--prot"),
            ("serve --port", "--port"),
            ("serve --port 0", "from 1"),
            ("serve --port 65536", "65535"),
            ("package tar", "tar"),
        ] {
            let refusal = parsed(line).unwrap_err();
            assert!(refusal.contains(named), "{line}: {refusal}");
        }
    }
}
