//! State synchronisation: the right side simulates too, from the same inputs, and is corrected by the state of the cubes
//! that matter most.

mod observer;
mod receiver;
mod replica;
mod sender;
mod smooth;

use crate::settings::LaneSettings;
use snapshot_physics::world::World;

pub(super) use observer::Observer;
pub(super) use receiver::{Arrival, Receiver};
pub(crate) use replica::Replica;
pub(crate) use sender::Sender;

/// Sender, receiver and observer, with nothing sent yet. The right side begins with the world as it is.
pub(super) fn ends(settings: &LaneSettings, world: &World) -> (Sender, Receiver, Observer) {
    let format = settings.sync_format(world.cube_count());
    (
        Sender::new(format),
        Receiver::new(format, Replica::of(world)),
        Observer,
    )
}
