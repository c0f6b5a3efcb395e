//! The commands over a recorded link, and the model that is nearest to it.

use crate::{file, json, json_and_notes, refused};
use serde_json::Value;
use std::path::PathBuf;

/// A minute of `ping`: round trips of 60 to 99 ms, and every twentieth lost.
fn ping() -> PathBuf {
    let lines = (1..=60).filter(|number| number % 20 != 0).map(|number| {
        let round_trip_ms = 60 + number * 17 % 40;
        format!("64 bytes from 192.0.2.1: icmp_seq={number} ttl=56 time={round_trip_ms}.0 ms\n")
    });
    let header = "PING example.com (192.0.2.1) 56(84) bytes of data.\n".to_string();
    file(
        "ping.txt",
        std::iter::once(header).chain(lines).collect::<String>(),
    )
}

/// Runs a command over the trace; returns the printed JSON and the messages.
fn over(trace: &std::path::Path, arguments: &[&str]) -> (Value, String) {
    let trace = trace.to_str().unwrap();
    json_and_notes(&[arguments, &["--trace", trace, "--json"]].concat())
}

const LINK: &str = "#hz=20&scene=roll&grid=5&loss=0&delay=150";

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn every_command_that_takes_a_link_takes_a_trace() {
    let ping = ping();
    let (report, notes) = over(&ping, &["run", LINK, "--seconds", "30"]);
    assert!(
        notes.contains("59 packets, 59 s, 2 lost, 61 to 99 ms there and back, a half for each way"),
        "{notes}"
    );
    // The twentieth second, of thirty, is lost.
    assert_eq!(
        (&report["packets_sent"], &report["packets_lost"]),
        (&600.into(), &20.into())
    );
    assert_eq!(report["decode_mismatches"], 0);
    let (rungs, _) = over(&ping, &["ladder", LINK, "--seconds", "30"]);
    assert_eq!(
        rungs[11]["bytes_per_packet_mean"],
        report["bytes_per_packet_mean"]
    );
    let (points, _) = over(
        &ping,
        &["trade", LINK, "--vary", "hz=20,30", "--seconds", "30"],
    );
    assert_eq!(points[0]["kbps_mean"], report["kbps_mean"]);
    let (counts, _) = over(&ping, &["widths", LINK, "--seconds", "30"]);
    assert_eq!(counts["packets"], 600);
    let (packet, _) = over(&ping, &["inspect", LINK, "--tick", "300"]);
    assert_eq!(packet["tick"], 300);
    // A lane that begins in the middle takes the trace from there: the twentieth second is its tenth.
    let (late, _) = over(&ping, &["run", LINK, "--from", "10", "--seconds", "20"]);
    assert_eq!(late["packets_lost"], 20);
    // A person's input is played over it as well.
    let (driven, _) = over(
        &ping,
        &["run", "#hz=20&grid=5&loss=0&delay=150&at=1500&tape=AA"],
    );
    assert_eq!(driven["decode_mismatches"], 0);
}

#[test]
fn a_link_of_a_trace_asks_for_its_file() {
    let ping = ping();
    let notes = |link: &str, arguments: &[&str]| {
        let run = ["run", link, "--seconds", "1", "--json"];
        json_and_notes(&[&run, arguments].concat()).1
    };
    let alone = notes("#grid=5&trace=00c0ffee", &[]);
    assert!(
        alone.contains("the link is of a trace (00c0ffee), which no link can carry"),
        "{alone}"
    );
    let other = notes(
        "#grid=5&trace=00c0ffee",
        &["--trace", ping.to_str().unwrap()],
    );
    assert!(
        other.contains("the link is of another trace (00c0ffee); this is "),
        "{other}"
    );
    let (_, own) = other.trim().rsplit_once(' ').unwrap();
    let same = notes(
        &format!("#grid=5&trace={own}"),
        &["--trace", ping.to_str().unwrap()],
    );
    assert!(!same.contains("another trace"), "{same}");
    // The link's offset is that of the option, which wins.
    let lost = |link: &str, offset: &[&str]| {
        let (report, _) = over(&ping, &[&["run", link, "--seconds", "4"], offset].concat());
        report["packets_lost"].as_u64()
    };
    let link = format!("{LINK}&trace={own}");
    let offset = format!("{link}&trace-from=18");
    let (at_start, later) = (lost(&link, &[]), lost(&link, &["--trace-from", "18"]));
    assert_ne!(at_start, later);
    assert_eq!(lost(&offset, &[]), later);
    assert_eq!(lost(&offset, &["--trace-from", "0"]), at_start);
}

#[test]
fn a_trace_that_cannot_be_is_refused_in_words() {
    let bad = file("bad-trace.csv", "sent_ms,delay_ms\n0,20\n10,-3\n");
    let bad = bad.to_str().unwrap();
    for command in [
        &["run", "#"][..],
        &["ladder", "#"],
        &["inspect", "#", "--tick", "5"],
    ] {
        let notes = refused(&[command, &["--trace", bad]].concat());
        assert!(
            notes.contains("bad-trace.csv: row 3: delay_ms goes from 0 to 60000, and is -3"),
            "{notes}"
        );
    }
    assert!(refused(&["link", "fit", bad]).contains("row 3: "));
    let picture = file("picture.png", "\u{89}PNG\r\n\u{1a}\n");
    let notes = refused(&["run", "#", "--trace", picture.to_str().unwrap()]);
    assert!(notes.contains("it is no trace"), "{notes}");
    assert!(refused(&["run", "#", "--trace", "none-such.csv"]).contains("none-such.csv"));
    let long = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("long.csv");
    std::fs::File::create(&long)
        .unwrap()
        .set_len(200 << 20)
        .unwrap();
    let notes = refused(&["run", "#", "--trace", long.to_str().unwrap()]);
    assert!(notes.contains("it has more than 64 MB"), "{notes}");
    std::fs::remove_file(long).unwrap();
}

#[test]
fn the_nearest_model_is_a_link_that_plays() {
    let fit = json_and_notes(&["link", "fit", ping().to_str().unwrap(), "--json"]).0;
    let link = format!("#{}&grid=5", fit["link"].as_str().unwrap());
    assert!(fit["distance"].as_f64().unwrap() < 5.0, "{fit}");
    json(&["run", &link, "--seconds", "1", "--json"]);
}
