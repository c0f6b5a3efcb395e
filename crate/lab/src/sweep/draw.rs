//! Settings drawn by number, of lanes that are to hold whatever happens.

use crate::settings::schema::Domain;
use crate::settings::{Key, Settings, Strategy};
use crate::tape::Tape;
use snapshot_base::random::Stream;
use snapshot_codec::Rung;
use snapshot_physics::scene::SceneKind;

/// Half of the draws begin here, so that their sequences wrap after 136 ticks. A multiple of 60, so that packets leave at
/// the same ticks of a run.
const NEAR_WRAP_TICK: u64 = 65_400;

/// Worlds that draws share: simulating one costs more than running a lane over it.
const WORLD_SEEDS: u32 = 16;

const STREAM: u32 = 0x300;

/// A lane to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// What it is drawn by.
    pub number: u32,
    /// Any rung, bits, rate and interpolation over a network at its worst.
    pub settings: Settings,
    /// The tick before its first.
    pub first_tick: u64,
}

impl Draw {
    /// The lane of a number.
    pub fn new(number: u32) -> Draw {
        let settings = settings(number);
        // It goes with the world's seed, so that draws with the same seed share a motion.
        let first_tick = match settings.get(Key::Seed) / 4 % 2 {
            0 => 0,
            _ => NEAR_WRAP_TICK,
        };
        Draw {
            number,
            settings,
            first_tick,
        }
    }

    /// Its motion, so many ticks long.
    pub fn tape(&self, ticks: u64) -> Tape {
        let mut tape = Tape::beginning_at(&self.settings, self.first_tick);
        tape.go_on(ticks);
        tape
    }

    /// Whether another one has the same motion.
    pub fn shares_motion(&self, other: &Draw) -> bool {
        let of = |draw: &Draw| {
            let settings = &draw.settings;
            let script = [Key::Scene, Key::Seed].map(|key| settings.get(key));
            (settings.world(), script, draw.first_tick)
        };
        of(self) == of(other)
    }

    /// Brings those that share a motion together, mostly.
    pub(crate) fn order(&self) -> impl Ord + use<> {
        let strategy = self.settings.strategy() == Strategy::Sync;
        let world = [Key::Seed, Key::Scene, Key::Grid].map(|key| self.settings.get(key));
        (strategy, world, self.number)
    }
}

fn settings(number: u32) -> Settings {
    let mut stream = Stream::new(number, STREAM);
    let mut settings = Settings::default();
    let mut set = |key: Key, low: u32, high: u32| {
        let value = stream.integer(low, high);
        // A value between special ones and the range (an MTU of 1 to 575) leaves the default.
        let _ = settings.set(key, value);
    };
    set(Key::Scene, SceneKind::Roll as u32, SceneKind::Mixed as u32);
    set(Key::Seed, 1, WORLD_SEEDS);
    set(Key::SendRate, 1, 60);
    set(Key::Codec, 0, key_choices(Key::Codec) - 1);
    set(Key::Class, 0, key_choices(Key::Class) - 1);
    set(Key::PositionBits, 4, 12);
    set(Key::OrientationBits, 2, 16);
    set(Key::VelocityBits, 0, 12);
    set(Key::Latency, 0, 500);
    set(Key::Jitter, 0, 100);
    set(Key::Loss, 0, 300);
    set(Key::Burst, 1, 20);
    set(Key::Duplicated, 0, 500);
    set(Key::Reordered, 0, 500);
    set(Key::Fragments, 0, 1500);
    set(Key::Interpolation, 0, key_choices(Key::Interpolation) - 1);
    set(Key::Delay, 0, 1000);
    // Rung 14 runs a world at each end for every packet, which takes milliseconds: few draws, and few packets of each.
    if settings.get(Key::Codec) == u32::from(Rung::Simulated.number()) {
        let (key, value) = if number.is_multiple_of(4) {
            (Key::SendRate, stream.integer(1, 10))
        } else {
            (Key::Codec, Rung::Predicted.number().into())
        };
        let _ = settings.set(key, value);
    }
    // Every tenth runs a second world, which costs more than a lane of snapshots.
    if number % 10 == 9 {
        settings
            .set(Key::Strategy, Strategy::Lockstep as u32)
            .expect("the schema has every strategy");
        for (key, most) in [
            (Key::Latency, 2000),
            (Key::Transport, 1),
            (Key::SendRate, 60),
        ] {
            let _ = settings.set(key, stream.integer(1, most));
        }
    }
    // Both sides unquantised and stiff, so that these draws share motions too.
    if number % 10 == 4 {
        settings
            .set(Key::Strategy, Strategy::Sync as u32)
            .expect("the schema has every strategy");
        for (key, least, most) in [
            (Key::Both, 0, 0),
            (Key::Soft, 0, 0),
            (Key::Budget, 48, 1024),
            (Key::Adapt, 0, 1),
            (Key::Accumulate, 0, 1),
            (Key::Velocities, 0, 1),
            (Key::Relative, 0, 1),
            (Key::Delta, 0, 1),
            (Key::RestPriority, 0, 1),
            (Key::JitterBuffer, 0, 12),
            (Key::Smoothing, 0, 2),
        ] {
            let _ = settings.set(key, stream.integer(least, most));
        }
    }
    // The grid goes with the world's seed, so that draws with the same world share a motion.
    let grid = [5, 8, 12, 30][settings.get(Key::Seed) as usize % 4];
    let _ = settings.set(Key::Grid, grid);
    settings
}

/// How many choices there are; 0 where it is a number.
pub(super) fn key_choices(key: Key) -> u32 {
    match key.setting().domain {
        Domain::Choice(choices) => choices.len() as u32,
        Domain::Number { .. } => 0,
    }
}
