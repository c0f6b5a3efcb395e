//! Any bytes as a motion.
#![no_main]

use snapshot_fuzz::timed::{FILE, timed};

libfuzzer_sys::fuzz_target!(|data: &[u8]| timed(FILE, data, snapshot_record::motion::fuzz));
