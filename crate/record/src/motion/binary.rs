//! Motion files as bytes, little-endian: a header, then one row after the other.
//!
//! Header: [`MAGIC`], u32 version, u32 bits of the optional columns. These are 1 linear velocity, 2 angular velocity, 4 half
//! sizes, 8 events. Version 2 also has u32 ticks a second, which are 60 in version 1. A row: u32 tick, u32 object, then f32
//! x, y, z, quaternion x, y, z, w, and three for each of the first three columns. With events a u32 follows: 0 none,
//! 1 jump, 2 end, 3 spawn.

use super::rows::{Columns, MotionRow, MotionRows, RowError};
use super::track::Track;
use super::{JumpSpeed, Motion, MotionError, MotionEvent, OBJECTS_MAX};
use snapshot_base::time::{TickRate, WORLD};
use snapshot_codec::CubeState;
use std::collections::BTreeMap;

pub const MAGIC: [u8; 8] = *b"SLMOTION";
pub const VERSION: u32 = 2;

/// Reads a motion from bytes that begin with the magic number.
///
/// # Errors
/// When the version or a row is refused. The error counts rows from 1.
pub(super) fn read(bytes: &[u8], jumps_over: JumpSpeed) -> Result<Motion, MotionError> {
    let (columns, tick_rate, body) = head(bytes)?;
    let mut rows = MotionRows::new(tick_rate, columns, jumps_over);
    each_row(columns, body, |row| {
        once(row, rows.add(row, row.tick as f64)?)
    })?;
    rows.finish(&mut Vec::new())
}

/// Reads a file's rows at their own times, without resampling.
pub(super) fn read_track(bytes: &[u8], rows_max: usize) -> Result<Track, MotionError> {
    let (columns, tick_rate, body) = head(bytes)?;
    let mut track = Track {
        tells_of_ends: columns.event,
        ..Track::default()
    };
    // The places of objects, by their numbers.
    let mut places = BTreeMap::new();
    let mut rows = 0;
    each_row(columns, body, |row| {
        rows += 1;
        if rows > rows_max {
            return Err(RowError::too_many_rows(rows_max));
        }
        let next = places.len() as u32;
        let object = *places.entry(row.object).or_insert(next);
        let before_s = track.frames_s.last().copied().unwrap_or(0.0);
        let instant_s = row.tick as f64 / f64::from(tick_rate.hz());
        match () {
            () if instant_s < before_s => {
                let before = (before_s * f64::from(tick_rate.hz())).round() as u64;
                Err(RowError::tick_before(row.tick, before))
            }
            () if object as usize >= OBJECTS_MAX => Err(RowError::too_many_objects()),
            () => once(row, track.add(instant_s, &MotionRow { object, ..*row })?),
        }
    })?;
    for (number, place) in places {
        track.objects[place as usize].name = number.to_string();
    }
    match track.frames_s.len() {
        0 | 1 => Err(MotionError::too_short(0)),
        _ => Ok(track),
    }
}

/// Refuses a row that repeats an object and a tick: a recorder that writes bytes writes no row twice.
fn once(row: &MotionRow, is_again: bool) -> Result<(), RowError> {
    match is_again {
        true => Err(RowError::twice(row.object, row.tick)),
        false => Ok(()),
    }
}

fn head(bytes: &[u8]) -> Result<(Columns, TickRate, &[u8]), MotionError> {
    let word = |number: usize| {
        let at = MAGIC.len() + number * size_of::<u32>();
        let word = bytes.get(at..).and_then(<[u8]>::first_chunk);
        word.map_or(0, |word| u32::from_le_bytes(*word))
    };
    let (version, bits) = (word(0), word(1));
    let columns = Columns::from_bits(bits).filter(|_| (1..=VERSION).contains(&version));
    let columns = columns.ok_or_else(|| {
        MotionError(format!(
            "version {version} with columns {bits}: they go to version {VERSION} and columns {}",
            Columns::BITS_MAX
        ))
    })?;
    let (tick_rate, header_words) = match version {
        1 => (WORLD, 2),
        _ => {
            let hz = word(2);
            (TickRate::new(hz).ok_or_else(|| MotionError::rate(hz))?, 3)
        }
    };
    let body = bytes
        .get(MAGIC.len() + header_words * size_of::<u32>()..)
        .unwrap_or_default();
    Ok((columns, tick_rate, body))
}

fn each_row(
    columns: Columns,
    body: &[u8],
    mut take: impl FnMut(&MotionRow) -> Result<(), RowError>,
) -> Result<(), MotionError> {
    let words = 2 + columns.numbers() + usize::from(columns.event);
    let row_bytes = words * size_of::<u32>();
    let mut numbers = Vec::with_capacity(columns.numbers());
    for (number, row) in (1..).zip(body.chunks(row_bytes)) {
        let (words, _) = row.as_chunks::<4>();
        let ([tick, object, rest @ ..], true) = (words, row.len() == row_bytes) else {
            let cause = format!("cut off after {} of {row_bytes} bytes", row.len());
            return Err(RowError::new(cause).at(number));
        };
        let (rest, event) = rest.split_at(columns.numbers().min(rest.len()));
        numbers.clear();
        numbers.extend(rest.iter().map(|word| f32::from_le_bytes(*word)));
        let event = event.first().map_or(0, |word| u32::from_le_bytes(*word));
        let event = MotionEvent::from_number(event)
            .ok_or_else(|| RowError::not_an_event(&event.to_string()).at(number))?;
        let [tick, object] = [tick, object].map(|word| u32::from_le_bytes(*word));
        let row = MotionRow::new(tick.into(), object, &numbers, event, columns);
        take(&row).map_err(|cause| cause.at(number))?;
    }
    Ok(())
}

/// Returns a motion as bytes, with linear velocities, and with events if objects appear, disappear or jump. Objects are
/// numbered in their order. Unchanged objects have no row.
pub fn write(motion: &Motion) -> Vec<u8> {
    let counts = motion.facts.counts;
    // Without a column of events, a reader would look for jumps.
    let fast_steps = counts.faster[JumpSpeed::default().place()];
    let tells_of_jumps = motion.tells_of_jumps() || counts.has_lives() || fast_steps > 0;
    let columns = Columns {
        linear_velocity: true,
        event: tells_of_jumps,
        ..Columns::default()
    };
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&columns.bits().to_le_bytes());
    bytes.extend_from_slice(&motion.tick_rate().hz().to_le_bytes());
    let (mut truth, mut before) = (Vec::new(), Vec::new());
    let last = motion.ticks();
    for tick in motion.truth().ticks() {
        motion.truth().read(tick, &mut truth);
        before.resize(truth.len(), CubeState::EMPTY);
        // The last tick always has a row: of the first present object, else of one that has ended.
        let there = truth.iter().position(|cube| !cube.life.is_empty());
        let teller = (tick == last).then_some(there.unwrap_or(0));
        for (object, (cube, before)) in truth.iter().zip(&before).enumerate() {
            if cube == before && teller != Some(object) {
                continue;
            }
            let event = match (before.life, cube.life) {
                (_, now) if now.is_empty() => MotionEvent::End,
                (before, now) if before == now || tick == 0 => MotionEvent::None,
                (before, _) if before.is_empty() => MotionEvent::Spawn,
                _ => MotionEvent::Jump,
            };
            bytes.extend_from_slice(&(tick as u32).to_le_bytes());
            bytes.extend_from_slice(&(object as u32).to_le_bytes());
            let parts = [&cube.position[..], &cube.orientation, &cube.linear_velocity];
            for number in parts.into_iter().flatten() {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            if columns.event {
                bytes.extend_from_slice(&(event as u32).to_le_bytes());
            }
        }
        before.clone_from(&truth);
    }
    bytes
}
