//! Files of networks as people have them: the sentence about each, in `people.txt`.

use snapshot_netsim::trace::Trace;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/people");

/// The sentence about a file, whether it is taken or refused.
fn told(name: &str) -> String {
    let bytes = std::fs::read(format!("{FOLDER}/{name}")).expect("each named file is there");
    assert!(Trace::begins(&bytes), "{name}");
    match Trace::read(&bytes) {
        Ok(trace) => trace.told().to_owned(),
        Err(refused) => format!("refused: {refused}"),
    }
}

#[test]
fn each_file_is_told_as_it_is() {
    let files = std::fs::read_dir(FOLDER).expect("the files are there");
    let names = files.map(|file| file.expect("a file has a name").file_name());
    let mut names: Vec<_> = names.filter_map(|name| name.into_string().ok()).collect();
    names.sort();
    let told: String = (names.iter())
        .map(|name| format!("{name}: {}\n", told(name)))
        .collect();
    assert_eq!(
        told,
        include_str!("people.txt"),
        "if this was meant, people.txt becomes:\n{told}"
    );
}
