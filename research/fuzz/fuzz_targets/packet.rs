//! Any bytes as a packet of any format.
#![no_main]

use snapshot_fuzz::snapshots as fuzz;
use snapshot_fuzz::timed::{PACKET, timed};
use std::cell::RefCell;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    thread_local!(static MADE: RefCell<fuzz::Decoders> = RefCell::default());
    MADE.with_borrow_mut(|made| timed(PACKET, data, |data| fuzz::packet_with(made, data)));
});
