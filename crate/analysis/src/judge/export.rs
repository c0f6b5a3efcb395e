//! File of poses, drawn or true, that the judge and the page read.

use snapshot_record::motion::MotionEvent;
use snapshot_view::Pose;
use std::fmt::Write;

/// A file of poses, frame after frame. In each frame the changed objects have a row.
#[derive(Clone, Debug)]
pub struct PoseFile {
    text: String,
    /// The poses of the frame before, with the names of their objects.
    before: Vec<(Pose, String)>,
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
    /// Adds a frame with the pose of each slot. `name` names the object of a slot and a pose.
    pub fn add(
        &mut self,
        at_s: f64,
        poses: impl Iterator<Item = Pose>,
        name: impl Fn(usize, &Pose) -> String,
    ) {
        let poses: Vec<Pose> = poses.collect();
        let living = poses.iter().position(|pose| !pose.life.is_empty());
        // Each frame has a row, whatever moves in it.
        let teller = living.unwrap_or(0);
        for (slot, pose) in poses.into_iter().enumerate() {
            let before = self.before.get(slot);
            let is_same = before.is_some_and(|(before, _)| before.same_bits(&pose));
            if slot != teller && is_same {
                continue;
            }
            let lived = before.filter(|(before, _)| !before.life.is_empty());
            let named = match before {
                Some((before, named)) if before.life == pose.life || pose.life.is_empty() => {
                    named.clone()
                }
                _ => name(slot, &pose),
            };
            // An object that follows another one in its slot.
            let follows = lived.filter(|(_, other)| *other != named);
            let event = match (lived, before) {
                _ if pose.life.is_empty() => MotionEvent::End,
                (None, Some(_)) => MotionEvent::Spawn,
                _ if follows.is_some() => MotionEvent::Spawn,
                (Some((lived, _)), _) if lived.life != pose.life => MotionEvent::Jump,
                _ => MotionEvent::None,
            };
            let mut row = |named: &str, event: MotionEvent| {
                let [x, y, z] = pose.position;
                let [qx, qy, qz, qw] = pose.orientation;
                let event = event.name();
                let _ = writeln!(
                    self.text,
                    "{at_s:.6},{named},{event},{x},{y},{z},{qx},{qy},{qz},{qw}"
                );
            };
            if let Some((_, other)) = follows {
                row(other, MotionEvent::End);
            }
            let is_written = event != MotionEvent::End || lived.is_some() || slot == teller;
            if is_written {
                row(&named, event);
            }
            match self.before.get_mut(slot) {
                Some(before) => *before = (pose, named),
                None => self.before.push((pose, named)),
            }
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }
}
