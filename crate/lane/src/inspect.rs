//! Inspection of a packet field by field: place and meaning of each bit.

use crate::history::{LaneHistory, Packet};
use crate::strategy::ends::LaneSender;
use crate::strategy::game::account::kind_of;
use crate::strategy::sync::QueuedCube;

pub use crate::strategy::Change;
use serde::Serialize;
use snapshot_base::time::WORLD;
use snapshot_codec::{BIT_65536THS, Decision, Ledger, Span};
use snapshot_record::tape::Tape;
use snapshot_replication::{DatagramPart, PartKind, datagram_parts};

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Inspection {
    #[serde(flatten)]
    pub packet: Packet,
    pub hex: String,
    /// Fields in packet order, each beginning where the one before ends. Their lengths sum up to the packet's size.
    pub spans: Vec<Field>,
    /// Cubes whose position or orientation differs from the baseline; snapshots only.
    pub changes: Vec<Change>,
    /// Cubes whose predicted value was computed from other cubes of the same packet; rung `predicted` only.
    #[serde(rename = "told_from")]
    pub neighbours: Vec<CubeNeighbours>,
    /// The sent cubes, and the first of the cubes that were left out, by falling priority; state synchronisation only.
    pub queue: Vec<Queued>,
}

/// A cube, with the other cubes of the packet that its prediction read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CubeNeighbours {
    pub cube: u32,
    /// Indices of the cubes that the prediction read, each once.
    pub cubes: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Queued {
    pub cube: u32,
    pub priority: u64,
    /// Age of the receiver's newest state of the cube when the packet was sent, ms; `None` if that state is no longer stored.
    pub waited_ms: Option<f64>,
    /// True if the packet has an update of the cube.
    pub sent: bool,
}

/// Upper limit of the number of listed cubes that were left out.
const LEFT_OUT_MAX: usize = 8;

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Field {
    /// Start of the field in the packet, in 1/65,536 bits.
    pub first_65536ths: i64,
    /// Cost of the field in 1/65,536 bits; negative only for padding.
    pub length_65536ths: i64,
    /// Name of the ledger's kind that counts the field's bits.
    pub kind: &'static str,
    /// Name of the FORMAT.md rule that wrote the field.
    pub rule: &'static str,
    /// Index of the field's cube; `None` for a field of the whole packet.
    pub cube: Option<u32>,
    pub value: i64,
    /// Decisions of the arithmetic coder for the field; empty on rungs without one.
    pub decisions: Vec<Choice>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Choice {
    /// The coded bit, class or raw bits.
    pub value: u32,
    /// Probability of the coded value, out of 65,536.
    pub probability: u32,
    /// Cost of the decision: -log2 of its probability, in 1/65,536 bits.
    pub cost_65536ths: i64,
}

/// Reason why no packet can be inspected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InspectError {
    /// No packet was sent by the asked tick.
    #[error("no packet had left by tick {tick}")]
    NothingSent { tick: u64 },
    /// The packet was not sent by the asked tick, or no packet has that number.
    #[error("no packet {number} had left by tick {tick}")]
    NotSent { number: u64, tick: u64 },
    /// The packet, or the data that it was encoded from, is no longer stored.
    #[error("packet {number} is too old: the newest minute is held")]
    NotHeld { number: u64 },
}

impl LaneHistory {
    /// Inspects the newest packet sent by `tick`, or the packet with a number, as of that tick. The packet is encoded again,
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
        if let Some(datagram) = self.packets.datagram(number) {
            return Ok(of_datagram(packet, datagram));
        }
        let written = self.packets.write_again(packet.tick, tape);
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
            neighbours: ledger
                .neighbours()
                .chunk_by(|a, b| a.0 == b.0)
                .map(|of_one| CubeNeighbours {
                    cube: of_one[0].0,
                    cubes: of_one.iter().map(|(_, cube)| *cube).collect(),
                })
                .collect(),
            packet,
        })
    }
}

/// Returns the inspection of a game's datagram: each of its parts is a field.
fn of_datagram(packet: Packet, datagram: &[u8]) -> Inspection {
    let mut first_65536ths = 0;
    let field = |part: DatagramPart| {
        let length_65536ths = 8 * part.bytes as i64 * BIT_65536THS;
        let (rule, value) = match part.kind {
            PartKind::Ack { snapshot } => ("word on inputs", snapshot.unwrap_or_default().into()),
            PartKind::Input => ("inputs", 0),
            PartKind::Message => ("message", 0),
            PartKind::Join => ("joining snapshot", 0),
            PartKind::PacketHead { sequence, .. } => ("packet head", sequence.into()),
            PartKind::DetailsHead => ("details: objects", 0),
            PartKind::LinearVelocity => ("details: linear velocities", 0),
            PartKind::AngularVelocity => ("details: angular velocities", 0),
            PartKind::Snapshot => ("snapshot", 0),
            _ => ("connection", 0),
        };
        let field = Field {
            first_65536ths,
            length_65536ths,
            kind: kind_of(part.kind).name(),
            rule,
            cube: None,
            value,
            decisions: Vec::new(),
        };
        first_65536ths += length_65536ths;
        field
    };
    Inspection {
        hex: datagram.iter().map(|byte| format!("{byte:02x}")).collect(),
        spans: datagram_parts(datagram, true)
            .into_iter()
            .map(field)
            .collect(),
        changes: Vec::new(),
        queue: Vec::new(),
        neighbours: Vec::new(),
        packet,
    }
}

impl LaneHistory {
    fn queue(&self, sender: &dyn LaneSender, tick: u64) -> Vec<Queued> {
        let queue = sender.queue().into_iter();
        let known = self.updated_by(tick);
        let queued = |cube: QueuedCube| Queued {
            cube: cube.index as u32,
            priority: cube.priority,
            waited_ms: known
                .as_ref()
                .map(|known| WORLD.ms_of_tick(tick.saturating_sub(known[cube.index]) as f64)),
            sent: cube.is_sent,
        };
        let (sent, left_out): (Vec<_>, Vec<_>) = queue.partition(|cube| cube.is_sent);
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
