//! Lanes and strategies from outside: golden packets, refusals, round trips. One program, because linking takes longest.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod allocations;
#[path = "../../../codec/tests/all/fields/mod.rs"]
mod fields;
mod lines;
mod lockstep;
mod refused;
mod sync_golden;
mod sync_refusals;
mod sync_round_trip;
