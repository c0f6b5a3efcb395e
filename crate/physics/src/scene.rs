//! Scenes: a person at the keys, or one of six scripted people.
//!
//! A script is a list of acts. Within an act the script steers like a person. It picks a cube, and holds a key for a tenth
//! of a second or so. It lets go when fast enough, and goes on to the next cube. It sees the world, but the world does not
//! see it, so it can begin again on a world in any state. Its output is six bits a tick. Beside any scene, a script of its
//! own may drive a rival.

use snapshot_codec::CubeState;

use crate::input::Input;
use snapshot_base::random::{KeyedDraw, Stream};
use snapshot_base::time::TICKS_PER_S;

/// One line for each scene: its name, and the state's hash in hex after 600 ticks of seed 1 on the default grid. Every
/// build checks itself against them: debug, release and wasm. The hashes also reveal results that another version of the
/// physics produced.
pub const STATE_HASHES: &str = include_str!("state-hashes.txt");

/// A scene: a person at the keys, or one of the scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SceneKind {
    /// A person drives; the script presses nothing.
    Drive,
    /// The player rolls among the cubes.
    Roll,
    /// The player hovers and blows cubes about.
    Blow,
    /// The player gathers a ball of cubes and rolls it about, then lets go.
    Katamari,
    /// A script of 47 s: the player rolls, hovers, pulls cubes to a ball and jumps, with quiet stretches in between.
    Mixed,
    /// The player heaps up a pile in ten seconds, and lets it lie for the rest of a minute.
    Rest,
    /// The player rolls among a crowd of 99 others, in a wider world.
    Crowd,
}

impl SceneKind {
    /// Every scene, in the order of the page's menu.
    pub const ALL: [SceneKind; 7] = [
        SceneKind::Drive,
        SceneKind::Roll,
        SceneKind::Blow,
        SceneKind::Katamari,
        SceneKind::Mixed,
        SceneKind::Rest,
        SceneKind::Crowd,
    ];

    /// Name of the scene in links and on the command line.
    pub fn name(self) -> &'static str {
        let (name, _) = self.name_and_parts();
        name
    }

    pub fn from_name(name: &str) -> Option<SceneKind> {
        SceneKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the seed of the scene's crowd; `None` for a scene without one.
    pub fn crowd_seed(self, seed: u32) -> Option<u32> {
        (self == SceneKind::Crowd).then_some(seed)
    }

    /// Returns the scene's name and the parts of its script.
    fn name_and_parts(self) -> (&'static str, &'static [ScriptPart]) {
        match self {
            SceneKind::Drive => ("drive", &DRIVE),
            SceneKind::Roll => ("roll", &ROLL),
            SceneKind::Blow => ("blow", &BLOW),
            SceneKind::Katamari => ("katamari", &KATAMARI),
            SceneKind::Mixed => ("mixed", &MIXED),
            SceneKind::Rest => ("rest", &REST),
            SceneKind::Crowd => ("crowd", &CROWD),
        }
    }
}

/// A stretch of a script: its length, the keys held throughout, and the speed at which the player seeks out cubes.
#[derive(Clone, Copy, Debug)]
struct ScriptPart {
    ticks: u32,
    keys: Input,
    /// Speed at which the script drives to cubes, m/s; 0 presses no arrow key.
    speed: f32,
}

impl ScriptPart {
    const fn new(seconds: f32, keys: Input, speed: f32) -> ScriptPart {
        ScriptPart {
            ticks: (seconds * TICKS_PER_S as f32) as u32,
            keys,
            speed,
        }
    }
}

const DRIVE: [ScriptPart; 1] = [ScriptPart::new(1.0, Input::NONE, 0.0)];

const ROLL: [ScriptPart; 4] = [
    ScriptPart::new(2.0, Input::NONE, 0.0),
    ScriptPart::new(12.0, Input::NONE, 7.0),
    ScriptPart::new(2.0, Input::NONE, 0.0),
    ScriptPart::new(14.0, Input::NONE, 10.0),
];

const BLOW: [ScriptPart; 5] = [
    ScriptPart::new(1.5, Input::NONE, 0.0),
    ScriptPart::new(12.0, Input::PUSH, 5.0),
    ScriptPart::new(3.5, Input::NONE, 0.0),
    ScriptPart::new(12.0, Input::PUSH, 7.0),
    ScriptPart::new(3.0, Input::NONE, 0.0),
];

const KATAMARI: [ScriptPart; 4] = [
    ScriptPart::new(1.5, Input::NONE, 0.0),
    ScriptPart::new(28.0, Input::PULL, 8.0),
    ScriptPart::new(1.5, Input::PULL, 0.0),
    ScriptPart::new(4.0, Input::NONE, 0.0),
];

/// The parts of scene `Mixed`. Quiet stretches and the length of the pull are chosen for 240 kbit/s on the last bit-packed
/// rung at 60 snapshots/s.
const MIXED: [ScriptPart; 12] = [
    ScriptPart::new(2.0, Input::NONE, 0.0),
    ScriptPart::new(5.0, Input::NONE, 7.0),
    ScriptPart::new(1.5, Input::NONE, 0.0),
    ScriptPart::new(6.5, Input::PUSH, 6.0),
    ScriptPart::new(1.5, Input::NONE, 0.0),
    ScriptPart::new(19.0, Input::PULL, 8.0),
    ScriptPart::new(1.0, Input::PULL, 0.0),
    ScriptPart::new(3.5, Input::NONE, 0.0),
    ScriptPart::new(3.0, Input::PUSH, 4.0),
    ScriptPart::new(1.5, Input::NONE, 0.0),
    ScriptPart::new(0.1, Input::JUMP, 0.0),
    ScriptPart::new(2.4, Input::NONE, 0.0),
];

/// The parts of scene `Rest`: a pile that lies still for most of a minute. Coarse quantisation tilts its cubes, and makes
/// simulated ones shiver.
const REST: [ScriptPart; 4] = [
    ScriptPart::new(1.5, Input::NONE, 0.0),
    ScriptPart::new(7.0, Input::PULL, 6.0),
    ScriptPart::new(1.5, Input::PULL, 0.0),
    ScriptPart::new(50.0, Input::NONE, 0.0),
];

/// The parts of scene `Crowd` for the first player; [`crate::crowd`] drives the other players.
const CROWD: [ScriptPart; 2] = [
    ScriptPart::new(2.0, Input::NONE, 0.0),
    ScriptPart::new(28.0, Input::NONE, 7.0),
];

/// Distance from its goal within which a script picks the next goal, m.
const GOAL_REACHED_M: f32 = 1.5;
/// Ticks after which a script gives up a goal.
const GOAL_PATIENCE_TICKS: u32 = 3 * TICKS_PER_S;
const GOAL_MIN_DISTANCE_M: f32 = 4.0;
/// Distance beyond the grid at which a script turns back, m.
const MARGIN_M: f32 = 2.0;
/// Difference from the aimed velocity above which a script presses a key, m/s.
const SPEED_TOLERANCE: f32 = 1.5;
/// Least number of ticks between two looks at the world.
const REACTION_TICKS_MIN: u32 = 4;
/// Greatest number of ticks between two looks at the world.
const REACTION_TICKS_MAX: u32 = 8;
const RANDOM_USE: u32 = 1;

#[derive(Clone, Debug)]
pub struct Script {
    acts: &'static [ScriptPart],
    act: usize,
    /// Ticks until the current part of the script ends.
    act_ticks: u32,
    /// Half the side of the square in which the script stays, m.
    range_m: f32,
    goal: [f32; 2],
    /// Ticks left to reach the goal.
    goal_ticks: u32,
    arrows: Input,
    /// Ticks until the script looks at the world again.
    reaction_ticks: u32,
    random: Stream,
}

impl Script {
    /// Makes the script of a scene; each seed makes other choices. `grid_side` is the world's number of cubes along a side.
    pub fn new(kind: SceneKind, seed: u32, grid_side: u32) -> Script {
        let (_, acts) = kind.name_and_parts();
        Script {
            acts,
            act: 0,
            act_ticks: acts[0].ticks,
            range_m: grid_side as f32 * 0.5 + MARGIN_M,
            goal: [0.0; 2],
            goal_ticks: 0,
            arrows: Input::NONE,
            reaction_ticks: 0,
            random: Stream::new(seed, RANDOM_USE),
        }
    }

    /// Returns the input of the next tick, from the world's state before that tick. After its last part the script begins
    /// again.
    pub fn next(&mut self, truth: &[CubeState]) -> Input {
        if self.act_ticks == 0 {
            self.act = (self.act + 1) % self.acts.len();
            self.act_ticks = self.acts[self.act].ticks;
            self.reaction_ticks = 0;
        }
        self.act_ticks -= 1;
        let ScriptPart { keys, speed, .. } = self.acts[self.act];
        keys | self.steer(truth, speed)
    }

    fn steer(&mut self, truth: &[CubeState], speed: f32) -> Input {
        let [player, cubes @ ..] = truth else {
            return Input::NONE;
        };
        if speed == 0.0 {
            return Input::NONE;
        }
        let position = [player.position[0], player.position[1]];
        if self.goal_ticks == 0 || distance(self.goal, position) < GOAL_REACHED_M {
            self.goal = self.pick_goal(position, cubes);
            self.goal_ticks = GOAL_PATIENCE_TICKS;
        }
        self.goal_ticks -= 1;
        if self.reaction_ticks == 0 {
            let reaction_ticks = self.random.integer(REACTION_TICKS_MIN, REACTION_TICKS_MAX);
            self.reaction_ticks = reaction_ticks;
            self.arrows = arrows(player, self.goal, speed);
        }
        self.reaction_ticks -= 1;
        self.arrows
    }

    /// Returns the place of a random resting cube within range and not too near; the middle of the grid if none is found.
    fn pick_goal(&mut self, from: [f32; 2], cubes: &[CubeState]) -> [f32; 2] {
        const TRIES: usize = 16;
        let Some(last) = cubes.len().checked_sub(1) else {
            return [0.0; 2];
        };
        for _ in 0..TRIES {
            let cube = &cubes[self.random.integer(0, last as u32) as usize];
            let goal = [cube.position[0], cube.position[1]];
            let in_range = goal.iter().all(|along| along.abs() <= self.range_m);
            if in_range && !cube.interacting && distance(goal, from) >= GOAL_MIN_DISTANCE_M {
                return goal;
            }
        }
        [0.0; 2]
    }
}

/// Ticks between two looks of the rival's script at the world.
const RIVAL_REACTION_TICKS: u64 = 6;
/// Length of the rival's round, ticks: it drives away, then to the first player's cube.
const RIVAL_ROUND_TICKS: u64 = 5 * TICKS_PER_S as u64;
/// Part of a round in which the rival drives away, ticks.
const RIVAL_AWAY_TICKS: u64 = 2 * TICKS_PER_S as u64;
/// Greatest distance to which the rival drives away from the first player's cube, m along each axis.
const RIVAL_AWAY_M: f64 = 9.0;
/// Speed that the rival aims at, m/s.
const RIVAL_SPEED: f32 = 9.0;
/// Distance from the first player's cube within which the rival pushes, m.
const RIVAL_PUSH_M: f32 = 3.0;
const RIVAL_RANDOM_USE: u32 = 2;

/// Returns the keys of a scripted rival (the second large cube) for the tick after `truth`, the present state of its world.
/// The rival drives through the pile into the first player's cube, and blows cubes about there in every second round or so.
/// Then it drives away, and comes again.
///
/// The result depends on the arguments alone, so a rewound tape goes on with the same rival. `held` are the keys of the tick
/// before.
pub fn rival_keys(seed: u32, tick: u64, truth: &[CubeState], held: Input) -> Input {
    let ([hand, ..], [.., rival]) = (truth, truth) else {
        return Input::NONE;
    };
    if !tick.is_multiple_of(RIVAL_REACTION_TICKS) {
        return held;
    }
    let round = KeyedDraw::new(seed, RIVAL_RANDOM_USE).with(tick / RIVAL_ROUND_TICKS);
    let place = |axis| [hand, rival].map(|cube| cube.position[axis]);
    let ([hand_x, rival_x], [hand_y, rival_y]) = (place(0), place(1));
    if tick % RIVAL_ROUND_TICKS < RIVAL_AWAY_TICKS {
        let away = |word| round.with(word).between(-RIVAL_AWAY_M, RIVAL_AWAY_M) as f32;
        return arrows(rival, [hand_x + away(0), hand_y + away(1)], RIVAL_SPEED);
    }
    let is_near = distance([hand_x, hand_y], [rival_x, rival_y]) < RIVAL_PUSH_M;
    let push = if is_near && round.with(2).unit() < 0.5 {
        Input::PUSH
    } else {
        Input::NONE
    };
    arrows(rival, [hand_x, hand_y], RIVAL_SPEED) | push
}

/// Returns the arrow keys that change a cube's velocity towards the one that leads to a goal.
pub(crate) fn arrows(cube: &CubeState, goal: [f32; 2], speed: f32) -> Input {
    let position = [cube.position[0], cube.position[1]];
    let scale = speed / distance(goal, position).max(f32::MIN_POSITIVE);
    let short = |axis: usize| (goal[axis] - position[axis]) * scale - cube.linear_velocity[axis];
    arrow(short(0), Input::LEFT, Input::RIGHT) | arrow(short(1), Input::DOWN, Input::UP)
}

/// Least deceleration of a cube, rolling or hovering, by a key against its motion, m/s^2.
const LEASH_BRAKES: f32 = 35.0;
/// Least reach of the leash, m. A small grid needs it, because its cubes are soon driven apart.
const LEASH_MIN_M: f32 = 6.0;

/// Returns a person's keys on a leash, which keeps the player on the grid. On an axis along which the player would leave
/// it, a key brakes or drives back. The result is recorded in place of the held keys, so a replay needs no leash. Without
/// held keys no key is pressed, so a link's recorded drive continues unchanged.
pub fn leashed(held: Input, player: &CubeState, grid_m: f32) -> Input {
    if held == Input::NONE {
        return held;
    }
    let reach = (grid_m / 2.0).max(LEASH_MIN_M);
    let axis = |axis: usize, negative: Input, positive: Input| {
        let speed = player.linear_velocity[axis];
        let stop = player.position[axis] + speed * speed.abs() / (2.0 * LEASH_BRAKES);
        if stop > reach {
            negative
        } else if stop < -reach {
            positive
        } else {
            Input::from_bits(held.bits() & (negative | positive).bits())
        }
    };
    Input::from_bits(held.bits() & Input::JUMP.bits())
        | axis(0, Input::LEFT, Input::RIGHT)
        | axis(1, Input::DOWN, Input::UP)
}

fn arrow(short: f32, negative: Input, positive: Input) -> Input {
    if short > SPEED_TOLERANCE {
        positive
    } else if short < -SPEED_TOLERANCE {
        negative
    } else {
        Input::NONE
    }
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    let [x, y] = [a[0] - b[0], a[1] - b[1]];
    (x * x + y * y).sqrt()
}

#[cfg(all(test, feature = "rapier"))]
pub(crate) mod tests {
    use super::*;
    use crate::Inputs;
    use crate::world::{Rival, World, WorldSettings};
    use std::fmt::Write;

    /// Plays a scene and shows every tick to `see`.
    pub(crate) fn play(
        (kind, seed): (SceneKind, u32),
        settings: &WorldSettings,
        ticks: u32,
        mut see: impl FnMut(Input, &World),
    ) {
        let mut world = World::new(settings);
        let mut script = Script::new(kind, seed, settings.grid_side);
        for _ in 0..ticks {
            let input = script.next(world.truth());
            world.step(input);
            see(input, &world);
        }
    }

    #[test]
    fn a_leash_keeps_who_holds_a_key_within_reach_of_the_grid() {
        let farthest = |held: Input, is_leashed: bool| {
            let settings = WorldSettings::default();
            let mut world = World::new(&settings);
            let mut farthest = 0.0_f32;
            for tick in 0..600 {
                let keys = if tick < 300 { held } else { Input::NONE };
                let on_leash = leashed(keys, &world.truth()[0], settings.grid_m());
                world.step(if is_leashed { on_leash } else { keys });
                let [x, y, _] = world.truth()[0].position;
                farthest = farthest.max(x.abs()).max(y.abs());
            }
            farthest
        };
        assert!(farthest(Input::UP, false) > 40.0);
        for held in [
            Input::UP,
            Input::LEFT | Input::DOWN,
            Input::RIGHT | Input::PUSH,
            Input::UP | Input::PULL,
        ] {
            let farthest = farthest(held, true);
            assert!(farthest < 24.0, "{held:?}: {farthest}");
        }
        let mut middle = CubeState::default();
        let held = Input::UP | Input::PUSH;
        assert_eq!(leashed(held, &middle, 30.0), held);
        middle.position[0] = 60.0;
        assert_eq!(leashed(Input::NONE, &middle, 30.0), Input::NONE);
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn every_scene_reaches_its_known_state_after_600_ticks() {
        let mut actual = String::new();
        for kind in SceneKind::ALL {
            let mut hash = 0;
            let settings = WorldSettings {
                crowd_seed: kind.crowd_seed(1),
                ..WorldSettings::default()
            };
            play((kind, 1), &settings, 600, |_, world| {
                hash = world.state_hash();
            });
            writeln!(actual, "{} {hash:016x}", kind.name()).unwrap();
        }
        assert_eq!(
            actual, STATE_HASHES,
            "if the world was meant to change, state-hashes.txt becomes:\n{actual}"
        );
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_rival_meets_the_hand_moves_it_and_leaves_the_world_without_one_as_it_is() {
        let settings = |rival| WorldSettings {
            grid_side: 12,
            rival,
            ..WorldSettings::default()
        };
        let mut plain = World::new(&settings(Rival::None));
        (0..20 * TICKS_PER_S).for_each(|_| plain.step(Input::NONE));
        let mut hits = 0;
        for seed in 1..=4 {
            let mut worlds = [Rival::None, Rival::Script].map(|rival| World::new(&settings(rival)));
            let mut keys = Input::NONE;
            for tick in 1..=20 * u64::from(TICKS_PER_S) {
                keys = rival_keys(seed, tick, worlds[1].truth(), keys);
                let inputs = Inputs {
                    rival: keys,
                    ..Inputs::default()
                };
                worlds.iter_mut().for_each(|world| world.step(inputs));
                if tick == 120 {
                    let step = |rival| {
                        let mut fork = worlds[1].fork();
                        fork.step(Inputs { rival, ..inputs });
                        fork.checksum()
                    };
                    assert_eq!(step(Input::LEFT), step(Input::LEFT));
                    assert_ne!(step(Input::LEFT), step(Input::NONE));
                }
            }
            let [alone, with] = worlds.each_ref().map(World::truth);
            assert_eq!(alone, plain.truth());
            assert_eq!((alone.len(), with.len()), (145, 146));
            assert!(with[145].interacting);
            let moved = |axis: usize| with[0].position[axis] - alone[0].position[axis];
            hits += u32::from(distance([moved(0), moved(1)], [0.0; 2]) > 1.0);
        }
        assert_eq!(hits, 4);
    }

    #[test]
    #[ignore = "run by `cargo xtask test apart`: it plays six minutes"]
    fn a_script_stays_among_the_cubes_however_often_it_loops() {
        const MINUTE: usize = 60 * TICKS_PER_S as usize;
        for scene in [(SceneKind::Roll, 3), (SceneKind::Mixed, 5)] {
            let (mut speeds, settings) = (Vec::new(), WorldSettings::default());
            play(scene, &settings, 3 * MINUTE as u32, |_, world| {
                let player = world.truth()[0];
                let [x, y, _] = player.position;
                let strays = x.abs().max(y.abs()) >= 25.0;
                assert!(!strays, "{scene:?} strays to {x}, {y}");
                let [vx, vy, _] = player.linear_velocity;
                speeds.push(vx.abs() + vy.abs());
            });
            // It still goes about in the third minute as in the first.
            let way = |minute: usize| speeds[minute * MINUTE..][..MINUTE].iter().sum::<f32>();
            assert!(way(2) > 0.5 * way(0), "{} {}", way(0), way(2));
        }
    }
}
