//! The similarity between two files: scale, axes and shift of the client's positions, found without knowing the delay.
//!
//! At each delay the covariance of both files' positions yields the best scale and shift for each of the 48 turnings and
//! mirrorings of the axes, in one pass over the samples (as Horn's and Umeyama's methods do for any rotation).

use super::path::{FilePair, Path, Placed, Ways, at_delays, square};
use serde::Serialize;
use snapshot_base::order;
use snapshot_base::text::shorten;
use snapshot_record::motion::track::Track;
use std::fmt;
use std::str::FromStr;

/// Upper limits of the numbers of objects, and of frames of the client, that are compared.
const OBJECTS_MAX: usize = 8;
const FRAMES_MAX: usize = 240;
/// Step between the tried delays, s, and the upper limit of their number: beyond it the step grows.
const STEP_S: f64 = 0.05;
const STEPS_MAX: f64 = 5000.0;
/// Least correlation of positions at which two files count as similar.
const ALIKE: f64 = 0.98;
/// Least gain of correlation that justifies the change of one more axis. In a plane motion several choices of axes fit
/// equally.
const SIMPLER: f64 = 0.002;
/// Relative differences of a scale. Up to the first from 1, it counts as no scale; up to the second from a unit's factor, it
/// is that factor.
const NO_SCALE: f64 = 0.05;
const UNIT_SCALE: f64 = 0.02;
/// Least shift of positions that counts as a shift, m.
const SHIFT_M: f64 = 0.25;
/// Greatest ratio of the error with the similarity to the error without it. A similarity with a greater ratio is not offered.
const BETTER: f64 = 0.3;
/// A similarity: a change of a client's positions. It changes first the axes, then the scale, and then moves the positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Similarity {
    /// Factor of the client's positions.
    pub scale: f64,
    pub axes: Axes,
    /// Distance by which the client's positions are moved at the end, m.
    pub move_m: [f64; 3],
}

impl Default for Similarity {
    fn default() -> Similarity {
        Similarity {
            scale: 1.0,
            axes: Axes::OWN,
            move_m: [0.0; 3],
        }
    }
}

/// For each axis of the server the number of the client's axis, 1 to 3; negative if the client's axis points the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Axes(pub [i8; 3]);

impl Axes {
    const OWN: Axes = Axes([1, 2, 3]);

    /// All 48 turnings and mirrorings.
    fn all() -> impl Iterator<Item = Axes> {
        const ORDERS: [[i8; 3]; 6] = [
            [1, 2, 3],
            [1, 3, 2],
            [2, 1, 3],
            [2, 3, 1],
            [3, 1, 2],
            [3, 2, 1],
        ];
        let signs = |bits: i8, at: usize| if bits >> at & 1 == 0 { 1 } else { -1 };
        ORDERS.into_iter().flat_map(move |order| {
            (0..8).map(move |bits| Axes(std::array::from_fn(|at| order[at] * signs(bits, at))))
        })
    }

    /// Number of axes that are exchanged or reversed; a mirrored space counts one more.
    fn changes(self) -> f64 {
        let other = (0..3).filter(|at| self.0[*at] != Self::OWN.0[*at]).count();
        other as f64 + if self.is_mirrored() { 1.0 } else { 0.0 }
    }

    fn is_mirrored(self) -> bool {
        let [a, b, c] = self.0;
        let odd = matches!(
            (a.abs(), b.abs(), c.abs()),
            (1, 3, 2) | (2, 1, 3) | (3, 2, 1)
        );
        let negative = self.0.iter().filter(|axis| **axis < 0).count() % 2 == 1;
        odd != negative
    }

    fn apply<T: Copy + std::ops::Neg<Output = T>>(self, from: [T; 3]) -> [T; 3] {
        self.0.map(|axis| {
            let part = from[usize::from(axis.unsigned_abs()) - 1];
            if axis < 0 { -part } else { part }
        })
    }
}

impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, axis) in self.0.iter().enumerate() {
            let name = ["x", "y", "z"][usize::from(axis.unsigned_abs()) - 1];
            let sign = if *axis < 0 { "-" } else { "" };
            write!(f, "{}{sign}{name}", if at > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Axes {
    type Err = String;

    fn from_str(text: &str) -> Result<Axes, String> {
        Axes::all()
            .find(|axes| axes.to_string() == text.replace(['+', ' '], ""))
            .ok_or_else(|| {
                "it is the client's axes for the server's x, y, z, such as x,-z,y".to_owned()
            })
    }
}

impl Similarity {
    /// Applies the change to all poses of a track.
    pub fn apply(&self, track: &mut Track) {
        let samples = track
            .objects
            .iter_mut()
            .flat_map(|object| &mut object.samples);
        for sample in samples {
            let position = self.axes.apply(sample.position.map(f64::from));
            sample.position =
                std::array::from_fn(|at| (position[at] * self.scale + self.move_m[at]) as f32);
            let [x, y, z, w] = sample.orientation;
            let mut axis = self.axes.apply([x, y, z]);
            if self.axes.is_mirrored() {
                axis = axis.map(|part| -part);
            }
            sample.orientation = [axis[0], axis[1], axis[2], w];
        }
    }

    /// Returns the command line options that apply this change; the page reads them, too.
    pub fn options(&self) -> String {
        let mut all = Vec::new();
        if self.scale != 1.0 {
            all.push(format!("--scale {}", self.scale));
        }
        if self.axes != Axes::OWN {
            all.push(format!("--axes={}", self.axes));
        }
        if self.move_m != [0.0; 3] {
            let [x, y, z] = self.move_m;
            all.push(format!("--move={x},{y},{z}"));
        }
        all.join(" ")
    }

    /// Reads the options of [`Similarity::options`].
    ///
    /// # Errors
    /// When an option is unknown, or cannot have its value.
    pub fn of_options(text: &str) -> Result<Similarity, String> {
        let mut taken = Similarity::default();
        let mut words = text.split([' ', '=']).filter(|word| !word.is_empty());
        while let Some(option) = words.next() {
            let value = words.next().unwrap_or_default();
            let numbers: Option<Vec<f64>> =
                value.split(',').map(|part| part.parse().ok()).collect();
            match (option, numbers.as_deref()) {
                ("--scale", Some([scale])) if (1e-9..1e9).contains(scale) => taken.scale = *scale,
                ("--axes", _) => taken.axes = value.parse()?,
                ("--move", Some([x, y, z])) => taken.move_m = [*x, *y, *z],
                _ => return Err(format!("{option} cannot be \"{value}\"")),
            }
        }
        Ok(taken)
    }

    /// Returns the change as a question about the client's file.
    fn question(&self) -> String {
        let mut parts = Vec::new();
        if self.scale != 1.0 {
            let times = 1.0 / self.scale;
            let unit = UNITS
                .iter()
                .find(|(of_unit, _)| (of_unit / times - 1.0).abs() < 1e-4);
            let unit = unit.map_or(String::new(), |(_, name)| format!(": {name}?"));
            parts.push(format!("{} times the server's{unit}", short(times)));
        }
        if self.axes != Axes::OWN {
            let kind = if self.axes.is_mirrored() {
                "mirrored"
            } else {
                "turned"
            };
            parts.push(format!("{kind}: its {} are the server's x,y,z", self.axes));
        }
        if self.move_m != [0.0; 3] {
            let [x, y, z] = self.move_m.map(|at| short(-at));
            parts.push(format!("moved by {x}, {y}, {z} m"));
        }
        format!("the client's positions are {}", parts.join("; "))
    }
}

/// Factors from a server's to a client's positions: with metres at the server and another unit at the client, or the other
/// way round.
const UNITS: [(f64, &str); 8] = [
    (100.0, "centimetres"),
    (0.01, "is the server's file in centimetres"),
    (1000.0, "millimetres"),
    (0.001, "is the server's file in millimetres"),
    (1.0 / 0.0254, "inches"),
    (0.0254, "is the server's file in inches"),
    (1.0 / 0.3048, "feet"),
    (0.3048, "is the server's file in feet"),
];

fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

/// Returns a similarity with which two files fit much better, and a sentence that offers it; `None` if there is none.
pub(super) fn question(files: &FilePair<'_>) -> Option<(String, Similarity)> {
    let fit = Samples::new(files).best()?;
    let similarity = fit.similarity()?;
    let question = similarity.question();
    let options = similarity.options();
    let stop = if question.ends_with('?') { "" } else { "." };
    Some((
        format!("{question}{stop} To judge it so: {options}"),
        similarity,
    ))
}

/// Returns a sentence if the client's objects move as server's objects of other names do; `None` if the names fit. Objects nearer
/// than `near_m` fit.
pub(super) fn other_names(files: &FilePair<'_>, near_m: f64) -> Option<String> {
    const DRAWN_MAX: usize = 4;
    const TRUTHS_MAX: usize = 64;
    const FRAMES: usize = 60;
    /// Least share of an object's drawn poses that a true object must have beside them.
    const OVERLAP: f64 = 0.4;
    let ways = Ways::from_track(files.server);
    let there = files
        .server
        .objects
        .iter()
        .filter(|object| !object.samples.is_empty());
    let mut truths: Vec<Path<'_>> = there
        .map(|object| Path::new(files.server, object, ways))
        .collect();
    order::sort_by_key(&mut truths, |path| std::cmp::Reverse(path.moves()));
    truths.truncate(TRUTHS_MAX);
    let step = files.times_s.len().div_ceil(FRAMES).max(1);
    let times_s: Vec<f64> = files.times_s.iter().copied().step_by(step).collect();
    let [from_s, to_s] = files.server_s;
    let range_s = [times_s.first()? - to_s, times_s.last()? - from_s];
    let step_s = STEP_S.max((range_s[1] - range_s[0]) / STEPS_MAX);
    let steps = ((range_s[1] - range_s[0]) / step_s) as usize + 1;
    // The least distance of a drawn object from a true one over all delays.
    let nearest_m = |drawn: &[(f64, Placed)], truth: &Path<'_>| {
        let at = |delay_s: f64| {
            let pairs = drawn.iter().filter_map(|(at_s, drawn)| {
                let position = truth.position_at(at_s - delay_s)?;
                Some(
                    (0..3)
                        .map(|axis| square(position[axis] - drawn.position[axis]))
                        .sum::<f64>(),
                )
            });
            let (count, sum) = pairs.fold((0, 0.0), |(count, sum): (u32, f64), part| {
                (count + 1, sum + part)
            });
            (f64::from(count) >= OVERLAP * drawn.len() as f64)
                .then(|| (sum / f64::from(count.max(1))).sqrt())
        };
        let all = (0..=steps).filter_map(|step| at(range_s[0] + step as f64 * step_s));
        all.fold(f64::INFINITY, f64::min)
    };
    let mut found = Vec::new();
    let moving = files.moving(DRAWN_MAX).count();
    for object in files.moving(DRAWN_MAX) {
        let drawn = times_s
            .iter()
            .filter_map(|at_s| Some((*at_s, object.drawn.drawn_at(*at_s)?)));
        let drawn: Vec<(f64, Placed)> = drawn.collect();
        let own_m = nearest_m(&drawn, &object.truth);
        let of_others = truths
            .iter()
            .filter(|truth| truth.name != object.drawn.name);
        let best = of_others.map(|truth| (nearest_m(&drawn, truth), truth.name));
        let (best_m, name) = best.min_by(|a, b| a.0.total_cmp(&b.0))?;
        if best_m < near_m && best_m < BETTER * own_m {
            found.push(format!(
                "the client's {} moves as the server's {}",
                shorten(object.drawn.name),
                shorten(name)
            ));
        }
    }
    (found.len() >= 2 && found.len() * 4 >= moving * 3).then(|| {
        format!(
            "the names do not fit: {}. Give an object the same name in both files",
            found.join(", ")
        )
    })
}

/// Poses of a client at some frames, with the server's paths.
struct Samples<'a> {
    truths: Vec<&'a Path<'a>>,
    frames: Vec<(f64, Vec<Option<Placed>>)>,
    server_s: [f64; 2],
}

/// The best similarity at one tried delay.
#[derive(Clone, Copy)]
struct SimilarFit {
    /// Correlation of the server's positions with the client's positions in these axes.
    correlation: f64,
    /// Factor from the server's positions to the client's positions.
    times: f64,
    axes: Axes,
    means: [[f64; 3]; 2],
    /// Mean squared distances without any change, and with the similarity, in the server's unit.
    error: [f64; 2],
}

/// Sums over pairs of positions, the server's position first, from which a covariance follows.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    sums: [[f64; 3]; 2],
    squares: [f64; 2],
    products: [[f64; 3]; 3],
}

impl<'a> Samples<'a> {
    fn new(files: &'a FilePair<'a>) -> Samples<'a> {
        let moving = || files.moving(OBJECTS_MAX);
        let step = files.times_s.len().div_ceil(FRAMES_MAX).max(1);
        let frame = |at_s: &f64| {
            let drawn = moving().map(|object| object.drawn.drawn_at(*at_s));
            (*at_s, drawn.collect())
        };
        Samples {
            truths: moving().map(|object| &object.truth).collect(),
            frames: files.times_s.iter().step_by(step).map(frame).collect(),
            server_s: files.server_s,
        }
    }

    /// Returns the best similarity over all delays.
    fn best(&self) -> Option<SimilarFit> {
        let [from_s, to_s] = self.server_s;
        let (first_s, last_s) = (self.frames.first()?.0, self.frames.last()?.0);
        let range_s = [first_s - to_s, last_s - from_s];
        let step_s = STEP_S.max((range_s[1] - range_s[0]) / STEPS_MAX);
        let sums = |delay_s: f64| {
            let mut sums = Sums::default();
            for (at_s, drawn) in &self.frames {
                for (truth, drawn) in self.truths.iter().zip(drawn) {
                    if let Some((truth, drawn)) = truth.position_at(at_s - delay_s).zip(*drawn) {
                        sums.add(truth, drawn.position);
                    }
                }
            }
            sums
        };
        let all = at_delays(range_s, step_s, |delay_s| {
            let sums = sums(delay_s);
            (sums, sums.count)
        });
        let enough = all.filter(|(_, sums)| sums.count > 8.0);
        // Most pairs have one clock.
        let usual = |delay_s: f64| 1e-5 * (delay_s - 0.1).abs().min(100.0);
        let fits = enough.filter_map(|(delay_s, sums)| Some((delay_s, sums.fit()?)));
        let worth = |(delay_s, fit): &(f64, SimilarFit)| {
            fit.correlation - SIMPLER * fit.axes.changes() - usual(*delay_s)
        };
        let (delay_s, _) = fits.max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
        let finer =
            (-10..=10).filter_map(|step| sums(delay_s + f64::from(step) * step_s / 10.0).fit());
        finer.max_by(|a, b| {
            let worth = |fit: &SimilarFit| fit.correlation - SIMPLER * fit.axes.changes();
            worth(a).total_cmp(&worth(b))
        })
    }
}

impl Sums {
    fn add(&mut self, truth: [f32; 3], drawn: [f32; 3]) {
        let [truth, drawn] = [truth, drawn].map(|position| position.map(f64::from));
        self.count += 1.0;
        for at in 0..3 {
            self.sums[0][at] += truth[at];
            self.sums[1][at] += drawn[at];
            self.squares[0] += truth[at] * truth[at];
            self.squares[1] += drawn[at] * drawn[at];
            for (sum, drawn) in self.products[at].iter_mut().zip(drawn) {
                *sum += truth[at] * drawn;
            }
        }
    }

    /// Returns the best axes with their scale; `None` if no object moves, or no axes fit.
    fn fit(&self) -> Option<SimilarFit> {
        let means = self.sums.map(|sums| sums.map(|sum| sum / self.count));
        let squared = |of: usize| means[of].iter().map(|mean| mean * mean).sum::<f64>();
        let spread = [0, 1].map(|of| self.squares[of] / self.count - squared(of));
        let least = 1e-9;
        if spread.iter().any(|spread| *spread < least) {
            return None;
        }
        let together = |truth: usize, drawn: usize| {
            self.products[truth][drawn] / self.count - means[0][truth] * means[1][drawn]
        };
        let along = |axes: Axes| -> f64 {
            let parts = axes.0.iter().enumerate();
            let parts = parts.map(|(at, axis)| {
                let part = together(at, usize::from(axis.unsigned_abs()) - 1);
                if *axis < 0 { -part } else { part }
            });
            parts.sum()
        };
        let whole = (spread[0] * spread[1]).sqrt();
        let worth = |axes: &Axes| along(*axes) / whole - SIMPLER * axes.changes();
        let axes = Axes::all().max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
        let fitted = along(axes);
        if fitted <= 0.0 {
            return None;
        }
        let apart = (0..3).map(|at| self.products[at][at]).sum::<f64>();
        let plain = (self.squares[0] + self.squares[1] - 2.0 * apart) / self.count;
        Some(SimilarFit {
            correlation: fitted / whole,
            times: fitted / spread[0],
            axes,
            means,
            error: [plain, (spread[0] - fitted * fitted / spread[1]).max(0.0)],
        })
    }
}

impl SimilarFit {
    /// Returns the similarity with rounded numbers; `None` if the files do not fit with it, or fit as well without it.
    fn similarity(&self) -> Option<Similarity> {
        let [plain, changed] = self.error;
        if self.correlation < ALIKE || changed > BETTER * BETTER * plain {
            return None;
        }
        let near = |of: f64, by: f64| (self.times / of - 1.0).abs() < by;
        let unit = UNITS.iter().find(|(times, _)| near(*times, UNIT_SCALE));
        let times = match unit {
            Some((times, _)) => *times,
            None if near(1.0, NO_SCALE) => 1.0,
            None => self.times,
        };
        let scale = match 1.0 / times {
            scale if unit.is_some() => (scale * 1e6).round() / 1e6,
            scale => format!("{scale:.4}").parse().unwrap_or(scale),
        };
        let drawn = self.axes.apply(self.means[1]);
        let move_m = std::array::from_fn(|at| self.means[0][at] - drawn[at] * scale);
        let is_moved = move_m.iter().any(|by: &f64| by.abs() > SHIFT_M);
        let found = Similarity {
            scale,
            axes: self.axes,
            move_m: if is_moved {
                move_m.map(|by| (by * 100.0).round() / 100.0)
            } else {
                [0.0; 3]
            },
        };
        (found != Similarity::default()).then_some(found)
    }
}
