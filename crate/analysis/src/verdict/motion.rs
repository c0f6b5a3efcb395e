//! A pass over the motion: share of moving objects, extent, jumps, and surface errors of quantisation.

use super::balance::JointErrors;
use crate::span::{TickSpan, leaves};
use serde::Serialize;
use snapshot_base::time::TickRate;
use snapshot_codec::{Bounds, CubeState};
use snapshot_record::motion::fitted_bounds;
use snapshot_record::session_config::SessionConfig;
use snapshot_record::tape::Tape;
use snapshot_settings::Settings;

/// Greatest distance of a position from the origin along an axis that counts for the bounds, m.
const REACH_M: i32 = 1024;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MotionFigures {
    /// Number of objects, including those that appear later.
    pub objects: usize,
    /// Mean share of the objects whose pose changes in a tick.
    pub moving_share: f64,
    /// Greatest speed of an object between two ticks, without jumps, m/s.
    pub speed_max_m_s: f64,
    /// Number of jumps: an object continues elsewhere, in another life. Appearances do not count.
    pub jumps: u64,
    /// True if the orientation of any object changes.
    pub turns: bool,
    /// Number of states with a position outside the bounds.
    pub beyond_bounds: u64,
}

pub(super) struct MotionSurvey {
    tick_rate: TickRate,
    bounds: Bounds,
    before: Vec<CubeState>,
    states: u64,
    moving: u64,
    /// Measured values so far, without the number of objects and the share of moving objects.
    so_far: MotionFigures,
    /// The whole metres around all positions by axis, `[lower, upper]`.
    spans: [[i32; 2]; 3],
    pub(super) joint: JointErrors,
}

impl MotionSurvey {
    /// Measures a span of a tape's ticks. Packets leave at the send rate of the settings.
    pub(super) fn of(tape: &Tape, settings: &Settings, span: TickSpan) -> MotionSurvey {
        let lane = settings.lane().at(tape.tick_rate());
        let mut truth = Vec::new();
        tape.read_truth(span.after, &mut truth);
        let mut survey = MotionSurvey::new(&truth, &tape.session_config());
        for tick in span.after + 1..=span.last {
            tape.truth().wind(tick - 1, tick, &mut truth);
            survey.tick(tick - span.after, &truth, leaves(&lane, tick));
        }
        survey
    }

    fn new(first: &[CubeState], session_config: &SessionConfig) -> MotionSurvey {
        let bounds = session_config.bounds;
        MotionSurvey {
            tick_rate: session_config.tick_rate,
            bounds,
            before: first.to_vec(),
            states: 0,
            moving: 0,
            so_far: MotionFigures::default(),
            spans: [[REACH_M, -REACH_M]; 3],
            joint: JointErrors::new(session_config),
        }
    }

    /// Returns true if the motion has had no object so far.
    pub(super) fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// Adds the states of a tick, counted from 1. If `leaves`, a packet is sent in this tick; only then errors of quantisation
    /// are measured.
    fn tick(&mut self, tick: u64, objects: &[CubeState], leaves: bool) {
        let hz = f64::from(self.tick_rate.hz());
        for (index, (object, before)) in objects.iter().zip(&self.before).enumerate() {
            if object.life.is_empty() {
                continue;
            }
            self.states += 1;
            let so_far = &mut self.so_far;
            let moved = !object.same_pose(before);
            self.moving += u64::from(moved);
            if object.life == before.life {
                so_far.turns |= object.orientation != before.orientation;
                let way = |axis: usize| {
                    f64::from(object.position[axis]) - f64::from(before.position[axis])
                };
                let way_m = (0..3).map(|axis| way(axis) * way(axis)).sum::<f64>().sqrt();
                so_far.speed_max_m_s = so_far.speed_max_m_s.max(way_m * hz);
            } else {
                so_far.jumps += u64::from(!before.life.is_empty());
            }
            let inside = is_inside(self.bounds, object);
            so_far.beyond_bounds += u64::from(!inside);
            for (span, position) in self.spans.iter_mut().zip(object.position) {
                let metre = (position.floor() as i32).clamp(-REACH_M, REACH_M - 1);
                *span = [span[0].min(metre), span[1].max(metre + 1)];
            }
            if leaves && inside && (moved || tick == 1) {
                self.joint.add(index, object);
            }
        }
        self.before.clear();
        self.before.extend_from_slice(objects);
    }

    pub(super) fn figures(&self) -> MotionFigures {
        MotionFigures {
            objects: self.before.len(),
            moving_share: self.moving as f64 / self.states.max(1) as f64,
            ..self.so_far
        }
    }

    /// Returns the narrowest bounds around all positions with extents of powers of two.
    pub(super) fn fitted_bounds(&self) -> Bounds {
        fitted_bounds(self.spans)
    }
}

fn is_inside(bounds: Bounds, object: &CubeState) -> bool {
    let (lower, upper) = (bounds.lower(), bounds.upper());
    let within = |axis: usize| {
        let at = object.position[axis];
        lower[axis] as f32 <= at && at < upper[axis] as f32
    };
    (0..3).all(within)
}

pub(super) fn absolute_bits(bounds: Bounds, position_bits: u32) -> u32 {
    let (lower, upper) = (bounds.lower(), bounds.upper());
    let metres = lower.iter().zip(upper).map(|(lower, upper)| upper - lower);
    metres
        .map(|metres| (((metres as u32) << position_bits) - 1).ilog2() + 1)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_codec::Life;

    fn session_config() -> SessionConfig {
        Tape::record(&crate::testing::settings("#grid=6"), 1).session_config()
    }

    fn at(position: [f32; 3]) -> CubeState {
        CubeState {
            position,
            interacting: true,
            ..CubeState::default()
        }
    }

    fn survey(path: impl Fn(u64) -> CubeState) -> MotionSurvey {
        let mut survey = MotionSurvey::new(&[path(0)], &session_config());
        (1..=60).for_each(|tick| survey.tick(tick, &[path(tick)], true));
        survey
    }

    #[test]
    fn another_life_is_a_jump_and_an_end_is_none() {
        // 48 m/s in a straight line, and back at the start in another life after half a second.
        let found = survey(|tick| CubeState {
            life: Life::from_code((tick / 30) as u8).unwrap(),
            ..at([0.8 * (tick % 30) as f32, 0.0, 1.0])
        });
        let figures = found.figures();
        assert_eq!((figures.jumps, figures.moving_share), (2, 1.0));
        assert!((figures.speed_max_m_s - 48.0).abs() < 1e-3, "{figures:?}");
        let found = survey(|tick| CubeState {
            life: if tick < 20 { Life::FIRST } else { Life::EMPTY },
            ..at([1.0, 2.0, 3.0])
        });
        assert_eq!((found.figures().jumps, found.states), (0, 19));
    }

    #[test]
    fn bounds_fit_all_positions() {
        let survey = survey(|tick| at([tick as f32 / 10.0, -3.5, 0.5]));
        let all = survey.fitted_bounds();
        assert_eq!((all.lower(), all.upper()), ([0, -4, 0], [8, -3, 1]));
        assert_eq!(absolute_bits(all, 9), 3 + 27);
    }

    #[test]
    fn positions_outside_the_bounds_are_counted() {
        let below = |tick: u64| if tick == 59 { -900.0 } else { 0.5 };
        let survey = survey(|tick| at([0.5, 0.5, below(tick)]));
        assert_eq!(survey.figures().beyond_bounds, 1);
    }
}
