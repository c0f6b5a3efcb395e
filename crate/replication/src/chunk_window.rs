//! The congestion window of a joining snapshot, in chunks: the number of its chunks that may be in flight.
//!
//! A joining client gets a large snapshot at once, so its chunks must not fill the queue of a slow link. The window is that of
//! TCP (RFC 5681, 3.1; RFC 9002, 7): an acknowledged chunk lets it grow, a loss halves it, at most once in a retransmission
//! timeout. Two constants differ. It grows by a whole chunk for each acknowledgement, as in slow start, without a threshold: a
//! join is over in a few round trips. It ends at 32 chunks, since the game's packets share the link with it.

/// Number of chunks in flight at first: some 10 kB, the initial window of RFC 6928.
const INITIAL: f64 = 8.0;
/// Least number of chunks in flight.
const MIN: f64 = 2.0;
/// Greatest number of chunks in flight.
const MAX: f64 = 32.0;

/// Number of chunks that may be in flight.
#[derive(Debug)]
pub(crate) struct ChunkWindow {
    cwnd: f64,
    /// Time of the last loss, ms.
    loss_ms: f64,
}

impl Default for ChunkWindow {
    fn default() -> Self {
        Self {
            cwnd: INITIAL,
            loss_ms: f64::MIN,
        }
    }
}

impl ChunkWindow {
    /// Returns the number of chunks that may be in flight.
    pub(crate) fn chunks(&self) -> usize {
        self.cwnd as usize
    }

    pub(crate) fn on_ack(&mut self) {
        self.cwnd = (self.cwnd + 1.0).min(MAX);
    }

    /// Halves the window, at most once in a retransmission timeout.
    pub(crate) fn on_loss(&mut self, now_ms: f64, rto_ms: f64) {
        if now_ms - self.loss_ms >= rto_ms {
            self.cwnd = (self.cwnd / 2.0).max(MIN);
            self.loss_ms = now_ms;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acknowledgements_open_the_window_and_one_loss_a_timeout_halves_it() {
        let mut window = ChunkWindow::default();
        (0..100).for_each(|_| window.on_ack());
        assert_eq!(window.chunks(), 32);
        for (now_ms, chunks) in [
            (0.0, 16),
            (99.0, 16),
            (100.0, 8),
            (200.0, 4),
            (300.0, 2),
            (400.0, 2),
        ] {
            window.on_loss(now_ms, 100.0);
            assert_eq!(window.chunks(), chunks, "{now_ms} ms");
        }
    }
}
