//! The promises of README.md and FORMAT.md about connections, messages, budgets and priorities. Each number there, and each
//! "always", "never" and "at most", is a row: the sentence, the function that measures it, and the bounds of its figure.

use super::budget::{Controlled, controlled};
use super::traffic::{Load, flood, mean_kbps, most_kbps};
use super::urgency::{
    longest_rounds, pictures_of_changing_budgets, short_lives, velocities_missing,
};
use super::{Table, link, settings, steady};
use crate::chunk_window::ChunkWindow;
use crate::connection::{Dialer, Listener, ServerEvent};
use crate::inputs::{InputBuffer, InputList};
use crate::messages::Messages;
use crate::payload::Part;
use crate::{Client, Peer, Server, Settings, Status};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

const README: &str = include_str!("../../README.md");
const FORMAT: &str = include_str!("../../FORMAT.md");

/// A sentence of a document, or its part with a number, and its measurement.
struct Promise {
    document: &'static str,
    sentence: &'static str,
    measure: fn() -> f64,
    bounds: RangeInclusive<f64>,
}

const fn row(
    document: &'static str,
    sentence: &'static str,
    measure: fn() -> f64,
    bounds: RangeInclusive<f64>,
) -> Promise {
    Promise {
        document,
        sentence,
        measure,
        bounds,
    }
}

const PROMISES: &[Promise] = &[
    row(
        README,
        "No second has more than 5 % beyond it",
        most_of_budget,
        0.9..=1.05,
    ),
    row(
        README,
        "states keep at least half of it",
        states_of_budget,
        0.5..=1.0,
    ),
    row(
        README,
        "messages at least a tenth",
        messages_of_budget,
        0.1..=0.5,
    ),
    row(
        README,
        "A queue holds 64 of the longest",
        messages_that_wait,
        64.0..=64.0,
    ),
    row(README, "or 65,536 bytes", queue_bytes, 65_536.0..=65_536.0),
    row(
        README,
        "Each has at most 1,000 bytes",
        longest_message,
        1000.0..=1000.0,
    ),
    row(
        README,
        "arrives once and in order, also over a small path",
        messages_out_of_order,
        0.0..=0.0,
    ),
    row(
        README,
        "or says that it does not send it",
        says_refused_and_sent,
        0.0..=0.0,
    ),
    row(
        README,
        "within eight times as long as the budget takes for all that wait",
        rounds_of_the_rare,
        0.0..=1.0,
    ),
    row(
        README,
        "of equal ones the oldest",
        objects_not_shown,
        0.0..=0.0,
    ),
    row(
        README,
        "Of an object in `Detail` a client gets both velocities",
        pictures_without_velocities,
        0.0..=0.0,
    ),
    row(
        README,
        "One whose packets were all lost is shown once more",
        short_lives_unseen,
        0.0..=0.0,
    ),
    row(
        README,
        "An object is shown up to the tick of its end",
        ticks_after_the_end,
        0.0..=1.0,
    ),
    row(
        README,
        "to the bit, for 1.5 s",
        picture_is_known_ms,
        1500.0..=1700.0,
    ),
    row(
        README,
        "`Server::set_budget` at any time",
        pictures_unseen,
        0.0..=0.0,
    ),
    row(
        README,
        "gives each an `input` of up to 64 bytes",
        longest_input,
        64.0..=64.0,
    ),
    row(
        README,
        "It has at most 512 bytes",
        longest_token,
        512.0..=512.0,
    ),
    row(
        README,
        "lets clients notice a restart within half a second",
        restart_noticed_ms,
        1.0..=500.0,
    ),
    row(
        README,
        "are found by probing (RFC 8899), within three seconds",
        small_path_found_ms,
        1.0..=3000.0,
    ),
    row(
        README,
        "and at least 1,024",
        events_that_wait,
        1024.0..=1024.0,
    ),
    row(
        FORMAT,
        "It says hello every 250 ms",
        hello_ms,
        250.0..=251.0,
    ),
    row(
        FORMAT,
        "After 9 s without an answer the client begins again",
        proof_ms,
        9000.0..=9001.0,
    ),
    row(
        FORMAT,
        "After 3 the client begins again 500 ms later",
        full_ms,
        500.0..=501.0,
    ),
    row(
        FORMAT,
        "At most 1,024 of them are known",
        guests,
        1024.0..=1024.0,
    ),
    row(FORMAT, "and 8 of a host", guests_of_a_host, 8.0..=8.0),
    row(
        FORMAT,
        "sends *keep* every 200 ms",
        client_keep_ms,
        200.0..=201.0,
    ),
    row(
        FORMAT,
        "it has sent no sealed datagram for 1 s",
        server_keep_ms,
        1000.0..=1001.0,
    ),
    row(
        FORMAT,
        "Either end takes 5 s of silence for the end",
        silence_ms,
        5000.0..=5001.0,
    ),
    row(
        FORMAT,
        "waits for 100 ms. If no sealed datagram comes",
        doubt_ms,
        100.0..=101.0,
    ),
    row(
        FORMAT,
        "The server takes a stamp of now or of the 10 s before",
        oldest_stamp_ms,
        10_000.0..=20_000.0,
    ),
    row(FORMAT, "among its last 64 waits", oldest_tag, 64.0..=64.0),
    row(
        FORMAT,
        "the client at that address has been silent for 300 ms",
        silent_before_doubt_ms,
        300.0..=301.0,
    ),
    row(
        FORMAT,
        "has been silent for 1 s may begin another connection",
        silent_before_another_ms,
        1000.0..=1001.0,
    ),
    row(
        FORMAT,
        "says nothing newer for 4.25 s joins again",
        joins_again_ms,
        4250.0..=4350.0,
    ),
    row(
        FORMAT,
        "At first 8 chunks are under way",
        first_chunks,
        8.0..=8.0,
    ),
    row(
        FORMAT,
        "each that arrives adds one, up to 32",
        most_chunks,
        32.0..=32.0,
    ),
    row(
        FORMAT,
        "keeps those up to four seconds ahead of its tick",
        inputs_ahead_ms,
        4000.0..=4000.0,
    ),
    row(
        FORMAT,
        "cut into pieces of up to 237 bytes",
        longest_piece,
        237.0..=237.0,
    ),
    row(
        FORMAT,
        "At most 32 are under way",
        pieces_under_way,
        32.0..=32.0,
    ),
    row(
        FORMAT,
        "as many datagrams as the game allows, up to 16",
        datagrams_a_packet,
        16.0..=16.0,
    ),
];

/// Rows that take long. They are measured over eight seeds, or by both phases of a client's frames.
const LONG_PROMISES: &[Promise] = &[
    row(
        README,
        "95 % of the packets waited at most 50 ms",
        queue_p95_ms,
        0.0..=50.0,
    ),
    row(
        README,
        "at least 88 % of the capacity was used",
        share_of_capacity,
        0.88..=1.0,
    ),
    row(
        README,
        "Jitter of up to 150 ms is no queue: at least 80 % of the budget is used",
        share_under_jitter,
        0.8..=1.0,
    ),
];

/// Sentences of other subjects that must not go, with the tests that measure them.
const MEASURED_ELSEWHERE: &[(&str, &str, &str)] = &[
    (
        README,
        "2 of 158,800 inputs were missing",
        "fewer_than_one_input_in_10_000_is_missing_at_a_fifth_of_loss",
    ),
    (
        README,
        "is forgotten within 5 s",
        "a_queue_of_a_moment_is_forgotten_five_seconds_later",
    ),
    (
        README,
        "less than 2 % are missing from the third second on",
        "bursts",
    ),
    (
        README,
        "in their place within 1 s of the first packet",
        "bursts",
    ),
];

#[test]
fn each_sentence_stands() {
    for promise in PROMISES.iter().chain(LONG_PROMISES) {
        let (document, sentence) = (promise.document, promise.sentence);
        assert!(document.contains(sentence), "no document says: {sentence}");
    }
    for (document, sentence, _) in MEASURED_ELSEWHERE {
        assert!(document.contains(sentence), "no document says: {sentence}");
    }
    let words = README.split_whitespace().count();
    assert!(words <= 1500, "README has {words} words");
}

fn check(promises: &[Promise]) {
    let mut broken = Vec::new();
    for promise in promises {
        let (figure, bounds) = ((promise.measure)(), &promise.bounds);
        println!("{figure:10.2} of {bounds:?}: {}", promise.sentence);
        if !bounds.contains(&figure) {
            broken.push((promise.sentence, figure));
        }
    }
    assert!(broken.is_empty(), "{broken:?}");
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn each_promise_is_kept() {
    check(PROMISES);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn each_long_promise_is_kept() {
    check(LONG_PROMISES);
}

#[test]
fn promises_of_connections_are_kept() {
    let of_connections = PROMISES.iter().position(|it| it.document == FORMAT);
    check(&PROMISES[of_connections.unwrap()..]);
}

const KBPS: f64 = 60.0;

fn flooded() -> Vec<super::traffic::Spent> {
    let load = Load {
        messages: true,
        says: true,
        moves: true,
    };
    flood(KBPS, &load, link(0.05)).1
}

fn most_of_budget() -> f64 {
    most_kbps(&flooded()) / KBPS
}

fn states_of_budget() -> f64 {
    mean_kbps(&flooded()[120..], |it| it.states) / KBPS
}

fn messages_of_budget() -> f64 {
    mean_kbps(&flooded()[120..], |it| it.messages) / KBPS
}

fn messages_that_wait() -> f64 {
    let mut messages = Messages::default();
    let pushed = (0..).take_while(|_| messages.push(&[7; 1000]).is_ok());
    pushed.count() as f64
}

fn queue_bytes() -> f64 {
    let mut messages = Messages::default();
    // A message of a byte less than the longest leaves 64 bytes: with them the queue is full to the byte.
    let longest = (0..64).filter(|_| messages.push(&[7; 999]).is_ok()).count();
    let last = (0..200).filter(|&bytes| messages.clone().push(&vec![7; bytes]).is_ok());
    let last = last.max().unwrap_or_default();
    (longest * (999 + crate::MESSAGE_COST_BYTES) + last + crate::MESSAGE_COST_BYTES) as f64
}

fn longest_message() -> f64 {
    let mut messages = Messages::default();
    let taken = (900..1100).filter(|&bytes| {
        messages.push(&vec![7; bytes]).is_ok() || {
            messages = Messages::default();
            messages.push(&vec![7; bytes]).is_ok()
        }
    });
    taken.max().unwrap_or_default() as f64
}

/// Messages over loss and a small path that were not the next one.
fn messages_out_of_order() -> f64 {
    let mut table = Table::new(settings(4), 4);
    table.sit(b"ticket", link(0.1));
    table.seats[0].carried_bytes = [300; 2];
    table.run(120);
    let peer = Peer::from_number(1);
    let (mut sent, mut came, mut wrong) = (0_u32, 0_u32, 0);
    for _ in 0..900 {
        let message = [&sent.to_be_bytes()[..], &[7; 600]].concat();
        if sent < 60 && table.server.message(peer, &message).is_ok() {
            sent += 1;
        }
        table.run(1);
        while let Some(message) = table.seats[0].client.next_message() {
            wrong += usize::from(message[..4] != came.to_be_bytes());
            came += 1;
        }
    }
    wrong as f64 + f64::from(sent - came)
}

/// Messages to be sent once that a server accepted and did not send, over a way without loss.
fn says_refused_and_sent() -> f64 {
    let settings = Settings {
        budget_kbps: Some(30.0),
        ..settings(100)
    };
    let mut table = Table::new(settings, 100);
    table.sit(b"ticket", steady(20.0));
    table.run(60);
    let peer = Peer::from_number(1);
    let (mut accepted, mut came, mut refused) = (0, 0, 0);
    for step in 0..600 {
        for _ in 0..5 {
            match table.server.say(peer, &[7; 200]) {
                Ok(()) if step < 480 => accepted += 1,
                Ok(()) => {}
                Err(_) => refused += 1,
            }
            if step >= 480 {
                break;
            }
        }
        table.run(1);
        came += std::iter::from_fn(|| table.seats[0].client.next_message()).count();
    }
    assert!(refused > 100 && accepted > 20, "{refused} {accepted}");
    f64::from(accepted) - (accepted.min(came as i32)) as f64
}

fn rounds_of_the_rare() -> f64 {
    let [longest_ms, bound_ms] = longest_rounds(150, 48.0, 0.2, 1e-9, 6);
    longest_ms / bound_ms
}

fn objects_not_shown() -> f64 {
    let shown = super::urgency::shown_of_one_priority(crate::Interest::Priority(f32::INFINITY));
    300.0 - shown as f64
}

fn pictures_without_velocities() -> f64 {
    let [pictures, without, newest_without, _] = velocities_missing(Some(60.0), 0.05);
    assert!(pictures > 2000);
    (without + newest_without) as f64
}

fn short_lives_unseen() -> f64 {
    short_lives(Some(100.0), 0.1, 1).1 as f64
}

fn ticks_after_the_end() -> f64 {
    let of = |kbps| short_lives(kbps, 0.0, 1).3 * 60.0 / 1000.0;
    of(Some(100.0)).max(of(None))
}

/// Longest time after which a server rebuilds a picture, ms.
fn picture_is_known_ms() -> f64 {
    let mut table = Table::new(settings(40), 40);
    table.sit(b"ticket", link(0.0));
    table.run(240);
    let shown = table.seats[0].client.shown_instant().unwrap();
    let peer = table.seats[0].client.peer().unwrap();
    let from_tick = shown.play_tick;
    while table.server.seen(peer, &shown).is_some() {
        table.run(1);
    }
    (table.tick as f64 - from_tick) * 1000.0 / 60.0
}

fn pictures_unseen() -> f64 {
    pictures_of_changing_budgets(0.05, 47, 12)[1] as f64
}

fn longest_input() -> f64 {
    let mut table = Table::new(settings(40), 40);
    table.sit(b"ticket", link(0.0));
    table.run(120);
    let client = &mut table.seats[0].client;
    let tick = std::iter::from_fn(|| client.next_input(2000.0)).next();
    let tick = tick.unwrap();
    let longest = (0..100)
        .rev()
        .find(|bytes| client.input(tick, &vec![7; *bytes]).is_ok());
    longest.unwrap_or_default() as f64
}

fn longest_token() -> f64 {
    let is_taken = |bytes: &usize| Client::new(settings(1), &vec![7; *bytes], 1).is_ok();
    (400..600).filter(is_taken).max().unwrap_or_default() as f64
}

/// Time until a client notices that its server started again, ms; the greatest of eight clients.
fn restart_noticed_ms() -> f64 {
    let mut table = Table::new(settings(40), 40);
    (0..8).for_each(|_| table.sit(b"ticket", link(0.0)));
    table.run(200);
    table.server = Server::new(table.settings.clone(), [2; 16]).unwrap();
    table.started = table.tick;
    let mut noticed = BTreeSet::new();
    for step in 0..120 {
        table.run(1);
        let is_noticed = |seat: &super::Seat| *seat.client.status() == Status::Connecting;
        let seats = table.seats.iter().enumerate();
        noticed.extend(seats.filter(|it| is_noticed(it.1)).map(|it| it.0));
        if noticed.len() == 8 {
            return f64::from(step + 1) * 1000.0 / 60.0;
        }
    }
    f64::INFINITY
}

/// Time until a client names the limit of a path that carries 200 bytes, ms.
fn small_path_found_ms() -> f64 {
    let mut table = Table::new(settings(40), 40);
    table.sit(b"ticket", steady(50.0));
    table.seats[0].carried_bytes = [200; 2];
    for step in 0..300 {
        table.run(1);
        let events = &table.seats[0].events;
        if events
            .iter()
            .any(|it| matches!(it, crate::ConnectionEvent::Path(_)))
        {
            return f64::from(step) * 1000.0 / 60.0;
        }
    }
    f64::INFINITY
}

fn events_that_wait() -> f64 {
    let mut listener: Listener<u8> = Listener::new(5, [7; 16], 2);
    for number in 0..2000 {
        listener.tell(crate::PeerEvent::Playing(Peer::from_number(number)));
    }
    assert_eq!(listener.next_event(), Some(crate::PeerEvent::Missed));
    std::iter::from_fn(|| listener.next_event()).count() as f64
}

/// Passes the datagrams between a client and its server at an instant.
fn exchange(now_ms: f64, dialer: &mut Dialer, listener: &mut Listener<u8>, admits: bool) {
    while let Some(bytes) = dialer.send(now_ms, None) {
        match listener.receive(now_ms, &1, None, &bytes) {
            Ok(ServerEvent::Answer(bytes)) => drop(dialer.receive(now_ms, &bytes)),
            Ok(ServerEvent::Joins(peer, _)) if admits => listener.admit(peer),
            _ => {}
        }
    }
    let told = listener.advance(now_ms, |_, bytes| {
        let _event = dialer.receive(now_ms, bytes);
    });
    assert_eq!(told, Ok(()));
}

/// A client that has just connected, its server, and the time, ms.
fn connected(clients_max: usize) -> (Dialer, Listener<u8>, f64) {
    let mut listener = Listener::new(5, [7; 16], clients_max);
    let mut dialer = Dialer::new(5, b"token", 1);
    for at in 0..20 {
        exchange(f64::from(at), &mut dialer, &mut listener, true);
    }
    (dialer, listener, 20.0)
}

/// Returns the greatest time between two of the client's datagrams of a kind within two seconds, ms.
fn interval_ms(kind: u8, dialer: &mut Dialer, from_ms: f64) -> f64 {
    let mut times_ms = Vec::new();
    for at in 0..2000 {
        let now_ms = from_ms + f64::from(at);
        let sent = dialer.send(now_ms, None);
        if sent.is_some_and(|bytes| bytes[0] == kind) {
            times_ms.push(now_ms);
        }
    }
    assert!(times_ms.len() > 4, "{times_ms:?}");
    let intervals = times_ms.windows(2).map(|two| two[1] - two[0]);
    intervals.fold(0.0, f64::max)
}

/// Returns the time until the client sends a hello, ms.
fn until_hello_ms(dialer: &mut Dialer, from_ms: f64) -> f64 {
    let is_hello = |at: &i32| {
        let sent = dialer.send(from_ms + f64::from(*at), None);
        sent.is_some_and(|bytes| bytes[0] == 1)
    };
    f64::from((0..20_000).find(is_hello).unwrap())
}

fn hello_ms() -> f64 {
    interval_ms(1, &mut Dialer::new(5, b"token", 1), 0.0)
}

fn client_keep_ms() -> f64 {
    let (mut dialer, _, now_ms) = connected(1);
    interval_ms(8, &mut dialer, now_ms)
}

fn proof_ms() -> f64 {
    let mut listener = Listener::new(5, [7; 16], 1);
    let mut dialer = Dialer::new(5, b"token", 1);
    exchange(0.0, &mut dialer, &mut listener, false);
    until_hello_ms(&mut dialer, 0.0)
}

fn full_ms() -> f64 {
    let mut listener = Listener::new(5, [7; 16], 0);
    let mut dialer = Dialer::new(5, b"token", 1);
    exchange(0.0, &mut dialer, &mut listener, true);
    assert_eq!(*dialer.status(), Status::Full);
    until_hello_ms(&mut dialer, 0.0)
}

fn guests_with(host: Option<u64>) -> f64 {
    let mut listener: Listener<u32> = Listener::new(5, [7; 16], 1);
    let mut joins = 0;
    for address in 0..1100_u32 {
        let mut dialer = Dialer::new(5, b"token", u64::from(address) + 1);
        for _ in 0..2 {
            let Some(bytes) = dialer.send(0.0, None) else {
                continue;
            };
            match listener.receive(0.0, &address, host, &bytes) {
                Ok(ServerEvent::Answer(bytes)) => drop(dialer.receive(0.0, &bytes)),
                Ok(ServerEvent::Joins(..)) => joins += 1,
                _ => {}
            }
        }
    }
    f64::from(joins)
}

fn guests() -> f64 {
    guests_with(None)
}

fn guests_of_a_host() -> f64 {
    guests_with(Some(3))
}

fn server_keep_ms() -> f64 {
    let (mut dialer, mut listener, from_ms) = connected(1);
    let mut times_ms = Vec::new();
    for at in 0..4000 {
        let now_ms = from_ms + f64::from(at);
        if let Some(bytes) = dialer.send(now_ms, None) {
            let _taken = listener.receive(now_ms, &1, None, &bytes);
        }
        let sent = listener.advance(now_ms, |_, _| times_ms.push(now_ms));
        assert_eq!(sent, Ok(()));
    }
    times_ms
        .windows(2)
        .map(|two| two[1] - two[0])
        .fold(0.0, f64::max)
}

fn silence_ms() -> f64 {
    let (dialer, mut listener, from_ms) = connected(1);
    assert_eq!(*dialer.status(), Status::Connected);
    let peer = listener.connected().next().unwrap();
    let heard_ms = listener.received_ms(peer).unwrap();
    let is_gone = |at: &i32| {
        let now_ms = from_ms + f64::from(*at);
        assert_eq!(listener.advance(now_ms, |_, _| {}), Ok(()));
        listener.connected().next().is_none()
    };
    f64::from((0..20_000).find(is_gone).unwrap()) + from_ms - heard_ms
}

fn doubt_ms() -> f64 {
    let (mut dialer, _, from_ms) = connected(1);
    let mut other: Listener<u8> = Listener::new(5, [8; 16], 1);
    let mut told_ms = None;
    for at in 0..2000 {
        let now_ms = from_ms + f64::from(at);
        if let Some(bytes) = dialer.send(now_ms, None)
            && told_ms.is_none()
            && let Ok(ServerEvent::Answer(answer)) = other.receive(now_ms, &1, None, &bytes)
        {
            let _event = dialer.receive(now_ms, &answer);
            told_ms = Some(now_ms);
        }
        if *dialer.status() == Status::Connecting {
            return now_ms - told_ms.unwrap();
        }
    }
    f64::INFINITY
}

/// Greatest age of a challenge whose proof the server takes, ms. The challenge is drawn in the middle of a stamp's time.
fn oldest_stamp_ms() -> f64 {
    let is_taken = |age: &i32| {
        let mut listener: Listener<u8> = Listener::new(5, [7; 16], 1);
        let pass = |from_ms: f64, to_ms: f64, listener: &mut Listener<u8>| {
            let steps = (1..=((to_ms - from_ms) / 500.0) as u32).map(|at| f64::from(at) * 500.0);
            steps.for_each(|ms| assert_eq!(listener.advance(from_ms + ms, |_, _| {}), Ok(())));
        };
        let mut dialer = Dialer::new(5, b"token", 1);
        pass(0.0, 5000.0, &mut listener);
        let hello = dialer.send(5000.0, None).unwrap();
        let Ok(ServerEvent::Answer(challenge)) = listener.receive(5000.0, &1, None, &hello) else {
            return false;
        };
        let _event = dialer.receive(5000.0, &challenge);
        let proof = dialer.send(5000.0, None).unwrap();
        let now_ms = 5000.0 + f64::from(*age);
        pass(5000.0, now_ms, &mut listener);
        matches!(
            listener.receive(now_ms, &1, None, &proof),
            Ok(ServerEvent::Joins(..))
        )
    };
    let ages = (0..60).map(|at| at * 500);
    f64::from(ages.filter(is_taken).max().unwrap_or_default())
}

/// Number of datagrams that a client knows by their tags, of 200 that it sent.
fn oldest_tag() -> f64 {
    let (mut dialer, mut listener, from_ms) = connected(1);
    let mut tags = Vec::new();
    for at in 0..200_u8 {
        let now_ms = from_ms + 200.0 * f64::from(at);
        if let Some(bytes) = dialer.send(now_ms, Some(&[at])) {
            let tag = bytes[bytes.len() - 4..].try_into().unwrap();
            tags.push(u32::from_be_bytes(tag));
            let _taken = listener.receive(now_ms, &1, None, &bytes);
        }
        let told = listener.advance(now_ms, |_, bytes| {
            let _event = dialer.receive(now_ms, bytes);
        });
        assert_eq!(told, Ok(()));
    }
    assert!(tags.len() > 100);
    tags.iter().filter(|tag| dialer.knows_tag(**tag)).count() as f64
}

/// Measures how long a client must be silent before a wrong tag from its address is answered by *unknown*, ms.
fn silent_before_doubt_ms() -> f64 {
    let (_, mut listener, from_ms) = connected(1);
    let peer = listener.connected().next().unwrap();
    let heard_ms = listener.received_ms(peer).unwrap();
    let wrong = [8, 0, 0, 0, 0, 1, 2, 3, 4];
    let is_answered = |at: &i32| {
        let now_ms = from_ms + f64::from(*at);
        let answer = listener.receive(now_ms, &1, None, &wrong);
        matches!(answer, Ok(ServerEvent::Answer(_)))
    };
    f64::from((0..5000).find(is_answered).unwrap()) + from_ms - heard_ms
}

/// Time from the last datagram of a client until another one may join from its address, ms.
fn silent_before_another_ms() -> f64 {
    let (_, mut listener, from_ms) = connected(2);
    let peer = listener.connected().next().unwrap();
    let heard_ms = listener.received_ms(peer).unwrap();
    let mut other = Dialer::new(5, b"other", 2);
    exchange(from_ms, &mut other, &mut listener, false);
    let proof = other.send(from_ms + 250.0, None).unwrap();
    let joins = |at: &i32| {
        let now_ms = from_ms + 250.0 + f64::from(*at);
        let outcome = listener.receive(now_ms, &1, None, &proof);
        matches!(outcome, Ok(ServerEvent::Joins(..)))
    };
    f64::from((0..3000).find(joins).unwrap()) + from_ms + 250.0 - heard_ms
}

/// Time from the last acknowledgement until the server sends a joining snapshot again, ms.
fn joins_again_ms() -> f64 {
    let mut table = Table::new(settings(40), 40);
    table.sit(b"ticket", steady(1.0));
    table.run(241);
    let joins = table.server.counts().joins;
    table.seats[0].carried_bytes[0] = 0;
    let from_ms = table.now_ms();
    while table.server.counts().joins == joins {
        table.run(1);
    }
    table.now_ms() - from_ms
}

fn first_chunks() -> f64 {
    ChunkWindow::default().chunks() as f64
}

fn most_chunks() -> f64 {
    let mut window = ChunkWindow::default();
    (0..100).for_each(|_| window.on_ack());
    window.chunks() as f64
}

/// Returns the longest time ahead of the server's tick for which an input is kept, ms.
fn inputs_ahead_ms() -> f64 {
    let rate = settings(1).checked_rate().unwrap();
    let is_kept = |ahead: &u64| {
        let mut buffer = InputBuffer::new(rate);
        let tick = 100 + *ahead;
        let list = [&(tick as u32).to_be_bytes()[..], &[1, 1, 7]].concat();
        buffer.on_inputs(100.0, InputList { bytes: &list });
        buffer.next(tick as f64 - 1.0, tick).is_some()
    };
    (1..1000).filter(is_kept).max().unwrap_or_default() as f64 * 1000.0 / 60.0
}

/// The pieces of a queue of the longest messages that leave at once.
fn pieces() -> Vec<usize> {
    let mut messages = Messages::default();
    (0..30).for_each(|_| messages.push(&[7; 1000]).unwrap());
    let mut payload = Vec::new();
    messages.write(0.0, 100.0, 1 << 20, &mut payload);
    let parts = Part::read_all(&payload, Part::is_to_client).unwrap();
    let bytes = |part: &Part<'_>| match part {
        Part::Message { bytes, .. } => Some(bytes.len()),
        _ => None,
    };
    parts.iter().filter_map(bytes).collect()
}

fn longest_piece() -> f64 {
    pieces().into_iter().max().unwrap_or_default() as f64
}

fn pieces_under_way() -> f64 {
    pieces().len() as f64
}

fn datagrams_a_packet() -> f64 {
    let is_taken = |datagrams: &usize| {
        let settings = Settings {
            datagrams_a_packet: *datagrams,
            ..settings(4)
        };
        Server::<u8>::new(settings, [1; 16]).is_ok()
    };
    (1..40).filter(is_taken).max().unwrap_or_default() as f64
}

fn through_256(phase_ms: f64) -> [f64; 2] {
    controlled(Controlled {
        limit_kbps: 2000.0,
        send_rate: 30,
        phase_ms,
        capacity_kbps: Some(256.0),
        jitter_ms: 0.0,
        seed: 1,
    })
}

fn queue_p95_ms() -> f64 {
    through_256(1.0)[1].max(through_256(9.0)[1])
}

fn share_of_capacity() -> f64 {
    through_256(1.0)[0].min(through_256(9.0)[0]) / 256.0
}

fn share_under_jitter() -> f64 {
    let mut least = f64::MAX;
    for jitter_ms in [40.0, 80.0, 150.0] {
        for seed in 0..8 {
            least = least.min(super::budget::jittered(jitter_ms, 20, 200.0, None, seed)[0]);
        }
    }
    least / 200.0
}
