//! The public items of the published crates are those of `docs/api`. `API=write` writes the lists anew.

use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn the_public_items_are_the_listed_ones() {
    for name in ["base", "codec", "netsim", "view", "replication"] {
        let listing = snapshot_api::listing(&Path::new(ROOT).join("crate").join(name));
        let file = Path::new(ROOT).join(format!("docs/api/{name}.txt"));
        if std::env::var("API").as_deref() == Ok("write") {
            std::fs::write(&file, &listing).expect("a folder to write to");
            continue;
        }
        let listed = std::fs::read_to_string(&file).unwrap_or_default();
        let differs = |one: &str, other: &str| -> Vec<String> {
            let lines = one
                .lines()
                .filter(|line| !other.lines().any(|it| it == *line));
            lines.map(str::to_owned).collect()
        };
        let (new, gone) = (differs(&listing, &listed), differs(&listed, &listing));
        assert!(
            listing == listed,
            "{name}: new {new:#?}, gone {gone:#?}. If that is meant, run `API=write cargo test -p snapshot-api`, and tell of it in the changelog."
        );
    }
}
