//! The time that packets wait in the jitter buffer of state synchronisation.

use crate::strategy::frames::LastTwoFrames;
use snapshot_base::time::{TICKS_PER_S, WORLD};
use snapshot_view::playout::{Clock, MOST_DELAY_MS, Playout, RESTART_MS};

/// Capacity of the jitter buffer, packets. A packet farther ahead of its time is refused.
const MOST_BUFFERED: usize = 64;
/// Capacity of the jitter buffer with adaptive playout, packets: the longest delay and the lag at which play restarts, together
/// 2.5 s, and three packets.
const MOST_BUFFERED_ADAPTIVE: usize = 192;
const _: () = {
    let lag_s = (MOST_DELAY_MS + RESTART_MS) / 1000.0;
    assert!(MOST_BUFFERED_ADAPTIVE as f64 > lag_s * TICKS_PER_S as f64 + 3.0);
};

/// The timing of the jitter buffer: how long packets wait in it.
pub(super) enum BufferTiming {
    Fixed {
        buffer_ticks: i64,
        /// Arrival tick of the first packet minus its frame.
        offset_ticks: Option<i64>,
    },
    Adaptive {
        clock: Box<Clock>,
        frames: LastTwoFrames,
        has_begun: bool,
    },
    /// Packets are applied on arrival. The world's tick begins as the first packet's, and then rises by one each tick.
    AtOnce {
        /// Frame of the newest applied packet.
        applied_frame: Option<u64>,
        /// Ticks of the world since the last applied packet.
        waited_ticks: u64,
        interval_ticks: f64,
    },
}

impl BufferTiming {
    pub(super) fn new(playout: Playout, send_interval_ms: f64) -> BufferTiming {
        match playout {
            Playout::Fixed { delay_ms } | Playout::FirstPacket { delay_ms } => {
                BufferTiming::Fixed {
                    buffer_ticks: WORLD.tick_of_ms(delay_ms).round() as i64,
                    offset_ticks: None,
                }
            }
            Playout::AtOnce => BufferTiming::AtOnce {
                applied_frame: None,
                waited_ticks: 0,
                interval_ticks: WORLD.tick_of_ms(send_interval_ms),
            },
            Playout::Adaptive(aim) => BufferTiming::Adaptive {
                clock: Clock::new(WORLD, aim, send_interval_ms, 0.0, 0.0).into(),
                frames: LastTwoFrames::default(),
                has_begun: false,
            },
        }
    }

    /// Records the arrival of a new packet.
    pub(super) fn packet(&mut self, arrival_ms: f64, arrival_tick: u64, frame: u64) {
        match self {
            BufferTiming::Fixed { offset_ticks, .. } => {
                offset_ticks.get_or_insert(arrival_tick as i64 - frame as i64);
            }
            BufferTiming::Adaptive { clock, .. } => clock.packet(arrival_ms, frame as i64),
            BufferTiming::AtOnce { .. } => {}
        }
    }

    /// Capacity of the jitter buffer, packets.
    pub(super) fn most_buffered(&self) -> usize {
        match self {
            BufferTiming::Fixed { .. } | BufferTiming::AtOnce { .. } => MOST_BUFFERED,
            BufferTiming::Adaptive { .. } => MOST_BUFFERED_ADAPTIVE,
        }
    }
}
