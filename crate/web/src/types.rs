//! Compares every value sent to the page's script with its declared TypeScript type.

mod declared;
mod reader;

use crate::challenge::Contest;
use crate::js::take_given;
use crate::lane_name::LaneName;
use crate::motion::{IncomingMotion, ReadMotion, motion_limits};
use crate::page::Page;
use crate::schema::{comparisons, link_presets, presets};
use crate::tables::{bit_kinds, fixed_facts, rung_rows};
use crate::tour::{TourMeasuring, tour_chapters};
use crate::trade::Trade;
use crate::verdict::Verdict;
use declared::Declared;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use wasm_bindgen::prelude::*;

/// A budget that no piece of work of these tests exceeds.
const LONG_MS: f64 = 1e9;

fn sources() -> Declared {
    Declared::in_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// The functions that were called, and what their values showed.
struct Held {
    declared: Declared,
    called: BTreeSet<&'static str>,
    seen: BTreeSet<String>,
}

impl Held {
    fn new() -> Held {
        Held {
            declared: sources(),
            called: BTreeSet::new(),
            seen: BTreeSet::new(),
        }
    }

    /// Calls a function and holds its value to the declared type.
    fn call(
        &mut self,
        name: &'static str,
        function: impl FnOnce() -> Result<JsValue, JsError>,
    ) -> Option<Value> {
        let _ = take_given();
        assert!(function().is_ok(), "{name} failed");
        let value = take_given();
        self.value(name, value.as_ref());
        value
    }

    fn value(&mut self, name: &'static str, value: Option<&Value>) {
        self.called.insert(name);
        let complaints = self.declared.complaints(name, value, &mut self.seen);
        assert!(complaints.is_empty(), "{name}: {complaints:#?}");
    }

    /// Calls all that tells of the instant that a page shows.
    fn instant(&mut self, page: &mut Page) {
        let now = page.at();
        self.call("live", || page.live());
        self.call("glitch", || page.glitch(LaneName::A));
        self.call("troubles", || page.troubles(60));
        self.call("playout", || page.playout(LaneName::A, 60));
        self.call("traffic", || page.traffic(LaneName::A, now - 60.0, now));
        self.call("progress", || page.progress());
        self.call("span", || page.span());
    }

    /// Calls all that tells of a page as a whole.
    fn whole(&mut self, page: &mut Page) {
        let now = page.at();
        self.call("looking", || page.looking());
        page.split(Some(50.0));
        self.call("looking", || page.looking());
        self.call("schema", || page.schema(LaneName::A));
        self.call("settings", || page.settings());
        self.call("facts", || page.facts(LaneName::A));
        self.call("report", || page.report());
        self.call("figures", || page.figures());
        self.call("samples", || page.samples());
        self.call("overlays", || page.overlays());
        self.call("first_difference", || page.first_difference());
        self.call("moments", || page.moments(1, 60));
        self.call("motion", || page.motion());
        self.call("trace", || page.trace());
        self.call("traffic", || page.traffic(LaneName::B, 0.0, now));
        self.call("playout", || page.playout(LaneName::B, 60));
        if now > 1.0 {
            let told = self
                .call("inspect", || page.inspect(LaneName::A, None))
                .unwrap();
            let number = told["number"].as_f64().unwrap();
            for number in (0..=number as u64).rev().take(20).chain([1]) {
                self.call("inspect", || page.inspect(LaneName::A, Some(number as f64)));
            }
        }
        for [x, y, z, w] in [[0.1, 0.2, 0.3, 0.9], [1.0, 0.0, 0.0, 0.0]] {
            self.call("smallest_three", || page.smallest_three(x, y, z, w));
        }
        for difference in [0, 1_000, 100_000] {
            self.call("range_code", || page.range_code(difference, 1, -1));
        }
        for gap in [1, 20, 60] {
            self.call("relative_index", || page.relative_index(0, gap));
        }
    }
}

fn drive(page: &mut Page, held: &mut Held, ticks: u32) {
    for _ in 0..ticks {
        held.instant(page);
        page.tick(0);
    }
    page.work(LONG_MS);
    held.whole(page);
}

#[test]
fn all_that_is_sent_has_the_fields_and_types_that_are_declared() {
    let held = &mut Held::new();
    held.call("tour_chapters", tour_chapters);
    held.call("presets", presets);
    held.call("comparisons", comparisons);
    held.call("link_presets", link_presets);
    held.call("rung_rows", rung_rows);
    held.call("bit_kinds", bit_kinds);
    held.call("fixed_facts", fixed_facts);
    held.call("motion_limits", motion_limits);

    let mut page = Page::new("#scene=katamari&grid=8&hz=20&loss=30&dup=20&delay=60&interp=hermite");
    drive(&mut page, held, 180);
    for shown in ["packets", ""] {
        page.look_at_figure(Some(shown.to_string()).filter(|it| !it.is_empty()));
        page.look_at(Some(3.0), Some(4.0));
        page.look_as("error", true);
        held.whole(&mut page);
    }
    held.call("rungs", || page.rungs(LaneName::A));
    // One piece of work: nothing has been sent yet.
    page.climb(true, 0.015);
    held.call("rungs", || page.rungs(LaneName::A));
    while page.climb(true, LONG_MS) {}
    held.call("rungs", || page.rungs(LaneName::A));
    held.call("widths", || page.widths());
    while page.count_widths(true, LONG_MS) {}
    held.call("widths", || page.widths());
    let Ok(mut trade) = Trade::new(&page, vec!["hz=10,20".to_string()]) else {
        panic!("the values are the setting's");
    };
    while trade.work(&page, LONG_MS) {}
    let axes = || vec!["kbps_mean".to_owned(), "position_error_mm_rms".to_owned()];
    held.call("points", || trade.points(axes()));
    // One verdict has a packet over the MTU. In another no object moves.
    let of_numbers =
        |moving| Verdict::of_numbers(&page, 4, moving, 5.0, 20.0, Some(2.0), Some(0.5));
    let verdicts = [
        Ok(Verdict::new(&page, None, None)),
        of_numbers(0),
        of_numbers(4),
    ];
    for mut verdict in verdicts.into_iter().flatten() {
        held.call("answer", || verdict.answer(&page));
        while verdict.work(&page, LONG_MS) {}
        held.call("answer", || verdict.answer(&page));
    }
    for (id, text) in [("loss", "5"), ("grid", "6")] {
        assert!(page.set(LaneName::A, id, text).is_ok());
        held.call("progress", || page.progress());
    }
    page.set_cut(true);
    drive(&mut page, held, 40);

    // A and B that part and agree again, or not, or never part.
    let mut page =
        Page::new("#scene=katamari&grid=6&hz=10&loss=0&codec=uncompressed&step=four-floats");
    drive(&mut page, held, 120);
    for packet in [5.0, 16.0, 19.0] {
        page.what_if(packet, false);
        page.work(LONG_MS);
        held.whole(&mut page);
        held.instant(&mut page);
    }
    page.make_b_what_a_is();
    page.work(LONG_MS);
    held.whole(&mut page);

    for link in [
        "#scene=katamari&grid=6&hz=20&codec=predicted&loss=5",
        "#grid=6&scene=katamari&strategy=sync&both=0&smooth=off&budget=48&loss=20&buffer=adaptive",
        "#grid=5&scene=katamari&strategy=lockstep&loss=20&desync=bit",
        "#grid=5&scene=katamari&strategy=lockstep&loss=20&transport=tcp&at=30",
    ] {
        drive(&mut Page::new(link), held, 150);
    }

    let mut page = Page::new("#grid=5");
    for file in [
        &include_bytes!("../../../docs/motion-example.csv")[..],
        ONE_OBJECT.as_bytes(),
        ONE_COMES_ONE_GOES.as_bytes(),
    ] {
        assert!(page.play_motion(arrived(file)).is_ok());
        held.whole(&mut page);
    }

    for file in [&b"0,20\n10,lost\n20,30\n"[..], b"1\n5\n"] {
        assert!(page.use_trace(file).is_ok());
        held.whole(&mut page);
    }

    let mut page = Page::new("#scene=roll");
    (0..70).for_each(|_| page.tick(0));
    let Ok(mut contest) = Contest::of_last_minute(&page.last_minute()) else {
        panic!("a second is recorded");
    };
    assert!(contest.judge_next().is_ok());
    held.call("verdicts", || contest.verdicts());

    let mut measuring = TourMeasuring::new();
    measuring.ask("four-floats");
    while measuring.work(LONG_MS) {}
    held.call("done", || measuring.done());

    let functions: BTreeSet<_> = held.declared.functions().collect();
    assert_eq!(
        functions, held.called,
        "each function that gives a declared type is called here"
    );
    let parts = functions.iter().flat_map(|name| held.declared.parts(name));
    let is_unseen = |part: &String| !part.starts_with("type ") && !held.seen.contains(part);
    let unseen: Vec<_> = parts
        .filter(is_unseen)
        .filter(|part| part != AFTER_A_MINUTE)
        .collect();
    assert!(unseen.is_empty(), "declared, and in no value: {unseen:#?}");
}

/// Null only where a lane has run for longer than it keeps.
const AFTER_A_MINUTE: &str = "Queued.waited_ms as its alternative 1";

/// A file's motion as it arrives from the Worker.
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

/// A motion that tells of what comes, goes and jumps.
const ONE_COMES_ONE_GOES: &str = "tick,object,event,x,y,z,qx,qy,qz,qw
0,0,,0,0,0.3,0,0,0,1
1,1,,0,0,0.2,0,0,0,1
1,0,jump,9,0,0.2,0,0,0,1
2,0,end,,,,,,,
";

/// A motion in which a single object falls.
const ONE_OBJECT: &str = "tick,object,x,y,z,qx,qy,qz,qw
0,0,0,0,0.3,0,0,0,1
1,0,0,0,0.2,0,0,0,1
2,0,0,0,0.1,0,0,0,1
";

#[test]
fn figures_of_a_strategy_are_all_there_from_the_first_tick_on() {
    let declared = sources();
    for (link, interface) in [
        ("#grid=5&strategy=sync", "SyncLive"),
        ("#grid=5&strategy=lockstep", "LockstepLive"),
    ] {
        let mut page = Page::new(link);
        for _ in 0..60 {
            let _ = page.live();
            let live = &take_given().unwrap()["a"];
            for field in declared.required(interface) {
                assert!(live.get(field).is_some(), "{link}: {field}");
            }
            page.tick(0);
        }
    }
}

#[test]
fn what_is_left_out_added_or_of_another_type_is_told() {
    let mut declared = Declared::default();
    declared.read(
        r##"#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Two figures. */
export interface Errors { rms: number; max: number; kind?: "a" | "b" }
"#;
#[wasm_bindgen(unchecked_return_type = "Errors[] | undefined")]
pub fn errors() {}
"##,
    );
    let mut seen = BTreeSet::new();
    let mut complaints = |value: Value| declared.complaints("errors", Some(&value), &mut seen);
    assert_eq!(
        complaints(json!([{ "rms": 1.0, "max": 2, "kind": "b" }])),
        [] as [&str; 0]
    );
    for wrong in [
        json!([{ "rms": null, "max": 1.0 }]),
        json!([{ "rms": 1.0 }]),
        json!([{ "rms": 1.0, "max": 1.0, "p95": 1.0 }]),
        json!([{ "rms": 1.0, "max": 1.0, "kind": "c" }]),
        json!({ "rms": 1.0, "max": 1.0 }),
        json!(null),
    ] {
        assert_eq!(complaints(wrong).len(), 1);
    }
    let unseen: Vec<_> = declared
        .parts("errors")
        .difference(&seen)
        .cloned()
        .collect();
    assert_eq!(unseen, ["errors as its alternative 1", "type Errors"]);
}
