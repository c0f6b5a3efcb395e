//! Settings drawn by number, of lanes that are to hold whatever happens.

use snapshot_base::random::Stream;
use snapshot_codec::Rung;
use snapshot_record::tape::Tape;
use snapshot_settings::schema::{Effect, SCHEMA, Setting};
use snapshot_settings::{Key, Settings, Strategy};
use std::ops::Range;

/// Half of the draws begin here, so that their sequences wrap after 136 ticks. A multiple of 60, so that packets leave at
/// the same ticks of a run.
const NEAR_WRAP_TICK: u64 = 65_400;

const STREAM: u32 = 0x300;
const PLAYOUT_STREAM: u32 = 0x302;

/// A lane to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The number that it is drawn by.
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
        let first_tick = match settings.seed() / 4 % 2 {
            0 => 0,
            _ => NEAR_WRAP_TICK,
        };
        Draw {
            number,
            settings,
            first_tick,
        }
    }

    /// Records the lane's motion, cut included, for a number of ticks.
    pub fn tape(&self, ticks: u64) -> Tape {
        let mut tape = Tape::beginning_at(&self.settings, self.first_tick);
        tape.go_on(ticks);
        if let Some(cut) = self.cut() {
            let first = self.first_tick + 1;
            tape.cut(first + cut.start..first + cut.end);
        }
        tape
    }

    /// The ticks of the run, from 0, in which the network is cut, if it is. They go with the world's seed, as the motion does.
    pub fn cut(&self) -> Option<Range<u64>> {
        let seed = u64::from(self.settings.seed());
        let start = 60 + 5 * seed;
        (seed % 3 == 0).then(|| start..start + 6 * seed)
    }

    /// Returns true if another draw has the same motion.
    pub fn shares_motion(&self, other: &Draw) -> bool {
        let of = |draw: &Draw| {
            let settings = &draw.settings;
            let script = SCHEMA.iter().filter(|it| it.effect == Effect::World);
            let script: Vec<_> = script.map(|it| settings.get(it.key)).collect();
            (settings.world(), script, draw.first_tick)
        };
        of(self) == of(other)
    }

    /// Brings those that share a motion together, mostly.
    pub fn order(&self) -> impl Ord + use<> {
        let strategy = self.settings.strategy() == Strategy::Sync;
        let world = [Key::Seed, Key::Scene, Key::Grid].map(|key| self.settings.get(key));
        (strategy, world, self.number)
    }
}

fn settings(number: u32) -> Settings {
    let mut stream = Stream::new(number, STREAM);
    let mut settings = Settings::default();
    draw(Strategy::Snapshot, &mut stream, &mut settings);
    // Rung 14 runs a world at each end for every packet, which takes milliseconds: few draws, and few packets of each.
    if settings.rung().needs_simulation() {
        let (key, value) = if number.is_multiple_of(4) {
            (Key::SendRate, stream.integer(1, 10))
        } else {
            (Key::Codec, Rung::Predicted.number().into())
        };
        let _ = settings.set(key, value);
    }
    // Every tenth runs a second world, which costs more than a lane of snapshots.
    if number % 10 == 9 {
        change_to(Strategy::Lockstep, &mut stream, &mut settings);
    }
    // Both sides unquantised and stiff, so that these draws share motions too.
    if number % 10 == 4 {
        change_to(Strategy::Sync, &mut stream, &mut settings);
    }
    draw_playout(number, &mut settings);
    // Grid and rival go with the world's seed, so that draws with the same world share a motion.
    let seed = settings.seed();
    let _ = settings.set(Key::Grid, [5, 8, 12, 30][seed as usize % 4]);
    let _ = settings.set(Key::Rival, u32::from(seed.is_multiple_of(5)));
    settings
}

/// Draws what is drawn for a strategy: first the settings of the motion, then the others in the schema's order.
fn draw(strategy: Strategy, stream: &mut Stream, settings: &mut Settings) {
    let (of_the_motion, others): (Vec<&Setting>, Vec<&Setting>) = SCHEMA
        .iter()
        .partition(|setting| setting.effect >= Effect::Motion);
    for setting in of_the_motion.into_iter().chain(others) {
        for (_, least, most) in setting.drawn.iter().filter(|(of, ..)| *of == strategy) {
            // A value between special ones and the range (an MTU of 1 to 575) leaves the default.
            let _ = settings.set(setting.key, stream.integer(*least, *most));
        }
    }
}

/// Lets play adapt in every third lane, and shows packets at once in every sixth. What else is drawn stays as it is.
fn draw_playout(number: u32, settings: &mut Settings) {
    let playout = match number % 6 {
        0 | 3 => "adaptive",
        1 => "none",
        _ => return,
    };
    let mut stream = Stream::new(number, PLAYOUT_STREAM);
    let key = settings.lane().delay_key();
    let (freezes, change) = (stream.integer(1, 60), stream.integer(1, 24));
    let mut set = |key: Key, text: &str| {
        let set = settings.set_text(key.setting().id, text);
        set.expect("the values are of the schema's ranges");
    };
    set(key, playout);
    set(Key::Freezes, &freezes.to_string());
    set(Key::Pace, &change.to_string());
}

fn change_to(strategy: Strategy, stream: &mut Stream, settings: &mut Settings) {
    settings
        .set(Key::Strategy, strategy as u32)
        .expect("the schema has every strategy");
    draw(strategy, stream, settings);
}
