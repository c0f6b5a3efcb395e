//! A cube as the packed struct of a game: 20 bytes.

use snapshot_codec::{Cube, Life};

/// Bytes of a cube: three i32, three u16, largest component, flags.
pub const CUBE_BYTES: usize = 20;

/// The bytes of a cube.
pub fn of_cube(cube: &Cube) -> [u8; CUBE_BYTES] {
    let mut bytes = [0; CUBE_BYTES];
    for (place, step) in bytes.chunks_exact_mut(4).zip(cube.position) {
        place.copy_from_slice(&step.to_le_bytes());
    }
    let [largest, codes @ ..] = cube.orientation;
    for (place, code) in bytes[12..18].chunks_exact_mut(2).zip(codes) {
        place.copy_from_slice(&(code as u16).to_le_bytes());
    }
    bytes[18] = largest as u8;
    bytes[19] = u8::from(cube.interacting) | cube.life.code() << 1;
    bytes
}

/// The cube of such bytes.
pub fn cube(bytes: &[u8; CUBE_BYTES]) -> Cube {
    let position = |i: usize| i32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[4 * i + byte]));
    let code = |i: usize| i32::from(u16::from_le_bytes([bytes[12 + 2 * i], bytes[13 + 2 * i]]));
    let life = Life::from_code(bytes[19] >> 1 & 3).expect("two bits");
    Cube {
        position: [0, 1, 2].map(position),
        orientation: [bytes[18].into(), code(0), code(1), code(2)],
        interacting: bytes[19] & 1 != 0,
        life,
        ..Cube::default()
    }
}

/// The bytes of a cube that differ from another's, exclusive or.
pub fn difference(a: &Cube, b: &Cube) -> [u8; CUBE_BYTES] {
    let (a, b) = (of_cube(a), of_cube(b));
    std::array::from_fn(|i| a[i] ^ b[i])
}

/// The cube that differs so from another.
pub fn applied(difference: [u8; CUBE_BYTES], to: &Cube) -> Cube {
    let to = of_cube(to);
    cube(&std::array::from_fn(|i| difference[i] ^ to[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_come_back_from_their_bytes_and_from_a_difference() {
        let one = Cube {
            position: [-131_072, 131_071, 16_383],
            orientation: [3, 511, 0, 256],
            interacting: true,
            ..Cube::default()
        };
        let other = Cube {
            position: [5, -6, 7],
            life: Life::FIRST.next(),
            ..Cube::default()
        };
        assert_eq!(cube(&of_cube(&one)), one);
        assert_eq!(applied(difference(&one, &other), &other), one);
        assert_eq!(cube(&of_cube(&other)), other);
        assert_eq!(cube(&of_cube(&Cube::EMPTY)), Cube::EMPTY);
        assert_eq!(difference(&one, &one), [0; CUBE_BYTES]);
    }
}
