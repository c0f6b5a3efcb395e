//! Both ends of a lane as an enum, with a variant for each strategy.

use super::ends::Ends;
use super::game::ends::GameEnds;
use super::lockstep::ends::LockstepEnds;
use super::snapshot::SnapshotEnds;
use super::sync::ends::SyncEnds;
use crate::client::ClientEnds;
use snapshot_netsim::channel::LinkInputs;
use snapshot_physics::world::{Simulating, World};
use snapshot_record::session_config::SessionConfig;
use snapshot_settings::{LaneSettings, Strategy};

/// Both ends of a lane, by strategy. Code that needs one strategy's own data matches on the variant. A program without physics
/// is built without the variants that simulate.
pub(crate) enum StrategyEnds {
    Snapshot(Box<SnapshotEnds>),
    Sync(Simulating<SyncEnds>),
    Lockstep(Simulating<LockstepEnds>),
    Game(Simulating<GameEnds>),
    /// No strategy: the view is the recording of another netcode's client.
    Client(Box<ClientEnds>),
}

impl StrategyEnds {
    /// Creates both ends of the settings' strategy, before anything is sent. Without a world nothing can be simulated: a
    /// strategy that simulates sends snapshots then.
    pub(crate) fn new(
        settings: &LaneSettings,
        world: Option<&World>,
        session_config: &SessionConfig,
        link_inputs: &LinkInputs,
    ) -> StrategyEnds {
        match (settings.strategy(), world) {
            (Strategy::Sync, Some(world)) => {
                StrategyEnds::Sync(world.simulating(|| SyncEnds::new(settings, world)))
            }
            (Strategy::Lockstep, Some(world)) => {
                StrategyEnds::Lockstep(world.simulating(|| LockstepEnds::new(settings, world)))
            }
            (Strategy::Game, Some(world)) => {
                let ends = || GameEnds::new(settings, world, session_config, link_inputs);
                StrategyEnds::Game(world.simulating(ends))
            }
            (Strategy::Snapshot, _)
            | (Strategy::Sync | Strategy::Lockstep | Strategy::Game, None) => {
                StrategyEnds::Snapshot(Box::new(SnapshotEnds::new(settings, session_config)))
            }
        }
    }

    pub(crate) fn ends(&self) -> &dyn Ends {
        match self {
            StrategyEnds::Snapshot(ends) => &**ends,
            StrategyEnds::Sync(ends) => &**ends,
            StrategyEnds::Lockstep(ends) => &**ends,
            StrategyEnds::Game(ends) => &**ends,
            StrategyEnds::Client(ends) => &**ends,
        }
    }

    pub(crate) fn ends_mut(&mut self) -> &mut dyn Ends {
        match self {
            StrategyEnds::Snapshot(ends) => &mut **ends,
            StrategyEnds::Sync(ends) => &mut **ends,
            StrategyEnds::Lockstep(ends) => &mut **ends,
            StrategyEnds::Game(ends) => &mut **ends,
            StrategyEnds::Client(ends) => &mut **ends,
        }
    }
}
