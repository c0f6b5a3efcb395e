//! Warnings about settings or events of a motion that waste bits or quality.

use super::advice::VerdictRung;
use super::motion::{MotionFigures, absolute_bits};
use serde::Serialize;
use snapshot_codec::Bounds;
use snapshot_settings::LaneSettings;

/// Least number of wasted bits of an absolute position that causes a warning. World bounds that are too wide waste bits.
const WASTED_BITS: u32 = 3;

/// Least excess of the cost of a rung with a model over the rung before it that causes a warning, as a share.
const DEARER: f64 = 0.05;

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "VerdictWarning"))]
pub struct Warning {
    /// Stable name of the warning, kebab case.
    pub name: &'static str,
    pub text: String,
}

pub(super) struct Facts<'a> {
    pub(super) settings: &'a LaneSettings,
    pub(super) motion: &'a MotionFigures,
    pub(super) bounds: Bounds,
    /// Bounds that fit the motion: around all positions, and around all positions but one in a thousand.
    pub(super) fitted: [Bounds; 2],
    pub(super) position_bits: u32,
    pub(super) rungs: &'a [VerdictRung],
    /// Number of the recommended rung.
    pub(super) rung: u8,
    pub(super) mtu_bytes: u32,
}

pub(super) fn warnings(facts: &Facts<'_>) -> Vec<Warning> {
    let mut all = Vec::new();
    let mut warn = |name, text: Option<String>| {
        all.extend(text.map(|text| Warning { name, text }));
    };
    warn("delay-below-two-intervals", delay(facts.settings));
    warn("velocity-clipped", clipped(facts.motion));
    warn("bounds-wasted", wasted(facts));
    warn("objects-beyond-bounds", beyond(facts));
    for pair in facts.rungs.windows(2) {
        warn("model-dearer-than-the-rung-below", dearer(pair));
    }
    warn("packets-over-the-mtu", over_mtu(facts));
    all
}

fn delay(settings: &LaneSettings) -> Option<String> {
    let (delay_ms, interval_ms) = (settings.delay_ms()?, settings.send_interval_ms());
    (delay_ms < 2.0 * interval_ms).then(|| {
        format!(
            "The playout delay that is set, {delay_ms:.0} ms, is below two send intervals of {interval_ms:.1} ms. A lost packet stops the view, and hermite has no neighbour."
        )
    })
}

fn clipped(motion: &MotionFigures) -> Option<String> {
    (motion.clipped_velocities > 0).then(|| {
        format!(
            "{} velocities reach 32 m/s or more along an axis. Rungs 2 and 3 clip them; the others send none or floats.",
            motion.clipped_velocities
        )
    })
}

fn wasted(facts: &Facts<'_>) -> Option<String> {
    let bits = |bounds| absolute_bits(bounds, facts.position_bits);
    let [all, inner] = facts.fitted.map(bits);
    let now = bits(facts.bounds);
    if now >= all + WASTED_BITS {
        Some(format!(
            "The bounds take {now} bits for an absolute position. Bounds that fit this motion take {all}: see the lines to take home."
        ))
    } else if all >= inner + WASTED_BITS {
        Some(format!(
            "A few objects are far out: bounds around all positions take {all} bits. Around all but one in a thousand they take {inner}."
        ))
    } else {
        None
    }
}

fn beyond(facts: &Facts<'_>) -> Option<String> {
    let beyond = facts.motion.beyond_bounds;
    (beyond > 0).then(|| {
        format!(
            "{beyond} positions are outside the bounds, and are clamped to them from rung 5 on."
        )
    })
}

/// Returns a warning if a rung with an arithmetic coder costs more than the rung before it.
fn dearer(pair: &[VerdictRung]) -> Option<String> {
    let [below, rung] = pair else {
        return None;
    };
    let is_dearer = rung.class.is_some() && rung.kbps > below.kbps * (1.0 + DEARER);
    is_dearer.then(|| {
        format!(
            "Rung {} ({}) is dearer than rung {} of this motion: {:.1} kbit/s against {:.1}, {:.0} % more.",
            rung.rung,
            rung.name,
            below.rung,
            rung.kbps,
            below.kbps,
            100.0 * (rung.kbps / below.kbps.max(f64::MIN_POSITIVE) - 1.0)
        )
    })
}

fn over_mtu(facts: &Facts<'_>) -> Option<String> {
    let row = facts.rungs.iter().find(|row| row.rung == facts.rung)?;
    (row.packets_over_mtu > 0).then(|| {
        format!(
            "{} of {} packets of rung {} are over {} bytes with their headers. Networks cut them up, and lose them as a whole.",
            row.packets_over_mtu, row.packets, row.rung, facts.mtu_bytes
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::advice::tests::row;
    use super::*;
    use snapshot_settings::permalink;

    fn names(
        link: &str,
        change: impl FnOnce(&mut MotionFigures, &mut [Bounds; 3]),
    ) -> Vec<&'static str> {
        let settings = permalink::parse(link).0.lane();
        let mut motion = MotionFigures {
            objects: 2,
            ..MotionFigures::default()
        };
        let narrow = Bounds::new([0; 3], [16; 3]).unwrap();
        let mut bounds = [narrow; 3];
        change(&mut motion, &mut bounds);
        let mut rungs = [row(11, 20.0), row(12, 10.0), row(13, 15.0)];
        rungs[1].packets_over_mtu = 3;
        let rung = if motion.objects == 1 { 12 } else { 11 };
        let all = warnings(&Facts {
            settings: &settings,
            motion: &motion,
            bounds: bounds[0],
            fitted: [bounds[1], bounds[2]],
            position_bits: 9,
            rungs: &rungs[..if motion.jumps == 1 { 3 } else { 2 }],
            rung,
            mtu_bytes: 1200,
        });
        assert!(all.iter().all(|warning| warning.text.ends_with('.')));
        all.iter().map(|warning| warning.name).collect()
    }

    #[test]
    fn each_warning_has_its_cause() {
        let wide = Bounds::new([-64; 3], [64; 3]).unwrap();
        assert_eq!(names("#hz=20", |_, _| ()), [""; 0]);
        assert_eq!(
            names("#hz=20&delay=99", |_, _| ()),
            ["delay-below-two-intervals"]
        );
        assert_eq!(names("#hz=20&delay=100", |_, _| ()), [""; 0]);
        assert_eq!(names("#delay=adaptive", |_, _| ()), [""; 0]);
        assert_eq!(
            names("#", |motion, _| motion.clipped_velocities = 1),
            ["velocity-clipped"]
        );
        assert_eq!(
            names("#", |motion, _| motion.beyond_bounds = 1),
            ["objects-beyond-bounds"]
        );
        assert_eq!(names("#", |_, bounds| bounds[0] = wide), ["bounds-wasted"]);
        assert_eq!(
            names("#", |_, bounds| bounds[..2].fill(wide)),
            ["bounds-wasted"]
        );
        assert_eq!(
            names("#", |motion, _| motion.jumps = 1),
            ["model-dearer-than-the-rung-below"]
        );
        assert_eq!(
            names("#", |motion, _| motion.objects = 1),
            ["packets-over-the-mtu"]
        );
    }
}
