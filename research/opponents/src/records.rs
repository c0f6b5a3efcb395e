//! Changed cubes as records by bitcode, as a Rust game sends them without a thought.

use crate::contest::Opponent;
use snapshot_codec::{Cube, Life};

/// A cube that differs from its baseline.
#[derive(bitcode::Encode, bitcode::Decode)]
struct Changed {
    index: u16,
    position: [i32; 3],
    /// The two bits of the largest component; above them the bits of the life, 0 where nothing comes or goes.
    largest_and_life: u8,
    codes: [u16; 3],
    interacting: bool,
}

fn changed(baseline: &[Cube], snapshot: &[Cube]) -> Vec<Changed> {
    let cubes = snapshot.iter().zip(baseline).enumerate();
    let differing = cubes.filter(|(_, (cube, base))| cube != base);
    let record = |(index, (cube, _)): (usize, (&Cube, &Cube))| {
        let [largest, codes @ ..] = cube.orientation;
        Changed {
            index: index as u16,
            position: cube.position,
            largest_and_life: largest as u8 | cube.life.code() << 2,
            codes: codes.map(|code| code as u16),
            interacting: cube.interacting,
        }
    };
    differing.map(record).collect()
}

fn apply(baseline: &[Cube], changed: Vec<Changed>, snapshot: &mut Vec<Cube>) -> Result<(), String> {
    snapshot.clear();
    snapshot.extend_from_slice(baseline);
    for record in changed {
        let [a, b, c] = record.codes.map(i32::from);
        let cube = snapshot.get_mut(usize::from(record.index));
        let (largest, life) = (
            record.largest_and_life & 3,
            record.largest_and_life >> 2 & 3,
        );
        *cube.ok_or("an index of no cube")? = Cube {
            position: record.position,
            orientation: [largest.into(), a, b, c],
            interacting: record.interacting,
            life: Life::from_code(life).expect("two bits"),
            ..Cube::default()
        };
    }
    Ok(())
}

/// Records by bitcode.
#[derive(Default)]
pub struct Bitcode(bitcode::Buffer);

impl Opponent for Bitcode {
    fn encode(&mut self, baseline: &[Cube], snapshot: &[Cube], packet: &mut Vec<u8>) {
        packet.clear();
        packet.extend_from_slice(self.0.encode(&changed(baseline, snapshot)));
    }

    fn decode(
        &mut self,
        baseline: &[Cube],
        packet: &[u8],
        snapshot: &mut Vec<Cube>,
    ) -> Result<(), String> {
        let changed = self.0.decode(packet).map_err(|error| error.to_string())?;
        apply(baseline, changed, snapshot)
    }
}
