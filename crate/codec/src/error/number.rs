//! The numbers of errors, for programs in other languages. A number is never given again. 408 was that of a range in fixed
//! point. 443, 444, 452 to 455, 523 to 525 and 528 were those of packets of inputs and of state synchronisation.

use super::{ConfigError, DecodeError, EncodeError, SnapshotError};

impl ConfigError {
    /// The error's number, which stays the same in later versions.
    pub const fn number(&self) -> u32 {
        match self {
            Self::PositionBits(_) => 401,
            Self::OrientationBits(_) => 402,
            Self::VelocityBits(_) => 403,
            Self::Widths { .. } => 404,
            Self::CubeCount(_) => 405,
            Self::Bounds { .. } => 406,
            Self::Player { .. } => 407,
            Self::SimulatedSlots => 409,
            Self::KindBits(_) => 410,
            Self::FieldBits(_) => 411,
            Self::FieldCount => 412,
            Self::RungNotBuilt(_) => 413,
        }
    }
}

impl SnapshotError {
    /// The error's number, which stays the same in later versions.
    pub const fn number(&self) -> u32 {
        match self {
            Self::CubeCount { .. } => 431,
            Self::OutOfRange { .. } => 432,
            Self::EmptyWithFields { .. } => 433,
            Self::OtherFormat => 434,
            Self::RowNumbers { .. } => 435,
        }
    }
}

impl EncodeError {
    /// The error's number, which stays the same in later versions.
    pub const fn number(&self) -> u32 {
        match self {
            Self::Snapshot(error) => error.number(),
            Self::SequenceNotNewer { .. } => 442,
        }
    }
}

impl DecodeError {
    /// The error's number, which stays the same in later versions.
    pub const fn number(&self) -> u32 {
        match self {
            Self::Truncated { .. } => 501,
            Self::NonZeroPadding { .. } => 502,
            Self::TrailingBytes { .. } => 503,
            Self::NotShortest { .. } => 504,
            Self::TooFarAhead { .. } => 505,
            Self::BaselineNotOlder { .. } => 506,
            Self::BaselineTooOld { .. } => 507,
            Self::Baseline(error) => error.number(),
            Self::BaselineUnknown { .. } => 509,
            Self::ChangedCount { .. } => 510,
            Self::IndexOutOfRange { .. } => 511,
            Self::IndexNotRising { .. } => 512,
            Self::ChangedModeNotCheapest { .. } => 513,
            Self::NotFinite { .. } => 514,
            Self::OutOfRange { .. } => 515,
            Self::NeedlessAbsolute { .. } => 516,
            Self::FieldNotChanged { .. } => 517,
            Self::CubeNotChanged { .. } => 518,
            Self::SymbolWithoutMeaning { .. } => 519,
            Self::LifeNotChanged { .. } => 520,
            Self::NoLifeChanged => 521,
            Self::CubeSettled { .. } => 522,
            Self::InputRepeated { .. } => 526,
            Self::ForeseenOtherwise { .. } => 527,
            Self::NoFieldsChanged => 529,
            Self::IdNotChanged { .. } => 530,
        }
    }
}
