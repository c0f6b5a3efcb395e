//! The ladder's cost of a rung equals the cost of a whole lane on that rung.

use super::*;
use crate::testing::settings;
use snapshot_lane::Lane;
use snapshot_lane::measure::metrics::ErrorNow;
use snapshot_lane::schedule::ScheduledPacket;
use snapshot_netsim::channel::Override;
use snapshot_settings::Key;

/// Networks at their worst, with and without what makes faults depend on a packet's size.
const LINKS: [&str; 6] = [
    "#scene=katamari&grid=8&hz=60&loss=10&burst=3&jitter=40&dup=10&reorder=20",
    "#scene=blow&grid=9&hz=20&loss=30&jitter=100&dup=50&reorder=50&latency=300&header=none",
    "#scene=mixed&grid=7&hz=7&loss=5&pos=7&rot=11&vel=2&header=ipv6&seed=9",
    "#scene=katamari&grid=12&hz=30&mtu=576&loss=20&burst=2&jitter=20&dup=10&reorder=10",
    "#scene=katamari&grid=8&hz=30&rate=256&queue=200&neighbour=60&loss=3&burst=3&badloss=60&badms=30&shape=pareto&order=1&stall=20",
    // A sequence wraps never so soon; a baseline grows too old where all acknowledgements are lost for 256 ticks.
    "#scene=roll&grid=6&hz=45&latency=0&pos-small=7&rot-large=6",
];

/// Length of the motion.
const TICKS: u64 = 600;

/// A motion with a short cut and one after which every baseline is too old.
fn tape(settings: &Settings) -> Tape {
    let mut tape = Tape::record(settings, TICKS);
    tape.cut(100..130);
    tape.cut(180..460);
    tape
}

/// Returns the costs of all rungs over a whole tape, in both classes.
fn climbed(tape: &Tape, settings: &Settings, link_inputs: &LinkInputs) -> RungCosts {
    let mut rungs = rungs(tape, &Class::ALL);
    // At more packets a second the rungs that simulate take minutes.
    rungs.retain(|(rung, _)| {
        settings.chosen_rate_hz() <= SIMULATED_HZ_MAX || !rung.needs_simulation()
    });
    let span = TickSpan::stored(tape);
    climb(tape, settings, link_inputs, span, &rungs, &mut |_, _| ())
}

/// A lane on the rung of a row, at the tape's end.
fn lane(row: &RungCost, settings: &Settings, tape: &Tape, link_inputs: &LinkInputs) -> Lane {
    let mut settings = *settings;
    settings.set(Key::Codec, row.rung.into()).unwrap();
    if let Some(class) = row.class {
        settings.set_text("class", class).unwrap();
    }
    let mut lane = Lane::with(&settings.lane(), &tape.world_at(0), link_inputs);
    let mut truth = Vec::new();
    tape.truth().read(0, &mut truth);
    for tick in 1..=tape.last_tick() {
        lane.set_cut(tape.is_cut(tick));
        lane.tick(&tape.frame(tick, &mut truth).unwrap());
    }
    assert_eq!(lane.metrics().refused, 0);
    lane
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn every_rung_costs_what_a_whole_lane_on_it_costs() {
    for link in LINKS {
        let settings = settings(link);
        let tape = tape(&settings);
        // Some packets are lost by hand, on every rung.
        let mut link_inputs = LinkInputs::default();
        (90..150).for_each(|number| link_inputs.overrides.set(number, Some(Override::Lost)));
        let rows = climbed(&tape, &settings, &link_inputs);
        assert_eq!((rows.after_tick, rows.last_tick), (0, TICKS));
        let simulates = settings.chosen_rate_hz() <= SIMULATED_HZ_MAX;
        assert_eq!(rows.rows.len(), if simulates { 18 } else { 16 });
        for row in &rows.rows {
            let lane = lane(row, &settings, &tape, &link_inputs);
            let report = lane.report(0);
            let scheduled = (row.packets, row.bytes_per_packet, row.kbps);
            let bytes = report.bytes_per_packet_mean;
            let expected = (report.packets_sent, bytes, report.kbps_mean);
            assert_eq!(scheduled, expected, "{link} {row:?}");
            assert_eq!(row.bits_per_changed_cube, report.bits_per_changed_cube);
        }
        let classes: Vec<_> = rows.rows[12..].iter().map(|row| row.class).collect();
        let (strict, chained) = (Some("strict"), Some("chained"));
        assert_eq!(classes, [strict, chained].repeat(classes.len() / 2));
    }
}

/// Errors of what a lane on a rung shows, tick by tick.
fn shown(rung: u8, settings: &Settings, tape: &Tape) -> Vec<ErrorNow> {
    let mut settings = *settings;
    settings.set(Key::Codec, rung.into()).unwrap();
    let mut lane = Lane::with(&settings.lane(), &tape.world_at(0), &LinkInputs::default());
    let mut truth = Vec::new();
    tape.truth().read(0, &mut truth);
    let mut show = |tick| {
        lane.tick(&tape.frame(tick, &mut truth).unwrap());
        lane.metrics().now
    };
    (1..=tape.last_tick()).map(&mut show).collect()
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_rung_is_as_far_off_as_a_lane_that_shows_its_snapshots_at_once() {
    let link = "#scene=katamari&grid=8&hz=60&latency=0&jitter=0&loss=0&interp=none&pos=6&rot=5";
    let settings = settings(link);
    let tape = Tape::record(&settings, 600);
    let link_inputs = LinkInputs::default();
    let shown: Vec<Vec<ErrorNow>> = (0..)
        .zip(Rung::ALL)
        .map(|(rung, _)| shown(rung, &settings, &tape))
        .collect();
    for row in climbed(&tape, &settings, &link_inputs).rows {
        // In a few ticks a packet comes just too late, which the exact rung shows.
        let at_once = shown[usize::from(row.rung)].iter().zip(&shown[0]);
        let at_once = at_once.filter(|(_, exact)| exact.surface_max_mm < 0.01);
        let (mut sum_mm, mut cubes, mut worst_mm) = (0.0, 0.0, 0.0_f64);
        for (now, _) in at_once {
            sum_mm += now.surface_mean_mm * f64::from(now.interacting_cubes);
            cubes += f64::from(now.interacting_cubes);
            worst_mm = worst_mm.max(now.surface_max_mm);
        }
        let sent = row.surface_error_mm;
        let mean_mm = sum_mm / cubes;
        let apart = (sent.mean - mean_mm).abs();
        assert!(apart <= 0.02 * mean_mm + 1e-3, "{mean_mm} {row:?}");
        // The ladder has the other ticks, too.
        let worst = worst_mm - 1e-3..=1.2 * worst_mm + 1e-3;
        assert!(worst.contains(&sent.worst), "{worst:?} {row:?}");
        let is_exact = row.rung == 0;
        assert_eq!(sent.worst < 0.01, is_exact, "{row:?}");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_rung_above_the_rate_delivers_the_rate_and_one_below_it_what_it_sends() {
    let settings = settings("#scene=katamari&grid=12&hz=60&rate=256&queue=200&loss=0&jitter=0");
    let tape = Tape::record(&settings, TICKS);
    let rows = climbed(&tape, &settings, &LinkInputs::default()).rows;
    let above = &rows[0];
    assert!((240.0..=272.0).contains(&above.delivered_kbps), "{above:?}");
    assert!(above.link.lost_by_queue * 2 > above.link.link_packets);
    let below = &rows[13];
    assert_eq!(below.link.lost_by_queue, 0);
    let share = below.delivered_kbps / below.kbps;
    assert!((0.97..1.03).contains(&share), "{below:?}");
}

#[test]
fn a_schedule_tells_what_a_lane_meets() {
    let settings = settings(LINKS[0]);
    let tape = tape(&settings);
    let mut schedule = Schedule::new(&settings.lane(), &LinkInputs::default());
    let mut lane = Lane::new(&settings.lane(), &tape.world_at(0));
    let mut truth = Vec::new();
    tape.truth().read(0, &mut truth);
    let mut records = Vec::new();
    for tick in 1..=TICKS {
        schedule.advance(tick, tape.is_cut(tick));
        lane.set_cut(tape.is_cut(tick));
        lane.tick(&tape.frame(tick, &mut truth).unwrap());
        records.extend(lane.newest_packet().copied());
    }
    let scheduled: Vec<_> = schedule.packets().collect();
    assert_eq!(scheduled.len(), records.len());
    for (scheduled, record) in scheduled.iter().zip(&records) {
        assert_eq!(
            (scheduled.number, scheduled.tick),
            (record.number, record.tick)
        );
        assert_eq!(
            (scheduled.sent, scheduled.baseline_tick),
            (record.sent, record.baseline_tick)
        );
    }
    // A baseline is one whose arrival its sender knows of.
    for scheduled in scheduled
        .iter()
        .filter(|scheduled| scheduled.baseline_tick.is_some())
    {
        let of = |packet: &&ScheduledPacket| Some(packet.tick) == scheduled.baseline_tick;
        let baseline = schedule.packets().find(of).unwrap();
        assert!(baseline.acked_tick.unwrap() <= scheduled.tick);
    }
    assert!(
        scheduled
            .iter()
            .any(|scheduled| scheduled.tick > 440 && scheduled.baseline_tick.is_none())
    );
}

/// Near the server baselines are a tick old, far from it and at few packets a second a second old.
#[test]
#[ignore = "run by `cargo xtask test apart`: it judges the trained tables"]
fn no_rung_from_9_on_is_dearer_than_the_one_two_below() {
    const NETWORKS: [&str; 8] = [
        "hz=60&latency=0",
        "hz=60&latency=10",
        "hz=60&latency=25&jitter=17&loss=5",
        "hz=60&latency=100",
        "hz=60&latency=500",
        "hz=20&latency=0",
        "hz=20&latency=250&jitter=17&loss=5",
        "hz=10&latency=500",
    ];
    for (scene, until) in [("mixed", 900), ("blow", 600)] {
        let scene = format!("#scene={scene}&grid=16");
        let tape = Tape::record(&settings(&scene), until);
        for network in NETWORKS {
            let settings = settings(&format!("{scene}&{network}"));
            let link_inputs = LinkInputs::default();
            let rungs = rungs(&tape, &Class::ALL).into_iter();
            let rungs: Vec<_> = rungs
                .filter(|(rung, _)| (7..=13).contains(&rung.number()))
                .collect();
            // Three seconds, of which the first packets are larger on every rung.
            let span = TickSpan {
                after: until - 240,
                last: until,
            };
            let rows = climb(&tape, &settings, &link_inputs, span, &rungs, &mut |_, _| ()).rows;
            let bytes = |rung: u8, class: Option<&str>| {
                let row = rows
                    .iter()
                    .find(|row| row.rung == rung && (row.class.is_none() || row.class == class));
                row.expect("every rung has its row").bytes_per_packet
            };
            for class in [Some("chained"), Some("strict")] {
                // Strict, rung 12 learns anew in each packet: where little moves that is dearer than widths.
                let rungs = (9..=13).filter(|&rung| rung != 12 || class == Some("chained"));
                for rung in rungs {
                    let (own, below) = (bytes(rung, class), bytes(rung - 2, class));
                    assert!(
                        own <= below,
                        "{scene} {network}: rung {rung} {own}, two below {below}"
                    );
                }
                let [last, before] = [13, 12].map(|rung| bytes(rung, class));
                assert!(
                    last <= 0.95 * before,
                    "{scene} {network} {class:?}: rung 13 {last}, rung 12 {before}"
                );
            }
        }
    }
}
