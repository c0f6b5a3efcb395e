//! Settings that a verdict or a recorded link advises.

use crate::link;
use crate::session::Session;
use snapshot_analysis::link_fit::{self, FittedTrace};
use snapshot_analysis::verdict::Card;
use snapshot_settings::{Key, permalink};

/// Keys of the settings that a verdict recommends.
const DECIDED: [Key; 9] = [
    Key::SendRate,
    Key::Codec,
    Key::PositionBits,
    Key::OrientationBits,
    Key::PositionSmall,
    Key::PositionLarge,
    Key::OrientationSmall,
    Key::OrientationLarge,
    Key::Interpolation,
];

pub(super) fn changes_to(session: &mut Session, link: String) -> Vec<String> {
    let (now, taken) = (session.lab().settings(), permalink::parse(&link).0);
    let keys = DECIDED.into_iter().chain([Key::Delay]);
    let changed = keys.filter(|key| taken.get(*key) != now.get(*key));
    changed
        .map(|key| format!("{}={}", key.setting().id, taken.text(key)))
        .collect()
}

pub(super) fn link_with(
    session: &mut Session,
    link: String,
    figure: String,
    card: Option<String>,
) -> String {
    let (mut here, _) = link::parse(&session.permalink(false));
    here.a.settings = permalink::parse(&link).0;
    (here.at, here.b) = (None, None);
    here.recorded = Default::default();
    here.show = Some(figure);
    here.card = card.and_then(|card| Card::parse(&card));
    link::format(&here)
}

pub(super) fn fit_trace(session: &mut Session) -> Option<FittedTrace> {
    let trace = session.lab().trace()?;
    Some(link_fit::describe(trace.delays()))
}
