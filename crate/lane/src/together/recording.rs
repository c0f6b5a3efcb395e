//! The recording of a guest, in the format of the package's recordings: kind `guest`.
//!
//! Received datagrams are stored unchanged: they give no access once the session is over. A
//! replay compares the lengths of the sent datagrams.

use super::Guest;
use serde::{Deserialize, Serialize};
use snapshot_replication::recording::{Hashes, Reader, RecordingError, Replay, Writer, replay_as};
use snapshot_settings::{Predict, Settings, permalink};
use snapshot_view::Pose;
use snapshot_view::interpolate::Interpolation;

/// The kind of a guest's recording.
pub const GUEST_KIND: &str = "guest";
/// Upper limit of a guest's recording, bytes: some ten minutes.
pub(super) const BYTES_MAX: usize = 16 << 20;

/// The call that made a guest.
#[derive(Serialize, Deserialize)]
struct GuestArguments<'a> {
    nonce: u64,
    /// The fragment of the host's link.
    link: &'a str,
}

/// A call of a guest's function.
#[derive(Serialize, Deserialize)]
enum GuestCall<'a> {
    Receive(&'a [u8]),
    Frame {
        keys: u8,
        may_send: bool,
    },
    /// A choice of prediction and interpolation, by their places in all, and of a delay, `None` if it adapts.
    Choose(u8, u8, Option<f64>),
    End,
}

pub(super) struct GuestRecorder(Writer);

impl GuestRecorder {
    pub(super) fn new(settings: &Settings, nonce: u64) -> GuestRecorder {
        let arguments = GuestArguments {
            nonce,
            link: &permalink::format(settings),
        };
        GuestRecorder(Writer::new(GUEST_KIND, &arguments, BYTES_MAX))
    }

    pub(super) fn receive(&mut self, now_ms: f64, datagram: &[u8]) {
        self.0.call(Some(now_ms), &GuestCall::Receive(datagram));
    }

    pub(super) fn frame(&mut self, now_ms: f64, keys: u8, may_send: bool) {
        (self.0).call(Some(now_ms), &GuestCall::Frame { keys, may_send });
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
        let place = place.unwrap_or_default() as u8;
        let call = GuestCall::Choose(predict as u8, place, delay_ms);
        self.0.call(None, &call);
    }

    pub(super) fn end(&mut self) {
        self.0.call(None, &GuestCall::End);
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
fn words(poses: &[Pose]) -> impl Iterator<Item = u32> {
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
    let mut guest = guest_of(&reader.arguments()?).ok_or(RecordingError::Arguments)?;
    replay_as(reader, |now_ms, call, hashes| {
        repeat(&mut guest, now_ms, call, hashes)
    })
}

fn guest_of(made: &GuestArguments<'_>) -> Option<Guest> {
    let (settings, notices) = permalink::parse(made.link);
    let guest = notices
        .is_empty()
        .then(|| Guest::unrecorded(&settings, made.nonce));
    guest?.ok()
}

fn repeat(guest: &mut Guest, now_ms: f64, call: GuestCall<'_>, hashes: &mut Hashes) -> Option<()> {
    match call {
        GuestCall::Receive(datagram) => guest.receive(now_ms, datagram),
        GuestCall::Frame { keys, may_send } => {
            guest.frame(now_ms, keys, may_send);
            hashes.add_shown(words(guest.poses()));
        }
        GuestCall::Choose(predict, interpolation, delay_ms) => guest.choose(
            *Predict::ALL.get(usize::from(predict))?,
            *Interpolation::ALL.get(usize::from(interpolation))?,
            delay_ms,
        ),
        GuestCall::End => guest.end(),
    }
    while let Some(datagram) = guest.next_datagram() {
        add_sent(hashes, &datagram);
    }
    Some(())
}
