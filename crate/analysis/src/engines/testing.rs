//! Helpers of the models' tests.

use super::{Engine, Send, SendCounts};
use snapshot_codec::{CubeState, Life};

pub(super) const STILL: CubeState = CubeState {
    at_rest: true,
    life: Life::FIRST,
    ..CubeState::EMPTY
};

pub(super) fn at(position: [f32; 3]) -> CubeState {
    CubeState { position, ..STILL }
}

/// Returns an object at the origin, turned about the vertical by an angle in radians.
pub(super) fn turned(angle: f32) -> CubeState {
    let half = angle / 2.0;
    CubeState {
        orientation: [0.0, 0.0, libm::sinf(half), libm::cosf(half)],
        ..STILL
    }
}

/// Returns packets, updates and bytes of a send.
pub(super) fn sent(
    engine: &mut dyn Engine,
    number: u64,
    objects: &[CubeState],
    acked: &[u64],
) -> [u64; 3] {
    let mut sent = SendCounts::default();
    let send = Send {
        number,
        objects,
        acked,
    };
    engine.send(&send, &mut sent);
    [sent.packets, sent.updates, sent.bytes]
}
