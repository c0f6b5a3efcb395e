//! A lane over the motion, which plays as far as the motion has arrived.

use crate::figures::FIGURES;
use crate::link::LinkedLane;
use crate::motion::{IncomingMotion, drawn};
use snapshot_codec::{BIT_65536THS, CubeState, Kind};
use snapshot_lane::history::{LaneHistory, PacketFate};
use snapshot_record::recorded::RecordedInput;
use snapshot_record::tape::Tape;
use std::cell::RefCell;
use std::rc::Rc;

/// Number of lengths that are counted; what is longer counts as the longest.
const LENGTHS: usize = 64;
/// Kinds of bits whose lengths are counted.
const COUNTED: [Kind; 3] = [Kind::Index, Kind::Position, Kind::Orientation];

/// A lane of the lab over the motion.
pub struct LaneOverMotion {
    motion: Rc<RefCell<IncomingMotion>>,
    /// The motion as far as this lane has played it, or farther, with the link's cuts.
    tape: Tape,
    recorded: RecordedInput,
    history: LaneHistory,
    /// States at the tape's last tick, if this lane added it.
    states: Vec<CubeState>,
    widths: Widths,
}

/// Counts of cubes' indices, positions and orientations by their length in bits.
struct Widths {
    counts: [u32; COUNTED.len() * LENGTHS],
    /// Tick of the newest packet that is counted.
    counted_tick: Option<u64>,
}

impl LaneOverMotion {
    /// Makes lane A or B of a link, before the first tick.
    ///
    /// # Errors
    /// When tick 0 has not arrived yet, or a part of the link cannot be used.
    pub fn new(
        motion: &Rc<RefCell<IncomingMotion>>,
        link: &str,
        is_b: bool,
    ) -> Result<LaneOverMotion, String> {
        let LinkedLane {
            settings,
            recorded,
            link_inputs,
        } = LinkedLane::read(link, is_b)?;
        let mut tape = motion
            .borrow()
            .tape()
            .ok_or("the motion has not arrived yet")?;
        for cut in &recorded.cuts {
            tape.cut(*cut.start()..cut.end() + 1);
        }
        Ok(LaneOverMotion {
            history: LaneHistory::new(&tape, &settings.lane(), &link_inputs, 0),
            motion: motion.clone(),
            states: tape.newest().to_vec(),
            tape,
            recorded,
            widths: Widths {
                counts: [0; COUNTED.len() * LENGTHS],
                counted_tick: None,
            },
        })
    }

    /// Number of ticks played.
    pub fn tick(&self) -> u64 {
        self.history.last_tick()
    }

    /// The lane's history, from tick 0 on.
    pub fn history(&self) -> &LaneHistory {
        &self.history
    }

    /// Plays a tick. Returns false if the tick has not arrived, or the motion has ended.
    ///
    /// # Errors
    /// When its bytes are refused.
    pub fn step(&mut self) -> Result<bool, String> {
        let tick = self.tick() + 1;
        if self.tape.last_tick() < tick {
            if !self.motion.borrow_mut().next(tick, &mut self.states)? {
                return Ok(false);
            }
            self.tape.add_recorded(&self.states);
            if self.recorded.is_cut(tick) {
                self.tape.cut(tick..tick + 1);
            }
        }
        Ok(self.history.advance(&self.tape))
    }

    pub(crate) fn drawn(&self) -> Vec<f32> {
        drawn(self.history.lane().view().poses())
    }

    pub(crate) fn truth_drawn(&self) -> Vec<f32> {
        drawn(
            self.history
                .truth_shown(self.tick(), &self.tape)
                .into_iter(),
        )
    }

    /// Returns the figures of this tick; NaN where there is none.
    pub fn figures(&self) -> Vec<f64> {
        let live = self.history.live(self.tick());
        let figures = FIGURES.iter();
        figures
            .map(|(_, read)| read(&self.history, live).unwrap_or(f64::NAN))
            .collect()
    }

    pub(crate) fn packets(&self, after: u64) -> Vec<f64> {
        let (ms_of_tick, tick) = (self.tape.tick_rate().ms_of_tick(1.0), self.tick());
        let packets = self.history.packets(after + 1..tick + 1, tick);
        let numbers = packets.flat_map(|packet| {
            let fate = match packet.fate {
                PacketFate::InFlight => 0.0,
                PacketFate::Delivered | PacketFate::PassedOver => 1.0,
                PacketFate::Lost => 2.0,
                PacketFate::Late | PacketFate::Overtaken => 3.0,
                PacketFate::Refused => 4.0,
            };
            let baseline = packet.baseline_tick.map(|tick| tick as f64);
            let arrival = packet.arrival_ms.map(|ms| ms / ms_of_tick);
            [
                packet.number as f64,
                packet.tick as f64,
                arrival.unwrap_or(f64::NAN),
                baseline.unwrap_or(f64::NAN),
                packet.bits_by_kind.iter().sum(),
                packet.changed_cubes.into(),
                fate,
            ]
        });
        numbers.collect()
    }

    pub(crate) fn bits(&self) -> Vec<f64> {
        let tick = self.tick();
        let newest = self.history.newest_packet(tick);
        let packet = newest.and_then(|number| self.history.packet(number, tick));
        packet.map_or_else(Vec::new, |packet| packet.bits_by_kind.to_vec())
    }

    /// Returns each cube's error in mm, or its bits in the newest packet, by the name of the lab's overlay.
    pub(crate) fn overlay(&mut self, name: &str) -> Vec<f32> {
        let tick = self.tick();
        match name {
            "error" => self.history.lane().view().error_mm.clone(),
            "bits" => {
                let bits = self.history.cube_bits(tick, &self.tape);
                bits.unwrap_or_default().to_vec()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the counts of fields by their length, those of the newest packet included.
    pub(crate) fn widths(&mut self) -> &[u32] {
        let tick = self.tick();
        let sent = self
            .history
            .lane()
            .newest_packet()
            .map(|packet| packet.tick);
        if sent.is_some() && sent != self.widths.counted_tick {
            self.widths.counted_tick = sent;
            let mut lengths = vec![[0; COUNTED.len()]; self.states.len()];
            let fields = self.history.newest_fields(tick, &self.tape);
            for field in fields.into_iter().flatten() {
                let row = COUNTED.iter().position(|kind| *kind == field.kind);
                if let (Some(row), Some(cube)) = (row, field.cube) {
                    lengths[cube as usize][row] += field.length_65536ths;
                }
            }
            for (row, length) in lengths
                .iter()
                .flat_map(|of_cube| of_cube.iter().enumerate())
            {
                let bits = usize::try_from(length / BIT_65536THS).unwrap_or(0);
                self.widths.counts[row * LENGTHS + bits.min(LENGTHS - 1)] += u32::from(*length > 0);
            }
        }
        &self.widths.counts
    }
}
