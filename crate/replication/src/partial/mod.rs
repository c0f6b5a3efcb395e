//! Partial packets: each has the objects that a client's budget has room for, encoded against the newest acknowledged state.
//!
//! The codec encodes each packet. Its baseline is composed: each slot, an object's place in snapshots, has its newest state
//! among the packets that the header names. A slot that the packet leaves out stays as in the baseline, so it costs no more
//! than an unchanged slot.

mod base;
mod notes;
mod priority;
mod room;
mod sample;
mod sender;
mod twins;
mod unseen;

pub(crate) use base::{ComposedBaseline, NAMED_PACKETS, PartialBase, named_numbers};
pub(crate) use notes::PartialNotes;
pub(crate) use room::PacketRoom;
pub(crate) use sample::{
    Floor, LATE_PACKETS, PlayInstant, ReceivedPacket, SampleWindow, SlotSample, SlotSamples,
    WINDOW_PACKETS, has_ended,
};
pub(crate) use sender::{PartialPacket, PartialSender, PartialView, SentPartial};
pub(crate) use twins::remove_older_twins;
