//! The proxy between sockets of this machine. Its luck and its memory are tested in `netsim`, without sockets.

use crate::refused;
use snapshot_netsim::trace::Trace;
use std::io::{BufRead, BufReader, Write};
use std::net::UdpSocket;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Bench {
    proxy: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
    client: UdpSocket,
    server: UdpSocket,
}

/// A proxy with these options between a client's socket and a server's.
fn bench(options: &[&str]) -> Bench {
    let socket = || UdpSocket::bind("127.0.0.1:0").unwrap();
    bench_of("0", [socket(), socket()], options)
}

fn bench_of(listen: &str, [client, server]: [UdpSocket; 2], options: &[&str]) -> Bench {
    let to = server.local_addr().unwrap().to_string();
    let mut proxy = Command::new(env!("CARGO_BIN_EXE_snapshot-lab"))
        .args(["proxy", "--listen", listen, "--to", &to])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(proxy.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    client.connect(first.split(' ').next().unwrap()).unwrap();
    for socket in [&client, &server] {
        socket
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
    }
    Bench {
        proxy,
        lines,
        client,
        server,
    }
}

impl Bench {
    #[cfg(unix)]
    fn interrupt(&mut self) {
        let id = self.proxy.id().to_string();
        Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(self.proxy.wait().unwrap().success());
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = self.proxy.kill();
        let _ = self.proxy.wait();
    }
}

#[cfg(unix)]
#[test]
fn packets_pass_both_ways_and_an_interrupt_leaves_a_recording_that_is_a_network() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("proxy.csv");
    let path = path.to_str().unwrap();
    let link = "loss=0&jitter=0&latency=30&back.latency=10&rate=5000";
    let mut bench = bench(&["--link", link, "--record", path, "--control"]);
    let mut packet = [0; 2000];
    for n in 0..20_u8 {
        bench.client.send(&vec![n; 1200]).unwrap();
        let (length, from) = bench.server.recv_from(&mut packet).unwrap();
        assert_eq!(packet[..length], vec![n; 1200]);
        bench.server.send_to(&[n; 7], from).unwrap();
        assert_eq!(bench.client.recv(&mut packet).unwrap(), 7);
    }
    let line = bench.lines.next().unwrap().unwrap();
    assert!(line.starts_with("1 s  1 clients  to clients: "), "{line}");
    // A line on stdin changes the link; one that cannot be used does not.
    writeln!(bench.proxy.stdin.as_ref().unwrap(), "los=1\nlatency=5\ncut").unwrap();
    let mut notes = BufReader::new(bench.proxy.stderr.take().unwrap()).lines();
    let notes: Vec<String> = (0..3).map(|_| notes.next().unwrap().unwrap()).collect();
    assert!(
        notes[0].contains("los") && notes[0].contains("stays as it is"),
        "{notes:?}"
    );
    assert!(notes[1].contains("&latency=5"), "{notes:?}");
    assert_eq!(notes[2], "note: cut");
    bench.client.send(&[1]).unwrap();
    let short = Some(Duration::from_millis(200));
    bench.server.set_read_timeout(short).unwrap();
    bench.server.recv(&mut packet).unwrap_err();
    bench.interrupt();
    let recorded = std::fs::read_to_string(path).unwrap();
    assert_eq!(recorded.lines().count(), 1 + 2 * 20 + 1, "{recorded}");
    let trace = Trace::read(recorded.as_bytes()).unwrap();
    let rows = trace.delays().rows();
    assert!(
        trace
            .description()
            .contains("2 paths, of which down-1 is taken"),
        "{}",
        trace.description()
    );
    assert_eq!(rows.len(), 20);
    // 35 bytes with headers at 5,000 kbit/s, then the latency.
    let expected_ms = 30.0 + 35.0 * 8.0 / 5000.0;
    let is_expected = |ms: f64| (ms - expected_ms).abs() < 0.001;
    assert!(
        rows.iter()
            .all(|row| is_expected(row.delay_ms) && row.bytes == Some(7))
    );
    assert!(recorded.ends_with(",lost,1,up-1\n"), "{recorded}");
}

/// A machine without IPv6 has no such sockets, and nothing to test.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn packets_pass_from_and_to_ipv6_until_the_duration_is_over() {
    let v6 = || UdpSocket::bind("[::1]:0").ok();
    let v4 = || UdpSocket::bind("127.0.0.1:0").ok();
    for (listen, sockets) in [
        ("[::1]:0", [v6(), v6()]),
        ("[::1]:0", [v6(), v4()]),
        ("0", [v4(), v6()]),
    ] {
        let [Some(client), Some(server)] = sockets else {
            continue;
        };
        let start = Instant::now();
        let options = ["--link", "loss=0&jitter=0&latency=5", "--duration", "4"];
        let mut bench = bench_of(listen, [client, server], &options);
        let mut packet = [0; 100];
        bench.client.send(&[7; 40]).unwrap();
        let (length, from) = bench.server.recv_from(&mut packet).unwrap();
        assert_eq!(packet[..length], [7; 40]);
        bench.server.send_to(&[8; 9], from).unwrap();
        assert_eq!(bench.client.recv(&mut packet).unwrap(), 9);
        assert!(bench.proxy.wait().unwrap().success());
        let ran = start.elapsed();
        assert!((4.0..30.0).contains(&ran.as_secs_f64()), "{ran:?}");
    }
}

#[test]
fn what_it_cannot_do_is_refused_with_its_reason() {
    for (options, reason) in [
        (
            ["--to", "127.0.0.1:9", "--link", "wifi-buzy"],
            "wifi-busy, ",
        ),
        (["--to", "127.0.0.1:9", "--link", "#loss=x"], "loss"),
        (["--to", "127.0.0.1", "--link", ""], "127.0.0.1: "),
        (
            ["--to", "127.0.0.1:9", "--record", "/nonexistent/x"],
            "/nonexistent/x: ",
        ),
    ] {
        let notes = refused(&[&["proxy", "--listen", "0"][..], &options].concat());
        assert!(notes.contains(reason), "{notes}");
    }
    for (listen, reason) in [
        ("[::]:0", "--lan"),
        ("70000", "is a port, or"),
        ("::1", "is a port, or"),
    ] {
        let notes = refused(&["proxy", "--listen", listen, "--to", "127.0.0.1:9"]);
        assert!(notes.contains(reason), "{notes}");
    }
}
