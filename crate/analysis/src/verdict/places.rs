//! Places of simulated players in a motion: the objects where the players are, and the distance within which other objects
//! are near.

use crate::comparison::RUNS;
use crate::window::TickSpan;
use snapshot_base::order;
use snapshot_codec::CubeState;
use snapshot_lane::view::distance_m;
use snapshot_record::tape::Tape;

/// Number of objects for each object that counts as near a player: the nearest tenth is near.
const NEAR_SHARE: usize = 10;

/// The objects where the players are, and the distance within which other objects count as near.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Places {
    /// Indices of the players' objects: the objects that move farthest.
    pub(super) own: Vec<usize>,
    /// Distance within which a tenth of the objects is, m: the median over all players and seconds.
    pub(super) near_m: f32,
}

impl Places {
    /// Finds the players' objects, which move farthest, and the distance that counts as near. It compares states 1 s apart in a
    /// window of ticks. `None` if there are fewer than two objects.
    pub(super) fn find(tape: &Tape, window: TickSpan) -> Option<Places> {
        let second = tape.tick_rate().hz() as usize;
        let mut seconds: Vec<Vec<CubeState>> = Vec::new();
        for tick in (window.after..=window.last).step_by(second) {
            let mut states = Vec::new();
            if tape.read_truth(tick, &mut states) {
                seconds.push(states);
            }
        }
        let count = seconds.first()?.len();
        let way_m = |index: usize| -> f64 {
            let steps = seconds.windows(2).map(|pair| {
                let [before, after] = [&pair[0][index], &pair[1][index]];
                let stays = before.life == after.life && !after.life.is_empty();
                let apart = || f64::from(distance_m(before.position, after.position));
                if stays { apart() } else { 0.0 }
            });
            steps.sum()
        };
        let ways_m: Vec<f64> = (0..count).map(way_m).collect();
        let mut own: Vec<usize> = (0..count).collect();
        order::sort_by(&mut own, |a, b| ways_m[*b].total_cmp(&ways_m[*a]));
        own.truncate(RUNS as usize);
        let mut near: Vec<f64> = Vec::new();
        for states in &seconds {
            for &own in own.iter().filter(|own| !states[**own].life.is_empty()) {
                let others = states.iter().enumerate();
                let others = others.filter(|(it, state)| *it != own && !state.life.is_empty());
                let apart =
                    order::sorted(others.map(|(_, state)| {
                        f64::from(distance_m(states[own].position, state.position))
                    }));
                near.extend(apart.get(apart.len().div_ceil(NEAR_SHARE).saturating_sub(1)));
            }
        }
        order::sort(&mut near);
        let near_m = *near.get(near.len() / 2)? as f32;
        Some(Places { own, near_m })
    }
}
