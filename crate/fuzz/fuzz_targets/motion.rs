//! Any bytes as a motion: `cargo +nightly fuzz run motion --fuzz-dir crate/fuzz`, or on stable with `RUSTC_BOOTSTRAP=1`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_record::motion::fuzz(data));
