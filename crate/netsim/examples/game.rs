//! A link in a game's test: a client walks, and the server hears of it late, twice or not at all.
//!
//! The link is virtual, so the test takes no time and gives the same each time.

use snapshot_netsim::channel::{Channel, Conditions};

/// Ticks a second of the game.
const TICK_MS: f64 = 1000.0 / 60.0;

/// The game: a client sends its newest position each tick, and the server keeps the newest that it heard of.
#[derive(Default)]
struct Server {
    newest: Option<u32>,
    position: u32,
}

impl Server {
    fn receive(&mut self, packet: &[u8]) {
        let Some((tick, position)) = packet.split_first_chunk::<4>() else {
            return;
        };
        let Ok(position) = position.try_into().map(u32::from_be_bytes) else {
            return;
        };
        let tick = u32::from_be_bytes(*tick);
        // A late packet must not move anything back. Without this line the test fails.
        if self.newest.is_none_or(|newest| tick > newest) {
            (self.newest, self.position) = (Some(tick), position);
        }
    }
}

fn main() {
    let conditions = Conditions {
        latency_ms: 60.0,
        jitter_ms: 20.0,
        loss: 0.05,
        burst_packets: 3.0,
        duplicated: 0.02,
        reordered: 0.05,
        send_interval_ms: TICK_MS,
        ..Conditions::PERFECT
    };
    for seed in 0..20 {
        let mut link = Channel::new(conditions, seed, 0);
        let mut server = Server::default();
        let (mut last, mut packet) = (0, Vec::new());
        for tick in 0..600_u32 {
            let now_ms = f64::from(tick) * TICK_MS;
            packet.clear();
            packet.extend(tick.to_be_bytes());
            packet.extend((3 * tick).to_be_bytes());
            link.send(now_ms, tick.into(), &packet, 1);
            while link.receive(now_ms, &mut packet).is_some() {
                server.receive(&packet);
            }
            assert!(
                server.position >= last,
                "it went back at tick {tick} of seed {seed}"
            );
            last = server.position;
        }
        let counters = link.counters();
        assert!(last > 3 * 560, "seed {seed}: the server is at {last}");
        println!(
            "seed {seed}: {} of {} arrived",
            counters.delivered, counters.sent
        );
    }
}
