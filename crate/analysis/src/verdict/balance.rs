//! Bits of positions and orientations together: the pair with the least bandwidth whose surface error is small enough.
//!
//! A finer position leaves more of the surface error to the orientation, and the other way round. So each pair of bits is
//! measured on the motion. Pairs that keep the error are encoded, unless another pair has fewer bits of both.

use super::sweep::{Missing, Sweep};
use serde::Serialize;
use snapshot_base::order;
use snapshot_codec::quantise::{FixedPoint, SmallestThree};
use snapshot_codec::{Bounds, CubeState};
use snapshot_lane::surface::{Surfaces, Turn};
use snapshot_record::session_config::SessionConfig;
use snapshot_settings::{Key, Settings};

/// Range of allowed numbers of fractional bits of a position.
const POSITION_BITS: std::ops::RangeInclusive<u32> = 1..=12;
/// Range of allowed numbers of bits of an orientation component.
const ORIENTATION_BITS: std::ops::RangeInclusive<u32> = 2..=16;
const POSITIONS: usize = (*POSITION_BITS.end() - *POSITION_BITS.start() + 1) as usize;
const ORIENTATIONS: usize = (*ORIENTATION_BITS.end() - *ORIENTATION_BITS.start() + 1) as usize;

/// Numbers of bits of a position's coordinate and of an orientation's component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) position: u32,
    pub(super) orientation: u32,
}

impl Bits {
    pub(super) const FINEST: Bits = Bits {
        position: *POSITION_BITS.end(),
        orientation: *ORIENTATION_BITS.end(),
    };

    pub(super) fn from_settings(settings: &Settings) -> Bits {
        Bits {
            position: settings.position_bits(),
            orientation: settings.orientation_bits(),
        }
    }

    pub(super) fn set(self, settings: &mut Settings) {
        let _ = settings.set(Key::PositionBits, self.position);
        let _ = settings.set(Key::OrientationBits, self.orientation);
    }
}

/// Greatest surface error of quantisation for each pair of bits, over all states that moved.
pub(super) struct JointErrors {
    surfaces: Surfaces,
    positions: [[FixedPoint; 3]; POSITIONS],
    orientations: [SmallestThree; ORIENTATIONS],
    worst_mm: [[f64; ORIENTATIONS]; POSITIONS],
}

impl JointErrors {
    pub(super) fn new(session_config: &SessionConfig) -> JointErrors {
        let axes = |bounds: Bounds, bits: u32| {
            let (lower, upper) = (bounds.lower(), bounds.upper());
            std::array::from_fn(|axis| FixedPoint::new(lower[axis], upper[axis], bits))
        };
        let components =
            |place: usize| SmallestThree::new(ORIENTATION_BITS.start() + place as u32, false);
        JointErrors {
            surfaces: Surfaces::new(session_config),
            positions: std::array::from_fn(|place| {
                axes(session_config.bounds, POSITION_BITS.start() + place as u32)
            }),
            orientations: std::array::from_fn(components),
            worst_mm: [[0.0; ORIENTATIONS]; POSITIONS],
        }
    }

    /// Adds the quantisation errors of an object's state for each pair of bits. An exact error is only computed if the sum of
    /// the errors of position and orientation exceeds the pair's greatest so far.
    pub(super) fn add(&mut self, index: usize, object: &CubeState) {
        let still = Turn::between([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]);
        let truth = object.orientation.map(f64::from);
        let turns = self.orientations.each_ref().map(|components| {
            let sent = components.dequantise(components.quantise(object.orientation));
            let turn = Turn::between(sent.map(f64::from), truth);
            (turn, self.surfaces.joint_error_mm(index, [0.0; 3], turn))
        });
        for (axes, worst_mm) in self.positions.iter().zip(&mut self.worst_mm) {
            let moved_m: [f64; 3] = std::array::from_fn(|axis| {
                let (of, at) = (&axes[axis], object.position[axis]);
                f64::from(of.dequantise(of.quantise(at))) - f64::from(at)
            });
            let moved_mm = self.surfaces.joint_error_mm(index, moved_m, still);
            for ((turn, turned_mm), worst_mm) in turns.iter().zip(worst_mm) {
                if moved_mm + turned_mm > *worst_mm {
                    *worst_mm = worst_mm.max(self.surfaces.joint_error_mm(index, moved_m, *turn));
                }
            }
        }
    }

    pub(super) fn worst_mm(&self, bits: Bits) -> f64 {
        let row = (bits.position - POSITION_BITS.start()) as usize;
        self.worst_mm[row][(bits.orientation - ORIENTATION_BITS.start()) as usize]
    }

    /// Returns the pair with these bits of an orientation and the fewest of a position that keep a surface error.
    pub(super) fn coarsest(&self, wanted_mm: f64, orientation: u32) -> Option<Bits> {
        let mut pairs = POSITION_BITS.map(|position| Bits {
            position,
            orientation,
        });
        pairs.find(|pair| self.worst_mm(*pair) <= wanted_mm)
    }

    /// Returns the pairs that keep a surface error, without pairs that have at least as many bits of both as another. Empty
    /// if no pair keeps it.
    pub(super) fn candidates(&self, wanted_mm: f64) -> Vec<Bits> {
        let mut found: Vec<Bits> = Vec::new();
        for orientation in ORIENTATION_BITS {
            let Some(bits) = self.coarsest(wanted_mm, orientation) else {
                continue;
            };
            if (found.last()).is_none_or(|finer| bits.position < finer.position) {
                found.push(bits);
            }
        }
        found
    }
}

/// Bits of a position's coordinate and of an orientation's component, with the surface error and bandwidth that they cause.
/// The surface error is the greatest distance of a corner of a drawn object from its true place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BitsPair {
    /// Number of fractional bits of a position's coordinate.
    pub position_bits: u32,
    /// Number of bits of an orientation's component.
    pub orientation_bits: u32,
    /// Greatest surface error of quantisation over all states that moved, mm.
    pub surface_mm: f64,
    /// Mean bandwidth on rung 12 at the send rate of the comparison, kbit/s, headers included.
    pub kbps: f64,
    /// Mean number of bits of a changed object; `None` if none changed.
    pub bits_per_changed_cube: Option<f64>,
}

impl BitsPair {
    pub(super) fn bits(&self) -> Bits {
        Bits {
            position: self.position_bits,
            orientation: self.orientation_bits,
        }
    }
}

/// Returns pairs of bits with their costs at a send rate, cheapest first.
pub(super) fn pairs(
    sweep: &Sweep,
    settings: &Settings,
    measured: &[Bits],
    rate_hz: u32,
    errors: &JointErrors,
) -> Result<Vec<BitsPair>, Missing> {
    let pair = |(part, bits): (usize, &Bits)| {
        let mut settings = *settings;
        bits.set(&mut settings);
        let _ = settings.set(Key::SendRate, rate_hz);
        let row = sweep.rung(&settings);
        let row = row.map_err(|missing| missing.in_part(part, measured.len()))?;
        Ok(BitsPair {
            position_bits: bits.position,
            orientation_bits: bits.orientation,
            surface_mm: errors.worst_mm(*bits),
            kbps: row.map_or(0.0, |row| row.kbps),
            bits_per_changed_cube: row.and_then(|row| row.bits_per_changed_cube),
        })
    };
    let pairs = measured.iter().enumerate().map(pair);
    let mut pairs = pairs.collect::<Result<Vec<BitsPair>, Missing>>()?;
    order::sort_by(&mut pairs, |a, b| a.kbps.total_cmp(&b.kbps));
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::super::sweep::RUNG;
    use super::*;
    use crate::ladder::{climb, rungs};
    use crate::span::TickSpan;
    use crate::testing::{driving, settings};
    use snapshot_netsim::channel::LinkInputs;
    use snapshot_record::tape::Tape;

    fn errors(tape: &Tape) -> JointErrors {
        let mut errors = JointErrors::new(&tape.session_config());
        let mut frame = Vec::new();
        for tick in tape.truth().ticks() {
            tape.read_truth(tick, &mut frame);
            frame
                .iter()
                .enumerate()
                .for_each(|(index, cube)| errors.add(index, cube));
        }
        errors
    }

    #[test]
    fn skipped_pairs_have_the_error_of_every_state_measured() {
        let tape = Tape::of_motion(&driving(5, 5, 6.0), 60);
        let errors = errors(&tape);
        let surfaces = Surfaces::new(&tape.session_config());
        let (lower, upper) = (
            tape.session_config().bounds.lower(),
            tape.session_config().bounds.upper(),
        );
        for bits in [(9, 9), (3, 12), (12, 4)].map(|(position, orientation)| Bits {
            position,
            orientation,
        }) {
            let components = SmallestThree::new(bits.orientation, false);
            let (mut worst_mm, mut frame) = (0.0_f64, Vec::new());
            for tick in tape.truth().ticks() {
                tape.read_truth(tick, &mut frame);
                for (index, cube) in frame.iter().enumerate() {
                    let moved_m = std::array::from_fn(|axis| {
                        let of = FixedPoint::new(lower[axis], upper[axis], bits.position);
                        let at = cube.position[axis];
                        f64::from(of.dequantise(of.quantise(at))) - f64::from(at)
                    });
                    let sent = components.dequantise(components.quantise(cube.orientation));
                    let turn = Turn::between(sent.map(f64::from), cube.orientation.map(f64::from));
                    worst_mm = worst_mm.max(surfaces.joint_error_mm(index, moved_m, turn));
                }
            }
            assert_eq!(errors.worst_mm(bits), worst_mm, "{bits:?}");
        }
    }

    #[test]
    fn candidates_are_within_the_error_and_none_beats_another() {
        let tape = Tape::of_motion(&driving(5, 5, 6.0), 120);
        let errors = errors(&tape);
        for wanted_mm in [0.5, 2.0, 5.0, 20.0, 100.0] {
            let found = errors.candidates(wanted_mm);
            assert!(!found.is_empty());
            for bits in &found {
                assert!(errors.worst_mm(*bits) <= wanted_mm);
                let coarser = Bits {
                    position: bits.position - 1,
                    ..*bits
                };
                assert!(bits.position == 1 || errors.worst_mm(coarser) > wanted_mm);
            }
            assert!(found.windows(2).all(|two| {
                two[0].position > two[1].position && two[0].orientation < two[1].orientation
            }));
        }
        assert_eq!(errors.candidates(1e-6), []);
    }

    #[test]
    fn a_pair_costs_what_its_ladder_says() {
        let tape = Tape::of_motion(&driving(4, 4, 6.0), 120);
        let link = settings("#hz=20&class=strict");
        let wanted = [(9, 9), (7, 6)].map(|(position, orientation)| Bits {
            position,
            orientation,
        });
        let window = TickSpan {
            after: 0,
            last: 120,
        };
        let link_inputs = LinkInputs::default();
        let mut sweep = Sweep::new(link_inputs.clone(), window, 0.0);
        let errors = errors(&tape);
        let pairs = loop {
            match pairs(&sweep, &link, &wanted, 20, &errors) {
                Ok(pairs) => break pairs,
                Err(Missing::Asked(asked, settings, _)) => sweep.make(&tape, asked, *settings),
                Err(Missing::Packets) => panic!("no packets"),
            }
        };
        assert_eq!((pairs[0].position_bits, pairs[0].orientation_bits), (7, 6));
        for pair in pairs {
            let mut settings = link;
            pair.bits().set(&mut settings);
            let rungs = rungs(&tape, &[settings.lane().class()]);
            let costs = climb(
                &tape,
                &settings,
                &link_inputs,
                window,
                &rungs,
                &mut |_, _| (),
            );
            let row = &costs.rows[usize::from(RUNG.number())];
            assert_eq!((row.rung, row.kbps), (RUNG.number(), pair.kbps));
        }
    }
}
