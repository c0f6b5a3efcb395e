//! State synchronisation in a lane: the right world, and the comparison of both.

mod observer;
mod replica;
#[cfg(test)]
mod tests;

use super::sides::Sides;
use crate::settings::{Key, LaneSettings};
use snapshot_physics::world::World;
use snapshot_session::sync::{Adaptation, Receiver, ReceiverConfig, Sender, SenderConfig};

pub(super) use observer::Observer;
pub(crate) use replica::Replica;

/// Both ends, with nothing sent yet, and the observer. The right world begins as a fork of `world`.
pub(super) fn ends(
    settings: &LaneSettings,
    world: &World,
) -> Sides<Sender, Receiver, Replica, Observer> {
    let format = settings.sync_format(world.cube_count());
    Sides {
        sender: Sender::new(format, sender_config(settings)),
        receiver: Receiver::new(
            format,
            receiver_config(settings),
            world.tick(),
            world.truth(),
        ),
        world: Replica::of(world),
        observer: Observer,
    }
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
    }
}
