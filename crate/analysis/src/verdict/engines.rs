//! Traffic of other engines on the same motion at their default settings, counted packet by packet.

use serde::Serialize;
use snapshot_base::time::{TickRate, tick_of_sequence};
use snapshot_codec::CubeState;
use snapshot_engines::{ENGINES, Engine, EngineFacts, Send, SendCounts};
use snapshot_lane::schedule::Schedule;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, LaneSettings, Settings};

/// Traffic of one engine on a motion, at its default settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EngineRow {
    /// Short name of the engine.
    pub id: &'static str,
    /// Full name of the engine.
    pub name: &'static str,
    /// Version of the engine that the model follows.
    pub version: &'static str,
    /// Source files of the engine that the model follows.
    pub source: &'static str,
    /// Delivery guarantee and baseline, in words.
    pub delivery: &'static str,
    /// Limits of the model: always "default settings, payload alone", and what else is missing.
    pub leaves_out: String,
    /// Default send rate a second, limited to one send a tick of the motion.
    pub rate_hz: u32,
    /// Packets a second.
    pub packets_per_s: f64,
    /// Mean size of a packet, bytes.
    pub bytes_per_packet: f64,
    /// Object updates a second.
    pub updates_per_s: f64,
    /// Mean payload, kbit/s.
    pub payload_kbps: f64,
}

/// Traffic count of all engines at one send rate, over a motion.
pub(super) struct AtOneRate {
    engines: Engines,
    rate_hz: u32,
    tick: u64,
    truth: Vec<CubeState>,
}

impl AtOneRate {
    /// Begins counting after the tick `from`.
    pub(super) fn new(
        tape: &Tape,
        settings: &Settings,
        given: &LinkInputs,
        from: u64,
    ) -> AtOneRate {
        let mut truth = Vec::new();
        tape.read_truth(from, &mut truth);
        let lane = settings.lane().at(tape.tick_rate());
        let rate_hz = lane.send_rate_hz();
        AtOneRate {
            engines: Engines::new(&truth, &lane, given, settings, Some(rate_hz)),
            rate_hz,
            tick: from,
            truth,
        }
    }

    /// Runs one tick of all engines. Returns false after the last tick.
    pub(super) fn work(&mut self, tape: &Tape, [from, until]: [u64; 2]) -> bool {
        let tick = self.tick + 1;
        if tick > until || tape.frame(tick, &mut self.truth).is_none() {
            return false;
        }
        self.engines
            .tick(tick - from, &self.truth, tape.is_cut(tick));
        self.tick = tick;
        true
    }

    /// Returns true if the count is for this send rate.
    pub(super) fn is_of(&self, rate_hz: u32) -> bool {
        self.rate_hz == rate_hz
    }

    /// Rows of all engines so far.
    pub(super) fn rows(&self) -> Vec<EngineRow> {
        self.engines.rows()
    }
}

/// Models of all engines over one motion, driven tick by tick.
pub(super) struct Engines {
    runs: Vec<EngineRun>,
    tick_rate: TickRate,
    ticks: u64,
}

struct EngineRun {
    row: &'static EngineFacts,
    engine: Box<dyn Engine>,
    rate_hz: u32,
    schedule: Schedule,
    sent: SendCounts,
    /// Numbers of the sends acknowledged since the last send.
    acked: Vec<u64>,
}

impl Engines {
    /// Creates all engines before the first tick, over a link like the settings'. Without a rate each uses its default.
    pub(super) fn new(
        initial: &[CubeState],
        settings: &LaneSettings,
        given: &LinkInputs,
        link: &Settings,
        rate_hz: Option<u32>,
    ) -> Engines {
        let run = |row: &'static EngineFacts| {
            let rate_hz = rate_hz
                .unwrap_or(row.rate_hz)
                .min(settings.tick_rate().hz());
            let mut link = *link;
            let _ = link.set_number(Key::SendRate, rate_hz.into());
            let own = link.lane().at(settings.tick_rate());
            EngineRun {
                row,
                engine: (row.make)(initial),
                rate_hz: own.send_rate_hz(),
                schedule: Schedule::new(&own, given),
                sent: SendCounts::default(),
                acked: Vec::new(),
            }
        };
        Engines {
            runs: ENGINES.iter().map(run).collect(),
            tick_rate: settings.tick_rate(),
            ticks: 0,
        }
    }

    /// Runs the next tick of all engines.
    pub(super) fn tick(&mut self, tick: u64, objects: &[CubeState], cut: bool) {
        let tick_rate = self.tick_rate;
        self.ticks += 1;
        for run in &mut self.runs {
            let number = |tick: u64| tick_rate.packet_number(tick, run.rate_hz);
            run.schedule.advance(tick, cut);
            run.schedule.forget_before(tick);
            let sequences = run.schedule.acks().iter();
            let sent_tick = |sequence: &u16| tick_of_sequence(*sequence, tick as i64).max(0) as u64;
            run.acked.extend(sequences.map(sent_tick).map(number));
            if tick_rate.sends_at(tick, run.rate_hz) {
                let send = Send {
                    number: number(tick),
                    objects,
                    acked: &run.acked,
                };
                run.engine.send(&send, &mut run.sent);
                run.acked.clear();
            }
        }
    }

    /// Rows of all engines so far.
    pub(super) fn rows(&self) -> Vec<EngineRow> {
        let seconds = self.tick_rate.seconds_of_ticks(self.ticks.max(1));
        let row = |run: &EngineRun| EngineRow {
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
        };
        self.runs.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_base::time::WORLD;
    use snapshot_codec::Life;

    const STILL: CubeState = CubeState {
        position: [0.0; 3],
        orientation: [0.0, 0.0, 0.0, 1.0],
        life: Life::FIRST,
        ..CubeState::EMPTY
    };

    /// Traffic of two objects over one second: the first slides at 3 m/s, the second rests.
    fn second(link: &str) -> Vec<EngineRow> {
        let (settings, notices) = snapshot_settings::permalink::parse(link);
        assert_eq!(notices, []);
        let lane = settings.lane().at(WORLD);
        let mut engines = Engines::new(&[STILL; 2], &lane, &LinkInputs::default(), &settings, None);
        for tick in 1..=60 {
            let sliding = CubeState {
                position: [0.05 * tick as f32, 0.0, 0.0],
                ..STILL
            };
            let objects = [sliding, STILL];
            engines.tick(tick, &objects, false);
        }
        engines.rows()
    }

    #[test]
    fn a_sliding_object_costs_what_was_counted_by_hand() {
        let rows = second("#latency=0&jitter=0&loss=0");
        let kbps = |id: &str| rows.iter().find(|row| row.id == id).unwrap().payload_kbps;
        let of_bytes = |bytes: u64| bytes as f64 * 8.0 / 1000.0;
        // 30 messages: batch 16, header 2, object 1, behaviour 1, flags 3, float 4; the tick takes 1 byte 15 times and 2 after.
        assert_eq!(kbps("unity-ngo"), of_bytes(30 * 27 + 15 + 2 * 15));
        // 60 updates of 17 bytes, each in a batch of its own.
        assert_eq!(kbps("mirror-reliable"), of_bytes(60 * 25));
        // 12 of overhead and one float.
        assert_eq!(kbps("mirror-unreliable"), of_bytes(60 * 24));
        assert_eq!(kbps("godot-4"), of_bytes(60 * (3 + 2 * 44)));
    }

    #[test]
    fn every_engine_has_a_row_that_says_what_it_is() {
        let rows = second("#latency=100&loss=5");
        assert_eq!(rows.len(), ENGINES.len());
        for (place, row) in rows.iter().enumerate() {
            assert!(
                row.payload_kbps > 0.0 && row.packets_per_s <= 64.0,
                "{}",
                row.id
            );
            assert!(
                row.leaves_out
                    .starts_with("default settings, payload alone")
            );
            assert!(!row.version.is_empty() && !row.source.is_empty());
            assert!(rows[..place].iter().all(|other| other.id != row.id));
        }
        let rate = |id: &str| rows.iter().find(|row| row.id == id).unwrap().rate_hz;
        assert_eq!((rate("quake-3"), rate("bevy-replicon")), (20, 60));
    }

    #[test]
    fn late_acknowledgements_cost_those_that_wait_for_them() {
        let [near, far] =
            ["#latency=0&jitter=0&loss=0", "#latency=200&jitter=0&loss=0"].map(second);
        for (near, far) in near.iter().zip(&far) {
            let waits = ["unity-entities", "quake-3"].contains(&near.id);
            assert!(far.payload_kbps >= near.payload_kbps, "{}", near.id);
            if !waits && near.id != "bevy-replicon" {
                assert_eq!(far.payload_kbps, near.payload_kbps, "{}", near.id);
            }
        }
    }
}
