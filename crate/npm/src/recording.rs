//! Recordings of a client or a server, for `snapshot-lab replay`.

use snapshot_replication::{Client, Server};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::replication::{RawClient, RawServer};

#[wasm_bindgen]
impl RawServer {
    /// Makes a server as the constructor does, which records all calls and datagrams that it gets, in up to `bytes_max` bytes.
    pub fn recorded(
        numbers: &[f64],
        names: &str,
        secret: &[u8],
        bytes_max: usize,
    ) -> Result<RawServer, JsError> {
        Self::made(numbers, names, secret, |settings, secret| {
            Server::recorded(settings, secret, bytes_max)
        })
    }

    /// Returns the recording so far; undefined if the server does not record.
    pub fn recording(&self) -> Option<Vec<u8>> {
        self.server.recording().map(<[u8]>::to_vec)
    }
}

#[wasm_bindgen]
impl RawClient {
    /// Makes a client as the constructor does, which records all calls and datagrams that it gets, in up to `bytes_max` bytes.
    pub fn recorded(
        numbers: &[f64],
        names: &str,
        token: &[u8],
        nonce: &[u8],
        bytes_max: usize,
    ) -> Result<RawClient, JsError> {
        Self::made(numbers, names, nonce, |settings, nonce| {
            Client::recorded(settings, token, nonce, bytes_max)
        })
    }

    /// Returns the recording so far; undefined if the client does not record.
    pub fn recording(&self) -> Option<Vec<u8>> {
        self.client.recording().map(<[u8]>::to_vec)
    }
}
