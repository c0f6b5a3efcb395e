//! Quantising and its reverse for the cubes that changed since the last snapshot: most cubes are still.

use snapshot_codec::{Cube, CubeState, Format};

/// A snapshot, quantised by a format.
#[derive(Clone, Debug, Default)]
pub struct Quantised {
    truth: Vec<CubeState>,
    cubes: Vec<Cube>,
}

impl Quantised {
    /// Replaces the snapshot by these cubes. The format must stay the same.
    pub fn update(&mut self, format: &Format, truth: &[CubeState]) {
        let quantise = |cube: &CubeState| format.quantise(cube);
        update(
            &mut self.truth,
            &mut self.cubes,
            truth,
            CubeState::same_bits,
            quantise,
        );
    }

    /// The cubes as they are sent.
    pub fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// Memory that it takes, bytes.
    pub fn held_bytes(&self) -> usize {
        self.truth.capacity() * size_of::<CubeState>() + self.cubes.capacity() * size_of::<Cube>()
    }
}

/// A received snapshot, in metres.
#[derive(Clone, Debug, Default)]
pub(super) struct Dequantised {
    cubes: Vec<Cube>,
    states: Vec<CubeState>,
}

impl Dequantised {
    /// Replaces the snapshot by these cubes. The format must stay the same.
    pub(super) fn update(&mut self, format: &Format, cubes: &[Cube]) {
        let dequantise = |cube: &Cube| format.dequantise(cube);
        update(
            &mut self.cubes,
            &mut self.states,
            cubes,
            Cube::eq,
            dequantise,
        );
    }

    /// The cubes in metres.
    pub(super) fn states(&self) -> &[CubeState] {
        &self.states
    }

    /// Memory that it takes, bytes.
    pub(super) fn held_bytes(&self) -> usize {
        self.cubes.capacity() * size_of::<Cube>() + self.states.capacity() * size_of::<CubeState>()
    }
}

/// Makes `seen` into `now`, and `results` with it where the two differ.
fn update<T: Copy, R>(
    seen: &mut Vec<T>,
    results: &mut Vec<R>,
    now: &[T],
    same: impl Fn(&T, &T) -> bool,
    result: impl Fn(&T) -> R,
) {
    if seen.len() != now.len() {
        seen.clear();
        seen.extend_from_slice(now);
        results.clear();
        results.extend(now.iter().map(result));
        return;
    }
    for ((seen, old), now) in seen.iter_mut().zip(results).zip(now) {
        if !same(seen, now) {
            (*seen, *old) = (*now, result(now));
        }
    }
}
