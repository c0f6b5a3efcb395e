//! Players of a motion: a server and clients of `snapshot-replication`, with the errors that each player sees near and far.
//! Here *the package* is that crate.
//!
//! A motion has no players, so each player watches from one of the motion's objects. Every player has a link of its own.

use crate::linked_client::LinkedClient;
use crate::measure::metrics::Distribution;
use crate::surface::Surfaces;
use crate::view::{TruthReader, distance_m};
use snapshot_base::time::TickRate;
use snapshot_codec::{CubeState, Life};
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_replication::{Client, Interest, Object, Server, Settings};
use snapshot_settings::{Direction, LaneSettings};
use snapshot_view::Pose;

/// Longest time in which the players join before the motion begins, ms.
const JOIN_MS: f64 = 15_000.0;
/// Least time before the motion begins, ms: clocks settle, and the size of the path's datagrams is found.
const SETTLE_MS: f64 = 5_000.0;
/// Number of ticks in which each player's picture is compared once.
const COMPARED_EACH: u64 = 3;

/// Server and players of the package over a tape.
pub struct Players {
    server: Server<u32>,
    players: Vec<Player>,
    near_m: f32,
    rate: TickRate,
    settings: LaneSettings,
    from: u64,
    /// Tick of the server, from 0.
    tick: u64,
    /// Tick of the server at which the tape's tick `from` is played; `None` while players join.
    begin: Option<u64>,
    frame: Vec<CubeState>,
    lives: Lives,
    objects: Vec<Object>,
    surfaces: Surfaces,
    sent_bytes: u64,
    /// Surface errors, mm: of near objects, then of far ones.
    errors: [Distribution; 2],
    behind_ms: Distribution,
}

struct Player {
    /// Index of the player's object.
    own: usize,
    linked: LinkedClient,
    truth: TruthReader,
}

/// The lives of each slot of the tape. An object of the package is one life of a slot.
#[derive(Default)]
struct Lives(Vec<Vec<Life>>);

impl Lives {
    fn begin_tick(&mut self, states: &[CubeState]) {
        self.0.resize_with(states.len(), Vec::new);
        for (lives, state) in self.0.iter_mut().zip(states) {
            if lives.last() != Some(&state.life) {
                lives.push(state.life);
            }
        }
    }

    /// Returns the id of the object that is in a slot now.
    fn id(&self, slot: usize) -> u32 {
        ((self.0[slot].len() - 1) * self.0.len() + slot) as u32
    }

    fn slot(&self, id: u32) -> (usize, Life) {
        let (number, slot) = (id as usize / self.0.len(), id as usize % self.0.len());
        (slot, self.0[slot][number])
    }
}

impl Players {
    /// Makes a server and its players, who have not joined yet. `None` if the package cannot send such a motion.
    ///
    /// `links` has each player's object and link. Objects within `near_m` of the player's object count as near.
    pub fn new(
        tape: &Tape,
        package: Settings,
        links: &[(usize, LaneSettings, LinkInputs)],
        near_m: f32,
        from: u64,
    ) -> Option<Players> {
        let (_, lane, _) = links.first()?;
        let package = Settings {
            clients: links.len(),
            ..package
        };
        let player =
            |(nonce, (own, lane, link_inputs)): (u64, &(usize, LaneSettings, LinkInputs))| {
                let client = Client::new(package.clone(), b"", nonce).ok()?;
                Some(Player {
                    own: *own,
                    linked: LinkedClient::new(client, lane, link_inputs, 0),
                    truth: TruthReader::default(),
                })
            };
        let players = (1..).zip(links).map(player);
        let mut frame = Vec::new();
        tape.read_truth(from, &mut frame);
        Some(Players {
            // A secret must be random in a game; figures are a function of the motion.
            server: Server::new(package.clone(), [7; 16]).ok()?,
            players: players.collect::<Option<_>>()?,
            near_m,
            rate: tape.tick_rate(),
            settings: *lane,
            from,
            tick: 0,
            begin: None,
            frame,
            lives: Lives::default(),
            objects: Vec::new(),
            surfaces: Surfaces::new(&tape.session_config()),
            sent_bytes: 0,
            errors: [(); 2].map(|()| Distribution::new(1000.0)),
            behind_ms: Distribution::new(10.0),
        })
    }

    /// Runs the next tick. Returns false if the tape has no next tick, or that tick is after `until`.
    pub fn work(&mut self, tape: &Tape, until: u64) -> bool {
        let now_ms = self.rate.ms_of_tick((self.tick + 1) as f64);
        if self.begin.is_none() && (now_ms > JOIN_MS || now_ms > SETTLE_MS && self.has_joined()) {
            self.begin = Some(self.tick);
        }
        let mut is_cut = false;
        if let Some(begin) = self.begin {
            let tick = self.from + self.tick + 1 - begin;
            if tick > until || tape.frame(tick, &mut self.frame).is_none() {
                return false;
            }
            is_cut = tape.is_cut(tick);
            for player in &mut self.players {
                player.truth.begin_tick(tick);
            }
        }
        self.tick += 1;
        self.serve(now_ms, is_cut);
        for number in 0..self.players.len() {
            let clock = self.settings.receiver_clock();
            (self.players[number].linked).pass(now_ms, clock, &self.settings);
            if (self.tick + number as u64).is_multiple_of(COMPARED_EACH) {
                self.compare(tape, number, now_ms);
            }
        }
        true
    }

    fn has_joined(&self) -> bool {
        let is_there = |player: &Player| {
            player.linked.client.newest().is_some()
                && player.linked.client.figures().missing_objects == 0
        };
        self.players.iter().all(is_there)
    }

    /// Runs the server: it reads arrived datagrams, and sends due ones.
    fn serve(&mut self, now_ms: f64, is_cut: bool) {
        for (number, player) in (0..).zip(&mut self.players) {
            player.linked.set_cut(is_cut);
            // Answers to those who join are no bytes of play.
            (player.linked).serve(&mut self.server, number, now_ms, &self.settings);
        }
        self.lives.begin_tick(&self.frame);
        self.objects.clear();
        for (slot, state) in self.frame.iter().enumerate() {
            if !state.life.is_empty() {
                self.objects.push(Object {
                    orientation: state.orientation,
                    velocity: Some(state.linear_velocity),
                    ..Object::at(self.lives.id(slot), state.position)
                });
            }
        }
        let players: Vec<_> = (self.server.peers())
            .filter_map(|peer| {
                let number = *self.server.address(peer)? as usize;
                Some((peer, self.players[number].own))
            })
            .collect();
        for (peer, _) in &players {
            // The motion has what players did.
            let _ = self.server.input(*peer, self.tick);
        }
        let (frame, near_m, lives) = (&self.frame, self.near_m, &self.lives);
        let sees = |peer, object: &Object| {
            let player = players.binary_search_by_key(&peer, |it| it.0);
            let Ok(own) = player.map(|at| players[at].1) else {
                return Interest::Unseen;
            };
            if lives.slot(object.id).0 == own {
                return Interest::Priority(f32::INFINITY);
            }
            Interest::by_distance(frame[own].position, object, near_m, f32::INFINITY)
        };
        let (all, settings) = (&mut self.players, &self.settings);
        let mut sent_bytes = 0;
        let send = |number: &u32, datagram: &[u8]| {
            let client = &mut all[*number as usize].linked;
            sent_bytes += client.send(Direction::Forward, now_ms, datagram, settings);
        };
        let ticked = (self.server).tick(now_ms, self.tick, &self.objects, sees, send);
        debug_assert!(ticked.is_ok());
        if self.begin.is_some() {
            self.sent_bytes += sent_bytes;
        }
    }

    /// Compares a player's picture with the motion at the instant that it shows.
    fn compare(&mut self, tape: &Tape, number: usize, now_ms: f64) {
        let player = &mut self.players[number];
        let drawn = (player.linked.client)
            .show(now_ms * self.settings.receiver_clock())
            .to_vec();
        let Some((begin, shown)) = self.begin.zip(player.linked.client.shown_tick()) else {
            return;
        };
        let play_tick = self.from as f64 + shown - begin as f64;
        let Some(truth) = player.truth.at(play_tick, tape.truth()) else {
            return;
        };
        self.behind_ms
            .add(self.rate.ms_of_tick(self.tick as f64 - shown));
        let own = player.own;
        let place = truth.pose(own).position;
        for object in drawn {
            let (slot, life) = self.lives.slot(object.id);
            let pose = truth.pose(slot);
            if slot == own || pose.life != life || !pose.interacting {
                continue;
            }
            let shown = Pose {
                position: object.position,
                orientation: object.orientation,
                ..pose
            };
            let is_far = distance_m(place, pose.position) > self.near_m;
            self.errors[usize::from(is_far)].add(self.surfaces.error_mm(slot, &shown, &pose));
        }
    }

    /// Number of ticks of the motion so far.
    pub fn ticks(&self) -> u64 {
        self.begin.map_or(0, |begin| self.tick - begin)
    }

    /// Mean bandwidth to one player, kbit/s, headers included.
    pub fn kbps(&self) -> f64 {
        let ms = self.rate.ms_of_tick(self.ticks() as f64) * self.players.len() as f64;
        if ms > 0.0 {
            self.sent_bytes as f64 * 8.0 / ms
        } else {
            0.0
        }
    }

    /// Surface errors of the moving objects at the shown instants, mm: near the players, then far from them.
    pub fn errors_mm(&self) -> &[Distribution; 2] {
        &self.errors
    }

    /// Mean age of the shown instant, ms.
    pub fn behind_ms(&self) -> f64 {
        self.behind_ms.mean()
    }
}
