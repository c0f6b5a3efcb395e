//! Any bytes as datagrams at both ends of a connection.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_replication::fuzz::hello(data));
