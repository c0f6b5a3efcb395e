//! The ladder: a table with one row for each rung. A rung is one encoding of snapshots, 0 to 14.

/// Encoding of a position, an orientation or a velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueCoding {
    /// The value is not sent.
    Absent,
    /// The value is sent as floats of 32 bits.
    Float,
    /// The value is sent as bounded integers.
    Integer,
    /// The value is sent as bounded integers: as differences from the baseline where these are small, else whole.
    Relative,
    /// The value is sent as bounded integers, by an arithmetic coder with probabilities of a model.
    Modelled,
}

/// Encoding of the list of cubes in a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CubesCoding {
    /// A packet has all cubes, and no baseline.
    All,
    /// A packet has the changed cubes, marked by one bit for each cube.
    Flags,
    /// A packet has the changed cubes, listed by index where that takes fewer bits than flags.
    Indices,
    /// A packet has the changed cubes, listed by distances between indices where these take fewer bits than flags.
    RelativeIndices,
    /// A packet has the changed cubes, marked by decisions of an arithmetic coder.
    Modelled,
}

/// The row of a rung in the table of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RungRow {
    /// The rung that this row describes.
    pub rung: Rung,
    /// Name of the rung, kebab case; it stays the same in later versions.
    pub name: &'static str,
    /// Display name, with the rung's number.
    pub label: &'static str,
    /// Section of FORMAT.md that specifies this rung's addition to the rung before.
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
    /// Words for the source of a cube's prediction, besides its neighbours; `None` without prediction.
    pub predicted_from: Option<&'static str>,
}

/// A rung of the ladder of encodings: it keeps the ideas of the rung before, and adds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// Sends position, orientation and linear velocity as floats, and one interacting bit.
    Uncompressed,
    /// Sends an orientation as its smallest three components.
    SmallestThree,
    /// Sends linear velocity in fixed point, within bounds.
    Velocity,
    /// Sends an at-rest bit for each cube, and velocity only for moving cubes.
    AtRest,
    /// Sends no velocities, unlike the rungs before.
    NoVelocity,
    /// Sends positions in fixed point, within bounds.
    Position,
    /// Encodes against a baseline: one bit a cube says whether it has changed.
    NotChanged,
    /// Lists the changed cubes by index, where that takes fewer bits than one bit a cube.
    Index,
    /// Sends each index as the distance from the index before.
    RelativeIndex,
    /// Sends a position as its difference from the baseline's, where that is small.
    RelativePosition,
    /// Sends an orientation as its difference from the baseline's, where that is small.
    RelativeOrientation,
    /// Leaves out a changed cube's unchanged position or orientation.
    ChangedFlags,
    /// Sends the fields of rung `changed-flags` by an arithmetic coder with adaptive probabilities.
    Arithmetic,
    /// Predicts values from motion, neighbours and floor, with tables trained on recordings.
    Predicted,
    /// Predicts values from a simulation that both ends run from the baseline.
    Simulated,
}

use {CubesCoding as Cubes, ValueCoding as Value};

/// The table of the ladder, a row for each rung, by rung number.
#[rustfmt::skip]
static ROWS: [RungRow; COUNT] = {
    let uncompressed = RungRow {
        rung: Rung::Uncompressed, name: "uncompressed", label: "0 · uncompressed", section: 5,
        cubes: Cubes::All, position: Value::Float, orientation: Value::Float, linear_velocity: Value::Float,
        at_rest_flag: false, changed_flags: false, needs_simulation: false, predicted_from: None,
    };
    let smallest = uncompressed.then(Rung::SmallestThree, "smallest-three", "1 · smallest three", 5);
    let smallest = RungRow { orientation: Value::Integer, ..smallest };
    let velocity = smallest.then(Rung::Velocity, "velocity", "2 · bounded velocity", 5);
    let velocity = RungRow { linear_velocity: Value::Integer, ..velocity };
    let at_rest = velocity.then(Rung::AtRest, "at-rest", "3 · at-rest flag", 5);
    let at_rest = RungRow { at_rest_flag: true, ..at_rest };
    let no_velocity = at_rest.then(Rung::NoVelocity, "no-velocity", "4 · no velocity", 5);
    let no_velocity = RungRow { linear_velocity: Value::Absent, at_rest_flag: false, ..no_velocity };
    let position = no_velocity.then(Rung::Position, "position", "5 · bounded position", 5);
    let position = RungRow { position: Value::Integer, ..position };
    let not_changed = position.then(Rung::NotChanged, "not-changed", "6 · delta: not changed", 4);
    let not_changed = RungRow { cubes: Cubes::Flags, ..not_changed };
    let index = not_changed.then(Rung::Index, "index", "7 · index or changed bits", 4);
    let index = RungRow { cubes: Cubes::Indices, ..index };
    let relative = index.then(Rung::RelativeIndex, "relative-index", "8 · relative index", 4);
    let relative = RungRow { cubes: Cubes::RelativeIndices, ..relative };
    let moved = relative.then(Rung::RelativePosition, "relative-position", "9 · relative position", 6);
    let moved = RungRow { position: Value::Relative, ..moved };
    let turned = moved.then(Rung::RelativeOrientation, "relative-orientation", "10 · relative orientation", 6);
    let turned = RungRow { orientation: Value::Relative, ..turned };
    let flags = turned.then(Rung::ChangedFlags, "changed-flags", "11 · changed flags", 5);
    let flags = RungRow { changed_flags: true, ..flags };
    let modelled = flags.then(Rung::Arithmetic, "arithmetic", "12 · arithmetic coding", 14);
    let modelled = RungRow { cubes: Cubes::Modelled, position: Value::Modelled, orientation: Value::Modelled, ..modelled };
    let predicted = modelled.then(Rung::Predicted, "predicted", "13 · predicted", 15);
    let predicted = RungRow { predicted_from: Some("its own motion"), ..predicted };
    let simulated = predicted.then(Rung::Simulated, "simulated", "14 · simulated", 16);
    let simulated = RungRow { needs_simulation: true, predicted_from: Some("what both ends simulate"), ..simulated };
    [
        uncompressed, smallest, velocity, at_rest, no_velocity, position, not_changed, index, relative, moved, turned,
        flags, modelled, predicted, simulated,
    ]
};

impl RungRow {
    /// Makes the row of the next rung: a copy of this row, but for rung, name, label and section.
    const fn then(self, rung: Rung, name: &'static str, label: &'static str, section: u8) -> Self {
        Self {
            rung,
            name,
            label,
            section,
            ..self
        }
    }
}

const COUNT: usize = Rung::Simulated as usize + 1;

impl Rung {
    /// All rungs, by rising number.
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

    /// Name of the rung, kebab case; it stays the same in later versions.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the rung with this name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rung| rung.name() == name)
    }

    /// Returns true if linear velocity is sent.
    pub fn sends_velocity(self) -> bool {
        self.row().linear_velocity != ValueCoding::Absent
    }

    /// Returns true if packets are encoded against a baseline.
    pub fn is_delta(self) -> bool {
        self.row().cubes != CubesCoding::All
    }

    /// Returns true if the crate was built with this rung: rungs 13 and 14 are features.
    pub const fn is_built(self) -> bool {
        (!matches!(self, Self::Predicted) || cfg!(feature = "predicted"))
            && (!matches!(self, Self::Simulated) || cfg!(feature = "simulated"))
    }

    /// Returns true if the rung uses an arithmetic coder, so that there is a [`Class`] to choose.
    pub fn is_arithmetic(self) -> bool {
        self.row().cubes == CubesCoding::Modelled
    }

    /// Returns true if both ends need a [`Foresight`](crate::Foresight).
    pub fn needs_simulation(self) -> bool {
        self.row().needs_simulation
    }

    /// Returns true if differences of positions, and perhaps of orientations, are sent in a small or a large range.
    pub fn sends_ranges(self) -> bool {
        self.row().position == ValueCoding::Relative
    }

    /// Returns true if both rungs quantise a cube to the same integers.
    pub fn quantises_as(self, other: Self) -> bool {
        let of = |rung: Self| {
            // All columns are named, so that a new one is compared or left out on purpose.
            let &RungRow {
                rung: _,
                name: _,
                label: _,
                section: _,
                cubes: _,
                position,
                orientation,
                linear_velocity,
                at_rest_flag,
                changed_flags: _,
                needs_simulation: _,
                predicted_from: _,
            } = rung.row();
            let is_float = |coding| coding == ValueCoding::Float;
            let integers = (is_float(position), is_float(orientation));
            (integers, linear_velocity, at_rest_flag)
        };
        of(self) == of(other)
    }
}

/// The coder class: the state from which a packet of an arithmetic rung is decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Class {
    /// The baseline snapshot alone; on rung `simulated` also that snapshot's own baseline, and the inputs between the two.
    Strict,
    /// The baseline snapshot and the coder state that both ends store beside it. That state depends on the baseline's own
    /// baselines.
    #[default]
    Chained,
}

impl Class {
    /// Both classes, strict first.
    pub const ALL: [Self; 2] = [Self::Strict, Self::Chained];

    /// Name of the class; it stays the same in later versions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Chained => "chained",
        }
    }

    /// Returns the class with this name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
