//! One common setting for several networks: the shortest delay with which all have few enough freezes, and its cost on each
//! network.

use super::advice::link;
use super::interpolation::{DelayFreezes, DelayRules, Trials, delays_ms};
use super::measured_network::link_preset;
use super::playing::InterpolationResult;
use super::rates::{DELAY_MOST_MS, Limits};
use super::sweep::{Missing, Over, Sweep};
use serde::Serialize;
use snapshot_base::order::sorted;
use snapshot_base::time::TickRate;
use snapshot_settings::link_presets::LINK_PRESETS;
use snapshot_settings::{Key, Settings};

pub(super) const OWN: &str = "own";
/// Name in a text that means the link's network alone; `ALL` means all networks.
const NONE: &str = "none";
const ALL: &str = "all";
/// The preset that is only measured if a person chooses it. It models a player's uplink, not the direction to a player.
const UPLINK: &str = "bufferbloat";

/// Iterates over the names of all networks: `own` for the network of the link, then the presets.
pub fn network_ids() -> impl Iterator<Item = &'static str> {
    [OWN].into_iter().chain(LINK_PRESETS.iter().map(|it| it.id))
}

/// Names of the networks that one common setting must serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenNetworks(Vec<&'static str>);

impl Default for ChosenNetworks {
    fn default() -> ChosenNetworks {
        ChosenNetworks(network_ids().filter(|id| *id != UPLINK).collect())
    }
}

impl ChosenNetworks {
    /// Makes a choice of networks by name, in the order of the presets; `None` for an unknown name or an empty list.
    pub fn new<'a>(ids: impl IntoIterator<Item = &'a str>) -> Option<ChosenNetworks> {
        let ids: Vec<&str> = ids.into_iter().collect();
        let is_known = |id: &&str| network_ids().any(|known| known == *id);
        let chosen = || network_ids().filter(|id| ids.contains(id)).collect();
        (!ids.is_empty() && ids.iter().all(is_known)).then(|| ChosenNetworks(chosen()))
    }

    /// Parses names of networks, separated by `sign`. The text `none` means the network of the link alone, `all` all
    /// networks. Returns `None` for an unknown name.
    pub fn parse(text: &str, sign: char) -> Option<ChosenNetworks> {
        match text {
            NONE => Some(ChosenNetworks(vec![OWN])),
            ALL => ChosenNetworks::new(network_ids()),
            _ => ChosenNetworks::new(text.split(sign)),
        }
    }

    pub fn ids(&self) -> &[&'static str] {
        &self.0
    }

    /// Returns the choice as text for a link; `None` for the default choice.
    pub(super) fn linked(&self) -> Option<String> {
        (*self != ChosenNetworks::default()).then(|| match self.0.len() {
            1 if self.0[0] == OWN => NONE.to_owned(),
            count if count == network_ids().count() => ALL.to_owned(),
            _ => self.0.join("."),
        })
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NetworkRow {
    /// Id of the network: `own` for the network of the link or of the trace, else a preset's name.
    pub id: &'static str,
    pub label: String,
    /// Latency, jitter and loss of the way to the receiver; `None` for a trace.
    pub conditions: Option<NetworkConditions>,
    /// Mean bandwidth on this network with the common setting, kbit/s, headers included.
    pub kbps: f64,
    /// True if some delay up to the longest allowed one has few enough freezes on this network. The common delay is chosen
    /// for such networks alone.
    pub served: bool,
    /// Result of the best interpolation mode and delay for this network alone. For the link's own network, the recommended
    /// mode and delay.
    pub own_best: InterpolationResult,
    /// Result of the common setting on this network.
    pub common: InterpolationResult,
    /// Difference in ms between the common playout delay and the network's best one.
    pub delay_more_ms: f64,
    /// Frozen time with the common setting minus that with the network's best delay, ms a minute.
    pub still_more_ms_per_minute: f64,
    /// 95th percentile of the surface error with the common setting minus that with the network's best delay, mm.
    pub error_more_mm: f64,
}

/// Latency, jitter and loss from sender to receiver over a network, as texts of the settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NetworkConditions {
    pub latency_ms: String,
    pub jitter_ms: String,
    pub loss_percent: String,
}

impl NetworkConditions {
    fn from_settings(settings: &Settings) -> NetworkConditions {
        let text = |key| settings.text(key).to_string();
        NetworkConditions {
            latency_ms: text(Key::Latency),
            jitter_ms: text(Key::Jitter),
            loss_percent: text(Key::Loss),
        }
    }
}

/// The common setting, and its results on all networks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Networks {
    pub rate_hz: u32,
    pub mode: &'static str,
    /// The common playout delay, ms.
    pub delay_ms: f64,
    /// Longest allowed common delay, ms.
    pub most_ms: f64,
    /// Name of the served network with the longest frozen time. If no network freezes, the network with the longest best
    /// delay.
    pub worst: &'static str,
    /// Link of the settings recommended for all networks.
    pub link: String,
    /// Results by network: first the network of the link, then the presets.
    pub rows: Vec<NetworkRow>,
}

/// A network to measure, under the recommended settings.
struct Network {
    id: &'static str,
    label: String,
    settings: Settings,
    over: Over,
    /// True if the network is a recorded one.
    is_trace: bool,
}

/// A network on which the modes and delays have been tried.
struct Tried {
    network: Network,
    trials: Trials,
    /// True if some delay up to the longest allowed one has few enough freezes.
    is_served: bool,
}

/// Measures networks under the recommended settings: each alone, then all with one common delay. On each network the same
/// delays are tried as on the link's own, whose delays spread over `spread_ms`. `None` if no network has a result.
pub(super) fn networks(
    sweep: &Sweep,
    settings: &Settings,
    recommended: &InterpolationResult,
    tick_rate: TickRate,
    spread_ms: f64,
    chosen: &ChosenNetworks,
    limits: Limits,
) -> Result<Option<Networks>, Missing> {
    let lane = settings.lane().at(tick_rate);
    let (rules, delays) = (
        DelayRules::new(&lane),
        delays_ms(lane.send_interval_ms(), spread_ms),
    );
    // A common delay may be as long as the recommended one.
    let most_ms = limits.delay_ms.unwrap_or(DELAY_MOST_MS);
    let most_ms = most_ms.max(recommended.delay_ms);
    let networks = measured(sweep, settings, chosen);
    let parts = 2 * networks.len();
    let mut tried: Vec<Tried> = Vec::new();
    for network in networks {
        let trials = Trials::of(sweep, &network.settings, network.over, tick_rate, &delays);
        let trials = trials.map_err(|missing| missing.in_part(tried.len(), parts))?;
        let is_calm = |played: &InterpolationResult| {
            let is_within = played.delay_ms <= most_ms && rules.is_advised(played.delay_ms);
            is_within && rules.is_calm(played.freezes.per_minute)
        };
        tried.push(Tried {
            is_served: network.id == OWN || trials.rising().any(is_calm),
            network,
            trials,
        });
    }
    let delay_ms = common_delay_ms(&tried, rules, most_ms);
    let mut rows: Vec<NetworkRow> = Vec::new();
    for (part, it) in (tried.len()..).zip(&tried) {
        let mut common = it.network.settings;
        let _ = common.set_number(Key::Delay, delay_ms);
        let common = sweep.view(&common, it.network.over);
        let common = common.map_err(|missing| missing.in_part(part, parts))?;
        // The link's own network has its recommended settings already.
        let own_best = match it.network.id {
            OWN => Some(*recommended),
            _ => it.trials.best(),
        };
        let Some(own_best) = own_best else {
            return Ok(None);
        };
        let more =
            |figure: fn(&InterpolationResult) -> f64| figure(&common.played) - figure(&own_best);
        rows.push(NetworkRow {
            id: it.network.id,
            label: it.network.label.clone(),
            conditions: (!it.network.is_trace)
                .then(|| NetworkConditions::from_settings(&it.network.settings)),
            kbps: common.kbps,
            served: it.is_served,
            own_best,
            common: common.played,
            delay_more_ms: more(|it| it.delay_ms),
            still_more_ms_per_minute: more(|it| it.freezes.ms_per_minute),
            error_more_mm: more(|it| it.surface_error_mm_p95),
        });
    }
    // Where none freezes, it is the network that asks for the longest delay.
    let worse = |a: &&NetworkRow, b: &&NetworkRow| {
        let frozen_ms = |row: &NetworkRow| row.common.freezes.ms_per_minute;
        let delay_ms = |row: &NetworkRow| row.own_best.delay_ms;
        (frozen_ms(a).total_cmp(&frozen_ms(b))).then(delay_ms(a).total_cmp(&delay_ms(b)))
    };
    let served = rows.iter().filter(|row| row.served);
    let worst = served.max_by(worse).or_else(|| rows.iter().max_by(worse));
    let Some(worst) = worst.map(|row| row.id) else {
        return Ok(None);
    };
    let mut settings = *settings;
    let _ = settings.set_number(Key::Delay, delay_ms);
    Ok(Some(Networks {
        rate_hz: settings.chosen_rate_hz(),
        mode: recommended.mode,
        delay_ms,
        most_ms,
        worst,
        link: link(&settings),
        rows,
    }))
}

/// Returns the chosen networks. One that the link has set already is its own network: none counts twice.
fn measured(sweep: &Sweep, settings: &Settings, chosen: &ChosenNetworks) -> Vec<Network> {
    let has_trace = sweep.link_inputs.trace.is_some();
    let own_preset = match !has_trace && chosen.0.contains(&OWN) {
        true => link_preset(settings),
        false => None,
    };
    let network = |id: &&'static str| {
        if own_preset.is_some_and(|preset| preset.id == *id) {
            return None;
        }
        let mut settings = *settings;
        let preset = LINK_PRESETS.iter().find(|preset| preset.id == *id);
        let label = match (preset, own_preset) {
            (Some(preset), _) => {
                settings.set_text("link", preset.id).ok()?;
                preset.label.to_owned()
            }
            (None, _) if has_trace => "your trace".to_owned(),
            (None, Some(preset)) => format!("as set: {}", preset.label),
            (None, None) => "as set".to_owned(),
        };
        Some(Network {
            id,
            label,
            settings,
            over: match preset {
                Some(_) => Over::Preset,
                None => Over::Link,
            },
            is_trace: has_trace && preset.is_none(),
        })
    };
    chosen.0.iter().filter_map(network).collect()
}

/// Returns the shortest delay that has few enough freezes on all served networks. If there is none, returns the shortest
/// delay whose frozen time on its worst network is nearly the least.
fn common_delay_ms(tried: &[Tried], rules: DelayRules, most_ms: f64) -> f64 {
    let any = tried.iter().any(|it| it.is_served);
    let served = || tried.iter().filter(move |it| !any || it.is_served);
    let rising = || served().flat_map(|it| it.trials.rising());
    let delays = rising().map(|played| played.delay_ms);
    let mut delays = sorted(delays.filter(|ms| *ms <= most_ms));
    delays.dedup();
    let worst = |delay_ms: &f64| {
        // Beyond its last tried delay a network has no freezes: that is why none was tried.
        let mut worst = DelayFreezes {
            delay_ms: *delay_ms,
            per_minute: 0.0,
            ms_per_minute: 0.0,
        };
        for played in rising().filter(|it| it.delay_ms == *delay_ms) {
            let freezes = played.freezes;
            worst.per_minute = worst.per_minute.max(freezes.per_minute);
            worst.ms_per_minute = worst.ms_per_minute.max(freezes.ms_per_minute);
        }
        worst
    };
    rules.shortest(delays.iter().map(worst)).unwrap_or_default()
}
