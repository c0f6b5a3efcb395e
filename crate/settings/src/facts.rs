//! Explanations in words of the settings' values, shown beside the values.

use super::schema::SCHEMA;
use super::{Direction, Key, LaneSettings, Settings, Transport};
use snapshot_base::time::TickRate;
use snapshot_codec::Widths;
use snapshot_netsim::channel::LinkInputs;

/// Explains the values of settings in words, by permalink key. Settings that need no explanation are left out.
pub fn facts(
    settings: &Settings,
    given: &LinkInputs,
    tick_rate: TickRate,
) -> Vec<(&'static str, String)> {
    let lane = settings.lane().over(given).at(tick_rate);
    SCHEMA
        .iter()
        .filter_map(|setting| fact(settings, &lane, setting.key).map(|fact| (setting.id, fact)))
        .collect()
}

fn fact(settings: &Settings, lane: &LaneSettings, key: Key) -> Option<String> {
    let value = settings.get(key);
    let steps = |bits: u32| f64::from(1_u32 << bits);
    Some(match key {
        Key::SendRate => format!("one every {} ms", rounded(lane.send_interval_ms())),
        Key::PositionBits => {
            format!(
                "{} steps a metre, {} mm",
                steps(value),
                rounded(position_step_mm(value))
            )
        }
        Key::OrientationBits => format!("at worst {}° off", rounded(worst_angle_deg(value))),
        Key::VelocityBits => format!(
            "{} {} a m/s, {} mm/s",
            steps(value),
            if value == 0 { "step" } else { "steps" },
            rounded(1000.0 / steps(value))
        ),
        Key::PositionSmall => small(lane.position_widths(), "steps"),
        Key::PositionLarge => large(lane.position_widths(), value, "steps"),
        Key::OrientationSmall => small(lane.orientation_widths(), "codes"),
        Key::OrientationLarge => large(lane.orientation_widths(), value, "codes"),
        Key::Latency => format!("round trip {} ms", rounded(lane.round_trip_ms())),
        Key::Loss if value > 0 => {
            let lost_per_s = lane.loss(Direction::Forward) * f64::from(lane.send_rate_hz());
            if lost_per_s < 1.0 {
                format!("one every {} s", rounded(1.0 / lost_per_s))
            } else {
                format!("{} a second", rounded(lost_per_s))
            }
        }
        Key::Header => {
            let bytes = lane.header_bytes();
            let kbps = f64::from(bytes * 8 * lane.send_rate_hz()) / 1000.0;
            match lane.transport() {
                Transport::Udp => format!("{} kbit/s", rounded(kbps)),
                Transport::Tcp => format!("{bytes} bytes with TCP, {} kbit/s", rounded(kbps)),
            }
        }
        Key::Transport => {
            let late_ms = lane.retransmission_timeout_ms()?;
            format!("what is lost comes {} ms late", rounded(late_ms))
        }
        Key::Budget if value == 0 => "each packet has all cubes that changed".to_string(),
        Key::Budget => {
            let bytes_a_packet = f64::from(value) * 1000.0 / 8.0 / f64::from(lane.send_rate_hz());
            let left = bytes_a_packet - f64::from(lane.header_bytes());
            format!("{} bytes a packet beside its header", rounded(left))
        }
        Key::JitterBuffer | Key::Delay if lane.is_shown_at_once() => {
            "no clock: shown as it arrives".to_string()
        }
        Key::JitterBuffer => format!("{} ms", rounded(lane.delay_ms()?)),
        Key::Delay => {
            let delay_ms = lane.delay_ms()?;
            let intervals = delay_ms / lane.send_interval_ms();
            format!(
                "{} ms, {} send intervals",
                rounded(delay_ms),
                rounded(intervals)
            )
        }
        Key::Clients if !has_crowd(settings) => {
            "one: only the scene crowd has more players".to_string()
        }
        Key::Grid => format!("{} cubes with the player's", settings.cube_count()),
        _ => return None,
    })
}

fn has_crowd(settings: &Settings) -> bool {
    settings.scene().crowd_seed(0).is_some()
}

fn small(widths: Widths, unit: &str) -> String {
    let half = 1 << (widths.small_bits() - 1);
    format!(
        "{} bits: -{half} to {} {unit}",
        widths.small_bits(),
        half - 1
    )
}

fn large(widths: Widths, set_bits: u32, unit: &str) -> String {
    let reach = (1 << (widths.small_bits() - 1)) + (1 << (widths.large_bits() - 1));
    let fitted = if set_bits < widths.large_bits() {
        ", as wide as the small range"
    } else {
        ""
    };
    let bits = widths.large_bits();
    format!("{bits} bits{fitted}: -{reach} to {} {unit}", reach - 1)
}

/// Distance between neighbouring positions on an axis in mm, at a number of fractional bits.
pub(crate) fn position_step_mm(bits: u32) -> f64 {
    1000.0 / f64::from(1_u32 << bits)
}

/// Returns an upper bound of the error of an orientation at a number of bits, degrees.
///
/// Three components are at most half a step off. The fourth, w, is computed from them and at least a half. With x for the three,
/// w - w' = (|x'|^2 - |x|^2) / (w + w'), where |x| is at most sqrt(3)/2 and |x'| at most that plus |x' - x|.
pub(crate) fn worst_angle_deg(bits: u32) -> f64 {
    let step = std::f64::consts::SQRT_2 / f64::from((1_u32 << bits) - 1);
    let three = 3.0_f64.sqrt() * step / 2.0;
    let longest = 3.0_f64.sqrt() / 2.0;
    let least_fourth = (1.0 - (longest + three) * (longest + three))
        .max(0.0)
        .sqrt();
    let fourth = three * (2.0 * longest + three) / (0.5 + least_fourth);
    let chord = (three * three + fourth * fourth).sqrt();
    // Unit quaternions that are farther apart are nearer with the other sign.
    (4.0 * libm::asin(chord.min(std::f64::consts::SQRT_2) / 2.0)).to_degrees()
}

/// Formats a number with three significant digits, without trailing zeros.
fn rounded(value: f64) -> String {
    let decimals = match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permalink;
    use snapshot_base::time::WORLD;

    #[test]
    fn facts_have_the_figures_of_the_articles() {
        let facts = facts(&Settings::default(), &LinkInputs::default(), WORLD);
        for (id, fact) in [
            ("pos", "512 steps a metre, 1.95 mm"),
            ("hz", "one every 100 ms"),
            ("latency", "round trip 100 ms"),
            ("delay", "334 ms, 3.34 send intervals"),
            ("grid", "901 cubes with the player's"),
            ("header", "2.24 kbit/s"),
            ("rot", "at worst 0.552° off"),
            ("pos-small", "5 bits: -16 to 15 steps"),
            ("rot-large", "8 bits: -144 to 143 codes"),
        ] {
            assert!(facts.contains(&(id, fact.to_string())), "{id}");
        }
        assert!(!facts.iter().any(|(id, _)| *id == "seed"));
    }

    #[test]
    fn says_what_a_stream_costs() {
        let (settings, _) = permalink::parse("strategy=lockstep&transport=tcp&latency=125");
        let facts = facts(&settings, &LinkInputs::default(), WORLD);
        assert!(facts.contains(&("transport", "what is lost comes 500 ms late".to_string())));
        assert!(facts.contains(&("header", "40 bytes with TCP, 19.2 kbit/s".to_string())));
    }
}
