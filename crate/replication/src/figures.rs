//! Figures of a connection, as either end measures them.

/// Share of a new round trip in the smoothed one, as in TCP (RFC 6298).
const SMOOTHING: f64 = 0.125;

/// The round trip to the other end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RoundTrip {
    smoothed_ms: Option<f64>,
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
    }

    pub(crate) fn smoothed_ms(&self) -> Option<f64> {
        self.smoothed_ms
    }
}

/// Which of the numbered datagrams came.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Arrivals {
    newest: Option<u64>,
    /// Bit i: the one i before the newest came.
    came: u128,
    /// Numbers since the first one.
    count: u64,
}

/// Numbers of which a late one may still come.
const LATE: u32 = 8;

impl Arrivals {
    /// Takes a number, and says whether it is new. One that is too old is not.
    pub(crate) fn take(&mut self, number: u64) -> bool {
        let newest = *self.newest.get_or_insert(number);
        if self.count == 0 || number > newest {
            let ahead = if self.count == 0 { 1 } else { number - newest };
            self.came = self.came.checked_shl(ahead.min(128) as u32).unwrap_or(0) | 1;
            self.count += ahead;
            self.newest = Some(number);
            return true;
        }
        let bit = 1_u128.checked_shl((newest - number).min(128) as u32);
        let is_new = bit.is_some_and(|bit| self.came & bit == 0);
        self.came |= bit.unwrap_or(0);
        is_new
    }

    /// The number that stands for 16 bits: the nearest to the newest.
    pub(crate) fn number_of(&self, sequence: u16) -> u64 {
        let newest = self.newest.unwrap_or(1 << 16);
        newest.wrapping_add_signed(i64::from(sequence.wrapping_sub(newest as u16) as i16))
    }

    pub(crate) fn newest(&self) -> Option<u64> {
        self.newest
    }

    /// Bit i: the one i + 1 before the newest came.
    pub(crate) fn before(&self) -> u32 {
        (self.came >> 1) as u32
    }

    /// The share of the last 120 that were lost.
    pub(crate) fn lost(&self) -> f64 {
        let known = self.count.min(128).saturating_sub(LATE.into()) as u32;
        let came = (self.came >> LATE).count_ones();
        match known {
            0 => 0.0,
            known => f64::from(known.saturating_sub(came)) / f64::from(known),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrivals_are_counted_once_and_late_ones_are_not_lost() {
        let mut arrivals = Arrivals::default();
        for number in 0..1000 {
            if number % 4 != 3 {
                assert!(arrivals.take(number));
                assert!(!arrivals.take(number));
            }
            if number % 4 == 2 {
                assert!(number < 4 || arrivals.take(number - 3));
            }
        }
        assert_eq!(arrivals.lost(), 0.0);
        (1000..1400)
            .filter(|it| it % 5 != 0)
            .for_each(|it| assert!(arrivals.take(it)));
        assert!((arrivals.lost() - 0.2).abs() < 0.02, "{}", arrivals.lost());
        assert!(!arrivals.take(3));
        assert_eq!(arrivals.number_of((1399_u64 + 5) as u16), 1404);
        assert!(arrivals.take(1_000_000));
        assert_eq!(arrivals.before(), 0);
    }
}
