//! Other codecs on the packets of a capture or of a motion, beside the rungs of the ladder.

pub mod bytes;
pub mod contest;
pub mod exchange;
pub mod ours;
pub mod planes;
pub mod records;

use contest::{Ends, Opponent, Plain, Row, judge};
use exchange::Exchange;
use planes::{Planes, Zstd};

/// Has every codec send the same packets, the most bytes first.
///
/// # Errors
/// When a codec cannot be made for them.
pub fn run(exchange: &Exchange, on_row: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    let mut add = |name: &str, ends: &mut dyn Ends| {
        let row = judge(name, ends, exchange);
        on_row(&row);
        rows.push(row);
    };
    add("bitcode", &mut plain(records::Bitcode::default(), exchange));
    for level in [1, 19] {
        let packer = Zstd::new(level, &[]);
        add(
            &format!("planes, zstd {level}"),
            &mut plain(Planes::new(packer), exchange),
        );
    }
    let packer = Zstd::trained_on(exchange, 19)?;
    add(
        "planes, zstd 19, own dictionary",
        &mut plain(Planes::new(packer), exchange),
    );
    let name = "zstd 19, baseline as dictionary";
    add(name, &mut plain(planes::AgainstBaseline, exchange));
    for (rung, class) in ours::rungs() {
        let class_name = if rung.is_arithmetic() {
            class.name()
        } else {
            ""
        };
        let name = format!("rung {} {} {class_name}", rung as u8, rung.name());
        add(
            name.trim_end(),
            &mut ours::OfRung::new(rung, class, exchange),
        );
    }
    rows.sort_by(|a, b| b.bytes_per_packet_mean.total_cmp(&a.bytes_per_packet_mean));
    Ok(rows)
}

fn plain<O: Opponent>(opponent: O, exchange: &Exchange) -> Plain<O> {
    Plain::new(opponent, exchange)
}

#[cfg(test)]
mod tests {
    use super::*;
    use exchange::Step;
    use snapshot_codec::{Cube, Life};

    /// Cubes that slide and turn at speeds of their own while others rest. Some packets are lost, and some of them are told against older ones.
    pub(crate) fn exchange() -> Exchange {
        let cube = |index: i32, tick: i32| Cube {
            position: [37 * index + (index % 3) * tick, 5 - index % 2 * tick, 102],
            orientation: [3, 256, 256 + (index % 5) * tick / 4, 256],
            interacting: index % 7 == 0 && tick > 20,
            ..Cube::default()
        };
        let frame = |tick: i32| -> Vec<Cube> {
            let moved = |index: i32| if index % 4 == 0 { tick } else { 0 };
            (0..901).map(|index| cube(index, moved(index))).collect()
        };
        let mut exchange = Exchange::of_capture(&(0..60).map(frame).collect::<Vec<_>>());
        exchange.steps.retain(|step| step.tick % 3 == 0);
        exchange.steps.iter_mut().for_each(|step| {
            step.arrives = step.tick % 5 != 0;
            let lost = step.baseline.is_some_and(|tick| tick >= 6 && tick % 5 == 0);
            if lost {
                step.baseline = step.baseline.map(|tick| tick - 3);
            }
        });
        exchange.steps[0].baseline = None;
        exchange
    }

    /// The same where every ninth cube comes, jumps and goes.
    fn exchange_of_slots() -> Exchange {
        let mut exchange = exchange();
        exchange.format = exchange.format.with_slots(true).unwrap();
        for step in &mut exchange.steps {
            for (index, cube) in step.cubes.iter_mut().enumerate().step_by(9) {
                let code = (step.tick as usize / 6 + index) % 4;
                cube.life = Life::from_code(code as u8).unwrap();
                if cube.life.is_empty() {
                    *cube = Cube::EMPTY;
                }
            }
        }
        exchange
    }

    #[test]
    fn every_codec_sends_every_packet_without_a_loss_of_its_own() {
        lossless_by_all(&exchange());
    }

    #[test]
    fn every_codec_sends_slots() {
        lossless_by_all(&exchange_of_slots());
    }

    fn lossless_by_all(exchange: &Exchange) {
        let mut calls = 0;
        let rows = run(exchange, &mut |_| calls += 1).unwrap();
        assert_eq!((rows.len(), calls), (12, 12));
        for row in &rows {
            assert!(row.lossless, "{}", row.codec);
            assert_eq!(row.packets, 18, "{}", row.codec);
            assert!(row.bytes_per_packet_mean > 10.0, "{}", row.codec);
        }
        let mut names: Vec<_> = rows.iter().map(|row| &row.codec).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), rows.len());
    }

    #[test]
    fn a_codec_that_errs_is_not_called_lossless() {
        struct Forgetful;
        impl Opponent for Forgetful {
            fn encode(&mut self, _: &[Cube], _: &[Cube], packet: &mut Vec<u8>) {
                packet.clear();
            }
            fn decode(
                &mut self,
                baseline: &[Cube],
                _: &[u8],
                snapshot: &mut Vec<Cube>,
            ) -> Result<(), String> {
                *snapshot = baseline.to_vec();
                Ok(())
            }
        }
        let exchange = exchange();
        let row = judge("forgetful", &mut plain(Forgetful, &exchange), &exchange);
        assert!(!row.lossless && row.bytes_per_packet_mean == 0.0);
    }

    #[test]
    fn a_lost_packet_is_no_baseline_of_a_receiver() {
        let mut exchange = exchange();
        let lost = exchange.steps.iter().find(|step| !step.arrives);
        let lost = lost.map(|step| step.tick);
        let step: &mut Step = exchange.steps.last_mut().unwrap();
        (step.baseline, step.arrives) = (lost, true);
        let row = judge(
            "bitcode",
            &mut plain(records::Bitcode::default(), &exchange),
            &exchange,
        );
        assert!(!row.lossless);
    }

    #[test]
    fn a_rung_takes_the_bytes_that_the_challenge_counts() {
        use snapshot_record::challenge::{INTERVAL, Judge, format};
        let mut exchange = exchange();
        let frames: Vec<_> = {
            let known = exchange.known.iter().map(|(_, cubes)| cubes.clone());
            known
                .chain(exchange.steps.iter().map(|step| step.cubes.clone()))
                .collect()
        };
        exchange = Exchange::of_capture(&frames);
        for (rung, class) in ours::rungs() {
            let format = format(rung, class).unwrap();
            let mut judged = Judge::new(&format, frames.first_chunk().unwrap()).unwrap();
            judged
                .judge(INTERVAL..frames.len(), &frames, &mut |_, run| run())
                .unwrap();
            let row = judge(
                "rung",
                &mut ours::OfRung::new(rung, class, &exchange),
                &exchange,
            );
            assert!(row.lossless, "{rung:?}");
            let expected = judged.verdict().bytes_per_packet_mean();
            assert_eq!(row.bytes_per_packet_mean, expected, "{rung:?} {class:?}");
        }
    }
}
