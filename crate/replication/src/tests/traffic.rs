//! Budgets: all that an end sends is within its budget over each second, states and messages alike.

use super::urgency::moving;
use super::{Table, budget, link, press, settings, steady};
use crate::payload::{HEADERS_BYTES, Part, read_to_server};
use crate::{Client, PayloadError, Peer, Server, Settings, SettingsError};
use snapshot_netsim::channel::Conditions;

/// Bytes of the datagrams of one tick, with the headers of IP and UDP.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    states: usize,
    messages: usize,
    other: usize,
}

impl Spent {
    fn all(self) -> usize {
        self.states + self.messages + self.other
    }
}

/// Takes the datagrams that were sent to the server (0) or the client (1) since the last call. A datagram with a state or an
/// input counts as one of states, except for its messages.
fn spent(table: &mut Table, seat: usize, way: usize) -> Spent {
    let mut spent = Spent::default();
    for datagram in std::mem::take(&mut table.seats[seat].last[way]) {
        let bytes = datagram.len() + HEADERS_BYTES;
        if datagram[0] != 7 {
            spent.other += bytes;
            continue;
        }
        let payload = &datagram[1..datagram.len() - 4];
        let parts = match way {
            0 => read_to_server(payload).unwrap().1,
            _ => Part::read_all(payload, Part::is_to_client).unwrap(),
        };
        let message = |part: &Part<'_>| match part {
            Part::Message { bytes, .. } | Part::Say { bytes, .. } => bytes.len() + 5,
            _ => 0,
        };
        let of_messages: usize = parts.iter().map(message).sum();
        let is_state = |part: &Part<'_>| {
            matches!(
                part,
                Part::Partial { .. } | Part::Inputs(_) | Part::SnapshotAck { .. }
            )
        };
        match parts.iter().any(is_state) {
            true => {
                spent.states += bytes - of_messages;
                spent.messages += of_messages;
            }
            false => spent.messages += bytes,
        }
    }
    spent
}

/// The greatest rate over a second that begins with any tick, kbit/s.
fn most_kbps(ticks: &[Spent]) -> f64 {
    let seconds = ticks.windows(60);
    let bytes = seconds.map(|second| second.iter().map(|it| it.all()).sum::<usize>());
    bytes.max().unwrap_or_default() as f64 * 8.0 / 1000.0
}

/// Mean rate of a share of the traffic, kbit/s.
fn mean_kbps(ticks: &[Spent], share: impl Fn(&Spent) -> usize) -> f64 {
    let bytes: usize = ticks.iter().map(share).sum();
    bytes as f64 * 8.0 / 1000.0 / (ticks.len() as f64 / 60.0)
}

/// Plays 12 s of a server that has more to say than the budget takes: messages, says, and objects that move. Returns what it sent by tick.
fn flood(kbps: f64, [messages, says, moves]: [bool; 3], conditions: Conditions) -> Vec<Spent> {
    let settings = budget(200, kbps);
    let mut table = Table::of_one(settings, conditions);
    let peer = Peer::from_number(1);
    let mut ticks = Vec::new();
    for _ in 0..720 {
        table.step_game(
            |tick| moving(tick * u64::from(moves), 0..200),
            |_, _, _| true,
        );
        while messages && table.server.message(peer, &[7; 1000]).is_ok() {}
        for _ in 0..60 {
            let _refused = says.then(|| table.server.say(peer, &[8; 700]));
        }
        ticks.push(spent(&mut table, 0, 1));
        while table.seats[0].client.next_message().is_some() {}
    }
    ticks
}

#[test]
fn all_that_a_server_sends_is_within_the_budget_of_each_second() {
    for (kbps, loss) in [(16.0, 0.0), (60.0, 0.1), (250.0, 0.0)] {
        for (messages, says) in [(true, false), (false, true), (true, true), (false, false)] {
            let ticks = flood(kbps, [messages, says, true], link(loss));
            let most = most_kbps(&ticks);
            let settled = &ticks[120..];
            let [states, own] = [
                mean_kbps(settled, |it| it.states),
                mean_kbps(settled, |it| it.messages),
            ];
            println!(
                "{kbps} kbit/s, {messages} {says}: most {most:.1}, states {states:.1}, messages {own:.1}"
            );
            assert!(most <= 1.05 * kbps, "{most} of {kbps}");
            assert!(
                states + own >= 0.9 * kbps || kbps > 200.0,
                "{states} + {own} of {kbps}"
            );
            assert!(states >= 0.5 * kbps, "{states} of {kbps}");
            if messages || says {
                assert!(own >= 0.1 * kbps, "{own} of {kbps}");
            }
        }
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn messages_use_what_resting_objects_leave() {
    for (messages, says) in [(true, false), (false, true)] {
        let ticks = flood(100.0, [messages, says, false], steady(30.0));
        let (most, own) = (
            most_kbps(&ticks),
            mean_kbps(&ticks[240..], |it| it.messages),
        );
        println!("most {most:.1}, messages {own:.1}");
        assert!(most <= 105.0, "{most}");
        assert!(own >= 50.0, "{own}");
    }
}

/// A client with inputs in each tick and more to say than its budget takes.
#[test]
fn all_that_a_client_sends_is_within_its_budget_of_each_second() {
    for kbps in [40.0, 120.0] {
        let settings = Settings {
            upload_kbps: Some(kbps),
            ..settings(20)
        };
        let mut table = Table::of_one(settings, link(0.02));
        let (mut ticks, mut missing) = (Vec::new(), 0);
        for _ in 0..720 {
            let now_ms = table.now_ms();
            let client = &mut table.seats[0].client;
            press(client, now_ms, |tick| [tick as u8; 8]);
            while client.message(&[7; 1000]).is_ok() {}
            while client.say(&[8; 100]).is_ok() {}
            table.run(1);
            ticks.push(spent(&mut table, 0, 0));
            while table.server.next_message().is_some() {}
            let input = table.server.input(Peer::from_number(1), table.tick + 1);
            missing += usize::from(input.is_none() && table.tick > 240);
        }
        let most = most_kbps(&ticks);
        let [states, own] = [
            mean_kbps(&ticks[120..], |it| it.states),
            mean_kbps(&ticks[120..], |it| it.messages),
        ];
        println!(
            "{kbps}: most {most:.1}, states {states:.1}, messages {own:.1}, {missing} inputs missing"
        );
        assert!(most <= 1.05 * kbps, "{most} of {kbps}");
        assert!(own >= 0.1 * kbps, "{own} of {kbps}");
        assert!(states + own >= 0.85 * kbps, "{states} {own} of {kbps}");
        assert!(missing < 24, "{missing} of 480");
        let figures = table.seats[0].client.figures();
        assert_eq!(figures.budget_kbps, Some(kbps));
        assert!(figures.refused_messages > 0 && figures.refused_says > 0);
    }
}

#[test]
fn a_full_queue_refuses_and_figures_count_it() {
    let settings = budget(4, 60.0);
    let mut table = Table::of_one(settings, steady(20.0));
    table.run(60);
    let peer = Peer::from_number(1);
    let server = &mut table.server;
    let queued = (0..).take_while(|_| server.message(peer, &[1; 1000]).is_ok());
    assert_eq!(queued.count(), 64);
    assert_eq!(server.message(peer, &[1; 1000]), Err(PayloadError::Full));
    let said = (0..)
        .take_while(|_| server.say(peer, &[1; 100]).is_ok())
        .count();
    assert!(
        (2..20).contains(&said),
        "{said} may wait: they are sent within a second"
    );
    assert_eq!(server.say(peer, &[1; 100]), Err(PayloadError::Full));
    let figures = server.figures(peer).unwrap();
    assert_eq!((figures.refused_messages, figures.refused_says), (2, 2));
    // Empty messages fill a queue, too.
    table.sit(b"ticket", steady(20.0));
    table.run(60);
    let other = Peer::from_number(2);
    let queued = (0..).take_while(|_| table.server.message(other, &[]).is_ok());
    assert!((1000..10_000).contains(&queued.count()));
}

#[test]
fn a_budget_that_is_no_rate_is_refused() {
    let mut table = Table::of_one(settings(4), steady(20.0));
    table.run(60);
    for kbps in [
        f64::NAN,
        -1.0,
        -0.1,
        0.0,
        7.9,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e7,
    ] {
        let wrong = budget(4, kbps);
        let server = Server::<u8>::new(wrong.clone(), [1; 16]).err();
        assert_eq!(server, Some(SettingsError::Budget));
        let client = Client::new(wrong, b"ticket", 1).err();
        assert_eq!(client, Some(SettingsError::Budget));
        let wrong = Settings {
            upload_kbps: Some(kbps),
            ..settings(4)
        };
        assert_eq!(
            Client::new(wrong, b"ticket", 1).err(),
            Some(SettingsError::Budget)
        );
        let peer = Peer::from_number(1);
        assert_eq!(
            table.server.set_budget(peer, Some(kbps)),
            Err(PayloadError::Budget)
        );
        assert_eq!(table.server.figures(peer).unwrap().budget_kbps, None);
    }
}

#[test]
fn bytes_from_before_a_budget_are_no_debt() {
    let mut table = Table::of_one(settings(40), steady(20.0));
    table.run(60);
    let peer = Peer::from_number(1);
    for _ in 0..600 {
        while table.server.message(peer, &[7; 1000]).is_ok() {}
        table.run(1);
        while table.seats[0].client.next_message().is_some() {}
    }
    // What waits leaves within the budget: 64 kB at a quarter of 400 kbit/s or more.
    table.server.set_budget(peer, Some(400.0)).unwrap();
    let came =
        |table: &mut Table| std::iter::from_fn(|| table.seats[0].client.next_message()).count();
    let (mut count, compared) = (0, table.seats[0].compared);
    for _ in 0..360 {
        table.run(1);
        count += came(&mut table);
    }
    assert!(count >= 50, "{count}");
    assert!(table.seats[0].compared > compared + 100);
}

/// A search of the path ends also where messages and states wait for all of a small budget.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_path_is_searched_within_a_full_budget() {
    let settings = budget(200, 60.0);
    let mut table = Table::of_one(settings, steady(30.0));
    let peer = Peer::from_number(1);
    let mut ticks = Vec::new();
    for step in 0..2400 {
        // The path becomes smaller while it is used.
        table.seats[0].carried_bytes[1] = if step < 300 { usize::MAX } else { 300 };
        table.step_game(|tick| moving(tick, 0..200), |_, _, _| true);
        while table.server.message(peer, &[7; 1000]).is_ok() {}
        let _refused = table.server.say(peer, &[8; 700]);
        ticks.push(spent(&mut table, 0, 1));
        while table.seats[0].client.next_message().is_some() {}
    }
    let figures = table.server.figures(peer).unwrap();
    let found = figures.path.there_bytes;
    assert!(
        found.is_some_and(|bytes| (284..=300).contains(&bytes)),
        "{found:?}"
    );
    assert!(most_kbps(&ticks) <= 63.0);
}
