//! A session of the laboratory. It begins with a link, and goes on through other links, motions and traces.
//! The program that shows the laboratory holds one session.
//!
//! A session decides which state survives another link, when a motion restarts, and which notices the viewer gets. A browser
//! adds only its clock, its canvas and its files.

mod links;
mod opened;
#[cfg(test)]
mod tests;

use crate::Lab;
use crate::blind_test::BlindTestRun;
use crate::hosting::Hosting;
use crate::lane_run::{LaneId, LaneRun};
use crate::link::Link;
use links::read;
use snapshot_lane::client::ClientRecording;
use snapshot_lane::history::LaneHistory;
use snapshot_netsim::trace::Trace;
use snapshot_physics::Inputs;
use snapshot_physics::scene::leashed;
use snapshot_record::motion::{Incoming, Motion};
use snapshot_settings::Settings;
use std::sync::Arc;

/// A session: the laboratory, and those parts of a link that the laboratory does not store.
pub struct Session {
    pub(crate) lab: Lab,
    notices: Vec<String>,
    /// The viewer's choices, and the link's recorded input until a person gives other input. Its settings are the
    /// laboratory's, with one exception: the scene stays that of the script after a person has taken over.
    pub(crate) view_state: Link,
    /// The tick up to which the page must play to show the link's instant; `None` once it is reached.
    pub(crate) going_to: Option<u64>,
    /// The lane whose settings the form shows and sets.
    pub(crate) form: LaneId,
    /// True while the viewer looks at one instant. A link then names this instant.
    pub(crate) is_paused: bool,
    /// Number of links that were opened before, so that a result of an earlier link's motion is known as such.
    pub(crate) opened: u64,
    pub(crate) test: Option<BlindTestRun>,
    pub(crate) hosting: Option<Hosting>,
    /// The recorded motion that was last played, stored for a return to it.
    motion: Option<Motion>,
    /// The client's recording that was last shown, stored for a return to it.
    client: Option<Arc<ClientRecording>>,
    /// The recorded link that was last used, stored for a return to it.
    trace: Option<Arc<Trace>>,
    /// The motion whose parts are being received.
    pub(crate) incoming: Option<Incoming>,
}

impl Session {
    /// Opens a link, or its fragment. Parts that cannot be used become notices.
    pub fn new(link: &str) -> Session {
        let (view_state, notices) = read(link);
        let mut session = Session {
            lab: Lab::open(&view_state),
            notices,
            going_to: view_state.at,
            form: LaneId::A,
            is_paused: false,
            view_state,
            opened: 0,
            test: None,
            hosting: None,
            motion: None,
            client: None,
            trace: None,
            incoming: None,
        };
        session.ask_for_motion();
        session.ask_for_trace();
        session
    }

    pub fn lab(&self) -> &Lab {
        &self.lab
    }

    /// The laboratory, for changes that are not part of a link.
    pub fn lab_mut(&mut self) -> &mut Lab {
        &mut self.lab
    }

    /// Notices for the viewer: parts of the link that cannot be used, and files that the link needs.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The viewer's choices, such as the camera and the open packet.
    pub fn view_state(&self) -> &Link {
        &self.view_state
    }

    /// Plays one tick with the person's keys. At the grid's edge keys are changed, so that the driven cube stays near it. A
    /// scripted scene ignores the keys.
    pub(crate) fn advance(&mut self, person: Inputs) {
        let mut person = self.with_guest_keys(person);
        let tape = self.lab.tape();
        let drives = self.lab.is_at_end() && tape.motion().is_none() && !tape.is_scripted();
        if let ([player, ..], true) = (self.lab.truth(), drives) {
            let grid_m = self.lab.settings().world().grid_m();
            person.hand = leashed(person.hand, player, grid_m);
        }
        self.lab.tick(person);
    }

    /// Returns the keys of the next tick: those of the guest for the second cube take the place of the person's. Nobody
    /// steers while the past is played again, or on the way to an instant.
    fn with_guest_keys(&mut self, person: Inputs) -> Inputs {
        let next = self.lab.tape().last_tick() + 1;
        if !self.lab.is_at_end() || self.going_to.is_some() || !self.shows_shared_world() {
            return person;
        }
        let Some(hosting) = &mut self.hosting else {
            return person;
        };
        let second = u16::from(hosting.host.guest_keys(next)) << 8;
        if second != 0 && self.view_state.has_acts() {
            self.take_over();
        }
        Inputs::from_bits(person.bits() & 0xff | second)
    }

    /// Lets the person drive on from the shown tick.
    pub(crate) fn take_over(&mut self) {
        self.leave_the_link();
        self.lab.take_over();
    }

    /// Returns true if the shared world is shown, and is shared still.
    pub(crate) fn shows_shared_world(&self) -> bool {
        let made_from = self.lab.tape().made_from();
        let is_own =
            |hosting: &Hosting| !hosting.has_ended && *made_from == hosting.settings.world();
        self.played_motion().is_none() && self.hosting.as_ref().is_some_and(is_own)
    }

    /// Returns the settings of a lane; the settings of A if there is no B.
    pub fn settings_of(&self, lane: LaneId) -> &Settings {
        let lane = self.lab.lane(lane);
        lane.map_or(self.lab.settings(), LaneRun::settings)
    }

    /// The history of a lane; `None` if there is no such lane, or it has not begun.
    pub(crate) fn history_of(&self, lane: LaneId) -> Option<&LaneHistory> {
        self.lab.lane(lane)?.history()
    }
}
