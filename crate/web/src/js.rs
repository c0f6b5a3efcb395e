//! Conversion of values for the page's script.

use js_sys::{Array, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::{Error, Serializer};
use std::fmt::Display;
use wasm_bindgen::prelude::*;

/// Converts a value to JavaScript: plain objects rather than `Map`, plain numbers rather than `BigInt`, bytes as a `Uint8Array`. A value of nothing
/// becomes undefined.
///
/// # Errors
/// Those of `serialise`, which gets the serialiser.
pub(crate) fn to_js(
    serialise: impl FnOnce(&Serializer) -> Result<Result<JsValue, Error>, JsError>,
) -> Result<JsValue, JsError> {
    let serializer = Serializer::json_compatible().serialize_bytes_as_arrays(false);
    let value = serialise(&serializer)?.map_err(refused)?;
    Ok(if value.is_null() {
        JsValue::UNDEFINED
    } else {
        value
    })
}

/// Converts a value that cannot be refused.
pub(crate) fn given_to_js(value: &impl Serialize) -> Result<JsValue, JsError> {
    to_js(|to| Ok(value.serialize(to)))
}

/// Converts datagrams to an array of `Uint8Array`.
pub(crate) fn datagrams_to_js(datagrams: impl IntoIterator<Item = Vec<u8>>) -> Array {
    let datagrams = datagrams.into_iter();
    datagrams
        .map(|datagram| Uint8Array::from(datagram.as_slice()))
        .collect()
}

/// Reads a value of JavaScript.
///
/// # Errors
/// When the value has another type.
pub(crate) fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, JsError> {
    serde_wasm_bindgen::from_value(value).map_err(refused)
}

/// Returns an error as an exception with its sentence.
pub(crate) fn refused(error: impl Display) -> JsError {
    JsError::new(&error.to_string())
}
