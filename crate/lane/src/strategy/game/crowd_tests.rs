//! A game among a crowd: budgets, sight, and other clients.

use crate::Lane;
use crate::measure::table::{HandReport, Report};
use crate::played::{self, lane_over};
use snapshot_record::tape::Tape;

fn play(link: &str, ticks: u64) -> (Lane, Report) {
    let link = format!("#strategy=game&scene=crowd&{link}");
    let settings = played::settings(&link);
    let lane = lane_over(&Tape::record(&settings, ticks), &settings, |_, _| {});
    let report = lane.report(0);
    (lane, report)
}

fn hand(report: &Report) -> &HandReport {
    report.game.as_ref().expect("the strategy is a game")
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_budget_is_kept_and_what_is_near_is_younger_and_truer_than_what_is_far() {
    let (lane, report) = play("predict=wait&budget=48&loss=5", 900);
    assert_eq!(report.fragments_per_packet_mean, 1.0);
    let kbps = report.kbps_mean;
    assert!((40.0..48.5).contains(&kbps), "{kbps}");
    assert_eq!((report.decode_mismatches, report.packets_refused), (0, 0));
    let figures = hand(&report);
    let (near, far) = (figures.near.unwrap(), figures.far.unwrap());
    assert!(near.age_ms_p99 < far.age_ms_p99, "{near:?} {far:?}");
    assert!(near.error_mm_mean < far.error_mm_mean, "{near:?} {far:?}");
    // With one priority for all, near cubes are as old as far ones.
    let (_, even) = play("predict=wait&budget=48&loss=5&nearest=0", 900);
    let even = hand(&even).near.unwrap();
    assert!(even.age_ms_mean > 1.2 * near.age_ms_mean, "{even:?}");
    let priorities = lane.priorities().unwrap();
    assert!(priorities.iter().any(|priority| *priority > 0));
    let (updated, tick) = (lane.updated().unwrap(), 900);
    assert!(updated.iter().all(|of| *of <= tick));
    // The own cube is in each packet.
    assert!(tick - updated[0] < 40, "{}", updated[0]);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn without_a_budget_every_cube_is_as_old_as_its_packet() {
    let (lane, report) = play("predict=wait&loss=0", 300);
    assert!(lane.updated().is_none() && lane.priorities().is_none());
    let figures = hand(&report);
    assert_eq!(figures.near.unwrap().age_ms_p99, 0.0);
    assert_eq!((figures.clients_served, report.decode_mismatches), (1, 0));
    assert!((figures.server_kbps - report.kbps_mean).abs() < 1e-6);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn who_sees_20_m_gets_and_draws_no_more() {
    let (lane, report) = play("predict=wait&sight=20&loss=0", 300);
    assert_eq!(report.decode_mismatches, 0);
    let view = lane.view();
    let [x, y, _, _] = view.position_half_m[0];
    let mut drawn = 0;
    for (place, life) in view.position_half_m.iter().zip(&view.life) {
        if !life.is_empty() {
            drawn += 1;
            assert!(libm::hypotf(place[0] - x, place[1] - y) < 25.0, "{place:?}");
        }
    }
    assert!((10..200).contains(&drawn), "{drawn}");
    let (_, all) = play("predict=wait&loss=0", 300);
    let [kbps, all_kbps] = [report, all].map(|it| it.kbps_mean);
    assert!(kbps < 0.4 * all_kbps, "{kbps} {all_kbps}");
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn other_clients_are_served_within_their_budgets_and_change_nothing_for_the_driver() {
    let (_, alone) = play("predict=wait&budget=64&loss=2", 600);
    let (_, report) = play("predict=wait&budget=64&loss=2&clients=13", 600);
    assert_eq!(report.packets_hash, alone.packets_hash);
    assert_eq!(report.view_hash, alone.view_hash);
    let figures = hand(&report);
    assert_eq!(figures.clients_served, 13);
    let per_client = figures.server_kbps / 13.0;
    assert!((50.0..66.0).contains(&per_client), "{per_client}");
    assert!(
        figures.server_back_kbps.unwrap() > 13.0 * 10.0,
        "{figures:?}"
    );
    let (_, again) = play("predict=wait&budget=64&loss=2&clients=13", 600);
    assert_eq!(hand(&again).server_kbps, figures.server_kbps);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_client_that_predicts_does_not_know_the_keys_of_the_crowd() {
    let (_, report) = play("predict=all&loss=0&latency=100&grid=8", 300);
    // Others turn where their keys change, so all but a few snapshots correct the prediction.
    let corrections = hand(&report).corrections;
    assert!(corrections > 60, "{corrections}");
    for predict in ["own", "touch"] {
        let (_, report) = play(&format!("predict={predict}&budget=96&grid=8&loss=2"), 300);
        let faults = (report.decode_mismatches, report.packets_refused);
        assert_eq!(faults, (0, 0), "{predict}");
    }
}
