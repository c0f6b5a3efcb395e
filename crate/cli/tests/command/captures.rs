//! The command `challenge`.

use crate::{capture, json, refused};

#[test]
fn challenge_judges_every_codec_that_takes_the_format() {
    let file = capture("slide.bin", 30);
    let rows = json(&["challenge", file.to_str().unwrap(), "--json"]);
    let rows = rows.as_array().unwrap();
    // Six rungs of bits, and two rungs in two classes.
    assert_eq!(rows.len(), 6 + 2 * 2);
    for row in rows {
        assert_eq!(
            (&row["packets"], &row["lossless"]),
            (&24.into(), &true.into())
        );
        let bytes = row["bytes_per_packet_mean"].as_f64().unwrap();
        let kbps = row["kbps"].as_f64().unwrap();
        assert!((kbps - bytes * 0.48).abs() < 1e-9);
    }
    let sizes: Vec<f64> = rows
        .iter()
        .map(|row| row["bytes_per_packet_mean"].as_f64().unwrap())
        .collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    let file = file.to_str().unwrap();
    let row = json(&[
        "challenge",
        file,
        "--codec",
        "arithmetic",
        "--class",
        "strict",
        "--json",
    ]);
    assert_eq!(
        (&row["codec"], &row["class"]),
        (&"arithmetic".into(), &"strict".into())
    );
}

#[test]
fn challenge_refuses_what_is_no_capture_in_words() {
    let refused = |path: &std::path::Path| self::refused(&["challenge", path.to_str().unwrap()]);
    let file = capture("short.bin", 6);
    assert!(refused(&file).contains("6 frames: a capture has at least 7"));
    let mut bytes = std::fs::read(capture("cut.bin", 8)).unwrap();
    bytes.pop();
    let file = file.with_file_name("cut.bin");
    std::fs::write(&file, &bytes).unwrap();
    assert!(refused(&file).contains("not a whole number of frames"));
    bytes.push(0);
    bytes[0] = 4;
    std::fs::write(&file, &bytes).unwrap();
    assert!(refused(&file).contains("number 0 of cube 0 in frame 0 is 4"));
    let file = file.with_file_name("not.bin.xz");
    std::fs::write(&file, b"not xz").unwrap();
    assert!(!refused(&file).is_empty());
}
