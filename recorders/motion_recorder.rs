// SPDX-License-Identifier: MIT-0
// A recorder of motions for Bevy. Run in an app of bevy_ecs.
//
// Put `record` behind all that moves the objects: into `FixedLast` on a server, into `Last` on a client. Set `time_s` before.

use bevy_ecs::prelude::*;
use bevy_transform::components::GlobalTransform;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufWriter, Result, Write};

/// An object to record. The id is its number on the network.
#[derive(Component)]
pub struct Recorded {
    pub id: u32,
    pub kind: u32,
}

/// A mark of an object that has been teleported since the last row.
#[derive(Component)]
pub struct Jumped;

/// The file, and the objects that were there in the last rows.
#[derive(Resource)]
pub struct MotionRecorder {
    /// Time of the next rows, s.
    pub time_s: f64,
    file: BufWriter<File>,
    there: BTreeMap<u32, u32>,
    ended: BTreeSet<u32>,
}

impl MotionRecorder {
    pub fn new(path: &str) -> Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(b"up=y\nunit=m\ntime;id;kind;event;x;y;z;qx;qy;qz;qw\n")?;
        let (there, ended) = (BTreeMap::new(), BTreeSet::new());
        Ok(Self {
            time_s: 0.0,
            file,
            there,
            ended,
        })
    }

    fn row(&mut self, id: u32, kind: u32, event: &str, pose: &str) {
        let time_s = self.time_s;
        writeln!(self.file, "{time_s:.6};{id};{kind};{event};{pose}")
            .expect("there is room for the recording");
    }
}

/// Writes a row for each object, and an end for each that is gone.
pub fn record(
    mut recorder: ResMut<MotionRecorder>,
    objects: Query<(Entity, &Recorded, &GlobalTransform, Has<Jumped>)>,
    mut commands: Commands,
) {
    let there: BTreeMap<u32, u32> = objects.iter().map(|(_, it, ..)| (it.id, it.kind)).collect();
    for (id, kind) in std::mem::take(&mut recorder.there) {
        if !there.contains_key(&id) {
            recorder.row(id, kind, "end", ";;;;;;");
            recorder.ended.insert(id);
        }
    }
    recorder.there = there;
    for (entity, it, at, jumped) in &objects {
        let (_, q, p) = at.to_scale_rotation_translation();
        let event = match (recorder.ended.remove(&it.id), jumped) {
            (true, _) => "spawn",
            (false, true) => "jump",
            (false, false) => "",
        };
        let pose = [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(|number| number.to_string());
        recorder.row(it.id, it.kind, event, &pose.join(";"));
        if jumped {
            commands.entity(entity).remove::<Jumped>();
        }
    }
}
