//! The arguments with which a recorded client or server was created: settings, and for a client also token and nonce.

use super::error::RecordingError;
use super::number::{put_bytes, put_number, take_bytes, take_number};
use super::redact::Blank;
use crate::connection::TOKEN_BYTES_MAX;
use crate::flat_settings::{FlatSettings, SETTING_FIELDS};
use crate::{ObjectField, Settings, SettingsError};
use snapshot_view::playout::Playout;

/// Number of settings in each recording. Later settings follow only up to the last that differs from its default. So older
/// recordings can be read.
const NUMBERS_MIN: usize = 27;
/// Upper limit of the number of declared fields in a recording.
const FIELDS_MAX: u64 = snapshot_codec::FIELDS_MAX as u64;

/// Returns the number of a playout method. It tells methods apart that have the same numbers in [`FlatSettings`].
const fn playout_number(playout: Playout) -> u8 {
    match playout {
        Playout::Adaptive(_) | Playout::Fixed { .. } => 0,
        Playout::FirstPacket { .. } => 1,
        Playout::AtOnce => 2,
    }
}

fn usual_numbers() -> [f64; SETTING_FIELDS.len()] {
    FlatSettings::from(&Settings::new(1)).numbers()
}

/// Returns the settings as bytes of a recording.
pub(super) fn settings_bytes(settings: &Settings) -> Result<Vec<u8>, SettingsError> {
    let flat = FlatSettings::from(settings);
    let checked = flat.settings(settings.fields.clone());
    checked.map_err(SettingsError::Value)?;
    let (numbers, usual) = (flat.numbers(), usual_numbers());
    let last = (NUMBERS_MIN..numbers.len()).rfind(|&at| numbers[at].total_cmp(&usual[at]).is_ne());
    let count = last.map_or(NUMBERS_MIN, |last| last + 1);
    let mut bytes = vec![count as u8];
    for &number in &numbers[..count] {
        // Each NaN means the same.
        let number = if number.is_nan() { f64::NAN } else { number };
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    bytes.push(playout_number(settings.playout));
    put_number(settings.fields.len() as u64, &mut bytes);
    for field in &settings.fields {
        put_bytes(field.name.as_bytes(), &mut bytes);
        bytes.extend([field.bits as u8, u8::from(field.counter)]);
    }
    Ok(bytes)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], RecordingError> {
    let (taken, rest) = bytes.split_first_chunk().ok_or(RecordingError::Arguments)?;
    *bytes = rest;
    Ok(*taken)
}

fn take_field(bytes: &mut &[u8]) -> Result<ObjectField, RecordingError> {
    let name = take_bytes(bytes).ok_or(RecordingError::Arguments)?;
    let name = std::str::from_utf8(name).map_err(|_| RecordingError::Arguments)?;
    let [bits, counter] = take(bytes)?;
    Ok(ObjectField {
        counter: counter == 1,
        ..ObjectField::new(name, bits.into())
    })
}

pub(super) fn take_settings(bytes: &mut &[u8]) -> Result<Settings, RecordingError> {
    let [count] = take(bytes)?;
    let mut numbers = usual_numbers();
    let recorded = Some(usize::from(count)).filter(|count| *count >= NUMBERS_MIN);
    let recorded = recorded.and_then(|count| numbers.get_mut(..count));
    for number in recorded.ok_or(RecordingError::Arguments)? {
        *number = f64::from_be_bytes(take(bytes)?);
    }
    let [playout] = take(bytes)?;
    let count = take_number(bytes).filter(|count| *count <= FIELDS_MAX);
    let fields = 0..count.ok_or(RecordingError::Arguments)?;
    let fields = fields.map(|_| take_field(bytes));
    let fields = fields.collect::<Result<_, _>>()?;
    let flat = FlatSettings::from_numbers(&numbers).ok_or(RecordingError::Arguments)?;
    let settings = flat.settings(fields).map_err(RecordingError::Settings)?;
    Ok(Settings {
        playout: match playout {
            0 => settings.playout,
            1 => Playout::FirstPacket {
                delay_ms: flat.delay_ms,
            },
            2 => Playout::AtOnce,
            _ => return Err(RecordingError::Arguments),
        },
        ..settings
    })
}

const fn blank_number(blank: Blank) -> u8 {
    match blank {
        Blank::Secrets => 0,
        Blank::Nothing => 1,
    }
}

fn take_blank(bytes: &mut &[u8]) -> Result<Blank, RecordingError> {
    let all = [Blank::Secrets, Blank::Nothing];
    let [number] = take(bytes)?;
    let blank = all.into_iter().find(|blank| blank_number(*blank) == number);
    blank.ok_or(RecordingError::Arguments)
}

#[derive(Debug, PartialEq)]
pub(super) struct ClientArguments {
    pub(super) settings: Settings,
    pub(super) token: Vec<u8>,
    pub(super) nonce: u64,
}

impl ClientArguments {
    pub(super) fn bytes(
        settings: &Settings,
        token: &[u8],
        nonce: u64,
        blank: Blank,
    ) -> Result<Vec<u8>, SettingsError> {
        let mut bytes = vec![blank_number(blank)];
        bytes.extend_from_slice(&settings_bytes(settings)?);
        bytes.extend_from_slice(&nonce.to_be_bytes());
        bytes.extend_from_slice(token);
        Ok(bytes)
    }

    pub(super) fn read(whole: &[u8]) -> Result<Self, RecordingError> {
        let mut bytes = whole;
        let blank = take_blank(&mut bytes)?;
        let arguments = Self {
            settings: take_settings(&mut bytes)?,
            nonce: u64::from_be_bytes(take(&mut bytes)?),
            token: bytes.to_vec(),
        };
        let Self {
            settings,
            token,
            nonce,
        } = &arguments;
        let written = Self::bytes(settings, token, *nonce, blank);
        let is_same = token.len() <= TOKEN_BYTES_MAX && written.is_ok_and(|it| it == whole);
        is_same
            .then_some(arguments)
            .ok_or(RecordingError::Arguments)
    }
}

/// Returns the bytes of a server's arguments: its settings, and the rule for tokens and messages.
pub(super) fn server_bytes(settings: &Settings, blank: Blank) -> Result<Vec<u8>, SettingsError> {
    let mut bytes = vec![blank_number(blank)];
    bytes.extend_from_slice(&settings_bytes(settings)?);
    Ok(bytes)
}

/// Reads a server's arguments from a recording.
pub(super) fn read_server(whole: &[u8]) -> Result<Settings, RecordingError> {
    let mut bytes = whole;
    let blank = take_blank(&mut bytes)?;
    let settings = take_settings(&mut bytes)?;
    let is_same = server_bytes(&settings, blank).is_ok_and(|it| it == whole);
    is_same.then_some(settings).ok_or(RecordingError::Arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_the_numbers_up_to_the_last_unusual_one() {
        for (datagrams_a_packet, upload_kbps, count) in [
            (1, None, NUMBERS_MIN),
            (3, None, NUMBERS_MIN + 1),
            (1, Some(32.0), SETTING_FIELDS.len()),
        ] {
            let settings = Settings {
                budget_kbps: Some(64.0),
                datagrams_a_packet,
                upload_kbps,
                ..Settings::new(9)
            };
            let bytes = server_bytes(&settings, Blank::Secrets).unwrap();
            assert_eq!(usize::from(bytes[1]), count);
            assert_eq!(read_server(&bytes).unwrap(), settings);
            // With other counts of numbers it is none, or not as it is written.
            for count in [NUMBERS_MIN - 1, NUMBERS_MIN, SETTING_FIELDS.len() + 1] {
                let mut other = bytes.clone();
                other[1] = count as u8;
                assert!(other == bytes || read_server(&other).is_err(), "{count}");
            }
        }
    }
}
