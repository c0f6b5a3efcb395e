//! Any bytes as a permalink.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_app::link::fuzz(data));
