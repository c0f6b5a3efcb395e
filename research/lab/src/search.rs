//! The search for the widths of small and large ranges, over samples of cubes and their baselines.
//!
//! Two rules define a range. One is that of the estimator behind the figures published with the articles; it counts ranges
//! as narrower than they are. The other is the codec's own, under which a candidate costs exactly the bits that the codec
//! would write.

use snapshot_codec::quantise::FixedPoint;
use snapshot_codec::{
    BIT_65536THS, Baseline, Cube, Format, Kind, Ledger, QuantisationBits, Rung, SnapshotCoder,
    Widths,
};
use snapshot_record::challenge::INTERVAL;
use std::fmt;
use std::num::ParseIntError;
use std::ops::RangeInclusive;

/// The articles' bits, in which the samples are.
const BITS: QuantisationBits = QuantisationBits::DEFAULT;
/// Most cubes of a format.
const CUBES_MAX: usize = 4096;

/// A quantity that is sent relative to the baseline when the difference is small enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Orientations as smallest three, of 9 bits a component.
    SmallestThree,
    /// Positions, in 512 steps a metre.
    Position,
}

/// A cube of which only the quantity counts, and the same of its baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The newer one.
    pub cube: Cube,
    /// Its baseline.
    pub base: Cube,
}

/// Widths of each of the three components.
pub type Candidate = [Widths; 3];

/// Three differences to a baseline; `None` where the value can only be sent absolute.
pub type Difference = Option<[i32; 3]>;

/// The rule by which a range holds a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The published estimator's: small |d| < 2^(s-1) - 1, large |d| < 2^(s-1) + 2^(l-1) - 2.
    Published,
    /// The codec's: small from -2^(s-1) to 2^(s-1) - 1, large 2^(l-1) further on either side.
    Codec,
}

impl Rule {
    /// Bits of a difference; none beyond both ranges.
    fn bits(self, widths: Widths, difference: i32) -> Option<u32> {
        if self == Self::Codec {
            return widths.bits(difference);
        }
        let [small, large] = [widths.small_bits(), widths.large_bits()].map(|bits| 1 << (bits - 1));
        let by = difference.abs();
        if by < small - 1 {
            Some(1 + widths.small_bits())
        } else if by < small + large - 2 {
            Some(1 + widths.large_bits())
        } else {
            None
        }
    }
}

impl Quantity {
    /// Every combination of these widths that the codec takes, the large ones wider than the small; of a position x and y have
    /// the same.
    pub fn candidates(
        self,
        small_bits: RangeInclusive<u32>,
        large_bits: RangeInclusive<u32>,
    ) -> Vec<Candidate> {
        let pairs: Vec<Widths> = small_bits
            .flat_map(|small_bits| {
                large_bits
                    .clone()
                    .filter(move |&large_bits| large_bits > small_bits)
                    .filter_map(move |large_bits| Widths::new(small_bits, large_bits).ok())
            })
            .collect();
        match self {
            Self::SmallestThree => pairs.into_iter().map(|all| [all; 3]).collect(),
            Self::Position => pairs
                .iter()
                .flat_map(|&level| pairs.iter().map(move |&upright| [level, level, upright]))
                .collect(),
        }
    }

    /// Bits of a value where none is relative.
    pub fn value_bits(self) -> u64 {
        let bits = match self {
            Self::SmallestThree => 2 + 3 * BITS.orientation(),
            Self::Position => axes().map(FixedPoint::code_bits).iter().sum(),
        };
        u64::from(bits)
    }

    /// The samples' differences to their baselines.
    pub fn differences(self, samples: &[Sample]) -> Vec<Difference> {
        let difference = |Sample { cube, base }: &Sample| self.difference(cube, base);
        samples.iter().map(difference).collect()
    }

    /// The difference of a cube to its baseline.
    pub fn difference(self, cube: &Cube, base: &Cube) -> Difference {
        match self {
            Self::Position => Some(subtract(cube.position, base.position)),
            Self::SmallestThree => {
                let [largest, codes @ ..] = cube.orientation;
                let [base_largest, base_codes @ ..] = base.orientation;
                (largest == base_largest).then(|| subtract(codes, base_codes))
            }
        }
    }

    /// Bits of all of them with these widths.
    pub fn bits(self, differences: &[Difference], candidate: Candidate, rule: Rule) -> u64 {
        let bits = |difference: &Difference| {
            let parts = candidate.iter().zip((*difference)?);
            let bits: Option<u32> = parts.map(|(&widths, by)| rule.bits(widths, by)).sum();
            Some(1 + u64::from(bits?))
        };
        let absolute_bits = 1 + self.value_bits();
        let bits = |difference| bits(difference).unwrap_or(absolute_bits);
        differences.iter().map(bits).sum()
    }

    /// Bits that the codec writes for the same samples.
    pub fn written_bits(self, samples: &[Sample]) -> u64 {
        let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
        for samples in samples.chunks(CUBES_MAX) {
            let format = format(samples.len());
            let base: Vec<Cube> = samples.iter().map(|sample| sample.base).collect();
            // This rung sends position and orientation of every changed cube, and so each counts as changed.
            let cubes: Vec<Cube> = samples
                .iter()
                .map(|sample| Cube {
                    interacting: !sample.base.interacting,
                    ..sample.cube
                })
                .collect();
            let mut base = Baseline::new(&format, &base).expect(PARSED);
            SnapshotCoder::new(&format)
                .encode_ahead(&mut base, 1, &cubes, 0, &mut packet, Some(&mut ledger))
                .expect(PARSED);
        }
        let kind = match self {
            Self::SmallestThree => Kind::Orientation,
            Self::Position => Kind::Position,
        };
        (ledger.get_65536ths(kind) / BIT_65536THS) as u64
    }

    /// Reads a line a sample, as the author's dumps have them: `largest,a,b,c` of an orientation or `x,y,z` of a position,
    /// then the same of the baseline.
    pub fn parse_samples(self, text: &str) -> Result<Vec<Sample>, SampleError> {
        text.lines()
            .enumerate()
            .map(|(index, line)| self.parse_sample(index + 1, line))
            .collect()
    }

    fn parse_sample(self, line: usize, text: &str) -> Result<Sample, SampleError> {
        let mut sample = Sample {
            cube: Cube::default(),
            base: Cube::default(),
        };
        let slots = [&mut sample.cube, &mut sample.base].map(|cube| match self {
            Self::SmallestThree => &mut cube.orientation[..],
            Self::Position => &mut cube.position[..],
        });
        let expected = slots.iter().map(|half| half.len()).sum();
        let fields = text.split(',').count();
        if fields != expected {
            return Err(SampleError::FieldCount {
                line,
                fields,
                expected,
            });
        }
        for (slot, field) in slots.into_iter().flatten().zip(text.split(',')) {
            *slot = field
                .trim()
                .parse()
                .map_err(|cause| SampleError::NotAnInteger { line, cause })?;
        }
        match format(2).check(&[sample.cube, sample.base]) {
            Ok(()) => Ok(sample),
            Err(_) => Err(SampleError::OutOfRange { line }),
        }
    }
}

const PARSED: &str = "samples are in the format's range";

/// The first rung on which both quantities are relative.
fn format(cube_count: usize) -> Format {
    Format::new(Rung::RelativeOrientation, BITS, cube_count).expect("1 to 4096 cubes")
}

/// The axes of a position.
fn axes() -> [FixedPoint; 3] {
    format(1).position_axes()
}

fn subtract(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// Cubes that a relative rung sends of a capture: those that differ from the frame [`INTERVAL`] before.
pub fn samples_of(frames: &[Vec<Cube>]) -> Vec<Sample> {
    frames
        .iter()
        .zip(frames.iter().skip(INTERVAL))
        .flat_map(|(base, frame)| base.iter().zip(frame))
        .filter(|(base, cube)| base != cube)
        .map(|(&base, &cube)| Sample { cube, base })
        .collect()
}

/// Why a text of samples was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SampleError {
    /// A line has not as many fields as a sample.
    FieldCount {
        /// From 1.
        line: usize,
        /// Fields that it has.
        fields: usize,
        /// Fields of a sample.
        expected: usize,
    },
    /// A field is no integer.
    NotAnInteger {
        /// From 1.
        line: usize,
        /// The parser's error.
        cause: ParseIntError,
    },
    /// The default quantisation has no such orientation or position.
    OutOfRange {
        /// From 1.
        line: usize,
    },
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FieldCount {
                line,
                fields,
                expected,
            } => write!(f, "line {line}: {fields} fields, {expected} expected"),
            Self::NotAnInteger { line, cause } => write!(f, "line {line}: {cause}"),
            Self::OutOfRange { line } => write!(f, "line {line}: a value is out of range"),
        }
    }
}

impl std::error::Error for SampleError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_names_what_it_refuses() {
        let parse = |text| Quantity::SmallestThree.parse_samples(text);
        let [first] = parse("3,0,511,7,0,1,2,3\n").unwrap()[..] else {
            panic!("one line is one sample")
        };
        assert_eq!(first.cube.orientation, [3, 0, 511, 7]);
        assert_eq!(first.base.orientation, [0, 1, 2, 3]);
        assert_eq!(
            parse("3,0,511,7,0,1,2,3\n1"),
            Err(SampleError::FieldCount {
                line: 2,
                fields: 1,
                expected: 8
            })
        );
        for text in ["4,0,0,0,0,0,0,0", "0,0,0,0,0,0,0,512", "0,0,0,0,0,-1,0,0"] {
            assert_eq!(parse(text), Err(SampleError::OutOfRange { line: 1 }));
        }
        assert!(matches!(
            parse("x,0,0,0,0,0,0,0"),
            Err(SampleError::NotAnInteger { line: 1, .. })
        ));
        let parse = |text| Quantity::Position.parse_samples(text);
        let [first] = parse("1,-2,3, 4,5,6").unwrap()[..] else {
            panic!("one line is one sample")
        };
        assert_eq!(first.cube.position, [1, -2, 3]);
        assert_eq!(first.base.position, [4, 5, 6]);
        assert_eq!(
            parse("0,0,16384,0,0,0"),
            Err(SampleError::OutOfRange { line: 1 })
        );
    }

    /// Bits of a difference of the first component, at 5 and 8 bits.
    fn bits(rule: Rule, by: i32) -> u64 {
        let widths = Widths::new(5, 8).unwrap();
        Quantity::SmallestThree.bits(&[Some([by, 0, 0])], [widths; 3], rule)
    }

    #[test]
    fn a_range_ends_where_its_rule_says() {
        assert_eq!(
            [14, -14, 15, -15, 141, 142, -142].map(|by| bits(Rule::Published, by)),
            [19, 19, 22, 22, 22, 30, 30]
        );
        assert_eq!(
            [15, -16, 16, -17, 143, 144, -144, -145].map(|by| bits(Rule::Codec, by)),
            [19, 19, 22, 22, 22, 30, 22, 30]
        );
        let other_largest = Quantity::SmallestThree.bits(
            &[None],
            Quantity::SmallestThree.candidates(5..=5, 8..=8)[0],
            Rule::Codec,
        );
        assert_eq!(other_largest, 30);
    }

    proptest::proptest! {
        #[test]
        fn the_codecs_rule_counts_what_is_written(
            base in proptest::array::uniform3(0..512_i32),
            by in proptest::array::uniform3(proptest::prop_oneof![-20..20_i32, -300..300]),
            same_largest in proptest::bool::weighted(0.9),
        ) {
            let value: [i32; 3] = std::array::from_fn(|i| (base[i] + by[i]).clamp(0, 511));
            let cube = |largest: bool, [a, b, c]: [i32; 3]| Cube {
                orientation: [i32::from(largest), a, b, c],
                position: [a, b, c],
                ..Cube::default()
            };
            let samples = [Sample { cube: cube(same_largest, value), base: cube(true, base) }];
            for (quantity, large_bits) in [(Quantity::SmallestThree, 8), (Quantity::Position, 9)] {
                let candidate = [Widths::new(5, large_bits).unwrap(); 3];
                let counted = quantity.bits(&quantity.differences(&samples), candidate, Rule::Codec);
                proptest::prop_assert_eq!(counted, quantity.written_bits(&samples));
            }
        }
    }
}
