//! The codec from outside: golden packets, refusals, round trips, bounds, allocations. One program, because linking takes longest.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod allocations;
mod bounds;
mod exhaustive;
mod fields;
mod files;
mod golden;
mod identity;
mod ladder;
mod quantised;
mod refused;
mod round_trip;
mod rows;
mod simulated;
mod slots;
mod spans;
mod streams;
mod worked_example;
