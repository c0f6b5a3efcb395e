//! The judge as a script in CI sees it. Its figures are tested in `analysis`.

use crate::{json, snapshot_lab};
use std::path::Path;

#[test]
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
    assert!(number(&judged["lab"]["kbps_mean"]) > 1.0);
    assert!(number(&judged["error_mm"]["p95"]) < number(&judged["lab"]["error_mm"]["p95"]));
    let exit = |limit: &str| {
        let output = snapshot_lab(&["judge", truth, view, "--limit", limit]);
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    assert_eq!(exit("freezes=0"), (Some(0), String::new()));
    let (code, told) = exit("error_mm.worst=0.1");
    assert_eq!(code, Some(1));
    assert!(
        told.starts_with("past the limit: error_mm.worst is "),
        "{told}"
    );
    for (limit, told) in [("nonsense=1", "no such figure"), ("freezes", "FIGURE=MOST")] {
        let (code, said) = exit(limit);
        assert!(code == Some(2) && said.contains(told), "{said}");
    }
    let output = snapshot_lab(&["judge", truth, "/nonexistent/x"]);
    assert_eq!(output.status.code(), Some(2));
}
