//! Files of the article "What a network does to a pile of cubes": the motion of all its figures, and two pictures of clients
//! that simulate, which the article's page cannot do.

use snapshot_app::link;
use snapshot_codec::CubeState;
use snapshot_lane::history::LaneHistory;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::motion::MotionError;
use snapshot_record::motion::coded::{CodedHead, write};
use snapshot_record::tape::Tape;

/// Tick of the scene that is the motion's tick 0.
pub const FROM_TICK: u64 = 960;
/// Number of the motion's last tick.
pub const TICKS: u64 = 600;
/// The network of all figures, without one second of it. State synchronisation rounds nothing at the sender: its world must
/// be that of the motion.
const LINK: &str = "v=2&scene=mixed&hz=60&latency=50&jitter=0&loss=0&cut=1201-1260";

/// Records the files again; returns them by name.
///
/// # Errors
/// When a file cannot be written in its form.
pub fn files() -> Result<[(&'static str, Vec<u8>); 3], MotionError> {
    let link = link::parse(LINK).0;
    let mut tape = Tape::replaying(&link.a.settings, &link.recorded);
    tape.go_on(FROM_TICK + TICKS);
    let mut truth = Vec::new();
    for tick in FROM_TICK..=FROM_TICK + TICKS {
        let mut states = Vec::new();
        tape.read_truth(tick, &mut states);
        truth.push(states);
    }
    let shown = |strategy: &str| {
        let link = link::parse(&format!("{LINK}&{strategy}")).0;
        let settings = link.a.settings.lane();
        let mut history = LaneHistory::new(&tape, &settings, &LinkInputs::default(), FROM_TICK);
        let mut frames = vec![states_of_view(&history)];
        while history.advance(&tape) {
            frames.push(states_of_view(&history));
        }
        frames
    };
    Ok([
        ("pile.motion", coded(11, 1, &truth)?),
        ("sync.motion", coded(8, 2, &shown("strategy=sync&both=0"))?),
        ("lockstep.motion", coded(8, 2, &shown("strategy=lockstep"))?),
    ])
}

fn coded(bits: u8, step: u8, ticks: &[Vec<CubeState>]) -> Result<Vec<u8>, MotionError> {
    let frames = ticks.iter().step_by(step.into()).map(Vec::as_slice);
    let head = CodedHead {
        bits,
        step,
        grid_side: 30,
        frames: frames.len() as u16,
    };
    write(head, frames)
}

/// Returns what a lane's right view shows, as states. Rest is not shown, so it stays that of the grid.
fn states_of_view(history: &LaneHistory) -> Vec<CubeState> {
    let poses = history.lane().view().poses().enumerate();
    let state = |(index, pose): (usize, snapshot_view::Pose)| CubeState {
        position: pose.position,
        orientation: pose.orientation,
        interacting: pose.interacting,
        at_rest: index > 0,
        ..CubeState::default()
    };
    poses.map(state).collect()
}
