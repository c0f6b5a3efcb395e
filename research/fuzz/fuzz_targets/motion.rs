//! Any bytes as a motion.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_record::motion::fuzz(data));
