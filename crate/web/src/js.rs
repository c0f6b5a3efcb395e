//! Conversion of values for the page's script.

use serde::Serialize;
use std::fmt::Display;
use wasm_bindgen::prelude::*;

/// A value that can be passed to JavaScript. Tests run without JavaScript; there the value's TypeScript type is recorded.
pub(crate) trait Typed: Serialize {
    fn note() {}
}

#[cfg(not(test))]
impl<T: Serialize + ?Sized> Typed for T {}

#[cfg(test)]
impl<T: Serialize + ts_rs::TS + 'static + ?Sized> Typed for T {
    fn note() {
        crate::types::note::<T>();
    }
}

/// Converts a value to JavaScript: plain objects rather than `Map`, plain numbers rather than `BigInt`.
pub(crate) fn to_js<T: Typed + ?Sized>(value: &T) -> Result<JsValue, JsError> {
    T::note();
    if cfg!(test) {
        return Ok(JsValue::UNDEFINED);
    }
    any_to_js(value)
}

/// Converts a value to JavaScript; `None` becomes undefined.
pub(crate) fn some_to_js<T: Typed>(value: Option<T>) -> Result<JsValue, JsError> {
    value.map_or(Ok(JsValue::UNDEFINED), |value| to_js(&value))
}

/// Converts a value that has no TypeScript type of its own.
pub(crate) fn any_to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsError> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value
        .serialize(&serializer)
        .map_err(|error| JsError::new(&error.to_string()))
}

/// Returns an error as an exception with its sentence.
pub(crate) fn refused(error: impl Display) -> JsError {
    JsError::new(&error.to_string())
}
