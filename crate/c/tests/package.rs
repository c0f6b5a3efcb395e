//! The header is cbindgen's, and programs in C and C++ run over the library, under the sanitizers.

use std::path::{Path, PathBuf};
use std::process::Command;

use snapshot_replication::recording::replay;

const HEADER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/include/snapshot.h");

/// `HEADER=write cargo test` writes it anew.
#[test]
fn the_header_is_that_of_the_sources() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let mut written = Vec::new();
    cbindgen::generate(folder)
        .expect("a header")
        .write(&mut written);
    if std::env::var("HEADER").as_deref() == Ok("write") {
        std::fs::write(HEADER, &written).expect("writable");
        return;
    }
    let committed = std::fs::read(HEADER).expect("readable");
    assert!(
        committed == written,
        "HEADER=write cargo test --manifest-path crate/c/Cargo.toml"
    );
}

/// The folder of the package, which `cargo xtask package c` writes.
fn built() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(target).join("c")
}

/// Compiles an example and runs it. Returns what it printed.
fn runs(compiler: &str, standard: &str, source: &str, library: &[&str]) -> String {
    runs_with(compiler, standard, source, library, &[])
}

/// Compiles a program and runs it with arguments. Returns what it printed.
fn runs_with(
    compiler: &str,
    standard: &str,
    source: &str,
    library: &[&str],
    arguments: &[&Path],
) -> String {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "{}-{}",
        source.replace(['.', '/'], "-"),
        library.len()
    ));
    let folder = built();
    let compiled = Command::new(compiler)
        .args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-g"])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .arg("-I")
        .arg(folder.join("include"))
        .arg(folder.join(source))
        .arg("-o")
        .arg(&program)
        .arg(format!("-L{}", built().display()))
        .args(library)
        .args(["-lpthread", "-ldl", "-lm"])
        .status();
    assert!(
        compiled.expect("a compiler").success(),
        "{source} is not compiled"
    );
    let run = Command::new(&program)
        .args(arguments)
        .env("LD_LIBRARY_PATH", built())
        .output()
        .expect("a program");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{source} failed: {said}");
    String::from_utf8(run.stdout).expect("UTF-8")
}

#[test]
fn the_readmes_program_runs() {
    let readme = include_str!("../README.md");
    let program = readme
        .split("```c\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let program = program.expect("a program");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme.c");
    std::fs::write(&file, program).expect("writable");
    let printed = runs(
        "cc",
        "-std=c99",
        file.to_str().expect("UTF-8"),
        &["-l:libsnapshot.a"],
    );
    assert!(
        printed
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("501 at 1.")),
        "{printed}"
    );
}

#[test]
fn the_example_in_c_runs_with_the_static_library() {
    runs("cc", "-std=c99", "examples/game.c", &["-l:libsnapshot.a"]);
}

#[test]
fn the_example_in_c_runs_with_the_shared_library() {
    runs(
        "cc",
        "-std=c99",
        "examples/game.c",
        &["-lsnapshot", "-Wl,--as-needed"],
    );
}

#[test]
fn the_example_in_cpp_runs() {
    runs(
        "c++",
        "-std=c++17",
        "examples/game.cpp",
        &["-l:libsnapshot.a"],
    );
}

/// A recording of C is replayed by Rust: the library that is shipped has played it.
#[test]
fn a_recording_of_c_replays_to_the_bit() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("client.recording");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recorded.c");
    let library = ["-lsnapshot", "-Wl,--as-needed"];
    runs_with("cc", "-std=c99", source, &library, &[&file]);
    let bytes = std::fs::read(&file).expect("a recording");
    let replay = replay(&bytes).expect("it replays");
    assert_eq!(replay.difference, None);
    assert!(replay.calls > 300 && replay.datagrams > 50, "{replay:?}");
    assert!(replay.shows >= 300, "{replay:?}");
}
