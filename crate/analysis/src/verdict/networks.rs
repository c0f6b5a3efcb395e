//! One common setting for several networks: the shortest delay with which all have few enough freezes, and its cost on each
//! network.

use super::advice::link;
use super::interpolation::{DelayFreezes, DelayRules, InterpolationTrials, delays_ms};
use super::measured_network::link_preset;
use super::playing::{ErrorProbe, InterpolationResult};
use super::rates::{DELAY_MOST_MS, Limits};
use crate::window::TickSpan;
use serde::Serialize;
use snapshot_base::order::sorted;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
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
    pub way: Option<NetworkWay>,
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
pub struct NetworkWay {
    pub latency_ms: String,
    pub jitter_ms: String,
    pub loss_percent: String,
}

impl NetworkWay {
    fn from_settings(settings: &Settings) -> NetworkWay {
        let text = |key| settings.text(key).to_string();
        NetworkWay {
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

/// Measurement of all networks in progress: each network alone, then all with the common setting.
pub(super) struct NetworkWork {
    /// The recommended settings. Networks are measured with them, apart from mode and delay.
    settings: Settings,
    recommended: InterpolationResult,
    /// Delays that each network tries, ms.
    delays_ms: Vec<u32>,
    /// Longest allowed delay of the common setting, ms.
    most_ms: f64,
    rules: DelayRules,
    chosen: Vec<&'static str>,
    all: Vec<NetworkInProgress>,
    common_ms: Option<f64>,
}

struct NetworkInProgress {
    id: &'static str,
    label: String,
    settings: Settings,
    given: LinkInputs,
    comparison: InterpolationTrials,
    compared: bool,
    common: Option<ErrorProbe>,
    done: bool,
}

impl NetworkWork {
    /// Begins with the recommended settings, without any network. On each network the same delays are tried as on the link's
    /// own network, whose delays spread over `spread_ms`.
    pub(super) fn new(
        tape: &Tape,
        settings: &Settings,
        recommended: InterpolationResult,
        spread_ms: f64,
    ) -> NetworkWork {
        let lane = settings.lane().at(tape.tick_rate());
        NetworkWork {
            settings: *settings,
            recommended,
            delays_ms: delays_ms(lane.send_interval_ms(), spread_ms),
            most_ms: 0.0,
            rules: DelayRules::new(&settings.lane().at(tape.tick_rate())),
            chosen: Vec::new(),
            all: Vec::new(),
            common_ms: None,
        }
    }

    /// Sets the networks to measure. Results of networks measured before stay.
    pub(super) fn choose(
        &mut self,
        tape: &Tape,
        given: &LinkInputs,
        chosen: &ChosenNetworks,
        limits: Limits,
    ) {
        let most_ms = self.most_ms(limits);
        if self.chosen == chosen.0 && self.most_ms == most_ms {
            return;
        }
        self.most_ms = most_ms;
        self.chosen.clone_from(&chosen.0);
        let mut before = std::mem::take(&mut self.all);
        self.common_ms = None;
        // The link's own network has a row already: no network counts twice.
        let own_preset = (given.trace.is_none() && chosen.0.contains(&OWN))
            .then(|| link_preset(&self.settings))
            .flatten();
        let of = |id: &&'static str| {
            if own_preset.is_some_and(|preset| preset.id == *id) {
                return None;
            }
            if let Some(place) = before.iter().position(|network| network.id == *id) {
                let mut network = before.swap_remove(place);
                (network.common, network.done) = (None, false);
                return Some(network);
            }
            let mut settings = self.settings;
            let preset = LINK_PRESETS.iter().find(|preset| preset.id == *id);
            let (label, given) = match preset {
                Some(preset) => {
                    settings.set_text("link", preset.id).ok()?;
                    (preset.label.to_owned(), LinkInputs::default())
                }
                None if given.trace.is_some() => ("your trace".to_owned(), given.clone()),
                None => {
                    let preset = own_preset.map(|preset| format!("as set: {}", preset.label));
                    (preset.unwrap_or("as set".to_owned()), given.clone())
                }
            };
            Some(NetworkInProgress {
                id,
                label,
                comparison: InterpolationTrials::new(&settings, tape.tick_rate(), &self.delays_ms),
                settings,
                given,
                compared: false,
                common: None,
                done: false,
            })
        };
        self.all = chosen.0.iter().filter_map(of).collect();
    }

    pub(super) fn is_done(&self, chosen: &ChosenNetworks, limits: Limits) -> bool {
        self.most_ms == self.most_ms(limits)
            && self.chosen == chosen.0
            && self.all.iter().all(|network| network.done)
    }

    pub(super) fn is_of(&self, settings: &Settings) -> bool {
        self.settings == *settings
    }

    /// Runs one tick of a lane over a network. Returns false once all networks are measured.
    pub(super) fn work(&mut self, tape: &Tape, window: TickSpan) -> bool {
        if let Some(network) = self.all.iter_mut().find(|network| !network.compared) {
            network.compared = !network.comparison.work(tape, &network.given, window);
            return true;
        }
        let common_ms = match self.common_ms {
            Some(common_ms) => common_ms,
            None => {
                let common_ms = self.common_delay_ms();
                *self.common_ms.insert(common_ms)
            }
        };
        let Some(network) = self.all.iter_mut().find(|network| !network.done) else {
            return false;
        };
        let NetworkInProgress {
            settings, given, ..
        } = network;
        let playing = network.common.get_or_insert_with(|| {
            let _ = settings.set_number(Key::Delay, common_ms);
            ErrorProbe::new(tape, settings, given, window.after)
        });
        network.done = !playing.work(tape, window.last);
        self.all.iter().any(|network| !network.done)
    }

    /// Returns the longest allowed delay of a common setting, ms. It is never shorter than the recommended delay.
    fn most_ms(&self, limits: Limits) -> f64 {
        let most_ms = limits.delay_ms.unwrap_or(DELAY_MOST_MS);
        most_ms.max(self.recommended.delay_ms)
    }

    /// Returns true if some delay up to the longest allowed one has few enough freezes on a network. The link's own network
    /// is always served.
    fn is_served(&self, network: &NetworkInProgress) -> bool {
        let is_calm = |played: &InterpolationResult| {
            let is_within =
                (played.delay_ms <= self.most_ms) && self.rules.is_advised(played.delay_ms);
            is_within && self.rules.is_calm(played.freezes.per_minute)
        };
        network.id == OWN || network.comparison.rising().any(is_calm)
    }

    /// Returns the shortest delay that has few enough freezes on all served networks. If there is none, returns the shortest
    /// delay whose frozen time on its worst network is nearly the least.
    fn common_delay_ms(&self) -> f64 {
        let served = || {
            let any = self.all.iter().any(|network| self.is_served(network));
            let all = self.all.iter();
            all.filter(move |network| !any || self.is_served(network))
        };
        let rising = served().flat_map(|network| network.comparison.rising());
        let delays = rising.map(|played| played.delay_ms);
        let mut delays = sorted(delays.filter(|ms| *ms <= self.most_ms));
        delays.dedup();
        let worst = |delay_ms: &f64| {
            // Beyond its last tried delay a network has no freezes: that is why none was tried.
            let mut worst = DelayFreezes {
                delay_ms: *delay_ms,
                per_minute: 0.0,
                ms_per_minute: 0.0,
            };
            let rising = served().flat_map(|network| network.comparison.rising());
            for played in rising.filter(|it| it.delay_ms == *delay_ms) {
                let freezes = played.freezes;
                worst.per_minute = worst.per_minute.max(freezes.per_minute);
                worst.ms_per_minute = worst.ms_per_minute.max(freezes.ms_per_minute);
            }
            worst
        };
        let all = delays.iter().map(worst);
        self.rules.shortest(all).unwrap_or_default()
    }

    /// Finished share of the work, 0 to 1.
    pub(super) fn share(&self, ticks: u64) -> f64 {
        let of = |network: &NetworkInProgress| {
            let compared = match network.compared {
                true => 1.0,
                false => network.comparison.share(ticks),
            };
            let common = network.common.as_ref().map_or(0, ErrorProbe::ticks);
            0.9 * compared + 0.1 * common as f64 / ticks.max(1) as f64
        };
        self.all.iter().map(of).sum::<f64>() / self.all.len().max(1) as f64
    }

    /// Returns the results on all networks; `None` before all work is done.
    pub(super) fn networks(&self) -> Option<Networks> {
        let delay_ms = self.common_ms?;
        let row = |network: &NetworkInProgress| {
            let common = network.common.as_ref().filter(|_| network.done)?;
            // The link's own network has its recommended settings already.
            let own_best = match network.id {
                OWN => self.recommended,
                _ => network.comparison.best()?,
            };
            let kbps = common.kbps();
            let common = common.played();
            let more =
                |figure: fn(&InterpolationResult) -> f64| figure(&common) - figure(&own_best);
            Some(NetworkRow {
                id: network.id,
                served: self.is_served(network),
                label: network.label.clone(),
                way: (network.given.trace.is_none())
                    .then(|| NetworkWay::from_settings(&network.settings)),
                kbps,
                own_best,
                common,
                delay_more_ms: more(|it| it.delay_ms),
                still_more_ms_per_minute: more(|it| it.freezes.ms_per_minute),
                error_more_mm: more(|it| it.surface_error_mm_p95),
            })
        };
        let rows: Option<Vec<NetworkRow>> = self.all.iter().map(row).collect();
        let rows = rows?;
        // Where none freezes, it is the network that asks for the longest delay.
        let needs = |row: &NetworkRow| {
            let frozen_ms = row.common.freezes.ms_per_minute;
            (frozen_ms, row.own_best.delay_ms)
        };
        let worse = |a: &&NetworkRow, b: &&NetworkRow| {
            let ((a_ms, a_delay_ms), (b_ms, b_delay_ms)) = (needs(a), needs(b));
            a_ms.total_cmp(&b_ms)
                .then(a_delay_ms.total_cmp(&b_delay_ms))
        };
        let is_served = |row: &&NetworkRow| row.served;
        let served = rows.iter().filter(is_served);
        let worst = served.max_by(worse).or_else(|| rows.iter().max_by(worse));
        let mut settings = self.settings;
        let _ = settings.set_number(Key::Delay, delay_ms);
        Some(Networks {
            rate_hz: settings.get(Key::SendRate),
            mode: rows.first()?.common.mode,
            delay_ms,
            most_ms: self.most_ms,
            worst: worst?.id,
            link: link(&settings),
            rows,
        })
    }
}
