//! A server and a client with the settings of five verdicts, compiled and run. `snapshot-analysis` compares the verdict's lines with
//! these. `crate/npm/tests/verdict.tsv` has the datagrams that they send, in Rust, JavaScript and C.

use snapshot_replication::*;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Plays with each of the settings. A row has the number of the server's datagrams, their bytes and a hash.
///
/// The first datagram, which accepts the client, is not hashed, nor are the tags at the ends: they depend on the type of an
/// address.
fn rows() -> Outcome<Vec<String>> {
    let (secret, token, nonce) = ([7; 16], b"a ticket", 0x0909_0909_0909_0909);
    let mut rows = Vec::new();
    {
        let settings = Settings {
            tick_rate: 60,
            send_rate: 20,
            bounds: Bounds::new([-64, -32, 0], [64, 32, 8])?,
            bits: QuantisationBits::new(9, 9, 5)?,
            rung: Rung::ChangedFlags,
            class: Class::Chained,
            interpolation: Interpolation::Hermite,
            playout: Playout::Fixed { delay_ms: 100.0 },
            ..Settings::new(16)
        };
        let mut server = Server::new(settings.clone(), secret)?;
        let mut client = Client::new(settings, token, nonce)?;
        rows.push(play(&mut server, &mut client)?);
    }
    {
        let settings = Settings {
            tick_rate: 60,
            send_rate: 30,
            bounds: Bounds::new([-64, -32, 0], [64, 32, 8])?,
            bits: QuantisationBits::new(10, 10, 5)?,
            rung: Rung::Arithmetic,
            class: Class::Strict,
            interpolation: Interpolation::Linear,
            ..Settings::new(16)
        };
        let mut server = Server::new(settings.clone(), secret)?;
        let mut client = Client::new(settings, token, nonce)?;
        rows.push(play(&mut server, &mut client)?);
    }
    {
        let settings = Settings {
            tick_rate: 60,
            send_rate: 10,
            bounds: Bounds::new([-64, -32, 0], [64, 32, 8])?,
            bits: QuantisationBits::new(9, 9, 5)?,
            rung: Rung::Arithmetic,
            class: Class::Chained,
            interpolation: Interpolation::Slerp,
            playout: Playout::Fixed { delay_ms: 350.0 },
            ..Settings::new(16)
        };
        let mut server = Server::new(settings.clone(), secret)?;
        let mut client = Client::new(settings, token, nonce)?;
        rows.push(play(&mut server, &mut client)?);
    }
    {
        let settings = Settings {
            tick_rate: 60,
            send_rate: 60,
            bounds: Bounds::new([-64, -32, 0], [64, 32, 8])?,
            bits: QuantisationBits::new(8, 9, 5)?,
            rung: Rung::RelativeOrientation,
            class: Class::Chained,
            interpolation: Interpolation::Extrapolate,
            playout: Playout::Fixed { delay_ms: 62.0 },
            ..Settings::new(16)
        };
        let mut server = Server::new(settings.clone(), secret)?;
        let mut client = Client::new(settings, token, nonce)?;
        rows.push(play(&mut server, &mut client)?);
    }
    {
        let settings = Settings {
            tick_rate: 60,
            send_rate: 60,
            bounds: Bounds::new([-64, -32, 0], [64, 32, 8])?,
            bits: QuantisationBits::new(9, 9, 5)?,
            rung: Rung::Predicted,
            class: Class::Chained,
            interpolation: Interpolation::Hermite,
            playout: Playout::Fixed { delay_ms: 70.0 },
            ..Settings::new(16)
        };
        let mut server = Server::new(settings.clone(), secret)?;
        let mut client = Client::new(settings, token, nonce)?;
        rows.push(play(&mut server, &mut client)?);
    }
    Ok(rows)
}

/// An object of the motion: it goes to and fro, and turns now and then.
pub(crate) fn object(index: u32, tick: u32) -> Object {
    let way = tick * (index + 1) % 512;
    let speed = (index + 1) as f32 * if way < 256 { -3.75 } else { 3.75 };
    let turns = [(0.0, 1.0), (0.28, 0.96), (0.6, 0.8), (0.8, 0.6)];
    let (sine, cosine) = turns[((tick / 15 + index) % 4) as usize];
    Object {
        orientation: [0.0, 0.0, sine, cosine],
        velocity: Some([speed, 0.0, 0.0]),
        ..Object::at(
            501 + index,
            [way.abs_diff(256) as f32 / 16.0 - 8.0, index as f32, 1.0],
        )
    }
}

/// Four seconds without a network.
fn play(server: &mut Server<u8>, client: &mut Client) -> Outcome<String> {
    let (mut datagrams, mut bytes, mut hash) = (0, 0, 0x811c_9dc5_u32);
    let mut shown = 0;
    for tick in 1..=240 {
        let now_ms = f64::from(tick) * 1000.0 / 60.0;
        while let Some(bytes) = client.send(now_ms) {
            match server.receive(now_ms, &0, &bytes) {
                DatagramOutcome::Answer(bytes) => client.receive(now_ms, &bytes)?,
                DatagramOutcome::Joins(peer, _) => server.admit(peer),
                DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
            }
        }
        let objects: Vec<Object> = (0..8).map(|index| object(index, tick)).collect();
        let send = |_: &u8, datagram: &[u8]| {
            datagrams += 1;
            bytes += datagram.len();
            let step = |hash: u32, &byte: &u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
            let hashed = if datagrams > 1 { datagram.len() - 4 } else { 0 };
            hash = datagram[..hashed].iter().fold(hash, step);
            let _counted = client.receive(now_ms, datagram);
        };
        server.tick(now_ms, u64::from(tick), &objects, |_, _| true, send)?;
        shown = client.show(now_ms).len();
    }
    assert_eq!(shown, 8);
    Ok(format!("{datagrams}\t{bytes}\t{hash:08x}"))
}

#[test]
fn the_programs_send_what_those_in_other_languages_send() {
    let expected: Vec<&str> = include_str!("../../../crate/npm/tests/verdict.tsv")
        .lines()
        .collect();
    assert_eq!(rows().expect("they play"), expected);
}
