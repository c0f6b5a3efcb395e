//! The stages of a channel together: queue, order, stream and causes.

use super::*;

const QUEUED: Conditions = Conditions {
    bottleneck: Some(BottleneckConditions {
        rate_kbps: 64.0,
        queue_ms: 200.0,
        neighbour: 0.0,
        neighbour_round_trip_ms: 0.0,
    }),
    latency_ms: 20.0,
    ..Conditions::PERFECT
};

/// Returns the outcomes of packets of 100 bytes, sent 10 ms apart, with these overrides.
fn sent(conditions: Conditions, packets: u64, set: &[(u64, Override)]) -> Vec<TransitOutcome> {
    let mut channel = Channel::new(conditions, 1, 0);
    set.iter()
        .for_each(|&(number, forced)| channel.set_override(number, Some(forced)));
    let mut outcomes: Vec<TransitOutcome> = Vec::new();
    let mut packet = Vec::new();
    let mut arrivals = Vec::new();
    for number in 0..packets {
        let now_ms = number as f64 * 10.0;
        while let Some(delivery) = channel.receive(now_ms, &mut packet) {
            arrivals.push(delivery);
        }
        outcomes.push(channel.send_sized(now_ms, number, &[], 1, 100));
    }
    // A stream goes on sending again until all has arrived.
    let mut now_ms = packets as f64 * 10.0;
    while channel.counters().in_flight() > 0 {
        now_ms += 10.0;
        while let Some(delivery) = channel.receive(now_ms, &mut packet) {
            arrivals.push(delivery);
        }
    }
    for (number, sent) in channel.drain_completed() {
        outcomes[number as usize] = sent;
    }
    for delivery in arrivals.iter().filter(|delivery| !delivery.copy) {
        let arrival_ms = outcomes[delivery.number as usize].arrival_ms;
        assert_eq!(arrival_ms, Some(delivery.arrival_ms));
    }
    for (number, sent) in outcomes.iter().enumerate() {
        if let Some(arrival_ms) = sent.arrival_ms {
            let delay_ms = arrival_ms - number as f64 * 10.0;
            assert!((sent.delay.sum_ms() - delay_ms).abs() < 1e-6, "{sent:?}");
        }
    }
    outcomes
}

#[test]
fn causes_of_delay_add_up_on_a_link_that_has_all() {
    let all = Conditions {
        data_channel: Some(DataChannelConditions {
            back_ms: 150.0,
            header_bytes: 0,
        }),
        stalls: Some(StallConditions {
            per_minute: 30.0,
            length_ms: 200.0,
            random: true,
        }),
        jitter_ms: 15.0,
        shape: DelayShape::Pareto,
        correlation: 0.3,
        in_order: true,
        loss: 0.2,
        burst_packets: 3.0,
        burst_loss: 0.5,
        burst_delay_ms: 30.0,
        duplicated: 0.1,
        reordered: 0.1,
        ..QUEUED
    };
    let outcomes = sent(all, 3000, &[]);
    for cause in 0..DelayByCause::default().named().len() {
        let name = outcomes[0].delay.named()[cause].0;
        let met = outcomes
            .iter()
            .filter(|sent| sent.delay.named()[cause].1 > 0.0);
        assert_eq!(met.count() == 0, name == "resend", "{name}");
    }
    for cause in [LossCause::Queue, LossCause::Chance] {
        assert!(outcomes.iter().any(|sent| sent.lost_by == Some(cause)));
    }
}

#[test]
fn lost_packets_use_capacity_and_one_by_hand_enters_a_full_queue() {
    // 100 bytes take 12.5 ms at 64 kbit/s and come each 10 ms: the wait grows by 2.5 ms a packet, up to 200 ms.
    let plain = sent(QUEUED, 200, &[]);
    assert_eq!(plain[40].delay.queue_ms, 100.0);
    let lossy = Conditions {
        loss: 0.3,
        ..QUEUED
    };
    let lost = sent(lossy, 200, &[]);
    assert!(
        lost.iter()
            .any(|sent| sent.lost_by == Some(LossCause::Chance))
    );
    let waits =
        |sent: &[TransitOutcome]| sent.iter().map(|it| it.delay.queue_ms).collect::<Vec<_>>();
    assert_eq!(waits(&lost), waits(&plain));
    let dropped = plain
        .iter()
        .position(|sent| sent.lost_by.is_some())
        .unwrap();
    assert_eq!(plain[dropped].lost_by, Some(LossCause::Queue));
    let forced = sent(QUEUED, 200, &[(dropped as u64, Override::Delivered)]);
    assert!(forced[dropped].arrival_ms.is_some());
    assert!(forced[dropped].delay.queue_ms > 200.0);
    assert_eq!(forced[..dropped], plain[..dropped]);
}

#[test]
fn where_packets_keep_their_order_an_override_moves_no_other() {
    let ordered = Conditions {
        bottleneck: None,
        jitter_ms: 20.0,
        shape: DelayShape::Exponential,
        in_order: true,
        loss: 0.2,
        ..QUEUED
    };
    let plain = sent(ordered, 1000, &[]);
    let arrivals = plain.iter().filter_map(|sent| sent.arrival_ms);
    assert!(
        arrivals
            .clone()
            .zip(arrivals.skip(1))
            .all(|(one, next)| one <= next)
    );
    let lost = plain
        .iter()
        .position(|sent| sent.lost_by.is_some())
        .unwrap();
    let late = (0..1000).max_by(|one, other| {
        let tail = |number: &usize| plain[*number].delay.tail_ms;
        tail(one).total_cmp(&tail(other))
    });
    let late = late.unwrap();
    let others = |number: &usize| ![lost, late].contains(number);
    let set = [
        (lost as u64, Override::Delivered),
        (late as u64, Override::Lost),
    ];
    let with = sent(ordered, 1000, &set);
    assert!(
        (0..1000)
            .filter(others)
            .all(|number| with[number] == plain[number])
    );
    assert!(with[lost].arrival_ms.is_some() && with[late].arrival_ms.is_none());
}

#[test]
fn a_retransmission_enters_the_queue_when_it_leaves() {
    let stream = Conditions {
        retransmission_timeout_ms: Some(55.0),
        ..QUEUED
    };
    // At half the rate nothing waits, but for the packet that is sent again and those that it delays.
    let mut half = stream;
    half.bottleneck = half.bottleneck.map(|it| BottleneckConditions {
        rate_kbps: 160.0,
        ..it
    });
    let plain = sent(half, 60, &[]);
    assert!(plain.iter().all(|sent| sent.delay.queue_ms == 0.0));
    let again = sent(half, 60, &[(20, Override::Lost)]);
    // It leaves at 255 ms, between the packets of 250 and of 260 ms, and takes 5 ms.
    assert_eq!(
        (again[20].retransmissions, again[20].arrival_ms),
        (1, Some(280.0))
    );
    assert_eq!(
        (again[20].delay.resend_ms, again[20].delay.queue_ms),
        (55.0, 0.0)
    );
    let held_up = &again[21..26];
    assert!(held_up.iter().all(|sent| sent.arrival_ms == Some(280.0)));
    assert_eq!(again[26..], plain[26..]);
    // Over a full queue everything arrives all the same, once and in order.
    let overloaded = sent(stream, 300, &[]);
    assert!(overloaded.iter().any(|sent| sent.retransmissions > 1));
    let arrivals: Vec<f64> = overloaded
        .iter()
        .filter_map(|sent| sent.arrival_ms)
        .collect();
    assert_eq!(arrivals.len(), 300);
    assert!(arrivals.windows(2).all(|two| two[0] <= two[1]));
}
