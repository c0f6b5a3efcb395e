//! Figures that only a game has. The *hand* is the client of the person who drives: its delays, the arrivals of its keys,
//! and the corrections of its prediction.

use super::{Distribution, LastSecond};
use crate::strategy::game::{Correction, PredictionFigures};
use serde::Serialize;
use snapshot_base::time::TickRate;
use snapshot_replication::inputs::InputArrivals;
use snapshot_settings::LaneSettings;

/// Reason why a prediction was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CorrectionCause {
    /// The server did not have the driver's keys in time.
    Keys,
    /// The rival, whom another hand or a script drives, pressed other keys than the client predicted.
    Rival,
    /// A cube that the client does not predict was in the way.
    Unpredicted,
    /// An earlier correction had set quantised states, without the warm start of the physics solver.
    Values,
}

impl CorrectionCause {
    pub const ALL: [CorrectionCause; 4] = [
        CorrectionCause::Keys,
        CorrectionCause::Rival,
        CorrectionCause::Unpredicted,
        CorrectionCause::Values,
    ];
}

/// A correction, in ticks of the lane, with its cause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CausedCorrection {
    pub correction: Correction,
    pub packet: u64,
    pub cause: CorrectionCause,
}

#[derive(Clone, Debug)]
pub struct HandMetrics {
    /// Time from a key to its effect on the driver's cube on the driver's screen, ms.
    pub own_ms: Mean,
    /// Time from a key to its effect on the cubes that are not predicted, ms.
    pub others_ms: Mean,
    /// Time from a key to the server's tick that uses it, ms.
    pub server_ms: Mean,
    /// Distance between the rival on the driver's screen and in the server's world, when the server acts on the key, mm.
    pub aim_now_mm: Mean,
    /// Distance between the rival on the driver's screen and where the server rewinds the rival to (lag compensation), mm.
    pub aim_rewound_mm: Mean,
    /// Numbers of ticks whose keys the server lacked, received late, or received first in the datagram of a newer key.
    pub keys: InputArrivals,
    /// Time from the arrival of the newest keys to the server's tick that needs these keys, ms.
    pub margin_ms: Option<f64>,
    /// Percentage by which the client's clock is faster than the server's.
    pub clock_percent: f64,
    /// Greatest error of each correction, mm.
    pub correction_mm: Distribution,
    pub causes: [u64; CorrectionCause::ALL.len()],
    pub prediction: PredictionFigures,
    /// The tick of the lane that the server has reached.
    pub server_tick: Option<u64>,
    pub predicted_cubes: usize,
    pub simulated_cubes: usize,
    pub simulated_now: u64,
    /// Memory of the forks (copies of the world), bytes.
    pub forks_bytes: usize,
    /// Traffic of the server with all clients that it serves.
    pub bill: ServerBill,
    /// Number of objects within the client's sight that have not reached the client yet.
    pub missing_objects: usize,
}

impl HandMetrics {
    pub(crate) fn new(settings: &LaneSettings) -> HandMetrics {
        HandMetrics {
            own_ms: Mean::default(),
            others_ms: Mean::default(),
            server_ms: Mean::default(),
            aim_now_mm: Mean::default(),
            aim_rewound_mm: Mean::default(),
            keys: InputArrivals::default(),
            margin_ms: None,
            clock_percent: 0.0,
            correction_mm: Distribution::new(1000.0),
            causes: Default::default(),
            prediction: PredictionFigures::default(),
            server_tick: None,
            predicted_cubes: 0,
            simulated_cubes: 0,
            simulated_now: 0,
            forks_bytes: 0,
            bill: ServerBill::new(settings),
            missing_objects: 0,
        }
    }
}

/// Traffic of a server with its clients, headers counted.
#[derive(Clone, Debug)]
pub struct ServerBill {
    pub clients: usize,
    /// Bytes to the clients since the lane began.
    pub sent_bytes: u64,
    /// Bytes from the clients since the lane began.
    pub received_bytes: u64,
    sent: LastSecond,
    ticks: u64,
}

impl ServerBill {
    fn new(settings: &LaneSettings) -> ServerBill {
        ServerBill {
            clients: 1,
            sent_bytes: 0,
            received_bytes: 0,
            sent: LastSecond::new(settings),
            ticks: 0,
        }
    }

    pub(crate) fn begin_tick(&mut self) {
        self.ticks += 1;
        self.sent.begin_tick();
    }

    pub(crate) fn add(&mut self, sent_bytes: u64, received_bytes: u64) {
        self.sent_bytes += sent_bytes;
        self.received_bytes += received_bytes;
        self.sent.add_again(8 * sent_bytes);
    }

    /// Bandwidth to all clients in the last second, kbit/s.
    pub fn sent_kbps(&self) -> f64 {
        self.sent.kbps()
    }

    /// Mean rate of a total of `bytes` since the lane began, kbit/s; `None` before the first tick.
    pub fn mean_kbps(&self, bytes: u64, rate: TickRate) -> Option<f64> {
        let seconds = rate.seconds_of_ticks(self.ticks);
        (self.ticks > 0).then(|| bytes as f64 * 8.0 / 1000.0 / seconds)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    sum: f64,
    count: u64,
    newest: Option<f64>,
}

impl Mean {
    pub(crate) fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
        self.newest = Some(value);
    }

    /// Mean of the values; `None` before the first.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// The newest value; `None` before the first.
    pub fn newest(&self) -> Option<f64> {
        self.newest
    }
}
