//! A world that a host shares with one guest over a real network: both ends.
//!
//! Only the datagrams of `snapshot-replication` go over the wire, as in the strategy `game`. Neither end has a clock or a
//! socket: times and bytes are arguments. So a recording of both replays bit for bit.
//!
//! The host's hand steers the first cube, the guest's hand the second. The reasons are in
//! `docs/decisions/0090-a-real-wire.md`.

mod arrivals;
mod connection_log;
mod delay_meter;
mod guest;
mod host;
mod recording;
mod report;
mod shown_frames;
mod simulator;
mod still;
#[cfg(test)]
mod tests;

pub use connection_log::{ConnectionLog, network};
pub use guest::{Guest, GuestFigures, GuestStatus};
pub use host::{Host, HostedGuest};
pub use recording::{GUEST_KIND, replay_guest};

use crate::strategy::game::connection::connection;
use snapshot_base::hash::Fnv;
use snapshot_replication::{Object, Settings as GameSettings, SettingsError};
use snapshot_settings::{Key, LaneSettings, Settings, Strategy};
use thiserror::Error;

/// Reason why a world cannot be shared.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ShareError {
    #[error(
        "This motion is a recording: nobody can push its objects. Choose one of the lab's scenes."
    )]
    NoWorld,
    #[error("This scene has one hand only. Set Second cube to “second hand”, and share it again.")]
    NoSecondCube,
    #[error("These settings make no connection: {0}")]
    Settings(#[from] SettingsError),
}

/// Returns the settings of a shared world's connection: the settings of a game in a lane, for one guest. The lane's
/// settings are a game's too, whatever strategy the link has.
fn connection_of(settings: &Settings) -> Result<(GameSettings, LaneSettings), ShareError> {
    let mut settings = *settings;
    settings
        .set(Key::Strategy, Strategy::Game as u32)
        .map_err(|_| ShareError::NoWorld)?;
    let lane = settings.lane();
    let game = GameSettings {
        clients: 1,
        ..connection(&lane, settings.cube_count())
    };
    game.format()?;
    Ok((game, lane))
}

/// Returns a hash of a snapshot's objects, with which the host compares a guest's decoded snapshot with the sent one.
fn snapshot_hash(objects: impl Iterator<Item = Object>) -> u64 {
    let mut hash = Fnv::new();
    for object in objects {
        hash.add_u32(object.id);
        let parts = object.position.iter().chain(&object.orientation);
        parts.for_each(|part| hash.add_u32(part.to_bits()));
        hash.add_u32(object.fields[0]);
    }
    hash.finish()
}
