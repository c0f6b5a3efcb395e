//! Pings that other programs recorded: Wireshark's export, as CSV or as lines of `tshark`, and the JSON of `irtt`.

use super::Reading;
use super::delays::DelayCollector;
use super::error::TraceError;
use super::{INTERVAL_MS, ROWS_MAX, SENT_MS_MAX};
use serde::Deserialize;
use snapshot_base::text::Delimiter;
use std::collections::BTreeMap;

/// The text with which each ping begins in Wireshark's column Info.
const PING: &str = "Echo (ping) ";

/// A program that wrote a file, recognised by the file's beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    Wireshark,
    Irtt,
    /// A report that has no single packets; the text says which file to use instead.
    Report(&'static str),
}

/// Finds the program that wrote a file, from its first lines; `None` if it is unknown.
pub(super) fn begins(text: &str) -> Option<Program> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    if text.contains(PING) || is_header(first) {
        return Some(Program::Wireshark);
    }
    if !text.trim_start().starts_with('{') {
        return None;
    }
    let has = |key: &str| text.contains(key);
    match () {
        () if has("\"irtt\"") || has("\"round_trips\"") => Some(Program::Irtt),
        () if has("\"mtr\"") && has("\"hubs\"") => Some(Program::Report(
            "it is a report of mtr, which tells means and no single packets: take ping -D -i 0.2",
        )),
        () if has("\"intervals\"") || has("iperf") => Some(Program::Report(
            "it is a report of iperf3, which tells means of each second and no single packets: take ping -D -i 0.2 while iperf3 runs",
        )),
        () => None,
    }
}

fn is_header(line: &str) -> bool {
    let names: Vec<&str> = Delimiter::detect(line).fields(line).collect();
    names.contains(&"Time") && names.contains(&"Info") && names.contains(&"Protocol")
}

/// Reads the pings of Wireshark's export. A request without a reply is lost.
///
/// # Errors
/// When there are no pings, or a row is refused.
pub(super) fn wireshark(text: &str) -> Result<Reading, TraceError> {
    let first = text.lines().find(|line| !line.trim().is_empty());
    let first = first.unwrap_or_default();
    let delimiter = Delimiter::detect(first);
    let time_at = match is_header(first) {
        true => delimiter.fields(first).position(|name| name == "Time"),
        false => None,
    };
    // Requests by the order of sending, and their places by identity and number.
    let mut sent: Vec<(f64, Option<f64>)> = Vec::new();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let (mut others, mut early) = (0, 0);
    for (row, line) in (1..).zip(text.lines()) {
        let Some((before, info)) = line.split_once(PING) else {
            others += usize::from(!line.trim().is_empty());
            continue;
        };
        let field = match time_at {
            Some(at) => delimiter.fields(line).nth(at),
            None => before.split_whitespace().nth(1),
        };
        let field = field.unwrap_or_default();
        let ms = delimiter.number(field).map(|seconds| seconds * 1000.0);
        let ms = ms.filter(|ms| (0.0..=SENT_MS_MAX).contains(ms));
        let refused = || TraceError::not_a_number("Time in seconds", field).at(row);
        let ms = ms.ok_or_else(refused)?;
        let value = |key: &str| {
            let (_, rest) = info.split_once(key)?;
            rest.split([',', '/', ' ', '"']).next()
        };
        let key = (
            value("id=").unwrap_or_default(),
            value("seq=").unwrap_or_default(),
        );
        match info.starts_with("request") {
            true if sent.len() == ROWS_MAX => return Err(TraceError::too_many().at(row)),
            true => {
                places.insert(key, sent.len());
                sent.push((ms, None));
            }
            false => match places.get(&key).and_then(|at| sent.get_mut(*at)) {
                Some((sent_ms, round_trip)) => {
                    round_trip.get_or_insert((ms - *sent_ms).max(0.0));
                }
                None => early += 1,
            },
        }
    }
    if sent.is_empty() {
        let told = "it is an export of Wireshark without pings: filter by icmp, and export the packets as CSV with the columns Time and Info";
        return Err(TraceError::fixed(told));
    }
    sent.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut notes = Vec::new();
    let others = others - usize::from(time_at.is_some());
    if others > 0 {
        notes.push(format!("{others} rows are no pings, and are left out"));
    }
    if early > 0 {
        notes.push(format!("{early} replies without a request are left out"));
    }
    let packets = sent.into_iter();
    reading(packets, notes)
}

/// Reads the JSON of `irtt client -o`.
///
/// # Errors
/// When the text is not such JSON, or a packet is refused.
pub(super) fn irtt(text: &str) -> Result<Reading, TraceError> {
    const NS_A_MS: f64 = 1e6;
    let told = "it is no whole JSON of irtt client -o, with round_trips and their times";
    let file: IrttFile = serde_json::from_str(text).map_err(|_| TraceError::fixed(told))?;
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
    packets.sort_by(|a, b| a.0.total_cmp(&b.0));
    reading(packets.into_iter(), Vec::new())
}

fn reading(
    packets: impl Iterator<Item = (f64, Option<f64>)>,
    notes: Vec<String>,
) -> Result<Reading, TraceError> {
    let mut recorder = DelayCollector::default();
    for (row, (sent_ms, round_trip_ms)) in (1..).zip(packets) {
        let added = recorder.add(sent_ms, round_trip_ms.map(|ms| ms / 2.0), None);
        added.map_err(|cause| cause.at(row))?;
    }
    Ok(Reading {
        delays: recorder.finish(INTERVAL_MS)?,
        round_trips: true,
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
