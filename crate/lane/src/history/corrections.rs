//! Corrections of the prediction that a game's client makes of its own cube and others.

use super::LaneHistory;
use crate::measure::metrics::{CausedCorrection, CorrectionCause};
use crate::strategy::game::ends::GameEnds;
use serde::Serialize;

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct HandCorrection {
    /// Tick of the driver's client in which the snapshot that caused the correction arrived.
    pub at: u64,
    /// Tick whose states the snapshot that caused the correction has.
    pub tick: u64,
    pub packet: u64,
    pub cause: CorrectionCause,
    /// Greatest error of a cube, mm.
    pub mm: f64,
    pub cube: u64,
    /// Distance by which the driver's cube jumped on the screen, mm.
    pub own_mm: f64,
    pub cubes: u64,
    pub ticks: u64,
}

impl From<&CausedCorrection> for HandCorrection {
    fn from(caused: &CausedCorrection) -> HandCorrection {
        let correction = &caused.correction;
        HandCorrection {
            at: correction.client_tick,
            tick: correction.tick,
            packet: caused.packet,
            cause: caused.cause,
            mm: correction.worst_mm,
            cube: correction.worst as u64,
            own_mm: correction.own_jump_mm,
            cubes: correction.cubes as u64,
            ticks: correction.ticks,
        }
    }
}

impl LaneHistory {
    /// Returns the corrections of the last minute, oldest first; empty for a strategy that does not predict.
    pub fn corrections(&self) -> Vec<HandCorrection> {
        let game = self.lane.game().into_iter();
        game.flat_map(GameEnds::corrections)
            .map(HandCorrection::from)
            .collect()
    }
}
