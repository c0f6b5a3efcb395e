//! A lane of a link of the lab: settings, cuts, and packets whose fate is set.

use snapshot_netsim::channel::{LinkInputs, Override, Overrides};
use snapshot_record::ranges;
use snapshot_record::recorded::RecordedInput;
use snapshot_settings::{Settings, permalink};

/// Keys of a link that change what the lab's page shows, and nothing that a lane computes.
const OF_THE_PAGE: [&str; 11] = [
    "at", "camera", "cube", "embed", "ghost", "motion", "packet", "shade", "show", "split", "views",
];

/// A lane of a link: its settings, the cuts of the network, and the packets whose fate is set.
pub(crate) struct LinkedLane {
    pub(crate) settings: Settings,
    pub(crate) recorded: RecordedInput,
    pub(crate) link_inputs: LinkInputs,
}

impl LinkedLane {
    /// Reads lane A of a link, or lane B.
    ///
    /// # Errors
    /// When a part of the link cannot be used.
    pub(crate) fn read(link: &str, is_b: bool) -> Result<LinkedLane, String> {
        let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
        let mut recorded = RecordedInput::default();
        let mut overrides = Overrides::default();
        let of_lane = |key: &str| match is_b {
            true => key.strip_prefix("b.") == Some("drop"),
            false => key == "drop",
        };
        let of_link = |part: &str, text| {
            ranges::read(text).ok_or_else(|| format!("{part} is no rising range of numbers"))
        };
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        for part in fragment.split('&').filter(|part| !part.is_empty()) {
            let (key, text) = part.split_once('=').unwrap_or((part, ""));
            match (key, part.strip_prefix("b.")) {
                ("cut", _) => recorded.cuts = of_link(part, text)?,
                ("drop" | "b.drop", _) => {
                    let numbers = of_link(part, text)?.into_iter().flatten();
                    numbers
                        .filter(|_| of_lane(key))
                        .for_each(|number| overrides.set(number, Some(Override::Lost)));
                }
                ("b", _) => {}
                (key, _) if OF_THE_PAGE.contains(&key) => {}
                (_, Some(part)) => of_b.push(part),
                (_, None) => of_a.push(part),
            }
        }
        let (mut settings, mut notices) = (Settings::default(), Vec::new());
        permalink::set_all(of_a, &mut settings, &mut notices);
        if is_b {
            permalink::set_all(of_b, &mut settings, &mut notices);
        }
        let rung = settings.rung();
        match notices.first() {
            Some(notice) => Err(notice.to_string()),
            None if !rung.is_built() => Err(format!("rung {} is not built here", rung.name())),
            None => Ok(LinkedLane {
                settings,
                recorded,
                link_inputs: overrides.into(),
            }),
        }
    }
}
