//! Any bytes as a packet of inputs and as an acknowledgement.
#![no_main]

use snapshot_fuzz::timed::{PACKET, timed};

libfuzzer_sys::fuzz_target!(|data: &[u8]| timed(PACKET, data, snapshot_fuzz::strategies::inputs));
