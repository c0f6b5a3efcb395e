//! Games and links of any kind.

use super::faults::{fixed, played};
use super::{Table, game, link, seen_pictures, settings};
use crate::{Class, Interpolation, Object, Peer, Rung, Server, Settings};
use proptest::prelude::*;

pub(crate) fn any_settings() -> impl Strategy<Value = Settings> {
    let rungs = prop::sample::select(vec![
        Rung::AtRest,
        Rung::NotChanged,
        Rung::Index,
        Rung::ChangedFlags,
        Rung::Arithmetic,
        Rung::Predicted,
    ]);
    let rates = prop::sample::select(vec![(60, 10), (60, 20), (60, 60), (30, 30), (128, 64)]);
    (1..40_usize, rungs, any::<bool>(), rates, 256..1300_usize).prop_map(
        |(objects, rung, is_chained, (tick_rate, send_rate), mtu)| Settings {
            rung,
            class: if is_chained {
                Class::Chained
            } else {
                Class::Strict
            },
            tick_rate,
            send_rate,
            mtu,
            ..settings(objects)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every snapshot that a client decodes is compared with the server's: see `Table::step`.
    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn no_object_differs(settings in any_settings(), loss in 0.0..0.4, share in 1..5_u64, joins in 1..120_u64) {
        let mut table = Table::of_one(settings, link(loss));
        let sees = |tick: u64, peer: Peer, object: &Object| {
            share == 1 || !(u64::from(object.id) + tick / 30 + u64::from(peer.number())).is_multiple_of(share)
        };
        (0..joins).for_each(|_| table.step(sees));
        table.sit(b"ticket", link(loss));
        (0..240).for_each(|_| table.step(sees));
        // With much loss and a short MTU joining takes some seconds more.
        for _ in 0..1200 {
            if table.seats.iter().all(|seat| seat.compared > 0) {
                break;
            }
            table.step(sees);
        }
        for seat in &table.seats {
            prop_assert!(seat.compared > 0);
            let refused = seat.client.refused();
            prop_assert_eq!(refused.count(crate::RefusalReason::Packet), 0);
            prop_assert_eq!(refused.count(crate::RefusalReason::Tag), 0);
        }
        prop_assert_eq!(table.server.refused().total(), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The server draws each picture of a client again, some ticks later and to the bit.
    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_server_sees_what_a_client_saw(
        settings in any_settings(), loss in 0.0..0.3, share in 1..4_u64, delay in 0..30_usize,
        interpolation in prop::sample::select(&Interpolation::ALL[..]), playout in 0..3_usize,
    ) {
        let (tick_rate, send_rate) = (settings.tick_rate, settings.send_rate);
        let sees = |tick: u64, _: Peer, object: &Object| {
            share == 1 || !(u64::from(object.id) + tick / 30).is_multiple_of(share)
        };
        let mut compared = 0;
        let view = (interpolation, playout);
        seen_pictures(settings, view, (300, delay), loss, sees, |shown, objects, seen| {
            let bits = |object: &Object| (object.id, object.kind, object.fields, object.position.map(f32::to_bits), object.orientation.map(f32::to_bits));
            prop_assert!(seen.iter().map(bits).eq(objects.iter().map(bits)), "{:?}\n{:?}\n{:?}", shown, seen, objects);
            compared += 1;
            Ok(())
        })?;
        prop_assert!(compared > 100 || tick_rate != 60 || send_rate < 20 || loss > 0.15, "{compared}");
    }

    #[test]
    fn any_bytes_are_an_instant_or_none(bytes in prop::collection::vec(prop::sample::select(vec![0, 1, 4, 5, 0x40, 0x7f, 0xf0, 0xff]), 19)) {
        if let Some(shown) = crate::ShownInstant::from_bytes(&bytes) {
            prop_assert_eq!(crate::ShownInstant::from_bytes(&shown.to_bytes()).map(|it| it.to_bytes()), Some(shown.to_bytes()));
            let server: Server<u8> = Server::new(settings(1), [0; 16]).unwrap();
            prop_assert_eq!(server.seen(Peer::from_number(1), &shown), None);
        }
    }
}

#[test]
fn objects_are_shown_where_they_were_with_their_ids_kinds_and_fields() {
    let settings = Settings {
        interpolation: Interpolation::Linear,
        ..fixed(30)
    };
    let mut jumps = 0;
    for (tick, shown) in &played(settings, 600, |tick| game(tick, 30), |_| false)[60..] {
        // 100 ms are six ticks. The snapshot before holds ids and fields until the next one is due.
        let then = tick - 6;
        let truth = game(then, 30);
        let at_snapshot = game(then - then % 3, 30);
        // An object is shown up to its end, also between two snapshots. The instant is the tick but for rounding.
        let [later, sooner] = [&truth, &game(then - 1, 30)].map(|at: &Vec<Object>| {
            let lives = |it: &&Object| at.iter().any(|other| other.id == it.id);
            at_snapshot.iter().filter(lives).count()
        });
        let sooner = if then.is_multiple_of(3) {
            later
        } else {
            sooner
        };
        assert!((later..=sooner).contains(&shown.len()), "tick {tick}");
        for object in shown {
            let same = |other: &&Object| other.id == object.id;
            let sent = at_snapshot.iter().find(same).unwrap();
            assert_eq!((object.kind, object.fields), (sent.kind, sent.fields));
            jumps += usize::from(object.teleported);
            let Some(exact) = truth.iter().find(same) else {
                continue;
            };
            let apart = (0..3).map(|axis| (object.position[axis] - exact.position[axis]).abs());
            // An object that jumps in the next snapshot stays where it is until then: two ticks of 0.4 m.
            assert!(
                apart.fold(0.0, f32::max) < 0.9,
                "tick {tick}: {object:?} {exact:?}"
            );
        }
    }
    assert!(jumps > 100, "{jumps}");
}
