//! Figures, events and changes that both ends tell their games.

use super::{Table, press, settings, sorted, steady};
use crate::inputs::InputArrivals;
use crate::{Figures, Peer, PeerEvent};
use snapshot_netsim::channel::Conditions;

/// Datagrams that each end has sent, and their bytes.
fn sent(table: &Table) -> [[usize; 2]; 2] {
    let sent = table.seats[0].last.each_ref();
    sent.map(|sent| [sent.len(), sent.iter().map(Vec::len).sum()])
}

/// The figures of a link against the link itself: 50 ms and 10 % each way, and an input in each tick.
#[test]
fn figures_are_those_of_the_link() {
    let conditions = Conditions {
        loss: 0.1,
        ..steady(50.0)
    };
    let mut table = Table::of_one(settings(20), conditions);
    let mut freezes = 0;
    let mut before = [[0; 2]; 2];
    for step in 0..1200 {
        if step == 1080 {
            before = sent(&table);
        }
        table.run(1);
        let now_ms = table.now_ms();
        let client = &mut table.seats[0].client;
        press(client, now_ms, |_| b"go");
        let peer = Peer::from_number(1);
        let _input = table.server.input(peer, table.tick + 1);
        freezes = table.seats[0].client.figures().freezes;
    }
    let after = sent(&table);
    let a_second = |way: usize, at: usize| (after[way][at] - before[way][at]) as f64 / 2.0;
    let ends = [
        table.seats[0].client.figures(),
        table.server.figures(Peer::from_number(1)).unwrap(),
    ];
    for (way, figures) in ends.iter().enumerate() {
        let (round_trip_ms, least_ms) = (figures.round_trip_ms, figures.least_round_trip_ms);
        let (sent, received) = (figures.sent, figures.received);
        for (figure, range) in [
            // A frame of each end comes to the way.
            (round_trip_ms.unwrap(), 95.0..160.0),
            (least_ms.unwrap(), 95.0..135.0),
            (figures.lost_there, 0.02..0.2),
            (figures.lost_here, 0.02..0.2),
            (sent.datagrams / a_second(way, 0), 0.9..1.1),
            (sent.bytes / a_second(way, 1), 0.9..1.1),
            (received.datagrams / a_second(1 - way, 0), 0.72..1.08),
            (received.bytes / a_second(1 - way, 1), 0.72..1.08),
            (figures.input_margin_ticks.unwrap(), -1.0..100.0),
        ] {
            assert!(range.contains(&figure), "{figure} {range:?} {figures:?}");
        }
        assert!(least_ms <= round_trip_ms, "{figures:?}");
    }
    let [client, server] = ends;
    let delay_ms = client.delay_ms.unwrap();
    assert!((50.0..250.0).contains(&delay_ms), "{delay_ms}");
    assert!(freezes == client.freezes && freezes < 20, "{freezes}");
    assert_eq!(
        (server.delay_ms, server.freezes, client.inputs),
        (None, 0, InputArrivals::default())
    );
    // Nothing comes for two seconds: that is one freeze more, and no traffic.
    table.seats[0].ways[1].set_cut(true);
    table.run(120);
    let dark: Figures = table.seats[0].client.figures();
    assert_eq!((dark.freezes, dark.received.bytes), (freezes + 1, 0.0));
    assert!(dark.sent.bytes > 0.0);
}

#[test]
fn who_came_plays_and_left_is_told_once_and_addresses_have_peers() {
    let mut table = Table::of_one(settings(20), super::link(0.1));
    table.sit(b"no ticket", super::link(0.1));
    table.sit(b"ticket", super::link(0.1));
    table.run(120);
    let [first, third] = [0, 2].map(|address| table.server.peer(&address).unwrap());
    let of = |peer| {
        let came = table
            .came
            .iter()
            .filter(|it| matches!(it, PeerEvent::Joined(p) | PeerEvent::Playing(p) if *p == peer));
        came.copied().collect::<Vec<_>>()
    };
    for peer in [first, third] {
        assert_eq!(
            of(peer),
            [PeerEvent::Joined(peer), PeerEvent::Playing(peer)]
        );
    }
    assert_eq!((table.came.len(), table.server.peer(&9)), (4, None));
    assert_eq!(table.seats[2].client.peer(), Some(third));
}

/// Both ends say for each object that it came, and that it ended, once.
#[test]
fn objects_appear_and_end_once_at_both_ends() {
    let mut table = Table::of_one(settings(20), super::link(0.05));
    let mut there: [Vec<u32>; 2] = Default::default();
    let mut ended = [0; 2];
    for _ in 0..900 {
        table.run(1);
        let client = &mut table.seats[0].client;
        let shown = client.show(table.tick as f64 * 1000.0 / 60.0).iter();
        let shown = sorted(shown.map(|object| object.id));
        for (end, changes) in [client.changes(), table.server.changes()]
            .into_iter()
            .enumerate()
        {
            for id in &changes.ended {
                let at = there[end]
                    .iter()
                    .position(|other| other == id)
                    .expect("it was there");
                there[end].swap_remove(at);
                ended[end] += 1;
            }
            assert!(changes.appeared.iter().all(|id| !there[end].contains(id)));
            there[end].extend(&changes.appeared);
        }
        there[0].sort_unstable();
        assert_eq!(there[0], shown);
    }
    let sent = super::game(table.tick, 20).into_iter();
    there[1].sort_unstable();
    assert_eq!(there[1], sorted(sent.map(|object| object.id)));
    assert!(ended.iter().all(|&ended| ended > 30), "{ended:?}");
}
