//! Any bytes as a packet of any format with fields.
#![no_main]

use snapshot_fuzz::snapshots as fuzz;
use snapshot_fuzz::timed::{PACKET, timed};
use std::cell::RefCell;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    thread_local!(static MADE: RefCell<fuzz::Decoders> = RefCell::default());
    MADE.with_borrow_mut(|made| timed(PACKET, data, |data| fuzz::fields_with(made, data)));
});
