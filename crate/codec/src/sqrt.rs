//! Square roots. IEEE 754 rounds them exactly, so the machine's instruction and `libm` give the same bits; with `std` it is the instruction, also in wasm,
//! where `libm` calculates bit by bit.

pub(crate) fn sqrt_f32(x: f32) -> f32 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    libm::sqrtf(x)
}

pub(crate) fn sqrt_f64(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    libm::sqrt(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn square_roots_are_those_of_libm(bits in any::<u64>()) {
            let (narrow, wide) = (f32::from_bits(bits as u32 >> 1), f64::from_bits(bits >> 1));
            prop_assert!(narrow.is_nan() || sqrt_f32(narrow).to_bits() == libm::sqrtf(narrow).to_bits());
            prop_assert!(wide.is_nan() || sqrt_f64(wide).to_bits() == libm::sqrt(wide).to_bits());
        }
    }
}
