//! The viewer's choices, such as the camera and the open packet. A link carries these choices. No choice changes a
//! measurement.

use super::Page;
use crate::blind_test::BlindTestOut;
use crate::js::to_js;
use serde::Serialize;
use snapshot_analysis::verdict::{Card, ChosenNetworks, Limits};
use snapshot_app::link::{Arrangement, SPLIT_PERCENT_MAX, SPLIT_PERCENT_MIN};
use snapshot_lane::overlay::Overlay;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Returns the viewer's choices: open chart or panel, selected packet and cube, and arrangement of the views.
    #[wasm_bindgen(unchecked_return_type = "ViewState")]
    pub fn view_state(&self) -> Result<JsValue, JsError> {
        let view_state = self.session.view_state();
        to_js(&ViewState {
            show: view_state.show.clone(),
            packet: view_state.packet,
            cube: view_state.cube,
            overlay: view_state.overlay.map(Overlay::name),
            ghost: !view_state.hides_truth,
            embed: view_state.embed,
            views: match view_state.views {
                Arrangement::Three => ViewCount::Three,
                Arrangement::Two => ViewCount::Two,
                Arrangement::Divided { .. } => ViewCount::One,
            },
            divider: match view_state.views {
                Arrangement::Divided { percent } => percent,
                Arrangement::Three | Arrangement::Two => 50,
            },
            split: view_state.split,
            limits: view_state.limits.limits,
            networks: view_state.limits.networks.ids().to_vec(),
            card: view_state.card.clone(),
            tell: view_state.tell.map(BlindTestOut::from),
        })
    }

    /// Opens another chart or panel of the page by its name; undefined closes it. The page knows the valid names.
    pub fn look_at_figure(&mut self, show: Option<String>) {
        self.session.view_state_mut().show = show;
    }

    /// Selects a packet and a cube; undefined clears the selection.
    pub fn look_at(&mut self, packet: Option<f64>, cube: Option<f64>) {
        let view_state = self.session.view_state_mut();
        view_state.packet = packet.map(|packet| packet as u64);
        view_state.cube = cube.map(|cube| cube as u64);
    }

    /// Colours the rebuilt views by an overlay's name; any other name restores the original colours. `ghost` outlines the truth
    /// over the views, and enlarges the worst cube.
    pub fn look_as(&mut self, overlay: &str, ghost: bool) {
        let view_state = self.session.view_state_mut();
        (view_state.overlay, view_state.hides_truth) = (Overlay::from_name(overlay), !ghost);
    }

    /// Sets the share of the window's height for the views, per cent, within the bounds of a link; undefined restores the
    /// page's default.
    pub fn split(&mut self, percent: Option<f64>) {
        let range = SPLIT_PERCENT_MIN as f64..=SPLIT_PERCENT_MAX as f64;
        self.session.view_state_mut().split =
            percent.map(|percent| percent.clamp(*range.start(), *range.end()).round() as u64);
    }

    /// Sets the verdict's limits and networks; if a network is unknown, the networks stay unchanged.
    pub fn limit(
        &mut self,
        surface_mm: Option<f64>,
        view_mm: Option<f64>,
        delay_ms: Option<f64>,
        age_ms: Option<f64>,
        kbps: Option<f64>,
        networks: Vec<String>,
    ) {
        let linked = &mut self.session.view_state_mut().limits;
        linked.set(Limits {
            surface_mm,
            view_mm,
            delay_ms,
            age_ms,
            kbps,
        });
        if let Some(chosen) = ChosenNetworks::new(networks.iter().map(String::as_str)) {
            linked.networks = chosen;
        }
    }

    /// Removes the decision of another person's verdict.
    pub fn leave_card(&mut self) {
        self.session.view_state_mut().card = None;
    }

    /// Removes the outcome of another person's blind test.
    pub fn leave_outcome(&mut self) {
        self.session.view_state_mut().tell = None;
    }

    /// Shows A and B in three views, in two, or in one with a divider at a percentage of the width.
    pub fn arrange_views(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ViewCount")] views: &str,
        divider: f64,
    ) {
        self.session.view_state_mut().views = match views {
            "two" => Arrangement::Two,
            "one" => Arrangement::Divided {
                percent: divider.clamp(0.0, 100.0).round() as u8,
            },
            _ => Arrangement::Three,
        };
    }
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
enum ViewCount {
    Three,
    Two,
    One,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ViewState {
    show: Option<String>,
    packet: Option<u64>,
    cube: Option<u64>,
    overlay: Option<&'static str>,
    ghost: bool,
    embed: bool,
    views: ViewCount,
    /// Position of the divider in a divided view, per cent of the width.
    divider: u8,
    /// Share of the window's height that the views take, per cent; null for the page's default.
    split: Option<u64>,
    /// Limits of the verdict. The page's header compares the bandwidth with them.
    limits: Limits,
    networks: Vec<&'static str>,
    /// The decision of another person's verdict, from a link.
    card: Option<Card>,
    /// The outcome of another person's blind test, from a link.
    tell: Option<BlindTestOut>,
}
