#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod anatomy;
mod budget;
mod chunk_window;
mod client;
mod clocks;
mod congestion;
pub mod connection;
mod encoding;
mod error_name;
mod extras;
mod figures;
mod flat_settings;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzz;
mod held;
pub mod inputs;
mod joining;
mod messages;
mod object;
mod pace;
mod partial;
mod path_limits;
mod path_mtu;
mod payload;
mod payload_error;
pub mod recording;
mod replica;
mod server;
mod settings;
mod shown;
mod slot_set;
mod sorted;
/// The specification of every byte, `FORMAT.md` of this package.
#[cfg(doc)]
#[doc = include_str!("../FORMAT.md")]
pub mod specification {}
/// The specification of a recording, `RECORDING.md` of this package.
#[cfg(doc)]
#[doc = include_str!("../RECORDING.md")]
pub mod recording_format {}
#[cfg(test)]
mod tests;
mod unread;
mod world;

pub use anatomy::{DatagramPart, PartKind, datagram_parts};
pub use client::{Client, ConnectionEvent};
pub use connection::{LeaveReason, Peer, PeerEvent, Refusal, RefusalReason, RefusedCounts, Status};
pub use encoding::PacketCounts;
pub use error_name::error_name;
pub use figures::{Figures, Traffic};
pub use flat_settings::{FlatSettings, SETTING_FIELDS, SettingDomain, SettingField};
pub use messages::{MESSAGE_COST_BYTES, MESSAGE_QUEUE_BYTES};
pub use object::{Interest, Object, ObjectChanges, ObjectError, TickError};
pub use path_limits::PathLimits;
pub use payload::MESSAGE_BYTES_MAX;
pub use payload_error::PayloadError;
pub use server::{DatagramOutcome, Server};
pub use settings::{ObjectField, OutOfBounds, Settings, SettingsError};
pub use shown::ShownInstant;
pub use snapshot_codec::{Bounds, Class, ConfigError, QuantisationBits, Rung};
pub use snapshot_view::interpolate::Interpolation;
pub use snapshot_view::playout::{Aim, Playout};
