//! Every rung of the ladder on one and the same truth.

use crate::input::Input;
use crate::lane::Lane;
use crate::report::Report;
use crate::settings::{Key, Settings, Strategy};
use crate::tape::Tape;
use serde::Serialize;
use snapshot_codec::Rung;

/// A rung, and what it cost.
#[derive(Clone, Debug, Serialize)]
#[expect(
    missing_docs,
    reason = "the names say it; the command's help defines them"
)]
pub struct Row {
    pub rung: u8,
    pub name: &'static str,
    pub bytes_per_packet_mean: f64,
    /// Counted header included.
    pub kbps_mean: f64,
    pub bits_per_changed_cube: Option<f64>,
}

/// Sends one motion over a lane of snapshots for each rung, all other settings as given: `ticks` ticks, after the first `from`.
/// `progress` hears each tick.
pub fn climb(
    settings: &Settings,
    from: u64,
    ticks: u64,
    mut progress: impl FnMut(u64),
) -> Vec<Row> {
    let mut settings = *settings;
    settings
        .set(Key::Strategy, Strategy::Snapshot as u32)
        .expect("the schema has every strategy");
    let mut tape = Tape::new(&settings);
    for tick in 1..=from {
        tape.step(Input::NONE, false);
        progress(tick);
    }
    let mut lanes = Rung::ALL.map(|rung| {
        let mut settings = settings;
        settings
            .set(Key::Codec, u32::from(rung.number()))
            .expect("the schema has every rung");
        Lane::new(&settings, tape.world())
    });
    let mut truth = tape.world().truth().to_vec();
    for tick in from + 1..=from + ticks {
        tape.step(Input::NONE, false);
        if let Some(frame) = tape.frame(tick, &mut truth) {
            lanes.iter_mut().for_each(|lane| lane.tick(&frame));
        }
        progress(tick);
    }
    let row = |(rung, lane): (Rung, &Lane)| {
        let report = Report::new(lane, 0);
        Row {
            rung: rung.number(),
            name: rung.name(),
            bytes_per_packet_mean: report.bytes_per_packet_mean,
            kbps_mean: report.kbps_mean,
            bits_per_changed_cube: report.bits_per_changed_cube,
        }
    };
    Rung::ALL.into_iter().zip(&lanes).map(row).collect()
}
