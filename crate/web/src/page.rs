//! A session of the laboratory as a class for the page's script.

use crate::clock::now_ms;
use crate::js::{datagrams_to_js, from_js, given_to_js, refused, to_js};
use crate::views::blend::Poses;
use snapshot_app::Lab;
use snapshot_app::frame::{Changed, Held};
use snapshot_app::lane_run::LaneId;
use snapshot_app::query;
use snapshot_app::session::Session;
use snapshot_physics::Inputs;
use wasm_bindgen::prelude::*;

/// A session, with the poses of the tick before. The renderer interpolates between these poses and the present ones.
#[wasm_bindgen]
pub struct Page {
    session: Session,
    /// Poses of the truth's view and of both lanes' receiver views, one tick ago.
    before: [Poses; 3],
}

#[wasm_bindgen]
impl Page {
    /// Opens a link, or its fragment. Unusable parts become notices.
    #[wasm_bindgen(constructor)]
    pub fn new(link: &str) -> Page {
        let mut page = Page {
            session: Session::new(link),
            before: Default::default(),
        };
        page.keep();
        page
    }

    /// Plays one tick with the person's input bits, and with the network cut in both directions or not. Bits 0 to 5 are the keys
    /// of the first cube, bits 8 to 13 those of the second cube.
    ///
    /// # Errors
    /// When the frame has no form in JavaScript, which is a fault of this program.
    #[wasm_bindgen(unchecked_return_type = "Frame")]
    pub fn tick(&mut self, input_bits: u16, cuts: bool) -> Result<JsValue, JsError> {
        self.keep();
        let keys = Inputs::from_bits(input_bits);
        given_to_js(&self.session.tick(Held { keys, cuts }))
    }

    /// Plays towards an instant and works on pending rebuilds for at most `budget_ms`, or until the shown instant is rebuilt with
    /// the present settings.
    ///
    /// # Errors
    /// When the frame has no form in JavaScript, which is a fault of this program.
    #[wasm_bindgen(unchecked_return_type = "Frame")]
    pub fn work(&mut self, budget_ms: f64) -> Result<JsValue, JsError> {
        let start_ms = now_ms();
        let frame = self.session.work(|| now_ms() - start_ms >= budget_ms);
        if frame.may_jump() || self.session.going_to().is_some() {
            self.keep();
        }
        given_to_js(&frame)
    }

    /// Carries out a command. Returns what it may have changed.
    ///
    /// # Errors
    /// When the command cannot be carried out; nothing changes then.
    #[wasm_bindgen(unchecked_return_type = "Changed")]
    pub fn apply(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Command")] command: JsValue,
    ) -> Result<JsValue, JsError> {
        let changed = self.session.apply(from_js(command)?).map_err(refused)?;
        self.show(&changed)
    }

    /// Answers a question. The type of the answer follows from the question.
    ///
    /// # Errors
    /// When the question cannot be answered.
    #[wasm_bindgen(skip_typescript)]
    pub fn ask(&mut self, question: JsValue) -> Result<JsValue, JsError> {
        to_js(|to| query::answer(&mut self.session, from_js(question)?, to).map_err(refused))
    }

    /// Returns numbers that are asked for.
    pub fn numbers(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "NumbersQuery")] query: JsValue,
    ) -> Result<Vec<f64>, JsError> {
        Ok(self.session.numbers(from_js(query)?))
    }

    /// Returns bytes that are asked for.
    pub fn bytes(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "BytesQuery")] query: JsValue,
    ) -> Result<Vec<u8>, JsError> {
        Ok(self.session.bytes(from_js(query)?))
    }

    /// Receives bytes of a file that a Worker has read, or of a guest. Returns what they may have changed.
    ///
    /// # Errors
    /// When the bytes are not of this kind; nothing changes then.
    #[wasm_bindgen(unchecked_return_type = "Changed")]
    pub fn receive(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Received")] kind: JsValue,
        bytes: &[u8],
    ) -> Result<JsValue, JsError> {
        let received = self.session.receive(from_js(kind)?, bytes);
        self.show(&received.map_err(refused)?)
    }

    /// Takes a datagram of the guest, if one came, sends the newest tick, and does the rest that is due at a time. Returns the
    /// datagrams for the guest; undefined if another world is shown than the shared one.
    #[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>[] | undefined")]
    pub fn host(&mut self, now_ms: f64, datagram: Option<Vec<u8>>) -> JsValue {
        let due = self.session.host(now_ms, datagram.as_deref());
        due.map_or(JsValue::UNDEFINED, |due| datagrams_to_js(due).into())
    }
}

impl Page {
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    pub(crate) fn lab(&self) -> &Lab {
        self.session.lab()
    }

    pub(crate) fn before(&self) -> [&Poses; 3] {
        self.before.each_ref()
    }

    /// Passes on what a command has changed. Another instant is shown at once, without poses between it and the one before.
    fn show(&mut self, changed: &Changed) -> Result<JsValue, JsError> {
        if changed.may_jump() {
            self.keep();
        }
        given_to_js(changed)
    }

    fn keep(&mut self) {
        let lab = self.session.lab();
        let [left, rights @ ..] = &mut self.before;
        left.keep(lab.left());
        for (right, lane) in rights.iter_mut().zip(LaneId::ALL) {
            if let Some(lane) = lab.lane(lane) {
                right.keep(lane.view());
            }
        }
    }
}
