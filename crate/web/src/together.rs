//! The guest's end of a shared world, for the page's script.

use crate::js::{datagrams_to_js, from_js, given_to_js, refused};
use js_sys::{Array, Uint8Array};
use serde::Deserialize;
use snapshot_app::link;
use snapshot_lane::together::Guest as GuestEnd;
use snapshot_lane::view::View;
use snapshot_record::session_config::SessionConfig;
use wasm_bindgen::prelude::*;

/// A change of a guest.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "snake_case")]
pub(crate) enum GuestCommand {
    /// Chooses prediction and interpolation by their names in links. For an unknown name the present choice stays. Without a
    /// playout delay the delay adapts.
    Choose {
        predict: String,
        interpolation: String,
        delay_ms: Option<f64>,
    },
    /// Leaves the host. The next frame has the last datagrams.
    End,
}

/// A question to a guest.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum GuestQuery {
    /// The figures of the guest's screen and connection.
    Figures,
    /// The shown frames of the last minute, for the host; empty before the first frame.
    Frames,
    /// The log of the datagrams that the guest sent and received, for the host.
    Log,
    /// All calls to this guest, with their datagrams, times and keys, for `snapshot-lab replay`.
    Recording,
}

/// A guest's end: its view of the shared world, and its keys for the second cube.
#[wasm_bindgen]
pub struct Guest {
    guest: GuestEnd,
    view: View,
}

#[wasm_bindgen]
impl Guest {
    /// Makes a guest of a link's world, which asks the host to let it join. The nonce is random.
    ///
    /// # Errors
    /// When the link's scene has no second cube, or its settings make no connection.
    #[wasm_bindgen(constructor)]
    pub fn new(link: &str, nonce: u64) -> Result<Guest, JsError> {
        let settings = link::parse(link).0.a.settings;
        let guest = GuestEnd::new(&settings, nonce).map_err(refused)?;
        let session_config = SessionConfig::of_world(&settings.world());
        Ok(Guest {
            guest,
            view: View::from_cubes(&session_config, &session_config.initial),
        })
    }

    /// Handles a datagram from the host.
    pub fn receive(&mut self, now_ms: f64, bytes: &[u8]) {
        self.guest.receive(now_ms, bytes);
    }

    /// Makes a frame with the pressed keys: six bits, as for the first cube. Makes no datagram if `may_send` is false: earlier
    /// ones wait. Returns whether a tick of the guest used the keys, and the datagrams for the host.
    #[wasm_bindgen(unchecked_return_type = "[boolean, Uint8Array<ArrayBuffer>[]]")]
    pub fn frame(&mut self, now_ms: f64, input_bits: u8, may_send: bool) -> Array {
        let keys = input_bits & 0b11_1111;
        let takes_keys = self.guest.frame(now_ms, keys, may_send);
        self.view.show_all(self.guest.poses());
        let datagrams = std::iter::from_fn(|| self.guest.next_datagram());
        Array::of2(&takes_keys.into(), &datagrams_to_js(datagrams))
    }

    /// Carries out a command.
    ///
    /// # Errors
    /// When the command is none.
    pub fn apply(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "GuestCommand")] command: JsValue,
    ) -> Result<(), JsError> {
        match from_js(command)? {
            GuestCommand::Choose {
                predict,
                interpolation,
                delay_ms,
            } => {
                let mut settings = *self.guest.settings();
                for (id, text) in [("predict", predict), ("interp", interpolation)] {
                    // A name that no link has is no choice.
                    let _ = settings.set_text(id, &text);
                }
                let (predict, interpolation) = (settings.predict(), settings.interpolation());
                self.guest.choose(predict, interpolation, delay_ms);
            }
            GuestCommand::End => self.guest.end(),
        }
        Ok(())
    }

    /// Answers a question: with figures, or with the bytes of a file.
    ///
    /// # Errors
    /// When the question is none.
    #[wasm_bindgen(skip_typescript)]
    pub fn ask(&self, question: JsValue) -> Result<JsValue, JsError> {
        let file = match from_js(question)? {
            GuestQuery::Figures => return given_to_js(&self.guest.figures()),
            GuestQuery::Frames => self.guest.shown_frames(),
            GuestQuery::Log => self.guest.log().to_bytes(),
            GuestQuery::Recording => self.guest.recording(),
        };
        Ok(Uint8Array::from(file.as_slice()).into())
    }
}

impl Guest {
    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    /// Index of the guest's own cube.
    pub(crate) fn own(&self) -> usize {
        self.guest.own()
    }
}
