//! The trade-off between bandwidth and error for the page's script: lanes with varied settings over the tape's motion.

use crate::clock::work_for;
use crate::js::to_js;
use crate::page::Page;
use snapshot_analysis::trade::{self, TradeError, VariedSetting};
use wasm_bindgen::prelude::*;

/// A comparison of settings in progress, lane after lane over one motion. A change of the motion needs a new one.
#[wasm_bindgen]
pub struct Trade(trade::Trade);

#[wasm_bindgen]
impl Trade {
    /// Makes a comparison of every combination of these values, such as `hz=10,20,30` and `interp=linear,hermite`; all other
    /// settings are lane A's.
    ///
    /// # Errors
    /// When a value is refused, the motion would change, or there are too many points.
    #[wasm_bindgen(constructor)]
    pub fn new(page: &Page, vary: Vec<String>) -> Result<Trade, JsError> {
        let settings = page.lab().settings();
        let varied: Result<Vec<_>, _> =
            vary.iter().map(|text| VariedSetting::parse(text)).collect();
        let slots = page
            .lab()
            .tape()
            .motion()
            .map(|session_config| session_config.has_slots);
        let trade = varied.and_then(|varied| trade::Trade::new(settings, &varied, 0, slots));
        let trade = trade.map_err(|error: TradeError| JsError::new(&error.to_string()))?;
        Ok(Trade(trade.with_trace(page.lab().trace().cloned())))
    }

    /// Works for at most `budget_ms`. Returns true if there is more to do.
    pub fn work(&mut self, page: &Page, budget_ms: f64) -> bool {
        work_for(budget_ms, || self.0.work(page.lab().tape()))
    }

    /// Returns sentences about the settings that change together with a varied one.
    pub fn followed(&self) -> Vec<String> {
        self.0.followed().to_vec()
    }

    /// Returns permalink keys of varied settings that have no effect on the results; empty until all points are measured.
    pub fn changing_nothing(&self) -> Vec<String> {
        let keys = self.0.changing_nothing().into_iter();
        keys.map(|key| key.setting().id.to_owned()).collect()
    }

    /// Returns the points measured so far, with their Pareto front.
    #[wasm_bindgen(unchecked_return_type = "Point[]")]
    pub fn points(&self) -> Result<JsValue, JsError> {
        to_js(self.0.points())
    }

    /// Returns the number of all points, measured or not.
    pub fn point_count(&self) -> usize {
        self.0.point_count()
    }
}
