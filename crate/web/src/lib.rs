//! The laboratory in a browser: a thin surface for JavaScript, and the renderer of both views.
//!
//! Nothing is decided here: settings and inputs go in, plain data and drawn frames come out.

mod blend;
pub mod challenge;
pub mod climb;
mod clock;
mod facts;
mod js;
mod lane_name;
mod lanes;
pub mod motion;
pub mod packets;
pub mod page;
pub mod panic;
pub mod schema;
pub mod seeing;
mod series;
pub mod tables;
pub mod time;
pub mod tour;
pub mod trade;
#[cfg(test)]
mod types;
pub mod views;
pub mod widths;
pub mod worked;
