//! Inputs of a link beside its conditions: overrides of packets, and a recorded link.

use crate::trace::Trace;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Overrides and trace of a link, which travel as one value. The trace holds both ways, the overrides the way ahead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkInputs {
    /// The overrides of packets on the way ahead.
    pub overrides: Overrides,
    /// The recorded link in place of the modelled link.
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

/// The outcome of a packet, set by hand in place of its faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Override {
    /// Lost; in a stream the segment is sent again.
    Lost,
    /// Delivered, at the instant at which the packet arrives without loss. A cut loses it all the same.
    Delivered,
}

/// The overrides of packets, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides(BTreeMap<u64, Override>);

impl Overrides {
    /// Sets the override of a packet, or leaves the packet to its faults again.
    pub fn set(&mut self, number: u64, forced: Option<Override>) {
        match forced {
            Some(forced) => self.0.insert(number, forced),
            None => self.0.remove(&number),
        };
    }

    /// The override of a packet, if any.
    pub fn get(&self, number: u64) -> Option<Override> {
        self.0.get(&number).copied()
    }

    /// All that were set, by rising number.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Override)> {
        self.0.iter().map(|(&number, &forced)| (number, forced))
    }
}
