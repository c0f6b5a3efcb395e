//! Snapshots from one process to another over UDP sockets on loopback, with loss made by hand.
//!
//! ```sh
//! cargo run --release --example udp -- --seconds 5 --hz 20 --loss 0.1 --rung predicted
//! ```
//!
//! The sender moves a scene 60 times a second. At the send rate it sends a snapshot of it against the newest acknowledged
//! one, and drops a share of its packets instead of sending them. It starts the receiver, which is this program again. The
//! receiver decodes, acknowledges (and drops as many of its acks), and compares each snapshot with the scene, which both
//! can work out. `cargo test` runs it briefly: it fails if a snapshot differs, or hardly any comes through.

#![allow(clippy::disallowed_types, reason = "a program on a network waits")]

use std::error::Error;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, UdpSocket};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use snapshot_codec::{
    Cube, CubeState, Decoder, Encoder, Format, Life, QuantisationBits, Rung, decode_ack, encode_ack,
};

const CUBES: usize = 400;
const TICKS_PER_S: u32 = 60;
/// Headers of IP and UDP.
const HEADER_BYTES: usize = 28;
/// Message types, in the first byte of a datagram: receiver present, snapshot, acknowledgement, end.
const HELLO: u8 = 0;
const SNAPSHOT: u8 = 1;
const ACK: u8 = 2;
const BYE: u8 = 3;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[derive(Clone, Copy)]
struct Options {
    seconds: u32,
    hz: u32,
    loss: f32,
    rung: Rung,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match &arguments[..] {
        [receive, port, loss, rung] if receive == "receive" => receiver(port, loss, rung),
        _ => options(&arguments).and_then(|options| sender(&options)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options(arguments: &[String]) -> Result<Options> {
    let mut options = Options {
        seconds: 2,
        hz: 20,
        loss: 0.1,
        rung: Rung::Predicted,
    };
    // What `cargo test` is given is a name of tests, and not for us.
    if cfg!(test) {
        return Ok(options);
    }
    for pair in arguments.chunks(2) {
        let [name, value] = pair else {
            return Err(format!("{} needs a value", pair[0]).into());
        };
        match &name[..] {
            "--seconds" => options.seconds = value.parse()?,
            "--hz" => options.hz = value.parse()?,
            "--loss" => options.loss = value.parse()?,
            "--rung" => options.rung = rung(value)?,
            _ => return Err(format!("{name} is none of --seconds, --hz, --loss, --rung").into()),
        }
    }
    if !(1..=TICKS_PER_S).contains(&options.hz) || !(0.0..=0.9).contains(&options.loss) {
        return Err("hz must be 1 to 60, loss 0 to 0.9".into());
    }
    Ok(options)
}

fn rung(name: &str) -> Result<Rung> {
    Rung::from_name(name).ok_or_else(|| format!("there is no rung {name}").into())
}

fn format(rung: Rung) -> Result<Format> {
    Ok(Format::new(rung, QuantisationBits::DEFAULT, CUBES)?)
}

/// A grid of cubes. The player moves in a circle; cubes near the player rise and turn.
fn snapshot(format: &Format, tick: u32) -> Vec<Cube> {
    let angle = tick as f32 * 0.01;
    let player = [6.0 * libm::cosf(angle), 6.0 * libm::sinf(angle), 0.75];
    let state = |index: usize| {
        let place = [index / 20, index % 20].map(|i| i as f32 - 9.5);
        let [dx, dy] = [place[0] - player[0], place[1] - player[1]];
        let lift = (2.0 - libm::sqrtf(dx * dx + dy * dy)).max(0.0);
        let position = match index {
            0 => player,
            _ => [place[0] + 0.3 * lift * dx, place[1], 0.2 + lift],
        };
        CubeState {
            position,
            orientation: [0.3 * lift, -0.2 * lift, 0.0, 1.0],
            linear_velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            interacting: lift > 0.0,
            at_rest: lift == 0.0,
            life: Life::default(),
        }
    };
    (0..CUBES)
        .map(|index| format.quantise(&state(index)))
        .collect()
}

/// Returns true if the example's artificial loss drops packet `n`. The same packets are dropped each time the program runs.
fn is_lost(n: u32, loss: f32) -> bool {
    let mixed = (n ^ n >> 7).wrapping_mul(0x9e37_79b1);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca77);
    (mixed >> 8) as f32 / (1 << 24) as f32 <= loss
}

/// Returns the next waiting datagram, if any.
fn next<'a>(socket: &UdpSocket, buffer: &'a mut [u8]) -> Result<Option<&'a [u8]>> {
    match socket.recv(buffer) {
        Ok(length) => Ok(Some(&buffer[..length])),
        Err(error) => match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::ConnectionRefused => Ok(None),
            _ => Err(error.into()),
        },
    }
}

/// Sends a datagram. If nobody listens any more, the datagram counts as lost.
fn send(socket: &UdpSocket, datagram: &[u8]) -> Result<()> {
    match socket.send(datagram) {
        Err(error) if error.kind() != ErrorKind::ConnectionRefused => Err(error.into()),
        _ => Ok(()),
    }
}

fn sender(options: &Options) -> Result<()> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    let child = Command::new(std::env::current_exe()?)
        .arg("receive")
        .args([
            socket.local_addr()?.port().to_string(),
            options.loss.to_string(),
            options.rung.name().to_string(),
        ])
        .stdout(Stdio::inherit())
        .spawn()?;
    let mut buffer = [0; 1500];
    // The receiver's hello tells its port.
    socket.set_read_timeout(Some(Duration::from_secs(20)))?;
    let (_, receiver) = socket.recv_from(&mut buffer)?;
    socket.connect(receiver)?;
    socket.set_nonblocking(true)?;

    let format = format(options.rung)?;
    let mut encoder = Encoder::new(format, &snapshot(&format, 0))?;
    let mut packet = Vec::new();
    let (mut sent, mut lost, mut bytes) = (0, 0, 0);
    let start = Instant::now();
    for tick in 1..=options.seconds * TICKS_PER_S {
        let due = start + Duration::from_secs(tick.into()) / TICKS_PER_S;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        while let Some(datagram) = next(&socket, &mut buffer)? {
            if let [ACK, ack @ ..] = datagram {
                encoder.ack(decode_ack(ack)?);
            }
        }
        // The ticks at which the number of packets grows.
        if tick * options.hz / TICKS_PER_S == (tick - 1) * options.hz / TICKS_PER_S {
            continue;
        }
        encoder.encode(tick as u16, &snapshot(&format, tick), &mut packet)?;
        sent += 1;
        bytes += packet.len() + HEADER_BYTES;
        if is_lost(sent, options.loss) {
            lost += 1;
        } else {
            send(&socket, &[&[SNAPSHOT], &packet[..]].concat())?;
        }
    }
    for _ in 0..3 {
        send(&socket, &[BYE])?;
    }
    println!(
        "sender:   {sent} packets of {CUBES} cubes, {lost} lost, {:.1} kbit/s with IP and UDP",
        bytes as f32 * 8.0 / 1000.0 / options.seconds as f32
    );
    let receiver = child.wait_with_output()?;
    if receiver.status.success() {
        Ok(())
    } else {
        Err("the receiver did not get what was sent".into())
    }
}

fn receiver(port: &str, loss: &str, rung_name: &str) -> Result<()> {
    let (loss, format) = (loss.parse()?, format(rung(rung_name)?)?);
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    socket.connect((Ipv4Addr::LOCALHOST, port.parse()?))?;
    socket.set_read_timeout(Some(Duration::from_secs(20)))?;
    socket.send(&[HELLO])?;

    let mut decoder = Decoder::new(format, &snapshot(&format, 0))?;
    let (mut received, mut ack) = (Vec::new(), Vec::new());
    let mut buffer = [0; 1 << 16];
    let (mut decoded, mut differing, mut refused) = (0, 0, 0);
    let start = Instant::now();
    while let Some(datagram) = next(&socket, &mut buffer)? {
        let [SNAPSHOT, packet @ ..] = datagram else {
            break;
        };
        // The scene began about when we said hello; a second is room enough for how far the clocks are apart.
        let horizon = start.elapsed().as_millis() as u32 * TICKS_PER_S / 1000 + TICKS_PER_S;
        match decoder.decode(packet, horizon as u16, &mut received) {
            Ok(header) => {
                decoded += 1;
                let truth = snapshot(&format, header.sequence.into());
                differing += u32::from(received != truth);
                encode_ack(header.sequence, &mut ack, None);
                if !is_lost(!decoded, loss) {
                    send(&socket, &[&[ACK], &ack[..]].concat())?;
                }
            }
            Err(error) => {
                refused += 1;
                eprintln!("refused: {error}");
            }
        }
    }
    println!("receiver: {decoded} decoded, {differing} that differ, {refused} refused");
    if decoded >= 10 && differing == 0 && refused == 0 {
        Ok(())
    } else {
        Err("packets are missing, differ or were refused".into())
    }
}
