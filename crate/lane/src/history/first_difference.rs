//! The first difference between two lanes' views of a motion, and the tick from which both are equal again.

use super::LaneHistory;
use crate::view::distance_m;
use serde::Serialize;

/// Distance between a cube's places in two views above which the views count as different, mm.
const SAME_MM: f32 = 1.0;

/// A period in which two lanes show different views.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Parting"))]
pub struct FirstDifference {
    /// The first tick in which a cube is at different places in the two views.
    pub first_tick: u64,
    /// Index of the cube that was farthest apart in that tick.
    pub cube: u32,
    /// Greatest distance between the two views of any cube in any tick, mm.
    pub most_mm: f32,
    /// The tick from which both views are equal again; `None` while they differ.
    pub again_tick: Option<u64>,
}

impl LaneHistory {
    /// Returns the first visible difference between two histories over the same motion, in the ticks that both store; `None`
    /// if there is none.
    pub fn first_difference(&self, other: &LaneHistory) -> Option<FirstDifference> {
        let (a, b) = (self.poses.ticks(), other.poses.ticks());
        let ticks = *a.start().max(b.start())..=*a.end().min(b.end());
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        let mut difference: Option<FirstDifference> = None;
        for tick in ticks {
            let read = |history: &LaneHistory, poses: &mut Vec<_>| match poses.is_empty() {
                true => history.poses.read(tick, poses),
                false => history.poses.wind(tick - 1, tick, poses),
            };
            if !read(self, &mut of_a) || !read(other, &mut of_b) || of_a.len() != of_b.len() {
                return difference;
            }
            let apart_mm = of_a.iter().zip(&of_b);
            let apart_mm = apart_mm.map(|(a, b)| match a.life.is_empty() || b.life.is_empty() {
                true => 0.0,
                false => distance_m(a.position, b.position) * 1000.0,
            });
            let farthest = apart_mm.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((cube, mm)) = farthest.filter(|(_, mm)| *mm > SAME_MM) else {
                if let Some(difference) = &mut difference {
                    difference.again_tick.get_or_insert(tick);
                }
                continue;
            };
            let difference = difference.get_or_insert(FirstDifference {
                first_tick: tick,
                cube: cube as u32,
                most_mm: mm,
                again_tick: None,
            });
            difference.most_mm = difference.most_mm.max(mm);
            difference.again_tick = None;
        }
        difference
    }
}

#[cfg(test)]
mod tests {
    use crate::history::LaneHistory;
    use crate::played::settings;
    use snapshot_netsim::channel::{LinkInputs, Override};
    use snapshot_record::tape::Tape;

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_lost_packet_parts_what_is_shown_until_its_time_is_over() {
        let settings = settings("#scene=katamari&grid=8&hz=10&jitter=0&loss=0&delay=100");
        let tape = Tape::record(&settings, 600);
        let history =
            |link_inputs: &LinkInputs| LaneHistory::run(&tape, &settings.lane(), link_inputs, 0);
        let as_it_was = history(&LinkInputs::default());
        let as_well = history(&LinkInputs::default());
        assert_eq!(as_it_was.first_difference(&as_well), None);
        // Packet 40 left in tick 240, and nothing between its neighbours' 234 and 246 knows of it.
        let mut link_inputs = LinkInputs::default();
        link_inputs.overrides.set(40, Some(Override::Lost));
        let without = history(&link_inputs);
        let difference = as_it_was.first_difference(&without).unwrap();
        let packet = without.packet(40, 600).unwrap();
        // 3 ticks on the way, 6 of playout delay.
        let shown = |tick: u64| tick + 9;
        let (first, again) = (difference.first_tick, difference.again_tick.unwrap());
        assert!(first > shown(packet.tick - 6), "{difference:?}");
        assert!(again <= shown(packet.tick + 6), "{difference:?}");
        assert!(difference.most_mm > 1.0);
        let views = |tick| {
            [&as_it_was, &without].map(|history| {
                let mut view = history.lane().view().clone();
                assert!(history.show(tick, &tape, &mut view));
                view
            })
        };
        let ([a, b], cube) = (views(first), difference.cube as usize);
        assert_ne!(a.position_half_m[cube], b.position_half_m[cube]);
        let [a, b] = views(again);
        assert_eq!(a.hash(), b.hash());
    }
}
