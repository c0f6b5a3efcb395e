//! Functions that both ends have: inputs, messages, figures, changes of objects and pictures.

use std::mem::MaybeUninit;
use std::slice;

use snapshot_replication::connection::Peer;
use snapshot_replication::inputs::INPUT_BYTES_MAX;
use snapshot_replication::{Figures, MESSAGE_BYTES_MAX, ObjectChanges, ShownInstant};

use crate::client::SnapClient;
use crate::server::SnapServer;
use crate::settings::SnapObject;
use crate::{SNAP_BUFFER, borrow, give, guard, list};

/// A length or count that means "nothing".
pub const SNAP_NOTHING: usize = 0xffff_ffff;
/// Upper limit of an input's length, bytes.
pub const SNAP_INPUT_BYTES: usize = 64;
const _: () = assert!(SNAP_INPUT_BYTES == INPUT_BYTES_MAX);
/// Upper limit of a message's length, bytes.
pub const SNAP_MESSAGE_BYTES: usize = 1000;
const _: () = assert!(SNAP_MESSAGE_BYTES == MESSAGE_BYTES_MAX);
/// Number of the bytes that tell the server which instant a client was showing.
pub const SNAP_SHOWN_BYTES: usize = 19;
const _: () = assert!(SNAP_SHOWN_BYTES == ShownInstant::BYTES);

/// Measurements of a connection at one end. "There" is the way to the other end, "here" the way back. Rates are of the last
/// second.
#[repr(C)]
pub struct SnapFigures {
    /// Smoothed round trip, ms; not a number while it is unknown.
    pub round_trip_ms: f64,
    /// Least round trip of the last 35 to 40 s, ms; not a number while it is unknown.
    pub least_round_trip_ms: f64,
    /// Share of the last datagrams that were lost on the way to the other end, 0 to 1.
    pub lost_there: f64,
    /// Share of the last datagrams that were lost on the way to this end, 0 to 1.
    pub lost_here: f64,
    /// Number of datagrams sent in a second.
    pub sent_datagrams: f64,
    /// Number of bytes sent in a second.
    pub sent_bytes: f64,
    /// Number of datagrams received in a second.
    pub received_datagrams: f64,
    /// Number of bytes received in a second.
    pub received_bytes: f64,
    /// Playout delay of a client, ms; not a number at a server.
    pub delay_ms: f64,
    /// Ticks from an input's arrival at the server to the tick that needs it: a client has the least of 5 s, a server the
    /// newest. Not a number without inputs.
    pub input_margin_ticks: f64,
    /// At a client: number of times that play stood still.
    pub freezes: u64,
    /// At a server: number of ticks without an input.
    pub missing_inputs: u64,
    /// At a server: number of missing inputs that arrived within four seconds after their tick. Other missing inputs were lost.
    pub late_inputs: u64,
    /// At a server: number of useful inputs that arrived first as a copy, in the datagram of a newer input.
    pub repeated_inputs: u64,
    /// Size of the largest datagram that arrives at the other end, where the path carries less than `mtu`; else 0.
    pub path_there_bytes: u64,
    /// Size of the largest datagram that arrives at this end, where the path carries less than `mtu`; else 0.
    pub path_here_bytes: u64,
    /// Number of datagrams and of messages sent once that this end lost because the path is too small for them.
    pub too_large: u64,
    /// At a client: the rate at which the server's ticks arrive, ticks a second; not a number while it is unknown.
    pub server_tick_rate: f64,
    /// The rate at which an end with a budget may send bytes, kbit/s; else not a number.
    pub budget_kbps: f64,
    /// At a client with a budget: number of objects that it sees, and of which the server knows it to have no state yet.
    pub missing_objects: u64,
    /// Number of messages that this end refused because their queue was full.
    pub refused_messages: u64,
    /// Number of messages to be sent once that this end refused, as their queue was full or the budget had no room for them.
    pub refused_says: u64,
}

impl From<Figures> for SnapFigures {
    fn from(figures: Figures) -> Self {
        let known = |figure: Option<f64>| figure.unwrap_or(f64::NAN);
        let bytes = |limit: Option<usize>| limit.unwrap_or_default() as u64;
        Self {
            round_trip_ms: known(figures.round_trip_ms),
            least_round_trip_ms: known(figures.least_round_trip_ms),
            lost_there: figures.lost_there,
            lost_here: figures.lost_here,
            sent_datagrams: figures.sent.datagrams,
            sent_bytes: figures.sent.bytes,
            received_datagrams: figures.received.datagrams,
            received_bytes: figures.received.bytes,
            delay_ms: known(figures.delay_ms),
            input_margin_ticks: known(figures.input_margin_ticks),
            freezes: figures.freezes,
            missing_inputs: figures.inputs.missing,
            late_inputs: figures.inputs.late,
            repeated_inputs: figures.inputs.repeated,
            path_there_bytes: bytes(figures.path.there_bytes),
            path_here_bytes: bytes(figures.path.here_bytes),
            too_large: figures.too_large,
            server_tick_rate: known(figures.server_tick_rate),
            budget_kbps: known(figures.budget_kbps),
            missing_objects: figures.missing_objects as u64,
            refused_messages: figures.refused_messages,
            refused_says: figures.refused_says,
        }
    }
}

/// Writes the bytes of `next`, at most `most`, into a buffer. If it has none, the length becomes SNAP_NOTHING.
///
/// # Safety
/// All pointers are valid, and the buffer has room for `most` bytes.
unsafe fn give_some(
    most: usize,
    bytes: *mut u8,
    length: *mut usize,
    next: impl FnOnce() -> Option<Vec<u8>>,
) -> Result<(), u32> {
    // SAFETY: the caller says so, here and below.
    let room = unsafe { borrow(length) }?;
    if *room < most || bytes.is_null() {
        return Err(SNAP_BUFFER);
    }
    match next() {
        Some(given) => unsafe { give(&given, bytes, length) },
        None => {
            *room = SNAP_NOTHING;
            Ok(())
        }
    }
}

/// Writes the ids of the objects that appeared, and of those that ended.
///
/// # Safety
/// All pointers are valid, and both lists have room for the ids.
unsafe fn give_changes(
    changes: &ObjectChanges,
    ids: [*mut u32; 2],
    counts: [*mut usize; 2],
) -> Result<(), u32> {
    for ((ids, count), given) in ids
        .into_iter()
        .zip(counts)
        .zip([&changes.appeared, &changes.ended])
    {
        // SAFETY: the caller says so, here and below.
        let count = unsafe { borrow(count) }?;
        if *count < given.len() || ids.is_null() {
            return Err(SNAP_BUFFER);
        }
        unsafe { ids.copy_from_nonoverlapping(given.as_ptr(), given.len()) };
        *count = given.len();
    }
    Ok(())
}

/// Writes the next tick for which the game must give an input; 0 if none is due. Call it at each frame until it writes 0.
///
/// # Safety
/// All pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_next_input(
    client: *mut SnapClient,
    now_ms: f64,
    tick: *mut u64,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let client = &mut unsafe { borrow(client) }?.client;
        let tick = unsafe { borrow(tick) }?;
        *tick = client.next_input(now_ms).unwrap_or_default();
        Ok(())
    })
}

/// Takes the player's input for a tick that was due: at most SNAP_INPUT_BYTES. The client sends it repeatedly until the
/// server has it.
///
/// # Safety
/// All pointers are valid, and `bytes` has the given length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_input(
    client: *mut SnapClient,
    tick: u64,
    bytes: *const u8,
    length: usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let client = &mut unsafe { borrow(client) }?.client;
        let bytes = unsafe { list(bytes, length) }?;
        client.input(tick, bytes).map_err(|error| error.number())
    })
}

/// Writes a client's input for a tick; a length of SNAP_NOTHING if it is missing. Ask for each tick in order, before
/// snap_server_tick. `bytes` must have room for SNAP_INPUT_BYTES, and `*length` must say so.
///
/// # Safety
/// All pointers are valid, and `bytes` has room for `*length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_input(
    server: *mut SnapServer,
    peer: u32,
    tick: u64,
    bytes: *mut u8,
    length: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let server = &mut unsafe { borrow(server) }?.server;
        let next = || server.input(Peer::from_number(peer), tick);
        unsafe { give_some(SNAP_INPUT_BYTES, bytes, length, next) }
    })
}

/// Sends a message to the server, of at most SNAP_MESSAGE_BYTES: reliably and in order or, with `once`, a single time, so
/// that it may be lost.
///
/// # Safety
/// All pointers are valid, and `bytes` has the given length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_message(
    client: *mut SnapClient,
    bytes: *const u8,
    length: usize,
    once: u32,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let client = &mut unsafe { borrow(client) }?.client;
        let bytes = unsafe { list(bytes, length) }?;
        let taken = match once {
            0 => client.message(bytes),
            _ => client.say(bytes),
        };
        taken.map_err(|error| error.number())
    })
}

/// Writes the server's next message; a length of SNAP_NOTHING if there is none. `bytes` must have room for
/// SNAP_MESSAGE_BYTES, and `*length` must say so.
///
/// # Safety
/// All pointers are valid, and `bytes` has room for `*length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_next_message(
    client: *mut SnapClient,
    bytes: *mut u8,
    length: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let client = &mut unsafe { borrow(client) }?.client;
        unsafe { give_some(SNAP_MESSAGE_BYTES, bytes, length, || client.next_message()) }
    })
}

/// Sends a message to a client, as snap_client_message does to the server.
///
/// # Safety
/// All pointers are valid, and `bytes` has the given length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_message(
    server: *mut SnapServer,
    peer: u32,
    bytes: *const u8,
    length: usize,
    once: u32,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let server = &mut unsafe { borrow(server) }?.server;
        let bytes = unsafe { list(bytes, length) }?;
        let peer = Peer::from_number(peer);
        let taken = match once {
            0 => server.message(peer, bytes),
            _ => server.say(peer, bytes),
        };
        taken.map_err(|error| error.number())
    })
}

/// Writes the next message of a client, and the client's number; a length of SNAP_NOTHING if there is none. `bytes` must have
/// room for SNAP_MESSAGE_BYTES, and `*length` must say so.
///
/// # Safety
/// All pointers are valid, and `bytes` has room for `*length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_next_message(
    server: *mut SnapServer,
    peer: *mut u32,
    bytes: *mut u8,
    length: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let server = &mut unsafe { borrow(server) }?.server;
        let whose = unsafe { borrow(peer) }?;
        let next = || {
            let (peer, bytes) = server.next_message()?;
            *whose = peer.number();
            Some(bytes)
        };
        unsafe { give_some(SNAP_MESSAGE_BYTES, bytes, length, next) }
    })
}

/// Writes the measurements of a client's connection.
///
/// # Safety
/// All pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_figures(
    client: *const SnapClient,
    figures: *mut SnapFigures,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below; the client is only read.
        let client = &unsafe { borrow(client.cast_mut()) }?.client;
        *unsafe { borrow(figures) }? = client.figures().into();
        Ok(())
    })
}

/// Writes the measurements of the connection to a client; zeros if there is no such client.
///
/// # Safety
/// All pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_figures(
    server: *const SnapServer,
    peer: u32,
    figures: *mut SnapFigures,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below; the server is only read.
        let server = &unsafe { borrow(server.cast_mut()) }?.server;
        let measured = server.figures(Peer::from_number(peer)).unwrap_or_default();
        *unsafe { borrow(figures) }? = measured.into();
        Ok(())
    })
}

/// Writes the ids of the objects that appeared, and of those that ended, with the last snap_client_show. Both lists must have
/// room for as many ids as the settings have objects, and the counts must say so.
///
/// # Safety
/// All pointers are valid, and both lists have room for as many ids as the counts say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_changes(
    client: *const SnapClient,
    appeared: *mut u32,
    appeared_count: *mut usize,
    ended: *mut u32,
    ended_count: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below; the client is only read.
        let client = &unsafe { borrow(client.cast_mut()) }?.client;
        unsafe {
            give_changes(
                client.changes(),
                [appeared, ended],
                [appeared_count, ended_count],
            )
        }
    })
}

/// Writes the ids of the objects that appeared, and of those that ended, in the last tick. Both lists must have room for as
/// many ids as the settings have objects, and the counts must say so.
///
/// # Safety
/// All pointers are valid, and both lists have room for as many ids as the counts say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_changes(
    server: *const SnapServer,
    appeared: *mut u32,
    appeared_count: *mut usize,
    ended: *mut u32,
    ended_count: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below; the server is only read.
        let server = &unsafe { borrow(server.cast_mut()) }?.server;
        unsafe {
            give_changes(
                server.changes(),
                [appeared, ended],
                [appeared_count, ended_count],
            )
        }
    })
}

/// Returns the number that the server gave this client; 0 while it is not connected, and for null.
///
/// # Safety
/// The client is valid, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_peer(client: *const SnapClient) -> u32 {
    let mut own = 0;
    guard(|| {
        // SAFETY: the caller says so; it is only read.
        let peer = unsafe { borrow(client.cast_mut()) }?.client.peer();
        own = peer.map_or(0, Peer::number);
        Ok(())
    });
    own
}

/// Returns the number of the client at an address; 0 if there is none.
///
/// # Safety
/// The server is valid, or null; the address has the given length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_peer(
    server: *const SnapServer,
    address: *const u8,
    address_length: usize,
) -> u32 {
    let mut found = 0;
    guard(|| {
        // SAFETY: the caller says so, here and below; the server is only read.
        let server = &unsafe { borrow(server.cast_mut()) }?.server;
        let address = unsafe { list(address, address_length) }?.to_vec();
        found = server.peer(&address).map_or(0, Peer::number);
        Ok(())
    });
    found
}

/// Writes SNAP_SHOWN_BYTES that name the instant which snap_client_show showed last; zeros before the first. A client that
/// shoots sends them in its input.
///
/// # Safety
/// The client is valid, and `shown` has room for SNAP_SHOWN_BYTES.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_client_shown(client: *const SnapClient, shown: *mut u8) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below; the client is only read.
        let client = &unsafe { borrow(client.cast_mut()) }?.client;
        let bytes = client.shown_instant().map(|it| it.to_bytes());
        let mut room = SNAP_SHOWN_BYTES;
        unsafe { give(&bytes.unwrap_or([0; SNAP_SHOWN_BYTES]), shown, &mut room) }
    })
}

/// Writes the objects as a client drew them, exact to the bit, by the SNAP_SHOWN_BYTES of that client; a count of
/// SNAP_NOTHING after 1.5 s. `objects` must have room for as many as the settings have, and `*count` must say so.
///
/// # Safety
/// All pointers are valid, and `objects` has room for `*count` objects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_seen(
    server: *const SnapServer,
    peer: u32,
    shown: *const u8,
    objects: *mut SnapObject,
    count: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below; the server is only read.
        let server = &unsafe { borrow(server.cast_mut()) }?.server;
        let shown = ShownInstant::from_bytes(unsafe { list(shown, SNAP_SHOWN_BYTES) }?);
        let seen = shown.and_then(|shown| server.seen(Peer::from_number(peer), &shown));
        let count = unsafe { borrow(count) }?;
        let Some(seen) = seen else {
            *count = SNAP_NOTHING;
            return Ok(());
        };
        if *count < seen.len() || objects.is_null() {
            return Err(SNAP_BUFFER);
        }
        let room: &mut [MaybeUninit<SnapObject>] =
            unsafe { slice::from_raw_parts_mut(objects.cast(), seen.len()) };
        for (object, place) in seen.iter().zip(room) {
            place.write(object.into());
        }
        *count = seen.len();
        Ok(())
    })
}
