//! Lanes of a laboratory: A, and optionally B.

use super::Lab;
use crate::lane_run::{LaneId, LaneRun};
use snapshot_lane::client::ClientRecording;
use snapshot_lane::inspect::{InspectError, Inspection};
use snapshot_netsim::channel::{LinkInputs, Override};
use snapshot_netsim::trace::Trace;
use snapshot_settings::Settings;
use std::sync::Arc;

pub(super) struct Lanes {
    /// Lane A, whose settings the page shows.
    pub(super) a: LaneRun,
    /// Lane B, which is compared with A, on the same motion. If its settings need another world, that world replays the same
    /// keys.
    pub(super) b: Option<Box<LaneRun>>,
}

impl Lanes {
    pub(super) fn new(a: LaneRun) -> Lanes {
        Lanes { a, b: None }
    }

    pub(super) fn get(&self, lane: LaneId) -> Option<&LaneRun> {
        match lane {
            LaneId::A => Some(&self.a),
            LaneId::B => self.b.as_deref(),
        }
    }

    pub(super) fn get_mut(&mut self, lane: LaneId) -> Option<&mut LaneRun> {
        match lane {
            LaneId::A => Some(&mut self.a),
            LaneId::B => self.b.as_deref_mut(),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &LaneRun> {
        std::iter::once(&self.a).chain(self.b.as_deref())
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut LaneRun> {
        std::iter::once(&mut self.a).chain(self.b.as_deref_mut())
    }
}

impl Lab {
    /// Returns a lane by its name; `None` for B if there is no B.
    pub fn lane(&self, lane: LaneId) -> Option<&LaneRun> {
        self.lanes.get(lane)
    }

    /// Lane A, which runs in the shared world.
    pub fn a(&self) -> &LaneRun {
        &self.lanes.a
    }

    /// Lanes A and B; A twice if there is no B.
    pub fn a_and_b(&self) -> [&LaneRun; 2] {
        [self.a(), self.b().unwrap_or(self.a())]
    }

    pub fn b(&self) -> Option<&LaneRun> {
        self.lane(LaneId::B)
    }

    /// Creates or replaces lane B with these settings, even if B shows a client's recording; `None` removes B. Scene, seed
    /// and speed of play are copied from A, because both lanes share them. [`Lab::work`] does the rebuild.
    pub fn set_b(&mut self, settings: Option<Settings>) {
        let settings =
            settings.map(|settings| self.in_reach(settings.on_the_motion_of(self.settings())));
        match (&mut self.lanes.b, settings) {
            (Some(b), Some(settings)) if b.client().is_none() => _ = b.apply(&settings, &self.tape),
            (b, settings) => {
                let link_inputs = LinkInputs {
                    trace: self.lanes.a.link_inputs().trace.clone(),
                    ..LinkInputs::default()
                };
                let new = |settings| LaneRun::to_be_built(settings, link_inputs, &self.tape);
                *b = settings.map(new).map(Box::new);
            }
        }
    }

    /// Makes lane B show a client's recording over its server's motion.
    pub(crate) fn set_client(&mut self, client: Arc<ClientRecording>) {
        let settings = *self.settings();
        let b = LaneRun::of_client(settings, client, &self.tape);
        self.lanes.b = Some(Box::new(b));
    }

    /// Makes B a copy of A in which one packet is forced to be lost or delivered.
    pub(crate) fn what_if(&mut self, number: u64, forced: Override) {
        let a = &self.lanes.a;
        let mut link_inputs = a.link_inputs().clone();
        link_inputs.overrides.set(number, Some(forced));
        let b = LaneRun::to_be_built(*a.settings(), link_inputs, &self.tape);
        self.lanes.b = Some(Box::new(b));
    }

    /// Swaps the settings of A and B.
    pub(crate) fn swap_a_and_b(&mut self) {
        if let Some(b) = self.b() {
            let (a, b) = (*self.settings(), *b.settings());
            self.apply(b);
            self.set_b(Some(a));
        }
    }

    /// Makes all lanes use a recorded link in place of the modelled link; `None` makes them use the modelled link again.
    /// Motion and overrides stay. [`Lab::work`] does the rebuild.
    pub fn set_trace(&mut self, trace: Option<Arc<Trace>>) {
        for lane in self.lanes.iter_mut() {
            lane.set_trace(trace.clone(), &self.tape);
        }
    }

    pub(crate) fn trace(&self) -> Option<&Arc<Trace>> {
        self.lanes.a.link_inputs().trace.as_ref()
    }

    /// Offset at which the recorded link begins, whole ms.
    pub(crate) fn trace_from_ms(&self) -> u64 {
        self.trace()
            .map_or(0, |trace| trace.begins_ms().round() as u64)
    }

    /// Inspects a packet of a lane field by field, with its fate as of `tick`. Without a number, the packet is the newest one
    /// sent by then.
    ///
    /// # Errors
    /// When there is no such packet, or it is too old to be stored.
    pub fn inspect(
        &self,
        lane: LaneId,
        tick: u64,
        number: Option<u64>,
    ) -> Result<Inspection, InspectError> {
        let run = self.lane(lane);
        let history = run.and_then(|run| Some((run.history()?, run.tape(&self.tape))));
        let (history, tape) = history.ok_or(InspectError::NothingSent { tick })?;
        history.inspect(tape, tick, number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link;

    use snapshot_physics::input::Input;
    use snapshot_physics::world::state_hash;

    fn opened(text: &str) -> Lab {
        let (link, notices) = link::parse(text);
        assert_eq!(notices, []);
        let mut lab = Lab::new(link.a.settings);
        lab.set_b(link.b.map(|b| b.settings));
        lab
    }

    /// Figures of B, and figures that A has after the same keys with B's settings.
    fn both(lab: &mut Lab) -> [serde_json::Value; 2] {
        lab.finish();
        let mut alone = Lab::new(*lab.settings());
        (0..lab.tick_count()).for_each(|_| alone.tick(Input::NONE));
        let b = lab.b().unwrap();
        alone.apply(*b.settings());
        alone.finish();
        assert_eq!(b.view().hash(), alone.right().hash());
        let own = b.tape(lab.tape());
        let b = b.history().unwrap();
        let b = b.report(state_hash(own.world().truth()));
        [b, alone.report()].map(|report| serde_json::to_value(report).unwrap())
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
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
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_setting_changed_for_a_changes_for_b_unless_b_has_its_own() {
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
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
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
        assert_eq!(lab.b().unwrap().history().unwrap().last_tick(), 260);
        assert!(lab.undo());
        lab.seek(400);
        lab.finish();
        assert_eq!(lab.b().unwrap().view().hash(), shown);
    }
}
