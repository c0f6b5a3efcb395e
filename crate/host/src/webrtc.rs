//! WebRTC without sockets and without a clock: the guests' connections at a host, and the connection that a receiver opens.
//! Datagrams and times are arguments.
//!
//! A connection has one data channel, unordered and without retransmissions. Its messages are the datagrams of the
//! replication package. A *way* is one guest's connection, by its number.

use serde::Deserialize;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use str0m::change::{SdpAnswer, SdpOffer, SdpPendingOffer};
use str0m::channel::{ChannelConfig, ChannelId, Reliability};
use str0m::crypto::{CryptoProvider, from_feature_flags};
use str0m::net::{Protocol, Receive};
use str0m::{Candidate, Event, Input, Output, Rtc};

/// Time within which a guest's channel must open.
const OPEN_WITHIN: Duration = Duration::from_secs(10);
/// Upper limit of the number of connections, including connections that are not open yet.
const PEERS_MAX: usize = 128;
/// Number of bytes that may wait in a channel. If more wait, the next burst (the datagrams of one tick) is skipped.
const WAITING_BYTES_MAX: usize = 16 * 1024;
/// Upper limit of the length of a guest's name in an offer, bytes.
const NAME_BYTES_MAX: usize = 256;
const VERSION: u32 = 1;

/// The body of a POST to ./offer.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Offer {
    version: u32,
    pub(crate) name: String,
    pub(crate) sdp: String,
}

impl Offer {
    /// Reads an offer.
    ///
    /// # Errors
    /// When the bytes are no offer of this version.
    pub(crate) fn parse(body: &[u8]) -> Result<Offer, String> {
        let offer: Offer =
            serde_json::from_slice(body).map_err(|_| "This is no offer.".to_string())?;
        if offer.version != VERSION {
            return Err("The page has another version than the host: load it again.".to_string());
        }
        if offer.name.len() > NAME_BYTES_MAX {
            return Err("The name is too long.".to_string());
        }
        Ok(offer)
    }
}

/// A datagram that the caller has to send over a socket.
pub(crate) struct Departure {
    pub(crate) to: SocketAddr,
    pub(crate) bytes: Vec<u8>,
}

/// One end of a connection with one data channel.
struct Peer {
    rtc: Rtc,
    channel: Option<ChannelId>,
    opened: bool,
    made: Instant,
    /// The time at which the connection next has something to do.
    due: Instant,
    /// True if too many bytes waited in the channel when the burst began. A burst is skipped as a whole, because a part of a
    /// snapshot is useless.
    is_full: bool,
    skipped: u64,
}

impl Peer {
    /// Lets the connection work until it waits for a time or for a datagram. Adds the datagrams to send to `sent`, and
    /// received messages to `came`.
    fn poll(&mut self, sent: &mut Vec<Departure>, came: &mut VecDeque<Vec<u8>>) {
        loop {
            match self.rtc.poll_output() {
                Ok(Output::Timeout(due)) => {
                    self.due = due;
                    return;
                }
                Ok(Output::Transmit(transmit)) => sent.push(Departure {
                    to: transmit.destination,
                    bytes: transmit.contents.to_vec(),
                }),
                Ok(Output::Event(Event::ChannelOpen(id, _))) => {
                    if self.carries_datagrams(id) {
                        self.channel.get_or_insert(id);
                    }
                    self.opened |= self.channel == Some(id);
                }
                Ok(Output::Event(Event::ChannelData(data))) if Some(data.id) == self.channel => {
                    came.push_back(data.data);
                }
                Ok(Output::Event(Event::ChannelClose(id))) if Some(id) == self.channel => {
                    self.rtc.disconnect();
                }
                // Media, statistics and other channels: nothing that a connection of ours has.
                Ok(Output::Event(_)) => {}
                Err(_) => return self.rtc.disconnect(),
            }
            if !self.rtc.is_alive() {
                return;
            }
        }
    }

    /// Returns true for a channel whose messages are datagrams. A page also opens a reliable channel, for requests of a host
    /// that is a page itself.
    fn carries_datagrams(&mut self, id: ChannelId) -> bool {
        let channel = self.rtc.channel(id);
        channel.is_some_and(|channel| {
            let unreliable = Reliability::MaxRetransmits { retransmits: 0 };
            let config = channel.config();
            config.is_some_and(|it| !it.ordered && it.reliability == unreliable)
        })
    }

    fn pass(&mut self, now: Instant) {
        if self.rtc.handle_input(Input::Timeout(now)).is_err() {
            self.rtc.disconnect();
        }
    }

    fn begin_burst(&mut self) {
        let channel = self.channel.and_then(|id| self.rtc.channel(id));
        self.is_full =
            channel.is_some_and(|mut channel| channel.buffered_amount() > WAITING_BYTES_MAX);
    }

    /// Writes a datagram to the channel, or skips it if the burst is skipped or the channel is full.
    fn write(&mut self, datagram: &[u8]) {
        let Some(mut channel) = self.channel.and_then(|id| self.rtc.channel(id)) else {
            return;
        };
        if self.is_full || !matches!(channel.write(true, datagram), Ok(true)) {
            self.skipped += 1;
        }
    }
}

/// Builder of connections that all have the same address.
struct Maker {
    crypto: Arc<CryptoProvider>,
    own: SocketAddr,
}

impl Maker {
    fn new(own: SocketAddr) -> Maker {
        let crypto = Arc::new(from_feature_flags());
        Maker { crypto, own }
    }

    /// Makes an end of a connection. An end that only answers sends nothing to addresses that a stranger's offer names.
    fn make(&self, now: Instant, only_answers: bool) -> Result<Peer, String> {
        let mut rtc = Rtc::builder()
            .clear_codecs()
            .set_crypto_provider(self.crypto.clone())
            .set_ice_lite(only_answers)
            .build(now);
        let candidate = Candidate::host(self.own, "udp").map_err(|error| error.to_string())?;
        rtc.add_local_candidate(candidate);
        Ok(Peer {
            rtc,
            channel: None,
            opened: false,
            made: now,
            due: now,
            is_full: false,
            skipped: 0,
        })
    }
}

/// Returns a received datagram as input for a connection; `None` if it is no datagram of WebRTC.
fn input_of(now: Instant, from: SocketAddr, own: SocketAddr, bytes: &[u8]) -> Option<Input<'_>> {
    let received = Receive::new(Protocol::Udp, from, own, bytes).ok()?;
    Some(Input::Receive(now, received))
}

/// The guests' connections at a host. They share one socket.
pub(crate) struct Peers {
    maker: Maker,
    peers: BTreeMap<u32, Peer>,
    /// For each address the way of the connection that last received from it.
    routes: BTreeMap<SocketAddr, u32>,
    sent: Vec<Departure>,
    came: VecDeque<(u32, Vec<u8>)>,
}

impl Peers {
    pub(crate) fn new(own: SocketAddr) -> Peers {
        Peers {
            maker: Maker::new(own),
            peers: BTreeMap::new(),
            routes: BTreeMap::new(),
            sent: Vec::new(),
            came: VecDeque::new(),
        }
    }

    /// Accepts a guest's offer for a new connection, and returns the answer (SDP).
    ///
    /// # Errors
    /// When the offer is no offer of WebRTC or has no data channel, or there are too many connections.
    pub(crate) fn accept(&mut self, now: Instant, way: u32, sdp: &str) -> Result<String, String> {
        if self.peers.len() >= PEERS_MAX {
            return Err("Too many pages join at once: try again in a few seconds.".to_string());
        }
        if !sdp.contains("webrtc-datachannel") {
            return Err("The offer has no data channel.".to_string());
        }
        let offer = SdpOffer::from_sdp_string(&without_candidates(sdp))
            .map_err(|_| "The offer is not WebRTC's.".to_string())?;
        let mut peer = self.maker.make(now, true)?;
        let answer = (peer.rtc.sdp_api().accept_offer(offer))
            .map_err(|_| "The offer cannot be answered.".to_string())?;
        self.peers.insert(way, peer);
        self.poll(way);
        Ok(answer.to_sdp_string())
    }

    /// Passes a datagram from the socket to its connection.
    pub(crate) fn receive(&mut self, now: Instant, from: SocketAddr, bytes: &[u8]) {
        let Some(input) = input_of(now, from, self.maker.own, bytes) else {
            return;
        };
        let accepts = |way: &u32| {
            let peer = self.peers.get(way);
            peer.is_some_and(|peer| peer.rtc.accepts(&input))
        };
        let known = self.routes.get(&from).copied().filter(accepts);
        let Some(way) = known.or_else(|| self.peers.keys().copied().find(accepts)) else {
            return;
        };
        self.routes.insert(from, way);
        if let Some(peer) = self.peers.get_mut(&way)
            && peer.rtc.handle_input(input).is_err()
        {
            peer.rtc.disconnect();
        }
        self.poll(way);
    }

    /// Begins a burst, the datagrams of one tick. It is skipped on channels in which too many bytes wait.
    pub(crate) fn begin_burst(&mut self) {
        self.peers.values_mut().for_each(Peer::begin_burst);
    }

    /// Sends a datagram over the channel of a guest's way. An unknown way is ignored, because the guest may just be gone.
    pub(crate) fn send(&mut self, way: u32, datagram: &[u8]) {
        if let Some(peer) = self.peers.get_mut(&way) {
            peer.write(datagram);
            self.poll(way);
        }
    }

    pub(crate) fn has(&self, way: u32) -> bool {
        self.peers.contains_key(&way)
    }

    /// Does the work that is due at a time. Removes connections that are closed, or did not open in time.
    pub(crate) fn pass(&mut self, now: Instant) {
        let due = self.peers.iter().filter(|(_, peer)| peer.due <= now);
        let due: Vec<u32> = due.map(|(way, _)| *way).collect();
        for way in due {
            if let Some(peer) = self.peers.get_mut(&way) {
                peer.pass(now);
            }
            self.poll(way);
        }
        self.peers.retain(|_, peer| {
            peer.rtc.is_alive() && (peer.opened || now < peer.made + OPEN_WITHIN)
        });
        let peers = &self.peers;
        self.routes.retain(|_, way| peers.contains_key(way));
    }

    /// Returns the next time at which a connection has something to do.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.peers.values().map(|peer| peer.due).min()
    }

    /// Closes and removes the connection of a way.
    pub(crate) fn close(&mut self, way: u32) {
        if let Some(peer) = self.peers.get_mut(&way) {
            let _ = peer.rtc.close();
            self.poll(way);
            self.peers.remove(&way);
        }
    }

    /// Returns the datagrams to send over the socket.
    pub(crate) fn drain_sent(&mut self) -> impl Iterator<Item = Departure> {
        self.sent.drain(..)
    }

    /// Returns the next datagram from a guest, with the guest's way.
    pub(crate) fn next_datagram(&mut self) -> Option<(u32, Vec<u8>)> {
        self.came.pop_front()
    }

    fn poll(&mut self, way: u32) {
        let mut came = VecDeque::new();
        if let Some(peer) = self.peers.get_mut(&way) {
            peer.poll(&mut self.sent, &mut came);
        }
        self.came
            .extend(came.into_iter().map(|datagram| (way, datagram)));
    }
}

/// Returns an offer without its ICE candidates (addresses). An end that only answers needs no candidates, and a page hides
/// its address behind a name.
fn without_candidates(sdp: &str) -> String {
    let lines = sdp.lines().map(str::trim_end);
    let kept = lines.filter(|line| !line.starts_with("a=candidate:"));
    kept.flat_map(|line| [line, "\r\n"]).collect()
}

/// A receiver's connection to a host.
pub(crate) struct Caller {
    peer: Peer,
    pending: Option<SdpPendingOffer>,
    own: SocketAddr,
    sent: Vec<Departure>,
    came: VecDeque<Vec<u8>>,
}

impl Caller {
    /// Makes a connection with an own address, and its offer (SDP).
    ///
    /// # Errors
    /// When WebRTC cannot use the address.
    pub(crate) fn new(now: Instant, own: SocketAddr) -> Result<(Caller, String), String> {
        let mut peer = Maker::new(own).make(now, false)?;
        let mut change = peer.rtc.sdp_api();
        let channel = change.add_channel_with_config(ChannelConfig {
            label: "snapshot".to_string(),
            ordered: false,
            reliability: Reliability::MaxRetransmits { retransmits: 0 },
            ..ChannelConfig::default()
        });
        let (offer, pending) = change.apply().ok_or("WebRTC makes no offer.")?;
        peer.channel = Some(channel);
        let caller = Caller {
            peer,
            pending: Some(pending),
            own,
            sent: Vec::new(),
            came: VecDeque::new(),
        };
        Ok((caller, offer.to_sdp_string()))
    }

    /// Accepts the host's answer to the offer.
    ///
    /// # Errors
    /// When the answer does not answer the offer.
    pub(crate) fn accept(&mut self, sdp: &str) -> Result<(), String> {
        let answer = SdpAnswer::from_sdp_string(sdp).map_err(|error| error.to_string())?;
        let pending = self
            .pending
            .take()
            .ok_or("The offer was answered before.")?;
        let accepted = self.peer.rtc.sdp_api().accept_answer(pending, answer);
        accepted.map_err(|error| error.to_string())?;
        self.poll();
        Ok(())
    }

    pub(crate) fn receive(&mut self, now: Instant, from: SocketAddr, bytes: &[u8]) {
        if let Some(input) = input_of(now, from, self.own, bytes) {
            if self.peer.rtc.handle_input(input).is_err() {
                self.peer.rtc.disconnect();
            }
            self.poll();
        }
    }

    pub(crate) fn pass(&mut self, now: Instant) {
        if self.peer.due <= now {
            self.peer.pass(now);
            self.poll();
        }
    }

    /// Sends a datagram over the channel. A receiver's datagrams are small, and each is a burst.
    pub(crate) fn send(&mut self, datagram: &[u8]) {
        self.peer.begin_burst();
        self.peer.write(datagram);
        self.poll();
    }

    /// True while the channel is open for datagrams.
    pub(crate) fn is_open(&self) -> bool {
        self.peer.opened && self.peer.rtc.is_alive()
    }

    /// Returns the number of datagrams that were skipped because others waited in the channel.
    pub(crate) fn skipped(&self) -> u64 {
        self.peer.skipped
    }

    pub(crate) fn drain_sent(&mut self) -> impl Iterator<Item = Departure> {
        self.sent.drain(..)
    }

    pub(crate) fn next_datagram(&mut self) -> Option<Vec<u8>> {
        self.came.pop_front()
    }

    fn poll(&mut self) {
        self.peer.poll(&mut self.sent, &mut self.came);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn address(port: u16) -> SocketAddr {
        ([127, 0, 0, 1], port).into()
    }

    /// Carries what both ends send, until nothing is left or `passes` is reached.
    fn carry(now: Instant, peers: &mut Peers, caller: &mut Caller) {
        for _ in 0..20 {
            let there: Vec<Departure> = caller.drain_sent().collect();
            let back: Vec<Departure> = peers.drain_sent().collect();
            let is_quiet = there.is_empty() && back.is_empty();
            for sent in there {
                peers.receive(now, address(2), &sent.bytes);
            }
            for sent in back {
                caller.receive(now, address(1), &sent.bytes);
            }
            if is_quiet {
                return;
            }
        }
    }

    /// Connects a caller to peers as their way 7.
    fn connected() -> (Instant, Peers, Caller) {
        let mut now = Instant::now();
        let mut peers = Peers::new(address(1));
        let (mut caller, offer) = Caller::new(now, address(2)).expect("an offer");
        let answer = peers.accept(now, 7, &offer).expect("an answer");
        caller.accept(&answer).expect("accepted");
        for _ in 0..100 {
            now += Duration::from_millis(10);
            peers.pass(now);
            caller.pass(now);
            carry(now, &mut peers, &mut caller);
        }
        (now, peers, caller)
    }

    #[test]
    fn a_channel_opens_and_carries_datagrams_both_ways() {
        let (now, mut peers, mut caller) = connected();
        assert!(caller.is_open());
        caller.send(b"there");
        peers.send(7, b"back");
        carry(now, &mut peers, &mut caller);
        assert_eq!(peers.next_datagram(), Some((7, b"there".to_vec())));
        assert_eq!(caller.next_datagram(), Some(b"back".to_vec()));
        peers.close(7);
        assert!(!peers.has(7));
    }

    #[test]
    fn a_channel_that_is_not_emptied_skips_whole_bursts() {
        let (mut now, mut peers, _caller) = connected();
        // The guest is silent from here on: each tick sends 25 datagrams of 1,000 bytes.
        for tick in 1..=20 {
            now += Duration::from_millis(16);
            peers.begin_burst();
            (0..25).for_each(|_| peers.send(7, &[0; 1_000]));
            peers.pass(now);
            let skipped = peers.peers[&7].skipped;
            assert_eq!(skipped, 25 * (tick - 1), "at tick {tick}");
        }
    }

    #[test]
    fn a_guest_who_does_not_come_is_forgotten() {
        let start = Instant::now();
        let mut peers = Peers::new(address(1));
        let (_, offer) = Caller::new(start, address(2)).expect("an offer");
        for way in 0..PEERS_MAX as u32 {
            peers.accept(start, way, &offer).expect("an answer");
        }
        let refusal = peers.accept(start, 1_000, &offer);
        assert!(refusal.expect_err("too many").contains("Too many"));
        peers.pass(start + OPEN_WITHIN);
        assert!(!peers.has(0) && peers.due().is_none());
        peers.accept(start, 1_001, &offer).expect("room again");
    }

    #[test]
    fn an_offer_of_another_version_or_form_is_refused() {
        let read = |text: &str| Offer::parse(text.as_bytes());
        assert!(read(r#"{"version":1,"name":"Ann","sdp":"v=0"}"#).is_ok());
        for text in [
            "",
            "{",
            "[]",
            r#"{"version":2,"name":"Ann","sdp":"v=0"}"#,
            r#"{"version":1,"sdp":"v=0"}"#,
            r#"{"version":1,"name":7,"sdp":"v=0"}"#,
            r#"{"version":1,"name":"Ann","sdp":"v=0","more":1}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let long = format!(r#"{{"version":1,"name":"{}","sdp":""}}"#, "x".repeat(257));
        assert!(read(&long).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_offer_or_refused(body in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Offer::parse(&body);
        }

        #[test]
        fn a_changed_offer_is_answered_or_refused(places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
            let now = Instant::now();
            let (_, offer) = Caller::new(now, address(2)).expect("an offer");
            let mut bytes = offer.into_bytes();
            for (place, byte) in places {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            let _ = Peers::new(address(1)).accept(now, 1, &String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn any_datagram_is_taken_or_dropped(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let now = Instant::now();
            let mut peers = Peers::new(address(1));
            let (_, offer) = Caller::new(now, address(2)).expect("an offer");
            peers.accept(now, 1, &offer).expect("an answer");
            peers.receive(now, address(2), &bytes);
        }
    }
}
