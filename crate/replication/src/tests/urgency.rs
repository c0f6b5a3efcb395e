//! Tests of the order and the delay in which a client with a budget gets its objects.

use super::{Pictures, Table, budget, link, poses, settings, steady};
use crate::{Interest, Object, Peer, Settings};
use proptest::prelude::*;
use snapshot_netsim::channel::Conditions;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn moving(tick: u64, ids: impl Iterator<Item = u32>) -> Vec<Object> {
    let object = |id: u32| {
        let phase = tick as f32 * 0.03 + id as f32;
        let place = [
            90.0 * libm::cosf(phase),
            90.0 * libm::sinf(phase),
            1.0 + (id % 30) as f32,
        ];
        Object::at(id, place)
    };
    ids.map(object).collect()
}

/// Returns how many of 300 moving objects of one interest are shown within ten seconds, at 60 kbit/s.
fn shown_of_one_priority(interest: Interest) -> usize {
    let mut table = Table::of_one(budget(300, 60.0), link(0.02));
    let mut shown = BTreeSet::new();
    for _ in 0..600 {
        table.step_game(|tick| moving(tick, 0..300), |_, _, _| interest);
        shown.extend(table.shown().iter().map(|object| object.id));
    }
    shown.len()
}

#[test]
fn objects_of_one_priority_come_by_age() {
    for interest in [
        Interest::Priority(f32::INFINITY),
        Interest::Detail(f32::INFINITY),
        Interest::Priority(1.0),
    ] {
        assert_eq!(shown_of_one_priority(interest), 300, "{interest:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// README: an object with a priority above 0 is sent within eight times as long as the budget takes for all that wait.
    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn no_priority_is_forgotten(
        count in 20..200_u32, kbps in 24.0..120.0_f64,
        rare in 0.0..0.5_f64, least in prop::sample::select(vec![1e-9_f32, 1e-3, 0.5]),
        short in 0..12_u64,
    ) {
        let [longest_ms, bound_ms] = longest_rounds(count, kbps, rare, least, short);
        prop_assert!(longest_ms <= bound_ms, "{longest_ms} ms of {bound_ms}");
    }
}

/// Plays 20 s of a server whose budget is never enough. A share of the objects has the priority `least`, the others an infinite
/// one; `short` objects live for a tenth of a second. Returns the longest time for which a client lacked a newer state of an
/// object, and the bound for it, ms.
fn longest_rounds(count: u32, kbps: f64, rare: f64, least: f32, short: u64) -> [f64; 2] {
    let mut table = Table::of_one(budget(256, kbps), Conditions::PERFECT);
    table.server.count_bits();
    let is_rare = |id: u32| f64::from(id.wrapping_mul(2_654_435_761)) < rare * f64::from(u32::MAX);
    // Some objects live for a tenth of a second, and others follow them.
    let game = |tick: u64| {
        let lives = (0..short as u32).map(|at| 1000 + (tick / 6) as u32 * 16 + at);
        moving(tick, (0..count).chain(lives))
    };
    let interest = |_: u64, _: Peer, object: &Object| {
        Interest::Priority(match is_rare(object.id) {
            true => least,
            false => f32::INFINITY,
        })
    };
    let (mut sent, mut since, mut longest, mut waiting) = (0, None, 0.0_f32, 0);
    for tick in 1..=1200_u64 {
        let before = table.seats[0].sent[1];
        table.step_game(game, interest);
        if tick < 300 {
            continue;
        }
        if table.seats[0].sent[1] > before && tick % 3 == 0 {
            since = since.or(Some(tick));
            let own = table.server.encoded().map_or(0, |encoded| encoded.1);
            sent += own;
            waiting = waiting.max(own + table.server.waiting(Peer::from_number(1)).count());
        }
        let newest = table.seats[0].client.newest().into_iter();
        let own = newest.flat_map(|it| it.1).filter(|it| it.id < count);
        let ages_ms: Vec<f32> = own.map(|object| object.age_ms).collect();
        assert_eq!(ages_ms.len(), count as usize);
        longest = ages_ms.into_iter().fold(longest, f32::max);
    }
    let seconds = (1200 - since.unwrap()) as f64 / 60.0;
    let round_ms = waiting as f64 / (sent as f64 / seconds) * 1000.0;
    [f64::from(longest), 8.0 * round_ms.max(50.0) + 100.0]
}

#[test]
fn an_object_in_detail_has_its_velocities_while_it_rests() {
    for (kbps, loss) in [(Some(100.0), 0.0), (Some(40.0), 0.1), (None, 0.1)] {
        let [pictures, without, newest_without, wrong] = velocities_missing(kbps, loss);
        assert!(pictures > 2000);
        assert_eq!(
            (without, newest_without, wrong),
            (0, 0, 0),
            "{kbps:?} {loss}"
        );
    }
}

/// Returns the number of pictures of an object in `Detail`, of those without a velocity, of the newest states without one, and
/// of those with velocities of more than 600 ms before.
fn velocities_missing(kbps: Option<f64>, loss: f64) -> [usize; 4] {
    let settings = Settings {
        budget_kbps: kbps,
        ..budget(120, 100.0)
    };
    let mut table = Table::of_one(settings, link(loss));
    // It moves for two seconds in six; in between it turns on its place for a second.
    let velocity = |tick: u64| match tick % 360 {
        0..120 => ([3.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        120..240 => ([0.0; 3], [0.0; 3]),
        240..300 => ([0.0; 3], [0.0, 0.0, 2.0]),
        _ => ([0.0; 3], [0.0; 3]),
    };
    let game = |tick: u64| {
        let mut objects = moving(tick, 0..100);
        let place = tick / 360 * 120 + (tick % 360).min(120);
        objects[0].position = [place as f32 * 0.05 - 60.0, 0.0, 1.0];
        let (linear, angular) = velocity(tick);
        objects[0].velocity = Some(linear);
        objects[0].angular_velocity = Some(angular);
        objects
    };
    let sees = |_: u64, _: Peer, object: &Object| match object.id {
        0 => Interest::Detail(f32::INFINITY),
        _ => Interest::Priority(1.0),
    };
    let (mut pictures, mut without, mut wrong, mut newest_without) = (0, 0, 0, 0);
    for _ in 0..2400 {
        table.step_game(game, sees);
        let objects = table.shown().to_vec();
        let (Some(own), true) = (objects.iter().find(|it| it.id == 0), table.tick > 120) else {
            continue;
        };
        pictures += 1;
        let client = &table.seats[0].client;
        let shown = client.shown_tick().unwrap() as u64;
        match (own.velocity, own.angular_velocity) {
            (Some(linear), Some(angular)) => {
                let around = (shown.saturating_sub(36)..=shown).map(velocity);
                wrong += usize::from(!around.into_iter().any(|it| it == (linear, angular)));
            }
            _ => without += 1,
        }
        let newest = client.newest().unwrap().1.find(|it| it.id == 0).unwrap();
        newest_without +=
            usize::from(newest.velocity.is_none() || newest.angular_velocity.is_none());
    }
    [pictures, without, newest_without, wrong]
}

/// Budgets come and go, and the server sees each picture all the same. Returns the number of pictures, of those of which it
/// says nothing, and the numbers of objects that were drawn and that it left out.
fn pictures_of_changing_budgets(loss: f64, period: u64, delay: usize) -> [usize; 4] {
    let mut table = Table::of_one(
        Settings {
            budget_kbps: None,
            ..settings(60)
        },
        link(loss),
    );
    let peer = Peer::from_number(1);
    let mut pictures = Pictures::default();
    let mut counts = [0; 4];
    for step in 1..2400_u64 {
        if step >= 240 && step % period == 0 {
            let kbps = Some(40.0).filter(|_| step / period % 2 == 1);
            table.server.set_budget(peer, kbps).unwrap();
        }
        table.run(1);
        let drawn = pictures.next(&mut table, 0, delay);
        let Some(drawn) = drawn.filter(|_| step >= 240) else {
            continue;
        };
        counts[0] += 1;
        let Some(seen) = drawn.seen else {
            counts[1] += 1;
            continue;
        };
        let own = poses(&drawn.objects);
        for (id, other) in poses(&seen) {
            assert_eq!(own.get(&id), Some(&other), "step {step}: {:?}", drawn.shown);
        }
        counts[2] += own.len();
        counts[3] += own.len() - seen.len();
    }
    counts
}

#[test]
fn a_server_sees_pictures_while_budgets_come_and_go() {
    for (loss, period, delay) in [
        (0.0, 180, 6),
        (0.1, 240, 20),
        (0.05, 47, 12),
        (0.0, 400, 60),
    ] {
        let [pictures, unseen, drawn, left_out] = pictures_of_changing_budgets(loss, period, delay);
        println!(
            "{loss} {period} {delay}: of {pictures} pictures {unseen} unseen, of {drawn} objects {left_out} left out"
        );
        assert!(pictures > 2000 && unseen == 0, "{unseen} of {pictures}");
        assert!(left_out * 20 <= drawn, "{left_out} of {drawn}");
    }
}

/// Objects that live for 100 to 200 ms: each is shown, also where packets get lost. Returns the numbers of those that lived
/// and that were never shown, and the mean and greatest time that an object stood after its end, ms.
fn short_lives(kbps: Option<f64>, loss: f64, seed: u64) -> (usize, usize, f64, f64) {
    let settings = Settings {
        budget_kbps: kbps,
        ..budget(200, 100.0)
    };
    let mut table = Table::new(settings);
    (0..seed).for_each(|_| table.sit(b"no ticket", steady(1.0)));
    let at = table.seats.len();
    let conditions = Conditions {
        loss,
        ..steady(40.0)
    };
    table.sit(b"ticket", conditions);
    // An object is born in every fourth tick, and lives for 6 to 12 ticks.
    let lives = |id: u64| 6 + id.wrapping_mul(2_654_435_761) % 7;
    let game = |tick: u64| {
        let mut objects = moving(tick, 0..60);
        let born = tick / 4;
        let alive = (born.saturating_sub(3)..=born).filter(|id| tick < id * 4 + lives(*id));
        objects.extend(alive.map(|id| Object::at(1000 + id as u32, [id as f32 % 50.0, 5.0, 1.0])));
        objects
    };
    let mut shown = BTreeMap::new();
    let ticks = 1800;
    for _ in 0..ticks {
        table.step_game(game, |_, _, _| true);
        let now_ms = table.now_ms();
        let client = &mut table.seats[at].client;
        let objects: Vec<u32> = client.show(now_ms).iter().map(|it| it.id).collect();
        let Some(tick) = client.shown_tick() else {
            continue;
        };
        for id in objects.into_iter().filter(|id| *id >= 1000) {
            shown.insert(id, tick);
        }
    }
    let (mut lived, mut never, mut over_ms, mut most_ms) = (0, 0, 0.0, 0.0_f64);
    for id in 240 / 4..(ticks - 120) / 4 {
        lived += 1;
        match shown.get(&(1000 + id as u32)) {
            None => never += 1,
            Some(tick) => {
                let end = (id * 4 + lives(id)) as f64;
                let after_ms = (tick - end).max(0.0) * 1000.0 / 60.0;
                over_ms += after_ms;
                most_ms = most_ms.max(after_ms);
            }
        }
    }
    (lived, never, over_ms / (lived - never) as f64, most_ms)
}

#[test]
fn an_object_leaves_the_screen_in_the_tick_of_its_end() {
    for kbps in [Some(100.0), None] {
        let (_, never, _, most_ms) = short_lives(kbps, 0.0, 0);
        assert!(never == 0 && most_ms <= 1.0, "{kbps:?}: {most_ms}");
    }
}

#[test]
fn short_lives_are_shown() {
    for (kbps, loss) in [
        (Some(100.0), 0.0),
        (Some(100.0), 0.02),
        (Some(100.0), 0.1),
        (None, 0.0),
        (None, 0.1),
    ] {
        let (mut lived, mut never, mut mean, mut most) = (0, 0, 0.0, 0.0_f64);
        for seed in [0, 3] {
            let one = short_lives(kbps, loss, seed);
            (lived, never, mean, most) = (
                lived + one.0,
                never + one.1,
                mean + one.2 / 2.0,
                most.max(one.3),
            );
        }
        println!(
            "{kbps:?} {loss}: {never} of {lived} never shown; {mean:.0} ms too long on average, {most:.0} at most"
        );
        // Without a budget all clients share the packets, so none is repeated for one of them.
        let most = if kbps.is_none() && loss > 0.0 {
            lived / 50
        } else {
            0
        };
        assert!(never <= most, "{kbps:?} {loss}: {never}");
    }
}
