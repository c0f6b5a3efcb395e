//! The other clients of a game: players of a crowd, served by `snapshot-replication` over links like the driver's.
//!
//! Each client decodes and acknowledges, and draws nothing. They are divided among servers whose ticks are counted from
//! different starts. So their packets leave in different ticks, and the work is spread.

use super::interest::InterestRule;
use crate::linked_client::LinkedClient;
use crate::wire::Direction;
use snapshot_netsim::channel::LinkInputs;
use snapshot_replication::{Client, Interest, Object, Server, Settings};
use snapshot_settings::LaneSettings;

pub(super) struct OtherClients {
    servers: Vec<Server<u32>>,
    clients: Vec<OtherClient>,
    rule: InterestRule,
}

struct OtherClient {
    /// Index of the client's own cube.
    cube: usize,
    linked: LinkedClient,
}

/// Bytes of the datagrams in a tick, headers included: from the servers, and to the servers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Served {
    pub(super) sent_bytes: u64,
    pub(super) received_bytes: u64,
}

impl OtherClients {
    /// Creates `count` clients of the crowd's players, spread evenly over `players`. Each joins with the settings of the
    /// driver's connection.
    pub(super) fn new(
        count: usize,
        players: std::ops::Range<usize>,
        game: &Settings,
        settings: &LaneSettings,
        link_inputs: &LinkInputs,
    ) -> OtherClients {
        let count = count.min(players.len());
        let groups = (game.tick_rate / game.send_rate.max(1)).clamp(1, 6) as usize;
        let game = Settings {
            clients: count.max(1),
            ..game.clone()
        };
        let server = |group: usize| {
            let secret = (group as u128 + 1).to_be_bytes();
            Server::new(game.clone(), secret).expect(super::ends::POSSIBLE)
        };
        let client = |at: usize| {
            let client = Client::new(game.clone(), b"", at as u64 + 1);
            let client = client.expect(super::ends::POSSIBLE);
            OtherClient {
                cube: players.start + at * players.len() / count,
                linked: LinkedClient::new(client, settings, link_inputs, at as u32 + 1),
            }
        };
        OtherClients {
            servers: (0..groups.min(count)).map(server).collect(),
            clients: (0..count).map(client).collect(),
            rule: InterestRule::new(settings),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.clients.len()
    }

    /// Runs a tick of the servers and of the clients. `objects` are the states of all cubes in that tick, by index. Returns
    /// the bytes in both directions.
    pub(super) fn tick(
        &mut self,
        now_ms: f64,
        tick: u64,
        objects: &[Object],
        is_cut: bool,
        settings: &LaneSettings,
    ) -> Served {
        let mut served = Served::default();
        let groups = self.servers.len();
        for (at, client) in self.clients.iter_mut().enumerate() {
            client.linked.set_cut(is_cut);
            let server = &mut self.servers[at % groups];
            served.sent_bytes += client.linked.serve(server, at as u32, now_ms, settings);
        }
        let (clients, rule) = (&mut self.clients, self.rule);
        for (group, server) in self.servers.iter_mut().enumerate() {
            let cubes: Vec<_> = (server.peers())
                .filter_map(|peer| {
                    let at = *server.address(peer)?;
                    Some((peer, clients[at as usize].cube))
                })
                .collect();
            let server_tick = tick + group as u64;
            for (peer, _) in &cubes {
                // The crowd's keys are in the world already.
                let _ = server.input(*peer, server_tick);
            }
            let sees = |peer, object: &Object| {
                let own = cubes.binary_search_by_key(&peer, |it| it.0);
                match own.ok().map(|at| cubes[at].1) {
                    Some(own) if object.id as usize == own => Interest::Detail(f32::INFINITY),
                    Some(own) => rule.interest(objects[own].position, object),
                    None => Interest::Unseen,
                }
            };
            let sent = server.tick(now_ms, server_tick, objects, sees, |&at, bytes| {
                let client = &mut clients[at as usize].linked;
                served.sent_bytes += client.send(Direction::Forward, now_ms, bytes, settings);
            });
            debug_assert!(sent.is_ok_and(|left_out| left_out.is_empty()));
        }
        for client in clients {
            served.received_bytes += client.linked.pass(now_ms, 1.0, settings);
        }
        served
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::game::connection::connection;
    use snapshot_settings::permalink;

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn each_client_gets_its_budget_and_no_more() {
        let (settings, _) = permalink::parse("#strategy=game&budget=64&loss=2&scene=crowd");
        let (lane, objects) = (settings.lane(), 400);
        let game = connection(&lane, objects);
        let link_inputs = LinkInputs::default();
        let mut others = OtherClients::new(7, 300..399, &game, &lane, &link_inputs);
        assert_eq!((others.len(), others.servers.len()), (7, 3));
        let mut sent_bytes = 0;
        for tick in 1..=1800 {
            let along = |id: u32| libm::sinf(tick as f32 * 0.1 + id as f32) * 5.0;
            let place = |id: u32| [id as f32 * 0.1 + along(id), along(id + 1), 1.0];
            let objects: Vec<_> = (0..objects as u32)
                .map(|id| Object::at(id, place(id)))
                .collect();
            let now_ms = tick as f64 * 1000.0 / 60.0;
            let served = others.tick(now_ms, tick, &objects, false, &lane);
            sent_bytes += if tick > 600 { served.sent_bytes } else { 0 };
        }
        for other in &others.clients {
            let figures = other.linked.client.figures();
            assert!(figures.received.bytes > 6000.0, "{:?}", figures.received);
            assert_eq!(other.linked.client.newest().unwrap().1.count(), objects);
        }
        let kbps = sent_bytes as f64 * 8.0 / 1000.0 / 20.0 / 7.0;
        assert!((60.0..66.0).contains(&kbps), "{kbps}");
    }
}
