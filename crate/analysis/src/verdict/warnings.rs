//! Warnings about settings or events of a motion that waste bits or quality.

use super::motion::MotionFigures;
use crate::ladder::RungCost;
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "VerdictWarning"))]
pub struct Warning {
    /// Stable name of the warning, kebab case.
    pub name: &'static str,
    pub text: String,
}

/// Returns the warnings about a motion and its recommended rung. A packet is too large if it has more bytes than the MTU,
/// headers included.
pub(super) fn warnings(motion: &MotionFigures, rung: &RungCost, mtu_bytes: u32) -> Vec<Warning> {
    let mut all = Vec::new();
    if motion.beyond_bounds > 0 {
        all.push(Warning {
            name: "objects-beyond-bounds",
            text: format!(
                "{} positions are outside the bounds, and are clamped to them from rung 5 on.",
                motion.beyond_bounds
            ),
        });
    }
    if rung.packets_over_mtu > 0 {
        all.push(Warning {
            name: "packets-over-the-mtu",
            text: format!(
                "{} of {} packets of rung {} are over {mtu_bytes} bytes with their headers. Networks cut them up, and lose them as a whole.",
                rung.packets_over_mtu, rung.packets, rung.rung
            ),
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::advice::tests::rows;
    use super::*;

    #[test]
    fn each_warning_has_its_cause() {
        let names = |beyond_bounds: u64, packets_over_mtu: u64| {
            let motion = MotionFigures {
                beyond_bounds,
                ..MotionFigures::default()
            };
            let [mut rung] = <[RungCost; 1]>::try_from(rows([(12, 10.0)])).unwrap();
            rung.packets_over_mtu = packets_over_mtu;
            let all = warnings(&motion, &rung, 1200);
            assert!(all.iter().all(|warning| warning.text.ends_with('.')));
            all.iter().map(|it| it.name).collect::<Vec<_>>()
        };
        assert_eq!(names(0, 0), [""; 0]);
        assert_eq!(names(1, 0), ["objects-beyond-bounds"]);
        assert_eq!(names(0, 3), ["packets-over-the-mtu"]);
    }
}
