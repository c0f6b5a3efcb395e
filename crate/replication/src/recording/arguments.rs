//! The arguments with which a client or a server began.

use super::error::RecordingError;
use super::number::{put_bytes, put_number, take_bytes, take_number};
use super::redact::Blank;
use crate::connection::TOKEN_BYTES_MAX;
use crate::flat_settings::{FlatSettings, SETTING_FIELDS};
use crate::{ObjectField, Settings, SettingsError};
use snapshot_view::playout::Playout;

/// Upper limit of the number of declared fields that are read.
const FIELDS_MAX: u64 = snapshot_codec::FIELDS_MAX as u64;

/// Returns how a method of playout is told apart from others with the same numbers.
const fn playout_number(playout: Playout) -> u8 {
    match playout {
        Playout::Adaptive(_) | Playout::Fixed { .. } => 0,
        Playout::FirstPacket { .. } => 1,
        Playout::AtOnce => 2,
    }
}

/// Returns the bytes of settings.
pub(super) fn settings_bytes(settings: &Settings) -> Result<Vec<u8>, SettingsError> {
    let flat = FlatSettings::from(settings);
    let checked = flat.settings(settings.fields.clone());
    checked.map_err(SettingsError::Value)?;
    let mut bytes = vec![SETTING_FIELDS.len() as u8];
    for number in flat.numbers() {
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
    let mut numbers = [0.0; SETTING_FIELDS.len()];
    if usize::from(count) != numbers.len() {
        return Err(RecordingError::Arguments);
    }
    for number in &mut numbers {
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

/// The arguments of a client.
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

/// Returns the bytes of a server's arguments.
pub(super) fn server_bytes(settings: &Settings, blank: Blank) -> Result<Vec<u8>, SettingsError> {
    let mut bytes = vec![blank_number(blank)];
    bytes.extend_from_slice(&settings_bytes(settings)?);
    Ok(bytes)
}

/// Reads a server's arguments.
pub(super) fn read_server(whole: &[u8]) -> Result<Settings, RecordingError> {
    let mut bytes = whole;
    let blank = take_blank(&mut bytes)?;
    let settings = take_settings(&mut bytes)?;
    let is_same = server_bytes(&settings, blank).is_ok_and(|it| it == whole);
    is_same.then_some(settings).ok_or(RecordingError::Arguments)
}
