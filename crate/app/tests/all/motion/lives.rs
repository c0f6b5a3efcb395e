//! Objects that come, go and jump, from the file to both views.

use super::written::{game, respawns};
use super::{history, read};
use crate::settings;
use snapshot_app::Lab;
use snapshot_codec::{Life, Rung};
use snapshot_record::motion::JumpSpeed;

#[test]
fn every_rung_sends_lives_and_both_views_have_the_same_objects() {
    let motion = read(&game());
    for rung in Rung::ALL
        .into_iter()
        .filter(|rung| !rung.needs_simulation())
    {
        for class in ["strict", "chained"] {
            if class == "chained" && !rung.is_arithmetic() {
                continue;
            }
            let link = format!(
                "#hz=30&loss=5&latency=30&codec={}&class={class}",
                rung.name()
            );
            let (tape, history) = history(&motion, &link);
            let report = serde_json::to_value(history.report(0)).unwrap();
            assert_eq!(report["decode_mismatches"], 0, "{link}");
            for figure in ["position_error_mm", "orientation_error_deg"] {
                let rms = report[figure]["rms"].as_f64().unwrap();
                assert!(rms.is_finite() && rms < 400.0, "{link}: {rms}");
            }
            let mut shown = history.lane().view().clone();
            assert!(history.show(720, &tape, &mut shown));
            let lives: Vec<_> = tape.newest().iter().map(|cube| cube.life).collect();
            assert_eq!(shown.life, lives, "{link}");
            for (place, life) in lives.iter().enumerate() {
                let half_m = shown.position_half_m[place][3];
                assert_eq!(half_m == 0.0, life.is_empty());
            }
        }
    }
}

#[test]
fn what_cannot_be_foreseen_gives_way_to_what_can() {
    let mut lab = Lab::new(settings("#codec=simulated&hz=20"));
    lab.play(&read(&game()));
    assert_eq!(lab.settings().lane().rung(), Rung::Predicted);
    let refused = lab.set_text("codec", "simulated").unwrap_err().to_string();
    assert!(
        refused.starts_with("Codec simulated cannot be used with this motion"),
        "{refused}"
    );
    // The jumps of another speed leave the shown tick.
    let motion = read(&respawns());
    lab.play(&motion);
    lab.seek(60);
    lab.play_again(&motion.with_jumps_over(JumpSpeed::NEVER));
    assert_eq!((lab.tick_count(), lab.left().life[0]), (60, Life::FIRST));
    assert!(lab.set_text("codec", "simulated").is_ok());
}
