//! Any bytes as a file of unknown kind, and as two files to judge.
#![no_main]

use snapshot_fuzz::timed::{JUDGED, timed};

libfuzzer_sys::fuzz_target!(|data: &[u8]| timed(JUDGED, data, snapshot_fuzz::files::files));
