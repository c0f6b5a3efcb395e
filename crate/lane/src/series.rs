//! Time series of figures: the columns of charts, and the downloads.

use super::history::LaneHistory;
use crate::measure::table::Live;
use crate::measure::table::{FIGURES, Figure};

/// Returns a chart's columns one after the other: the times of every tick up to `until_s`, in s, then the values of each row in
/// `figures`. Values that the strategy does not have are NaN.
///
/// No tick is left out: samples of a rate that divides the send rate would always be of the same phase between two snapshots.
pub fn columns(history: &LaneHistory, figures: &[&Figure], until_s: f64, seconds: f64) -> Vec<f64> {
    let is_seen = |live: &&Live| (until_s - seconds..=until_s).contains(&live.time_s);
    let seen: Vec<_> = history.lives().filter(is_seen).collect();
    let values = figures.iter().flat_map(|figure| {
        let value = |live: &&Live| figure.of_tick(live).unwrap_or(f64::NAN);
        seen.iter().map(value)
    });
    let times = seen.iter().map(|live| live.time_s);
    times.chain(values).collect()
}

/// Returns a table as text (RFC 4180): a line for each tick, and a column for each measured value that the run has. A heading
/// is the value's id with its unit.
pub fn csv(history: &LaneHistory) -> String {
    let has = |figure: &&Figure| history.lives().any(|live| figure.of_tick(live).is_some());
    let figures: Vec<&Figure> = FIGURES.iter().filter(has).collect();
    let headings = figures.iter().map(|figure| figure.heading());
    let first = ["tick", "time (s)"].map(str::to_owned).into_iter();
    let mut rows = vec![first.chain(headings).collect::<Vec<_>>().join(",")];
    rows.extend(history.lives().map(|live| {
        let value = |figure: &&Figure| {
            figure
                .of_tick(live)
                .map_or(String::new(), |v| v.to_string())
        };
        let first = [live.tick.to_string(), live.time_s.to_string()].into_iter();
        first
            .chain(figures.iter().map(value))
            .collect::<Vec<_>>()
            .join(",")
    }));
    rows.push(String::new());
    rows.join("\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::played::history;

    #[test]
    fn a_download_has_a_row_a_tick_and_a_column_a_figure_with_its_unit() {
        for (link, has, lacks) in [
            ("grid=5", "position_error_mm.rms (mm)", "pops"),
            ("grid=5&strategy=sync", "divergence_mm.max (mm)", "stalls"),
            ("grid=5&strategy=lockstep", "stalls", "pops"),
        ] {
            let (_, history) = history(link, 120);
            let text = csv(&history);
            let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split(',').collect()).collect();
            assert_eq!(rows.len(), 1 + history.lives().count());
            assert_eq!(rows[0][..3], ["tick", "time (s)", "kbps (kbit/s)"]);
            assert!(rows[0].contains(&has), "{link}");
            assert!(!rows[0].contains(&lacks), "{link}");
            assert!(rows.iter().all(|row| row.len() == rows[0].len()));
            let place = rows[0].iter().position(|heading| *heading == has).unwrap();
            let last = rows.last().unwrap();
            assert_eq!(last[0], "120");
            let id = has.split(' ').next().unwrap();
            let value = Figure::by_id(id).of_tick(history.live(120)).unwrap();
            assert_eq!(last[place].parse::<f64>().unwrap(), value);
        }
    }

    #[test]
    fn a_chart_has_the_asked_columns_over_the_asked_time() {
        let (_, history) = history("grid=5", 120);
        let figures = [Figure::by_id("kbps"), Figure::by_id("pops")];
        let columns = columns(&history, &figures, 2.0, 1.0);
        let (times, values) = columns.split_at(columns.len() / 3);
        assert_eq!(times.len(), 61);
        assert_eq!((times[0], times[60]), (1.0, 2.0));
        assert_eq!(values[60], history.live(120).kbps);
        assert!(values[61..].iter().all(|value| value.is_nan()));
    }

    /// Mean of the newest values of a column.
    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn the_mean_of_a_second_is_the_downloads_wherever_it_stands_between_two_snapshots() {
        let link = "grid=5&loss=0&jitter=0&latency=50&delay=350&scene=katamari";
        let (_, history) = history(link, 246);
        let figure = Figure::by_id("surface_error_mm.mean");
        let text = csv(&history);
        let mut rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>());
        let heading = figure.heading();
        let place = rows.next().unwrap().iter().position(|it| *it == heading);
        let rows: Vec<_> = rows.collect();
        let mut means = Vec::new();
        for until in 240..246 {
            let columns = columns(&history, &[figure], until as f64 / 60.0, 1.0);
            let in_chart = mean(&columns[columns.len() - 60..]);
            let is_newest = |row: &&Vec<&str>| {
                let tick: u64 = row[0].parse().unwrap();
                (until - 59..=until).contains(&tick)
            };
            let newest = rows.iter().filter(is_newest);
            let downloaded: Vec<f64> = newest
                .map(|row| row[place.unwrap()].parse().unwrap())
                .collect();
            assert!((in_chart - mean(&downloaded)).abs() < 1e-9, "tick {until}");
            means.push(in_chart);
        }
        // Ten snapshots a second: the error of every sixth tick would be of one phase.
        assert!(means.iter().all(|it| *it > 0.0), "{means:?}");
    }
}
