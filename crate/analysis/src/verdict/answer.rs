//! The finished verdict as plain data.

use super::advice::RungAdvice;
use super::balance::BitsPair;
use super::engines::EngineRow;
use super::home::Home;
use super::measured_network::MeasuredNetwork;
use super::motion::MotionFigures;
use super::playing::{InterpolationResult, Taken};
use super::rates::Rates;
use super::warnings::Warning;
use crate::ladder::RungCost;
use crate::widths::Pair;
use serde::Serialize;

/// Bits of positions and orientations, chosen together by their surface error.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SurfaceAdvice {
    /// Greatest surface error that quantisation may cause, mm: half the limit. Without a limit it is the error of the default
    /// bits.
    pub wanted_mm: f64,
    /// True if some bits within the settings' range keep the wanted error.
    pub kept: bool,
    /// The bits of positions and orientations that take least bandwidth within the wanted error. The finest ones if none is within
    /// it.
    pub taken: BitsPair,
    /// The default bits of positions and orientations.
    pub set: BitsPair,
    /// All measured pairs of bits, cheapest first.
    pub pairs: Vec<BitsPair>,
}

/// Recommended bits and widths.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WidthAdvice {
    /// Packets a second at which bits were compared: the recommended rate, once it is known.
    pub rate_hz: u32,
    pub surface: SurfaceAdvice,
    /// The cheapest pair of widths of position differences, for rungs 9 to 11.
    pub position: Pair,
    /// The cheapest pair of widths of orientation differences, for rungs 10 and 11.
    pub orientation: Pair,
    /// Mean number of bits of position and orientation for each changed cube, at the current widths.
    pub set_bits_per_changed_cube: f64,
    /// Recommended world bounds, which fit the motion, m.
    pub best_bounds: [[i32; 3]; 2],
    /// Number of bits of a position that is sent absolute, within the motion's own bounds, and within `best_bounds`.
    pub absolute_bits: [u32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct VerdictWindow {
    /// The tick before the window's first tick.
    pub after_tick: u64,
    pub last_tick: u64,
    pub seconds: f64,
    pub tick_rate_hz: u32,
    /// Send rate of all values that name no other rate: the recommended rate, or the link's rate before all rates are
    /// measured.
    pub send_rate_hz: u32,
}

/// A verdict: the JSON of `snapshot-lab verdict`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "VerdictAnswer"))]
pub struct Answer {
    /// Costs of the rungs at the verdict's send rate, in the class of the link.
    pub rungs: Vec<RungCost>,
    pub rung: RungAdvice,
    /// Mean bandwidth of the recommended rung without IP and UDP headers, kbit/s, for comparison with the payload of other
    /// engines.
    pub payload_kbps: f64,
    pub widths: WidthAdvice,
    /// Results of all tried interpolation modes and delays at the verdict's send rate.
    pub tried: Vec<InterpolationResult>,
    pub warnings: Vec<Warning>,
    pub engines: Vec<EngineRow>,
    /// Link of the recommended settings.
    pub link: String,
    /// The decision as a link carries it, by the key `card`; `None` before the rates are measured.
    pub card: Option<String>,
    /// Recommended settings for a server and its client, at the recommended rate.
    pub home: Home,
    /// Measurements of the recommended settings.
    pub taken: Taken,
    pub motion: MotionFigures,
    pub window: VerdictWindow,
    /// MTU above which a packet counts as too large, headers included, bytes.
    pub mtu_bytes: u32,
    /// Results of every send rate and delay, and the recommended point; `None` before all are measured.
    pub rates: Option<Rates>,
    #[serde(skip)]
    pub(super) measured_over: MeasuredNetwork,
    /// The network of all values, in words.
    pub network: String,
}
