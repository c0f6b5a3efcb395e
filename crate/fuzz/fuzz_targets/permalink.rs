//! Any bytes as a permalink: `cargo +nightly fuzz run permalink --fuzz-dir crate/fuzz`, or on stable with
//! `RUSTC_BOOTSTRAP=1`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_app::link::fuzz(data));
