//! Conversion of a lane's settings to the settings of a game's connection.

use snapshot_codec::Rung;
use snapshot_replication::{ObjectField, OutOfBounds, Settings};
use snapshot_settings::LaneSettings;

/// Upper limit of a game's datagram, bytes, if no setting limits packets.
const GAME_MTU: usize = 1200;

/// Returns the settings of a game's connection, for a world of `cube_count` cubes. If `snapshot-replication` does not have
/// the lane's rung, the nearest lower rung is used.
pub(crate) fn connection(settings: &LaneSettings, cube_count: usize) -> Settings {
    let game = Settings {
        tick_rate: settings.tick_rate().hz(),
        send_rate: settings.send_rate_hz(),
        bits: settings.bits(),
        class: settings.class(),
        mtu: settings
            .mtu_bytes()
            .map_or(GAME_MTU, |bytes| (bytes - settings.header_bytes()) as usize),
        input_repeats: settings.input_repeats() as usize,
        input_lead_ms: settings.input_lead_ms().map(f64::from),
        interpolation: settings.interpolation(),
        playout: settings.playout(),
        budget_kbps: settings.budget_kbps(),
        ..of_world(cube_count)
    };
    let rungs = Rung::ALL[..=settings.rung() as usize].iter().rev();
    let with_rung = rungs.map(|rung| Settings {
        rung: *rung,
        ..game.clone()
    });
    let mut possible = with_rung.filter(|it| it.rung != Rung::Simulated && it.format().is_ok());
    possible.next().unwrap_or(game)
}

/// Returns the settings of a connection for a world of cubes: each object carries the keys that steer it, and one client plays.
fn of_world(objects: usize) -> Settings {
    Settings {
        kind_bits: 1,
        fields: vec![ObjectField::new("keys", 6)],
        clients: 1,
        out_of_bounds: OutOfBounds::Clamp,
        ..Settings::new(objects)
    }
}
