//! The interpolation buffer: snapshots and their arrival times in, poses of the play instant out.

use crate::Pose;
use crate::interpolate::{
    CubeSample, EXTRAPOLATION_MS, Interpolation, SurroundingSamples, Tangents, pose_at,
};
use crate::playout::{Clock, FixedClock, Instant, Playout};
use snapshot_base::cache::ResultCache;
use snapshot_base::time::{TICKS_PER_S, TickRate};
use snapshot_codec::{Cube, CubeState, Format, RECEIVED_HISTORY_TICKS};
use std::collections::VecDeque;

/// Upper limit of the number of buffered snapshots at tick rates up to 60 a second: 4 s of them, twice the longest playout
/// delay. At rates up to 120 a second it is twice as many, and so on.
const MOST_BUFFERED: usize = 256;

/// The settings of a buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BufferConfig {
    /// Ticks a second of the sender.
    pub tick_rate: TickRate,
    /// Method to fill the time between two snapshots.
    pub interpolation: Interpolation,
    /// Method to choose the play instant.
    pub playout: Playout,
    /// Time between two snapshots of the sender, ms.
    pub send_interval_ms: f64,
}

impl BufferConfig {
    fn most_buffered(&self) -> usize {
        MOST_BUFFERED * self.tick_rate.hz().div_ceil(TICKS_PER_S) as usize
    }
}

/// The receiver's treatment of an arrived packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotArrival {
    /// The packet is used: it will be shown.
    Accepted,
    /// The packet came after its time to be shown. A late snapshot still serves as a baseline.
    Late,
    /// A newer packet was shown already, in a mode that shows packets at once. A snapshot still serves as a baseline.
    Overtaken,
    /// The packet was received before.
    Duplicate,
    /// The packet is not used, because earlier data are missing, or because there is no room. A [`Buffer`] never returns this
    /// for a snapshot.
    PassedOver,
}

/// The instant that a receiver shows in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// The play instant, in ticks of the sender; it moves on even while the view is frozen for want of packets.
    pub play_tick: f64,
    /// Tick of the newest data in the picture. It equals `play_tick` unless the view is frozen or extrapolates.
    pub shown_tick: f64,
    /// The tick that the picture shows. In state synchronisation the world is simulated beyond `shown_tick`; elsewhere the
    /// two are equal.
    pub drawn_tick: f64,
    /// Time by which the picture is older than it should be at the target delay with every packet in time, ms.
    pub late_ms: f64,
    /// The newest tick of a simulated world, if the view is interpolated behind it. It equals `play_tick` otherwise.
    pub stepped_tick: f64,
    /// Playout delay, ms. It counts from the fastest packet; with [`Playout::FirstPacket`] it counts from the first one.
    pub delay_ms: f64,
    /// Number of the sender's ticks that this tick plays; 0 while play stands still.
    pub speed: f64,
    /// True if no snapshot was left to interpolate towards.
    pub hitch: bool,
}

impl Playback {
    /// Advance of the picture, in ticks, below which a frame shows nothing newer than the one before.
    const STILL_BELOW: f64 = 0.25;

    /// Returns true if this frame shows nothing newer than the one before.
    pub fn is_still(&self, before: &Playback) -> bool {
        self.drawn_tick - before.drawn_tick < Playback::STILL_BELOW
    }
}

/// The interpolation buffer: snapshots wait in it until the play instant reaches them.
pub struct Buffer {
    format: Format,
    config: BufferConfig,
    /// Buffered snapshots, oldest tick first.
    buffer: VecDeque<BufferedSnapshot>,
    spare: Vec<Vec<CubeState>>,
    timing: ArrivalTiming,
    /// Tick of the snapshot that was shown last.
    shown_tick: Option<i64>,
    /// Number of snapshots that a pose was drawn from.
    drawn: u64,
    /// For each remainder of a tick by [`RECEIVED_HISTORY_TICKS`], the tick that was received last. A second copy is recognised
    /// by it.
    received_ticks: Vec<Option<i64>>,
    /// The newest buffered snapshot, with its cubes converted to floats.
    newest: ResultCache<Cube, CubeState>,
}

enum ArrivalTiming {
    Fixed(FixedClock),
    FirstPacket {
        delay_ms: f64,
        /// Receiver's clock at the arrival of the first packet, in ticks, minus the tick of its snapshot.
        offset_ticks: Option<f64>,
    },
    Adaptive(Clock),
    AtOnce {
        /// Least value, over all packets, of the receiver's clock at arrival (in ticks) minus the snapshot's tick.
        least_ticks: Option<f64>,
        /// Number of packets, and the sum of the receiver's clock at arrival (in ticks) minus the snapshot's tick.
        mean: (f64, f64),
    },
}

impl ArrivalTiming {
    fn new(config: &BufferConfig) -> ArrivalTiming {
        let interval_ms = config.send_interval_ms;
        // `none` shows each snapshot for an interval before it needs the next.
        let row = config.interpolation.row();
        let held_ms = if row.is_held { interval_ms } else { 0.0 };
        let goes_on_ms = if row.extrapolates {
            EXTRAPOLATION_MS
        } else {
            held_ms
        };
        match config.playout {
            Playout::Fixed { delay_ms } => {
                ArrivalTiming::Fixed(FixedClock::new(config.tick_rate, delay_ms, interval_ms))
            }
            Playout::FirstPacket { delay_ms } => ArrivalTiming::FirstPacket {
                delay_ms,
                offset_ticks: None,
            },
            Playout::AtOnce => ArrivalTiming::AtOnce {
                least_ticks: None,
                mean: (0.0, 0.0),
            },
            Playout::Adaptive(aim) => ArrivalTiming::Adaptive(Clock::new(
                config.tick_rate,
                aim,
                interval_ms,
                held_ms,
                goes_on_ms,
            )),
        }
    }

    fn packet(&mut self, tick_rate: TickRate, arrival_ms: f64, tick: i64, is_new: bool) {
        match self {
            ArrivalTiming::FirstPacket { offset_ticks, .. } => {
                offset_ticks.get_or_insert(tick_rate.tick_of_ms(arrival_ms) - tick as f64);
            }
            ArrivalTiming::Fixed(clock) if is_new => clock.packet(arrival_ms, tick),
            ArrivalTiming::Adaptive(clock) if is_new => clock.packet(arrival_ms, tick),
            ArrivalTiming::Fixed(_) | ArrivalTiming::Adaptive(_) => {}
            ArrivalTiming::AtOnce { least_ticks, mean } => {
                let took_ticks = tick_rate.tick_of_ms(arrival_ms) - tick as f64;
                *least_ticks = Some(least_ticks.map_or(took_ticks, |least| least.min(took_ticks)));
                if is_new {
                    *mean = (mean.0 + 1.0, mean.1 + took_ticks);
                }
            }
        }
    }

    fn advance(&mut self, tick_rate: TickRate, now_ms: f64) -> Option<Instant> {
        match self {
            ArrivalTiming::Fixed(clock) => clock.advance(now_ms),
            ArrivalTiming::FirstPacket {
                delay_ms,
                offset_ticks,
            } => {
                let play_tick = tick_rate.tick_of_ms(now_ms - *delay_ms) - (*offset_ticks)?;
                Some(Instant::even(play_tick, *delay_ms))
            }
            ArrivalTiming::Adaptive(clock) => clock.advance(now_ms),
            ArrivalTiming::AtOnce { least_ticks, .. } => {
                let play_tick = tick_rate.tick_of_ms(now_ms) - (*least_ticks)?;
                Some(Instant::even(play_tick, 0.0))
            }
        }
    }

    fn held_bytes(&self) -> usize {
        match self {
            ArrivalTiming::FirstPacket { .. } | ArrivalTiming::AtOnce { .. } => 0,
            ArrivalTiming::Fixed(clock) => clock.held_bytes(),
            ArrivalTiming::Adaptive(clock) => clock.held_bytes(),
        }
    }
}

struct BufferedSnapshot {
    tick: i64,
    /// True once a pose was drawn from this snapshot.
    is_drawn: bool,
    cubes: Vec<CubeState>,
}

impl BufferedSnapshot {
    fn sample(&self, index: usize) -> CubeSample<'_> {
        CubeSample {
            tick: self.tick,
            cube: &self.cubes[index],
        }
    }
}

impl Buffer {
    /// Creates an empty buffer.
    pub fn new(format: Format, config: BufferConfig) -> Buffer {
        Buffer {
            format,
            config,
            buffer: VecDeque::with_capacity(config.most_buffered() + 1),
            spare: Vec::new(),
            timing: ArrivalTiming::new(&config),
            shown_tick: None,
            drawn: 0,
            received_ticks: vec![None; RECEIVED_HISTORY_TICKS],
            newest: ResultCache::default(),
        }
    }

    /// Takes the snapshot of a tick that arrived at `arrival_ms`; returns whether it will be shown, and if not, why.
    pub fn on_snapshot(&mut self, arrival_ms: f64, tick: i64, cubes: &[Cube]) -> SnapshotArrival {
        let slot = tick.rem_euclid(RECEIVED_HISTORY_TICKS as i64) as usize;
        let is_new = self.received_ticks[slot].replace(tick) != Some(tick);
        self.timing
            .packet(self.config.tick_rate, arrival_ms, tick, is_new);
        if !is_new {
            return SnapshotArrival::Duplicate;
        }
        let at_once = matches!(self.timing, ArrivalTiming::AtOnce { .. });
        let is_overtaken = |newest: &BufferedSnapshot| at_once && tick < newest.tick;
        if self.buffer.back().is_some_and(is_overtaken) {
            return SnapshotArrival::Overtaken;
        }
        if self.shown_tick.is_some_and(|shown| tick <= shown) {
            return SnapshotArrival::Late;
        }
        let at = self.buffer.partition_point(|buffered| buffered.tick < tick);
        let mut states = self
            .spare
            .pop()
            .unwrap_or_else(|| Vec::with_capacity(cubes.len()));
        let format = &self.format;
        self.newest
            .update(cubes, Cube::eq, |cube| format.dequantise(cube));
        states.clear();
        states.extend_from_slice(self.newest.results());
        self.buffer.insert(
            at,
            BufferedSnapshot {
                tick,
                is_drawn: false,
                cubes: states,
            },
        );
        if self.buffer.len() > self.config.most_buffered() {
            self.spare
                .extend(self.buffer.pop_front().map(|oldest| oldest.cubes));
        }
        SnapshotArrival::Accepted
    }

    /// Removes all snapshots, and restarts the playout clock.
    pub fn clear(&mut self) {
        self.spare
            .extend(self.buffer.drain(..).map(|buffered| buffered.cubes));
        self.timing = ArrivalTiming::new(&self.config);
        self.received_ticks.fill(None);
        self.shown_tick = None;
    }

    /// Allocated memory, bytes.
    pub fn held_bytes(&self) -> usize {
        let buffered = self.buffer.iter().map(|buffered| &buffered.cubes);
        let cubes: usize = buffered.chain(&self.spare).map(Vec::capacity).sum();
        let cubes_bytes = cubes * size_of::<CubeState>();
        self.newest.held_bytes() + cubes_bytes + self.timing.held_bytes()
    }

    /// Returns the source of the velocities that Hermite interpolation uses as tangents, on the format's rung.
    pub fn tangents(&self) -> Tangents {
        Tangents::for_rung(self.format.rung())
    }

    /// Makes an adaptive clock start again at its target delay, however far behind play is.
    pub fn go_live(&mut self) {
        if let ArrivalTiming::Adaptive(clock) = &mut self.timing {
            clock.go_live();
        }
    }

    /// Moves the playout clock to `now_ms` and returns the instant to show; `None` before the first snapshot.
    pub fn advance(&mut self, now_ms: f64) -> Option<Instant> {
        self.timing.advance(self.config.tick_rate, now_ms)
    }

    /// Tick of the last snapshot that a pose was shown from.
    pub fn shown_tick(&self) -> Option<i64> {
        self.shown_tick
    }

    /// Ticks of four snapshots around the last shown instant: the one before the shown one, the shown one, and two after it.
    pub fn around(&self) -> [Option<i64>; 4] {
        let from = (self.buffer.iter()).position(|buffered| Some(buffered.tick) == self.shown_tick);
        let tick = |at: usize| self.buffer.get(at).map(|buffered| buffered.tick);
        from.map_or([None; 4], |from| {
            let before = from.checked_sub(1).and_then(tick);
            [before, tick(from), tick(from + 1), tick(from + 2)]
        })
    }

    /// Number of snapshots up to [`Buffer::shown_tick`] that a pose was drawn from.
    pub fn drawn(&self) -> u64 {
        let shown = self
            .buffer
            .iter()
            .filter(|it| Some(it.tick) > self.shown_tick);
        self.drawn - shown.filter(|it| it.is_drawn).count() as u64
    }

    /// Writes the pose of every cube at the play instant. Writes nothing and returns `None` before the first snapshot is due.
    pub fn show(&mut self, instant: Instant, poses: &mut [Pose]) -> Option<Playback> {
        let (tick_rate, interpolation) = (self.config.tick_rate, self.config.interpolation);
        let at_once = matches!(self.timing, ArrivalTiming::AtOnce { .. });
        let due = self
            .buffer
            .partition_point(|buffered| at_once || buffered.tick as f64 <= instant.play_tick);
        if due == 0 {
            return None;
        }
        let play_tick = instant.play_tick;
        // One snapshot before the one that is shown stays, for tangents.
        for _ in 2..due {
            self.spare
                .extend(self.buffer.pop_front().map(|played| played.cubes));
        }
        let from = due.min(2) - 1;
        self.shown_tick = Some(self.buffer[from].tick);
        self.show_around(play_tick, from, poses);
        let row = interpolation.row();
        let is_held = row.is_held || at_once && !row.extrapolates;
        let ends = if is_held { 1 } else { 2 };
        self.mark_drawn(from, ends);
        let newest_tick = self.buffer[self.buffer.len() - 1].tick as f64;
        // `none` holds each snapshot for an interval, and so do all without a clock; the others need a next one at once.
        let held_ticks = if at_once || row.is_held {
            tick_rate.tick_of_ms(self.config.send_interval_ms)
        } else {
            0.0
        };
        let hitch = instant.waits || play_tick > newest_tick + held_ticks;
        let goes_on_ticks = if row.extrapolates {
            tick_rate.tick_of_ms(EXTRAPOLATION_MS)
        } else {
            held_ticks
        };
        let shown_tick = if is_held {
            self.buffer[from].tick as f64
        } else {
            play_tick.min(newest_tick + goes_on_ticks)
        };
        let due_tick = match is_held {
            true => self.due_tick(play_tick),
            false => play_tick,
        };
        Some(Playback {
            play_tick: due_tick,
            shown_tick,
            drawn_tick: shown_tick,
            late_ms: instant.late_ms + tick_rate.ms_of_tick((due_tick - shown_tick).max(0.0)),
            stepped_tick: due_tick,
            delay_ms: instant.delay_ms,
            speed: instant.speed,
            hitch,
        })
    }

    /// Marks some snapshots as drawn, from an index on.
    fn mark_drawn(&mut self, from: usize, count: usize) {
        for snapshot in self.buffer.iter_mut().skip(from).take(count) {
            self.drawn += u64::from(!snapshot.is_drawn);
            snapshot.is_drawn = true;
        }
    }

    /// Returns the tick at which a held picture is due. Without a clock it is as late as packets are on average: not the
    /// fastest that all could be.
    fn due_tick(&self, play_tick: f64) -> f64 {
        match self.timing {
            ArrivalTiming::AtOnce {
                least_ticks: Some(least_ticks),
                mean: (packets, took_ticks),
            } => play_tick + least_ticks - took_ticks / packets,
            _ => play_tick,
        }
    }

    fn show_around(&self, play_tick: f64, from: usize, poses: &mut [Pose]) {
        let (interpolation, tangents) = (self.config.interpolation, self.tangents());
        let before = from.checked_sub(1).and_then(|i| self.buffer.get(i));
        let (to, after) = (self.buffer.get(from + 1), self.buffer.get(from + 2));
        let from = &self.buffer[from];
        for (index, pose) in poses.iter_mut().enumerate() {
            let around = SurroundingSamples {
                tick_rate: self.config.tick_rate,
                before: before.map(|snapshot| snapshot.sample(index)),
                from: from.sample(index),
                to: to.map(|snapshot| snapshot.sample(index)),
                after: after.map(|snapshot| snapshot.sample(index)),
            };
            *pose = pose_at(play_tick, &around, interpolation, tangents);
        }
    }
}
