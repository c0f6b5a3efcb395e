//! Cost and quality of a lane, since its start and over the last second.

mod cost;
mod distance;
mod distribution;
mod hand;
mod last_second;
mod link;
mod lockstep;
mod objects;
mod playout;
mod sync;

use snapshot_base::hash::Fnv;
use snapshot_settings::LaneSettings;

pub use cost::{BitsByKind, Costs, PacketCost, RecentCosts};
pub(crate) use distance::DistanceSample;
pub use distance::{DistanceBand, DistanceMetrics};
pub use distribution::{CorrectionSpread, Delays, Distribution, Hitches, Spread, Waits};
pub use hand::{CausedCorrection, CorrectionCause, HandMetrics, Mean, ServerBill};
pub use last_second::LastSecond;
pub use link::{LinkFigures, LinkMetrics};
pub use lockstep::{LockstepFigures, ObserverFigures};
pub use objects::{ObjectError, ObjectErrors};
pub use playout::PlayoutMetrics;
pub use sync::{DivergenceNow, SyncMetrics};

#[derive(Clone, Debug)]
pub struct Metrics {
    pub ticks: u64,
    pub costs: Costs,
    /// Costs of the packets of the last second, or at least of the last packet. Bits and bytes per packet are means over
    /// these packets.
    pub recent: RecentCosts,
    /// Number of bits sent to the receiver within the last second, headers and retransmissions included.
    pub forward: LastSecond,
    /// Number of bits of acknowledgements sent within the last second, headers included.
    pub acks: LastSecond,
    /// Queueing, delay and loss of packets to the receiver.
    pub link: LinkMetrics,
    /// Packet size in bytes, without IP and UDP headers.
    pub packet_bytes: Distribution,
    /// Position error in mm, over cubes that interact at the shown instant.
    pub position_error_mm: Distribution,
    /// Orientation error in degrees, over cubes that interact at the shown instant.
    pub orientation_error_deg: Distribution,
    /// Surface error in mm, over cubes that interact at the shown instant.
    pub surface_error_mm: Distribution,
    /// Errors of each object, over the ticks in which it interacted.
    pub objects: ObjectErrors,
    /// Errors in this tick alone.
    pub now: ErrorNow,
    /// Frames with nothing to interpolate towards.
    pub hitches: Hitches,
    /// Playout delay and playback speed.
    pub playout: PlayoutMetrics,
    /// Number of snapshots, sent before the shown one, that were never shown; `None` if no snapshots are sent.
    pub skipped: Option<u64>,
    /// Number of packets that were decoded too late to be shown.
    pub late: u64,
    /// Number of packets that arrived after a newer one, where packets are shown at once.
    pub overtaken: u64,
    /// Number of packets that arrived while the receiver's view stood still because it lacked them.
    pub awaited: u64,
    pub refused: u64,
    /// Number of decoded snapshots that differ from the sent ones.
    pub mismatches: u64,
    /// Number of snapshots that could not be compared, because the tape no longer stored their tick.
    pub not_compared: u64,
    /// Bytes of all sent acknowledgements, headers included.
    pub ack_bytes: u64,
    /// Hash over the bytes of all sent packets.
    pub packets_hash: Fnv,
}

/// Distance of the receiver's view from the truth of the instant that it shows, over cubes interacting at that instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ErrorNow {
    pub interacting_cubes: u32,
    pub position_rms_mm: f64,
    pub position_max_mm: f64,
    pub orientation_rms_deg: f64,
    pub orientation_max_deg: f64,
    pub surface_mean_mm: f64,
    pub surface_max_mm: f64,
}

/// Errors of one cube at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseError {
    pub position_mm: f64,
    pub orientation_deg: f64,
    pub surface_mm: f64,
}

impl ErrorNow {
    /// Turns the sums over cubes into root mean squares, and the sum of surface errors into a mean.
    pub(crate) fn finished(mut self) -> ErrorNow {
        let cubes = f64::from(self.interacting_cubes.max(1));
        self.position_rms_mm = (self.position_rms_mm / cubes).sqrt();
        self.orientation_rms_deg = (self.orientation_rms_deg / cubes).sqrt();
        self.surface_mean_mm /= cubes;
        self
    }
}

impl Metrics {
    /// Adds the error of an interacting cube. `now` holds sums over cubes until `finished` is called.
    pub(crate) fn add_error(&mut self, now: &mut ErrorNow, index: usize, error: PoseError) {
        let PoseError {
            position_mm,
            orientation_deg,
            surface_mm,
        } = error;
        self.position_error_mm.add(position_mm);
        self.orientation_error_deg.add(orientation_deg);
        self.surface_error_mm.add(surface_mm);
        self.objects.add(index, position_mm, orientation_deg);
        now.interacting_cubes += 1;
        now.position_rms_mm += position_mm * position_mm;
        now.orientation_rms_deg += orientation_deg * orientation_deg;
        now.position_max_mm = now.position_max_mm.max(position_mm);
        now.orientation_max_deg = now.orientation_max_deg.max(orientation_deg);
        now.surface_mean_mm += surface_mm;
        now.surface_max_mm = now.surface_max_mm.max(surface_mm);
    }

    pub(crate) fn new(settings: &LaneSettings) -> Metrics {
        Metrics {
            ticks: 0,
            costs: Costs::default(),
            recent: RecentCosts::new(settings.send_rate_hz() as usize),
            forward: LastSecond::new(settings),
            acks: LastSecond::new(settings),
            link: LinkMetrics::new(settings),
            packet_bytes: Distribution::new(1.0),
            position_error_mm: Distribution::new(1000.0),
            orientation_error_deg: Distribution::new(1000.0),
            surface_error_mm: Distribution::new(1000.0),
            objects: ObjectErrors::default(),
            now: ErrorNow::default(),
            hitches: Hitches::default(),
            playout: PlayoutMetrics::new(settings.tick_rate()),
            skipped: None,
            late: 0,
            overtaken: 0,
            awaited: 0,
            refused: 0,
            mismatches: 0,
            not_compared: 0,
            ack_bytes: 0,
            packets_hash: Fnv::new(),
        }
    }

    pub(crate) fn begin_tick(&mut self) {
        self.ticks += 1;
        self.now = ErrorNow::default();
        self.forward.begin_tick();
        self.acks.begin_tick();
    }

    pub(crate) fn add_packet(&mut self, packet: &[u8], cost: PacketCost) {
        self.forward.add_packet(cost.wire_bits());
        self.costs.add(&cost);
        self.recent.add(cost);
        self.packet_bytes.add(packet.len() as f64);
        self.packets_hash.add_bytes(packet);
    }
}
