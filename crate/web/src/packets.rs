//! Packets of a lane (a sender, its link and its receiver), and the content of one packet, for the page's script.

use crate::js::to_js;
use crate::lane_name::LaneName;
use crate::page::Page;
use serde::Serialize;
use snapshot_lane::history::{Ack, Packet};
use snapshot_lane::measure::table::Live;
use snapshot_netsim::channel::Override;
use std::ops::Range;
use wasm_bindgen::prelude::*;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Traffic {
    packets: Vec<Packet>,
    acks: Vec<Ack>,
    cut: Vec<Ticks>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Troubles {
    lost: Vec<u64>,
    still: Vec<Ticks>,
    cut: Vec<Ticks>,
}

/// Playout of a lane's receiver (delay, speed of its clock, age) in consecutive ticks, beginning with `first`.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Playout {
    first: u64,
    delay_ms: Vec<f32>,
    speed: Vec<f32>,
    behind_ms: Vec<f32>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Ticks {
    from: u64,
    to: u64,
}

#[wasm_bindgen]
impl Page {
    /// Returns the packets, acknowledgements and cuts of a lane between two ticks.
    #[wasm_bindgen(unchecked_return_type = "Traffic | undefined")]
    pub fn traffic(&self, lane: LaneName, from: f64, to: f64) -> Result<JsValue, JsError> {
        let Some(history) = self.history_of(lane) else {
            return Ok(JsValue::UNDEFINED);
        };
        let lab = self.lab();
        let ticks = from.max(0.0) as u64..to.max(0.0) as u64 + 1;
        to_js(&Traffic {
            packets: history.packets(ticks.clone(), lab.tick_count()).collect(),
            acks: history.acks(ticks.clone()).collect(),
            cut: rows(ticks, |tick| lab.tape().is_cut(tick)),
        })
    }

    /// Returns lane A's losses, freezes and cuts in the last `ticks` ticks before the shown instant.
    #[wasm_bindgen(unchecked_return_type = "Troubles")]
    pub fn troubles(&self, ticks: u32) -> Result<JsValue, JsError> {
        let lab = self.lab();
        let to = lab.tick_count();
        let ticks = to.saturating_sub(ticks.into())..to + 1;
        let lives = lab.history().lives();
        let lives: Vec<_> = lives.filter(|live| ticks.contains(&live.tick)).collect();
        let first = lives.first().map_or(0, |live| live.tick);
        let live = |tick: u64| lives.get(tick.checked_sub(first)? as usize);
        let lost = lives.windows(2).filter_map(|pair| {
            let [before, now] = pair else { return None };
            (now.packets_lost > before.packets_lost).then_some(now.tick)
        });
        to_js(&Troubles {
            lost: lost.collect(),
            still: rows(ticks.clone(), |tick| live(tick).is_some_and(|it| it.still)),
            cut: rows(ticks, |tick| lab.tape().is_cut(tick)),
        })
    }

    /// Returns a lane's playout in the last `ticks` ticks before the shown instant.
    #[wasm_bindgen(unchecked_return_type = "Playout | undefined")]
    pub fn playout(&self, lane: LaneName, ticks: u32) -> Result<JsValue, JsError> {
        let Some(history) = self.history_of(lane) else {
            return Ok(JsValue::UNDEFINED);
        };
        let to = self.lab().tick_count();
        let ticks = to.saturating_sub(ticks.into())..to + 1;
        let lives = history.lives();
        let lives: Vec<_> = lives.filter(|live| ticks.contains(&live.tick)).collect();
        let column = |of: fn(&Live) -> f64| lives.iter().map(|live| of(live) as f32).collect();
        to_js(&Playout {
            first: lives.first().map_or(0, |live| live.tick),
            delay_ms: column(|live| live.delay_ms),
            speed: column(|live| live.speed),
            behind_ms: column(|live| live.behind_ms.unwrap_or_default()),
        })
    }

    /// Inspects, field by field, a lane's newest packet sent by the shown instant, or the packet with a number.
    ///
    /// # Errors
    /// When there is no such packet, or it is no longer stored.
    #[wasm_bindgen(unchecked_return_type = "Inspection")]
    pub fn inspect(&self, lane: LaneName, number: Option<f64>) -> Result<JsValue, JsError> {
        let lab = self.lab();
        let number = number.map(|number| number as u64);
        let inspection = lab.inspect(lane.id(), lab.tick_count(), number);
        to_js(&inspection.map_err(|error| JsError::new(&error.to_string()))?)
    }
}

#[wasm_bindgen]
impl Page {
    /// Makes B a copy of A in which one packet is forced to be lost or delivered.
    pub fn what_if(&mut self, number: f64, delivered: bool) {
        let forced = if delivered {
            Override::Delivered
        } else {
            Override::Lost
        };
        self.change(|session| session.what_if(number as u64, forced));
    }
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
