//! The change symbol of a cube: unchanged, or which of its parts changed.

use super::Cubes;
use super::flags::FlagContexts;
use super::learned::{LearnedState, QuietCounts};
use super::mixture;
use super::neighbours::NearMotion;
use super::observer::CoderObserver;
use super::tables::Tables;
use crate::error::DecodeError;
use crate::ledger::Kind;
use crate::model::symbols::{CLASSES, LAST};
use crate::model::{change_symbol, check_symbol};

/// Number of quiet cubes in a run. A run is coded together: its symbol names the first changed cube. Only the poses of quiet
/// cubes are known.
const RUN: usize = CLASSES - 1;
/// The class of a run's symbol that means: none of the cubes in the run has changed.
const NONE: usize = CLASSES - 1;
/// Number by which the probabilities of a run's symbol are multiplied: 65,536 minus the least shares of all classes.
const RUN_ONE: f32 = 65_472.0;
/// Lower bound of a quiet cube's probability of change; `CHANCE_MAX` is the upper bound.
const CHANCE_MIN: f32 = 1.0 / 16_384.0;
const CHANCE_MAX: f32 = 0.9;
/// Upper bound of a learned probability of change.
const LEARNED_MAX: f32 = 0.99;

impl<C: CoderObserver> Cubes<'_, C> {
    /// Returns the change symbol that an encoder writes for a cube.
    fn wanted_change(&self, index: usize) -> usize {
        match self.flag_features[index].changes {
            true => change_symbol(&self.snapshot[index], &self.wanted[index]),
            false => 0,
        }
    }

    /// Codes and returns the change symbol of a cube with a known motion or rest.
    pub(super) fn happened(
        &mut self,
        index: usize,
        flags: &FlagContexts,
    ) -> Result<usize, DecodeError> {
        let wanted = self.wanted_change(index);
        let recent = self.scene.recent_changes;
        let decider = &mut self.decider;
        let rows = Tables::happened_rows(flags.happened(recent));
        let logs = rows.map(|row| &decider.tables.logs[row]);
        let places = LearnedState::happened_places(flags.learned(recent));
        let powers = &mut decider.learned.powers[flags.set()];
        let learned = (&mut decider.learned.happened[..], places);
        let happened = mixture::code_product(decider.coder, logs, powers, learned, wanted);
        decider.coder.happened(flags.set(), &rows, logs, happened);
        check_symbol(index, happened)?;
        self.scene.recent_changes = recent << 1 | usize::from(happened > 0);
        Ok(happened)
    }

    /// Codes and returns the change symbol of a quiet cube that changed.
    fn happened_in_quiet(
        &mut self,
        index: usize,
        flags: &FlagContexts,
    ) -> Result<usize, DecodeError> {
        let wanted = self.wanted_change(index);
        let decider = &mut self.decider;
        let row = Tables::quiet_row(flags.quiet());
        let ends = &decider.tables.rows[row];
        let happened = if decider.learned.learns_quiet() {
            let (age, place) = (decider.learned.age(), flags.quiet() & 1);
            let learned = &mut decider.learned.happened_in_quiet;
            learned.begin(place, ends, age);
            decider.coder.adaptive_one(learned, place, wanted)
        } else {
            decider.coder.symbol(|i| ends[i] << 1, wanted)
        };
        decider.coder.classified(None, &[row], happened);
        decider.coder.said("what changed", happened as i64);
        check_symbol(index, happened)?;
        if happened == 0 {
            return Err(DecodeError::CubeNotChanged { cube: index });
        }
        Ok(happened)
    }

    /// Codes which quiet cubes changed, and their change symbols. Cubes are coded in runs: each run names its first changed
    /// cube, or none.
    pub(super) fn code_quiet(&mut self, quiet: &[u16]) -> Result<(), DecodeError> {
        let mut rest = quiet;
        let mut recent = 0;
        let learns = self.decider.learned.learns_quiet();
        let most = if learns { LEARNED_MAX } else { CHANCE_MAX };
        let mut factors = self.decider.learned.quiet_factors();
        while !rest.is_empty() {
            if learns {
                factors = self.decider.learned.quiet_factors();
            }
            let run = &rest[..rest.len().min(RUN)];
            let mut ends: [u16; CLASSES] = core::array::from_fn(|i| 2 * (i as u16 + 1));
            let (mut chances, mut groups) = ([0.0; RUN], [0; RUN]);
            let (mut reached, mut sum) = (1.0, 0.0);
            let mut wanted = NONE;
            let mut last = recent;
            for (at, &index) in run.iter().enumerate() {
                let features = &self.flag_features[usize::from(index)];
                let (chance, group) = match learns {
                    true => (1.0, last & 3),
                    false => {
                        let (place, group) = features.quiet(last);
                        (self.decider.tables.chances[place], group)
                    }
                };
                last <<= 1;
                (chances[at], groups[at]) = (chance, group);
                let chance = (chance * factors[group]).clamp(CHANCE_MIN, most);
                sum += reached * chance;
                reached *= 1.0 - chance;
                ends[at] += (sum * RUN_ONE) as u16;
                if wanted == NONE && features.changes {
                    wanted = at;
                }
            }
            for end in &mut ends[run.len()..RUN] {
                *end += (sum * RUN_ONE) as u16;
            }
            self.decider.coder.about_packet(Kind::Index);
            ends[LAST] = 0;
            let first = self.decider.coder.symbol(|i| ends[i], wanted);
            self.decider.coder.said("first of a run", first as i64);
            if first != NONE && first >= run.len() {
                return Err(DecodeError::SymbolWithoutMeaning {
                    cube: usize::from(run[run.len() - 1]),
                });
            }
            let visited = run.len().min(first + 1);
            for at in 0..visited {
                let index = usize::from(run[at]);
                let QuietCounts { changed, expected } = &mut self.decider.learned.quiet[groups[at]];
                *expected += chances[at];
                if at == first {
                    *changed += 1.0;
                }
                let place = self.flag_features[index].quiet(recent).0;
                self.decider.coder.chanced(place, at == first);
                recent = recent << 1 | usize::from(at == first);
            }
            if first != NONE {
                let index = usize::from(run[first]);
                let group = groups[first];
                factors[group] = self.decider.learned.quiet[group].factor();
                self.code_quiet_change(index)?;
            }
            rest = &rest[visited..];
        }
        Ok(())
    }

    fn code_quiet_change(&mut self, index: usize) -> Result<(), DecodeError> {
        let features = self.flag_features[index];
        let near = self.near(index);
        let (motion, rest_ticks) = self.motions.get(index);
        let past = (&motion, rest_ticks);
        let toggles = self.foreseen.map(|_| false);
        let flags = FlagContexts::new(self.scene.ticks, features, past, toggles, near);
        self.decider.coder.about(Kind::Flags, index);
        let happened = self.happened_in_quiet(index, &flags)?;
        self.code_changed(index, flags, &motion, happened, false)
    }

    /// Returns the mean motion of a cube's neighbours.
    pub(super) fn near(&mut self, index: usize) -> NearMotion {
        let (cell, place) = (self.flag_features[index].cell, self.poses[index].place());
        let near = self.scene.neighbours.find(cell, place);
        if self.decider.coder.keeps_spans() {
            for cube in self.scene.neighbours.found() {
                self.decider.coder.looked_at(cube);
            }
        }
        near
    }
}
