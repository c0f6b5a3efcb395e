//! Replication for C: `snapshot-replication` behind functions of `include/snapshot.h`, which cbindgen writes from this crate.
//!
//! A handle is an opaque pointer to a client or server, and belongs to one thread at a time. All buffers are the caller's.
//! Each function returns 0 or the number of an error; a panic becomes an error, and never unwinds into C. There are no rules
//! of its own here: `snapshot-replication` checks settings and refuses datagrams.

mod both_ways;
mod client;
mod recording;
mod server;
mod settings;

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use snapshot_replication::error_name;

pub use both_ways::*;
pub use client::*;
pub use recording::*;
pub use server::*;
pub use settings::*;

/// Success.
pub const SNAP_OK: u32 = 0;
/// Error: a fault of the library. The handle may only be freed after that.
pub const SNAP_PANIC: u32 = 1;
/// Error: a null pointer, or a text that is not UTF-8.
pub const SNAP_ARGUMENT: u32 = 2;
/// Error: a buffer is too small. Nothing was taken.
pub const SNAP_BUFFER: u32 = 3;
/// Error: a setting has an invalid value.
pub const SNAP_SETTING: u32 = 4;

/// Runs `body`, which must not unwind into C. Returns the number of its error, SNAP_OK or SNAP_PANIC.
fn guard(body: impl FnOnce() -> Result<(), u32>) -> u32 {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => SNAP_OK,
        Ok(Err(number)) => number,
        Err(_) => SNAP_PANIC,
    }
}

/// Borrows an object of the caller; an error for null.
///
/// # Safety
/// The pointer is null, or points to a valid object that nobody else uses.
unsafe fn borrow<'a, T>(pointer: *mut T) -> Result<&'a mut T, u32> {
    // SAFETY: the caller says so.
    unsafe { pointer.as_mut() }.ok_or(SNAP_ARGUMENT)
}

/// Borrows a list of the caller; null is an empty list.
///
/// # Safety
/// The pointer is null, or points to `count` values.
unsafe fn list<'a, T>(pointer: *const T, count: usize) -> Result<&'a [T], u32> {
    match (pointer.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(SNAP_ARGUMENT),
        // SAFETY: the caller says so.
        (false, _) => Ok(unsafe { slice::from_raw_parts(pointer, count) }),
    }
}

/// Copies bytes into a buffer of the caller, and sets `*length` to their number.
///
/// # Safety
/// `buffer` points to at least `*length` bytes.
unsafe fn give(bytes: &[u8], buffer: *mut u8, length: *mut usize) -> Result<(), u32> {
    // SAFETY: the caller says so.
    let length = unsafe { borrow(length) }?;
    if bytes.len() > *length || buffer.is_null() {
        return Err(SNAP_BUFFER);
    }
    // SAFETY: it has room for that many, as just checked.
    unsafe { buffer.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    *length = bytes.len();
    Ok(())
}

/// Returns the text of the error with this number. It is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn snap_error_name(number: u32) -> *const c_char {
    let name: &CStr = match number {
        SNAP_OK => c"ok",
        SNAP_PANIC => c"a fault of the library",
        SNAP_ARGUMENT => c"a null pointer, or a text that is not UTF-8",
        SNAP_BUFFER => c"a buffer that is too small",
        SNAP_SETTING => c"a setting that is none of its values",
        _ => error_name(number).unwrap_or(c"unknown"),
    };
    name.as_ptr()
}
