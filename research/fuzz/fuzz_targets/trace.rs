//! Any bytes as a trace of a link.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_netsim::trace::fuzz(data));
