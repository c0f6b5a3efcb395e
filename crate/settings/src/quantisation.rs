//! The level of quantisation: one number for the bits of positions and orientations together.

use super::facts::{position_step_mm, worst_angle_deg};
use super::schema::Domain;
use super::{Key, Settings, Strategy};
use snapshot_codec::{Rung, RungRow, ValueCoding};

/// Range of the levels of quantisation, coarsest first.
pub const LEVELS: std::ops::RangeInclusive<u32> = 1..=12;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantisation {
    /// The level: the number of fractional bits of positions.
    pub level: u32,
    pub coarsest: u32,
    /// True if the orientation bits belong to the same level as the position bits.
    pub is_one_level: bool,
    /// Distance between neighbouring positions on an axis, mm.
    pub position_step_mm: f64,
    /// Angle between neighbouring orientations near the identity, degrees.
    pub orientation_step_deg: f64,
    /// Greatest angle between an orientation and its quantised value, degrees.
    pub orientation_error_deg: f64,
    /// The rung to change to together with the level; `None` if the present rung sends quantised positions and orientations.
    pub needed_rung: Option<Rung>,
}

impl Quantisation {
    /// Returns an upper bound of the surface error of a quantised pose, mm. It is half the diagonal of a position step, plus
    /// the movement of a surface point by the greatest angle. `reach_m` is the point's distance from the centre.
    pub fn surface_error_mm(&self, reach_m: f64) -> f64 {
        let moved_mm = self.position_step_mm * 3.0_f64.sqrt() / 2.0;
        let half_angle = self.orientation_error_deg.to_radians() / 2.0;
        moved_mm + 2000.0 * reach_m * libm::sin(half_angle)
    }
}

impl Settings {
    /// Returns the level of quantisation; `None` for a strategy that sends neither positions nor orientations.
    pub fn quantisation(&self) -> Option<Quantisation> {
        let strategy = self.strategy();
        if !Key::PositionBits.setting().is_used_by(strategy) {
            return None;
        }
        let [level, orientation_bits] =
            [Key::PositionBits, Key::OrientationBits].map(|key| self.get(key));
        Some(Quantisation {
            level,
            coarsest: coarsest(strategy),
            is_one_level: orientation_bits == orientation_bits_of(level),
            position_step_mm: position_step_mm(level),
            orientation_step_deg: orientation_step_deg(orientation_bits),
            orientation_error_deg: worst_angle_deg(orientation_bits).min(180.0),
            needed_rung: self.needed_rung(),
        })
    }

    /// Returns the settings with a level of quantisation, which is clamped to the strategy's levels. If the present rung
    /// sends floats, the lowest rung that quantises replaces it. A strategy without quantisation keeps its settings.
    #[must_use]
    pub fn with_quantisation(&self, level: u32) -> Settings {
        let mut settings = *self;
        let strategy = self.strategy();
        if !Key::PositionBits.setting().is_used_by(strategy) {
            return settings;
        }
        let level = level.clamp(coarsest(strategy), *LEVELS.end());
        let rung = self.needed_rung().map(|rung| (Key::Codec, rung as u32));
        let bits = [
            (Key::PositionBits, level),
            (Key::OrientationBits, orientation_bits_of(level)),
        ];
        for (key, value) in bits.into_iter().chain(rung) {
            let set = settings.set(key, value);
            debug_assert_eq!(set, Ok(()), "a test sets every level");
        }
        settings
    }

    fn needed_rung(&self) -> Option<Rung> {
        let quantises = |row: &RungRow| {
            [row.position, row.orientation]
                .iter()
                .all(|coding| *coding != ValueCoding::Float)
        };
        if !Key::Codec.setting().is_used_by(self.strategy()) || quantises(self.rung().row()) {
            return None;
        }
        Rung::ALL.into_iter().find(|rung| quantises(rung.row()))
    }
}

fn coarsest(strategy: Strategy) -> u32 {
    match *Key::PositionBits.setting().domain_in(strategy) {
        Domain::Number(of) => of.min.max(*LEVELS.start()),
        Domain::Choice(_) => *LEVELS.start(),
    }
}

/// Returns the orientation bits of a level. A component needs two: with one bit the identity is half a turn off.
fn orientation_bits_of(level: u32) -> u32 {
    level.max(2)
}

/// Returns the angle between two orientations whose smallest components differ by one step, degrees.
fn orientation_step_deg(bits: u32) -> f64 {
    let step = std::f64::consts::SQRT_2 / f64::from((1_u32 << bits) - 1);
    (4.0 * libm::asin(step / 2.0)).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permalink;
    use snapshot_base::random::Stream;

    fn of(link: &str) -> Settings {
        permalink::parse(link).0
    }

    #[test]
    fn each_level_sets_both_bits_and_is_read_back() {
        for link in ["", "codec=uncompressed", "codec=simulated", "strategy=sync"] {
            let before = of(link);
            for level in LEVELS {
                let settings = before.with_quantisation(level);
                let quantisation = settings.quantisation().expect("it has bits");
                let shown = level.max(quantisation.coarsest);
                assert_eq!(quantisation.level, shown, "{link} {level}");
                assert!(quantisation.is_one_level, "{link} {level}");
                assert_eq!(quantisation.needed_rung, None, "{link} {level}");
                assert_eq!(settings.with_quantisation(level), settings);
            }
        }
        assert_eq!(of("").with_quantisation(9), Settings::default());
        assert_eq!(of("strategy=sync").quantisation().unwrap().coarsest, 4);
        assert_eq!(of("").quantisation().unwrap().coarsest, 1);
    }

    #[test]
    fn the_least_rung_that_uses_the_bits_replaces_one_with_floats() {
        for rung in Rung::ALL {
            let before = of(&format!("codec={}", rung.name()));
            let after = before.with_quantisation(4).rung();
            let quantisation = before.quantisation().unwrap();
            assert_eq!(after, rung.max(Rung::Position));
            assert_eq!(quantisation.needed_rung, (after != rung).then_some(after));
        }
    }

    #[test]
    fn other_settings_stay_and_lockstep_has_no_level() {
        let before = of("hz=20&loss=5&vel=3&interp=linear");
        let mut expected = before;
        for (id, text) in [("pos", "1"), ("rot", "2")] {
            expected.set_text(id, text).unwrap();
        }
        assert_eq!(before.with_quantisation(0), expected);
        let lockstep = of("strategy=lockstep");
        assert_eq!(lockstep.quantisation(), None);
        assert_eq!(lockstep.with_quantisation(1), lockstep);
    }

    /// Distance in mm by which quantisation moves the farthest point of a sphere, at a level.
    fn moved_mm(level: u32, at: [f32; 3], turn: [f32; 4], reach_m: f64) -> f64 {
        use snapshot_codec::quantise::{FixedPoint, SmallestThree};
        let axis = FixedPoint::new(-64, 64, level);
        let off = at.map(|at| f64::from(axis.dequantise(axis.quantise(at)) - at));
        let components = SmallestThree::new(orientation_bits_of(level), false);
        let sent = components.dequantise(components.quantise(turn));
        let parts = turn.iter().zip(sent);
        let dot: f64 = parts.map(|(a, b)| f64::from(*a) * f64::from(b)).sum();
        let swing_m = 2.0 * reach_m * (1.0 - dot * dot).max(0.0).sqrt();
        1000.0 * (off.iter().map(|off| off * off).sum::<f64>().sqrt() + swing_m)
    }

    /// Share of the bound that arithmetic with 24 bits may add.
    const SLACK_MM: f64 = 0.02;

    proptest::proptest! {
        #[test]
        fn no_pose_of_any_size_is_farther_off_than_the_bound(
            level in LEVELS,
            at in proptest::array::uniform3(-60.0_f32..60.0),
            turn in proptest::array::uniform4(-1.0_f32..1.0),
            reach_m in 0.0..4.0,
        ) {
            let length = turn.iter().map(|part| part * part).sum::<f32>().sqrt().max(1e-3);
            let turn = turn.map(|part| part / length);
            let bound_mm = of("").with_quantisation(level).quantisation().unwrap().surface_error_mm(reach_m);
            let moved_mm = moved_mm(level, at, turn, reach_m);
            proptest::prop_assert!(moved_mm <= bound_mm + SLACK_MM, "{} of {}", moved_mm, bound_mm);
        }
    }

    #[test]
    fn poses_come_near_the_bound() {
        for level in [4, 7, 9, 11] {
            let (mut stream, mut worst_mm) = (Stream::new(level, 0), 0.0_f64);
            for _ in 0..20_000 {
                let mut number = || stream.integer(0, 1_000_000) as f32 / 1e6 - 0.5;
                let at: [f32; 3] = std::array::from_fn(|_| number() * 100.0);
                // Near the orientation whose four components are equal, the worst one.
                let turn: [f32; 4] = std::array::from_fn(|_| 0.5 + 0.2 * number());
                let length = turn.iter().map(|part| part * part).sum::<f32>().sqrt();
                worst_mm = worst_mm.max(moved_mm(level, at, turn.map(|part| part / length), 0.35));
            }
            let bound_mm = of("")
                .with_quantisation(level)
                .quantisation()
                .unwrap()
                .surface_error_mm(0.35);
            assert!(
                worst_mm >= 0.7 * bound_mm,
                "{level}: {worst_mm} of {bound_mm}"
            );
        }
    }

    #[test]
    fn figures_are_those_of_the_bits_that_are_set() {
        let figures = |link: &str| {
            let it = of(link).quantisation().unwrap();
            let rounded = [it.position_step_mm, it.orientation_step_deg]
                .map(|figure| (figure * 100.0).round() / 100.0);
            (it.level, it.is_one_level, rounded)
        };
        assert_eq!(figures("pos=1&rot=2"), (1, true, [500.0, 54.53]));
        assert_eq!(figures(""), (9, true, [1.95, 0.32]));
        assert_eq!(figures("pos=12&rot=12"), (12, true, [0.24, 0.04]));
        assert_eq!(figures("pos=5&rot=9"), (5, false, [31.25, 0.32]));
    }
}
