//! Any bytes as a permalink.
#![no_main]

use snapshot_fuzz::timed::{LINK, timed};

libfuzzer_sys::fuzz_target!(|data: &[u8]| timed(LINK, data, snapshot_app::link::fuzz));
