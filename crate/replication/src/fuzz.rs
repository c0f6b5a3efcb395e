//! Properties that hold for any bytes: the bodies of the fuzz targets `hello`, `payload` and `recording`. A test replays their corpora.

use crate::clocks::PassedMs;
use crate::connection::{ClientEvent, Dialer, Listener, ServerEvent};
use crate::extras::Velocities;
use crate::inputs::INPUT_BYTES_MAX;
use crate::payload::{Part, read_to_server};
use crate::recording::replay;
use crate::replica::ClientReplica;
use crate::world::ClientView;
use crate::{Client, DatagramOutcome, Object, ObjectField, Rung, Server, Settings};

/// Splits bytes into datagrams. A byte before each datagram is its length.
fn datagrams(mut data: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (&len, rest) = data.split_first()?;
        let (datagram, rest) = rest.split_at(rest.len().min(len.into()));
        data = rest;
        Some(datagram)
    })
}

/// Checks that both ends of a connection take any bytes, before and after it is established. No answer may be longer than the
/// datagram that it answers. Nothing may be stored for an address without a proof; only the other end's datagrams may count.
pub fn hello(data: &[u8]) {
    let mut listener: Listener<u8> = Listener::new(5, [7; 16], 4);
    let mut dialer = Dialer::new(5, b"token", 1);
    for (step, datagram) in datagrams(data).enumerate() {
        let now_ms = step as f64 * 100.0;
        match listener.receive(now_ms, &9, None, datagram) {
            Ok(ServerEvent::Answer(answer)) => assert!(answer.len() <= datagram.len()),
            Ok(ServerEvent::Taken) | Err(_) => {}
            taken => panic!("an address that is not proved: {taken:?}"),
        }
        let is_answer = dialer.receive(now_ms, datagram);
        assert!(!matches!(is_answer, Ok(ClientEvent::Payload(_))));
        // The genuine connection goes on between them, unless the bytes guessed its nonce.
        if let Some(question) = dialer.send(now_ms, Some(&[step as u8])) {
            match listener.receive(now_ms, &1, None, &question) {
                Ok(ServerEvent::Answer(answer)) => {
                    let _guessed = dialer.receive(now_ms, &answer);
                }
                Ok(ServerEvent::Joins(peer, _)) => listener.admit(peer),
                Ok(ServerEvent::Payload(_, payload)) => assert_eq!(payload, [step as u8]),
                Ok(ServerEvent::Taken) | Err(_) => {}
            }
        }
        let passed = listener.advance(now_ms, |&address, bytes| {
            assert_eq!(address, 1);
            let _guessed = dialer.receive(now_ms, bytes);
        });
        assert_eq!(passed, Ok(()));
    }
}

/// Checks that client and server accept any payload from an end with the key, or refuse it with an error's name.
pub fn payload(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else {
        return;
    };
    let settings = Settings {
        rung: [Rung::ChangedFlags, Rung::Arithmetic][usize::from(choice) % 2],
        fields: vec![ObjectField::counter("health", 7)],
        budget_kbps: (choice & 2 != 0).then_some(200.0),
        ..Settings::new(4)
    };
    let mut client = Client::new(settings.clone(), b"", 1).expect("settings that can be");
    let mut replica = ClientReplica::new(snapshot_base::time::WORLD, &settings);
    let mut server: Server<u8> = Server::new(settings, [0; 16]).expect("settings that can be");
    for (step, payload) in (1..).zip(datagrams(data)) {
        let now_ms = step as f64 * 50.0;
        let written = |parts: &[Part]| {
            let mut written = Vec::new();
            parts.iter().for_each(|part| part.write(&mut written));
            written
        };
        if let Ok(read) = Part::read_all(payload, Part::is_to_client) {
            assert_eq!(written(&read), payload);
            let before = client.newest().map(|(tick, _)| tick);
            let taken = client.on_parts(PassedMs(now_ms), &read);
            let after = client.newest().map(|(tick, _)| tick);
            assert!(taken.is_ok() || before == after);
        }
        if let Ok((_, read)) = read_to_server(payload) {
            assert_eq!(written(&read), payload[2..]);
        }
        let _named = replica.receive(now_ms, step.into(), payload);
        let input = replica.inputs.next(step.into(), step.into());
        assert!(input.is_none_or(|input| input.len() <= INPUT_BYTES_MAX));
        if step % 3 == 0 {
            while replica.messages.next().or(client.next_message()).is_some() {}
        }
        let objects = [Object::at(step, [0.0; 3])];
        let ticked = server.tick(now_ms, step.into(), &objects, |_, _| true, |_, _| {});
        assert_eq!(ticked, Ok(&[][..]));
        let (world, encoding) = server.parts();
        let check = |payload: &[u8]| {
            assert!(Part::read_all(payload, Part::is_to_client).is_ok());
        };
        let velocities = Velocities {
            linear: Some([1.5, 0.0, -3e38]),
            angular: None,
        };
        let details = vec![(0, velocities); usize::from(step % 2 == 0)];
        let view = ClientView {
            seen: None,
            details,
            priorities: vec![1.0; 4],
        };
        replica.send(now_ms, encoding, &world, view, check);
        replica.send_messages(now_ms, encoding, check);
        assert!(matches!(
            server.receive(now_ms, &3, payload),
            DatagramOutcome::Answer(_) | DatagramOutcome::Refused(_)
        ));
        assert!(client.show(now_ms).len() <= 4);
    }
}

/// Checks that any bytes are replayed, or refused by name. They are read in three ways: as a whole recording, as the records
/// after a valid header, and cut into datagrams, each of which becomes a record after its length.
pub fn recording(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else {
        return;
    };
    let settings = Settings {
        budget_kbps: (choice & 1 != 0).then_some(200.0),
        ..Settings::new(4)
    };
    let client = Client::recorded(settings, b"", 1, 1 << 16).expect("settings that can be");
    let header = client.recording();
    let mut framed = header.expect("it records").to_vec();
    let _named = replay(data);
    let _named = replay(&[&framed[..], data].concat());
    let mut records = 0;
    for record in datagrams(data).filter(|it| it.len() < 0x80) {
        framed.push(record.len() as u8);
        framed.extend_from_slice(record);
        records += 1;
    }
    match replay(&framed) {
        Ok(replay) => assert!(replay.calls <= records),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
