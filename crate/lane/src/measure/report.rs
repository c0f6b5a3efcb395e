//! Figures of a lane, as plain data for the page, the command line and tests.

use super::metrics::{
    BitsByKind, DistanceBand, DistanceMetrics, Distribution, HandMetrics, LinkFigures,
    LockstepFigures, Mean, SyncMetrics,
};
use crate::Lane;
use crate::strategy::game::ends::GameEnds;
use crate::strategy::strategy_ends::StrategyEnds;
use crate::surface::Screen;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use snapshot_base::time::WORLD;
use snapshot_codec::Kind;
use snapshot_settings::Settings;
use snapshot_settings::schema::SCHEMA;
use std::borrow::Borrow;

/// Results of a link's run from the lane's start: the JSON of `snapshot-lab run`.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// Settings of the link.
    #[serde(serialize_with = "settings_by_key")]
    pub settings: Settings,
    /// Measurements of the lane over the run.
    #[serde(flatten)]
    pub report: Report,
}

/// Measurements of a lane from its start. The help of the command `run` defines each.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub ticks: u64,
    #[serde(flatten)]
    pub packets: Packets,
    pub bytes_per_packet_mean: f64,
    pub bytes_per_packet_p95: f64,
    pub fragments_per_packet_mean: f64,
    /// Mean bandwidth to the receiver, kbit/s, headers included.
    pub kbps_mean: f64,
    pub ack_kbps_mean: f64,
    #[serde(serialize_with = "bits_by_kind")]
    pub ledger_bits_per_packet: BitsByKind,
    pub changed_cubes_mean: f64,
    pub bits_per_changed_cube: Option<f64>,
    pub position_error_mm: Spread,
    pub orientation_error_deg: Spread,
    pub surface_error_mm: SurfaceSpread,
    pub surface_error_px: SurfaceSpread,
    /// Playout delay in ms: as set, or the mean of an adaptive one.
    pub playout_ms: f64,
    /// Queueing, delay and loss of packets to the receiver.
    #[serde(flatten)]
    pub link: LinkFigures,
    /// Number of frames without a snapshot to interpolate towards.
    pub hitches: u64,
    pub longest_freeze_ms: f64,
    #[serde(flatten)]
    pub playout: PlayoutReport,
    pub decode_mismatches: u64,
    /// Number of snapshots that could not be compared, because the tape no longer stored them.
    pub decode_not_compared: u64,
    #[serde(serialize_with = "hex")]
    pub state_hash: u64,
    #[serde(serialize_with = "hex")]
    pub view_hash: u64,
    #[serde(serialize_with = "hex")]
    pub packets_hash: u64,
    #[serde(flatten)]
    pub own: StrategyReport,
}

/// Measurements of a lane's run that only its strategy has.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum StrategyReport {
    /// Strategies without measurements of their own.
    Plain {},
    Lockstep(LockstepReport),
    Sync(SyncReport),
    Game(Box<HandReport>),
}

impl StrategyReport {
    fn new(lane: &Lane) -> StrategyReport {
        match &lane.ends {
            StrategyEnds::Snapshot(_) | StrategyEnds::Client(_) => StrategyReport::Plain {},
            StrategyEnds::Lockstep(ends) => {
                StrategyReport::Lockstep(LockstepReport::new(lane, &ends.figures()))
            }
            StrategyEnds::Sync(ends) => StrategyReport::Sync(SyncReport::new(lane, ends.metrics())),
            StrategyEnds::Game(ends) => {
                StrategyReport::Game(Box::new(HandReport::of_run(lane, ends)))
            }
        }
    }

    pub fn lockstep(&self) -> Option<&LockstepReport> {
        if let StrategyReport::Lockstep(own) = self {
            Some(own)
        } else {
            None
        }
    }

    pub fn sync(&self) -> Option<&SyncReport> {
        if let StrategyReport::Sync(own) = self {
            Some(own)
        } else {
            None
        }
    }

    pub fn game(&self) -> Option<&HandReport> {
        if let StrategyReport::Game(own) = self {
            Some(own)
        } else {
            None
        }
    }
}

/// Counts of the packets to the receiver by their fate, since the lane's start.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PacketCounts"))]
pub struct Packets {
    #[serde(rename = "packets_sent")]
    pub sent: u64,
    #[serde(rename = "packets_delivered")]
    pub delivered: u64,
    #[serde(rename = "packets_lost")]
    pub lost: u64,
    /// Percentage of lost packets among the packets whose fate is known; `None` before the first of these.
    pub loss_percent_happened: Option<f64>,
    #[serde(rename = "packets_in_flight")]
    pub in_flight: u64,
    #[serde(rename = "packets_duplicated")]
    pub duplicated: u64,
    #[serde(rename = "packets_late")]
    pub late: u64,
    /// Number of packets that arrived after a newer one, where packets are shown at once.
    #[serde(rename = "packets_overtaken")]
    pub overtaken: u64,
    /// Number of packets that arrived while the receiver's view stood still for want of them.
    #[serde(rename = "packets_awaited")]
    pub awaited: u64,
    #[serde(rename = "packets_refused")]
    pub refused: u64,
}

impl Packets {
    pub(super) fn new(lane: &Lane) -> Packets {
        let (metrics, counters) = (&lane.metrics, lane.counters());
        let known = counters.lost + counters.delivered;
        Packets {
            sent: counters.sent,
            delivered: counters.delivered,
            lost: counters.lost,
            loss_percent_happened: (known > 0).then(|| 100.0 * counters.lost as f64 / known as f64),
            in_flight: counters.in_flight(),
            duplicated: counters.duplicated,
            late: metrics.late,
            overtaken: metrics.overtaken,
            awaited: metrics.awaited,
            refused: metrics.refused,
        }
    }
}

/// Delay, still frames and skipped snapshots over a run; means are `None` before anything is shown.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlayoutReport {
    /// Number of freezes: runs of still frames.
    pub freezes: u64,
    /// Time of the still frames, which show nothing newer than the frame before, ms.
    pub still_ms: f64,
    /// Mean time by which the picture is older than it is with every packet in time, ms.
    pub late_ms_mean: Option<f64>,
    /// Number of snapshots that were never shown; `None` if no snapshots are sent.
    pub skipped: Option<u64>,
    pub playout_delay_ms_mean: Option<f64>,
    /// Mean age of the shown state, ms.
    pub behind_ms_mean: Option<f64>,
    /// Mean time that a simulated frame waits until poses between the last two frames are shown, ms; a part of the age.
    pub between_frames_ms_mean: Option<f64>,
}

impl PlayoutReport {
    fn new(lane: &Lane) -> PlayoutReport {
        let playout = &lane.metrics.playout;
        PlayoutReport {
            freezes: lane.metrics.hitches.freezes,
            still_ms: lane.ms_of_ticks(lane.metrics.hitches.still as f64),
            late_ms_mean: playout.late_ms_mean(),
            skipped: lane.metrics.skipped,
            playout_delay_ms_mean: playout.delay_ms_mean(),
            behind_ms_mean: playout.behind_ms_mean(),
            between_frames_ms_mean: playout.between_frames_ms_mean(),
        }
    }
}

/// Measurements of a lane, since its start, that only lockstep has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "LockstepFigures"))]
pub struct LockstepReport {
    /// The first frame whose checksums differ; `None` while the worlds are equal.
    pub first_desync_frame: Option<u64>,
    pub frames_checked: u64,
    pub inputs_per_packet_mean: f64,
    pub inputs_waiting: u64,
    pub stalls: u64,
    pub stalls_per_minute: f64,
    pub stalled_ms_per_minute: f64,
    pub catch_up_steps: u64,
    pub retransmissions: u64,
    pub window_full_ticks: u64,
    pub given_up: bool,
}

impl LockstepReport {
    pub(super) fn new(lane: &Lane, figures: &LockstepFigures) -> LockstepReport {
        let metrics = &lane.metrics;
        let minutes = WORLD.seconds_of_ticks(metrics.ticks.max(1)) / 60.0;
        LockstepReport {
            first_desync_frame: figures.observer.first_desync_frame,
            frames_checked: figures.observer.frames_checked,
            inputs_per_packet_mean: figures.sender.inputs_sent as f64
                / metrics.costs.packets().max(1) as f64,
            inputs_waiting: figures.receiver.inputs_waiting,
            stalls: figures.receiver.stalls,
            stalls_per_minute: figures.receiver.stalls as f64 / minutes,
            stalled_ms_per_minute: WORLD.ms_of_tick(figures.receiver.stalled_ticks as f64)
                / minutes,
            catch_up_steps: figures.receiver.catch_up_steps,
            retransmissions: lane.counters().retransmitted,
            window_full_ticks: figures.sender.window_full_ticks,
            given_up: figures.sender.given_up,
        }
    }
}

/// Statistics of a quantity over a run.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Spread {
    pub rms: f64,
    pub p50: f64,
    pub p95: f64,
    pub max: f64,
}

impl From<&Distribution> for Spread {
    fn from(distribution: &Distribution) -> Spread {
        Spread {
            rms: distribution.rms(),
            p50: distribution.p50(),
            p95: distribution.p95(),
            max: distribution.max(),
        }
    }
}

/// Surface errors over a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SurfaceSpread {
    pub mean: f64,
    pub p95: f64,
    pub worst: f64,
}

impl SurfaceSpread {
    /// Makes the surface errors of a run, converted from mm by `unit`.
    pub fn new(errors_mm: &Distribution, unit: impl Fn(f64) -> f64) -> SurfaceSpread {
        SurfaceSpread {
            mean: unit(errors_mm.mean()),
            p95: unit(errors_mm.p95()),
            worst: unit(errors_mm.max()),
        }
    }
}

/// Measurements of a lane, since its start, that only state synchronisation has.
#[derive(Clone, Debug, Serialize)]
pub struct SyncReport {
    pub updates_per_packet_mean: f64,
    pub divergence_mm: Spread,
    /// Greatest distance between a resting cube's place at the sender and at the receiver, at the last tick, mm.
    pub divergence_at_rest_mm: f64,
    pub cubes_at_rest_apart: u32,
    pub at_rest_apart_max_ms: f64,
    pub pops: u64,
    pub glide_max_percent: f64,
    pub since_update_median_ms: f64,
    pub since_update_max_ms: f64,
    pub budget_kbps: f64,
}

impl SyncReport {
    fn new(lane: &Lane, sync: &SyncMetrics) -> SyncReport {
        let metrics = &lane.metrics;
        let (median_ticks, max_ticks) = sync.since_update_median_max();
        SyncReport {
            updates_per_packet_mean: metrics.costs.changed_cubes_per_packet(),
            divergence_mm: Spread::from(&sync.divergence_mm),
            divergence_at_rest_mm: sync.divergence_now.at_rest_max_mm,
            cubes_at_rest_apart: sync.divergence_now.at_rest_apart,
            at_rest_apart_max_ms: WORLD.ms_of_tick(sync.apart_ticks_max as f64),
            pops: sync.pops,
            glide_max_percent: 100.0 * sync.glide_max,
            since_update_median_ms: WORLD.ms_of_tick(median_ticks as f64),
            since_update_max_ms: WORLD.ms_of_tick(max_ticks as f64),
            budget_kbps: sync.budget_kbps,
        }
    }
}

/// Measurements of a lane that only a game has. At a tick they belong to the newest key; over a run they are means.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "HandLive"))]
pub struct HandReport {
    /// Time from a key to its effect on the driver's cube on the driver's screen, ms.
    pub hand_ms: Option<f64>,
    pub hand_others_ms: Option<f64>,
    pub hand_server_ms: Option<f64>,
    pub aim_now_mm: Option<f64>,
    pub aim_rewound_mm: Option<f64>,
    pub keys_missing: u64,
    pub keys_late: u64,
    pub keys_lost: u64,
    pub keys_repeated: u64,
    pub key_margin_ms: Option<f64>,
    /// Percentage by which the client's clock is faster than the server's.
    pub clock_percent: f64,
    pub corrections: u64,
    pub corrections_below_resolution: u64,
    pub correction_mm: CorrectionSpread,
    pub corrections_by_cause: CorrectionCauses,
    pub resimulated_ticks: u64,
    pub simulated_ticks: u64,
    /// Number of ticks that the client simulated in the newest tick.
    pub simulated_now: u64,
    pub predicted_cubes: u64,
    pub forks_mb: f64,
    /// The tick of the lane that the server has reached.
    pub server_tick: Option<u64>,
    /// Number of clients that the server serves. `server_kbps` is the bandwidth to all clients; `server_back_kbps`, from
    /// all clients, exists for runs only.
    pub clients_served: u64,
    pub server_kbps: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub server_back_kbps: Option<f64>,
    /// Number of cubes within the client's sight that have not reached the client yet.
    pub missing_cubes: u64,
    /// Ages and errors by distance from the driver's cube; empty without a budget, a limit of sight or a crowd.
    pub by_distance: Vec<DistanceBand>,
    /// Ages and errors of cubes near the driver's cube; of a run only. `far` has the cubes far from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub near: Option<DistanceSpread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub far: Option<DistanceSpread>,
}

/// Ages and errors of the cubes within 20 m of the driver's cube, or of the cubes farther away.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DistanceSpread {
    pub age_ms_mean: f64,
    pub age_ms_p99: f64,
    pub error_mm_mean: f64,
    pub error_mm_p95: f64,
}

impl DistanceSpread {
    fn new(distances: &DistanceMetrics, which: usize) -> DistanceSpread {
        let (age_ms, error_mm) = (&distances.age_ms[which], &distances.error_mm[which]);
        DistanceSpread {
            age_ms_mean: age_ms.mean(),
            age_ms_p99: age_ms.quantile(0.99),
            error_mm_mean: error_mm.mean(),
            error_mm_p95: error_mm.p95(),
        }
    }
}

/// Statistics of the sizes of corrections. The size is the greatest error of a corrected cube, mm.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CorrectionSpread {
    pub mean: f64,
    pub p95: f64,
    pub max: f64,
}

/// Numbers of corrections by cause.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CorrectionCauses {
    pub keys: u64,
    pub rival: u64,
    pub unpredicted: u64,
    pub values: u64,
}

impl HandReport {
    /// Returns a game's measurements at the newest tick.
    pub(super) fn at_tick(ends: &GameEnds) -> HandReport {
        let distances = ends.distances();
        HandReport {
            by_distance: distances.map_or_else(Vec::new, DistanceMetrics::of_second),
            ..HandReport::new(ends.metrics(), Mean::newest)
        }
    }

    /// Returns a game's measurements since the lane began.
    fn of_run(lane: &Lane, ends: &GameEnds) -> HandReport {
        let distances = ends.distances();
        let spread = |which| distances.map(|it| DistanceSpread::new(it, which));
        let hand = ends.metrics();
        let kbps = |bytes| hand.bill.mean_kbps(bytes, lane.settings.tick_rate());
        HandReport {
            server_kbps: kbps(hand.bill.sent_bytes).unwrap_or(0.0),
            server_back_kbps: kbps(hand.bill.received_bytes),
            by_distance: distances.map_or_else(Vec::new, DistanceMetrics::of_run),
            near: spread(0),
            far: spread(1),
            ..HandReport::new(hand, Mean::mean)
        }
    }

    fn new(hand: &HandMetrics, figure: fn(&Mean) -> Option<f64>) -> HandReport {
        let [keys, rival, unpredicted, values] = hand.causes;
        HandReport {
            hand_ms: figure(&hand.own_ms),
            hand_others_ms: figure(&hand.others_ms),
            hand_server_ms: figure(&hand.server_ms),
            aim_now_mm: figure(&hand.aim_now_mm),
            aim_rewound_mm: figure(&hand.aim_rewound_mm),
            keys_missing: hand.keys.missing,
            keys_late: hand.keys.late,
            keys_lost: hand.keys.missing - hand.keys.late,
            keys_repeated: hand.keys.repeated,
            key_margin_ms: hand.margin_ms,
            clock_percent: hand.clock_percent,
            corrections: hand.prediction.corrections,
            corrections_below_resolution: hand.prediction.below_resolution,
            correction_mm: CorrectionSpread {
                mean: hand.correction_mm.mean(),
                p95: hand.correction_mm.p95(),
                max: hand.correction_mm.max(),
            },
            corrections_by_cause: CorrectionCauses {
                keys,
                rival,
                unpredicted,
                values,
            },
            resimulated_ticks: hand.prediction.resimulated_ticks,
            simulated_ticks: hand.prediction.simulated_ticks,
            simulated_now: hand.simulated_now,
            predicted_cubes: hand.predicted_cubes as u64,
            forks_mb: hand.forks_bytes as f64 / 1e6,
            server_tick: hand.server_tick,
            clients_served: hand.bill.clients as u64,
            server_kbps: hand.bill.sent_kbps(),
            server_back_kbps: None,
            missing_cubes: hand.missing_objects as u64,
            by_distance: Vec::new(),
            near: None,
            far: None,
        }
    }
}

impl Report {
    /// Returns the report with its errors in pixels computed for another screen.
    #[must_use]
    pub fn on(mut self, screen: Screen) -> Report {
        let SurfaceSpread { mean, p95, worst } = self.surface_error_mm;
        let [mean, p95, worst] = [mean, p95, worst].map(|mm| screen.px_of_mm(mm));
        self.surface_error_px = SurfaceSpread { mean, p95, worst };
        self
    }

    /// Creates a report of a lane's measurements. `state_hash` is the hash of the sender's world.
    pub fn new(lane: &Lane, state_hash: u64) -> Report {
        let metrics = &lane.metrics;
        Report {
            ticks: metrics.ticks,
            packets: Packets::new(lane),
            bytes_per_packet_mean: metrics.costs.bytes_per_packet(),
            bytes_per_packet_p95: metrics.packet_bytes.p95(),
            fragments_per_packet_mean: metrics.costs.fragments_per_packet(),
            kbps_mean: metrics.costs.kbps(lane.seconds()),
            ack_kbps_mean: ack_kbps(lane),
            ledger_bits_per_packet: metrics.costs.bits_by_kind_per_packet(),
            changed_cubes_mean: metrics.costs.changed_cubes_per_packet(),
            bits_per_changed_cube: metrics.costs.bits_per_changed_cube(),
            position_error_mm: Spread::from(&metrics.position_error_mm),
            orientation_error_deg: Spread::from(&metrics.orientation_error_deg),
            surface_error_mm: SurfaceSpread::new(&metrics.surface_error_mm, |mm| mm),
            surface_error_px: SurfaceSpread::new(&metrics.surface_error_mm, |mm| {
                Screen::FIGURES.px_of_mm(mm)
            }),
            playout_ms: delay_ms(lane),
            link: metrics.link.figures(),
            hitches: metrics.hitches.frames,
            longest_freeze_ms: lane.ms_of_ticks(metrics.hitches.longest_freeze_ticks as f64),
            playout: PlayoutReport::new(lane),
            decode_mismatches: metrics.mismatches,
            decode_not_compared: metrics.not_compared,
            state_hash,
            view_hash: lane.view.hash(),
            packets_hash: metrics.packets_hash.finish(),
            own: StrategyReport::new(lane),
        }
    }
}

/// Playout delay in ms: as set, or the mean of an adaptive one.
pub(super) fn delay_ms(lane: &Lane) -> f64 {
    let mean = lane.metrics.playout.delay_ms_mean();
    lane.settings.delay_ms().or(mean).unwrap_or(0.0)
}

/// Mean bandwidth of acknowledgements since the lane began, kbit/s, headers included.
fn ack_kbps(lane: &Lane) -> f64 {
    let metrics = &lane.metrics;
    let bits = metrics.ack_bytes as f64 * 8.0;
    if metrics.ticks == 0 {
        0.0
    } else {
        bits / lane.seconds() / 1000.0
    }
}

fn settings_by_key<S: Serializer>(settings: &Settings, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(SCHEMA.len()))?;
    for setting in &SCHEMA {
        map.serialize_entry(setting.id, &settings.text(setting.key))?;
    }
    map.end()
}

pub(crate) fn bits_by_kind<S: Serializer>(
    bits: &impl Borrow<BitsByKind>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let bits = bits.borrow();
    let mut map = serializer.serialize_map(Some(bits.len()))?;
    for (kind, bits) in Kind::ALL.iter().zip(bits) {
        map.serialize_entry(kind.name(), bits)?;
    }
    map.end()
}

fn hex<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{hash:016x}"))
}
