//! Content of a link of the page. It has the settings of lane A, the different settings of lane B, recorded input, the
//! instant to show, and the viewer's choices.
//!
//! `#v=2&hz=10&b.interp=hermite&at=600&show=packets&packet=57` is an example. Settings have the keys of [`permalink`]; those
//! of lane B begin with `b.`. Further keys are those of a [`lane`], of [`recorded`] input, and a few that change no computed
//! value. Parsing accepts any text, and its work is bounded. If a link is too long, the page saves the same text to a file.

mod facts;
pub mod kinds;
mod lane;
mod recorded;
mod value;

pub use self::lane::LinkedLane;
pub use self::value::{LATEST_MOTION_TICK, LATEST_TICK};

use self::value::{from_0_to, number, refused};
use crate::lane_run::LaneId;
use crate::pile;
use snapshot_analysis::blind_test::linked::OUTCOME_BYTES_MAX;
use snapshot_analysis::blind_test::outcome::Outcome;
use snapshot_analysis::verdict::{CARD_BYTES_MAX, Card, Limits};
use snapshot_base::text::shorten;
use snapshot_lane::overlay::Overlay;
use snapshot_netsim::channel::Overrides;
use snapshot_netsim::trace::SENT_MS_MAX;
use snapshot_record::motion::{JumpSpeed, csv};
use snapshot_record::recorded::RecordedInput;
use snapshot_settings::permalink::{self, Notice};
use std::fmt::Write;

/// Upper limit of the length of a link, or of a file with its text, bytes. Ten minutes of busy play have some 15,000
/// characters.
pub const MOST_BYTES: usize = 1 << 16;

/// Upper limit of the length of the name of a chart or panel of the page, bytes.
pub const MOST_NAME_BYTES: usize = 32;

/// Upper limit of the number of notices; further parts that cannot be used are dropped silently.
const MOST_NOTICES: usize = 20;

/// Greatest index of a cube that a link can name.
const CUBE_MAX: u64 = 4095;

/// Form of a file's fingerprint (a hash), in words.
const HEX_FORM: &str = "eight hexadecimal digits";

/// Key of a step of the tour, which links had until the article took its place.
const STEP: &str = "step";
/// Key of a verdict's limits.
const LIMITS: &str = "limits";

/// Part of a link for a lane B with A's settings.
const B_AS_A: &str = "b=a";

/// Least share of the window's height that a link can give the views, per cent.
pub const SPLIT_PERCENT_MIN: u64 = 15;
/// Greatest share of the window's height that a link can give the views, per cent.
pub const SPLIT_PERCENT_MAX: u64 = 75;

/// The arrangement of views if there is a lane B. In a link it is `views=two` or `views=one-62`; without this key there are
/// three views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// Three views: the truth, A's and B's.
    #[default]
    Three,
    /// Two views: A's and B's.
    Two,
    /// One view with a divider: A's to the left and B's to the right, both from the same camera.
    Divided {
        /// Position of the divider, per cent of the width.
        percent: u8,
    },
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    pub a: LinkedLane,
    pub b: Option<LinkedLane>,
    pub recorded: RecordedInput,
    /// The tick at which the page pauses after opening the link.
    pub at: Option<u64>,
    /// Position of the camera: degrees round the player and above the player, and distance in centimetres.
    pub camera: Option<[i32; 3]>,
    pub views: Arrangement,
    /// Name of the open chart or panel (a "figure" of the page). The page knows the valid names.
    pub show: Option<String>,
    /// Number of the selected packet.
    pub packet: Option<u64>,
    /// Index of the selected cube.
    pub cube: Option<u64>,
    /// Share of the window's height for the views, per cent; `None` for the page's default.
    pub split: Option<u64>,
    /// The overlay that colours the receivers' views, if there is one.
    pub overlay: Option<Overlay>,
    /// True if the views show no outlines of the true cubes.
    pub hides_truth: bool,
    /// True if the page is embedded in another one, and shows only parts of itself.
    pub embed: bool,
    /// Fingerprint of the recorded motion; the file itself is not in the link. The article's motion has a name in links.
    pub motion: Option<u32>,
    /// Fingerprint of the client's recording that lane B shows; the file itself is not in the link.
    pub client: Option<u32>,
    /// Lines of facts about the motion's file, such as `x=Pos X` for a column, which the reader needs. Only with a motion.
    pub facts: Option<String>,
    pub jumps_over: JumpSpeed,
    /// Fingerprint of the recorded link of both lanes; the file itself is not in the link.
    pub trace: Option<u32>,
    /// Offset at which the recorded link begins, ms.
    pub trace_from_ms: u64,
    /// Limits of the verdict (the recommendation of settings); the page's header compares the bandwidth with them.
    pub limits: Limits,
    /// The recommendation of another person's verdict.
    pub card: Option<Card>,
    /// The outcome of another person's blind test.
    pub tell: Option<Outcome>,
}

/// Returns the fingerprint of a motion's file with lines of facts.
pub(crate) fn fingerprint_with(file: &[u8], facts: &str) -> u32 {
    snapshot_base::hash::fingerprint(&csv::with_facts(file, facts))
}

/// Parses a link, or its fragment with or without `#`; returns notices for parts that cannot be used.
pub fn parse(link: &str) -> (Link, Vec<Notice>) {
    let (read, mut notices) = parse_untruncated(link);
    let omitted = notices.len().saturating_sub(MOST_NOTICES);
    if omitted > 0 {
        notices.truncate(MOST_NOTICES);
        notices.push(Notice::More(omitted));
    }
    (read, notices)
}

/// Returns the number of parts of a link that cannot be used.
pub(crate) fn unused_parts(link: &str) -> usize {
    parse_untruncated(link).1.len()
}

/// Parses a link as [`parse`] does; returns each notice.
fn parse_untruncated(link: &str) -> (Link, Vec<Notice>) {
    if link.len() > MOST_BYTES {
        return (Link::default(), vec![Notice::TooLong(MOST_BYTES)]);
    }
    let mut read = Link::default();
    let mut notices = Vec::new();
    let fragment = permalink::fragment(link, &mut notices);
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    let (mut b, mut has_b) = (LinkedLane::default(), false);
    let mut once = Vec::new();
    for part in fragment.trim().split('&').filter(|part| !part.is_empty()) {
        if part == B_AS_A {
            has_b = true;
            continue;
        }
        let (key, text) = part.split_once('=').unwrap_or((part, ""));
        if recorded::KEYS.contains(&key) || lane::is_of_packets(key) {
            // Each may tell of every tick: once is enough.
            if once.contains(&key) {
                notices.push(Notice::Twice(key.to_string()));
                continue;
            }
            once.push(key);
        }
        let mut parse = || {
            let of_b = b.parse_part(LaneId::B, key, text);
            of_b.or_else(|| read.parse_part(key, text))
        };
        let parsed = if part.contains('=') { parse() } else { None };
        match (parsed, part.strip_prefix("b.")) {
            (Some(parsed), _) => notices.extend(parsed.err()),
            (None, Some(part)) => of_b.push(part),
            (None, None) => of_a.push(part),
        }
    }
    permalink::set_all(of_a, &mut read.a.settings, &mut notices);
    has_b |= !of_b.is_empty();
    b.settings = read.a.settings;
    permalink::set_all(of_b, &mut b.settings, &mut notices);
    b.settings = b.settings.on_the_motion_of(&read.a.settings);
    notices.extend(read.leave_out_what_is_too_late(&mut b));
    let at = read.at.unwrap_or(0);
    notices.extend(read.a.start_by(LaneId::A, at).err());
    notices.extend(b.start_by(LaneId::B, at).err());
    read.b = has_b.then_some(b);
    (read, notices)
}

/// A kind of part of a link (`key=value`) that is not a setting.
struct LinkPart {
    key: &'static str,
    /// Returns the values that the part takes, in words.
    takes: fn() -> String,
    /// Reads the part's text; `None` if the part cannot have this value.
    read: fn(&mut Link, &str) -> Option<()>,
    /// Returns the value's text; `None` if the link has no such part.
    write: fn(&Link) -> Option<String>,
}

/// The parts of a link that are one value each, in the order in which a link has them.
const PARTS: [LinkPart; 19] = [
    LinkPart {
        key: "at",
        takes: || from_0_to(LATEST_MOTION_TICK),
        read: |link, text| some(&mut link.at, number(text, LATEST_MOTION_TICK)),
        write: |link| link.at.as_ref().map(u64::to_string),
    },
    LinkPart {
        key: "packet",
        takes: || from_0_to(LATEST_MOTION_TICK),
        read: |link, text| some(&mut link.packet, number(text, LATEST_MOTION_TICK)),
        write: |link| link.packet.as_ref().map(u64::to_string),
    },
    LinkPart {
        key: "cube",
        takes: || from_0_to(CUBE_MAX),
        read: |link, text| some(&mut link.cube, number(text, CUBE_MAX)),
        write: |link| link.cube.as_ref().map(u64::to_string),
    },
    LinkPart {
        key: "camera",
        takes: || "degrees round, degrees up and centimetres away, such as -30_25_1200".to_string(),
        read: |link, text| some(&mut link.camera, camera(text)),
        write: |link| {
            link.camera
                .map(|[azimuth, elevation, distance]| format!("{azimuth}_{elevation}_{distance}"))
        },
    },
    LinkPart {
        key: "views",
        takes: || "three, two, or one with a divider at 0 to 100 %, such as one-50".to_string(),
        read: |link, text| put(&mut link.views, arrangement(text)),
        write: |link| match link.views {
            Arrangement::Three => None,
            Arrangement::Two => Some("two".to_string()),
            Arrangement::Divided { percent } => Some(format!("one-{percent}")),
        },
    },
    LinkPart {
        key: "split",
        takes: || from_0_to(SPLIT_PERCENT_MAX),
        read: |link, text| {
            let percent = number(text, SPLIT_PERCENT_MAX);
            some(
                &mut link.split,
                percent.map(|percent| percent.max(SPLIT_PERCENT_MIN)),
            )
        },
        write: |link| link.split.as_ref().map(u64::to_string),
    },
    LinkPart {
        key: "show",
        takes: || name_form(),
        read: |link, text| some(&mut link.show, name(text)),
        write: |link| link.show.clone(),
    },
    LinkPart {
        key: "shade",
        takes: || Overlay::ALL.map(Overlay::name).join(", "),
        read: |link, text| some(&mut link.overlay, Overlay::from_name(text)),
        write: |link| link.overlay.map(|overlay| overlay.name().to_string()),
    },
    LinkPart {
        key: "ghost",
        takes: || from_0_to(1),
        read: |link, text| put(&mut link.hides_truth, number(text, 1).map(|on| on == 0)),
        write: |link| link.hides_truth.then(|| "0".to_string()),
    },
    LinkPart {
        key: "embed",
        takes: || from_0_to(1),
        read: |link, text| put(&mut link.embed, number(text, 1).map(|on| on == 1)),
        write: |link| link.embed.then(|| "1".to_string()),
    },
    LinkPart {
        key: "motion",
        takes: || format!("{}, or {HEX_FORM}", pile::NAME),
        read: |link, text| some(&mut link.motion, motion(text)),
        write: |link| link.motion.map(motion_name),
    },
    LinkPart {
        key: "client",
        takes: || HEX_FORM.to_string(),
        read: |link, text| some(&mut link.client, fingerprint(text)),
        write: |link| link.client.map(hex),
    },
    LinkPart {
        key: "trace",
        takes: || HEX_FORM.to_string(),
        read: |link, text| some(&mut link.trace, fingerprint(text)),
        write: |link| link.trace.map(hex),
    },
    LinkPart {
        key: "columns",
        takes: || "lines that the page's form of columns writes".to_string(),
        read: |link, text| some(&mut link.facts, facts::parse(text)),
        write: |link| {
            let facts = link.facts.as_ref().filter(|_| link.motion.is_some());
            facts.map(|facts| facts::format(facts))
        },
    },
    LinkPart {
        key: "trace-from",
        takes: || offset_form(""),
        read: |link, text| put(&mut link.trace_from_ms, offset_ms(text)),
        write: |link| {
            let is_used = link.trace.is_some() && link.trace_from_ms > 0;
            is_used.then(|| seconds_text(link.trace_from_ms))
        },
    },
    LinkPart {
        key: "jumps",
        takes: || {
            let texts = JumpSpeed::all().map(JumpSpeed::text);
            format!("a speed in m/s: {}", texts.collect::<Vec<_>>().join(", "))
        },
        read: |link, text| put(&mut link.jumps_over, JumpSpeed::parse(text)),
        write: |link| {
            let is_other = link.jumps_over != JumpSpeed::default();
            is_other.then(|| link.jumps_over.text().to_string())
        },
    },
    LinkPart {
        key: LIMITS,
        takes: || "kbps, age and delay in ms, surface and view in mm: kbps-64_age-150".to_string(),
        read: |link, text| put(&mut link.limits, Limits::parse(text)),
        write: |link| link.limits.text(),
    },
    LinkPart {
        key: "card",
        takes: || {
            format!("a verdict of at most {CARD_BYTES_MAX} bytes, as \"Copy the link\" writes it")
        },
        read: |link, text| some(&mut link.card, Card::parse(text)),
        write: |link| link.card.as_ref().map(Card::text),
    },
    LinkPart {
        key: "tell",
        takes: || format!("the outcome of a blind test, at most {OUTCOME_BYTES_MAX} bytes"),
        read: |link, text| some(&mut link.tell, Outcome::parse(text)),
        write: |link| link.tell.as_ref().map(Outcome::text),
    },
];

fn put<T>(place: &mut T, read: Option<T>) -> Option<()> {
    *place = read?;
    Some(())
}

fn some<T>(place: &mut Option<T>, read: Option<T>) -> Option<()> {
    put(place, read.map(Some))
}

/// Parses the fingerprint of a motion, or the name of the article's.
fn motion(text: &str) -> Option<u32> {
    match text == pile::NAME {
        true => Some(pile::FINGERPRINT),
        false => fingerprint(text),
    }
}

/// Returns the text by which links name a motion: its fingerprint, or the name of the article's motion.
pub fn motion_name(fingerprint: u32) -> String {
    match fingerprint == pile::FINGERPRINT {
        true => pile::NAME.to_string(),
        false => hex(fingerprint),
    }
}

fn hex(fingerprint: u32) -> String {
    format!("{fingerprint:08x}")
}

/// Reads the limits of an earlier link, whose verdict was over several networks; `None` if the text names no networks, or has
/// other faults.
fn without_networks(text: &str) -> Option<Limits> {
    let (networks, limits): (Vec<_>, Vec<_>) = text
        .split('_')
        .partition(|part| part.starts_with("networks-"));
    match limits.is_empty() {
        _ if networks.is_empty() => None,
        true => Some(Limits::default()),
        false => Limits::parse(&limits.join("_")),
    }
}

impl Link {
    /// Parses one part of a link that is not a setting; `None` if the key is unknown.
    fn parse_part(&mut self, key: &str, text: &str) -> Option<Result<(), Notice>> {
        if key == STEP {
            return Some(Err(Notice::Step(shorten(text))));
        }
        if key == LIMITS
            && let Some(limits) = without_networks(text)
        {
            self.limits = limits;
            return Some(Err(Notice::Networks));
        }
        if let Some(part) = PARTS.iter().find(|part| part.key == key) {
            let read = (part.read)(self, text);
            return Some(read.ok_or_else(|| refused(part.key, text, (part.takes)())));
        }
        let drive = recorded::parse_part(&mut self.recorded, key, text);
        drive.or_else(|| self.a.parse_part(LaneId::A, key, text))
    }

    /// Drops instants and packets later than a link may name, and an offset without a trace. Returns a notice for each.
    fn leave_out_what_is_too_late(&mut self, b: &mut LinkedLane) -> Vec<Notice> {
        let is_ours = self.motion.is_none();
        self.facts.take_if(|_| is_ours);
        let mut notices = Vec::new();
        if is_ours {
            notices.extend(self.a.leave_out_after(LaneId::A, LATEST_TICK));
            notices.extend(b.leave_out_after(LaneId::B, LATEST_TICK));
            notices.extend(recorded::leave_out_after(&mut self.recorded, LATEST_TICK));
        }
        if self.trace.is_none() && self.trace_from_ms > 0 {
            let text = seconds_text(std::mem::take(&mut self.trace_from_ms));
            let takes = offset_form(" into the trace that \"trace\" names");
            notices.push(refused("trace-from", &text, takes));
        }
        let of = [("at", &mut self.at), ("packet", &mut self.packet)];
        let late = of.into_iter().filter_map(|(id, place)| {
            let late = place.take_if(|number| is_ours && *number > LATEST_TICK)?;
            Some(refused(id, &late.to_string(), from_0_to(LATEST_TICK)))
        });
        notices.extend(late);
        notices
    }

    /// Returns the link's facts if the file together with them is the motion that the link names; else `None`.
    pub fn facts_for(&self, file: &[u8]) -> Option<&str> {
        let facts = self.facts.as_deref()?;
        (self.motion == Some(fingerprint_with(file, facts))).then_some(facts)
    }

    fn lanes(&self) -> impl Iterator<Item = (LaneId, &LinkedLane)> {
        let b = self.b.as_ref().map(|b| (LaneId::B, b));
        std::iter::once((LaneId::A, &self.a)).chain(b)
    }

    /// Returns true if the link has input of a person: keys, cuts or overrides.
    pub fn has_acts(&self) -> bool {
        let mut overrides = self.lanes().map(|(_, lane)| &lane.overrides);
        !self.recorded.is_empty() || overrides.any(|overrides| *overrides != Overrides::default())
    }
}

/// Returns the fragment of a link, without `#`.
pub fn format(link: &Link) -> String {
    let mut fragment = permalink::format(&link.a.settings);
    if let Some(b) = &link.b {
        let differences = b.settings.differences(&link.a.settings);
        if differences.is_empty() {
            fragment.push('&');
            fragment.push_str(B_AS_A);
        }
        for key in differences {
            let _ = write!(fragment, "&b.{}={}", key.setting().id, b.settings.text(key));
        }
    }
    let start_ticks = link.lanes().map(|(id, lane)| lane.start_tick_by_id(id));
    for (id, tick) in start_ticks {
        if let Some(tick) = tick {
            let _ = write!(fragment, "&{id}={tick}");
        }
    }
    for part in &PARTS {
        if let Some(text) = (part.write)(link) {
            let _ = write!(fragment, "&{}={text}", part.key);
        }
    }
    recorded::write_cuts(&link.recorded, &mut fragment);
    for (id, lane) in link.lanes() {
        lane.write_overrides(id, &mut fragment);
    }
    recorded::write_drives(&link.recorded, &mut fragment);
    fragment
}

/// Parses an offset into a trace, in seconds with milliseconds; returns ms.
fn offset_ms(text: &str) -> Option<u64> {
    let is_plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let seconds: Option<f64> = text.parse().ok().filter(|_| text.bytes().all(is_plain));
    let seconds = seconds.filter(|seconds| *seconds * 1000.0 <= SENT_MS_MAX);
    seconds.map(|seconds| (seconds * 1000.0).round() as u64)
}

fn offset_form(into: &str) -> String {
    let most_s = SENT_MS_MAX / 1000.0;
    format!("seconds{into}, from 0 to {most_s}, such as 12.5")
}

fn seconds_text(ms: u64) -> String {
    (ms as f64 / 1000.0).to_string()
}

fn camera(text: &str) -> Option<[i32; 3]> {
    let parts: Option<Vec<i32>> = text.split('_').map(|part| part.parse().ok()).collect();
    parts?.try_into().ok().filter(is_camera)
}

/// Returns true if a link can name this position of the camera.
pub(crate) fn is_camera(position: &[i32; 3]) -> bool {
    let domains = [-180..=180, 0..=90, 100..=10_000];
    let mut parts = domains.iter().zip(position);
    parts.all(|(domain, part)| domain.contains(part))
}

fn arrangement(text: &str) -> Option<Arrangement> {
    match text {
        "three" => Some(Arrangement::Three),
        "two" => Some(Arrangement::Two),
        _ => {
            let percent = text.strip_prefix("one-")?.parse().ok()?;
            (percent <= 100).then_some(Arrangement::Divided { percent })
        }
    }
}

fn name(text: &str) -> Option<String> {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_name = (1..=MOST_NAME_BYTES).contains(&text.len()) && text.bytes().all(is_letter);
    is_name.then(|| text.to_string())
}

fn name_form() -> String {
    format!("at most {MOST_NAME_BYTES} lowercase letters, digits and dashes")
}

fn fingerprint(text: &str) -> Option<u32> {
    let is_hex = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(text, 16).ok().filter(|_| is_hex)
}

/// Checks any bytes as a link: a parsed link survives being written and parsed again. The fuzz target `permalink` calls this.
#[doc(hidden)]
pub fn fuzz(data: &[u8]) {
    permalink::fuzz(data);
    let (link, notices) = parse(&String::from_utf8_lossy(data));
    assert!(notices.iter().all(|notice| notice.to_string().len() < 600));
    assert_eq!(parse(&format(&link)), (link, vec![]));
}

#[cfg(test)]
mod tests;
