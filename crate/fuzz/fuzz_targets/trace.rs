//! Any bytes as a trace of a link: `cargo +nightly fuzz run trace --fuzz-dir crate/fuzz`, or on stable with
//! `RUSTC_BOOTSTRAP=1`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snapshot_netsim::trace::fuzz(data));
