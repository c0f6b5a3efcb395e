//! The commands over a motion from elsewhere.

use crate::{called, file, json_and_notes, refused};
use serde_json::Value;
use snapshot_record::motion::{Motion, csv};

/// The example of the documentation: three objects over two seconds.
const MOTION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/motion-example.csv");

/// Runs a command over the example; returns the printed JSON and the messages.
fn over_motion(arguments: &[&str]) -> (Value, String) {
    json_and_notes(&[arguments, &["--motion", MOTION, "--json"]].concat())
}

#[test]
fn every_command_that_takes_a_link_takes_a_motion() {
    let (report, notes) = over_motion(&["run", "#hz=20&loss=5"]);
    assert!(
        notes.contains("3 objects, 2.0 s at 60 Hz, positions within [-4, "),
        "{notes}"
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
    let inspect = ["inspect", "#hz=20&loss=5", "--tick", "60"];
    assert_eq!(over_motion(&inspect).0["tick"], 60);
    let (packet, _) = over_motion(&[&inspect[..], &["--packet", "3"]].concat());
    assert_eq!(packet["number"], 3);
    let (points, _) = over_motion(&["trade", "#hz=20&loss=5", "--vary", "hz=20,30"]);
    assert_eq!(points[0]["kbps_mean"], report["kbps_mean"]);
    let (counts, _) = over_motion(&["widths", "#hz=20&loss=5"]);
    assert_eq!(counts["packets"], 40);
}

#[test]
fn seconds_and_cuts_are_those_of_the_motion() {
    let rows = (0..=480).map(|tick| format!("{tick},0,{},0,0,0,0,0,1\n", tick % 50));
    let rows: String = rows.collect();
    let text = format!("rate=240\ntick,object,x,y,z,qx,qy,qz,qw\n{rows}");
    let path = file("fast.csv", text);
    let link = "#hz=120&loss=0&jitter=0";
    let run = |options: &[&str]| {
        let motion = ["--motion", path.to_str().unwrap(), "--json"];
        let (report, notes) = json_and_notes(&[&["run", link], options, &motion[..]].concat());
        assert!(notes.contains("1 objects, 2.0 s at 240 Hz"), "{notes}");
        report
    };
    let whole = run(&[]);
    assert_eq!(
        (&whole["ticks"], &whole["packets_sent"]),
        (&480.into(), &240.into())
    );
    let part = run(&["--from", "0.5", "--seconds", "1"]);
    assert_eq!(part["ticks"], 240);
    let cut = run(&["--cut", "0.25+0.5"]);
    let lost = cut["packets_lost"].as_u64().unwrap();
    assert!((60..=66).contains(&lost), "{lost}");
    assert_eq!(
        (&cut["cuts"][0]["start_s"], &cut["cuts"][0]["length_s"]),
        (&0.25.into(), &0.5.into())
    );
    // A cut leaves the start of the lane alone.
    let late = run(&["--from", "1", "--cut", "0.25+0.5"]);
    assert_eq!(
        (&late["ticks"], &late["packets_sent"]),
        (&240.into(), &120.into())
    );
    let lost = late["packets_lost"].as_u64().unwrap();
    assert!((60..=66).contains(&lost), "{lost}");
}

#[test]
fn jumps_are_told_and_found_by_the_speed_of_the_link() {
    let rows = (0..=120).map(|tick| {
        let back = if tick < 60 { 0.0 } else { 8.0 };
        let late = if tick == 30 {
            "30,1,0,9,0,0,0,0,1\n"
        } else {
            ""
        };
        format!(
            "{tick},0,{},0,0,0,0,0,1\n{late}",
            f64::from(tick) * 0.05 - back
        )
    });
    let text = format!(
        "tick,object,x,y,z,qx,qy,qz,qw\n{}",
        rows.collect::<String>()
    );
    let path = file("respawn.csv", text);
    let motion = ["--motion", path.to_str().unwrap(), "--json"];
    let run = |link: &str| {
        let (report, notes) = json_and_notes(&[&["run", link], &motion[..]].concat());
        assert_eq!(report["decode_mismatches"], 0);
        let worst_mm = report["position_error_mm"]["max"].as_f64().unwrap();
        (notes, worst_mm)
    };
    let (notes, worst_mm) = run("#hz=20&loss=0&jitter=0");
    let lives = "objects come 1 times, go 0 times and jump 1 times: steps over 100 m/s";
    assert!(notes.contains(lives), "{notes}");
    assert!(worst_mm < 200.0, "{worst_mm}");
    let (notes, worst_mm) = run("#hz=20&loss=0&jitter=0&jumps=500");
    assert!(
        notes.contains("jump 0 times: steps over 500 m/s"),
        "{notes}"
    );
    assert!(worst_mm > 2000.0, "{worst_mm}");
    let (notes, _) = run("#jumps=7");
    assert!(notes.contains("a speed in m/s: 5, 10, 20"), "{notes}");
    let notes = refused(&[&["run", "#codec=simulated"], &motion[..]].concat());
    assert!(notes.contains("its objects come, go or jump"), "{notes}");
}

#[test]
fn a_motion_that_cannot_be_is_refused_in_words() {
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
    let bad = file(
        "bad.csv",
        "tick,object,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,0,2\n",
    );
    let bad = refused(&["run", "#", "--motion", bad.to_str().unwrap()]);
    assert!(
        bad.contains("bad.csv: row 2: the quaternion's length is 2"),
        "{bad}"
    );
    assert!(refused(&["run", "#", "--motion", "none-such.csv"]).contains("none-such.csv"));
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_verdict_has_all_its_parts_and_its_link_costs_what_it_says() {
    let (answer, _) = over_motion(&["verdict", "#hz=20&jitter=0&loss=0", "--surface-mm", "1"]);
    for key in ["rungs", "rung", "tried", "warnings", "engines", "rates"] {
        assert!(!answer[key].is_null(), "{key}");
    }
    assert!(answer["widths"]["surface"]["taken"]["surface_mm"].as_f64() <= Some(0.5));
    let (report, _) = over_motion(&["run", answer["link"].as_str().unwrap()]);
    assert_eq!(report["kbps_mean"], answer["taken"]["kbps"]);
    for wrong in ["0", "-1", "x", "inf"] {
        refused(&["verdict", "#", "--surface-mm", wrong]);
    }
}

#[test]
fn pixels_are_those_of_the_screen_that_is_named() {
    // Five metres at a right angle on 1,000 lines: a pixel is a centimetre.
    let screen = ["--screen", "5,90,1000"];
    let link = "#hz=20&jitter=0&loss=0";
    let (report, _) = over_motion(&[&["run", link][..], &screen].concat());
    let (usual, _) = over_motion(&["run", link]);
    for part in ["mean", "p95", "worst"] {
        let mm = report["surface_error_mm"][part].as_f64().unwrap();
        let px = |report: &Value| report["surface_error_px"][part].as_f64().unwrap();
        assert!(mm > 0.0 && (mm / px(&report) - 10.0).abs() < 1e-9);
        assert!((mm / px(&usual) - 10.692).abs() < 1e-3);
    }
    let wish = ["verdict", link, "--pixels", "2"];
    let (answer, _) = over_motion(&[&wish[..], &screen].concat());
    let limit_mm = answer["rates"]["recommended"]["surface_mm"]
        .as_f64()
        .unwrap();
    assert!((limit_mm - 20.0).abs() < 1e-9, "{limit_mm}");
    let taken = &answer["widths"]["surface"]["taken"];
    assert!(taken["surface_mm"].as_f64() <= Some(10.0), "{taken}");
    refused(&["verdict", "#", "--pixels", "2", "--surface-mm", "20"]);
    refused(&["run", "#", "--screen", "10,60"]);
}

/// A person's answer on the page is in the link, and the file is as the game wrote it.
#[test]
fn a_link_s_facts_read_a_file_of_unknown_columns() {
    let rows = (0..90).map(|tick| format!("{tick};ball;{tick}.5;0;1\n"));
    let raw = "Bild;Wer;Pos X;y;z\n".to_owned() + &rows.collect::<String>();
    let path = file("unknown-columns.csv", &raw);
    let path = path.to_str().unwrap();
    let facts = "columns=tick,object,x,y,z\n";
    let motion = Motion::read(&csv::with_facts(raw.as_bytes(), facts)[..]).unwrap();
    let named = format!("#hz=20&motion={:08x}", motion.facts.fingerprint);
    let columns = "&columns=columns:tick.2cobject.2cx.2cy.2cz~";
    for (link, code) in [(format!("{named}{columns}"), 0), (named, 2)] {
        let called = called(&["run", &link, "--motion", path]);
        assert_eq!(called.code, Some(code), "{link}: {called:?}");
    }
}

#[test]
fn the_articles_motion_is_named_by_a_link_and_cut_as_it_says() {
    let run = |link: &str| json_and_notes(&["run", link, "--json"]);
    let link = "#v=2&motion=pile&hz=5&loss=0&jitter=0";
    let (whole, notes) = run(link);
    assert!(
        notes.contains("pile: 901 objects, 10.0 s at 60 Hz"),
        "{notes}"
    );
    assert_eq!(whole["packets_sent"], 50);
    let (cut, _) = run(&format!("{link}&cut=241-300"));
    // Five leave during the second, and one is on its way when it begins.
    assert_eq!(cut["packets_lost"], 6);
    let refused = refused(&["run", &format!("{link}&strategy=sync")]);
    assert!(
        refused.contains("there is no physics behind a motion"),
        "{refused}"
    );
}
