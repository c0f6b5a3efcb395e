//! The inset: the cube that lane A shows farthest from the truth, enlarged.

use super::subject;
use snapshot_lane::view::View;
use snapshot_view::Pose;
use three_d::{InnerSpace, Vec3, Viewport};

/// Time for which a cube stays in the inset while the motion plays, ticks. Another cube may err most in each tick.
const HELD_TICKS: u64 = 45;
/// Room around a cube and its true pose, as a multiple of their radius.
const ROOM: f32 = 1.25;

/// A cube and its surface error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WorstCube {
    pub(super) cube: usize,
    pub(super) mm: f32,
}

#[derive(Default)]
pub(super) struct Inset {
    /// Place of the inset on the canvas, in its pixels; an empty one is not drawn.
    pub(super) place: Option<Viewport>,
    /// The enlarged cube of the last picture.
    pub(super) shown: Option<WorstCube>,
    /// The tick at which the cube came into the inset.
    since_tick: u64,
    /// The last tick at which the cube's error was large enough to be seen.
    seen_tick: Option<u64>,
}

impl Inset {
    /// Chooses the cube for a tick from the surface errors of all cubes. While the motion plays, a cube stays for a while;
    /// while it stands still, the worst cube of the shown instant is there.
    pub(super) fn choose(&mut self, errors_mm: &[f32], tick: u64, plays: bool) {
        let held = self
            .shown
            .filter(|_| plays && tick >= self.since_tick && tick < self.since_tick + HELD_TICKS);
        let held = held.filter(|held| errors_mm.get(held.cube).is_some_and(|mm| *mm > 0.0));
        self.shown = match held {
            Some(WorstCube { cube, .. }) => Some(WorstCube {
                cube,
                mm: errors_mm[cube],
            }),
            None => {
                self.since_tick = tick;
                let all = errors_mm.iter().copied().enumerate();
                let worst = all.max_by(|a, b| a.1.total_cmp(&b.1));
                worst
                    .filter(|(_, mm)| *mm > 0.0)
                    .map(|(cube, mm)| WorstCube { cube, mm })
            }
        };
    }

    /// Returns true if the inset is drawn at a tick: the error of its cube can be seen, or could be a moment ago.
    pub(super) fn is_seen(&mut self, is_apart: bool, tick: u64, plays: bool) -> bool {
        self.seen_tick = match is_apart {
            true => Some(tick),
            false => self.seen_tick.filter(|_| plays),
        };
        self.seen_tick
            .is_some_and(|seen| tick >= seen && tick < seen + HELD_TICKS)
    }

    /// Returns the ball around a cube and its true pose: its centre and its radius, m.
    pub(super) fn ball(view: &View, truth: &Pose, cube: usize) -> (Vec3, f32) {
        let shown = view.pose(cube);
        let [from, to] = [&shown, truth].map(|pose| Vec3::from(pose.position));
        let [a, b, c, _] = view.proportions[cube];
        let radius_m = view.half_m(cube) * Vec3::new(a, b, c).magnitude();
        let apart_m = (to - from).magnitude();
        let radius_m = ROOM * (radius_m + apart_m / 2.0);
        (from + (to - from) / 2.0, radius_m.max(subject::LEAST_M))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_stays_while_it_plays_and_a_picture_at_rest_has_the_worst() {
        let mut inset = Inset::default();
        let mut chosen = |errors: &[f32], tick, plays| {
            inset.choose(errors, tick, plays);
            inset.shown.map(|it| (it.cube, it.mm))
        };
        assert_eq!(chosen(&[0.0, 0.0], 9, true), None);
        assert_eq!(chosen(&[1.0, 3.0], 10, true), Some((1, 3.0)));
        assert_eq!(chosen(&[9.0, 2.0], 20, true), Some((1, 2.0)));
        assert_eq!(chosen(&[9.0, 2.0], 20, false), Some((0, 9.0)));
        assert_eq!(chosen(&[1.0, 2.0], 30, true), Some((0, 1.0)));
        assert_eq!(chosen(&[1.0, 2.0], 70, true), Some((1, 2.0)));
        assert!(inset.is_seen(true, 70, true) && inset.is_seen(false, 90, true));
        assert!(!inset.is_seen(false, 120, true));
        assert!(inset.is_seen(true, 121, true) && !inset.is_seen(false, 122, false));
        let mut chosen = |errors: &[f32], tick, plays| {
            inset.choose(errors, tick, plays);
            inset.shown.map(|it| (it.cube, it.mm))
        };
        // A cube that is right again gives way at once, and so does one of a later time.
        assert_eq!(chosen(&[1.0, 0.0], 71, true), Some((0, 1.0)));
        assert_eq!(chosen(&[1.0, 2.0], 5, true), Some((1, 2.0)));
    }
}
