//! Measurement of the tour's claims, tick by tick. A claim says that a value of a step's run is within bounds. Claims share
//! runs and motions.

use super::quantity::{Ground, Quantity};
use super::{Claim, Step};
use serde::Serialize;
use snapshot_analysis::ladder::{Ladder, RungCosts};
use snapshot_analysis::window::Window;
use snapshot_app::lane_run::LaneId;
use snapshot_app::visit::Cut;
use snapshot_base::time::TICKS_PER_S;
use snapshot_lane::history::LaneHistory;
use snapshot_netsim::channel::LinkInputs;
use snapshot_physics::input::Input;
use snapshot_physics::world::{WorldSettings, state_hash};
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, Settings};

/// Upper limit of the number of motions that stay stored for later claims.
const MOST_MOTIONS: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TourMeasured"))]
pub struct ClaimFigure {
    pub step: &'static str,
    pub claim: &'static str,
    /// Measured value, in the unit of the claim; NaN if the run has no such value.
    pub value: f64,
}

/// Measurement of claims in progress: the queue of claims, and the measured values so far.
#[derive(Default)]
pub struct ClaimMeasurement {
    waiting: Vec<ClaimTask>,
    running: Option<RunInProgress>,
    motions: Vec<MotionInProgress>,
    /// Ladders measured so far. They are expensive, and most steps of a chapter ask for the same one.
    climbed: Vec<(MeasuredRun, RungCosts)>,
    done: Vec<ClaimFigure>,
}

#[derive(Clone)]
struct ClaimTask {
    step: &'static Step,
    claim: &'static Claim,
    run: MeasuredRun,
}

#[derive(Clone, PartialEq)]
struct MeasuredRun {
    motion: MeasuredMotion,
    settings: Settings,
    /// Inputs of the lane's link: the step's overrides (forced fates of packets) and its trace.
    given: LinkInputs,
    /// Tick after which the lane begins, as `from=` of a link.
    start_tick: u64,
    ticks: u64,
    ground: Ground,
}

#[derive(Clone)]
struct MeasuredMotion {
    /// Settings of the scene: its script plays in the world of these settings.
    scene: Settings,
    /// World of the lane. If it differs from the scene's world, it replays the same keys.
    world: WorldSettings,
    cut: Option<Cut>,
}

impl PartialEq for MeasuredMotion {
    /// Compares the settings that determine the motion: those of script and world. Equal settings give equal motions, to the
    /// bit.
    fn eq(&self, other: &MeasuredMotion) -> bool {
        let of = |motion: &MeasuredMotion| {
            let script = [Key::Scene, Key::Seed, Key::Grid].map(|key| motion.scene.get(key));
            (script, motion.scene.world(), motion.world, motion.cut)
        };
        of(self) == of(other)
    }
}

struct MotionInProgress {
    motion: MeasuredMotion,
    of_scene: Tape,
    other: Option<Tape>,
}

struct RunInProgress {
    run: MeasuredRun,
    history: Option<LaneHistory>,
    ladder: Option<Ladder>,
}

impl ClaimMeasurement {
    /// Queues the claims of these steps that are not measured yet, in place of the claims that were waiting.
    pub fn ask(&mut self, steps: impl IntoIterator<Item = &'static Step>) {
        let mut waiting: Vec<ClaimTask> = Vec::new();
        for step in steps {
            let unknown = |claim: &&Claim| self.measured(step, claim.id).is_none();
            let claims = step.claims.iter().filter(unknown);
            waiting.extend(claims.filter_map(|claim| ClaimTask::new(step, claim, None)));
        }
        for (run, rows) in &self.climbed {
            let known = waiting.extract_if(.., |job| job.run == *run);
            self.done.extend(known.map(|job| ClaimFigure {
                step: job.step.id,
                claim: job.claim.id,
                value: job.claim.figure.of_ladder(rows),
            }));
        }
        self.wait_for(waiting);
    }

    /// Queues claims, to be measured with `seed` in place of the seed of their links.
    pub fn ask_with_seed(
        &mut self,
        claims: impl Iterator<Item = (&'static Step, &'static Claim)>,
        seed: u32,
    ) {
        let mut jobs: Vec<ClaimTask> = Vec::new();
        for (step, claim) in claims {
            let is = |job: &ClaimTask| (job.step.id, job.claim.id) == (step.id, claim.id);
            if !jobs.iter().any(is) {
                jobs.extend(ClaimTask::new(step, claim, Some(seed)));
            }
        }
        self.wait_for(jobs);
    }

    fn wait_for(&mut self, mut waiting: Vec<ClaimTask>) {
        // Sorted by motion, then by run: each is made once.
        let mut sorted: Vec<ClaimTask> = Vec::new();
        while let Some(first) = waiting.first().cloned() {
            let motion = waiting.extract_if(.., |job| job.run.motion == first.run.motion);
            let mut motion: Vec<ClaimTask> = motion.collect();
            while let Some(first) = motion.first().cloned() {
                sorted.extend(motion.extract_if(.., |job| job.run == first.run));
            }
        }
        self.waiting = sorted;
        // An unfinished run continues if its claims are still wanted.
        let wanted =
            |running: &RunInProgress| self.waiting.iter().any(|job| job.run == running.run);
        if !self.running.as_ref().is_some_and(wanted) {
            self.running = None;
        }
    }

    /// Does one piece of work, at most a tick of world or lane. Returns false once nothing is left to do.
    pub fn work(&mut self) -> bool {
        let Some(mut running) = self.running.take().or_else(|| self.begin()) else {
            return false;
        };
        if self.advance(&mut running) {
            self.running = Some(running);
        } else {
            self.read(&running);
        }
        true
    }

    /// The measured values so far, in the order of measurement.
    pub fn done(&self) -> &[ClaimFigure] {
        &self.done
    }

    /// Returns the measured value of a claim, in the claim's unit; `None` before the claim is measured.
    pub fn measured(&self, step: &Step, claim: &str) -> Option<f64> {
        let mut done = self.done.iter();
        let measured = done.find(|done| (done.step, done.claim) == (step.id, claim));
        measured.map(|measured| measured.value)
    }

    /// Returns true if a claim holds; false if a value that it needs is not measured yet.
    pub fn holds(&self, step: &Step, claim: &Claim) -> bool {
        let other = claim.times.map(|times| self.measured(step, times.other));
        let measured = self.measured(step, claim.id);
        measured.is_some_and(|measured| claim.holds(measured, other.flatten()))
    }

    fn begin(&mut self) -> Option<RunInProgress> {
        Some(RunInProgress {
            run: self.waiting.first()?.run.clone(),
            history: None,
            ladder: None,
        })
    }

    /// Advances a run by one tick. Returns false once the run is done.
    fn advance(&mut self, running: &mut RunInProgress) -> bool {
        let run = &running.run;
        let made = self.made(&run.motion);
        if made.grow(run.ticks) {
            return true;
        }
        let tape = made.tape();
        match run.ground {
            Ground::Motion => false,
            Ground::Lane => {
                let history = running.history.get_or_insert_with(|| {
                    LaneHistory::new(tape, &run.settings.lane(), &run.given, run.start_tick)
                });
                history.last_tick() < run.ticks && history.advance(tape)
            }
            Ground::Ladder => {
                let ladder = running.ladder.get_or_insert_with(|| {
                    Ladder::for_window(tape, &run.settings, &run.given, Window::Whole, 0)
                });
                ladder.work(tape, run.ticks)
            }
        }
    }

    /// Reads the values of all waiting claims from a finished run.
    fn read(&mut self, running: &RunInProgress) {
        let run = &running.run;
        let jobs: Vec<ClaimTask> = self.waiting.extract_if(.., |job| job.run == *run).collect();
        let tape = self.made(&run.motion).tape();
        let report = running
            .history
            .as_ref()
            .map(|history| history.report(state_hash(tape.newest())));
        let rows = running.ladder.as_ref().map(Ladder::rows);
        let value = |job: &ClaimTask| {
            let figure = &job.claim.figure;
            match (&running.history, &report, &rows) {
                (Some(history), Some(report), _) => {
                    figure.of_lane(history, report, tape, job.step.opening_ticks())
                }
                (_, _, Some(rows)) => figure.of_ladder(rows),
                _ => figure.of_motion(tape, run.ticks),
            }
        };
        let measured = jobs.iter().map(|job| ClaimFigure {
            step: job.step.id,
            claim: job.claim.id,
            value: value(job),
        });
        let measured: Vec<_> = measured.collect();
        self.done.extend(measured);
        self.climbed.extend(rows.map(|rows| (run.clone(), rows)));
    }

    fn made(&mut self, motion: &MeasuredMotion) -> &mut MotionInProgress {
        let place = self.motions.iter().position(|made| made.motion == *motion);
        let made = match place {
            Some(place) => self.motions.remove(place),
            None => MotionInProgress::new(motion),
        };
        let most = MOST_MOTIONS - 1;
        let over = self.motions.len().saturating_sub(most);
        self.motions.drain(..over);
        self.motions.push(made);
        let last = self.motions.len() - 1;
        &mut self.motions[last]
    }
}

impl MotionInProgress {
    fn new(motion: &MeasuredMotion) -> MotionInProgress {
        let of_scene = Tape::new(&motion.scene);
        let world = motion.world;
        let is_other = world != *of_scene.made_from();
        MotionInProgress {
            motion: motion.clone(),
            other: is_other.then(|| of_scene.begin_again(world)),
            of_scene,
        }
    }

    /// Extends the motion by one tick, up to `ticks`. Returns false once it has this length.
    fn grow(&mut self, ticks: u64) -> bool {
        let tick = self.of_scene.last_tick();
        if tick < ticks {
            let cut = (self.motion.cut).is_some_and(|cut| cut.ticks_left_after(tick) > 0);
            self.of_scene.step(Input::NONE, cut);
            return true;
        }
        match &mut self.other {
            Some(other) if other.last_tick() < ticks => other.follow(&self.of_scene),
            _ => false,
        }
    }

    fn tape(&self) -> &Tape {
        self.other.as_ref().unwrap_or(&self.of_scene)
    }
}

impl ClaimTask {
    /// Makes the measuring task of a claim; `None` for a step whose link cannot be used.
    fn new(step: &'static Step, claim: &'static Claim, seed: Option<u32>) -> Option<ClaimTask> {
        let (mut settings, mut of_scene) = claim.settings(step).ok()?;
        if let Some(seed) = seed {
            settings.set(Key::Seed, seed).ok()?;
            of_scene.set(Key::Seed, seed).ok()?;
        }
        let mut ground = claim.figure.ground();
        if let (Some(_), Quantity::Rung(name)) = (seed, claim.figure) {
            // A lane on this rung measures what a ladder measures for all rungs.
            settings.set_text("codec", name).ok()?;
            ground = Ground::Lane;
        }
        let link = step.stop().read_link().ok()?;
        let first_tick = link.a.start_tick;
        let linked = match (claim.lane, link.b) {
            (LaneId::B, Some(b)) => b,
            _ => link.a,
        };
        let start_tick = linked.start_tick.or(first_tick).unwrap_or(0);
        let world = settings.world();
        if ground != Ground::Lane {
            // Motion and ladder ignore these keys, so all such claims share one run.
            for key in [Key::Codec, Key::Interpolation, Key::Delay] {
                let _ = settings.set(key, key.setting().default_in(settings.strategy()));
            }
        }
        let seconds = claim.seconds.unwrap_or(step.run_s);
        Some(ClaimTask {
            step,
            claim,
            run: MeasuredRun {
                motion: MeasuredMotion {
                    scene: of_scene,
                    world,
                    cut: step.cut,
                },
                settings,
                given: LinkInputs {
                    trace: step.stop().read_trace(),
                    ..linked.overrides.into()
                },
                start_tick,
                ticks: u64::from(seconds) * u64::from(TICKS_PER_S),
                ground,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::claim;
    use crate::quantity::{error, run};
    use crate::reading::Arithmetic;

    /// Claims of every ground, with figures over the whole run.
    const CLAIMS: &[Claim] = &[
        claim(
            "fused",
            Quantity::RoundsOtherwisePercent(Arithmetic::Fused),
            0.0,
            100.0,
        ),
        claim("kept", Quantity::KeepsLargestPercent, 0.0, 100.0),
        claim("moving", Quantity::MovingAt(60), 0.0, 901.0),
        claim("kbps", run("kbps_mean"), 0.0, 1e9),
        claim("error", error("position_error_mm.rms"), 0.0, 1e9),
        claim("jumps", Quantity::Jumps { over_mm: 1.0 }, 0.0, 1e9),
        claim("unacked", Quantity::UnackedPercent, 0.0, 100.0),
        claim("rung", Quantity::Rung("changed-flags"), 0.0, 1e9),
    ];

    /// Makes a step of these claims on one motion.
    fn new_step(id: &'static str, run_s: u32) -> &'static Step {
        Box::leak(Box::new(Step {
            id,
            link: "v=1&scene=katamari&grid=5&loss=10&at=0",
            run_s,
            opening_s: 0,
            claims: CLAIMS,
            ..*crate::step("two-machines").unwrap()
        }))
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_figure_is_the_same_whatever_was_measured_before() {
        let (short, long) = (new_step("short", 2), new_step("long", 5));
        let measured = |first: &'static Step, then: &'static Step| {
            let mut measuring = ClaimMeasurement::default();
            for step in [first, then] {
                measuring.ask([step]);
                while measuring.work() {}
            }
            let values = CLAIMS.iter().map(|claim| {
                let value = measuring.measured(then, claim.id).unwrap();
                (claim.id, value)
            });
            values.collect::<Vec<_>>()
        };
        assert_eq!(measured(long, short), measured(short, short));
        assert_eq!(measured(short, long), measured(long, long));
    }
}
