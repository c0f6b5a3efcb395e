//! Parts of the figures of a lane at one tick. The table declares the others.

use super::metrics::ErrorNow;
use super::table::{HandLive, Live, LockstepLive, SyncLive};
use crate::Lane;
use crate::strategy::strategy_ends::StrategyEnds;
use serde::Serialize;
use snapshot_view::interpolate::Tangents;

/// Measurements of a lane at one tick that only its strategy has. The JSON field `strategy` names the variant.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "strategy", rename_all = "lowercase")]
pub enum StrategyLive {
    Snapshot {
        /// Source of the velocities for Hermite interpolation: `sent`, or `neighbours` (Catmull-Rom); `None` in other modes.
        #[cfg_attr(feature = "ts", ts(type = "\"sent\" | \"neighbours\" | null"))]
        tangents: Option<&'static str>,
    },
    Sync(Box<SyncLive>),
    Lockstep(Box<LockstepLive>),
    Game(Box<HandLive>),
    /// A lane that shows the recording of another netcode's client, without measurements of its own.
    Plain {},
}

impl StrategyLive {
    pub(super) fn new(lane: &Lane) -> StrategyLive {
        match &lane.ends {
            StrategyEnds::Snapshot(ends) => {
                let is_cubic = lane.settings.interpolation().row().is_cubic;
                let source = || match ends.tangents() {
                    Tangents::Sent => "sent",
                    Tangents::Neighbours => "neighbours",
                };
                StrategyLive::Snapshot {
                    tangents: is_cubic.then(source),
                }
            }
            StrategyEnds::Sync(ends) => {
                StrategyLive::Sync(Box::new(SyncLive::new(lane, ends.metrics())))
            }
            StrategyEnds::Lockstep(ends) => {
                StrategyLive::Lockstep(Box::new(LockstepLive::new(lane, &ends.figures())))
            }
            StrategyEnds::Game(ends) => StrategyLive::Game(Box::new(HandLive::new(ends))),
            StrategyEnds::Client(_) => StrategyLive::Plain {},
        }
    }

    pub fn sync(&self) -> Option<&SyncLive> {
        if let StrategyLive::Sync(own) = self {
            Some(own)
        } else {
            None
        }
    }

    pub fn lockstep(&self) -> Option<&LockstepLive> {
        if let StrategyLive::Lockstep(own) = self {
            Some(own)
        } else {
            None
        }
    }

    pub fn game(&self) -> Option<&HandLive> {
        if let StrategyLive::Game(own) = self {
            Some(own)
        } else {
            None
        }
    }
}

/// Root mean square and maximum of a quantity at one tick.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Errors {
    pub rms: f64,
    pub max: f64,
}

/// Mean and greatest surface error at one tick.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SurfaceErrors {
    pub mean: f64,
    pub worst: f64,
}

impl SurfaceErrors {
    /// Makes the surface errors of a tick, converted from mm by `unit`.
    pub(super) fn new(now: &ErrorNow, unit: impl Fn(f64) -> f64) -> SurfaceErrors {
        SurfaceErrors {
            mean: unit(now.surface_mean_mm),
            worst: unit(now.surface_max_mm),
        }
    }
}

impl Live {
    /// Number of visible jumps of cubes by corrections since the lane began; state synchronisation only.
    pub fn pops(&self) -> u64 {
        self.own.sync().map_or(0, |sync| sync.pops)
    }

    /// The tick that a game's server has reached; `None` for another strategy.
    pub fn server_tick(&self) -> Option<u64> {
        self.own.game()?.server_tick
    }
}
