//! Values as raw bits, for comparing and storing them exactly.

use snapshot_codec::{CubeState, Life};

/// A value of up to 16 words that a [`DeltaHistory`](super::DeltaHistory) can store.
pub trait Words: Copy {
    type Array: AsRef<[u32]> + AsMut<[u32]>;
    /// An array to read words into. It also holds the words of a slot in ticks before its object exists.
    const NO_WORDS: Self::Array;
    /// Sizes of groups of words that usually change together, in order; up to 8 groups.
    const GROUPS: &'static [usize];
    fn words(&self) -> Self::Array;
    fn of_words(words: Self::Array) -> Self;

    /// Returns true if every bit is the same: 0 and -0 differ.
    fn is_same(&self, other: &Self) -> bool {
        self.words().as_ref() == other.words().as_ref()
    }

    /// Filler for a slot in the ticks before its object exists.
    fn before_it_was_added() -> Self {
        Self::of_words(Self::NO_WORDS)
    }
}

impl Words for CubeState {
    type Array = [u32; 14];
    const NO_WORDS: [u32; 14] = [0; 14];
    const GROUPS: &'static [usize] = &[3, 4, 3, 3, 1];

    fn words(&self) -> [u32; 14] {
        let [px, py, pz] = self.position.map(f32::to_bits);
        let [x, y, z, w] = self.orientation.map(f32::to_bits);
        let [vx, vy, vz] = self.linear_velocity.map(f32::to_bits);
        let [wx, wy, wz] = self.angular_velocity.map(f32::to_bits);
        let [interacting, at_rest] = [self.interacting, self.at_rest].map(u32::from);
        let flags = interacting | at_rest << 1 | u32::from(self.life.code()) << 2;
        [px, py, pz, x, y, z, w, vx, vy, vz, wx, wy, wz, flags]
    }

    fn of_words(words: [u32; 14]) -> CubeState {
        let [px, py, pz, x, y, z, w, vx, vy, vz, wx, wy, wz, flags] = words;
        CubeState {
            position: [px, py, pz].map(f32::from_bits),
            orientation: [x, y, z, w].map(f32::from_bits),
            linear_velocity: [vx, vy, vz].map(f32::from_bits),
            angular_velocity: [wx, wy, wz].map(f32::from_bits),
            interacting: flags & 1 != 0,
            at_rest: flags & 2 != 0,
            life: Life::from_code((flags >> 2 & 3) as u8).unwrap_or_default(),
        }
    }

    fn before_it_was_added() -> CubeState {
        CubeState::EMPTY
    }
}

impl Words for u64 {
    type Array = [u32; 2];
    const NO_WORDS: [u32; 2] = [0; 2];
    const GROUPS: &'static [usize] = &[2];

    fn words(&self) -> [u32; 2] {
        [*self as u32, (*self >> 32) as u32]
    }

    fn of_words([low, high]: [u32; 2]) -> u64 {
        u64::from(low) | u64::from(high) << 32
    }
}
