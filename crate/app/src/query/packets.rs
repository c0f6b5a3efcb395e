//! Packets of a lane, and the content of one packet.

use crate::lane_run::LaneId;
use crate::session::Session;
use serde::Serialize;
use snapshot_lane::history::{Ack, Packet};
use snapshot_lane::inspect::{InspectError, Inspection};
use snapshot_lane::measure::table::Live;
use std::ops::Range;

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Traffic {
    packets: Vec<Packet>,
    acks: Vec<Ack>,
    cut: Vec<Ticks>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Troubles {
    lost: Vec<u64>,
    still: Vec<Ticks>,
    cut: Vec<Ticks>,
}

/// Playout of a lane's receiver (delay, speed of its clock, age) in consecutive ticks, beginning with `first`.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Playout {
    first: u64,
    delay_ms: Vec<f32>,
    speed: Vec<f32>,
    behind_ms: Vec<f32>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Ticks {
    from: u64,
    to: u64,
}

pub(super) fn traffic(session: &mut Session, lane: LaneId, from: u64, to: u64) -> Option<Traffic> {
    let (lab, history) = (session.lab(), session.history_of(lane)?);
    let ticks = from..to + 1;
    Some(Traffic {
        packets: history.packets(ticks.clone(), lab.tick_count()).collect(),
        acks: history.acks(ticks.clone()).collect(),
        cut: rows(ticks, |tick| lab.tape().is_cut(tick)),
    })
}

pub(super) fn troubles(session: &mut Session, ticks: u64) -> Troubles {
    let lab = session.lab();
    let ticks = ticks_before(session, ticks);
    let lives = lab.history().lives();
    let lives: Vec<_> = lives.filter(|live| ticks.contains(&live.tick)).collect();
    let first = lives.first().map_or(0, |live| live.tick);
    let live = |tick: u64| lives.get(tick.checked_sub(first)? as usize);
    let lost = lives.windows(2).filter_map(|pair| {
        let [before, now] = pair else { return None };
        (now.packets_lost > before.packets_lost).then_some(now.tick)
    });
    Troubles {
        lost: lost.collect(),
        still: rows(ticks.clone(), |tick| live(tick).is_some_and(|it| it.still)),
        cut: rows(ticks, |tick| lab.tape().is_cut(tick)),
    }
}

pub(super) fn playout(session: &mut Session, lane: LaneId, ticks: u64) -> Option<Playout> {
    let ticks = ticks_before(session, ticks);
    let lives = session.history_of(lane)?.lives();
    let lives: Vec<_> = lives.filter(|live| ticks.contains(&live.tick)).collect();
    let column = |of: fn(&Live) -> f64| lives.iter().map(|live| of(live) as f32).collect();
    Some(Playout {
        first: lives.first().map_or(0, |live| live.tick),
        delay_ms: column(|live| live.delay_ms),
        speed: column(|live| live.speed),
        behind_ms: column(|live| live.behind_ms.unwrap_or_default()),
    })
}

pub(super) fn inspect(
    session: &mut Session,
    lane: LaneId,
    number: Option<u64>,
) -> Result<Inspection, InspectError> {
    let lab = session.lab();
    lab.inspect(lane, lab.tick_count(), number)
}

/// Returns the last `ticks` ticks before the shown one, and the shown one.
fn ticks_before(session: &Session, ticks: u64) -> Range<u64> {
    let to = session.lab().tick_count();
    to.saturating_sub(ticks)..to + 1
}

/// Returns the ticks for which `is_so` is true, as ranges of consecutive ticks.
fn rows(ticks: Range<u64>, is_so: impl Fn(u64) -> bool) -> Vec<Ticks> {
    let mut rows: Vec<Ticks> = Vec::new();
    for tick in ticks.filter(|tick| is_so(*tick)) {
        match rows.last_mut() {
            Some(row) if row.to + 1 == tick => row.to = tick,
            _ => rows.push(Ticks {
                from: tick,
                to: tick,
            }),
        }
    }
    rows
}
