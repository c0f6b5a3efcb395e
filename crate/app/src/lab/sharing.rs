//! Conversion of a laboratory to a link with a person's input, and back.

use super::Lab;
use crate::lane_run::LaneRun;
use crate::link::{LATEST_MOTION_TICK, LATEST_TICK, Link, LinkedLane};
use snapshot_lane::history::LaneHistory;
use snapshot_record::tape::Tape;
use snapshot_settings::Key;

/// Error: the shown instant is later than the latest instant that a link can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "This instant is later than {} minutes, and a link leads to none that is: whoever opens it plays all before it",
    LATEST_TICK / 3600
)]
pub struct InstantTooLate;

impl Lab {
    /// Opens a link's laboratory at tick 0. [`Lab::tick`] replays the link's recorded input tick by tick, and starts each
    /// lane at the tick that the link names. So at the link's instant the state equals that of the link's maker, to the bit.
    pub fn open(link: &Link) -> Lab {
        let tape = Tape::replaying(&link.a.settings, &link.recorded);
        let mut lab = Lab::over(tape, link.a.settings);
        let a_start_tick = link.a.start_tick.unwrap_or(0);
        lab.lanes
            .a
            .wait_for(a_start_tick, link.a.overrides.clone().into());
        lab.lanes.b = link.b.as_ref().map(|b| {
            let start_tick = b.start_tick.unwrap_or(a_start_tick);
            let given = b.overrides.clone().into();
            let b = LaneRun::starting_later(start_tick, b.settings, given, &lab.tape);
            Box::new(b)
        });
        lab.start_lanes(false);
        lab
    }

    /// Starts all waiting lanes at the newest tick, without waiting for the start ticks that the link names.
    pub(crate) fn begin_now(&mut self) {
        self.start_lanes(true);
    }

    /// Returns a link that reproduces the present state anywhere, with a person's input since tick 0. Pending rebuilds are
    /// finished first.
    ///
    /// # Errors
    /// When the instant is too late for a link.
    pub fn share(&mut self) -> Result<Link, InstantTooLate> {
        let is_ours = self.tape.motion().is_none();
        if is_ours && self.playhead > LATEST_TICK {
            return Err(InstantTooLate);
        }
        self.begin_now();
        self.finish();
        let mut settings = *self.settings();
        let latest = if is_ours {
            LATEST_TICK
        } else {
            LATEST_MOTION_TICK
        };
        let (scene, mut recorded) = self.tape.recorded(settings.seed(), latest);
        // Nobody drives a motion from elsewhere.
        recorded.drive.take_if(|_| !is_ours);
        recorded.rival.take_if(|_| !is_ours);
        let named = settings.set(Key::Scene, scene as u32);
        debug_assert_eq!(named, Ok(()));
        let linked = |lane: &LaneRun| LinkedLane {
            settings: lane.settings().on_the_motion_of(&settings),
            overrides: lane.overrides().clone(),
            start_tick: lane.history().map(LaneHistory::start_tick),
        };
        let mut a = linked(&self.lanes.a);
        let mut b = self.b().map(linked);
        if let Some(b) = &mut b {
            b.start_tick.take_if(|tick| a.start_tick == Some(*tick));
        }
        a.start_tick.take_if(|tick| *tick == 0);
        Ok(Link {
            a,
            b,
            recorded,
            at: Some(self.playhead),
            trace: self.trace().map(|trace| trace.fingerprint()),
            trace_from_ms: self.trace_from_ms(),
            ..Link::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{format, parse};
    use proptest::prelude::*;
    use snapshot_netsim::channel::Override;
    use snapshot_physics::input::{Input, Inputs};
    use snapshot_physics::scene::SceneKind;

    fn opened(text: &str) -> Lab {
        let (link, notices) = parse(text);
        assert_eq!(notices, [], "{text}");
        Lab::open(&link)
    }

    fn play(lab: &mut Lab, ticks: u64) {
        (0..ticks).for_each(|_| lab.tick(Input::NONE));
    }

    /// Simulates a person who presses another key every few ticks, and cuts the network now and then.
    fn drive(lab: &mut Lab, ticks: u64) {
        lab.take_over();
        for tick in 0..ticks {
            let draw = (tick / 7).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
            lab.set_cut(tick % 400 > 380);
            let [hand, rival] = [draw as u8, draw as u8 >> 1].map(Input::from_bits);
            lab.tick(Inputs {
                hand,
                rival,
                ..Inputs::default()
            });
        }
        lab.set_cut(false);
    }

    /// All figures of both lanes, hashes included.
    fn reports(lab: &mut Lab) -> Vec<serde_json::Value> {
        let mut a = serde_json::to_value(lab.report()).unwrap();
        // Whose keys they are is another name, and nothing else.
        a["settings"]["scene"] = "".into();
        let b = lab.b().and_then(LaneRun::history);
        let b = b.map(|history| serde_json::to_value(history.report(0)).unwrap());
        std::iter::once(a).chain(b).collect()
    }

    /// The link of a laboratory, and the laboratory that the link opens.
    fn reopened(lab: &mut Lab) -> (String, Lab) {
        let text = format(&lab.share().unwrap());
        let (link, _) = parse(&text);
        let mut again = opened(&text);
        play(&mut again, link.at.unwrap());
        (text, again)
    }

    fn same_again(lab: &mut Lab) -> String {
        let (text, mut again) = reopened(lab);
        assert_eq!(again.tick_count(), lab.tick_count());
        assert_eq!(again.left().hash(), lab.left().hash(), "{text}");
        assert_eq!(again.right().hash(), lab.right().hash(), "{text}");
        if lab.is_at_end() {
            assert_eq!(reports(&mut again), reports(lab), "{text}");
            assert_eq!(
                again.tape().world().checksum(),
                lab.tape().world().checksum()
            );
        }
        assert_eq!(format(&again.share().unwrap()), text);
        text
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn thirty_seconds_of_driving_are_the_same_bytes_wherever_their_link_is_opened() {
        for link in [
            "#scene=katamari&grid=8&hz=60&loss=5&codec=predicted&b.interp=hermite&b.hz=20",
            "#scene=blow&grid=8&strategy=sync&loss=5&b.both=1&b.loss=20",
            "#scene=drive&grid=8&strategy=lockstep&loss=5",
        ] {
            let mut lab = opened(link);
            play(&mut lab, 200);
            drive(&mut lab, 1800);
            lab.finish();
            let text = same_again(&mut lab);
            assert!(text.contains("&cut=") && text.contains("&tape="), "{text}");
            assert!(text.len() < 1000, "{}: {text}", text.len());
        }
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_second_hand_and_a_script_drive_the_rival_wherever_their_link_is_opened() {
        for (rival, is_recorded) in [("hand", true), ("script", false)] {
            let mut lab = opened(&format!("#scene=roll&grid=8&rival={rival}&b.strategy=sync"));
            drive(&mut lab, 300);
            lab.seek(200);
            drive(&mut lab, 200);
            lab.finish();
            let text = same_again(&mut lab);
            assert_eq!(text.contains("&rival-tape=0."), is_recorded, "{text}");
            // A world with other keys of the script is a world that no script makes.
            lab.set_text("grid", "9").unwrap();
            lab.finish();
            assert!(same_again(&mut lab).contains("&rival-tape=0."), "{text}");
        }
    }

    #[test]
    fn overrides_go_along_for_either_lane() {
        let mut lab = opened("#scene=roll&grid=8&hz=20&loss=20&drop=20-23&deliver=31");
        play(&mut lab, 300);
        lab.what_if(30, Override::Delivered);
        let text = same_again(&mut lab);
        assert!(
            text.ends_with("&drop=20-23&deliver=31&b.drop=20-23&b.deliver=30-31"),
            "{text}"
        );
        // A script is no person: it plays on.
        assert_eq!(lab.share().unwrap().a.settings.scene(), SceneKind::Roll);
        assert!(reopened(&mut lab).1.tape().is_scripted());
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_lane_begins_where_it_did() {
        let mut lab = opened("#scene=roll&grid=5&hz=20&loss=5");
        play(&mut lab, 4200);
        // B is made of the minute that is kept; A goes on from tick 0.
        lab.set_text("scene", "roll").unwrap();
        lab.set_b(Some({
            let mut settings = *lab.settings();
            settings.set_text("hz", "60").unwrap();
            settings
        }));
        lab.finish();
        play(&mut lab, 60);
        let text = same_again(&mut lab);
        assert!(text.contains("&b.from=480&at=4260"), "{text}");
        // Now both are.
        lab.set_text("loss", "10").unwrap();
        let text = same_again(&mut lab);
        assert!(text.contains("&from=480&at=4260"), "{text}");
        // And so they are where B has a world of its own.
        lab.set_b(Some({
            let mut settings = *lab.settings();
            settings.set_text("grid", "6").unwrap();
            settings
        }));
        same_again(&mut lab);
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn keys_that_no_script_would_press_again_are_a_persons() {
        let mut lab = opened("#scene=katamari&grid=8");
        play(&mut lab, 240);
        lab.set_text("grid", "9").unwrap();
        lab.finish();
        play(&mut lab, 60);
        let text = same_again(&mut lab);
        assert!(
            text.contains("scene=drive") && text.contains("&tape=0."),
            "{text}"
        );
        // In a world like its own again it is the script's first part.
        lab.set_text("grid", "8").unwrap();
        let text = same_again(&mut lab);
        assert!(
            text.contains("scene=katamari") && text.contains("&tape=240."),
            "{text}"
        );
        // Another seed draws other faults, and would be another script.
        lab.take_over();
        lab.set_text("seed", "5").unwrap();
        let text = same_again(&mut lab);
        assert!(
            text.contains("scene=drive&seed=5") && text.contains("&tape=0."),
            "{text}"
        );
    }

    #[test]
    fn an_instant_of_the_past_leads_on_to_what_came_after_it() {
        let mut lab = opened("#scene=roll&grid=8&hz=20&loss=5");
        play(&mut lab, 150);
        drive(&mut lab, 300);
        lab.finish();
        let end = reports(&mut lab);
        lab.seek(300);
        let (text, mut again) = reopened(&mut lab);
        assert_eq!(again.left().hash(), lab.left().hash());
        assert_eq!(again.right().hash(), lab.right().hash());
        assert!(again.tape().is_replaying(), "{text}");
        // Shared on from there, nothing is lost.
        assert_eq!(format(&again.share().unwrap()), text);
        let mut earlier = opened(&text);
        play(&mut earlier, 20);
        let shared = earlier.share().unwrap();
        assert_eq!(format(&shared), text.replace("&at=300", "&at=20"));
        play(&mut again, 150);
        assert_eq!(reports(&mut again), end);
        // Then whoever opened it drives.
        assert!(!again.tape().is_replaying() && !again.tape().is_scripted());
        assert_eq!(again.settings().scene(), SceneKind::Drive);
        // Or before, if they want to.
        let (_, mut again) = reopened(&mut lab);
        again.take_over();
        again.tick(Input::UP);
        assert!(!again.tape().is_replaying());
        same_again(&mut again);
    }

    #[test]
    fn who_stops_on_the_way_has_lanes_that_begin_there() {
        let mut lab = opened("#scene=roll&grid=5&b.hz=60&from=300&at=400");
        play(&mut lab, 100);
        assert!(lab.b().unwrap().history().is_none());
        lab.begin_now();
        play(&mut lab, 20);
        assert_eq!(lab.history().start_tick(), 100);
        assert_eq!(
            lab.b().unwrap().history().map(LaneHistory::start_tick),
            Some(100)
        );
        same_again(&mut lab);
        lab.take_over();
        let text = same_again(&mut lab);
        assert!(text.contains("&from=100&at=120&tape=120."), "{text}");
    }

    #[test]
    fn what_is_too_late_is_said_to_be() {
        let mut lab = Lab::over(
            Tape::beginning_at(&Default::default(), LATEST_TICK),
            Default::default(),
        );
        lab.tick(Input::NONE);
        assert_eq!(lab.share(), Err(InstantTooLate));
        assert!(InstantTooLate.to_string().contains("10 minutes"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn whatever_a_link_says_that_was_done_can_be_opened_and_shared_again(
            strategy in 0..3_usize,
            scene in "(drive|roll|mixed)(&rival=(script|hand))?",
            at in 0..40_u64,
            from in 0..60_u64,
            acts in "(&cut=[0-9]{1,2}-[0-9]{1,2})?(&drop=[0-9]{1,2})?(&b.deliver=[0-9])?(&tape=[0-9]{1,2}.[0-9A-Za-z._~-]{0,12})?(&rival-tape=[0-9]{1,2}.[0-9A-Za-z._~-]{0,12})?",
            b in "(&b=a|&b.hz=30|&b.grid=6)?(&b.from=[0-9]{1,2})?",
        ) {
            let strategy = ["snapshot", "sync", "lockstep"][strategy];
            let (link, _) = parse(&format!("strategy={strategy}&scene={scene}&grid=5&at={at}&from={from}{b}{acts}"));
            let mut lab = Lab::open(&link);
            play(&mut lab, at);
            prop_assert_eq!(lab.tick_count(), at);
            let shared = lab.share().unwrap();
            let (again, notices) = parse(&format(&shared));
            prop_assert_eq!((again, notices), (shared, vec![]));
            play(&mut lab, 20);
        }
    }
}
