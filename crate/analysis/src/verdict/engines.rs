//! Traffic of other engines on the same motion at their default settings, counted packet by packet.

use crate::engines::{ENGINES, Engine, EngineFacts, Send, SendCounts};
use crate::span::TickSpan;
use serde::Serialize;
use snapshot_base::time::{TickRate, tick_of_sequence};
use snapshot_codec::CubeState;
use snapshot_lane::schedule::Schedule;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, Settings};

/// Traffic of one engine on a motion, at its default settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EngineRow {
    pub id: &'static str,
    pub name: &'static str,
    /// Modelled version of the engine.
    pub version: &'static str,
    /// Source files of the engine that the model was made from.
    pub source: &'static str,
    /// Delivery guarantee and baseline of the messages, in words.
    pub delivery: &'static str,
    /// Limits of the model: "default settings, payload alone" for every engine, then its own limits.
    pub leaves_out: String,
    /// Default number of sends a second, at most one a tick of the motion.
    pub rate_hz: u32,
    pub packets_per_s: f64,
    pub bytes_per_packet: f64,
    pub updates_per_s: f64,
    pub payload_kbps: f64,
    /// Traffic of the engine at the send rate of the verdict.
    pub equal: EqualRate,
}

/// Traffic of an engine that is set to the send rate of the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "EngineAtEqualRate"))]
pub struct EqualRate {
    pub rate_hz: u32,
    pub packets_per_s: f64,
    pub bytes_per_packet: f64,
    pub payload_kbps: f64,
}

/// Models of all engines over one motion, driven tick by tick.
pub(super) struct Engines {
    runs: Vec<EngineRun>,
    tick_rate: TickRate,
    from: u64,
    tick: u64,
    truth: Vec<CubeState>,
}

struct EngineRun {
    row: &'static EngineFacts,
    engine: Box<dyn Engine>,
    rate_hz: u32,
    schedule: Schedule,
    sent: SendCounts,
    /// Numbers of the sends that were acknowledged since the last send.
    acked: Vec<u64>,
}

impl Engines {
    /// Runs the models of all engines over a span of ticks. They get acknowledgements over a link with these settings. `rate_hz`
    /// is the send rate of all; `None` gives each its default rate.
    pub(super) fn run(
        tape: &Tape,
        settings: &Settings,
        link_inputs: &LinkInputs,
        span: TickSpan,
        rate_hz: Option<u32>,
    ) -> Engines {
        let mut engines = Engines::new(tape, settings, link_inputs, span.after, rate_hz);
        while engines.tick < span.last && engines.tick(tape) {}
        engines
    }

    fn new(
        tape: &Tape,
        settings: &Settings,
        link_inputs: &LinkInputs,
        from: u64,
        rate_hz: Option<u32>,
    ) -> Engines {
        let (tick_rate, mut truth) = (tape.tick_rate(), Vec::new());
        tape.read_truth(from, &mut truth);
        let run = |row: &'static EngineFacts| {
            let rate_hz = rate_hz.unwrap_or(row.rate_hz).min(tick_rate.hz());
            let mut link = *settings;
            let _ = link.set_number(Key::SendRate, rate_hz.into());
            let own = link.lane().at(tick_rate);
            EngineRun {
                row,
                engine: (row.make)(&truth),
                rate_hz: own.send_rate_hz(),
                schedule: Schedule::new(&own, link_inputs),
                sent: SendCounts::default(),
                acked: Vec::new(),
            }
        };
        Engines {
            runs: ENGINES.iter().map(run).collect(),
            tick_rate,
            from,
            tick: from,
            truth,
        }
    }

    /// Runs the next tick of all engines. Returns false if the tape has no more ticks.
    fn tick(&mut self, tape: &Tape) -> bool {
        let next = self.tick + 1;
        if tape.frame(next, &mut self.truth).is_none() {
            return false;
        }
        self.tick = next;
        let (tick, tick_rate) = (next - self.from, self.tick_rate);
        for run in &mut self.runs {
            let number = |tick: u64| tick_rate.packet_number(tick, run.rate_hz);
            run.schedule.advance(tick, tape.is_cut(next));
            run.schedule.forget_before(tick);
            let sequences = run.schedule.acks().iter();
            let sent_tick = |sequence: &u16| tick_of_sequence(*sequence, tick as i64).max(0) as u64;
            run.acked.extend(sequences.map(sent_tick).map(number));
            if tick_rate.sends_at(tick, run.rate_hz) {
                let send = Send {
                    number: number(tick),
                    objects: &self.truth,
                    acked: &run.acked,
                };
                run.engine.send(&send, &mut run.sent);
                run.acked.clear();
            }
        }
        true
    }

    /// Time that the engines have run, s.
    fn seconds(&self) -> f64 {
        self.tick_rate
            .seconds_of_ticks((self.tick - self.from).max(1))
    }

    /// Returns a row for each engine: its traffic at its default rate, and at the common rate of `equal`.
    pub(super) fn rows(&self, equal: &Engines) -> Vec<EngineRow> {
        let seconds = self.seconds();
        let row = |(run, other): (&EngineRun, &EngineRun)| EngineRow {
            id: run.row.id,
            name: run.row.name,
            version: run.row.version,
            source: run.row.source,
            delivery: run.row.delivery,
            leaves_out: format!(
                "default settings, payload alone; without {}",
                run.row.leaves_out
            ),
            rate_hz: run.rate_hz,
            packets_per_s: run.sent.packets as f64 / seconds,
            bytes_per_packet: run.sent.bytes as f64 / run.sent.packets.max(1) as f64,
            updates_per_s: run.sent.updates as f64 / seconds,
            payload_kbps: run.sent.bytes as f64 * 8.0 / seconds / 1000.0,
            equal: EqualRate {
                rate_hz: other.rate_hz,
                packets_per_s: other.sent.packets as f64 / equal.seconds(),
                bytes_per_packet: other.sent.bytes as f64 / other.sent.packets.max(1) as f64,
                payload_kbps: other.sent.bytes as f64 * 8.0 / equal.seconds() / 1000.0,
            },
        };
        self.runs.iter().zip(&equal.runs).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{settings, tape_of};

    /// Traffic of two objects over one second: the first slides at 3 m/s, the second rests.
    fn second(link: &str) -> Vec<EngineRow> {
        let row = |tick: u8| {
            let still = if tick == 0 {
                "0,1,0,0,0,0,0,0,1,\n"
            } else {
                ""
            };
            let x = 0.05 * f32::from(tick);
            format!("{tick},0,{x},0,0,0,0,0,1,\n{still}")
        };
        let tape = tape_of(&(0..=60).map(row).collect::<String>());
        let settings = settings(link);
        let [engines, equal] = [None, Some(10)].map(|rate| {
            let span = TickSpan { after: 0, last: 60 };
            Engines::run(&tape, &settings, &LinkInputs::default(), span, rate)
        });
        engines.rows(&equal)
    }

    #[test]
    fn a_sliding_object_costs_what_was_counted_by_hand() {
        let rows = second("#latency=0&jitter=0&loss=0");
        assert_eq!(rows.len(), ENGINES.len());
        for (place, row) in rows.iter().enumerate() {
            assert!(!row.version.is_empty() && !row.source.is_empty());
            assert!(rows[..place].iter().all(|other| other.id != row.id));
        }
        let kbps = |id: &str| rows.iter().find(|row| row.id == id).unwrap().payload_kbps;
        let of_bytes = |bytes: u64| bytes as f64 * 8.0 / 1000.0;
        // 30 messages: batch 16, header 2, object 1, behaviour 1, flags 3, float 4; the tick takes 1 byte 15 times and 2 after.
        assert_eq!(kbps("unity-ngo"), of_bytes(30 * 27 + 15 + 2 * 15));
        // 60 updates of 17 bytes, each in a batch of its own.
        assert_eq!(kbps("mirror-reliable"), of_bytes(60 * 25));
        // 12 of overhead and one float.
        assert_eq!(kbps("mirror-unreliable"), of_bytes(60 * 24));
        assert_eq!(kbps("godot-4"), of_bytes(60 * (3 + 2 * 44)));
        // At ten sends a second.
        let godot = rows.iter().find(|row| row.id == "godot-4").unwrap();
        assert_eq!(godot.equal.payload_kbps, of_bytes(10 * (3 + 2 * 44)));
        assert!(rows.iter().all(|row| row.equal.rate_hz == 10));
    }

    #[test]
    fn late_acknowledgements_cost_those_that_wait_for_them() {
        let [near, far] =
            ["#latency=0&jitter=0&loss=0", "#latency=200&jitter=0&loss=0"].map(second);
        for (near, far) in near.iter().zip(&far) {
            let waits = ["unity-entities", "quake-3"].contains(&near.id);
            assert!(near.payload_kbps > 0.0, "{}", near.id);
            assert!(far.payload_kbps >= near.payload_kbps, "{}", near.id);
            if !waits && near.id != "bevy-replicon" {
                assert_eq!(far.payload_kbps, near.payload_kbps, "{}", near.id);
            }
        }
    }
}
