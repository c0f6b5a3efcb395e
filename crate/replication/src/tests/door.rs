//! Clients that wait to be admitted: crowds of them, other addresses, and servers that start again meanwhile.

use super::settings;
use crate::{Client, DatagramOutcome, Peer, Server, Status};
use std::collections::VecDeque;

/// Time for which the game judges a ticket, ms.
const JUDGING_MS: f64 = 1000.0;

/// A server whose game judges tickets for a second.
struct Door {
    server: Server<Address>,
    waiting: VecDeque<(f64, Peer, Vec<u8>)>,
    tick: u64,
    names_hosts: bool,
}

impl Door {
    fn new(secret: u8, names_hosts: bool) -> Self {
        Self {
            server: Server::new(settings(4), [secret; 16]).unwrap(),
            waiting: VecDeque::new(),
            tick: 0,
            names_hosts,
        }
    }

    fn receive(&mut self, now_ms: f64, from: Address, bytes: &[u8]) -> Option<Vec<u8>> {
        let outcome = match self.names_hosts {
            true => self.server.receive_from_host(now_ms, &from, from.0, bytes),
            false => self.server.receive(now_ms, &from, bytes),
        };
        match outcome {
            DatagramOutcome::Answer(answer) => {
                assert!(answer.len() <= bytes.len());
                Some(answer)
            }
            DatagramOutcome::Joins(peer, token) => {
                self.waiting.push_back((now_ms, peer, token));
                None
            }
            DatagramOutcome::Taken | DatagramOutcome::Refused(_) => None,
        }
    }

    /// Judges the tickets whose time is over, and runs a tick.
    fn tick(&mut self, now_ms: f64) -> Vec<(Address, Vec<u8>)> {
        while let Some((_, peer, token)) =
            (self.waiting).pop_front_if(|it| now_ms - it.0 >= JUDGING_MS)
        {
            match &token[..] {
                b"ticket" => self.server.admit(peer),
                _ => self.server.refuse(peer, "no ticket"),
            }
        }
        self.tick += 1;
        let mut sent = Vec::new();
        let send = |to: &Address, bytes: &[u8]| sent.push((*to, bytes.to_vec()));
        (self.server.tick(now_ms, self.tick, &[], |_, _| true, send)).unwrap();
        sent
    }
}

/// An address of a client: host and port.
type Address = (u64, u32);

fn client(token: &[u8], nonce: u64) -> Client {
    Client::new(settings(4), token, nonce).unwrap()
}

/// Gives the server what a client sends, and the client the answers, without a network.
fn exchange(door: &mut Door, now_ms: f64, from: Address, client: &mut Client) {
    while let Some(bytes) = client.send(now_ms) {
        if let Some(answer) = door.receive(now_ms, from, &bytes) {
            let _refused = client.receive(now_ms, &answer);
        }
    }
}

/// A step of a 60th of a second: all clients exchange datagrams with the server, which then runs a tick.
fn pass(door: &mut Door, step: u32, clients: &mut [(Address, Client)]) {
    let now_ms = f64::from(step) * 1000.0 / 60.0;
    for (from, client) in &mut *clients {
        exchange(door, now_ms, *from, client);
    }
    for (to, bytes) in door.tick(now_ms) {
        let client = clients.iter_mut().find(|(from, _)| *from == to);
        let _refused = client.map(|(_, client)| client.receive(now_ms, &bytes));
    }
}

/// Time after which a good client is in while strangers knock 400 times a second, each from another port of `hosts` hosts, ms.
fn joined_ms(names_hosts: bool, hosts: u64) -> Option<f64> {
    let mut door = Door::new(1, names_hosts);
    let mut good = client(b"ticket", 99);
    let mut strangers = VecDeque::new();
    for step in 0..1200_u32 {
        let now_ms = f64::from(step) * 1000.0 / 60.0;
        for stranger in 0..7 {
            let port = step * 7 + stranger;
            let address = (100 + u64::from(port) % hosts, port);
            strangers.push_back((address, client(b"wrong", 1000 + u64::from(port))));
        }
        // Each knocks for two seconds.
        while strangers.len() > 7 * 120 {
            strangers.pop_front();
        }
        for (from, client) in &mut strangers {
            exchange(&mut door, now_ms, *from, client);
        }
        // The others have asked for three seconds already.
        if step >= 180 {
            exchange(&mut door, now_ms, (1, 1), &mut good);
        }
        for (to, bytes) in door.tick(now_ms) {
            if to == (1, 1) {
                let _refused = good.receive(now_ms, &bytes);
            }
        }
        if *good.status() == Status::Connected {
            return Some(now_ms - 3000.0);
        }
    }
    None
}

#[test]
fn a_crowd_with_wrong_tickets_keeps_nobody_out() {
    for (names_hosts, hosts) in [(false, 1), (true, 1), (true, 20)] {
        let joined_ms = joined_ms(names_hosts, hosts);
        println!("hosts named: {names_hosts}, {hosts} hosts: in after {joined_ms:?} ms");
        // Its own ticket takes a second.
        let most_ms = if names_hosts { 1200.0 } else { 4000.0 };
        assert!(
            joined_ms.is_some_and(|ms| ms < most_ms),
            "{names_hosts} {hosts}: {joined_ms:?}"
        );
    }
}

#[test]
fn at_most_eight_clients_of_a_host_wait() {
    let mut door = Door::new(1, true);
    let clients = (0..12).map(|port| ((7, port), client(b"ticket", port.into())));
    let mut clients: Vec<(Address, Client)> = clients.collect();
    (0..30).for_each(|step| pass(&mut door, step, &mut clients));
    let full = clients.iter().filter(|it| *it.1.status() == Status::Full);
    assert_eq!(full.count(), 4);
    // Those that are admitted wait no longer, and the others ask again.
    (30..180).for_each(|step| pass(&mut door, step, &mut clients));
    let mut all = clients.iter();
    assert!(all.all(|it| *it.1.status() == Status::Connected));
}

/// Runs a client until it is connected; returns the step.
fn connected_step(
    door: &mut Door,
    client: &mut [(Address, Client); 1],
    mut steps: std::ops::Range<u32>,
) -> Option<u32> {
    steps.find(|step| {
        pass(door, *step, client);
        *client[0].1.status() == Status::Connected
    })
}

#[test]
fn a_restart_and_a_new_address_cost_a_waiting_client_no_more_than_its_turn() {
    for restarts in [true, false] {
        let mut door = Door::new(1, false);
        let mut client = [((1, 1), client(b"ticket", 5))];
        assert_eq!(connected_step(&mut door, &mut client, 0..30), None);
        match restarts {
            true => door = Door::new(2, false),
            false => client[0].0 = (1, 2),
        }
        let step = connected_step(&mut door, &mut client, 30..600);
        // A proof is sent each 250 ms, and the ticket takes a second.
        assert!(
            step.is_some_and(|step| step < 30 + 90),
            "{restarts}: {step:?}"
        );
    }
}

#[test]
fn clients_that_swap_their_addresses_are_back_within_two_seconds() {
    let mut door = Door::new(1, false);
    let mut clients = [5, 6].map(|nonce| ((1, nonce), client(b"ticket", nonce.into())));
    let mut away = 0;
    for step in 0..600_u32 {
        if step == 120 {
            clients.iter_mut().for_each(|it| it.0.1 = 11 - it.0.1);
        }
        pass(&mut door, step, &mut clients);
        let is_away = clients.iter().any(|it| *it.1.status() != Status::Connected);
        away += u32::from(step >= 120 && is_away);
        assert!(step < 300 || !is_away, "{step}");
    }
    // The tickets take a second of it.
    assert!(away > 30, "{away}");
}
