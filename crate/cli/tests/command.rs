//! The command as a person at a shell, or a script, sees it.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn snapshot_lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_snapshot-lab"))
        .args(arguments)
        .output()
        .unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = snapshot_lab(arguments);
    assert!(output.status.success(), "{output:?}");
    assert!(
        output.stderr.is_empty(),
        "no progress where there is no terminal: {output:?}"
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

fn mean_position_error_mm(interpolation: &str) -> f64 {
    let link = format!("#scene=katamari&hz=10&loss=5&jitter=33&interp={interpolation}");
    json(&["run", &link, "--seconds", "20", "--json"])["position_error_mm"]["rms"]
        .as_f64()
        .unwrap()
}

#[test]
fn run_reports_every_figure_under_its_name() {
    let report = json(&["run", "#v=1&hz=60&grid=8", "--seconds", "2", "--json"]);
    for key in [
        "settings",
        "ticks",
        "packets_sent",
        "packets_delivered",
        "packets_lost",
        "bytes_per_packet_mean",
        "bytes_per_packet_p95",
        "kbps_mean",
        "ledger_bits_per_packet",
        "changed_cubes_mean",
        "position_error_mm",
        "orientation_error_deg",
        "delay_ms",
        "hitches",
        "longest_freeze_ms",
        "decode_mismatches",
        "state_hash",
        "view_hash",
    ] {
        assert!(!report[key].is_null(), "{key}");
    }
    assert_eq!(report["ticks"], 120);
    assert_eq!(report["packets_sent"], 120);
    assert_eq!(report["settings"]["hz"], "60");
    assert_eq!(report["state_hash"].as_str().map(str::len), Some(16));
    for spread in ["position_error_mm", "orientation_error_deg"] {
        assert!(
            ["rms", "p95", "max"]
                .iter()
                .all(|part| report[spread][part].is_f64())
        );
    }
}

#[test]
fn the_same_link_gives_the_same_report_twice() {
    let once = || {
        json(&[
            "run",
            "#scene=blow&loss=20&jitter=50&dup=10&reorder=10",
            "--seconds",
            "5",
            "--json",
        ])
    };
    assert_eq!(once(), once());
}

#[test]
fn uncompressed_at_60_a_second_is_17_37_mbit_a_second() {
    let report = json(&[
        "run",
        "#hz=60&codec=uncompressed",
        "--seconds",
        "2",
        "--json",
    ]);
    // 901 cubes of 321 bits and a 16-bit sequence in whole bytes, 28 bytes of IP and UDP: 36,183 B x 60 x 8.
    assert_eq!(report["kbps_mean"].as_f64(), Some(17_367.84));
}

#[test]
fn better_interpolation_errs_less() {
    let [none, linear, hermite] = ["none", "linear", "hermite"].map(mean_position_error_mm);
    assert!(
        none > linear && linear > hermite,
        "{none} {linear} {hermite}"
    );
}

#[test]
fn ladder_has_a_row_a_rung_and_every_rung_is_smaller_than_the_one_before() {
    let rows = json(&["ladder", "#hz=60&loss=5", "--seconds", "15", "--json"]);
    let rows = rows.as_array().unwrap();
    assert_eq!(rows[0]["name"], "uncompressed");
    assert_eq!(rows[11]["name"], "changed-flags");
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(row["rung"], number);
    }
    let bytes = |rung: usize| rows[rung]["bytes_per_packet_mean"].as_f64().unwrap();
    for rung in 1..rows.len() {
        assert!(bytes(rung) < bytes(rung - 1), "rung {rung}");
    }
}

#[test]
fn inspect_tells_of_a_packet_field_by_field() {
    for (link, decided) in [
        ("#grid=8&hz=30&codec=predicted&scene=katamari", true),
        ("#grid=8&strategy=sync", false),
        ("#grid=8&strategy=lockstep", false),
    ] {
        let packet = json(&["inspect", link, "--tick", "200", "--json"]);
        let spans = packet["spans"].as_array().unwrap();
        let sum: i64 = spans
            .iter()
            .map(|span| span["length_65536ths"].as_i64().unwrap())
            .sum();
        assert_eq!(sum, packet["bytes"].as_i64().unwrap() * 8 * 65_536);
        assert_eq!(
            (&packet["tick"], &packet["sequence"]),
            (&200.into(), &200.into())
        );
        assert_eq!(
            (&packet["fate"], &packet["acked_tick"]),
            (&"in_flight".into(), &Value::Null)
        );
        assert!(packet["arrival_ms"].as_f64().unwrap() > 200.0 / 0.06);
        for span in spans {
            for key in ["first_65536ths", "length_65536ths", "value"] {
                assert!(span[key].is_i64(), "{key}");
            }
            assert!(span["kind"].is_string() && span["rule"].is_string());
            assert!(span["cube"].is_u64() || span["cube"].is_null());
        }
        let has_decisions = |span: &Value| !span["decisions"].as_array().unwrap().is_empty();
        assert_eq!(spans.iter().any(has_decisions), decided);
        let first = json(&["inspect", link, "--tick", "200", "--packet", "1", "--json"]);
        assert_eq!(
            (&first["number"], &first["baseline"]),
            (&1.into(), &Value::Null)
        );
        assert_eq!(first["fate"], "delivered");
    }
    let refused = |arguments: &[&str]| {
        let output = snapshot_lab(&[&["inspect", "#grid=5"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["--tick", "2"]).contains("no packet had left by tick 2"));
    assert!(refused(&["--tick", "60", "--packet", "11"]).contains("no packet 11 had left"));
    assert!(refused(&["--tick", "0"]).contains("0"));
    let told = snapshot_lab(&["inspect", "#grid=5", "--tick", "60"]);
    assert!(String::from_utf8_lossy(&told.stdout).contains("packet 10 of tick 60"));
}

#[test]
fn sweep_counts_its_seeds() {
    let output = snapshot_lab(&["sweep", "--seeds", "20", "--first", "5000"]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "20 seeds, 0 failed\n"
    );
}

#[test]
fn bad_arguments_exit_with_2_and_bad_links_are_told() {
    for arguments in [
        &["run"][..],
        &["run", "", "--seconds", "0"],
        &["run", "", "--cut", "5"],
        &["run", "", "--cut", "5+0"],
        &["run", "", "--cut", "47+1"],
        &["walk"],
        &["sweep", "--seeds", "0"],
        &[],
    ] {
        assert_eq!(
            snapshot_lab(arguments).status.code(),
            Some(2),
            "{arguments:?}"
        );
    }
    let output = snapshot_lab(&["run", "#hz=61", "--seconds", "1", "--json"]);
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "note: Send rate (hz) cannot be \"61\": it takes whole numbers from 1 to 60; the default stands\n"
    );
}

#[test]
fn lockstep_has_figures_of_its_own() {
    let link = "#strategy=lockstep&grid=8&scene=katamari";
    let report = json(&["run", link, "--seconds", "4", "--json"]);
    assert!(report["first_desync_frame"].is_null());
    assert!(
        report
            .as_object()
            .unwrap()
            .contains_key("first_desync_frame")
    );
    assert!(report["frames_checked"].as_u64().unwrap() > 200);
    assert!(report["stalled_ms_per_minute"].is_number());
    assert!(report["ledger_bits_per_packet"]["input"].as_f64().unwrap() > 6.0);
    let disturbed = json(&[
        "run",
        &format!("{link}&desync=bit"),
        "--seconds",
        "4",
        "--json",
    ]);
    assert_eq!(disturbed["first_desync_frame"], 61);
    let snapshots = json(&["run", "#grid=8", "--seconds", "1", "--json"]);
    assert!(
        !snapshots
            .as_object()
            .unwrap()
            .contains_key("first_desync_frame")
    );
}

#[test]
fn a_cut_heals_as_promised_and_is_told() {
    let link = "#strategy=sync&rest=1&grid=12&loss=0";
    let report = json(&[
        "run",
        link,
        "--seconds",
        "17",
        "--cut",
        "10+2",
        "--cut",
        "1.5+0.25",
        "--json",
    ]);
    let cut = |start_s: f64, length_s: f64| serde_json::json!({ "start_s": start_s, "length_s": length_s });
    assert_eq!(
        report["cuts"],
        serde_json::json!([cut(10.0, 2.0), cut(1.5, 0.25)])
    );
    // Of 135 packets that were sent meanwhile, and those that would have arrived.
    let lost = report["packets_lost"].as_u64().unwrap();
    assert!((135..=150).contains(&lost), "{lost}");
    let figure = |key: &str| report[key].as_f64().unwrap();
    assert!(report["divergence_mm"]["max"].as_f64().unwrap() > 1000.0);
    assert!(figure("at_rest_apart_max_ms") < 2000.0);
    assert!((10.0..=15.01).contains(&figure("glide_max_percent")));
    let whole = json(&["run", link, "--seconds", "1", "--json"]);
    assert!(whole.as_object().unwrap().get("cuts").is_none());
}

/// A capture of a few frames in which a cube slides.
fn capture(name: &str, frames: i32) -> std::path::PathBuf {
    let numbers = (0..frames).flat_map(|frame| {
        (0..901).flat_map(move |cube| {
            let slid = if cube == 5 { 3 * frame } else { 0 };
            [
                3,
                256,
                256,
                256,
                100 * cube + slid,
                0,
                102,
                i32::from(cube == 0),
            ]
        })
    });
    let bytes: Vec<u8> = numbers.flat_map(i32::to_le_bytes).collect();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn challenge_judges_every_codec_that_takes_the_format() {
    let file = capture("slide.bin", 30);
    let rows = json(&["challenge", file.to_str().unwrap(), "--json"]);
    let rows = rows.as_array().unwrap();
    // Six rungs of bits, and two rungs in two classes.
    assert_eq!(rows.len(), 6 + 2 * 2);
    for row in rows {
        assert_eq!(
            (&row["packets"], &row["lossless"]),
            (&24.into(), &true.into())
        );
        let bytes = row["bytes_per_packet_mean"].as_f64().unwrap();
        let kbps = row["kbps"].as_f64().unwrap();
        assert!((kbps - bytes * 0.48).abs() < 1e-9);
    }
    let sizes: Vec<f64> = rows
        .iter()
        .map(|row| row["bytes_per_packet_mean"].as_f64().unwrap())
        .collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    let file = file.to_str().unwrap();
    let row = json(&[
        "challenge",
        file,
        "--codec",
        "arithmetic",
        "--class",
        "strict",
        "--json",
    ]);
    assert_eq!(
        (&row["codec"], &row["class"]),
        (&"arithmetic".into(), &"strict".into())
    );
}

#[test]
fn challenge_simulates_with_what_was_pressed() {
    let file = capture("pressed.bin", 30);
    let inputs = file.with_extension("inputs");
    let challenge = |options: &[&str]| {
        let file = file.to_str().unwrap();
        snapshot_lab(&[&["challenge", file, "--json"], options].concat())
    };
    let with_inputs = ["--inputs", inputs.to_str().unwrap()];
    std::fs::write(&inputs, [2; 24]).unwrap();
    let output = challenge(&with_inputs);
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let simulated: Vec<_> = rows
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["codec"] == "simulated")
        .collect();
    assert_eq!(simulated.len(), 2);
    for row in simulated {
        assert_eq!(row["lossless"], true);
        assert_eq!(row["packets_hash"].as_str().unwrap().len(), 16);
    }
    let refused = |options: &[&str]| {
        let output = challenge(options);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["--codec", "simulated"]).contains("give it by --inputs"));
    std::fs::write(&inputs, [2; 23]).unwrap();
    assert!(refused(&with_inputs).contains("23 inputs are too few: the capture's frames take 24"));
    std::fs::write(&inputs, [64; 24]).unwrap();
    assert!(refused(&with_inputs).contains("byte 0 is 64"));
}

#[test]
fn challenge_refuses_what_is_no_capture_in_words() {
    let refused = |path: &std::path::Path| {
        let output = snapshot_lab(&["challenge", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let file = capture("short.bin", 6);
    assert!(refused(&file).contains("6 frames: a capture has at least 7"));
    let mut bytes = std::fs::read(capture("cut.bin", 8)).unwrap();
    bytes.pop();
    let file = file.with_file_name("cut.bin");
    std::fs::write(&file, &bytes).unwrap();
    assert!(refused(&file).contains("not a whole number of frames"));
    bytes.push(0);
    bytes[0] = 4;
    std::fs::write(&file, &bytes).unwrap();
    assert!(refused(&file).contains("number 0 of cube 0 in frame 0 is 4"));
    let file = file.with_file_name("not.bin.xz");
    std::fs::write(&file, b"not xz").unwrap();
    assert!(!refused(&file).is_empty());
}

#[test]
fn search_finds_the_widths_that_cost_least() {
    // A cube that slides 18 steps in the six frames between a frame and its baseline: 6 bits reach it, 5 do not.
    let file = capture("slide-search.bin", 30);
    let file = file.to_str().unwrap();
    let small = ["--small", "5-6", "--large", "9", "--json"];
    let outcome = json(&[&["search", "position", file, "--rule", "codec"], &small[..]].concat());
    assert_eq!(outcome["samples"], 24);
    assert_eq!(outcome["widths"][0]["widths"], "6-9-5-9");
    assert_eq!(outcome["widths"][0]["codec_bits"], 24 * (4 + 6 + 6 + 5));
    let as_the_codec = &outcome["widths"].as_array().unwrap()[2];
    assert_eq!(as_the_codec["widths"], "5-9-5-9");
    assert_eq!(as_the_codec["codec_bits"], outcome["written_bits"]);

    let text = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("samples.txt");
    std::fs::write(&text, "0,255,255,255,0,241,241,241\n1,0,0,0,0,0,0,0\n").unwrap();
    let outcome = json(&["search", "smallest-three", text.to_str().unwrap(), "--json"]);
    assert_eq!(outcome["widths"][0]["widths"], "5-8");
    assert_eq!(outcome["widths"][0]["published_bits"], 4 + 3 * 5 + 30);
}

#[test]
fn search_refuses_what_it_cannot_search_in_words() {
    let refused = |arguments: &[&str]| {
        let output = snapshot_lab(&[&["search"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let text = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("six.txt");
    std::fs::write(&text, "1,2,3,4,5,6\n").unwrap();
    let text = text.to_str().unwrap();
    assert!(refused(&["smallest-three", text]).contains("line 1: 6 fields, 8 expected"));
    assert!(refused(&["position", text, "--small", "0-3"]).contains("bits from 2 to 16"));
    let none = refused(&["position", text, "--small", "9", "--large", "8"]);
    assert!(none.contains("no large range is wider than a small one"));
}

#[test]
fn run_does_again_what_a_link_says_that_a_person_did() {
    // Left for 8 ticks and then up for 100, the last 30 of them without a network.
    let link =
        "#scene=drive&grid=8&hz=60&latency=0&jitter=0&loss=0&at=108&cut=79-108&drop=5&tape=0.IA-6C";
    let report = json(&["run", link, "--json"]);
    assert_eq!(report["ticks"], 108);
    assert_eq!(report["packets_lost"], 31);
    let without = link.split("&cut").next().unwrap();
    let idle = json(&["run", without, "--seconds", "2", "--json"]);
    assert_eq!(idle["packets_lost"], 0);
    assert_ne!(idle["state_hash"], report["state_hash"]);
}

/// The example of the documentation: three objects over two seconds.
const MOTION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/motion-example.csv");

/// Runs a command over the example; returns the printed JSON and the messages.
fn over_motion(arguments: &[&str]) -> (Value, String) {
    let output = snapshot_lab(&[arguments, &["--motion", MOTION, "--json"]].concat());
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), told)
}

#[test]
fn every_command_that_takes_a_link_takes_a_motion() {
    let (report, told) = over_motion(&["run", "#hz=20&loss=5"]);
    assert!(
        told.contains("3 objects, 2.0 s, positions within [-4, "),
        "{told}"
    );
    assert_eq!(
        (&report["ticks"], &report["packets_sent"]),
        (&120.into(), &40.into())
    );
    assert_eq!(report["decode_mismatches"], 0);
    let (again, _) = over_motion(&["run", "#hz=20&loss=5", "--seconds", "600"]);
    assert_eq!(again, report);
    let (late, _) = over_motion(&["run", "#hz=20&loss=5", "--from", "0.5", "--seconds", "1"]);
    assert_eq!(late["ticks"], 60);
    let (rungs, _) = over_motion(&["ladder", "#hz=20&loss=5"]);
    let bytes = &rungs[11]["bytes_per_packet_mean"];
    assert_eq!(bytes, &report["bytes_per_packet_mean"]);
    let (packet, _) = over_motion(&["inspect", "#hz=20&loss=5", "--tick", "60"]);
    assert_eq!(packet["tick"], 60);
    let (points, _) = over_motion(&["trade", "#hz=20&loss=5", "--vary", "hz=20,30"]);
    assert_eq!(points[0]["kbps_mean"], report["kbps_mean"]);
    let (counts, _) = over_motion(&["widths", "#hz=20&loss=5"]);
    assert_eq!(counts["packets"], 40);
}

#[test]
fn a_motion_that_cannot_be_is_refused_in_words() {
    let refused = |arguments: &[&str]| {
        let output = snapshot_lab(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let sync = refused(&["run", "#strategy=sync", "--motion", MOTION]);
    assert!(
        sync.contains("there is no physics behind a motion"),
        "{sync}"
    );
    let sync = refused(&["trade", "#", "--motion", MOTION, "--vary", "strategy=sync"]);
    assert!(sync.contains("no physics behind it"), "{sync}");
    let over = refused(&["run", "#", "--motion", MOTION, "--from", "3"]);
    assert!(over.contains("the motion is over by then"), "{over}");
    let over = refused(&["inspect", "#", "--motion", MOTION, "--tick", "500"]);
    assert!(over.contains("the motion is over by that tick"), "{over}");
    let bad = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad.csv");
    std::fs::write(&bad, "tick,object,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,0,2\n").unwrap();
    let bad = refused(&["run", "#", "--motion", bad.to_str().unwrap()]);
    assert!(
        bad.contains("bad.csv: row 2: the quaternion's length is 2"),
        "{bad}"
    );
    assert!(refused(&["run", "#", "--motion", "none-such.csv"]).contains("none-such.csv"));
}

#[test]
fn widths_are_counted_and_the_best_told() {
    let counts = json(&[
        "widths",
        "#hz=20&scene=katamari&grid=8",
        "--seconds",
        "3",
        "--json",
    ]);
    let bits = |pair: &Value| pair["bits_per_changed_cube"].as_f64().unwrap();
    for part in ["position", "orientation"] {
        let part = &counts[part];
        assert_eq!(part["chosen"], part["articles"]);
        let pairs = part["pairs"].as_array().unwrap();
        assert!(pairs.iter().all(|pair| bits(pair) >= bits(&part["best"])));
        assert!(pairs.len() > 100 && !part["histogram"].as_array().unwrap().is_empty());
    }
    assert_eq!(counts["packets"], 60);
    let output = snapshot_lab(&["widths", "#hz=20&grid=5", "--seconds", "1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("as set") && text.contains("the articles'"),
        "{text}"
    );
}

#[test]
fn a_large_range_that_is_set_too_narrow_is_told() {
    let link = "#pos-small=6&pos-large=5&grid=5";
    let output = snapshot_lab(&["run", link, "--seconds", "1", "--json"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("pos-large is taken as 6 bits"), "{told}");
}

#[test]
fn nobody_reading_any_more_ends_every_subcommand_quietly() {
    let [link, second] = ["#grid=5", "1"];
    let capture = capture("unread.bin", 8);
    for arguments in [
        &["run", link, "--seconds", second][..],
        &["run", link, "--seconds", second, "--json"],
        &["ladder", link, "--seconds", second],
        &["inspect", link, "--tick", "60"],
        &["widths", link, "--seconds", second],
        &["trade", link, "--seconds", second, "--vary", "hz=10"],
        &["tour", "--step", "cube-in-bits"],
        &["sweep", "--seeds", "1"],
        &["soak", "--hours", "0.01"],
        &["challenge", capture.to_str().unwrap(), "--json"],
        &["search", "position", capture.to_str().unwrap()],
    ] {
        let mut process = Command::new(env!("CARGO_BIN_EXE_snapshot-lab"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(process.stdout.take());
        let output = process.wait_with_output().unwrap();
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{arguments:?}: {output:?}"
        );
    }
}

#[test]
fn training_without_captures_is_refused_and_writes_nothing() {
    let folder = std::env::temp_dir().join(format!("snapshot-lab-train-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_snapshot-lab"))
        .arg("train")
        .current_dir(&folder)
        .output()
        .unwrap();
    let left = std::fs::read_dir(&folder).unwrap().count();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("name one or more"), "{said}");
    assert_eq!(left, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let full = std::fs::File::options().write(true).open("/dev/full");
    let output = Command::new(env!("CARGO_BIN_EXE_snapshot-lab"))
        .arg("--help")
        .stdout(full.unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
