//! Servers whose tick rate is another one than the settings say.

use super::{Table, press, settings, steady};
use crate::ConnectionEvent;
use snapshot_netsim::channel::Conditions;

/// Play in the seconds after the first eight.
struct Played {
    /// Share of frames in which the shown tick stands still.
    still: f64,
    /// Share of the server's ticks that had no input.
    missing: f64,
    /// Time by which the shown tick is behind the server, ms: the greatest.
    behind_ms: f64,
    rates: Vec<f64>,
}

fn played(hz: f64) -> Played {
    let mut table = Table::new(settings(8));
    table.hz = hz;
    let conditions = Conditions {
        jitter_ms: 10.0,
        ..steady(50.0)
    };
    table.sit(b"ticket", conditions);
    let (mut frames, mut still, mut missing, mut behind_ms) = (0, 0, 0, 0.0_f64);
    let mut before = None;
    for step in 0..(hz * 30.0) as u32 {
        table.run(1);
        let is_late = f64::from(step) > hz * 8.0;
        let (tick, now_ms) = (table.tick + 1, table.now_ms());
        let peer = table.server.peers().next();
        if let Some(peer) = peer {
            let input = table.server.input(peer, tick);
            missing += u32::from(is_late && input.is_none());
        }
        let client = &mut table.seats[0].client;
        press(client, now_ms, |_| b"key");
        let shown = client.shown_tick();
        if is_late {
            frames += 1;
            still += u32::from(shown == before);
            let behind = table.tick as f64 - shown.unwrap_or(0.0);
            behind_ms = behind_ms.max(behind * 1000.0 / hz);
        }
        before = shown;
    }
    let rate = |event: &ConnectionEvent| match event {
        ConnectionEvent::TickRate { measured, .. } => Some(*measured),
        _ => None,
    };
    Played {
        still: f64::from(still) / f64::from(frames),
        missing: f64::from(missing) / f64::from(frames),
        behind_ms,
        rates: table.seats[0].events.iter().filter_map(rate).collect(),
    }
}

/// Run it with `-- --nocapture` for the table.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_client_plays_at_the_rate_that_is_and_names_it() {
    println!("| ticks a second | still | missing | behind ms | named |");
    for hz in [30.0, 40.0, 45.0, 48.0, 50.0, 60.0, 66.0, 72.0, 90.0, 120.0] {
        let Played {
            still,
            missing,
            behind_ms,
            rates,
        } = played(hz);
        println!(
            "| {hz} | {:.1} % | {:.1} % | {behind_ms:.0} | {rates:.1?} |",
            100.0 * still,
            100.0 * missing
        );
        assert!(still < 0.01, "{hz}: {still}");
        assert!(missing < 0.01, "{hz}: {missing}");
        assert!(behind_ms < 350.0, "{hz}: {behind_ms}");
        let is_far = (hz / 60.0 - 1.0_f64).abs() > 0.16;
        assert_eq!(rates.len(), usize::from(is_far), "{hz}: {rates:?}");
        assert!(
            rates.iter().all(|rate| (rate / hz - 1.0).abs() < 0.03),
            "{hz}: {rates:?}"
        );
    }
}

#[test]
fn a_server_that_becomes_slow_and_fast_again_is_followed() {
    let mut table = Table::of_one(settings(8), steady(50.0));
    let mut rates = Vec::new();
    for hz in [60.0, 40.0, 60.0, 90.0] {
        // The clock goes on: times of the table count from the first tick.
        table.first_ms += table.tick as f64 * (1000.0 / table.hz - 1000.0 / hz);
        table.hz = hz;
        table.run((hz * 12.0) as u64);
        let seat = &mut table.seats[0];
        rates.extend(seat.events.drain(..).filter_map(|event| match event {
            ConnectionEvent::TickRate { measured, .. } => Some(measured.round()),
            _ => None,
        }));
        let behind = table.tick as f64 - table.seats[0].client.shown_tick().unwrap();
        assert!(behind * 1000.0 / hz < 350.0, "{hz}: {behind}");
    }
    assert_eq!(rates, [40.0, 60.0, 90.0]);
}
