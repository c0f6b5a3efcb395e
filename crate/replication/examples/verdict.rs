//! The lines that the laboratory's verdict gives for its settings, compiled and run: `snapshot-analysis` holds them to these.

use snapshot_replication::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let (secret, token, nonce) = ([7; 16], b"a ticket", 0x1234_5678);
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
        play(&mut server, &mut client)?;
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
        play(&mut server, &mut client)?;
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
        play(&mut server, &mut client)?;
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
        play(&mut server, &mut client)?;
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
        play(&mut server, &mut client)?;
    }
    Ok(())
}

/// Two seconds without a network: the client shows what the server has.
fn play(server: &mut Server<u8>, client: &mut Client) -> Outcome {
    let mut shown = 0;
    for tick in 1..=120_u64 {
        let now_ms = tick as f64 * 1000.0 / 60.0;
        while let Some(bytes) = client.send(now_ms) {
            match server.receive(now_ms, &0, &bytes) {
                Received::Answer(bytes) => client.receive(now_ms, &bytes)?,
                Received::Joins(peer, _) => server.admit(peer),
                Received::Taken | Received::Refused(_) => {}
            }
        }
        let objects = [Object::at(501, [tick as f32 / 60.0, 0.0, 1.0])];
        let send = |_: &u8, bytes: &[u8]| {
            let _counted = client.receive(now_ms, bytes);
        };
        server.tick(tick, &objects, |_, _| true, send)?;
        shown = client.show(now_ms).iter().filter(|it| it.id == 501).count();
    }
    assert_eq!(shown, 1);
    Ok(())
}
