//! Panic handling: a panic shows a sentence on the page instead of freezing it.

use std::cell::RefCell;
use std::sync::Once;
use wasm_bindgen::prelude::*;

thread_local! {
    static TELL: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

/// Registers a function that receives the message of a panic. The wasm cannot be used after that.
#[wasm_bindgen]
pub fn on_panic(tell: js_sys::Function) {
    static HOOK: Once = Once::new();
    TELL.set(Some(tell));
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let message = JsValue::from_str(&info.to_string());
            TELL.with_borrow(|tell| {
                // The receiver may fail as well, and there is nobody left to hear of that.
                let _ = tell
                    .as_ref()
                    .map(|tell| tell.call1(&JsValue::NULL, &message));
            });
        }));
    });
}
