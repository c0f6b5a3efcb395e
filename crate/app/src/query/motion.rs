//! The played motion from a file.

use crate::link::motion_name;
use serde::Serialize;
use snapshot_record::motion::{JumpSpeed, Motion};

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct PlayedMotion {
    objects: usize,
    tick_rate: u32,
    seconds: f64,
    left_out_seconds: f64,
    clipped_velocities: u64,
    capture: bool,
    notes: Vec<String>,
    spawns: u64,
    ends: u64,
    jumps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<FoundJumps>,
    lower: [i32; 3],
    upper: [i32; 3],
    fingerprint: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FoundJumps {
    speeds: Vec<u32>,
    faster: Vec<u64>,
    place: usize,
}

impl From<&Motion> for PlayedMotion {
    fn from(motion: &Motion) -> Self {
        let counts = motion.facts.counts;
        let found = || FoundJumps {
            speeds: JumpSpeed::all()
                .map(|speed| speed.m_s().unwrap_or(0))
                .collect(),
            faster: counts.faster.to_vec(),
            place: motion.facts.jumps_over.place(),
        };
        PlayedMotion {
            spawns: counts.spawns,
            ends: counts.ends,
            jumps: counts.jumps,
            found: (!motion.tells_of_jumps()).then(found),
            objects: motion.objects(),
            tick_rate: motion.tick_rate().hz(),
            seconds: motion.seconds(),
            left_out_seconds: motion.left_out_seconds(),
            clipped_velocities: counts.clipped_velocities,
            capture: motion.is_capture(),
            notes: motion.facts.notes.clone(),
            lower: motion.bounds().lower(),
            upper: motion.bounds().upper(),
            fingerprint: motion_name(motion.facts.fingerprint),
        }
    }
}
