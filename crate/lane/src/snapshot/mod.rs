//! Snapshot interpolation in a lane: both ends, and the comparison of what was sent with what came out.

mod observer;

use crate::predictor::SharedPredictor;
use snapshot_record::agreed::Agreed;
use snapshot_settings::LaneSettings;
use snapshot_strategies::snapshot::{Receiver, ReceiverConfig, Sender, quantise};
use snapshot_view::{BufferConfig, SenderClock};

pub(super) use observer::Observer;

/// Both ends, with nothing sent yet, and the observer. No world is lent to this receiver.
pub(super) fn endpoints(
    settings: &LaneSettings,
    agreed: &Agreed,
) -> (Sender<SharedPredictor>, Receiver<SharedPredictor>, Observer) {
    let format = agreed.format(settings.rung(), settings.class(), settings);
    let initial = agreed.initial();
    let mut first = Vec::with_capacity(initial.len());
    quantise(&format, initial, &mut first);
    let predictor = SharedPredictor::new(agreed.made_from());
    let (tick_rate, hz) = (settings.tick_rate(), settings.send_rate_hz());
    let receiver_config = receiver_config(settings);
    let sender = Sender::new(format, tick_rate, hz, &first, predictor.clone());
    let receiver = Receiver::new(format, receiver_config, &first, predictor);
    (sender, receiver, Observer::new(format))
}

/// The receiver's part of a lane's settings.
pub(crate) fn receiver_config(settings: &LaneSettings) -> ReceiverConfig {
    let buffer = BufferConfig {
        tick_rate: settings.tick_rate(),
        interpolation: settings.interpolation(),
        playout: settings.playout(),
        send_interval_ms: settings.send_interval_ms(),
    };
    ReceiverConfig {
        buffer,
        sender_clock: SenderClock::TOGETHER,
    }
}
