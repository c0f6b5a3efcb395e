//! Packets that other programs recorded: Wireshark's export, as CSV or as lines of `tshark`, the JSON of `irtt` and of
//! `pingparsing`, and the log of mahimahi. Reports without single packets are named.

use super::delays::DelayCollector;
use super::error::TraceError;
use super::{DELAY_MS_MAX, INTERVAL_MS, ROWS_MAX, Reading, SENT_MS_MAX, ping};
use serde::Deserialize;
use serde_json::Value;
use snapshot_base::clock::ClockTime;
use snapshot_base::order;
use snapshot_base::text::Delimiter;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The text with which each ping begins in Wireshark's column Info.
const PING: &str = "Echo (ping) ";

/// A program that wrote a file, recognised by the file's beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    Wireshark,
    Irtt,
    Pingparsing,
    Mahimahi,
    /// A report that has no single packets; the text says which file to use instead.
    Report(&'static str),
}

/// Finds the program that wrote a file, from its first lines; `None` if it is unknown.
pub(super) fn begins(text: &str) -> Option<Program> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    if text.contains(PING) || is_header(first) {
        return Some(Program::Wireshark);
    }
    let has = |word: &str| text.contains(word);
    if first.starts_with("# mahimahi mm-link") {
        return Some(Program::Mahimahi);
    }
    // A summary that has its packets beside is read.
    let is_of = |(words, reason): &&(&[&str], &str)| {
        words.iter().all(|word| has(word)) && (*reason != SUMMARY || !has("\"icmp_replies\""))
    };
    if let Some((_, reason)) = REPORTS.iter().find(is_of) {
        return Some(Program::Report(reason));
    }
    if !text.trim_start().starts_with('{') {
        return None;
    }
    match () {
        () if has("\"irtt\"") || has("\"round_trips\"") => Some(Program::Irtt),
        () if has("\"icmp_replies\"") => Some(Program::Pingparsing),
        () => None,
    }
}

const MTR: &str =
    "it is a report of mtr, which tells means and no single packets: take ping -D -i 0.2";
const IPERF: &str = "it is a report of iperf3, which tells means of each second and no single packets: take ping -D -i 0.2 while iperf3 runs";
const TWAMP: &str = "it is a report of TWAMP or OWAMP, which tells least, median and greatest delays and no single packets: take ping -D -i 0.2, or the single packets of twping -v as rows of sent_ms,delay_ms";
const WEBRTC: &str = "it is a dump of webrtc-internals: write the values of currentRoundTripTime of the chosen candidate pair as rows below the names time_ms,rtt_s";
const ROUTE: &str = "it is a traced route, which tells of routers on the way: take ping -D -i 0.2";
const SUMMARY: &str = "it is a summary of pingparsing, which tells means and no single packets: run it with --icmp-reply";

/// Words that identify a report without single packets, and the sentence that names a better file.
const REPORTS: [(&[&str], &str); 12] = [
    (&["\"mtr\"", "\"hubs\""], MTR),
    (&["Mtr_Version"], MTR),
    (&["Loss%", "Wrst", "StDev"], MTR),
    (&["WinMTR"], MTR),
    (&["\"intervals\"", "\"start\""], IPERF),
    (&["[ ID] Interval"], IPERF),
    (&["twping statistics"], TWAMP),
    (&["owping statistics"], TWAMP),
    (&["\"PeerConnections\"", "\"getUserMedia\""], WEBRTC),
    (&["traceroute to "], ROUTE),
    (&["Tracing route to "], ROUTE),
    (
        &["\"packet_transmit\"", "\"rtt_avg\"", "\"packet_loss_rate\""],
        SUMMARY,
    ),
];

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
        let ms = time_ms(delimiter, field.unwrap_or_default()).map_err(|error| error.at(row))?;
        let key = (info_value(info, "id="), info_value(info, "seq="));
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
        let reason = "it is an export of Wireshark without pings: filter by icmp, and export the packets as CSV with the columns Time and Info";
        return Err(TraceError::fixed(reason));
    }
    order::sort_by(&mut sent, |a, b| a.0.total_cmp(&b.0));
    let mut notes = Vec::new();
    let others = others - usize::from(time_at.is_some());
    if others > 0 {
        notes.push(format!("{others} rows are no pings, and are left out"));
    }
    if early > 0 {
        notes.push(format!("{early} replies without a request are left out"));
    }
    reading(sent, notes)
}

/// Reads Wireshark's column Time, in seconds, as ms.
fn time_ms(delimiter: Delimiter, field: &str) -> Result<f64, TraceError> {
    let ms = delimiter.number(field).map(|seconds| seconds * 1000.0);
    let ms = ms.filter(|ms| (0.0..=SENT_MS_MAX).contains(ms));
    ms.ok_or_else(|| TraceError::not_a_number("Time in seconds", field))
}

/// Returns the text after `key` in Wireshark's column Info; empty if it is not there.
fn info_value<'a>(info: &'a str, key: &str) -> &'a str {
    let (_, rest) = info.split_once(key).unwrap_or_default();
    rest.split([',', '/', ' ', '"']).next().unwrap_or_default()
}

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

/// Reads the JSON of `pingparsing --icmp-reply`: its packets become lines as `ping` prints them.
///
/// # Errors
/// When the text is not such JSON, or a packet is refused.
pub(super) fn pingparsing(text: &str) -> Result<Reading, TraceError> {
    let refused = TraceError::fixed("it is no whole JSON of pingparsing --icmp-reply");
    let all: Value = serde_json::from_str(text).map_err(|_| refused.clone())?;
    let hosts = all.as_object().ok_or(refused)?;
    let is_one_host = all.get("icmp_replies").is_some();
    let most = hosts.values().max_by_key(|host| replies(host).len());
    let host = if is_one_host { Some(&all) } else { most };
    let host = host
        .filter(|host| !replies(host).is_empty())
        .ok_or(TraceError::fixed(SUMMARY))?;
    let mut lines = String::new();
    let numbers = replies(host).iter();
    let mut numbers = numbers.filter_map(|it| it.get("icmp_seq")?.as_u64());
    let head = u64::from(numbers.all(|number| number != 0));
    if head > 0 {
        lines += "PING x (192.0.2.1) 56(84) bytes of data.\n";
    }
    for (row, reply) in (1..).zip(replies(host)) {
        if row > ROWS_MAX as u64 {
            return Err(TraceError::too_many().at(row));
        }
        print_reply(&mut lines, reply).map_err(|error| error.at(row))?;
    }
    print_totals(&mut lines, host);
    let mut reading = ping::read(&lines).map_err(|error| error.minus_rows(head))?;
    if hosts.len() > 1 && !is_one_host {
        let hosts = hosts.len();
        let note = format!("{hosts} hosts, of which the one with most replies is taken");
        reading.notes.push(note);
    }
    Ok(reading)
}

/// Returns the replies of a host in pingparsing's JSON.
fn replies(host: &Value) -> &[Value] {
    let list = host.get("icmp_replies").and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

/// Appends a reply of pingparsing's JSON as `ping -D` prints it.
fn print_reply(lines: &mut String, reply: &Value) -> Result<(), TraceError> {
    let number = |key: &str| reply.get(key).and_then(Value::as_f64);
    let stamp = match reply.get("timestamp") {
        Some(Value::Number(seconds)) => seconds.as_f64(),
        Some(Value::String(text)) => match text.trim_matches(['[', ']']).parse() {
            Ok(seconds) => Some(seconds),
            Err(_) => ClockTime::parse(text).map(|time| time.seconds),
        },
        _ => None,
    };
    if let Some(seconds) = stamp {
        let _ = write!(lines, "[{seconds}] ");
    }
    let seq = number("icmp_seq").ok_or_else(|| TraceError::not_a_number("icmp_seq", ""))?;
    let _ = match number("time") {
        Some(ms) => writeln!(lines, "64 bytes from x: icmp_seq={seq} ttl=5 time={ms} ms"),
        None => writeln!(lines, "64 bytes from x: icmp_seq={seq} ttl=5"),
    };
    Ok(())
}

/// Appends the totals of a host in pingparsing's JSON as `ping` prints them.
fn print_totals(lines: &mut String, host: &Value) {
    let count = |key: &str| host.get(key).and_then(Value::as_u64);
    if let (Some(sent), Some(received)) = (count("packet_transmit"), count("packet_receive")) {
        let lost = 100.0 * (1.0 - received as f64 / sent.max(1) as f64);
        let _ = writeln!(
            lines,
            "{sent} packets transmitted, {received} received, {lost}% packet loss"
        );
    }
}

/// Reads the log of mahimahi's `mm-link`: departures with their delays in the link, and drops.
///
/// # Errors
/// When a line is refused, or no packet departs.
pub(super) fn mahimahi(text: &str) -> Result<Reading, TraceError> {
    let (mut packets, mut more_ms) = (Vec::new(), 0.0);
    let mut waiting = 0_i64;
    for (row, line) in (1..).zip(text.lines()) {
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
