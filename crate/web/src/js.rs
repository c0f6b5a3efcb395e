//! Conversion of values for the page's script.

use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Converts a value to JavaScript: plain objects rather than `Map`, plain numbers rather than `BigInt`.
#[cfg(not(test))]
pub(crate) fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsError> {
    any_to_js(value)
}

/// Notes the value's TypeScript type in tests, which run without JavaScript.
#[cfg(test)]
pub(crate) fn to_js<T: Serialize + ts_rs::TS + 'static + ?Sized>(
    value: &T,
) -> Result<JsValue, JsError> {
    let _ = value;
    crate::types::note::<T>();
    Ok(JsValue::UNDEFINED)
}

/// Converts a value that has no TypeScript type of its own.
pub(crate) fn any_to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsError> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value
        .serialize(&serializer)
        .map_err(|error| JsError::new(&error.to_string()))
}
