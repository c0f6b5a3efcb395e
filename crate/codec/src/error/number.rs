//! The numbers of errors, for those who pass them over a border. A number is never given again.

use super::{ConfigError, DecodeError, EncodeError, SnapshotError, SyncEncodeError};

impl ConfigError {
    /// The error's number, which stays.
    pub const fn number(&self) -> u32 {
        match self {
            Self::PositionBits(_) => 201,
            Self::OrientationBits(_) => 202,
            Self::VelocityBits(_) => 203,
            Self::Widths { .. } => 204,
            Self::CubeCount(_) => 205,
            Self::Bounds { .. } => 206,
            Self::Player { .. } => 207,
            Self::FixedPoint { .. } => 208,
            Self::SimulatedSlots => 209,
            Self::KindBits(_) => 210,
            Self::FieldBits(_) => 211,
            Self::FieldCount => 212,
        }
    }
}

impl SnapshotError {
    /// The error's number, which stays.
    pub const fn number(&self) -> u32 {
        match self {
            Self::CubeCount { .. } => 231,
            Self::OutOfRange { .. } => 232,
            Self::EmptyWithFields { .. } => 233,
            Self::OtherFormat => 234,
            Self::RowNumbers { .. } => 235,
        }
    }
}

impl EncodeError {
    /// The error's number, which stays.
    pub const fn number(&self) -> u32 {
        match self {
            Self::Snapshot(error) => error.number(),
            Self::SequenceNotNewer { .. } => 242,
            Self::InputCount(_) => 243,
            Self::InputOutOfRange(_) => 244,
        }
    }
}

impl SyncEncodeError {
    /// The error's number, which stays.
    pub const fn number(&self) -> u32 {
        match self {
            Self::Cube(error) => error.number(),
            Self::Index { .. } => 252,
            Self::Twice { .. } => 253,
            Self::Inputs => 254,
            Self::SequenceNotNewer { .. } => 255,
        }
    }
}

impl DecodeError {
    /// The error's number, which stays.
    pub const fn number(&self) -> u32 {
        match self {
            Self::Truncated { .. } => 301,
            Self::NonZeroPadding { .. } => 302,
            Self::TrailingBytes { .. } => 303,
            Self::NotShortest { .. } => 304,
            Self::TooFarAhead { .. } => 305,
            Self::BaselineNotOlder { .. } => 306,
            Self::BaselineTooOld { .. } => 307,
            Self::Baseline(error) => error.number(),
            Self::BaselineUnknown { .. } => 309,
            Self::ChangedCount { .. } => 310,
            Self::IndexOutOfRange { .. } => 311,
            Self::IndexNotRising { .. } => 312,
            Self::ChangedModeNotCheapest { .. } => 313,
            Self::NotFinite { .. } => 314,
            Self::OutOfRange { .. } => 315,
            Self::NeedlessAbsolute { .. } => 316,
            Self::FieldNotChanged { .. } => 317,
            Self::CubeNotChanged { .. } => 318,
            Self::SymbolWithoutMeaning { .. } => 319,
            Self::LifeNotChanged { .. } => 320,
            Self::NoLifeChanged => 321,
            Self::CubeSettled { .. } => 322,
            Self::NoInputs => 323,
            Self::InputNotChanged { .. } => 324,
            Self::UpdateCount { .. } => 325,
            Self::InputRepeated { .. } => 326,
            Self::ForeseenOtherwise { .. } => 327,
            Self::UpdateBaselineUnknown { .. } => 328,
            Self::NoFieldsChanged => 329,
            Self::IdNotChanged { .. } => 330,
        }
    }
}
