//! The promises of README.md and FORMAT.md about connections, messages, budgets and priorities. Each number there, and each
//! "always", "never" and "at most", is a row: the sentence, the function that measures it, and the bounds of its figure.

use super::{Table, budget, exchange, link, settings, steady};
use crate::chunk_window::ChunkWindow;
use crate::connection::{Dialer, Listener, ServerEvent};
use crate::inputs::{InputBuffer, InputList};
use crate::messages::Messages;
use crate::payload::Part;
use crate::{Peer, Status};
use std::ops::RangeInclusive;

const README: &str = include_str!("../../README.md");
const FORMAT: &str = include_str!("../../FORMAT.md");

/// A part of a sentence with a number, the function that measures the number, and its bounds.
type Promise = (&'static str, fn() -> f64, RangeInclusive<f64>);

const PROMISES: &[Promise] = &[
    ("or 65,536 bytes", queue_bytes, 65_536.0..=65_536.0),
    ("also over a small path", messages_out_of_order, 0.0..=0.0),
    ("that it does not send it", says_refused_and_sent, 0.0..=0.0),
    (
        "to the bit, for 1.5 s",
        picture_is_known_ms,
        1500.0..=1700.0,
    ),
    ("It says hello every 250 ms", hello_ms, 250.0..=251.0),
    ("After 9 s without an answer", proof_ms, 9000.0..=9001.0),
    ("begins again 500 ms later", full_ms, 500.0..=501.0),
    ("At most 1,024 of them are known", guests, 1024.0..=1024.0),
    ("sends *keep* every 200 ms", client_keep_ms, 200.0..=201.0),
    (
        "no sealed datagram for 1 s",
        server_keep_ms,
        1000.0..=1001.0,
    ),
    ("takes 5 s of silence", silence_ms, 5000.0..=5001.0),
    ("waits for 100 ms. If no", doubt_ms, 100.0..=101.0),
    (
        "of now or of the 10 s before",
        oldest_stamp_ms,
        10_000.0..=20_000.0,
    ),
    ("among its last 64 waits", oldest_tag, 64.0..=64.0),
    ("silent for 300 ms", silent_before_doubt_ms, 300.0..=301.0),
    (
        "silent for 1 s may begin",
        silent_before_another_ms,
        1000.0..=1001.0,
    ),
    ("nothing newer for 4.25 s", joins_again_ms, 4250.0..=4350.0),
    ("At first 8 chunks", first_chunks, 8.0..=8.0),
    ("adds one, up to 32", most_chunks, 32.0..=32.0),
    ("up to four seconds ahead", inputs_ahead_ms, 4000.0..=4000.0),
    ("pieces of up to 237 bytes", longest_piece, 237.0..=237.0),
    ("At most 32 are under way", pieces_under_way, 32.0..=32.0),
];

/// Sentences of README.md or FORMAT.md whose numbers are those of another test: they must not go, nor may the test.
const MEASURED_ELSEWHERE: &str = "\
2 of 158,800 inputs were missing | fewer_than_one_input_in_10_000_is_missing_at_a_fifth_of_loss
is forgotten within 5 s | a_queue_of_a_moment_is_forgotten_five_seconds_later
less than 2 % are missing from the third second on | inputs_arrive_over_ways_that_deliver_in_bursts
in their place within 1 s of the first packet | all_is_in_its_place_a_second_after_a_leap_or_a_hang
No second has more than 5 % beyond it | all_that_a_server_sends_is_within_the_budget_of_each_second
states keep at least half of it | all_that_a_server_sends_is_within_the_budget_of_each_second
messages at least a tenth | all_that_a_server_sends_is_within_the_budget_of_each_second
A queue holds 64 of the longest | a_full_queue_refuses_and_figures_count_it
Each has at most 1,000 bytes | a_message_is_cut_to_datagrams_and_what_is_sent_once_is_not
within eight times as long as the budget takes for all that wait | no_priority_is_forgotten
of equal ones the oldest | objects_of_one_priority_come_by_age
Of an object in `Detail` a client gets both velocities | an_object_in_detail_has_its_velocities_while_it_rests
One whose packets were all lost is shown once more | short_lives_are_shown
An object is shown up to the tick of its end | an_object_leaves_the_screen_in_the_tick_of_its_end
`Server::set_budget` at any time | a_server_sees_pictures_while_budgets_come_and_go
gives each an `input` of up to 64 bytes | an_input_is_due_once_and_refused_by_name
It has at most 512 bytes | a_token_has_at_most_512_bytes
lets clients notice a restart within half a second | a_server_that_starts_again_is_noticed_in_a_round_trip
are found by probing (RFC 8899), within three seconds | a_path_that_is_too_small_for_any_game_is_named_within_three_seconds
and at least 1,024 | a_game_that_missed_events_is_told
95 % of the packets waited at most 50 ms | a_budget_follows_the_way_with_little_wait
at least 88 % of the capacity was used | a_budget_follows_the_way_with_little_wait
Jitter of up to 150 ms is no queue: at least 80 % of the budget is used | jitter_is_no_queue
and 8 of a host | at_most_eight_clients_of_a_host_wait
as many datagrams as the game allows, up to 16 | datagrams_of_a_packet_are_1_to_16
";

#[test]
fn each_sentence_stands_and_so_does_its_test() {
    let source = env!("CARGO_MANIFEST_DIR").to_owned() + "/src";
    let files = std::fs::read_dir(format!("{source}/tests")).unwrap();
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.push(format!("{source}/tests.rs").into());
    paths.push(format!("{source}/../../view/src/playout/cases.rs").into());
    let read = |path| std::fs::read_to_string(path).unwrap();
    let sources: Vec<String> = paths.into_iter().map(read).collect();
    let check = |sentence| {
        let is_said = README.contains(sentence) || FORMAT.contains(sentence);
        assert!(is_said, "no document says: {sentence}");
    };
    PROMISES.iter().for_each(|it| check(it.0));
    for row in MEASURED_ELSEWHERE.lines() {
        let (sentence, test) = row.split_once(" | ").unwrap();
        check(sentence);
        let test = format!("fn {test}(");
        assert!(sources.iter().any(|it| it.contains(&test)), "no {test}");
    }
    let words = README.split_whitespace().count();
    assert!(words <= 1500, "README has {words} words");
}

#[test]
fn each_promise_is_kept() {
    let mut broken = Vec::new();
    for (sentence, measure, bounds) in PROMISES {
        let figure = measure();
        println!("{figure:10.2} of {bounds:?}: {sentence}");
        if !bounds.contains(&figure) {
            broken.push((sentence, figure));
        }
    }
    assert!(broken.is_empty(), "{broken:?}");
}

fn queue_bytes() -> f64 {
    let mut messages = Messages::default();
    // A message of a byte less than the longest leaves 64 bytes: with them the queue is full to the byte.
    let longest = (0..64).filter(|_| messages.push(&[7; 999]).is_ok()).count();
    let last = (0..200).filter(|&bytes| messages.clone().push(&vec![7; bytes]).is_ok());
    let last = last.max().unwrap_or_default();
    (longest * (999 + crate::MESSAGE_COST_BYTES) + last + crate::MESSAGE_COST_BYTES) as f64
}

/// Messages over loss and a small path that were not the next one.
fn messages_out_of_order() -> f64 {
    let mut table = Table::of_one(settings(4), link(0.1));
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
    let settings = budget(100, 30.0);
    let mut table = Table::of_one(settings, steady(20.0));
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

/// Longest time after which a server rebuilds a picture, ms.
fn picture_is_known_ms() -> f64 {
    let mut table = Table::of_one(settings(40), link(0.0));
    table.run(240);
    let shown = table.seats[0].client.shown_instant().unwrap();
    let peer = table.seats[0].client.peer().unwrap();
    let from_tick = shown.play_tick;
    while table.server.seen(peer, &shown).is_some() {
        table.run(1);
    }
    (table.tick as f64 - from_tick) * 1000.0 / 60.0
}

/// A client that has just connected, its server, and the time, ms.
fn connected(clients_max: usize) -> (Dialer, Listener<u8>, f64) {
    let mut listener = Listener::new(5, [7; 16], clients_max);
    let mut dialer = Dialer::new(5, b"token", 1);
    for at in 0..20 {
        exchange(f64::from(at), &1, &mut dialer, &mut listener, true);
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
    exchange(0.0, &1, &mut dialer, &mut listener, false);
    until_hello_ms(&mut dialer, 0.0)
}

fn full_ms() -> f64 {
    let mut listener = Listener::new(5, [7; 16], 0);
    let mut dialer = Dialer::new(5, b"token", 1);
    exchange(0.0, &1, &mut dialer, &mut listener, true);
    assert_eq!(*dialer.status(), Status::Full);
    until_hello_ms(&mut dialer, 0.0)
}

fn guests() -> f64 {
    let mut listener: Listener<u32> = Listener::new(5, [7; 16], 1);
    let mut joins = 0;
    for address in 0..1100_u32 {
        let mut dialer = Dialer::new(5, b"token", u64::from(address) + 1);
        for _ in 0..2 {
            let Some(bytes) = dialer.send(0.0, None) else {
                continue;
            };
            match listener.receive(0.0, &address, None, &bytes) {
                Ok(ServerEvent::Answer(bytes)) => drop(dialer.receive(0.0, &bytes)),
                Ok(ServerEvent::Joins(..)) => joins += 1,
                _ => {}
            }
        }
    }
    f64::from(joins)
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
    exchange(from_ms, &1, &mut other, &mut listener, false);
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
    let mut table = Table::of_one(settings(40), steady(1.0));
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
