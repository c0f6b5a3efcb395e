//! The *tape* of a motion: all keys since the beginning, and the truth (exact states of all cubes) of the newest minute.
//!
//! Lanes, ladder and captures are measured on a tape, so a setting can change while the motion stays.

mod keys;
mod packed;
mod undo;

use crate::delta_history::{DeltaHistory, MOTION_BYTES_MAX};
use crate::motion::Motion;
use crate::recorded::RecordedInput;
use crate::session_config::SessionConfig;
use snapshot_base::time::{TICKS_PER_S, TickRate, WORLD};
use snapshot_codec::CubeState;
use snapshot_physics::input::{Input, Inputs};
use snapshot_physics::scene::{SceneKind, Script, rival_keys};
use snapshot_physics::world::{Rival, World, WorldSettings};
use snapshot_settings::Settings;
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;
pub use undo::UndoneTicks;

/// Least number of newest ticks that are stored, once so many exist, unless their states exceed [`MOTION_BYTES_MAX`].
pub const HELD_TICKS: u64 = 60 * TICKS_PER_S as u64;
/// Number of ticks between two forks (copies of the world). A fork of 901 cubes takes some 3 MB; any tick is at most 4 s of
/// simulation away.
pub const FORK_TICKS: u64 = 4 * TICKS_PER_S as u64;
/// Number of ticks between two forks within the newest [`FORK_TICKS`]: a simulating lane is rebuilt from such a fork while
/// the motion continues.
const NEAR_FORK_TICKS: u64 = TICKS_PER_S as u64;
/// Bit beside a tick's keys that marks a cut network, in which no packet passed.
const CUT: u16 = 1 << 6;
/// Message of the panic of who asks a recorded motion for its world.
const NO_WORLD: &str = "a motion that was recorded elsewhere has no world";

pub struct Tape {
    /// The tick before the tape's first tick.
    began: u64,
    /// The world after the last tick; `None` for a motion that was recorded elsewhere.
    world: Option<World>,
    made_from: WorldSettings,
    /// The script that drives; `None` while a person drives.
    script: Option<Script>,
    /// Recorded input of a link. It is replayed until it ends or a person takes over.
    replay: Option<RecordedInput>,
    scripted: ScriptedKeys,
    /// Keys of each tick since the tape's start: the bits of [`Inputs`], and [`CUT`].
    keys: Vec<u16>,
    truth: DeltaHistory<CubeState>,
    checksums: VecDeque<u64>,
    /// Forks of the world, by tick. The first is at the first held tick.
    forks: VecDeque<Rc<World>>,
    /// Facts about a motion that was recorded elsewhere; `None` for a simulated world.
    motion: Option<SessionConfig>,
    /// True if a person changed the tape's course beyond its script and recorded input: by keys, a cut or a rewind.
    acted: bool,
    edits: u64,
}

/// The number of the tape's first ticks whose keys a script can produce again. Scripts read the world, so this holds only for
/// an identical world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ScriptedKeys {
    scene: SceneKind,
    seed: u32,
    made_from: WorldSettings,
    ticks: u64,
    /// The number of first ticks whose keys the rival's script can produce again.
    rival_ticks: u64,
}

pub struct Frames<'a> {
    tape: &'a Tape,
    tick: u64,
    truth: Vec<CubeState>,
}

impl Frames<'_> {
    #[expect(
        clippy::should_implement_trait,
        reason = "each lends what the next overwrites"
    )]
    pub fn next(&mut self) -> Option<Frame<'_>> {
        let frame = self.tape.frame(self.tick + 1, &mut self.truth);
        self.tick += u64::from(frame.is_some());
        frame
    }
}

impl Tape {
    /// Makes a tape of the scene in these settings, before its first tick.
    pub fn new(settings: &Settings) -> Tape {
        Tape::beginning_at(settings, 0)
    }

    /// Makes a tape whose ticks are numbered from `began` + 1, so that 16-bit sequences wrap sooner. With another number the
    /// same keys lead to another motion, because the wobble of a hovering player depends on the tick.
    pub fn beginning_at(settings: &Settings, began: u64) -> Tape {
        let scene = settings.scene();
        let script = || Script::new(scene, settings.seed(), settings.grid_side());
        let scripted = ScriptedKeys {
            scene,
            seed: settings.seed(),
            made_from: settings.world(),
            ticks: 0,
            rival_ticks: 0,
        };
        let mut tape = Tape::of_world(settings.world(), began, scripted);
        tape.script = (scene != SceneKind::Drive).then(script);
        tape
    }

    /// Makes a tape of the scene in these settings before its first tick, with a person's recorded input to replay.
    pub fn replaying(settings: &Settings, recorded: &RecordedInput) -> Tape {
        let mut tape = Tape::new(settings);
        tape.replay = (recorded.last_tick() > 0).then(|| recorded.clone());
        tape
    }

    pub fn record(settings: &Settings, ticks: u64) -> Tape {
        let mut tape = Tape::new(settings);
        tape.go_on(ticks);
        tape
    }

    /// Appends a tick of a motion that was recorded elsewhere, with as many cubes as the tape has. No physics produced it,
    /// so only lanes that send snapshots can read it.
    pub fn add_recorded(&mut self, truth: &[CubeState]) {
        self.keys.push(0);
        self.truth.push(truth.iter().copied());
        if let Some(world) = &mut self.world {
            world.set_tick(world.tick() + 1);
            self.checksums.push_back(world.checksum());
        }
    }

    pub fn go_on(&mut self, ticks: u64) {
        (0..ticks).for_each(|_| self.step(Input::NONE, false));
    }

    fn of_world(made_from: WorldSettings, began: u64, scripted: ScriptedKeys) -> Tape {
        let mut world = World::new(&made_from);
        world.set_tick(began);
        Tape {
            began,
            script: None,
            replay: None,
            scripted,
            keys: Vec::new(),
            truth: DeltaHistory::new(began, world.truth().to_vec()),
            checksums: VecDeque::from([world.checksum()]),
            forks: VecDeque::from([Rc::new(world.fork())]),
            motion: None,
            acted: false,
            edits: 0,
            world: Some(world),
            made_from,
        }
    }

    /// Makes a tape of a motion from elsewhere, up to a tick. No physics produced it, so only lanes that send snapshots can
    /// read it, and it does not continue.
    pub fn of_motion(motion: &Motion, until: u64) -> Tape {
        let mut truth = motion.truth().clone();
        if until < *truth.ticks().end() {
            truth.split_off(until);
        }
        Tape::of_recorded(motion.session_config().clone(), truth)
    }

    /// Makes a tape of these ticks, numbered from 0, of a motion from elsewhere. [`Tape::add_recorded`] appends further ticks.
    pub fn of_recorded(session_config: SessionConfig, truth: DeltaHistory<CubeState>) -> Tape {
        let made_from = WorldSettings {
            grid_side: 0,
            ..WorldSettings::default()
        };
        let scripted = ScriptedKeys {
            scene: SceneKind::Drive,
            seed: 0,
            made_from,
            ticks: 0,
            rival_ticks: 0,
        };
        Tape {
            began: 0,
            world: None,
            made_from,
            script: None,
            replay: None,
            scripted,
            keys: vec![0; *truth.ticks().end() as usize],
            truth,
            checksums: VecDeque::new(),
            forks: VecDeque::new(),
            motion: Some(session_config),
            acted: false,
            edits: 0,
        }
    }

    /// Facts about the motion that was recorded elsewhere; `None` if the tape simulates a world.
    pub fn motion(&self) -> Option<&SessionConfig> {
        self.motion.as_ref()
    }

    pub fn tick_rate(&self) -> TickRate {
        self.motion
            .as_ref()
            .map_or(WORLD, |session_config| session_config.tick_rate)
    }

    pub fn session_config(&self) -> SessionConfig {
        let motion = self.motion.clone();
        motion.unwrap_or_else(|| SessionConfig::of_world(self.made_from()))
    }

    /// Returns true if a world of these settings would move as the tape's does. A motion that was recorded elsewhere moves
    /// the same way with any settings.
    pub fn moves_as(&self, world: &WorldSettings) -> bool {
        self.motion.is_some() || self.made_from() == world
    }

    pub fn newest(&self) -> &[CubeState] {
        self.truth.newest()
    }

    /// Simulates one tick, and cuts the network in it if `cut`. If a script or recorded keys drive, the person's input is
    /// ignored.
    pub fn step(&mut self, person: impl Into<Inputs>, cut: bool) {
        self.record_tick(person.into(), cut);
    }

    fn record_tick(&mut self, person: Inputs, cut: bool) {
        let tick = self.last_tick() + 1;
        let replay = self.replay.as_ref();
        let recorded = replay.and_then(|replay| replay.keys(tick));
        let recorded_cut = replay.is_some_and(|replay| replay.is_cut(tick));
        self.acted |= cut && !recorded_cut;
        let cut = cut || recorded_cut;
        if recorded.is_some() {
            self.script = None;
        }
        let rival = self.rival_input_at(tick, person.rival);
        let hand = match (recorded, &mut self.script) {
            (Some(keys), _) => Input::from_bits(keys),
            (None, Some(script)) => {
                let is_its_own = self.scripted.made_from == self.made_from;
                if is_its_own && self.scripted.ticks == self.keys.len() as u64 {
                    self.scripted.ticks += 1;
                }
                script.next(self.truth.newest())
            }
            (None, None) => {
                self.acted |= person.hand != Input::NONE;
                person.hand
            }
        };
        let keys = Inputs {
            hand,
            rival,
            is_crowd_idle: false,
        }
        .bits();
        self.step_with(keys | if cut { CUT } else { 0 });
        if self
            .replay
            .as_ref()
            .is_some_and(|replay| replay.last_tick() <= tick)
        {
            let replay = self.replay.take();
            // A person may have taken over and not yet pressed anything.
            if replay.is_some_and(|replay| replay.drive.is_some()) {
                self.script = None;
            }
        }
    }

    /// Returns the keys of the rival in the next tick: recorded ones, its script's, or a person's.
    fn rival_input_at(&mut self, tick: u64, person: Input) -> Input {
        let replay = self.replay.as_ref();
        let recorded = replay.and_then(|replay| replay.rival_keys(tick));
        match (recorded, self.made_from().rival) {
            (_, Rival::None) => Input::NONE,
            (Some(keys), _) => Input::from_bits(keys),
            (None, Rival::Script) => {
                let is_its_own = self.scripted.made_from == self.made_from;
                if is_its_own && self.scripted.rival_ticks == self.keys.len() as u64 {
                    self.scripted.rival_ticks += 1;
                }
                let held = self.rival_input(tick - 1).unwrap_or_default();
                rival_keys(self.scripted.seed, tick, self.truth.newest(), held)
            }
            (None, Rival::Hand) => {
                self.acted |= person != Input::NONE;
                person
            }
        }
    }

    fn step_with(&mut self, keys: u16) {
        let Some(world) = &mut self.world else {
            return;
        };
        world.step(Inputs::from_bits(keys));
        self.keys.push(keys);
        self.truth.push(world.truth().iter().copied());
        self.checksums.push_back(world.checksum());
        let tick = world.tick();
        if tick.is_multiple_of(NEAR_FORK_TICKS) {
            self.forks.push_back(Rc::new(world.fork()));
            self.thin_out_forks();
        }
        if tick.is_multiple_of(FORK_TICKS) {
            self.forget();
        }
    }

    /// Drops old forks, except one every [`FORK_TICKS`] and the first.
    fn thin_out_forks(&mut self) {
        let near = self.last_tick().saturating_sub(FORK_TICKS);
        let first = self.first_tick();
        self.forks.retain(|fork| {
            let tick = fork.tick();
            tick > near || tick == first || tick.is_multiple_of(FORK_TICKS)
        });
    }

    fn forget(&mut self) {
        let last = self.last_tick();
        while self.forks.get(1).is_some_and(|next| {
            let too_much = self.truth.bytes() > MOTION_BYTES_MAX;
            next.tick() + HELD_TICKS <= last || too_much && next.tick() + FORK_TICKS <= last
        }) {
            self.forks.pop_front();
            let first = self.forks.front().map_or(0, |fork| fork.tick());
            let before = self.first_tick();
            self.truth.forget_before(first);
            let forgotten = self.first_tick() - before;
            self.checksums.drain(..forgotten as usize);
        }
    }

    /// Drops all states before the last tick, so that lanes can begin only there.
    pub fn hold_from_here(&mut self) {
        self.truth = DeltaHistory::new(self.last_tick(), self.newest().to_vec());
        if let Some(world) = &self.world {
            self.checksums = VecDeque::from([world.checksum()]);
            self.forks = VecDeque::from([Rc::new(world.fork())]);
        }
    }

    /// The tick before the tape's first tick.
    pub fn began(&self) -> u64 {
        self.began
    }

    /// The oldest tick whose states are stored.
    pub fn first_tick(&self) -> u64 {
        *self.truth.ticks().start()
    }

    pub fn last_tick(&self) -> u64 {
        *self.truth.ticks().end()
    }

    /// The simulated world after the last tick.
    ///
    /// # Panics
    /// When the motion was recorded elsewhere: it has no world.
    pub fn world(&self) -> &World {
        self.world.as_ref().expect(NO_WORLD)
    }

    pub fn made_from(&self) -> &WorldSettings {
        &self.made_from
    }

    /// Number of changes to past ticks so far. A result made before a change is invalid.
    pub fn edits(&self) -> u64 {
        self.edits
    }

    /// Reads every cube's state at a tick into `states`. Returns false if the tick is not stored.
    pub fn read_truth(&self, tick: u64, states: &mut Vec<CubeState>) -> bool {
        self.truth.read(tick, states)
    }

    pub fn truth(&self) -> &DeltaHistory<CubeState> {
        &self.truth
    }

    /// Returns a tick as a lane reads it; `None` if the tick is not stored. `truth` holds the states of the tick before, and
    /// is changed to those of this tick.
    pub fn frame<'a>(&'a self, tick: u64, truth: &'a mut Vec<CubeState>) -> Option<Frame<'a>> {
        if !self.truth.wind(tick.wrapping_sub(1), tick, truth) {
            return None;
        }
        let Inputs { hand, rival, .. } = self.inputs(tick)?;
        let place = usize::try_from(tick - self.first_tick()).ok()?;
        Some(Frame {
            tick,
            input: hand,
            rival,
            truth,
            checksum: self.checksums.get(place).copied(),
            tape: self,
        })
    }

    pub fn is_cut(&self, tick: u64) -> bool {
        self.keys_of(tick).is_some_and(|keys| keys & CUT != 0)
    }

    /// Iterates over the ticks after `tick`, in the form that a lane reads. The tape must still store them.
    pub fn frames_after(&self, tick: u64) -> Frames<'_> {
        let mut truth = Vec::new();
        self.truth.read(tick, &mut truth);
        Frames {
            tape: self,
            tick,
            truth,
        }
    }

    /// Returns the player's input of the step that led to a tick; `None` if the tape has no such tick.
    pub fn input(&self, tick: u64) -> Option<Input> {
        self.inputs(tick).map(|inputs| inputs.hand)
    }

    pub fn rival_input(&self, tick: u64) -> Option<Input> {
        self.inputs(tick).map(|inputs| inputs.rival)
    }

    pub fn inputs(&self, tick: u64) -> Option<Inputs> {
        self.keys_of(tick).map(Inputs::from_bits)
    }

    fn keys_of(&self, tick: u64) -> Option<u16> {
        let place = tick.checked_sub(self.began + 1)?;
        self.keys.get(usize::try_from(place).ok()?).copied()
    }

    /// Returns the index of the keys of the tick after `tick`.
    fn place_after(&self, tick: u64) -> usize {
        tick.saturating_sub(self.began) as usize
    }

    /// Cuts the network in past ticks; the motion does not change. Lane histories of these ticks become invalid.
    pub fn cut(&mut self, ticks: Range<u64>) {
        let place = |tick: u64| self.place_after(tick.saturating_sub(1));
        let places = place(ticks.start)..place(ticks.end).min(self.keys.len());
        if let Some(keys) = self.keys.get_mut(places) {
            keys.iter_mut().for_each(|keys| *keys |= CUT);
            self.acted = true;
            self.edits += 1;
        }
    }

    /// Returns the newest tick up to `tick` whose world is stored as a fork, else the first stored tick. A motion from
    /// elsewhere needs no fork: each stored tick counts.
    pub fn fork_tick(&self, tick: u64) -> u64 {
        if self.motion.is_some() {
            return tick.max(self.first_tick());
        }
        let forks = self.forks.iter().map(|fork| fork.tick());
        forks
            .take_while(|fork| *fork <= tick)
            .last()
            .unwrap_or_else(|| self.first_tick())
    }

    /// Returns the world after a stored tick, simulated from the nearest fork with the tape's keys.
    pub fn world_at(&self, tick: u64) -> World {
        let fork = self.fork_of(self.fork_tick(tick));
        let earlier = fork.map_or_else(|| self.world(), Rc::as_ref);
        self.go_on_from(earlier, tick)
    }

    /// Returns the fork made after exactly that tick; `None` if there is none.
    pub fn fork_of(&self, tick: u64) -> Option<&Rc<World>> {
        let place = self.forks.binary_search_by_key(&tick, |fork| fork.tick());
        self.forks.get(place.ok()?)
    }

    /// Returns the world after a tick, simulated from an earlier world with the tape's keys. The states of the earlier tick
    /// need not be stored.
    pub fn go_on_from(&self, earlier: &World, tick: u64) -> World {
        let mut world = earlier.fork();
        while world.tick() < tick {
            let Some(inputs) = self.inputs(world.tick() + 1) else {
                break;
            };
            world.step(inputs);
        }
        world
    }
}

/// A tick of a tape, as a lane reads it.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// The tick: ticks since the world began, rising by one.
    pub tick: u64,
    /// The player's input of the step that led to this tick.
    pub input: Input,
    pub rival: Input,
    /// State of every cube after the step that led to this tick.
    pub truth: &'a [CubeState],
    /// The world's checksum after the step, which lockstep compares; `None` if nothing is compared.
    pub checksum: Option<u64>,
    /// The tape itself, for comparing later frames with the truth, and for sharing simulations.
    pub tape: &'a Tape,
}

impl Frame<'_> {
    pub fn now_ms(&self) -> f64 {
        self.tape.tick_rate().ms_of_tick(self.tick as f64)
    }
}

#[cfg(test)]
mod tests;
