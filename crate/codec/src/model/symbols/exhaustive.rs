//! Every string of up to three bytes as packets of a few decisions: each is decoded or refused, and each list of decisions has
//! exactly one packet.

use super::{CLASSES, Distributions, Mixture, OPEN, SymbolCoder, SymbolDecoder, SymbolEncoder};

/// Decisions of a packet.
#[derive(Clone, Copy, Debug)]
enum Script {
    /// A value of so many bits.
    Raw(u32),
    /// Eight bits, each true with that probability out of 65,536.
    Bits(u32),
    /// Three symbols of distributions that adapt.
    Adaptive,
    /// Three symbols of a mixture that gives all but the least share to the first class.
    Mixed,
}

type Values = [u32; 8];

/// Codes a script's decisions; returns their values.
fn play<C: SymbolCoder>(script: Script, coder: &mut C, mut values: Values) -> Values {
    match script {
        Script::Raw(bits) => values[0] = coder.code_uniform(values[0], bits),
        Script::Bits(p_true) => {
            for value in &mut values {
                *value = coder.code(p_true, *value == 1).into();
            }
        }
        Script::Adaptive => {
            let mut contexts = Distributions::<2>::OPEN;
            for value in &mut values[..3] {
                *value = coder.adaptive(&mut contexts, [0, 1], *value as usize) as u32;
            }
        }
        Script::Mixed => {
            let steep = super::CERTAIN[0];
            let mixture = Mixture::new(
                [&steep, &steep, &steep, &OPEN],
                [21_000, 21_000, 21_000, 2_000],
            );
            for value in &mut values[..3] {
                *value = coder.mixed_symbol(&mixture, *value as usize) as u32;
            }
        }
    }
    values
}

fn encode(script: Script, values: Values, bytes: &mut Vec<u8>) {
    bytes.clear();
    let mut encoder = SymbolEncoder::new(bytes, None);
    play(script, &mut encoder, values);
    encoder.finish();
}

/// Returns all lists of values of a script.
fn all_values(script: Script) -> Box<dyn Iterator<Item = Values>> {
    let one = |value| [value, 0, 0, 0, 0, 0, 0, 0];
    match script {
        Script::Raw(bits) => Box::new((0..1 << bits).map(one)),
        Script::Bits(_) => Box::new((0..256).map(|n| std::array::from_fn(|i| n >> i & 1))),
        Script::Adaptive | Script::Mixed => {
            let classes = CLASSES as u32;
            Box::new((0..classes.pow(3)).map(move |n| {
                let [a, b] = [n / classes, n / classes / classes].map(|n| n % classes);
                [n % classes, a, b, 0, 0, 0, 0, 0]
            }))
        }
    }
}

/// Decodes every string of up to `bytes_max` bytes; returns how many are packets of the script.
fn accepted(script: Script, bytes_max: usize) -> u64 {
    let (mut accepted, mut again) = (0, Vec::new());
    for len in 0..=bytes_max {
        for number in 0..1_u32 << (8 * len) {
            let string = &number.to_be_bytes()[4 - len..];
            let mut decoder = SymbolDecoder::new(string);
            let values = play(script, &mut decoder, [0; 8]);
            if decoder.finish().is_ok() {
                encode(script, values, &mut again);
                assert_eq!(again, string, "{script:?} {values:?}");
                accepted += 1;
            }
        }
    }
    accepted
}

fn check(scripts: &[Script], bytes_max: usize) {
    for &script in scripts {
        let mut packet = Vec::new();
        let lists = all_values(script);
        let short = lists.filter(|values| {
            encode(script, *values, &mut packet);
            packet.len() <= bytes_max
        });
        let (accepted, short) = (accepted(script, bytes_max), short.count() as u64);
        println!("{script:?}: {accepted} of {bytes_max} bytes accepted");
        assert_eq!(accepted, short, "{script:?}");
    }
}

#[test]
fn each_list_of_decisions_has_one_packet_of_two_bytes() {
    let bits = [2, 0x8000, 65_534].map(Script::Bits);
    let raw = [0, 1, 8, 15, 16].map(Script::Raw);
    check(
        &[&bits[..], &raw, &[Script::Adaptive, Script::Mixed]].concat(),
        2,
    );
}

#[test]
#[ignore = "seconds of a core"]
fn each_list_of_decisions_has_one_packet_of_three_bytes() {
    let bits = [2, 32, 0x4000, 0x8000, 65_534].map(Script::Bits);
    let raw = [0, 1, 7, 8, 9, 15, 16, 17, 20, 24].map(Script::Raw);
    check(
        &[&bits[..], &raw, &[Script::Adaptive, Script::Mixed]].concat(),
        3,
    );
}
