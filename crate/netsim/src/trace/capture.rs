//! Packets that other programs recorded: the JSON of `irtt`, and the log of mahimahi.

use super::delays::DelayCollector;
use super::error::TraceError;
use super::{DELAY_MS_MAX, INTERVAL_MS, ROWS_MAX, Reading, SENT_MS_MAX};
use serde::Deserialize;
use snapshot_base::order;
use snapshot_base::text::lines;

/// Reads the JSON of `irtt client -o`.
///
/// # Errors
/// When the text is not such JSON, or a packet is refused.
pub(super) fn irtt(text: &str) -> Result<Reading, TraceError> {
    const NS_A_MS: f64 = 1e6;
    let reason = "it is no whole JSON of irtt client -o, with round_trips and their times";
    let file: IrttFile = serde_json::from_str(text).map_err(|_| TraceError::fixed(reason))?;
    if file.round_trips.len() > ROWS_MAX {
        return Err(TraceError::too_many().at(0));
    }
    let mut packets: Vec<(f64, Option<f64>)> = Vec::new();
    for trip in file.round_trips {
        let sent_ms = trip.timestamps.client.send.wall as f64 / NS_A_MS;
        let round_trip = match trip.lost.as_str() {
            "false" => Some(trip.delay.rtt.ok_or(TraceError::NO_ROUND_TRIP.at(0))?),
            _ => None,
        };
        packets.push((sent_ms, round_trip.map(|ns| ns as f64 / NS_A_MS)));
    }
    order::sort_by(&mut packets, |a, b| a.0.total_cmp(&b.0));
    reading(packets, Vec::new())
}

/// Reads the log of mahimahi's `mm-link`: departures with their delays in the link, and drops.
///
/// # Errors
/// When a line is refused, or no packet departs.
pub(super) fn mahimahi(text: &str) -> Result<Reading, TraceError> {
    let (mut packets, mut more_ms) = (Vec::new(), 0.0);
    let mut waiting = 0_i64;
    for (row, line) in (1..).zip(lines(text)) {
        if let Some(comment) = line.strip_prefix('#') {
            more_ms += shells_delay_ms(comment);
            continue;
        }
        let mut words = line.split_whitespace();
        let (Some(at), Some(kind)) = (words.next(), words.next()) else {
            continue;
        };
        let in_range = |name: &str, text: &str| {
            let value: Option<f64> = text.parse().ok();
            let value = value.filter(|it| (0.0..=SENT_MS_MAX).contains(it));
            value.ok_or_else(|| TraceError::not_a_number(name, text).at(row))
        };
        let at_ms = in_range("the time in ms", at)?;
        let mut number = |name: &str| in_range(name, words.next().unwrap_or_default());
        match kind {
            "+" => waiting += 1,
            "-" => {
                let (bytes, delay_ms) = (number("bytes")?, number("the delay in ms")?);
                packets.push((at_ms - delay_ms, Some(delay_ms), Some(bytes as u16)));
                waiting -= 1;
            }
            "d" => {
                let (dropped, bytes) = (number("dropped packets")?, number("bytes")?);
                let dropped = (dropped as usize).min(ROWS_MAX);
                packets.extend(
                    (0..dropped).map(|_| (at_ms, None, Some((bytes / dropped as f64) as u16))),
                );
                waiting -= dropped as i64;
            }
            // A chance to send that no packet took, or one of another kind.
            _ => {}
        }
        if packets.len() > ROWS_MAX {
            return Err(TraceError::too_many().at(row));
        }
    }
    order::sort_by(&mut packets, |a, b| a.0.total_cmp(&b.0));
    let mut notes = vec!["a log of mahimahi: delays in its link".to_string()];
    if more_ms > 0.0 {
        notes.push(format!("{more_ms} ms of mm-delay are added"));
    }
    if waiting > 0 {
        notes.push(format!(
            "{waiting} packets that still wait at the end are left out"
        ));
    }
    let delayed = |(sent_ms, delay_ms, bytes): (f64, Option<f64>, Option<u16>)| {
        (sent_ms, delay_ms.map(|ms| ms + more_ms), bytes)
    };
    one_way(packets.into_iter().map(delayed), notes)
}

/// Returns the delay that the shells around mahimahi's link add to each packet, from a comment of its log.
fn shells_delay_ms(comment: &str) -> f64 {
    let (_, shells) = comment.split_once("mahimahi config:").unwrap_or_default();
    let delays = shells.split("[delay ").skip(1);
    let delays = delays.filter_map(|delay| delay.split(' ').next()?.parse().ok());
    delays.filter(|ms| (0.0..=DELAY_MS_MAX).contains(ms)).sum()
}

/// Makes the [`Reading`] of a file from its packets: each has its time of sending and its round trip, ms; a lost packet has
/// none.
fn reading(packets: Vec<(f64, Option<f64>)>, notes: Vec<String>) -> Result<Reading, TraceError> {
    let packets = packets.into_iter();
    let halved = packets.map(|(sent_ms, both_ms)| (sent_ms, both_ms.map(|ms| ms / 2.0), None));
    Ok(Reading {
        round_trips: true,
        ..one_way(halved, notes)?
    })
}

/// Makes the [`Reading`] of a file from its packets: each has its time of sending, its delay, ms, and its bytes.
fn one_way(
    packets: impl Iterator<Item = (f64, Option<f64>, Option<u16>)>,
    notes: Vec<String>,
) -> Result<Reading, TraceError> {
    let mut recorder = DelayCollector::default();
    for (row, (sent_ms, delay_ms, bytes)) in (1..).zip(packets) {
        let added = recorder.add(sent_ms, delay_ms, bytes);
        added.map_err(|cause| cause.at(row))?;
    }
    Ok(Reading {
        back: None,
        delays: recorder.finish(INTERVAL_MS)?,
        round_trips: false,
        assumed_interval: false,
        notes,
    })
}

#[derive(Deserialize)]
struct IrttFile {
    round_trips: Vec<IrttTrip>,
}

#[derive(Deserialize)]
struct IrttTrip {
    lost: String,
    timestamps: IrttTimes,
    #[serde(default)]
    delay: IrttDelay,
}

#[derive(Deserialize)]
struct IrttTimes {
    client: IrttClient,
}

#[derive(Deserialize)]
struct IrttClient {
    send: IrttInstant,
}

/// A time in ns since 1970.
#[derive(Deserialize)]
struct IrttInstant {
    wall: i64,
}

#[derive(Default, Deserialize)]
struct IrttDelay {
    rtt: Option<i64>,
}
