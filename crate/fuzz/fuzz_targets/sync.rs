//! Any bytes as a sync packet of any format, and as an acknowledgement: `cargo +nightly fuzz run sync --fuzz-dir crate/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_codec::fuzz::sync(data));
