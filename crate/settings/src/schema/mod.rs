//! The schema of the settings. `declared.rs` has them all, `row.rs` their columns.

mod declare;
mod declared;
mod row;

pub(crate) use declare::settings;
use declared::HELP;
pub(crate) use declared::accessors;
pub use declared::{Key, SCHEMA};
pub use row::{Choice, DECIMALS_MAX, Domain, Effect, Group, Numbers, OfLink, OnLadder, Setting};
#[cfg(test)]
pub(crate) use row::{decimals, number};

impl Setting {
    /// Help in one line, for a person who has not read the articles.
    pub fn help(&self) -> &'static str {
        HELP[self.key as usize]
    }
}

impl Key {
    pub fn setting(self) -> &'static Setting {
        &SCHEMA[self as usize]
    }

    /// Returns the setting with this permalink key, such as `hz`; `None` if there is none.
    pub fn from_id(id: &str) -> Option<Key> {
        SCHEMA
            .iter()
            .find(|setting| setting.id == id)
            .map(|setting| setting.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, Strategy, permalink};
    use proptest::prelude::*;

    #[test]
    fn each_row_fits_its_columns_together() {
        for setting in &SCHEMA {
            assert_eq!(setting.key.setting().id, setting.id);
            for strategy in Strategy::ALL {
                let default = setting.default_in(strategy);
                let domain = setting.domain_in(strategy);
                assert!(domain.contains(default), "{}", setting.id);
                assert_eq!(domain.format(default), setting.domain.format(default));
            }
            assert!(!setting.id.is_empty() && !setting.label.is_empty());
            let is_of_the_world = setting.effect >= Effect::Motion;
            let is_played = setting.effect == Effect::AtOnce;
            assert!(setting.is_read_by_a_lane != is_played || is_of_the_world);
            if let Some(there) = setting.way_there {
                assert_eq!(setting.id, format!("back.{}", there.setting().id));
            }
            assert!(
                !setting.help().is_empty() && setting.help().len() <= 120,
                "{}",
                setting.id
            );
        }
    }

    /// A new setting comes into one of these lists until a strategy has it, presets and recorded links change it, or a sweep
    /// draws it.
    #[test]
    fn the_settings_that_all_strategies_heed_no_link_gives_or_no_sweep_draws_are_these() {
        let ids = |is_one: fn(&Setting) -> bool| {
            let ids = SCHEMA.iter().filter(|it| is_one(it)).map(|it| it.id);
            ids.collect::<Vec<_>>().join(" ")
        };
        let of_the_ends = |it: &Setting| {
            let is_of_an_end = matches!(it.group, Group::Sender | Group::Receiver);
            is_of_an_end && Strategy::ALL.iter().all(|of| it.is_used_by(*of))
        };
        assert_eq!(ids(of_the_ends), "strategy hz freezes pace");
        let beside_the_link = |it: &Setting| {
            let is_of_the_network = matches!(it.group, Group::Network | Group::Link);
            is_of_the_network && it.of_link == OfLink::No
        };
        assert_eq!(ids(beside_the_link), "transport mtu header link drift");
        let undrawn = |it: &Setting| it.drawn.is_empty() && it.way_there.is_none();
        assert_eq!(
            ids(undrawn),
            "strategy clients link desync freezes pace server rival grid speed"
        );
    }

    #[test]
    fn lockstep_stretches_the_latency_and_a_switch_back_holds_it_to_its_range() {
        let mut settings = Settings::default();
        assert!(settings.set_text("latency", "501").is_err());
        settings.set_text("strategy", "lockstep").unwrap();
        assert_eq!(settings.text(Key::Delay), "100");
        assert_eq!(settings.lane().send_rate_hz(), 60);
        assert!(settings.set_text("latency", "2001").is_err());
        settings.set_text("latency", "2000").unwrap();
        settings.set_text("strategy", "snapshot").unwrap();
        assert_eq!(settings.text(Key::Latency), "500");
        assert_eq!(settings.text(Key::Delay), "auto");
    }

    #[test]
    fn a_width_that_is_not_set_keeps_to_the_other_and_no_large_range_is_narrower() {
        let of = |link: &str| {
            let (settings, notices) = permalink::parse(link);
            let lane = settings.lane();
            let widths = [lane.position_widths(), lane.orientation_widths()];
            (
                widths.map(|widths| (widths.small_bits(), widths.large_bits())),
                notices.iter().map(ToString::to_string).collect::<Vec<_>>(),
            )
        };
        assert_eq!(of(""), ([(5, 9), (5, 8)], vec![]));
        assert_eq!(of("pos=12&rot=2"), ([(8, 12), (2, 2)], vec![]));
        assert_eq!(
            of("pos-small=6&pos-large=10&rot-small=4&rot-large=7"),
            ([(6, 10), (4, 7)], vec![])
        );
        assert_eq!(of("pos-small=12&rot-large=3"), ([(12, 12), (3, 3)], vec![]));
        assert_eq!(of("pos-small=6&pos-large=5"), ([(6, 6), (5, 8)], vec![]));
        for (link, range) in [
            ("pos-small=1", "from 2 to 24"),
            ("pos-large=25", "from 2 to 24"),
            ("rot-small=x", "from 2 to 17"),
            ("rot-large=18", "from 2 to 17"),
        ] {
            let takes = format!("it takes whole numbers {range}, or is auto");
            assert!(of(link).1[0].contains(&takes), "{link}");
        }
        for link in ["pos-small=2&pos-large=24", "rot-small=17&rot-large=17"] {
            assert_eq!(of(link).1, [] as [&str; 0]);
        }
    }

    #[test]
    fn a_stream_costs_a_tcp_header_and_only_lockstep_has_one() {
        let header_bytes = |link: &str| permalink::parse(link).0.lane().header_bytes();
        for (link, bytes) in [
            ("transport=tcp", 28),
            ("strategy=lockstep", 28),
            ("strategy=lockstep&transport=tcp", 40),
            ("strategy=lockstep&transport=tcp&header=ipv6", 60),
            ("strategy=lockstep&transport=tcp&header=none", 0),
        ] {
            assert_eq!(header_bytes(link), bytes, "{link}");
        }
    }

    proptest! {
        #[test]
        fn every_value_survives_its_text(i in 0..SCHEMA.len(), raw: u32) {
            let domain = SCHEMA[i].domain;
            let value = match domain {
                Domain::Choice(choices) => raw % choices.len() as u32,
                Domain::Number(of) => (u64::from(of.min) + u64::from(raw) % (u64::from(of.max - of.min) + 1)) as u32,
            };
            prop_assert_eq!(domain.parse(&domain.format(value)), Some(value));
        }
    }
}
