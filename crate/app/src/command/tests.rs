//! Drawn commands: whatever is asked of a session, it goes on, a refusal changes nothing, and its link can be opened.

use super::Command;
use crate::frame::{Changed, Frame, Reach};
use crate::link;
use crate::query::series::BytesQuery;
use crate::query::{Query, answer};
use crate::session::Session;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::value::Serializer;
use serde_json::{Map, Value, json};
use snapshot_analysis::subject::Subject;
use snapshot_physics::Input;
use std::cell::Cell;
use std::collections::BTreeSet;

/// Reads a command as the page sends it.
fn command(text: Value) -> Command {
    serde_json::from_value(text).expect("a command of the page")
}

fn lane() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("a"), Just("b")]
}

fn of_lanes() -> impl Strategy<Value = Value> {
    let settings = prop_oneof![
        Just(("hz", "30")),
        Just(("loss", "10")),
        Just(("codec", "predicted")),
        Just(("strategy", "sync")),
        Just(("strategy", "lockstep")),
        Just(("strategy", "game")),
        Just(("strategy", "snapshot")),
        Just(("link", "4g-moving")),
        Just(("grid", "4")),
        Just(("scene", "drive")),
        Just(("hz", "many")),
        Just(("nothing", "1")),
    ];
    prop_oneof![
        (lane(), settings)
            .prop_map(|(lane, (id, text))| json!({"set": {"lane": lane, "id": id, "text": text}})),
        (lane(), 0..20_u32)
            .prop_map(|(lane, level)| json!({"quantise": {"lane": lane, "level": level}})),
        lane().prop_map(|lane| json!({"form": {"lane": lane}})),
        (lane(), 0..16_usize)
            .prop_map(|(lane, place)| json!({"preset": {"lane": lane, "place": place}})),
        (0..9_usize).prop_map(|place| json!({"compare": {"place": place}})),
        (0..60_u64, any::<bool>())
            .prop_map(|(packet, it)| json!({"force": {"packet": packet, "delivered": it}})),
        prop_oneof![
            Just(json!("copy_a_to_b")),
            Just(json!("swap")),
            Just(json!("drop_b")),
            Just(json!("use_fit"))
        ],
    ]
    .prop_map(|it| json!({ "lane": it }))
}

fn of_time() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0..200_u64).prop_map(|tick| json!({"seek": {"tick": tick}})),
        (0..90_u64).prop_map(|tick| json!({"go_to": {"tick": tick}})),
        any::<bool>().prop_map(|on| json!({"pause": {"on": on}})),
        (0..20_u32).prop_map(|ticks| json!({"cut_for": {"ticks": ticks}})),
        prop_oneof![
            Just(json!("stop_going")),
            Just(json!("restart")),
            Just(json!("undo"))
        ],
    ]
    .prop_map(|it| json!({ "time": it }))
}

fn of_others() -> impl Strategy<Value = Value> {
    let limits = json!({"surface_mm": 5.0, "kbps": 64.0});
    prop_oneof![
        Just(json!({"look": {"open": {"figure": "packets"}}})),
        Just(json!({"look": {"select": {"packet": 7, "cube": 3}}})),
        Just(json!({"look": {"select": {}}})),
        Just(json!({"look": {"split": {"percent": 400.5}}})),
        Just(json!({"look": {"camera": {"position": [20, 30, 400]}}})),
        Just(json!({"look": {"camera": {"position": [20, 30, 4]}}})),
        Just(json!({"look": {"arrange": {"views": "one", "divider": -3.2}}})),
        Just(json!({"look": {"limit": {"limits": limits}}})),
        Just(json!({"look": {"colour": {"overlay": "error", "ghost": true}}})),
        Just(json!({"look": "leave_card"})),
        Just(json!({"look": "leave_outcome"})),
        Just(json!({"source": {"open": {"link": "#scene=roll&grid=5&b.hz=20&at=30&drop=3"}}})),
        Just(json!({"source": {"open": {"link": "#motion=0badcafe&card=x"}}})),
        Just(json!({"source": {"play": {}}})),
        Just(json!({"source": "drop_parts"})),
        Just(json!({"source": {"jumps_over": {"place": 99}}})),
        Just(json!({"source": {"begin_trace": {"offset_ms": -5.5}}})),
        Just(json!({"source": "leave_motion"})),
        Just(json!({"source": "leave_trace"})),
        Just(json!({"host": {"begin": {"secret": vec![7; 16]}}})),
        Just(json!({"host": {"connect": {"now_ms": 0.0}}})),
        Just(json!({"host": {"leave_out": {"count": 3}}})),
        Just(json!({"host": {"send_away": {"why": "enough"}}})),
        Just(json!({"host": {"simulate": {"on": true}}})),
        Just(json!({"host": {"end": {"why": "over"}}})),
        Just(json!({"test": {"begin": {"test": "rate", "seed": 3, "trials": ""}}})),
        Just(json!({"test": {"answer": {"is_a": true, "time_ms": 9.5, "drops": 0}}})),
        Just(json!({"test": "prepare"})),
        Just(json!({"test": "end"})),
    ]
}

/// A page that shows what it is told of a session, and nothing else. Notices are told when they come, so it shows none.
struct ToldPage(Map<String, Value>);

impl ToldPage {
    fn new(session: &mut Session) -> ToldPage {
        let mut page = ToldPage(Map::new());
        page.take(session.changed(Reach::All));
        page
    }

    fn take(&mut self, changed: Changed) {
        let Ok(Value::Object(parts)) = serde_json::to_value(changed) else {
            panic!("parts of a session are an object");
        };
        let parts = parts.into_iter().filter(|(name, _)| name != "notices");
        self.0.extend(parts);
    }

    fn take_frame(&mut self, frame: Frame) {
        self.0.insert("at".to_owned(), frame.at.into());
        frame.changed.into_iter().for_each(|it| self.take(it));
    }

    /// Checks that the page shows what the session is.
    fn check(&self, session: &mut Session, after: &Value) {
        for (name, now) in ToldPage::new(session).0 {
            assert_eq!(self.0[&name], now, "{name} after {after}");
        }
    }

    /// Plays ticks, reads the figures as a page does now and then, and works until all is rebuilt.
    fn play(&mut self, session: &mut Session, ticks: u32, keys: u8, after: &Value) {
        for _ in 0..ticks {
            self.take_frame(session.tick(Input::from_bits(keys)));
        }
        self.take(session.changed(Reach::Figures));
        self.check(session, after);
        while self.0["now"]["progress"] != "done" {
            self.take_frame(session.work(|| false));
        }
        self.check(session, after);
    }
}

/// Opens a session with its page: a script drives, or a link's input, which has just taken a script over on the way to the
/// link's instant.
fn opened(has_input: bool) -> (Session, ToldPage) {
    let mut session = Session::new("#scene=mixed&grid=3&hz=20");
    if has_input {
        (0..12).for_each(|tick| _ = session.tick(Input::from_bits(u8::from(tick > 4))));
        session = Session::new(&session.share().unwrap());
    }
    let mut page = ToldPage::new(&mut session);
    let asked = Cell::new(0);
    page.take_frame(session.work(|| asked.replace(asked.get() + 1) == 9));
    page.take(session.changed(Reach::Figures));
    (session, page)
}

/// Returns the session's link, and that the present instant can be read.
fn told(session: &mut Session) -> String {
    let reach = Reach::All;
    for query in [Query::Shown { reach }, Query::Hosted] {
        assert!(answer(session, query, Serializer).unwrap().is_ok());
    }
    session.permalink(true)
}

fn any_command() -> impl Strategy<Value = Value> {
    prop_oneof![of_lanes(), of_time(), of_others()]
}

/// Returns the names of an enum's variants: serde lists them where it refuses an unknown one.
fn variants(refused: Result<Command, serde_json::Error>) -> BTreeSet<String> {
    let error = refused.unwrap_err().to_string();
    let (_, all) = error.split_once("expected").expect(&error);
    all.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_is_drawn_and_tells_what_it_changes() {
    let all = variants(serde_json::from_value(json!("no such"))).into_iter();
    let all = all.flat_map(|group| {
        let of = variants(serde_json::from_value(json!({ &group: "no such" })));
        of.into_iter().map(move |name| (group.clone(), name))
    });
    let mut missing: BTreeSet<_> = all.collect();
    assert!(missing.len() > 30, "{missing:?}");
    let mut runner = TestRunner::deterministic();
    for _ in 0..2000 {
        let drawn = any_command().new_tree(&mut runner).unwrap().current();
        let (group, asked) = drawn.as_object().unwrap().iter().next().unwrap();
        let name = asked.as_object().and_then(|it| it.keys().next());
        let name = name.map_or_else(|| asked.as_str().unwrap(), String::as_str);
        if missing.remove(&(group.clone(), name.to_owned())) {
            for has_input in [false, true] {
                let (mut session, mut page) = opened(has_input);
                if let Ok(changed) = session.apply(command(drawn.clone())) {
                    page.take(changed);
                }
                page.check(&mut session, &drawn);
                page.play(&mut session, 3, 1, &drawn);
            }
        }
    }
    assert_eq!(missing, BTreeSet::new());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn a_session_goes_on_after_any_commands_tells_what_changed_and_a_refusal_changes_nothing(
        has_input: bool,
        asked in proptest::collection::vec((any_command(), 0..12_u32, 0..64_u8), 1..14),
    ) {
        let (mut session, mut page) = opened(has_input);
        for (text, ticks, keys) in asked {
            let before = told(&mut session);
            match session.apply(command(text.clone())) {
                Err(_) => prop_assert_eq!(told(&mut session), before, "{}", text),
                Ok(changed) => page.take(changed),
            }
            page.check(&mut session, &text);
            // What a Worker gets is the very motion, also while lanes are rebuilt.
            let subject = Subject::of_bytes(&session.bytes(BytesQuery::Subject)).unwrap();
            let (own, other) = (session.lab().tape(), subject.tape());
            prop_assert_eq!(own.made_from(), other.made_from());
            prop_assert_eq!((own.first_tick(), own.newest()), (other.first_tick(), other.newest()));
            page.play(&mut session, ticks, keys, &text);
            let link = told(&mut session);
            let (read, notices) = link::parse(&link);
            prop_assert!(notices.is_empty(), "{link}: {notices:?}");
            prop_assert_eq!(link::format(&read), link);
        }
    }
}
