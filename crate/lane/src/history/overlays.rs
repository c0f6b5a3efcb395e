//! Overlays (figures of every cube, which colour a view) at a tick of a history. Some are read by replaying the sender.

use super::LaneHistory;
use super::packets::SenderReplay;
use crate::overlay::Overlay;
use crate::pose_error::{orientation_error_deg, position_error_mm};
use crate::view::{View, distance_m};
use serde::Serialize;
use snapshot_base::time::WORLD;
use snapshot_codec::{BIT_65536THS, Ledger, Span};
use snapshot_record::tape::{FORK_TICKS, Tape};
use snapshot_view::Pose;

/// Cache of the last overlay that was computed, which makes consecutive ticks cheap.
#[derive(Default)]
pub(super) struct Overlays {
    again: Option<SenderReplay>,
    /// Number of bits for each cube in the newest packet.
    bits: Vec<f32>,
    /// Fields of that packet.
    ledger: Ledger,
    /// The tick in which the newest packet was sent.
    left_tick: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Moment {
    pub tick: u64,
    /// Distance of the shown cube from its true position at the shown instant, mm. It is 0 if one of the two cubes is
    /// missing, or if their lives differ.
    pub error_mm: f32,
    /// Number of bits for the cube in the packet; `None` if no packet was sent in this tick.
    pub bits: Option<f32>,
}

impl LaneHistory {
    /// Returns an overlay's value of each cube at a tick. `None` if the strategy has no such value, no packet was sent yet,
    /// or the tape's inputs are no longer stored. Values of bits and priorities come from encoding up to some hundred
    /// packets again.
    pub fn overlay(
        &mut self,
        overlay: Overlay,
        tick: u64,
        view: &View,
        tape: &Tape,
    ) -> Option<Vec<f32>> {
        if !overlay.is_of(self.lane.settings().strategy()) {
            return None;
        }
        match overlay {
            Overlay::Error => Some(view.error_mm.clone()),
            Overlay::Surface => Some(self.surface_mm(tick, view, tape)),
            Overlay::Turn => Some(self.turns_deg(tick, view, tape)),
            Overlay::Age => self.age_ms(tick),
            Overlay::Bits => self.cube_bits(tick, tape).map(<[f32]>::to_vec),
            Overlay::Priority => {
                if let Some(priorities) = self.priorities_at(tick) {
                    return Some(priorities.iter().map(|&it| it as f32).collect());
                }
                let overlays = self.follow(tick, tape)?;
                let priorities = overlays.again.as_ref()?.sender.priorities()?;
                Some(priorities.iter().map(|&it| it as f32).collect())
            }
        }
    }

    /// Returns the bits of each cube in the newest packet sent by a tick, on the terms of [`LaneHistory::overlay`].
    pub fn cube_bits(&mut self, tick: u64, tape: &Tape) -> Option<&[f32]> {
        Some(&self.follow(tick, tape)?.bits)
    }

    /// Returns the fields of the newest packet sent by a tick, with their cubes and bits. `None` before the first packet, or
    /// if the tape's inputs are no longer stored.
    pub fn newest_fields(&mut self, tick: u64, tape: &Tape) -> Option<&[Span]> {
        Some(self.follow(tick, tape)?.ledger.spans())
    }

    /// Returns a cube's errors and bits in the last `ticks` ticks up to `tick`, oldest first.
    pub fn moments(&mut self, cube: usize, tick: u64, ticks: u64, tape: &Tape) -> Vec<Moment> {
        let held = self.poses.ticks();
        let from = (tick + 1).saturating_sub(ticks).max(*held.start());
        let mut poses = Vec::new();
        let mut moments = Vec::new();
        for tick in from..=tick.min(*held.end()) {
            let is_held = if poses.is_empty() {
                self.poses.read(tick, &mut poses)
            } else {
                self.poses.wind(tick - 1, tick, &mut poses)
            };
            if !is_held {
                break;
            }
            let truth = self.truth_shown(tick, tape);
            let (Some(shown), Some(truth)) = (poses.get(cube), truth.get(cube)) else {
                continue;
            };
            let packet = self.packets.newest_tick(tick) == Some(tick);
            let bits = || self.follow(tick, tape)?.bits.get(cube).copied();
            let error_m = match shown.is_comparable_with(truth) {
                true => distance_m(shown.position, truth.position),
                false => 0.0,
            };
            moments.push(Moment {
                tick,
                error_mm: error_m * 1000.0,
                bits: packet.then(bits).flatten(),
            });
        }
        moments
    }

    /// Returns the angle between each shown cube and its true orientation, degrees; 0 if one of the two is missing, or if
    /// their lives differ.
    fn turns_deg(&self, tick: u64, view: &View, tape: &Tape) -> Vec<f32> {
        let mut turns_deg = vec![0.0; view.orientation.len()];
        for (index, truth) in self.truth_shown(tick, tape).iter().enumerate() {
            if position_error_mm(view, index, truth).is_some() {
                turns_deg[index] = orientation_error_deg(view, index, truth) as f32;
            }
        }
        turns_deg
    }

    /// Returns the surface error of each shown cube, mm; 0 if the shown or the true cube is missing, or if their lives differ.
    fn surface_mm(&self, tick: u64, view: &View, tape: &Tape) -> Vec<f32> {
        let surfaces = self.lane.surfaces();
        let truth = self.truth_shown(tick, tape);
        let pairs = view.poses().zip(&truth).enumerate();
        let error = |(index, (shown, truth)): (usize, (Pose, &Pose))| match shown
            .is_comparable_with(truth)
        {
            true => surfaces.error_mm(index, &shown, truth) as f32,
            false => 0.0,
        };
        let mut errors_mm: Vec<f32> = pairs.map(error).collect();
        errors_mm.resize(view.orientation.len(), 0.0);
        errors_mm
    }

    fn age_ms(&self, tick: u64) -> Option<Vec<f32>> {
        let ms = |ticks: f64| WORLD.ms_of_tick(ticks) as f32;
        if self.updated.is_none() {
            let behind_ms = self.live(tick).behind_ms?;
            return Some(vec![behind_ms as f32; self.poses.newest().len()]);
        }
        let age = |&known: &u64| ms(tick.saturating_sub(known) as f64);
        Some(self.updated_by(tick)?.iter().map(age).collect())
    }

    fn follow(&mut self, tick: u64, tape: &Tape) -> Option<&Overlays> {
        let left_tick = self.packets.newest_tick(tick)?;
        let overlays = &mut self.overlays;
        // The packet must be on the way there; and a farther way than from the next copy is no short cut.
        let is_ahead = |again: &SenderReplay| {
            let has_packet = again.tick < left_tick || overlays.left_tick == Some(left_tick);
            has_packet && again.tick <= tick && again.tick + FORK_TICKS >= tick
        };
        if !overlays.again.as_ref().is_some_and(is_ahead) {
            overlays.again = self.packets.again_before(left_tick, tape);
        }
        let again = overlays.again.as_mut()?;
        while again.tick < tick {
            let is_it = again.tick + 1 == left_tick;
            let mut ledger = if is_it {
                Ledger::with_spans()
            } else {
                Ledger::new()
            };
            if self.packets.next_again(again, &mut ledger, tape).is_none() {
                overlays.again = None;
                return None;
            }
            if is_it {
                overlays.left_tick = Some(left_tick);
                overlays.bits.clear();
                overlays.bits.resize(self.truth.len(), 0.0);
                overlays.ledger = ledger;
                for span in overlays.ledger.spans() {
                    let cube = span
                        .cube
                        .and_then(|cube| overlays.bits.get_mut(cube as usize));
                    let bits = span.length_65536ths as f32 / BIT_65536THS as f32;
                    cube.into_iter().for_each(|spent| *spent += bits);
                }
            }
        }
        Some(overlays)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::played::history;

    fn overlay(
        history: &mut LaneHistory,
        tape: &Tape,
        overlay: Overlay,
        tick: u64,
    ) -> Option<Vec<f32>> {
        let mut view = history.lane().view().clone();
        assert!(history.show(tick, tape, &mut view));
        history.overlay(overlay, tick, &view, tape)
    }

    #[test]
    fn errors_are_those_of_which_the_lane_counts_the_greatest() {
        let (tape, mut history) =
            history("#scene=katamari&grid=6&hz=10&interp=linear&delay=100", 400);
        let errors = overlay(&mut history, &tape, Overlay::Surface, 400).unwrap();
        let turned = overlay(&mut history, &tape, Overlay::Turn, 400).unwrap();
        let shown = history.lane().view();
        let now = &history.lane().metrics().now;
        let red = || {
            let poses = shown.poses().enumerate();
            poses.filter(|(_, pose)| pose.interacting)
        };
        assert!(now.orientation_max_deg > 0.1 && now.surface_mean_mm < now.surface_max_mm);
        for (values, greatest) in [
            (&errors, now.surface_max_mm),
            (&turned, now.orientation_max_deg),
        ] {
            let most = red().fold(0.0_f32, |most, (index, _)| most.max(values[index]));
            assert!((f64::from(most) - greatest).abs() < 0.01, "{most} {now:?}");
        }
        // A corner of a turned cube is farther off than its centre.
        for (index, _) in red() {
            assert!(errors[index] >= shown.error_mm[index] - 0.001);
        }
        let is_farther = |index: usize| errors[index] > shown.error_mm[index] + 0.5;
        assert!(red().any(|(index, _)| turned[index] > 1.0 && is_farther(index)));
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn bits_of_cubes_are_the_inspectors_at_whatever_tick_they_are_asked_for() {
        for codec in ["changed-flags", "predicted"] {
            let link = format!("#scene=katamari&grid=8&hz=20&loss=5&codec={codec}");
            let (tape, mut history) = history(&link, 700);
            for tick in [650, 651, 652, 655, 300, 301, 699, 12] {
                let packet = history.inspect(&tape, tick, None).unwrap();
                let mut wanted = vec![0.0; 65];
                for span in &packet.spans {
                    if let Some(cube) = span.cube {
                        wanted[cube as usize] += span.length_65536ths as f32 / 65_536.0;
                    }
                }
                let bits = overlay(&mut history, &tape, Overlay::Bits, tick);
                assert_eq!(bits, Some(wanted), "{codec}, tick {tick}");
            }
        }
    }

    #[test]
    fn sync_ages_until_an_update_and_its_priority_falls_with_one() {
        let (tape, mut history) = history("#strategy=sync&scene=katamari&grid=8&loss=5", 400);
        for tick in [399, 200, 201, 202] {
            let age = overlay(&mut history, &tape, Overlay::Age, tick).unwrap();
            // The player is in every packet, the jitter buffer holds it for 5 frames, and the way takes 4.
            assert!((100.0..300.0).contains(&age[0]), "{}", age[0]);
            // A cube at rest is not sent.
            assert!(age.iter().any(|&age| age > 400.0));
            let priority = overlay(&mut history, &tape, Overlay::Priority, tick).unwrap();
            let sent = history.inspect(&tape, tick, None).unwrap();
            let cubes: Vec<_> = sent.spans.iter().filter_map(|span| span.cube).collect();
            assert!(!cubes.is_empty());
            for (cube, &priority) in priority.iter().enumerate() {
                assert_eq!(priority == 0.0, cubes.contains(&(cube as u32)), "{cube}");
            }
        }
        let sender = history.lane().sender().unwrap();
        let newest = sender.priorities().unwrap();
        let newest: Vec<_> = newest.iter().map(|&it| it as f32).collect();
        assert!(overlay(&mut history, &tape, Overlay::Priority, 399).is_some());
        let last = overlay(&mut history, &tape, Overlay::Priority, 400);
        assert_eq!(last, Some(newest));
    }

    #[test]
    fn a_strategy_without_a_figure_has_none() {
        let (tape, mut of_snapshots) = history("#scene=roll&grid=6", 90);
        let priorities = overlay(&mut of_snapshots, &tape, Overlay::Priority, 80);
        assert_eq!(priorities, None);
        let age = overlay(&mut of_snapshots, &tape, Overlay::Age, 80).unwrap();
        let behind_ms = of_snapshots.live(80).behind_ms.unwrap();
        assert!(age.iter().all(|&age| age == behind_ms as f32));
        let (tape, mut of_keys) = history("#strategy=lockstep&scene=roll&grid=6", 90);
        assert_eq!(overlay(&mut of_keys, &tape, Overlay::Bits, 80), None);
    }

    #[test]
    fn a_cubes_story_has_the_errors_and_the_bits_of_its_ticks() {
        let (tape, mut history) = history("#scene=katamari&grid=8&hz=20&loss=5", 500);
        let moments = history.moments(0, 480, 60, &tape);
        assert_eq!(moments.len(), 60);
        assert_eq!(moments[59].tick, 480);
        assert_eq!(moments.iter().filter(|it| it.bits.is_some()).count(), 20);
        let mut view = history.lane().view().clone();
        for moment in [moments[0], moments[30], moments[59]] {
            assert!(history.show(moment.tick, &tape, &mut view));
            assert_eq!(moment.error_mm, view.error_mm[0]);
            if let Some(bits) = moment.bits {
                let all = overlay(&mut history, &tape, Overlay::Bits, moment.tick).unwrap();
                assert_eq!(bits, all[0]);
            }
        }
        assert_eq!(history.moments(999, 480, 60, &tape), []);
    }
}
