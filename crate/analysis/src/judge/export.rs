//! Poses of a view or of a truth as a file that the judge and the page read.

use snapshot_record::motion::MotionEvent;
use snapshot_view::Pose;
use std::fmt::Write;

/// A file of poses, frame by frame. An object has a row where it changes.
#[derive(Clone, Debug)]
pub struct PoseFile {
    text: String,
    before: Vec<Pose>,
}

impl Default for PoseFile {
    fn default() -> PoseFile {
        PoseFile {
            text: "time_s,object,event,x,y,z,qx,qy,qz,qw\n".to_owned(),
            before: Vec::new(),
        }
    }
}

impl PoseFile {
    /// Adds a frame with the pose of each slot.
    pub fn add(&mut self, at_s: f64, poses: impl Iterator<Item = Pose>) {
        let poses: Vec<Pose> = poses.collect();
        let living = poses.iter().position(|pose| !pose.life.is_empty());
        // Each frame has a row, whatever moves in it.
        let teller = living.unwrap_or(0);
        for (slot, pose) in poses.iter().enumerate() {
            let before = self.before.get(slot);
            if slot != teller && before.is_some_and(|before| before.same_bits(pose)) {
                continue;
            }
            let event = match (before.map(|before| before.life), pose.life) {
                (_, life) if life.is_empty() => MotionEvent::End,
                (Some(before), _) if before.is_empty() => MotionEvent::Spawn,
                (Some(before), life) if before != life => MotionEvent::Jump,
                _ => MotionEvent::None,
            };
            if before.is_none() && event == MotionEvent::End && slot != teller {
                continue;
            }
            let [x, y, z] = pose.position;
            let [qx, qy, qz, qw] = pose.orientation;
            let event = event.name();
            let _ = writeln!(
                self.text,
                "{at_s:.6},{slot},{event},{x},{y},{z},{qx},{qy},{qz},{qw}"
            );
        }
        self.before = poses;
    }

    /// The file so far.
    pub fn text(&self) -> &str {
        &self.text
    }
}
