//! A lane over a tape that measures its receiver's view: errors, freezes and age.

use super::runs;
use crate::comparison::LaneSetup;
use crate::span::TickSpan;
use serde::Serialize;
use snapshot_codec::CubeState;
use snapshot_lane::measure::metrics::Distribution;
use snapshot_lane::surface::{Screen, Surfaces};
use snapshot_lane::{Lane, TruthReader, orientation_error_deg, position_error_mm};
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::Settings;

/// Longest time after which the view shows an instant in a fair comparison, ms: the longest playout delay and half a second for
/// the network.
const LONGEST_MS: f64 = 2500.0;

/// Freezes in eight runs with different seeds: consecutive still frames, which show nothing newer than the frame before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Freezes {
    /// Number of freezes in the run that has the fewest.
    pub least: u64,
    /// Number of freezes in the run that has the most.
    pub most: u64,
    /// Length of the longest freeze of all runs, ms.
    pub longest_ms: f64,
    /// Number of freezes a minute, over all runs.
    pub per_minute: f64,
    /// Time of still frames, ms a minute, over all runs.
    pub ms_per_minute: f64,
}

impl Freezes {
    /// Returns the number of freezes in a run as text: "3", or "0 to 5".
    pub fn count(&self) -> String {
        match self.least == self.most {
            true => self.most.to_string(),
            false => format!("{} to {}", self.least, self.most),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct InterpolationResult {
    /// Name of the interpolation mode in the setting `interp`.
    pub mode: &'static str,
    pub delay_ms: f64,
    /// 95th percentile of the surface error, over moving objects at the shown instants, mm.
    pub surface_error_mm_p95: f64,
    /// 95th percentile of the surface error in pixels, seen from 10 m, with a field of view of 60 degrees, on 1,080 lines.
    pub surface_error_px_p95: f64,
    /// 95th percentile of the position error, over moving objects at the shown instants, mm.
    pub position_error_mm_p95: f64,
    /// 95th percentile of the orientation error, over moving objects at the shown instants, degrees.
    pub orientation_error_deg_p95: f64,
    /// Number of compared poses, one for each object and instant.
    pub compared: u64,
    /// Number of poses left out because the object jumps, appears or ends. The view may then show it in its earlier life, or
    /// keep the old pose.
    pub apart: u64,
    pub freezes: Freezes,
    /// Mean age of the shown state, ms: link, playout delay and freezes.
    pub behind_ms: f64,
}

/// Cost and errors of the recommended settings, measured on this motion over this link. Before all send rates are measured,
/// these are the values at the link's rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Taken {
    /// Mean bandwidth, kbit/s, headers included.
    pub kbps: f64,
    pub played: InterpolationResult,
}

impl InterpolationResult {
    /// Number of poses of the compared instants that the lane showed.
    pub(super) fn measured(&self) -> u64 {
        self.compared + self.apart
    }
}

/// Returns the last tick of the motion at which errors are measured: all lanes but those with a delay beyond half of the window
/// have shown it by the window's end.
fn compared_until(tape: &Tape, from: u64, until: u64) -> u64 {
    let longest_ticks = tape.tick_rate().tick_of_ms(LONGEST_MS).ceil() as u64;
    until - longest_ticks.min((until - from) / 2)
}

/// Plays a lane over a span of ticks, or to the tape's end, and measures its receiver's view.
pub(super) fn play(
    tape: &Tape,
    settings: &Settings,
    link_inputs: &LinkInputs,
    span: TickSpan,
) -> Taken {
    ErrorProbe::run(tape, settings, link_inputs, span).taken()
}

/// A lane over a tape, with measurements of its errors. An object has no error while the view shows it before or after a
/// jump.
pub(super) struct ErrorProbe {
    lane: Lane,
    from: u64,
    tick: u64,
    frame: Vec<CubeState>,
    truth: TruthReader,
    /// True states one send interval after the compared ones, to find jumps; empty if no object appears, ends or jumps.
    ahead: Vec<CubeState>,
    surfaces: Surfaces,
    surface_mm: Distribution,
    position_mm: Distribution,
    orientation_deg: Distribution,
    compared: u64,
    apart: u64,
    /// Sizes of all packets without IP and UDP headers, bytes.
    pub(super) packet_bytes: Vec<u32>,
    /// Freezes of the lane; counted once its last tick has run.
    freezes: Freezes,
}

impl ErrorProbe {
    pub(super) fn run(
        tape: &Tape,
        settings: &Settings,
        link_inputs: &LinkInputs,
        span: TickSpan,
    ) -> ErrorProbe {
        let (session_config, from) = (tape.session_config(), span.after);
        let mut frame = Vec::new();
        tape.read_truth(from, &mut frame);
        let lane_settings = settings.lane().at(tape.tick_rate());
        let mut probe = ErrorProbe {
            lane: Lane::without_world(&lane_settings, &session_config, &frame, link_inputs),
            from,
            tick: from,
            frame,
            truth: TruthReader::default(),
            ahead: Vec::new(),
            surfaces: Surfaces::new(&session_config),
            surface_mm: Distribution::new(1000.0),
            position_mm: Distribution::new(1000.0),
            orientation_deg: Distribution::new(1000.0),
            compared: 0,
            apart: 0,
            packet_bytes: Vec::new(),
            freezes: Freezes::default(),
        };
        while probe.tick < span.last && probe.tick(tape, span.last) {}
        let link = LaneSetup {
            settings: *settings,
            link_inputs: link_inputs.clone(),
        };
        let ran = TickSpan {
            last: probe.tick,
            ..span
        };
        probe.freezes = runs::freezes(tape, &link, ran, &probe.packet_bytes);
        probe
    }

    /// Runs the next tick. Returns false if the tape has none. Errors are measured at the instants that every delay shows by the
    /// tick `until`: a lane with a long delay is compared over the same motion as one with a short delay.
    fn tick(&mut self, tape: &Tape, until: u64) -> bool {
        let tick = self.tick + 1;
        let Some(frame) = tape.frame(tick, &mut self.frame) else {
            return false;
        };
        self.lane.set_cut(tape.is_cut(tick));
        self.lane.tick(&frame);
        self.truth.begin_tick(tick);
        self.tick = tick;
        let newest = self.lane.newest_packet();
        self.packet_bytes
            .extend(newest.map(|packet| packet.cost.bytes));
        let Some(play_tick) = self.lane.playback().map(|playback| playback.play_tick) else {
            return true;
        };
        if play_tick > compared_until(tape, self.from, until) as f64 {
            return true;
        }
        let Some(truth) = self.truth.at(play_tick, tape.truth()) else {
            return true;
        };
        if tape.session_config().has_slots {
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
            self.surface_mm
                .add(self.surfaces.error_mm(index, &view.pose(index), &pose));
            self.position_mm.add(position_mm);
            self.orientation_deg
                .add(orientation_error_deg(view, index, &pose));
        }
        true
    }

    /// Returns the mean bandwidth and the measurements of the view.
    fn taken(&self) -> Taken {
        let (settings, metrics) = (self.lane.settings(), self.lane.metrics());
        let seconds = settings.tick_rate().seconds_of_ticks(self.tick - self.from);
        let played = InterpolationResult {
            mode: settings.interpolation().row().name,
            delay_ms: settings.delay_ms().unwrap_or_default(),
            surface_error_mm_p95: self.surface_mm.p95(),
            surface_error_px_p95: Screen::FIGURES.px_of_mm(self.surface_mm.p95()),
            position_error_mm_p95: self.position_mm.p95(),
            orientation_error_deg_p95: self.orientation_deg.p95(),
            compared: self.compared,
            apart: self.apart,
            freezes: self.freezes,
            behind_ms: metrics.playout.behind_ms_mean().unwrap_or_default(),
        };
        Taken {
            kbps: metrics.costs.kbps(seconds),
            played,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{driving, report, settings, tape_of};

    fn played(tape: &Tape, link: &str) -> InterpolationResult {
        let span = TickSpan::stored(tape);
        play(tape, &settings(link), &LinkInputs::default(), span).played
    }

    #[test]
    fn every_delay_is_compared_over_the_same_motion() {
        let tape = Tape::of_motion(&driving(3, 3, 6.0), 480);
        let of = |delay: u32| played(&tape, &format!("hz=30&jitter=0&loss=0&delay={delay}"));
        let [short, middle, long] = [34, 300, 2000].map(of);
        assert!(short.measured() > 3 * 300);
        for other in [middle, long] {
            // A packet's interval at the start may be shown or not.
            let apart = other.measured().abs_diff(short.measured());
            assert!(apart <= 3 * 2, "{short:?} {other:?}");
        }
    }

    #[test]
    fn errors_are_those_of_the_lane() {
        // It stands at the end, where nothing is compared.
        let row = |tick: u32| {
            let x = libm::sin(f64::from(tick.min(200)) / 20.0);
            format!("{tick},0,{x},2,1,0,0,0,1,\n")
        };
        let tape = tape_of(&(0..=480).map(row).collect::<String>());
        let link = "hz=20&delay=120&loss=5";
        let (played, report) = (played(&tape, link), report(&tape, &settings(link)));
        assert_eq!(played.surface_error_mm_p95, report.surface_error_mm.p95);
        assert_eq!(played.position_error_mm_p95, report.position_error_mm.p95);
        assert!(played.position_error_mm_p95 > 1.0);
    }
}
