use super::*;

#[test]
fn a_source_that_cannot_be_followed_is_an_error() {
    for (text, named) in [
        ("mod gone;", "module gone has no file"),
        ("#[path = \"x.rs\"] mod moved;", "module moved"),
        ("fn f( {", "lib.rs"),
    ] {
        let read = |path: &Path| (path == Path::new("lib.rs")).then(|| text.to_owned());
        let refusal = Crate::read("toy", Path::new("lib.rs"), &read)
            .err()
            .unwrap();
        assert!(refusal.contains(named), "{refusal}");
    }
}

/// Lists the public items of a made-up crate.
fn public_items(files: &[(&str, &str)]) -> Vec<String> {
    let read = |path: &Path| {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        file.map(|(_, text)| (*text).to_owned())
    };
    public::list(&Crate::read("toy", Path::new("lib.rs"), &read).unwrap()).unwrap()
}

#[test]
fn public_items_are_those_that_a_user_can_name() {
    let lib = "
        mod inner; pub mod outer; #[cfg(feature = \"more\")] pub mod more { pub const N: usize = 1; }
        pub use inner::{Shape, deep::turn as rotate}; pub(crate) use inner::Hidden; use inner::Hidden as _;
        #[derive(Clone, Debug)] pub struct Own { pub side: f32, secret: u8 }
        pub trait Draw { const ID: u8; fn draw(&mut self, by: &[u8]); fn twice(&self) -> u8 { 2 } }
        impl Draw for Own { const ID: u8 = 1; fn draw(&mut self, by: &[u8]) {} }
        #[cfg(test)] pub fn only_in_tests() {}";
    let inner = "
        pub mod deep { pub fn turn(mut by: u8,) -> Option<u8> { None } }
        #[non_exhaustive] pub enum Shape { Flat, Round { /** in m */ radius: f32 } }
        impl Shape { pub const fn new() -> Self { Self::Flat } fn helper() {} pub(crate) fn inside() {} }
        pub struct Hidden; pub fn unreachable() {}";
    let outer =
        "use crate::Own; impl Own { pub fn area(self) -> f32 { 0.0 } } pub static S: u8 = 0;";
    let expected = [
        "toy::Draw: has const ID: u8;",
        "toy::Draw: trait",
        "toy::Draw::draw: fn(&mut self, by: &[u8])",
        "toy::Draw::twice: provided fn(&self) -> u8",
        "toy::Own: #[derive(Clone, Debug)] struct",
        "toy::Own: impl Draw",
        "toy::Own.side: field f32",
        "toy::Own::area: fn(self) -> f32",
        "toy::Shape: #[non_exhaustive] enum",
        "toy::Shape::Flat: variant",
        "toy::Shape::Round: variant{ radius: f32 }",
        "toy::Shape::new: const fn() -> Self",
        "toy::more::N: #[cfg(feature = \"more\")] const usize",
        "toy::outer::S: static u8",
        "toy::rotate: fn(by: u8) -> Option<u8>",
    ];
    let files = [("lib.rs", lib), ("inner.rs", inner), ("outer.rs", outer)];
    assert_eq!(public_items(&files), expected);
}

#[test]
fn a_change_of_a_public_item_is_told() {
    let before = listed_public_items("codec").unwrap();
    assert!(before.lines().count() > 300);
    assert!(before.contains("\nsnapshot_codec::Encoder::ack: fn("));
    assert_eq!(changes(&before, &before), [""; 0]);
    let line = "snapshot_codec::lockstep::INPUT_BITS: const u32";
    let after = before.replace(line, "snapshot_codec::lockstep::INPUT_BITS: const u8");
    let told = [
        format!("- {line}"),
        "+ snapshot_codec::lockstep::INPUT_BITS: const u8".to_owned(),
    ];
    assert_eq!(changes(&before, &after), told);
}
