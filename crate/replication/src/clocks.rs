//! Instants of the clocks that meet at one end, each a type of its own.
//!
//! A game gives the time of its own clock, as a bare `now_ms`. `PassingTime` turns it into passed time. `PacedClock` converts
//! between passed and paced time. A part that knows one clock alone takes a bare `now_ms`, too. `InputQueue` says which reading
//! of its clock belongs to a tick of the server.

/// An instant of an end's monotonic clock, ms. That clock never goes back, whatever the game's clock says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PassedMs(pub(crate) f64);

/// An instant of a client's paced time, ms. Playout and inputs get no other time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PacedMs(pub(crate) f64);

/// A tick of the server with its fraction, counted from the tick that `epoch_of` returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ServerTick(pub(crate) f64);

/// An instant of a client's input clock, in ticks from the same one on. That clock runs ahead of the server's tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InputTick(pub(crate) f64);

impl PassedMs {
    /// Returns the time since an earlier instant, ms.
    pub(crate) fn since(self, earlier: PassedMs) -> f64 {
        self.0 - earlier.0
    }
}
