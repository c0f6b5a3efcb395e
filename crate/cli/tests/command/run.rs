//! The report of `run`.

use crate::{called, json, json_and_notes, refused};

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

#[test]
fn the_first_rung_takes_the_bandwidth_of_the_articles() {
    let link = "#hz=60&codec=uncompressed";
    let report = json(&["run", link, "--seconds", "2", "--json"]);
    // 901 cubes of 321 bits and a 16-bit sequence in whole bytes, 28 bytes of IP and UDP: 36,183 B x 60 x 8.
    assert_eq!(report["kbps_mean"].as_f64(), Some(17_367.84));
    assert_eq!(report["settings"]["hz"], "60");
    assert_eq!(report["state_hash"].as_str().map(str::len), Some(16));
}

#[test]
fn a_large_range_that_is_set_too_narrow_is_told() {
    let link = "#pos-small=6&pos-large=5&grid=5";
    let (_, notes) = json_and_notes(&["run", link, "--seconds", "1", "--json"]);
    assert!(notes.contains("pos-large is taken as 6 bits"), "{notes}");
}

#[test]
fn what_a_link_or_an_argument_says_sends_a_terminal_no_commands() {
    for arguments in [
        &["run", "#\x1b]0;x\x07=1&hz=20&grid=4", "--seconds", "1"][..],
        &["run", "#hz=\x1b[31m20&grid=4", "--seconds", "1"],
        &["run", "#", "--motion", "\x1b[31m.csv"],
        &["run", "#", "--seconds", "\x1b[31m"],
    ] {
        let called = called(arguments);
        assert!(!called.notes.contains('\x1b'), "{called:?}");
        assert!(!called.output.contains('\x1b'), "{called:?}");
    }
}

#[test]
fn a_negative_number_is_refused_as_a_value() {
    let words = refused(&["run", "#", "--seconds", "-1"]);
    assert!(
        words.contains("invalid value '-1' for '--seconds"),
        "{words}"
    );
    assert!(!words.contains("use '--"), "{words}");
}
