//! Figures of a connection, as either end measures them.

/// Share of a new round trip in the smoothed one, as in TCP (RFC 6298).
const SMOOTHING: f64 = 0.125;

/// The round trip to the other end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RoundTrip {
    smoothed_ms: Option<f64>,
    least_ms: Option<f64>,
}

impl RoundTrip {
    /// Begins with an estimate, where there is none.
    pub(crate) fn begin(&mut self, ms: f64) {
        self.smoothed_ms.get_or_insert(ms);
    }

    /// Takes one measured round trip.
    pub(crate) fn take(&mut self, ms: f64) {
        let before = self.smoothed_ms.unwrap_or(ms);
        self.smoothed_ms = Some(before + (ms - before) * SMOOTHING);
        self.least_ms = Some(self.least_ms.map_or(ms, |least| least.min(ms)));
    }

    pub(crate) fn smoothed_ms(&self) -> Option<f64> {
        self.smoothed_ms
    }
}
