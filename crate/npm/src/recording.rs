//! Recordings of a client, for `snapshot-lab replay`.

use snapshot_replication::Client;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::replication::RawClient;

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
