//! A packet of state synchronisation, described once for both directions: header, inputs, updates.

use super::body::Update;
use super::format::SyncFormat;
use super::predict::{self, SyncBaseline};
use super::window::{ACKED_AGE_MAX, OFFSET_MAX, UpdateWindow};
use super::{INPUTS_MAX, UPDATES_MAX};
use crate::strategy::error::DecodeError;
use crate::strategy::lockstep::INPUT_BITS;
use snapshot_codec::bits::BitReader;
use snapshot_codec::bits::{
    BitCounter, PacketStream, PacketWriter, Reading, Sink, Vector, WRITING, Writing, orientation,
};
use snapshot_codec::{DecodeError as CodecError, GridState, Kind, Ledger};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncPacket {
    /// The packet's sequence: the frame, modulo 2^32.
    pub sequence: u32,
    /// Sequence of the newest acknowledged packet; sent only with delta compression.
    pub acked: Option<u32>,
    /// Inputs of this frame and of earlier frames, newest first.
    pub inputs: Vec<u8>,
    /// Updates: the player's first, then by rising index.
    pub updates: Vec<Update>,
}

/// Appends a packet to `bytes`, and its bits to `ledger`. The caller makes sure that it is valid in the format, with baselines
/// that `window` holds.
pub(super) fn write_packet(
    format: &SyncFormat,
    window: &UpdateWindow,
    packet: &mut SyncPacket,
    bytes: &mut Vec<u8>,
    ledger: Option<&mut Ledger>,
) {
    let mut writer = PacketWriter::new(bytes, ledger);
    serialise(&mut Writing(&mut writer), format, window, packet).expect(WRITING);
    writer.about(None);
    writer.finish();
}

/// Reads a whole packet into `packet`. After an error the content of `packet` is undefined.
pub(super) fn read_packet(
    format: &SyncFormat,
    window: &UpdateWindow,
    bytes: &[u8],
    packet: &mut SyncPacket,
) -> Result<(), DecodeError> {
    let mut reading = Reading(BitReader::new(bytes));
    serialise(&mut reading, format, window, packet)?;
    Ok(reading.0.finish()?)
}

pub(super) fn bits_before_updates(format: &SyncFormat, packet: &mut SyncPacket) -> u64 {
    let mut counter = BitCounter::default();
    let mut writing = Writing(&mut counter);
    header(&mut writing, format, packet).expect(WRITING);
    inputs(&mut writing, &mut packet.inputs).expect(WRITING);
    update_count(&mut writing, &mut 0).expect(WRITING);
    counter.bits
}

pub(super) fn update_bits(format: &SyncFormat, context: &Context, update: &mut Update) -> u64 {
    let mut counter = BitCounter::default();
    serialise_update(&mut Writing(&mut counter), format, context, None, update).expect(WRITING);
    counter.bits
}

/// Lower bounds of an update's size in a format, bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeastBits {
    index: u64,
    pose: u64,
    velocities: u64,
}

impl LeastBits {
    pub(super) fn new(format: &SyncFormat) -> Self {
        let [pose, velocities] = predict::bits_min(format).map(u64::from);
        Self {
            // With the at-rest bit.
            index: u64::from(format.grid.index_bits()) + 1,
            pose,
            velocities: if format.grid.velocities() {
                velocities
            } else {
                0
            },
        }
    }

    /// Lower bound of an update's bits, for any cube. `acked`: the packet names an acknowledged packet.
    pub(super) fn any(&self, acked: bool) -> u64 {
        let least = |has_baseline| self.for_cube(true, acked, has_baseline);
        least(false).min(if acked { least(true) } else { u64::MAX })
    }

    /// Lower bound of an update's bits, for a cube of this kind. A cube at rest may equal its baseline.
    pub(super) fn for_cube(&self, at_rest: bool, acked: bool, has_baseline: bool) -> u64 {
        let baseline = u64::from(acked) + if has_baseline { OFFSET_BITS.into() } else { 0 };
        let fields = match (at_rest, has_baseline) {
            (true, true) => 1,
            (true, false) => self.pose,
            (false, _) => self.pose + self.velocities,
        };
        self.index + baseline + fields
    }
}

/// Number of bits of a baseline's age, counted in frames before the newest acknowledged packet.
const OFFSET_BITS: u32 = (OFFSET_MAX + 1).ilog2();

/// Data outside of an update that its bits depend on.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) window: &'a UpdateWindow,
    pub(super) sequence: u32,
    pub(super) acked: Option<u32>,
    /// The player's state in the same packet, sent before all other updates.
    pub(super) player: Option<GridState>,
}

fn serialise<S: PacketStream>(
    stream: &mut S,
    format: &SyncFormat,
    window: &UpdateWindow,
    packet: &mut SyncPacket,
) -> Result<(), DecodeError> {
    header(stream, format, packet)?;
    inputs(stream, &mut packet.inputs)?;
    let mut count = packet.updates.len();
    update_count(stream, &mut count)?;
    if S::READS {
        packet.updates.clear();
        packet.updates.resize(count, Update::default());
    }
    let mut context = Context {
        window,
        sequence: packet.sequence,
        acked: packet.acked,
        player: None,
    };
    let mut previous = None;
    for update in &mut packet.updates {
        serialise_update(stream, format, &context, previous, update)?;
        previous = Some(update.index);
        if format.grid.player() == Some(update.index) {
            context.player = Some(update.body);
        }
    }
    Ok(())
}

fn header<S: PacketStream>(
    stream: &mut S,
    format: &SyncFormat,
    packet: &mut SyncPacket,
) -> Result<(), DecodeError> {
    let kind = Kind::Header;
    let value = i64::from(packet.sequence);
    stream.code(kind, "sequence", value, &mut packet.sequence, 32)?;
    if !format.compression.delta {
        packet.acked = None;
        return Ok(());
    }
    let mut has_acked = packet.acked.is_some();
    stream.flag(kind, "acked", &mut has_acked)?;
    if !has_acked {
        packet.acked = None;
        return Ok(());
    }
    let acked = packet.acked.unwrap_or_default();
    let mut code = packet.sequence.wrapping_sub(acked).wrapping_sub(1) % ACKED_AGE_MAX;
    stream.code(kind, "acked age", i64::from(code) + 1, &mut code, 8)?;
    packet.acked = Some(packet.sequence.wrapping_sub(code + 1));
    Ok(())
}

/// Codes the inputs: the newest whole, each earlier one as a flag if it equals the one after it.
fn inputs<S: PacketStream>(stream: &mut S, inputs: &mut Vec<u8>) -> Result<(), DecodeError> {
    let kind = Kind::Input;
    let mut count_code = (inputs.len() as u32).wrapping_sub(1) % INPUTS_MAX as u32;
    let value = i64::from(count_code) + 1;
    stream.code(kind, "input count", value, &mut count_code, 5)?;
    if S::READS {
        inputs.clear();
        inputs.resize(count_code as usize + 1, 0);
    }
    let mut after = None;
    for (at, input) in inputs.iter_mut().enumerate() {
        let mut same = after == Some(*input);
        if let Some(after) = after {
            stream.flag(kind, "same input", &mut same)?;
            if same {
                *input = after;
                continue;
            }
        }
        let mut code = u32::from(*input);
        stream.code(kind, "input", i64::from(code), &mut code, INPUT_BITS)?;
        *input = code as u8;
        if after == Some(*input) {
            return Err(CodecError::InputRepeated { at }.into());
        }
        after = Some(*input);
    }
    Ok(())
}

fn update_count<S: PacketStream>(stream: &mut S, count: &mut usize) -> Result<(), DecodeError> {
    let mut code = *count as u32;
    stream.code(Kind::Index, "update count", i64::from(code), &mut code, 7)?;
    *count = code as usize;
    if *count > UPDATES_MAX {
        return Err(DecodeError::UpdateCount { count: *count });
    }
    Ok(())
}

fn serialise_update<S: PacketStream>(
    stream: &mut S,
    format: &SyncFormat,
    context: &Context,
    previous: Option<usize>,
    update: &mut Update,
) -> Result<(), DecodeError> {
    stream.about(Some(update.index));
    index(stream, format, previous, &mut update.index)?;
    let cube = update.index;
    let body = &mut update.body;
    stream.flag(Kind::Flags, "at rest", &mut body.at_rest)?;
    let baseline = baseline(stream, format, context, cube, &mut update.baseline)?;
    let lay_there = baseline.filter(|baseline| body.at_rest && baseline.body.at_rest);
    if let Some(baseline) = lay_there {
        let mut same = *body == *baseline.body;
        stream.flag(Kind::Flags, "same", &mut same)?;
        if same {
            *body = *baseline.body;
            return Ok(());
        }
    }
    let player = context
        .player
        .as_ref()
        .filter(|_| format.compression.relative);
    let expected = predict::pose(format, baseline, player);
    Vector::POSITION.code(
        stream,
        cube,
        format.grid.position_axes(),
        expected.position,
        &mut body.position,
    )?;
    orientation(
        stream,
        cube,
        format.grid.smallest_three(),
        expected.orientation,
        &mut body.orientation,
    )?;
    if lay_there.is_some_and(|baseline| *baseline.body == *body) {
        return Err(CodecError::CubeNotChanged { cube }.into());
    }
    if body.at_rest || !format.grid.velocities() {
        (body.linear_velocity, body.angular_velocity) = ([0; 3], [0; 3]);
        return Ok(());
    }
    let expected = predict::velocities(format, body.position, baseline, player);
    let [linear, angular] = expected.map_or([None; 2], |expected| expected.map(Some));
    Vector::LINEAR_VELOCITY.code(
        stream,
        cube,
        format.grid.linear_axes(),
        linear,
        &mut body.linear_velocity,
    )?;
    Vector::ANGULAR_VELOCITY.code(
        stream,
        cube,
        format.grid.angular_axes(),
        angular,
        &mut body.angular_velocity,
    )?;
    Ok(())
}

fn index<S: PacketStream>(
    stream: &mut S,
    format: &SyncFormat,
    previous: Option<usize>,
    index: &mut usize,
) -> Result<(), DecodeError> {
    let mut code = *index as u32;
    let bits = format.grid.index_bits();
    stream.code(Kind::Index, "index", i64::from(code), &mut code, bits)?;
    *index = code as usize;
    if *index >= format.grid.cube_count() {
        return Err(CodecError::IndexOutOfRange {
            index: *index,
            cube_count: format.grid.cube_count(),
        }
        .into());
    }
    let rank = format.rank(*index);
    match previous.filter(|&previous| rank <= format.rank(previous)) {
        Some(previous) => Err(CodecError::IndexNotRising {
            index: *index,
            previous,
        }
        .into()),
        None => Ok(()),
    }
}

/// Codes the baseline of an update, as frames before the newest acknowledged packet.
fn baseline<'a, S: PacketStream>(
    stream: &mut S,
    format: &SyncFormat,
    context: &Context<'a>,
    cube: usize,
    sequence: &mut Option<u32>,
) -> Result<Option<SyncBaseline<'a>>, DecodeError> {
    let Some(acked) = context.acked else {
        *sequence = None;
        return Ok(None);
    };
    let mut has_baseline = sequence.is_some();
    stream.flag(Kind::Header, "delta", &mut has_baseline)?;
    if !has_baseline {
        *sequence = None;
        return Ok(None);
    }
    let mut offset = acked.wrapping_sub(sequence.unwrap_or_default()) % (OFFSET_MAX + 1);
    let value = i64::from(offset);
    stream.code(
        Kind::Header,
        "baseline offset",
        value,
        &mut offset,
        OFFSET_BITS,
    )?;
    let baseline = acked.wrapping_sub(offset);
    *sequence = Some(baseline);
    let held = context.window.update(format, baseline, cube);
    let Some(held) = held else {
        return Err(DecodeError::UpdateBaselineUnknown { cube, baseline });
    };
    Ok(Some(SyncBaseline {
        body: &held.body,
        player: format
            .grid
            .player()
            .and_then(|player| context.window.update(format, baseline, player))
            .map(|player| &player.body),
        age_frames: context.sequence.wrapping_sub(baseline),
    }))
}
