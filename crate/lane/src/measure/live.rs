//! Figures of a lane at one tick, for the page.

use super::metrics::{BitsByKind, ErrorNow, SyncMetrics};
use super::report::{HandReport, LockstepReport, Packets, bits_by_kind, delay_ms};
use crate::Lane;
use crate::strategy::strategy_ends::StrategyEnds;
use crate::surface::Screen;
use serde::Serialize;
use snapshot_base::time::WORLD;
use snapshot_view::interpolate::Tangents;
use std::sync::Arc;

/// Measurements of a lane at one tick, for the page. Bandwidth is counted over the bytes sent within the last second,
/// retransmissions of a stream included. Bits and bytes per packet are means over the packets of the last second.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Live {
    pub tick: u64,
    pub time_s: f64,
    #[serde(flatten)]
    pub packets: Packets,
    pub hitches: u64,
    pub longest_freeze_ms: f64,
    /// True if the frame shows nothing newer than the one before.
    pub still: bool,
    /// True if the receiver lacks the packet that it needs next.
    pub waits: bool,
    /// Time by which the picture is older than it is with every packet in time, ms. `None` before the first frame is shown.
    pub late_ms: Option<f64>,
    /// Number of snapshots that were never shown since the lane began; `None` if no snapshots are sent.
    pub skipped: Option<u64>,
    pub decode_mismatches: u64,
    /// Bandwidth to the receiver, kbit/s, headers included.
    pub kbps: f64,
    /// Mean bandwidth since the lane began, kbit/s.
    pub kbps_mean: f64,
    /// Bandwidth of rung 0 at the same send rate, kbit/s.
    pub uncompressed_kbps: f64,
    pub ack_kbps: f64,
    pub bytes_per_packet: f64,
    /// Mean packet size since the lane began, bytes.
    pub bytes_per_packet_mean: f64,
    pub fragments_per_packet: f64,
    pub changed_cubes: f64,
    pub bits_per_changed_cube: Option<f64>,
    /// Name of the items among which a packet's bits are divided: every `cube` if all are sent, else each `changed_cube`,
    /// `update` or `input`.
    #[cfg_attr(
        feature = "ts",
        ts(type = "\"cube\" | \"changed_cube\" | \"update\" | \"input\"")
    )]
    pub item: &'static str,
    pub items_per_packet: f64,
    #[serde(serialize_with = "bits_by_kind")]
    #[cfg_attr(feature = "ts", ts(as = "std::collections::BTreeMap<String, f64>"))]
    pub ledger_bits_per_packet: BitsByKind,
    #[serde(serialize_with = "bits_by_kind")]
    #[cfg_attr(feature = "ts", ts(as = "std::collections::BTreeMap<String, f64>"))]
    pub uncompressed_bits_per_packet: Arc<BitsByKind>,
    pub interacting_cubes: u32,
    pub position_error_mm: Now,
    pub orientation_error_deg: Now,
    pub surface_error_mm: SurfaceNow,
    pub surface_error_px: SurfaceNow,
    /// Playout delay, ms, counted from the arrival of the fastest packet; in links of version 1, of the first packet.
    pub delay_ms: f64,
    /// Playback speed: sender ticks played in this tick, 0 while play stands still.
    pub speed: f64,
    /// Age of the shown state, ms: playout delay, travel and waiting for the tick. It grows while nothing new arrives. `None`
    /// before the first frame is shown.
    pub behind_ms: Option<f64>,
    #[serde(flatten)]
    pub own: StrategyLive,
}

/// Measurements of a lane at one tick that only its strategy has. The JSON field `strategy` names the variant.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "strategy", rename_all = "lowercase")]
pub enum StrategyLive {
    Snapshot {
        /// Source of the velocities for Hermite interpolation: `sent`, or `neighbours` (Catmull-Rom); `None` in other modes.
        #[cfg_attr(feature = "ts", ts(type = "\"sent\" | \"neighbours\" | null"))]
        tangents: Option<&'static str>,
    },
    Sync(Box<SyncLive>),
    Lockstep(Box<LockstepLive>),
    Game(Box<HandReport>),
    /// A lane that shows the recording of another netcode's client, without measurements of its own.
    Plain {},
}

impl StrategyLive {
    fn new(lane: &Lane) -> StrategyLive {
        match &lane.ends {
            StrategyEnds::Snapshot(ends) => {
                let is_cubic = lane.settings.interpolation().row().is_cubic;
                let source = || match ends.tangents() {
                    Tangents::Sent => "sent",
                    Tangents::Neighbours => "neighbours",
                };
                StrategyLive::Snapshot {
                    tangents: is_cubic.then(source),
                }
            }
            StrategyEnds::Sync(ends) => {
                StrategyLive::Sync(Box::new(SyncLive::new(lane, ends.metrics())))
            }
            StrategyEnds::Lockstep(ends) => {
                let figures = ends.figures();
                StrategyLive::Lockstep(Box::new(LockstepLive {
                    inputs_per_packet: figures.sender.newest_packet_inputs,
                    report: LockstepReport::new(lane, &figures),
                }))
            }
            StrategyEnds::Game(ends) => StrategyLive::Game(Box::new(HandReport::at_tick(ends))),
            StrategyEnds::Client(_) => StrategyLive::Plain {},
        }
    }

    pub fn sync(&self) -> Option<&SyncLive> {
        if let StrategyLive::Sync(own) = self {
            Some(own)
        } else {
            None
        }
    }

    pub fn lockstep(&self) -> Option<&LockstepLive> {
        if let StrategyLive::Lockstep(own) = self {
            Some(own)
        } else {
            None
        }
    }

    pub fn game(&self) -> Option<&HandReport> {
        if let StrategyLive::Game(own) = self {
            Some(own)
        } else {
            None
        }
    }
}

/// Measurements of a lane at one tick that only lockstep has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LockstepLive {
    /// Number of inputs in the newest packet.
    pub inputs_per_packet: u64,
    #[serde(flatten)]
    pub report: LockstepReport,
}

impl std::ops::Deref for LockstepLive {
    type Target = LockstepReport;

    fn deref(&self) -> &LockstepReport {
        &self.report
    }
}

/// Root mean square and maximum of a quantity at one tick.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Errors"))]
pub struct Now {
    pub rms: f64,
    pub max: f64,
}

/// Mean and greatest surface error at one tick.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SurfaceErrors"))]
pub struct SurfaceNow {
    pub mean: f64,
    pub worst: f64,
}

impl SurfaceNow {
    /// Makes the surface errors of a tick, converted from mm by `unit`.
    fn new(now: &ErrorNow, unit: impl Fn(f64) -> f64) -> SurfaceNow {
        SurfaceNow {
            mean: unit(now.surface_mean_mm),
            worst: unit(now.surface_max_mm),
        }
    }
}

impl Live {
    /// Number of visible jumps of cubes by corrections since the lane began; state synchronisation only.
    pub fn pops(&self) -> u64 {
        self.own.sync().map_or(0, |sync| sync.pops)
    }

    /// The tick that a game's server has reached; `None` for another strategy.
    pub fn server_tick(&self) -> Option<u64> {
        self.own.game()?.server_tick
    }

    pub fn new(lane: &Lane, tick: u64) -> Live {
        let (metrics, settings) = (&lane.metrics, &lane.settings);
        let recent = metrics.recent.sums();
        Live {
            tick,
            time_s: settings.tick_rate().seconds_of_ticks(tick),
            packets: Packets::new(lane),
            hitches: metrics.hitches.frames,
            longest_freeze_ms: lane.ms_of_ticks(metrics.hitches.longest_freeze_ticks as f64),
            still: lane.is_still,
            waits: lane.playback.is_some_and(|playback| playback.hitch),
            late_ms: lane.playback.map(|playback| playback.late_ms),
            skipped: metrics.skipped,
            decode_mismatches: metrics.mismatches,
            kbps: metrics.forward.kbps(),
            kbps_mean: metrics.costs.kbps(lane.seconds()),
            uncompressed_kbps: kbps(lane.uncompressed.iter().sum(), settings.send_rate_hz()),
            ack_kbps: metrics.acks.kbps(),
            bytes_per_packet: recent.bytes_per_packet(),
            bytes_per_packet_mean: metrics.costs.bytes_per_packet(),
            fragments_per_packet: recent.fragments_per_packet(),
            changed_cubes: recent.changed_cubes_per_packet(),
            bits_per_changed_cube: recent.bits_per_changed_cube(),
            item: lane.ends.ends().item(),
            items_per_packet: recent.items_per_packet(),
            ledger_bits_per_packet: recent.bits_by_kind_per_packet(),
            uncompressed_bits_per_packet: Arc::clone(&lane.uncompressed),
            interacting_cubes: metrics.now.interacting_cubes,
            position_error_mm: Now {
                rms: metrics.now.position_rms_mm,
                max: metrics.now.position_max_mm,
            },
            orientation_error_deg: Now {
                rms: metrics.now.orientation_rms_deg,
                max: metrics.now.orientation_max_deg,
            },
            surface_error_mm: SurfaceNow::new(&metrics.now, |mm| mm),
            surface_error_px: SurfaceNow::new(&metrics.now, |mm| Screen::FIGURES.px_of_mm(mm)),
            delay_ms: lane.playback.map_or(delay_ms(lane), |it| it.delay_ms),
            speed: lane.playback.map_or(0.0, |it| it.speed),
            behind_ms: (lane.playback).map(|it| lane.ms_of_ticks(tick as f64 - it.shown_tick)),
            own: StrategyLive::new(lane),
        }
    }
}

/// Measurements of a lane at one tick that only state synchronisation has. `updates_per_packet` is a mean over the last second.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SyncLive {
    /// Present bandwidth budget, kbit/s; below the set budget if it has adapted to the link.
    pub budget_kbps: f64,
    pub updates_per_packet: f64,
    /// Distance between the receiver's and the sender's world, before smoothing, over interacting cubes, mm.
    pub divergence_mm: Now,
    /// Greatest distance between the receiver's and the sender's world, over cubes that sleep at the sender, mm.
    pub divergence_at_rest_max_mm: f64,
    /// Number of cubes that rest at the sender and are at another place, however near, at the receiver.
    pub cubes_at_rest_apart: u32,
    pub pops: u64,
    /// Median time since a cube's last update, ms.
    pub since_update_median_ms: f64,
    pub since_update_max_ms: f64,
}

impl SyncLive {
    fn new(lane: &Lane, sync: &SyncMetrics) -> SyncLive {
        let metrics = &lane.metrics;
        let (median_ticks, max_ticks) = sync.since_update_median_max();
        SyncLive {
            budget_kbps: sync.budget_kbps,
            updates_per_packet: metrics.recent.sums().changed_cubes_per_packet(),
            divergence_mm: Now {
                rms: sync.divergence_now.rms_mm,
                max: sync.divergence_now.max_mm,
            },
            divergence_at_rest_max_mm: sync.divergence_now.at_rest_max_mm,
            cubes_at_rest_apart: sync.divergence_now.at_rest_apart,
            pops: sync.pops,
            since_update_median_ms: WORLD.ms_of_tick(median_ticks as f64),
            since_update_max_ms: WORLD.ms_of_tick(max_ticks as f64),
        }
    }
}

/// Returns the bandwidth of packets of this size at this send rate, kbit/s.
fn kbps(bits_per_packet: f64, send_rate_hz: u32) -> f64 {
    bits_per_packet * f64::from(send_rate_hz) / 1000.0
}
