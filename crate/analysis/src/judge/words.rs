//! A judgement in words: figures by name, and the first entries of its lists.

use super::{Judgement, OffTime};
use serde::Serialize;

/// Upper limit of the number of a list's entries that are written out.
const SHOWN: usize = 10;

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct JudgementWords {
    pub figures: Vec<(&'static str, String)>,
    /// Lists that are not empty: name, and entries as text.
    pub lists: Vec<(&'static str, String)>,
}

impl JudgementWords {
    pub fn new(judged: &Judgement) -> JudgementWords {
        let decimals = |value: f64, decimals: usize| format!("{value:.decimals$}");
        let a_minute = 60.0 / judged.seconds.max(0.001);
        let longest_ms = judged.freezes.iter().map(|it| it.ms).fold(0.0, f64::max);
        let presence = &judged.presence;
        let figures = vec![
            ("frames", judged.frames.to_string()),
            ("objects", judged.objects.to_string()),
            ("delay ms", decimals(judged.delay_ms, 1)),
            ("its spread ms", decimals(judged.delay_spread_ms, 1)),
            (
                "its drift ms a minute",
                (judged.drift_ms_per_minute).map_or("-".to_owned(), |it| decimals(it, 1)),
            ),
            (
                "surface error mm, mean",
                decimals(judged.surface_error_mm.mean, 1),
            ),
            (
                "surface error mm, p95",
                decimals(judged.surface_error_mm.p95, 1),
            ),
            (
                "surface error mm, worst",
                decimals(judged.surface_error_mm.worst, 1),
            ),
            (
                "surface error pixels, p95",
                decimals(judged.surface_error_px.p95, 1),
            ),
            ("error mm, mean", decimals(judged.error_mm.mean, 1)),
            ("error mm, p95", decimals(judged.error_mm.p95, 1)),
            ("error mm, worst", decimals(judged.error_mm.worst, 1)),
            ("error deg, mean", decimals(judged.error_deg.mean, 2)),
            ("error deg, p95", decimals(judged.error_deg.p95, 2)),
            ("still ms a minute", decimals(judged.still_ms * a_minute, 0)),
            ("late ms, mean", decimals(judged.late_ms_mean, 1)),
            ("freezes", judged.freezes.len().to_string()),
            ("longest freeze ms", decimals(longest_ms, 0)),
            ("corrections", judged.corrections.to_string()),
            ("jumps", judged.jump_count.to_string()),
        ];
        let off = |all: &[OffTime]| {
            let word = |it: &OffTime| format!("{:.2} s {} {:.0} ms", it.at_s, it.object, it.ms);
            all.iter().map(word).collect()
        };
        let freezes = judged.freezes.iter();
        let jumps = judged.jumps.iter();
        let worst = judged.by_object.iter().take(5);
        let parted = judged.parted.iter();
        let steps = judged.clock_steps.iter();
        let parts = judged.parts.iter();
        let lists: [(&str, Vec<String>); 10] = [
            (
                "the client's clock was set anew",
                steps
                    .map(|it| format!("{:.2} s by {:+.0} ms", it.at_s, it.ms))
                    .collect(),
            ),
            (
                "parts with a delay of their own",
                parts
                    .map(|it| {
                        format!(
                            "{:.2} to {:.2} s delay {:.1} ms error p95 {:.1} mm {} freezes",
                            it.from_s, it.to_s, it.delay_ms, it.error_mm.p95, it.freezes
                        )
                    })
                    .collect(),
            ),
            (
                "freezes",
                freezes
                    .map(|it| format!("{:.2} s {:.0} ms", it.at_s, it.ms))
                    .collect(),
            ),
            (
                "jumps",
                jumps
                    .map(|it| format!("{:.2} s {} {:.2} m", it.at_s, it.object, it.m))
                    .collect(),
            ),
            ("came late", off(&presence.came_late)),
            ("stayed too long", off(&presence.stayed)),
            ("never came", presence.never_came.clone()),
            ("unknown to the server", presence.unknown.clone()),
            (
                "most apart",
                worst
                    .map(|it| format!("{} {:.1} mm", it.object, it.mean))
                    .collect(),
            ),
            (
                "first parted",
                parted
                    .map(|it| {
                        format!(
                            "{:.2} s tick {} {} {:.0} mm",
                            it.at_s, it.tick, it.object, it.mm
                        )
                    })
                    .collect(),
            ),
        ];
        let lists = lists.into_iter().filter(|(_, all)| !all.is_empty());
        let lists = lists.map(|(name, all)| {
            let shown = all[..all.len().min(SHOWN)].join(", ");
            match all.len().saturating_sub(SHOWN) {
                0 => (name, shown),
                more => (name, format!("{shown}, and {more} more")),
            }
        });
        JudgementWords {
            figures,
            lists: lists.collect(),
        }
    }

    /// Adds the notes on the reading of a file as a list.
    pub fn add_notes(&mut self, of: &'static str, notes: &[String]) {
        if !notes.is_empty() {
            self.lists.push((of, notes.join("; ")));
        }
    }
}
