//! Recordings of a client, for `snapshot-lab replay`.

use std::ptr;

use snapshot_replication::Client;

use crate::client::SnapClient;
use crate::settings::SnapSettings;
use crate::{borrow, guard};

/// Makes a client as snap_client_new does, which records all that it is given, in up to `bytes_max` bytes. Tokens, messages and
/// words are zeros in the recording.
///
/// # Safety
/// All pointers are valid; the token has the given length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_new_recorded(
    settings: *const SnapSettings,
    token: *const u8,
    token_length: usize,
    nonce: u64,
    bytes_max: usize,
    client: *mut *mut SnapClient,
) -> u32 {
    guard(|| {
        let make = |settings, token: &[u8]| Client::recorded(settings, token, nonce, bytes_max);
        // SAFETY: the caller says so.
        unsafe { SnapClient::make(settings, (token, token_length), client, make) }
    })
}

/// Points `*bytes` to the recording so far, and sets `*length`. Write it to a file for `snapshot-lab replay`. The bytes are
/// valid until the next call with this client. A client that does not record has a length of 0.
///
/// # Safety
/// All pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_recording(
    client: *const SnapClient,
    bytes: *mut *const u8,
    length: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below; the client is only read.
        let client = &unsafe { borrow(client.cast_mut()) }?.client;
        let bytes = unsafe { borrow(bytes) }?;
        let length = unsafe { borrow(length) }?;
        (*bytes, *length) = client.recording().map_or((ptr::null(), 0), |recording| {
            (recording.as_ptr(), recording.len())
        });
        Ok(())
    })
}
