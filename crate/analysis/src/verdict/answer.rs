//! The verdict as data.

use super::advice::{RungAdvice, VerdictRung};
use super::bits_for_error::BitsOption;
use super::engines::EngineRow;
use super::home::Home;
use super::motion::MotionFigures;
use super::networks::Networks;
use super::playing::{Freezes, InterpolationResult};
use super::rates::Rates;
use super::server::ServerBill;
use super::warnings::Warning;
use crate::widths::Pair;
use serde::Serialize;

/// The bits and widths for a wanted error.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WidthAdvice {
    /// The wanted error of a position, mm; none leaves the bits as they are set.
    pub wanted_mm: Option<f64>,
    /// The wanted error of an orientation, degrees.
    pub wanted_deg: Option<f64>,
    /// Both wanted errors are kept by bits that can be set.
    pub kept: bool,
    /// The bits of positions, and their errors in mm.
    pub position_bits: BitsOption,
    /// The bits of orientations, and their errors in degrees.
    pub orientation_bits: BitsOption,
    /// Widths of positions with the fewest bits, for rungs 9 to 11.
    pub position: Pair,
    /// Widths of orientations.
    pub orientation: Pair,
    /// Bits a changed cube of both, at the widths that are set.
    pub set_bits_per_changed_cube: f64,
    /// Bounds that are in force.
    pub bounds: [[i32; 3]; 2],
    /// Bounds that fit the motion.
    pub best_bounds: [[i32; 3]; 2],
    /// Bits of an absolute position within the first and within the second.
    pub absolute_bits: [u32; 2],
    /// Every number of bits of a position, with its errors.
    pub position_options: Vec<BitsOption>,
    /// Every number of bits of an orientation.
    pub orientation_options: Vec<BitsOption>,
}

/// The way to interpolate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct InterpolationAdvice {
    /// The one to take.
    pub best: InterpolationResult,
    /// All tried combinations.
    pub tried: Vec<InterpolationResult>,
    /// Jumps of objects, which no error counts.
    pub jumps: u64,
}

/// The settings to take, measured on this motion over this link.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Taken {
    /// Mean, counted header included.
    pub kbps: f64,
    /// Errors of the right view.
    pub played: InterpolationResult,
}

/// The ticks that the verdict is of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct VerdictWindow {
    /// The tick before the first.
    pub after_tick: u64,
    /// The last tick.
    pub last_tick: u64,
    /// Its length.
    pub seconds: f64,
    /// Ticks a second.
    pub tick_rate_hz: u32,
    /// Packets a second.
    pub send_rate_hz: u32,
}

/// A verdict: the JSON of `snapshot-lab verdict`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "VerdictAnswer"))]
pub struct Answer {
    /// Bits on each rung, in the class of the link.
    pub rungs: Vec<VerdictRung>,
    /// The rung to take, and why.
    pub rung: RungAdvice,
    /// Bits, widths and bounds.
    pub widths: WidthAdvice,
    /// Interpolation and playout delay.
    pub interpolation: InterpolationAdvice,
    /// By name.
    pub warnings: Vec<Warning>,
    /// Other engines at their defaults.
    pub engines: Vec<EngineRow>,
    /// The settings to take.
    pub link: String,
    /// The settings of the recommended rate as a server and its client, in three languages.
    pub home: Home,
    /// The settings to take as lines of Rust for the codec alone.
    pub rust: Vec<String>,
    /// The settings to take, played once more as a check.
    pub taken: Taken,
    /// Figures of the motion.
    pub motion: MotionFigures,
    /// The ticks that it is of.
    pub window: VerdictWindow,
    /// The size above which a packet counts as too large, headers included.
    pub mtu_bytes: u32,
    /// Freezes of the settings to take.
    pub freezes: Freezes,
    /// The command line that gives the same figures; none where no command makes the motion again.
    pub command: Option<String>,
    /// Every rate with its delays, and the point to take; none before they are measured.
    pub rates: Option<Rates>,
    /// One setting for several networks; none before they are measured.
    pub networks: Option<Networks>,
    /// The bill of a server; none before engines are measured at the recommended rate.
    pub server: Option<ServerBill>,
}
