//! The lines that `snapshot-lab verdict` writes, as a program: the settings of a motion, sent to oneself.
//!
//! A test of the lab compares them with its own.

use snapshot_codec::{
    Bounds, Class, CubeState, Decoder, Encoder, Format, Life, QuantisationBits, Rung, Widths,
};
use std::error::Error;

/// Objects at rest in a row.
fn objects() -> Vec<CubeState> {
    let object = |index: u8| CubeState {
        position: [f32::from(index), 0.0, 0.5],
        orientation: [0.0, 0.0, 0.0, 1.0],
        linear_velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        interacting: false,
        at_rest: true,
        life: Life::FIRST,
    };
    (0..16).map(object).collect()
}

/// Makes an encoder and a decoder on a rung with small and large ranges, for objects that appear and disappear.
fn ranges(objects: &[CubeState]) -> Result<(Encoder, Decoder), Box<dyn Error>> {
    let bits = QuantisationBits::new(9, 9, 5)?;
    let bounds = Bounds::new([-64, -32, 0], [64, 32, 8])?;
    let format = Format::new(Rung::ChangedFlags, bits, 16)?
        .with_class(Class::Chained)
        .with_bounds(bounds)?
        .with_widths(Widths::new(4, 8)?, Widths::new(5, 8)?)
        .with_slots(true)?
        .with_player(None)?;
    let initial: Vec<_> = objects
        .iter()
        .map(|object| format.quantise(object))
        .collect();
    let mut encoder = Encoder::new(format, &initial)?;
    let mut decoder = Decoder::new(format, &initial)?;
    send(format, &mut encoder, &mut decoder, objects)?;
    Ok((encoder, decoder))
}

/// Makes an encoder and a decoder on an arithmetic rung.
fn arithmetic(objects: &[CubeState]) -> Result<(Encoder, Decoder), Box<dyn Error>> {
    let bits = QuantisationBits::new(9, 9, 5)?;
    let bounds = Bounds::new([-64, -32, 0], [64, 32, 8])?;
    let format = Format::new(Rung::Arithmetic, bits, 16)?
        .with_class(Class::Strict)
        .with_bounds(bounds)?
        .with_player(None)?;
    let initial: Vec<_> = objects
        .iter()
        .map(|object| format.quantise(object))
        .collect();
    let mut encoder = Encoder::new(format, &initial)?;
    let mut decoder = Decoder::new(format, &initial)?;
    send(format, &mut encoder, &mut decoder, objects)?;
    Ok((encoder, decoder))
}

/// Sends a snapshot in which an object has moved.
fn send(
    format: Format,
    encoder: &mut Encoder,
    decoder: &mut Decoder,
    objects: &[CubeState],
) -> Result<(), Box<dyn Error>> {
    let mut moved = objects.to_vec();
    moved[3].position[0] += 0.25;
    let snapshot: Vec<_> = moved.iter().map(|object| format.quantise(object)).collect();
    let (mut packet, mut received) = (Vec::new(), Vec::new());
    encoder.encode(1, &snapshot, &mut packet)?;
    let header = decoder.decode(&packet, 1, &mut received)?;
    assert_eq!(received, snapshot);
    encoder.ack(header.sequence);
    println!("{} objects in {} bytes", objects.len(), packet.len());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    ranges(&objects())?;
    arithmetic(&objects())?;
    Ok(())
}
