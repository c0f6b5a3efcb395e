//! `cargo +nightly fuzz run packet --fuzz-dir crate/fuzz`: any bytes as a packet of any format.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_codec::fuzz::packet(data));
