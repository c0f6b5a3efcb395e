//! The functions of a server.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use snapshot_replication::connection::Peer;
use snapshot_replication::{DatagramOutcome, Interest, Object, Server};

use crate::settings::{SnapObject, SnapSettings, settings_of};
use crate::{SNAP_ARGUMENT, SNAP_BUFFER, borrow, give, guard, list};

/// A server of objects.
pub struct SnapServer {
    pub(crate) server: Server<Vec<u8>>,
    mtu: usize,
    /// Objects that were left out of the last tick: id, and number of the reason.
    left_out: Vec<(u32, u32)>,
}

/// Result of a datagram: there is nothing to do.
pub const SNAP_TAKEN: u32 = 0;
/// Result of a datagram: send the written bytes back.
pub const SNAP_ANSWER: u32 = 1;
/// Result of a datagram: a client waits to be admitted or refused. The written bytes are its token.
pub const SNAP_JOINS: u32 = 2;

/// Result of processing a datagram.
#[repr(C)]
pub struct SnapReceived {
    /// SNAP_TAKEN, SNAP_ANSWER or SNAP_JOINS.
    pub what: u32,
    /// Number of the client that wants to join.
    pub peer: u32,
}

/// Callback that sends bytes to the address of a client.
pub type SnapSend = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        address: *const u8,
        address_length: usize,
        bytes: *const u8,
        length: usize,
    ),
>;
/// Interest: a client does not see an object.
pub const SNAP_UNSEEN: u32 = 0;
/// Interest: a client sees an object.
pub const SNAP_SEEN: u32 = 1;
/// Interest: a client sees an object, and receives its velocities to predict it.
pub const SNAP_DETAIL: u32 = 2;

/// Callback that returns how a client sees an object: SNAP_UNSEEN, SNAP_SEEN or SNAP_DETAIL. It may change `*priority` from 1.
///
/// Priorities count where the client has a budget: of two objects the one goes first whose priority, times the time since it
/// was sent, is greater. INFINITY goes before all.
pub type SnapSees =
    Option<unsafe extern "C" fn(user: *mut c_void, peer: u32, id: u32, priority: *mut f32) -> u32>;

/// Makes a server. The secret has 16 random bytes, new ones each time.
///
/// # Safety
/// All pointers are valid; the secret has 16 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_new(
    settings: *const SnapSettings,
    secret: *const u8,
    server: *mut *mut SnapServer,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let settings = unsafe { settings_of(settings) }?;
        let secret = unsafe { list(secret, 16) }?;
        let made = unsafe { borrow(server) }?;
        let secret = secret.try_into().map_err(|_| SNAP_ARGUMENT)?;
        let mtu = settings.mtu;
        let server = Server::new(settings, secret).map_err(|error| error.number())?;
        *made = Box::into_raw(Box::new(SnapServer {
            server,
            mtu,
            left_out: Vec::new(),
        }));
        Ok(())
    })
}

/// Frees a server; does nothing for null.
///
/// # Safety
/// The server came from snap_server_new, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_free(server: *mut SnapServer) {
    guard(|| {
        if !server.is_null() {
            // SAFETY: the caller says so.
            drop(unsafe { Box::from_raw(server) });
        }
        Ok(())
    });
}

/// Processes a datagram. Returns 0, or the number of the error if it is refused; nothing changes then. `bytes_out` must have
/// room for `mtu` bytes, and `*length_out` must say so; it becomes the number of written bytes.
///
/// # Safety
/// All pointers are valid, and all buffers have the given lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_receive(
    server: *mut SnapServer,
    now_ms: f64,
    address: *const u8,
    address_length: usize,
    bytes: *const u8,
    length: usize,
    received: *mut SnapReceived,
    bytes_out: *mut u8,
    length_out: *mut usize,
) -> u32 {
    // SAFETY: the caller says so.
    unsafe {
        snap_server_receive_from_host(
            server,
            now_ms,
            address,
            address_length,
            ptr::null(),
            bytes,
            length,
            received,
            bytes_out,
            length_out,
        )
    }
}

/// Processes a datagram as snap_server_receive does. `host` points to a number that all addresses of a host have in common,
/// such as an IPv4 address, or the first half of an IPv6 address: at most eight clients of a host wait to be admitted, so one
/// host keeps nobody else out. It may be null.
///
/// # Safety
/// All pointers but `host` are valid, and all buffers have the given lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_receive_from_host(
    server: *mut SnapServer,
    now_ms: f64,
    address: *const u8,
    address_length: usize,
    host: *const u64,
    bytes: *const u8,
    length: usize,
    received: *mut SnapReceived,
    bytes_out: *mut u8,
    length_out: *mut usize,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let SnapServer { server, mtu, .. } = unsafe { borrow(server) }?;
        let address = unsafe { list(address, address_length) }?.to_vec();
        let bytes = unsafe { list(bytes, length) }?;
        let received = unsafe { borrow(received) }?;
        if *unsafe { borrow(length_out) }? < *mtu || bytes_out.is_null() {
            return Err(SNAP_BUFFER);
        }
        let outcome = match unsafe { host.as_ref() } {
            Some(&host) => server.receive_from_host(now_ms, &address, host, bytes),
            None => server.receive(now_ms, &address, bytes),
        };
        let (what, peer, given) = match outcome {
            DatagramOutcome::Taken => (SNAP_TAKEN, 0, Vec::new()),
            DatagramOutcome::Answer(bytes) => (SNAP_ANSWER, 0, bytes),
            DatagramOutcome::Joins(peer, token) => (SNAP_JOINS, peer.number(), token),
            DatagramOutcome::Refused(reason) => return Err(reason.number()),
        };
        *received = SnapReceived { what, peer };
        unsafe { give(&given, bytes_out, length_out) }
    })
}

/// Admits a client that waits to join, by its peer number. Returns 0 or the number of an error.
///
/// # Safety
/// The server is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_admit(server: *mut SnapServer, peer: u32) -> u32 {
    guard(|| {
        // SAFETY: the caller says so.
        unsafe { borrow(server) }?
            .server
            .admit(Peer::from_number(peer));
        Ok(())
    })
}

/// Refuses a waiting client, or removes a playing one; it is told these words.
///
/// # Safety
/// The server is valid, and the words end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_refuse(
    server: *mut SnapServer,
    peer: u32,
    why: *const c_char,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let server = &mut unsafe { borrow(server) }?.server;
        if why.is_null() {
            return Err(SNAP_ARGUMENT);
        }
        let why = unsafe { CStr::from_ptr(why) };
        server.refuse(
            Peer::from_number(peer),
            why.to_str().map_err(|_| SNAP_ARGUMENT)?,
        );
        Ok(())
    })
}

/// Event: nothing happened.
pub const SNAP_EVENT_NONE: u32 = 0;
/// Event: the client is connected.
pub const SNAP_EVENT_JOINED: u32 = 1;
/// Event: the client has received the objects that it sees.
pub const SNAP_EVENT_PLAYING: u32 = 2;
/// Event: the client ended the connection.
pub const SNAP_EVENT_GOODBYE: u32 = 3;
/// Event: the client left, because the server heard nothing from it for too long.
pub const SNAP_EVENT_SILENCE: u32 = 4;
/// Event: the client left, because another one connected from its address.
pub const SNAP_EVENT_REPLACED: u32 = 5;
/// Event: the client left, because the game refused or removed it.
pub const SNAP_EVENT_REFUSED: u32 = 6;
/// Event: the path to the client carries other datagrams than before. snap_server_figures says which.
pub const SNAP_EVENT_PATH: u32 = 7;
/// Event without a client: earlier events were dropped, as too many waited. snap_server_figures fails for a player
/// who left.
pub const SNAP_EVENT_MISSED: u32 = 8;

/// Writes the next event of an admitted client: the client's number, and a SNAP_EVENT number. Call it until that is
/// SNAP_EVENT_NONE.
///
/// # Safety
/// All pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_next_event(
    server: *mut SnapServer,
    peer: *mut u32,
    event: *mut u32,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let server = &mut unsafe { borrow(server) }?.server;
        let (peer, event) = unsafe { (borrow(peer)?, borrow(event)?) };
        let next = server.next_event();
        *peer = next.and_then(|next| next.peer()).map_or(0, Peer::number);
        *event = next.map_or(SNAP_EVENT_NONE, |next| next.number());
        Ok(())
    })
}

/// Returns the number of connected clients; 0 for null.
///
/// # Safety
/// The server is valid, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_peers(server: *const SnapServer) -> usize {
    let mut peers = 0;
    guard(|| {
        // SAFETY: the caller says so; it is only read.
        peers = unsafe { borrow(server.cast_mut()) }?.server.peers().count();
        Ok(())
    });
    peers
}

/// Sets a client's budget, 8 to 1,000,000 kbit/s with the headers of IP and UDP; a negative value for none. Any other value is
/// refused.
///
/// # Safety
/// The server is valid, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_set_budget(
    server: *mut SnapServer,
    peer: u32,
    kbps: f64,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so.
        let own = unsafe { borrow(server) }?;
        let kbps = if kbps < 0.0 { None } else { Some(kbps) };
        let set = own.server.set_budget(Peer::from_number(peer), kbps);
        set.map_err(|error| error.number())
    })
}

/// Takes the objects of a tick, and sends the datagrams that are due. Without `sees` all clients see all objects. The
/// callbacks must not call the server. Objects that cannot be sent are left out: snap_server_left_out names them.
///
/// # Safety
/// All pointers are valid, and `objects` has the given number; callbacks do not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_tick(
    server: *mut SnapServer,
    now_ms: f64,
    tick: u64,
    objects: *const SnapObject,
    count: usize,
    send: SnapSend,
    sees: SnapSees,
    user: *mut c_void,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below.
        let own = unsafe { borrow(server) }?;
        let objects = unsafe { list(objects, count) }?;
        let send = send.ok_or(SNAP_ARGUMENT)?;
        let objects: Vec<Object> = objects.iter().map(Object::from).collect();
        let sees = |peer: Peer, object: &Object| {
            let mut priority = 1.0;
            let seen = sees.map_or(SNAP_SEEN, |sees| unsafe {
                sees(user, peer.number(), object.id, &raw mut priority)
            });
            match seen {
                SNAP_UNSEEN => Interest::Unseen,
                SNAP_DETAIL => Interest::Detail(priority),
                _ => Interest::Priority(priority),
            }
        };
        let send = |address: &Vec<u8>, bytes: &[u8]| unsafe {
            send(
                user,
                address.as_ptr(),
                address.len(),
                bytes.as_ptr(),
                bytes.len(),
            );
        };
        own.left_out.clear();
        let ticked = own.server.tick(now_ms, tick, &objects, sees, send);
        let left_out = ticked.map_err(|error| error.number())?.iter();
        (own.left_out).extend(left_out.map(|it| (it.id(), it.number())));
        Ok(())
    })
}

/// Writes the id of an object that the last tick left out, and the number of the reason; 0 if `index` is too large. `index`
/// counts from 0.
///
/// # Safety
/// All pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_server_left_out(
    server: *const SnapServer,
    index: usize,
    id: *mut u32,
    why: *mut u32,
) -> u32 {
    guard(|| {
        // SAFETY: the caller says so, here and below; the server is only read.
        let left_out = &unsafe { borrow(server.cast_mut()) }?.left_out;
        let (id, why) = unsafe { (borrow(id)?, borrow(why)?) };
        (*id, *why) = left_out.get(index).copied().unwrap_or_default();
        Ok(())
    })
}
