//! Target `hello`: see `snapshot_replication::fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_replication::fuzz::hello(data));
