//! Rows of numbers and bytes for the page. They are passed as they are, without a serialiser, because they are long.

use crate::lane_run::LaneId;
use crate::session::Session;
use serde::Deserialize;
use snapshot_lane::measure::table::Figure;
use snapshot_lane::overlay::Overlay;
use snapshot_lane::series;
use snapshot_record::last_minute;

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
    /// The true motion of the last minute, for the challenge.
    LastMinute,
    /// The part of the present motion with a number, from 0: of a file's motion, or of the stored ticks of the simulated world.
    /// Empty after the last part, and for fewer than two ticks.
    MotionPart { number: usize },
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
            BytesQuery::LastMinute => last_minute::write(self.lab.tape()),
            BytesQuery::MotionPart { number } => {
                // The motion stays the same while its parts are taken.
                if number == 0 {
                    let played = self.played_motion().cloned();
                    self.outgoing = played.or_else(|| self.lab.tape().to_motion());
                }
                let part = self.outgoing.as_ref().and_then(|it| it.part(number));
                if part.is_none() {
                    self.outgoing = None;
                }
                part.unwrap_or_default()
            }
        }
    }
}
