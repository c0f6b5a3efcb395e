//! Frames: all that a page shows of a session after a tick, a piece of work or a command.

use crate::lane_run::LaneId;
use crate::query::look::{ViewState, view_state};
use crate::query::state::{Now, State, now, stage, state};
use crate::session::Session;
use serde::{Deserialize, Serialize};
use snapshot_physics::{Input, Inputs};

/// The input that a person holds during a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    pub keys: Inputs,
    /// True while the person cuts the network in both directions.
    pub cuts: bool,
}

impl From<Inputs> for Held {
    fn from(keys: Inputs) -> Held {
        Held { keys, cuts: false }
    }
}

impl From<Input> for Held {
    fn from(keys: Input) -> Held {
        Inputs::from(keys).into()
    }
}

/// The shown tick, and the parts of the session that changed on the way to it.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct Frame {
    pub(crate) at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changed: Option<Changed>,
}

/// Parts of a session after a change. An absent part is as it was before.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct Changed {
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<State>,
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<Now>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<ViewState>,
    /// Notices for the viewer: parts of the link that cannot be used, and files that the link needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    notices: Option<Vec<String>>,
    /// The fragment of the present state, without `#`. It names the shown tick only if the session is paused there, and if it
    /// can reproduce this tick. It has the input of an opened link. A person's new input is in the answer of `Query::Share`.
    #[serde(skip_serializing_if = "Option::is_none")]
    permalink: Option<String>,
    /// True if another instant may be shown at once.
    #[serde(skip)]
    may_jump: bool,
}

/// Reach of a change: the parts of a session that it may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    Nothing,
    /// The viewer's choices.
    View,
    /// The figures of the shown instant, which stays.
    Figures,
    /// The shown instant.
    Instant,
    /// Settings, motion or network, and the shown instant.
    State,
    /// The state, and what the link says of motion and network.
    Source,
    /// All parts, with notices.
    All,
}

impl Session {
    /// Plays one tick with a person's input. A key takes over a scripted scene, unless it is the rival's. After an earlier
    /// tick, or in a link with input, any key drives on from there.
    pub fn tick(&mut self, held: impl Into<Held>) -> Frame {
        let Held { keys, cuts } = held.into();
        let before = self.driver();
        let is_taken_over = self.is_taken_over_by(keys);
        if cuts {
            self.leave_the_link();
        }
        self.lab_mut().set_cut(cuts);
        if is_taken_over {
            self.take_over();
        }
        self.advance(keys);
        match is_taken_over {
            true => self.frame(Reach::State),
            false => self.frame_after(before),
        }
    }

    /// Plays towards an instant and works on pending rebuilds, until it is late or the shown instant is rebuilt.
    pub fn work(&mut self, is_late: impl Fn() -> bool) -> Frame {
        let (before, travels) = (stage(self).0, self.going_to.is_some());
        let driver = self.driver();
        while self.is_on_its_way() {
            if is_late() {
                return self.frame_after(driver);
            }
            self.advance(Inputs::default());
        }
        let more = self.lab_mut().work_until(is_late);
        self.frame(match more && before == stage(self).0 {
            _ if travels => Reach::State,
            true => Reach::Nothing,
            false => Reach::Instant,
        })
    }

    /// Returns the parts of the session within a reach.
    pub fn changed(&mut self, reach: Reach) -> Changed {
        if self.lab().b().is_none() {
            self.form = LaneId::A;
        }
        let [has_view, has_now, has_state, has_notices] = match reach {
            Reach::Nothing => return Changed::default(),
            Reach::View => [true, false, false, false],
            Reach::Figures | Reach::Instant => [false, true, false, false],
            Reach::State => [false, true, true, false],
            Reach::Source => [true, true, true, false],
            Reach::All => [true, true, true, true],
        };
        Changed {
            state: has_state.then(|| state(self)),
            now: has_now.then(|| now(self)),
            view: has_view.then(|| view_state(self)),
            notices: has_notices.then(|| self.notices().to_vec()),
            permalink: Some(self.permalink(self.is_paused)),
            may_jump: has_now && reach != Reach::Figures,
        }
    }

    /// Returns a frame after ticks, before which this drove the motion. A recorded person or a guest takes over, too.
    fn frame_after(&mut self, driver: [bool; 3]) -> Frame {
        self.frame(match driver == self.driver() {
            true => Reach::Nothing,
            false => Reach::State,
        })
    }

    fn frame(&mut self, reach: Reach) -> Frame {
        let at = self.lab().tick_count();
        let changed = (reach != Reach::Nothing).then(|| self.changed(reach));
        Frame { at, changed }
    }

    /// Returns true if keys drive on from the shown tick, in place of a script, a link's input or the ticks after it.
    fn is_taken_over_by(&self, keys: Inputs) -> bool {
        let (lab, tape) = (self.lab(), self.lab().tape());
        let is_script_left =
            keys.hand != Input::NONE && (tape.is_scripted() || tape.is_replaying());
        let is_past = !lab.is_at_end() || self.view_state.has_acts();
        keys != Inputs::default() && tape.motion().is_none() && (is_script_left || is_past)
    }

    /// Returns whether the session follows its link's input, whether the next tick's keys are replayed from it, and whether a
    /// script presses them.
    fn driver(&self) -> [bool; 3] {
        let tape = self.lab().tape();
        let has_acts = self.view_state.has_acts();
        [has_acts, tape.is_replaying(), tape.is_scripted()]
    }
}

impl Frame {
    /// Returns true if the frame may show another instant than the next one.
    pub fn may_jump(&self) -> bool {
        self.changed.as_ref().is_some_and(Changed::may_jump)
    }
}

impl Changed {
    /// Returns true if another instant may be shown at once.
    pub fn may_jump(&self) -> bool {
        self.may_jump
    }
}
