//! A client of `snapshot-replication` over a simulated link of its own. It presses no key, and stands for a player of a
//! crowd or of a motion.

use crate::wire::{Departure, Direction, Network, PacketSize};
use snapshot_netsim::channel::LinkInputs;
use snapshot_replication::{Client, DatagramOutcome, Server};
use snapshot_settings::LaneSettings;

pub(crate) struct LinkedClient {
    pub(crate) client: Client,
    network: Network,
    /// Number of datagrams so far: to the client, and back.
    datagrams: [u64; 2],
}

impl LinkedClient {
    /// Connects a client by a link with a lane's settings. Clients of one server need different numbers, which give each
    /// link faults of its own.
    pub(crate) fn new(
        client: Client,
        settings: &LaneSettings,
        link_inputs: &LinkInputs,
        number: u32,
    ) -> LinkedClient {
        LinkedClient {
            client,
            network: Network::of_client(settings, link_inputs, number),
            datagrams: [0; 2],
        }
    }

    /// Cuts or restores the link for this tick.
    pub(crate) fn set_cut(&mut self, is_cut: bool) {
        self.network.set_cut(is_cut);
    }

    /// Passes the client's arrived datagrams to the server, and admits the client. Returns the bytes of the answers, with
    /// headers.
    pub(crate) fn serve(
        &mut self,
        server: &mut Server<u32>,
        address: u32,
        now_ms: f64,
        settings: &LaneSettings,
    ) -> u64 {
        let (mut bytes, mut datagram) = (0, Vec::new());
        while (self.network)
            .receive(Direction::Back, now_ms, &mut datagram)
            .is_some()
        {
            // The server reads its socket at the tick: the arrivals of several clients are not in order.
            match server.receive(now_ms, &address, &datagram) {
                DatagramOutcome::Answer(answer) => {
                    bytes += self.send(Direction::Forward, now_ms, &answer, settings);
                }
                DatagramOutcome::Joins(peer, _) => server.admit(peer),
                DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
            }
        }
        bytes
    }

    /// Sends a datagram in one direction of the link; returns its bytes with headers.
    pub(crate) fn send(
        &mut self,
        direction: Direction,
        now_ms: f64,
        datagram: &[u8],
        settings: &LaneSettings,
    ) -> u64 {
        let number = self.datagrams[direction as usize];
        self.datagrams[direction as usize] += 1;
        let size = match direction {
            Direction::Forward => PacketSize::new(datagram.len(), settings),
            Direction::Back => PacketSize::whole(datagram.len(), settings.header_bytes()),
        };
        let at = Departure {
            tick: 0,
            number,
            now_ms,
            shift_ms: 0.0,
            is_counted: true,
        };
        let _ = self.network.send(direction, at, datagram, size);
        u64::from(size.wire_bytes)
    }

    /// Runs the client up to `now_ms` of the link: it receives and sends datagrams, without a key. Returns the sent bytes,
    /// headers included. `clock` is the speed of the client's clock.
    pub(crate) fn pass(&mut self, now_ms: f64, clock: f64, settings: &LaneSettings) -> u64 {
        let mut datagram = Vec::new();
        while let Some(delivery) = (self.network).receive(Direction::Forward, now_ms, &mut datagram)
        {
            // A client counts what it refuses.
            let _ = self.client.receive(delivery.arrival_ms * clock, &datagram);
        }
        while let Some(due) = self.client.next_input(now_ms * clock) {
            if self.client.input(due, &[0]).is_err() {
                break;
            }
        }
        let mut bytes = 0;
        while let Some(sent) = self.client.send(now_ms * clock) {
            bytes += self.send(Direction::Back, now_ms, &sent, settings);
        }
        bytes
    }
}
