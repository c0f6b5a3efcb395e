//! The payloads of a server and its clients, as FORMAT.md specifies them.

use crate::connection::RefusalReason;
use crate::inputs::InputList;
use crate::messages::MESSAGE_BYTES_MAX;
use crate::unread::{Unread, put};

/// No tick is so large: it is 149,000 years at 60 a second.
pub(crate) const TICKS_END: u64 = 1 << 48;
/// Most parts of a packet.
pub(crate) const PARTS_MAX: usize = 256;
/// Most bytes of a whole packet's payload beside those of the packet.
pub(crate) const PACKET_BYTES: usize = 5;
/// Most bytes of a part beside those of the packet.
pub(crate) const PART_BYTES: usize = 7;
/// Bytes of a chunk beside those of the joining snapshot.
pub(crate) const CHUNK_BYTES: usize = 13;

/// Ages below this take one byte.
const AGE_SHORT: u16 = 240;
/// Most ticks of an age: 16 first bytes, each with 256 second ones.
pub(crate) const AGE_END: u16 = AGE_SHORT + 16 * 256;

/// Reads an age in ticks.
fn read_age(bytes: &mut Unread) -> Option<u16> {
    let first = u16::from(bytes.u8()?);
    let Some(high) = first.checked_sub(AGE_SHORT) else {
        return Some(first);
    };
    Some(AGE_SHORT + high * 256 + u16::from(bytes.u8()?))
}

/// The kind of a part with inputs.
pub(crate) const INPUTS: u8 = 6;
/// Bytes before the parts of a client's payload: its number.
pub(crate) const NUMBER_BYTES: usize = 2;
/// Bytes of the word on a client's datagrams.
pub(crate) const HEARD_BYTES: usize = 7;
/// The margin of a client that sends no inputs.
const NO_MARGIN: i16 = i16::MIN;
/// Number of steps in a tick, in which a margin is written.
const MARGIN_STEPS: f64 = 64.0;

/// A part of a payload. A payload for the server has a number before its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part<'a> {
    /// A packet, or a part of one. It takes the rest of the payload.
    Packet {
        sequence: u16,
        /// Ticks since the packet's baseline; 0 names the snapshot with which the client joined.
        age: u16,
        part: u8,
        last_part: u8,
        /// Velocities and jumps stand before the packet.
        has_extras: bool,
        bytes: &'a [u8],
    },
    /// A part of the snapshot with which a client joins. It takes the rest of the payload.
    Chunk {
        tick: u64,
        index: u16,
        count: u16,
        bytes: &'a [u8],
    },
    /// The client has the snapshot of a tick, and can decode newer ones against it. Bit i: it received the packet that left
    /// i + 1 packets before, too.
    Has { tick: u32, before: u32 },
    /// The client has the chunks of the joining snapshot of a tick up to `missing`, and those after it that the bits name.
    HasChunks { tick: u32, missing: u16, after: u32 },
    /// Inputs of the client.
    Inputs(InputList<'a>),
    /// An acknowledgement of the client's newest datagram: its number, and the time in ms since it came. `lost` is the share of
    /// datagrams that were lost, of 255. `margin` is that of its newest input.
    Heard {
        number: u16,
        held_ms: u8,
        lost: u8,
        margin: i16,
    },
    /// A message that is repeated until it arrives.
    Message { number: u16, bytes: &'a [u8] },
    /// All messages before `next` came, and those after it that the bits name.
    HasMessages { next: u16, after: u32 },
    /// A message that is sent once.
    Say { number: u16, bytes: &'a [u8] },
}

/// The margin as it is sent: 64ths of a tick.
pub(crate) fn margin_of(ticks: Option<f64>) -> i16 {
    ticks.map_or(NO_MARGIN, |ticks| {
        ((ticks * MARGIN_STEPS) as i16).max(NO_MARGIN + 1)
    })
}

/// The margin in ticks; none of a client that sends no inputs.
pub(crate) fn ticks_of(margin: i16) -> Option<f64> {
    (margin != NO_MARGIN).then(|| f64::from(margin) / MARGIN_STEPS)
}

impl<'a> Part<'a> {
    /// Says whether a client sends such parts.
    pub(crate) const fn is_to_server(&self) -> bool {
        !matches!(
            self,
            Self::Packet { .. } | Self::Chunk { .. } | Self::Heard { .. }
        )
    }

    /// Says whether a server sends such parts.
    pub(crate) const fn is_to_client(&self) -> bool {
        !matches!(
            self,
            Self::Has { .. } | Self::HasChunks { .. } | Self::Inputs(_)
        )
    }

    /// Appends the part.
    pub(crate) fn write(&self, payload: &mut Vec<u8>) {
        let mut put = |parts: &[&[u8]]| put(payload, parts);
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
                put(&[&[kinds[usize::from(is_split)]], &sequence.to_be_bytes()]);
                match age.checked_sub(AGE_SHORT) {
                    None => put(&[&[age as u8]]),
                    Some(long) => put(&[&[(AGE_SHORT + long / 256) as u8, long as u8]]),
                }
                let parts = [part, last_part];
                put(&[if is_split { &parts } else { &[] }, bytes]);
            }
            Self::Chunk {
                tick,
                index,
                count,
                bytes,
            } => {
                put(&[&[3], &tick.to_be_bytes(), &index.to_be_bytes()]);
                put(&[&count.to_be_bytes(), bytes]);
            }
            Self::Has { tick, before } => {
                put(&[&[4], &tick.to_be_bytes(), &before.to_be_bytes()]);
            }
            Self::HasChunks {
                tick,
                missing,
                after,
            } => {
                put(&[&[5], &tick.to_be_bytes()]);
                put(&[&missing.to_be_bytes(), &after.to_be_bytes()]);
            }
            Self::Inputs(list) => put(&[&[INPUTS], list.bytes]),
            Self::Heard {
                number,
                held_ms,
                lost,
                margin,
            } => {
                put(&[&[7], &number.to_be_bytes()]);
                put(&[&[held_ms, lost], &margin.to_be_bytes()]);
            }
            Self::Message { number, bytes } => {
                put(&[&[8], &number.to_be_bytes()]);
                put(&[&(bytes.len() as u16).to_be_bytes(), bytes]);
            }
            Self::HasMessages { next, after } => {
                put(&[&[9], &next.to_be_bytes(), &after.to_be_bytes()]);
            }
            Self::Say { number, bytes } => {
                put(&[&[10], &number.to_be_bytes()]);
                put(&[&(bytes.len() as u16).to_be_bytes(), bytes]);
            }
        }
    }

    /// Reads any bytes: the first part.
    fn read_first(rest: &mut Unread<'a>) -> Option<Self> {
        Some(match rest.u8()? {
            kind @ (1 | 2 | 11 | 12) => {
                let (sequence, age) = (rest.u16()?, read_age(rest)?);
                let (mut part, mut last_part) = (0, 0);
                if matches!(kind, 2 | 12) {
                    (part, last_part) = (rest.u8()?, rest.u8()?);
                    if part > last_part || last_part == 0 {
                        return None;
                    }
                }
                Self::Packet {
                    sequence,
                    age,
                    part,
                    last_part,
                    has_extras: kind > 10,
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
            4 => Self::Has {
                tick: rest.u32()?,
                before: rest.u32()?,
            },
            5 => Self::HasChunks {
                tick: rest.u32()?,
                missing: rest.u16()?,
                after: rest.u32()?,
            },
            INPUTS => Self::Inputs(InputList::read(rest)?),
            7 => Self::Heard {
                number: rest.u16()?,
                held_ms: rest.u8()?,
                lost: rest.u8()?,
                margin: rest.u16()?.cast_signed(),
            },
            9 => Self::HasMessages {
                next: rest.u16()?,
                after: rest.u32()?,
            },
            kind @ (8 | 10) => {
                let (number, len) = (rest.u16()?, usize::from(rest.u16()?));
                let bytes = rest.bytes(len).filter(|_| len <= MESSAGE_BYTES_MAX)?;
                match kind {
                    8 => Self::Message { number, bytes },
                    _ => Self::Say { number, bytes },
                }
            }
            _ => return None,
        })
    }

    /// Reads any bytes: all parts of a payload, which has at least one.
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

/// Reads a client's payload: its number, and its parts.
pub(crate) fn read_to_server(payload: &[u8]) -> Result<(u16, Vec<Part<'_>>), RefusalReason> {
    let mut rest = Unread(payload);
    let number = rest.u16().ok_or(RefusalReason::Payload)?;
    Ok((number, Part::read_all(rest.0, Part::is_to_server)?))
}
