//! The table of figures: each measured quantity of a lane, declared once. A *figure* is such a quantity.
//!
//! The rows make the values of a tick, the values of a run, and [`FIGURES`]. Charts, downloads, comparisons, Pareto fronts
//! and the claims of lessons read values through a row of [`FIGURES`]. `table/declare.rs` explains a row.

#[macro_use]
mod declare;
mod figure;

use super::live::{Errors, StrategyLive, SurfaceErrors};
use super::metrics::{
    BitsByKind, CorrectionSpread, Delays, DistanceBand, DistanceMetrics, LockstepFigures, Spread,
    SyncMetrics, Waits,
};
use super::report::{CorrectionCauses, DistanceSpread, SurfaceSpread, bits_by_kind, delay_ms, hex};
use crate::Lane;
use crate::strategy::game::ends::GameEnds;
use crate::surface::Screen;
use figure::{Number, Reading};
use serde::Serialize;
use snapshot_base::time::{TickRate, WORLD};
use snapshot_codec::Kind;
use std::sync::Arc;

pub use figure::{Better, Figure, TimeWindow, Unit};

figures! {
    {
        /// Measurements of a lane at one tick, for the page. Bandwidth is counted over the bytes sent within the last second,
        /// retransmissions of a stream included.
        tick Live(lane: &Lane, tick: u64) at live => Some(live);
        /// Measurements of a lane from its start. The help of the command `run` defines each.
        run Report(lane: &Lane, state_hash: u64) at report => Some(report);
        with {
            let metrics = &lane.metrics;
            let counters = lane.counters();
            let known = counters.lost + counters.delivered;
        }

        pub tick {} tick u64 = tick;
        pub time_s {} tick f64 = lane.settings.tick_rate().seconds_of_ticks(tick);
        pub ticks {} run u64 = metrics.ticks;

        pub kbps { "Bandwidth", Kbps, Less, tick Second, "Bits to the right side in the last second, counted headers and retransmissions included" }
            tick f64 = metrics.forward.kbps();
        pub kbps_mean { "Bandwidth, mean", Kbps, Less, both All, "Bits to the right side a second since the lane began, counted headers included" }
            both f64 = metrics.costs.kbps(lane.seconds());
        pub uncompressed_kbps { "Bandwidth of rung 0", Kbps, Neither, tick Now, "Bandwidth of the same world on rung 0 at the same rate" }
            tick f64 = lane.uncompressed.iter().sum::<f64>() * f64::from(lane.settings.send_rate_hz()) / 1000.0;
        pub ack_kbps { "Acks on the way back", Kbps, Less, tick Second, "Bits of acknowledgements in the last second, counted headers included" }
            tick f64 = metrics.acks.kbps();
        pub ack_kbps_mean { "Acks on the way back, mean", Kbps, Less, run All, "Bits of acknowledgements a second since the lane began, counted headers included" }
            run f64 = metrics.ack_bytes as f64 * 8.0 / lane.seconds().max(f64::MIN_POSITIVE) / 1000.0;
        pub bytes_per_packet { "Packet, without IP and UDP", Bytes, Less, tick Second, "Mean size of a packet over the last second" }
            tick f64 = metrics.recent.sums().bytes_per_packet();
        pub bytes_per_packet_mean { "Packet, mean", Bytes, Less, both All, "Mean size of a packet since the lane began, without IP and UDP" }
            both f64 = metrics.costs.bytes_per_packet();
        pub bytes_per_packet_p95 { "Packet, p95", Bytes, Less, run All, "Size that 95 of 100 packets do not exceed" }
            run f64 = metrics.packet_bytes.p95();
        pub fragments_per_packet { "Fragments a packet", Count, Less, tick Second, "Mean number of datagrams a packet over the last second" }
            tick f64 = metrics.recent.sums().fragments_per_packet();
        pub fragments_per_packet_mean { "Fragments a packet, mean", Count, Less, run All, "Mean number of datagrams a packet since the lane began" }
            run f64 = metrics.costs.fragments_per_packet();
        pub changed_cubes { "Changed cubes a packet", Count, Neither, tick Second, "Mean number of cubes that differ from the baseline, over the last second" }
            tick f64 = metrics.recent.sums().changed_cubes_per_packet();
        pub changed_cubes_mean { "Changed cubes a packet, mean", Count, Neither, run All, "Mean number of cubes that differ from the baseline, since the lane began" }
            run f64 = metrics.costs.changed_cubes_per_packet();
        pub items_per_packet { "Items a packet", Count, Neither, tick Second, "Cubes, changed cubes, updates or inputs that share a packet's bits, over the last second" }
            tick f64 = metrics.recent.sums().items_per_packet();
        pub bits_per_changed_cube { "Bits a changed cube", Bits, Less, tick Second, run All, "Payload bits by changed cubes: over the last second at a tick, over all packets for a run" }
            tick Option<f64> = metrics.recent.sums().bits_per_changed_cube();
            run Option<f64> = metrics.costs.bits_per_changed_cube();
        pub ledger_bits_per_packet {
            .ip_udp([Kind::IpUdp as usize]) "Bits of IP and UDP", Bits, Less, tick Second, run All, "Mean bits a packet of headers below ours";
            .header([Kind::Header as usize]) "Bits of the header", Bits, Less, tick Second, run All, "Mean bits a packet of sequence, baseline and flags";
            .ack([Kind::Ack as usize]) "Bits of acks", Bits, Less, tick Second, run All, "Mean bits a packet of acknowledgements inside it";
            .index([Kind::Index as usize]) "Bits of indices", Bits, Less, tick Second, run All, "Mean bits a packet that say which cubes changed";
            .flags([Kind::Flags as usize]) "Bits of flags", Bits, Less, tick Second, run All, "Mean bits a packet that say which fields of a cube changed";
            .interacting([Kind::Interacting as usize]) "Bits of interacting", Bits, Less, tick Second, run All, "Mean bits a packet of the interacting bit";
            .position([Kind::Position as usize]) "Bits of positions", Bits, Less, tick Second, run All, "Mean bits a packet of positions";
            .orientation([Kind::Orientation as usize]) "Bits of orientations", Bits, Less, tick Second, run All, "Mean bits a packet of orientations";
            .linear_velocity([Kind::LinearVelocity as usize]) "Bits of linear velocities", Bits, Less, tick Second, run All, "Mean bits a packet of linear velocities";
            .angular_velocity([Kind::AngularVelocity as usize]) "Bits of angular velocities", Bits, Less, tick Second, run All, "Mean bits a packet of angular velocities";
            .input([Kind::Input as usize]) "Bits of inputs", Bits, Less, tick Second, run All, "Mean bits a packet of a player's inputs";
            .connection([Kind::Connection as usize]) "Bits of the connection", Bits, Less, tick Second, run All, "Mean bits a packet of joining, and of the seal";
            .padding([Kind::Padding as usize]) "Bits of padding", Bits, Less, tick Second, run All, "Mean bits a packet of the last byte's rest";
        }
            tick #[serde(serialize_with = "bits_by_kind")] #[cfg_attr(feature = "ts", ts(as = "std::collections::BTreeMap<String, f64>"))]
                BitsByKind = metrics.recent.sums().bits_by_kind_per_packet();
            run #[serde(serialize_with = "bits_by_kind")]
                BitsByKind = metrics.costs.bits_by_kind_per_packet();

        pub packets_sent { "Packets sent", Count, Neither, both All, "Packets to the right side since the lane began" }
            both u64 = counters.sent;
        pub packets_delivered { "Packets delivered", Count, Neither, both All, "Packets that have arrived" }
            both u64 = counters.delivered;
        pub packets_lost { "Packets lost", Count, Less, both All, "Packets that never arrive" }
            both u64 = counters.lost;
        pub loss_percent_happened { "Loss", Percent, Less, both All, "Lost packets among those whose fate is known" }
            both Option<f64> = (known > 0).then(|| 100.0 * counters.lost as f64 / known as f64);
        pub packets_in_flight { "Packets in flight", Count, Neither, both Now, "Packets on their way" }
            both u64 = counters.in_flight();
        pub packets_duplicated { "Packets duplicated", Count, Neither, both All, "Packets that arrived twice" }
            both u64 = counters.duplicated;
        pub packets_late { "Packets late", Count, Less, both All, "Packets that arrived after their time to be shown" }
            both u64 = metrics.late;
        pub packets_overtaken { "Packets overtaken", Count, Less, both All, "Packets that arrived after a newer one, where packets are shown at once" }
            both u64 = metrics.overtaken;
        pub packets_awaited { "Packets too late to go on", Count, Less, both All, "Packets that arrived while the right view stood still for want of them" }
            both u64 = metrics.awaited;
        pub packets_refused { "Packets refused", Count, Less, both All, "Packets that arrived and could not be decoded" }
            both u64 = metrics.refused;
        pub decode_mismatches { "Mismatches", Count, Less, both All, "Decoded packets that differ from the sent ones: never any" }
            both u64 = metrics.mismatches;
        pub decode_not_compared { "Not compared", Count, Neither, run All, "Decoded snapshots whose tick the tape no longer held" }
            run u64 = metrics.not_compared;

        pub interacting_cubes { "Interacting cubes", Count, Neither, tick Now, "Cubes that interact with the player at the shown instant" }
            tick u32 = metrics.now.interacting_cubes;
        pub surface_error_mm {
            .mean "Surface error, mean", Mm, Less, tick Now, run All, "Greatest distance between where a corner of a cube is and where it is shown, mean over interacting cubes";
            .p95 "Surface error, p95", Mm, Less, run All, "Surface error that 95 of 100 interacting cubes do not exceed";
            .worst "Surface error, worst cube", Mm, Less, tick Now, run All, "Greatest distance between where a corner of an interacting cube is and where it is shown";
        }
            tick SurfaceErrors = SurfaceErrors::new(&metrics.now, |mm| mm);
            run SurfaceSpread = SurfaceSpread::new(&metrics.surface_error_mm, |mm| mm);
        pub surface_error_px {
            .mean "Surface error in pixels, mean", Pixels, Less, tick Now, run All, "Mean surface error as pixels, seen from 10 m at 60 degrees on 1,080 lines";
            .p95 "Surface error in pixels, p95", Pixels, Less, run All, "Surface error that 95 of 100 interacting cubes do not exceed, as pixels";
            .worst "Surface error in pixels, worst cube", Pixels, Less, tick Now, run All, "Greatest surface error of an interacting cube, as pixels";
        }
            tick SurfaceErrors = SurfaceErrors::new(&metrics.now, |mm| Screen::FIGURES.px_of_mm(mm));
            run SurfaceSpread = SurfaceSpread::new(&metrics.surface_error_mm, |mm| Screen::FIGURES.px_of_mm(mm));
        pub position_error_mm {
            .rms "Position error, rms", Mm, Less, tick Now, run All, "Root mean square distance from the truth of the shown instant, over interacting cubes";
            .p50 "Position error, median", Mm, Less, run All, "Distance that half of the interacting cubes do not exceed";
            .p95 "Position error, p95", Mm, Less, run All, "Distance that 95 of 100 interacting cubes do not exceed";
            .max "Position error, worst cube", Mm, Less, tick Now, run All, "Greatest distance of an interacting cube from the truth of the shown instant";
        }
            tick Errors = Errors { rms: metrics.now.position_rms_mm, max: metrics.now.position_max_mm };
            run Spread = Spread::from(&metrics.position_error_mm);
        pub orientation_error_deg {
            .rms "Orientation error, rms", Degrees, Less, tick Now, run All, "Root mean square angle from the truth of the shown instant, over interacting cubes";
            .p50 "Orientation error, median", Degrees, Less, run All, "Angle that half of the interacting cubes do not exceed";
            .p95 "Orientation error, p95", Degrees, Less, run All, "Angle that 95 of 100 interacting cubes do not exceed";
            .max "Orientation error, worst cube", Degrees, Less, tick Now, run All, "Greatest angle of an interacting cube from the truth of the shown instant";
        }
            tick Errors = Errors { rms: metrics.now.orientation_rms_deg, max: metrics.now.orientation_max_deg };
            run Spread = Spread::from(&metrics.orientation_error_deg);

        pub delay_ms { "Playout delay", Ms, Less, tick Now, "Playout delay at the tick: counted from the arrival of the fastest packet" }
            tick f64 = lane.playback.map_or(delay_ms(lane), |it| it.delay_ms);
        pub playout_ms { "Playout delay, as set or mean", Ms, Less, run All, "Playout delay as set, or the mean of an adaptive one" }
            run f64 = delay_ms(lane);
        pub playout_delay_ms_mean { "Playout delay, mean", Ms, Less, run All, "Mean playout delay over the ticks that showed something" }
            run Option<f64> = metrics.playout.delay_ms_mean();
        pub speed { "Speed of play", Count, Neither, tick Now, "Ticks that one tick plays: 1 is real time, 0 a freeze" }
            tick f64 = lane.playback.map_or(0.0, |it| it.speed);
        pub still { "Still", Count, Less, tick Now, "1 where the frame shows nothing newer than the one before, else 0" }
            tick bool = lane.is_still;
        pub waits { "Waits", Count, Less, tick Now, "1 where the right side lacks the packet that it needs next, else 0" }
            tick bool = lane.playback.is_some_and(|it| it.hitch);
        pub freezes { "Freezes", Count, Less, run All, "Runs of still frames" }
            run u64 = metrics.hitches.freezes;
        pub still_ms { "Time still", Ms, Less, run All, "Time of all frames that show nothing newer than the one before" }
            run f64 = lane.ms_of_ticks(metrics.hitches.still as f64);
        pub longest_freeze_ms { "Longest freeze", Ms, Less, both All, "Longest run of still frames" }
            both f64 = lane.ms_of_ticks(metrics.hitches.longest_freeze_ticks as f64);
        pub late_ms { "Late", Ms, Less, tick Now, "Time by which the picture is older than it should be: at the target delay, or without a clock at the mean delay of all packets" }
            tick Option<f64> = lane.playback.map(|it| it.late_ms);
        pub late_ms_mean { "Late, mean", Ms, Less, run All, "Mean time by which the picture is older than it should be" }
            run Option<f64> = metrics.playout.late_ms_mean();
        pub skipped { "Skipped", Count, Less, both All, "Snapshots, sent before the shown one, that were never shown: lost, late, overtaken or passed over" }
            both Option<u64> = metrics.skipped;
        pub hitches { "Hitches", Count, Less, both All, "Ticks without a snapshot to interpolate towards; in lockstep a stop though a frame was due, in state synchronisation a frame without its input" }
            both u64 = metrics.hitches.frames;
        pub behind_ms { "Behind the original", Ms, Less, tick Now, "Age of the shown state: playout delay, travel and waiting for data" }
            tick Option<f64> = lane.playback.map(|it| lane.ms_of_ticks(tick as f64 - it.shown_tick));
        pub behind_ms_mean { "Behind the original, mean", Ms, Less, run All, "Mean age of the shown state, over the ticks that showed something" }
            run Option<f64> = metrics.playout.behind_ms_mean();
        pub between_frames_ms_mean { "Wait between frames, mean", Ms, Less, run All, "Mean wait of a simulated world, so that poses between its last two frames can be shown; a part of the age" }
            run Option<f64> = metrics.playout.between_frames_ms_mean();

        pub queue_ms {
            .mean "Wait in the queue, mean", Ms, Less, run All, "Mean wait at the bottleneck, over packets that were not dropped there";
            .p50 "Wait in the queue, median", Ms, Less, run All, "Wait at the bottleneck that half of the packets do not exceed";
            .p95 "Wait in the queue, p95", Ms, Less, run All, "Wait at the bottleneck that 95 of 100 packets do not exceed";
            .max "Wait in the queue, longest", Ms, Less, run All, "Longest wait at the bottleneck";
        }
            run Waits = Waits::from(&metrics.link.queue_ms);
        pub lost_by_queue { "Packets lost by the queue", Count, Less, run All, "Packets that found the queue full" }
            run u64 = metrics.link.lost_by_queue;
        pub link_packets { "Packets of the link's figures", Count, Neither, run All, "Packets that waits and delays are over" }
            run u64 = metrics.link.packets;
        pub delay_ms {
            .p50 "Time on the way, median", Ms, Less, run All, "Time from departure to arrival that half of the packets do not exceed";
            .p95 "Time on the way, p95", Ms, Less, run All, "Time from departure to arrival that 95 of 100 packets do not exceed";
            .p99 "Time on the way, p99", Ms, Less, run All, "Time from departure to arrival that 99 of 100 packets do not exceed";
        }
            run Delays = Delays::from(&metrics.link.delay_ms);
        pub link_from_ms { "Start of the link's figures", Ms, Neither, run All, "Time after the start from which packets count for waits and delays: the first acknowledgement and the longest queue; 0 without a bottleneck" }
            run f64 = metrics.link.start_ms();

        // The items among which a packet's bits are divided: every `cube` if all are sent, else each `changed_cube`, `update`
        // or `input`.
        pub item {}
            tick #[cfg_attr(feature = "ts", ts(type = "\"cube\" | \"changed_cube\" | \"update\" | \"input\""))]
                &'static str = lane.ends.ends().item();
        pub uncompressed_bits_per_packet {}
            tick #[serde(serialize_with = "bits_by_kind")] #[cfg_attr(feature = "ts", ts(as = "std::collections::BTreeMap<String, f64>"))]
                Arc<BitsByKind> = Arc::clone(&lane.uncompressed);
        pub state_hash {} run #[serde(serialize_with = "hex")] u64 = state_hash;
        pub view_hash {} run #[serde(serialize_with = "hex")] u64 = lane.view.hash();
        pub packets_hash {} run #[serde(serialize_with = "hex")] u64 = metrics.packets_hash.finish();
        pub own {} tick #[serde(flatten)] StrategyLive = StrategyLive::new(lane);
        pub sync {} run #[serde(flatten)] Option<SyncReport> = lane.sync().map(|it| SyncReport::new(lane, it));
        pub game {} run #[serde(flatten)] Option<HandReport> = lane.game().map(|it| HandReport::new(it, lane.settings.tick_rate()));
        pub lockstep {} run #[serde(flatten)] Option<LockstepReport> = lane.lockstep().map(|it| LockstepReport::new(lane, &it));
    }
    {
        /// Measurements of a lane at one tick that only state synchronisation has.
        tick SyncLive(lane: &Lane, sync: &SyncMetrics) at live => live.own.sync();
        /// Measurements of a lane, since its start, that only state synchronisation has.
        run SyncReport(lane: &Lane, sync: &SyncMetrics) at report => report.sync.as_ref();
        with {
            let (median_ticks, max_ticks) = sync.since_update_median_max();
        }

        pub budget_kbps { "Budget", Kbps, Neither, both Now, "Budget of state synchronisation in force: below the set one while it adapts" }
            both f64 = sync.budget_kbps;
        pub updates_per_packet { "Updates a packet", Count, Neither, tick Second, "Mean number of cubes in a packet of state synchronisation, over the last second" }
            tick f64 = lane.metrics.recent.sums().changed_cubes_per_packet();
        pub updates_per_packet_mean { "Updates a packet, mean", Count, Neither, run All, "Mean number of cubes in a packet of state synchronisation, since the lane began" }
            run f64 = lane.metrics.costs.changed_cubes_per_packet();
        pub divergence_mm {
            .rms "Divergence, rms", Mm, Less, tick Now, run All, "Root mean square distance of the right simulation from the left one, before smoothing";
            .p50 "Divergence, median", Mm, Less, run All, "Distance of the right simulation from the left one that half of the interacting cubes do not exceed";
            .p95 "Divergence, p95", Mm, Less, run All, "Distance of the right simulation from the left one that 95 of 100 interacting cubes do not exceed";
            .max "Divergence, worst cube", Mm, Less, tick Now, run All, "Greatest distance of the right simulation from the left one, before smoothing";
        }
            tick Errors = Errors { rms: sync.divergence_now.rms_mm, max: sync.divergence_now.max_mm };
            run Spread = Spread::from(&sync.divergence_mm);
        pub divergence_at_rest_max_mm { "Divergence at rest, worst cube", Mm, Less, tick Now, "Greatest distance of cubes that sleep on the left" }
            tick f64 = sync.divergence_now.at_rest_max_mm;
        pub divergence_at_rest_mm { "Divergence at rest, at the end", Mm, Less, run Now, "Greatest distance of cubes that sleep on the left, at the last tick" }
            run f64 = sync.divergence_now.at_rest_max_mm;
        pub cubes_at_rest_apart { "Cubes at rest apart", Count, Less, both Now, "Cubes that sleep on the left and are not exactly there on the right" }
            both u32 = sync.divergence_now.at_rest_apart;
        pub at_rest_apart_max_ms { "Apart at rest, longest", Ms, Less, run All, "Longest time that a cube at rest was apart, not counting while the network was cut" }
            run f64 = WORLD.ms_of_tick(sync.apart_ticks_max as f64);
        pub pops { "Pops", Count, Less, both All, "Cubes shown over 10 cm from where their own motion would have put them, in a tick in which they were updated" }
            both u64 = sync.pops;
        pub glide_max_percent { "Fastest glide", Percent, Less, run All, "Greatest part of a shown error over 1 cm that smoothing let go in one frame" }
            run f64 = 100.0 * sync.glide_max;
        pub since_update_median_ms { "Time without news, median", Ms, Less, both Now, "Age of the newest update of a cube, median over cubes" }
            both f64 = WORLD.ms_of_tick(median_ticks as f64);
        pub since_update_max_ms { "Time without news, longest", Ms, Less, both Now, "Age of the newest update of a cube, greatest over cubes" }
            both f64 = WORLD.ms_of_tick(max_ticks as f64);
    }
    {
        /// Measurements at one tick that only a game has. Those of keys belong to the newest key.
        tick HandLive(game: &GameEnds) at live => live.own.game();
        /// Measurements since the lane's start that only a game has. Those of keys are means.
        run HandReport(game: &GameEnds, tick_rate: TickRate) at report => report.game.as_ref();
        with {
            let (hand, distances) = (game.metrics(), game.distances());
            let [keys, rival, unpredicted, values] = hand.causes;
        }

        pub hand_ms { "Key to own cube", Ms, Less, tick Now, run All, "Time from a key to the own cube on the driver's screen: of the newest key at a tick, the mean of a run" }
            tick Option<f64> = hand.own_ms.newest();
            run Option<f64> = hand.own_ms.mean();
        pub hand_others_ms { "Key to other cubes", Ms, Less, tick Now, run All, "Time from a key to the cubes that are not predicted" }
            tick Option<f64> = hand.others_ms.newest();
            run Option<f64> = hand.others_ms.mean();
        pub hand_server_ms { "Key to server", Ms, Less, tick Now, run All, "Time from a key to the server's tick that acts on it" }
            tick Option<f64> = hand.server_ms.newest();
            run Option<f64> = hand.server_ms.mean();
        pub aim_now_mm { "Rival from the driver's picture", Mm, Less, tick Now, run All, "Distance of the rival on the driver's screen from the server's, when the server acts on the key; of a rival that is not predicted" }
            tick Option<f64> = hand.aim_now_mm.newest();
            run Option<f64> = hand.aim_now_mm.mean();
        pub aim_rewound_mm { "The same, with the server gone back", Mm, Less, tick Now, run All, "Distance of the rival on the driver's screen from the one that the server finds by going back to that picture" }
            tick Option<f64> = hand.aim_rewound_mm.newest();
            run Option<f64> = hand.aim_rewound_mm.mean();
        pub keys_missing { "Keys missing", Count, Less, both All, "Ticks that the server simulated without the driver's keys" }
            both u64 = hand.keys.missing;
        pub keys_late { "Keys late", Count, Less, both All, "Missing keys that came within a second after the server's tick" }
            both u64 = hand.keys.late;
        pub keys_lost { "Keys lost", Count, Less, both All, "Missing keys that did not come: every copy was lost" }
            both u64 = hand.keys.missing - hand.keys.late;
        pub keys_repeated { "Keys repeated", Count, Neither, both All, "Keys that came first as a copy, in the datagram of a newer key" }
            both u64 = hand.keys.repeated;
        pub key_margin_ms { "Keys early by", Ms, Neither, both Now, "Time from the last keys' arrival to the tick that needs them; below 0 they come too late" }
            both Option<f64> = hand.margin_ms;
        pub clock_percent { "Client's clock", Percent, Neither, both Now, "Percentage by which the client's clock is faster than the server's now" }
            both f64 = hand.clock_percent;
        pub corrections { "Corrections", Count, Less, both All, "Snapshots that the prediction did not meet" }
            both u64 = hand.prediction.corrections;
        pub corrections_below_resolution { "Below the resolution", Count, Less, both All, "Snapshots that the prediction missed by less than their resolution; it is not corrected" }
            both u64 = hand.prediction.below_resolution;
        pub correction_mm {
            .mean "Correction, mean", Mm, Less, both All, "Greatest error of a correction, mean over corrections";
            .p95 "Correction, p95", Mm, Less, both All, "Greatest error that 95 of 100 corrections do not exceed";
            .max "Correction, worst", Mm, Less, both All, "Greatest error of all corrections";
        }
            both CorrectionSpread = CorrectionSpread::from(&hand.correction_mm);
        pub corrections_by_cause {
            .keys "Corrections by missing keys", Count, Less, both All, "Corrections of ticks for which the server had no keys";
            .rival "Corrections by the rival", Count, Less, both All, "Corrections of ticks in which the rival pressed other keys than were guessed";
            .unpredicted "Corrections by cubes not predicted", Count, Less, both All, "Other corrections where not all cubes are predicted";
            .values "Corrections by values", Count, Less, both All, "Other corrections: earlier ones left rounded values, without the solver's memory";
        }
            both CorrectionCauses = CorrectionCauses { keys, rival, unpredicted, values };
        pub resimulated_ticks { "Ticks simulated again", Count, Less, both All, "Ticks that the client simulated again after corrections" }
            both u64 = hand.prediction.resimulated_ticks;
        pub simulated_ticks { "Ticks simulated", Count, Less, both All, "Ticks that the client simulated, those again included" }
            both u64 = hand.prediction.simulated_ticks;
        pub simulated_now { "Ticks simulated in a frame", Count, Less, both Now, "Ticks that the client simulated in this tick" }
            both u64 = hand.simulated_now;
        pub predicted_cubes { "Predicted cubes", Count, Neither, both Now, "Cubes that the client simulates ahead of the server" }
            both u64 = hand.predicted_cubes as u64;
        pub forks_mb { "Forks (MB)", Count, Less, both Now, "Memory of the worlds that the client keeps to go back to" }
            both f64 = hand.forks_bytes as f64 / 1e6;
        pub clients_served { "Clients served", Count, Neither, both Now, "Clients that the server serves; the figures of the server are of these" }
            both u64 = hand.bill.clients as u64;
        pub server_kbps { "Server to all clients", Kbps, Less, tick Second, run All, "Bits from the server to all clients that it serves, counted headers included: of the last second at a tick, the mean of a run" }
            tick f64 = hand.bill.sent_kbps();
            run f64 = hand.bill.mean_kbps(hand.bill.sent_bytes, tick_rate).unwrap_or(0.0);
        pub server_back_kbps { "All clients to the server", Kbps, Less, run All, "Bits of keys and acknowledgements from all served clients a second, counted headers included" }
            run Option<f64> = hand.bill.mean_kbps(hand.bill.received_bytes, tick_rate);
        pub missing_cubes { "Cubes not there yet", Count, Less, both Now, "Cubes that the client sees, and of which it has no state" }
            both u64 = hand.missing_objects as u64;
        pub near {
            .age_ms_mean(?.age_ms_mean) "Age within 20 m, mean", Ms, Less, run All, "Age of the newest state of moving cubes within 20 m from the driver's, when the newest packet left";
            .age_ms_p99(?.age_ms_p99) "Age within 20 m, p99", Ms, Less, run All, "Age that 99 of 100 moving cubes within 20 m do not exceed";
            .error_mm_mean(?.error_mm_mean) "Error within 20 m, mean", Mm, Less, run All, "Distance of drawn moving cubes within 20 m from the server's at the drawn instant";
            .error_mm_p95(?.error_mm_p95) "Error within 20 m, p95", Mm, Less, run All, "Distance that 95 of 100 drawn moving cubes within 20 m do not exceed";
        }
            run #[serde(skip_serializing_if = "Option::is_none")] Option<DistanceSpread> = distances.map(|it| DistanceSpread::new(it, 0));
        pub far {
            .age_ms_mean(?.age_ms_mean) "Age beyond 20 m, mean", Ms, Less, run All, "Age of the newest state of moving cubes beyond 20 m, when the newest packet left";
            .age_ms_p99(?.age_ms_p99) "Age beyond 20 m, p99", Ms, Less, run All, "Age that 99 of 100 moving cubes beyond 20 m do not exceed";
            .error_mm_mean(?.error_mm_mean) "Error beyond 20 m, mean", Mm, Less, run All, "Distance of drawn moving cubes beyond 20 m from the server's at the drawn instant";
            .error_mm_p95(?.error_mm_p95) "Error beyond 20 m, p95", Mm, Less, run All, "Distance that 95 of 100 drawn moving cubes beyond 20 m do not exceed";
        }
            run #[serde(skip_serializing_if = "Option::is_none")] Option<DistanceSpread> = distances.map(|it| DistanceSpread::new(it, 1));

        // The tick of the lane that the server has reached.
        pub server_tick {} both Option<u64> = hand.server_tick;
        // Empty without a budget, a limit of sight or a crowd.
        pub by_distance {}
            tick Vec<DistanceBand> = distances.map_or_else(Vec::new, DistanceMetrics::of_second);
            run Vec<DistanceBand> = distances.map_or_else(Vec::new, DistanceMetrics::of_run);
    }
    {
        /// Measurements of a lane at one tick that only lockstep has.
        tick LockstepLive(lane: &Lane, figures: &LockstepFigures) at live => live.own.lockstep();
        /// Measurements of a lane, since its start, that only lockstep has.
        run LockstepReport(lane: &Lane, figures: &LockstepFigures) at report => report.lockstep.as_ref();
        with {
            let minutes = WORLD.seconds_of_ticks(lane.metrics.ticks.max(1)) / 60.0;
        }

        pub first_desync_frame { "First frame out of sync", Frame, More, both All, "First frame after which the checksums of both physics states differ; none while in sync" }
            both Option<u64> = figures.observer.first_desync_frame;
        pub frames_checked { "Frames checked", Count, Neither, both All, "Frames whose checksums of both whole physics states were compared" }
            both u64 = figures.observer.frames_checked;
        pub inputs_per_packet { "Inputs in the newest packet", Count, Neither, tick Now, "Inputs of the newest packet of lockstep" }
            tick u64 = figures.sender.newest_packet_inputs;
        pub inputs_per_packet_mean { "Inputs a packet, mean", Count, Neither, both All, "Mean number of inputs in a packet of lockstep" }
            both f64 = figures.sender.inputs_sent as f64 / lane.metrics.costs.packets().max(1) as f64;
        pub inputs_waiting { "Inputs waiting", Count, Neither, both Now, "Inputs that have arrived and wait to be played" }
            both u64 = figures.receiver.inputs_waiting;
        pub stalls { "Stalls", Count, Less, both All, "Times that lockstep stood still though its next frame was due" }
            both u64 = figures.receiver.stalls;
        pub stalls_per_minute { "Stalls a minute", Count, Less, both All, "Times a minute that lockstep stood still though its next frame was due" }
            both f64 = figures.receiver.stalls as f64 / minutes;
        pub stalled_ms_per_minute { "Stalled a minute", Ms, Less, both All, "Time of each minute that lockstep stood still though its next frame was due" }
            both f64 = WORLD.ms_of_tick(figures.receiver.stalled_ticks as f64) / minutes;
        pub catch_up_steps { "Steps to catch up", Count, Neither, both All, "Frames stepped beyond the first of a tick, to catch up" }
            both u64 = figures.receiver.catch_up_steps;
        pub retransmissions { "Retransmissions", Count, Less, both All, "Lost segments that TCP sent again; bandwidth leaves them out" }
            both u64 = lane.counters().retransmitted;
        pub window_full_ticks { "Ticks with a full window", Count, Less, both All, "Ticks in which a packet could not hold all unacknowledged inputs" }
            both u64 = figures.sender.window_full_ticks;
        pub given_up { "Given up", Count, Less, both All, "1 once the sender's queue overflowed and it sends no more, else 0" }
            both bool = figures.sender.given_up;
    }
}

#[cfg(test)]
mod tests;
