//! Tests of a session: the state that survives another link, and the words of notices.

use super::*;
use crate::command::Command;
use crate::command::lanes::LaneCommand;
use crate::command::time::TimeCommand;
use crate::frame::Held;
use crate::link::LATEST_TICK;
use crate::pile;
use crate::query::cubes::first_difference;
use snapshot_codec::Life;
use snapshot_lane::client::{NOT_THERE, ShownInstant};
use snapshot_lane::history::PacketFate;
use snapshot_physics::Input;
use snapshot_record::motion::csv;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, permalink};
use snapshot_view::Pose;

const NO_NOTICES: [String; 0] = [];

fn change(session: &mut Session, command: TimeCommand) {
    session.apply(Command::Time(command)).unwrap();
}

fn set(session: &mut Session, lane: LaneId, id: &str, text: &str) {
    let (id, text) = (id.to_owned(), text.to_owned());
    let set = LaneCommand::Set { lane, id, text };
    session.apply(Command::Lane(set)).unwrap();
}

fn played(link: &str, ticks: u32) -> Session {
    let mut session = Session::new(link);
    while session.is_on_its_way() {
        session.tick(Input::NONE);
    }
    (0..ticks).for_each(|_| _ = session.tick(Input::NONE));
    session
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
    let mut session = Session::new("#scene=roll");
    let settings = *session.lab.settings();
    session.lab = Lab::over(Tape::beginning_at(&settings, LATEST_TICK), settings);
    assert!(session.permalink(true).contains("at=36000"));
    session.tick(Input::NONE);
    session.view_state.packet = Some(40_000);
    let late = session.permalink(true);
    assert!(!late.contains("at=") && !late.contains("packet="), "{late}");
    assert_eq!(Session::new(&late).notices(), NO_NOTICES);
}

#[test]
fn another_link_of_the_same_world_keeps_the_motion() {
    let mut session = played("#grid=5&scene=roll&hz=20", 90);
    session.open("#grid=5&scene=roll&hz=30&b.hz=10&show=errors&packet=7");
    assert_eq!(session.lab().tick_count(), 90);
    assert_eq!(session.settings_of(LaneId::A).text(Key::SendRate), "30");
    assert_eq!(session.settings_of(LaneId::B).text(Key::SendRate), "10");
    assert_eq!(session.view_state().show.as_deref(), Some("errors"));
    session.open("#grid=5&scene=roll&hz=30&at=40");
    assert_eq!((session.lab().tick_count(), session.going_to()), (40, None));
    assert!(session.lab().b().is_none());
    session.open("#grid=5&scene=roll&at=120");
    assert_eq!(session.going_to(), Some(120));
    assert!(session.permalink(false).ends_with("at=120"));
    while session.is_on_its_way() {
        session.tick(Input::NONE);
    }
    assert_eq!(
        (session.lab().tick_count(), session.going_to()),
        (120, None)
    );
    session.open("#grid=5&scene=katamari");
    assert_eq!(session.lab().tick_count(), 0);
}

#[test]
fn what_a_person_did_survives_in_the_link_until_something_of_the_motion_changes() {
    let mut session = played("#grid=5&scene=drive", 30);
    session.tick(Input::from_bits(4));
    let cut = Held {
        cuts: true,
        ..Held::default()
    };
    (0..20).for_each(|_| _ = session.tick(cut));
    let shared = session.share().unwrap();
    let mut other = played(&shared, 0);
    assert!(other.view_state().has_acts() && other.lab().tape().is_cut(40));
    assert_eq!(other.lab().truth(), session.lab().truth());
    // A figure or a rung is nothing of the motion.
    other.view_state.show = Some("bits".to_string());
    set(&mut other, LaneId::A, "hz", "30");
    assert!(other.view_state().has_acts());
    other.restart();
    assert_eq!(other.lab().tick_count(), 0);
    assert!(other.lab().tape().is_replaying());
    // A link without these acts begins anew, and so does one with others.
    other.open("#grid=5&scene=drive");
    assert!(!other.view_state().has_acts() && other.lab().tick_count() == 0);
    let mut other = played(&shared, 0);
    set(&mut other, LaneId::A, "grid", "6");
    assert!(!other.view_state().has_acts());
    let mut other = played(&shared, 0);
    other.tick(Input::from_bits(1));
    assert!(!other.view_state().has_acts());
    assert!(Session::new("#grid=5").permalink(false).ends_with("grid=5"));
}

#[test]
fn a_motion_is_asked_for_told_from_another_and_shown_at_the_links_instant() {
    let (own, other) = (slide(100), slide(60));
    let name = |motion: &Motion| format!("{:08x}", motion.facts.fingerprint);
    let link = format!("#hz=20&motion={}&at=80", name(&own));
    let mut session = Session::new(&link);
    let asks = format!(
        "This link is of somebody's own motion ({}), which no link can carry: drop its file on this page. Until then our own world plays",
        name(&own)
    );
    assert_eq!(session.notices(), [asks]);
    session.play_motion(other.clone(), None);
    let mismatch = format!(
        "The link is of another motion ({}); this is {}",
        name(&own),
        name(&other)
    );
    assert_eq!(session.notices(), [mismatch]);
    session.open(&link);
    assert!(session.played_motion().is_none());
    session.play_motion(own, None);
    assert_eq!(
        (session.notices(), session.lab().tick_count()),
        (&NO_NOTICES[..], 80)
    );
    assert!(session.permalink(true).contains("motion=") && !session.is_on_its_way());
    assert!(session.share().unwrap().contains("motion="));
    session.leave_motion();
    assert!(session.played_motion().is_none() && !session.permalink(true).contains("motion="));

    let mut session = Session::new(&format!("#motion={}&at=80", name(&other)));
    session.play_motion(other, None);
    assert_eq!(
        session.notices(),
        ["The link is of 1.3 s, and this motion ends at 1.0 s, which is shown"]
    );
}

#[test]
fn the_articles_motion_is_fetched_by_its_name_and_has_the_links_cut() {
    let link = "#v=2&hz=60&motion=pile&cut=241-300&at=330";
    let mut session = Session::new(link);
    let fetches =
        "The article's motion is fetched from this site; until it is there our own world plays";
    assert_eq!(session.notices(), [fetches]);
    session.play_motion(pile::motion(), None);
    assert_eq!(session.notices(), NO_NOTICES);
    let tape = session.lab().tape();
    let is_cut = [240, 241, 300, 301].map(|tick| tape.is_cut(tick));
    assert_eq!(is_cut, [false, true, true, false]);
    assert_eq!(session.lab().tick_count(), 330);
    assert!(
        session
            .permalink(true)
            .contains("&at=330&motion=pile&cut=241-300")
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
    let mut session = Session::new(&named);
    assert_eq!(session.notices().len(), 2);
    session.play_motion(own.clone(), None);
    let [asks] = session.notices() else {
        panic!("{:?}", session.notices());
    };
    assert!(asks.contains("client drew (00000007)"), "{asks}");
    session.show_client(client(&own, 7));
    assert_eq!(
        (session.notices(), session.lab().tick_count()),
        (&NO_NOTICES[..], 80)
    );
    session.lab_mut().finish();
    let of_b = |session: &Session| {
        let b = session.lab().b().unwrap();
        (
            b.client().is_some(),
            b.live(80).and_then(|live| live.behind_ms),
        )
    };
    assert_eq!(of_b(&session), (true, Some(100.0)));
    assert_eq!(session.lab().b().unwrap().view().position_half_m[0][2], 7.0);
    // Neither a setting of A nor a network nor a cut changes what the client drew.
    set(&mut session, LaneId::A, "loss", "20");
    session.use_trace(trace("sent_ms,delay_ms\n0,20\n10,40\n"));
    change(&mut session, TimeCommand::CutFor { ticks: 5 });
    assert!(
        session
            .lab()
            .b()
            .unwrap()
            .progress(session.lab().tape())
            .is_none()
    );
    session.lab_mut().finish();
    assert_eq!(of_b(&session), (true, Some(100.0)));
    let link = session.permalink(true);
    assert!(link.contains("&client=00000007"), "{link}");
    assert!(session.share().unwrap().contains("&client=00000007"));
    // It is held: the link shows it again, also after acts that begin anew.
    session.open("#hz=20");
    assert!(session.lab().b().is_none());
    for link in [link.clone(), format!("{link}&drop=3")] {
        session.open(&link);
        session.lab_mut().finish();
        assert!(of_b(&session).0, "{link}: {:?}", session.notices());
    }
    // A setting of B puts a lane of the lab in its place, and another motion takes it away.
    set(&mut session, LaneId::B, "loss", "10");
    assert!(!of_b(&session).0 && !session.permalink(true).contains("client="));
    session.show_client(client(&own, 9));
    assert!(of_b(&session).0);
    session.play_motion(other.clone(), None);
    assert!(session.lab().b().is_none() && !session.permalink(true).contains("client="));
    // Before its motion plays it waits for it.
    session.show_client(client(&own, 9));
    assert!(session.lab().b().is_none());
    session.play_motion(own, None);
    assert!(of_b(&session).0);
    session.leave_motion();
    assert!(session.lab().b().is_none() && !session.permalink(true).contains("client="));
}

#[test]
fn the_facts_of_a_motion_s_file_are_in_its_link_until_another_motion_plays() {
    let raw = b"Bild;Wer;Pos X;y;z\n0;ball;0,5;0;1\n1;ball;0,6;0;1\n";
    let facts = "columns=tick,object,x,y,z\n";
    let motion = Motion::read(&csv::with_facts(raw, facts)[..]).unwrap();
    let mut session = Session::new("#hz=20");
    session.play_motion(motion.clone(), Some(facts.to_owned()));
    let link = session.permalink(true);
    let written = "&columns=columns:tick.2cobject.2cx.2cy.2cz~";
    assert!(link.contains(written), "{link}");
    assert!(session.share().unwrap().contains(written));
    let mut other = Session::new(&link);
    assert_eq!(other.view_state().facts_for(raw), Some(facts));
    assert_eq!(other.view_state().facts_for(b"another file"), None);
    other.play_motion(motion, None);
    assert!(other.permalink(true).contains(written));
    other.play_motion(slide(60), None);
    assert!(!other.permalink(true).contains("columns="));
    assert_eq!(
        Session::new("#columns=up:y~")
            .permalink(true)
            .find("columns"),
        None
    );
}

#[test]
fn a_trace_is_asked_for_kept_through_a_restart_and_told_from_another() {
    let (own, other) = (
        trace("sent_ms,delay_ms\n0,20\n10,lost\n20,30\n"),
        trace("sent_ms,delay_ms\n0,20\n10,40\n"),
    );
    let mut session = Session::new(&format!("#grid=5&trace={:08x}", own.fingerprint()));
    let asks = format!(
        "This link is of somebody's own network ({:08x}), a trace that no link can carry: drop its file on this page. Until then the settings' network is used",
        own.fingerprint()
    );
    assert_eq!(session.notices(), std::slice::from_ref(&asks));
    session.use_trace(other.clone());
    let mismatch = format!(
        "The link is of another trace ({:08x}); this is {:08x}",
        own.fingerprint(),
        other.fingerprint()
    );
    assert_eq!(session.notices(), [mismatch]);
    session.use_trace(own.clone());
    assert_eq!(session.notices(), NO_NOTICES);
    let link = session.permalink(false);
    // Acts begin anew, and the trace is here still.
    session.open(&format!("{link}&cut=10-20"));
    assert_eq!(
        (session.notices(), session.lab().trace()),
        (&NO_NOTICES[..], Some(&own))
    );
    session.open("#grid=5");
    assert!(session.lab().trace().is_none());
    session.open(&link);
    assert_eq!(session.lab().trace(), Some(&own));
    session.leave_trace();
    assert_eq!(session.permalink(false), "v=2&grid=5");
    assert_eq!(Session::new(&link).notices(), [asks]);
}

#[test]
fn the_offset_into_a_trace_survives_a_link_a_share_and_a_restart() {
    let own = trace("sent_ms,delay_ms\n0,20\n10,lost\n20,30\n30,40\n");
    let link = format!("#grid=5&trace={:08x}&trace-from=0.02", own.fingerprint());
    let mut session = Session::new(&link);
    assert!(session.permalink(false).ends_with("&trace-from=0.02"));
    session.use_trace(own.clone());
    assert_eq!(session.lab().trace_from_ms(), 20);
    assert!(session.permalink(false).ends_with("&trace-from=0.02"));
    assert!(session.share().unwrap().contains("&trace-from=0.02"));
    session.restart();
    assert_eq!(session.lab().trace_from_ms(), 20);
    session.begin_trace_at(10);
    assert!(session.permalink(false).ends_with("&trace-from=0.01"));
    // The link still names the trace that is held, and another offset into it.
    session.open(&link);
    assert_eq!(
        (session.lab().trace_from_ms(), session.notices()),
        (20, &NO_NOTICES[..])
    );
    // The offset is one into the trace that the link names.
    let mut session = Session::new(&link);
    session.use_trace(trace("sent_ms,delay_ms\n0,20\n10,40\n"));
    assert_eq!(
        (session.lab().trace_from_ms(), session.notices().len()),
        (0, 1)
    );
    session.leave_trace();
    assert_eq!(session.permalink(false), "v=2&grid=5");
    // A session that is elsewhere opens the link, and then gets the trace and the motion.
    let motion = slide(100);
    let mut session = Session::new("#grid=5&hz=60");
    let named = format!("{link}&at=50&motion={:08x}", motion.facts.fingerprint);
    session.open(&named.replace("grid=5", "hz=20"));
    session.use_trace(own);
    assert_eq!(session.lab().trace_from_ms(), 20);
    session.play_motion(motion, None);
    assert_eq!(
        (session.lab().trace_from_ms(), session.lab().tick_count()),
        (20, 50)
    );
    assert_eq!(session.notices(), NO_NOTICES);
}

#[test]
fn the_overrides_of_a_dropped_motion_are_those_of_its_link() {
    let own = slide(100);
    let link = format!(
        "#hz=20&motion={:08x}&at=80&cut=30-40&drop=5.7",
        own.facts.fingerprint
    );
    let mut session = Session::new(&link);
    session.play_motion(own.clone(), None);
    assert!(session.lab().tape().is_cut(35));
    assert_eq!(session.lab().a().overrides().iter().count(), 2);
    let shared = session.share().unwrap();
    assert!(
        shared.contains("&cut=30-40") && shared.contains("&drop=5.7"),
        "{shared}"
    );
    // Another link of the motion that is held has overrides of its own.
    session.open(&link.replace("drop=5.7", "drop=9"));
    assert!(session.played_motion().is_some());
    assert_eq!(session.lab().a().overrides().iter().count(), 1);
    assert_eq!(session.lab().tick_count(), 80);
}

#[test]
fn another_fate_of_a_packet_is_lane_bs_and_goes_with_it() {
    let mut session = played("#grid=5&scene=roll&loss=0", 120);
    let lost = LaneCommand::Force {
        packet: 9,
        delivered: false,
    };
    session.apply(Command::Lane(lost)).unwrap();
    session.lab_mut().finish();
    let b = session.lab().b().and_then(|b| b.history()).unwrap();
    let lost = |packet: snapshot_lane::history::Packet| packet.fate == PacketFate::Lost;
    assert_eq!(
        b.packets(0..121, 120)
            .filter(|packet| lost(packet.clone()))
            .count(),
        1
    );
    let difference = first_difference(&session).unwrap();
    assert!(difference.packets == [9] && difference.first_difference.is_some());
    // A reload loses it again, and so does the way back to this link.
    let link = session.permalink(true);
    assert!(link.contains("b.drop=9"), "{link}");
    let mut again = Session::new(&link);
    while again.is_on_its_way() {
        again.tick(Input::NONE);
    }
    again.lab_mut().finish();
    assert_eq!(first_difference(&again).unwrap().packets, [9]);
    let ticks = session.lab().tape().last_tick();
    session.open(&link);
    assert_eq!(
        session.lab().tape().last_tick(),
        ticks,
        "nothing is made anew"
    );
    assert_eq!(first_difference(&session).unwrap().packets, [9]);
    session.apply(Command::Lane(LaneCommand::DropB)).unwrap();
    assert!(first_difference(&session).is_none());
    let (settings, _) = permalink::parse(&session.permalink(false));
    assert_eq!(&settings, session.lab().settings());
}

#[test]
fn a_preset_of_the_link_chooses_play_that_adapts_where_that_wins_and_no_delay_is_set() {
    let chosen = |link: &str, preset| {
        let mut session = played(link, 1);
        set(&mut session, LaneId::A, "link", preset);
        permalink::format(session.lab().settings())
    };
    assert!(chosen("#hz=60", "4g-moving").ends_with("&delay=adaptive"));
    assert!(chosen("#strategy=sync", "wifi-busy").ends_with("&buffer=adaptive"));
    assert!(!chosen("#hz=60", "wired").contains("delay"));
    assert!(chosen("#hz=60&delay=90", "4g-moving").ends_with("&delay=90"));
    // A link without a delay keeps its meaning.
    assert_eq!(
        played("#link=4g-moving", 1)
            .lab()
            .settings()
            .text(Key::Delay),
        "auto"
    );
}
