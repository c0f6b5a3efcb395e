//! Values on their way to the page's script.

use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Plain objects rather than `Map`, plain numbers rather than `BigInt`.
#[cfg(not(test))]
pub(crate) fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsError> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value
        .serialize(&serializer)
        .map_err(|error| JsError::new(&error.to_string()))
}

/// Keeps the value for the test that holds it to its declared type: natively there is no JavaScript.
#[cfg(test)]
pub(crate) fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsError> {
    let value = serde_json::to_value(value).map_err(|error| JsError::new(&error.to_string()))?;
    GIVEN.with(|given| given.replace(Some(value)));
    Ok(JsValue::UNDEFINED)
}

#[cfg(test)]
thread_local! {
    static GIVEN: std::cell::RefCell<Option<serde_json::Value>> = const { std::cell::RefCell::new(None) };
}

/// Takes the newest value that was on its way to JavaScript; none where that was `undefined`.
#[cfg(test)]
pub(crate) fn take_given() -> Option<serde_json::Value> {
    GIVEN.with(std::cell::RefCell::take)
}
