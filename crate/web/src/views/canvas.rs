//! Graphics context of a canvas.

use three_d::Context;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

/// Creates a WebGL 2 context on a canvas; antialiasing is fixed from then on.
#[cfg(target_arch = "wasm32")]
#[expect(
    clippy::arc_with_non_send_sync,
    reason = "three-d takes an Arc, and a page has one thread"
)]
pub(super) fn context(canvas: &HtmlCanvasElement, smooth_edges: bool) -> Result<Context, JsError> {
    use web_sys::{WebGl2RenderingContext, WebGlContextAttributes};
    let attributes = WebGlContextAttributes::new();
    attributes.set_antialias(smooth_edges);
    attributes.set_alpha(false);
    let gl = canvas
        .get_context_with_context_options("webgl2", &attributes)
        .ok()
        .flatten()
        .and_then(|context| context.dyn_into::<WebGl2RenderingContext>().ok())
        .ok_or_else(|| JsError::new("this browser gives no WebGL 2"))?;
    let _ = gl.get_extension("EXT_color_buffer_float");
    let context = three_d::context::Context::from_webgl2_context(gl);
    Context::from_gl_context(std::sync::Arc::new(context))
        .map_err(|error| JsError::new(&error.to_string()))
}

/// Returns an error, because there is no canvas outside a browser. So the rest of this crate can be tested natively.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn context(_: &HtmlCanvasElement, _: bool) -> Result<Context, JsError> {
    Err(JsError::new("there is no canvas outside a browser"))
}
