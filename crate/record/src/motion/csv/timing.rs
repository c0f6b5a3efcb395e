//! The rate of a motion's rows, computed from even ticks or times. Uneven times are resampled to a chosen rate.

use super::super::MotionError;
use snapshot_base::order::sorted;
use snapshot_base::time::{TickRate, WORLD};

/// Upper limit of the distance between a time and its tick, ticks: times in whole milliseconds stay below it up to 240 Hz.
const OFF_TICK_MAX: f64 = 0.25;
/// Relative difference up to which a rate counts as a whole number: 59.94 Hz as 60.
const NEAR: f64 = 0.003;

/// Conversion from the rows' times to ticks.
#[derive(Debug, PartialEq)]
pub(super) struct Timing {
    pub(super) tick_rate: TickRate,
    first: f64,
    ticks_per_unit: f64,
    /// True if the rows' times are not even, so that poses at ticks are interpolated.
    pub(super) resampled: bool,
}

impl Timing {
    /// Converts a row's time to a tick, with its fraction.
    pub(super) fn tick(&self, instant: f64) -> f64 {
        (instant - self.first) * self.ticks_per_unit
    }

    /// Returns the timing of rows with tick numbers. If rows exist only at every n-th tick, the rate is divided by n.
    pub(super) fn of_ticks(instants: &[f64], hz: Option<f64>, notes: &mut Vec<String>) -> Timing {
        let tick_hz = hz.unwrap_or_else(|| WORLD.hz().into());
        let distances = instants.windows(2).map(|pair| (pair[1] - pair[0]) as u64);
        let every = match instants.len() {
            0..3 => 1,
            _ => distances.fold(0, greatest_common_divisor).max(1),
        };
        let rate = tick_hz / every as f64;
        if hz.is_none() {
            notes.push(format!(
                "no rate is given: {tick_hz} ticks a second are assumed. A first line rate=30 changes that"
            ));
        }
        if every > 1 {
            let nth = nths(every, every);
            let note = format!("rows at every {nth} tick: taken as {rate:.3} Hz");
            notes.push(note.replace(".000", ""));
        }
        let first = instants.first().copied().unwrap_or(0.0);
        Timing::even(rate, first, rate / tick_hz, notes)
    }

    /// Returns the timing of rows with times; `unit_s` is the number of seconds in a unit of these times.
    ///
    /// # Errors
    ///
    /// When all times are the same.
    pub(super) fn of_times(
        instants: &[f64],
        unit_s: f64,
        notes: &mut Vec<String>,
    ) -> Result<Timing, MotionError> {
        let steps = sorted(instants.windows(2).map(|pair| pair[1] - pair[0]));
        let (Some(first), Some(last)) = (instants.first(), instants.last()) else {
            return Ok(Timing::even(WORLD.hz().into(), 0.0, 1.0, notes));
        };
        let Some(&median) = steps.get(steps.len() / 2) else {
            return Err(MotionError::rate("not told, as all times are the same"));
        };
        // Longer steps span ticks without rows.
        let shortest = steps[0];
        let short = steps.iter().take_while(|step| **step < 1.6 * shortest);
        let count = short.clone().count();
        let mean = short.sum::<f64>() / count as f64;
        let ticks = ((last - first) / mean).round();
        let step = (last - first) / ticks;
        // The first time may be late by as much as any other.
        let offs = instants.iter().map(|instant| {
            let tick = (instant - first) / step;
            tick - tick.round()
        });
        let (least, most) = offs.fold((0.0_f64, 0.0_f64), |(least, most), off| {
            (least.min(off), most.max(off))
        });
        if most - least < 2.0 * OFF_TICK_MAX {
            let first = first + f64::midpoint(least, most) * step;
            return Ok(Timing::even(
                1.0 / (step * unit_s),
                first,
                1.0 / step,
                notes,
            ));
        }
        let hz = chosen(1.0 / (median * unit_s));
        let longest = steps.iter().copied().fold(0.0, f64::max);
        notes.push(format!(
            "uneven steps of {} to {} ms: resampled to {} Hz",
            short_ms(shortest * unit_s),
            short_ms(longest * unit_s),
            hz.hz()
        ));
        Ok(Timing {
            tick_rate: hz,
            first: *first,
            ticks_per_unit: f64::from(hz.hz()) * unit_s,
            resampled: true,
        })
    }

    /// Makes the timing of even steps; `ticks_per_unit` counts the steps in a unit of time.
    fn even(hz: f64, first: f64, ticks_per_unit: f64, notes: &mut Vec<String>) -> Timing {
        let near = TickRate::new(hz.round() as u32);
        let near = near.filter(|rate| (f64::from(rate.hz()) - hz).abs() < NEAR * hz);
        let Some(tick_rate) = near else {
            let tick_rate = chosen(hz);
            notes.push(format!("{hz:.2} Hz: resampled to {} Hz", tick_rate.hz()));
            return Timing {
                tick_rate,
                first,
                ticks_per_unit: ticks_per_unit * f64::from(tick_rate.hz()) / hz,
                resampled: true,
            };
        };
        if (f64::from(tick_rate.hz()) - hz).abs() > 2e-4 * hz {
            notes.push(format!("{hz:.2} Hz is played as {} Hz", tick_rate.hz()));
        }
        Timing {
            tick_rate,
            first,
            ticks_per_unit,
            resampled: false,
        }
    }
}

/// Returns the rate to resample to: the nearest usual one at or above, 120 Hz at most.
fn chosen(hz: f64) -> TickRate {
    const USUAL_HZ: [u32; 5] = [10, 20, 30, 60, 120];
    let above = USUAL_HZ
        .into_iter()
        .find(|usual| f64::from(*usual) * 1.1 > hz);
    let hz = above.unwrap_or(USUAL_HZ[4]);
    TickRate::new(hz).unwrap_or(WORLD)
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn short_ms(seconds: f64) -> String {
    let ms = seconds * 1000.0;
    match ms < 9.95 {
        true => format!("{ms:.1}"),
        false => format!("{ms:.0}"),
    }
}

/// Returns a range of numbers such as `2nd to 3rd`.
pub(super) fn nths(least: u64, most: u64) -> String {
    let nth = |number: u64| match number {
        1 => "1st".to_string(),
        2 => "2nd".to_string(),
        3 => "3rd".to_string(),
        n => format!("{n}th"),
    };
    match least == most {
        true => nth(least),
        false => format!("{} to {}", nth(least), nth(most)),
    }
}
