//! Parts of the figures of a lane's run. The table declares the others.

use super::metrics::{BitsByKind, DistanceMetrics, Distribution};
use crate::Lane;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use snapshot_codec::Kind;
use std::borrow::Borrow;

/// Surface errors over a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SurfaceSpread {
    pub mean: f64,
    pub p95: f64,
    pub worst: f64,
}

impl SurfaceSpread {
    /// Makes the surface errors of a run, converted from mm by `unit`.
    pub fn new(errors_mm: &Distribution, unit: impl Fn(f64) -> f64) -> SurfaceSpread {
        SurfaceSpread {
            mean: unit(errors_mm.mean()),
            p95: unit(errors_mm.p95()),
            worst: unit(errors_mm.max()),
        }
    }
}

/// Ages and errors of the cubes within 20 m of the driver's cube, or of the cubes farther away.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DistanceSpread {
    pub age_ms_mean: f64,
    pub age_ms_p99: f64,
    pub error_mm_mean: f64,
    pub error_mm_p95: f64,
}

impl DistanceSpread {
    /// Makes the spread of the near cubes (0) or of the far cubes (1).
    pub(super) fn new(distances: &DistanceMetrics, which: usize) -> DistanceSpread {
        let (age_ms, error_mm) = (&distances.age_ms[which], &distances.error_mm[which]);
        DistanceSpread {
            age_ms_mean: age_ms.mean(),
            age_ms_p99: age_ms.quantile(0.99),
            error_mm_mean: error_mm.mean(),
            error_mm_p95: error_mm.p95(),
        }
    }
}

/// Numbers of corrections by cause, in the order of [`CorrectionCause::ALL`](super::metrics::CorrectionCause::ALL).
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CorrectionCauses {
    pub keys: u64,
    pub rival: u64,
    pub unpredicted: u64,
    pub values: u64,
}

/// Playout delay in ms: as set, or the mean of an adaptive one.
pub(super) fn delay_ms(lane: &Lane) -> f64 {
    let mean = lane.metrics.playout.delay_ms_mean();
    lane.settings.delay_ms().or(mean).unwrap_or(0.0)
}

pub(crate) fn bits_by_kind<S: Serializer>(
    bits: &impl Borrow<BitsByKind>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let bits = bits.borrow();
    let mut map = serializer.serialize_map(Some(bits.len()))?;
    for (kind, bits) in Kind::ALL.iter().zip(bits) {
        map.serialize_entry(kind.name(), bits)?;
    }
    map.end()
}

pub(super) fn hex<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{hash:016x}"))
}
