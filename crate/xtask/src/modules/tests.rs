use super::*;
use graph::Counts;

/// Parses a made-up crate: pairs of file name and text.
fn graph(files: &[(&str, &str)]) -> Graph {
    let read = |path: &Path| {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        file.map(|(_, text)| (*text).to_owned())
    };
    Graph::new(Crate::read("toy", Path::new("lib.rs"), &read).unwrap())
}

/// The edges of the topmost level of a crate with modules `a`, `b` and `c`.
fn edges(a: &str, b: &str, c: &str) -> String {
    let root = "mod a; mod b; mod c;";
    let toy = graph(&[("lib.rs", root), ("a.rs", a), ("b.rs", b), ("c.rs", c)]);
    let lines = toy.levels();
    let edges = lines.iter().filter(|line| line.contains("->"));
    edges.map(|line| line.trim()).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_circle_is_found_and_printed_with_the_place_of_each_edge() {
    let toy = graph(&[
        ("lib.rs", "mod tape; mod lane; mod view;"),
        (
            "tape.rs",
            "use crate::view::View;\nuse crate::lane::Frame;\npub struct Tape(Frame);",
        ),
        ("lane.rs", "pub struct Frame; mod wire;"),
        (
            "lane/wire.rs",
            "fn read(tape: &super::super::tape::Tape) {}",
        ),
        ("view.rs", "pub struct View;"),
    ]);
    assert_eq!(
        toy.circles(),
        [
            "toy: a circle of 2: tape, lane",
            "  tape -> lane   tape.rs:2: crate::lane::Frame, 1 more",
            "  lane -> tape   lane/wire.rs:1: super::super::tape::Tape",
        ]
    );
    let expected = Counts {
        modules: 4,
        edges: 3,
        circles: 1,
        in_circles: 2,
        in_circles_with_parents: 2,
    };
    assert_eq!(toy.counts(), expected);
}

#[test]
fn a_circle_through_three_modules_is_one_circle_and_folders_are_levels() {
    let toy = graph(&[(
        "lib.rs",
        "mod a { mod x { use super::y::Y; } mod y { pub struct Y; fn f() { super::z::f() } } mod z { pub fn f() -> super::x::X {} } }",
    )]);
    // `x` defines no X: the path of `z` leads nowhere, and the chain stays open.
    assert_eq!(toy.counts().in_circles, 0);
    let toy = graph(&[(
        "lib.rs",
        "mod a { mod x { use super::y::Y; pub struct X; } mod y { pub struct Y; fn f() { super::z::f() } } mod z { pub fn f() -> super::x::X {} } }",
    )]);
    assert_eq!(toy.counts().in_circles, 3);
    assert_eq!(toy.circles()[0], "toy::a: a circle of 3: x, y, z");
}

#[test]
fn an_edge_leads_to_the_module_that_defines_the_item() {
    // By way of another module, under another name, by a glob, and through the root.
    for path in ["super::c::X", "crate::c::Renamed", "crate::X"] {
        let root = "mod a; mod b; mod c; pub use c::X;";
        let a = format!("fn f() -> {path} {{}}");
        let c = "pub use super::b::*; pub use super::b::X as Renamed;";
        let files = [
            ("lib.rs", root),
            ("a.rs", &a),
            ("b.rs", "pub struct X;"),
            ("c.rs", c),
        ];
        let levels = graph(&files).levels().join("\n");
        assert!(levels.contains("a -> b\n"), "{path}: {levels}");
    }
}

#[test]
fn all_ways_to_name_an_item_are_edges() {
    for a in [
        "use crate::b::X;",
        "use crate::{c, b::{self, X}};",
        "use super::b; fn f() -> b::X {}",
        "use super::b as other; fn f() -> other::X {}",
        "use super::b::*; fn f() -> X {}",
        "fn f() { use super::b; b::X::new() }",
        "fn f() { let x = crate::b::X::new(); }",
        "fn f(x: Y) { match x { crate::b::X => {} } }",
        "fn f() { assert!(x.y == crate::b::X, \"no\") }",
        "fn f() { vec![vec![super::b::X]] }",
        "impl crate::b::X for u8 {}",
        "macro_rules! m { () => { $crate::b::X } }",
        "struct S { #[serde(default)] field: Vec<<u8 as crate::b::X>::Y> }",
    ] {
        assert_eq!(edges(a, "pub struct X;", ""), "a -> b", "{a}");
    }
}

#[test]
fn names_that_are_no_uses_are_no_edges() {
    for a in [
        "use super::b;",
        "use ::b::X;",
        "use other::b::X;",
        "/// [`crate::b::X`]\nfn f() {}",
        "fn f(b: u8) { b.X(); b + b }",
        "pub(in crate::b) struct Y;",
        "fn f() { assert!(self.b.X) }",
        "#[cfg(test)] use crate::b::X;",
        "#[cfg(all(test, unix))] fn f() -> crate::b::X {}",
        "#[test] fn f() { crate::b::X; }",
        "#[cfg(test)] mod probe { use crate::b::X; }",
        "mod tests { use crate::b::X; }",
        "fn f() { #[cfg(test)] crate::b::X(1); #[cfg(test)] let x = crate::b::X; }",
        "struct S { #[cfg(test)] x: crate::b::X } impl S { #[cfg(test)] fn f(x: crate::b::X) {} }",
    ] {
        assert_eq!(edges(a, "pub struct X;", ""), "", "{a}");
    }
    let counted = "#[cfg(any(test, unix))] use crate::b::X;";
    assert_eq!(edges(counted, "pub struct X;", ""), "a -> b");
}

#[test]
fn a_macro_is_found_in_the_modules_around() {
    let root = "macro_rules! m { () => {} } mod a { fn f() { m!() } } mod b;";
    let toy = graph(&[
        ("lib.rs", root),
        ("b.rs", "mod c { fn f() { super::super::a::m!() } }"),
    ]);
    assert_eq!(toy.counts().edges, 0);
}

#[test]
fn a_name_that_a_macro_made_is_an_edge_too() {
    let made = "macro_rules! m { ($x:ident) => { pub struct $x; } } m!(X);";
    assert_eq!(edges("use crate::b::X;", made, ""), "a -> b");
    assert_eq!(edges("fn f() -> super::b::X {}", made, ""), "a -> b");
    let no_call = "macro_rules! m { ($x:ident) => { pub struct $x; } }";
    assert_eq!(edges("use crate::b::X;", no_call, ""), "");
}

#[test]
fn a_parent_and_its_child_may_use_each_other_but_are_counted() {
    let toy = graph(&[
        (
            "lib.rs",
            "mod a; pub use a::A; use a::child; pub struct Root;",
        ),
        ("a.rs", "pub struct A(super::Root); pub fn child() {}"),
    ]);
    assert_eq!(toy.counts().in_circles, 0);
    assert_eq!(toy.counts().in_circles_with_parents, 2);
    assert_eq!(toy.circles(), [""; 0]);
}

#[test]
fn more_circles_than_allowed_fail_and_so_do_fewer() {
    let allowed = [("lab", 11), ("web", 3)];
    assert_eq!(
        compare(&[("codec", 0), ("lab", 11), ("web", 3)], &allowed),
        [""; 0]
    );
    let complaints = compare(&[("codec", 2), ("lab", 10)], &allowed);
    let expected = ["codec: 2 modules are", "lower IN_CIRCLES", "no such crate"];
    assert_eq!(complaints.len(), expected.len(), "{complaints:?}");
    for (complaint, expected) in complaints.iter().zip(expected) {
        assert!(complaint.contains(expected), "{complaint}");
    }
}

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

#[test]
fn every_crate_with_modules_is_parsed() {
    let graphs = graphs().unwrap();
    let names: Vec<_> = graphs.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["challenge", "cli", "codec", "lane", "web", "xtask"] {
        assert!(names.contains(&name), "{name}");
    }
    // If nothing were resolved, no circle could be found.
    let (_, lane) = graphs.iter().find(|(name, _)| name == "lane").unwrap();
    assert!(lane.counts().edges > 20);
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
    let before = listed_public_items().unwrap();
    assert!(before.lines().count() > 300);
    assert!(before.contains("\nsnapshot_codec::Encoder::new: fn("));
    assert_eq!(changes(&before, &before), [""; 0]);
    let line = "snapshot_codec::lockstep::INPUT_BITS: const u32";
    let after = before.replace(line, "snapshot_codec::lockstep::INPUT_BITS: const u8");
    let told = [
        format!("- {line}"),
        "+ snapshot_codec::lockstep::INPUT_BITS: const u8".to_owned(),
    ];
    assert_eq!(changes(&before, &after), told);
}
