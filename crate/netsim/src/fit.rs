//! The model of a link that is nearest to a trace: latency, shape and scale of the jitter, correlation, loss and bursts.
//!
//! For each shape of the jitter, the fit finds the latency and the scale of the nearest model. The distance of a model is the
//! mean absolute difference between its quantiles of delay and the trace's (Wasserstein's, of order 1). The shape with the
//! least distance is taken.

use crate::channel::DelayShape;
use crate::trace::{Delays, TracePacket};
use snapshot_base::order::sorted;

/// The model of a link that is nearest to a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Shape of the jitter.
    pub shape: DelayShape,
    /// Latency, ms, from which the shape's delays are counted.
    pub latency_ms: f64,
    /// Jitter, ms, by which the shape's quantiles are multiplied.
    pub jitter_ms: f64,
    /// Probability with which a packet takes the jitter of the packet before, 0 to 1.
    pub correlation: f64,
    /// Share of packets lost, 0 to 1.
    pub loss: f64,
    /// Mean length of a run of losses, packets; 1 if runs are as long as with independent losses.
    pub burst_packets: f64,
    /// Mean absolute difference in ms between the trace's quantiles of delay and the model's.
    pub distance_ms: f64,
}

const QUANTILES: usize = 1000;
/// Upper limit of the number of rounds of the fit. Each round weights the quantiles anew, to find the least absolute
/// differences.
const ROUNDS: usize = 60;
/// Ratio of a round's distance to the previous round's, above which the fit ends.
const SETTLED: f64 = 0.9999;
/// Number of standard errors by which the mean run of losses must be longer than with independent losses to count as bursts.
const ERRORS: f64 = 2.5;

/// Returns the nearest model with one of these shapes; `shapes` is not empty.
pub fn fit(delays: &Delays, shapes: &[DelayShape]) -> Fit {
    let arrived = |row: &&TracePacket| !row.lost;
    let arrived_ms = delays.rows().iter().filter(arrived);
    let sorted_ms = sorted(arrived_ms.map(|row| row.delay_ms));
    let measured = quantiles(&sorted_ms);
    let lines = shapes
        .iter()
        .map(|&shape| (shape, nearest(shape, &measured)));
    let nearest =
        lines.min_by(|(_, one), (_, other)| one.distance_ms.total_cmp(&other.distance_ms));
    let (shape, line) = nearest.unwrap_or((DelayShape::Uniform, JitterModel::default()));
    let (loss, burst_packets) = losses(delays.rows());
    Fit {
        shape,
        latency_ms: line.latency_ms,
        jitter_ms: line.jitter_ms,
        correlation: correlation(delays.rows(), &sorted_ms),
        loss,
        burst_packets,
        distance_ms: line.distance_ms,
    }
}

/// Returns shares of packets, each with the delay (ms) that they do not exceed; both rise.
fn quantiles(sorted_ms: &[f64]) -> Vec<(f64, f64)> {
    let count = sorted_ms.len().min(QUANTILES);
    let at = |place: usize| {
        let share = (place as f64 + 0.5) / count as f64;
        (share, sorted_ms[(share * sorted_ms.len() as f64) as usize])
    };
    (0..count).map(at).collect()
}

#[derive(Clone, Copy, Debug, Default)]
struct JitterModel {
    latency_ms: f64,
    jitter_ms: f64,
    distance_ms: f64,
}

impl JitterModel {
    fn at(&self, quantile: f64) -> f64 {
        (self.latency_ms + self.jitter_ms * quantile).max(0.0)
    }
}

/// Returns the latency and jitter with which a shape has the least absolute differences to the measured quantiles. It repeats
/// least squares, with weights from the differences of the previous round.
fn nearest(shape: DelayShape, measured: &[(f64, f64)]) -> JitterModel {
    let points: Vec<(f64, f64)> = measured
        .iter()
        .map(|&(share, delay_ms)| (shape.quantile(share), delay_ms))
        .collect();
    let mut best = JitterModel {
        distance_ms: f64::INFINITY,
        ..JitterModel::default()
    };
    let mut weights = vec![1.0; points.len()];
    for _ in 0..ROUNDS {
        let mut line = squares(&points, &weights);
        let differences = points.iter().map(|(x, y)| (line.at(*x) - y).abs());
        let mut sum_ms = 0.0;
        for (weight, difference_ms) in weights.iter_mut().zip(differences) {
            sum_ms += difference_ms;
            *weight = 1.0 / difference_ms.max(1e-6);
        }
        line.distance_ms = sum_ms / points.len() as f64;
        if line.distance_ms > best.distance_ms * SETTLED {
            break;
        }
        best = line;
    }
    best
}

/// Returns the latency and jitter with the least weighted squared differences. Points with a delay of 0 are left out.
fn squares(points: &[(f64, f64)], weights: &[f64]) -> JitterModel {
    let weighted = points.iter().zip(weights).filter(|((_, y), _)| *y > 0.0);
    let [mut sum, mut sum_x, mut sum_y, mut sum_xx, mut sum_xy] = [0.0; 5];
    for ((x, y), weight) in weighted {
        sum += weight;
        sum_x += weight * x;
        sum_y += weight * y;
        sum_xx += weight * x * x;
        sum_xy += weight * x * y;
    }
    let spread = sum * sum_xx - sum_x * sum_x;
    let jitter_ms = if spread > 0.0 {
        ((sum * sum_xy - sum_x * sum_y) / spread).max(0.0)
    } else {
        0.0
    };
    JitterModel {
        latency_ms: if sum > 0.0 {
            (sum_y - jitter_ms * sum_x) / sum
        } else {
            0.0
        },
        jitter_ms,
        distance_ms: 0.0,
    }
}

/// Share of packets that repeat the delay of the packet before, minus the share that does so by chance.
fn correlation(rows: &[TracePacket], sorted_ms: &[f64]) -> f64 {
    let neighbours = rows.windows(2).filter(|two| !two[0].lost && !two[1].lost);
    let (mut pairs, mut equal) = (0.0, 0.0);
    for two in neighbours {
        pairs += 1.0;
        equal += f64::from(two[0].delay_ms == two[1].delay_ms);
    }
    let of = sorted_ms.len() as f64;
    let same = sorted_ms.chunk_by(|one, other| one == other);
    let by_chance: f64 = same
        .map(|same| same.len() as f64 / of)
        .map(|share| share * share)
        .sum();
    if pairs == 0.0 || by_chance >= 1.0 {
        return 0.0;
    }
    ((equal / pairs - by_chance) / (1.0 - by_chance)).max(0.0)
}

/// Returns the share of lost packets, and the mean length of a run of losses.
fn losses(rows: &[TracePacket]) -> (f64, f64) {
    let lost = rows.iter().filter(|row| row.lost).count() as f64;
    let runs = rows.chunk_by(|one, other| one.lost == other.lost);
    let runs = runs.filter(|run| run[0].lost).count() as f64;
    if runs == 0.0 {
        return (0.0, 1.0);
    }
    let (loss, mean) = (lost / rows.len() as f64, lost / runs);
    // Lengths of independent losses are geometric: mean 1 / (1 - loss), deviation sqrt(loss) / (1 - loss).
    let independent = (1.0 + ERRORS * (loss / runs).sqrt()) / (1.0 - loss);
    (loss, if mean > independent { mean } else { 1.0 })
}

#[cfg(test)]
mod tests;
