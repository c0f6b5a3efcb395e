//! The process beside a stand-in of the SDK's server, and its files.

mod lives;
mod manifest;
mod schema;
mod stand_in;
