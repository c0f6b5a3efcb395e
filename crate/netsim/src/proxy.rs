//! A proxy between the clients of a game and their server, without sockets or a clock. It simulates a link in each direction.
//!
//! The caller reads datagrams from sockets, passes them to the proxy, and sends those that [`Proxy::deliver`] returns. Memory
//! is bounded, whoever sends: at most [`CLIENTS_MAX`] clients, [`PACKETS_MAX`] packets and [`BYTES_MAX`] bytes are held.
//!
//! The reasons are in `docs/decisions/0066-a-proxy-in-front-of-any-game.md`.

use crate::channel::{Channel, Conditions, LossCause, TransitOutcome};
use crate::trace::Trace;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Upper limit of the number of clients at a time. Each needs a socket of its own to the server.
pub const CLIENTS_MAX: usize = 256;
/// Upper limit of the number of packets on their way; more are dropped.
pub const PACKETS_MAX: usize = 16_384;
/// Upper limit of the bytes of packets on their way; more are dropped.
pub const BYTES_MAX: usize = 32 << 20;
/// Silence after which a client loses its place to a new one if all places are taken, ms.
pub const SILENT_MS: f64 = 5_000.0;

/// A direction through the proxy. Its number is the `direction` of the channels in that direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// The direction from the server to a client.
    ToClient = 0,
    /// The direction from a client to the server.
    ToServer = 1,
}

/// The link that a proxy simulates.
#[derive(Clone, Debug)]
pub struct ProxyLink {
    /// Conditions of the direction to a client, and of the direction to the server.
    pub conditions: [Conditions; 2],
    /// Seed of the first client's faults. Each further client has the next number as its seed.
    pub seed: u32,
    /// The recorded link that replaces the modelled one in both directions.
    pub trace: Option<Arc<Trace>>,
}

/// The fate of a packet that the caller passed to the proxy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProxySend {
    /// Slot of the client, below [`CLIENTS_MAX`]. The caller keeps the client's socket to the server under this index.
    pub slot: usize,
    /// Number of the client, counted over all clients that ever came.
    pub client: u32,
    /// True for the first packet of a client. Its slot may have been another client's.
    pub is_new: bool,
    /// The packet's arrival or loss.
    pub outcome: TransitOutcome,
}

/// A packet that leaves the proxy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProxyDelivery<A> {
    /// Direction of the packet.
    pub heading: Heading,
    /// Slot of the client.
    pub slot: usize,
    /// Address of the client.
    pub address: A,
}

#[derive(Clone, Debug)]
struct Client<A> {
    address: A,
    number: u32,
    received_ms: f64,
}

/// A proxy between clients and a server. `A` is the type of a client's address.
#[derive(Clone, Debug)]
pub struct Proxy<A> {
    link: ProxyLink,
    /// True if all clients are behind one link, false if each has its own.
    is_shared: bool,
    /// Channels to the client and to the server, indexed by slot; a single pair if all clients share a link.
    channels: Vec<[Channel; 2]>,
    clients: Vec<Client<A>>,
    slots: BTreeMap<A, usize>,
    admitted: u32,
    is_cut: bool,
    packets: usize,
    bytes: usize,
    /// Buffer for a packet with its client's number before it.
    buffer: Vec<u8>,
}

/// Number of bytes before a packet in a channel: its client's number.
const NUMBER_BYTES: usize = 4;

impl ProxyLink {
    fn channels(&self, client: u32) -> [Channel; 2] {
        let seed = self.seed.wrapping_add(client);
        [Heading::ToClient, Heading::ToServer].map(|heading| {
            let conditions = self.conditions[heading as usize];
            Channel::recorded(conditions, seed, heading as u32, self.trace.as_ref())
        })
    }
}

impl<A: Copy + Ord> Proxy<A> {
    /// Makes a proxy without clients. On a shared link the packets of all clients pass one bottleneck and have common faults.
    pub fn new(link: ProxyLink, is_shared: bool) -> Proxy<A> {
        let shared = is_shared.then(|| link.channels(0));
        Proxy {
            link,
            is_shared,
            channels: shared.into_iter().collect(),
            clients: Vec::new(),
            slots: BTreeMap::new(),
            admitted: 0,
            is_cut: false,
            packets: 0,
            bytes: 0,
            buffer: Vec::new(),
        }
    }

    /// Changes the link for packets that come from now on. The numbering of packets goes on.
    pub fn change(&mut self, link: ProxyLink) {
        self.link = link;
        for (slot, channels) in self.channels.iter_mut().enumerate() {
            let client = match self.is_shared {
                true => 0,
                false => self.clients.get(slot).map_or(0, |client| client.number),
            };
            let new = self.link.channels(client);
            let both = channels.iter_mut().zip(new);
            both.for_each(|(channel, new)| channel.change(new));
        }
    }

    /// Cuts the link, or ends the cut. A cut link loses each packet that comes; packets on their way still arrive.
    pub fn set_cut(&mut self, is_cut: bool) {
        self.is_cut = is_cut;
    }

    /// Number of clients that sent something in the last [`SILENT_MS`].
    pub fn active(&self, now_ms: f64) -> usize {
        let is_active = |client: &&Client<A>| now_ms - client.received_ms < SILENT_MS;
        self.clients.iter().filter(is_active).count()
    }

    /// Takes a packet from a client; `None` if there is no place for a new client. Times rise from call to call. `fragments`
    /// and `wire_bytes` are as in [`Channel::send_sized`].
    pub fn from_client(
        &mut self,
        now_ms: f64,
        address: A,
        packet: &[u8],
        fragments: u32,
        wire_bytes: u32,
    ) -> Option<ProxySend> {
        let known = self.slots.get(&address).copied();
        let slot = known.or_else(|| self.admit(now_ms, address))?;
        self.clients[slot].received_ms = now_ms;
        let heading = Heading::ToServer;
        let sent = self.send(now_ms, slot, heading, packet, fragments, wire_bytes);
        Some(ProxySend {
            is_new: known.is_none(),
            ..sent
        })
    }

    /// Takes a packet of the server for the client of a slot, as [`Proxy::from_client`] does; `None` for a slot without a
    /// client.
    pub fn from_server(
        &mut self,
        now_ms: f64,
        slot: usize,
        packet: &[u8],
        fragments: u32,
        wire_bytes: u32,
    ) -> Option<ProxySend> {
        let heading = Heading::ToClient;
        (slot < self.clients.len())
            .then(|| self.send(now_ms, slot, heading, packet, fragments, wire_bytes))
    }

    /// Time of the next delivery, ms; `None` if nothing is on its way.
    pub fn next_ms(&self) -> Option<f64> {
        self.next().map(|(ms, _, _)| ms)
    }

    /// Copies the next packet that has arrived by `now_ms` into `packet`; `None` if none has.
    pub fn deliver(&mut self, now_ms: f64, packet: &mut Vec<u8>) -> Option<ProxyDelivery<A>> {
        while let Some((_, at, heading)) = self.next().filter(|(ms, _, _)| *ms <= now_ms) {
            self.channels[at][heading as usize].receive(now_ms, packet)?;
            let (number, _) = packet.split_first_chunk::<NUMBER_BYTES>()?;
            let number = u32::from_le_bytes(*number);
            packet.drain(..NUMBER_BYTES);
            self.packets -= 1;
            self.bytes -= packet.len();
            let slot = match self.is_shared {
                true => self.clients.iter().position(|it| it.number == number),
                false => Some(at),
            };
            // Another client may have the place by now.
            if let Some(slot) = slot {
                return Some(ProxyDelivery {
                    heading,
                    slot,
                    address: self.clients[slot].address,
                });
            }
        }
        None
    }

    /// Returns the earliest delivery: its time in ms, the index of its channels, and its direction.
    fn next(&self) -> Option<(f64, usize, Heading)> {
        let headings = [Heading::ToClient, Heading::ToServer];
        let channels = self.channels.iter().enumerate();
        let all = channels.flat_map(|(at, both)| {
            let next = both.iter().map(Channel::next_arrival_ms).zip(headings);
            next.filter_map(move |(ms, heading)| Some((ms?, at, heading)))
        });
        all.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn send(
        &mut self,
        now_ms: f64,
        slot: usize,
        heading: Heading,
        packet: &[u8],
        fragments: u32,
        wire_bytes: u32,
    ) -> ProxySend {
        let client = self.clients[slot].number;
        let at = if self.is_shared { 0 } else { slot };
        let has_room = self.packets < PACKETS_MAX && self.bytes + packet.len() <= BYTES_MAX;
        let lost_by = match (self.is_cut, has_room) {
            (true, _) => Some(LossCause::Cut),
            (false, false) => Some(LossCause::Queue),
            (false, true) => None,
        };
        let outcome = if lost_by.is_none() {
            self.buffer.clear();
            self.buffer.extend_from_slice(&client.to_le_bytes());
            self.buffer.extend_from_slice(packet);
            let channel = &mut self.channels[at][heading as usize];
            let number = channel.counters().sent;
            channel.send_sized(now_ms, number, &self.buffer, fragments, wire_bytes)
        } else {
            TransitOutcome {
                lost_by,
                ..TransitOutcome::default()
            }
        };
        let copies = [outcome.arrival_ms, outcome.copy_arrival_ms];
        let copies = copies.iter().flatten().count();
        self.packets += copies;
        self.bytes += copies * packet.len();
        ProxySend {
            slot,
            client,
            is_new: false,
            outcome,
        }
    }

    /// Gives a new client a slot: a free one, or that of the client that has been silent the longest.
    fn admit(&mut self, now_ms: f64, address: A) -> Option<usize> {
        let new = Client {
            address,
            number: self.admitted,
            received_ms: now_ms,
        };
        let slot = if self.clients.len() < CLIENTS_MAX {
            self.clients.push(new);
            if !self.is_shared {
                self.channels.push(self.link.channels(self.admitted));
            }
            self.clients.len() - 1
        } else {
            let clients = self.clients.iter().enumerate();
            let (slot, silent) =
                clients.min_by(|a, b| a.1.received_ms.total_cmp(&b.1.received_ms))?;
            if now_ms - silent.received_ms < SILENT_MS {
                return None;
            }
            self.slots.remove(&silent.address);
            self.clients[slot] = new;
            if !self.is_shared {
                let new = self.link.channels(self.admitted);
                self.drop_all(slot);
                self.channels[slot] = new;
            }
            slot
        };
        self.admitted += 1;
        self.slots.insert(address, slot);
        Some(slot)
    }

    /// Drops the packets that are on their way in a slot's channels.
    fn drop_all(&mut self, slot: usize) {
        for channel in &mut self.channels[slot] {
            while channel.receive(f64::INFINITY, &mut self.buffer).is_some() {
                self.packets -= 1;
                self.bytes -= self.buffer.len() - NUMBER_BYTES;
            }
        }
    }
}

#[cfg(test)]
mod tests;
