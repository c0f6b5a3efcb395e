//! Measurement of claims: each link is played once.

use crate::table::{CLAIMS, Claim, Source};
use snapshot_app::{link, pile};
use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::table::Figure;
use snapshot_lane::measure::table::Report;
use snapshot_netsim::channel::LinkInputs;
use snapshot_physics::world::state_hash;
use snapshot_record::tape::Tape;
use std::collections::BTreeMap;

/// The motion and the network of all figures.
pub const FIGURES_LINK: &str = "v=2&motion=pile&hz=60&latency=50&jitter=0&loss=0";

/// Links that were played, each with its report.
#[derive(Default)]
pub struct Measurement(BTreeMap<String, Report>);

impl Measurement {
    /// Returns the measured value of a claim, in the claim's unit.
    ///
    /// # Panics
    /// When a link of the table cannot be used.
    pub fn value(&mut self, claim: &Claim) -> f64 {
        match claim.source {
            Source::File => pile::FILE.len() as f64 / 1000.0,
            Source::Pile(settings, read) => read(self.report(with(FIGURES_LINK, settings))),
            Source::Scene(link, read) => read(self.report(link.to_string())),
        }
    }

    /// Returns a claim's text with a number of decimals; commas separate thousands.
    pub fn text(&mut self, claim: &Claim, decimals: usize) -> String {
        with_commas(&format!("{:.decimals$}", self.value(claim)))
    }

    /// Returns the value of a figure of a link's run; `None` if the run has no such figure.
    pub fn figure(&mut self, link: &str, figure: &Figure) -> Option<f64> {
        figure.of_run(self.report(link.to_string()))
    }

    fn report(&mut self, link: String) -> &Report {
        let played = |link: &String| play(link);
        self.0.entry(link).or_insert_with_key(played)
    }
}

/// Returns a link with these settings in place of its own.
pub fn with(link: &str, settings: &str) -> String {
    let key = |part: &str| part.split('=').next().map(str::to_string);
    let set: Vec<_> = settings.split('&').map(key).collect();
    let left = link.split('&').filter(|part| !set.contains(&key(part)));
    let parts: Vec<&str> = left.chain(settings.split('&')).collect();
    parts.join("&")
}

fn with_commas(number: &str) -> String {
    let (whole, decimals) = number.split_at(number.find('.').unwrap_or(number.len()));
    let digits = whole.chars().enumerate();
    let text = digits.flat_map(|(place, digit)| {
        let is_first = place == 0 || !(whole.len() - place).is_multiple_of(3);
        (!is_first).then_some(',').into_iter().chain([digit])
    });
    text.collect::<String>() + decimals
}

/// Plays a link to its instant, or to the motion's end; returns lane A's report.
fn play(link: &str) -> Report {
    let (link, notices) = link::parse(link);
    assert!(notices.is_empty(), "{notices:?}");
    let tape = if link.motion == Some(pile::FINGERPRINT) {
        let motion = pile::motion();
        let mut tape = Tape::of_motion(&motion, motion.ticks());
        let cuts = link.recorded.cuts.iter();
        cuts.for_each(|cut| tape.cut(*cut.start()..cut.end() + 1));
        tape
    } else {
        let mut tape = Tape::replaying(&link.a.settings, &link.recorded);
        tape.go_on(link.at.expect("a link of a scene names its end"));
        tape
    };
    let link_inputs = LinkInputs::from(link.a.overrides.clone());
    let from = link.a.start_tick.unwrap_or(0);
    let run = LaneHistory::run(&tape, &link.a.settings.lane(), &link_inputs, from);
    run.report(state_hash(tape.newest()))
}

/// Returns every claim with its measured text, as rows of id, text, unit and meaning.
pub fn rows() -> Vec<[String; 4]> {
    let mut measurement = Measurement::default();
    let row = |claim: &Claim| {
        let text = measurement.text(claim, claim.decimals);
        let names = [claim.id, claim.unit, claim.what].map(str::to_string);
        let [id, unit, what] = names;
        [id, text, unit, what]
    };
    CLAIMS.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_thousands_and_settings_take_the_place_of_others() {
        let texts = ["7", "950", "1000.5", "17367.8", "1234567"].map(with_commas);
        assert_eq!(texts, ["7", "950", "1,000.5", "17,367.8", "1,234,567"]);
        assert_eq!(
            with("v=2&hz=60&loss=0", "loss=5&delay=0"),
            "v=2&hz=60&loss=5&delay=0"
        );
    }
}
