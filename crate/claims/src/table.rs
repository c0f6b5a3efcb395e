//! The table of claims.

use snapshot_codec::Kind;
use snapshot_lane::measure::table::Report;

/// A number of the article.
#[derive(Debug)]
pub struct Claim {
    /// Id of the claim in the text, as `data-claim`.
    pub id: &'static str,
    pub(crate) source: Source,
    /// Decimals by which the command shows the number. The text may show others.
    pub decimals: usize,
    pub unit: &'static str,
    /// Meaning of the number, for people.
    pub what: &'static str,
}

/// The place where a claim is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// Size of the motion's file.
    File,
    /// The whole motion over the network of all figures, with these settings in place of theirs.
    Pile(&'static str, fn(&Report) -> f64),
    /// A link of a scene, up to its instant.
    Scene(&'static str, fn(&Report) -> f64),
}

/// The bandwidth that the articles aim at, kbit/s.
const GOAL_KBPS: f64 = 256.0;
const CUBES: f64 = 901.0;

/// Returns the bits of these kinds for each of all cubes.
fn a_cube(report: &Report, kinds: &[Kind]) -> f64 {
    let bits = kinds
        .iter()
        .map(|kind| report.ledger_bits_per_packet[*kind as usize]);
    bits.sum::<f64>() / CUBES
}

fn a_changed_cube(report: &Report, kind: Kind) -> f64 {
    report.ledger_bits_per_packet[kind as usize] / report.changed_cubes_mean
}

const fn claim(
    id: &'static str,
    source: Source,
    decimals: usize,
    unit: &'static str,
    what: &'static str,
) -> Claim {
    Claim {
        id,
        source,
        decimals,
        unit,
        what,
    }
}

/// All claims, in the order of the text.
#[rustfmt::skip]
pub const CLAIMS: &[Claim] = &[
    claim("seam-left", Source::Pile("codec=uncompressed", |it| it.kbps_mean), 0, "kbit/s", "rung 0"),
    claim("seam-right", Source::Pile("codec=arithmetic&drop=310-339", |it| it.kbps_mean), 0, "kbit/s", "rung 12, half a second of packets lost"),
    claim("bits-orientation", Source::Pile("codec=uncompressed", |it| a_cube(it, &[Kind::Orientation])), 0, "bits", "orientation of a cube on rung 0"),
    claim("bits-position", Source::Pile("codec=uncompressed", |it| a_cube(it, &[Kind::Position])), 0, "bits", "position of a cube on rung 0"),
    claim("bits-velocity", Source::Pile("codec=uncompressed", |it| a_cube(it, &[Kind::LinearVelocity])), 0, "bits", "velocity of a cube on rung 0"),
    claim("bits-cube", Source::Pile("codec=uncompressed", |it| a_cube(it, &[Kind::Orientation, Kind::Position, Kind::LinearVelocity, Kind::Interacting])), 0, "bits", "a cube on rung 0"),
    claim("snapshot-mbps", Source::Pile("codec=uncompressed", |it| it.kbps_mean / 1000.0), 1, "Mbit/s", "rung 0"),
    claim("snapshot-bytes", Source::Pile("codec=uncompressed", |it| it.bytes_per_packet_mean), 0, "bytes", "a snapshot on rung 0"),
    claim("header-bytes", Source::Pile("codec=uncompressed", |it| it.ledger_bits_per_packet[Kind::IpUdp as usize] / 8.0), 0, "bytes", "headers of IP and UDP"),
    claim("goal-part", Source::Pile("codec=uncompressed", |it| it.kbps_mean / GOAL_KBPS), 0, "", "rung 0 in goals of 256 kbit/s"),
    claim("rate-5", Source::Pile("codec=uncompressed&interp=none&delay=0&hz=5", |it| it.position_error_mm.rms), 0, "mm", "rms error at 5 a second, without interpolation"),
    claim("rate-10", Source::Pile("codec=uncompressed&interp=none&delay=0&hz=10", |it| it.position_error_mm.rms), 0, "mm", "rms error at 10 a second, without interpolation"),
    claim("rate-20", Source::Pile("codec=uncompressed&interp=none&delay=0&hz=20", |it| it.position_error_mm.rms), 0, "mm", "rms error at 20 a second, without interpolation"),
    claim("rate-10-kbps", Source::Pile("codec=uncompressed&interp=none&delay=0&hz=10", |it| it.kbps_mean), 0, "kbit/s", "rung 0 at 10 a second"),
    claim("line-linear", Source::Pile("hz=5&codec=at-rest&interp=linear", |it| it.position_error_mm.rms), 1, "mm", "rms error at 5 a second, linear"),
    claim("line-hermite", Source::Pile("hz=5&codec=at-rest&interp=hermite", |it| it.position_error_mm.rms), 1, "mm", "rms error at 5 a second, hermite"),
    claim("line-10-linear", Source::Pile("hz=10&codec=at-rest&interp=linear", |it| it.position_error_mm.rms), 1, "mm", "rms error at 10 a second, linear"),
    claim("line-10-hermite", Source::Pile("hz=10&codec=at-rest&interp=hermite", |it| it.position_error_mm.rms), 1, "mm", "rms error at 10 a second, hermite"),
    claim("playout-0", Source::Pile("jitter=33&codec=changed-flags&delay=0", |it| it.still_ms), 0, "ms", "time still at a delay of 0 ms"),
    claim("playout-33", Source::Pile("jitter=33&codec=changed-flags&delay=33", |it| it.still_ms), 0, "ms", "time still at a delay of 33 ms"),
    claim("playout-50", Source::Pile("jitter=33&codec=changed-flags&delay=50", |it| it.still_ms), 0, "ms", "time still at a delay of 50 ms"),
    claim("playout-67", Source::Pile("jitter=33&codec=changed-flags&delay=67", |it| it.still_ms), 0, "ms", "time still at a delay of 67 ms"),
    claim("gap-100", Source::Pile("hz=10&jitter=33&loss=5&codec=changed-flags&delay=100", |it| it.still_ms), 0, "ms", "time still at a delay of 100 ms, 5 % lost"),
    claim("gap-150", Source::Pile("hz=10&jitter=33&loss=5&codec=changed-flags&delay=150", |it| it.still_ms), 0, "ms", "time still at a delay of 150 ms, 5 % lost"),
    claim("gap-250", Source::Pile("hz=10&jitter=33&loss=5&codec=changed-flags&delay=250", |it| it.still_ms), 0, "ms", "time still at a delay of 250 ms, 5 % lost"),
    claim("gap-350", Source::Pile("hz=10&jitter=33&loss=5&codec=changed-flags&delay=350", |it| it.still_ms), 0, "ms", "time still at a delay of 350 ms, 5 % lost"),
    claim("guess-age", Source::Pile("hz=10&codec=at-rest&interp=extrapolate&delay=0", |it| it.behind_ms_mean.unwrap_or(f64::NAN)), 0, "ms", "age, extrapolated"),
    claim("guess-mm", Source::Pile("hz=10&codec=at-rest&interp=extrapolate&delay=0", |it| it.position_error_mm.rms), 1, "mm", "rms error, extrapolated"),
    claim("guess-hermite-age", Source::Pile("hz=10&codec=at-rest&interp=hermite&delay=300", |it| it.behind_ms_mean.unwrap_or(f64::NAN)), 0, "ms", "age, interpolated"),
    claim("guess-hermite-mm", Source::Pile("hz=10&codec=at-rest&interp=hermite&delay=300", |it| it.position_error_mm.rms), 1, "mm", "rms error, interpolated"),
    claim("steps-orientation", Source::Pile("codec=position", |it| a_cube(it, &[Kind::Orientation])), 0, "bits", "orientation on rung 5"),
    claim("steps-position", Source::Pile("codec=position", |it| a_cube(it, &[Kind::Position])), 0, "bits", "position on rung 5"),
    claim("steps-mm-3", Source::Pile("codec=position&pos=3&rot=4", |it| it.position_error_mm.rms), 1, "mm", "rms error at 3 bits of a metre"),
    claim("steps-mm-9", Source::Pile("codec=position", |it| it.position_error_mm.rms), 2, "mm", "rms error at 9 bits of a metre"),
    claim("steps-degrees-4", Source::Pile("codec=position&pos=3&rot=4", |it| it.orientation_error_deg.rms), 1, "degrees", "rms error at 4 bits of a component"),
    claim("rest-before", Source::Pile("codec=velocity", |it| it.kbps_mean), 0, "kbit/s", "rung 2"),
    claim("rest-after", Source::Pile("codec=at-rest", |it| it.kbps_mean), 0, "kbit/s", "rung 3"),
    claim("steps-kbps-orientation", Source::Pile("codec=smallest-three", |it| it.kbps_mean), 0, "kbit/s", "rung 1"),
    claim("steps-kbps", Source::Pile("codec=position", |it| it.kbps_mean), 0, "kbit/s", "rung 5"),
    claim("ladder-4", Source::Pile("codec=no-velocity", |it| it.kbps_mean), 0, "kbit/s", "rung 4"),
    claim("ladder-7", Source::Pile("codec=index", |it| it.kbps_mean), 0, "kbit/s", "rung 7"),
    claim("ladder-8", Source::Pile("codec=relative-index", |it| it.kbps_mean), 0, "kbit/s", "rung 8"),
    claim("ladder-9", Source::Pile("codec=relative-position", |it| it.kbps_mean), 0, "kbit/s", "rung 9"),
    claim("same-cubes", Source::Pile("codec=not-changed", |it| it.changed_cubes_mean), 0, "", "cubes changed since the baseline, of 901"),
    claim("same-kbps", Source::Pile("codec=not-changed", |it| it.kbps_mean), 0, "kbit/s", "rung 6"),
    claim("ack-0", Source::Pile("codec=changed-flags&latency=0", |it| it.kbps_mean), 0, "kbit/s", "rung 11 at 0 ms"),
    claim("ack-50", Source::Pile("codec=changed-flags&latency=50", |it| it.kbps_mean), 0, "kbit/s", "rung 11 at 50 ms"),
    claim("ack-100", Source::Pile("codec=changed-flags&latency=100", |it| it.kbps_mean), 0, "kbit/s", "rung 11 at 100 ms"),
    claim("ack-250", Source::Pile("codec=changed-flags&latency=250", |it| it.kbps_mean), 0, "kbit/s", "rung 11 at 250 ms"),
    claim("ack-loss-5", Source::Pile("codec=changed-flags&loss=5", |it| it.kbps_mean), 0, "kbit/s", "rung 11, 5 % lost"),
    claim("ack-refused", Source::Pile("codec=changed-flags&loss=20", |it| it.packets_refused as f64), 0, "", "packets refused, 20 % lost"),
    claim("small-kbps", Source::Pile("codec=relative-orientation", |it| it.kbps_mean), 0, "kbit/s", "rung 10"),
    claim("small-index-before", Source::Pile("codec=index", |it| a_changed_cube(it, Kind::Index)), 2, "bits", "index of a changed cube on rung 7"),
    claim("small-index", Source::Pile("codec=relative-orientation", |it| a_changed_cube(it, Kind::Index)), 2, "bits", "index of a changed cube on rung 10"),
    claim("small-position", Source::Pile("codec=relative-orientation", |it| a_changed_cube(it, Kind::Position)), 1, "bits", "position of a changed cube on rung 10"),
    claim("small-orientation", Source::Pile("codec=relative-orientation", |it| a_changed_cube(it, Kind::Orientation)), 1, "bits", "orientation of a changed cube on rung 10"),
    claim("likely-index", Source::Pile("codec=arithmetic", |it| a_changed_cube(it, Kind::Index)), 2, "bits", "index of a changed cube on rung 12"),
    claim("likely-12", Source::Pile("codec=arithmetic", |it| it.kbps_mean), 0, "kbit/s", "rung 12"),
    claim("likely-13", Source::Pile("codec=predicted", |it| it.kbps_mean), 0, "kbit/s", "rung 13"),
    claim("likely-14", Source::Scene("v=2&scene=mixed&hz=60&latency=50&jitter=0&loss=0&codec=simulated&from=960&at=1560", |it| it.kbps_mean), 0, "kbit/s", "rung 14 on the scene, which has physics"),
    claim("file-kb", Source::File, 0, "kB", "the motion's file"),
    claim("play-roll", Source::Scene("v=2&scene=roll&hz=60&latency=50&jitter=0&loss=0&codec=changed-flags&at=1800", |it| it.kbps_mean), 1, "kbit/s", "rung 11 over 30 s of the scene roll"),
    claim("play-blow", Source::Scene("v=2&scene=blow&hz=60&latency=50&jitter=0&loss=0&codec=changed-flags&at=1800", |it| it.kbps_mean), 0, "kbit/s", "rung 11 over 30 s of the scene blow"),
    claim("play-ball", Source::Scene("v=2&scene=katamari&hz=60&latency=50&jitter=0&loss=0&codec=changed-flags&at=1800", |it| it.kbps_mean), 0, "kbit/s", "rung 11 over 30 s of the scene katamari"),
    claim("three-lockstep-kbps", Source::Scene("v=2&scene=mixed&hz=60&latency=50&jitter=0&loss=0&strategy=lockstep&from=960&at=1560", |it| it.kbps_mean), 1, "kbit/s", "lockstep"),
    claim("three-snapshot-m", Source::Pile("codec=arithmetic&cut=241-300", |it| it.position_error_mm.max / 1000.0), 1, "m", "greatest error, a second without packets"),
    claim("three-snapshot-still", Source::Pile("codec=arithmetic&cut=241-300", |it| it.still_ms), 0, "ms", "time still, a second without packets"),
    claim("three-sync-m", Source::Scene("v=2&scene=mixed&hz=60&latency=50&jitter=0&loss=0&strategy=sync&both=0&cut=1201-1260&from=960&at=1560", |it| it.position_error_mm.max / 1000.0), 1, "m", "greatest error, a second without packets"),
    claim("three-sync-still", Source::Scene("v=2&scene=mixed&hz=60&latency=50&jitter=0&loss=0&strategy=sync&both=0&cut=1201-1260&from=960&at=1560", |it| it.still_ms), 0, "ms", "time still, a second without packets"),
    claim("three-lockstep-still", Source::Scene("v=2&scene=mixed&hz=60&latency=50&jitter=0&loss=0&strategy=lockstep&cut=1201-1260&from=960&at=1560", |it| it.still_ms), 0, "ms", "time still, a second without packets"),
];
