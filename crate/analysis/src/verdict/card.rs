//! A card: a verdict's decision as a short text, which a link carries:
//! `card=m40~39~60_r12c_o50~17~2_p30~linear~9.2~100~174~3.1~0.2~0~0~0~0`.
//!
//! Groups are separated by `_`, and fields of a group by `~`. The first letter names the group: `m` the motion, `r` the rung,
//! `o` the network over which all points were measured, `p` a point, of which the first is the recommended one, `n` the common delay of networks, and `w` a network. Numbers have
//! three significant digits. Parsing is total and bounded. No text of a link becomes text of the page.

use super::answer::Answer;
use super::measured_network::MeasuredNetwork;
use super::networks::{OWN, network_ids};
use super::playing::InterpolationResult;
use serde::{Serialize, Serializer};
use snapshot_codec::Rung;
use snapshot_lane::surface::Screen;
use snapshot_settings::Interpolation;

/// Upper limit of the length of a card's text, bytes.
pub const CARD_BYTES_MAX: usize = 700;
/// Upper limit of the number of points besides the recommended one, and of the number of networks.
const ROWS_MAX: usize = 12;
/// Number of numbers in a point's text, without the surface error.
const POINT_NUMBERS: usize = 10;
/// Upper limit of a number in a card's text.
const NUMBER_MAX: f64 = 1e7;

/// The decision of another person's verdict, read from a link and not measured here.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "VerdictCard"))]
pub struct Card {
    pub objects: f64,
    /// Length of the judged motion, s.
    pub seconds: f64,
    pub tick_rate_hz: f64,
    pub rung: u8,
    /// Class of an arithmetic rung; `None` on others.
    pub class: Option<&'static str>,
    /// The network over which the points were measured, in words; `None` in a card of an earlier version.
    #[serde(serialize_with = "in_words")]
    #[cfg_attr(feature = "ts", ts(as = "Option<String>"))]
    pub network: Option<MeasuredNetwork>,
    pub recommended: CardPoint,
    /// Points on the Pareto front of bandwidth, error and delay; at most 12.
    pub front: Vec<CardPoint>,
    /// The common playout delay for all networks, ms; `None` if no networks were measured.
    pub common_delay_ms: Option<f64>,
    pub networks: Vec<CardNetwork>,
}

/// Name of a recorded network in a card's text.
const TRACE: &str = "trace";

fn network_text(network: &MeasuredNetwork) -> String {
    match network {
        MeasuredNetwork::Trace => TRACE.to_owned(),
        MeasuredNetwork::Preset(id) => (*id).to_owned(),
        MeasuredNetwork::Own(numbers) => joined(numbers),
    }
}

fn parse_measured(fields: &str) -> Option<MeasuredNetwork> {
    if fields == TRACE {
        return Some(MeasuredNetwork::Trace);
    }
    let mut presets = network_ids().filter(|id| *id != OWN);
    let preset = presets.find(|id| *id == fields);
    let preset = preset.map(MeasuredNetwork::Preset);
    preset.or_else(|| numbers(fields).map(MeasuredNetwork::Own))
}

fn in_words<S: Serializer>(
    network: &Option<MeasuredNetwork>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    network.map(|network| network.words()).serialize(serializer)
}

/// A send rate with its cost and errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CardPoint {
    pub rate_hz: f64,
    /// Name of the interpolation mode in the setting `interp`.
    pub mode: &'static str,
    /// Mean bandwidth, kbit/s, headers included.
    pub kbps: f64,
    pub delay_ms: f64,
    /// Mean age of the shown state, ms.
    pub behind_ms: f64,
    /// 95th percentile of the surface error; `None` in a card of an earlier version. Pixels are seen from 10 m at 60 degrees
    /// on 1,080 lines.
    pub surface_mm: Option<f64>,
    pub surface_px: Option<f64>,
    /// 95th percentiles of the errors of position and orientation.
    pub error_mm: f64,
    pub error_deg: f64,
    /// Numbers of freezes: in the run with the fewest, and in the run with the most.
    pub freezes: [f64; 2],
    pub longest_ms: f64,
    pub ms_per_minute: f64,
}

/// A network under the common delay.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CardNetwork {
    /// Name of the network in the setting `link`, or `own`.
    pub id: &'static str,
    /// The playout delay that this network alone would need, ms.
    pub own_delay_ms: f64,
    /// Time of still frames with the common delay, ms a minute.
    pub ms_per_minute: f64,
    pub longest_ms: f64,
}

impl CardPoint {
    fn new(rate_hz: u32, kbps: f64, played: &InterpolationResult) -> CardPoint {
        let freezes = played.freezes;
        CardPoint {
            rate_hz: rate_hz.into(),
            mode: played.mode,
            kbps,
            delay_ms: played.delay_ms,
            behind_ms: played.behind_ms,
            surface_mm: Some(played.surface_error_mm_p95),
            surface_px: Some(played.surface_error_px_p95),
            error_mm: played.position_error_mm_p95,
            error_deg: played.orientation_error_deg_p95,
            freezes: [freezes.least, freezes.most].map(|count| count as f64),
            longest_ms: freezes.longest_ms,
            ms_per_minute: freezes.ms_per_minute,
        }
    }

    /// The numbers of a point in the order of its text. The first stands before the mode, the others after it.
    fn numbers(&mut self) -> [&mut f64; POINT_NUMBERS] {
        let [least, most] = &mut self.freezes;
        [
            &mut self.rate_hz,
            &mut self.kbps,
            &mut self.delay_ms,
            &mut self.behind_ms,
            &mut self.error_mm,
            &mut self.error_deg,
            least,
            most,
            &mut self.longest_ms,
            &mut self.ms_per_minute,
        ]
    }

    fn parse(fields: &str) -> Option<CardPoint> {
        let (rate, rest) = fields.split_once('~')?;
        let (mode, rest) = rest.split_once('~')?;
        let mut modes = Interpolation::ALL.into_iter();
        let mode = modes.find(|other| other.row().name == mode)?;
        // The surface error is the last number, which earlier versions did not write.
        let (rest, surface_mm) = match rest.split('~').count() {
            0..POINT_NUMBERS => (rest, None),
            _ => {
                let (rest, surface) = rest.rsplit_once('~')?;
                let [surface_mm] = numbers(surface)?;
                (rest, Some(surface_mm))
            }
        };
        let mut point = CardPoint {
            mode: mode.row().name,
            surface_mm,
            surface_px: surface_mm.map(|mm| Screen::FIGURES.px_of_mm(mm)),
            ..CardPoint::default()
        };
        let [first, others @ ..] = point.numbers();
        [*first] = numbers(rate)?;
        let rest: [f64; POINT_NUMBERS - 1] = numbers(rest)?;
        others
            .into_iter()
            .zip(rest)
            .for_each(|(place, number)| *place = number);
        // Nobody sends no packets.
        (point.rate_hz > 0.0).then_some(point)
    }

    fn text(&self) -> String {
        let [rate_hz, rest @ ..] = self.clone().numbers().map(|number| *number);
        let surface = self.surface_mm.map(|mm| format!("~{}", short(mm)));
        let [rate, rest] = [short(rate_hz), joined(&rest)];
        format!(
            "p{rate}~{}~{rest}{}",
            self.mode,
            surface.unwrap_or_default()
        )
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
        let networks = answer.networks.as_ref();
        let rows = networks.map_or(&[][..], |networks| &networks.rows);
        Some(Card {
            objects: answer.motion.objects as f64,
            seconds: answer.window.seconds,
            tick_rate_hz: answer.window.tick_rate_hz.into(),
            rung: answer.rung.number,
            class: answer.rung.class,
            network: Some(answer.measured_over),
            recommended: point,
            front: front.take(ROWS_MAX).collect(),
            common_delay_ms: networks.map(|networks| networks.delay_ms),
            networks: rows
                .iter()
                .take(ROWS_MAX)
                .map(|row| CardNetwork {
                    id: row.id,
                    own_delay_ms: row.own_best.delay_ms,
                    ms_per_minute: row.common.freezes.ms_per_minute,
                    longest_ms: row.common.freezes.longest_ms,
                })
                .collect(),
        })
    }

    /// Returns the text for a link. Points of the front are left out from the end until the text fits.
    pub fn text(&self) -> String {
        let class = self.class.map_or("", |class| &class[..1]);
        let head = [
            format!(
                "m{}",
                joined(&[self.objects, self.seconds, self.tick_rate_hz])
            ),
            format!("r{}{class}", self.rung),
        ];
        let network = self
            .network
            .map(|network| format!("o{}", network_text(&network)));
        let head = head.into_iter().chain(network);
        let head = head.chain([self.recommended.text()]);
        let common = self.common_delay_ms.map(|ms| format!("n{}", short(ms)));
        let networks = self.networks.iter().map(|network| {
            let figures = [
                network.own_delay_ms,
                network.ms_per_minute,
                network.longest_ms,
            ];
            format!("w{}~{}", network.id, joined(&figures))
        });
        let head = head.chain(common).chain(networks);
        let mut text = head.collect::<Vec<_>>().join("_");
        for point in &self.front {
            let point = point.text();
            if text.len() + 1 + point.len() > CARD_BYTES_MAX {
                break;
            }
            text = format!("{text}_{point}");
        }
        text
    }

    /// Parses a link's text; `None` if anything in it is unknown, out of range, missing or too much.
    pub fn parse(text: &str) -> Option<Card> {
        if text.len() > CARD_BYTES_MAX {
            return None;
        }
        let (mut motion, mut rung, mut network, mut common_delay_ms) = (None, None, None, None);
        let (mut points, mut networks) = (Vec::new(), Vec::new());
        for group in text.split('_') {
            let (kind, fields) = group.split_at_checked(1)?;
            let is_new = match kind {
                "m" => motion.replace(numbers::<3>(fields)?).is_none(),
                "r" => rung.replace(parse_rung(fields)?).is_none(),
                "o" => network.replace(parse_measured(fields)?).is_none(),
                "n" => {
                    let [delay_ms] = numbers(fields)?;
                    common_delay_ms.replace(delay_ms).is_none()
                }
                "p" => {
                    points.push(CardPoint::parse(fields)?);
                    points.len() <= ROWS_MAX + 1
                }
                "w" => {
                    networks.push(parse_network(fields)?);
                    networks.len() <= ROWS_MAX
                }
                _ => false,
            };
            if !is_new {
                return None;
            }
        }
        let ([objects, seconds, tick_rate_hz], (rung, class)) = (motion?, rung?);
        let mut points = points.into_iter();
        Some(Card {
            objects,
            seconds,
            tick_rate_hz,
            rung,
            class,
            network,
            recommended: points.next()?,
            front: points.collect(),
            common_delay_ms,
            networks,
        })
    }
}

fn parse_rung(text: &str) -> Option<(u8, Option<&'static str>)> {
    let class = match text.chars().next_back()? {
        'c' => Some("chained"),
        's' => Some("strict"),
        _ => None,
    };
    let number = if class.is_some() {
        &text[..text.len() - 1]
    } else {
        text
    };
    let [rung] = numbers(number)?;
    let is_rung = rung.fract() == 0.0 && (rung as usize) < Rung::ALL.len();
    is_rung.then_some((rung as u8, class))
}

fn parse_network(fields: &str) -> Option<CardNetwork> {
    let (id, rest) = fields.split_once('~')?;
    let id = network_ids().find(|other| *other == id)?;
    let [own_delay_ms, ms_per_minute, longest_ms] = numbers(rest)?;
    Some(CardNetwork {
        id,
        own_delay_ms,
        ms_per_minute,
        longest_ms,
    })
}

/// Parses `COUNT` numbers, separated by `~`. Each is from 0 to 10^7, and has only digits and a point.
fn numbers<const COUNT: usize>(text: &str) -> Option<[f64; COUNT]> {
    let mut all = [0.0; COUNT];
    let mut fields = text.split('~');
    for number in &mut all {
        let field = fields.next()?;
        let is_plain = field
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
        let read = field.parse().ok().filter(|_| is_plain && field.len() <= 12);
        *number = read.filter(|number: &f64| *number <= NUMBER_MAX)?;
    }
    fields.next().is_none().then_some(all)
}

/// Writes a number with three significant digits, or all digits of its whole part.
fn short(number: f64) -> String {
    let number = number.clamp(0.0, NUMBER_MAX);
    let digits = match number {
        100.0.. => 0,
        10.0..100.0 => 1,
        1.0..10.0 => 2,
        _ => 3,
    };
    let text = format!("{number:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn joined(numbers: &[f64]) -> String {
    let all: Vec<String> = numbers.iter().map(|number| short(*number)).collect();
    all.join("~")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CARD: &str = "m40~39~60_r12c_p30~hermite~9.2~100~174~3.1~0.2~0~1~33~12_n120_wown~100~0~0_w5g~110~3.5~50\
                        _p10~linear~4.1~200~300~20~1.5~0~0~0~0";

    #[test]
    fn a_card_is_read_as_it_was_written() {
        let card = Card::parse(CARD).unwrap();
        assert_eq!((card.rung, card.class), (12, Some("chained")));
        assert_eq!(card.recommended.mode, "hermite");
        assert_eq!((card.front.len(), card.networks.len()), (1, 2));
        assert_eq!(card.text(), CARD);
        // A point with its surface error.
        let with = CARD.replace("~33~12_", "~33~12~21.4_");
        let card = Card::parse(&with).unwrap();
        assert_eq!(card.recommended.surface_mm, Some(21.4));
        assert!((card.recommended.surface_px.unwrap() - 2.0).abs() < 0.01);
        assert_eq!((card.front[0].surface_mm, card.text()), (None, with));
    }

    #[test]
    fn a_card_names_the_network_that_it_was_measured_over() {
        assert_eq!(Card::parse(CARD).unwrap().network, None);
        for (text, words) in [
            (
                "50~17.5~2",
                "a network with 50 ms of latency, 17.5 ms of jitter and 2 % of loss",
            ),
            ("wifi-busy", "Wi-Fi, busy"),
            ("trace", "a recorded network"),
        ] {
            let with = CARD.replace("_p30~", &format!("_o{text}_p30~"));
            let card = Card::parse(&with).unwrap();
            assert_eq!(
                (card.network.unwrap().words(), card.text()),
                (words.to_owned(), with)
            );
        }
        for wrong in ["50~17", "nowhere", "", "50~17~2_o50~17~2"] {
            let with = CARD.replace("_p30~", &format!("_o{wrong}_p30~"));
            assert_eq!(Card::parse(&with), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_no_card_is_refused() {
        for wrong in [
            "",
            "m40~39~60",
            "m40~39~60_r12c",
            &CARD.replace("m40", "m-40"),
            &CARD.replace("m40", "m4e1"),
            &CARD.replace("m40", "minf"),
            &CARD.replace("_p30~", "_p0~"),
            &CARD.replace("r12c", "r15c"),
            &CARD.replace("r12c", "r12x"),
            &CARD.replace("hermite", "<b>"),
            &CARD.replace("w5g", "wnowhere"),
            &CARD.replace("9.2~", ""),
            &CARD.replace("_n120", "_n120_n120"),
            &CARD.replace("_n120", "_x120"),
            &format!("{CARD}_"),
            &format!("{CARD}_\u{e9}1"),
            &format!("{CARD}{}", "_p10~linear~4~200~300~20~1~0~0~0~0".repeat(12)),
            &"m".repeat(CARD_BYTES_MAX + 1),
        ] {
            assert_eq!(Card::parse(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[mrpnw0-9~_.a-z]{0,80}") {
            if let Some(card) = Card::parse(&text) {
                prop_assert_eq!(Card::parse(&card.text()), Some(Card::parse(&card.text()).unwrap()));
            }
        }

        #[test]
        fn a_long_card_keeps_within_its_bytes(numbers in prop::collection::vec(0.0..9e6_f64, 10), points in 0..20_usize) {
            let mut card = Card::parse(CARD).unwrap();
            let point = CardPoint { kbps: numbers[0], error_mm: numbers[1], delay_ms: numbers[2], ..card.recommended.clone() };
            card.front = vec![point; points.min(ROWS_MAX)];
            let text = card.text();
            prop_assert!(text.len() <= CARD_BYTES_MAX);
            prop_assert!(Card::parse(&text).is_some());
        }
    }
}
