//! A judgement as text: its figures by name, and the first entries of its lists.

use super::{GroupFigures, Judgement, OffTime, PartFigures};
use serde::Serialize;

/// Upper limit of the number of a list's entries that are written out.
const SHOWN: usize = 10;

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct JudgementWords {
    /// The judgement in one sentence.
    pub sentence: String,
    /// The figures that decide, by name, with their units.
    pub main: [(&'static str, String); 3],
    pub figures: Vec<(&'static str, String)>,
    /// Lists that are not empty: name, and entries as text.
    pub lists: Vec<(&'static str, String)>,
}

impl JudgementWords {
    pub fn new(judged: &Judgement) -> JudgementWords {
        let lists = lists(judged).into_iter();
        let lists = lists.filter(|(_, entries)| !entries.is_empty());
        let main = main_figures(judged);
        JudgementWords {
            sentence: sentence(judged, &main),
            main,
            figures: figures(judged),
            lists: lists
                .map(|(name, entries)| (name, joined(&entries)))
                .collect(),
        }
    }

    /// Adds the notes that reading a file gave, as one list.
    pub fn add_notes(&mut self, of: &'static str, notes: &[String]) {
        if !notes.is_empty() {
            self.lists.push((of, notes.join("; ")));
        }
    }
}

/// Returns delay, surface error and stillness, with units.
fn main_figures(judged: &Judgement) -> [(&'static str, String); 3] {
    let delay = match judged.is_age {
        true => format!("{:.0} ms", judged.delay_ms),
        false => "unknown".to_owned(),
    };
    let still_ms = judged.still_ms * 60.0 / judged.seconds.max(0.001);
    [
        ("delay", delay),
        (
            "surface error, p95",
            format!("{:.1} mm", judged.surface_error_mm.p95),
        ),
        ("still", format!("{still_ms:.0} ms a minute")),
    ]
}

fn sentence(judged: &Judgement, [delay, error, still]: &[(&str, String); 3]) -> String {
    let delay = match judged.is_age {
        true => format!("was {} late", delay.1),
        false => "had an unknown delay, because the clocks differ,".to_owned(),
    };
    format!(
        "Over {:.1} s the client's picture {delay} and stood still for {}; 95 % of the moving objects that it drew were at most {} off.",
        judged.seconds, still.1, error.1
    )
}

/// Returns the figures of a judgement as text, by name.
fn figures(judged: &Judgement) -> Vec<(&'static str, String)> {
    let a_minute = 60.0 / judged.seconds.max(0.001);
    let longest_ms = judged.freezes.iter().map(|it| it.ms).fold(0.0, f64::max);
    let drift = judged.drift_ms_per_minute;
    let drift = drift.map_or("-".to_owned(), |ms| format!("{ms:.1}"));
    let (surface, error, deg) = (judged.surface_error_mm, judged.error_mm, judged.error_deg);
    let still_ms = judged.still_ms * a_minute;
    vec![
        ("frames", judged.frames.to_string()),
        ("objects", judged.objects.to_string()),
        ("delay ms", delay_text(judged)),
        ("its spread ms", format!("{:.1}", judged.delay_spread_ms)),
        ("its drift ms a minute", drift),
        ("surface error mm, mean", format!("{:.1}", surface.mean)),
        ("surface error mm, p95", format!("{:.1}", surface.p95)),
        ("surface error mm, worst", format!("{:.1}", surface.worst)),
        ("error mm, mean", format!("{:.1}", error.mean)),
        ("error mm, p95", format!("{:.1}", error.p95)),
        ("error mm, worst", format!("{:.1}", error.worst)),
        ("error deg, mean", format!("{:.2}", deg.mean)),
        ("error deg, p95", format!("{:.2}", deg.p95)),
        ("still ms a minute", format!("{still_ms:.0}")),
        ("freezes", judged.freezes.len().to_string()),
        ("longest freeze ms", format!("{longest_ms:.0}")),
        ("corrections", judged.corrections.to_string()),
        ("jumps", judged.jump_count.to_string()),
    ]
}

/// Returns the delay; between clocks that differ the delay itself is not known.
fn delay_text(judged: &Judgement) -> String {
    match judged.is_age {
        true => format!("{:.1}", judged.delay_ms),
        false => format!(
            "unknown: the clocks differ, by {:.1} with the delay",
            judged.delay_ms
        ),
    }
}

/// Returns the lists of a judgement by name, each entry as text.
fn lists(judged: &Judgement) -> [(&'static str, Vec<String>); 10] {
    let off = |it: &OffTime| format!("{:.2} s {} {:.0} ms", it.at_s, it.object, it.ms);
    let part = |it: &PartFigures| {
        let (from_s, to_s, delay_ms) = (it.from_s, it.to_s, it.delay_ms);
        let (p95_mm, freezes) = (it.error_mm.p95, it.freezes);
        format!(
            "{from_s:.2} to {to_s:.2} s delay {delay_ms:.1} ms error p95 {p95_mm:.1} mm {freezes} freezes"
        )
    };
    let group = |it: &GroupFigures| {
        let (delay_ms, p95_mm) = (it.delay_ms, it.error_mm.p95);
        let names = joined(&it.objects);
        format!("{names} delay {delay_ms:.1} ms error p95 {p95_mm:.1} mm")
    };
    let most_apart = &judged.by_object[..judged.by_object.len().min(5)];
    let presence = &judged.presence;
    [
        (
            "the client's clock was set anew",
            texts(&judged.clock_steps, |it| {
                format!("{:.2} s by {:+.0} ms", it.at_s, it.ms)
            }),
        ),
        (
            "parts with a delay of their own",
            texts(&judged.parts, part),
        ),
        (
            "objects with a delay of their own",
            texts(&judged.groups, group),
        ),
        (
            "freezes",
            texts(&judged.freezes, |it| {
                format!("{:.2} s {:.0} ms", it.at_s, it.ms)
            }),
        ),
        (
            "jumps",
            texts(&judged.jumps, |it| {
                format!("{:.2} s {} {:.2} m", it.at_s, it.object, it.m)
            }),
        ),
        ("came late", texts(&presence.came_late, off)),
        ("stayed too long", texts(&presence.stayed, off)),
        ("never came", presence.never_came.clone()),
        ("unknown to the server", presence.unknown.clone()),
        (
            "most apart",
            texts(most_apart, |it| {
                format!("object {}, {:.1} mm on average", it.object, it.mean)
            }),
        ),
    ]
}

/// Joins the first entries of a list, and says how many more there are.
fn joined(entries: &[String]) -> String {
    let shown = entries[..entries.len().min(SHOWN)].join(", ");
    match entries.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}

/// Writes each entry of a list as text.
fn texts<T>(entries: &[T], text: impl Fn(&T) -> String) -> Vec<String> {
    entries.iter().map(text).collect()
}
