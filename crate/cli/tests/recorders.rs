//! Recorders of `motion.html` that run here, and the motions that they write.

use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../motion.html");
const DIRECTORY: &str = env!("CARGO_TARGET_TMPDIR");

/// The code of the page under that label.
fn code(label: &str) -> String {
    let begin = format!("aria-label=\"{label}\">");
    let (_, rest) = PAGE.split_once(&begin).expect(label);
    let (code, _) = rest.split_once("</pre>").expect("it ends");
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    signs
        .iter()
        .fold(code.to_string(), |code, (from, to)| code.replace(from, to))
}

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
    std::fs::write(&source, [types, &code("C++"), GAME].concat()).unwrap();
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
    let mut play = Command::new(env!("CARGO_BIN_EXE_snapshot-lab"));
    let played = play
        .args(["run", "#hz=20&loss=0", "--json", "--motion"])
        .arg(&motion);
    let played = played.output().unwrap();
    let told = String::from_utf8(played.stderr).unwrap();
    assert!(told.contains("3 objects, 1.0 s at 60 Hz"), "{told}");
    let lives = "objects come 2 times, go 2 times and jump 1 times";
    assert!(told.contains(lives), "{told}");
    let report: serde_json::Value = serde_json::from_slice(&played.stdout).unwrap();
    assert_eq!(
        (&report["ticks"], &report["decode_mismatches"]),
        (&60.into(), &0.into())
    );
    assert!(report["changed_cubes_mean"].as_f64().unwrap() > 0.9);
}
