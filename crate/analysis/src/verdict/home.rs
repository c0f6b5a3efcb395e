//! The recommended settings for a game, as the JSON that a server and its clients of the package are created with.

use serde::Serialize;
use snapshot_base::time::TickRate;
use snapshot_codec::Bounds;
use snapshot_settings::Settings;
use snapshot_view::playout::Playout;

/// Settings of a server and its client, with the field names of the package for JavaScript. Rust and C have similar names.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct Home {
    pub objects: usize,
    pub tick_rate: u32,
    pub send_rate: u32,
    pub bounds: HomeBounds,
    pub bits: HomeBits,
    pub rung: &'static str,
    pub class: &'static str,
    pub interpolation: &'static str,
    /// Fixed playout delay, ms; left out where the delay adapts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<f64>,
}

/// The recommended bounds of positions in a game's world, m.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct HomeBounds {
    pub lower: [i32; 3],
    pub upper: [i32; 3],
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct HomeBits {
    pub position: u32,
    pub orientation: u32,
    pub velocity: u32,
}

impl Home {
    /// Makes the package's settings for a motion with so many objects, from settings of a verdict.
    pub(super) fn new(
        settings: &Settings,
        objects: usize,
        bounds: Bounds,
        tick_rate: TickRate,
    ) -> Home {
        let lane = settings.lane().at(tick_rate);
        let bits = lane.bits();
        Home {
            objects,
            tick_rate: tick_rate.hz(),
            send_rate: lane.send_rate_hz(),
            bounds: HomeBounds {
                lower: bounds.lower(),
                upper: bounds.upper(),
            },
            bits: HomeBits {
                position: bits.position(),
                orientation: bits.orientation(),
                velocity: bits.velocity(),
            },
            rung: lane.rung().name(),
            class: lane.class().name(),
            interpolation: lane.interpolation().row().name,
            delay_ms: match lane.playout() {
                Playout::Fixed { delay_ms } | Playout::FirstPacket { delay_ms } => Some(delay_ms),
                Playout::AtOnce => Some(0.0),
                Playout::Adaptive(_) => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::settings;

    /// Links whose settings the package's tests play.
    const LINKS: [&str; 5] = [
        "#hz=20&codec=changed-flags&interp=hermite&delay=100",
        "#hz=30&codec=arithmetic&class=strict&pos=10&rot=10&interp=linear&delay=adaptive",
        "#hz=10&codec=arithmetic&class=chained&interp=slerp&delay=350",
        "#hz=60&codec=relative-orientation&pos=8&interp=extrapolate&delay=62",
        "#hz=60&codec=predicted&class=chained&interp=hermite&delay=70",
    ];

    #[test]
    fn the_settings_are_those_that_the_package_plays() {
        let bounds = Bounds::new([-64, -32, 0], [64, 32, 8]).unwrap();
        let homes = LINKS.map(|link| {
            let tick_rate = TickRate::new(60).unwrap();
            Home::new(&settings(link), 16, bounds, tick_rate)
        });
        let played = include_str!("../../../npm/tests/verdict.json");
        let played: serde_json::Value = serde_json::from_str(played).unwrap();
        assert_eq!(serde_json::to_value(homes).unwrap(), played);
    }
}
