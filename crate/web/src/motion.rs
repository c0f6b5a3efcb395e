//! Recorded motions for the page's script.

use crate::js::to_js;
use crate::page::Page;
use serde::Serialize;
use snapshot_app::visit::Visit;
use snapshot_base::text::utf8;
use snapshot_record::motion::{Incoming, JumpSpeed, Motion};
use snapshot_record::motion::{csv, foreign};
use wasm_bindgen::prelude::*;

/// Returns the columns of a file with a table of numbers, from its first bytes; empty for any other file.
#[wasm_bindgen(unchecked_return_type = "TableColumn[]")]
pub fn motion_columns(head: &[u8]) -> Result<JsValue, JsError> {
    let columns = foreign::columns(&utf8(head)).into_iter();
    let columns = columns.map(|csv::TableColumn { name, holds }| TableColumn { name, holds });
    to_js(&columns.collect::<Vec<_>>())
}

/// Returns a motion's text file with more lines of facts, such as `up=y` or `x=Pos X`, which override earlier ones.
#[wasm_bindgen]
pub fn motion_with_facts(file: &[u8], facts: &str) -> Vec<u8> {
    csv::with_facts(file, facts)
}

/// A motion file that a Worker has parsed, for [`IncomingMotion`] on the page. The Worker's memory is freed with it.
#[wasm_bindgen]
pub struct ReadMotion(Motion);

#[wasm_bindgen]
impl ReadMotion {
    /// Parses a motion file of any format, packed or not. `jumps_over` is the index of the jump speed, as in
    /// [`Page::jumps_over`].
    ///
    /// # Errors
    /// When the file is not a motion.
    #[wasm_bindgen(constructor)]
    pub fn new(file: Vec<u8>, jumps_over: usize) -> Result<ReadMotion, JsError> {
        let motion = Motion::of_file(&file, JumpSpeed::at(jumps_over))
            .map_err(|error| JsError::new(&error.to_string()))?;
        Ok(ReadMotion(motion))
    }

    /// Returns the part of the motion with a number, from 0; undefined after the last part.
    pub fn part(&self, number: usize) -> Option<Vec<u8>> {
        self.0.part(number)
    }
}

/// A motion that is received in parts, so that no frame has to wait for all of it.
#[wasm_bindgen]
pub struct IncomingMotion(pub(crate) Incoming);

#[wasm_bindgen]
impl IncomingMotion {
    /// Starts to receive a motion with its first part; throws if the bytes are no first part.
    #[wasm_bindgen(constructor)]
    pub fn new(head: &[u8]) -> Result<IncomingMotion, JsError> {
        Incoming::new(head).map(IncomingMotion).ok_or_else(no_part)
    }

    /// Adds the next part; throws if the bytes are not the part that follows.
    pub fn add(&mut self, part: &[u8]) -> Result<(), JsError> {
        self.0.add(part).then_some(()).ok_or_else(no_part)
    }
}

pub(crate) fn no_part() -> JsError {
    JsError::new("its parts do not follow each other")
}

#[wasm_bindgen]
impl Page {
    /// Plays a completely received motion in place of the present one. If the link names an instant of this motion, that
    /// instant is shown. `facts` are lines that the person added to the file.
    ///
    /// # Errors
    /// When parts are missing; nothing changes then.
    pub fn play_motion(
        &mut self,
        incoming: IncomingMotion,
        facts: Option<String>,
    ) -> Result<(), JsError> {
        let motion = incoming.0.finish().ok_or_else(no_part)?;
        self.change(|visit| visit.play_motion(motion, facts));
        Ok(())
    }

    /// Returns the link's facts if the file together with them is the motion that the link names; else undefined.
    pub fn facts_for(&self, file: &[u8]) -> Option<String> {
        self.visit().looking().facts_for(file).map(str::to_owned)
    }

    /// Returns the lines of facts that the person added to the played motion's file; undefined if there are none.
    pub fn motion_facts(&self) -> Option<String> {
        self.visit().looking().facts.clone()
    }

    /// Returns the jump limit, as an index into the table of speeds. A step of an object that is faster than this speed
    /// counts as a jump.
    pub fn jumps_over(&self) -> usize {
        self.visit().looking().jumps_over.place()
    }

    /// Finds the jumps of the played motion again, with the jump limit at another index of the table of speeds. The motion
    /// continues at the same tick. A motion whose file marks its jumps does not change.
    pub fn set_jumps_over(&mut self, place: usize) {
        self.change(|visit| visit.find_jumps_over(JumpSpeed::at(place)));
    }

    /// Starts the scene that the settings name, in place of a recorded motion.
    pub fn leave_motion(&mut self) {
        self.change(Visit::leave_motion);
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
struct TableColumn {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<&'static str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct PlayedMotion {
    objects: usize,
    tick_rate: u32,
    seconds: f64,
    left_out_seconds: f64,
    clipped_velocities: u64,
    capture: bool,
    notes: Vec<String>,
    /// A question about the file's unit of length, with its reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit_question: Option<String>,
    spawns: u64,
    ends: u64,
    jumps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<FoundJumps>,
    lower: [i32; 3],
    upper: [i32; 3],
    fingerprint: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct FoundJumps {
    speeds: Vec<u32>,
    faster: Vec<u64>,
    place: usize,
}

impl From<&Motion> for PlayedMotion {
    fn from(motion: &Motion) -> Self {
        let counts = motion.facts.counts;
        let found = || FoundJumps {
            speeds: JumpSpeed::all()
                .map(|speed| speed.m_s().unwrap_or(0))
                .collect(),
            faster: counts.faster.to_vec(),
            place: motion.facts.jumps_over.place(),
        };
        PlayedMotion {
            spawns: counts.spawns,
            ends: counts.ends,
            jumps: counts.jumps,
            found: (!motion.tells_of_jumps()).then(found),
            objects: motion.objects(),
            tick_rate: motion.tick_rate().hz(),
            seconds: motion.seconds(),
            left_out_seconds: motion.left_out_seconds(),
            clipped_velocities: counts.clipped_velocities,
            capture: motion.is_capture(),
            notes: motion.facts.notes.clone(),
            unit_question: motion.facts.unit_question.clone(),
            lower: motion.bounds().lower(),
            upper: motion.bounds().upper(),
            fingerprint: format!("{:08x}", motion.facts.fingerprint),
        }
    }
}
