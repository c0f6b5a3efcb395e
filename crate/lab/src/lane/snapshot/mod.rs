//! Snapshot interpolation: the whole state goes over the wire, and the right side shows what arrives a little later.

mod acknowledger;
mod cached;
mod observer;
mod receiver;
mod sender;

use super::QUANTISED;
use crate::settings::LaneSettings;
use snapshot_codec::CubeState;

pub(crate) use acknowledger::Acknowledger;
pub(super) use observer::Observer;
pub(super) use receiver::{Arrival, Receiver};
pub(crate) use sender::{Sender, quantise};

/// Sender, receiver and observer, with nothing sent yet. `initial` is the scene's starting grid, known to both sides.
pub(super) fn ends(settings: &LaneSettings, initial: &[CubeState]) -> (Sender, Receiver, Observer) {
    let format = super::format(settings.rung(), settings, initial.len());
    let mut first = Vec::with_capacity(initial.len());
    quantise(&format, initial, &mut first);
    (
        Sender::new(format, &first),
        Receiver::new(format, &first),
        Observer::new(format),
    )
}
