use super::*;
use crate::channel::BottleneckConditions;

const SLOW: BottleneckConditions = BottleneckConditions {
    rate_kbps: 256.0,
    queue_ms: 100.0,
    neighbour: 0.0,
    neighbour_round_trip_ms: 0.0,
};

fn link(down: Conditions, up: Conditions) -> ProxyLink {
    ProxyLink {
        conditions: [down, up],
        seed: 7,
        trace: None,
    }
}

fn bad(loss: f64) -> Conditions {
    Conditions {
        latency_ms: 40.0,
        jitter_ms: 20.0,
        loss,
        burst_packets: 3.0,
        duplicated: 0.1,
        ..Conditions::PERFECT
    }
}

/// Sends a packet of each client and of the server to each, 1,000 times. Returns the outcomes by way and client.
fn play(proxy: &mut Proxy<u16>, clients: u16) -> [Vec<Vec<TransitOutcome>>; 2] {
    let mut sent = [(); 2].map(|()| vec![Vec::new(); usize::from(clients)]);
    let (mut packet, mut delivered) = (Vec::new(), 0);
    let mut receive = |proxy: &mut Proxy<u16>, now_ms: f64| {
        let mut before_ms = 0.0;
        while let Some(next_ms) = proxy.next_ms().filter(|ms| *ms <= now_ms) {
            assert!(next_ms >= before_ms);
            before_ms = next_ms;
            let delivery = proxy.deliver(now_ms, &mut packet).unwrap();
            // Each packet says whose it is, and which way it goes.
            let [client, heading] = [packet[0], packet[1]].map(u16::from);
            assert_eq!(
                (delivery.address, delivery.heading as u16),
                (client, heading)
            );
            delivered += 1;
        }
    };
    for n in 0..1000 {
        let now_ms = f64::from(n) * 10.0;
        receive(proxy, now_ms);
        for address in 0..clients {
            let packet = |heading| [address as u8, heading];
            let up = proxy
                .from_client(now_ms, address, &packet(1), 1, 40)
                .unwrap();
            assert_eq!((up.slot, up.is_new), (usize::from(address), n == 0));
            let down = proxy
                .from_server(now_ms, up.slot, &packet(0), 1, 40)
                .unwrap();
            sent[0][up.slot].push(down.outcome);
            sent[1][up.slot].push(up.outcome);
        }
    }
    receive(proxy, f64::INFINITY);
    let outcomes = sent.iter().flatten().flatten();
    let copies = outcomes.flat_map(|it| [it.arrival_ms, it.copy_arrival_ms]);
    assert_eq!(delivered, copies.flatten().count());
    assert_eq!((proxy.packets, proxy.bytes), (0, 0));
    sent
}

#[test]
fn each_client_has_the_losses_and_delays_of_the_labs_channel_by_packet_number() {
    let link = link(bad(0.1), bad(0.02));
    let sent = play(&mut Proxy::new(link.clone(), false), 3);
    for (direction, of_clients) in (0..).zip(&sent) {
        for (client, sent) in (0..).zip(of_clients) {
            let conditions = link.conditions[direction as usize];
            let mut channel = Channel::new(conditions, link.seed + client, direction);
            let expected = (0..1000).map(|n| channel.send_sized(n as f64 * 10.0, n, &[], 1, 40));
            assert!(expected.eq(sent.iter().copied()), "{direction} {client}");
        }
    }
}

/// Clients offer k times the rate. So 1 - 1/k of the packets find the queue full, whether all share it or each has its own.
#[test]
fn a_bottleneck_is_shared_or_each_clients_own() {
    let slow = Conditions {
        bottleneck: Some(SLOW),
        ..Conditions::PERFECT
    };
    for (is_shared, wire_bytes, k) in [(true, 160, 2.0), (false, 640, 2.0), (false, 320, 1.0)] {
        let mut proxy = Proxy::new(link(slow, slow), is_shared);
        let (mut lost, mut packet) = (0, Vec::new());
        for n in 0..20_000 {
            let now_ms = f64::from(n) * 10.0;
            while proxy.deliver(now_ms, &mut packet).is_some() {}
            // 160 bytes each 10 ms are 128 kbit/s.
            for address in 0..4_u16 {
                let sent = proxy
                    .from_client(now_ms, address, &[1], 1, wire_bytes)
                    .unwrap();
                lost += u32::from(sent.outcome.lost_by == Some(LossCause::Queue));
            }
        }
        let (share, expected) = (f64::from(lost) / 80_000.0, 1.0 - 1.0 / k);
        assert!(
            (share - expected).abs() < 0.01,
            "{is_shared} {wire_bytes}: {share}"
        );
    }
}

#[test]
fn hostile_datagrams_of_many_addresses_take_bounded_memory_and_old_clients_stay() {
    for is_shared in [false, true] {
        let slow = Conditions {
            latency_ms: 60_000.0,
            ..Conditions::PERFECT
        };
        let mut proxy = Proxy::new(link(slow, slow), is_shared);
        let packet = vec![0; 65_507];
        let mut refused = 0;
        let mut flood = |proxy: &mut Proxy<u32>| {
            for n in 0..100_000_u32 {
                let now_ms = f64::from(n) * 0.1;
                let length = n as usize * 7919 % packet.len();
                // The first client speaks on while others flood.
                let address = if n % 100 == 0 { 0 } else { n % 1000 };
                let sent = proxy.from_client(now_ms, address, &packet[..length], 1, length as u32);
                assert!(sent.is_some() || address > 0);
                refused += u32::from(sent.is_none());
                assert!(proxy.packets <= PACKETS_MAX && proxy.bytes <= BYTES_MAX);
                assert!(proxy.clients.len() <= CLIENTS_MAX && proxy.slots.len() <= CLIENTS_MAX);
            }
        };
        let memory = allocation_counter::measure(|| flood(&mut proxy));
        assert!(memory.bytes_max < 4 * BYTES_MAX as u64);
        assert!(refused > 50_000, "{refused}");
        // After a silence others get the places, and what was on its way goes to nobody.
        let late_ms = 30_000.0;
        let sent = proxy.from_client(late_ms, 5_000, &[1], 1, 29).unwrap();
        assert!(sent.is_new && sent.slot < CLIENTS_MAX);
        assert_eq!(proxy.from_server(late_ms, CLIENTS_MAX, &[1], 1, 29), None);
        let mut packet = Vec::new();
        while let Some(delivery) = proxy.deliver(f64::INFINITY, &mut packet) {
            assert_eq!(proxy.slots.get(&delivery.address), Some(&delivery.slot));
        }
        assert_eq!((proxy.packets, proxy.bytes), (0, 0));
    }
}

#[test]
fn a_change_leaves_packets_on_their_way_and_the_numbers_go_on() {
    let mut proxy = Proxy::new(link(bad(0.0), bad(0.0)), false);
    let send = |proxy: &mut Proxy<u16>, n: u32| {
        let sent = proxy.from_client(f64::from(n) * 10.0, 1, &[n as u8], 1, 40);
        sent.unwrap().outcome
    };
    let before: Vec<_> = (0..5).map(|n| send(&mut proxy, n)).collect();
    let late = Conditions {
        latency_ms: 200.0,
        in_order: true,
        ..bad(0.3)
    };
    proxy.change(link(late, late));
    let after: Vec<_> = (5..1000).map(|n| send(&mut proxy, n)).collect();
    // The numbers of the packets key their luck, as if the link had always been this one.
    let mut whole = Channel::new(late, 7, 1);
    let whole = (0..1000).map(|n| whole.send_sized(n as f64 * 10.0, n, &[], 1, 40));
    assert!(whole.skip(5).eq(after));
    let (mut packet, mut arrived) = (Vec::new(), Vec::new());
    while proxy.deliver(99.0, &mut packet).is_some() {
        arrived.push(packet[0]);
    }
    arrived.sort_unstable();
    arrived.dedup();
    let expected = (0..5_u8)
        .zip(&before)
        .filter(|(_, it)| it.arrival_ms <= Some(99.0));
    assert!(arrived.into_iter().eq(expected.map(|(n, _)| n)));
}
