//! Tests of each fault alone, of all faults together, and of their independence.

use super::stream::timeouts_ms;
use super::*;

pub(super) const PERFECT: Conditions = Conditions {
    latency_ms: 50.0,
    send_interval_ms: 100.0,
    ..Conditions::PERFECT
};

/// Numbers of the packets, sent 100 ms apart, in the order and at the times at which they arrive.
fn arrivals(conditions: Conditions, packets: u32) -> Vec<(u32, f64)> {
    let mut channel = Channel::new(conditions, 1, 0);
    for number in 0..packets {
        channel.send(
            f64::from(number) * 100.0,
            number.into(),
            &number.to_le_bytes(),
            1,
        );
    }
    let arrivals = received(&mut channel, f64::INFINITY);
    assert_eq!(channel.counters().in_flight(), 0);
    arrivals
}

/// Numbers and arrivals (ms) of the packets that have arrived by now.
fn received(channel: &mut Channel, now_ms: f64) -> Vec<(u32, f64)> {
    let (mut packet, mut arrivals) = (Vec::new(), Vec::new());
    while let Some(delivery) = channel.receive(now_ms, &mut packet) {
        let number = u32::from_le_bytes(packet[..].try_into().unwrap());
        arrivals.push((number, delivery.arrival_ms));
    }
    arrivals
}

#[test]
fn a_perfect_channel_only_delays() {
    let expected: Vec<_> = (0..100).map(|n| (n, f64::from(n) * 100.0 + 50.0)).collect();
    assert_eq!(arrivals(PERFECT, 100), expected);
    let mut channel = Channel::new(PERFECT, 1, 0);
    channel.send(0.0, 7, &[1], 1);
    assert_eq!(channel.receive(49.9, &mut Vec::new()), None);
    assert_eq!(channel.counters().in_flight(), 1);
}

#[test]
fn a_cut_loses_what_enters_and_what_would_leave_and_leaves_the_luck_of_others_alone() {
    let conditions = Conditions {
        loss: 0.2,
        jitter_ms: 20.0,
        ..PERFECT
    };
    let run = |cut: std::ops::Range<u32>| {
        let mut channel = Channel::new(conditions, 1, 0);
        let mut arrived = Vec::new();
        for number in 0..200_u32 {
            let now_ms = f64::from(number) * 10.0;
            channel.set_cut(cut.contains(&number));
            channel.send(now_ms, number.into(), &number.to_le_bytes(), 1);
            arrived.extend(received(&mut channel, now_ms));
        }
        let counters = channel.counters();
        assert_eq!(counters.sent, 200);
        assert_eq!(counters.delivered, arrived.len() as u64);
        arrived
    };
    let (whole, cut) = (run(0..0), run(50..100));
    assert!(cut.iter().all(|arrival| whole.contains(arrival)));
    assert!(cut.iter().all(|(_, at_ms)| !(500.0..990.0).contains(at_ms)));
    let expected = whole
        .iter()
        .filter(|(number, at_ms)| !(50..100).contains(number) && !(490.0..990.0).contains(at_ms));
    assert_eq!(cut.len(), expected.count());
}

/// The outcome of each of the packets, sent 100 ms apart.
fn fates(conditions: Conditions) -> Vec<TransitOutcome> {
    seeded_fates(conditions, 1, 0)
}

fn seeded_fates(conditions: Conditions, seed: u32, direction: u32) -> Vec<TransitOutcome> {
    let mut channel = Channel::new(conditions, seed, direction);
    let mut send = |number| channel.send(number as f64 * 100.0, number, &[0], 1);
    (0..2000).map(&mut send).collect()
}

const BAD: Conditions = Conditions {
    jitter_ms: 20.0,
    loss: 0.2,
    burst_packets: 3.0,
    duplicated: 0.3,
    reordered: 0.2,
    ..PERFECT
};

#[test]
fn no_fault_shifts_what_another_does() {
    let bad = fates(BAD);
    let same = |other: Conditions, what: fn(&TransitOutcome) -> Option<f64>| {
        // Of packets that arrive on both networks.
        let both = bad
            .iter()
            .zip(fates(other))
            .filter(|(sent, other)| sent.arrival_ms.is_some() && other.arrival_ms.is_some());
        let pairs: Vec<_> = both
            .map(|(sent, other)| (what(sent), what(&other)))
            .collect();
        assert!(pairs.len() > 1000);
        pairs.iter().all(|(sent, other)| sent == other)
    };
    let is_lost = |sent: &TransitOutcome| sent.arrival_ms.is_none();
    let losses = |conditions| fates(conditions).iter().map(is_lost).collect::<Vec<_>>();
    let arrival = |sent: &TransitOutcome| sent.arrival_ms;
    let copy = |sent: &TransitOutcome| sent.copy_arrival_ms;

    let other_loss = Conditions {
        loss: 0.05,
        burst_packets: 1.0,
        ..BAD
    };
    assert_ne!(losses(BAD), losses(other_loss));
    assert!(same(other_loss, arrival) && same(other_loss, copy));
    let no_copies = Conditions {
        duplicated: 0.0,
        ..BAD
    };
    assert_eq!(losses(BAD), losses(no_copies));
    assert!(same(no_copies, arrival) && !same(no_copies, copy));
    let more_copies = fates(Conditions {
        duplicated: 0.6,
        ..BAD
    });
    assert!(bad.iter().zip(&more_copies).all(|(sent, more)| {
        sent.copy_arrival_ms.is_none() || sent.copy_arrival_ms == more.copy_arrival_ms
    }));
    let no_jitter = Conditions {
        jitter_ms: 0.0,
        ..BAD
    };
    assert_eq!(losses(BAD), losses(no_jitter));
    assert!(!same(no_jitter, arrival));
    assert!(same(no_jitter, |sent| sent.copy_arrival_ms.map(|_| 0.0)));
    // In order, each packet that was not held comes when it did.
    let in_order = fates(Conditions {
        reordered: 0.0,
        ..BAD
    });
    let moved = bad
        .iter()
        .zip(&in_order)
        .filter(|(sent, other)| arrival(sent) != arrival(other));
    let share = moved.count() as f64 / 2000.0;
    assert!((0.1..0.2).contains(&share), "{share}");
    assert_eq!(
        losses(BAD),
        in_order.iter().map(is_lost).collect::<Vec<_>>()
    );
}

#[test]
fn luck_depends_on_the_number_alone() {
    let whole = fates(BAD);
    // Whatever others leave, in how many fragments.
    let mut channel = Channel::new(BAD, 1, 0);
    let mut cut = 0;
    for number in (0..2000).filter(|number| number % 7 < 2) {
        let fragments = if number % 7 == 0 { 1 } else { 40 };
        let sent = channel.send(number as f64 * 100.0, number, &[0], fragments);
        let is_same = sent == whole[number as usize];
        assert!(is_same || fragments > 1, "{number}");
        cut += u32::from(!is_same);
    }
    assert!(cut > 0);
    let other = |seed, direction| seeded_fates(BAD, seed, direction);
    assert!(other(1, 0) == whole && other(2, 0) != whole && other(1, 1) != whole);
}

#[test]
fn an_override_changes_that_packet_alone() {
    let timeout = Conditions {
        retransmission_timeout_ms: Some(1.0),
        ..BAD
    };
    for conditions in [BAD, timeout] {
        let of = |set: &[(u64, Override)]| {
            let mut channel = Channel::new(conditions, 1, 0);
            set.iter()
                .for_each(|&(number, forced)| channel.set_override(number, Some(forced)));
            let mut send = |number| channel.send(number as f64 * 10_000.0, number, &[0], 3);
            let sent: Vec<TransitOutcome> = (0..500).map(&mut send).collect();
            let mut packet = Vec::new();
            while channel.receive(f64::INFINITY, &mut packet).is_some() {}
            let counters = channel.counters();
            assert_eq!(counters.sent, counters.delivered + counters.lost);
            sent
        };
        let is_lost = |sent: &TransitOutcome| sent.arrival_ms.is_none() || sent.retransmissions > 0;
        let as_is = of(&[]);
        let number = |lost| as_is.iter().position(|sent| is_lost(sent) == lost).unwrap();
        let (lost, delivered) = (number(true), number(false));
        let set = of(&[
            (lost as u64, Override::Delivered),
            (delivered as u64, Override::Lost),
        ]);
        assert!(!is_lost(&set[lost]) && is_lost(&set[delivered]));
        let others = |number: &usize| ![lost, delivered].contains(number);
        assert!(
            (0..500)
                .filter(others)
                .all(|number| set[number] == as_is[number])
        );
        // What was to be lost and is not arrives as on the same network without loss.
        let mut lossless = Channel::new(
            Conditions {
                loss: 0.0,
                ..conditions
            },
            1,
            0,
        );
        let sent = lossless.send(lost as f64 * 10_000.0, lost as u64, &[0], 3);
        assert_eq!(set[lost], sent);
    }
}

#[test]
fn an_override_is_taken_back_and_a_cut_outdoes_it() {
    let mut channel = Channel::new(PERFECT, 1, 0);
    channel.set_override(1, Some(Override::Lost));
    channel.set_override(2, Some(Override::Delivered));
    channel.set_override(3, Some(Override::Lost));
    channel.set_override(1, None);
    assert!(
        channel
            .overrides()
            .iter()
            .eq([(2, Override::Delivered), (3, Override::Lost)])
    );
    assert_eq!(channel.send(0.0, 1, &[1], 1).arrival_ms, Some(50.0));
    channel.set_cut(true);
    assert_eq!(channel.send(0.0, 2, &[2], 1).arrival_ms, None);
}

#[test]
fn duplicates_come_after_and_reordered_packets_are_overtaken() {
    let doubled = arrivals(
        Conditions {
            duplicated: 0.5,
            jitter_ms: 30.0,
            ..PERFECT
        },
        1000,
    );
    assert!((1400..1600).contains(&doubled.len()), "{}", doubled.len());
    let held = arrivals(
        Conditions {
            reordered: 0.1,
            ..PERFECT
        },
        1000,
    );
    let overtaken = held.windows(2).filter(|pair| pair[0].0 > pair[1].0).count();
    assert!((60..140).contains(&overtaken), "{overtaken}");
}

#[test]
fn a_stream_delivers_everything_once_in_order_and_what_was_lost_a_timeout_late() {
    let stream = Conditions {
        retransmission_timeout_ms: Some(200.0),
        ..BAD
    };
    let arrived = arrivals(stream, 1000);
    assert!(arrived.iter().map(|arrival| arrival.0).eq(0..1000));
    // By hand, from what the same packets meet as datagrams on a network without loss, and from those that it loses.
    let unhindered = arrivals(
        Conditions {
            loss: 0.0,
            duplicated: 0.0,
            ..BAD
        },
        1000,
    );
    let came = arrivals(
        Conditions {
            duplicated: 0.0,
            ..BAD
        },
        1000,
    );
    let sent = fates(stream);
    let (mut last_ms, mut waited) = (0.0_f64, 0);
    for (number, arrival_ms) in arrived {
        let (_, travelled_ms) = unhindered.iter().find(|a| a.0 == number).unwrap();
        let is_lost = came.iter().all(|a| a.0 != number);
        let times = sent[number as usize].retransmissions;
        assert_eq!(times > 0, is_lost, "{number}");
        // 200 ms, then 400 and 800 more.
        let own_ms = travelled_ms + 200.0 * ((1 << times) - 1) as f64;
        last_ms = last_ms.max(own_ms);
        assert_eq!(arrival_ms, last_ms, "{number}");
        waited += u32::from(last_ms > own_ms);
    }
    assert!(waited > 200, "{waited} wait for one before");
}

#[test]
fn a_stream_that_was_cut_delivers_everything_afterwards() {
    let stream = Conditions {
        retransmission_timeout_ms: Some(200.0),
        ..PERFECT
    };
    let mut channel = Channel::new(stream, 1, 0);
    let mut arrived = Vec::new();
    for number in 0..200_u32 {
        let now_ms = f64::from(number) * 10.0;
        let cut = (50..100).contains(&number);
        channel.set_cut(cut);
        channel.send(now_ms, number.into(), &number.to_le_bytes(), 1);
        let new = received(&mut channel, now_ms);
        assert!(!cut || new.is_empty());
        arrived.extend(new.into_iter().map(|arrival| arrival.0));
    }
    assert!(arrived.len() > 190);
    let delivered = channel.counters().delivered as u32;
    assert!(arrived.into_iter().eq(0..delivered));
}

#[test]
fn a_timeout_doubles_with_every_further_loss() {
    let stream = Conditions {
        loss: 0.5,
        retransmission_timeout_ms: Some(1.0),
        ..PERFECT
    };
    assert!(timeouts_ms(1.0).take(4).eq([1.0, 3.0, 7.0, 15.0]));
    assert!(
        timeouts_ms(40_000.0)
            .take(3)
            .eq([40_000.0, 100_000.0, 160_000.0])
    );
    // So far apart from each other none waits for one before: latenesses are those of the timeouts alone.
    let mut channel = Channel::new(stream, 1, 0);
    let late_ms: Vec<f64> = (0..2000)
        .map(|number| {
            let now_ms = number as f64 * 1e7;
            let sent = channel.send(now_ms, number, &[0], 1);
            sent.arrival_ms.unwrap() - now_ms - 50.0
        })
        .collect();
    for (expected, share) in [(0.0, 0.5), (1.0, 0.25), (3.0, 0.125), (7.0, 0.0625)] {
        let seen = late_ms.iter().filter(|&&ms| ms == expected).count() as f64 / 2000.0;
        assert!((seen - share).abs() < 0.03, "{expected} ms late: {seen}");
    }
    let mut channel = Channel::new(stream, 1, 0);
    for number in 0..1000 {
        channel.send(0.0, number, &[0], 1);
    }
    let counters = channel.counters();
    assert_eq!((counters.lost, counters.in_flight()), (0, 1000));
    assert!(
        (900..1100).contains(&counters.retransmitted),
        "{counters:?}"
    );
}

#[test]
fn a_packet_is_lost_with_any_of_its_fragments() {
    let mut channel = Channel::new(
        Conditions {
            loss: 0.1,
            ..PERFECT
        },
        1,
        0,
    );
    for number in 0..10_000 {
        channel.send(0.0, number, &[0], 10);
    }
    let lost = channel.counters().lost as f64 / 10_000.0;
    let expected = 1.0 - libm::pow(0.9, 10.0);
    assert!((lost - expected).abs() < 0.02, "{lost} against {expected}");
}
