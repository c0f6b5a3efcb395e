//! The recorder in C++, and the motion that it writes.

use snapshot_record::motion::Motion;
use std::path::Path;
use std::process::Command;

const RECORDER: &str = include_str!(concat!(env!("OUT_DIR"), "/recorder.cpp"));
const DIRECTORY: &str = env!("CARGO_TARGET_TMPDIR");

/// Three objects for a second: a falling object that jumps, a turning object, and an object with two lives of ten
/// ticks.
const GAME: &str = r#"
int main(int, char** arguments) {
    FILE* file = begin_motion(arguments[1]);
    for (uint32_t tick = 0; tick <= 60; tick++) {
        write_row(file, tick, 0, Transform{{tick < 30 ? 1.f : 9.f, 2, 3 - 0.01f * tick}, {0, 0, 0, 1}}, tick == 30 ? jump : none);
        write_row(file, tick, 1, Transform{{4, 5, 6}, {tick % 2 == 0 ? 0.f : 1.f, 0, 0, tick % 2 == 0 ? 1.f : 0.f}});
        if (tick % 30 == 20) write_end(file, tick, 7);
        else if (tick % 30 >= 10 && tick % 30 < 20) write_row(file, tick, 7, Transform{{7, 7, 7}, {0, 0, 0, 1}}, tick == 40 ? spawn : none);
    }
    return std::fclose(file);
}
"#;

#[test]
fn the_recorder_in_cpp_writes_a_motion() {
    if Command::new("c++").arg("--version").output().is_err() {
        println!("SKIPPED: there is no c++");
        return;
    }
    let path = |name: &str| Path::new(DIRECTORY).join(name);
    let types =
        "struct Transform { struct { float x, y, z; } p; struct { float x, y, z, w; } q; };\n";
    let (source, program, motion) = (path("recorder.cpp"), path("recorder"), path("recorder.bin"));
    std::fs::write(&source, [types, RECORDER, GAME].concat()).unwrap();
    let mut compile = Command::new("c++");
    compile.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-o"]);
    let compiled = compile.arg(&program).arg(&source).output().unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    assert!(
        Command::new(&program)
            .arg(&motion)
            .status()
            .unwrap()
            .success()
    );
    let file = std::fs::File::open(&motion).unwrap();
    let motion = Motion::read(file).unwrap();
    assert_eq!((motion.objects(), motion.seconds()), (3, 1.0));
    let counts = motion.counts();
    assert_eq!((counts.spawns, counts.ends, counts.jumps), (2, 2, 1));
}
