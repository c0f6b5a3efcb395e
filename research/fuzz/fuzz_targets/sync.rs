//! Any bytes as a sync packet of any format, and as an acknowledgement.
#![no_main]

use snapshot_fuzz::strategies as fuzz;
use snapshot_fuzz::timed::{PACKET, timed};
use std::cell::RefCell;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    thread_local!(static MADE: RefCell<fuzz::SyncEnds> = RefCell::default());
    MADE.with_borrow_mut(|made| timed(PACKET, data, |data| fuzz::sync_with(made, data)));
});
