//! Any bytes as a packet of any format: `cargo +nightly fuzz run packet --fuzz-dir crate/fuzz`, or on stable with
//! `RUSTC_BOOTSTRAP=1`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_codec::fuzz::packet(data));
