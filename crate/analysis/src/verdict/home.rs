//! Program lines of a verdict: a server and its client in Rust, JavaScript and C.

use serde::Serialize;
use snapshot_base::time::TickRate;
use snapshot_codec::{Class, Format, Rung};
use snapshot_settings::{Key, Settings};
use snapshot_view::playout::Playout;

/// Program lines that create a server and a client, by language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Home {
    /// Lines of Rust, for the crate `snapshot-replication`.
    pub rust: Vec<String>,
    /// Lines of JavaScript, for the package of `cargo xtask package npm`.
    pub javascript: Vec<String>,
    /// Lines of C, for the library of `cargo xtask package c`.
    pub c: Vec<String>,
}

/// Returns the program lines. They use the codec's default widths of differences, and a slot for each object.
pub(super) fn home(settings: &Settings, format: &Format, tick_rate: TickRate) -> Home {
    let lane = settings.lane().at(tick_rate);
    let (bits, rung, class) = (lane.bits(), lane.rung(), lane.class());
    let (lower, upper) = (format.bounds().lower(), format.bounds().upper());
    let (objects, ticks, sends) = (format.cube_count(), tick_rate.hz(), lane.send_rate_hz());
    let interpolation = lane.interpolation();
    let delay_ms = match lane.playout() {
        Playout::Fixed { delay_ms } | Playout::FirstPacket { delay_ms } => Some(delay_ms),
        Playout::AtOnce => Some(0.0),
        Playout::Adaptive(_) => None,
    };
    let [position, orientation, velocity] = [bits.position(), bits.orientation(), bits.velocity()];
    let is_chained = class == Class::Chained;

    let mut rust = vec![
        "use snapshot_replication::*;".to_owned(),
        String::new(),
        "let settings = Settings {".to_owned(),
        format!("    tick_rate: {ticks},"),
        format!("    send_rate: {sends},"),
        format!("    bounds: Bounds::new({lower:?}, {upper:?})?,"),
        format!("    bits: QuantisationBits::new({position}, {orientation}, {velocity})?,"),
        format!("    rung: Rung::{rung:?},"),
        format!("    class: Class::{class:?},"),
        format!("    interpolation: Interpolation::{interpolation:?},"),
    ];
    rust.extend(delay_ms.map(|ms| format!("    playout: Playout::Fixed {{ delay_ms: {ms:?} }},")));
    rust.extend([
        format!("    ..Settings::new({objects})"),
        "};".to_owned(),
        "let mut server = Server::new(settings.clone(), secret)?;".to_owned(),
        "let mut client = Client::new(settings, token, nonce)?;".to_owned(),
    ]);

    let delay = delay_ms.map_or_else(String::new, |ms| format!(", delayMs: {ms}"));
    let part = if rung == Rung::Predicted {
        "/predicted"
    } else {
        ""
    };
    let javascript = vec![
        format!("import init, {{ Client, Server }} from 'snapshot-codec{part}';"),
        "await init();".to_owned(),
        "const settings = {".to_owned(),
        format!("  objects: {objects}, tickRate: {ticks}, sendRate: {sends},"),
        format!("  bounds: {{ lower: {lower:?}, upper: {upper:?} }},"),
        format!(
            "  bits: {{ position: {position}, orientation: {orientation}, velocity: {velocity} }},"
        ),
        format!("  rung: '{}', class: '{}',", rung.name(), class.name()),
        format!(
            "  interpolation: '{}'{delay},",
            settings.text(Key::Interpolation)
        ),
        "};".to_owned(),
        "const server = new Server(settings, secret);".to_owned(),
        "const client = new Client(settings, token, nonce);".to_owned(),
    ];

    let mut c = vec![
        "#include \"snapshot.h\"".to_owned(),
        String::new(),
        "SnapSettings settings;".to_owned(),
        format!("snap_settings({objects}, &settings);"),
        format!("settings.tick_rate = {ticks};"),
        format!("settings.send_rate = {sends};"),
    ];
    for (axis, (lower, upper)) in lower.iter().zip(upper).enumerate() {
        c.push(format!("settings.lower[{axis}] = {lower};"));
        c.push(format!("settings.upper[{axis}] = {upper};"));
    }
    c.extend([
        format!("settings.position_bits = {position};"),
        format!("settings.orientation_bits = {orientation};"),
        format!("settings.velocity_bits = {velocity};"),
        format!("settings.rung = {};", rung.number()),
        format!("settings.chained = {};", u32::from(is_chained)),
        format!("settings.interpolation = {};", interpolation as u32),
        format!("settings.delay_ms = {:?};", delay_ms.unwrap_or(-1.0)),
        "SnapServer *server;".to_owned(),
        "SnapClient *client;".to_owned(),
        "snap_server_new(&settings, secret, &server);".to_owned(),
        "snap_client_new(&settings, token, token_length, nonce, &client);".to_owned(),
    ]);
    Home {
        rust,
        javascript,
        c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::settings;
    use snapshot_codec::Bounds;

    /// Links whose program lines are compiled and run as examples of the crate and of both packages.
    const LINKS: [&str; 5] = [
        "#hz=20&codec=changed-flags&interp=hermite&delay=100",
        "#hz=30&codec=arithmetic&class=strict&pos=10&rot=10&interp=linear&delay=adaptive",
        "#hz=10&codec=arithmetic&class=chained&interp=slerp&delay=350",
        "#hz=60&codec=relative-orientation&pos=8&interp=extrapolate&delay=62",
        "#hz=60&codec=predicted&class=chained&interp=hermite&delay=70",
    ];

    #[test]
    fn the_lines_are_those_of_programs_that_are_compiled_and_run() {
        let flat = |text: &str| text.split_whitespace().collect::<String>();
        let examples = [
            include_str!("../../../../research/programs/tests/verdict.rs"),
            include_str!("../../../npm/tests/verdict.mjs"),
            include_str!("../../../c/examples/verdict.c"),
        ]
        .map(flat);
        let bounds = Bounds::new([-64, -32, 0], [64, 32, 8]).unwrap();
        for link in LINKS {
            let settings = settings(link);
            let lane = settings.lane();
            let format = Format::new(lane.rung(), lane.bits(), 16).unwrap();
            let format = format.with_bounds(bounds).unwrap();
            let home = home(&settings, &format, TickRate::new(60).unwrap());
            // The library for C has no rung 13 unless it is built with it.
            let is_in_c = !home.c.contains(&"settings.rung = 13;".to_owned());
            let all = [&home.rust, &home.javascript, &home.c]
                .into_iter()
                .zip(&examples);
            for (lines, example) in all.take(if is_in_c { 3 } else { 2 }) {
                // The two lines before only name what the program needs.
                let body = lines[2..].join("\n");
                assert!(example.contains(&flat(&body)), "{body}");
            }
        }
    }
}
