//! Coding of numbers: each by a symbol, whose distribution is mixed from the tables' and learned ones, and by raw bits.

use super::flight::{self, Flight, Flights};
use super::learned::{self, LearnedState};
use super::mixture;
use super::observer::CoderObserver;
use super::shape::{self, ESCAPE, LARGEST, Shape};
use super::tables::{Coefficients, Tables};
use crate::model::logarithms::truncate;

/// The context of a number: the facts that both ends know before it is coded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberContext {
    /// Index of the number among the six of a cube: x, y, z and three orientation components.
    pub(crate) number: usize,
    /// Mean of the number's expected distribution.
    pub(crate) mean: f32,
    pub(crate) scale_log2: f32,
    /// Class (0 to 7) of the size of one of the cube's errors that is already known.
    pub(crate) error_class: usize,
    /// Class of two errors that are already known; it selects one of the learned distributions.
    pub(crate) learned: usize,
}

/// A coder of numbers, by the trained tables and the learned statistics.
pub(crate) struct Decider<'a, C> {
    pub(crate) coder: &'a mut C,
    pub(crate) coefficients: &'a Coefficients,
    pub(super) tables: &'a Tables,
    pub(crate) learned: &'a mut LearnedState,
    /// Shared state of flights, if the format has flights.
    pub(super) flights: Option<&'a mut Flights>,
}

impl<C: CoderObserver> Decider<'_, C> {
    /// Codes the difference between a number and the integer nearest to the expected mean; returns the number. First comes a
    /// size class, by a distribution of the expected shape; then the bits that select a size within the class.
    pub(crate) fn number(&mut self, expected: &NumberContext, value: i32) -> i32 {
        self.around(expected.mean, value, |decider, apart, residual| {
            let mut shape = Shape::new(apart, expected.scale_log2);
            shape.scale = shape.scale.max(decider.learned.least_scale());
            decider.residual(expected, shape, residual)
        })
    }

    /// Codes a number as [`Decider::number`] does, by the filter of a cube: of its displacement (0) or orientation (1).
    pub(super) fn flown(&mut self, flight: &Flight, which: usize, mean: f32, value: i32) -> i32 {
        self.around(mean, value, |decider, apart, residual| {
            let Self { coder, flights, .. } = decider;
            let Some(flights) = flights else {
                return residual;
            };
            let place = flight.place(which, apart);
            match coder.adaptive_one(&mut flights.numbers, place, flight::class_of(residual)) {
                ESCAPE => decider.escape(0, residual.unsigned_abs(), residual < 0),
                class => flight::residual_of(class),
            }
        })
    }

    /// Codes a number by `code`, which takes the distance of the mean from the nearest integer, and the residual. Both are
    /// mirrored where the mean is below that integer.
    #[inline(always)]
    fn around(
        &mut self,
        mean: f32,
        value: i32,
        code: impl FnOnce(&mut Self, f32, i32) -> i32,
    ) -> i32 {
        // Truncation rounds to nearest, because the sum is positive.
        let mean = mean.clamp(-60_000.0, 60_000.0);
        let nearest = truncate(mean + 65_536.5) as i32 - 65_536;
        let apart = mean - nearest as f32;
        let mirrored = apart < 0.0;
        let mirror = |residual: i32| {
            if mirrored {
                residual.wrapping_neg()
            } else {
                residual
            }
        };
        let residual = code(self, apart, mirror(value.wrapping_sub(nearest)));
        nearest.wrapping_add(mirror(residual))
    }

    #[inline(always)]
    fn residual(&mut self, expected: &NumberContext, shape: Shape, residual: i32) -> i32 {
        let kind = [0, 0, 1, 2, 2, 2][expected.number];
        let alphabet = shape.alphabet();
        let rows = Tables::number_rows(
            kind,
            [
                shape.row(),
                shape.scale / 2 * super::tables::ERRORS + expected.error_class,
            ],
        );
        let (size, negative) = (residual.unsigned_abs(), residual < 0);
        let with_sign = alphabet < 2;
        let of = shape::size_of(alphabet, size);
        // The signed alphabets have a class for each sign.
        let class = if with_sign && (1..ESCAPE).contains(&of) {
            2 * of - usize::from(!negative)
        } else {
            of
        };
        let set = kind * shape::ALPHABETS + alphabet;
        let Self {
            coder,
            tables,
            learned,
            ..
        } = self;
        let statics = rows.map(|row| &tables.rows[row]);
        let (rate, age) = (learned.rate(), learned.age());
        let places = LearnedState::number_places(kind, alphabet, shape, expected.learned);
        let of_learned = (&mut learned.numbers, places, age);
        let weights = &mut learned.weights[set];
        let class = mixture::code(*coder, statics, of_learned, weights, rate, class);
        coder.classified(Some(set), &rows, class);
        if class == 0 {
            return 0;
        }
        if class == ESCAPE {
            return self.escape(alphabet, size, negative);
        }
        let of = if with_sign { class.div_ceil(2) } else { class };
        let (least, bits) = shape::sizes_of(alphabet, of);
        let low = size.wrapping_sub(least) & ((1 << bits) - 1);
        let (low, negative) = if with_sign {
            let low = match bits {
                0 => 0,
                _ => self.coder.code_uniform(low, bits),
            };
            (low, class & 1 == 0)
        } else {
            let both = self
                .coder
                .code_uniform(u32::from(negative) << bits | low, bits + 1);
            (both & ((1 << bits) - 1), both >> bits == 1)
        };
        let size = (least + low) as i32;
        if negative { -size } else { size }
    }

    /// Codes a residual too large for its alphabet: its bit length, its sign, and its bits.
    #[cold]
    fn escape(&mut self, alphabet: usize, size: u32, negative: bool) -> i32 {
        let beyond = size.wrapping_sub(LARGEST[alphabet]).max(1);
        let exponent = beyond.ilog2();
        let escapes = &mut self.learned.escapes;
        escapes.begin(alphabet, &learned::escapes(alphabet), 5);
        let wanted = exponent.min(15) as usize;
        let class = self.coder.adaptive_one(escapes, alphabet, wanted) as u32;
        let exponent = if class == 15 {
            15 + self.coder.code_uniform(exponent.wrapping_sub(15) & 15, 4)
        } else {
            class
        };
        let negative = self.coder.code_uniform(negative.into(), 1) == 1;
        let low = match exponent {
            0 => 0,
            _ => self
                .coder
                .code_uniform(beyond & ((1 << exponent) - 1), exponent),
        };
        let size = (1_u32 << exponent) + low + LARGEST[alphabet];
        if negative {
            (size as i32).wrapping_neg()
        } else {
            size as i32
        }
    }
}
