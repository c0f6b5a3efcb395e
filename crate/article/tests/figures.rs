//! The article's figures against the laboratory, which opens their links.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use snapshot_app::Lab;
use snapshot_app::{link, pile};
use snapshot_article::figures::FIGURES;
use snapshot_article::motion::IncomingMotion;
use snapshot_article::run::LaneOverMotion;
use snapshot_claims::measure::{FIGURES_LINK, with};
use snapshot_lane::measure::table::Report;
use snapshot_physics::Input;
use snapshot_record::tape::Tape;
use std::cell::RefCell;
use std::rc::Rc;

/// The links of the figures, as their table has them.
fn links() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/article/figures.ts");
    let table = std::fs::read_to_string(path).unwrap();
    let settings = table.split("link: on('").skip(1);
    let link = |text: &str| with(FIGURES_LINK, text.split('\'').next().unwrap());
    settings.map(link).collect()
}

/// Plays a lane as the article does: over a file that arrives in parts.
fn of_article(link: &str, is_b: bool) -> LaneOverMotion {
    let motion = Rc::new(RefCell::new(IncomingMotion::default()));
    let mut parts = pile::FILE.chunks(5000);
    motion.borrow_mut().push(parts.next().unwrap()).unwrap();
    let mut run = LaneOverMotion::new(&motion, link, is_b).unwrap();
    while run.tick() < 600 {
        if !run.step().unwrap() {
            motion.borrow_mut().push(parts.next().unwrap()).unwrap();
        }
    }
    assert!(!run.step().unwrap());
    run
}

/// Plays a lane as the laboratory does, with the link's cuts and packets.
fn of_lab(link: &str, is_b: bool) -> Report {
    let (link, notices) = link::parse(link);
    assert_eq!(notices, []);
    assert_eq!(link.motion, Some(pile::FINGERPRINT));
    let motion = pile::motion();
    let lane = if is_b {
        link.b.as_ref().unwrap()
    } else {
        &link.a
    };
    let tape = Tape::of_motion(&motion, motion.ticks());
    let mut lab = Lab::of_motion(tape, lane.settings, 0);
    lab.act_as(&link::Link {
        a: lane.clone(),
        b: None,
        ..link.clone()
    });
    while lab.tick_count() < motion.ticks() {
        lab.tick(Input::NONE);
    }
    lab.finish();
    lab.report()
}

fn is_equal(link: &str, is_b: bool) {
    let (run, lab) = (of_article(link, is_b), of_lab(link, is_b));
    let own = run.history().report(lab.state_hash);
    assert_eq!(own.packets_hash, lab.packets_hash, "{link}");
    assert_eq!(own.view_hash, lab.view_hash, "{link}");
    assert_eq!(format!("{own:?}"), format!("{lab:?}"), "{link}");
    let figure = |name| {
        let place = FIGURES.iter().position(|(own, _)| *own == name).unwrap();
        run.figures()[place]
    };
    assert_eq!(figure("kbps_mean"), lab.kbps_mean, "{link}");
    assert_eq!(figure("mm_rms"), lab.position_error_mm.rms, "{link}");
    assert_eq!(figure("still_ms"), lab.still_ms, "{link}");
    let age_ms = lab.behind_ms_mean.unwrap();
    assert_eq!(figure("age_ms_mean"), age_ms, "{link}");
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn lanes_of_figures_are_the_laboratorys_to_the_bit() {
    let links = links();
    assert_eq!(links.len(), 13, "the figures before the laboratory");
    for link in links {
        is_equal(&link, false);
        // A client that simulates is recorded, and no lane.
        if link.contains("&b.") && !link.contains("&b.strategy=") {
            is_equal(&link, true);
        }
    }
}

#[test]
fn a_link_that_cannot_be_used_is_refused_in_a_sentence() {
    let motion = Rc::new(RefCell::new(IncomingMotion::default()));
    let refusal = |link: &str| LaneOverMotion::new(&motion, link, false).err().unwrap();
    assert_eq!(refusal("hz=10"), "the motion has not arrived yet");
    assert!(refusal("hertz=10").contains("hertz"));
    assert_eq!(
        refusal("drop=9-3"),
        "drop=9-3 is no rising range of numbers"
    );
    let refused = motion.borrow_mut().push(&[7; 20]).unwrap_err();
    assert_eq!(refused, "the header: it is no coded motion of version 1");
}
