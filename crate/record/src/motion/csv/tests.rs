//! Decimals are read as they are written.

use super::*;
use proptest::prelude::*;

#[test]
fn decimals_are_read_and_nothing_else() {
    for text in [
        "0",
        "-0",
        "+1.5",
        "12.",
        ".25",
        "3e-7",
        "-2.5E3",
        "0.1",
        "123456.789",
        "1e30",
        "0e999",
    ] {
        let read = decimal(text.as_bytes()).unwrap() as f32;
        assert_eq!(
            read.to_bits(),
            text.parse::<f32>().unwrap().to_bits(),
            "{text}"
        );
    }
    assert_eq!(decimal(b"1e999"), Some(f64::INFINITY));
    assert_eq!(decimal(b"1e-999"), Some(0.0));
    for text in [
        "",
        ".",
        "-",
        "1.2.3",
        "1e",
        "e5",
        "nan",
        "inf",
        "1 2",
        "0x10",
        "1e99999999999",
        "\u{661}",
    ] {
        assert_eq!(decimal(text.as_bytes()), None, "{text}");
    }
}

proptest! {
    #[test]
    fn a_written_number_is_read_back(value: f32) {
        prop_assume!(value.is_finite() && (value == 0.0 || (1e-15..1e15).contains(&value.abs())));
        prop_assert_eq!(decimal(value.to_string().as_bytes()).map(|read| read as f32), Some(value));
    }

    #[test]
    fn no_text_is_too_much(text in "[-+.e0-9]{0,60}") {
        let _ = decimal(text.as_bytes());
    }
}
