//! Settings that change with a varied setting, such as the playout delay with the send rate. A setting that is itself varied
//! does not.

use snapshot_settings::{Key, Settings};

/// Change of the playout delay for each change of the send interval by 1, when the send rate is varied.
const INTERVALS: f64 = 2.0;
/// Settings of widths of differences, each with its setting of bits of a position or an orientation. If these bits are
/// varied, the width changes by as many bits.
const WIDTHS: [(Key, Key); 4] = [
    (Key::PositionSmall, Key::PositionBits),
    (Key::PositionLarge, Key::PositionBits),
    (Key::OrientationSmall, Key::OrientationBits),
    (Key::OrientationLarge, Key::OrientationBits),
];

/// Changes a point's settings that depend on its varied ones, such as the playout delay on the send rate. Returns the changed
/// settings, with their values as text.
pub(crate) fn followers(
    set: &Settings,
    point: &mut Settings,
    varied: &[Key],
) -> Vec<(Key, String)> {
    if point.strategy().row().simulates {
        return Vec::new();
    }
    let is_fixed = |key: Key| {
        let in_domain = key.setting().domain.number(set.get(key));
        let is_special = set.text(key).parse::<f64>().ok() != Some(in_domain);
        !is_special && !varied.contains(&key)
    };
    let mut followers = Vec::new();
    if varied.contains(&Key::SendRate) && is_fixed(Key::Delay) {
        let interval_ms = |settings: &Settings| settings.lane().send_interval_ms();
        let longer_ms = INTERVALS * (interval_ms(point) - interval_ms(set));
        let delay_ms = f64::from(set.get(Key::Delay)) + longer_ms;
        let _ = point.set_number(Key::Delay, delay_ms.max(interval_ms(point)).ceil());
        followers.push(Key::Delay);
    }
    for (width, bits) in WIDTHS {
        if varied.contains(&bits) && is_fixed(width) {
            let more = f64::from(point.get(bits)) - f64::from(set.get(bits));
            let _ = point.set_number(width, f64::from(set.get(width)) + more);
            followers.push(width);
        }
    }
    let texts = followers.into_iter().map(|key| (key, point.text(key)));
    texts.collect()
}

/// Returns a sentence that says how a setting depends on a varied one, and how to keep its value fixed.
pub(super) fn describe(set: &Settings, key: Key) -> String {
    let setting = key.setting();
    let (label, text) = (setting.label, set.text(key));
    let follows = match key {
        Key::Delay => "the send rate, by two send intervals",
        _ => "the bits, bit by bit",
    };
    format!(
        "{label} follows {follows}. Vary {}={text} too, to pin it.",
        setting.id
    )
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use crate::testing::settings;

    fn settings_of(link: &str, varied: &[&str]) -> (Vec<BTreeMap<&'static str, String>>, usize) {
        let varied: Vec<_> = varied
            .iter()
            .map(|it| VariedSetting::parse(it).unwrap())
            .collect();
        let plan = Plan::new(&settings(link), &varied, None).unwrap();
        let all = plan.points.into_iter();
        (all.map(|(texts, _)| texts).collect(), plan.followed.len())
    }

    #[test]
    fn a_delay_follows_the_rate_unless_it_is_varied_or_automatic() {
        let delays = |link: &str, varied: &[&str]| {
            let (all, followed) = settings_of(link, varied);
            let delays = all.iter().map(|point| point.get("delay").cloned());
            (delays.collect::<Vec<_>>(), followed)
        };
        let some = |delay: &str| Some(delay.to_owned());
        assert_eq!(
            delays("#hz=60&delay=51", &["hz=10,20,60"]),
            (vec![some("218"), some("118"), some("51")], 1)
        );
        assert_eq!(
            delays("#hz=10&delay=150", &["hz=60"]),
            (vec![some("17")], 1)
        );
        assert_eq!(
            delays("#hz=60&delay=51", &["hz=10", "delay=51"]),
            (vec![some("51")], 0)
        );
        for delay in ["auto", "adaptive", "none"] {
            let link = format!("#hz=60&delay={delay}");
            assert_eq!(delays(&link, &["hz=10"]), (vec![None], 0));
        }
    }

    #[test]
    fn widths_follow_the_bits() {
        let link = "#codec=changed-flags&pos=9&pos-small=4&pos-large=8";
        let (all, followed) = settings_of(link, &["pos=8,11"]);
        let widths = |point: &BTreeMap<&'static str, String>| {
            ["pos-small", "pos-large"].map(|id| point[id].clone())
        };
        assert_eq!(widths(&all[0]), ["3", "7"]);
        assert_eq!(widths(&all[1]), ["6", "10"]);
        assert_eq!(followed, 2);
    }
}
