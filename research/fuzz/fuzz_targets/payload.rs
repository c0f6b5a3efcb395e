//! Any bytes as payloads of an end with the key.
#![no_main]

use snapshot_fuzz::timed::{PACKET, timed};

libfuzzer_sys::fuzz_target!(|data: &[u8]| timed(PACKET, data, snapshot_replication::fuzz::payload));
