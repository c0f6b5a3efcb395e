//! The recording of a guest, in the format of the package's recordings: kind `guest`.
//!
//! Its arguments are the nonce (u64, highest byte first), the number of bytes of the name (u8), and the fragment of the
//! host's link. The name is not kept. Calls: 1 a datagram that came, 2 a frame with its keys and 128 if it sends nothing,
//! 3 a choice as prediction, interpolation and delay (f64, NaN if it adapts), 4 the goodbye.
//!
//! Received datagrams are stored unchanged: they give no access once the session is over. A replay compares the lengths of
//! the sent datagrams.

use super::Guest;
use crate::strategy::game::Predict;
use snapshot_replication::recording::{
    Call, Hashes, Reader, RecordingError, Replay, Writer, replay_as,
};
use snapshot_settings::{Settings, permalink};
use snapshot_view::Pose;
use snapshot_view::interpolate::Interpolation;

/// The kind of a guest's recording.
pub const GUEST_KIND: &str = "guest";
/// Upper limit of a guest's recording, bytes: some ten minutes.
pub(super) const BYTES_MAX: usize = 16 << 20;

const RECEIVE: u8 = 1;
const FRAME: u8 = 2;
/// Bit beside the keys of a frame that sends nothing.
const HELD_BACK: u8 = 128;
const CHOOSE: u8 = 3;
const END: u8 = 4;

pub(super) struct GuestRecorder(Writer);

impl GuestRecorder {
    pub(super) fn new(settings: &Settings, name: &str, nonce: u64) -> GuestRecorder {
        let mut arguments = nonce.to_be_bytes().to_vec();
        arguments.push(name.len() as u8);
        arguments.extend(permalink::format(settings).bytes());
        GuestRecorder(Writer::new(GUEST_KIND, &arguments, BYTES_MAX))
    }

    pub(super) fn receive(&mut self, now_ms: f64, datagram: &[u8]) {
        self.0.call(RECEIVE, Some(now_ms), datagram);
    }

    pub(super) fn frame(&mut self, now_ms: f64, keys: u8, may_send: bool) {
        let held_back = if may_send { 0 } else { HELD_BACK };
        self.0.call(FRAME, Some(now_ms), &[keys | held_back]);
    }

    pub(super) fn choose(
        &mut self,
        predict: Predict,
        interpolation: Interpolation,
        delay_ms: Option<f64>,
    ) {
        let place = Interpolation::ALL
            .iter()
            .position(|it| *it == interpolation);
        let mut content = vec![predict as u8, place.unwrap_or_default() as u8];
        content.extend(delay_ms.unwrap_or(f64::NAN).to_be_bytes());
        self.0.call(CHOOSE, None, &content);
    }

    pub(super) fn end(&mut self) {
        self.0.call(END, None, &[]);
    }

    pub(super) fn shown(&mut self, poses: &[Pose]) {
        if self.0.is_open() {
            self.0.hashes.add_shown(words(poses));
        }
    }

    pub(super) fn sent(&mut self, datagram: &[u8]) {
        if self.0.is_open() {
            add_sent(&mut self.0.hashes, datagram);
        }
    }

    /// The recording so far.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.0.clone().finish()
    }
}

/// Iterates over the 32-bit words of a picture, from which its hash is computed.
pub(super) fn words(poses: &[Pose]) -> impl Iterator<Item = u32> {
    poses.iter().flat_map(|pose| {
        let [x, y, z] = pose.position.map(f32::to_bits);
        let [i, j, k, w] = pose.orientation.map(f32::to_bits);
        [x, y, z, i, j, k, w]
    })
}

fn add_sent(hashes: &mut Hashes, datagram: &[u8]) {
    hashes.add_sent(&vec![0; datagram.len()]);
}

/// Replays a guest's recording: a new guest gets the same calls, and shows the same frames.
///
/// # Errors
/// When the recording is damaged, or of another kind.
pub fn replay_guest(reader: &Reader<'_>) -> Result<Replay, RecordingError> {
    let mut guest = guest_of(reader.arguments()).ok_or(RecordingError::Arguments)?;
    replay_as(reader, |call, hashes| repeat(&mut guest, call, hashes))
}

fn guest_of(arguments: &[u8]) -> Option<Guest> {
    let (nonce, rest) = arguments.split_first_chunk()?;
    let (name_bytes, link) = rest.split_first()?;
    let (settings, notices) = permalink::parse(std::str::from_utf8(link).ok()?);
    let name = ".".repeat(usize::from(*name_bytes));
    let guest = notices.is_empty().then(|| {
        let nonce = u64::from_be_bytes(*nonce);
        Guest::new_of_token(&settings, &name, nonce)
    });
    guest?.ok()
}

fn repeat(guest: &mut Guest, call: &Call<'_>, hashes: &mut Hashes) -> Option<()> {
    match (call.kind, call.bytes) {
        (RECEIVE, datagram) => guest.receive(call.time_ms, datagram),
        (FRAME, [keys]) => {
            guest.frame(call.time_ms, *keys & !HELD_BACK, *keys & HELD_BACK == 0);
            hashes.add_shown(words(guest.poses()));
        }
        (CHOOSE, [predict, interpolation, delay_ms @ ..]) => {
            let delay_ms = f64::from_be_bytes(delay_ms.try_into().ok()?);
            guest.choose(
                *Predict::ALL.get(usize::from(*predict))?,
                *Interpolation::ALL.get(usize::from(*interpolation))?,
                Some(delay_ms).filter(|ms| !ms.is_nan()),
            );
        }
        (END, []) => guest.end(),
        _ => return None,
    }
    while let Some(datagram) = guest.next_datagram() {
        add_sent(hashes, &datagram);
    }
    Some(())
}
