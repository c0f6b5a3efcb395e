//! Deterministic lockstep in a lane: the right world, and the comparison of both.

mod observer;
mod world;

use snapshot_physics::world::World;
use snapshot_settings::{LaneSettings, Transport};
use snapshot_strategies::lockstep::{Receiver, ReceiverConfig, Sender, SenderConfig};
use snapshot_view::SenderClock;

pub(super) use observer::Observer;
pub(crate) use world::RightWorld;

/// Both ends, with nothing sent yet, and the observer. The right world begins as a fork of `world`.
pub(super) fn endpoints(
    settings: &LaneSettings,
    world: &World,
) -> (Sender, Receiver, RightWorld, Observer) {
    let right_world = RightWorld::new(world, settings.desync());
    let sender = Sender::new(sender_config(settings));
    let receiver = Receiver::new(receiver_config(settings));
    (sender, receiver, right_world, Observer::default())
}

/// The sender's part of a lane's settings.
pub(crate) fn sender_config(settings: &LaneSettings) -> SenderConfig {
    SenderConfig {
        send_rate_hz: settings.send_rate_hz(),
        is_stream: settings.transport() == Transport::Tcp,
    }
}

/// The receiver's part of a lane's settings.
pub(crate) fn receiver_config(settings: &LaneSettings) -> ReceiverConfig {
    ReceiverConfig {
        playout: settings.playout(),
        send_interval_ms: settings.send_interval_ms(),
        is_stream: settings.transport() == Transport::Tcp,
        sender_clock: SenderClock::TOGETHER,
    }
}
