//! The recorder for Bevy, compiled as it stands in `recorders/`.

#[path = "../../../recorders/motion_recorder.rs"]
mod motion_recorder;

pub use motion_recorder::{Jumped, MotionRecorder, Recorded, record};
