//! Recordings of a client or a server, for `snapshot-lab replay`.

use std::ptr;

use snapshot_replication::{Client, Server};

use crate::client::SnapClient;
use crate::server::SnapServer;
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

/// Makes a server as snap_server_new does, which records all that it is given, in up to `bytes_max` bytes. Tokens, messages and
/// words are zeros in the recording. The secret and addresses are not in it.
///
/// # Safety
/// All pointers are valid; the secret has 16 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_new_recorded(
    settings: *const SnapSettings,
    secret: *const u8,
    bytes_max: usize,
    server: *mut *mut SnapServer,
) -> u32 {
    guard(|| {
        let make = |settings, secret| Server::recorded(settings, secret, bytes_max);
        // SAFETY: the caller says so.
        unsafe { SnapServer::make(settings, secret, server, make) }
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
        unsafe { point(client.recording(), bytes, length) }
    })
}

/// Points `*bytes` to the recording so far, and sets `*length`. Write it to a file for `snapshot-lab replay`. The bytes are
/// valid until the next call with this server. A server that does not record has a length of 0.
///
/// # Safety
/// All pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_recording(
    server: *const SnapServer,
    bytes: *mut *const u8,
    length: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below; the server is only read.
        let server = &unsafe { borrow(server.cast_mut()) }?.server;
        unsafe { point(server.recording(), bytes, length) }
    })
}

/// Hands out a recording without a copy.
///
/// # Safety
/// Both pointers are valid.
unsafe fn point(
    recording: Option<&[u8]>,
    bytes: *mut *const u8,
    length: *mut usize,
) -> Result<(), u32> {
    // SAFETY: the caller says so, here and below.
    let bytes = unsafe { borrow(bytes) }?;
    let length = unsafe { borrow(length) }?;
    (*bytes, *length) = recording.map_or((ptr::null(), 0), |recording| {
        (recording.as_ptr(), recording.len())
    });
    Ok(())
}
