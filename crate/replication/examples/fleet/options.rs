//! The command line arguments of the example `fleet`.

use crate::sdk::PORT;

pub(crate) const USAGE: &str = "usage: fleet [--port PORT] [--idle-seconds SECONDS]";

#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    /// UDP port of the game. 0 is a free one.
    pub(crate) port: u16,
    /// Seconds without a player after which the process ends.
    pub(crate) idle_s: f64,
    /// Port of the SDK's HTTP, if a fleet has started the process.
    pub(crate) sdk_port: Option<u16>,
}

impl Options {
    /// Reads arguments, and the value of `AGONES_SDK_HTTP_PORT`. An error is one sentence.
    pub(crate) fn read(
        arguments: impl IntoIterator<Item = String>,
        sdk_port: Option<&str>,
    ) -> Result<Self, String> {
        let mut options = Self {
            port: 7777,
            idle_s: 30.0,
            sdk_port: sdk_port.map(port_of_sdk).transpose()?,
        };
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{name} has no value"));
            match &*name {
                "--port" => {
                    let value = value()?;
                    let port = value.parse();
                    options.port = port.map_err(|_| format!("--port {value} is not a port"))?;
                }
                "--idle-seconds" => {
                    let value = value()?;
                    let seconds = value.parse().ok().filter(|s| (0.0..=86_400.0).contains(s));
                    let why = || format!("--idle-seconds {value} is not 0 to 86400");
                    options.idle_s = seconds.ok_or_else(why)?;
                }
                name => return Err(format!("{name} is not an argument")),
            }
        }
        Ok(options)
    }
}

fn port_of_sdk(value: &str) -> Result<u16, String> {
    let port = value.parse().ok().filter(|&port| port > 0);
    port.ok_or(format!("{PORT}={value} is not a port"))
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn read(line: &str, sdk_port: Option<&str>) -> Result<Options, String> {
        Options::read(line.split_whitespace().map(str::to_owned), sdk_port)
    }

    #[test]
    fn arguments_are_read_or_refused_in_a_sentence() {
        let options = |port, idle_s, sdk_port| Options {
            port,
            idle_s,
            sdk_port,
        };
        assert_eq!(read("", None), Ok(options(7777, 30.0, None)));
        let line = "--idle-seconds 2.5 --port 4040";
        assert_eq!(read(line, Some("9358")), Ok(options(4040, 2.5, Some(9358))));
        for (line, port, why) in [
            ("--port", None, "--port has no value"),
            ("--port 65536", None, "--port 65536 is not a port"),
            ("--port x", None, "--port x is not a port"),
            (
                "--idle-seconds -1",
                None,
                "--idle-seconds -1 is not 0 to 86400",
            ),
            (
                "--idle-seconds NaN",
                None,
                "--idle-seconds NaN is not 0 to 86400",
            ),
            (
                "--idle-seconds 1e9",
                None,
                "--idle-seconds 1e9 is not 0 to 86400",
            ),
            ("7777", None, "7777 is not an argument"),
            ("", Some("0"), "AGONES_SDK_HTTP_PORT=0 is not a port"),
            ("", Some(""), "AGONES_SDK_HTTP_PORT= is not a port"),
        ] {
            assert_eq!(read(line, port), Err(why.to_owned()), "{line} {port:?}");
        }
    }
}
