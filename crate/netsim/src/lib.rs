//! A simulated network link, one way, in virtual time. It loses, delays, doubles and reorders packets of bytes.
//!
//! A test over a real network differs in each run. Over this link it does not: the caller gives each packet's number, which
//! keys its faults, and every instant. Two runs differ only by the changed conditions.
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | delay and lose packets | [`Channel`](channel::Channel) with [`Conditions`](channel::Conditions), one for each direction |
//! | know a packet's fate | [`TransitOutcome`](channel::TransitOutcome) at once, [`Delivery`](channel::Delivery) at its arrival, [`Counters`](channel::Counters) of all |
//! | decide a packet's fate | [`Override`](channel::Override) |
//! | replay a measured link | [`trace`], and [`Channel::recorded`](channel::Channel::recorded) |
//! | find conditions for a measured link | [`fit`](mod@fit) |
//! | put a link in front of a running game | [`Proxy`](proxy::Proxy), between your sockets |
//!
//! # Example
//!
//! ```
//! use snapshot_netsim::channel::{Channel, Conditions};
//!
//! let conditions = Conditions { latency_ms: 40.0, loss: 0.1, ..Conditions::PERFECT };
//! // Numbers of the packets that arrive, of a hundred packets, one each 50 ms. Seed 1, in the direction to the receiver.
//! let arrivals = |conditions: Conditions| -> Vec<u64> {
//!     let mut link = Channel::new(conditions, 1, 0);
//!     for number in 0..100 {
//!         link.send(50.0 * number as f64, number, &[0; 20], 1);
//!     }
//!     let mut packet = Vec::new();
//!     std::iter::from_fn(|| link.receive(60_000.0, &mut packet)).map(|delivery| delivery.number).collect()
//! };
//!
//! let arrived = arrivals(conditions);
//! assert!((80..97).contains(&arrived.len()));
//! // Jitter moves arrivals, but it loses no other packet.
//! let mut with_jitter = arrivals(Conditions { jitter_ms: 200.0, ..conditions });
//! assert_ne!(with_jitter, arrived);
//! with_jitter.sort();
//! assert_eq!(with_jitter, arrived);
//! ```
//!
//! # What is not in it
//!
//! No socket, no clock and no codec. A model has no other traffic than your packets, except by a smaller capacity.
//!
//! # Invariant
//!
//! A packet's faults depend on seed, direction, packet number and kind of fault alone, so no setting moves the faults of
//! another. Only a bottleneck's queue, a congestion window, kept order and a stream depend on earlier packets.

#![warn(missing_docs)]

pub mod channel;
pub mod fit;
pub mod link_inputs;
pub mod proxy;
#[doc(hidden)]
pub mod table;
pub mod trace;
