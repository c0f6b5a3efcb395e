//! Interpolation and playout delay by their errors: the same packets played in several ways.

use serde::Serialize;
use snapshot_codec::CubeState;
use snapshot_lane::measure::metrics::Distribution;
use snapshot_lane::{Lane, TruthReader, orientation_error_deg, position_error_mm};
use snapshot_netsim::channel::Given;
use snapshot_record::tape::Tape;
use snapshot_settings::{Interpolation, Key, Settings};

/// The ways that are tried, from the simplest.
const MODES: [(Interpolation, &str); 3] = [
    (Interpolation::Linear, "linear"),
    (Interpolation::Slerp, "slerp"),
    (Interpolation::Hermite, "hermite"),
];
/// Send intervals of the tried delays.
const INTERVALS: [u32; 3] = [1, 2, 3];
/// Send intervals of the shortest delay that is advised: with fewer a lost packet stops the view.
const INTERVALS_LEAST: f64 = 2.0;
/// An error within this much of the least is as good.
const AS_GOOD: f64 = 1.02;
/// A delay is enough where the error is within this much of that of a longer one.
const ENOUGH: f64 = 1.05;
/// Errors below these do not decide, mm and degrees.
const LEAST: [f64; 2] = [0.05, 0.01];
/// A way of interpolation with a playout delay, and its errors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Played {
    /// The mode's name in the setting `interp`.
    pub mode: &'static str,
    /// The playout delay.
    pub delay_ms: f64,
    /// Over moving objects, at the shown instants.
    pub position_error_mm_p95: f64,
    /// Over the same.
    pub orientation_error_deg_p95: f64,
    /// Objects and instants that were compared.
    pub compared: u64,
    /// Left-out instants, because the object jumps, comes or goes: the view shows another life, or holds the object
    /// because the life changes within a send interval.
    pub apart: u64,
    /// Ticks with nothing to interpolate towards.
    pub hitches: u64,
}

/// The longest delay that can be set.
fn delay_most_ms() -> f64 {
    Key::Delay.setting().domain.most().into()
}

/// The name of a way that is tried.
fn name(mode: Interpolation) -> &'static str {
    let named = MODES.iter().find(|(of, _)| *of == mode);
    named.map_or("other", |(_, name)| name)
}

/// A lane over a tape and the lane's errors; an object has no error while the view shows another life.
pub(super) struct Playing {
    lane: Lane,
    mode: &'static str,
    delay_ms: f64,
    from: u64,
    tick: u64,
    frame: Vec<CubeState>,
    truth: TruthReader,
    /// States a send interval after those that are compared; empty where no object comes, goes or jumps.
    ahead: Vec<CubeState>,
    position_mm: Distribution,
    orientation_deg: Distribution,
    compared: u64,
    apart: u64,
}

impl Playing {
    /// A lane that begins after the tick `from`.
    pub(super) fn new(tape: &Tape, settings: &Settings, given: &Given, from: u64) -> Playing {
        let settings = settings.lane().at(tape.tick_rate());
        let mut frame = Vec::new();
        tape.read_truth(from, &mut frame);
        let lane = Lane::of_snapshots(&settings, &tape.agreed(), &frame, given);
        Playing {
            mode: name(settings.interpolation()),
            delay_ms: lane.settings().delay_ms().unwrap_or_default(),
            lane,
            from,
            tick: from,
            frame,
            truth: TruthReader::default(),
            ahead: Vec::new(),
            position_mm: Distribution::new(1000.0),
            orientation_deg: Distribution::new(1000.0),
            compared: 0,
            apart: 0,
        }
    }

    /// The next tick. False where the tape has none, or it is after `until`.
    pub(super) fn work(&mut self, tape: &Tape, until: u64) -> bool {
        let tick = self.tick + 1;
        if tick > until {
            return false;
        }
        let Some(frame) = tape.frame(tick, &mut self.frame) else {
            return false;
        };
        self.lane.set_cut(tape.is_cut(tick));
        self.lane.tick(&frame);
        self.truth.begin_tick(tick);
        self.tick = tick;
        let Some(play_tick) = self.lane.playback().map(|playback| playback.play_tick) else {
            return true;
        };
        let Some(truth) = self.truth.at(play_tick, tape.truth()) else {
            return true;
        };
        if tape.agreed().has_slots() {
            let settings = self.lane.settings();
            let interval_ticks = settings.tick_rate().tick_of_ms(settings.send_interval_ms());
            let ahead = (play_tick + interval_ticks).ceil() as u64;
            tape.read_truth(ahead.min(tape.last_tick()), &mut self.ahead);
        }
        let view = self.lane.view();
        for index in 0..view.error_mm.len() {
            let pose = truth.pose(index);
            if !pose.interacting {
                continue;
            }
            let ahead = self.ahead.get(index);
            if ahead.is_some_and(|ahead| ahead.life != pose.life) {
                self.apart += 1;
                continue;
            }
            let Some(position_mm) = position_error_mm(view, index, &pose) else {
                self.apart += 1;
                continue;
            };
            self.compared += 1;
            self.position_mm.add(position_mm);
            self.orientation_deg
                .add(orientation_error_deg(view, index, &pose));
        }
        true
    }

    /// Ticks so far.
    pub(super) fn ticks(&self) -> u64 {
        self.tick - self.from
    }

    /// Mean kbit/s, counted header included.
    pub(super) fn kbps(&self) -> f64 {
        let tick_rate = self.lane.settings().tick_rate();
        let seconds = tick_rate.seconds_of_ticks(self.ticks());
        self.lane.metrics().costs.kbps(seconds)
    }

    pub(super) fn played(&self) -> Played {
        Played {
            mode: self.mode,
            delay_ms: self.delay_ms,
            position_error_mm_p95: self.position_mm.p95(),
            orientation_error_deg_p95: self.orientation_deg.p95(),
            compared: self.compared,
            apart: self.apart,
            hitches: self.lane.metrics().hitches.frames,
        }
    }
}

/// The comparison of every mode with every delay, in turn.
pub(super) struct Comparison {
    waiting: std::vec::IntoIter<Settings>,
    of: usize,
    now: Option<Playing>,
    done: Vec<Played>,
}

impl Comparison {
    /// All that is to be tried with these settings.
    pub(super) fn new(tape: &Tape, settings: &Settings, given: &Given) -> Comparison {
        let lane = settings.lane().over(given).at(tape.tick_rate());
        let interval_ms = lane.send_interval_ms();
        // The automatic delay is three intervals and what the delays of the link spread.
        let mut automatic = *settings;
        let _ = automatic.set_text("delay", "auto");
        let of_three_ms = automatic.lane().over(given).at(tape.tick_rate());
        let spread_ms = of_three_ms.delay_ms().unwrap_or_default() - 3.0 * interval_ms;
        let mut all = Vec::new();
        for (mode, _) in MODES {
            for intervals in INTERVALS {
                let delay_ms = f64::from(intervals) * interval_ms + spread_ms;
                let mut settings = *settings;
                let _ = settings.set(Key::Interpolation, mode as u32);
                let _ = settings.set(Key::Delay, delay_ms.min(delay_most_ms()).ceil() as u32);
                all.push(settings);
            }
        }
        Comparison {
            of: all.len(),
            waiting: all.into_iter(),
            now: None,
            done: Vec::new(),
        }
    }

    /// Does a tick of the current combination. False where all are there.
    pub(super) fn work(&mut self, tape: &Tape, given: &Given, [from, until]: [u64; 2]) -> bool {
        if self.now.is_none() {
            let next = self.waiting.next();
            self.now = next.map(|settings| Playing::new(tape, &settings, given, from));
        }
        let Some(playing) = &mut self.now else {
            return false;
        };
        if playing.work(tape, until) {
            return true;
        }
        self.done.push(playing.played());
        self.now = None;
        !self.waiting.as_slice().is_empty()
    }

    /// The share of the work that is done.
    pub(super) fn share(&self, ticks: u64) -> f64 {
        let now = self.now.as_ref().map_or(0, Playing::ticks);
        (self.done.len() as f64 + now as f64 / ticks.max(1) as f64) / self.of as f64
    }

    /// All that were tried, by way, then by delay.
    pub(super) fn all(&self) -> &[Played] {
        &self.done
    }
}

/// The way to take. Each way counts with the shortest delay that is enough. The simplest that is as good as the best is taken.
pub(super) fn best(all: &[Played], send_interval_ms: f64) -> Option<Played> {
    let least_delay_ms = (INTERVALS_LEAST * send_interval_ms).min(delay_most_ms());
    let enough = MODES.iter().filter_map(|(_, name)| {
        let is_of = |played: &&Played| played.mode == *name && played.delay_ms >= least_delay_ms;
        let of_mode = || all.iter().filter(is_of);
        let least = |figure: fn(&Played) -> f64| of_mode().map(figure).fold(f64::MAX, f64::min);
        let [position_mm, orientation_deg] = [
            least(|played| played.position_error_mm_p95) * ENOUGH + LEAST[0],
            least(|played| played.orientation_error_deg_p95) * ENOUGH + LEAST[1],
        ];
        let hitches = of_mode().map(|played| played.hitches).min()?;
        of_mode().find(|played| {
            played.position_error_mm_p95 <= position_mm
                && played.orientation_error_deg_p95 <= orientation_deg
                && played.hitches <= hitches + hitches / 10
        })
    });
    let enough: Vec<&Played> = enough.collect();
    let least =
        |figure: fn(&Played) -> f64| enough.iter().map(|it| figure(it)).fold(f64::MAX, f64::min);
    let position_mm = least(|played| played.position_error_mm_p95) * AS_GOOD + LEAST[0];
    let near = |played: &&&Played| played.position_error_mm_p95 <= position_mm;
    let orientation_deg = enough.iter().filter(near);
    let orientation_deg = orientation_deg.map(|played| played.orientation_error_deg_p95);
    let orientation_deg = orientation_deg.fold(f64::MAX, f64::min) * AS_GOOD + LEAST[1];
    let good =
        |played: &&&Played| near(played) && played.orientation_error_deg_p95 <= orientation_deg;
    enough.iter().find(good).map(|played| **played)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(mode: &'static str, delay_ms: f64, errors: [f64; 2], hitches: u64) -> Played {
        let [position_error_mm_p95, orientation_error_deg_p95] = errors;
        Played {
            mode,
            delay_ms,
            position_error_mm_p95,
            orientation_error_deg_p95,
            compared: 1000,
            apart: 0,
            hitches,
        }
    }

    #[test]
    fn ways_have_the_names_of_the_setting() {
        for (mode, name) in MODES {
            let setting = Key::Interpolation.setting();
            assert_eq!(setting.domain.format(mode as u32), name);
        }
    }

    #[test]
    fn the_simplest_of_the_best_with_the_shortest_delay_that_is_enough() {
        let best = |all: &[Played]| best(all, 50.0).map(|it| (it.mode, it.delay_ms));
        let linear = |delay_ms, hitches| played("linear", delay_ms, [10.0, 1.0], hitches);
        let hermite = |delay_ms, mm| played("hermite", delay_ms, [mm, 1.0], 0);
        let alike = [
            linear(100.0, 0),
            linear(150.0, 0),
            hermite(100.0, 9.9),
            hermite(150.0, 9.8),
        ];
        assert_eq!(best(&alike), Some(("linear", 100.0)));
        // Where a longer delay gives hermite its neighbours, it is measured with them.
        let better = [
            linear(100.0, 0),
            linear(150.0, 0),
            hermite(100.0, 20.0),
            hermite(150.0, 5.0),
        ];
        assert_eq!(best(&better), Some(("hermite", 150.0)));
        // A delay of one interval is not advised, however good it is.
        assert_eq!(
            best(&[linear(50.0, 0), linear(100.0, 0)]),
            Some(("linear", 100.0))
        );
        // Standing still is not enough.
        assert_eq!(
            best(&[linear(100.0, 400), linear(150.0, 3)]),
            Some(("linear", 150.0))
        );
        // A turn that is followed better decides between equal positions.
        let slerp = played("slerp", 100.0, [10.0, 0.4], 0);
        assert_eq!(best(&[linear(100.0, 0), slerp]), Some(("slerp", 100.0)));
        assert_eq!(best(&[]), None);
    }
}
