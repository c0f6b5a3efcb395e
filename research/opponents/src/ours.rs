//! Rungs 9 to 13 of the ladder, one snapshot at a time.

use crate::contest::{Ends, Held};
use crate::exchange::{Exchange, Step};
use snapshot_codec::{Baseline, Class, Format, Rung, SnapshotCoder};
use std::time::{Duration, Instant};

/// The rungs that take part, the arithmetic ones in both classes.
pub fn rungs() -> impl Iterator<Item = (Rung, Class)> {
    let rungs = Rung::ALL
        .into_iter()
        .filter(|rung| (9..=13).contains(&(*rung as u8)));
    rungs.flat_map(|rung| {
        let both = Class::ALL.into_iter();
        both.filter(move |class| rung.is_arithmetic() || *class == Class::Strict)
            .map(move |class| (rung, class))
    })
}

/// Both ends of a rung.
pub struct OfRung {
    sender: SnapshotCoder,
    receiver: SnapshotCoder,
    sent: Held<Baseline>,
    received: Held<Baseline>,
}

impl OfRung {
    /// Both ends before the first packet.
    pub fn new(rung: Rung, class: Class, exchange: &Exchange) -> OfRung {
        let of = &exchange.format;
        let format = Format::new(rung, of.bits(), of.cube_count())
            .and_then(|format| format.with_player(of.player()))
            .and_then(|format| format.with_slots(of.has_slots()))
            .and_then(|format| format.with_bounds(of.bounds()))
            .expect("the exchange's format is one");
        let format = format.with_class(class);
        let held = || {
            Held::new(exchange, |cubes| {
                Baseline::new(&format, cubes).expect("the format quantised them")
            })
        };
        OfRung {
            sender: SnapshotCoder::new(&format),
            receiver: SnapshotCoder::new(&format),
            sent: held(),
            received: held(),
        }
    }
}

impl Ends for OfRung {
    fn send(&mut self, step: &Step, packet: &mut Vec<u8>) -> Duration {
        let baseline = self.sent.baseline(step);
        // The coder makes the snapshot of the baseline, which other packets may need.
        let mut baseline = baseline
            .expect("a sender holds what was acknowledged")
            .clone();
        let coder = &mut self.sender;
        let start = Instant::now();
        coder
            .encode(&mut baseline, step.ticks(), &step.cubes, packet)
            .expect("the format quantised the snapshot");
        let time = start.elapsed();
        self.sent.keep(step.tick, baseline);
        time
    }

    fn receive(&mut self, step: &Step, packet: &[u8]) -> (bool, Duration) {
        let Some(baseline) = self.received.baseline(step) else {
            return (false, Duration::ZERO);
        };
        let mut baseline = baseline.clone();
        let start = Instant::now();
        let outcome = self.receiver.decode(&mut baseline, step.ticks(), packet);
        let time = start.elapsed();
        let same = outcome.is_ok() && baseline.cubes() == step.cubes;
        self.received.keep(step.tick, baseline);
        (same, time)
    }
}
