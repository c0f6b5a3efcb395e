//! The viewer's choices, such as the open figure and the selected cube.

use super::blind_test::BlindTestOut;
use crate::command::look::ViewCount;
use crate::link::{Arrangement, motion_name};
use crate::session::Session;
use serde::Serialize;
use snapshot_analysis::verdict::{Card, Limits};
use snapshot_lane::overlay::Overlay;

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ViewState {
    show: Option<String>,
    packet: Option<u64>,
    cube: Option<u64>,
    overlay: Option<&'static str>,
    ghost: bool,
    embed: bool,
    /// The position of the camera that the link names; null for the usual one.
    camera: Option<[i32; 3]>,
    views: ViewCount,
    /// Position of the divider in a divided view, per cent of the width.
    divider: u8,
    /// Share of the window's height that the views take, per cent; null for the page's default.
    split: Option<u64>,
    /// Limits of the verdict. The page's header compares the bandwidth with them.
    limits: Limits,
    /// The decision of another person's verdict, from a link.
    card: Option<Card>,
    /// The outcome of another person's blind test, from a link.
    tell: Option<BlindTestOut>,
    /// The link's name of the recorded motion.
    motion: Option<String>,
    /// Lines of facts that the person added to the motion's file.
    facts: Option<String>,
    /// The jump limit, as an index into the table of speeds. A step of an object that is faster counts as a jump.
    jumps_over: usize,
}

pub(crate) fn view_state(session: &mut Session) -> ViewState {
    let view_state = session.view_state();
    ViewState {
        show: view_state.show.clone(),
        packet: view_state.packet,
        cube: view_state.cube,
        overlay: view_state.overlay.map(Overlay::name),
        ghost: !view_state.hides_truth,
        embed: view_state.embed,
        camera: view_state.camera,
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
        limits: view_state.limits,
        card: view_state.card.clone(),
        tell: view_state.tell.map(BlindTestOut::from),
        motion: view_state.motion.map(motion_name),
        facts: view_state.facts.clone(),
        jumps_over: view_state.jumps_over.place(),
    }
}
