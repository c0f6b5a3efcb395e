//! Examples of single fields: the bits that the codec's own writer gives a value, for interactive figures.

use serde::Serialize;
use snapshot_codec::quantise::normalise;
use snapshot_codec::{
    BIT_65536THS, Baseline, Cube, CubeState, Format, Kind, Ledger, MIDDLE_GAPS, NEAR_GAPS, Rung,
    SnapshotCoder,
};
use snapshot_settings::LaneSettings;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Written {
    /// Name of the FORMAT.md rule that wrote the field.
    pub rule: &'static str,
    pub value: i64,
    /// Bits of the field as digits, most significant first.
    pub bits: String,
    /// Number of leading bits that choose the range.
    pub range_bits: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SmallestThree {
    /// The given orientation as a unit quaternion x, y, z, w.
    pub quaternion: [f32; 4],
    /// Index of the largest component, which is not sent.
    pub largest: usize,
    /// The decoded orientation, with the sign of the given one.
    pub decoded: [f32; 4],
    /// Angle between given and decoded orientation, degrees.
    pub error_deg: f32,
    /// Fields of the packet: the index of the largest component, and the three others.
    pub fields: Vec<Written>,
}

/// A position, encoded as its difference from the baseline's position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RangeCode {
    /// The given difference, quantisation steps, limited to the world's bounds.
    pub difference: [i32; 3],
    /// Reach r of a small difference: from -r to r - 1.
    pub small_reach: i32,
    /// Reach r of a large difference: from -r to r - 1.
    pub large_reach: i32,
    /// True if the three differences are sent; false if the position itself is sent.
    pub relative: bool,
    /// Fields of the packet: the relative flag, and three numbers.
    pub fields: Vec<Written>,
}

/// The index of a changed cube, encoded relative to that of the changed cube before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RelativeIndex {
    /// Index of the changed cube before this one.
    pub previous: usize,
    pub index: usize,
    pub cube_count: usize,
    /// Upper limit of the distance between two indices that is written as a near one.
    pub near_reach: usize,
    /// Upper limit of the distance between two indices that is written as a middle one.
    pub middle_reach: usize,
    /// Number of bits of an absolute index.
    pub index_bits: usize,
    /// Fields of the index. In a world of very few cubes, where one bit a cube is shorter, the changed bits.
    pub fields: Vec<Written>,
}

/// Encodes an orientation x, y, z, w, normalised or not, with the configured number of bits.
pub fn smallest_three(settings: &LaneSettings, quaternion: [f32; 4]) -> SmallestThree {
    let quaternion = normalise(quaternion);
    let format = format(settings, Rung::SmallestThree, 1);
    let cube = format.quantise(&CubeState {
        orientation: quaternion,
        ..CubeState::default()
    });
    let mut decoded = format.dequantise(&cube).orientation;
    let along: f32 = dot(quaternion, decoded);
    if along < 0.0 {
        decoded = decoded.map(|component| -component);
    }
    // By what sets them apart: the cosine of so small an angle is 1.
    let apart = std::array::from_fn(|i| quaternion[i] - decoded[i]);
    let half = libm::asinf((libm::sqrtf(dot(apart, apart)) * 0.5).min(1.0)) * 2.0;
    SmallestThree {
        quaternion,
        largest: cube.orientation[0] as usize,
        decoded,
        error_deg: 2.0 * half.to_degrees(),
        fields: written(&format, &[Cube::default()], &[cube], Kind::Orientation),
    }
}

/// Decodes the four integers of an orientation in a packet, with the set number of bits; returns x, y, z, w.
pub fn orientation_of(settings: &LaneSettings, integers: [i32; 4]) -> [f32; 4] {
    let cube = Cube {
        orientation: integers,
        ..Cube::default()
    };
    format(settings, Rung::SmallestThree, 1)
        .dequantise(&cube)
        .orientation
}

/// Encodes a position by its difference from the baseline's in steps, with the set bits and widths, within the articles'
/// bounds.
pub fn range_code(settings: &LaneSettings, difference: [i32; 3]) -> RangeCode {
    let format = format(settings, Rung::RelativePosition, 1);
    let axes = format.position_axes();
    let base = Cube {
        position: std::array::from_fn(|i| axes[i].step(1 << (axes[i].code_bits() - 1))),
        ..Cube::default()
    };
    let position =
        std::array::from_fn(|i| axes[i].clamp(base.position[i].saturating_add(difference[i])));
    // A cube that is not changed would not be written.
    let cube = Cube {
        position,
        interacting: true,
        ..base
    };
    let widths = settings.position_widths();
    let fields = written(&format, &[base], &[cube], Kind::Position);
    RangeCode {
        difference: std::array::from_fn(|i| position[i] - base.position[i]),
        small_reach: widths.small_reach(),
        large_reach: widths.reach(),
        relative: fields.first().is_some_and(|flag| flag.value == 1),
        fields,
    }
}

/// Encodes the index of the cube `gap` (1 and more) after the cube `previous`; both are limited to the number of cubes.
/// `None` if there are fewer than two cubes.
pub fn relative_index(
    settings: &LaneSettings,
    cube_count: usize,
    previous: usize,
    gap: usize,
) -> Option<RelativeIndex> {
    let last = cube_count.checked_sub(1).filter(|last| *last > 0)?;
    let previous = previous.min(last - 1);
    let index = previous.saturating_add(gap.max(1)).min(last);
    let format = format(settings, Rung::RelativeIndex, cube_count);
    let before = vec![Cube::default(); cube_count];
    let mut after = before.clone();
    for changed in [previous, index] {
        after[changed].interacting = true;
    }
    let mut fields = written(&format, &before, &after, Kind::Index);
    let absolute = |field: &&Written| field.rule == "absolute index";
    let index_bits = fields.iter().find(absolute).map(|field| field.bits.len());
    fields = match index_bits {
        // Whether by index, how many, the index of the one before.
        Some(_) => fields.split_off(3),
        // Whether by index, and a bit for each cube up to the one before.
        None => fields.drain(previous + 2..index + 2).collect(),
    };
    Some(RelativeIndex {
        previous,
        index,
        cube_count,
        near_reach: NEAR_GAPS,
        middle_reach: NEAR_GAPS + MIDDLE_GAPS,
        index_bits: index_bits.unwrap_or(index - previous),
        fields,
    })
}

fn format(settings: &LaneSettings, rung: Rung, cube_count: usize) -> Format {
    Format::new(rung, settings.bits(), cube_count.min(4096))
        .expect("the schema's ranges are the codec's, and no world has more cubes")
        .with_widths(settings.position_widths(), settings.orientation_widths())
}

/// Encodes a snapshot against a baseline, and returns the fields of one kind.
fn written(format: &Format, before: &[Cube], after: &[Cube], kind: Kind) -> Vec<Written> {
    const MADE: &str = "what the format itself has quantised is of it";
    let mut baseline = Baseline::new(format, before).expect(MADE);
    let (mut packet, mut ledger) = (Vec::new(), Ledger::with_spans());
    SnapshotCoder::new(format)
        .encode_ahead(&mut baseline, 1, after, 0, &mut packet, Some(&mut ledger))
        .expect(MADE);
    let spans = ledger.spans().iter().filter(|span| span.kind == kind);
    let bit = |at: usize| packet[at / 8] >> (7 - at % 8) & 1;
    spans
        .map(|span| {
            let first = (span.first_65536ths / BIT_65536THS) as usize;
            let length = (span.length_65536ths / BIT_65536THS) as usize;
            let bits = first..first + length;
            Written {
                rule: span.rule,
                value: span.value,
                bits: bits.map(|at| char::from(b'0' + bit(at))).collect(),
                range_bits: range_bits(span.rule),
            }
        })
        .collect()
}

/// Returns the number of leading bits that choose the range, for a rule of FORMAT.md, sections 4 and 6.
fn range_bits(rule: &str) -> usize {
    match rule {
        "near index" => 1,
        "middle index" | "far index" => 2,
        _ => usize::from(rule.ends_with(" small") || rule.ends_with(" large")),
    }
}

fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_settings::permalink;

    fn settings(link: &str) -> LaneSettings {
        permalink::parse(link).0.lane()
    }

    /// Rule, value and bits of each field.
    fn bits(fields: &[Written]) -> String {
        let told = fields.iter();
        let told = told.map(|field| format!("{} {} {}", field.rule, field.value, field.bits));
        told.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_largest_component_is_dropped_and_the_others_are_codes() {
        let told = smallest_three(&settings("#rot=9"), [0.0, 0.0, -2.0, 0.0]);
        assert_eq!((told.largest, told.quaternion), (2, [0.0, 0.0, -1.0, 0.0]));
        assert_eq!(
            bits(&told.fields),
            "largest 2 10, a absolute 256 100000000, b absolute 256 100000000, c absolute 256 100000000"
        );
        assert!(told.decoded[2] < -0.99 && told.error_deg < 0.4, "{told:?}");
        let fine = smallest_three(&settings("#rot=16"), [0.5, -0.5, 0.3, 0.4]);
        assert!(fine.error_deg < 0.01 && fine.error_deg > 0.0);
        assert_eq!(fine.fields[1].bits.len(), 16);
        // What a packet says is said again the same.
        let settings = settings("#rot=9");
        for integers in [[0, 256, 117, 300], [3, 100, 300, 256], [1, 450, 256, 256]] {
            let fields = smallest_three(&settings, orientation_of(&settings, integers)).fields;
            let values: Vec<_> = fields.iter().map(|field| field.value as i32).collect();
            assert_eq!(values, integers);
        }
    }

    #[test]
    fn a_difference_is_small_or_large_by_itself_and_all_three_are_absolute_where_one_is_beyond() {
        let of = |difference| range_code(&settings("#pos=9"), difference);
        let told = of([-16, 16, 271]);
        assert_eq!((told.small_reach, told.large_reach), (16, 272));
        assert_eq!(
            bits(&told.fields),
            "relative position 1 1, x small -16 110000, y large 16 0000000000, z large 271 0011111111"
        );
        for (difference, relative) in [
            ([0; 3], true),
            ([-272, 0, 0], true),
            ([272, 0, 0], false),
            ([0, -273, 0], false),
        ] {
            let told = of(difference);
            assert_eq!((told.relative, told.difference), (relative, difference));
            assert_eq!(told.fields[0].bits, if relative { "1" } else { "0" });
            assert_eq!(told.fields[1].rule.ends_with("absolute"), !relative);
        }
        let lengths: Vec<_> = of([999, 0, 0])
            .fields
            .iter()
            .map(|field| field.bits.len())
            .collect();
        assert_eq!(lengths, [1, 18, 18, 14]);
        // The world ends.
        assert!(of([0, 0, i32::MAX]).difference[2] < 1 << 14);
        let wide = range_code(&settings("#pos=12&pos-small=3&pos-large=3"), [7, -8, 8]);
        assert_eq!(
            (wide.small_reach, wide.large_reach, wide.relative),
            (4, 8, false)
        );
    }

    #[test]
    fn the_nearer_the_cube_before_the_shorter_the_index() {
        for (cube_count, gap, expected) in [
            (901, 1, "near index 2 1000"),
            (901, 8, "near index 9 1111"),
            (901, 9, "middle index 10 0100000"),
            (901, 40, "middle index 41 0111111"),
            (901, 41, "far index 42 000000000000"),
            (26, 24, "middle index 25 0101111"),
        ] {
            let told = relative_index(&settings("#"), cube_count, 1, gap).unwrap();
            assert_eq!((told.previous, told.index), (1, 1 + gap));
            let near = if gap <= told.near_reach { "near" } else { "" };
            let middle = gap > told.near_reach && gap <= told.middle_reach;
            assert!(
                told.fields[0]
                    .rule
                    .starts_with(if middle { "middle" } else { near })
            );
            assert_eq!(told.index_bits, if cube_count == 901 { 10 } else { 5 });
            assert_eq!(bits(&told.fields), expected);
        }
        let told = relative_index(&settings("#"), 901, 5000, 5000).unwrap();
        assert_eq!((told.previous, told.index), (899, 900));
        assert_eq!(relative_index(&settings("#"), 1, 0, 1), None);
        // Of so few cubes each has a bit.
        let few = relative_index(&settings("#"), 5, 0, 3).unwrap();
        assert_eq!(bits(&few.fields), "changed 0 0, changed 0 0, changed 1 1");
    }
}
