//! A card: a verdict's decision in a link, by postcard and base64url. No text of a link becomes text of the page: names are
//! places in our tables.

use super::answer::Answer;
use super::measured_network::MeasuredNetwork;
use super::playing::InterpolationResult;
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use serde::{Deserialize, Serialize, Serializer};
use snapshot_codec::{Class, Rung};
use snapshot_settings::Interpolation;

/// Upper limit of the length of a card's text, bytes. A card is a verdict's decision, written into a link.
pub const CARD_BYTES_MAX: usize = 1_000;
/// Upper limit of the number of points besides the recommended one.
const POINTS_MAX: usize = 12;
/// Upper limit of a number in a card.
const NUMBER_MAX: f32 = 1e7;

/// A name of one of our tables. As an alias: serde would borrow a `&str` from what it reads.
pub(super) type Name = &'static str;

/// The decision of another person's verdict, read from a link and not measured here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "VerdictCard"))]
pub struct Card {
    pub objects: u32,
    /// Length of the judged motion, s.
    pub seconds: f32,
    pub tick_rate_hz: u32,
    pub rung: u8,
    /// Class of an arithmetic rung; `None` on others.
    #[serde(with = "class")]
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub class: Option<Name>,
    /// The network over which the points were measured; in words for the page.
    #[serde(serialize_with = "network_in_words")]
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub network: MeasuredNetwork,
    pub recommended: CardPoint,
    /// Points on the Pareto front of bandwidth, error and delay; at most 12.
    pub front: Vec<CardPoint>,
}

/// A send rate with its cost and errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CardPoint {
    pub rate_hz: u32,
    /// Name of the interpolation mode in the setting `interp`.
    #[serde(with = "mode")]
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub mode: Name,
    /// Mean bandwidth, kbit/s, headers included.
    pub kbps: f32,
    pub delay_ms: f32,
    /// Mean age of the shown state, ms.
    pub behind_ms: f32,
    /// 95th percentile of the surface error. Pixels are seen from 10 m at 60 degrees on 1,080 lines.
    pub surface_mm: f32,
    pub surface_px: f32,
    /// 95th percentiles of the errors of position and orientation.
    pub error_mm: f32,
    pub error_deg: f32,
    /// Numbers of freezes: in the run with the fewest, and in the run with the most.
    pub freezes: [u32; 2],
    pub longest_ms: f32,
    pub ms_per_minute: f32,
}

impl CardPoint {
    fn new(rate_hz: u32, kbps: f64, played: &InterpolationResult) -> CardPoint {
        let freezes = played.freezes;
        CardPoint {
            rate_hz,
            mode: played.mode,
            kbps: kbps as f32,
            delay_ms: played.delay_ms as f32,
            behind_ms: played.behind_ms as f32,
            surface_mm: played.surface_error_mm_p95 as f32,
            surface_px: played.surface_error_px_p95 as f32,
            error_mm: played.position_error_mm_p95 as f32,
            error_deg: played.orientation_error_deg_p95 as f32,
            freezes: [freezes.least, freezes.most].map(|count| count as u32),
            longest_ms: freezes.longest_ms as f32,
            ms_per_minute: freezes.ms_per_minute as f32,
        }
    }

    fn numbers(&self) -> [f32; 9] {
        [
            self.kbps,
            self.delay_ms,
            self.behind_ms,
            self.surface_mm,
            self.surface_px,
            self.error_mm,
            self.error_deg,
            self.longest_ms,
            self.ms_per_minute,
        ]
    }
}

impl Card {
    /// Returns the card of a verdict; `None` before its rates are measured.
    pub fn new(answer: &Answer) -> Option<Card> {
        let rates = answer.rates.as_ref()?;
        let point = &rates.recommended.point;
        let point = CardPoint::new(point.rate_hz, point.kbps, &point.played);
        let front = rates.points.iter().filter(|other| other.on_front);
        let front = front.map(|other| CardPoint::new(other.rate_hz, other.kbps, &other.played));
        Some(Card {
            objects: answer.motion.objects as u32,
            seconds: answer.window.seconds as f32,
            tick_rate_hz: answer.window.tick_rate_hz,
            rung: answer.rung.number,
            class: answer.rung.class,
            network: answer.measured_over,
            recommended: point,
            front: front.take(POINTS_MAX).collect(),
        })
    }

    /// Returns the text for a link, of at most [`CARD_BYTES_MAX`] bytes.
    pub fn text(&self) -> String {
        let bytes = postcard::to_allocvec(self).expect("a card has only numbers");
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Parses a link's text; `None` if anything in it is unknown, out of range, missing or too much.
    pub fn parse(text: &str) -> Option<Card> {
        if text.len() > CARD_BYTES_MAX {
            return None;
        }
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let (card, rest) = postcard::take_from_bytes::<Card>(&bytes).ok()?;
        (rest.is_empty() && card.is_sound()).then_some(card)
    }

    fn is_sound(&self) -> bool {
        let points = || self.front.iter().chain([&self.recommended]);
        let own = self.network.numbers().map(|number| number as f32);
        let mut numbers = (points().flat_map(CardPoint::numbers))
            .chain(own)
            .chain([self.seconds]);
        numbers.all(|number| (0.0..=NUMBER_MAX).contains(&number))
            && points().all(|point| point.rate_hz > 0)
            && usize::from(self.rung) < Rung::ALL.len()
            && self.front.len() <= POINTS_MAX
    }
}

fn network_in_words<S: Serializer>(network: &MeasuredNetwork, to: S) -> Result<S::Ok, S::Error> {
    match to.is_human_readable() {
        true => to.serialize_str(&network.words()),
        false => network.serialize(to),
    }
}

/// A name of a table: its place in compact forms, the name itself for people.
macro_rules! by_place {
    ($module:ident, $name:ty, $names:expr) => {
        mod $module {
            use super::*;
            use serde::de::Error;
            use serde::{Deserializer, Serializer};

            pub(super) fn serialize<S: Serializer>(name: &$name, to: S) -> Result<S::Ok, S::Error> {
                if to.is_human_readable() {
                    return name.serialize(to);
                }
                let place = $names.position(|other| other == *name);
                to.serialize_u8(place.map_or(u8::MAX, |place| place as u8))
            }

            pub(super) fn deserialize<'de, D: Deserializer<'de>>(
                from: D,
            ) -> Result<$name, D::Error> {
                let place = u8::deserialize(from)?;
                let name = $names.nth(place.into());
                name.ok_or_else(|| D::Error::custom("no such name"))
            }
        }
    };
}
pub(super) use by_place;

by_place!(
    mode,
    Name,
    Interpolation::ALL.iter().map(|mode| mode.row().name)
);
by_place!(
    class,
    Option<Name>,
    [None]
        .into_iter()
        .chain(Class::ALL.map(|class| Some(class.name())))
);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn card() -> Card {
        let point = |rate_hz, mode| CardPoint {
            rate_hz,
            mode,
            kbps: 9.2,
            delay_ms: 100.0,
            behind_ms: 174.0,
            surface_mm: 21.4,
            surface_px: 2.0,
            error_mm: 3.1,
            error_deg: 0.2,
            freezes: [0, 1],
            longest_ms: 33.0,
            ms_per_minute: 12.0,
        };
        Card {
            objects: 40,
            seconds: 39.0,
            tick_rate_hz: 60,
            rung: 12,
            class: Some("chained"),
            network: MeasuredNetwork::Preset("wifi-busy"),
            recommended: point(30, "hermite"),
            front: vec![point(10, "linear")],
        }
    }

    #[test]
    fn a_card_is_read_as_it_was_written_and_named_for_people() {
        let networks = [
            MeasuredNetwork::Trace,
            MeasuredNetwork::Preset("wifi-busy"),
            MeasuredNetwork::Own([50.0, 17.5, 2.0]),
        ];
        for network in networks {
            let card = Card { network, ..card() };
            assert_eq!(Card::parse(&card.text()), Some(card));
        }
        let shown = serde_json::to_value(card()).unwrap();
        assert_eq!(shown["network"], "Wi-Fi, busy");
        assert_eq!(shown["recommended"]["mode"], "hermite");
        assert_eq!(shown["class"], "chained");
    }

    #[test]
    fn what_is_no_card_is_refused() {
        let good = card().text();
        // A card of the earlier form, which had networks after the points.
        let earlier = "KAAAHEI8DAEBAQIeAzMzE0EAAMhCAAAuQzMzq0EAAABAZmZGQM3MTD4AAQAABEIAAEBBAQoBMzMTQQAAyEIAAC5DMzOrQQAAAEBmZkZAzcxMPgABAAAEQgAAQEEBAADwQgIAAADcQgAAYEAAAEhCBgAA3EIAAGBAAABIQg";
        let changed = |change: fn(&mut Card)| {
            let mut card = card();
            change(&mut card);
            card.text()
        };
        for wrong in [
            String::new(),
            good[1..].to_owned(),
            format!("{good}AA"),
            good.replace(&good[4..8], "<b>~"),
            changed(|card| card.recommended.rate_hz = 0),
            changed(|card| card.rung = 15),
            changed(|card| card.seconds = f32::NAN),
            changed(|card| card.front[0].kbps = -1.0),
            changed(|card| card.network = MeasuredNetwork::Own([2e7, 0.0, 0.0])),
            changed(|card| card.network = MeasuredNetwork::Preset("nowhere")),
            changed(|card| card.recommended.mode = "<b>"),
            changed(|card| card.class = Some("x")),
            changed(|card| card.front = vec![card.recommended.clone(); POINTS_MAX + 1]),
            "A".repeat(CARD_BYTES_MAX + 1),
            earlier.to_owned(),
        ] {
            assert_eq!(Card::parse(&wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[A-Za-z0-9_-]{0,200}") {
            if let Some(card) = Card::parse(&text) {
                prop_assert_eq!(Card::parse(&card.text()), Some(card));
            }
        }

        #[test]
        fn a_long_card_keeps_within_its_bytes(kbps in 0.0..9e6_f32, rate_hz in 1..u32::MAX) {
            let mut card = card();
            let point = CardPoint { kbps, rate_hz, freezes: [u32::MAX; 2], ..card.recommended };
            card.network = MeasuredNetwork::Own([50.0; 3]);
            (card.objects, card.tick_rate_hz) = (u32::MAX, u32::MAX);
            card.recommended = point.clone();
            card.front = vec![point; POINTS_MAX];
            let text = card.text();
            prop_assert!(text.len() <= CARD_BYTES_MAX);
            prop_assert_eq!(Card::parse(&text), Some(card));
        }
    }
}
