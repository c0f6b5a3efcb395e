//! The judge: it compares a client's recorded motion with its server's.

use crate::js::some_to_js;
use snapshot_analysis::judge::{JudgementWords, Similarity, judge_with};
use snapshot_base::hash::fingerprint;
use snapshot_lane::client::ClientRecording;
use snapshot_record::motion::track::Track;
use snapshot_record::motion::{JumpSpeed, Motion};
use wasm_bindgen::prelude::*;

/// Least length of a freeze that is listed, ms.
const FREEZE_MS: f64 = 50.0;

/// A client's judgement, and its recording for lane B.
#[wasm_bindgen]
pub struct JudgedClient {
    words: Option<JudgementWords>,
    recording: Option<ClientRecording>,
    question: Option<(String, String)>,
}

#[wasm_bindgen]
impl JudgedClient {
    /// Judges a client's drawn motion by its server's. `jumps_over` is the index of the jump speed, as in
    /// `Page.jumps_over`. `taken` are command line options that change the client's positions; if empty, the positions
    /// stay. `progress` is called with the finished share of the work, 0 to 1.
    ///
    /// # Errors
    /// When one file has no rows, or the files have no object in common.
    #[wasm_bindgen(constructor)]
    pub fn new(
        server: &[u8],
        client: &[u8],
        jumps_over: usize,
        taken: &str,
        progress: Option<js_sys::Function>,
    ) -> Result<JudgedClient, JsError> {
        let tell = |share: f64| {
            // A listener that throws misses a share.
            let _ = progress
                .as_ref()
                .map(|it| it.call1(&JsValue::NULL, &share.into()));
        };
        let refused =
            |of: &str, error: &dyn std::fmt::Display| JsError::new(&format!("{of}{error}"));
        let of_server = |error| refused("The server’s file: ", &error);
        let taken = Similarity::of_options(taken).map_err(|error| refused("", &error))?;
        let track = Track::read(server, None).map_err(of_server)?;
        tell(0.25);
        let mut drawn = Track::read(client, Some(&track))
            .map_err(|error| refused("The client’s file: ", &error))?;
        tell(0.5);
        if taken != Similarity::default() {
            taken.apply(&mut drawn);
        }
        let judged = judge_with(&track, &drawn, FREEZE_MS, &mut |share| {
            tell(0.5 + 0.4 * share)
        });
        let judged = match judged {
            Ok(judged) => judged,
            Err(error) => {
                let similarity = error.similarity.ok_or_else(|| refused("", &error))?;
                return Ok(JudgedClient {
                    words: None,
                    recording: None,
                    question: Some((error.to_string(), similarity.options())),
                });
            }
        };
        let motion = Motion::of_file(server, JumpSpeed::at(jumps_over)).map_err(of_server)?;
        tell(1.0);
        let mut words = JudgementWords::new(&judged.judgement);
        words.add_notes("server's file", &track.notes);
        words.add_notes("client's file", &drawn.notes);
        Ok(JudgedClient {
            words: Some(words),
            recording: Some(judged.recording(&motion, fingerprint(client))),
            question: None,
        })
    }

    /// Returns a question about the client's unit or axes, if both files would fit with others; undefined if there is a
    /// judgement.
    pub fn question(&self) -> Option<String> {
        self.question.as_ref().map(|(question, _)| question.clone())
    }

    /// Returns the options that change the client's positions as the question supposes; undefined without a question.
    pub fn options(&self) -> Option<String> {
        self.question.as_ref().map(|(_, options)| options.clone())
    }

    /// Returns the judgement as text; undefined if there is a question.
    #[wasm_bindgen(unchecked_return_type = "JudgementWords | undefined")]
    pub fn words(&self) -> Result<JsValue, JsError> {
        some_to_js(self.words.clone())
    }

    /// Returns the client's recording as bytes, for `Page.show_client`; empty if there is a question.
    pub fn recording(&self) -> Vec<u8> {
        self.recording
            .as_ref()
            .map_or_else(Vec::new, ClientRecording::to_bytes)
    }
}
