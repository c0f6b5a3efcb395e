//! Commands for the viewer's choices, such as the open figure and the selected cube. A link carries these choices.

use crate::link::{Arrangement, SPLIT_PERCENT_MAX, SPLIT_PERCENT_MIN, is_camera};
use crate::session::Session;
use serde::{Deserialize, Serialize};
use snapshot_analysis::verdict::Limits;
use snapshot_lane::overlay::Overlay;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "snake_case")]
pub enum LookCommand {
    /// Opens a figure of the page by its name, or closes it. The page knows the valid names.
    Open { figure: Option<String> },
    /// Selects a packet and a cube.
    Select {
        packet: Option<u64>,
        cube: Option<u64>,
    },
    /// Colours the rebuilt views by an overlay's name; any other name restores the original colours. `ghost` outlines the truth
    /// over the views, and enlarges the worst cube.
    Colour { overlay: String, ghost: bool },
    /// Sets the share of the window's height for the views, per cent, within the bounds of a link. Without a share the page has
    /// its default.
    Split { percent: Option<f64> },
    /// Shows A and B in three views, in two, or in one with a divider at a percentage of the width.
    Arrange { views: ViewCount, divider: f64 },
    /// Sets the verdict's limits. A limit that no link can name is left out.
    Limit { limits: Limits },
    /// Sets the position of the camera that links name. A position out of a link's bounds, or none, is the usual one.
    Camera { position: Option<[i32; 3]> },
    /// Removes the decision of another person's verdict.
    LeaveCard,
    /// Removes the outcome of another person's blind test.
    LeaveOutcome,
}

/// Number of views of A and B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ViewCount {
    Three,
    Two,
    /// One view with a divider.
    One,
}

impl Session {
    pub(super) fn change_look(&mut self, command: LookCommand) {
        let view_state = &mut self.view_state;
        match command {
            LookCommand::Open { figure } => view_state.show = figure,
            LookCommand::Select { packet, cube } => {
                (view_state.packet, view_state.cube) = (packet, cube);
            }
            LookCommand::Colour { overlay, ghost } => {
                view_state.overlay = Overlay::from_name(&overlay);
                view_state.hides_truth = !ghost;
            }
            LookCommand::Split { percent } => {
                let [least, most] = [SPLIT_PERCENT_MIN, SPLIT_PERCENT_MAX].map(|it| it as f64);
                let within = |percent: f64| percent.clamp(least, most).round() as u64;
                view_state.split = percent.map(within);
            }
            LookCommand::Arrange { views, divider } => {
                view_state.views = match views {
                    ViewCount::Three => Arrangement::Three,
                    ViewCount::Two => Arrangement::Two,
                    ViewCount::One => Arrangement::Divided {
                        percent: divider.clamp(0.0, 100.0).round() as u8,
                    },
                };
            }
            LookCommand::Limit { limits } => view_state.limits = limits.nameable(),
            LookCommand::Camera { position } => view_state.camera = position.filter(is_camera),
            LookCommand::LeaveCard => view_state.card = None,
            LookCommand::LeaveOutcome => view_state.tell = None,
        }
    }
}
