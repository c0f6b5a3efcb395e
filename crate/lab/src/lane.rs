//! Everything from the truth to the right view, for one strategy: quantise, encode, send, receive, decode, show.
//!
//! A lane sees the truth and the time. Its receiver sees only bytes and arrival times. Lanes are independent of each
//! other, so several can be driven by one truth.

use crate::channel::{Channel, Conditions};
use crate::hash::Fnv;
use crate::metrics::{Costs, Distribution, Hitches, PacketCost, RecentCosts};
use crate::receiver::{Arrival, Playback, Receiver};
use crate::settings::{Key, Settings};
use crate::time::{TICKS_PER_S, ms_of_tick, sends_at, sequence_of_tick, tick_of_ms};
use crate::truth::TruthHistory;
use crate::view::{Pose, View};
use glam::{Quat, Vec3};
use snapshot_codec::{
    Cube, CubeState, Encoder, Format, History, Kind, Ledger, RECEIVED_HISTORY_TICKS, Rung,
};

/// An acknowledgement: the sequence of the newest snapshot that the receiver has.
const ACK_BYTES: usize = 2;

/// A lane that sends snapshots.
pub struct Lane {
    settings: Settings,
    format: Format,
    encoder: Encoder,
    forward: Channel,
    backward: Channel,
    receiver: Receiver,
    /// What was sent, to compare with what is decoded.
    sent: History,
    newest_received: Option<u16>,
    truth: TruthHistory,
    view: View,
    playback: Option<Playback>,
    /// What a packet costs on rung 0, where all are alike.
    uncompressed: PacketCost,
    metrics: Metrics,
    snapshot: Vec<Cube>,
    packet: Vec<u8>,
    ledger: Ledger,
}

/// What a lane measured since it began.
#[derive(Clone, Debug)]
pub struct Metrics {
    /// Ticks since the lane began.
    pub ticks: u64,
    /// All packets.
    pub costs: Costs,
    /// The packets of the last half second, or the last one.
    pub recent: RecentCosts,
    /// Size of a packet, without IP and UDP.
    pub packet_bytes: Distribution,
    /// Over cubes interacting at the instant shown.
    pub position_error_mm: Distribution,
    /// Over cubes interacting at the instant shown.
    pub orientation_error_deg: Distribution,
    /// In this tick alone.
    pub now: ErrorNow,
    /// Frames with nothing to interpolate towards.
    pub hitches: Hitches,
    /// Packets decoded too late to be shown.
    pub late: u64,
    /// Packets refused by the decoder.
    pub refused: u64,
    /// Snapshots that came out other than they went in.
    pub mismatches: u64,
    /// Acknowledgements sent.
    pub acks: u64,
    /// Hash over every packet sent.
    pub packets_hash: Fnv,
}

/// How far the right view is from the truth of the instant that it shows, over cubes interacting at that instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ErrorNow {
    pub interacting_cubes: u32,
    pub position_rms_mm: f64,
    pub position_max_mm: f64,
    pub orientation_rms_deg: f64,
    pub orientation_max_deg: f64,
}

impl Lane {
    /// A lane over a world whose starting grid, known to both sides, is `initial`.
    pub fn new(settings: &Settings, initial: &[CubeState]) -> Lane {
        let format_of = |rung| {
            Format::new(rung, settings.bits(), initial.len())
                .expect("the schema's ranges are the codec's")
        };
        let format = format_of(settings.rung());
        let first: Vec<Cube> = initial.iter().map(|cube| format.quantise(cube)).collect();
        let quantised = "a snapshot that the format itself quantised is one of that format";
        let conditions = conditions(settings);
        let seed = settings.get(Key::Seed);
        Lane {
            settings: *settings,
            format,
            encoder: Encoder::new(format, &first).expect(quantised),
            forward: Channel::new(conditions, seed, 0),
            backward: Channel::new(conditions, seed, 1),
            receiver: Receiver::new(format, &first).expect(quantised),
            sent: History::new(RECEIVED_HISTORY_TICKS, initial.len()),
            newest_received: None,
            truth: TruthHistory::new(most_ticks_behind(settings)),
            view: View::new(initial),
            playback: None,
            uncompressed: uncompressed_cost(format_of(Rung::Uncompressed), initial),
            metrics: Metrics::new(settings),
            snapshot: Vec::with_capacity(initial.len()),
            packet: Vec::new(),
            ledger: Ledger::new(),
        }
    }

    /// One tick: what there is to send leaves, what has arrived is shown.
    pub fn tick(&mut self, tick: u64, truth: &[CubeState]) {
        let now_ms = ms_of_tick(tick as f64);
        self.metrics.ticks += 1;
        self.truth.insert(tick, truth);
        self.receive_acks(now_ms);
        if sends_at(tick, self.settings.send_rate_hz()) {
            self.send(sequence_of_tick(tick), now_ms, truth);
        }
        self.receive(now_ms);
        self.playback = self.receiver.show(now_ms, &self.settings, &mut self.view);
        self.measure();
    }

    /// Takes over settings that act at once; the caller sees to it that only such have changed.
    pub(crate) fn set_at_once(&mut self, settings: &Settings) {
        self.settings = *settings;
    }

    /// The right view.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// What the right view shows; none before the first snapshot is due.
    pub fn playback(&self) -> Option<Playback> {
        self.playback
    }

    /// What was measured since the lane began.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// What a packet of the same world costs on rung 0.
    pub fn uncompressed(&self) -> &PacketCost {
        &self.uncompressed
    }

    /// The way of the snapshots.
    pub fn forward(&self) -> &Channel {
        &self.forward
    }

    /// The receiver.
    pub fn receiver(&self) -> &Receiver {
        &self.receiver
    }

    /// The settings that it runs with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Size of an acknowledgement, IP and UDP included.
    pub fn ack_bytes(&self) -> u32 {
        ACK_BYTES as u32 + self.settings.header_bytes()
    }

    /// Size of a snapshot's headers: one for each fragment.
    pub fn header_bytes(&self, fragments: u32) -> u32 {
        fragments * self.settings.header_bytes()
    }

    fn send(&mut self, sequence: u16, now_ms: f64, truth: &[CubeState]) {
        self.snapshot.clear();
        self.snapshot
            .extend(truth.iter().map(|cube| self.format.quantise(cube)));
        self.ledger.clear();
        self.encoder
            .encode(sequence, &self.snapshot, &mut self.packet, &mut self.ledger)
            .expect("ticks rise by one, and the format quantised the snapshot itself");
        let fragments = fragments(self.packet.len(), &self.settings);
        self.ledger
            .add_bits(Kind::IpUdp, self.header_bytes(fragments) * 8);
        let cost = PacketCost::new(
            self.packet.len(),
            fragments,
            self.encoder.changed_cubes(),
            &self.ledger,
        );
        self.metrics.costs.add(&cost);
        self.metrics.recent.add(cost);
        self.metrics.packet_bytes.add(self.packet.len() as f64);
        self.metrics.packets_hash.add_bytes(&self.packet);
        self.sent.insert(sequence, &self.snapshot);
        self.forward.send(now_ms, &self.packet, fragments);
    }

    fn receive_acks(&mut self, now_ms: f64) {
        while self.backward.receive(now_ms, &mut self.packet).is_some() {
            if let Ok(bytes) = <[u8; ACK_BYTES]>::try_from(&self.packet[..]) {
                self.encoder.ack(u16::from_le_bytes(bytes));
            }
        }
    }

    fn receive(&mut self, now_ms: f64) {
        let mut news = false;
        while let Some(arrival_ms) = self.forward.receive(now_ms, &mut self.packet) {
            let sequence = match self.receiver.accept(arrival_ms, &self.packet) {
                Ok(Arrival::Accepted { sequence }) => sequence,
                Ok(Arrival::Late { sequence }) => {
                    self.metrics.late += 1;
                    sequence
                }
                Ok(Arrival::Duplicate) => continue,
                Err(_) => {
                    self.metrics.refused += 1;
                    continue;
                }
            };
            self.metrics.mismatches +=
                u64::from(self.sent.get(sequence) != Some(self.receiver.decoded()));
            if self
                .newest_received
                .is_none_or(|newest| snapshot_codec::sequence::is_newer(sequence, newest))
            {
                self.newest_received = Some(sequence);
                news = true;
            }
        }
        if let (true, Some(newest)) = (news, self.newest_received) {
            self.metrics.acks += 1;
            self.backward.send(now_ms, &newest.to_le_bytes(), 1);
        }
    }

    /// Compares the right view with the truth of the instant that it shows.
    fn measure(&mut self) {
        self.metrics.now = ErrorNow::default();
        let Some(playback) = self.playback else {
            return;
        };
        self.metrics.hitches.add(playback.hitch, playback.frozen);
        let Some(truth) = self.truth.at(playback.play_tick) else {
            return;
        };
        let mut now = ErrorNow::default();
        for index in 0..self.format.cube_count() {
            let pose = truth.pose(index);
            let (position_mm, orientation_deg) = error(&self.view, index, &pose);
            self.view.error_mm[index] = position_mm as f32;
            if pose.interacting {
                self.metrics.position_error_mm.add(position_mm);
                self.metrics.orientation_error_deg.add(orientation_deg);
                now.interacting_cubes += 1;
                now.position_rms_mm += position_mm * position_mm;
                now.orientation_rms_deg += orientation_deg * orientation_deg;
                now.position_max_mm = now.position_max_mm.max(position_mm);
                now.orientation_max_deg = now.orientation_max_deg.max(orientation_deg);
            }
        }
        let cubes = f64::from(now.interacting_cubes.max(1));
        now.position_rms_mm = (now.position_rms_mm / cubes).sqrt();
        now.orientation_rms_deg = (now.orientation_rms_deg / cubes).sqrt();
        self.metrics.now = now;
    }
}

impl Metrics {
    fn new(settings: &Settings) -> Metrics {
        Metrics {
            ticks: 0,
            costs: Costs::default(),
            recent: RecentCosts::new(settings.send_rate_hz().div_ceil(2) as usize),
            packet_bytes: Distribution::new(1.0),
            position_error_mm: Distribution::new(1000.0),
            orientation_error_deg: Distribution::new(1000.0),
            now: ErrorNow::default(),
            hitches: Hitches::default(),
            late: 0,
            refused: 0,
            mismatches: 0,
            acks: 0,
            packets_hash: Fnv::new(),
        }
    }
}

fn conditions(settings: &Settings) -> Conditions {
    let share = |key| f64::from(settings.get(key)) / 1000.0;
    Conditions {
        latency_ms: f64::from(settings.get(Key::Latency)),
        jitter_ms: f64::from(settings.get(Key::Jitter)),
        loss: share(Key::Loss),
        burst_packets: f64::from(settings.get(Key::Burst)),
        duplicated: share(Key::Duplicated),
        reordered: share(Key::Reordered),
        send_interval_ms: settings.send_interval_ms(),
    }
}

/// How many pieces a packet is sent in: each fits the MTU with a header of its own.
fn fragments(packet_bytes: usize, settings: &Settings) -> u32 {
    match settings.get(Key::Fragments) {
        0 => 1,
        mtu_bytes => (packet_bytes as u32)
            .div_ceil(mtu_bytes - settings.header_bytes())
            .max(1),
    }
}

/// The right side shows at most as old an instant: the first packet may come late by latency, jitter and three intervals.
fn most_ticks_behind(settings: &Settings) -> usize {
    let network_ms = f64::from(settings.get(Key::Latency) + settings.get(Key::Jitter));
    let behind_ms = settings.delay_ms() + network_ms + 3.0 * settings.send_interval_ms();
    tick_of_ms(behind_ms).ceil() as usize + 2
}

/// What a packet costs on rung 0, by the real writer.
fn uncompressed_cost(format: Format, initial: &[CubeState]) -> PacketCost {
    let snapshot: Vec<Cube> = initial.iter().map(|cube| format.quantise(cube)).collect();
    let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
    Encoder::new(format, &snapshot)
        .map(|mut encoder| encoder.encode(0, &snapshot, &mut packet, &mut ledger))
        .expect("a snapshot that the format itself quantised is one of that format")
        .expect("the first sequence is newer than none");
    PacketCost::new(packet.len(), 1, 0, &ledger)
}

/// Distance in mm and angle in degrees between what is shown of a cube and what it should be.
fn error(view: &View, index: usize, truth: &Pose) -> (f64, f64) {
    let [x, y, z, _] = view.position_half_m[index];
    let position_mm = f64::from(Vec3::new(x, y, z).distance(truth.position)) * 1000.0;
    let shown = Quat::from_array(view.orientation[index]);
    let nearest = if shown.dot(truth.orientation) < 0.0 {
        -shown
    } else {
        shown
    };
    // The chord is exact where the arc cosine of a dot product near 1 is not.
    let half_chord = ((nearest - truth.orientation).length() / 2.0).min(1.0);
    (
        position_mm,
        f64::from(4.0 * libm::asinf(half_chord)).to_degrees(),
    )
}

/// Bits a second of packets like these, at this rate.
pub(crate) fn kbps(bits_per_packet: f64, send_rate_hz: u32) -> f64 {
    bits_per_packet * f64::from(send_rate_hz) / 1000.0
}

/// Ticks as seconds.
pub(crate) fn seconds(ticks: u64) -> f64 {
    ticks as f64 / f64::from(TICKS_PER_S)
}
