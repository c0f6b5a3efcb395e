//! The laboratory as a class for the page's script.

mod links;
mod view_state;

use crate::js::{any_to_js, refused};
use crate::lane_name::LaneName;
use crate::views::blend::Poses;
use snapshot_app::Lab;
use snapshot_app::lane_run::LaneId;
use snapshot_app::session::Session;
use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::report::RunReport;
use snapshot_lane::measure::table::Figure;
use snapshot_lane::series;
use snapshot_physics::Inputs;
use snapshot_record::last_minute;
use wasm_bindgen::prelude::*;

/// The state of one session to the page, with the poses of the tick before. The renderer interpolates between these poses and the
/// present ones.
#[wasm_bindgen]
pub struct Page {
    session: Session,
    /// Poses of the truth's view and of both lanes' receiver views, one tick ago.
    before: [Poses; 3],
}

#[wasm_bindgen]
impl Page {
    /// Opens a link, or its fragment. Unusable parts become notices.
    #[wasm_bindgen(constructor)]
    pub fn new(link: &str) -> Page {
        let mut page = Page {
            session: Session::new(link),
            before: Default::default(),
        };
        page.keep();
        page
    }

    /// Returns notices for the viewer: parts of the link that cannot be used, and files that the link needs.
    pub fn notices(&self) -> Vec<String> {
        self.session.notices().to_vec()
    }

    /// Plays one tick with the person's input bits. Bits 0 to 5 are the keys of the first cube, which a scripted scene
    /// ignores; bits 8 to 13 those of the second cube.
    pub fn tick(&mut self, input_bits: u16) {
        self.keep();
        self.session.tick(Inputs::from_bits(input_bits));
    }

    pub fn take_over(&mut self) {
        self.session.take_over();
    }

    /// Applies a preset to a lane, by its index in the table. An unknown index changes nothing.
    ///
    /// # Errors
    /// When the preset needs a simulated world that the motion does not have.
    pub fn choose_preset(&mut self, lane: LaneName, place: usize) -> Result<(), JsError> {
        self.change(|session| session.choose_preset(lane.id(), place))
            .map_err(refused)
    }

    /// Finishes pending rebuilds; returns the report up to the newest tick, as `snapshot-lab run --json` prints it.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>")]
    pub fn report(&mut self) -> Result<JsValue, JsError> {
        any_to_js(&RunReport {
            settings: *self.lab().settings(),
            report: self.lab_mut().report(),
        })
    }

    /// Returns chart columns over a lane's last seconds before the shown instant: the times of every tick in s, then for each id
    /// the measured values. The columns have equal length and follow one another in one array. An unknown id gives no column.
    pub fn recent(&self, lane: LaneName, ids: Vec<String>, seconds: f64) -> Vec<f64> {
        let shown_s = self.lab().live().time_s;
        let figures: Vec<_> = ids.iter().filter_map(|id| Figure::find(id)).collect();
        let history = self.history_of(lane);
        history.map_or_else(Vec::new, |history| {
            series::columns(history, &figures, shown_s, seconds)
        })
    }

    /// Returns the number of recorded ticks within the last minute; 0 for a world without exactly 901 cubes.
    pub fn recorded_ticks(&self) -> f64 {
        last_minute::ticks(self.lab().tape()) as f64
    }

    /// Returns the true motion of the last minute as bytes, for `Contest.of_last_minute` and `pack_last_minute`.
    pub fn last_minute(&self) -> Vec<u8> {
        last_minute::write(self.lab().tape())
    }

    /// Returns the measured values of each stored tick of a lane, as CSV; undefined if there is no such lane.
    pub fn figures_csv(&mut self, lane: LaneName) -> Option<String> {
        self.lab_mut().finish();
        self.history_of(lane).map(series::csv)
    }
}

impl Page {
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn lab(&self) -> &Lab {
        self.session.lab()
    }

    pub(crate) fn history_of(&self, lane: LaneName) -> Option<&LaneHistory> {
        self.lab().lane(lane.id())?.history()
    }

    pub(crate) fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    pub(crate) fn lab_mut(&mut self) -> &mut Lab {
        self.session.lab_mut()
    }

    /// Changes the session. The next picture is not interpolated from the earlier poses.
    pub(crate) fn change<T>(&mut self, change: impl FnOnce(&mut Session) -> T) -> T {
        let changed = change(&mut self.session);
        self.keep();
        changed
    }

    pub(crate) fn before(&self) -> [&Poses; 3] {
        self.before.each_ref()
    }

    pub(crate) fn keep(&mut self) {
        let lab = self.session.lab();
        let [left, rights @ ..] = &mut self.before;
        left.keep(lab.left());
        for (right, lane) in rights.iter_mut().zip(LaneId::ALL) {
            if let Some(lane) = lab.lane(lane) {
                right.keep(lane.view());
            }
        }
    }
}
