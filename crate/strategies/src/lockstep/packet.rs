//! Packets of deterministic lockstep: inputs, six bits a frame, or one bit where nothing changed.
//!
//! Each packet repeats every unacknowledged input. So a lost packet costs nothing: the next one has all its inputs.
//!
//! ```
//! use snapshot_strategies::lockstep::{decode_inputs, encode_inputs};
//!
//! // Frames 118 to 120, none of which has been acknowledged: nothing pressed, then two keys held.
//! let (mut packet, mut inputs) = (Vec::new(), Vec::new());
//! encode_inputs(120, &[0, 0b01_0001, 0b01_0001], &mut packet, None)?;
//! assert_eq!(packet.len(), 5);
//! // The receiver knows that no frame after 125 can have begun.
//! assert_eq!(decode_inputs(&packet, 125, &mut inputs)?, 120);
//! assert_eq!(inputs, [0, 0b01_0001, 0b01_0001]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::error::{DecodeError, InputsError};
use snapshot_codec::parts::{BitReader, PacketWriter, Sink};
use snapshot_codec::sequence::is_newer;
use snapshot_codec::{Kind, Ledger};

pub const INPUT_BITS: u32 = 6;
const COUNT_BITS: u32 = 9;
/// Greatest number of inputs in a packet: 8.5 s of them at 60 a second.
pub const MOST_INPUTS: usize = (1 << COUNT_BITS) - 1;
/// Greatest size of a packet of inputs, bytes: every input differs from the one before.
pub const MOST_INPUTS_BYTES: usize = (16
    + INPUT_BITS as usize
    + COUNT_BITS as usize
    + (MOST_INPUTS - 1) * (1 + INPUT_BITS as usize))
    .div_ceil(8);

/// Encodes into `packet` the inputs of the frames up to `newest`, oldest first.
///
/// # Errors
/// When there is none, or there are more than [`MOST_INPUTS`], or one has more than [`INPUT_BITS`] bits. The packet is
/// empty then, the ledger as it was.
pub fn encode_inputs(
    newest: u16,
    inputs: &[u8],
    packet: &mut Vec<u8>,
    ledger: Option<&mut Ledger>,
) -> Result<(), InputsError> {
    packet.clear();
    let &[oldest, ref others @ ..] = inputs else {
        return Err(InputsError::Count(0));
    };
    if inputs.len() > MOST_INPUTS {
        return Err(InputsError::Count(inputs.len()));
    }
    if let Some(&input) = inputs.iter().find(|&&input| input >> INPUT_BITS != 0) {
        return Err(InputsError::OutOfRange(input));
    }
    let mut writer = PacketWriter::new(packet, ledger);
    writer.put(
        Kind::Header,
        "newest frame",
        newest.into(),
        newest.into(),
        16,
    );
    write_input(&mut writer, "oldest input", oldest);
    let count = inputs.len() as u32;
    writer.put(Kind::Header, "input count", count.into(), count, COUNT_BITS);
    let mut before = oldest;
    for &input in others {
        writer.put_flag(Kind::Input, "input changed", input != before);
        if input != before {
            write_input(&mut writer, "input", input);
        }
        before = input;
    }
    writer.finish();
    Ok(())
}

/// Decodes a packet's inputs into `inputs`, oldest first; returns the frame of the newest one.
///
/// # Errors
/// When the packet is none that [`encode_inputs`] writes, or its newest frame is newer than `horizon`, the newest that an
/// input can be of by now; `inputs` is empty then.
pub fn decode_inputs(
    packet: &[u8],
    horizon: u16,
    inputs: &mut Vec<u8>,
) -> Result<u16, DecodeError> {
    inputs.clear();
    read_inputs(BitReader::new(packet), horizon, inputs).inspect_err(|_| inputs.clear())
}

fn read_inputs(
    mut reader: BitReader,
    horizon: u16,
    inputs: &mut Vec<u8>,
) -> Result<u16, DecodeError> {
    let newest = reader.read(16)? as u16;
    if is_newer(newest, horizon) {
        let (sequence, horizon) = (newest.into(), horizon.into());
        return Err(snapshot_codec::DecodeError::TooFarAhead { sequence, horizon }.into());
    }
    let oldest = reader.read(INPUT_BITS)? as u8;
    let count = reader.read(COUNT_BITS)?;
    if count == 0 {
        return Err(DecodeError::NoInputs);
    }
    inputs.push(oldest);
    let mut before = oldest;
    for _ in 1..count {
        if reader.read_flag()? {
            let at_bit = reader.bit_position();
            let input = reader.read(INPUT_BITS)? as u8;
            if input == before {
                return Err(DecodeError::InputNotChanged { at_bit });
            }
            before = input;
        }
        inputs.push(before);
    }
    reader.finish()?;
    Ok(newest)
}

fn write_input(sink: &mut impl Sink, rule: &'static str, input: u8) {
    sink.put(Kind::Input, rule, input.into(), input.into(), INPUT_BITS);
}
