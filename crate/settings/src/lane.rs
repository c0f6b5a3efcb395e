//! The settings that a lane (a sender, a link and a receiver) may read.

use super::kind::SetDelay;
use super::schema::SCHEMA;
use super::{DelayStart, Header, Key, Settings, Transport};
use snapshot_base::time::{TickRate, WORLD};
use snapshot_codec::{Grid, QuantisationBits, Widths};
use snapshot_netsim::channel::{DelayShape, LinkInputs};
use snapshot_view::playout::{Aim, MOST_DELAY_MS, Playout, WINDOW_MS};

/// Bytes around the content of an unfragmented message of a WebRTC data channel: IPv4 20, UDP 8, a record of DTLS 1.3 22
/// (RFC 9147), the header of SCTP 12 and that of its DATA chunk 16 (RFC 9260). Acknowledgements of SCTP are packets of their own.
pub const WEBRTC_BYTES: u32 = 78;

/// Bytes by which TCP's header without options (20) is longer than UDP's (8).
const TCP_EXTRA_BYTES: u32 = 12;

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
        for setting in SCHEMA.iter().filter(|it| !it.is_read_by_a_lane) {
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
    pub(crate) fn get(&self, key: Key) -> u32 {
        debug_assert!(key.setting().is_read_by_a_lane, "{key:?}");
        self.of.get(key)
    }

    pub fn fate_depends_on_size(&self) -> bool {
        self.of.fate_depends_on_size()
    }

    /// Packets a second: at most one each tick.
    pub fn send_rate_hz(&self) -> u32 {
        self.chosen_rate_hz().min(self.tick_rate.hz())
    }

    pub fn send_interval_ms(&self) -> f64 {
        1000.0 / f64::from(self.send_rate_hz())
    }

    pub fn bits(&self) -> QuantisationBits {
        QuantisationBits::new(
            self.position_bits(),
            self.orientation_bits(),
            self.velocity_bits(),
        )
        .expect("the schema's ranges are the codec's")
    }

    /// Bit widths of position differences: the set widths or, if automatic, the widths of the articles. The large range is
    /// at least as wide as the small one.
    pub fn position_widths(&self) -> Widths {
        let articles = Widths::of_position(self.bits().position());
        let (small, large) = (self.small_position_bits(), self.large_position_bits());
        widths(small, large, articles)
    }

    /// Bit widths of the differences of orientation components, by the rule of `position_widths`.
    pub fn orientation_widths(&self) -> Widths {
        let articles = Widths::of_orientation(self.bits().orientation());
        let (small, large) = (self.small_orientation_bits(), self.large_orientation_bits());
        widths(small, large, articles)
    }

    /// Returns the key of the playout delay; under state synchronisation it is the key of the jitter buffer.
    pub fn delay_key(&self) -> Key {
        let keys = [Key::JitterBuffer, Key::Delay].into_iter();
        let mut used = keys.filter(|key| key.setting().is_used_by(self.strategy()));
        used.next().expect("each strategy has a delay")
    }

    /// The playout delay as it is set; under state synchronisation the jitter buffer.
    fn set_delay(&self) -> SetDelay {
        match self.delay_key() {
            Key::JitterBuffer => self.jitter_buffer(),
            _ => self.playout_delay(),
        }
    }

    /// Returns true if packets are shown as they arrive.
    pub fn is_shown_at_once(&self) -> bool {
        self.set_delay() == SetDelay::AtOnce
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
        self.delay_start() == DelayStart::First
    }

    /// Time between a fast packet's arrival and its display, or time in the jitter buffer, ms; `None` if play adapts.
    pub fn delay_ms(&self) -> Option<f64> {
        let is_in_frames = self.delay_key() == Key::JitterBuffer;
        match self.set_delay() {
            SetDelay::Adaptive => None,
            SetDelay::AtOnce => Some(0.0),
            SetDelay::Auto => Some(self.automatic_delay_ms()),
            SetDelay::Fixed(frames) if is_in_frames => Some(WORLD.ms_of_tick(frames.into())),
            SetDelay::Fixed(ms) => Some(ms.into()),
        }
    }

    /// Returns the automatic playout delay: 3 send intervals and the jitter, which survives two lost packets in a row
    /// (Snapshot Interpolation, "Handling real world conditions"). The jitter of a shape with a tail, and of a recorded link,
    /// is the spread of 99 % of the delays.
    fn automatic_delay_ms(&self) -> f64 {
        let (way, jitter_ms) = (Direction::Forward, self.jitter_ms(Direction::Forward));
        let jitter_ms = match self.recorded_spread_ms {
            Some(spread_ms) => f64::from(spread_ms),
            None if self.delay_shape(way) != DelayShape::Uniform => {
                self.conditions(way).spread_ms()
            }
            None if self.counts_from_first_packet() => jitter_ms,
            // The fastest packet is twice the jitter before the slowest.
            None => 2.0 * jitter_ms,
        };
        3.0 * self.send_interval_ms() + jitter_ms.min(MOST_DELAY_MS)
    }

    pub fn playout_aim(&self) -> Aim {
        Aim {
            freezes_per_minute: self.freezes_per_minute(),
            change: self.pace(),
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
        let udp_bytes = match self.header() {
            Header::Ipv4 => 20 + 8,
            Header::Ipv6 => 40 + 8,
            Header::None => return 0,
            Header::WebRtc => WEBRTC_BYTES,
        };
        match self.transport() {
            Transport::Udp => udp_bytes,
            Transport::Tcp => udp_bytes + TCP_EXTRA_BYTES,
        }
    }

    /// Upper limit of a packet's size, headers included, bytes; `None` if packets are sent whole.
    pub fn mtu_bytes(&self) -> Option<u32> {
        self.fragment_bytes().map(|bytes| bytes as u32)
    }

    /// The transport of the packets: as set for lockstep, datagrams for all other strategies.
    pub fn transport(&self) -> Transport {
        if Key::Transport.setting().is_used_by(self.strategy()) {
            self.chosen_transport()
        } else {
            Transport::Udp
        }
    }

    /// Retransmission timeout of a stream, ms: two round trips. `None` for datagrams.
    pub fn retransmission_timeout_ms(&self) -> Option<f64> {
        let round_trip_ms =
            || self.latency_ms(Direction::Forward) + self.latency_ms(Direction::Back);
        (self.transport() == Transport::Tcp).then(|| 2.0 * round_trip_ms())
    }

    /// Returns the grid of state synchronisation, to which worlds are rounded, always with velocities.
    pub fn grid(&self, cube_count: usize) -> Grid {
        Grid::new(self.bits(), cube_count, true).expect("the schema's ranges are the codec's")
    }
}

/// Returns the bit widths of both ranges; a width that is not set is that of the articles.
fn widths(small: Option<u32>, large: Option<u32>, articles: Widths) -> Widths {
    // A small range by default stays within a large range that was set.
    let narrowest = large.unwrap_or(articles.small_bits());
    let small_bits = small.unwrap_or(articles.small_bits().min(narrowest));
    let large_bits = large.unwrap_or(articles.large_bits()).max(small_bits);
    Widths::new(small_bits, large_bits).expect("the schema's ranges are the codec's")
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
