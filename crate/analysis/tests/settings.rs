//! Tests that each column of a setting's row tells the truth about the lab.

use snapshot_analysis::ladder::{climb, rungs};
use snapshot_analysis::span::TickSpan;
use snapshot_analysis::widths;
use snapshot_codec::Class;
use snapshot_lane::history::LaneHistory;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::schema::{Effect, OnLadder, SCHEMA, Setting};
use snapshot_settings::{Key, Settings, Strategy, permalink};

/// Ticks of a run: enough for acknowledgements to come back and for a few losses.
const TICKS: u64 = 180;

/// Starting points at which some value of each setting makes a difference.
const LINKS: [&str; 15] = [
    "#scene=katamari&grid=6&hz=30&loss=30&burst=2&dup=10&reorder=10&jitter=30",
    "#scene=katamari&grid=6&hz=30&codec=velocity&interp=hermite&delay=100&latency=20",
    "#scene=katamari&grid=6&hz=30&codec=arithmetic&loss=20&burst=3&badloss=50&stall=40&stallms=300&mtu=576",
    "#scene=katamari&grid=6&hz=30&codec=velocity&rate=300&queue=100&neighbour=50&loss=20&burst=3&badloss=50&badms=40&stall=40&stallms=300&shape=exponential&jitter=30&back.rate=32&back.queue=50&back.neighbour=50",
    "#scene=roll&grid=5&strategy=sync&loss=5&budget=64&velocities=0",
    "#scene=katamari&grid=6&strategy=sync&loss=25&both=0&rel=1&delta=1&budget=128&adapt=1",
    "#scene=katamari&grid=5&strategy=lockstep&loss=20&transport=tcp",
    "#scene=katamari&grid=5&strategy=lockstep&loss=20",
    "#scene=katamari&grid=6&hz=30&loss=10&jitter=50&delay=adaptive",
    "#scene=katamari&grid=6&strategy=game&predict=own&latency=80&loss=20&repeats=2",
    "#scene=crowd&grid=5&strategy=game&predict=wait&loss=5&budget=48&clients=2",
    "#scene=katamari&grid=6&strategy=sync&loss=20&burst=3&badloss=50&badms=40&stall=40&stallms=300&mtu=576&budget=1024&rate=1000&queue=100&neighbour=50&jitter=30&shape=exponential&buffer=adaptive&back.rate=32&back.queue=50&back.neighbour=50",
    "#scene=katamari&grid=5&strategy=lockstep&loss=20&burst=3&badloss=50&badms=40&stall=40&stallms=300&rate=32&queue=100&neighbour=50&jitter=30&shape=exponential&delay=adaptive&back.rate=32&back.queue=50&back.neighbour=50",
    "#scene=katamari&grid=6&strategy=game&codec=velocity&loss=20&burst=3&badloss=50&badms=40&stall=40&stallms=300&rate=128&queue=100&neighbour=50&jitter=30&shape=exponential&delay=adaptive&back.rate=32&back.queue=50&back.neighbour=50",
    "#scene=katamari&grid=6&strategy=game&codec=arithmetic&loss=5",
];

/// Settings that change nothing before another is set, although the form does not fold them.
const NEED_ANOTHER: [Key; 2] = [Key::BurstDelay, Key::BackBurstDelay];

/// Settings that change nothing of a strategy whose packets are this small.
const SMALL_PACKETS: [(Key, Strategy); 2] = [
    (Key::Fragments, Strategy::Lockstep),
    (Key::DataChannel, Strategy::Lockstep),
];

/// The settings of a link, and variants with a single other value: the least, the greatest, a choice, or a neighbour.
fn changes(link: &str, setting: &Setting) -> (Settings, Vec<Settings>) {
    let (settings, notices) = permalink::parse(link);
    assert_eq!(notices, []);
    let now = settings.get(setting.key);
    let domain = setting.domain_in(settings.strategy());
    let mut values = vec![
        0,
        1,
        3,
        now.wrapping_sub(1),
        now.wrapping_add(1),
        40,
        600,
        domain.most(),
    ];
    values.sort_unstable();
    values.dedup();
    let other = |value: u32| {
        let mut other = settings;
        other.set(setting.key, value).ok()?;
        (other != settings).then_some(other)
    };
    (settings, values.into_iter().filter_map(other).collect())
}

/// Returns true if some change of the setting alone, from one of the links, changes the value of `seen`.
fn matters<T: PartialEq>(setting: &Setting, links: &[&str], seen: impl Fn(&Settings) -> T) -> bool {
    links.iter().any(|link| {
        let (settings, others) = changes(link, setting);
        let now = seen(&settings);
        others.iter().any(|other| seen(other) != now)
    })
}

fn report(tape: &Tape, settings: &Settings) -> serde_json::Value {
    let run = LaneHistory::run(tape, &settings.lane(), &LinkInputs::default(), 0);
    serde_json::to_value(run.report(0)).expect("a report is written as JSON")
}

#[test]
fn a_setting_changes_the_motion_where_its_effect_says_so() {
    for setting in &SCHEMA {
        let id = setting.id;
        let is_of_the_world = setting.effect >= Effect::Motion;
        let world = matters(setting, &LINKS, Settings::world);
        assert_eq!(
            world || setting.effect == Effect::World,
            is_of_the_world,
            "{id}"
        );
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_setting_changes_a_lane_where_its_row_says_so() {
    let tapes = LINKS.map(|link| Tape::record(&permalink::parse(link).0, TICKS));
    for setting in SCHEMA.iter().filter(|it| it.key != Key::Strategy) {
        let id = setting.id;
        for strategy in Strategy::ALL {
            let changes_a_lane = LINKS.iter().zip(&tapes).rev().any(|(link, tape)| {
                let run = |settings: &Settings| report(tape, settings);
                let (settings, others) = changes(link, setting);
                settings.strategy() == strategy && setting.is_used_by(strategy) && {
                    let now = run(&settings);
                    others.iter().any(|other| run(other) != now)
                }
            });
            let is_read = setting.is_read_by_a_lane && setting.is_used_by(strategy);
            let is_seen = is_read && !SMALL_PACKETS.contains(&(setting.key, strategy));
            assert_eq!(changes_a_lane, is_seen, "{id} {strategy:?}");
        }
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn an_idle_setting_changes_nothing_of_a_lane() {
    let links = [
        "#scene=katamari&grid=5&hz=20&codec=uncompressed&loss=0",
        "#scene=katamari&grid=5&hz=20&codec=velocity&loss=0",
        "#scene=katamari&grid=5&hz=20&codec=predicted&loss=10&interp=hermite",
        "#scene=roll&grid=5&strategy=sync&loss=0",
        "#scene=katamari&grid=5&strategy=lockstep&loss=0",
        "#scene=katamari&grid=5&strategy=game&predict=wait&loss=0",
    ];
    let mut seen_idle = Vec::new();
    for link in links {
        let tape = Tape::record(&permalink::parse(link).0, TICKS);
        let run = |settings: &Settings| report(&tape, settings);
        for setting in &SCHEMA {
            let id = setting.id;
            let (settings, others) = changes(link, setting);
            if setting.is_used_by(settings.strategy()) && settings.is_idle(setting.key) {
                let now = run(&settings);
                let same = others.iter().all(|other| run(other) == now);
                assert!(same, "{link}: {id}");
                seen_idle.push(setting.id);
            }
        }
    }
    let may_be_idle = |it: &&Setting| it.idle_without.is_some() || it.idle_on_rungs.is_some();
    for setting in SCHEMA.iter().filter(may_be_idle) {
        let id = setting.id;
        assert!(seen_idle.contains(&setting.id), "{id}");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_setting_changes_the_ladder_where_its_row_says_so() {
    let links = &LINKS[..4];
    let tape = Tape::record(&permalink::parse(links[0]).0, TICKS);
    for setting in SCHEMA.iter().filter(|it| it.key != Key::Strategy) {
        let id = setting.id;
        let changed = matters(setting, links, |settings| {
            let mut rungs = rungs(&tape, &Class::ALL);
            rungs.retain(|(rung, _)| !rung.needs_simulation());
            let (span, link_inputs) = (TickSpan::stored(&tape), LinkInputs::default());
            climb(&tape, settings, &link_inputs, span, &rungs, &mut |_, _| ()).rows
        });
        let used = matches!(setting.on_ladder, OnLadder::Heeded | OnLadder::Size);
        assert_eq!(changed, used, "{id}");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_setting_changes_the_counts_of_widths_where_its_row_says_so() {
    let tape = Tape::record(&permalink::parse(LINKS[0]).0, TICKS);
    let counts = |settings: &Settings| {
        let (span, link_inputs) = (TickSpan::stored(&tape), LinkInputs::default());
        // The chosen widths are read from the settings at last; everything else is counted.
        let counts = widths::count(&tape, settings, &link_inputs, span, &mut |_, _| ());
        [&counts.position, &counts.orientation]
            .map(|part| (part.values, part.absolute, part.histogram.clone()))
    };
    for setting in SCHEMA.iter().filter(|it| it.key != Key::Strategy) {
        let id = setting.id;
        let way_there = setting.way_there.unwrap_or(setting.key);
        for (link, by_size) in [(LINKS[0], false), ("#hz=30&loss=20&mtu=576&pos=12", true)] {
            let changed = matters(setting, &[link], counts);
            let may = match setting.on_ladder {
                OnLadder::Heeded => true,
                OnLadder::Size | OnLadder::Varied => by_size,
                OnLadder::Ignored => false,
            };
            // A rung without flags counts what did not change as well.
            assert!(may || !changed || setting.key == Key::Codec, "{id}: {link}");
            let must = setting.on_ladder == OnLadder::Heeded
                && !by_size
                && setting.key != Key::VelocityBits
                && !NEED_ANOTHER.contains(&setting.key)
                && !permalink::parse(link).0.is_idle(way_there)
                // Packets on the rung that is counted are too small to be cut.
                && !setting.depends_on_size;
            assert!(changed || !must, "{id}: {link}");
        }
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_packet_s_fate_depends_on_its_size_where_a_row_says_so() {
    let tape = Tape::record(&permalink::parse(LINKS[0]).0, TICKS);
    for setting in &SCHEMA {
        let id = setting.id;
        let (settings, others) = changes("#hz=30&loss=20&grid=6", setting);
        assert!(!settings.fate_depends_on_size());
        let (mut depends, mut differs) = (false, false);
        for other in others
            .iter()
            .filter(|it| it.strategy() == Strategy::Snapshot)
        {
            // Rungs of very different packets: where sizes decide, other packets are lost, or they wait longer.
            let [large, small] = ["uncompressed", "changed-flags"].map(|codec| {
                let mut settings = *other;
                settings.set_text("codec", codec).unwrap();
                let report = report(&tape, &settings);
                ["packets_lost", "delay_ms"].map(|figure| report[figure].clone())
            });
            assert!(other.fate_depends_on_size() || large == small, "{id}");
            depends |= other.fate_depends_on_size();
            differs |= large != small;
        }
        // A bottleneck that is wide enough loses nothing, and so do those of the links' presets.
        assert!(depends == differs || setting.key == Key::Link, "{id}");
    }
}

#[test]
fn lane_b_has_a_value_of_its_own_where_neither_scene_nor_pace_would_be_another() {
    let pairs = SCHEMA
        .iter()
        .flat_map(|it| [0, 4, 6].map(|at| (it, LINKS[at])));
    for (setting, link) in pairs {
        let id = setting.id;
        let (settings, others) = changes(link, setting);
        for other in others {
            let b = other.on_the_motion_of(&settings);
            assert_eq!(b == settings, setting.is_shared_by_lanes(), "{id}");
            let effect = settings.effect_of_change_to(&b);
            assert!(effect != Effect::World, "{id}");
            let shows = effect != Effect::AtOnce || !setting.is_used_by(settings.strategy());
            assert!(b == settings || shows, "{id}");
        }
    }
}

#[test]
fn a_sweep_draws_only_for_strategies_that_heed_the_setting() {
    for setting in &SCHEMA {
        let id = setting.id;
        for (strategy, least, most) in setting.drawn {
            assert!(least <= most && setting.is_used_by(*strategy), "{id}");
            let domain = setting.domain_in(*strategy);
            assert!((*least..=*most).any(|value| domain.contains(value)), "{id}");
        }
    }
}
