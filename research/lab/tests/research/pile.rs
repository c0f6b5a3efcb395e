//! The article's files, which are recorded again.

use snapshot_record::motion::coded::CodedReader;
use snapshot_research::pile::{TICKS, files};
use std::path::Path;

#[test]
fn the_articles_files_are_recorded_again_to_the_bit() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/article");
    for (name, file) in files().unwrap() {
        let stored = std::fs::read(folder.join(name)).unwrap();
        assert!(
            file == stored,
            "{name}: `research pile` records another file"
        );
        let mut reader = CodedReader::default();
        reader.push(&file);
        let ticks = std::iter::from_fn(|| reader.next_tick().unwrap().map(<[_]>::len));
        assert_eq!(
            ticks.filter(|cubes| *cubes == 901).count() as u64,
            TICKS + 1
        );
    }
}
