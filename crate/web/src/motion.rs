//! Recorded motions for the page's script.

use crate::incoming::{IncomingMotion, no_part};
use crate::js::some_to_js;
use crate::page::Page;
use serde::Serialize;
use snapshot_app::link::motion_name;
use snapshot_app::session::Session;
use snapshot_netsim::table::asked::{Asked, AskedColumn, LINK_WORDS, MOTION_WORDS};
use snapshot_record::motion::{self, JumpSpeed, Motion, csv};
use wasm_bindgen::prelude::*;

/// Returns what is asked about the columns of a table, from the file's first bytes; undefined for any other file.
#[wasm_bindgen(unchecked_return_type = "AskedTable | undefined")]
pub fn asked_table(head: &[u8]) -> Result<JsValue, JsError> {
    some_to_js(motion::asked(head).map(AskedTable::from))
}

/// Returns a table's file with more lines of facts, such as `up=y` or `columns=time_s,x,y,z`, which override earlier ones.
#[wasm_bindgen]
pub fn motion_with_facts(file: &[u8], facts: &str) -> Vec<u8> {
    csv::with_facts(file, facts)
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
        self.change(|session| session.play_motion(motion, facts));
        Ok(())
    }

    /// Returns the link's facts if the file together with them is the motion that the link names; else undefined.
    pub fn facts_for(&self, file: &[u8]) -> Option<String> {
        self.session()
            .view_state()
            .facts_for(file)
            .map(str::to_owned)
    }

    /// Returns the lines of facts that the person added to the played motion's file; undefined if there are none.
    pub fn motion_facts(&self) -> Option<String> {
        self.session().view_state().facts.clone()
    }

    /// Returns the jump limit, as an index into the table of speeds. A step of an object that is faster than this speed
    /// counts as a jump.
    pub fn jumps_over(&self) -> usize {
        self.session().view_state().jumps_over.place()
    }

    /// Finds the jumps of the played motion again, with the jump limit at another index of the table of speeds. The motion
    /// continues at the same tick. A motion whose file marks its jumps does not change.
    pub fn set_jumps_over(&mut self, place: usize) {
        self.change(|session| session.find_jumps_over(JumpSpeed::at(place)));
    }

    /// Starts the scene that the settings name, in place of a recorded motion.
    pub fn leave_motion(&mut self) {
        self.change(Session::leave_motion);
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
struct AskedTable {
    columns: Vec<AskedTableColumn>,
    /// The first rows.
    rows: Vec<Vec<String>>,
    /// The guessed order of a quaternion's numbered parts: `wxyz` or `xyzw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<&'static str>,
    order_reason: &'static str,
    /// Words for the columns of a motion, and of a network.
    motion_words: Vec<&'static str>,
    link_words: Vec<&'static str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct AskedTableColumn {
    name: String,
    guess: &'static str,
    reason: &'static str,
}

impl From<Asked> for AskedTable {
    fn from(asked: Asked) -> AskedTable {
        let columns = asked.columns.into_iter();
        let columns = columns.map(
            |AskedColumn {
                 name,
                 guess,
                 reason,
             }| AskedTableColumn {
                name,
                guess,
                reason,
            },
        );
        AskedTable {
            columns: columns.collect(),
            rows: asked.rows,
            order: asked.order.map(|(order, _)| order),
            order_reason: asked.order.map_or("", |(_, reason)| reason),
            motion_words: MOTION_WORDS.to_vec(),
            link_words: LINK_WORDS.to_vec(),
        }
    }
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
            lower: motion.bounds().lower(),
            upper: motion.bounds().upper(),
            fingerprint: motion_name(motion.facts.fingerprint),
        }
    }
}
