//! The numbers that figures of the article show beside their pictures.

use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::table::Live;

/// A figure at a tick: from the lane's history, and its figures at the newest tick.
type Read = fn(&LaneHistory, &Live) -> Option<f64>;

/// Names of the figures, and how each is read. Means are those since tick 0.
pub const FIGURES: [(&str, Read); 17] = [
    ("kbps", |_, live| Some(live.kbps)),
    ("kbps_mean", |_, live| Some(live.kbps_mean)),
    ("mm", |_, live| Some(live.position_error_mm.rms)),
    ("mm_rms", |history, _| {
        Some(history.lane().metrics().position_error_mm.rms())
    }),
    ("mm_max", |_, live| Some(live.position_error_mm.max)),
    ("degrees_rms", |history, _| {
        Some(history.lane().metrics().orientation_error_deg.rms())
    }),
    ("still_ms", |history, _| {
        let (lane, still) = (history.lane(), history.lane().metrics().hitches.still);
        Some(lane.settings().tick_rate().ms_of_tick(still as f64))
    }),
    ("is_still", |_, live| Some(f64::from(u8::from(live.still)))),
    ("age_ms", |_, live| live.behind_ms),
    ("age_ms_mean", |history, _| {
        history.lane().metrics().playout.behind_ms_mean()
    }),
    ("delay_ms", |_, live| Some(live.delay_ms)),
    ("cubes_sent", |history, live| {
        let newest = history.newest_packet(live.tick)?;
        let packet = history.packet(newest, live.tick)?;
        Some(packet.changed_cubes.into())
    }),
    ("changed_mean", |history, _| {
        Some(history.lane().metrics().costs.changed_cubes_per_packet())
    }),
    ("packet_bytes", |history, live| {
        let newest = history.newest_packet(live.tick)?;
        Some(history.packet(newest, live.tick)?.bytes.into())
    }),
    ("packets_sent", |_, live| Some(live.packets_sent as f64)),
    ("packets_lost", |_, live| Some(live.packets_lost as f64)),
    ("packets_refused", |_, live| {
        Some(live.packets_refused as f64)
    }),
];
