//! Inputs of a link beside its conditions: fates of packets that are set by hand, and a recorded link.

use crate::trace::Trace;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The inputs of a link beside its conditions: a trace for both directions, and overrides for the direction to the receiver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkInputs {
    /// Outcomes that are set by hand for packets on the way to the receiver.
    pub overrides: Overrides,
    /// The recorded link that replaces the modelled one; `None` for the model.
    pub trace: Option<Arc<Trace>>,
}

impl From<Overrides> for LinkInputs {
    fn from(overrides: Overrides) -> LinkInputs {
        LinkInputs {
            overrides,
            trace: None,
        }
    }
}

/// The outcome of a packet that is set by hand, in place of its random faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Override {
    /// The packet is lost; in a stream the segment is sent again.
    Lost,
    /// The packet arrives, at the time at which it arrives without loss. A cut of the link still loses it.
    Delivered,
}

/// The outcomes that were set by hand, by packet number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides(BTreeMap<u64, Override>);

impl Overrides {
    /// Sets the outcome of a packet; `None` removes an earlier setting.
    pub fn set(&mut self, number: u64, forced: Option<Override>) {
        match forced {
            Some(forced) => self.0.insert(number, forced),
            None => self.0.remove(&number),
        };
    }

    /// Returns the outcome that was set for a packet; `None` if none was.
    pub fn get(&self, number: u64) -> Option<Override> {
        self.0.get(&number).copied()
    }

    /// Iterates over all settings, by rising packet number.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Override)> {
        self.0.iter().map(|(&number, &forced)| (number, forced))
    }
}
