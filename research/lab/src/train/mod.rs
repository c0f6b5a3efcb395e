//! Makes the tables of rungs `predicted` and `simulated` from recordings: by regressions, by counts, and by how well
//! distributions did. All are in closed form or by Newton's method: the same recordings give the same bytes.

mod equations;
mod stored;
mod watcher;

use std::sync::Arc;

use self::stored::Stored;
use self::watcher::{PASSES, Stage, Watcher};
use snapshot_codec::training::{
    CubeForecast, DISTANCES, PredictedModel, SimulatedModel, TRAINED, Tables, Transition,
};
use snapshot_codec::{Class, Cube, Foresight, Format, Rung};

/// Least frames of a stretch that is only counted, longer than rest is remembered; one in so many stretches is, by distance.
const COUNTED_FRAMES: usize = 192;
const COUNTED: [usize; DISTANCES.len()] = [2, 2, 1, 1, 1];
/// For what has few coefficients stretches of so many packets of a chain are enough, one in so many.
const FITTED_PACKETS: usize = 12;
const FITTED_FRAMES_MIN: usize = 48;
const FITTED: [usize; DISTANCES.len()] = [8, 8, 4, 3, 1];
/// A chain's first packets, in which little is known of what moves, are not looked at: so many packets, and so many frames.
const UNSEEN_PACKETS: usize = 2;
const UNSEEN_FRAMES: usize = 6;
/// So many chains go side by side at most.
const CHAINS: usize = 6;

/// Frames that tables are trained on, one a tick.
pub struct Recording {
    frames: Vec<Vec<Cube>>,
    /// For rung `simulated`, by frame: what was foreseen of it from the one so many ticks before that are trained.
    foreseen: Option<Vec<Vec<(u16, CubeForecast)>>>,
}

impl Recording {
    /// For rung `predicted`.
    pub fn new(frames: Vec<Vec<Cube>>) -> Self {
        Self {
            frames,
            foreseen: None,
        }
    }

    /// For rung `simulated`: with the input that led to each frame.
    pub fn with_foresight(
        format: &Format,
        frames: Vec<Vec<Cube>>,
        inputs: &[u8],
        foresight: &mut dyn Foresight,
    ) -> Self {
        let mut model = SimulatedModel::new(format, Arc::new(Stored::untrained(None).tables()));
        let ticks = DISTANCES[TRAINED];
        Self {
            foreseen: Some(model.foresee_all(&frames, inputs, ticks, foresight)),
            frames,
        }
    }
}

/// Trains the tables of the format's class on recordings. Each frame is coded against the frames that are [`DISTANCES`]
/// ticks older. `progress` is told passes done, all passes, and the mean bytes a packet of the pass.
pub fn train(
    format: &Format,
    recordings: &[Recording],
    progress: &mut dyn FnMut(usize, usize, f64),
) -> Vec<u8> {
    // Rung `simulated` has the distributions of rung `predicted`.
    let numbers = (format.rung() == Rung::Simulated).then(|| Tables::numbers_of(format.class()));
    let mut stored = Stored::untrained(numbers);
    let mut watcher = Watcher::new(numbers.is_none());
    for pass in 0..PASSES {
        watcher.begin(pass);
        let mut model = PredictedModel::new(format, Arc::new(stored.tables()));
        let mut packets = 0_u32;
        for distance in 0..DISTANCES.len() {
            watcher.distance = distance;
            for recording in recordings {
                packets += watch(&mut model, format.class(), &mut watcher, recording);
            }
        }
        watcher.improve(&mut stored);
        progress(
            pass + 1,
            PASSES,
            watcher.cost_65536ths as f64 / 524_288.0 / f64::from(packets.max(1)),
        );
    }
    if format.rung() == Rung::Simulated {
        stored.into_simulated()
    } else {
        stored.into_bytes()
    }
}

/// Goes through a recording at the watcher's distance; returns how many packets that were.
fn watch(
    model: &mut PredictedModel,
    class: Class,
    watcher: &mut Watcher,
    recording: &Recording,
) -> u32 {
    let frames = &recording.frames;
    let ticks = usize::from(DISTANCES[watcher.distance]);
    let (stretch_frames, one_in) = match watcher.stage {
        Stage::Counts => (COUNTED_FRAMES, COUNTED[watcher.distance]),
        _ => (
            FITTED_FRAMES_MIN.max(FITTED_PACKETS * ticks),
            FITTED[watcher.distance],
        ),
    };
    let foreseen = recording.foreseen.as_ref();
    if foreseen.is_some() && watcher.distance != TRAINED {
        return 0;
    }
    let (pass, apart) = (watcher.pass, ticks.div_ceil(CHAINS));
    let mut all = vec![CubeForecast::default(); frames[0].len()];
    let unseen = match class {
        Class::Strict => 0,
        Class::Chained => UNSEEN_PACKETS.max(UNSEEN_FRAMES.div_ceil(ticks)),
    };
    // Of each chain what is kept, and how many packets it has had.
    let mut chains = vec![(model.memory(), 0); ticks];
    let (mut snapshot, mut settled, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    let mut packets = 0;
    for at in (ticks..frames.len()).filter(|at| (at % ticks + pass).is_multiple_of(apart)) {
        let (memory, chain_packets) = &mut chains[at % ticks];
        if !(at / stretch_frames + pass).is_multiple_of(one_in) {
            memory.clear();
            *chain_packets = 0;
            continue;
        }
        watcher.looks = *chain_packets >= unseen;
        *chain_packets += 1;
        if class == Class::Strict {
            memory.clear();
        }
        snapshot.clear();
        snapshot.extend_from_slice(&frames[at - ticks]);
        if let Some(foreseen) = foreseen {
            all.fill(CubeForecast::default());
            for &(index, foreseen) in &foreseen[at] {
                all[usize::from(index)] = foreseen;
            }
        }
        settled.clear();
        changed.clear();
        for (index, (base, cube)) in snapshot.iter_mut().zip(&frames[at]).enumerate() {
            if base.life != cube.life {
                *base = *cube;
                settled.push(index);
            } else if base != cube {
                changed.push(index);
            }
        }
        let transition = Transition {
            ticks: ticks as u16,
            wanted: &frames[at],
            settled: &settled,
            changed: &changed,
            snapshot: &mut snapshot,
        };
        model
            .code(watcher, transition, foreseen.map(|_| &all[..]), memory)
            .expect("recordings are of the format");
        packets += 1;
    }
    packets
}
