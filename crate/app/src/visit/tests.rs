//! Tests of a visit: the state that survives another link, and the words of notices.

use super::*;
use crate::link::LATEST_TICK;
use snapshot_codec::Life;
use snapshot_lane::client::{NOT_THERE, ShownInstant};
use snapshot_lane::history::PacketFate;
use snapshot_physics::Input;
use snapshot_record::motion::csv;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, permalink};
use snapshot_view::Pose;

const NO_NOTICES: [String; 0] = [];

fn tour(id: &str) -> Option<Stop> {
    let [linear, cut] = [
        Stop {
            id: "linear",
            link: "v=2&scene=katamari&interp=linear&at=240",
            cut: None,
            trace: None,
        },
        Stop {
            id: "cut",
            link: "v=2&scene=roll&grid=5&at=60",
            cut: Some(Cut {
                after_tick: 120,
                ticks: 90,
            }),
            trace: None,
        },
    ];
    let id = if id == "straight" { "linear" } else { id };
    [linear, cut].into_iter().find(|stop| stop.id == id)
}

fn played(link: &str, ticks: u32) -> Visit {
    let mut visit = Visit::new(link, tour);
    while visit.is_on_its_way() {
        visit.tick(Input::NONE);
    }
    (0..ticks).for_each(|_| visit.tick(Input::NONE));
    visit
}

fn slide(ticks: u32) -> Motion {
    let rows = (0..=ticks).map(|tick| format!("{tick},0,{},0,1,0,0,0,1\n", tick as f32 * 0.05));
    let text = format!(
        "tick,object,x,y,z,qx,qy,qz,qw\n{}",
        rows.collect::<String>()
    );
    Motion::read(text.as_bytes()).unwrap()
}

fn trace(text: &str) -> Arc<Trace> {
    Arc::new(Trace::read(text.as_bytes()).unwrap())
}

#[test]
fn the_address_of_a_late_pause_opens_without_a_notice() {
    let mut visit = Visit::new("#scene=roll", tour);
    let settings = *visit.lab.settings();
    visit.lab = Lab::over(Tape::beginning_at(&settings, LATEST_TICK), settings);
    assert!(visit.permalink(true).contains("at=36000"));
    visit.tick(Input::NONE);
    visit.looking_mut().packet = Some(40_000);
    let late = visit.permalink(true);
    assert!(!late.contains("at=") && !late.contains("packet="), "{late}");
    assert_eq!(Visit::new(&late, tour).notices(), NO_NOTICES);
}

#[test]
fn another_link_of_the_same_world_keeps_the_motion() {
    let mut visit = played("#grid=5&scene=roll&hz=20", 90);
    visit.open("#grid=5&scene=roll&hz=30&b.hz=10&show=errors&packet=7");
    assert_eq!(visit.lab().tick_count(), 90);
    assert_eq!(visit.settings_of(LaneId::A).text(Key::SendRate), "30");
    assert_eq!(visit.settings_of(LaneId::B).text(Key::SendRate), "10");
    assert_eq!(visit.looking().show.as_deref(), Some("errors"));
    visit.open("#grid=5&scene=roll&hz=30&at=40");
    assert_eq!((visit.lab().tick_count(), visit.going_to()), (40, None));
    assert!(visit.lab().b().is_none());
    visit.open("#grid=5&scene=roll&at=120");
    assert_eq!(visit.going_to(), Some(120));
    assert!(visit.permalink(false).ends_with("at=120"));
    while visit.is_on_its_way() {
        visit.tick(Input::NONE);
    }
    assert_eq!((visit.lab().tick_count(), visit.going_to()), (120, None));
    visit.open("#grid=5&scene=katamari");
    assert_eq!(visit.lab().tick_count(), 0);
}

#[test]
fn what_a_person_did_survives_in_the_link_until_something_of_the_motion_changes() {
    let mut visit = played("#grid=5&scene=drive", 30);
    visit.tick(Input::from_bits(4));
    visit.set_cut(true);
    (0..20).for_each(|_| visit.tick(Input::NONE));
    visit.set_cut(false);
    let shared = visit.share().unwrap();
    let mut other = played(&shared, 0);
    assert!(other.looking().has_acts() && other.lab().tape().is_cut(40));
    assert_eq!(other.lab().truth(), visit.lab().truth());
    // A figure or a rung is nothing of the motion.
    other.looking_mut().show = Some("bits".to_string());
    other.set_text(LaneId::A, "hz", "30").unwrap();
    assert!(other.looking().has_acts());
    other.restart();
    assert_eq!(other.lab().tick_count(), 0);
    assert!(other.lab().tape().is_replaying());
    // A link without these acts begins anew, and so does one with others.
    other.open("#grid=5&scene=drive");
    assert!(!other.looking().has_acts() && other.lab().tick_count() == 0);
    let mut other = played(&shared, 0);
    other.set_text(LaneId::A, "grid", "6").unwrap();
    assert!(!other.looking().has_acts());
    let mut other = played(&shared, 0);
    other.take_over();
    assert!(!other.looking().has_acts());
    assert!(
        Visit::new("#grid=5", tour)
            .permalink(false)
            .ends_with("grid=5")
    );
}

#[test]
fn a_motion_is_asked_for_told_from_another_and_shown_at_the_links_instant() {
    let (own, other) = (slide(100), slide(60));
    let name = |motion: &Motion| format!("{:08x}", motion.facts.fingerprint);
    let link = format!("#hz=20&motion={}&at=80", name(&own));
    let mut visit = Visit::new(&link, tour);
    let asks = format!(
        "This link is of somebody's own motion ({}), which no link can carry: drop its file on this page. Until then our own world plays",
        name(&own)
    );
    assert_eq!(visit.notices(), [asks]);
    visit.play_motion(other.clone(), None);
    let mismatch = format!(
        "The link is of another motion ({}); this is {}",
        name(&own),
        name(&other)
    );
    assert_eq!(visit.notices(), [mismatch]);
    visit.open(&link);
    assert!(visit.played_motion().is_none());
    visit.play_motion(own, None);
    assert_eq!(
        (visit.notices(), visit.lab().tick_count()),
        (&NO_NOTICES[..], 80)
    );
    assert!(visit.permalink(true).contains("motion=") && !visit.is_on_its_way());
    assert!(visit.share().unwrap().contains("motion="));
    visit.leave_motion();
    assert!(visit.played_motion().is_none() && !visit.permalink(true).contains("motion="));

    let mut visit = Visit::new(&format!("#motion={}&at=80", name(&other)), tour);
    visit.play_motion(other, None);
    assert_eq!(
        visit.notices(),
        ["The link is of 1.3 s, and this motion ends at 1.0 s, which is shown"]
    );
}

/// A client's recording over a motion: every object stands, and the picture is six ticks old.
fn client(motion: &Motion, fingerprint: u32) -> ClientRecording {
    let pose = Pose {
        position: [0.0, 0.0, f32::from(fingerprint as u8)],
        life: Life::FIRST,
        ..NOT_THERE
    };
    let poses = vec![pose; motion.objects()];
    let files = [fingerprint, motion.facts.fingerprint];
    let mut recording = ClientRecording::new(files, 100.0, None, poses.clone());
    for tick in 1..=motion.ticks() {
        let play_tick = tick as f64 - 6.0;
        let at = ShownInstant {
            play_tick,
            drawn_tick: play_tick,
        };
        recording.push((play_tick >= 0.0).then_some(at), &poses);
    }
    recording
}

#[test]
fn a_client_s_recording_is_asked_for_and_is_lane_b_over_its_motion_alone() {
    let (own, other) = (slide(100), slide(60));
    let named = format!(
        "#hz=20&motion={:08x}&client=00000007&at=80",
        own.facts.fingerprint
    );
    let mut visit = Visit::new(&named, tour);
    assert_eq!(visit.notices().len(), 2);
    visit.play_motion(own.clone(), None);
    let [asks] = visit.notices() else {
        panic!("{:?}", visit.notices());
    };
    assert!(asks.contains("client drew (00000007)"), "{asks}");
    visit.show_client(client(&own, 7));
    assert_eq!(
        (visit.notices(), visit.lab().tick_count()),
        (&NO_NOTICES[..], 80)
    );
    visit.lab_mut().finish();
    let of_b = |visit: &Visit| {
        let b = visit.lab().b().unwrap();
        (
            b.client().is_some(),
            b.live(80).and_then(|live| live.behind_ms),
        )
    };
    assert_eq!(of_b(&visit), (true, Some(100.0)));
    assert_eq!(visit.lab().b().unwrap().view().position_half_m[0][2], 7.0);
    // Neither a setting of A nor a network nor a cut changes what the client drew.
    visit.set_text(LaneId::A, "loss", "20").unwrap();
    visit.use_trace(trace("0,20\n10,40\n"));
    visit.cut_for(5);
    assert!(
        visit
            .lab()
            .b()
            .unwrap()
            .progress(visit.lab().tape())
            .is_none()
    );
    visit.lab_mut().finish();
    assert_eq!(of_b(&visit), (true, Some(100.0)));
    let link = visit.permalink(true);
    assert!(link.contains("&client=00000007"), "{link}");
    assert!(visit.share().unwrap().contains("&client=00000007"));
    // It is held: the link shows it again, also after acts that begin anew.
    visit.open("#hz=20");
    assert!(visit.lab().b().is_none());
    for link in [link.clone(), format!("{link}&drop=3")] {
        visit.open(&link);
        visit.lab_mut().finish();
        assert!(of_b(&visit).0, "{link}: {:?}", visit.notices());
    }
    // A setting of B puts a lane of the lab in its place, and another motion takes it away.
    visit.set_text(LaneId::B, "loss", "10").unwrap();
    assert!(!of_b(&visit).0 && !visit.permalink(true).contains("client="));
    visit.show_client(client(&own, 9));
    assert!(of_b(&visit).0);
    visit.play_motion(other.clone(), None);
    assert!(visit.lab().b().is_none() && !visit.permalink(true).contains("client="));
    // Before its motion plays it waits for it.
    visit.show_client(client(&own, 9));
    assert!(visit.lab().b().is_none());
    visit.play_motion(own, None);
    assert!(of_b(&visit).0);
    visit.leave_motion();
    assert!(visit.lab().b().is_none() && !visit.permalink(true).contains("client="));
}

#[test]
fn the_facts_of_a_motion_s_file_are_in_its_link_until_another_motion_plays() {
    let raw = b"Bild;Wer;Pos X;y;z\n0;ball;0,5;0;1\n1;ball;0,6;0;1\n";
    let facts = "tick=Bild\nobject=Wer\nx=Pos X\n";
    let motion = Motion::read(&csv::with_facts(raw, facts)[..]).unwrap();
    let mut visit = Visit::new("#hz=20", tour);
    visit.play_motion(motion.clone(), Some(facts.to_owned()));
    let link = visit.permalink(true);
    let written = "&columns=tick:Bild~object:Wer~x:Pos.20X~";
    assert!(link.contains(written), "{link}");
    assert!(visit.share().unwrap().contains(written));
    let mut other = Visit::new(&link, tour);
    assert_eq!(other.looking().facts_for(raw), Some(facts));
    assert_eq!(other.looking().facts_for(b"another file"), None);
    other.play_motion(motion, None);
    assert!(other.permalink(true).contains(written));
    other.play_motion(slide(60), None);
    assert!(!other.permalink(true).contains("columns="));
    assert_eq!(
        Visit::new("#columns=up:y~", tour)
            .permalink(true)
            .find("columns"),
        None
    );
}

#[test]
fn a_trace_is_asked_for_kept_through_a_restart_and_told_from_another() {
    let (own, other) = (trace("0,20\n10,lost\n20,30\n"), trace("0,20\n10,40\n"));
    let mut visit = Visit::new(&format!("#grid=5&trace={:08x}", own.fingerprint()), tour);
    let asks = format!(
        "This link is of somebody's own network ({:08x}), a trace that no link can carry: drop its file on this page. Until then the settings' network is used",
        own.fingerprint()
    );
    assert_eq!(visit.notices(), std::slice::from_ref(&asks));
    visit.use_trace(other.clone());
    let mismatch = format!(
        "The link is of another trace ({:08x}); this is {:08x}",
        own.fingerprint(),
        other.fingerprint()
    );
    assert_eq!(visit.notices(), [mismatch]);
    visit.use_trace(own.clone());
    assert_eq!(visit.notices(), NO_NOTICES);
    let link = visit.permalink(false);
    // Acts begin anew, and the trace is here still.
    visit.open(&format!("{link}&cut=10-20"));
    assert_eq!(
        (visit.notices(), visit.lab().trace()),
        (&NO_NOTICES[..], Some(&own))
    );
    visit.open("#grid=5");
    assert!(visit.lab().trace().is_none());
    visit.open(&link);
    assert_eq!(visit.lab().trace(), Some(&own));
    visit.leave_trace();
    assert_eq!(visit.permalink(false), "v=2&grid=5");
    assert_eq!(Visit::new(&link, tour).notices(), [asks]);
}

#[test]
fn the_offset_into_a_trace_survives_a_link_a_share_and_a_restart() {
    let own = trace("0,20\n10,lost\n20,30\n30,40\n");
    let link = format!("#grid=5&trace={:08x}&trace-from=0.02", own.fingerprint());
    let mut visit = Visit::new(&link, tour);
    assert!(visit.permalink(false).ends_with("&trace-from=0.02"));
    visit.use_trace(own.clone());
    assert_eq!(visit.lab().trace_from_ms(), 20);
    assert!(visit.permalink(false).ends_with("&trace-from=0.02"));
    assert!(visit.share().unwrap().contains("&trace-from=0.02"));
    visit.restart();
    assert_eq!(visit.lab().trace_from_ms(), 20);
    visit.begin_trace_at(10);
    assert!(visit.permalink(false).ends_with("&trace-from=0.01"));
    // The link still names the trace that is held, and another offset into it.
    visit.open(&link);
    assert_eq!(
        (visit.lab().trace_from_ms(), visit.notices()),
        (20, &NO_NOTICES[..])
    );
    // The offset is one into the trace that the link names.
    let mut visit = Visit::new(&link, tour);
    visit.use_trace(trace("0,20\n10,40\n"));
    assert_eq!((visit.lab().trace_from_ms(), visit.notices().len()), (0, 1));
    visit.leave_trace();
    assert_eq!(visit.permalink(false), "v=2&grid=5");
    // A visit that is elsewhere opens the link, and then gets the trace and the motion.
    let motion = slide(100);
    let mut visit = Visit::new("#grid=5&hz=60", tour);
    let named = format!("{link}&at=50&motion={:08x}", motion.facts.fingerprint);
    visit.open(&named.replace("grid=5", "hz=20"));
    visit.use_trace(own);
    assert_eq!(visit.lab().trace_from_ms(), 20);
    visit.play_motion(motion, None);
    assert_eq!(
        (visit.lab().trace_from_ms(), visit.lab().tick_count()),
        (20, 50)
    );
    assert_eq!(visit.notices(), NO_NOTICES);
}

#[test]
fn the_overrides_of_a_dropped_motion_are_those_of_its_link() {
    let own = slide(100);
    let link = format!(
        "#hz=20&motion={:08x}&at=80&cut=30-40&drop=5.7",
        own.facts.fingerprint
    );
    let mut visit = Visit::new(&link, tour);
    visit.play_motion(own.clone(), None);
    assert!(visit.lab().tape().is_cut(35));
    assert_eq!(visit.lab().a().overrides().iter().count(), 2);
    let shared = visit.share().unwrap();
    assert!(
        shared.contains("&cut=30-40") && shared.contains("&drop=5.7"),
        "{shared}"
    );
    // Another link of the motion that is held has overrides of its own.
    visit.open(&link.replace("drop=5.7", "drop=9"));
    assert!(visit.played_motion().is_some());
    assert_eq!(visit.lab().a().overrides().iter().count(), 1);
    assert_eq!(visit.lab().tick_count(), 80);
}

#[test]
fn a_bare_step_opens_its_link_and_keeps_a_motion_that_is_its_own() {
    let step = tour("linear").unwrap();
    let visit = Visit::new("https://example.org/#v=2&step=linear&embed=1", tour);
    assert!(visit.looking().embed && visit.notices().is_empty());
    let asked = step.read_link().unwrap();
    assert_eq!(visit.lab().settings(), &asked.a.settings);
    assert_eq!(visit.going_to(), asked.at);

    let mut visit = played("#scene=katamari", 300);
    visit.open_step("linear");
    assert_eq!((visit.lab().tick_count(), visit.going_to()), (240, None));
    visit.open_step("no such step");
    assert_eq!(visit.looking().step.as_deref(), Some("linear"));
    visit.close_step();
    assert_eq!(
        (visit.lab().tick_count(), visit.looking().step.as_deref()),
        (240, None)
    );
    // A person's motion is no step's.
    visit.take_over();
    visit.open_step("linear");
    assert_eq!((visit.lab().tick_count(), visit.going_to()), (0, Some(240)));

    // A step that is gone opens the one that has its subject now, and says so.
    for link in ["#step=straight", "#v=2&scene=katamari&step=straight"] {
        let visit = Visit::new(link, tour);
        assert_eq!(visit.looking().step.as_deref(), Some("linear"));
        assert!(
            visit.notices()[0].contains("\"linear\""),
            "{:?}",
            visit.notices()
        );
    }

    let visit = Visit::new("#step=none", tour);
    assert!(
        visit.notices()[0].contains("a step of the tour"),
        "{:?}",
        visit.notices()
    );
}

#[test]
fn a_step_s_cut_is_the_one_that_its_claims_are_measured_with() {
    let cut = tour("cut").and_then(|stop| stop.cut).unwrap();
    let visit = played("#step=cut", 300);
    let tape = visit.lab().tape();
    let (first, last) = (tape.first_tick(), tape.last_tick());
    for tick in first..last {
        let wanted = cut.ticks_left_after(tick) > 0;
        assert_eq!(tape.is_cut(tick + 1), wanted, "{tick}");
    }
    assert!(cut.after_tick < last && cut.after_tick + u64::from(cut.ticks) > cut.after_tick);
}

#[test]
fn another_fate_of_a_packet_is_lane_bs_and_goes_with_it() {
    let mut visit = played("#grid=5&scene=roll&loss=0", 120);
    visit.what_if(9, Override::Lost);
    visit.lab_mut().finish();
    let b = visit.lab().b().and_then(|b| b.history()).unwrap();
    let lost = |packet: snapshot_lane::history::Packet| packet.fate == PacketFate::Lost;
    assert_eq!(
        b.packets(0..121, 120)
            .filter(|packet| lost(packet.clone()))
            .count(),
        1
    );
    let (packets, first) = visit.lab().first_difference().unwrap();
    assert!(packets == [9] && first.is_some());
    // A reload loses it again, and so does the way back to this link.
    let link = visit.permalink(true);
    assert!(link.contains("b.drop=9"), "{link}");
    let mut again = Visit::new(&link, tour);
    while again.is_on_its_way() {
        again.tick(Input::NONE);
    }
    again.lab_mut().finish();
    assert_eq!(again.lab().first_difference().unwrap().0, [9]);
    let ticks = visit.lab().tape().last_tick();
    visit.open(&link);
    assert_eq!(
        visit.lab().tape().last_tick(),
        ticks,
        "nothing is made anew"
    );
    assert_eq!(visit.lab().first_difference().unwrap().0, [9]);
    visit.drop_b();
    assert!(visit.lab().first_difference().is_none());
    let (settings, _) = permalink::parse(&visit.permalink(false));
    assert_eq!(&settings, visit.lab().settings());
}
