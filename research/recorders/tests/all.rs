//! Tests of all recorders. Each records the same game, and its file is read as a motion. The game lasts for 60 steps. An
//! object sinks and jumps, another turns, and a third has two lives of ten steps.

use bevy_ecs::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use snapshot_record::motion::Motion;
use snapshot_recorders::{Jumped, MotionRecorder, Recorded, record};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The games, each in its engine's language.
const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/game");
const RECORDERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../recorders");

/// An empty folder for what a test makes.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}

/// Says whether a program is there. Where it is not, the test says that it is skipped.
fn has(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        println!("SKIPPED: there is no {program}");
    }
    is_there
}

/// Reads the game's motion. `axes` are the file's first lines.
fn check(file: &Path, axes: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    let names = "time;id;kind;event;x;y;z;qx;qy;qz;qw\n";
    assert!(text.starts_with(&[axes, names].concat()), "{text:.120}");
    let motion = Motion::read(text.as_bytes()).unwrap();
    let (objects, seconds) = (motion.objects(), motion.seconds());
    assert_eq!((objects, (seconds * 60.0).round()), (3, 60.0));
    let counts = motion.facts.counts;
    assert_eq!((counts.spawns, counts.ends, counts.jumps), (2, 2, 1));
}

#[test]
fn in_c_and_in_cpp() {
    for (compiler, standard) in [("cc", "-std=c99"), ("c++", "-std=c++17")] {
        if !has(compiler) {
            continue;
        }
        let folder = folder(compiler);
        let (program, motion) = (folder.join("game"), folder.join("game.csv"));
        let language = if compiler == "cc" { "c" } else { "c++" };
        let mut compile = Command::new(compiler);
        compile.args([
            standard, "-Wall", "-Wextra", "-Werror", "-I", RECORDERS, "-x", language,
        ]);
        run(compile
            .arg(Path::new(GAMES).join("game.c"))
            .arg("-o")
            .arg(&program));
        run(Command::new(program).arg(&motion));
        check(&motion, "up=z\nhand=right\nunit=m\n");
    }
}

#[test]
fn in_unity() {
    if !has("mcs") || !has("mono") {
        return;
    }
    let folder = folder("unity");
    let program = folder.join("game.exe");
    let mut compile = Command::new("mcs");
    compile
        .arg("-warnaserror")
        .arg(format!("-out:{}", program.display()));
    compile.arg(Path::new(RECORDERS).join("MotionRecorder.cs"));
    run(compile.arg(Path::new(GAMES).join("Game.cs")));
    run(Command::new("mono").arg(program).arg(&folder));
    check(&folder.join("server.csv"), "up=y\nhand=left\nunit=m\n");
}

#[test]
fn in_godot_3() {
    if !has("godot3-server") {
        return;
    }
    let folder = folder("godot");
    for (from, name) in [(RECORDERS, "motion_recorder_3.gd"), (GAMES, "game.gd")] {
        std::fs::copy(Path::new(from).join(name), folder.join(name)).unwrap();
    }
    let settings = "config_version=4\n[application]\nconfig/name=\"game\"\n";
    std::fs::write(folder.join("project.godot"), settings).unwrap();
    let mut godot = Command::new("godot3-server");
    godot.args(["--fixed-fps", "60", "--path"]).arg(&folder);
    run(godot.args(["-s", "game.gd"]).env("HOME", &folder));
    check(&folder.join("game.csv"), "up=y\nunit=m\n");
}

#[test]
fn in_bevy() {
    let motion = folder("bevy").join("game.csv");
    let mut world = World::new();
    world.insert_resource(MotionRecorder::new(motion.to_str().unwrap()).unwrap());
    let mut schedule = Schedule::default();
    schedule.add_systems(record);
    let place = |x, y, z| GlobalTransform::from(Transform::from_xyz(x, y, z));
    let sinks = world
        .spawn((Recorded { id: 0, kind: 1 }, place(1.0, 3.0, 2.0)))
        .id();
    let turns = world
        .spawn((Recorded { id: 1, kind: 1 }, place(4.0, 5.0, 6.0)))
        .id();
    let mut lives = None;
    for step in 0..=60_u32 {
        let across = if step < 30 { 1.0 } else { 9.0 };
        let at = place(across, 3.0 - 0.01 * step as f32, 2.0);
        world.entity_mut(sinks).insert(at);
        if step == 30 {
            world.entity_mut(sinks).insert(Jumped);
        }
        let mut turned = Transform::from_xyz(4.0, 5.0, 6.0);
        turned.rotate_x(if step % 2 == 0 { 0.0 } else { 1.0 });
        world
            .entity_mut(turns)
            .insert(GlobalTransform::from(turned));
        match step % 30 {
            10 => {
                lives = Some(
                    world
                        .spawn((Recorded { id: 7, kind: 2 }, place(7.0, 7.0, 7.0)))
                        .id(),
                )
            }
            20 => drop(lives.take().map(|gone| world.despawn(gone))),
            _ => {}
        }
        world.resource_mut::<MotionRecorder>().time_s = f64::from(step) / 60.0;
        schedule.run(&mut world);
    }
    assert!(world.get::<Jumped>(sinks).is_none());
    world.remove_resource::<MotionRecorder>();
    check(&motion, "up=y\nunit=m\n");
}

#[test]
fn in_three() {
    if !has("node") {
        return;
    }
    let motion = folder("three").join("game.csv");
    run(Command::new("node")
        .arg(Path::new(GAMES).join("game.mjs"))
        .arg(&motion));
    check(&motion, "up=y\nunit=m\n");
}

#[test]
fn godot_4_parses() {
    // `cargo xtask test apart` installs it into a folder of its own.
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/gdtoolkit");
    if !packages.exists() {
        println!("SKIPPED: there is no gdtoolkit");
        return;
    }
    let mut parse = Command::new("python3");
    parse
        .args(["-m", "gdtoolkit.parser"])
        .env("PYTHONPATH", packages);
    run(parse.arg(Path::new(RECORDERS).join("motion_recorder_4.gd")));
}
