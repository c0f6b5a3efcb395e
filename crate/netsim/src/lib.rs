//! A simulated network link, one way, in virtual time.
//!
//! It carries bytes and knows no codec. The caller gives each packet's number, which keys its faults, and every instant.
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | delay and lose packets | [`Channel`](channel::Channel) with [`Conditions`](channel::Conditions), one for each direction |
//! | know a packet's fate | [`TransitOutcome`](channel::TransitOutcome) at once, [`Delivery`](channel::Delivery) at its arrival, [`Counters`](channel::Counters) of all |
//! | decide a packet's fate | [`Override`](channel::Override) |
//! | replay a measured link | [`trace`], and [`Channel::recorded`](channel::Channel::recorded) |
//! | conditions from a measured link | [`fit`](mod@fit) |
//! | put a link in front of a running game | [`Proxy`](proxy::Proxy), between your sockets |

#![warn(missing_docs)]

pub mod channel;
pub mod fit;
pub mod given;
pub mod proxy;
pub mod trace;
