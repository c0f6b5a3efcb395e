//! A guest's end of a world that several people share, for the page's script.

use crate::js::{from_js, given_to_js, refused};
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
    /// Asks to join the same world again, with the same choices, over a new connection.
    JoinAgain,
    /// Leaves the host. The last datagram has to be sent afterwards.
    End,
}

/// A file of a guest.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum GuestFile {
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
    pub fn new(link: &str, name: &str, nonce: u64) -> Result<Guest, JsError> {
        let settings = link::parse(link).0.a.settings;
        let guest = GuestEnd::new(&settings, name, nonce).map_err(refused)?;
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

    /// Makes a frame with the pressed keys: six bits, as for the first cube. Returns true if a tick of the guest used the
    /// keys. Makes no datagram if `may_send` is false: earlier ones wait.
    pub fn frame(&mut self, now_ms: f64, input_bits: u8, may_send: bool) -> bool {
        let keys = input_bits & 0b11_1111;
        let takes_keys = self.guest.frame(now_ms, keys, may_send);
        self.view.show_all(self.guest.poses());
        takes_keys
    }

    /// Returns the next datagram for the host; undefined if none is due.
    #[wasm_bindgen(js_name = next)]
    pub fn next_datagram(&mut self) -> Option<Vec<u8>> {
        self.guest.next_datagram()
    }

    /// Carries out a command.
    ///
    /// # Errors
    /// As the constructor, when the guest joins again.
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
            GuestCommand::JoinAgain => self.guest = self.guest.again().map_err(refused)?,
            GuestCommand::End => self.guest.end(),
        }
        Ok(())
    }

    #[wasm_bindgen(unchecked_return_type = "GuestFigures")]
    pub fn figures(&self) -> Result<JsValue, JsError> {
        given_to_js(&self.guest.figures())
    }

    pub fn file(
        &self,
        #[wasm_bindgen(unchecked_param_type = "GuestFile")] file: JsValue,
    ) -> Result<Vec<u8>, JsError> {
        Ok(match from_js(file)? {
            GuestFile::Frames => self.guest.shown_frames(),
            GuestFile::Log => self.guest.log().to_bytes(),
            GuestFile::Recording => self.guest.recording(),
        })
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
