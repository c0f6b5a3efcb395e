//! Ages and errors of the cubes that a game's client draws, by distance from the driver's cube. The driver is the person
//! whose keys the tape has.

use super::Distribution;
use serde::Serialize;
use std::collections::VecDeque;

/// Upper ends of the bands of distances, m. One more band has the cubes that are farther.
const BANDS_M: [f64; 5] = [5.0, 10.0, 20.0, 40.0, 80.0];
/// Distance up to which a cube counts as near, m.
const NEAR_M: f64 = 20.0;
/// Number of ticks in the sliding window over which a tick's figures are means: a second.
const WINDOW_TICKS: usize = 60;

/// Age and error of one cube in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DistanceSample {
    pub(crate) distance_m: f64,
    /// Age of the client's newest state when the newest packet left the server, ms.
    pub(crate) age_ms: f64,
    /// Distance of the drawn cube from the server's at the drawn instant, mm.
    pub(crate) error_mm: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct BandSums {
    count: u64,
    age_ms: f64,
    age_max_ms: f64,
    error_mm: f64,
    error_max_mm: f64,
}

impl BandSums {
    fn add(&mut self, sample: &DistanceSample) {
        self.merge(&BandSums {
            count: 1,
            age_ms: sample.age_ms,
            age_max_ms: sample.age_ms,
            error_mm: sample.error_mm,
            error_max_mm: sample.error_mm,
        });
    }

    fn merge(&mut self, other: &BandSums) {
        self.count += other.count;
        self.age_ms += other.age_ms;
        self.age_max_ms = self.age_max_ms.max(other.age_max_ms);
        self.error_mm += other.error_mm;
        self.error_max_mm = self.error_max_mm.max(other.error_max_mm);
    }
}

type Bands = [BandSums; BANDS_M.len() + 1];

/// Mean ages and errors of the moving cubes in a band of distances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DistanceBand {
    /// Upper end of the band, m; `None` for the last band.
    pub to_m: Option<f64>,
    /// Number of cubes in the band, mean over the ticks.
    pub cubes: f64,
    pub age_ms: f64,
    pub age_max_ms: f64,
    pub error_mm: f64,
    pub error_max_mm: f64,
}

/// Ages and errors by distance, since the lane began and over the last second.
#[derive(Clone, Debug)]
pub struct DistanceMetrics {
    all: Bands,
    window: VecDeque<Bands>,
    ticks: u64,
    /// Ages of states in ms: of near cubes, then of far cubes.
    pub age_ms: [Distribution; 2],
    /// Position errors in mm: of near cubes, then of far cubes.
    pub error_mm: [Distribution; 2],
}

impl DistanceMetrics {
    pub(crate) fn new() -> DistanceMetrics {
        let spreads = |steps_per_unit| [(); 2].map(|()| Distribution::new(steps_per_unit));
        DistanceMetrics {
            all: Bands::default(),
            window: VecDeque::with_capacity(WINDOW_TICKS),
            ticks: 0,
            age_ms: spreads(10.0),
            error_mm: spreads(1000.0),
        }
    }

    /// Adds the ages and errors of the cubes in a picture.
    pub(crate) fn add(&mut self, samples: impl Iterator<Item = DistanceSample>) {
        let mut bands = Bands::default();
        for sample in samples {
            let band = BANDS_M.partition_point(|to_m| sample.distance_m > *to_m);
            bands[band].add(&sample);
            let is_far = usize::from(sample.distance_m > NEAR_M);
            self.age_ms[is_far].add(sample.age_ms);
            self.error_mm[is_far].add(sample.error_mm);
        }
        merge(&mut self.all, &bands);
        self.ticks += 1;
        if self.window.len() == WINDOW_TICKS {
            self.window.pop_front();
        }
        self.window.push_back(bands);
    }

    /// Mean ages and errors by band, over the whole run.
    pub fn of_run(&self) -> Vec<DistanceBand> {
        means(&self.all, self.ticks)
    }

    /// Mean ages and errors by band, over the last second.
    pub fn of_second(&self) -> Vec<DistanceBand> {
        let mut bands = Bands::default();
        for tick in &self.window {
            merge(&mut bands, tick);
        }
        means(&bands, self.window.len() as u64)
    }
}

fn merge(bands: &mut Bands, others: &Bands) {
    for (band, other) in bands.iter_mut().zip(others) {
        band.merge(other);
    }
}

fn means(bands: &Bands, ticks: u64) -> Vec<DistanceBand> {
    let ends = BANDS_M.into_iter().map(Some).chain([None]);
    let means = ends.zip(bands).map(|(to_m, band)| {
        let count = band.count.max(1) as f64;
        DistanceBand {
            to_m,
            cubes: band.count as f64 / ticks.max(1) as f64,
            age_ms: band.age_ms / count,
            age_max_ms: band.age_max_ms,
            error_mm: band.error_mm / count,
            error_max_mm: band.error_max_mm,
        }
    });
    means.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_count_in_the_band_of_their_distance_and_a_second_forgets() {
        let mut metrics = DistanceMetrics::new();
        let sample = |distance_m, age_ms, error_mm| DistanceSample {
            distance_m,
            age_ms,
            error_mm,
        };
        metrics.add([sample(4.0, 50.0, 1.0), sample(5.0, 150.0, 3.0)].into_iter());
        for _ in 0..WINDOW_TICKS {
            metrics.add([sample(100.0, 900.0, 80.0)].into_iter());
        }
        let near = metrics.of_run()[0];
        assert_eq!(near.to_m, Some(5.0));
        assert_eq!((near.age_ms, near.age_max_ms), (100.0, 150.0));
        assert_eq!((near.error_mm, near.error_max_mm), (2.0, 3.0));
        assert_eq!(near.cubes, 2.0 / 61.0);
        let now = metrics.of_second();
        assert_eq!(now.len(), 6);
        assert_eq!((now[0].cubes, now[5].cubes), (0.0, 1.0));
        assert_eq!((now[5].to_m, now[5].age_ms), (None, 900.0));
        assert_eq!(metrics.error_mm[0].max(), 3.0);
        assert_eq!(metrics.age_ms[1].mean(), 900.0);
    }
}
