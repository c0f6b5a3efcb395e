//! Command line that reproduces a verdict.

use super::Request;
use super::networks::ChosenNetworks;
use crate::window::TickSpan;
use snapshot_base::time::TickRate;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::motion::JumpSpeed;
use snapshot_settings::{Key, Settings, permalink};

/// Number of seconds of motion that the command analyses by default.
pub const SECONDS: u64 = 60;

/// The origin of a motion, as far as a command line can name it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Source {
    /// The scene in the link, driven by its script.
    #[default]
    Scene,
    /// A recorded file: its name, and its number of ticks.
    Motion(String, u64),
    /// A motion that no command line can reproduce, such as one that a person steered.
    Played,
}

/// Facts for the command line that are not settings: file names and the jump speed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommandNames {
    pub source: Source,
    /// Name of the trace's file.
    pub trace: String,
    pub jumps_over: JumpSpeed,
}

/// Returns the command line of a verdict; `None` for a motion that no command can reproduce.
pub(super) fn command(
    settings: &Settings,
    given: &LinkInputs,
    request: &Request,
    tick_rate: TickRate,
    window: TickSpan,
) -> Option<String> {
    let CommandNames { source, trace, .. } = &request.names;
    let link = link(settings, &request.names);
    let mut words = vec![format!("snapshot-lab verdict \"{link}\"")];
    let mut say = |option: &str, value: String| words.push(format!("{option} {value}"));
    let ticks = window.ticks();
    let is_whole = match source {
        Source::Played => return None,
        Source::Scene => false,
        Source::Motion(name, motion_ticks) => {
            say("--motion", quoted(name));
            window.last == *motion_ticks
        }
    };
    if given.trace.is_some() {
        say("--trace", quoted(trace));
    }
    let begins_ms = given.trace.as_ref().map_or(0.0, |trace| trace.begins_ms());
    if begins_ms != 0.0 {
        say("--trace-from", (begins_ms / 1000.0).to_string());
    }
    if window.after > 0 {
        let after_s = tick_rate.seconds_of_ticks(window.after);
        say("--from", after_s.to_string());
    }
    let ticks_of = |seconds| tick_rate.ticks_of_seconds(seconds);
    let seconds = ticks.div_ceil(ticks_of(1));
    if !is_whole && ticks_of(seconds) != ticks {
        return None;
    }
    let is_default = ticks == ticks_of(SECONDS) || is_whole && ticks < ticks_of(SECONDS);
    if !is_default {
        say("--seconds", seconds.to_string());
    }
    if request.networks != ChosenNetworks::default() {
        say("--networks", request.networks.ids().join(","));
    }
    for (option, number) in limit_options(request) {
        // A number is written so that it is read as the same one.
        if let Some(number) = number {
            say(option, number.to_string());
        }
    }
    Some(words.join(" "))
}

/// Returns the link of a verdict's settings. That of a file leaves out the scene, because none of ours moves.
fn link(settings: &Settings, names: &CommandNames) -> String {
    let mut settings = *settings;
    if names.source != Source::Scene {
        for key in [Key::Scene, Key::Grid, Key::Speed] {
            let _ = settings.set(key, key.setting().default);
        }
    }
    let mut link = format!("#{}", permalink::format(&settings));
    if names.jumps_over != JumpSpeed::default() {
        link += &format!("&jumps={}", names.jumps_over.text());
    }
    link
}

/// Returns the options for the limits of a request, each with its value.
fn limit_options(request: &Request) -> [(&'static str, Option<f64>); 7] {
    let (wanted, limits) = (&request.wanted, &request.limits);
    [
        ("--error-mm", wanted.position_mm),
        ("--error-deg", wanted.orientation_deg),
        ("--surface-mm", limits.surface_mm),
        ("--view-mm", limits.view_mm),
        ("--most-delay-ms", limits.delay_ms),
        ("--most-age-ms", limits.age_ms),
        ("--most-kbps", limits.kbps),
    ]
}

/// Returns a file's name quoted for a shell, in printable characters alone. The others are escapes in `$'...'`, which bash and
/// zsh read.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/+".contains(c);
    let is_printable = |c: char| "'\"\\".contains(c) || c.escape_debug().count() == 1;
    let folder = if name.starts_with('-') { "./" } else { "" };
    if !name.chars().all(is_printable) {
        let escaped = name.chars().map(|c| match c {
            '\'' | '\\' => format!("\\{c}"),
            c if is_printable(c) => c.to_string(),
            c => format!("\\U{:08x}", u32::from(c)),
        });
        return format!("$'{folder}{}'", escaped.collect::<String>());
    }
    if !name.is_empty() && folder.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    format!("'{folder}{}'", name.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{ErrorLimits, Limits};
    use snapshot_base::time::WORLD;

    fn written(request: &Request, [after, last]: [u64; 2]) -> Option<String> {
        let window = TickSpan { after, last };
        let settings = permalink::parse("#hz=20&link=wifi-busy&loss=1").0;
        command(&settings, &LinkInputs::default(), request, WORLD, window)
    }

    #[test]
    fn a_command_names_files_window_and_wishes_unrounded() {
        let mut request = Request::default();
        let plain = "snapshot-lab verdict \"#v=2&hz=20&loss=1&link=wifi-busy\"";
        assert_eq!(written(&request, [0, 3600]).unwrap(), plain);
        assert_eq!(written(&request, [0, 90]), None);
        request.names.source = Source::Motion("my car's.csv".to_owned(), 1801);
        request.names.jumps_over = JumpSpeed::NEVER;
        request.wanted = ErrorLimits {
            position_mm: Some(1.0 / 3.0),
            orientation_deg: None,
        };
        request.limits = Limits {
            kbps: Some(64.0),
            age_ms: Some(200.0),
            ..Limits::default()
        };
        assert_eq!(
            written(&request, [0, 1801]).unwrap(),
            "snapshot-lab verdict \"#v=2&hz=20&loss=1&link=wifi-busy&jumps=off\" --motion 'my car'\\''s.csv' \
             --error-mm 0.3333333333333333 --most-age-ms 200 --most-kbps 64"
        );
        assert!(
            written(&request, [30, 90])
                .unwrap()
                .contains("--from 0.5 --seconds 1")
        );
        request.names.source = Source::Played;
        assert_eq!(written(&request, [0, 3600]), None);
        for (name, expected) in [
            ("-x", "'./-x'"),
            ("", "''"),
            ("Größe 1.csv", "'Größe 1.csv'"),
            (
                "a\u{1b}[31m\nrm 'b'",
                r"$'a\U0000001b[31m\U0000000arm \'b\''",
            ),
            ("-\u{202e}vsc.\\", r"$'./-\U0000202evsc.\\'"),
        ] {
            assert_eq!(quoted(name), expected);
        }
    }
}
