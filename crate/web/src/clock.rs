//! The browser's clock, for slices of work and for judging codecs: the lab itself has none.

#[cfg(not(test))]
use wasm_bindgen::prelude::*;

#[cfg(not(test))]
#[wasm_bindgen]
extern "C" {
    /// Milliseconds, in a window as in a Worker.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    pub(crate) fn now_ms() -> f64;
}

/// Milliseconds of a clock that goes on by a hundredth at each look.
#[cfg(test)]
pub(crate) fn now_ms() -> f64 {
    thread_local! {
        static LOOKS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }
    LOOKS.with(|looks| f64::from(looks.replace(looks.get() + 1)) / 100.0)
}
