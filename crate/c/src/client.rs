//! The functions of a client.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::slice;

use snapshot_replication::connection::{Status, WORDS_BYTES_MAX};
use snapshot_replication::{Client, ConnectionEvent, Object, Settings, SettingsError};

use crate::settings::{SnapObject, SnapSettings, settings_of};
use crate::{SNAP_BUFFER, borrow, give, guard, list};

/// A client of a server of objects.
pub struct SnapClient {
    pub(crate) client: Client,
    objects: usize,
    mtu: usize,
}

impl SnapClient {
    /// Makes a client from settings and token, and points `*client` to it. `make` creates it.
    ///
    /// # Safety
    /// All pointers are valid; the token has the given length.
    pub(crate) unsafe fn make(
        settings: *const SnapSettings,
        (token, token_length): (*const u8, usize),
        client: *mut *mut SnapClient,
        make: impl FnOnce(Settings, &[u8]) -> Result<Client, SettingsError>,
    ) -> Result<(), u32> {
        // SAFETY: the caller says so, here and below.
        let settings = unsafe { settings_of(settings) }?;
        let token = unsafe { list(token, token_length) }?;
        let made = unsafe { borrow(client) }?;
        let (objects, mtu) = (settings.objects, settings.mtu);
        let client = make(settings, token).map_err(|error| error.number())?;
        *made = Box::into_raw(Box::new(SnapClient {
            client,
            objects,
            mtu,
        }));
        Ok(())
    }
}

/// State of a client: it has asked to join, and waits for an answer.
pub const SNAP_CONNECTING: u32 = 0;
/// State of a client: the server has admitted it.
pub const SNAP_CONNECTED: u32 = 1;
/// State of a client: the server refused it.
pub const SNAP_REFUSED: u32 = 2;
/// State of a client: it ended the connection.
pub const SNAP_CLOSED: u32 = 3;
/// State of a client: the server is full. The client asks again by itself.
pub const SNAP_FULL: u32 = 4;

/// Makes a client. The nonce must be random.
///
/// # Safety
/// All pointers are valid; the token has the given length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_new(
    settings: *const SnapSettings,
    token: *const u8,
    token_length: usize,
    nonce: u64,
    client: *mut *mut SnapClient,
) -> u32 {
    let make = |settings, token: &[u8]| Client::new(settings, token, nonce);
    // SAFETY: the caller says so.
    guard(|| unsafe { SnapClient::make(settings, (token, token_length), client, make) })
}

/// Frees a client; does nothing for null.
///
/// # Safety
/// The client came from snap_client_new, and is not used again.
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

/// Processes a datagram. Returns 0, or the number of the error if it is refused; nothing changes then.
///
/// # Safety
/// All pointers are valid, and `bytes` has the given length.
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

/// Writes the next datagram that is due; a length of 0 if none is. `bytes` must have room for `mtu` bytes, and `*length` must
/// say so.
///
/// # Safety
/// All pointers are valid, and `bytes` has room for `*length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_send(
    client: *mut SnapClient,
    now_ms: f64,
    bytes: *mut u8,
    length: *mut usize,
) -> u32 {
    // SAFETY: the caller says so.
    unsafe { give_datagram(client, bytes, length, |client| client.send(now_ms)) }
}

/// Writes a datagram of a client into a buffer.
///
/// # Safety
/// All pointers are valid, and the buffer has room for `*length` bytes.
unsafe fn give_datagram(
    client: *mut SnapClient,
    bytes: *mut u8,
    length: *mut usize,
    next: impl FnOnce(&mut Client) -> Option<Vec<u8>>,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let SnapClient { client, mtu, .. } = unsafe { borrow(client) }?;
        if *unsafe { borrow(length) }? < *mtu || bytes.is_null() {
            return Err(SNAP_BUFFER);
        }
        let datagram = next(client).unwrap_or_default();
        unsafe { give(&datagram, bytes, length) }
    })
}

/// Writes the objects to draw now. `objects` must have room for as many as the settings have, and `*count` must say so; it
/// becomes the number of objects.
///
/// # Safety
/// All pointers are valid, and `objects` has room for `*count` objects.
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
        let room = unsafe { room(own.objects, objects, count) }?;
        *count = copy(own.client.show(now_ms).iter().copied(), room);
        Ok(())
    })
}

/// Writes tick and objects of the newest snapshot, for games that predict from it; no object before the first. `objects` must
/// have room for as many as the settings have, and `*count` must say so; it becomes the number of objects.
///
/// # Safety
/// All pointers are valid, and `objects` has room for `*count` objects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_newest(
    client: *mut SnapClient,
    tick: *mut u64,
    objects: *mut SnapObject,
    count: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let own = unsafe { borrow(client) }?;
        let count = unsafe { borrow(count) }?;
        let room = unsafe { room(own.objects, objects, count) }?;
        let tick = unsafe { borrow(tick) }?;
        (*tick, *count) = match own.client.newest() {
            Some((newest, objects)) => (newest, copy(objects, room)),
            None => (0, 0),
        };
        Ok(())
    })
}

/// Makes the next snap_client_show show the newest possible instant, if play lags behind: for use after a menu or a loading
/// screen.
///
/// # Safety
/// The client is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_go_live(client: *mut SnapClient) -> u32 {
    guard(|| {
        // SAFETY: the caller says so.
        unsafe { borrow(client) }?.client.go_live();
        Ok(())
    })
}

/// Returns the server's time that snap_client_show showed last, in ticks; below 0 before the first, and for null.
///
/// # Safety
/// The client is valid, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_shown_tick(client: *const SnapClient) -> f64 {
    let mut shown = -1.0;
    guard(|| {
        // SAFETY: the caller says so; it is only read.
        let client = &unsafe { borrow(client.cast_mut()) }?.client;
        shown = client.shown_tick().unwrap_or(shown);
        Ok(())
    });
    shown
}

/// Borrows a buffer of the caller as room for a client's objects.
///
/// # Safety
/// `buffer` has room for `*count` objects.
unsafe fn room<'a>(
    most: usize,
    buffer: *mut SnapObject,
    count: &usize,
) -> Result<&'a mut [MaybeUninit<SnapObject>], u32> {
    if *count < most || buffer.is_null() {
        return Err(SNAP_BUFFER);
    }
    // SAFETY: the caller says so.
    Ok(unsafe { slice::from_raw_parts_mut(buffer.cast(), most) })
}

/// Copies objects into the buffer `room`; returns their number, at most the length of the buffer.
fn copy(objects: impl Iterator<Item = Object>, room: &mut [MaybeUninit<SnapObject>]) -> usize {
    let places = objects.zip(room);
    places
        .map(|(object, place)| place.write((&object).into()))
        .count()
}

/// Returns the state of the connection, such as SNAP_CONNECTED; SNAP_CLOSED for null.
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
            Status::Full => SNAP_FULL,
            _ => SNAP_CLOSED,
        };
        Ok(())
    });
    status
}

/// Event of a client: nothing happened.
pub const SNAP_CLIENT_EVENT_NONE: u32 = 0;
/// Event of a client: the connection begins, or begins anew. The client has a new number.
pub const SNAP_CLIENT_EVENT_CONNECTED: u32 = 1;
/// Event of a client: the path carries other datagrams than before. snap_client_figures says which.
pub const SNAP_CLIENT_EVENT_PATH: u32 = 2;
/// Event of a client: the server runs at another tick rate than before, by more than 15 %. snap_client_figures says at which.
pub const SNAP_CLIENT_EVENT_TICK_RATE: u32 = 3;

/// Returns the number of the next change of the connection, such as SNAP_CLIENT_EVENT_CONNECTED. Call it until it returns
/// SNAP_CLIENT_EVENT_NONE, which it also does for null.
///
/// # Safety
/// The client is valid, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_next_event(client: *mut SnapClient) -> u32 {
    let mut event = SNAP_CLIENT_EVENT_NONE;
    guard(|| {
        // SAFETY: the caller says so.
        let client = &mut unsafe { borrow(client) }?.client;
        let next = client.next_event();
        event = next.map_or(SNAP_CLIENT_EVENT_NONE, ConnectionEvent::number);
        Ok(())
    });
    event
}

/// Upper limit of the length of a refusal's words, bytes, with the zero at their end.
pub const SNAP_WORDS_BYTES: usize = 257;
const _: () = assert!(SNAP_WORDS_BYTES == WORDS_BYTES_MAX + 1);

/// Writes why the client was refused: the game's words, or else the reason. They end with a zero; they are empty if the
/// client was not refused. `words` must have room for SNAP_WORDS_BYTES.
///
/// # Safety
/// The client is valid, and `words` has room for SNAP_WORDS_BYTES.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_refusal(client: *const SnapClient, words: *mut c_char) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below; the client is only read.
        let client = &unsafe { borrow(client.cast_mut()) }?.client;
        let mut words_bytes = client.refusal().unwrap_or_default().into_bytes();
        words_bytes.push(0);
        let mut room = SNAP_WORDS_BYTES;
        unsafe { give(&words_bytes, words.cast(), &mut room) }
    })
}

/// Ends the connection, and writes a datagram that tells the server; a length of 0 if there is no connection. `bytes` must
/// have room for `mtu` bytes, and `*length` must say so.
///
/// # Safety
/// All pointers are valid, and `bytes` has room for `*length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_goodbye(
    client: *mut SnapClient,
    bytes: *mut u8,
    length: *mut usize,
) -> u32 {
    // SAFETY: the caller says so.
    unsafe { give_datagram(client, bytes, length, Client::goodbye) }
}
