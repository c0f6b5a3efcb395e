//! The judge as a script in CI sees it. Its figures are tested in `analysis`.

use crate::{called, json, json_and_notes, refused};
use std::path::Path;

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn an_exported_pair_is_judged_beside_the_lab_and_a_limit_fails_the_run() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [truth, view] = ["truth.csv", "view.csv"].map(|name| folder.join(name));
    let [truth, view] = [&truth, &view].map(|path| path.to_str().unwrap());
    let link = "#scene=katamari&grid=5&hz=20&delay=100&loss=0&jitter=0&latency=40&interp=hermite";
    let export = ["--export-truth", truth, "--export-view", view];
    let run = json(&[&["run", link, "--seconds", "10", "--json"][..], &export].concat());
    let judged = json(&[
        "judge",
        truth,
        view,
        "--json",
        "--lab",
        "#hz=20&interp=linear&loss=0&jitter=0",
        "--kbps",
        "12",
    ]);
    let number = |of: &serde_json::Value| of.as_f64().unwrap();
    for (judged, run) in [
        (&judged["delay_ms"], &run["behind_ms_mean"]),
        (&judged["lab"]["delay_ms"], &run["behind_ms_mean"]),
    ] {
        assert!(
            (number(judged) - number(run)).abs() < 17.0,
            "{judged} for {run}"
        );
    }
    assert_eq!(judged["freezes"].as_array().unwrap().len(), 0);
    // At the same bytes: the greatest rate below, at the same delay.
    let (lab, same) = (&judged["lab"], &judged["lab_same_bytes"]);
    assert!(number(&lab["kbps_mean"]) > 15.0 && lab["hz"] == 20);
    let [kbps, hz] = ["kbps_mean", "hz"].map(|figure| number(&same[figure]));
    assert!(
        kbps <= 12.0 && kbps * (hz + 1.0) / hz > 11.5,
        "{kbps} at {hz}"
    );
    assert!((number(&same["delay_ms"]) - number(&lab["delay_ms"])).abs() < 17.0);
    assert!(number(&judged["error_mm"]["p95"]) < number(&judged["lab"]["error_mm"]["p95"]));
    for (limit, code, notes) in [
        ("freezes=0", 0, ""),
        ("error_mm.worst=0.1", 1, "error_mm.worst is "),
        ("nonsense=1", 2, "no such figure"),
        ("freezes", 2, "FIGURE=MOST"),
    ] {
        let called = called(&["judge", truth, view, "--limit", limit]);
        assert_eq!(called.code, Some(code), "{called:?}");
        let is_noted = called.notes.contains(notes);
        assert!(
            is_noted && called.notes.is_empty() == notes.is_empty(),
            "{called:?}"
        );
    }
    refused(&["judge", truth, "/nonexistent/x"]);
}

/// Each object's slot is another one's later: only names tell them apart.
#[test]
fn a_view_of_a_motion_has_the_names_of_its_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [game, view] = ["game.csv", "game-view.csv"].map(|name| folder.join(name));
    let rows = (0..360).flat_map(|tick| {
        let at = f64::from(tick % 90) / 90.0;
        let event = match tick % 90 {
            0 => "spawn",
            89 => "end",
            _ => "",
        };
        let orc = format!(
            "{tick},/World/Level/Enemies/North/Group/Orc@{},{event},{},0,1\n",
            tick / 90,
            8.0 * at
        );
        [orc, format!("{tick},9,,{},5,1\n", 3.0 * (6.0 * at).sin())]
    });
    let text = "tick,id,event,x,y,z\n".to_owned() + &rows.collect::<String>();
    std::fs::write(&game, text).unwrap();
    let [game, view] = [&game, &view].map(|path| path.to_str().unwrap());
    let link = "#hz=20&loss=0&jitter=0&latency=40&delay=100";
    let run = called(&["run", link, "--motion", game, "--export-view", view]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let (judged, _) = json_and_notes(&["judge", game, view, "--json"]);
    assert_eq!(judged["objects"], 5, "{judged}");
    for off in ["came_late", "stayed", "never_came", "unknown"] {
        assert_eq!(judged[off], serde_json::json!([]), "{off}");
    }
    assert!(
        (judged["delay_ms"].as_f64().unwrap() - 140.0).abs() < 2.0,
        "{judged}"
    );
}
