//! The client.

use snapshot_replication::Client;
use snapshot_replication::connection::Status;

use crate::settings::{SnapObject, SnapSettings, settings_of};
use crate::{SNAP_BUFFER, borrow, give, guard, list};

/// A client.
pub struct SnapClient {
    client: Client,
    objects: usize,
    mtu: usize,
}

/// It asks the server.
pub const SNAP_CONNECTING: u32 = 0;
/// The server has admitted it.
pub const SNAP_CONNECTED: u32 = 1;
/// The server refused it.
pub const SNAP_REFUSED: u32 = 2;
/// It said goodbye.
pub const SNAP_CLOSED: u32 = 3;

/// Makes a client. The nonce is random.
///
/// # Safety
/// All pointers are valid; the token has so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_new(
    settings: *const SnapSettings,
    token: *const u8,
    token_length: usize,
    nonce: u64,
    client: *mut *mut SnapClient,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let settings = unsafe { settings_of(settings) }?;
        let token = unsafe { list(token, token_length) }?;
        let made = unsafe { borrow(client) }?;
        let (objects, mtu) = (settings.objects, settings.mtu);
        let client = Client::new(settings, token, nonce).map_err(|error| error.number())?;
        *made = Box::into_raw(Box::new(SnapClient {
            client,
            objects,
            mtu,
        }));
        Ok(())
    })
}

/// Frees a client; null is nothing.
///
/// # Safety
/// It came from snap_client_new, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_free(client: *mut SnapClient) {
    guard(|| {
        if !client.is_null() {
            // SAFETY: the caller says so.
            drop(unsafe { Box::from_raw(client) });
        }
        Ok(())
    });
}

/// Takes a datagram. A number other than 0 is of its refusal; nothing changed then.
///
/// # Safety
/// All pointers are valid, with so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_receive(
    client: *mut SnapClient,
    now_ms: f64,
    bytes: *const u8,
    length: usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let client = &mut unsafe { borrow(client) }?.client;
        let bytes = unsafe { list(bytes, length) }?;
        let taken = client.receive(now_ms, bytes);
        taken.map_err(|reason| reason.number())
    })
}

/// Gives the next datagram that is due; a length of 0 says that none is. `bytes` has room for mtu bytes, which `*length` says.
///
/// # Safety
/// All pointers are valid, with room for so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_send(
    client: *mut SnapClient,
    now_ms: f64,
    bytes: *mut u8,
    length: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let SnapClient { client, mtu, .. } = unsafe { borrow(client) }?;
        if *unsafe { borrow(length) }? < *mtu {
            return Err(SNAP_BUFFER);
        }
        let datagram = client.send(now_ms).unwrap_or_default();
        unsafe { give(&datagram, bytes, length) }
    })
}

/// Gives the objects to draw now. `objects` has room for the settings' number, which `*count` says; it becomes theirs.
///
/// # Safety
/// All pointers are valid, with room for so many objects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_show(
    client: *mut SnapClient,
    now_ms: f64,
    objects: *mut SnapObject,
    count: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let own = unsafe { borrow(client) }?;
        let count = unsafe { borrow(count) }?;
        if *count < own.objects || objects.is_null() {
            return Err(SNAP_BUFFER);
        }
        let shown = own.client.show(now_ms);
        for (index, object) in shown.iter().enumerate() {
            // There are no more than the settings' number.
            unsafe { objects.add(index).write(object.into()) };
        }
        *count = shown.len();
        Ok(())
    })
}

/// The state of the connection; SNAP_CLOSED for null.
///
/// # Safety
/// The client is valid, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_status(client: *const SnapClient) -> u32 {
    let mut status = SNAP_CLOSED;
    guard(|| {
        // SAFETY: the caller says so; it is only read.
        status = match unsafe { borrow(client.cast_mut()) }?.client.status() {
            Status::Connecting => SNAP_CONNECTING,
            Status::Connected => SNAP_CONNECTED,
            Status::Refused(..) => SNAP_REFUSED,
            Status::Closed => SNAP_CLOSED,
        };
        Ok(())
    });
    status
}
