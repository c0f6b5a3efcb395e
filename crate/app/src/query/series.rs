//! Rows of numbers and bytes for the page. They are passed as they are, without a serialiser, because they are long.

use crate::lane_run::{LaneId, LaneRun};
use crate::session::Session;
use serde::Deserialize;
use snapshot_analysis::subject::Subject;
use snapshot_lane::measure::table::Figure;
use snapshot_lane::overlay::Overlay;
use snapshot_lane::series;

/// A question whose answer is numbers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum NumbersQuery {
    /// Chart columns over a lane's last seconds before the shown instant: the times of every tick in s, then for each id the
    /// measured values. The columns have equal length and follow one another. An unknown id gives no column.
    Recent {
        lane: LaneId,
        ids: Vec<String>,
        seconds: f64,
    },
    /// The value of each cube that an overlay shows as a colour, for a lane at the shown instant; empty if there is none.
    Overlay { lane: LaneId, name: String },
}

/// A question whose answer is bytes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BytesQuery {
    /// The stored motion with the settings and the networks of both lanes, for a Worker that answers questions about them.
    Subject,
}

impl Session {
    /// Answers a question with numbers.
    pub fn numbers(&mut self, query: NumbersQuery) -> Vec<f64> {
        match query {
            NumbersQuery::Recent { lane, ids, seconds } => {
                let shown_s = self.lab.live().time_s;
                let figures: Vec<_> = ids.iter().filter_map(|id| Figure::find(id)).collect();
                let history = self.history_of(lane);
                history.map_or_else(Vec::new, |history| {
                    series::columns(history, &figures, shown_s, seconds)
                })
            }
            NumbersQuery::Overlay { lane, name } => {
                let overlay = Overlay::from_name(&name);
                let values = overlay.and_then(|overlay| self.lab.overlay(lane, overlay));
                values.into_iter().flatten().map(f64::from).collect()
            }
        }
    }

    /// Answers a question with bytes.
    pub fn bytes(&mut self, query: BytesQuery) -> Vec<u8> {
        match query {
            BytesQuery::Subject => {
                // Settings change at once, and the tape of another world only once it is made.
                self.lab.finish();
                let lanes = self.lab.a_and_b();
                let tapes = lanes.map(|lane| lane.tape(self.lab.tape()));
                Subject::to_bytes(&lanes.map(LaneRun::setup), tapes)
            }
        }
    }
}
