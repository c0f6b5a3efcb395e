//! Clocks of play between a server and a client, one of each trouble. `snapshot-view` tries them all.

use super::{game, settings};
use crate::{Client, DatagramOutcome, Playout, Server, Settings};

/// A server of so many ticks a second, a client whose clock is so much faster, and ms in which ticks stand still or packets
/// are lost.
struct Session {
    tick_hz: f64,
    drift: f64,
    paused_ms: std::ops::Range<f64>,
    cut_ms: std::ops::Range<f64>,
}

const EVEN: Session = Session {
    tick_hz: 60.0,
    drift: 0.0,
    paused_ms: 0.0..0.0,
    cut_ms: 0.0..0.0,
};

impl Session {
    /// Times of the frames, ages in ms of what they show, and ticks that they advance. Packets take 50 ms.
    fn frames(&self, playout: Playout) -> Vec<[f64; 3]> {
        let settings = Settings {
            playout,
            ..settings(4)
        };
        let mut server: Server<u8> = Server::new(settings.clone(), [3; 16]).unwrap();
        let mut client = Client::new(settings, b"", 1).unwrap();
        let mut on_the_way: Vec<(f64, bool, Vec<u8>)> = Vec::new();
        let (mut exact_tick, mut frame_ms, mut before) = (0.0, 0.0, 0.0);
        let mut frames = Vec::new();
        for step in 0..80_000 {
            let now_ms = f64::from(step) * 0.25;
            let own_ms = now_ms * (1.0 + self.drift);
            while on_the_way.first().is_some_and(|it| it.0 <= now_ms) {
                let (_, to_server, bytes) = on_the_way.remove(0);
                if !to_server {
                    client.receive(own_ms, &bytes).unwrap();
                    continue;
                }
                match server.receive(now_ms, &0, &bytes) {
                    DatagramOutcome::Answer(bytes) => {
                        on_the_way.push((now_ms + 50.0, false, bytes));
                    }
                    DatagramOutcome::Joins(peer, _) => server.admit(peer),
                    _ => {}
                }
            }
            let is_cut = self.cut_ms.contains(&now_ms);
            let mut send = |to_server, bytes: Vec<u8>| {
                if !is_cut {
                    on_the_way.push((now_ms + 50.0, to_server, bytes));
                }
            };
            let tick = f64::floor(exact_tick);
            if !self.paused_ms.contains(&now_ms) {
                exact_tick += self.tick_hz / 4000.0;
            }
            if f64::floor(exact_tick) > tick {
                let send = |_: &u8, bytes: &[u8]| send(false, bytes.to_vec());
                let objects = game(exact_tick as u64, 4);
                let ticked = server.tick(now_ms, exact_tick as u64, &objects, |_, _| true, send);
                assert_eq!(ticked, Ok(&[][..]));
            }
            if own_ms < frame_ms {
                continue;
            }
            frame_ms += 1000.0 / 60.0;
            while let Some(bytes) = client.send(own_ms) {
                send(true, bytes);
            }
            client.show(own_ms);
            if let Some(shown) = client.shown_tick() {
                frames.push([now_ms, (exact_tick - shown) * 1000.0 / 60.0, shown - before]);
                before = shown;
            }
        }
        frames
    }
}

#[test]
fn play_is_in_its_place_three_seconds_after_any_trouble() {
    let sessions = [
        EVEN,
        Session {
            tick_hz: 54.0,
            ..EVEN
        },
        Session {
            tick_hz: 62.5,
            ..EVEN
        },
        Session {
            drift: -0.01,
            ..EVEN
        },
        Session {
            paused_ms: 8_000.0..11_000.0,
            ..EVEN
        },
        Session {
            cut_ms: 8_000.0..9_000.0,
            ..EVEN
        },
    ];
    let fixed = Playout::Fixed { delay_ms: 100.0 };
    for playout in [settings(1).playout, fixed] {
        let all = sessions.each_ref().map(|it| it.frames(playout));
        let last = |frames: &[[f64; 3]]| {
            let last: Vec<_> = frames
                .iter()
                .filter(|it| it[0] > 14_000.0)
                .copied()
                .collect();
            let ages_ms: f64 = last.iter().map(|it| it[1]).sum();
            let still = last.iter().filter(|it| it[2] < 0.25).count();
            (ages_ms / last.len() as f64, still)
        };
        let (even_ms, _) = last(&all[0]);
        for (place, frames) in all.iter().enumerate() {
            let (age_ms, still) = last(frames);
            let is_in_place = (age_ms - even_ms).abs() < 20.0 && still == 0;
            assert!(
                is_in_place,
                "{place} {playout:?} {age_ms} {even_ms} {still}"
            );
        }
    }
}
