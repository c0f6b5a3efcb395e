//! Lane B: other settings on the same motion, to be held against lane A's.

use super::making::Making;
use super::{Lab, Progress};
use crate::inspect::{InspectError, Inspection};
use crate::report::Live;
use crate::settings::Settings;
use crate::settings::schema::Effect;
use crate::tape::Tape;
use crate::track::Track;
use crate::view::View;
use snapshot_netsim::channel::{Fate, Fates};

/// A second lane beside the one whose settings are in force. Where its settings ask for another world, that is given the
/// same keys: then the two are compared on the same keys, and no longer on the same motion.
pub struct Beside {
    settings: Settings,
    /// Its packets whose fate is set by hand.
    fates: Fates,
    /// The other world, where there is one.
    tape: Option<Tape>,
    /// None until the first one is there.
    track: Option<Track>,
    making: Option<Making>,
    /// The tick after which a link has it begin, until it has.
    begins: Option<u64>,
    view: View,
}

impl Beside {
    fn new(settings: &Settings, fates: &Fates, tape: &Tape) -> Beside {
        Beside {
            settings: *settings,
            fates: fates.clone(),
            tape: None,
            track: None,
            making: Some(making(settings, fates, tape)),
            begins: None,
            view: tape.view(),
        }
    }

    /// A lane on a tape at tick 0 that begins after a later one.
    pub(super) fn beginning_after(
        from: u64,
        settings: &Settings,
        fates: &Fates,
        tape: &Tape,
    ) -> Beside {
        let is_other = settings.world() != *tape.made_from();
        Beside {
            tape: is_other.then(|| tape.begin_again(settings.world())),
            making: None,
            begins: Some(from),
            ..Beside::new(settings, fates, tape)
        }
    }

    /// Begins where the link says, or at the newest tick if that is to be now.
    pub(super) fn begin(&mut self, tape: &Tape, now: bool) {
        if self
            .begins
            .is_some_and(|from| now || from <= tape.last_tick())
        {
            self.begins = None;
            if let Some(own) = &mut self.tape {
                own.hold_from_here();
            }
            let tape = self.tape.as_ref().unwrap_or(tape);
            let track = Track::beginning_here(tape, &self.settings.lane(), &self.fates);
            self.track = Some(track);
        }
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Its packets whose fate is set by hand.
    pub fn fates(&self) -> &Fates {
        &self.fates
    }

    /// What its lane made of the motion. None until there is something.
    pub fn track(&self) -> Option<&Track> {
        self.track.as_ref()
    }

    /// The figures of a tick, or of the nearest one that it has. None until there are some.
    pub fn live(&self, tick: u64) -> Option<&Live> {
        self.track.as_ref().map(|track| track.live(tick))
    }

    /// What its network made of the motion.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Whether its world is another one, so that the keys are the same and the motion is not.
    pub fn is_on_another_motion(&self) -> bool {
        self.tape.is_some()
    }

    /// Its tape, which may be `tape`, its track and its view.
    pub(super) fn parts<'a>(
        &'a mut self,
        tape: &'a Tape,
    ) -> Option<(&'a Tape, &'a mut Track, &'a View)> {
        let tape = self.tape.as_ref().unwrap_or(tape);
        Some((tape, self.track.as_mut()?, &self.view))
    }

    pub(super) fn progress(&self, tape: &Tape) -> Progress {
        let making = self.making.as_ref();
        making.map_or(Progress::Done, |making| making.progress(tape))
    }

    /// A piece of what is to be made. False where nothing is.
    pub(super) fn work(&mut self, tape: &Tape, playhead: u64) -> bool {
        let Some(making) = &mut self.making else {
            return false;
        };
        let own = self.tape.as_ref().filter(|_| making.tape.is_none());
        if making.advance(own.unwrap_or(tape), playhead) {
            self.swap(tape, playhead);
        }
        true
    }

    fn swap(&mut self, tape: &Tape, playhead: u64) {
        let Some(mut made) = self.making.take() else {
            return;
        };
        if made.tape.is_some() {
            self.tape = made.tape.take();
        }
        let Some(mut track) = made.track.take() else {
            return;
        };
        let exact = track.is_exact();
        if let Some(old) = self.track.take() {
            track.come_after(old);
        }
        self.track = Some(track);
        self.making = made.next(exact, &self.settings, &self.fates);
        self.show(tape, playhead);
    }

    /// The tick that the tape has got.
    fn tick(&mut self, tape: &Tape) {
        if let Some(other) = &mut self.tape {
            other.follow(tape);
        }
        self.begin(tape, false);
        let tape = self.tape.as_ref().unwrap_or(tape);
        let Some(track) = &mut self.track else {
            return;
        };
        while track.advance(tape) {}
        track.forget_before(tape.first_tick());
    }

    fn show(&mut self, tape: &Tape, playhead: u64) {
        let tape = self.tape.as_ref().unwrap_or(tape);
        let Some(track) = &mut self.track else {
            return;
        };
        while track.last_tick() < playhead && track.advance(tape) {}
        if tape.newest().len() != self.view.colour.len() {
            self.view = tape.view();
        }
        if track.last_tick() == playhead && !track.stands() {
            self.view.clone_from(track.lane().view());
        } else {
            track.show(playhead, tape, &mut self.view);
        }
    }

    fn apply(&mut self, settings: &Settings, tape: &Tape) {
        let effect = self.settings.effect_of_change_to(settings);
        self.settings = *settings;
        match effect {
            Effect::AtOnce => {}
            Effect::Track => match &self.making {
                // What is being made is shown, and then begun anew.
                Some(making) if making.tape.is_some() || self.track.is_none() => {
                    self.remake(tape);
                }
                Some(_) => {}
                None => self.making = Some(Making::of_track(settings, &self.fates)),
            },
            Effect::Motion | Effect::World => self.remake(tape),
        }
    }

    /// The motion is another one: all is made anew.
    fn remake(&mut self, tape: &Tape) {
        if let Some(track) = &mut self.track {
            track.stop_at(tape.last_tick());
        }
        self.making = Some(making(&self.settings, &self.fates, tape));
        if tape.moves_as(&self.settings.world()) {
            self.tape = None;
        }
    }
}

fn making(settings: &Settings, fates: &Fates, tape: &Tape) -> Making {
    if tape.moves_as(&settings.world()) {
        Making::of_track(settings, fates)
    } else {
        Making::of_motion(settings, fates, tape)
    }
}

impl Lab {
    /// Lane B, where there is one.
    pub fn b(&self) -> Option<&Beside> {
        self.b.as_deref()
    }

    /// Puts a lane with these settings beside lane A, in place of any that is there; or drops it. Scene, seed and speed are
    /// those of A: they are the motion's. What that calls for is begun, and done by [`Lab::work`].
    pub fn set_b(&mut self, settings: Option<Settings>) {
        let settings =
            settings.map(|settings| self.in_reach(settings.on_the_motion_of(&self.settings)));
        match (&mut self.b, settings) {
            (Some(b), Some(settings)) => b.apply(&settings, &self.tape),
            (b, settings) => {
                let new =
                    |settings| Box::new(Beside::new(&settings, &Fates::default(), &self.tape));
                *b = settings.map(new);
            }
        }
    }

    /// As [`Lab::inspect`], of lane B; none where it has sent nothing yet.
    pub fn inspect_b(
        &self,
        tick: u64,
        number: Option<u64>,
    ) -> Option<Result<Inspection, InspectError>> {
        let b = self.b.as_ref()?;
        let tape = b.tape.as_ref().unwrap_or(&self.tape);
        Some(b.track.as_ref()?.inspect(tape, tick, number))
    }

    /// Makes B what A is, but for one packet that is lost or arrives: what if it had been so?
    pub fn what_if(&mut self, number: u64, fate: Fate) {
        let mut fates = self.fates.clone();
        fates.set(number, Some(fate));
        self.b = Some(Box::new(Beside::new(&self.settings, &fates, &self.tape)));
    }

    /// What is set for B becomes what is set for A, and the other way round.
    pub fn swap_a_and_b(&mut self) {
        if let Some(b) = &self.b {
            let (a, b) = (self.settings, b.settings);
            self.apply(b);
            self.set_b(Some(a));
        }
    }

    pub(super) fn remake_b(&mut self) {
        if let Some(b) = &mut self.b {
            b.remake(&self.tape);
        }
    }

    pub(super) fn tick_b(&mut self) {
        if let Some(b) = &mut self.b {
            b.tick(&self.tape);
            b.show(&self.tape, self.playhead);
        }
    }

    pub(super) fn show_b(&mut self) {
        if let Some(b) = &mut self.b {
            b.show(&self.tape, self.playhead);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link;
    use crate::track::{Packet, PacketFate};
    use snapshot_physics::input::Input;
    use snapshot_physics::world::state_hash;

    fn opened(text: &str) -> Lab {
        let (link, notices) = link::parse(text);
        assert_eq!(notices, []);
        let mut lab = Lab::new(link.settings);
        lab.set_b(link.b);
        lab
    }

    /// What B measures, and what A measures of the same keys once the same is set for it.
    fn both(lab: &mut Lab) -> [serde_json::Value; 2] {
        lab.finish();
        let mut alone = Lab::new(*lab.settings());
        (0..lab.tick_count()).for_each(|_| alone.tick(Input::NONE));
        let b = lab.b().unwrap();
        alone.apply(*b.settings());
        alone.finish();
        assert_eq!(b.view().hash(), alone.right().hash());
        let own = b.tape.as_ref().unwrap_or(lab.tape());
        let b = b.track().unwrap();
        let b = b.report(state_hash(own.world().truth()));
        [b, alone.report()].map(|report| serde_json::to_value(report).unwrap())
    }

    #[test]
    fn b_is_what_a_would_be_with_its_settings() {
        for text in [
            "#scene=katamari&grid=8&hz=20&b.interp=hermite&b.loss=20",
            "#scene=katamari&grid=8&hz=20&b.strategy=lockstep",
            "#scene=blow&grid=8&b.strategy=sync&b.both=1",
            "#scene=roll&grid=8&b=a",
        ] {
            let mut lab = opened(text);
            (0..300).for_each(|_| lab.tick(Input::NONE));
            let [b, alone] = both(&mut lab);
            assert_eq!(b, alone, "{text}");
            assert_eq!(
                lab.b().unwrap().is_on_another_motion(),
                text.contains("both")
            );
        }
    }

    #[test]
    fn what_changes_for_a_changes_for_b_but_for_what_is_bs_own() {
        let mut lab = opened("#scene=katamari&grid=8&hz=20&b.codec=predicted");
        (0..200).for_each(|_| lab.tick(Input::NONE));
        for (id, text) in [
            ("loss", "10"),
            ("codec", "index"),
            ("soft", "1"),
            ("hz", "60"),
        ] {
            lab.set_text(id, text).unwrap();
            (0..40).for_each(|_| lab.tick(Input::NONE));
        }
        let differences = lab.b().unwrap().settings().differences(lab.settings());
        assert_eq!(differences.len(), 1);
        let [b, alone] = both(&mut lab);
        assert_eq!(b, alone);
        lab.swap_a_and_b();
        assert_eq!(lab.settings().lane().rung().name(), "predicted");
        assert_eq!(lab.b().unwrap().settings().lane().rung().name(), "index");
        let [b, alone] = both(&mut lab);
        assert_eq!(b, alone);
        lab.restart();
        assert!(lab.b().is_some());
        lab.set_b(None);
        assert!(lab.b().is_none());
    }

    #[test]
    fn what_if_a_lost_packet_had_arrived() {
        let mut lab = opened("#scene=katamari&grid=8&hz=20&loss=20");
        (0..300).for_each(|_| lab.tick(Input::NONE));
        let packets = |track: &Track| track.packets(0..301, 300).collect::<Vec<_>>();
        let lost = |packet: &&Packet| packet.fate == PacketFate::Lost;
        let of_a = packets(lab.track());
        let number = of_a.iter().find(lost).unwrap().number;
        lab.what_if(number, Fate::Delivered);
        lab.finish();
        let of_b = packets(lab.b().unwrap().track().unwrap());
        for (a, b) in of_a.iter().zip(&of_b) {
            let same = a.number != number;
            assert_eq!(
                (a.fate == b.fate, a.arrival_ms == b.arrival_ms),
                (same, same),
                "{a:?} {b:?}"
            );
        }
        let [_, b] = [lab.track(), lab.b().unwrap().track().unwrap()].map(|track| track.live(300));
        assert_eq!(b.packets.lost + 1, lab.track().live(300).packets.lost);
    }

    #[test]
    fn b_follows_a_person_into_the_past_and_back() {
        let mut lab = opened("#scene=katamari&grid=8&hz=20&b.strategy=sync&b.both=1");
        (0..400).for_each(|_| lab.tick(Input::NONE));
        lab.finish();
        let shown = lab.b().unwrap().view().hash();
        lab.seek(150);
        assert_ne!(lab.b().unwrap().view().hash(), shown);
        lab.seek(400);
        assert_eq!(lab.b().unwrap().view().hash(), shown);
        lab.seek(200);
        (0..60).for_each(|_| lab.tick(Input::from_bits(1)));
        lab.finish();
        assert_eq!(lab.b().unwrap().track().unwrap().last_tick(), 260);
        assert!(lab.undo());
        lab.seek(400);
        lab.finish();
        assert_eq!(lab.b().unwrap().view().hash(), shown);
    }
}
