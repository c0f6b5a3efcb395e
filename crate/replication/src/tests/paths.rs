//! Paths that carry smaller datagrams than the settings say.

use super::{Seat, Table, settings, steady};
use crate::{ConnectionEvent, PathLimits, PeerEvent, Settings};
use snapshot_netsim::channel::Conditions;

/// A game whose path carries datagrams of so many bytes, to the server and to the client.
fn table(objects: usize, carried_bytes: [usize; 2], mtu: usize) -> Table {
    let settings = Settings {
        mtu,
        ..settings(objects)
    };
    let mut table = Table::of_one(settings, steady(50.0));
    table.seats[0].carried_bytes = carried_bytes;
    table
}

/// Limits that the client named, newest first.
fn limits(seat: &Seat) -> impl Iterator<Item = PathLimits> {
    seat.events.iter().rev().filter_map(|event| match event {
        ConnectionEvent::Path(limits) => Some(*limits),
        _ => None,
    })
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_client_behind_a_small_path_plays_and_both_ends_say_which() {
    for (objects, carried_bytes) in [(40, 600), (300, 1150), (300, 600), (40, 256), (1000, 576)] {
        let mut table = table(objects, [carried_bytes; 2], 1200);
        table.run(60 * 12);
        let seat = &table.seats[0];
        let name = format!("{objects} objects over {carried_bytes} bytes");
        assert!(seat.compared > 60, "{name}: {}", seat.compared);
        assert!(seat.is_whole(&table.truth), "{name}");
        assert!(table.left.is_empty(), "{name}: {:?}", table.left);
        let here = limits(seat)
            .next()
            .and_then(|it| it.here_bytes)
            .expect("a limit");
        assert!(
            (carried_bytes - 16..=carried_bytes).contains(&here),
            "{name}: {here}"
        );
        let peer = table.server.peers().next().unwrap();
        let figures = table.server.figures(peer).unwrap();
        assert_eq!(figures.path.there_bytes, Some(here), "{name}");
        assert!(figures.too_large > 2, "{name}: {}", figures.too_large);
        let is_of_limit = |event: &PeerEvent| matches!(event, PeerEvent::Path(_, it) if it.there_bytes == Some(here));
        assert!(table.came.iter().any(is_of_limit), "{name}");
    }
}

#[test]
fn a_path_that_is_too_small_for_any_game_is_named_within_three_seconds() {
    let mut table = table(40, [200, 200], 1200);
    table.run(180);
    let limits = limits(&table.seats[0]).next().expect("a limit");
    assert_eq!(limits.here_bytes, Some(128));
}

#[test]
fn a_game_that_outgrows_its_path_goes_on() {
    let mut table = table(300, [700, 700], 1200);
    table.count = 20;
    table.run(600);
    assert_eq!(limits(&table.seats[0]).count(), 0);
    table.count = 300;
    table.run(180);
    assert!(
        limits(&table.seats[0]).count() > 0,
        "it is named within three seconds"
    );
    let compared = table.seats[0].compared;
    table.run(120);
    assert!(table.seats[0].compared > compared + 30, "it plays");
}

#[test]
fn large_messages_arrive_over_a_small_path() {
    let mut table = table(4, [300, 300], 1200);
    table.run(60);
    let client = &mut table.seats[0].client;
    for at in 0..20 {
        client.message(&[at; 1000]).unwrap();
    }
    for _ in 0..20 {
        client.say(&[99; 900]).unwrap();
    }
    table.run(60 * 15);
    for at in 0..20 {
        let message = table.server.next_message().map(|(_, bytes)| bytes);
        assert_eq!(message, Some(vec![at; 1000]));
    }
    let figures = table.seats[0].client.figures();
    println!("{figures:?}");
    assert!(figures.path.there_bytes.is_some_and(|bytes| bytes <= 300));
}

#[test]
fn ends_with_other_datagrams_play_together() {
    let mut table = table(40, [usize::MAX; 2], 1200);
    table.settings.mtu = 500;
    table.sit(b"ticket", steady(50.0));
    table.run(300);
    for seat in &table.seats {
        assert!(seat.compared > 60 && seat.is_whole(&table.truth));
        assert_eq!(limits(seat).count(), 0);
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn lost_datagrams_are_no_small_path() {
    for loss in [0.05, 0.2, 0.3] {
        let mut table = Table::new(settings(300));
        let lossy = Conditions {
            loss,
            ..steady(50.0)
        };
        (0..4).for_each(|_| table.sit(b"ticket", lossy));
        table.run(3000);
        let limited = table.seats.iter().filter(|seat| limits(seat).count() > 0);
        assert_eq!(limited.count(), 0, "{loss}");
    }
}
