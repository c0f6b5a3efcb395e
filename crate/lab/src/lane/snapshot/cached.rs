//! Quantising and its reverse without doing again what has not changed since the last snapshot: most cubes are still.

use crate::reel::Bits;
use snapshot_codec::{Cube, CubeState, Format};

/// A snapshot as a format sends it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quantised {
    truth: Vec<CubeState>,
    cubes: Vec<Cube>,
}

impl Quantised {
    /// Goes over to these cubes, always with the same format.
    pub(crate) fn update(&mut self, format: &Format, truth: &[CubeState]) {
        let quantise = |cube: &CubeState| format.quantise(cube);
        update(&mut self.truth, &mut self.cubes, truth, quantise);
    }

    /// As they are sent.
    pub(crate) fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// Memory that it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.truth.capacity() * size_of::<CubeState>() + self.cubes.capacity() * size_of::<Cube>()
    }
}

/// A snapshot as it came, in metres.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dequantised {
    cubes: Vec<Cube>,
    states: Vec<CubeState>,
}

impl Dequantised {
    /// Goes over to these cubes, always of the same format.
    pub(crate) fn update(&mut self, format: &Format, cubes: &[Cube]) {
        let dequantise = |cube: &Cube| format.dequantise(cube);
        update(&mut self.cubes, &mut self.states, cubes, dequantise);
    }

    /// In metres.
    pub(crate) fn states(&self) -> &[CubeState] {
        &self.states
    }

    /// Memory that it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.cubes.capacity() * size_of::<Cube>() + self.states.capacity() * size_of::<CubeState>()
    }
}

/// Makes `seen` into `now`, and `results` with it where the two differ.
fn update<T: Bits, R>(
    seen: &mut Vec<T>,
    results: &mut Vec<R>,
    now: &[T],
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
        if !seen.same_bits(now) {
            (*seen, *old) = (*now, result(now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use crate::tape::Tape;

    #[test]
    fn what_is_not_done_again_comes_out_the_same() {
        let tape = Tape::record(&Settings::default(), 150);
        let format = Format::new(
            snapshot_codec::Rung::ChangedFlags,
            snapshot_codec::QuantisationBits::DEFAULT,
            tape.world().cube_count(),
        );
        let format = format.unwrap();
        let (mut quantised, mut dequantised) = (Quantised::default(), Dequantised::default());
        let mut truth = Vec::new();
        // Backwards too.
        for tick in (90..150).chain([3, 149]) {
            assert!(tape.truth().read(tick, &mut truth));
            quantised.update(&format, &truth);
            let afresh: Vec<_> = truth.iter().map(|cube| format.quantise(cube)).collect();
            assert_eq!(quantised.cubes(), afresh);
            dequantised.update(&format, &afresh);
            let afresh: Vec<_> = afresh.iter().map(|cube| format.dequantise(cube)).collect();
            assert_eq!(dequantised.states(), afresh);
        }
    }
}
