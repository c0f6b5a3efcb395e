//! The table of figures: each measured quantity of a lane, described once. A *figure* is such a quantity.
//!
//! Charts, downloads, comparisons, Pareto fronts and the claims of lessons read measured values through a row of [`FIGURES`].

use super::live::Live;
use super::report::Report;
use serde::Serialize;
use snapshot_codec::Kind;
use std::fmt;

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Figure {
    /// Path of the value in the JSON of a tick ([`Live`]) and of a run ([`Report`]).
    pub id: &'static str,
    /// Name of the measured value, for people.
    pub name: &'static str,
    pub unit: Unit,
    /// Unit as text after a value; empty for counts and frames.
    pub unit_text: &'static str,
    pub better: Better,
    /// Explanation of the measured value, for people.
    pub help: &'static str,
    /// Function that reads the value at a tick; `None` if the value exists only for runs.
    #[serde(rename = "by_tick", serialize_with = "is_there")]
    #[cfg_attr(feature = "ts", ts(type = "boolean"))]
    tick: Option<fn(&Live) -> Option<f64>>,
    /// Function that reads the value of a run; `None` if the value exists only for ticks.
    #[serde(rename = "by_run", serialize_with = "is_there")]
    #[cfg_attr(feature = "ts", ts(type = "boolean"))]
    run: Option<fn(&Report) -> Option<f64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Kbps,
    Bytes,
    Bits,
    Percent,
    Mm,
    Pixels,
    Degrees,
    Ms,
    Frame,
    Count,
}

impl Unit {
    const fn text(self) -> &'static str {
        match self {
            Unit::Kbps => "kbit/s",
            Unit::Bytes => "bytes",
            Unit::Bits => "bits",
            Unit::Percent => "%",
            Unit::Mm => "mm",
            Unit::Pixels => "pixels",
            Unit::Degrees => "degrees",
            Unit::Ms => "ms",
            Unit::Frame | Unit::Count => "",
        }
    }
}

/// Direction in which a figure gets better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Better {
    Less,
    More,
    /// Neither larger nor smaller values are better.
    Neither,
}

impl Figure {
    /// Returns the row of the table with this id.
    ///
    /// # Panics
    ///
    /// When there is no such row; for a constant that is a compile error.
    pub const fn by_id(id: &str) -> &'static Figure {
        let mut place = 0;
        while place < FIGURES.len() {
            if is_same(FIGURES[place].id.as_bytes(), id.as_bytes()) {
                return &FIGURES[place];
            }
            place += 1;
        }
        panic!("the table of figures has no such id")
    }

    /// Returns the row of the table with an id that a person or a script gave; `None` if there is none.
    pub fn find(id: &str) -> Option<&'static Figure> {
        FIGURES.iter().find(|figure| figure.id == id)
    }

    /// Returns the value at a tick; `None` if it does not exist for ticks, or not for this strategy.
    pub fn of_tick(&self, live: &Live) -> Option<f64> {
        self.tick.and_then(|read| read(live))
    }

    /// Returns the value of a run; `None` if it does not exist for runs, or not for this strategy.
    pub fn of_run(&self, report: &Report) -> Option<f64> {
        self.run.and_then(|read| read(report))
    }

    pub fn is_by_run(&self) -> bool {
        self.run.is_some()
    }

    /// Returns the heading of a column: the row's id and unit.
    pub fn heading(&self) -> String {
        match self.unit_text {
            "" => self.id.to_owned(),
            unit => format!("{} ({unit})", self.id),
        }
    }
}

impl fmt::Debug for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl PartialEq for Figure {
    fn eq(&self, other: &Figure) -> bool {
        self.id == other.id
    }
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut place = 0;
    while place < a.len() {
        if a[place] != b[place] {
            return false;
        }
        place += 1;
    }
    true
}

fn is_there<T, S: serde::Serializer>(read: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(read.is_some())
}

/// Conversion of a field to a number, or to `None` where the field has no value.
trait Number {
    fn number(&self) -> Option<f64>;
}

impl Number for f64 {
    fn number(&self) -> Option<f64> {
        Some(*self)
    }
}

impl Number for u64 {
    fn number(&self) -> Option<f64> {
        Some(*self as f64)
    }
}

impl Number for u32 {
    fn number(&self) -> Option<f64> {
        Some(f64::from(*self))
    }
}

impl Number for bool {
    fn number(&self) -> Option<f64> {
        Some(f64::from(u8::from(*self)))
    }
}

impl<T: Number> Number for Option<T> {
    fn number(&self) -> Option<f64> {
        self.as_ref().and_then(Number::number)
    }
}

/// Builds the table: each row has `id, name, unit, better, help:` and the field of a tick, of a run, or of both.
macro_rules! figures {
    ($it:ident; $($id:literal, $name:literal, $unit:ident, $better:ident, $help:literal: $($scope:ident $field:expr),+;)*) => {
        &[$(Figure {
            id: $id,
            name: $name,
            unit: Unit::$unit,
            unit_text: Unit::$unit.text(),
            better: Better::$better,
            help: $help,
            tick: figures!(@tick $it $($scope $field),+),
            run: figures!(@run $it $($scope $field),+),
        },)*]
    };
    (@tick $it:ident tick $field:expr $(, run $other:expr)?) => { Some(|$it: &Live| $field.number()) };
    (@tick $it:ident both $field:expr) => { Some(|$it: &Live| $field.number()) };
    (@tick $it:ident run $field:expr) => { None };
    (@run $it:ident $(tick $other:expr,)? run $field:expr) => { Some(|$it: &Report| $field.number()) };
    (@run $it:ident both $field:expr) => { Some(|$it: &Report| $field.number()) };
    (@run $it:ident tick $field:expr) => { None };
}

/// All figures: traffic, packets, errors, play, the network, then figures that only one strategy has.
pub static FIGURES: &[Figure] = figures! { it;
    "kbps", "Bandwidth", Kbps, Less, "Bits to the right side in the last second, counted headers and retransmissions included": tick it.kbps;
    "kbps_mean", "Bandwidth, mean", Kbps, Less, "Bits to the right side a second since the lane began, counted headers included": both it.kbps_mean;
    "uncompressed_kbps", "Bandwidth of rung 0", Kbps, Neither, "Bandwidth of the same world on rung 0 at the same rate": tick it.uncompressed_kbps;
    "ack_kbps", "Acks on the way back", Kbps, Less, "Bits of acknowledgements in the last second, counted headers included": tick it.ack_kbps;
    "ack_kbps_mean", "Acks on the way back, mean", Kbps, Less, "Bits of acknowledgements a second since the lane began, counted headers included": run it.ack_kbps_mean;
    "bytes_per_packet", "Packet, without IP and UDP", Bytes, Less, "Mean size of a packet over the last second": tick it.bytes_per_packet;
    "bytes_per_packet_mean", "Packet, mean", Bytes, Less, "Mean size of a packet since the lane began, without IP and UDP": both it.bytes_per_packet_mean;
    "bytes_per_packet_p95", "Packet, p95", Bytes, Less, "Size that 95 of 100 packets do not exceed": run it.bytes_per_packet_p95;
    "fragments_per_packet", "Fragments a packet", Count, Less, "Mean number of datagrams a packet over the last second": tick it.fragments_per_packet;
    "fragments_per_packet_mean", "Fragments a packet, mean", Count, Less, "Mean number of datagrams a packet since the lane began": run it.fragments_per_packet_mean;
    "changed_cubes", "Changed cubes a packet", Count, Neither, "Mean number of cubes that differ from the baseline, over the last second": tick it.changed_cubes;
    "changed_cubes_mean", "Changed cubes a packet, mean", Count, Neither, "Mean number of cubes that differ from the baseline, since the lane began": run it.changed_cubes_mean;
    "items_per_packet", "Items a packet", Count, Neither, "Cubes, changed cubes, updates or inputs that share a packet's bits, over the last second": tick it.items_per_packet;
    "bits_per_changed_cube", "Bits a changed cube", Bits, Less, "Payload bits by changed cubes: over the last second at a tick, over all packets for a run": both it.bits_per_changed_cube;
    "ledger_bits_per_packet.ip_udp", "Bits of IP and UDP", Bits, Less, "Mean bits a packet of headers below ours": both it.ledger_bits_per_packet[Kind::IpUdp as usize];
    "ledger_bits_per_packet.header", "Bits of the header", Bits, Less, "Mean bits a packet of sequence, baseline and flags": both it.ledger_bits_per_packet[Kind::Header as usize];
    "ledger_bits_per_packet.ack", "Bits of acks", Bits, Less, "Mean bits a packet of acknowledgements inside it": both it.ledger_bits_per_packet[Kind::Ack as usize];
    "ledger_bits_per_packet.index", "Bits of indices", Bits, Less, "Mean bits a packet that say which cubes changed": both it.ledger_bits_per_packet[Kind::Index as usize];
    "ledger_bits_per_packet.flags", "Bits of flags", Bits, Less, "Mean bits a packet that say which fields of a cube changed": both it.ledger_bits_per_packet[Kind::Flags as usize];
    "ledger_bits_per_packet.interacting", "Bits of interacting", Bits, Less, "Mean bits a packet of the interacting bit": both it.ledger_bits_per_packet[Kind::Interacting as usize];
    "ledger_bits_per_packet.position", "Bits of positions", Bits, Less, "Mean bits a packet of positions": both it.ledger_bits_per_packet[Kind::Position as usize];
    "ledger_bits_per_packet.orientation", "Bits of orientations", Bits, Less, "Mean bits a packet of orientations": both it.ledger_bits_per_packet[Kind::Orientation as usize];
    "ledger_bits_per_packet.linear_velocity", "Bits of linear velocities", Bits, Less, "Mean bits a packet of linear velocities": both it.ledger_bits_per_packet[Kind::LinearVelocity as usize];
    "ledger_bits_per_packet.angular_velocity", "Bits of angular velocities", Bits, Less, "Mean bits a packet of angular velocities": both it.ledger_bits_per_packet[Kind::AngularVelocity as usize];
    "ledger_bits_per_packet.input", "Bits of inputs", Bits, Less, "Mean bits a packet of a player's inputs": both it.ledger_bits_per_packet[Kind::Input as usize];
    "ledger_bits_per_packet.connection", "Bits of the connection", Bits, Less, "Mean bits a packet of joining, and of the seal": both it.ledger_bits_per_packet[Kind::Connection as usize];
    "ledger_bits_per_packet.padding", "Bits of padding", Bits, Less, "Mean bits a packet of the last byte's rest": both it.ledger_bits_per_packet[Kind::Padding as usize];

    "packets_sent", "Packets sent", Count, Neither, "Packets to the right side since the lane began": both it.packets.sent;
    "packets_delivered", "Packets delivered", Count, Neither, "Packets that have arrived": both it.packets.delivered;
    "packets_lost", "Packets lost", Count, Less, "Packets that never arrive": both it.packets.lost;
    "loss_percent_happened", "Loss", Percent, Less, "Lost packets among those whose fate is known": both it.packets.loss_percent_happened;
    "packets_in_flight", "Packets in flight", Count, Neither, "Packets on their way": both it.packets.in_flight;
    "packets_duplicated", "Packets duplicated", Count, Neither, "Packets that arrived twice": both it.packets.duplicated;
    "packets_late", "Packets late", Count, Less, "Packets that arrived after their time to be shown": both it.packets.late;
    "packets_overtaken", "Packets overtaken", Count, Less, "Packets that arrived after a newer one, where packets are shown at once": both it.packets.overtaken;
    "packets_awaited", "Packets too late to go on", Count, Less, "Packets that arrived while the right view stood still for want of them": both it.packets.awaited;
    "packets_refused", "Packets refused", Count, Less, "Packets that arrived and could not be decoded": both it.packets.refused;
    "decode_mismatches", "Mismatches", Count, Less, "Decoded packets that differ from the sent ones: never any": both it.decode_mismatches;
    "decode_not_compared", "Not compared", Count, Neither, "Decoded snapshots whose tick the tape no longer held": run it.decode_not_compared;

    "interacting_cubes", "Interacting cubes", Count, Neither, "Cubes that interact with the player at the shown instant": tick it.interacting_cubes;
    "surface_error_mm.mean", "Surface error, mean", Mm, Less, "Greatest distance between where a corner of a cube is and where it is shown, mean over interacting cubes": both it.surface_error_mm.mean;
    "surface_error_mm.p95", "Surface error, p95", Mm, Less, "Surface error that 95 of 100 interacting cubes do not exceed": run it.surface_error_mm.p95;
    "surface_error_mm.worst", "Surface error, worst cube", Mm, Less, "Greatest distance between where a corner of an interacting cube is and where it is shown": both it.surface_error_mm.worst;
    "surface_error_px.mean", "Surface error in pixels, mean", Pixels, Less, "Mean surface error as pixels, seen from 10 m at 60 degrees on 1,080 lines": both it.surface_error_px.mean;
    "surface_error_px.p95", "Surface error in pixels, p95", Pixels, Less, "Surface error that 95 of 100 interacting cubes do not exceed, as pixels": run it.surface_error_px.p95;
    "surface_error_px.worst", "Surface error in pixels, worst cube", Pixels, Less, "Greatest surface error of an interacting cube, as pixels": both it.surface_error_px.worst;
    "position_error_mm.rms", "Position error, rms", Mm, Less, "Root mean square distance from the truth of the shown instant, over interacting cubes": both it.position_error_mm.rms;
    "position_error_mm.p50", "Position error, median", Mm, Less, "Distance that half of the interacting cubes do not exceed": run it.position_error_mm.p50;
    "position_error_mm.p95", "Position error, p95", Mm, Less, "Distance that 95 of 100 interacting cubes do not exceed": run it.position_error_mm.p95;
    "position_error_mm.max", "Position error, worst cube", Mm, Less, "Greatest distance of an interacting cube from the truth of the shown instant": both it.position_error_mm.max;
    "orientation_error_deg.rms", "Orientation error, rms", Degrees, Less, "Root mean square angle from the truth of the shown instant, over interacting cubes": both it.orientation_error_deg.rms;
    "orientation_error_deg.p50", "Orientation error, median", Degrees, Less, "Angle that half of the interacting cubes do not exceed": run it.orientation_error_deg.p50;
    "orientation_error_deg.p95", "Orientation error, p95", Degrees, Less, "Angle that 95 of 100 interacting cubes do not exceed": run it.orientation_error_deg.p95;
    "orientation_error_deg.max", "Orientation error, worst cube", Degrees, Less, "Greatest angle of an interacting cube from the truth of the shown instant": both it.orientation_error_deg.max;

    "delay_ms", "Playout delay", Ms, Less, "Playout delay at the tick: counted from the arrival of the fastest packet": tick it.delay_ms;
    "playout_ms", "Playout delay, as set or mean", Ms, Less, "Playout delay as set, or the mean of an adaptive one": run it.playout_ms;
    "playout_delay_ms_mean", "Playout delay, mean", Ms, Less, "Mean playout delay over the ticks that showed something": run it.playout.playout_delay_ms_mean;
    "speed", "Speed of play", Count, Neither, "Ticks that one tick plays: 1 is real time, 0 a freeze": tick it.speed;
    "still", "Still", Count, Less, "1 where the frame shows nothing newer than the one before, else 0": tick it.still;
    "waits", "Waits", Count, Less, "1 where the right side lacks the packet that it needs next, else 0": tick it.waits;
    "freezes", "Freezes", Count, Less, "Runs of still frames": run it.playout.freezes;
    "still_ms", "Time still", Ms, Less, "Time of all frames that show nothing newer than the one before": run it.playout.still_ms;
    "longest_freeze_ms", "Longest freeze", Ms, Less, "Longest run of still frames": both it.longest_freeze_ms;
    "late_ms", "Late", Ms, Less, "Time by which the picture is older than it should be: at the target delay, or without a clock at the mean delay of all packets": tick it.late_ms;
    "late_ms_mean", "Late, mean", Ms, Less, "Mean time by which the picture is older than it should be": run it.playout.late_ms_mean;
    "skipped", "Skipped", Count, Less, "Snapshots, sent before the shown one, that were never shown: lost, late, overtaken or passed over": tick it.skipped, run it.playout.skipped;
    "hitches", "Hitches", Count, Less, "Ticks without a snapshot to interpolate towards; in lockstep a stop though a frame was due, in state synchronisation a frame without its input": both it.hitches;
    "behind_ms", "Behind the original", Ms, Less, "Age of the shown state: playout delay, travel and waiting for data": tick it.behind_ms;
    "behind_ms_mean", "Behind the original, mean", Ms, Less, "Mean age of the shown state, over the ticks that showed something": run it.playout.behind_ms_mean;
    "between_frames_ms_mean", "Wait between frames, mean", Ms, Less, "Mean wait of a simulated world, so that poses between its last two frames can be shown; a part of the age": run it.playout.between_frames_ms_mean;

    "queue_ms.mean", "Wait in the queue, mean", Ms, Less, "Mean wait at the bottleneck, over packets that were not dropped there": run it.link.queue_ms.mean;
    "queue_ms.p50", "Wait in the queue, median", Ms, Less, "Wait at the bottleneck that half of the packets do not exceed": run it.link.queue_ms.p50;
    "queue_ms.p95", "Wait in the queue, p95", Ms, Less, "Wait at the bottleneck that 95 of 100 packets do not exceed": run it.link.queue_ms.p95;
    "queue_ms.max", "Wait in the queue, longest", Ms, Less, "Longest wait at the bottleneck": run it.link.queue_ms.max;
    "lost_by_queue", "Packets lost by the queue", Count, Less, "Packets that found the queue full": run it.link.lost_by_queue;
    "link_packets", "Packets of the link's figures", Count, Neither, "Packets that waits and delays are over": run it.link.link_packets;
    "delay_ms.p50", "Time on the way, median", Ms, Less, "Time from departure to arrival that half of the packets do not exceed": run it.link.delay_ms.p50;
    "delay_ms.p95", "Time on the way, p95", Ms, Less, "Time from departure to arrival that 95 of 100 packets do not exceed": run it.link.delay_ms.p95;
    "delay_ms.p99", "Time on the way, p99", Ms, Less, "Time from departure to arrival that 99 of 100 packets do not exceed": run it.link.delay_ms.p99;
    "link_from_ms", "Start of the link's figures", Ms, Neither, "Time after the start from which packets count for waits and delays: the first acknowledgement and the longest queue; 0 without a bottleneck": run it.link.link_from_ms;

    "budget_kbps", "Budget", Kbps, Neither, "Budget of state synchronisation in force: below the set one while it adapts": both it.own.sync()?.budget_kbps;
    "updates_per_packet", "Updates a packet", Count, Neither, "Mean number of cubes in a packet of state synchronisation, over the last second": tick it.own.sync()?.updates_per_packet;
    "updates_per_packet_mean", "Updates a packet, mean", Count, Neither, "Mean number of cubes in a packet of state synchronisation, since the lane began": run it.own.sync()?.updates_per_packet_mean;
    "divergence_mm.rms", "Divergence, rms", Mm, Less, "Root mean square distance of the right simulation from the left one, before smoothing": both it.own.sync()?.divergence_mm.rms;
    "divergence_mm.p50", "Divergence, median", Mm, Less, "Distance of the right simulation from the left one that half of the interacting cubes do not exceed": run it.own.sync()?.divergence_mm.p50;
    "divergence_mm.p95", "Divergence, p95", Mm, Less, "Distance of the right simulation from the left one that 95 of 100 interacting cubes do not exceed": run it.own.sync()?.divergence_mm.p95;
    "divergence_mm.max", "Divergence, worst cube", Mm, Less, "Greatest distance of the right simulation from the left one, before smoothing": both it.own.sync()?.divergence_mm.max;
    "divergence_at_rest_max_mm", "Divergence at rest, worst cube", Mm, Less, "Greatest distance of cubes that sleep on the left": tick it.own.sync()?.divergence_at_rest_max_mm;
    "divergence_at_rest_mm", "Divergence at rest, at the end", Mm, Less, "Greatest distance of cubes that sleep on the left, at the last tick": run it.own.sync()?.divergence_at_rest_mm;
    "cubes_at_rest_apart", "Cubes at rest apart", Count, Less, "Cubes that sleep on the left and are not exactly there on the right": both it.own.sync()?.cubes_at_rest_apart;
    "at_rest_apart_max_ms", "Apart at rest, longest", Ms, Less, "Longest time that a cube at rest was apart, not counting while the network was cut": run it.own.sync()?.at_rest_apart_max_ms;
    "pops", "Pops", Count, Less, "Cubes shown over 10 cm from where their own motion would have put them, in a tick in which they were updated": both it.own.sync()?.pops;
    "glide_max_percent", "Fastest glide", Percent, Less, "Greatest part of a shown error over 1 cm that smoothing let go in one frame": run it.own.sync()?.glide_max_percent;
    "since_update_median_ms", "Time without news, median", Ms, Less, "Age of the newest update of a cube, median over cubes": both it.own.sync()?.since_update_median_ms;
    "since_update_max_ms", "Time without news, longest", Ms, Less, "Age of the newest update of a cube, greatest over cubes": both it.own.sync()?.since_update_max_ms;

    "hand_ms", "Key to own cube", Ms, Less, "Time from a key to the own cube on the driver's screen: of the newest key at a tick, the mean of a run": both it.own.game()?.hand_ms;
    "hand_others_ms", "Key to other cubes", Ms, Less, "Time from a key to the cubes that are not predicted": both it.own.game()?.hand_others_ms;
    "hand_server_ms", "Key to server", Ms, Less, "Time from a key to the server's tick that acts on it": both it.own.game()?.hand_server_ms;
    "aim_now_mm", "Rival from the driver's picture", Mm, Less, "Distance of the rival on the driver's screen from the server's, when the server acts on the key; of a rival that is not predicted": both it.own.game()?.aim_now_mm;
    "aim_rewound_mm", "The same, with the server gone back", Mm, Less, "Distance of the rival on the driver's screen from the one that the server finds by going back to that picture": both it.own.game()?.aim_rewound_mm;
    "keys_missing", "Keys missing", Count, Less, "Ticks that the server simulated without the driver's keys": both it.own.game()?.keys_missing;
    "keys_late", "Keys late", Count, Less, "Missing keys that came within a second after the server's tick": both it.own.game()?.keys_late;
    "keys_lost", "Keys lost", Count, Less, "Missing keys that did not come: every copy was lost": both it.own.game()?.keys_lost;
    "keys_repeated", "Keys repeated", Count, Neither, "Keys that came first as a copy, in the datagram of a newer key": both it.own.game()?.keys_repeated;
    "key_margin_ms", "Keys early by", Ms, Neither, "Time from the last keys' arrival to the tick that needs them; below 0 they come too late": both it.own.game()?.key_margin_ms;
    "clock_percent", "Client's clock", Percent, Neither, "Percentage by which the client's clock is faster than the server's now": both it.own.game()?.clock_percent;
    "corrections", "Corrections", Count, Less, "Snapshots that the prediction did not meet": both it.own.game()?.corrections;
    "corrections_below_resolution", "Below the resolution", Count, Less, "Snapshots that the prediction missed by less than their resolution; it is not corrected": both it.own.game()?.corrections_below_resolution;
    "correction_mm.mean", "Correction, mean", Mm, Less, "Greatest error of a correction, mean over corrections": both it.own.game()?.correction_mm.mean;
    "correction_mm.p95", "Correction, p95", Mm, Less, "Greatest error that 95 of 100 corrections do not exceed": both it.own.game()?.correction_mm.p95;
    "correction_mm.max", "Correction, worst", Mm, Less, "Greatest error of all corrections": both it.own.game()?.correction_mm.max;
    "corrections_by_cause.keys", "Corrections by missing keys", Count, Less, "Corrections of ticks for which the server had no keys": both it.own.game()?.corrections_by_cause.keys;
    "corrections_by_cause.rival", "Corrections by the rival", Count, Less, "Corrections of ticks in which the rival pressed other keys than were guessed": both it.own.game()?.corrections_by_cause.rival;
    "corrections_by_cause.unpredicted", "Corrections by cubes not predicted", Count, Less, "Other corrections where not all cubes are predicted": both it.own.game()?.corrections_by_cause.unpredicted;
    "corrections_by_cause.values", "Corrections by values", Count, Less, "Other corrections: earlier ones left rounded values, without the solver's memory": both it.own.game()?.corrections_by_cause.values;
    "resimulated_ticks", "Ticks simulated again", Count, Less, "Ticks that the client simulated again after corrections": both it.own.game()?.resimulated_ticks;
    "simulated_ticks", "Ticks simulated", Count, Less, "Ticks that the client simulated, those again included": both it.own.game()?.simulated_ticks;
    "simulated_now", "Ticks simulated in a frame", Count, Less, "Ticks that the client simulated in this tick": both it.own.game()?.simulated_now;
    "predicted_cubes", "Predicted cubes", Count, Neither, "Cubes that the client simulates ahead of the server": both it.own.game()?.predicted_cubes;
    "forks_mb", "Forks (MB)", Count, Less, "Memory of the worlds that the client keeps to go back to": both it.own.game()?.forks_mb;
    "clients_served", "Clients served", Count, Neither, "Clients that the server serves; the figures of the server are of these": both it.own.game()?.clients_served;
    "server_kbps", "Server to all clients", Kbps, Less, "Bits from the server to all clients that it serves, counted headers included: of the last second at a tick, the mean of a run": both it.own.game()?.server_kbps;
    "server_back_kbps", "All clients to the server", Kbps, Less, "Bits of keys and acknowledgements from all served clients a second, counted headers included": run it.own.game()?.server_back_kbps;
    "missing_cubes", "Cubes not there yet", Count, Less, "Cubes that the client sees, and of which it has no state": both it.own.game()?.missing_cubes;
    "near.age_ms_mean", "Age within 20 m, mean", Ms, Less, "Age of the newest state of moving cubes within 20 m from the driver's, when the newest packet left": run it.own.game()?.near?.age_ms_mean;
    "near.age_ms_p99", "Age within 20 m, p99", Ms, Less, "Age that 99 of 100 moving cubes within 20 m do not exceed": run it.own.game()?.near?.age_ms_p99;
    "far.age_ms_mean", "Age beyond 20 m, mean", Ms, Less, "Age of the newest state of moving cubes beyond 20 m, when the newest packet left": run it.own.game()?.far?.age_ms_mean;
    "far.age_ms_p99", "Age beyond 20 m, p99", Ms, Less, "Age that 99 of 100 moving cubes beyond 20 m do not exceed": run it.own.game()?.far?.age_ms_p99;
    "near.error_mm_mean", "Error within 20 m, mean", Mm, Less, "Distance of drawn moving cubes within 20 m from the server's at the drawn instant": run it.own.game()?.near?.error_mm_mean;
    "near.error_mm_p95", "Error within 20 m, p95", Mm, Less, "Distance that 95 of 100 drawn moving cubes within 20 m do not exceed": run it.own.game()?.near?.error_mm_p95;
    "far.error_mm_mean", "Error beyond 20 m, mean", Mm, Less, "Distance of drawn moving cubes beyond 20 m from the server's at the drawn instant": run it.own.game()?.far?.error_mm_mean;
    "far.error_mm_p95", "Error beyond 20 m, p95", Mm, Less, "Distance that 95 of 100 drawn moving cubes beyond 20 m do not exceed": run it.own.game()?.far?.error_mm_p95;

    "first_desync_frame", "First frame out of sync", Frame, More, "First frame after which the checksums of both physics states differ; none while in sync": both it.own.lockstep()?.first_desync_frame;
    "frames_checked", "Frames checked", Count, Neither, "Frames whose checksums of both whole physics states were compared": both it.own.lockstep()?.frames_checked;
    "inputs_per_packet", "Inputs in the newest packet", Count, Neither, "Inputs of the newest packet of lockstep": tick it.own.lockstep()?.inputs_per_packet;
    "inputs_per_packet_mean", "Inputs a packet, mean", Count, Neither, "Mean number of inputs in a packet of lockstep": both it.own.lockstep()?.inputs_per_packet_mean;
    "inputs_waiting", "Inputs waiting", Count, Neither, "Inputs that have arrived and wait to be played": both it.own.lockstep()?.inputs_waiting;
    "stalls", "Stalls", Count, Less, "Times that lockstep stood still though its next frame was due": both it.own.lockstep()?.stalls;
    "stalls_per_minute", "Stalls a minute", Count, Less, "Times a minute that lockstep stood still though its next frame was due": both it.own.lockstep()?.stalls_per_minute;
    "stalled_ms_per_minute", "Stalled a minute", Ms, Less, "Time of each minute that lockstep stood still though its next frame was due": both it.own.lockstep()?.stalled_ms_per_minute;
    "catch_up_steps", "Steps to catch up", Count, Neither, "Frames stepped beyond the first of a tick, to catch up": both it.own.lockstep()?.catch_up_steps;
    "retransmissions", "Retransmissions", Count, Less, "Lost segments that TCP sent again; bandwidth leaves them out": both it.own.lockstep()?.retransmissions;
    "window_full_ticks", "Ticks with a full window", Count, Less, "Ticks in which a packet could not hold all unacknowledged inputs": both it.own.lockstep()?.window_full_ticks;
    "given_up", "Given up", Count, Less, "1 once the sender's queue overflowed and it sends no more, else 0": both it.own.lockstep()?.given_up;
};

#[cfg(test)]
mod tests;
