//! Any bytes as payloads of an end with the key.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_replication::fuzz::payload(data));
