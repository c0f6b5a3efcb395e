//! Clients that join, are refused, leave and come back.

use super::{Table, exchange, link, settings};
use crate::connection::{Dialer, Listener, SEAL_BYTES, ServerEvent};
use crate::{
    Client, DatagramOutcome, LeaveReason, Object, Peer, PeerEvent, Refusal, RefusalReason, Server,
    Settings, Status,
};
use std::collections::BTreeSet;

#[test]
fn a_server_that_starts_again_is_noticed_in_a_round_trip() {
    // The second has the secret of the first, as no game should: its clients join again all the same.
    for (secret, restarts) in [([2; 16], 1), ([1; 16], 0)] {
        let mut table = Table::new(settings(40));
        (0..3).for_each(|_| table.sit(b"ticket", link(0.0)));
        table.run(200);
        let before = table.seats[0].compared;
        table.server = Server::new(table.settings.clone(), secret).unwrap();
        table.started = table.tick;
        // A way takes 40 to 60 ms, and a silent client says something within 200 ms.
        let mut noticed = [None; 3];
        for step in 0..120 {
            table.run(1);
            for (noticed, seat) in noticed.iter_mut().zip(&table.seats) {
                let is_noticed = *seat.client.status() == Status::Connecting;
                *noticed = noticed.or(is_noticed.then_some(step));
            }
        }
        assert!(
            noticed.iter().all(|it| it.is_some_and(|ticks| ticks < 22)),
            "{noticed:?}"
        );
        for seat in &table.seats {
            assert_eq!(*seat.client.status(), Status::Connected);
            assert_eq!(seat.client.restarts(), restarts);
            assert!(seat.compared > before + 10 && seat.is_whole(&table.truth));
        }
    }
}

#[test]
fn clients_are_refused_by_name() {
    let mut table = Table::new(Settings {
        clients: 1,
        ..settings(4)
    });
    table.sit(b"no", link(0.0));
    table.run(60);
    let refused = Status::Refused(Refusal::NotAdmitted, "no ticket".to_owned());
    assert_eq!(*table.seats[0].client.status(), refused);

    table.sit(b"ticket", link(0.0));
    table.run(60);
    table.sit(b"ticket", link(0.0));
    let other = Settings {
        send_rate: 30,
        ..settings(4)
    };
    table.sit(b"ticket", link(0.0));
    table.seats[3].client = Client::new(other, b"ticket", 5).unwrap();
    table.run(60);
    let status: Vec<_> = table
        .seats
        .iter()
        .map(|it| it.client.status().clone())
        .collect();
    assert_eq!(status[1], Status::Connected);
    assert_eq!(status[2], Status::Full);
    assert_eq!(
        status[3],
        Status::Refused(Refusal::OtherSettings, String::new())
    );

    // A client that plays is thrown out; its place is free at once.
    let peer = table.server.peers().next().unwrap();
    table.server.refuse(peer, "cheated");
    table.run(30);
    let thrown_out = Status::Refused(Refusal::NotAdmitted, "cheated".to_owned());
    assert_eq!(*table.seats[1].client.status(), thrown_out);
    assert_eq!(table.left, [(peer, LeaveReason::Refused)]);
}

#[test]
fn silence_and_goodbyes_end_a_connection() {
    let mut table = Table::new(settings(4));
    (0..2).for_each(|_| table.sit(b"ticket", link(0.0)));
    table.run(60);
    let bytes = table.seats[0].client.goodbye().unwrap();
    let now_ms = table.now_ms();
    table.seats[0].post(0, now_ms, &bytes);
    table.run(30);
    assert_eq!(table.left, [(Peer::from_number(1), LeaveReason::Goodbye)]);
    // A cut of 8 s: the server lets the client go. Afterwards it joins again by itself.
    table.seats[1]
        .ways
        .iter_mut()
        .for_each(|way| way.set_cut(true));
    table.run(480);
    assert_eq!(
        table.left[1..],
        [(Peer::from_number(2), LeaveReason::Silence)]
    );
    table.seats[1]
        .ways
        .iter_mut()
        .for_each(|way| way.set_cut(false));
    table.run(120);
    assert_eq!(*table.seats[1].client.status(), Status::Connected);
    assert!(table.seats[1].is_whole(&table.truth));
    assert_eq!(table.seats[1].client.restarts(), 0);
}

#[test]
fn a_server_whose_world_stands_still_keeps_its_clients() {
    let mut listener: Listener<u8> = Listener::new(5, [7; 16], 4);
    let mut dialer = Dialer::new(5, b"token", 1);
    let mut keeps_ms = Vec::new();
    for at in 0..1_200 {
        let now_ms = f64::from(at) * 1000.0 / 60.0;
        while let Some(bytes) = dialer.send(now_ms, None) {
            match listener.receive(now_ms, &1, None, &bytes).unwrap() {
                ServerEvent::Answer(bytes) => drop(dialer.receive(now_ms, &bytes).unwrap()),
                ServerEvent::Joins(peer, _) => listener.admit(peer),
                ServerEvent::Payload(..) | ServerEvent::Taken => {}
            }
        }
        let advanced = listener.advance(now_ms, |_, bytes| {
            if bytes.len() == SEAL_BYTES + 4 {
                keeps_ms.push(now_ms);
            }
            dialer.receive(now_ms, bytes).unwrap();
        });
        assert_eq!(advanced, Ok(()));
        assert_eq!(*dialer.status(), Status::Connected, "at {now_ms} ms");
    }
    assert_eq!(keeps_ms.len(), 19, "one a second: {keeps_ms:?}");
    let joined: Vec<_> = std::iter::from_fn(|| listener.next_event()).collect();
    assert_eq!(joined, [PeerEvent::Joined(Peer::from_number(1))]);
}

#[test]
fn a_client_of_another_version_is_refused_by_name() {
    let mut listener: Listener<u8> = Listener::new(5, [7; 16], 4);
    for version in [1, 2, 4] {
        let mut dialer = Dialer::new(5, b"token", 1);
        let mut hello = dialer.send(0.0, None).unwrap();
        hello[1] = version;
        let Ok(ServerEvent::Answer(answer)) = listener.receive(0.0, &1, None, &hello) else {
            panic!("version {version} is answered");
        };
        dialer.receive(0.0, &answer).unwrap();
        let refused = Status::Refused(Refusal::OtherVersion, String::new());
        assert_eq!(*dialer.status(), refused);
    }
    assert_eq!(listener.refused().count(RefusalReason::OtherVersion), 3);
}

/// Clients that all come in one tick: the game learns of each.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn no_client_is_forgotten_of_many_in_one_tick() {
    let settings = Settings {
        clients: 1500,
        ..settings(1)
    };
    let mut server: Server<u16> = Server::new(settings.clone(), [1; 16]).unwrap();
    let mut clients: Vec<Client> = (0..1500)
        .map(|at| Client::new(settings.clone(), b"ticket", 99 + at).unwrap())
        .collect();
    let mut there = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for tick in 1..=40_u64 {
        let now_ms = tick as f64 * 100.0;
        // From the twentieth tick on all are silent, so that all leave.
        for (address, client) in (0..).zip(&mut clients) {
            while let Some(bytes) = client.send(now_ms).filter(|_| tick < 20) {
                match server.receive(now_ms, &address, &bytes) {
                    DatagramOutcome::Answer(bytes) => client.receive(now_ms, &bytes).unwrap(),
                    DatagramOutcome::Joins(peer, _) => server.admit(peer),
                    DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
                }
            }
        }
        let send = |address: &u16, bytes: &[u8]| {
            let _counted = clients[usize::from(*address)].receive(now_ms, bytes);
        };
        server
            .tick(now_ms, tick, &[Object::at(1, [0.0; 3])], |_, _| true, send)
            .unwrap();
        if tick == 18 {
            seen = server.peers().collect();
        }
        // The game looks once a while.
        if tick % 18 != 0 {
            continue;
        }
        while let Some(event) = server.next_event() {
            match event {
                PeerEvent::Joined(peer) => drop(there.insert(peer)),
                PeerEvent::Left(peer, _) => drop(there.remove(&peer)),
                _ => {}
            }
        }
    }
    println!("{} connected, {} known", seen.len(), there.len());
    assert_eq!(seen.len(), 1500);
    assert_eq!(there, seen);
}

/// A game that asks for no events learns that it missed some, and who is connected.
#[test]
fn a_game_that_missed_events_is_told() {
    let mut listener: Listener<u32> = Listener::new(5, [7; 16], 2);
    let mut came = Vec::new();
    for at in 0..1_100_u32 {
        let mut dialer = Dialer::new(5, b"token", u64::from(at) + 1);
        let now_ms = f64::from(at) * 10.0;
        (0..2).for_each(|_| exchange(now_ms, &at, &mut dialer, &mut listener, true));
        assert_eq!(*dialer.status(), Status::Connected, "{at}");
        let bytes = dialer.send(now_ms + 1.0, Some(b"hello")).unwrap();
        assert!(listener.receive(now_ms + 1.0, &at, None, &bytes).is_ok());
        came.extend(listener.peer(&at));
        if at < 1_099 {
            let bye = dialer.goodbye().unwrap();
            assert!(listener.receive(now_ms + 1.0, &at, None, &bye).is_ok());
        }
    }
    assert_eq!(listener.next_event(), Some(PeerEvent::Missed));
    let events: Vec<_> = std::iter::from_fn(|| listener.next_event()).collect();
    assert_eq!(events.len(), 1024);
    assert_eq!(events.last(), Some(&PeerEvent::Joined(came[1_099])));
    assert_eq!(listener.connected().collect::<Vec<_>>(), came[1_099..]);
}
