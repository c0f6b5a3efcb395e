//! The command `challenge`.

use crate::{capture, json, refused};

#[test]
fn challenge_judges_a_capture_on_every_codec_or_on_one() {
    let file = capture("slide.bin", 30);
    let file = file.to_str().unwrap();
    let rows = json(&["challenge", file, "--json"]);
    // Six rungs of bits, and two rungs in two classes.
    assert_eq!(rows.as_array().unwrap().len(), 6 + 2 * 2);
    let codec = ["--codec", "arithmetic", "--class", "strict", "--json"];
    let row = json(&[&["challenge", file][..], &codec].concat());
    assert_eq!(
        (&row["codec"], &row["class"]),
        (&"arithmetic".into(), &"strict".into())
    );
    let short = capture("short.bin", 6);
    let notes = refused(&["challenge", short.to_str().unwrap()]);
    assert!(notes.contains("6 frames: a capture has at least 7"));
}
