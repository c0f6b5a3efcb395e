//! The Worker's part: files are read and judged, and questions about a motion are answered there, from begin to end.

pub(crate) mod challenge;
pub(crate) mod decision;
pub(crate) mod judge;

use crate::clock::now_ms;
use crate::js::{from_js, given_to_js, refused};
use challenge::{Contest, Contested};
use judge::{Judged, judge};
use serde::{Deserialize, Serialize, Serializer};
use snapshot_analysis::answer::{self, Question};
use snapshot_analysis::subject::Subject;
use snapshot_netsim::trace::Trace;
use snapshot_record::motion::{JumpSpeed, Motion, csv};
use wasm_bindgen::prelude::*;

/// Time between two messages that tell of an answer so far, ms.
const TELL_EVERY_MS: f64 = 200.0;

/// A task of a Worker over files. A subject is a page's motion with its lanes.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Task {
    /// Reads a motion's file, packed or not. `jumps_over` is the index of the jump speed in the table of speeds.
    Read { jumps_over: usize },
    /// Has every codec encode a capture's file.
    Challenge,
    /// Has every codec encode the last minute of a subject's motion.
    LastMinute,
    /// Judges a client's file by its server's, which comes first. `taken` are options that change the client's positions.
    Judge { jumps_over: usize, taken: String },
    /// Answers a question about a subject.
    Answer { question: Question },
    /// Parses a trace's file, for `Page.receive`.
    Trace,
    /// Makes a capture's file, compressed by xz, of the last minute of a subject's motion.
    Pack,
    /// Adds lines of facts to a table's file, such as `up=y` or `columns=time_s,x,y,z`, which override earlier ones.
    Facts { facts: String },
}

/// A piece of news of a task.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Told {
    /// The next part of a motion that was read, for `Page.receive`.
    Part(Bytes),
    /// The finished share of a comparison of two files, 0 to 1.
    Comparing(f64),
    Contested(Contested),
    Judged(Judged),
    /// A judged client's recording for lane B.
    Recording(Bytes),
    /// The trace, the capture's file or the table's file that a task makes.
    Made(Bytes),
    /// An answer so far, with the finished share of the work, 0 to 1.
    Answered {
        share: f64,
        done: bool,
        answer: answer::Answer,
    },
}

/// Bytes that JavaScript gets as an array of its own.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
pub(crate) struct Bytes(
    #[serde(serialize_with = "as_bytes")]
    #[cfg_attr(test, ts(type = "Uint8Array<ArrayBuffer>"))]
    Vec<u8>,
);

fn as_bytes<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bytes(bytes)
}

/// Does a task over files, and tells all that there is to hear of it.
///
/// # Errors
/// When a file is not what the task needs, or a question cannot be answered.
#[wasm_bindgen]
pub fn perform(
    #[wasm_bindgen(unchecked_param_type = "Task")] task: JsValue,
    #[wasm_bindgen(unchecked_param_type = "Uint8Array[]")] files: Vec<js_sys::Uint8Array>,
    #[wasm_bindgen(unchecked_param_type = "(told: Told) => void")] tell: &js_sys::Function,
) -> Result<(), JsError> {
    let tell = |told: Told| -> Result<(), JsError> {
        let told = given_to_js(&told)?;
        tell.call1(&JsValue::NULL, &told)
            .map_err(|_| refused("nobody hears of it"))?;
        Ok(())
    };
    let files: Vec<Vec<u8>> = files.iter().map(js_sys::Uint8Array::to_vec).collect();
    let file = |place: usize| files.get(place).map_or(&[][..], Vec::as_slice);
    match from_js(task)? {
        Task::Read { jumps_over } => {
            let motion = Motion::of_file(file(0), JumpSpeed::at(jumps_over)).map_err(refused)?;
            let mut parts = (0..).map_while(|number| motion.part(number));
            parts.try_for_each(|part| tell(Told::Part(Bytes(part))))
        }
        Task::Challenge => contest(Contest::of_file(file(0)).map_err(refused)?, tell),
        Task::LastMinute => {
            let contested = Contest::of_last_minute(subject(file(0))?.tape());
            contest(contested.map_err(refused)?, tell)
        }
        Task::Judge { jumps_over, taken } => {
            // A listener that throws misses a share.
            let comparing = |share| _ = tell(Told::Comparing(share));
            let judged = judge([file(0), file(1)], jumps_over, &taken, &comparing);
            let (judged, recording) = judged.map_err(refused)?;
            tell(Told::Judged(judged))?;
            recording.map_or(Ok(()), |recording| {
                tell(Told::Recording(Bytes(recording.to_bytes())))
            })
        }
        Task::Trace => {
            let trace = Trace::read(file(0)).map_err(refused)?;
            tell(Told::Made(Bytes(trace.to_bytes())))
        }
        Task::Pack => {
            let packed = challenge::pack_last_minute(subject(file(0))?.tape());
            tell(Told::Made(Bytes(packed.map_err(refused)?)))
        }
        Task::Facts { facts } => tell(Told::Made(Bytes(csv::with_facts(file(0), &facts)))),
        Task::Answer { question } => {
            let mut told_ms = now_ms();
            let mut so_far = |share: f64, answer: &dyn Fn() -> answer::Answer| {
                let now_ms = now_ms();
                if now_ms - told_ms >= TELL_EVERY_MS {
                    told_ms = now_ms;
                    let (answer, done) = (answer(), false);
                    // A listener that throws misses this one.
                    _ = tell(Told::Answered {
                        share,
                        done,
                        answer,
                    });
                }
            };
            let mut subject = subject(file(0))?;
            drop(files);
            let answer = answer::answer(&question, &mut subject, &mut so_far);
            tell(Told::Answered {
                share: 1.0,
                done: true,
                answer: answer.map_err(refused)?,
            })
        }
    }
}

/// Lets every codec encode a capture, and tells of each half second.
fn contest(
    mut contest: Contest,
    tell: impl Fn(Told) -> Result<(), JsError>,
) -> Result<(), JsError> {
    tell(Told::Contested(contest.contested()))?;
    while contest.work().map_err(refused)? {
        tell(Told::Contested(contest.contested()))?;
    }
    tell(Told::Contested(contest.contested()))
}

fn subject(bytes: &[u8]) -> Result<Subject, JsError> {
    Subject::of_bytes(bytes).ok_or_else(|| refused("the motion did not arrive whole"))
}
