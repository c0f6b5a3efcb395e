//! The settings that a lane (a sender, a link and a receiver) may read.

use super::schema::{self, Domain, SCHEMA};
use super::{Desync, Interpolation, Key, Settings, Strategy, Transport};
use snapshot_base::time::{TickRate, WORLD};
use snapshot_codec::{Class, Grid, QuantisationBits, Rung, Widths};
use snapshot_netsim::channel::LinkInputs;
use snapshot_view::playout::{Aim, MOST_DELAY_MS, Playout, WINDOW_MS};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The direction of packets, to the right side (the receiver).
    Forward,
    /// The direction of acknowledgements, to the left side (the sender).
    Back,
}

impl Direction {
    pub const BOTH: [Direction; 2] = [Direction::Forward, Direction::Back];

    pub(super) fn other(self) -> Direction {
        match self {
            Direction::Forward => Direction::Back,
            Direction::Back => Direction::Forward,
        }
    }
}

/// The settings that a lane depends on: those of sender, network and receiver, and the seed of the network's faults. The
/// world's settings are in [`WorldSettings`](snapshot_physics::world::WorldSettings). A lane does not depend on who drives,
/// or on the speed of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneSettings {
    of: Settings,
    /// Spread of a recorded link's delays, whole ms; `None` without a recorded link.
    recorded_spread_ms: Option<u32>,
    tick_rate: TickRate,
}

impl LaneSettings {
    /// Returns the settings that a lane reads; all other settings have their defaults. So equal results always give equal
    /// lanes.
    pub(super) fn from_settings(settings: &Settings) -> LaneSettings {
        let mut of_lane = *settings;
        for setting in SCHEMA.iter().filter(|it| !it.is_read_by_a_lane()) {
            of_lane.values[setting.key as usize] = setting.default;
        }
        LaneSettings {
            of: of_lane,
            recorded_spread_ms: None,
            tick_rate: WORLD,
        }
    }

    /// Returns a copy for a recorded link: an automatic playout delay is then computed from that link's delays.
    pub fn over(self, given: &LinkInputs) -> LaneSettings {
        let delays = given.trace.as_ref().map(|trace| trace.delays());
        LaneSettings {
            recorded_spread_ms: delays.map(|delays| delays.spread_ms().ceil() as u32),
            ..self
        }
    }

    /// Returns a copy with another tick rate. A lane or a ladder uses the rate of its tape.
    #[must_use]
    pub fn at(&self, tick_rate: TickRate) -> LaneSettings {
        LaneSettings { tick_rate, ..*self }
    }

    pub fn tick_rate(&self) -> TickRate {
        self.tick_rate
    }

    /// Returns the raw value of one of a lane's settings.
    ///
    /// # Panics
    /// In debug builds, if the schema says that no lane reads the setting: its value would always be the default.
    pub fn get(&self, key: Key) -> u32 {
        debug_assert!(key.setting().is_read_by_a_lane(), "{key:?}");
        self.of.get(key)
    }

    /// The number that a setting's raw value stands for, in its unit.
    pub(crate) fn number(&self, key: Key) -> f64 {
        key.setting().domain.number(self.get(key))
    }

    /// Returns a percentage as a share, 0 to 1.
    pub(crate) fn share(&self, key: Key) -> f64 {
        let scale = match key.setting().domain {
            Domain::Number(of) => 100 * 10_u32.pow(of.decimals),
            Domain::Choice(_) => 1,
        };
        f64::from(self.get(key)) / f64::from(scale)
    }

    pub fn is_on(&self, key: Key) -> bool {
        self.get(key) == 1
    }

    pub fn fate_depends_on_size(&self) -> bool {
        self.of.fate_depends_on_size()
    }

    pub fn strategy(&self) -> Strategy {
        self.of.strategy()
    }

    /// Packets a second: at most one each tick.
    pub fn send_rate_hz(&self) -> u32 {
        self.get(Key::SendRate).min(self.tick_rate.hz())
    }

    pub fn send_interval_ms(&self) -> f64 {
        1000.0 / f64::from(self.send_rate_hz())
    }

    pub fn rung(&self) -> Rung {
        Rung::ALL[self.get(Key::Codec) as usize]
    }

    pub fn class(&self) -> Class {
        Class::ALL[self.get(Key::Class) as usize]
    }

    pub fn bits(&self) -> QuantisationBits {
        QuantisationBits::new(
            self.get(Key::PositionBits),
            self.get(Key::OrientationBits),
            self.get(Key::VelocityBits),
        )
        .expect("the schema's ranges are the codec's")
    }

    /// Bit widths of position differences: the set widths or, if automatic, the widths of the articles. The large range is
    /// at least as wide as the small one.
    pub fn position_widths(&self) -> Widths {
        let articles = Widths::of_position(self.bits().position());
        self.widths([Key::PositionSmall, Key::PositionLarge], articles)
    }

    /// Bit widths of the differences of orientation components, by the rule of `position_widths`.
    pub fn orientation_widths(&self) -> Widths {
        let articles = Widths::of_orientation(self.bits().orientation());
        self.widths([Key::OrientationSmall, Key::OrientationLarge], articles)
    }

    fn widths(&self, keys: [Key; 2], articles: Widths) -> Widths {
        let set = |key| Some(self.get(key)).filter(|bits| *bits != schema::AUTO);
        let [small, large] = keys.map(set);
        // A small range by default stays within a large range that was set.
        let narrowest = large.unwrap_or(articles.small_bits());
        let small_bits = small.unwrap_or(articles.small_bits().min(narrowest));
        let large_bits = large.unwrap_or(articles.large_bits()).max(small_bits);
        Widths::new(small_bits, large_bits).expect("the schema's ranges are the codec's")
    }

    pub fn interpolation(&self) -> Interpolation {
        Interpolation::ALL[self.get(Key::Interpolation) as usize]
    }

    /// Returns the key of the playout delay; under state synchronisation it is the key of the jitter buffer.
    pub fn delay_key(&self) -> Key {
        let keys = [Key::JitterBuffer, Key::Delay].into_iter();
        let mut used = keys.filter(|key| key.setting().is_used_by(self.strategy()));
        used.next().expect("each strategy has a delay")
    }

    /// Returns true if packets are shown as they arrive.
    pub fn is_shown_at_once(&self) -> bool {
        self.get(self.delay_key()) == schema::AT_ONCE
    }

    pub fn playout(&self) -> Playout {
        if self.is_shown_at_once() {
            return Playout::AtOnce;
        }
        match self.delay_ms() {
            None => Playout::Adaptive(self.playout_aim()),
            Some(delay_ms) if self.counts_from_first_packet() => Playout::FirstPacket { delay_ms },
            Some(delay_ms) => Playout::Fixed { delay_ms },
        }
    }

    /// Returns true if a fixed delay counts from the first packet, as in links of version 1.
    fn counts_from_first_packet(&self) -> bool {
        self.get(Key::Clock) != 0
    }

    /// Time between a fast packet's arrival and its display, or time in the jitter buffer, ms; `None` if play adapts.
    pub fn delay_ms(&self) -> Option<f64> {
        let key = self.delay_key();
        match (key, self.get(key)) {
            (_, schema::ADAPTIVE) => None,
            (_, schema::AT_ONCE) => Some(0.0),
            (Key::JitterBuffer, frames) => Some(WORLD.ms_of_tick(f64::from(frames))),
            (_, schema::AUTO) => Some(self.automatic_delay_ms()),
            (_, ms) => Some(f64::from(ms)),
        }
    }

    /// Returns the automatic playout delay: 3 send intervals and the jitter, which survives two lost packets in a row
    /// (Snapshot Interpolation, "Handling real world conditions"). The jitter of a shape with a tail, and of a recorded link,
    /// is the spread of 99 % of the delays.
    fn automatic_delay_ms(&self) -> f64 {
        let jitter_ms = match self.recorded_spread_ms {
            Some(spread_ms) => f64::from(spread_ms),
            // The fastest packet is twice the jitter before the slowest.
            None if self.get(Key::Shape) == 0 && !self.counts_from_first_packet() => {
                2.0 * self.number(Key::Jitter)
            }
            None if self.get(Key::Shape) == 0 => self.number(Key::Jitter),
            None => self.conditions(Direction::Forward).spread_ms(),
        };
        3.0 * self.send_interval_ms() + jitter_ms.min(MOST_DELAY_MS)
    }

    pub fn playout_aim(&self) -> Aim {
        Aim {
            freezes_per_minute: f64::from(self.get(Key::Freezes)),
            change: f64::from(self.get(Key::Pace)) / 100.0,
            most_delay_ms: MOST_DELAY_MS,
        }
    }

    /// Number of ticks until the view of a lane that starts later equals the view of a lane that started at tick 0. Its
    /// first snapshots are large: their baseline is old until an acknowledgement arrives. Its view waits for the playout
    /// delay and for the neighbouring snapshots. Its rates cover the last second.
    pub fn warm_up_ticks(&self) -> u64 {
        let ways_ms: f64 = Direction::BOTH
            .iter()
            .map(|direction| self.usual_way_ms(*direction))
            .sum();
        let sent_again_ms = self.retransmission_timeout_ms().unwrap_or(0.0);
        // An adaptive delay follows the packets of its window.
        let delay_ms = self.delay_ms().unwrap_or(WINDOW_MS + MOST_DELAY_MS);
        let shown_ms = delay_ms + 2.0 * self.send_interval_ms();
        self.tick_rate
            .tick_of_ms(1000.0 + ways_ms + sent_again_ms + shown_ms)
            .ceil() as u64
    }

    /// Bytes of the headers that are counted for each packet: IP, and UDP or TCP.
    pub fn header_bytes(&self) -> u32 {
        match (
            schema::HEADER_BYTES[self.get(Key::Header) as usize],
            self.transport(),
        ) {
            (0, _) => 0,
            (udp_bytes, Transport::Udp) => udp_bytes,
            (udp_bytes, Transport::Tcp) => udp_bytes + schema::TCP_EXTRA_BYTES,
        }
    }

    /// Upper limit of a packet's size, headers included, bytes; `None` if packets are sent whole.
    pub fn mtu_bytes(&self) -> Option<u32> {
        Some(self.get(Key::Fragments)).filter(|mtu_bytes| *mtu_bytes > 0)
    }

    /// The transport of the packets: as set for lockstep, datagrams for all other strategies.
    pub fn transport(&self) -> Transport {
        if Key::Transport.setting().is_used_by(self.strategy()) {
            Transport::ALL[self.get(Key::Transport) as usize]
        } else {
            Transport::Udp
        }
    }

    /// Retransmission timeout of a stream, ms: two round trips. `None` for datagrams.
    pub fn retransmission_timeout_ms(&self) -> Option<f64> {
        let round_trip_ms = || self.base_ms(Direction::Forward) + self.base_ms(Direction::Back);
        (self.transport() == Transport::Tcp).then(|| 2.0 * round_trip_ms())
    }

    pub fn desync(&self) -> Desync {
        Desync::ALL[self.get(Key::Desync) as usize]
    }

    /// Upper limit of the bandwidth from a game's server to each client, kbit/s, headers counted. `None` if there is no limit.
    pub fn game_budget_kbps(&self) -> Option<f64> {
        let kbps = Some(self.get(Key::Budget)).filter(|kbps| *kbps != schema::NO_BUDGET);
        kbps.map(f64::from)
    }

    /// Distance from its own cube within which a game's client receives cubes, m; `None` for all cubes.
    pub fn sight_m(&self) -> Option<f32> {
        let sight_m = Some(self.get(Key::Sight)).filter(|sight_m| *sight_m > 0);
        sight_m.map(|sight_m| sight_m as f32)
    }

    /// Returns the grid of state synchronisation, to which worlds are rounded, always with velocities.
    pub fn grid(&self, cube_count: usize) -> Grid {
        Grid::new(self.bits(), cube_count, true).expect("the schema's ranges are the codec's")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(link: &str) -> LaneSettings {
        let (settings, notices) = crate::permalink::parse(link);
        assert_eq!(notices, []);
        settings.lane()
    }

    #[test]
    fn an_automatic_delay_covers_jitter_and_a_tail() {
        let interval_ms = lane("hz=60").send_interval_ms();
        for link in [
            "hz=60&jitter=17",
            "hz=60&jitter=17&stall=40&badms=50&order=1",
        ] {
            assert_eq!(lane(link).delay_ms(), Some(3.0 * interval_ms + 34.0));
        }
        // p99 of an exponential is ln 100 means.
        let delay_ms = lane("hz=60&jitter=20&shape=exponential").delay_ms();
        let expected_ms = 3.0 * interval_ms + 20.0 * libm::log(100.0);
        assert!((delay_ms.unwrap() - expected_ms).abs() < 1e-9);
        let limited = lane("hz=60&latency=50&jitter=20&shape=lognormal&most=100");
        assert_eq!(limited.delay_ms(), Some(3.0 * interval_ms + 50.0));
    }

    #[test]
    fn an_automatic_delay_follows_a_recorded_link() {
        // 2 % of the packets take 300 ms, all others 40.
        let row = |n: u32| {
            format!(
                "{},{}\n",
                10 * n,
                if n.is_multiple_of(50) { 300 } else { 40 }
            )
        };
        let text: String = (0..1000).map(row).collect();
        let text = format!("sent_ms,delay_ms\n{text}");
        let trace = snapshot_netsim::trace::Trace::read(text.as_bytes()).unwrap();
        let given = LinkInputs {
            trace: Some(std::sync::Arc::new(trace)),
            ..LinkInputs::default()
        };
        let lane = lane("hz=60").over(&given);
        assert_eq!(lane.delay_ms(), Some(3.0 * lane.send_interval_ms() + 260.0));
        assert_eq!(
            lane.over(&LinkInputs::default()).delay_ms(),
            self::lane("hz=60").delay_ms()
        );
    }
}
