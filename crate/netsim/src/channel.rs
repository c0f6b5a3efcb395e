//! A link in one direction, in virtual time: the congestion window of a data channel, a bottleneck, then stalls, delay and
//! loss.
//!
//! The fate of a packet after the bottleneck depends only on its number, the seed and the kind of fault (`Way`). An override,
//! set by hand, replaces it. Earlier packets fill the congestion window and the bottleneck's queue.
//!
//! The reasons are in `docs/decisions/0011-faults-by-packet-number.md`.

mod bottleneck;
mod bytes;
mod conditions;
mod data_channel;
mod draws;
mod faults;
mod neighbour;
mod sent;
mod shapes;
mod stalls;
mod stream;

pub use crate::link_inputs::{LinkInputs, Override, Overrides};
use crate::trace::{Delays, Trace};
use bottleneck::{Bottleneck, Passage};
use bytes::{ByteRange, Bytes};
pub use conditions::{BottleneckConditions, Conditions, DataChannelConditions};
use data_channel::DataChannel;
use draws::{Draws, Use};
use faults::Faults;
pub use sent::{Counters, DelayByCause, Delivery, LossCause, TransitOutcome};
pub use shapes::DelayShape;
pub use stalls::StallConditions;
use stalls::Stalls;
use std::sync::Arc;
use stream::{ReliableStream, StreamSegment};

/// One direction of a simulated link: delays, loses and delivers packets.
#[derive(Clone, Debug)]
pub struct Channel {
    way: Path,
    data_channel: Option<DataChannel>,
    bottleneck: Option<Bottleneck>,
    stream: Option<ReliableStream>,
    overrides: Overrides,
    /// The latest arrival so far, ms; only if packets keep their order.
    newest_arrival_ms: Option<f64>,
    /// Packets that are on their way, sorted by arrival, the latest first.
    in_flight: Vec<Flight>,
    bytes: Bytes,
    cut: bool,
    counters: Counters,
    /// Number and outcome of packets whose outcome was not known when they were sent.
    completed: Vec<(u64, TransitOutcome)>,
}

#[derive(Clone, Debug)]
struct Flight {
    delivery: Delivery,
    packet: ByteRange,
}

/// One transmission of a packet, delivered or lost.
struct Transmission {
    lost_by: Option<LossCause>,
    /// Time that the packet travels, ms: latency and jitter.
    travel_ms: f64,
    delay: DelayByCause,
}

impl Transmission {
    fn lost(cause: LossCause) -> Transmission {
        Transmission {
            lost_by: Some(cause),
            travel_ms: 0.0,
            delay: DelayByCause::default(),
        }
    }

    /// Returns the packet's arrival in ms if it left at `sent_ms`, with the delay of its resend.
    fn arrival_ms(&self, sent_ms: f64) -> f64 {
        let delay = &self.delay;
        // What is 0 without the newer faults comes last: so older links keep their arrivals to the bit.
        sent_ms
            + self.travel_ms
            + delay.reorder_ms
            + delay.bad_ms
            + delay.resend_ms
            + self.until_way_ms()
    }

    /// Time before the packet travels, ms: at the sender, in the bottleneck, and in a stall.
    fn until_way_ms(&self) -> f64 {
        let delay = &self.delay;
        delay.queue_ms + delay.transmission_ms + delay.stall_ms + delay.window_ms
    }
}

impl Channel {
    /// Makes a channel without packets. An even `direction` is the one to the receiver, an odd one the one back. Under one
    /// seed, both have different random faults.
    pub fn new(conditions: Conditions, seed: u32, direction: u32) -> Channel {
        Channel::recorded(conditions, seed, direction, None)
    }

    /// Makes a channel without packets over a recorded link, whose delays and losses replace those of the conditions.
    pub fn recorded(
        conditions: Conditions,
        seed: u32,
        direction: u32,
        trace: Option<&Arc<Trace>>,
    ) -> Channel {
        let draws = Draws { seed, direction };
        Channel {
            way: Path::new(&conditions, draws, trace),
            data_channel: conditions.data_channel.map(DataChannel::new),
            bottleneck: (conditions.bottleneck)
                .map(|bottleneck| Bottleneck::new(&bottleneck, draws.of(Use::Neighbour))),
            stream: conditions
                .retransmission_timeout_ms
                .map(ReliableStream::new),
            overrides: Overrides::default(),
            newest_arrival_ms: conditions.in_order.then_some(0.0),
            in_flight: Vec::with_capacity(conditions.usually_in_flight()),
            bytes: Bytes::default(),
            cut: false,
            counters: Counters::default(),
            completed: Vec::new(),
        }
    }

    /// Cuts the link, or ends the cut. A cut link loses every packet that is sent or would arrive. A stream loses nothing:
    /// its segments wait.
    pub fn set_cut(&mut self, cut: bool) {
        self.cut = cut;
    }

    /// Returns true if the link is cut.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The outcomes that were set by hand.
    pub fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// Sets the outcome of a packet that has not been sent yet; `None` removes an earlier setting. No other packet changes,
    /// except that a packet forced into a full queue delays later ones.
    pub fn set_override(&mut self, number: u64, forced: Option<Override>) {
        self.overrides.set(number, forced);
    }

    /// Sends a packet in `fragments` pieces, at least 1. Loss and delay of each piece are drawn from the packet's `number`. The
    /// packet is lost if a piece is lost, and arrives with its last piece. In the bottleneck the pieces count as one packet.
    pub fn send(
        &mut self,
        now_ms: f64,
        number: u64,
        packet: &[u8],
        fragments: u32,
    ) -> TransitOutcome {
        self.send_sized(now_ms, number, packet, fragments, packet.len() as u32)
    }

    /// Sends a packet that counts as `wire_bytes` in the bottleneck, headers included, however many bytes it carries. Times
    /// must rise from call to call; over a stream, packet numbers must rise, too.
    pub fn send_sized(
        &mut self,
        now_ms: f64,
        number: u64,
        packet: &[u8],
        fragments: u32,
        wire_bytes: u32,
    ) -> TransitOutcome {
        self.send_again_until(now_ms);
        self.counters.sent += 1;
        let first = self.transmit(number, 0, now_ms, fragments, wire_bytes);
        if self.stream.is_none() {
            return self.send_datagram(now_ms, number, packet, fragments, &first);
        }
        let arrives = first.lost_by.is_none();
        let segment = StreamSegment {
            number,
            sent_ms: now_ms,
            fragments,
            wire_bytes,
            place: self.bytes.put(packet),
            retransmissions: 0,
            own: arrives.then(|| (first.arrival_ms(now_ms), first.delay)),
        };
        if let Some(stream) = &mut self.stream {
            stream.push(segment);
        }
        // Without a bottleneck no transmission depends on later ones, so all are made at once.
        let is_free = self.bottleneck.is_none();
        self.send_again_until(if is_free { f64::INFINITY } else { now_ms });
        let is_own = |(completed, _): &mut (u64, TransitOutcome)| *completed == number;
        let sent = self.completed.pop_if(is_own);
        sent.map_or(TransitOutcome::default(), |(_, sent)| sent)
    }

    fn send_datagram(
        &mut self,
        now_ms: f64,
        number: u64,
        packet: &[u8],
        fragments: u32,
        transmission: &Transmission,
    ) -> TransitOutcome {
        let mut arrival_ms = transmission.arrival_ms(now_ms);
        let mut delay = transmission.delay;
        let is_on_way = !matches!(
            transmission.lost_by,
            Some(LossCause::Queue | LossCause::Cut)
        );
        if let Some(newest_ms) = self.newest_arrival_ms.as_mut().filter(|_| is_on_way) {
            *newest_ms = newest_ms.max(arrival_ms);
            delay.order_ms = *newest_ms - arrival_ms;
            arrival_ms = *newest_ms;
        }
        if let Some(cause) = transmission.lost_by {
            self.counters.lost += 1;
            self.counters.lost_by_queue += u64::from(cause == LossCause::Queue);
            return TransitOutcome {
                lost_by: Some(cause),
                delay,
                ..TransitOutcome::default()
            };
        }
        let first = Delivery {
            number,
            arrival_ms,
            copy: false,
        };
        self.put_in_flight(first, packet);
        let copy_travel_ms = self.way.copy_travel_ms(number, fragments);
        let copy_arrival_ms = copy_travel_ms
            .map(|travel_ms| (now_ms + travel_ms + transmission.until_way_ms()).max(arrival_ms));
        if let Some(copy_ms) = copy_arrival_ms {
            let copy = Delivery {
                arrival_ms: copy_ms,
                copy: true,
                ..first
            };
            self.put_in_flight(copy, packet);
        }
        TransitOutcome {
            arrival_ms: Some(arrival_ms),
            copy_arrival_ms,
            retransmissions: 0,
            delay,
            lost_by: None,
        }
    }

    /// Sends a packet through the bottleneck and the link after it. `nth` counts its earlier transmissions.
    fn transmit(
        &mut self,
        number: u64,
        nth: u32,
        at_ms: f64,
        fragments: u32,
        wire_bytes: u32,
    ) -> Transmission {
        let forced = self.overrides.get(number).filter(|_| nth == 0);
        if nth == 0 && self.cut {
            return Transmission::lost(LossCause::Cut);
        }
        let data_channel = self.data_channel.as_mut();
        let leaves_ms = data_channel.map_or(at_ms, |it| it.leaves_ms(at_ms, wire_bytes, fragments));
        let passage = match &mut self.bottleneck {
            None => Some(Passage::default()),
            Some(bottleneck) => {
                let is_forced = forced == Some(Override::Delivered);
                bottleneck.enter(leaves_ms, wire_bytes, is_forced)
            }
        };
        let Some(passage) = passage else {
            if let Some(data_channel) = &mut self.data_channel {
                data_channel.on_sent(None);
            }
            return Transmission::lost(LossCause::Queue);
        };
        let left_ms = leaves_ms + passage.wait_ms + passage.transmission_ms;
        let crossing = self.way.cross(number, nth, left_ms, fragments);
        let transmission = Transmission {
            lost_by: match forced {
                Some(Override::Lost) => Some(LossCause::Override),
                Some(Override::Delivered) => None,
                None => crossing.is_lost.then_some(LossCause::Chance),
            },
            travel_ms: crossing.travel_ms,
            delay: DelayByCause {
                window_ms: leaves_ms - at_ms,
                queue_ms: passage.wait_ms,
                transmission_ms: passage.transmission_ms,
                ..crossing.delay
            },
        };
        if let Some(data_channel) = &mut self.data_channel {
            let arrives = transmission.lost_by.is_none();
            let arrival_ms = arrives.then(|| transmission.arrival_ms(at_ms));
            data_channel.on_sent(arrival_ms);
        }
        transmission
    }

    /// Sends a stream's retransmissions that are due by `until_ms`, and releases the segments whose arrival is known.
    fn send_again_until(&mut self, until_ms: f64) {
        while let Some((place, at_ms, late_ms)) = self.next_again(until_ms) {
            let Some(stream) = &mut self.stream else {
                return;
            };
            let segment = stream.sent_again(place, at_ms).clone();
            self.counters.retransmitted += 1;
            let StreamSegment {
                number,
                fragments,
                wire_bytes,
                retransmissions,
                sent_ms,
                ..
            } = segment;
            let mut again = self.transmit(number, retransmissions, at_ms, fragments, wire_bytes);
            again.delay.resend_ms = late_ms;
            if let Some(stream) = self.stream.as_mut().filter(|_| again.lost_by.is_none()) {
                stream.arrives(place, again.arrival_ms(sent_ms), again.delay);
            }
        }
        while let Some((segment, sent)) = self.stream.as_mut().and_then(ReliableStream::release) {
            let delivery = Delivery {
                number: segment.number,
                arrival_ms: sent.arrival_ms.unwrap_or_default(),
                copy: false,
            };
            self.fly(delivery, segment.place);
            self.completed.push((segment.number, sent));
        }
    }

    fn next_again(&mut self, until_ms: f64) -> Option<(usize, f64, f64)> {
        self.stream.as_mut()?.next_again(until_ms)
    }

    /// Removes and returns the outcomes that have become known since the last call, with the packets' numbers. A stream
    /// learns a segment's arrival only after it was sent.
    pub fn drain_completed(&mut self) -> impl Iterator<Item = (u64, TransitOutcome)> {
        self.completed.drain(..)
    }

    /// Makes the retransmissions that are due by `now_ms`. Returns the bytes of the next one that has left, headers included;
    /// `None` if there is none.
    pub fn pop_retransmission(&mut self, now_ms: f64) -> Option<u32> {
        self.send_again_until(now_ms);
        self.stream.as_mut()?.pop_retransmission(now_ms)
    }

    /// Copies the next packet that has arrived by `now_ms` into `packet`; returns which it is, or `None` if none has arrived.
    pub fn receive(&mut self, now_ms: f64, packet: &mut Vec<u8>) -> Option<Delivery> {
        self.send_again_until(now_ms);
        if self.cut && self.stream.is_some() {
            return None;
        }
        while self.in_flight.last()?.delivery.arrival_ms <= now_ms {
            let flight = self.in_flight.pop()?;
            if !self.cut {
                packet.clear();
                packet.extend_from_slice(self.bytes.get(flight.packet));
            }
            let others = self.in_flight.iter_mut().map(|flight| &mut flight.packet);
            let waiting = self.stream.iter_mut().flat_map(ReliableStream::places_mut);
            self.bytes.remove(flight.packet, others.chain(waiting));
            let copy = flight.delivery.copy;
            if self.cut {
                self.counters.lost += u64::from(!copy);
                continue;
            }
            self.counters.duplicated += u64::from(copy);
            self.counters.delivered += u64::from(!copy);
            return Some(flight.delivery);
        }
        None
    }

    /// Time at which the next datagram arrives, ms; `None` if nothing is on its way. It does not count for streams.
    pub fn next_arrival_ms(&self) -> Option<f64> {
        self.in_flight
            .last()
            .map(|flight| flight.delivery.arrival_ms)
    }

    /// Replaces the link by that of the channel `new`, for datagrams that are sent from now on. Datagrams on their way arrive
    /// as they would have, and the bottleneck's queue keeps its length.
    pub fn change(&mut self, new: Channel) {
        let before = std::mem::replace(&mut self.bottleneck, new.bottleneck);
        self.data_channel = new.data_channel;
        if let (Some(bottleneck), Some(before)) = (&mut self.bottleneck, &before) {
            bottleneck.follow(before);
        }
        self.way = new.way;
        let newest_ms = (self.in_flight.first()).map_or(0.0, |it| it.delivery.arrival_ms);
        self.newest_arrival_ms = new.newest_arrival_ms.map(|_| newest_ms);
    }

    /// Counts of packets so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    fn put_in_flight(&mut self, delivery: Delivery, packet: &[u8]) {
        let packet = self.bytes.put(packet);
        self.fly(delivery, packet);
    }

    fn fly(&mut self, delivery: Delivery, packet: ByteRange) {
        // Among equals the one sent first arrives first: it has to stand behind the others.
        let at = self
            .in_flight
            .partition_point(|flight| flight.delivery.arrival_ms > delivery.arrival_ms);
        self.in_flight.insert(at, Flight { delivery, packet });
    }
}

/// Upper limit of how many transmissions of one segment a trace loses. Without a limit, a timeout of 60 s could meet the same
/// lost row in every repetition of the trace.
const RECORDED_LOSSES_MAX: u32 = 8;

/// The link after the bottleneck. The fate of a packet there depends on the seed, the direction, the packet and the trace
/// alone.
#[derive(Clone, Debug)]
struct Path {
    faults: Faults,
    stalls: Option<Stalls>,
    /// The recorded link, which replaces the modelled delay and loss.
    trace: Option<Arc<Trace>>,
    /// True for the direction back to the sender, which may have delays of its own in a trace.
    is_back: bool,
}

/// The fate of one transmission after the bottleneck.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// True if the transmission is lost by chance, or by the recorded link.
    is_lost: bool,
    /// Time that the transmission travels, ms: latency and jitter.
    travel_ms: f64,
    /// The delay in this direction by its causes, as if no packet were lost.
    delay: DelayByCause,
}

impl Path {
    /// Makes the link after the bottleneck, with the random numbers of its direction.
    fn new(conditions: &Conditions, draws: Draws, trace: Option<&Arc<Trace>>) -> Path {
        Path {
            faults: Faults::new(conditions, draws),
            stalls: (conditions.stalls).map(|stalls| Stalls::new(stalls, draws.of(Use::Stalls))),
            trace: trace.cloned(),
            is_back: draws.direction % 2 == 1,
        }
    }

    /// Returns the fate of a packet that leaves the bottleneck at `left_ms`. `nth` counts its earlier transmissions.
    fn cross(&self, number: u64, nth: u32, left_ms: f64, fragments: u32) -> Crossing {
        if let Some(delays) = self.recorded() {
            let row = delays.at(left_ms);
            return Crossing {
                is_lost: row.lost && nth < RECORDED_LOSSES_MAX,
                travel_ms: row.delay_ms,
                delay: DelayByCause {
                    base_ms: row.delay_ms,
                    ..DelayByCause::default()
                },
            };
        }
        let conditions = &self.faults.conditions;
        let state = self.faults.state(number, fragments);
        let travel_ms = self.faults.travel_ms(number, false, fragments);
        Crossing {
            is_lost: match nth {
                0 => state.is_lost,
                _ => self.faults.is_lost_again(number, u64::from(nth)),
            },
            travel_ms,
            delay: DelayByCause {
                stall_ms: self.stalls.map_or(0.0, |stalls| stalls.wait_ms(left_ms)),
                base_ms: conditions.latency_ms,
                tail_ms: travel_ms - conditions.latency_ms,
                reorder_ms: self.faults.held_ms(number),
                bad_ms: if state.is_bad && nth == 0 {
                    conditions.burst_delay_ms
                } else {
                    0.0
                },
                ..DelayByCause::default()
            },
        }
    }

    /// Time that a packet's second copy travels, ms; `None` without a copy.
    fn copy_travel_ms(&self, number: u64, fragments: u32) -> Option<f64> {
        if self.recorded().is_some() {
            return None;
        }
        let is_doubled = self.faults.is_duplicated(number);
        is_doubled.then(|| self.faults.travel_ms(number, true, fragments))
    }

    fn recorded(&self) -> Option<&Delays> {
        let trace = self.trace.as_deref()?;
        Some(match self.is_back {
            true => trace.delays_back(),
            false => trace.delays(),
        })
    }
}

#[cfg(test)]
mod pipeline_tests;
#[cfg(test)]
mod tests;
