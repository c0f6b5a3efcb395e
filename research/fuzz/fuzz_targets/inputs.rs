//! Any bytes as a packet of inputs and as an acknowledgement.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_fuzz::strategies::inputs(data));
