//! Any bytes as a packet of inputs and as an acknowledgement: `cargo +nightly fuzz run inputs --fuzz-dir crate/fuzz`, or
//! on stable with `RUSTC_BOOTSTRAP=1`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_strategies::fuzz::inputs(data));
