//! A packet, field by field: the place and the meaning of each bit.

use crate::ends::LaneSender;
use crate::history::{LaneHistory, Packet};
use serde::Serialize;
use snapshot_base::time::WORLD;
use snapshot_codec::{Decision, Ledger, Span};
use snapshot_record::tape::Tape;
use std::fmt;

/// A packet with its fate and its fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Inspection {
    /// The packet itself.
    #[serde(flatten)]
    pub packet: Packet,
    /// Its bytes, as hexadecimal digits.
    pub hex: String,
    /// In the order of the packet, each beginning where the one before ends. Their lengths sum up to its size.
    pub spans: Vec<Field>,
    /// Snapshots only: the cubes whose position or orientation is not the baseline's.
    pub changes: Vec<Change>,
    /// Rung `predicted` only: the cubes predicted from others in the packet.
    pub told_from: Vec<ToldFrom>,
    /// State synchronisation only: the sent cubes, and the first of those that did not fit, by falling priority.
    pub queue: Vec<Queued>,
}

/// A cube in the baseline and in the packet, in the integers that are sent; against the same baseline also on rungs that do not
/// need it. Positions are bit patterns of floats on the rungs before `position`, orientations on `uncompressed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Change {
    /// Its index.
    pub cube: u32,
    /// In the baseline.
    pub position_before: [i32; 3],
    /// In the packet.
    pub position: [i32; 3],
    /// In the baseline: which component is the largest, and the three others.
    pub orientation_before: [i32; 4],
    /// In the packet.
    pub orientation: [i32; 4],
}

/// A cube, with the cubes of the same packet that its prediction read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ToldFrom {
    /// Its index.
    pub cube: u32,
    /// Theirs, each once.
    pub cubes: Vec<u32>,
}

/// A cube that stood in line for a packet.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Queued {
    /// Its index.
    pub cube: u32,
    /// Its accumulated priority.
    pub priority: u64,
    /// Age, ms, of the receiver's newest state of it when the packet left; none if that is no longer held.
    pub waited_ms: Option<f64>,
    /// True if it is in the packet.
    pub sent: bool,
}

/// Number of left-out cubes that are listed.
const LEFT_OUT_MAX: usize = 8;

/// A field of a packet.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Field {
    /// Its start in the packet, in 1/65,536 bits.
    pub first_65536ths: i64,
    /// Its cost; negative only for padding.
    pub length_65536ths: i64,
    /// The kind by which its bits are counted.
    pub kind: &'static str,
    /// The rule of FORMAT.md by which it was written.
    pub rule: &'static str,
    /// The cube of the field; none for a field of the whole packet.
    pub cube: Option<u32>,
    /// The value that it carries.
    pub value: i64,
    /// Its decisions under an arithmetic coder.
    pub decisions: Vec<Choice>,
}

/// A decision of an arithmetic coder.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Choice {
    /// The decided bit, class or raw bits.
    pub value: u32,
    /// The probability of that value, out of 65,536.
    pub probability: u32,
    /// -log2 of it, in 1/65,536 bits.
    pub cost_65536ths: i64,
}

/// Why there is nothing to inspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InspectError {
    /// No packet had left by that tick.
    NothingSent {
        /// The tick.
        tick: u64,
    },
    /// The packet had not left by that tick, or no packet has that number.
    NotSent {
        /// Its number.
        number: u64,
        /// The tick.
        tick: u64,
    },
    /// The packet, or what it was made from, is too old to be held.
    NotHeld {
        /// Its number.
        number: u64,
    },
}

impl fmt::Display for InspectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InspectError::NothingSent { tick } => write!(f, "no packet had left by tick {tick}"),
            InspectError::NotSent { number, tick } => {
                write!(f, "no packet {number} had left by tick {tick}")
            }
            InspectError::NotHeld { number } => {
                write!(f, "packet {number} is too old: the newest minute is held")
            }
        }
    }
}

impl std::error::Error for InspectError {}

impl LaneHistory {
    /// The newest packet that had left by `tick`, or that of a number, as of that tick. Its fields are written again for it,
    /// which may take as long as some hundred packets.
    ///
    /// # Errors
    /// When there is no such packet, or it is too old.
    pub fn inspect(
        &self,
        tape: &Tape,
        tick: u64,
        number: Option<u64>,
    ) -> Result<Inspection, InspectError> {
        let newest = self.newest_packet(tick);
        let newest = newest.ok_or(InspectError::NothingSent { tick })?;
        let number = number.unwrap_or(newest);
        if number > newest {
            return Err(InspectError::NotSent { number, tick });
        }
        let packet = self.packet(number, tick);
        let packet = packet.ok_or(InspectError::NotHeld { number })?;
        let written = self.write_again(packet.tick, tape);
        let (bytes, ledger, sender) = written.ok_or(InspectError::NotHeld { number })?;
        Ok(Inspection {
            hex: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            spans: ledger
                .spans()
                .iter()
                .map(|span| field(&ledger, span))
                .collect(),
            changes: sender.changes(),
            queue: self.queue(&*sender, packet.tick),
            told_from: ledger
                .neighbours()
                .chunk_by(|a, b| a.0 == b.0)
                .map(|of_one| ToldFrom {
                    cube: of_one[0].0,
                    cubes: of_one.iter().map(|(_, cube)| *cube).collect(),
                })
                .collect(),
            packet,
        })
    }
}

impl LaneHistory {
    fn queue(&self, sender: &dyn LaneSender, tick: u64) -> Vec<Queued> {
        let queue = sender.queue().into_iter();
        let known = self.updated_by(tick);
        let queued = |(cube, priority, sent): (usize, u64, bool)| Queued {
            cube: cube as u32,
            priority,
            waited_ms: known
                .as_ref()
                .map(|known| WORLD.ms_of_tick(tick.saturating_sub(known[cube]) as f64)),
            sent,
        };
        let (sent, left_out): (Vec<_>, Vec<_>) = queue.partition(|(_, _, sent)| *sent);
        let left_out = left_out.into_iter().take(LEFT_OUT_MAX);
        sent.into_iter().chain(left_out).map(queued).collect()
    }
}

fn field(ledger: &Ledger, span: &Span) -> Field {
    Field {
        first_65536ths: span.first_65536ths,
        length_65536ths: span.length_65536ths,
        kind: span.kind.name(),
        rule: span.rule,
        cube: span.cube,
        value: span.value,
        decisions: ledger.decisions(span).iter().map(Choice::from).collect(),
    }
}

impl From<&Decision> for Choice {
    fn from(decision: &Decision) -> Choice {
        Choice {
            value: decision.value,
            probability: decision.probability,
            cost_65536ths: decision.cost_65536ths,
        }
    }
}

#[cfg(test)]
mod tests;
