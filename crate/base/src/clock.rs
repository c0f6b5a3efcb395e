//! Times of day and dates as programs print them.

/// Seconds in a day.
const DAY_S: f64 = 86_400.0;

/// A time that a text names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockTime {
    /// Seconds since 1970 for a date of ISO 8601, else since midnight.
    pub seconds: f64,
    /// True without a date: the time starts anew at midnight.
    pub is_time_of_day: bool,
}

impl ClockTime {
    /// Parses a time of ISO 8601 such as `2026-09-20T11:00:00.25Z`, or a time of day such as `11:00:00.25`, perhaps with `PM`.
    /// A date in another order counts as no date. `None` for any other text.
    pub fn parse(text: &str) -> Option<ClockTime> {
        if !text.contains(':') {
            return None;
        }
        let text = text.trim();
        let (date, time) = match text.find(['T', 't', ' ', '_']).map(|at| text.split_at(at)) {
            Some((date, rest)) if !date.contains(':') => (Some(date), &rest[1..]),
            _ => (None, text),
        };
        let days = match date {
            None => None,
            Some(date) => Some(days_of(date)?),
        };
        let (time, offset_s) = without_zone(time.trim())?;
        let (time, half) = match time.to_ascii_uppercase() {
            upper if upper.ends_with("AM") => (&time[..time.len() - 2], Some(0.0)),
            upper if upper.ends_with("PM") => (&time[..time.len() - 2], Some(12.0)),
            _ => (time, None),
        };
        let seconds = of_day(time.trim(), half)?;
        let date = days.flatten();
        Some(ClockTime {
            seconds: date.map_or(seconds, |days| days * DAY_S + seconds - offset_s),
            is_time_of_day: date.is_none(),
        })
    }
}

/// Times of day in the order of a file, as seconds that go on past midnight. Dates stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Days {
    before_s: f64,
    midnights_s: f64,
}

impl Days {
    /// Returns the seconds of the next time.
    pub fn seconds(&mut self, time: ClockTime) -> f64 {
        if !time.is_time_of_day {
            return time.seconds;
        }
        if time.seconds + DAY_S / 2.0 < self.before_s {
            self.midnights_s += DAY_S;
        }
        self.before_s = time.seconds;
        self.midnights_s + time.seconds
    }
}

/// Returns the days from 1970 to a date; `Some(None)` for a date in another order than that of ISO 8601.
fn days_of(date: &str) -> Option<Option<f64>> {
    let parts: Vec<&str> = date.split(['-', '/', '.']).collect();
    let [first, second, third] = parts[..] else {
        return None;
    };
    let number = |text: &str| {
        let is_number = (1..=4).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
        is_number.then(|| text.parse::<i64>().ok()).flatten()
    };
    let (year, month, day) = (number(first)?, number(second)?, number(third)?);
    if first.len() != 4 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return Some(None);
    }
    // Years begin in March, so that the leap day is the last one.
    let shifted = year - i64::from(month <= 2);
    let (era, of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + day_of_year;
    Some(Some((era * 146_097 + day_of_era - 719_468) as f64))
}

/// Splits off a zone such as `Z`, `+02:00` or `UTC`; returns its offset in seconds.
fn without_zone(time: &str) -> Option<(&str, f64)> {
    if let Some(time) = ["Z", "z", " UTC", "UTC", " GMT"]
        .iter()
        .find_map(|zone| time.strip_suffix(zone))
    {
        return Some((time, 0.0));
    }
    let Some(at) = time.rfind(['+', '-']) else {
        return Some((time, 0.0));
    };
    let (time, zone) = time.split_at(at);
    let digits = zone[1..].replace(':', "");
    let minutes: f64 = match (digits.len(), digits.parse::<u32>()) {
        (2, Ok(hours)) => f64::from(60 * hours),
        (4, Ok(both)) => f64::from(60 * (both / 100) + both % 100),
        _ => return None,
    };
    let sign = if zone.starts_with('-') { -60.0 } else { 60.0 };
    Some((time, sign * minutes))
}

/// Parses `11:00:00.25`, `11:00` or, with a fraction, minutes and seconds alone. `half` has the hours that `AM` or `PM` adds.
fn of_day(time: &str, half: Option<f64>) -> Option<f64> {
    let (whole, last) = time.rsplit_once(':')?;
    let mut parts = whole.split(':').map(|part| {
        let is_number = (1..=2).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_digit());
        is_number.then(|| part.parse::<u32>().ok()).flatten()
    });
    let (first, second) = (parts.next()??, parts.next());
    if parts.next().is_some() {
        return None;
    }
    let last = last.replacen(',', ".", 1);
    let is_digit = |it: u8| it.is_ascii_digit() || it == b'.';
    let last: f64 = last
        .bytes()
        .all(is_digit)
        .then(|| last.parse().ok())
        .flatten()?;
    let has_fraction = time.contains(['.', ',']);
    let (hours, minutes, seconds) = match second {
        Some(minutes) => (first, minutes?, last),
        None if has_fraction => (0, first, last),
        None => (first, last as u32, 0.0),
    };
    let hours = match half {
        Some(more) => f64::from(hours % 12) + more,
        None => f64::from(hours),
    };
    let fits = hours < 25.0 && minutes < 60 && seconds < 61.0;
    fits.then_some(3600.0 * hours + 60.0 * f64::from(minutes) + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_and_of_iso_8601_are_read() {
        let date_s = 1_790_000_000.0;
        for (text, seconds, is_time_of_day) in [
            ("2026-09-21T14:13:20Z", date_s, false),
            ("2026-09-21 14:13:20.250", date_s + 0.25, false),
            ("2026-09-21T16:13:20,5+02:00", date_s + 0.5, false),
            ("2026-09-21T09:13:20-0500", date_s, false),
            ("2026/09/21 14:13:20 UTC", date_s, false),
            ("1970-01-01T00:00", 0.0, false),
            ("2000-02-29T00:00:00Z", 951_782_400.0, false),
            ("12:00:00.10", 43_200.1, true),
            ("00:00:01", 1.0, true),
            ("1:02:03 PM", 46_923.0, true),
            ("12:00:00 am", 0.0, true),
            ("01:02.5", 62.5, true),
            ("20.09.2026 11:00:00", 39_600.0, true),
        ] {
            let time = ClockTime::parse(text).expect(text);
            assert!((time.seconds - seconds).abs() < 1e-6, "{text}: {time:?}");
            assert_eq!(time.is_time_of_day, is_time_of_day, "{text}");
        }
        for text in [
            "",
            "12",
            "12.5",
            ":",
            "1:2:3:4",
            "12:61:00",
            "a:b",
            "2026-09-21",
            "12:00:00+x",
            "-1:00:00",
            "::",
            "T",
            "é:00",
            "12:00:nan",
            "99:00:00",
            "2026-9é-1T1:1:1",
        ] {
            assert_eq!(ClockTime::parse(text), None, "{text}");
        }
    }
}
