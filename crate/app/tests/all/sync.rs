//! State synchronisation as a whole.

use crate::{played, settings};
use snapshot_lane::Lane;
use snapshot_lane::measure::table::Report;
use snapshot_record::tape::Tape;

fn run(link: &str, seconds: u32) -> Report {
    let report = played(link, seconds * 60).report();
    assert_eq!((report.decode_mismatches, report.packets_refused), (0, 0));
    report
}

fn sync(report: &Report) -> &snapshot_lane::measure::table::SyncReport {
    report.sync.as_ref().expect("a link of that strategy")
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn at_10_per_cent_loss_nothing_pops_under_adaptive_smoothing() {
    for both in [0, 1] {
        let report = run(&format!("#strategy=sync&loss=10&both={both}"), 20);
        assert_eq!(sync(&report).pops, 0);
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn the_budget_is_held_over_every_second() {
    for (budget_kbps, hz) in [(64, 60), (256, 60), (256, 20), (48, 7)] {
        let link = format!("#strategy=sync&scene=katamari&grid=12&budget={budget_kbps}&hz={hz}");
        let settings = settings(&link);
        let tape = Tape::record(&settings, 600);
        let mut lane = Lane::new(&settings.lane(), &tape.world_at(0));
        let (mut sent_bits, mut largest_bits) = (vec![0.0], 0.0_f64);
        let mut frames = tape.frames_after(0);
        while let Some(frame) = frames.next() {
            lane.tick(&frame);
            let costs = &lane.metrics().costs;
            let bits = costs.bits_per_packet() * costs.packets() as f64;
            largest_bits = largest_bits.max(bits - sent_bits[sent_bits.len() - 1]);
            sent_bits.push(bits);
        }
        let most = sent_bits
            .windows(61)
            .map(|second| second[60] - second[0])
            .fold(0.0, f64::max);
        let budget_bits = f64::from(budget_kbps) * 1000.0;
        assert!(most <= budget_bits + largest_bits, "{link}: {most}");
        assert!(most >= 0.8 * budget_bits, "{link}: uses only {most}");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_budget_that_adapts_falls_with_loss_and_only_then() {
    let budget = |link: &str| sync(&run(link, 12)).budget_kbps;
    assert_eq!(budget("#strategy=sync&grid=8&loss=0&adapt=1"), 256.0);
    assert!(budget("#strategy=sync&grid=8&loss=20&adapt=1") < 100.0);
    assert_eq!(budget("#strategy=sync&grid=8&loss=20"), 256.0);
}
