//! The browser's clock, for time budgets and for timing codecs: the lab itself reads no clock.

#[cfg(not(test))]
use wasm_bindgen::prelude::*;

#[cfg(not(test))]
#[wasm_bindgen]
extern "C" {
    /// Returns the present time of the page or the Worker, ms.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    pub(crate) fn now_ms() -> f64;
}

/// Returns the time of a test clock, ms, which advances by 0.01 ms at each reading.
#[cfg(test)]
pub(crate) fn now_ms() -> f64 {
    thread_local! {
        static LOOKS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }
    LOOKS.with(|looks| f64::from(looks.replace(looks.get() + 1)) / 100.0)
}
