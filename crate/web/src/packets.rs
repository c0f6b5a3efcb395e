//! The packets of a lane as the page's script holds them, and what is in one of them.

use crate::page::Page;
use crate::schema::to_js;
use serde::Serialize;
use snapshot_lab::channel::Fate;
use snapshot_lab::track::{Ack, Packet, Track};
use std::ops::Range;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export type PacketFate = "delivered" | "lost" | "late" | "in_flight" | "refused" | "passed_over";
/** A packet, and what has become of it by the instant that is shown. */
export interface Packet {
  number: number; tick: number; sequence: number; baseline: number | null; baseline_tick: number | null;
  fate: PacketFate; arrival_ms: number | null; copy_arrival_ms: number | null; acked_tick: number | null;
  bytes: number; fragments: number; changed_cubes: number; bits_by_kind: Record<string, number>;
}
/** An acknowledgement that left the right side. */
export interface Ack { tick: number; arrival_ms: number | null; bytes: number }
/** The packets and acks of some ticks, and in which of these the network was cut. */
export interface Traffic { packets: Packet[]; acks: Ack[]; cut: { from: number; to: number }[] }
/** A decision of an arithmetic coder. */
export interface Choice { bit: boolean; probability: number; cost_65536ths: number }
/** A field of a packet: where it starts in it and how long it is, in 1/65,536 bits. */
export interface Field {
  first_65536ths: number; length_65536ths: number; kind: string; rule: string; cube: number | null; value: number; decisions: Choice[];
}
/** A packet, field by field. */
export interface Inspection extends Packet { hex: string; spans: Field[] }
"#;

#[derive(Serialize)]
struct Traffic {
    packets: Vec<Packet>,
    acks: Vec<Ack>,
    cut: Vec<Cut>,
}

/// Ticks in a row, both included.
#[derive(Serialize)]
struct Cut {
    from: u64,
    to: u64,
}

#[wasm_bindgen]
impl Page {
    /// What left in the ticks from the one up to the other, over the network of lane A or of B.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Traffic | undefined")]
    pub fn traffic(&self, from: f64, to: f64, of_b: bool) -> Result<JsValue, JsError> {
        let Some(track) = self.track_of(of_b) else {
            return Ok(JsValue::UNDEFINED);
        };
        let lab = self.lab();
        let ticks = from.max(0.0) as u64..to.max(0.0) as u64 + 1;
        to_js(&Traffic {
            packets: track.packets(ticks.clone(), lab.tick_count()).collect(),
            acks: track.acks(ticks.clone()).collect(),
            cut: cuts(ticks, |tick| lab.tape().is_cut(tick)),
        })
    }

    /// The newest packet that has left by the instant that is shown, or that of a number, field by field.
    ///
    /// # Errors
    /// In words, when there is no such packet or it is no longer held.
    #[wasm_bindgen(unchecked_return_type = "Inspection")]
    pub fn inspect(&self, number: Option<f64>, of_b: bool) -> Result<JsValue, JsError> {
        let lab = self.lab();
        let (tick, number) = (lab.tick_count(), number.map(|number| number as u64));
        let inspection = if of_b {
            let none = || JsError::new("lane B has sent nothing yet");
            lab.inspect_b(tick, number).ok_or_else(none)?
        } else {
            lab.inspect(tick, number)
        };
        to_js(&inspection.map_err(|error| JsError::new(&error.to_string()))?)
    }
}

#[wasm_bindgen]
impl Page {
    /// Makes B what A is, but for one packet, which is lost there or arrives.
    pub fn what_if(&mut self, number: f64, delivered: bool) {
        let fate = if delivered {
            Fate::Delivered
        } else {
            Fate::Lost
        };
        self.leave_the_link();
        self.lab_mut().what_if(number as u64, fate);
        self.keep();
    }
}

impl Page {
    fn track_of(&self, b: bool) -> Option<&Track> {
        if b {
            self.lab().b().and_then(|b| b.track())
        } else {
            Some(self.lab().track())
        }
    }
}

fn cuts(ticks: Range<u64>, is_cut: impl Fn(u64) -> bool) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    for tick in ticks.filter(|tick| is_cut(*tick)) {
        match cuts.last_mut() {
            Some(cut) if cut.to + 1 == tick => cut.to = tick,
            _ => cuts.push(Cut {
                from: tick,
                to: tick,
            }),
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_told_in_rows() {
        let cuts = cuts(10..40, |tick| (12..15).contains(&tick) || tick == 39);
        let cuts: Vec<_> = cuts.iter().map(|cut| (cut.from, cut.to)).collect();
        assert_eq!(cuts, [(12, 14), (39, 39)]);
    }
}
