//! Snapshot interpolation in a lane: both ends, and the comparison of decoded snapshots with the sent ones.

use super::endpoints::{Quantised, SnapshotReceiver, SnapshotSender, quantise};
use crate::measure::metrics::Metrics;
use crate::predictor::SharedPredictor;
use crate::strategy::Change;
use crate::strategy::ends::{Ends, Exchange, LaneSender, OneWay};
use crate::strategy::{NoWorld, Receiver as _};
use crate::view::Page;
use snapshot_base::time::{TickRate, tick_of_sequence};
use snapshot_codec::{Cube, CubeState, Format};
use snapshot_record::delta_history::DeltaHistory;
use snapshot_record::session_config::SessionConfig;
use snapshot_record::tape::Frame;
use snapshot_settings::LaneSettings;
use snapshot_view::interpolate::Tangents;
use snapshot_view::{BufferConfig, Playback, Pose};

/// Both ends of snapshot interpolation, which need no world.
pub(crate) struct SnapshotEnds {
    sender: SnapshotSender<SharedPredictor>,
    receiver: SnapshotReceiver<SharedPredictor>,
    observer: SnapshotObserver,
    tick_rate: TickRate,
    send_rate_hz: u32,
}

impl SnapshotEnds {
    /// Creates both ends with nothing sent yet, and the observer.
    pub(crate) fn new(settings: &LaneSettings, session_config: &SessionConfig) -> SnapshotEnds {
        let format = session_config.format(settings.rung(), settings.class(), settings);
        let initial = &session_config.initial;
        let mut first = Vec::with_capacity(initial.len());
        quantise(&format, initial, &mut first);
        let predictor = SharedPredictor::new(session_config.made_from);
        let (tick_rate, hz) = (settings.tick_rate(), settings.send_rate_hz());
        let config = receiver_config(settings);
        SnapshotEnds {
            sender: SnapshotSender::new(format, tick_rate, hz, &first, predictor.clone()),
            receiver: SnapshotReceiver::new(format, config, &first, predictor),
            observer: SnapshotObserver::new(format),
            tick_rate,
            send_rate_hz: hz,
        }
    }

    /// Source of the velocities for Hermite interpolation.
    pub(crate) fn tangents(&self) -> Tangents {
        self.receiver.tangents()
    }
}

impl Ends for SnapshotEnds {
    fn exchange(&mut self, frame: &Frame<'_>, exchange: &mut Exchange<'_>) -> Option<Playback> {
        self.one_way(frame, exchange)
    }

    fn sender(&self) -> Option<&dyn LaneSender> {
        Some(&self.sender)
    }

    fn item(&self) -> &'static str {
        if self.sender.format().rung().is_delta() {
            "changed_cube"
        } else {
            "cube"
        }
    }
}

impl OneWay for SnapshotEnds {
    fn sender_mut(&mut self) -> &mut dyn LaneSender {
        &mut self.sender
    }

    fn receiver_mut(&mut self) -> &mut dyn crate::strategy::Receiver {
        &mut self.receiver
    }

    fn is_as_sent(&mut self, frame: &Frame<'_>) -> Option<bool> {
        let (sequence, decoded) = self.receiver.decoded();
        let tick = tick_of_sequence(sequence, frame.tick as i64) as u64;
        self.observer.is_as_sent(tick, frame.tape.truth(), decoded)
    }

    fn show(
        &mut self,
        frame: &Frame<'_>,
        now_ms: f64,
        metrics: &mut Metrics,
        poses: &mut [Pose],
    ) -> Option<Playback> {
        let playback = self.receiver.show(now_ms, &mut NoWorld, poses);
        if let Some((tick, shown)) = self.receiver.shown() {
            let number = |tick| self.tick_rate.packet_number(tick, self.send_rate_hz);
            let sent = number(tick) - number(frame.tick - metrics.ticks);
            metrics.skipped = Some(sent.saturating_sub(shown));
        }
        playback
    }
}

impl LaneSender for SnapshotSender<SharedPredictor> {
    fn copy(&self) -> Box<dyn LaneSender> {
        Box::new(self.clone())
    }

    fn changes(&self) -> Vec<Change> {
        let cubes = (0..).zip(self.last_sent());
        cubes
            .filter(|(_, (before, now))| {
                (before.position, before.orientation) != (now.position, now.orientation)
            })
            .map(|(cube, (before, now))| Change {
                cube,
                position_before: before.position,
                position: now.position,
                orientation_before: before.orientation,
                orientation: now.orientation,
            })
            .collect()
    }
}

pub(crate) fn receiver_config(settings: &LaneSettings) -> BufferConfig {
    BufferConfig {
        tick_rate: settings.tick_rate(),
        interpolation: settings.interpolation(),
        playout: settings.playout(),
        send_interval_ms: settings.send_interval_ms(),
    }
}

/// Observer of snapshot interpolation, which sees both sides. A sent snapshot is the quantised truth. It is read from the
/// tape, because storing it would take 20 MB a lane.
struct SnapshotObserver {
    format: Format,
    truth: Page,
    sent: Quantised,
}

impl SnapshotObserver {
    fn new(format: Format) -> SnapshotObserver {
        SnapshotObserver {
            format,
            truth: Page::default(),
            sent: Quantised::default(),
        }
    }

    /// Returns true if the decoded snapshot of a tick equals the sent one; `None` if the tape no longer stores that tick.
    fn is_as_sent(
        &mut self,
        tick: u64,
        past: &DeltaHistory<CubeState>,
        decoded: &[Cube],
    ) -> Option<bool> {
        let truth = self.truth.read(tick, past)?;
        self.sent.update(&self.format, truth);
        Some(self.sent.cubes() == decoded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_codec::{QuantisationBits, Rung};

    #[test]
    fn a_snapshot_that_differs_in_one_bit_is_not_as_sent() {
        let format = Format::new(Rung::ChangedFlags, QuantisationBits::DEFAULT, 3).unwrap();
        let past = DeltaHistory::new(7, vec![CubeState::EMPTY; 3]);
        let mut observer = SnapshotObserver::new(format);
        let mut decoded = vec![format.quantise(&CubeState::EMPTY); 3];
        assert_eq!(observer.is_as_sent(7, &past, &decoded), Some(true));
        decoded[1].position[2] ^= 1;
        assert_eq!(observer.is_as_sent(7, &past, &decoded), Some(false));
        assert_eq!(observer.is_as_sent(8, &past, &decoded), None);
    }
}
