//! The payloads of a server and its clients, as FORMAT.md specifies them.

use crate::connection::RefusalReason;
use crate::inputs::InputList;
use crate::partial::PartialBase;
use crate::path_mtu::Probe;
use crate::unread::{Unread, put};

/// Upper limit of a message's length, bytes. A datagram must have room for the message, too.
pub const MESSAGE_BYTES_MAX: usize = 1000;
/// Upper limit of ticks, exclusive: it is reached after 149,000 years at 60 a second.
pub(crate) const TICKS_END: u64 = 1 << 48;

/// Returns the epoch of a tick: the tick from which a clock counts. Floats near 2^48 would round the clock's steps. An epoch is
/// a multiple of 2^32, so ticks that are sent modulo 2^32 stay as they are.
pub(crate) const fn epoch_of(tick: u64) -> u64 {
    tick >> 32 << 32
}

/// Upper limit of the number of parts into which a packet is split.
pub(crate) const PARTS_MAX: usize = 256;
/// Upper limit of the header of an unsplit packet in a payload, bytes.
pub(crate) const PACKET_BYTES: usize = 5;
/// Upper limit of the header of a part of a split packet, bytes.
pub(crate) const PART_BYTES: usize = 7;
/// Length of the headers of IPv4 and UDP, bytes.
pub(crate) const HEADERS_BYTES: usize = 28;
/// Length of the header of a probe in a payload, bytes.
pub(crate) const PROBE_BYTES: usize = 5;
/// Length of the acknowledgement of a probe, bytes.
pub(crate) const PROBE_ACK_BYTES: usize = 3;
/// Length of the header of a chunk of the joining snapshot, bytes.
pub(crate) const CHUNK_BYTES: usize = 13;

/// Ages of a baseline below this, in ticks, take one byte, other ages two.
const AGE_SHORT: u16 = 240;
/// Upper limit of an age, exclusive, ticks: 16 first bytes, each with 256 second bytes, after the short ages.
pub(crate) const AGE_END: u16 = AGE_SHORT + 16 * 256;

/// Appends the age of a baseline in ticks.
pub(crate) fn write_age(age: u16, bytes: &mut Vec<u8>) {
    match age.checked_sub(AGE_SHORT) {
        None => bytes.push(age as u8),
        Some(long) => bytes.extend([(AGE_SHORT + long / 256) as u8, long as u8]),
    }
}

/// Reads the age of a baseline in ticks; `None` if the bytes end.
pub(crate) fn read_age(bytes: &mut Unread) -> Option<u16> {
    let first = u16::from(bytes.u8()?);
    let Some(high) = first.checked_sub(AGE_SHORT) else {
        return Some(first);
    };
    Some(AGE_SHORT + high * 256 + u16::from(bytes.u8()?))
}

/// Numbers of two kinds of part: a whole partial packet, and a piece of a split one.
const PARTIAL: [u8; 2] = [16, 17];
/// Number of the kind of part that holds inputs.
pub(crate) const INPUTS: u8 = 6;
/// Number of bytes before the parts of a client's payload: the payload's number.
pub(crate) const NUMBER_BYTES: usize = 2;
/// Length of the acknowledgement of a client's datagrams, bytes.
pub(crate) const ACK_BYTES: usize = 7;
/// Value that stands for the margin on the wire if the client sends no inputs.
const NO_MARGIN: i16 = i16::MIN;
/// Number of units of a margin on the wire in one tick.
const MARGIN_STEPS: f64 = 64.0;

/// A part of a payload: a unit of one kind, such as an acknowledgement or a message. A client's payload has a number before its
/// parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part<'a> {
    /// A packet with a snapshot, or a piece of a split packet. It takes the rest of the payload.
    Packet {
        sequence: u16,
        /// Ticks from the packet's baseline to its snapshot; 0 means the snapshot with which the client joined.
        age: u16,
        part: u8,
        last_part: u8,
        /// True if velocities and jumps precede the packet.
        has_extras: bool,
        bytes: &'a [u8],
    },
    /// A partial packet with its notes, or a piece of a split one. It takes the rest of the payload.
    Partial {
        base: PartialBase,
        part: u8,
        last_part: u8,
        bytes: &'a [u8],
    },
    /// A chunk of the snapshot with which a client joins. It takes the rest of the payload.
    Chunk {
        tick: u64,
        index: u16,
        count: u16,
        bytes: &'a [u8],
    },
    /// The client has the snapshot of a tick, so that newer ones can be encoded against it. Bit i of `before`: it also
    /// received the packet that was sent i + 1 packets earlier.
    SnapshotAck { tick: u32, before: u32 },
    /// The client has all chunks before `missing` of the joining snapshot of a tick; bits of `after` name later chunks that
    /// it has.
    ChunkAck { tick: u32, missing: u16, after: u32 },
    /// A client's inputs.
    Inputs(InputList<'a>),
    /// Acknowledgement of the client's newest datagram: its number, and the time since it arrived, ms. `lost` is the share of
    /// the client's datagrams that were lost, out of 255. `margin` is the margin of the datagram's newest input.
    DatagramAck {
        number: u16,
        ack_delay_ms: u8,
        lost: u8,
        margin: i16,
    },
    /// A piece of a message, which is repeated until it arrives. The message ends with its last piece.
    Message {
        number: u16,
        is_last: bool,
        bytes: &'a [u8],
    },
    /// Acknowledges all messages before `next`; bits of `after` name later messages that arrived.
    MessageAck { next: u16, after: u32 },
    /// A message that is sent once only.
    Say { number: u16, bytes: &'a [u8] },
    /// A datagram that asks whether the path carries its size. It takes the rest of the payload. `found_bytes` is the greatest
    /// size that arrives, as far as the sender knows, or 0.
    Probe {
        bytes: u16,
        found_bytes: u16,
        filler: &'a [u8],
    },
    /// Acknowledges a probe, by its size.
    ProbeAck { bytes: u16 },
}

/// Converts a margin from ticks to the wire's 64ths of a tick.
pub(crate) fn margin_of(ticks: Option<f64>) -> i16 {
    ticks.map_or(NO_MARGIN, |ticks| {
        ((ticks * MARGIN_STEPS) as i16).max(NO_MARGIN + 1)
    })
}

/// Converts a margin from the wire to ticks; `None` for a client that sends no inputs.
pub(crate) fn ticks_of(margin: i16) -> Option<f64> {
    (margin != NO_MARGIN).then(|| f64::from(margin) / MARGIN_STEPS)
}

impl<'a> Part<'a> {
    /// Returns true if a client may send this part.
    pub(crate) const fn is_to_server(&self) -> bool {
        !matches!(
            self,
            Self::Packet { .. }
                | Self::Partial { .. }
                | Self::Chunk { .. }
                | Self::DatagramAck { .. }
        )
    }

    /// Returns true if a server may send this part.
    pub(crate) const fn is_to_client(&self) -> bool {
        !matches!(
            self,
            Self::SnapshotAck { .. } | Self::ChunkAck { .. } | Self::Inputs(_)
        )
    }

    /// Appends the bytes of the part to a payload.
    pub(crate) fn write(&self, payload: &mut Vec<u8>) {
        match *self {
            Self::Packet {
                sequence,
                age,
                part,
                last_part,
                has_extras,
                bytes,
            } => {
                let kinds = if has_extras { [11, 12] } else { [1, 2] };
                let is_split = last_part != 0;
                put(
                    payload,
                    &[&[kinds[usize::from(is_split)]], &sequence.to_be_bytes()],
                );
                write_age(age, payload);
                let parts = [part, last_part];
                put(payload, &[if is_split { &parts } else { &[] }, bytes]);
            }
            Self::Partial {
                base,
                part,
                last_part,
                bytes,
            } => {
                let is_split = last_part != 0;
                payload.push(PARTIAL[usize::from(is_split)]);
                base.write(payload);
                let parts = [part, last_part];
                put(payload, &[if is_split { &parts } else { &[] }, bytes]);
            }
            Self::Chunk {
                tick,
                index,
                count,
                bytes,
            } => {
                put(payload, &[&[3], &tick.to_be_bytes(), &index.to_be_bytes()]);
                put(payload, &[&count.to_be_bytes(), bytes]);
            }
            Self::SnapshotAck { tick, before } => {
                put(payload, &[&[4], &tick.to_be_bytes(), &before.to_be_bytes()]);
            }
            Self::ChunkAck {
                tick,
                missing,
                after,
            } => {
                put(payload, &[&[5], &tick.to_be_bytes()]);
                put(payload, &[&missing.to_be_bytes(), &after.to_be_bytes()]);
            }
            Self::Inputs(list) => put(payload, &[&[INPUTS], list.bytes]),
            Self::DatagramAck {
                number,
                ack_delay_ms,
                lost,
                margin,
            } => {
                put(payload, &[&[7], &number.to_be_bytes()]);
                put(payload, &[&[ack_delay_ms, lost], &margin.to_be_bytes()]);
            }
            Self::Message {
                number,
                is_last,
                bytes,
            } => {
                put(
                    payload,
                    &[&[if is_last { 8 } else { 13 }], &number.to_be_bytes()],
                );
                put(payload, &[&(bytes.len() as u16).to_be_bytes(), bytes]);
            }
            Self::MessageAck { next, after } => {
                put(payload, &[&[9], &next.to_be_bytes(), &after.to_be_bytes()]);
            }
            Self::Say { number, bytes } => {
                put(payload, &[&[10], &number.to_be_bytes()]);
                put(payload, &[&(bytes.len() as u16).to_be_bytes(), bytes]);
            }
            Self::Probe {
                bytes,
                found_bytes,
                filler,
            } => {
                put(payload, &[&[14], &bytes.to_be_bytes()]);
                put(payload, &[&found_bytes.to_be_bytes(), filler]);
            }
            Self::ProbeAck { bytes } => put(payload, &[&[15], &bytes.to_be_bytes()]),
        }
    }

    /// Parses the first part from any bytes; `None` if they are malformed.
    fn read_first(rest: &mut Unread<'a>) -> Option<Self> {
        Some(match rest.u8()? {
            kind @ (1 | 2 | 11 | 12) => {
                let (sequence, age) = (rest.u16()?, read_age(rest)?);
                let (part, last_part) = read_part(matches!(kind, 2 | 12), rest)?;
                Self::Packet {
                    sequence,
                    age,
                    part,
                    last_part,
                    has_extras: kind > 10,
                    bytes: rest.rest(),
                }
            }
            kind if PARTIAL.contains(&kind) => {
                let base = PartialBase::read(rest)?;
                let (part, last_part) = read_part(kind == PARTIAL[1], rest)?;
                Self::Partial {
                    base,
                    part,
                    last_part,
                    bytes: rest.rest(),
                }
            }
            3 => {
                let tick = Some(rest.u64()?).filter(|tick| *tick < TICKS_END)?;
                let (index, count) = (rest.u16()?, rest.u16()?);
                Self::Chunk {
                    tick,
                    index: Some(index).filter(|index| *index < count)?,
                    count,
                    bytes: rest.rest(),
                }
            }
            4 => Self::SnapshotAck {
                tick: rest.u32()?,
                before: rest.u32()?,
            },
            5 => Self::ChunkAck {
                tick: rest.u32()?,
                missing: rest.u16()?,
                after: rest.u32()?,
            },
            INPUTS => Self::Inputs(InputList::read(rest)?),
            7 => Self::DatagramAck {
                number: rest.u16()?,
                ack_delay_ms: rest.u8()?,
                lost: rest.u8()?,
                margin: rest.u16()?.cast_signed(),
            },
            9 => Self::MessageAck {
                next: rest.u16()?,
                after: rest.u32()?,
            },
            kind @ (8 | 10 | 13) => {
                let (number, len) = (rest.u16()?, usize::from(rest.u16()?));
                let bytes = rest.bytes(len).filter(|_| len <= MESSAGE_BYTES_MAX)?;
                match kind {
                    10 => Self::Say { number, bytes },
                    _ => Self::Message {
                        number,
                        is_last: kind == 8,
                        bytes,
                    },
                }
            }
            14 => Self::Probe {
                bytes: rest.u16()?,
                found_bytes: rest.u16()?,
                filler: Some(rest.rest()).filter(|it| it.iter().all(|byte| *byte == 0))?,
            },
            15 => Self::ProbeAck { bytes: rest.u16()? },
            _ => return None,
        })
    }

    /// Parses all parts of a payload from any bytes; an error if there is none, or one is malformed.
    pub(crate) fn read_all(
        payload: &'a [u8],
        belongs: impl Fn(&Self) -> bool,
    ) -> Result<Vec<Self>, RefusalReason> {
        let (mut parts, mut rest) = (Vec::new(), Unread(payload));
        while parts.is_empty() || !rest.0.is_empty() {
            let part = Self::read_first(&mut rest).filter(&belongs);
            parts.push(part.ok_or(RefusalReason::Payload)?);
        }
        Ok(parts)
    }
}

/// Reads the index of a packet's piece and that of the last piece; both are 0 for a whole packet. `None` if they are malformed.
fn read_part(is_split: bool, rest: &mut Unread<'_>) -> Option<(u8, u8)> {
    if !is_split {
        return Some((0, 0));
    }
    let (part, last_part) = (rest.u8()?, rest.u8()?);
    (part <= last_part && last_part != 0).then_some((part, last_part))
}

/// Appends a probe to a payload whose datagram has `head_bytes` bytes besides the probe's filler.
pub(crate) fn write_probe(probe: Probe, head_bytes: usize, payload: &mut Vec<u8>) {
    let end = payload.len() + PROBE_BYTES + probe.bytes.saturating_sub(head_bytes);
    let probe = Part::Probe {
        bytes: probe.bytes as u16,
        found_bytes: probe.found_bytes as u16,
        filler: &[],
    };
    probe.write(payload);
    payload.resize(end, 0);
}

/// Parses a client's payload; returns its number and its parts.
pub(crate) fn read_to_server(payload: &[u8]) -> Result<(u16, Vec<Part<'_>>), RefusalReason> {
    let mut rest = Unread(payload);
    let number = rest.u16().ok_or(RefusalReason::Payload)?;
    Ok((number, Part::read_all(rest.0, Part::is_to_server)?))
}
