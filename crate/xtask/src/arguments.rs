//! Parsing of the command line's tasks.

use crate::test::TestPart;

/// Usage text, shown by `cargo xtask help` and after an unknown argument.
pub(crate) const USAGE: &str = "\
Usage: cargo xtask TASK

  serve [--port N] [--dev]   build the page and serve it; --dev: without slow optimisation, rebuilt and reloaded at every change
  test [PART]...             set up and test what works: native, wasm, browser; or only some of these,
                             or apart: other workspaces; or machine: the same bits as everywhere
  lint                       check the sources: format, clippy, documentation, the minimum Rust version
  build                      write the static site to dist/; it works from any folder of any host
  bench                      measure speed and size against their targets
  pictures                   make the README's pictures from links
  package npm|c              write the package for npm to target/npm/, or that for C to target/c/
  release TAG                check that a tag, the changelogs and the packages agree on the version
  tidy                       format the sources, then check what a formatter cannot
";

/// A package for another language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Package {
    Npm,
    C,
}

/// A task on the command line.
#[derive(Debug, PartialEq)]
pub(crate) enum Task {
    Help,
    Serve { port: Option<u16>, dev: bool },
    Test(Vec<TestPart>),
    Lint,
    Build,
    Bench,
    Pictures,
    Package(Package),
    Release(String),
    Tidy,
}

/// Parses the arguments that follow `cargo xtask`.
pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Task, String> {
    let mut arguments = arguments.into_iter();
    let task = match arguments.next().as_deref() {
        None | Some("help" | "--help" | "-h") => Task::Help,
        Some("serve") => parse_serve(&mut arguments)?,
        Some("test") => Task::Test(parse_parts(&mut arguments)?),
        Some("lint") => Task::Lint,
        Some("build") => Task::Build,
        Some("bench") => Task::Bench,
        Some("pictures") => Task::Pictures,
        Some("package") => parse_package(&mut arguments)?,
        Some("release") => Task::Release(
            arguments
                .next()
                .ok_or("release takes a tag, such as v0.1.0.")?,
        ),
        Some("tidy") => Task::Tidy,
        Some(other) => return Err(format!("There is no task '{other}'.")),
    };
    match arguments.next() {
        None => Ok(task),
        Some(extra) => Err(format!("'{extra}' is one argument too many.")),
    }
}

fn parse_serve(arguments: &mut impl Iterator<Item = String>) -> Result<Task, String> {
    let (mut port, mut dev) = (None, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--dev" => dev = true,
            "--port" => {
                let value = arguments.next().unwrap_or_default();
                match value.parse() {
                    Ok(number) if number > 0 => port = Some(number),
                    _ => {
                        return Err(format!(
                            "--port takes a number from 1 to 65535, not '{value}'."
                        ));
                    }
                }
            }
            other => return Err(format!("serve does not know '{other}'.")),
        }
    }
    Ok(Task::Serve { port, dev })
}

fn parse_package(arguments: &mut impl Iterator<Item = String>) -> Result<Task, String> {
    match arguments.next().as_deref() {
        Some("npm") => Ok(Task::Package(Package::Npm)),
        Some("c") => Ok(Task::Package(Package::C)),
        other => Err(format!("There is no package '{}'.", other.unwrap_or(""))),
    }
}

/// Parses the named parts of the tests, in their usual order. Without a name the usual parts are returned.
fn parse_parts(arguments: &mut impl Iterator<Item = String>) -> Result<Vec<TestPart>, String> {
    let mut named = Vec::new();
    for argument in arguments {
        match TestPart::ALL
            .into_iter()
            .find(|part| part.name() == argument)
        {
            Some(part) => named.push(part),
            None => return Err(format!("There is no part '{argument}' of the tests.")),
        }
    }
    if named.is_empty() {
        return Ok(TestPart::USUAL.to_vec());
    }
    let parts = TestPart::ALL.into_iter();
    Ok(parts.filter(|part| named.contains(part)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Task, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn every_task_is_understood() {
        assert_eq!(parsed(""), Ok(Task::Help));
        assert_eq!(
            parsed("serve"),
            Ok(Task::Serve {
                port: None,
                dev: false
            })
        );
        assert_eq!(
            parsed("serve --dev --port 8000"),
            Ok(Task::Serve {
                port: Some(8000),
                dev: true
            })
        );
        assert_eq!(parsed("test"), Ok(Task::Test(TestPart::USUAL.to_vec())));
        assert_eq!(
            parsed("test apart native"),
            Ok(Task::Test(vec![TestPart::Native, TestPart::Apart]))
        );
        assert_eq!(parsed("lint"), Ok(Task::Lint));
        assert_eq!(parsed("build"), Ok(Task::Build));
        assert_eq!(parsed("bench"), Ok(Task::Bench));
        assert_eq!(parsed("pictures"), Ok(Task::Pictures));
        assert_eq!(parsed("package npm"), Ok(Task::Package(Package::Npm)));
        assert_eq!(parsed("package c"), Ok(Task::Package(Package::C)));
        assert_eq!(
            parsed("release v0.1.0"),
            Ok(Task::Release("v0.1.0".to_owned()))
        );
        assert!(parsed("release").is_err());
        assert!(parsed("package").is_err() && parsed("package tar").is_err());
        assert_eq!(parsed("tidy"), Ok(Task::Tidy));
    }

    #[test]
    fn unknown_tasks_and_arguments_are_named() {
        for (line, named) in [
            ("deploy", "deploy"),
            ("build fast", "fast"),
            ("test everything", "everything"),
            ("serve --prot 1", "--prot"),
            ("serve --port", "--port"),
            ("serve --port 0", "'0'"),
            ("serve --port 65536", "'65536'"),
        ] {
            let refusal = parsed(line).unwrap_err();
            assert!(refusal.contains(named), "{line}: {refusal}");
        }
    }
}
