//! Partial packets: as many objects as a budget allows, each against the newest state that the client acknowledged.
//!
//! A packet is one of the codec's. Its baseline is composed: each slot has the newest state of the packets that the header
//! names. A slot that the packet leaves out stays as in the baseline, so it costs what an unchanged slot costs.

mod base;
mod notes;
mod priority;
mod room;
mod sample;
mod sender;
mod twins;

pub(crate) use base::{ComposedBaseline, NAMED_PACKETS, PartialBase, named_numbers};
pub(crate) use notes::PartialNotes;
pub(crate) use room::PacketRoom;
pub(crate) use sample::{
    Floor, LATE_PACKETS, PlayInstant, ReceivedPacket, SampleWindow, SlotSample, SlotSamples,
    WINDOW_PACKETS,
};
pub(crate) use sender::{PartialPacket, PartialSender, PartialView};
pub(crate) use twins::remove_older_twins;
