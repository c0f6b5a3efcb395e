//! Files of networks as people have them: the sentence about each, in `people.txt`.

use snapshot_netsim::trace::Trace;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/people");

/// The sentence about a file, whether it is taken or refused.
fn describe(name: &str) -> String {
    let bytes = std::fs::read(format!("{FOLDER}/{name}")).expect("each named file is there");
    match Trace::read(&bytes) {
        Ok(trace) => {
            assert!(Trace::begins(&bytes), "{name}");
            trace.description().to_owned()
        }
        Err(refused) => format!("refused: {refused}"),
    }
}

#[test]
fn each_file_is_told_as_it_is() {
    let lines = include_str!("people.txt").lines();
    let files = std::fs::read_dir(FOLDER).expect("the files are there");
    assert_eq!(files.count(), lines.clone().count(), "a line for each file");
    for line in lines {
        let (name, expected) = line.split_once(": ").expect("a name and a sentence");
        assert_eq!(describe(name), expected, "{name}");
    }
}
