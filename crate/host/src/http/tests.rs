//! Any bytes as requests: what comes back is HTTP, and only who has the token steers.

use super::*;
use crate::room::OfferRefused;
use snapshot_base::random::Stream;
use std::net::Ipv4Addr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const TOKEN: &str = "00112233445566778899aabbccddeeff";
/// Connections before the server is a new one, so that limits of an address refuse few.
const CONNECTIONS: u64 = 64;
/// Statuses that the host gives, and those of the library for what is no request.
const STATUSES: [&str; 12] = [
    "200", "400", "403", "404", "405", "408", "413", "414", "415", "429", "431", "503",
];

fn post(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}")
        .into_bytes()
}

/// Requests as pages send them, of which others are made.
fn requests() -> Vec<Vec<u8>> {
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").into_bytes();
    vec![
        get("/"),
        get("/room"),
        get(&format!("/rows?token={TOKEN}")),
        get("/../Cargo.toml"),
        post("/offer", r#"{"version":1,"sdp":"v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n"}"#),
        post("/hand", &format!(r#"{{"version":1,"token":"{TOKEN}","way":3}}"#)),
        post("/keys", &format!(r#"{{"version":1,"token":"{TOKEN}","keys":5}}"#)),
        b"POST /keys HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n".to_vec(),
        b"HEAD /room HTTP/1.0\r\nexpect: 100-continue\r\n\r\n".to_vec(),
    ]
}

/// Returns a random number below `count`.
fn below(random: &mut Stream, count: usize) -> usize {
    random.integer(0, count as u32 - 1) as usize
}

/// Changes bytes: some become others, come twice, go, or come from another request.
fn change(bytes: &mut Vec<u8>, all: &[Vec<u8>], random: &mut Stream) {
    for _ in 0..below(random, 6) {
        let at = below(random, bytes.len() + 1);
        let end = (at + below(random, 12)).min(bytes.len());
        match below(random, 6) {
            0 if at < bytes.len() => bytes[at] = below(random, 256) as u8,
            1 => bytes.insert(at, below(random, 256) as u8),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            4 => {
                let other = &all[below(random, all.len())];
                let from = below(random, other.len());
                bytes.splice(at..end, other[from..].iter().copied());
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
}

/// Answers the room's questions. Returns true if only the teacher may ask so.
fn reply(ask: Ask, is_full: bool) -> bool {
    let why = "no".to_string();
    match ask {
        Ask::Room(reply) => drop(reply.send(RoomFacts {
            link: "v=2".to_string(),
            places: 30,
            is_full,
            udp_port: 1,
        })),
        Ask::Offer(_, reply) => drop(reply.send(Err(OfferRefused { is_full, why }))),
        Ask::Rows(reply) => {
            let _ = reply.send(Vec::new());
            return true;
        }
        Ask::Hand(_) | Ask::Keys(_) => return true,
    }
    false
}

/// Sends any bytes over so many connections. `FUZZ=10000000 cargo test -p snapshot-host any_bytes_are_answered` sends more.
#[test]
fn any_bytes_are_answered_by_http_and_only_the_token_steers() {
    let connections = std::env::var("FUZZ").map_or(20_000, |it| it.parse().expect("a number"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        // Where all wait, the time of the next timer has come at once.
        .start_paused(true)
        .build()
        .expect("a runtime");
    let (seeds, mut random) = (requests(), Stream::new(1, 0));
    let from = IpAddr::from(Ipv4Addr::LOCALHOST);
    let mut counts = [0_u64; STATUSES.len()];
    let mut steered = 0;
    let mut room = None;
    for number in 0..connections {
        if number % CONNECTIONS == 0 {
            let (asks, asked) = mpsc::channel(4);
            let server = Server {
                site: Site::of_index(b"<title>lab</title>"),
                token: TOKEN.to_string(),
                asks,
                limits: Mutex::default(),
                start: Instant::now(),
            };
            room = Some((Arc::new(server), asked));
        }
        let (server, asked) = room.as_mut().expect("a server");
        let mut bytes = seeds[below(&mut random, seeds.len())].clone();
        change(&mut bytes, &seeds, &mut random);
        let has_token = bytes
            .windows(TOKEN.len())
            .any(|part| part == TOKEN.as_bytes());
        let (mut page, host) = tokio::io::duplex(64 * 1024);
        let answered = runtime.block_on(async {
            let talks = async {
                let mut answer = Vec::new();
                let _ = page.write_all(&bytes).await;
                let _ = page.read_to_end(&mut answer).await;
                answer
            };
            let serves = answer_all(server, from, host);
            let answers = async {
                while let Some(ask) = asked.recv().await {
                    let is_teachers = reply(ask, number % 2 == 0);
                    steered += u64::from(is_teachers);
                    assert!(
                        has_token || !is_teachers,
                        "{}",
                        String::from_utf8_lossy(&bytes)
                    );
                }
            };
            tokio::select! {
                biased;
                (answer, ()) = async { tokio::join!(talks, serves) } => answer,
                () = answers => Vec::new(),
            }
        });
        if let Some(rest) = answered.strip_prefix(b"HTTP/1.") {
            let status = String::from_utf8_lossy(&rest[2..5]).into_owned();
            let place = STATUSES
                .iter()
                .position(|it| *it == status || status == "100");
            counts[place.unwrap_or_else(|| panic!("{status}"))] += 1;
        } else {
            assert_eq!(answered, b"", "{}", String::from_utf8_lossy(&bytes));
        }
    }
    println!("{connections} connections, {steered} steered, by status {STATUSES:?}: {counts:?}");
    assert!(steered > connections / 100);
    for status in ["200", "400", "403", "404", "405", "408", "415"] {
        let place = STATUSES.iter().position(|it| *it == status);
        assert!(counts[place.expect("a status")] > 0, "{status}: {counts:?}");
    }
}
