//! Statistics of the differences between cubes and their baselines, and the cost of each pair of widths. A pair is the number
//! of bits of a small and of a large difference.
//!
//! The baselines are the ones that the lane's sender uses over its network. The cost of a pair of widths is counted by the
//! codec's rule, not estimated.

use crate::progress::Tell;
use crate::span::{TickSpan, leaves};
use crate::width_histogram::{WidthHistogram, moved, turned};
use serde::Serialize;
use snapshot_codec::{Class, Cube, CubeState, Format, Ledger, Rung, Widths};
use snapshot_lane::predictor::SharedPredictor;
use snapshot_lane::schedule::Schedule;
use snapshot_lane::strategy::snapshot::{SnapshotSender, quantise};
use snapshot_lane::{PacketSize, TAPE_TICKS};
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::session_config::SessionConfig;
use snapshot_record::tape::Tape;
use snapshot_settings::schema::OnLadder;
use snapshot_settings::{Key, LaneSettings, Settings};

/// A pair of widths for small and large differences, with its cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "WidthPair"))]
pub struct Pair {
    /// Width of the small range, around zero, bits.
    pub small_bits: u32,
    /// Width of the large range, beyond the small one, bits.
    pub large_bits: u32,
    /// Mean number of bits of the position or orientation for each changed cube. The flag that tells differences from
    /// absolute values is included. Cubes that do not send the quantity count with 0 bits.
    pub bits_per_changed_cube: f64,
}

/// A bin of the histogram: difference components with magnitudes from `least` to `most`. The magnitude of a component d is d
/// plus 1 if d is not negative, else -d. So magnitudes up to m are the components from -m to m - 1, a range of 2m steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "WidthBin"))]
pub struct Bin {
    pub least: u32,
    /// Greatest magnitude of the bin, inclusive.
    pub most: u32,
    pub components: u64,
}

/// Statistics of the differences of one quantity, position or orientation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WidthPart {
    /// Number of sent values, three components each.
    pub values: u64,
    /// Number of values that can only be sent absolute, whatever the widths.
    pub absolute: u64,
    /// Histogram of component magnitudes, least first.
    pub histogram: Vec<Bin>,
    /// The pair of widths now set.
    pub chosen: Pair,
    /// The articles' pair of widths, scaled to the bits now set.
    pub articles: Pair,
    /// The cheapest pair of widths; among equals the narrowest.
    pub best: Pair,
    /// All possible pairs of widths, sorted by the small, then by the large width.
    pub pairs: Vec<Pair>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WidthCounts {
    /// The tick before the first tick of the statistics.
    pub after_tick: u64,
    pub last_tick: u64,
    pub packets: u64,
    pub changed_cubes: u64,
    /// Differences of positions from their baselines, in quantisation steps.
    pub position: WidthPart,
    /// Differences of orientation components from their baselines, in quantised integers.
    pub orientation: WidthPart,
}

/// Counts the differences of a span of ticks, which the tape must store. `tell` hears of each tick.
pub fn count(
    tape: &Tape,
    settings: &Settings,
    link_inputs: &LinkInputs,
    span: TickSpan,
    tell: Tell<WidthCounts>,
) -> WidthCounts {
    let mut statistics = WidthStatistics::new(tape, settings, link_inputs, span.after);
    while statistics.last_tick < span.last && statistics.tick(tape) {
        let share = span.share_at(statistics.last_tick);
        tell(share, &|| statistics.counts(settings));
    }
    statistics.counts(settings)
}

/// Differences of the cubes of a motion to their baselines.
struct WidthStatistics {
    /// The lane settings that decide baselines and sent values.
    settings: LaneSettings,
    /// The tick after which the sender began.
    from: u64,
    /// The newest tick whose packets are all counted.
    last_tick: u64,
    session_config: SessionConfig,
    /// The format of the rung that sends the differences. With the change flags of rung 11, only a changed position or
    /// orientation counts. Without them both differences of each changed cube count.
    format: Format,
    schedule: Schedule,
    /// Sender that encodes the real packets; present only if a packet's fate depends on its size.
    sender: Option<SnapshotSender<SharedPredictor>>,
    packets: u64,
    changed_cubes: u64,
    histograms: [WidthHistogram; 2],
    truth: Vec<CubeState>,
    before: Vec<CubeState>,
    snapshot: Vec<Cube>,
    baseline: Vec<Cube>,
    packet: Vec<u8>,
    ledger: Ledger,
}

impl WidthStatistics {
    fn new(
        tape: &Tape,
        settings: &Settings,
        link_inputs: &LinkInputs,
        from: u64,
    ) -> WidthStatistics {
        let settings = used(settings).lane().at(tape.tick_rate());
        let session_config = tape.session_config();
        let format = session_config.format(counted_rung(settings.rung()), Class::Strict, &settings);
        let by_size = settings.fate_depends_on_size();
        let mut baseline = Vec::new();
        quantise(&format, &session_config.initial, &mut baseline);
        let own = session_config.format(settings.rung(), settings.class(), &settings);
        let mut truth = Vec::new();
        tape.truth().read(from, &mut truth);
        WidthStatistics {
            sender: by_size.then(|| {
                let mut initial = Vec::new();
                quantise(&own, &session_config.initial, &mut initial);
                let hz = settings.send_rate_hz();
                let predictor = SharedPredictor::new(session_config.made_from);
                SnapshotSender::new(own, settings.tick_rate(), hz, &initial, predictor)
            }),
            schedule: Schedule::new(&settings, link_inputs),
            settings,
            from,
            last_tick: from,
            session_config,
            format,
            packets: 0,
            changed_cubes: 0,
            histograms: Default::default(),
            truth,
            before: Vec::new(),
            snapshot: Vec::new(),
            baseline,
            packet: Vec::new(),
            ledger: Ledger::new(),
        }
    }

    /// Counts the next tick. Returns false if the tape does not store it.
    fn tick(&mut self, tape: &Tape) -> bool {
        let tick = self.last_tick + 1;
        let Some(frame) = tape.frame(tick, &mut self.truth) else {
            return false;
        };
        if let Some(sender) = &mut self.sender {
            sender.press(frame.input.bits());
        }
        self.last_tick = tick;
        let settings = &self.settings;
        let leaves = leaves(settings, tick);
        let WidthStatistics {
            schedule,
            sender,
            truth,
            snapshot,
            packet,
            ledger,
            ..
        } = self;
        let cut = tape.is_cut(tick);
        match sender {
            None => schedule.advance(tick, cut),
            Some(sender) => schedule.advance_with(tick, cut, |acks| {
                acks.iter().for_each(|&sequence| sender.acked(sequence));
                if !leaves {
                    return PacketSize::ANY;
                }
                quantise(sender.format(), truth, snapshot);
                let info = sender.send(tick, snapshot, packet, Some(ledger));
                info.expect(TAPE_TICKS);
                PacketSize::new(packet.len(), settings)
            }),
        }
        if leaves {
            let sent = self.schedule.packets().next_back();
            let baseline_tick = sent.and_then(|packet| packet.baseline_tick);
            self.add_packet(tape, baseline_tick);
        }
        self.schedule.forget_before(tick);
        true
    }

    fn add_packet(&mut self, tape: &Tape, baseline_tick: Option<u64>) {
        quantise(&self.format, &self.truth, &mut self.snapshot);
        let against = match baseline_tick {
            Some(tick) if tape.truth().read(tick, &mut self.before) => &self.before[..],
            _ => &self.session_config.initial,
        };
        quantise(&self.format, against, &mut self.baseline);
        let has_flags = self.format.rung().row().changed_flags;
        let [positions, orientations] = &mut self.histograms;
        self.packets += 1;
        for (cube, base) in self.snapshot.iter().zip(&self.baseline) {
            if cube == base {
                continue;
            }
            self.changed_cubes += 1;
            if cube.life != base.life {
                // Another life is sent whole, whatever the widths.
                continue;
            }
            if !has_flags || cube.position != base.position {
                positions.add(&moved(cube, base));
            }
            if !has_flags || cube.orientation != base.orientation {
                orientations.add(&turned(cube, base));
            }
        }
    }

    /// Returns the statistics so far: the cost of each pair of widths, and of the pair in these settings.
    fn counts(&self, settings: &Settings) -> WidthCounts {
        let (settings, bits) = (settings.lane(), self.format.bits());
        let axes = self.format.position_axes();
        let [position, orientation] = &self.histograms;
        let part = |histogram, key: Key, absolute_bits, chosen, articles| {
            let bits_max = key.setting().domain.most();
            WidthPart::new(
                histogram,
                self.changed_cubes,
                bits_max,
                absolute_bits,
                [chosen, articles],
            )
        };
        WidthCounts {
            after_tick: self.from,
            last_tick: self.last_tick,
            packets: self.packets,
            changed_cubes: self.changed_cubes,
            position: part(
                position,
                Key::PositionLarge,
                axes.map(|axis| axis.code_bits()).iter().sum(),
                settings.position_widths(),
                Widths::of_position(bits.position()),
            ),
            orientation: part(
                orientation,
                Key::OrientationLarge,
                2 + 3 * bits.orientation(),
                settings.orientation_widths(),
                Widths::of_orientation(bits.orientation()),
            ),
        }
    }
}

impl WidthPart {
    fn new(
        histogram: &WidthHistogram,
        changed_cubes: u64,
        bits_max: u32,
        absolute_bits: u32,
        named: [Widths; 2],
    ) -> WidthPart {
        let pair = |(widths, bits): (Widths, u64)| Pair {
            small_bits: widths.small_bits(),
            large_bits: widths.large_bits(),
            bits_per_changed_cube: bits as f64 / changed_cubes.max(1) as f64,
        };
        let costs = histogram.bits(bits_max, absolute_bits);
        let of = |widths: Widths| {
            let cost = costs.iter().find(|(of, _)| *of == widths);
            pair(*cost.unwrap_or(&(widths, 0)))
        };
        let narrowest = |(widths, bits): &&(Widths, u64)| {
            (
                *bits,
                widths.small_bits() + widths.large_bits(),
                widths.small_bits(),
            )
        };
        let [chosen, articles] = named.map(of);
        WidthPart {
            values: histogram.values,
            absolute: histogram.absolute,
            histogram: histogram.bins(),
            best: costs
                .iter()
                .min_by_key(narrowest)
                .map_or(chosen, |cost| pair(*cost)),
            pairs: costs.iter().copied().map(pair).collect(),
            chosen,
            articles,
        }
    }
}

/// Returns the settings that decide baselines and sent values; all others become defaults. If the fate of packets does not depend
/// on their size, settings that only change the size are left out. Then the rung counts only by its change flags, those of rung
/// 11.
pub(crate) fn used(settings: &Settings) -> Settings {
    let by_size = settings.fate_depends_on_size();
    let mut used = settings.of_snapshots(|setting| match setting.on_ladder {
        OnLadder::Heeded => true,
        OnLadder::Size | OnLadder::Varied => by_size,
        OnLadder::Ignored => false,
    });
    if !by_size {
        let counted = counted_rung(settings.rung());
        let _ = used.set(Key::Codec, counted.number().into());
    }
    used
}

/// Returns the rung whose differences are counted in place of `rung`: it sends the same values, but all as integers in a small
/// or a large range.
fn counted_rung(rung: Rung) -> Rung {
    if rung.sends_ranges() && !rung.row().changed_flags {
        Rung::RelativeOrientation
    } else {
        Rung::ChangedFlags
    }
}

#[cfg(test)]
mod tests;
