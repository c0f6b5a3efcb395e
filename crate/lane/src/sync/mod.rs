//! State synchronisation in a lane: the right world, and the comparison of both.

mod observer;
mod replica;
#[cfg(test)]
mod tests;

use snapshot_physics::world::World;
use snapshot_settings::{Key, LaneSettings};
use snapshot_strategies::sync::{Adaptation, Receiver, ReceiverConfig, Sender, SenderConfig};
use snapshot_view::SenderClock;

pub(super) use observer::Observer;
pub(crate) use replica::Replica;

/// Both ends, with nothing sent yet, and the observer. The right world begins as a fork of `world`.
pub(super) fn endpoints(
    settings: &LaneSettings,
    world: &World,
) -> (Sender, Receiver, Replica, Observer) {
    let format = settings.sync_format(world.cube_count());
    let receiver_config = receiver_config(settings);
    let sender = Sender::new(format, sender_config(settings));
    let receiver = Receiver::new(format, receiver_config, world.tick(), world.truth());
    (sender, receiver, Replica::of(world), Observer)
}

/// The sender's part of a lane's settings.
pub(crate) fn sender_config(settings: &LaneSettings) -> SenderConfig {
    SenderConfig {
        send_rate_hz: settings.send_rate_hz(),
        budget_kbps: f64::from(settings.get(Key::Budget)),
        adaptation: Adaptation::ALL[settings.get(Key::Adapt) as usize],
        accumulates: settings.is_on(Key::Accumulate),
        rest_counts: settings.is_on(Key::RestPriority),
        header_bytes: settings.header_bytes(),
        mtu_bytes: settings.mtu_bytes(),
    }
}

/// The receiver's part of a lane's settings.
pub(crate) fn receiver_config(settings: &LaneSettings) -> ReceiverConfig {
    ReceiverConfig {
        playout: settings.playout(),
        send_interval_ms: settings.send_interval_ms(),
        smoothing: settings.smoothing(),
        sender_clock: SenderClock::TOGETHER,
    }
}
