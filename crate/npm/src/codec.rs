//! Encoder and decoder: snapshots of slots, for a connection of one's own.

use snapshot_codec::{Cube, CubeState, Decoder, Encoder, Format, Life, Snapshot};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::flat::{FLOATS, HEAD, four, known, three};
use crate::{error, settings};

/// Reads slots: the third integer has life, interacting and at rest, from the lowest bit: 2, 1 and 1.
fn read(format: &Format, floats: &[f32], numbers: &[u32]) -> (Vec<Cube>, Vec<u32>) {
    let fields = format.fields().map_or(0, |fields| fields.count());
    let (mut cubes, mut rows) = (Vec::new(), Vec::new());
    let all = floats
        .chunks_exact(FLOATS)
        .zip(numbers.chunks_exact(HEAD + fields));
    for (floats, numbers) in all {
        let life = Life::from_code((numbers[2] & 3) as u8).unwrap_or(Life::EMPTY);
        cubes.push(format.quantise(&CubeState {
            position: three(floats),
            orientation: four(&floats[3..]),
            linear_velocity: known(&floats[7..]).unwrap_or_default(),
            angular_velocity: [0.0; 3],
            interacting: numbers[2] & 4 != 0,
            at_rest: numbers[2] & 8 != 0,
            life,
        }));
        let row = numbers[..2].iter().chain(&numbers[HEAD..]);
        rows.extend(row.map(|&number| if life.is_empty() { 0 } else { number }));
    }
    (cubes, rows)
}

fn format(numbers: &[f64], names: &str) -> Result<Format, JsError> {
    let format = settings::read(numbers, names)?.format();
    format.map_err(|failed| error(failed.number(), &failed))
}

/// Empty slots, which both ends begin with.
fn empty(format: &Format) -> (Vec<Cube>, Vec<u32>) {
    let row_len = format.fields().map_or(0, |fields| fields.row_len());
    let slots = format.cube_count();
    (vec![Cube::EMPTY; slots], vec![0; slots * row_len])
}

/// The sender's end of a stream of snapshots.
#[wasm_bindgen]
pub struct RawEncoder {
    format: Format,
    encoder: Encoder,
    packet: Vec<u8>,
}

#[wasm_bindgen]
impl RawEncoder {
    /// Makes an encoder, which begins with empty slots.
    #[wasm_bindgen(constructor)]
    pub fn new(numbers: &[f64], names: &str) -> Result<RawEncoder, JsError> {
        let format = format(numbers, names)?;
        let (cubes, rows) = &empty(&format);
        let encoder = Encoder::new(format, Snapshot { cubes, rows });
        Ok(Self {
            format,
            encoder: encoder.map_err(|e| error(e.number(), &e))?,
            packet: Vec::new(),
        })
    }

    /// Returns the packet of all slots.
    pub fn encode(
        &mut self,
        sequence: u16,
        floats: &[f32],
        numbers: &[u32],
    ) -> Result<Vec<u8>, JsError> {
        let (cubes, rows) = &read(&self.format, floats, numbers);
        let encoded = self
            .encoder
            .encode(sequence, Snapshot { cubes, rows }, &mut self.packet);
        encoded.map_err(|e| error(e.number(), &e))?;
        Ok(self.packet.clone())
    }

    /// Tells that the other end has a snapshot.
    pub fn ack(&mut self, sequence: u16) {
        self.encoder.ack(sequence);
    }
}

/// The receiver's end of a stream of snapshots.
#[wasm_bindgen]
pub struct RawDecoder {
    format: Format,
    decoder: Decoder,
    cubes: Vec<Cube>,
}

#[wasm_bindgen]
impl RawDecoder {
    /// Makes a decoder, which begins with empty slots.
    #[wasm_bindgen(constructor)]
    pub fn new(numbers: &[f64], names: &str) -> Result<RawDecoder, JsError> {
        let format = format(numbers, names)?;
        let (cubes, rows) = &empty(&format);
        let decoder = Decoder::new(format, Snapshot { cubes, rows });
        Ok(Self {
            format,
            decoder: decoder.map_err(|e| error(e.number(), &e))?,
            cubes: Vec::new(),
        })
    }

    /// Decodes a packet; returns its sequence.
    pub fn decode(&mut self, packet: &[u8], horizon: u16) -> Result<u16, JsError> {
        let header = self.decoder.decode(packet, horizon, &mut self.cubes);
        let header = header.map_err(|e| error(e.number(), &e))?;
        Ok(header.sequence)
    }

    /// The integers of all slots of the last packet.
    pub fn numbers(&self) -> Vec<u32> {
        let row_len = self.format.fields().map_or(2, |fields| fields.row_len());
        let mut numbers = Vec::new();
        for (cube, row) in self.cubes.iter().zip(self.decoder.rows().chunks(row_len)) {
            let flags = u32::from(cube.interacting) * 4 + u32::from(cube.at_rest) * 8;
            numbers.extend([row[0], row[1], u32::from(cube.life.code()) + flags]);
            numbers.extend(&row[2..]);
        }
        numbers
    }

    /// The floats of all slots of the last packet.
    pub fn floats(&self) -> Vec<f32> {
        let mut floats = Vec::new();
        for cube in &self.cubes {
            let state = self.format.dequantise(cube);
            floats.extend(state.position);
            floats.extend(state.orientation);
            floats.extend(state.linear_velocity);
            floats.extend([f32::NAN; 3]);
        }
        floats
    }
}
