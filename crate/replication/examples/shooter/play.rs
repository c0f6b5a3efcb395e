//! The shooter's client, and a player who walks and shoots by himself.

use crate::game::{Input, Outcome, hit, settings, walked};
use snapshot_replication::*;
use std::collections::BTreeMap;
use std::net::UdpSocket;
use std::time::{Duration, Instant};

impl Input {
    fn bytes(self, shown: ShownInstant) -> Vec<u8> {
        let [x, y] = self.walk.map(|way| way as u8);
        let shown = shown.to_bytes();
        let shown = if self.is_shot { &shown[..] } else { &[] };
        [&[x, y], shown].concat()
    }
}

pub(crate) struct Play {
    pub(crate) client: Client,
    /// Inputs, by tick, that the newest snapshot may not include.
    inputs: BTreeMap<u64, Input>,
    /// Predicted position of the own player.
    own: Option<[f32; 3]>,
    /// Messages of the server, chat and hits, in the order of their arrival.
    pub(crate) messages: Vec<String>,
    /// Hits of the own shots, as the client itself judged them.
    pub(crate) hits: Vec<String>,
}

impl Play {
    fn frame(&mut self, socket: &UdpSocket, now_ms: f64, player: impl Fn(u64) -> Input) {
        let mut buffer = [0; 2048];
        while let Ok(len) = socket.recv(&mut buffer) {
            let _counted = self.client.receive(now_ms, &buffer[..len]);
        }
        let objects = self.client.show(now_ms).to_vec();
        while let Some(tick) = self.client.next_input(now_ms) {
            let input = player(tick);
            let (Some(shown), Some(own)) = (self.client.shown_instant(), self.own) else {
                break;
            };
            let own = walked(own, input);
            self.own = Some(own);
            let hit = hit(own, &objects).filter(|_| input.is_shot);
            self.hits.extend(hit.map(|id| format!("hit {id}")));
            if self.client.input(tick, &input.bytes(shown)).is_ok() {
                self.inputs.insert(tick, input);
            }
        }
        self.predict();
        while let Some(words) = self.client.next_message() {
            self.messages
                .push(String::from_utf8_lossy(&words).into_owned());
        }
        while let Some(bytes) = self.client.send(now_ms) {
            let _lost = socket.send(&bytes);
        }
    }

    /// Predicts the own player: his position in the newest snapshot, moved by his inputs since.
    fn predict(&mut self) {
        let (Some(peer), Some((tick, mut objects))) = (self.client.peer(), self.client.newest())
        else {
            return;
        };
        let own = objects.find(|object| object.id == 1000 + peer.number());
        self.inputs = self.inputs.split_off(&(tick + 1));
        self.own = own.map(|own| {
            self.inputs
                .values()
                .fold(own.position, |at, it| walked(at, *it))
        });
    }
}

pub(crate) fn play(socket: &UdpSocket, name: &str, frames: u64) -> Outcome<Play> {
    let nonce = u64::from(socket.local_addr()?.port()) << 20 | u64::from(std::process::id()); // In a game it is random.
    let mut play = Play {
        client: Client::new(settings(), name.as_bytes(), nonce)?,
        inputs: BTreeMap::new(),
        own: None,
        messages: Vec::new(),
        hits: Vec::new(),
    };
    play.client.message(format!("{name} is here").as_bytes())?;
    // Nobody plays here: the player walks in a square, and shoots twice a second.
    let player = |tick: u64| Input {
        walk: [[1, 0], [0, 1], [-1, 0], [0, -1]][(tick / 60 % 4) as usize],
        is_shot: tick.is_multiple_of(30),
    };
    let start = Instant::now();
    for frame in 1..=frames {
        std::thread::sleep((Duration::from_secs(frame) / 60).saturating_sub(start.elapsed()));
        play.frame(socket, start.elapsed().as_secs_f64() * 1000.0, player);
        if frames == u64::MAX {
            play.messages.drain(..).for_each(|it| println!("{it}"));
            play.hits.clear();
            if frame % 60 == 0 {
                println!(
                    "{} at {:.1?}",
                    hud(&play.client),
                    play.own.unwrap_or_default()
                );
            }
        }
    }
    Ok(play)
}

pub(crate) fn hud(client: &Client) -> String {
    let Figures {
        round_trip_ms,
        lost_here,
        received,
        delay_ms,
        freezes,
        ..
    } = client.figures();
    let [round_trip_ms, delay_ms] = [round_trip_ms, delay_ms].map(|ms| ms.unwrap_or(f64::NAN));
    let (lost, rate) = (lost_here * 100.0, received.bytes / 125.0);
    let state = client.refusal();
    let state = state.unwrap_or_else(|| format!("{:?}", client.status()));
    format!(
        "{state}: round trip {round_trip_ms:.0} ms, {lost:.0} % lost, {rate:.0} kbit/s, {delay_ms:.0} ms behind, {freezes} freezes"
    )
}
