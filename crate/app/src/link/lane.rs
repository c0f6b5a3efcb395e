//! A lane in a link: its settings, overrides of packets, and the tick after which it starts. A lane is one sender, its link
//! and its receiver. An override is the forced fate of a packet.
//!
//! `drop=57.60-62` and `deliver=12` force the loss or delivery of packets of lane A, by their numbers; `from=300` is its
//! start tick. `b.drop`, `b.deliver` and `b.from` are the same for lane B.

use super::value::{LATEST_MOTION_TICK, from_0_to, number, refused};
use crate::lane_run::LaneId;
use snapshot_netsim::channel::{Override, Overrides};
use snapshot_record::ranges;
use snapshot_record::recorded::in_ranges;
use snapshot_settings::Settings;
use snapshot_settings::permalink::Notice;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkedLane {
    pub settings: Settings,
    pub overrides: Overrides,
    /// The tick after which the lane starts, at most the link's instant. `None` means the start of lane A in lane B, and tick
    /// 0 in lane A.
    pub start_tick: Option<u64>,
}

/// Keys of the tick after which a lane starts, for lane A and lane B.
pub(super) const START_TICK: [&str; 2] = ["from", "b.from"];
/// Keys of packets that are forced to be lost, and to be delivered, for lane A and lane B.
pub(super) const OVERRIDES: [([&str; 2], Override); 2] = [
    (["drop", "b.drop"], Override::Lost),
    (["deliver", "b.deliver"], Override::Delivered),
];

/// Returns true if a key lists packets.
pub(super) fn is_of_packets(key: &str) -> bool {
    OVERRIDES.iter().any(|(ids, _)| ids.contains(&key))
}

impl LinkedLane {
    /// Parses one part of a link that is not a setting; `None` if the key does not belong to this lane.
    pub(super) fn parse_part(
        &mut self,
        lane: LaneId,
        key: &str,
        text: &str,
    ) -> Option<Result<(), Notice>> {
        let start_tick = START_TICK[lane as usize];
        if key == start_tick {
            let read = number(text, LATEST_MOTION_TICK);
            let read = read.ok_or_else(|| refused(start_tick, text, from_0_to(LATEST_MOTION_TICK)));
            return Some(read.map(|tick| self.start_tick = Some(tick)));
        }
        let overrides = OVERRIDES.map(|(ids, forced)| (ids[lane as usize], forced));
        let (id, forced) = overrides.into_iter().find(|(id, _)| *id == key)?;
        let numbers = ranges::read(text).ok_or_else(|| not_packets(id, text, LATEST_MOTION_TICK));
        Some(numbers.map(|ranges| {
            let numbers = ranges.into_iter().flatten();
            numbers.for_each(|number| self.overrides.set(number, Some(forced)));
        }))
    }

    /// Drops all overrides of a key that names a packet after `latest`. Returns a notice for each such key.
    pub(super) fn leave_out_after(&mut self, lane: LaneId, latest: u64) -> Vec<Notice> {
        let mut notices = Vec::new();
        for (ids, wanted) in OVERRIDES {
            let all = self.overrides.iter();
            let of_key: Vec<u64> = all
                .filter_map(|(number, forced)| (forced == wanted).then_some(number))
                .collect();
            let Some(late) = of_key.last().filter(|last| **last > latest) else {
                continue;
            };
            let id = ids[lane as usize];
            notices.push(not_packets(id, &late.to_string(), latest));
            let left_out = of_key.iter();
            left_out.for_each(|number| self.overrides.set(*number, None));
        }
        notices
    }

    /// Drops a start tick after `at`, the instant that the link shows. The error is the notice for the viewer.
    pub(super) fn start_by(&mut self, lane: LaneId, at: u64) -> Result<(), Notice> {
        match self.start_tick.take_if(|tick| *tick > at) {
            None => Ok(()),
            Some(tick) => {
                let (id, takes) = (START_TICK[lane as usize], "a tick up to that of \"at\"");
                Err(refused(id, &tick.to_string(), takes))
            }
        }
    }

    pub(super) fn start_tick_by_id(&self, lane: LaneId) -> (&'static str, Option<u64>) {
        (START_TICK[lane as usize], self.start_tick)
    }

    pub(super) fn write_overrides(&self, lane: LaneId, fragment: &mut String) {
        for (ids, wanted) in OVERRIDES {
            let numbers = self
                .overrides
                .iter()
                .filter(|(_, forced)| *forced == wanted);
            let numbers = in_ranges(numbers.map(|(number, _)| number));
            ranges::write(fragment, ids[lane as usize], numbers.into_iter());
        }
    }
}

fn not_packets(id: &'static str, text: &str, latest: u64) -> Notice {
    let takes = format!("rising packet numbers up to {latest}, such as 57.60-62");
    refused(id, text, takes)
}
