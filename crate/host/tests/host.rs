//! The built program: a host on loopback with receivers over both ways, what it refuses, and how it ends.

use serde_json::Value;
use snapshot_lane::together::replay_guest;
use snapshot_replication::recording::{Reader, replay};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_snapshot-host");

/// Writes a page of four files, and returns its folder.
fn page() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("snapshot-host-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, bytes) in [
        ("index.html", &b"<title>lab</title>"[..]),
        ("join.html", b"<title>join</title>"),
        ("class.html", b"<title>class</title>"),
        ("a.wasm", b"\0asm"),
    ] {
        std::fs::write(folder.join(name), bytes).expect("a file");
    }
    folder
}

/// A running host.
struct Host {
    child: Child,
    out: BufReader<ChildStdout>,
    page: PathBuf,
    port: u16,
    teacher: String,
}

impl Host {
    fn start(arguments: &[&str]) -> Host {
        let page = page();
        let mut child = Command::new(PROGRAM)
            .args(["--port", "0", "--page"])
            .arg(&page)
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the host starts");
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        let teacher = loop {
            let mut line = String::new();
            assert!(out.read_line(&mut line).expect("a line") > 0, "no address");
            if let Some(address) = line.strip_prefix("teacher") {
                break address.trim().to_string();
            }
        };
        let port = teacher.strip_prefix("http://127.0.0.1:").expect("loopback");
        let port = port.split('/').next().expect("a port").parse();
        Host {
            child,
            out,
            page,
            port: port.expect("a number"),
            teacher,
        }
    }

    fn token(&self) -> &str {
        self.teacher.split_once('=').expect("a token").1
    }

    /// Sends a request, and returns the whole answer.
    fn raw(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("connected");
        let timeout = Some(Duration::from_secs(20));
        stream.set_read_timeout(timeout).expect("a timeout");
        // A host that refuses a body closes before it has read all of it.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str) -> (u16, String) {
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        parts(&self.raw(request.as_bytes()))
    }

    fn post(&self, path: &str, body: &str) -> (u16, String) {
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        parts(&self.raw(request.as_bytes()))
    }

    fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).expect("JSON")
    }

    fn rows(&self) -> Vec<Value> {
        let rows = self.json(&format!("/rows?token={}", self.token()));
        rows["rows"].as_array().expect("rows").clone()
    }

    fn joins(&self, arguments: &[&str]) -> Child {
        Command::new(PROGRAM)
            .arg(&self.teacher)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("receivers start")
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.page);
    }
}

/// Returns the status and the body of an answer.
fn parts(answer: &str) -> (u16, String) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    (status.unwrap_or(0), body.to_string())
}

fn peers(joined: Child) -> Vec<Value> {
    let output = joined.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    report["peers"].as_array().expect("peers").clone()
}

/// Waits until a condition holds.
fn wait(what: &str, mut is_true: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !is_true() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn fails(arguments: &[&str]) -> String {
    let Output { status, stderr, .. } = Command::new(PROGRAM)
        .args(arguments)
        .output()
        .expect("it runs");
    let message = String::from_utf8_lossy(&stderr).into_owned();
    assert_eq!(status.code(), Some(2), "{message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    message
}

#[test]
fn guests_over_both_ways_decode_what_was_sent() {
    let host = Host::start(&["#hz=30&scene=mixed"]);
    let recordings = ["peer", "udp"].map(|way| host.page.join(format!("{way}.recording")));
    let [peer, udp] = recordings
        .each_ref()
        .map(|file| file.to_str().expect("a path"));
    let ways = [
        host.joins(&["--join", "3", "--seconds", "6", "--json", "--record", peer]),
        host.joins(&[
            "--join",
            "3",
            "--seconds",
            "6",
            "--json",
            "--udp",
            "--record",
            udp,
        ]),
    ];
    let peers: Vec<Value> = ways.into_iter().flat_map(peers).collect();
    assert_eq!(peers.len(), 6);
    for peer in &peers {
        assert_eq!(peer["status"], "playing", "{peer}");
        assert_eq!(peer["mismatches"], 0, "{peer}");
        assert!(peer["compared"].as_u64() >= Some(4), "{peer}");
        assert!(peer["snapshots"].as_u64() >= Some(60), "{peer}");
        assert!(peer["round_trip_ms"].as_f64() < Some(2_000.0), "{peer}");
    }
    // What a receiver was given shows the same frames again.
    let numbered = |way: &str, number: usize| host.page.join(format!("{way}-{number}.recording"));
    let files = (1..=3).map(|number| numbered("peer", number));
    let files = files.chain((1..=3).map(|number| numbered("udp", number)));
    for (file, peer) in files.zip(&peers) {
        let bytes = std::fs::read(&file).expect("a recording");
        let replay = Reader::new(&bytes).and_then(|reader| replay_guest(&reader));
        let replay = replay.expect("it replays");
        assert_eq!(replay.difference, None, "{peer}");
        assert_eq!(peer["view_hash"], format!("{:016x}", replay.view_hash));
    }
    let rows = host.rows();
    assert!(rows.iter().all(|row| row["mismatches"] == 0), "{rows:?}");
}

#[test]
fn a_link_in_front_loses_and_delays_both_ways() {
    let host = Host::start(&["#hz=60", "--loss", "20", "--delay", "50"]);
    let joined = host.joins(&["--join", "2", "--seconds", "8", "--json", "--udp"]);
    for peer in peers(joined) {
        assert_eq!(peer["mismatches"], 0, "{peer}");
        let lost = peer["lost"].as_f64().expect("a share");
        assert!((5.0..40.0).contains(&lost), "{peer}");
        let round_trip_ms = peer["round_trip_ms"].as_f64().expect("a time");
        assert!((100.0..400.0).contains(&round_trip_ms), "{peer}");
    }
}

#[test]
fn a_silent_guest_is_gone_and_the_next_ones_come() {
    let mut host = Host::start(&["#hz=30"]);
    let mut joined = host.joins(&["--join", "1", "--seconds", "60"]);
    wait("nobody plays", || {
        host.rows().iter().any(|row| row["status"] == "playing")
    });
    joined.kill().expect("killed");
    let killed = Instant::now();
    joined.wait().expect("it ends");
    let mut line = String::new();
    while !line.contains("is gone") {
        line.clear();
        assert!(
            host.out.read_line(&mut line).expect("a line") > 0,
            "the host ended"
        );
    }
    let silent = killed.elapsed();
    assert!((4.5..8.0).contains(&silent.as_secs_f64()), "{silent:?}");
    let next = peers(host.joins(&["--join", "1", "--seconds", "2", "--json", "--udp"]));
    assert_eq!(next[0]["status"], "playing");
}

#[test]
fn a_full_room_says_so() {
    let host = Host::start(&["#hz=10"]);
    let room = host.json("/room");
    assert_eq!(
        (&room["version"], &room["room"], &room["full"]),
        (&1.into(), &32.into(), &false.into())
    );
    assert!(
        room["link"]
            .as_str()
            .expect("a link")
            .contains("rival=hand")
    );
    let mut all = host.joins(&["--join", "32", "--seconds", "60", "--udp"]);
    wait("the room is not full", || {
        host.json("/room")["full"] == true
    });
    let late = host.joins(&["--join", "1", "--seconds", "1"]);
    let late = late.wait_with_output().expect("it ends");
    let message = String::from_utf8_lossy(&late.stderr).into_owned();
    assert_eq!(late.status.code(), Some(2), "{message}");
    assert!(message.contains("The room is full"), "{message}");
    let late = host.joins(&["--join", "1", "--seconds", "3", "--udp"]);
    let stderr = late.wait_with_output().expect("it ends").stderr;
    let message = String::from_utf8_lossy(&stderr).into_owned();
    assert!(message.contains("The room is full"), "{message}");
    all.kill().expect("killed");
    all.wait().expect("it ends");
}

#[test]
fn a_host_refuses_what_it_cannot_play_by_one_sentence() {
    let page = page();
    let page = page.to_str().expect("a path");
    let link = fails(&["#hz=0", "--page", page]);
    assert!(link.contains("hz"), "{link}");
    let built = fails(&["#hz=30", "--page", "/nowhere"]);
    assert!(built.contains("cargo xtask build"), "{built}");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("its address").port().to_string();
    let busy = fails(&["#hz=30", "--page", page, "--port", &port]);
    assert!(busy.contains(&port) && busy.contains("busy"), "{busy}");
    let nobody = fails(&["http://127.0.0.1:1/", "--join", "1"]);
    assert!(nobody.contains("does not answer"), "{nobody}");
    std::fs::remove_dir_all(Path::new(page)).expect("removed");
}

#[test]
fn http_serves_the_page_and_refuses_the_rest() {
    let host = Host::start(&[""]);
    let (status, index) = host.get("/");
    assert_eq!(status, 200);
    assert_eq!(index, "<title>lab</title>");
    let wasm = host.raw(b"GET /a.wasm HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    assert!(wasm.contains("application/wasm"), "{wasm}");
    for path in [
        "/none",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
        "//etc/passwd",
        "/index.html/..",
    ] {
        assert_eq!(host.get(path).0, 404, "{path}");
    }
    for path in [
        "/rows",
        "/rows?token=",
        "/rows?token=00000000000000000000000000000000",
    ] {
        assert_eq!(host.get(path).0, 403, "{path}");
    }
    let sdp = format!(
        r#"{{"version":1,"name":"Ann","sdp":"{}"}}"#,
        "x".repeat(100)
    );
    let wrong = r#"{"version":1,"token":"wrong","way":1}"#;
    let no_way = format!(r#"{{"version":1,"token":"{}"}}"#, host.token());
    for (path, body, expected) in [
        ("/offer", "", 400),
        ("/offer", "{", 400),
        ("/offer", r#"{"version":9,"name":"Ann","sdp":""}"#, 400),
        ("/offer", &sdp, 400),
        ("/offer", &"x".repeat(70_000), 413),
        ("/hand", wrong, 403),
        ("/keys", wrong, 403),
        ("/hand", &no_way, 400),
        ("/room", "{}", 405),
        ("/none", "{}", 405),
    ] {
        let (status, answer) = host.post(path, body);
        assert_eq!(status, expected, "{path} {answer}");
        assert!(answer.contains("error"), "{path} {answer}");
    }
    assert_eq!(host.get("/offer").0, 405);
    let plain = b"POST /offer HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\n{}";
    assert_eq!(parts(&host.raw(plain)).0, 415);
    host.raw(&[0xff; 5_000]);
    let head = host.raw(b"HEAD / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    assert!(
        head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"),
        "{head}"
    );
    assert_eq!(host.get("/").0, 200);
}

#[test]
fn the_teacher_steers_and_gives_the_second_hand() {
    let host = Host::start(&["#hz=30&scene=drive"]);
    let mut joined = host.joins(&["--join", "2", "--seconds", "60", "--udp"]);
    let playing = || {
        let rows = host.rows();
        rows.iter().filter(|row| row["status"] == "playing").count() == 2
    };
    wait("two guests do not play", playing);
    let of_hand = |has_hand: bool| {
        let rows = host.rows();
        let row = rows.iter().find(|row| row["has_hand"] == has_hand);
        row.expect("one has the hand, one has not")["way"].clone()
    };
    let way = of_hand(false);
    let body = format!(r#"{{"version":1,"token":"{}","way":{way}}}"#, host.token());
    assert_eq!(host.post("/hand", &body).0, 200);
    wait("the hand is not given", || of_hand(true) == way);
    let keys = format!(r#"{{"version":1,"token":"{}","keys":2}}"#, host.token());
    assert_eq!(host.post("/keys", &keys).0, 200);
    joined.kill().expect("killed");
    joined.wait().expect("it ends");
}

#[test]
fn a_flood_of_posts_does_not_end_a_lesson() {
    let host = Host::start(&["#hz=30"]);
    let joined = host.joins(&["--join", "1", "--seconds", "6", "--json"]);
    wait("nobody plays", || {
        host.rows().iter().any(|row| row["status"] == "playing")
    });
    let (start, mut posts, mut refused) = (Instant::now(), 0u64, 0u64);
    while start.elapsed() < Duration::from_secs(3) {
        let (status, _) = host.post("/offer", r#"{"version":1,"name":"Eve","sdp":"v=0"}"#);
        posts += 1;
        refused += u64::from(status == 429);
        let due = Duration::from_millis(posts);
        std::thread::sleep(due.saturating_sub(start.elapsed()));
    }
    assert!(posts > 1_000 && refused > posts / 2, "{refused} of {posts}");
    let peer = &peers(joined)[0];
    assert_eq!(
        (&peer["status"], &peer["mismatches"]),
        (&"playing".into(), &0.into())
    );
    assert!(peer["snapshots"].as_u64() >= Some(120), "{peer}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_tells_the_guests_and_the_recording_of_the_server_replays() {
    let recording =
        std::env::temp_dir().join(format!("snapshot-host-{}.recording", std::process::id()));
    let file = recording.to_str().expect("a path");
    let mut host = Host::start(&["#hz=30&grid=8", "--record", file]);
    let joined = host.joins(&["--join", "2", "--seconds", "6", "--json", "--udp"]);
    wait("nobody plays", || host.rows().len() == 2);
    std::thread::sleep(Duration::from_secs(1));
    let id = host.child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.expect("kill runs").success());
    assert_eq!(host.child.wait().expect("it ends").code(), Some(0));
    // By then the receivers cannot ask for rows: what they were told is what they tell.
    let stderr = joined.wait_with_output().expect("it ends").stderr;
    let message = String::from_utf8_lossy(&stderr).into_owned();
    assert!(
        message.contains("The host has ended the lesson."),
        "{message}"
    );
    let bytes = std::fs::read(&recording).expect("a recording");
    std::fs::remove_file(&recording).expect("removed");
    let replay = replay(&bytes).expect("it replays");
    assert_eq!(
        (replay.kind.as_str(), &replay.difference),
        ("server", &None)
    );
    // Sixty ticks a second and two guests, each with 30 packets, for a second and more.
    assert!(replay.calls > 60 && replay.datagrams > 60, "{replay:?}");
}
