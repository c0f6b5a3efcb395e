//! The server of a game: it receives keys, and sends states.

use super::interest::InterestRule;
use super::{Keys, OWN, keys_of_tick};
use snapshot_codec::{CubeState, FIELDS_MAX};
use snapshot_replication::inputs::InputArrivals;
use snapshot_replication::{
    DatagramOutcome, Interest, Object, Peer, Server, Settings, SettingsError,
};
use snapshot_settings::MissingKeys;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickKeys {
    pub keys: u8,
    /// False if the keys have not arrived in time.
    pub has_come: bool,
}

/// The cubes that players steer, by index, each with its keys in a tick. A client must correct these cubes exactly, so the
/// server sends them in full detail.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SteeredKeys(pub(crate) [(Option<usize>, u8); 2]);

impl SteeredKeys {
    /// Returns the keys of a cube; `None` for a cube that nobody steers.
    pub(crate) fn keys(&self, index: usize) -> Option<u8> {
        let steered = self.0.iter().find(|(cube, _)| *cube == Some(index));
        steered.map(|(_, keys)| *keys)
    }
}

/// Writes the objects of a tick. Each object carries the keys that steer it.
pub(crate) fn write_objects(states: &[CubeState], steered: SteeredKeys, objects: &mut Vec<Object>) {
    objects.clear();
    objects.extend(states.iter().enumerate().map(|(index, state)| {
        // All fields are named, so that a new one is sent or left out on purpose.
        let &CubeState {
            position,
            orientation,
            linear_velocity,
            angular_velocity,
            interacting: _,
            at_rest: _,
            life: _,
        } = state;
        let mut fields = [0; FIELDS_MAX];
        fields[0] = steered.keys(index).unwrap_or_default().into();
        Object {
            id: index as u32,
            kind: 0,
            position,
            orientation,
            velocity: Some(linear_velocity),
            angular_velocity: Some(angular_velocity),
            fields,
            teleported: false,
            age_ms: 0.0,
        }
    }));
}

/// A game's server with one client.
pub struct GameServer {
    server: Server<u32>,
    peer: Option<Peer>,
    missing: MissingKeys,
    keys: u8,
    rival: Option<usize>,
    rule: InterestRule,
    objects: Vec<Object>,
}

impl GameServer {
    /// Creates a server without a client. `rival` is the index of the cube that the server steers.
    ///
    /// # Errors
    /// When the settings are invalid.
    pub fn new(
        settings: Settings,
        missing: MissingKeys,
        rival: Option<usize>,
        rule: InterestRule,
        secret: [u8; 16],
    ) -> Result<GameServer, SettingsError> {
        let objects = Vec::with_capacity(settings.objects);
        let mut server = Server::new(settings, secret)?;
        server.count_bits();
        Ok(GameServer {
            server,
            peer: None,
            missing,
            keys: 0,
            rival,
            rule,
            objects,
        })
    }

    /// Receives a datagram of the client; returns the answer, if there is one.
    pub fn receive(&mut self, now_ms: f64, datagram: &[u8]) -> Option<Vec<u8>> {
        match self.server.receive(now_ms, &0, datagram) {
            DatagramOutcome::Answer(answer) => Some(answer),
            DatagramOutcome::Joins(peer, _) => {
                self.server.admit(peer);
                self.peer = Some(peer);
                None
            }
            DatagramOutcome::Taken | DatagramOutcome::Refused(_) => None,
        }
    }

    /// Returns the keys for a tick. Ask for each tick in order, before calling [`GameServer::tick`].
    pub fn keys(&mut self, tick: u64) -> TickKeys {
        let input = self.peer.and_then(|peer| self.server.input(peer, tick));
        let came = input.and_then(|input| input.first().copied());
        self.keys = keys_of_tick(came, self.missing, self.keys);
        TickKeys {
            keys: self.keys,
            has_come: came.is_some(),
        }
    }

    /// Takes the states after a tick and the keys that led to it, and sends the datagrams that are due.
    pub fn tick(
        &mut self,
        now_ms: f64,
        tick: u64,
        states: &[CubeState],
        keys: Keys,
        mut send: impl FnMut(&[u8]),
    ) {
        let steered = SteeredKeys([(Some(OWN), keys.own), (self.rival, keys.rival)]);
        write_objects(states, steered, &mut self.objects);
        let (rule, place) = (self.rule, states[OWN].position);
        let sees = |_: Peer, object: &Object| match steered.keys(object.id as usize) {
            Some(_) => Interest::Detail(f32::INFINITY),
            None => rule.interest(place, object),
        };
        let sent = self
            .server
            .tick(now_ms, tick, &self.objects, sees, |_, datagram| {
                send(datagram)
            });
        debug_assert!(
            sent.is_ok_and(|left_out| left_out.is_empty()),
            "a tick of {} cubes",
            states.len()
        );
    }

    /// Numbers of ticks until now whose keys were missing, late, or repeated in a later datagram.
    pub fn key_arrivals(&self) -> InputArrivals {
        let figures = self.peer.and_then(|peer| self.server.figures(peer));
        figures.map_or_else(InputArrivals::default, |figures| figures.inputs)
    }

    /// The objects of the last tick.
    pub(super) fn objects(&self) -> &[Object] {
        &self.objects
    }

    pub fn server(&self) -> &Server<u32> {
        &self.server
    }

    /// The client; `None` before it has joined.
    pub fn peer(&self) -> Option<Peer> {
        self.peer
    }
}
