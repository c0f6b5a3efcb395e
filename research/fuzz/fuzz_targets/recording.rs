//! Any bytes as a recording of a client, and as its calls.
#![no_main]

use snapshot_fuzz::timed::{PACKET, timed};

libfuzzer_sys::fuzz_target!(|data: &[u8]| timed(
    PACKET,
    data,
    snapshot_replication::fuzz::recording
));
