//! Generator of the page's TypeScript types from Rust's types; it checks each method's declared return type.
//!
//! `TYPES=write cargo test -p snapshot-web types -- --include-ignored` writes `types.d.ts` anew.

use crate::blind_test::{BlindTestRun, outcome_of};
use crate::comparison::RunComparison;
use crate::files::challenge::Contest;
use crate::files::judge::JudgedClient;
use crate::files::motion::ReadMotion;
use crate::files::trace::parse_trace;
use crate::files::verdict::{Verdict, VerdictLink};
use crate::incoming::IncomingMotion;
use crate::lane_name::LaneName;
use crate::motion::asked_table;
use crate::page::Page;
use crate::tables::tables;
use crate::together::{Guest, Hosting};
use crate::trade::Trade;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use ts_rs::{Config, TS, TypeVisitor};
use wasm_bindgen::prelude::*;

const FILE: &str = "types.d.ts";
const FILE_HEAD: &str = "// Written from Rust's types by the tests of crate/web.\n";

/// Time budget that no piece of work of these tests exceeds, ms.
const LONG_MS: f64 = 1e9;

thread_local! {
    /// Name of the TypeScript type of the last converted value.
    static NOTED: RefCell<Option<String>> = const { RefCell::new(None) };
    static DECLARED: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
}

/// Returns the settings of the type generator: numbers of any width become plain numbers, arrays of any length become arrays.
fn config() -> Config {
    Config::new()
        .with_large_int("number")
        .with_array_tuple_limit(0)
}

/// Records the TypeScript type of a value that is passed to JavaScript, and the types of its fields.
pub(crate) fn note<T: TS + 'static + ?Sized>() {
    NOTED.set(Some(T::name(&config())));
    TypeDeclarations.visit::<T>();
}

struct TypeDeclarations;

impl TypeVisitor for TypeDeclarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let config = config();
        if T::output_path().is_some() {
            let ident = T::ident(&config);
            let text = format!("export {}\n", without_docs(&T::decl(&config)));
            let known = DECLARED.with_borrow_mut(|all| all.insert(ident, text.clone()));
            assert!(
                known.is_none_or(|known| known == text),
                "two types have one name"
            );
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// Returns a declaration without its docs, because Rust has them. A long declaration gets a line for each field.
fn without_docs(declaration: &str) -> String {
    let mut parts = declaration.split("/**");
    let first = parts.next().unwrap().to_string();
    let text = parts.fold(first, |text, part| {
        let (_, rest) = part.split_once("*/").unwrap();
        text.trim_end().to_string() + " " + rest.trim_start()
    });
    let is_short = text.len() < 240;
    if is_short {
        text
    } else {
        text.replacen("= { ", "= {\n  ", 1)
            .replace(", ", ",\n  ")
            .replace(",\n  }", ",\n}")
    }
}

/// Collects the declared return type of each exported function, by name, from this crate's sources.
fn declared_returns(folder: &Path, all: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            declared_returns(&path, all);
        } else if path.file_name().is_some_and(|name| name != "types.rs") {
            let source = std::fs::read_to_string(path).unwrap();
            let marked = source.split("unchecked_return_type = \"").skip(1);
            all.extend(marked.map(|rest| {
                let (declared, rest) = rest.split_once('"').unwrap();
                let (_, rest) = rest.split_once("pub fn ").unwrap();
                let (name, _) = rest.split_once('(').unwrap();
                (name.to_string(), declared.to_string())
            }));
        }
    }
}

/// Converts a declared type's name to the form that the generator writes.
fn normal(declared: &str) -> String {
    let some = declared.trim_end_matches(" | undefined");
    let array = some.strip_suffix("[]");
    let name = array.map_or(some.to_string(), |item| format!("Array<{item}>"));
    name.replace("Record<string, string>", "{ [key in string]: string }")
}

/// Functions whose declared types have not been checked yet, by name.
struct UndeclaredFunctions(BTreeMap<String, String>);

impl UndeclaredFunctions {
    /// Calls a function, and checks that its value's type is the declared one.
    fn tie(&mut self, name: &str, function: impl FnOnce() -> Result<JsValue, JsError>) {
        NOTED.set(None);
        assert!(function().is_ok(), "{name} failed");
        if let Some(noted) = NOTED.take()
            && let Some(declared) = self.0.remove(name)
        {
            assert_eq!(normal(&declared), noted, "{name}");
        }
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn each_method_is_declared_with_the_type_of_its_value_and_the_file_is_of_these_types() {
    let mut returns = BTreeMap::new();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    declared_returns(&manifest.join("src"), &mut returns);
    // This is JSON of the command line, without a type of its own.
    assert!(returns.remove("report").is_some());
    let untied = &mut UndeclaredFunctions(returns);
    untied.tie("tables", tables);
    untied.tie("asked_table", || asked_table(b"a,b,c,d,e\n1,2,3,4,5\n"));
    values_of_a_page(untied);
    values_of_files(untied);
    values_of_work(untied);
    assert!(untied.0.is_empty(), "never called: {:?}", untied.0);

    let types = DECLARED.with_borrow(|all| all.values().cloned().collect::<String>());
    let (file, text) = (manifest.join(FILE), format!("{FILE_HEAD}{types}"));
    if std::env::var("TYPES").as_deref() == Ok("write") {
        std::fs::write(&file, &text).unwrap();
    }
    let is_current = std::fs::read_to_string(&file).unwrap() == text;
    assert!(
        is_current,
        "TYPES=write cargo test -p snapshot-web types -- --include-ignored"
    );
}

fn values_of_a_page(untied: &mut UndeclaredFunctions) {
    let link = "#scene=katamari&grid=5&hz=20&loss=30&delay=60&interp=hermite";
    let mut page = Page::new(link);
    for _ in 0..120 {
        page.tick(0);
        untied.tie("glitch", || page.glitch(LaneName::A));
        untied.tie("wait", || page.wait(LaneName::A));
    }
    page.what_if(10.0, false);
    while page.work(LONG_MS) {}
    untied.tie("view_state", || page.view_state());
    untied.tie("state", || page.state(LaneName::A));
    untied.tie("schema", || page.schema(LaneName::A));
    untied.tie("first_difference", || page.first_difference());
    untied.tie("worst_objects", || page.worst_objects(LaneName::A, 2));
    untied.tie("moments", || page.moments(1, 60));
    untied.tie("now", || page.now());
    untied.tie("freezes", || page.freezes(LaneName::A));
    untied.tie("corrections", || page.corrections(LaneName::A));
    untied.tie("cure", || page.cure(LaneName::A));
    untied.tie("troubles", || page.troubles(60));
    untied.tie("playout", || page.playout(LaneName::A, 60));
    untied.tie("traffic", || page.traffic(LaneName::A, 0.0, 60.0));
    untied.tie("inspect", || page.inspect(LaneName::A, None));
}

fn values_of_files(untied: &mut UndeclaredFunctions) {
    let mut page = Page::new("#grid=5");
    assert!(page.play_motion(arrived(MOTION), None).is_ok());
    let parsed = parse_trace(b"sent_ms,delay_ms\n0,20\n10,lost\n20,30\n").unwrap_or_default();
    assert!(page.use_trace(&parsed).is_ok());
    untied.tie("fit_trace", || page.fit_trace());
    let Ok(judged) = JudgedClient::new(MOTION, MOTION, 0, "", None) else {
        panic!("a file is as itself");
    };
    untied.tie("words", || judged.words());
}

fn values_of_work(untied: &mut UndeclaredFunctions) {
    let mut page = Page::new("#scene=roll");
    (0..70).for_each(|_| page.tick(0));
    while page.climb(true, LONG_MS) {}
    untied.tie("rungs", || page.rungs(LaneName::A));
    while page.count_widths(true, LONG_MS) {}
    untied.tie("widths", || page.widths());
    let Ok(mut trade) = Trade::new(&page, vec!["hz=20".to_string()]) else {
        panic!("the value is the setting's");
    };
    while trade.work(&page, LONG_MS) {}
    untied.tie("points", || trade.points());
    let mut comparison = RunComparison::new(&page);
    while comparison.work(&page, LONG_MS) {}
    untied.tie("compared", || comparison.compared());
    let Ok(mut verdict) = Verdict::of_motion(arrived(MOTION), VerdictLink::new("#")) else {
        panic!("all parts are here");
    };
    while verdict.work(LONG_MS) {}
    untied.tie("answer", || verdict.answer());
    let long = Page::new("#scene=roll&grid=5&tell=pair~13~16");
    let Ok(mut tell) = BlindTestRun::new(&ticked(long), "freeze", 1, &[]) else {
        panic!("the motion is long enough");
    };
    untied.tie("progress_so_far", || tell.progress_so_far());
    tell.answer(
        &ticked(Page::new("#scene=roll&grid=5")),
        true,
        1e3,
        0,
        8,
        6,
        60.0,
        false,
    );
    untied.tie("outcome_of", || outcome_of(tell.file().as_bytes()));
    let shared = Page::new("#scene=roll&grid=5&rival=hand");
    let (Ok(hosting), Ok(guest)) = (
        Hosting::new(&shared, &[0; 16]),
        Guest::new("rival=hand", "", 1),
    ) else {
        panic!("the scene has a second cube");
    };
    untied.tie("rows", || hosting.rows());
    untied.tie("figures", || guest.figures());
    let Ok(contest) = Contest::of_last_minute(&page.last_minute()) else {
        panic!("a second is recorded");
    };
    untied.tie("verdicts", || contest.verdicts());
}

/// Plays a page until a blind test can begin.
fn ticked(mut page: Page) -> Page {
    while page.ticks_until_test() > 0.0 {
        page.tick(0);
    }
    page
}

const MOTION: &[u8] = include_bytes!("../../../docs/motion-example.csv");

/// Returns a file's motion, received in parts as from the Worker.
fn arrived(file: &[u8]) -> IncomingMotion {
    let Ok(read) = ReadMotion::new(file.to_vec(), 6) else {
        panic!("it is a motion");
    };
    let mut parts = (0..).map_while(|number| read.part(number));
    let Some(Ok(mut motion)) = parts.next().map(|head| IncomingMotion::new(&head)) else {
        panic!("its first part is a head");
    };
    parts.for_each(|part| assert!(motion.add(&part).is_ok()));
    motion
}
