//! The verdict on a motion: the settings to take for it, why, and what other engines would send.
//!
//! It is made of the other analyses, a piece at a time: a pass over the motion, the ladder, the widths, and lanes that are
//! played in several ways. The reasons are in `docs/decisions/0051-the-verdict.md`.

mod advice;
mod bits_for_error;
mod engines;
mod interpolation;
mod motion;
pub mod synthetic;
mod warnings;

pub use advice::{RungAdvice, RungRow};
pub use bits_for_error::{BitsOption, Wanted};
pub use engines::EngineRow;
pub use interpolation::Played;
pub use motion::MotionFigures;
pub use warnings::Warning;

use crate::ladder::{Ladder, MTU_BYTES};
use crate::widths::{Counts, Pair, WidthStatistics};
use bits_for_error::fewest;
use engines::Engines;
use interpolation::{Comparison, Playing};
use motion::{MotionSurvey, absolute_bits};
use serde::Serialize;
use snapshot_codec::CubeState;
use snapshot_netsim::channel::Given;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, Settings, Strategy};

/// Shares of the work of the pass, the ladder with the widths, the comparison of ways, and the run of the settings to take.
const SHARES: [f64; 4] = [0.15, 0.4, 0.4, 0.05];

/// A verdict in the making.
pub struct Verdict {
    /// The link's settings, with snapshots as the strategy.
    settings: Settings,
    given: Given,
    /// The ticks after the first, up to the second.
    window: [u64; 2],
    wanted: Wanted,
    truth: Vec<CubeState>,
    tick: u64,
    survey: MotionSurvey,
    engines: Engines,
    /// The part that depends on the bits.
    coded: Option<Coded>,
}

/// The part that depends on the bits.
struct Coded {
    /// With the bits that keep the wanted errors.
    settings: Settings,
    ladder: Ladder,
    widths: WidthStatistics,
    comparison: Option<Comparison>,
    /// The settings to take, played.
    taken: Option<(Settings, Playing)>,
    done: bool,
}

/// The bits and widths for a wanted error.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WidthAdvice {
    /// The wanted error of a position, mm; none leaves the bits as they are set.
    pub wanted_mm: Option<f64>,
    /// The wanted error of an orientation, degrees.
    pub wanted_deg: Option<f64>,
    /// Both wanted errors are kept by bits that can be set.
    pub kept: bool,
    /// The bits of positions, and their errors in mm.
    pub position_bits: BitsOption,
    /// The bits of orientations, and their errors in degrees.
    pub orientation_bits: BitsOption,
    /// Widths of positions with the fewest bits, for rungs 9 to 11.
    pub position: Pair,
    /// Widths of orientations.
    pub orientation: Pair,
    /// Bits a changed cube of both, at the widths that are set.
    pub set_bits_per_changed_cube: f64,
    /// Bounds that are in force.
    pub bounds: [[i32; 3]; 2],
    /// Bounds that fit the motion.
    pub best_bounds: [[i32; 3]; 2],
    /// Bits of an absolute position within the first and within the second.
    pub absolute_bits: [u32; 2],
    /// Every number of bits of a position, with its errors.
    pub position_options: Vec<BitsOption>,
    /// Every number of bits of an orientation.
    pub orientation_options: Vec<BitsOption>,
}

/// The way to interpolate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct InterpolationAdvice {
    /// The one to take.
    pub best: Played,
    /// All tried combinations.
    pub tried: Vec<Played>,
    /// Jumps of objects, which no error counts.
    pub jumps: u64,
}

/// The settings to take, measured on this motion over this link.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Taken {
    /// Mean, counted header included.
    pub kbps: f64,
    /// Errors of the right view.
    pub played: Played,
}

/// The ticks that the verdict is of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct VerdictWindow {
    /// The tick before the first.
    pub after_tick: u64,
    /// The last tick.
    pub last_tick: u64,
    /// Its length.
    pub seconds: f64,
    /// Ticks a second.
    pub tick_rate_hz: u32,
    /// Packets a second.
    pub send_rate_hz: u32,
}

/// A verdict: the JSON of `snapshot-lab verdict`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "VerdictAnswer"))]
pub struct Answer {
    /// Bits on each rung, in the class of the link.
    pub rungs: Vec<RungRow>,
    /// The rung to take, and why.
    pub rung: RungAdvice,
    /// Bits, widths and bounds.
    pub widths: WidthAdvice,
    /// Interpolation and playout delay.
    pub interpolation: InterpolationAdvice,
    /// By name.
    pub warnings: Vec<Warning>,
    /// Other engines at their defaults.
    pub engines: Vec<EngineRow>,
    /// The settings to take.
    pub link: String,
    /// The same as lines of Rust for the crate.
    pub rust: Vec<String>,
    /// The settings to take, played once more as a check.
    pub taken: Taken,
    /// Figures of the motion.
    pub motion: MotionFigures,
    /// The ticks that it is of.
    pub window: VerdictWindow,
    /// The size above which a packet counts as too large, headers included.
    pub mtu_bytes: u32,
}

impl Verdict {
    /// A verdict on the ticks after `from` up to `until`, both held by the tape. Snapshots are sent, whatever the settings say.
    pub fn new(
        tape: &Tape,
        settings: &Settings,
        given: &Given,
        wanted: Wanted,
        [from, until]: [u64; 2],
    ) -> Verdict {
        let mut settings = *settings;
        let _ = settings.set(Key::Strategy, Strategy::Snapshot as u32);
        let mut truth = Vec::new();
        tape.read_truth(from, &mut truth);
        let lane = settings.lane().at(tape.tick_rate());
        Verdict {
            survey: MotionSurvey::new(&truth, tape.tick_rate(), tape.agreed().bounds()),
            engines: Engines::new(&truth, &lane, given, &settings),
            settings,
            given: given.clone(),
            window: [from, until],
            wanted,
            truth,
            tick: from,
            coded: None,
        }
    }

    /// Asks for other errors. The pass over the motion stays, and all else too if the bits are the same.
    pub fn want(&mut self, wanted: Wanted) {
        self.wanted = wanted;
        let bits = |settings: &Settings| settings.lane().bits();
        if self.is_surveyed() {
            let settings = self.with_bits();
            self.coded
                .take_if(|coded| bits(&coded.settings) != bits(&settings));
        }
    }

    /// A piece of work. False where all is done.
    pub fn work(&mut self, tape: &Tape) -> bool {
        let [from, until] = self.window;
        if !self.is_surveyed() {
            self.survey(tape);
            return true;
        }
        if self.coded.is_none() {
            let settings = self.with_bits();
            self.coded = Some(Coded {
                ladder: Ladder::of_class(tape, &settings, &self.given, from),
                widths: WidthStatistics::after(tape, &settings, &self.given, from),
                settings,
                comparison: None,
                taken: None,
                done: false,
            });
        }
        let Some(coded) = &mut self.coded else {
            return false;
        };
        if coded.ladder.work(tape, until) || coded.widths.work(tape, until) {
            return true;
        }
        let given = &self.given;
        let comparison = coded.comparison.get_or_insert_with(|| {
            let mut settings = coded.settings;
            // The quickest rung without velocities shows the same poses, unless the link minds sizes.
            if !settings.fate_depends_on_size() {
                let _ = settings.set_text("codec", "changed-flags");
            }
            Comparison::new(tape, &settings, given)
        });
        if comparison.work(tape, given, self.window) {
            return true;
        }
        if coded.done {
            return false;
        }
        if coded.taken.is_none() {
            let counts = coded.widths.counts(&coded.settings);
            let interval_ms = coded
                .settings
                .lane()
                .at(tape.tick_rate())
                .send_interval_ms();
            let best = interpolation::best(comparison.all(), interval_ms);
            let Some(rung) = advice::choose_rung(&rungs(&coded.ladder, tape)) else {
                return false;
            };
            let advice = advice::Advice {
                settings: &coded.settings,
                rung: &rung,
                widths: &counts,
                interpolation: best.as_ref(),
            };
            let settings = advice.settings();
            coded.taken = Some((settings, Playing::new(tape, &settings, given, from)));
        }
        let more = coded
            .taken
            .as_mut()
            .is_some_and(|(_, taken)| taken.work(tape, until));
        coded.done = !more;
        more
    }

    /// The share of the work that is done, 0 to 1.
    pub fn share(&self) -> f64 {
        let [from, until] = self.window;
        let of_ticks = |tick: u64| (tick - from) as f64 / (until - from).max(1) as f64;
        let coded = self.coded.as_ref();
        let parts = [
            of_ticks(self.tick),
            coded.map_or(0.0, |coded| of_ticks(coded.ladder.last_tick())),
            coded
                .and_then(|coded| Some(coded.comparison.as_ref()?.share(until - from)))
                .unwrap_or(0.0),
            coded
                .and_then(|coded| Some(of_ticks(from + coded.taken.as_ref()?.1.ticks())))
                .unwrap_or(0.0),
        ];
        parts
            .iter()
            .zip(SHARES)
            .map(|(part, share)| part * share)
            .sum()
    }

    /// The verdict; none before all is done, and where no packet leaves or no object is there in the window.
    pub fn answer(&self, tape: &Tape) -> Option<Answer> {
        if self.window[0] == self.window[1] {
            return None;
        }
        let coded = self.coded.as_ref().filter(|coded| coded.done)?;
        let (settings, playing) = coded.taken.as_ref()?;
        let rungs = rungs(&coded.ladder, tape);
        if self.survey.is_empty() || rungs.iter().all(|row| row.packets == 0) {
            return None;
        }
        let rung = advice::choose_rung(&rungs)?;
        let counts = coded.widths.counts(&coded.settings);
        let tried = coded.comparison.as_ref()?.all().to_vec();
        let lane = self.settings.lane().over(&self.given).at(tape.tick_rate());
        let best = interpolation::best(&tried, lane.send_interval_ms())?;
        let (agreed, motion) = (tape.agreed(), self.survey.figures());
        let mtu_bytes = lane.mtu_bytes().unwrap_or(MTU_BYTES);
        let facts = warnings::Facts {
            settings: &lane,
            motion: &motion,
            bounds: agreed.bounds(),
            fitted: self.survey.fitted_bounds(),
            position_bits: coded.settings.get(Key::PositionBits),
            rungs: &rungs,
            rung: rung.number,
            mtu_bytes,
        };
        let [from, until] = self.window;
        let of_link = settings.lane();
        let format = agreed.format(of_link.rung(), of_link.class(), &of_link);
        let [best_bounds, _] = facts.fitted;
        Some(Answer {
            warnings: warnings::warnings(&facts),
            widths: self.width_advice(tape, &coded.settings, &counts),
            interpolation: InterpolationAdvice {
                best,
                tried,
                jumps: motion.jumps,
            },
            engines: self.engines.rows(),
            link: advice::link(settings),
            rust: advice::rust_lines(
                settings,
                &format
                    .with_bounds(best_bounds)
                    .expect("a motion's bounds do at any bits"),
            ),
            taken: Taken {
                kbps: playing.kbps(),
                played: playing.played(),
            },
            motion,
            window: VerdictWindow {
                after_tick: from,
                last_tick: until,
                seconds: tape.tick_rate().seconds_of_ticks(until - from),
                tick_rate_hz: tape.tick_rate().hz(),
                send_rate_hz: lane.send_rate_hz(),
            },
            mtu_bytes,
            rungs,
            rung,
        })
    }

    /// The settings to take; none before all is done.
    pub fn taken(&self) -> Option<&Settings> {
        let coded = self.coded.as_ref().filter(|coded| coded.done)?;
        coded.taken.as_ref().map(|(settings, _)| settings)
    }

    fn is_surveyed(&self) -> bool {
        self.tick >= self.window[1]
    }

    /// A tick of the motion, for its figures and for the engines.
    fn survey(&mut self, tape: &Tape) {
        let tick = self.tick + 1;
        let lane = self.settings.lane().at(tape.tick_rate());
        if tape.frame(tick, &mut self.truth).is_none() {
            // The tape no longer has it: the verdict ends here.
            self.window[1] = self.tick;
            return;
        }
        let leaves = tape.tick_rate().sends_at(tick, lane.send_rate_hz());
        self.survey.tick(tick, &self.truth, leaves);
        let since = tick - self.window[0];
        self.engines.tick(since, &self.truth, tape.is_cut(tick));
        self.tick = tick;
    }

    /// The settings with the fewest bits that keep the wanted errors.
    fn with_bits(&self) -> Settings {
        let mut settings = self.settings;
        let errors = &self.survey.errors;
        if let Some(wanted_mm) = self.wanted.position_mm {
            let (option, _) = fewest(&errors.position_options(), wanted_mm);
            let _ = settings.set(Key::PositionBits, option.bits);
        }
        if let Some(wanted_deg) = self.wanted.orientation_deg {
            let (option, _) = fewest(&errors.orientation_options(), wanted_deg);
            let _ = settings.set(Key::OrientationBits, option.bits);
        }
        settings
    }

    fn width_advice(&self, tape: &Tape, settings: &Settings, counts: &Counts) -> WidthAdvice {
        let errors = &self.survey.errors;
        let options = [errors.position_options(), errors.orientation_options()];
        let set = [Key::PositionBits, Key::OrientationBits].map(|key| settings.get(key));
        let chosen = |of: usize| {
            options[of]
                .iter()
                .find(|option| option.bits == set[of])
                .copied()
        };
        let none = BitsOption {
            bits: 0,
            error_max: 0.0,
            error_p95: 0.0,
        };
        let [position_bits, orientation_bits] = [0, 1].map(|of| chosen(of).unwrap_or(none));
        let wanted = [self.wanted.position_mm, self.wanted.orientation_deg];
        let kept = |(wanted, option): (Option<f64>, BitsOption)| {
            wanted.is_none_or(|wanted| option.error_max <= wanted)
        };
        let bounds = tape.agreed().bounds();
        let [best_bounds, _] = self.survey.fitted_bounds();
        let [position_options, orientation_options] = options;
        WidthAdvice {
            wanted_mm: wanted[0],
            wanted_deg: wanted[1],
            kept: wanted
                .into_iter()
                .zip([position_bits, orientation_bits])
                .all(kept),
            position_bits,
            orientation_bits,
            position: counts.position.best,
            orientation: counts.orientation.best,
            set_bits_per_changed_cube: counts.position.chosen.bits_per_changed_cube
                + counts.orientation.chosen.bits_per_changed_cube,
            bounds: [bounds.lower(), bounds.upper()],
            best_bounds: [best_bounds.lower(), best_bounds.upper()],
            absolute_bits: [bounds, best_bounds].map(|of| absolute_bits(of, position_bits.bits)),
            position_options,
            orientation_options,
        }
    }
}

/// The rungs so far.
fn rungs(ladder: &Ladder, tape: &Tape) -> Vec<RungRow> {
    let rows = ladder.rows();
    let ticks = rows.last_tick - rows.after_tick;
    let seconds = tape.tick_rate().seconds_of_ticks(ticks);
    rows.rows
        .iter()
        .map(|row| RungRow::new(row, seconds))
        .collect()
}

#[cfg(test)]
mod tests;
