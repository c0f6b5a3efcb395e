//! Questions of the page's script that need no session.

use crate::js::{from_js, refused, to_js};
use snapshot_app::query::files;
use wasm_bindgen::prelude::*;

/// Answers a question about a file, by its bytes, or about a link. The type of the answer follows from the question.
///
/// # Errors
/// When the question cannot be answered.
#[wasm_bindgen(skip_typescript)]
pub fn look_up(question: JsValue, bytes: &[u8]) -> Result<JsValue, JsError> {
    to_js(|to| files::answer(bytes, from_js(question)?, to).map_err(refused))
}
