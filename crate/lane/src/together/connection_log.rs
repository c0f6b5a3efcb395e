//! A log of the datagrams at one end of a connection, and the network (delays and losses) computed from the logs of both ends.
//!
//! Both ends have clocks of their own. As in NTP (RFC 5905, section 8), the fastest datagrams of both directions are
//! assumed to take equally long: half of the least round trip. Only the variation of the delays is measured.

use super::arrivals::CLOCK_MAX_MS;
use crate::bytes::next;
use snapshot_base::hash::fingerprint;
use snapshot_base::order;
use std::collections::VecDeque;
use std::fmt::Write;

/// Age up to which datagrams are kept, ms: over a longer time two clocks drift apart by more than some ms.
const KEPT_MS: f64 = 120_000.0;
/// Upper limit of the number of datagrams that are kept of each direction.
const KEPT_MAX: usize = 1 << 15;
/// Size of a datagram's entry in a log's bytes: time, fingerprint, length.
const ENTRY_BYTES: usize = 14;
/// Time after which a sent datagram that did not arrive counts as lost, ms. Newer ones may be on their way.
const LOST_MS: f64 = 2_000.0;

/// Entry of the log: a datagram that passed one end.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    /// Time on the end's clock, ms.
    ms: f64,
    fingerprint: u32,
    bytes: u16,
}

/// The datagrams that one end sent and received, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConnectionLog {
    sent: VecDeque<Entry>,
    received: VecDeque<Entry>,
}

impl ConnectionLog {
    pub(super) fn on_sent(&mut self, now_ms: f64, datagram: &[u8]) {
        push(&mut self.sent, now_ms, datagram);
    }

    /// Removes the datagram that was sent last: it was left out.
    pub(super) fn forget_sent(&mut self) {
        self.sent.pop_back();
    }

    pub(super) fn on_received(&mut self, now_ms: f64, datagram: &[u8]) {
        push(&mut self.received, now_ms, datagram);
    }

    /// Returns the log as bytes, little-endian: u32 number of sent datagrams, then each as f64 ms, u32 fingerprint and u16
    /// bytes; then the received ones likewise.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for entries in [&self.sent, &self.received] {
            bytes.extend((entries.len() as u32).to_le_bytes());
            for entry in entries {
                bytes.extend(entry.ms.to_le_bytes());
                bytes.extend(entry.fingerprint.to_le_bytes());
                bytes.extend(entry.bytes.to_le_bytes());
            }
        }
        bytes
    }

    /// Reads a log; `None` if the bytes are not a log.
    pub fn of_bytes(mut rest: &[u8]) -> Option<ConnectionLog> {
        let mut entries = || {
            let count = u32::from_le_bytes(next(&mut rest)?) as usize;
            let (own, after) = rest.split_at_checked(count.checked_mul(ENTRY_BYTES)?)?;
            rest = after;
            let is_bounded = count <= KEPT_MAX;
            let own = own.chunks_exact(ENTRY_BYTES).map(entry_of);
            let own: Option<VecDeque<Entry>> = own.collect();
            own.filter(|_| is_bounded)
        };
        let log = ConnectionLog {
            sent: entries()?,
            received: entries()?,
        };
        rest.is_empty().then_some(log)
    }
}

fn push(entries: &mut VecDeque<Entry>, now_ms: f64, datagram: &[u8]) {
    let is_old = |entry: &Entry| entry.ms < now_ms - KEPT_MS;
    while entries.len() >= KEPT_MAX || entries.front().is_some_and(is_old) {
        entries.pop_front();
    }
    entries.push_back(Entry {
        ms: now_ms,
        fingerprint: fingerprint(datagram),
        bytes: datagram.len().min(usize::from(u16::MAX)) as u16,
    });
}

fn entry_of(mut bytes: &[u8]) -> Option<Entry> {
    let entry = Entry {
        ms: f64::from_le_bytes(next(&mut bytes)?),
        fingerprint: u32::from_le_bytes(next(&mut bytes)?),
        bytes: u16::from_le_bytes(next(&mut bytes)?),
    };
    (entry.ms.abs() <= CLOCK_MAX_MS).then_some(entry)
}

/// A measured direction: each sent datagram with its delay, `None` for a lost one, ms.
type Delays = Vec<(Entry, Option<f64>)>;

/// Finds the arrivals of sent datagrams, in the order of sending. A datagram that came twice counts once.
fn matched(sent: &VecDeque<Entry>, received: &VecDeque<Entry>) -> Delays {
    let mut arrivals: Vec<(u32, usize)> = received
        .iter()
        .enumerate()
        .map(|(place, entry)| (entry.fingerprint, place))
        .collect();
    order::sort_by(&mut arrivals, |a, b| a.cmp(b));
    let mut used = vec![false; received.len()];
    let last_ms = sent.back().map_or(0.0, |entry| entry.ms);
    let mut delays = Delays::new();
    for entry in sent {
        let first = arrivals.partition_point(|(key, _)| *key < entry.fingerprint);
        let own = arrivals[first..].iter();
        let mut own = own.take_while(|(key, _)| *key == entry.fingerprint);
        let arrival = own.find(|(_, place)| !used[*place]);
        match arrival {
            Some((_, place)) => {
                used[*place] = true;
                delays.push((*entry, Some(received[*place].ms - entry.ms)));
            }
            None if entry.ms < last_ms - LOST_MS => delays.push((*entry, None)),
            None => {}
        }
    }
    delays
}

fn least(delays: &Delays) -> Option<f64> {
    let known = delays.iter().filter_map(|(_, delay_ms)| *delay_ms);
    known.min_by(f64::total_cmp)
}

/// Returns the network between a host and a guest as rows of a trace; `None` if the logs hold too little. The column `path`
/// is `down-1` to the guest and `up-1` to the host. Times of both directions are on the host's clock.
pub fn network(host: &ConnectionLog, guest: &ConnectionLog) -> Option<String> {
    let down = matched(&host.sent, &guest.received);
    let up = matched(&guest.sent, &host.received);
    let (least_down, least_up) = (least(&down)?, least(&up)?);
    // Guest's clock minus the host's, if the fastest datagrams of both directions are equally fast.
    let ahead_ms = (least_down - least_up) / 2.0;
    let begin_ms = host.sent.front()?.ms;
    let mut text = String::from("sent_ms,delay_ms,bytes,path\n");
    let ways = [
        ("down-1", &down, 0.0, -ahead_ms),
        ("up-1", &up, -ahead_ms, ahead_ms),
    ];
    for (path, delays, to_host_ms, to_delay_ms) in ways {
        for (entry, delay_ms) in delays {
            let sent_ms = entry.ms + to_host_ms - begin_ms;
            if sent_ms < 0.0 {
                continue;
            }
            // Writing to a string cannot fail.
            let _ = match delay_ms {
                Some(delay_ms) => {
                    let delay_ms = (delay_ms + to_delay_ms).max(0.0);
                    write!(text, "{sent_ms:.3},{delay_ms:.3}")
                }
                None => write!(text, "{sent_ms:.3},lost"),
            };
            let _ = writeln!(text, ",{},{path}", entry.bytes);
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use snapshot_netsim::trace::Trace;

    /// Logs of both ends of a connection with these delays and a lost datagram in ten. The guest's clock is ahead.
    fn logs(down_ms: f64, up_ms: f64, ahead_ms: f64) -> [ConnectionLog; 2] {
        let [mut host, mut guest] = [ConnectionLog::default(), ConnectionLog::default()];
        for number in 0..600_u32 {
            let now_ms = 1000.0 + f64::from(number) * 20.0;
            let bytes = number.to_le_bytes();
            let extra_ms = f64::from(number % 7);
            host.on_sent(now_ms, &bytes);
            if number % 10 != 3 {
                guest.on_received(now_ms + down_ms + extra_ms + ahead_ms, &bytes);
            }
            let bytes = (number + 10_000).to_le_bytes();
            guest.on_sent(now_ms + ahead_ms, &bytes);
            host.on_received(now_ms + up_ms, &bytes);
        }
        [host, guest]
    }

    #[test]
    fn a_network_has_its_delays_whatever_the_clocks_say() {
        for ahead_ms in [0.0, -100_000.0, 7.5e8] {
            let [host, guest] = logs(30.0, 30.0, ahead_ms);
            let text = network(&host, &guest).unwrap();
            let down: Vec<_> = text
                .lines()
                .filter(|line| line.ends_with("down-1"))
                .collect();
            // Of the last 2 s a missing one may be on its way.
            assert!((590..=600).contains(&down.len()), "{}", down.len());
            assert_eq!(down.iter().filter(|line| line.contains("lost")).count(), 50);
            let trace = Trace::read(text.as_bytes()).unwrap();
            let rows = trace.delays().rows().iter().filter(|row| !row.lost);
            for row in rows {
                assert!((29.9..36.1).contains(&row.delay_ms), "{}", row.delay_ms);
            }
        }
    }

    #[test]
    fn half_of_the_least_round_trip_is_each_way_s_constant() {
        let [host, guest] = logs(50.0, 10.0, 400.0);
        let text = network(&host, &guest).unwrap();
        let first = |path: &str| {
            let line = text.lines().find(|line| line.ends_with(path)).unwrap();
            line.split(',').nth(1).unwrap().parse::<f64>().unwrap()
        };
        assert!((first("down-1") - 30.0).abs() < 0.01 && (first("up-1") - 30.0).abs() < 0.01);
    }

    #[test]
    fn without_both_directions_there_is_no_network() {
        let [host, _] = logs(30.0, 30.0, 0.0);
        assert_eq!(network(&host, &ConnectionLog::default()), None);
        assert_eq!(network(&ConnectionLog::default(), &host), None);
    }

    #[test]
    fn a_log_is_bounded() {
        let mut log = ConnectionLog::default();
        for number in 0..200_000_u32 {
            log.on_sent(f64::from(number), &number.to_le_bytes());
        }
        assert_eq!(log.sent.len(), KEPT_MAX);
        log.on_sent(1e9, &[]);
        assert_eq!(log.sent.len(), 1);
    }

    proptest! {
        #[test]
        fn logs_survive_their_bytes_and_others_are_refused(
            cut in 0_usize..1000,
            noise in prop::collection::vec(any::<u8>(), 0..100),
        ) {
            let [host, guest] = logs(3.0, 3.0, 0.0);
            let bytes = host.to_bytes();
            prop_assert_eq!(ConnectionLog::of_bytes(&bytes), Some(host.clone()));
            prop_assert_eq!(ConnectionLog::of_bytes(&bytes[..bytes.len() - 1 - cut]), None);
            if let Some(log) = ConnectionLog::of_bytes(&noise) {
                let _ = network(&log, &guest);
                let _ = network(&host, &log);
            }
        }
    }
}
