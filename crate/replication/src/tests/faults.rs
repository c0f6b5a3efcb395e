//! Faults of the open internet and of games: hostile datagrams, wrong times, bad objects.

use super::{Seat, Table, settings, steady};
use crate::connection::{Dialer, Listener, ServerEvent};
use crate::{
    Client, DatagramOutcome, Interest, LeaveReason, Object, ObjectError, OutOfBounds, Peer,
    PeerEvent, RefusalReason, Rung, Server, Settings, Status, TickError,
};
use snapshot_netsim::channel::{BottleneckConditions, Conditions};

/// Plays with one client over ways that take no time: `objects` gives those of a tick. Gives the shown objects by tick.
pub(super) fn played(
    settings: Settings,
    ticks: u64,
    objects: impl Fn(u64) -> Vec<Object>,
    is_lost: impl Fn(u64) -> bool,
) -> Vec<(u64, Vec<Object>)> {
    let mut table = Table::of_one(settings, Conditions::PERFECT);
    let tick = |tick| {
        table.seats[0].carried_bytes[1] = if is_lost(tick) { 0 } else { usize::MAX };
        table.step_game(&objects, |_, _, _| true);
        (tick, table.shown().to_vec())
    };
    let shown = (1..=ticks).map(tick).collect();
    assert_eq!(table.seats[0].client.refused().total(), 0);
    shown
}

pub(super) fn fixed(objects: usize) -> Settings {
    Settings {
        playout: crate::Playout::Fixed { delay_ms: 100.0 },
        ..settings(objects)
    }
}

#[test]
fn refused_joiners_take_no_seat() {
    let two = Settings {
        clients: 2,
        ..settings(4)
    };
    let mut table = Table::new(two);
    // Thirteen knocks a second with bad tickets, each from another address.
    for knock in 0..400 {
        table.sit(b"no", steady(20.0));
        table.run(4);
        if knock == 200 {
            table.sit(b"ticket", steady(20.0));
            table.run(40);
            assert_eq!(*table.seats[201].client.status(), Status::Connected);
        }
    }
    assert!(table.left.is_empty());
    table.sit(b"ticket", steady(20.0));
    table.run(40);
    assert_eq!(
        *table.seats.last().unwrap().client.status(),
        Status::Connected
    );
    assert_eq!(table.server.peers().count(), 2);
}

#[test]
fn a_player_with_a_new_address_takes_the_seat_of_his_ghost() {
    let mut listener: Listener<u8> = Listener::new(1, [9; 16], 1);
    let mut dialers = [7, 8].map(|nonce| Dialer::new(1, b"anna", nonce));
    let mut seat = None;
    let mut connected = [None; 2];
    for step in 0..400_u32 {
        let now_ms = f64::from(step) * 10.0;
        // The second address comes after a second; the first is silent from then on. The game waits for another second.
        let from = u8::from(step >= 100);
        let dialer = &mut dialers[usize::from(from)];
        while let Some(bytes) = dialer.send(now_ms, None) {
            match listener.receive(now_ms, &from, None, &bytes) {
                Ok(ServerEvent::Answer(bytes)) => drop(dialer.receive(now_ms, &bytes)),
                Ok(ServerEvent::Joins(peer, token)) => {
                    assert_eq!(token, b"anna");
                    if step > 200
                        && let Some(ghost) = seat
                    {
                        listener.refuse(ghost, "moved");
                    }
                    listener.admit(peer);
                    if seat.is_none() || step > 200 {
                        seat = Some(peer);
                    }
                }
                _ => {}
            }
        }
        let passed = listener.advance(now_ms, |to, bytes| {
            let _refused = dialers[usize::from(*to)].receive(now_ms, bytes);
        });
        assert_eq!(passed, Ok(()));
        let status = dialers[usize::from(from)].status();
        assert!(
            !(110..=200).contains(&step) || *status == Status::Full,
            "{step}: {status:?}"
        );
        if *status == Status::Connected {
            connected[usize::from(from)].get_or_insert(step);
        }
    }
    assert!(connected[1].is_some_and(|step| step < 300), "{connected:?}");
    let ghost = Peer::from_number(1);
    let events: Vec<_> = std::iter::from_fn(|| listener.next_event()).collect();
    assert_eq!(
        events[..2],
        [
            PeerEvent::Joined(ghost),
            PeerEvent::Left(ghost, LeaveReason::Refused)
        ]
    );
}

#[test]
fn a_connected_client_believes_sealed_words_alone() {
    let mut table = Table::of_one(settings(4), steady(20.0));
    table.run(60);
    let now_ms = table.now_ms();
    let nonce = 0x1234_5678_9abc_u64.to_be_bytes();
    // What an onlooker gets from the server, or makes: a refusal with the client's nonce, and an answer to its datagrams.
    let refusal = [&[5][..], &nonce, &[3]].concat();
    let sent = table.seats[0].last[0].last().unwrap().clone();
    let unknown = [&[6][..], &sent[sent.len() - 4..], &[0; 4]].concat();
    let client = &mut table.seats[0].client;
    assert_eq!(
        client.receive(now_ms, &refusal),
        Err(RefusalReason::Unasked)
    );
    assert_eq!(client.receive(now_ms, &unknown), Ok(()));
    let before = table.seats[0].compared;
    table.run(60);
    assert_eq!(*table.seats[0].client.status(), Status::Connected);
    assert!(
        table.seats[0].compared >= before + 19,
        "it missed no packet"
    );
    let peer = table.server.peers().next().unwrap();
    assert_eq!(peer, Peer::from_number(1));
    assert_eq!(table.seats[0].client.peer(), Some(peer));
    table.server.refuse(peer, "cheated");
    table.run(10);
    assert_eq!(table.seats[0].client.refusal().as_deref(), Some("cheated"));
}

#[test]
fn a_second_client_with_a_kicked_ones_nonce_is_judged_anew() {
    let mut table = Table::of_one(settings(4), steady(20.0));
    table.run(60);
    table.server.refuse(Peer::from_number(1), "cheated");
    table.run(75);
    let nonce = 0x1234_5678_9abc;
    table.seats[0].client = Client::new(table.settings.clone(), b"ticket", nonce).unwrap();
    table.run(60);
    assert_eq!(*table.seats[0].client.status(), Status::Connected);
}

#[test]
fn wrong_times_end_no_connection() {
    let mut table = Table::of_one(settings(4), steady(20.0));
    table.run(60);
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let client = &mut table.seats[0].client;
        assert_eq!(client.receive(wrong, &[9]), Err(RefusalReason::Time));
        let _keep = client.send(wrong);
        client.show(wrong);
        let refused = table.server.receive(wrong, &0, &[9]);
        assert_eq!(refused, DatagramOutcome::Refused(RefusalReason::Time));
        let ticked = table
            .server
            .tick(wrong, 10_000, &[], |_, _| true, |_, _| {});
        assert_eq!(ticked, Err(TickError::Time));
    }
    // An hour ahead, or a clock in microseconds.
    for far_ms in [3.6e6, 1.7e15, f64::MAX, -1e18] {
        let _refused = table.server.receive(far_ms, &5, &[9]);
        table.run(60);
        assert_eq!(*table.seats[0].client.status(), Status::Connected);
        assert_eq!(table.server.peers().count(), 1, "{far_ms}");
    }
    assert!(table.left.is_empty());
    let compared = table.seats[0].compared;
    assert!(compared > 80, "{compared}");
    let _late = table.seats[0].client.send(3.6e6);
    table.run(60);
    assert_eq!(*table.seats[0].client.status(), Status::Connected);
    assert!(table.seats[0].compared > compared + 5, "{compared}");
}

#[test]
fn objects_that_cannot_be_sent_are_left_out_by_name_and_the_rest_goes_on() {
    let mut server: Server<u8> = Server::new(settings(3), [0; 16]).unwrap();
    let object = |id| Object::at(id, [0.0; 3]);
    let mut number = 0;
    let mut tick = |objects: &[Object]| {
        number += 3;
        let now_ms = number as f64 * 1000.0 / 60.0;
        let ticked = server.tick(now_ms, number, objects, |_, _| true, |_, _| {});
        let left_out = ticked.unwrap().to_vec();
        let sent: Vec<u32> = server.newest().1.map(|object| object.id).collect();
        (left_out, sent)
    };
    assert_eq!(tick(&[object(5), object(6)]), (vec![], vec![5, 6]));
    let twice = vec![ObjectError::SameId { id: 5 }];
    assert_eq!(tick(&[5, 6, 5].map(object)), (twice, vec![5, 6]));
    let twice = vec![ObjectError::SameId { id: 7 }];
    assert_eq!(tick(&[7, 5, 7].map(object)).0, twice);
    let fourth = vec![ObjectError::TooMany { id: 4 }];
    assert_eq!(tick(&[1, 2, 3, 4].map(object)).0, fourth);
    let with = |change: fn(&mut Object)| {
        let mut object = object(9);
        change(&mut object);
        object
    };
    let (id, axis, bounds, field) = (9, 1, [-256, 256], 1);
    for (bad, reason) in [
        (
            with(|it| it.position[1] = 256.1),
            ObjectError::OutOfBounds { id, axis, bounds },
        ),
        (
            with(|it| it.position[1] = f32::NAN),
            ObjectError::NotFinite { id },
        ),
        (
            with(|it| it.orientation = [f32::NAN; 4]),
            ObjectError::NotFinite { id },
        ),
        (
            with(|it| it.orientation = [0.0; 4]),
            ObjectError::Orientation { id },
        ),
        (
            with(|it| it.orientation[3] = 2.0),
            ObjectError::Orientation { id },
        ),
        (with(|it| it.kind = 256), ObjectError::Kind { id }),
        (
            with(|it| it.fields[1] = 2),
            ObjectError::Field { id, field },
        ),
    ] {
        let (left_out, sent) = tick(&[object(1), bad, object(2)]);
        assert_eq!((left_out, sent.len()), (vec![reason], 2));
    }
    // The upper bound is within.
    assert_eq!(
        tick(&[Object::at(9, [256.0, 0.0, 32.0])]),
        (vec![], vec![9])
    );
    assert_eq!(
        server.newest().1.next().unwrap().position,
        [255.998_05, 0.0, 31.998_047]
    );
    let late = server.tick(1e4, 1, &[], |_, _| true, |_, _| {});
    assert_eq!(late, Err(TickError::NotNewer { tick: 1 }));
    let large = 1 << 48;
    let late = server.tick(1e4, large, &[], |_, _| true, |_, _| {});
    assert_eq!(late, Err(TickError::TooLarge { tick: large }));
}

#[test]
fn an_object_outside_is_clamped_where_the_settings_say_so() {
    let clamped = Settings {
        out_of_bounds: OutOfBounds::Clamp,
        ..settings(2)
    };
    let mut server: Server<u8> = Server::new(clamped, [0; 16]).unwrap();
    let below = Object::at(1, [0.0, -1e9, -0.1]);
    let ticked = server.tick(0.0, 1, &[below], |_, _| true, |_, _| {});
    assert_eq!(ticked, Ok(&[][..]));
    assert_eq!(
        server.newest().1.next().unwrap().position,
        [0.0, -256.0, 0.0]
    );
}

/// An object stands at 0 and 100 m by turns: it says so in some ticks, is away for one, or is of another kind.
#[test]
fn a_jump_is_told_and_never_drawn() {
    let at = |round: u64| Object::at(7, [(round / 60 % 2) as f32 * 100.0, 0.0, 1.0]);
    let jumping = |ticks: u64| {
        move |round: u64| {
            let teleported = round % 60 < ticks;
            vec![Object {
                teleported,
                ..at(round)
            }]
        }
    };
    let away = |round: u64| vec![at(round); usize::from(round % 60 != 59)];
    let other = |round: u64| {
        let kind = (round / 60 % 2) as u32;
        vec![Object { kind, ..at(round) }]
    };
    let [one, two, three, six] = [1, 2, 3, 6].map(jumping);
    type Game<'a> = &'a dyn Fn(u64) -> Vec<Object>;
    for (game, room) in [
        (&one as Game, 2),
        (&two, 2),
        (&three, 2),
        (&six, 2),
        (&away, 1),
        (&away, 4),
        (&other, 1),
    ] {
        for phase in 0..3 {
            let shown = played(fixed(room), 900, |tick| game(tick + phase), |_| false);
            let (mut last, mut jumps) = (None, 0);
            for object in shown.iter().filter_map(|(_, objects)| objects.first()) {
                let x = object.position[0];
                assert!(x == 0.0 || (x - 100.0).abs() < 0.01, "drawn at {x} m");
                if last.is_some_and(|last| last != x) {
                    assert!(object.teleported);
                    jumps += 1;
                }
                last = Some(x);
            }
            assert!(jumps >= 12, "{jumps}");
        }
    }
}

#[test]
fn an_object_that_jumps_in_each_tick_is_drawn_at_its_places_alone() {
    let at = |tick: u64| (tick * 37 % 200) as f32;
    let object = |tick: u64| Object {
        teleported: true,
        ..Object::at(7, [at(tick), 0.0, 1.0])
    };
    let shown = played(fixed(2), 600, |tick| vec![object(tick)], |_| false);
    let mut teleported = 0;
    for (tick, objects) in &shown[60..] {
        let then = tick - 6;
        assert_eq!(objects[0].position[0], at(then - then % 3), "tick {tick}");
        teleported += usize::from(objects[0].teleported);
    }
    assert_eq!(teleported, 180, "once a packet");
    // Where two of three packets are lost, a life comes round to what it was.
    let is_lost = |tick: u64| tick > 90 && tick % 9 < 6;
    let shown = played(fixed(2), 900, |tick| vec![object(tick)], is_lost);
    let (mut last, mut leaps) = (shown[119].1[0].position[0], 0);
    for (tick, objects) in &shown[120..] {
        let x = objects[0].position[0];
        let mut places = (0..=*tick).filter(|it| it % 9 == 6);
        assert!(places.any(|it| at(it) == x), "tick {tick}: drawn at {x} m");
        assert_eq!(objects[0].teleported, x != last, "tick {tick}");
        leaps += u32::from(x != last);
        last = x;
    }
    assert!(leaps > 80, "{leaps}");
}

/// Rungs that send velocities need them between two snapshots. Of an object whose velocity nobody says it is its way.
#[test]
fn an_object_without_a_velocity_is_drawn_at_its_speed_on_each_rung() {
    for rung in [
        Rung::Uncompressed,
        Rung::Velocity,
        Rung::AtRest,
        Rung::Arithmetic,
    ] {
        let settings = Settings { rung, ..fixed(2) };
        let object = |tick| vec![Object::at(7, [tick as f32 / 12.0, 0.0, 1.0])];
        let shown = played(settings, 300, object, |_| false);
        for pair in shown[120..].windows(2) {
            let [before, now] = [0, 1].map(|at| pair[at].1[0]);
            let speed = (now.position[0] - before.position[0]) * 60.0;
            assert!((4.8..5.2).contains(&speed), "{rung:?}: {speed} m/s");
            let is_sent = rung.sends_velocity();
            assert_eq!(now.velocity.is_some(), is_sent, "{rung:?}");
            let sent = now.velocity.map_or(5.0, |velocity| velocity[0]);
            assert!((sent - 5.0).abs() < 0.6, "{rung:?}: {sent} m/s");
            assert_eq!(
                (now.angular_velocity, before.angular_velocity),
                (None, None)
            );
        }
    }
}

/// A client predicts from what it sees in detail, over loss and on a rung without velocities.
#[test]
fn velocities_in_detail_are_those_of_the_snapshot() {
    let velocity = |tick: u64| [tick as f32 * 0.1, -3.0, 1e-4];
    let object = |tick: u64, id: u32| Object {
        velocity: Some(velocity(tick)),
        angular_velocity: (id == 7).then_some([0.0, 0.0, tick as f32]),
        ..Object::at(id, [0.0, id as f32, 1.0])
    };
    let lossy = Conditions {
        loss: 0.15,
        ..Conditions::PERFECT
    };
    let settings = Settings {
        mtu: 256,
        ..fixed(40)
    };
    let mut table = Table::new(settings);
    (0..2).for_each(|_| table.sit(b"ticket", lossy));
    let objects = |tick| (0..40).rev().map(|id| object(tick, id)).collect();
    let sees = |_: u64, peer: Peer, object: &Object| match object.id {
        5 => Interest::Unseen,
        id if id == 6 + peer.number() => Interest::Detail(1.0),
        _ => Interest::Priority(1.0),
    };
    let mut compared = 0;
    for tick in 1..=600 {
        table.step_game(objects, sees);
        for (own, seat) in (7..).zip(&table.seats) {
            let Some((newest, objects)) = seat.client.newest().filter(|_| tick > 60) else {
                continue;
            };
            let mut count = 0;
            for got in objects {
                let wanted = object(newest, got.id);
                assert_eq!(got.velocity.is_some(), got.id == own, "tick {newest}");
                let axes = got.velocity.iter().flatten();
                for (got, wanted) in axes.zip(wanted.velocity.iter().flatten()) {
                    assert!((got - wanted).abs() <= wanted.abs() / 65_536.0);
                    compared += 1;
                }
                let wanted = wanted.angular_velocity.filter(|_| own == 7);
                assert_eq!(got.angular_velocity, wanted);
                count += 1;
            }
            assert_eq!(count, 39);
        }
    }
    assert!(compared > 3000, "{compared}");
}

#[test]
fn objects_in_turn_in_one_slot_are_never_drawn_between_each_other() {
    let game = |tick: u64| {
        let id = (tick / 3 % 5) as u32;
        vec![Object::at(id, [id as f32 * 40.0, 0.0, 1.0])]
    };
    for lost in [|_| false, |tick: u64| tick % 9 < 6 && tick > 90] as [fn(u64) -> bool; 2] {
        let shown = played(fixed(1), 900, game, lost);
        let shown: Vec<&Object> = shown.iter().filter_map(|(_, it)| it.first()).collect();
        assert!(shown.len() > 800);
        for object in shown {
            assert_eq!(object.position[0], object.id as f32 * 40.0);
        }
    }
}

#[test]
fn two_shows_in_a_frame_tell_the_same() {
    let mut table = Table::of_one(fixed(8), steady(20.0));
    let mut teleported = 0;
    for _ in 0..600 {
        table.run(1);
        let now_ms = table.now_ms();
        // `Table::step` has shown this frame.
        let again = table.seats[0].client.show(now_ms).iter();
        teleported += again.filter(|object| object.teleported).count();
    }
    assert!(teleported > 30, "{teleported}");
}

#[test]
fn a_baseline_moves_on_at_240_ticks_a_second_and_a_round_trip_of_1200_ms() {
    let fast = Settings {
        tick_rate: 240,
        send_rate: 60,
        ..settings(20)
    };
    let mut table = Table::new(fast);
    table.hz = 240.0;
    table.sit(b"ticket", steady(600.0));
    table.run(240 * 15);
    let held = table.seats[0].client.held();
    table.run(240 * 15);
    let client = &table.seats[0].client;
    let newest = client.newest().map_or(0, |(tick, _)| tick);
    assert!(newest > 240 * 30 - 160, "{newest}");
    assert!(
        held > 0 && client.held() <= held + 2,
        "{held} {}",
        client.held()
    );
    assert_eq!(table.server.counts().joins, 1);
}

#[test]
fn a_hostile_server_takes_a_bounded_memory() {
    let mut table = Table::of_one(settings(4096), Conditions::PERFECT);
    let mut most = 0;
    for step in 0..600 {
        // No acknowledgement reaches the server once the client has joined: each packet has age 0.
        table.seats[0].carried_bytes[0] = if step < 200 { usize::MAX } else { 0 };
        table.step_game(|_| vec![Object::default()], |_, _, _| true);
        most = most.max(table.seats[0].client.held_bytes());
    }
    assert!(most < 100 << 20, "{most} bytes");
    assert!(most > 1 << 20, "{most} bytes");
}

/// 4096 objects as floats: their snapshot takes hundreds of datagrams.
fn large(conditions: Conditions) -> Table {
    let large = Settings {
        rung: Rung::Uncompressed,
        send_rate: 60,
        out_of_bounds: OutOfBounds::Clamp,
        ..settings(4096)
    };
    Table::of_one(large, conditions)
}

#[test]
fn a_join_over_400_ms_sends_each_chunk_twice_at_most() {
    let mut table = large(steady(200.0));
    let mut chunks = std::collections::BTreeMap::new();
    for _ in 0..600 {
        table.run(1);
        for bytes in std::mem::take(&mut table.seats[0].last[1]) {
            if bytes[..2] == [7, 3] {
                *chunks.entry(bytes[10..14].to_vec()).or_insert(0) += 1;
            }
        }
        if table.seats[0].compared > 0 {
            break;
        }
    }
    assert!(table.seats[0].compared > 0, "it joins within ten seconds");
    let (sent, count) = (chunks.values().sum::<i32>(), chunks.len() as i32);
    assert!(count > 100, "{count}");
    assert!(
        sent <= count * 2 && chunks.values().all(|sends| *sends <= 2),
        "{sent} {count}"
    );
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_large_join_over_a_narrow_link_ends() {
    let bottleneck = BottleneckConditions {
        rate_kbps: 256.0,
        queue_ms: 300.0,
        neighbour: 0.0,
        neighbour_round_trip_ms: 0.0,
    };
    let mut table = large(Conditions {
        bottleneck: Some(bottleneck),
        ..steady(200.0)
    });
    let joined = (0..60 * 40).find(|_| {
        table.run(1);
        let Seat { client, .. } = &table.seats[0];
        client.newest().is_some()
    });
    println!("joined after {joined:?} ticks");
    assert!(joined.is_some());
}
