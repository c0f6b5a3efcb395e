//! The instants of a game's three clocks, each a type of its own, and the conversions between them.
//!
//! The lane counts the tape's ticks. The server counts ticks from its own start, and the client takes over that count. The
//! network's time is the server's time; the client's clock may drift against it.

/// An instant of the network's clock, ms after the server's start.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(super) struct NetworkMs(pub(super) f64);

/// An instant of the client's clock, ms. The client of `snapshot-replication` gets no other time.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct ClientMs(pub(super) f64);

/// A tick of the server's count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WholeServerTick(pub(super) u64);

/// A tick of the lane and of its tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LaneTick(pub(super) u64);

/// Conversions between the instants of the clocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    /// Length of a tick of the server, ms of the network's clock.
    pub(super) tick_ms: f64,
    /// Speed of the client's clock, as a factor of the network's.
    pub(super) client_speed: f64,
    /// The lane's tick less the server's tick of the same input; `None` before the client's clock runs.
    pub(super) offset: Option<i64>,
}

impl Clocks {
    pub(super) fn client(&self, at: NetworkMs) -> ClientMs {
        ClientMs(at.0 * self.client_speed)
    }

    pub(super) fn network(&self, at: ClientMs) -> NetworkMs {
        NetworkMs(at.0 / self.client_speed)
    }

    /// Returns the instant at which the server runs a tick.
    pub(super) fn tick_at(&self, tick: WholeServerTick) -> NetworkMs {
        NetworkMs(tick.0 as f64 * self.tick_ms)
    }

    /// Returns the lane's tick; before the client's clock runs it equals the server's.
    pub(super) fn lane(&self, tick: WholeServerTick) -> LaneTick {
        LaneTick(
            tick.0
                .saturating_add_signed(self.offset.unwrap_or_default()),
        )
    }

    pub(super) fn server(&self, tick: LaneTick) -> WholeServerTick {
        WholeServerTick(
            tick.0
                .saturating_add_signed(-self.offset.unwrap_or_default()),
        )
    }
}

impl NetworkMs {
    pub(super) fn after(self, ms: f64) -> NetworkMs {
        NetworkMs(self.0 + ms)
    }

    /// Returns the time since an earlier instant, ms.
    pub(super) fn since(self, earlier: NetworkMs) -> f64 {
        self.0 - earlier.0
    }
}

impl WholeServerTick {
    pub(super) fn next(self) -> WholeServerTick {
        WholeServerTick(self.0 + 1)
    }
}
