//! Any bytes as datagrams at both ends of a connection.
#![no_main]

use snapshot_fuzz::timed::{PACKET, timed};

libfuzzer_sys::fuzz_target!(|data: &[u8]| timed(PACKET, data, snapshot_replication::fuzz::hello));
