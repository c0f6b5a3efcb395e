//! Exclusive or with the baseline, bytes in planes, then zstd.

use crate::bytes::{CUBE_BYTES, applied, cube, difference, of_cube};
use crate::contest::Opponent;
use crate::exchange::Exchange;
use snapshot_codec::Cube;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::{CParameter, DParameter, FrameFormat};

/// Bytes of a trained dictionary at most.
const DICTIONARY_BYTES: usize = 64 << 10;

/// A codec of planes, packed by Zstandard.
pub struct Planes {
    packer: Zstd,
    planes: Vec<u8>,
}

impl Planes {
    pub fn new(packer: Zstd) -> Planes {
        Planes {
            packer,
            planes: Vec::new(),
        }
    }
}

/// Replaces `planes` by the first byte of every cube's difference, then the second of every cube, and so on.
fn write_planes(baseline: &[Cube], snapshot: &[Cube], planes: &mut Vec<u8>) {
    let cubes = snapshot.len();
    planes.clear();
    planes.resize(CUBE_BYTES * cubes, 0);
    for (index, (cube, base)) in snapshot.iter().zip(baseline).enumerate() {
        if cube != base {
            for (plane, byte) in difference(cube, base).into_iter().enumerate() {
                planes[plane * cubes + index] = byte;
            }
        }
    }
}

impl Opponent for Planes {
    fn encode(&mut self, baseline: &[Cube], snapshot: &[Cube], packet: &mut Vec<u8>) {
        write_planes(baseline, snapshot, &mut self.planes);
        self.packer.pack(&self.planes, packet);
    }

    fn decode(
        &mut self,
        baseline: &[Cube],
        packet: &[u8],
        snapshot: &mut Vec<Cube>,
    ) -> Result<(), String> {
        let cubes = baseline.len();
        let planes = self.packer.unpack(packet, CUBE_BYTES * cubes)?;
        if planes.len() != CUBE_BYTES * cubes {
            return Err(format!("{} bytes of planes", planes.len()));
        }
        snapshot.clear();
        snapshot.extend(baseline.iter().enumerate().map(|(index, base)| {
            applied(
                std::array::from_fn(|plane| planes[plane * cubes + index]),
                base,
            )
        }));
        Ok(())
    }
}

/// Zstandard without magic number, content size and checksum.
pub struct Zstd {
    compressor: Compressor<'static>,
    decompressor: Decompressor<'static>,
}

impl Zstd {
    /// Creates both ends of a level, with an agreed dictionary, which may be empty.
    pub fn new(level: i32, dictionary: &[u8]) -> Zstd {
        let mut compressor =
            Compressor::with_dictionary(level, dictionary).expect("memory for zstd");
        let mut decompressor = Decompressor::with_dictionary(dictionary).expect("memory for zstd");
        for parameter in [
            CParameter::Format(FrameFormat::Magicless),
            CParameter::ContentSizeFlag(false),
            CParameter::ChecksumFlag(false),
            CParameter::DictIdFlag(false),
        ] {
            compressor
                .set_parameter(parameter)
                .expect("a parameter of zstd");
        }
        let magicless = DParameter::Format(FrameFormat::Magicless);
        decompressor
            .set_parameter(magicless)
            .expect("a parameter of zstd");
        Zstd {
            compressor,
            decompressor,
        }
    }

    /// With a dictionary trained on a fourth of an exchange's packets, or on all where they are few. That is to its advantage: it is
    /// judged on the same ones.
    pub fn trained_on(exchange: &Exchange, level: i32) -> Result<Zstd, String> {
        let mut samples = Vec::new();
        let mut planes = Vec::new();
        let apart = if exchange.steps.len() < 100 { 1 } else { 4 };
        for step in exchange.steps.iter().step_by(apart) {
            let baseline = exchange.snapshot(step.baseline);
            write_planes(baseline, &step.cubes, &mut planes);
            samples.push(planes.clone());
        }
        let dictionary = zstd::dict::from_samples(&samples, DICTIONARY_BYTES);
        let dictionary = dictionary.map_err(|error| format!("no dictionary: {error}"))?;
        Ok(Zstd::new(level, &dictionary))
    }
}

impl Zstd {
    fn pack(&mut self, bytes: &[u8], packed: &mut Vec<u8>) {
        *packed = self.compressor.compress(bytes).expect("there is room");
    }

    fn unpack(&mut self, packed: &[u8], length: usize) -> Result<Vec<u8>, String> {
        let bytes = self.decompressor.decompress(packed, length);
        bytes.map_err(|error| error.to_string())
    }
}

/// Zstandard on the packed cubes, with the baseline's cubes as the dictionary: equal parts are found without our help.
pub struct AgainstBaseline;

/// The bytes of all cubes in a row.
fn rows(cubes: &[Cube]) -> Vec<u8> {
    cubes.iter().flat_map(of_cube).collect()
}

impl Opponent for AgainstBaseline {
    fn encode(&mut self, baseline: &[Cube], snapshot: &[Cube], packet: &mut Vec<u8>) {
        Zstd::new(19, &rows(baseline)).pack(&rows(snapshot), packet);
    }

    fn decode(
        &mut self,
        baseline: &[Cube],
        packet: &[u8],
        snapshot: &mut Vec<Cube>,
    ) -> Result<(), String> {
        let rows = Zstd::new(1, &rows(baseline)).unpack(packet, CUBE_BYTES * baseline.len())?;
        let (cubes, _) = rows.as_chunks();
        snapshot.clear();
        snapshot.extend(cubes.iter().map(cube));
        Ok(())
    }
}
