//! Packets of deterministic lockstep: inputs, six bits a frame, or one bit where nothing changed.
//!
//! Each packet repeats every unacknowledged input. So a lost packet costs nothing: the next one has all its inputs.

use crate::strategy::error::{DecodeError, InputsError};
use snapshot_codec::bits::{BitReader, PacketStream, PacketWriter, Reading, WRITING, Writing};
use snapshot_codec::sequence::is_newer;
use snapshot_codec::{Kind, Ledger};

pub const INPUT_BITS: u32 = 6;
const COUNT_BITS: u32 = 9;
/// Upper limit of the number of inputs in a packet: 8.5 s of them at 60 a second.
pub const MOST_INPUTS: usize = (1 << COUNT_BITS) - 1;
/// Upper limit of the size of a packet of inputs, bytes: every input differs from the one before.
pub const MOST_INPUTS_BYTES: usize = (16
    + INPUT_BITS as usize
    + COUNT_BITS as usize
    + (MOST_INPUTS - 1) * (1 + INPUT_BITS as usize))
    .div_ceil(8);

/// Encodes into `packet` the inputs of the frames up to `newest`, oldest first.
///
/// # Errors
/// When there is no input, there are more than [`MOST_INPUTS`], or one has more than [`INPUT_BITS`] bits. The packet is empty
/// then, and the ledger as it was.
pub fn encode_inputs(
    newest: u16,
    inputs: &[u8],
    packet: &mut Vec<u8>,
    ledger: Option<&mut Ledger>,
) -> Result<(), InputsError> {
    packet.clear();
    if !(1..=MOST_INPUTS).contains(&inputs.len()) {
        return Err(InputsError::Count(inputs.len()));
    }
    if let Some(&input) = inputs.iter().find(|&&input| input >> INPUT_BITS != 0) {
        return Err(InputsError::OutOfRange(input));
    }
    let mut writer = PacketWriter::new(packet, ledger);
    let (stream, mut inputs) = (&mut Writing(&mut writer), inputs.to_vec());
    code_inputs(stream, newest, newest, &mut inputs).expect(WRITING);
    writer.finish();
    Ok(())
}

/// Decodes a packet's inputs into `inputs`, oldest first; returns the frame of the newest one.
///
/// # Errors
/// When the bytes are not a packet of [`encode_inputs`], or its newest frame is newer than `horizon`, the newest possible
/// frame by now. `inputs` is empty then.
pub fn decode_inputs(
    packet: &[u8],
    horizon: u16,
    inputs: &mut Vec<u8>,
) -> Result<u16, DecodeError> {
    inputs.clear();
    read_inputs(packet, horizon, inputs).inspect_err(|_| inputs.clear())
}

fn read_inputs(packet: &[u8], horizon: u16, inputs: &mut Vec<u8>) -> Result<u16, DecodeError> {
    let mut reading = Reading(BitReader::new(packet));
    let newest = code_inputs(&mut reading, 0, horizon, inputs)?;
    reading.0.finish()?;
    Ok(newest)
}

/// Reads or writes a packet's fields, and refuses packets that [`encode_inputs`] cannot write. Returns the frame of the
/// newest input.
fn code_inputs<S: PacketStream>(
    stream: &mut S,
    newest: u16,
    horizon: u16,
    inputs: &mut Vec<u8>,
) -> Result<u16, DecodeError> {
    let mut code = u32::from(newest);
    stream.code(Kind::Header, "newest frame", newest.into(), &mut code, 16)?;
    let newest = code as u16;
    if is_newer(newest, horizon) {
        let (sequence, horizon) = (newest.into(), horizon.into());
        return Err(snapshot_codec::DecodeError::TooFarAhead { sequence, horizon }.into());
    }
    let mut before = inputs.first().copied().unwrap_or_default();
    code_input(stream, "oldest input", &mut before)?;
    let mut count = inputs.len() as u32;
    let value = count.into();
    stream.code(Kind::Header, "input count", value, &mut count, COUNT_BITS)?;
    inputs.resize(count as usize, before);
    let (oldest, others) = inputs.split_first_mut().ok_or(DecodeError::NoInputs)?;
    *oldest = before;
    for input in others {
        let mut is_changed = *input != before;
        stream.flag(Kind::Input, "input changed", &mut is_changed)?;
        if is_changed {
            code_input(stream, "input", input)?;
            if *input == before {
                return Err(DecodeError::InputNotChanged);
            }
            before = *input;
        }
        *input = before;
    }
    Ok(newest)
}

fn code_input<S: PacketStream>(
    stream: &mut S,
    rule: &'static str,
    input: &mut u8,
) -> Result<(), DecodeError> {
    let (mut code, value) = (u32::from(*input), i64::from(*input));
    stream.code(Kind::Input, rule, value, &mut code, INPUT_BITS)?;
    *input = code as u8;
    Ok(())
}
