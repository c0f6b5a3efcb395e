//! The Worker's part: files are read, judged and given a verdict there, from begin to end.

pub(crate) mod challenge;
pub(crate) mod judge;
pub(crate) mod verdict;

use crate::clock::work_for;
use crate::js::{from_js, given_to_js, refused};
use challenge::{Contest, pack_last_minute};
use judge::{Judged, judge};
use serde::Deserialize;
use snapshot_analysis::verdict::Limits;
use snapshot_lane::client::ClientRecording;
use snapshot_netsim::trace::Trace;
use snapshot_record::motion::{Incoming, JumpSpeed, Motion, csv};
use verdict::Verdict;
use wasm_bindgen::prelude::*;

/// A task of a Worker over files.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Task {
    /// Reads a motion's file, packed or not. `jumps_over` is the index of the jump speed in the table of speeds.
    Read { jumps_over: usize },
    /// Has every codec encode a capture's file.
    Challenge,
    /// Has every codec encode the last minute of a page's motion.
    LastMinute,
    /// Judges a client's file by its server's, which comes first. `taken` are options that change the client's positions.
    Judge { jumps_over: usize, taken: String },
    /// Decides on settings for a motion that was received in parts, over a link's settings. With an offset the last file is a
    /// trace.
    Decide {
        link: String,
        trace_begins_ms: Option<f64>,
    },
}

/// Wishes of a person for a verdict that is being made.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Wishes {
    limits: Limits,
    /// Networks that one common setting must serve.
    networks: Vec<String>,
}

/// A conversion of a file's bytes.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Conversion {
    /// Parses a trace's file, for `Page.receive`.
    Trace,
    /// Makes a capture's file, compressed by xz, of the last minute of a page's motion.
    Pack,
    /// Adds lines of facts to a table's file, such as `up=y` or `columns=time_s,x,y,z`, which override earlier ones.
    Facts { facts: String },
}

/// Converts a file's bytes.
///
/// # Errors
/// When the bytes are not such a file.
#[wasm_bindgen]
pub fn convert(
    #[wasm_bindgen(unchecked_param_type = "Conversion")] conversion: JsValue,
    file: &[u8],
) -> Result<Vec<u8>, JsError> {
    Ok(match from_js(conversion)? {
        Conversion::Trace => Trace::read(file).map_err(refused)?.to_bytes(),
        Conversion::Pack => pack_last_minute(file).map_err(refused)?,
        Conversion::Facts { facts } => csv::with_facts(file, &facts),
    })
}

/// Work at a task. The Worker's memory is freed with it.
#[wasm_bindgen]
pub struct Work {
    work: Kind,
    more: bool,
}

enum Kind {
    Read(Box<Motion>),
    Contest(Contest),
    Judged(Box<Judged>, Option<Box<ClientRecording>>),
    Verdict(Box<Verdict>),
}

#[wasm_bindgen]
impl Work {
    /// Begins a task over files. A file is read, and a client judged, at once: `tell` gets the finished share of that, 0 to 1.
    ///
    /// # Errors
    /// When a file is not what the task needs.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Task")] task: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array[]")] files: Vec<js_sys::Uint8Array>,
        tell: Option<js_sys::Function>,
    ) -> Result<Work, JsError> {
        let tell = |share: f64| {
            // A listener that throws misses a share.
            let _ = (tell.as_ref()).map(|it| it.call1(&JsValue::NULL, &share.into()));
        };
        let files: Vec<Vec<u8>> = files.iter().map(js_sys::Uint8Array::to_vec).collect();
        let file = |place: usize| files.get(place).map_or(&[][..], Vec::as_slice);
        let work = match from_js(task)? {
            Task::Read { jumps_over } => {
                let motion = Motion::of_file(file(0), JumpSpeed::at(jumps_over));
                Kind::Read(Box::new(motion.map_err(refused)?))
            }
            Task::Challenge => Kind::Contest(Contest::of_file(file(0)).map_err(refused)?),
            Task::LastMinute => Kind::Contest(Contest::of_last_minute(file(0)).map_err(refused)?),
            Task::Judge { jumps_over, taken } => {
                let judged = judge([file(0), file(1)], jumps_over, &taken, &tell);
                let (judged, recording) = judged.map_err(refused)?;
                Kind::Judged(Box::new(judged), recording.map(Box::new))
            }
            Task::Decide {
                link,
                trace_begins_ms,
            } => {
                let mut parts = files.as_slice();
                let mut trace = None;
                if let (Some(begins_ms), [first @ .., file]) = (trace_begins_ms, parts) {
                    let read = Trace::read(file).map_err(refused)?;
                    (trace, parts) = (Some(read.from_ms(begins_ms)), first);
                }
                let motion = arrived(parts);
                let motion = motion.ok_or_else(|| refused("its parts do not follow each other"))?;
                Kind::Verdict(Box::new(Verdict::new(&motion, &link, trace)))
            }
        };
        Ok(Work { work, more: true })
    }

    /// Works for about `budget_ms`. Returns true if there is more to do.
    ///
    /// # Errors
    /// Only when a capture has an invalid frame, which parsing has excluded.
    pub fn work(&mut self, budget_ms: f64) -> Result<bool, JsError> {
        let mut refusal = None;
        self.more = work_for(budget_ms, || match &mut self.work {
            Kind::Read(_) | Kind::Judged(..) => false,
            Kind::Contest(contest) => contest.work().unwrap_or_else(|error| {
                refusal = Some(error);
                false
            }),
            Kind::Verdict(verdict) => verdict.work(),
        });
        refusal.map_or(Ok(self.more), |error| Err(refused(error)))
    }

    /// Changes the wishes for a verdict.
    pub fn wish(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Wishes")] wishes: JsValue,
    ) -> Result<(), JsError> {
        if let Kind::Verdict(verdict) = &mut self.work {
            let Wishes { limits, networks } = from_js(wishes)?;
            verdict.wish(limits, &networks);
        }
        Ok(())
    }

    /// Returns the task's results as far as it has got; undefined for a motion, which has [`Work::part`].
    #[wasm_bindgen(unchecked_return_type = "Contested | Judged | Decided | undefined")]
    pub fn progress(&mut self) -> Result<JsValue, JsError> {
        match &mut self.work {
            Kind::Read(_) => Ok(JsValue::UNDEFINED),
            Kind::Contest(contest) => given_to_js(&contest.contested()),
            Kind::Judged(judged, _) => given_to_js(judged),
            Kind::Verdict(verdict) => given_to_js(&verdict.decided(!self.more)),
        }
    }

    /// Returns the bytes of the result with a number, from 0: the parts of a motion, or a judged client's recording for lane B.
    /// Undefined after the last.
    pub fn part(&self, number: usize) -> Option<Vec<u8>> {
        match &self.work {
            Kind::Read(motion) => motion.part(number),
            Kind::Judged(_, Some(recording)) if number == 0 => Some(recording.to_bytes()),
            Kind::Judged(..) | Kind::Contest(_) | Kind::Verdict(_) => None,
        }
    }
}

/// Returns the motion that arrived in parts; `None` if a part is missing.
fn arrived(parts: &[Vec<u8>]) -> Option<Motion> {
    let (head, parts) = parts.split_first()?;
    let mut incoming = Incoming::new(head)?;
    parts.iter().all(|part| incoming.add(part)).then_some(())?;
    incoming.finish()
}
