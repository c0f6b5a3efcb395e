//! A motion from elsewhere as the page's script holds it.

use crate::js::to_js;
use crate::page::Page;
use serde::Serialize;
use snapshot_base::time::TICKS_PER_S;
use snapshot_lab::record::motion::{BYTES_MAX, Motion, OBJECTS_MAX, TICKS_MAX};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A motion from elsewhere that is played: bounds in whole metres, fitted to it unless it is a capture of the challenge. */
export interface PlayedMotion {
  objects: number; seconds: number; left_out_seconds: number; capture: boolean;
  lower: number[]; upper: number[]; fingerprint: string;
}
export interface MotionLimits { megabytes: number; objects: number; seconds: number }
"#;

/// The limits of a motion.
#[wasm_bindgen(unchecked_return_type = "MotionLimits")]
pub fn motion_limits() -> Result<JsValue, JsError> {
    to_js(&Limits {
        megabytes: BYTES_MAX >> 20,
        objects: OBJECTS_MAX,
        seconds: TICKS_MAX / u64::from(TICKS_PER_S),
    })
}

#[wasm_bindgen]
impl Page {
    /// Plays a file's motion, of any of the formats, packed or not, in place of what is there. Where the link is of an instant of
    /// this motion it is shown.
    ///
    /// # Errors
    /// In words, when it is no motion; nothing changes then.
    pub fn play_motion(&mut self, file: &[u8]) -> Result<(), JsError> {
        let motion = Motion::read(file).map_err(|error| JsError::new(&error.to_string()))?;
        self.begin_notices_anew();
        self.take_motion(motion);
        Ok(())
    }

    /// Begins the scene of our own world that is set, in place of a motion.
    pub fn leave_motion(&mut self) {
        self.ask_for_no_motion();
        self.lab_mut().begin_scene();
        self.keep();
    }

    /// The motion that is played; undefined where a world of ours moves.
    #[wasm_bindgen(unchecked_return_type = "PlayedMotion | undefined")]
    pub fn motion(&self) -> Result<JsValue, JsError> {
        let Some(motion) = self.played_motion() else {
            return Ok(JsValue::UNDEFINED);
        };
        let seconds = |ticks: u64| ticks as f64 / f64::from(TICKS_PER_S);
        to_js(&Played {
            objects: motion.objects(),
            seconds: seconds(motion.ticks()),
            left_out_seconds: seconds(motion.left_out_ticks()),
            capture: motion.is_capture(),
            lower: motion.bounds().lower(),
            upper: motion.bounds().upper(),
            fingerprint: format!("{:08x}", motion.fingerprint()),
        })
    }
}

#[derive(Serialize)]
struct Limits {
    megabytes: u64,
    objects: usize,
    seconds: u64,
}

#[derive(Serialize)]
struct Played {
    objects: usize,
    seconds: f64,
    left_out_seconds: f64,
    capture: bool,
    lower: [i32; 3],
    upper: [i32; 3],
    fingerprint: String,
}
