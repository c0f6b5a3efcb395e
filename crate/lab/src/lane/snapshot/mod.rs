//! Snapshot interpolation: the whole state goes over the wire, and the right side shows what arrives a little later.

mod acknowledger;
mod cached;
mod observer;
mod receiver;
mod sender;

use super::QUANTISED;
use crate::agreed::Agreed;
use crate::settings::LaneSettings;

pub(crate) use acknowledger::Acknowledger;
pub(super) use observer::Observer;
pub(super) use receiver::{Arrival, Receiver};
pub(crate) use sender::{Sender, quantise};

/// Sender, receiver and observer, with nothing sent yet.
pub(super) fn ends(settings: &LaneSettings, agreed: &Agreed) -> (Sender, Receiver, Observer) {
    let format = agreed.format(settings.rung(), settings.class(), settings);
    let initial = agreed.initial();
    let mut first = Vec::with_capacity(initial.len());
    quantise(&format, initial, &mut first);
    let simulation = agreed.simulation();
    (
        Sender::new(format, &first, simulation.clone()),
        Receiver::new(format, &first, simulation),
        Observer::new(format),
    )
}
