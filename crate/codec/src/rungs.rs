//! The table of the ladder: one row for each rung. The codec, the lab, the command line and the page read it.

/// Encoding of a position, an orientation or a velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueCoding {
    /// The value is not sent.
    Absent,
    /// Floats of 32 bits.
    Float,
    /// Bounded integers.
    Integer,
    /// Bounded integers, sent relative to the baseline, in a small or a large range, where they are near it.
    Relative,
    /// Bounded integers, coded by an arithmetic coder.
    Modelled,
}

/// Encoding of the list of cubes in a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CubesCoding {
    /// All cubes, without a baseline.
    All,
    /// Changed cubes, as one bit for each cube.
    Flags,
    /// Changed cubes, as indices where these take fewer bits than the flags.
    Indices,
    /// Changed cubes, as indices relative to the one before, where these take fewer bits than the flags.
    RelativeIndices,
    /// Changed cubes, coded by an arithmetic coder.
    Modelled,
}

/// The row of a rung in the table of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RungRow {
    /// The rung that this row describes.
    pub rung: Rung,
    /// Stable name, kebab case.
    pub name: &'static str,
    /// Display name, with the rung's number.
    pub label: &'static str,
    /// Section of FORMAT.md that specifies the idea which the rung adds.
    pub section: u8,
    /// Encoding of the list of cubes in a packet.
    pub cubes: CubesCoding,
    /// Encoding of positions.
    pub position: ValueCoding,
    /// Encoding of orientations.
    pub orientation: ValueCoding,
    /// Encoding of linear velocities.
    pub linear_velocity: ValueCoding,
    /// True if each cube has an at-rest bit; a cube at rest sends no velocity.
    pub at_rest_flag: bool,
    /// True if a changed cube leaves out an unchanged position or orientation.
    pub changed_flags: bool,
    /// True if both ends need a [`Foresight`](crate::Foresight): they simulate the packet's snapshot in advance.
    pub needs_simulation: bool,
    /// What a cube's values are predicted from, apart from its neighbours, in words; `None` without prediction.
    pub predicted_from: Option<&'static str>,
}

/// The ladder of encodings: each rung keeps what the one before it does, and adds one idea.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// Position, orientation and linear velocity as floats; one interacting bit.
    Uncompressed,
    /// Orientation as its smallest three components.
    SmallestThree,
    /// Linear velocity bounded and in fixed point.
    Velocity,
    /// An at-rest bit for each cube; velocity only for moving cubes.
    AtRest,
    /// Velocity is no longer sent.
    NoVelocity,
    /// Position bounded and in fixed point.
    Position,
    /// Encoded against a baseline: one bit a cube says whether it has changed.
    NotChanged,
    /// Indices of the changed cubes, where these take fewer bits than the changed bits.
    Index,
    /// Each index is sent relative to the one before.
    RelativeIndex,
    /// Position relative to the baseline where it is near.
    RelativePosition,
    /// Orientation relative to the baseline where it is near.
    RelativeOrientation,
    /// A changed cube's unchanged position or orientation is not sent.
    ChangedFlags,
    /// The fields of the rung before, each decision coded by an arithmetic coder with adaptive probabilities.
    Arithmetic,
    /// Values predicted from motion, neighbours and floor, with tables trained on recordings.
    Predicted,
    /// Values predicted from a simulation that both ends run from the baseline.
    Simulated,
}

use {CubesCoding as Cubes, ValueCoding as Value};

/// The ladder, in the order of the numbers.
#[rustfmt::skip]
static ROWS: [RungRow; COUNT] = [
    RungRow {
        rung: Rung::Uncompressed,
        name: "uncompressed", label: "0 · uncompressed", section: 5,
        cubes: Cubes::All, position: Value::Float, orientation: Value::Float, linear_velocity: Value::Float,
        at_rest_flag: false, changed_flags: false, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::SmallestThree,
        name: "smallest-three", label: "1 · smallest three", section: 5,
        cubes: Cubes::All, position: Value::Float, orientation: Value::Integer, linear_velocity: Value::Float,
        at_rest_flag: false, changed_flags: false, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::Velocity,
        name: "velocity", label: "2 · bounded velocity", section: 5,
        cubes: Cubes::All, position: Value::Float, orientation: Value::Integer, linear_velocity: Value::Integer,
        at_rest_flag: false, changed_flags: false, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::AtRest,
        name: "at-rest", label: "3 · at-rest flag", section: 5,
        cubes: Cubes::All, position: Value::Float, orientation: Value::Integer, linear_velocity: Value::Integer,
        at_rest_flag: true, changed_flags: false, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::NoVelocity,
        name: "no-velocity", label: "4 · no velocity", section: 5,
        cubes: Cubes::All, position: Value::Float, orientation: Value::Integer, linear_velocity: Value::Absent,
        at_rest_flag: false, changed_flags: false, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::Position,
        name: "position", label: "5 · bounded position", section: 5,
        cubes: Cubes::All, position: Value::Integer, orientation: Value::Integer, linear_velocity: Value::Absent,
        at_rest_flag: false, changed_flags: false, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::NotChanged,
        name: "not-changed", label: "6 · delta: not changed", section: 4,
        cubes: Cubes::Flags, position: Value::Integer, orientation: Value::Integer, linear_velocity: Value::Absent,
        at_rest_flag: false, changed_flags: false, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::Index,
        name: "index", label: "7 · index or changed bits", section: 4,
        cubes: Cubes::Indices, position: Value::Integer, orientation: Value::Integer, linear_velocity: Value::Absent,
        at_rest_flag: false, changed_flags: false, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::RelativeIndex,
        name: "relative-index", label: "8 · relative index", section: 4,
        cubes: Cubes::RelativeIndices, position: Value::Integer, orientation: Value::Integer, linear_velocity: Value::Absent,
        at_rest_flag: false, changed_flags: false, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::RelativePosition,
        name: "relative-position", label: "9 · relative position", section: 6,
        cubes: Cubes::RelativeIndices, position: Value::Relative, orientation: Value::Integer, linear_velocity: Value::Absent,
        at_rest_flag: false, changed_flags: false, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::RelativeOrientation,
        name: "relative-orientation", label: "10 · relative orientation", section: 6,
        cubes: Cubes::RelativeIndices, position: Value::Relative, orientation: Value::Relative, linear_velocity: Value::Absent,
        at_rest_flag: false, changed_flags: false, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::ChangedFlags,
        name: "changed-flags", label: "11 · changed flags", section: 5,
        cubes: Cubes::RelativeIndices, position: Value::Relative, orientation: Value::Relative, linear_velocity: Value::Absent,
        at_rest_flag: false, changed_flags: true, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::Arithmetic,
        name: "arithmetic", label: "12 · arithmetic coding", section: 14,
        cubes: Cubes::Modelled, position: Value::Modelled, orientation: Value::Modelled, linear_velocity: Value::Absent,
        at_rest_flag: false, changed_flags: true, needs_simulation: false, predicted_from: None,
    },
    RungRow {
        rung: Rung::Predicted,
        name: "predicted", label: "13 · predicted", section: 15,
        cubes: Cubes::Modelled, position: Value::Modelled, orientation: Value::Modelled, linear_velocity: Value::Absent,
        at_rest_flag: false, changed_flags: true, needs_simulation: false, predicted_from: Some("its own motion"),
    },
    RungRow {
        rung: Rung::Simulated,
        name: "simulated", label: "14 · simulated", section: 16,
        cubes: Cubes::Modelled, position: Value::Modelled, orientation: Value::Modelled, linear_velocity: Value::Absent,
        at_rest_flag: false, changed_flags: true, needs_simulation: true, predicted_from: Some("what both ends simulate"),
    },
];

const COUNT: usize = Rung::Simulated as usize + 1;

impl Rung {
    /// All rungs, by number.
    pub const ALL: [Self; COUNT] = {
        let mut all = [Self::Uncompressed; COUNT];
        let mut number = 0;
        while number < COUNT {
            all[number] = ROWS[number].rung;
            assert!(
                all[number] as usize == number,
                "the rows are in the order of the rungs"
            );
            number += 1;
        }
        all
    };

    /// The rung's row of the table.
    pub const fn row(self) -> &'static RungRow {
        &ROWS[self as usize]
    }

    /// The rung's number, 0 to 14.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Stable name, kebab case.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The rung of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rung| rung.name() == name)
    }

    /// Says whether linear velocity is sent.
    pub fn sends_velocity(self) -> bool {
        self.row().linear_velocity != ValueCoding::Absent
    }

    /// Says whether packets are encoded against a baseline.
    pub fn is_delta(self) -> bool {
        self.row().cubes != CubesCoding::All
    }

    /// Says whether the crate was built with this rung: rungs 13 and 14 are features.
    pub const fn is_built(self) -> bool {
        (!matches!(self, Self::Predicted) || cfg!(feature = "predicted"))
            && (!matches!(self, Self::Simulated) || cfg!(feature = "simulated"))
    }

    /// Says whether the rung uses an arithmetic coder, so that there is a [`Class`] to choose.
    pub fn is_arithmetic(self) -> bool {
        self.row().cubes == CubesCoding::Modelled
    }

    /// Says whether both ends need a [`Foresight`](crate::Foresight).
    pub fn needs_simulation(self) -> bool {
        self.row().needs_simulation
    }

    /// Says whether differences of positions, and perhaps of orientations, are sent in small and large ranges.
    pub fn sends_ranges(self) -> bool {
        self.row().position == ValueCoding::Relative
    }

    /// Says whether both rungs quantise a cube to the same integers.
    pub fn quantises_as(self, other: Self) -> bool {
        let of = |rung: Self| {
            let row = rung.row();
            let is_float = |coding| coding == ValueCoding::Float;
            let integers = (is_float(row.position), is_float(row.orientation));
            (integers, row.linear_velocity, row.at_rest_flag)
        };
        of(self) == of(other)
    }
}

/// The coder's state from which a packet of an arithmetic rung may be decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Class {
    /// The baseline snapshot alone; on rung `simulated` also the snapshot that it was encoded against, and the inputs between.
    Strict,
    /// The baseline snapshot and the coder state that both ends store beside it, which depends on the baseline's own baselines.
    #[default]
    Chained,
}

impl Class {
    /// Both classes.
    pub const ALL: [Self; 2] = [Self::Strict, Self::Chained];

    /// Stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Chained => "chained",
        }
    }

    /// The class of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn format_md_has_the_section_of_each_row() {
        let specification = include_str!("../FORMAT.md");
        for rung in Rung::ALL {
            let (row, number) = (rung.row(), rung.number());
            let heading = format!("\n## {}. ", row.section);
            assert!(specification.contains(&heading), "{}", row.name);
            let own = format!("{heading}Rung {number}, {}", row.name);
            assert_eq!(specification.contains(&own), rung.is_arithmetic(), "{own}");
        }
    }

    #[test]
    fn each_rung_has_a_name_of_its_own() {
        for rung in Rung::ALL {
            assert_eq!(Rung::from_name(rung.name()), Some(rung));
            assert_eq!(Rung::ALL[usize::from(rung.number())], rung);
            let label = rung.row().label;
            assert!(
                label.starts_with(&format!("{} · ", rung.number())),
                "{label}"
            );
        }
    }
}
