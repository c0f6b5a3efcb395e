//! The article's figures as wasm: a recorded motion that plays while it arrives, and lanes over it.
//!
//! The script of a figure makes an [`Article`], pushes the bytes of the motion's file as they arrive, and asks it for a
//! [`Run`]: one lane of a link of the lab. It then plays the run tick by tick, and draws the poses and numbers that the run
//! returns.
//!
//! ```js
//! const article = new Article();
//! article.push(bytes); // as often as bytes arrive
//! const run = article.run('#hz=10&interp=hermite', 0); // lane A
//! while (run.step()) draw(run.poses(), article.truth(run.tick));
//! ```
//!
//! It has no physics, no rungs 13 and 14, and no drawing: strategies that simulate are not in this wasm, and the page's script
//! draws. Lanes are the lab's own, so a figure has the packets and the figures of the lab's link, to the bit
//! (`docs/decisions/0094-the-article-plays-a-coded-motion.md`).

pub mod figures;
mod link;
pub mod motion;
pub mod run;

use motion::IncomingMotion;
use run::LaneOverMotion;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A recorded motion that arrives in parts.
#[wasm_bindgen]
#[derive(Default)]
pub struct Article(Rc<RefCell<IncomingMotion>>);

#[wasm_bindgen]
impl Article {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Article {
        Article::default()
    }

    /// Adds the next bytes of the file.
    ///
    /// # Errors
    /// When they are no coded motion.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), JsError> {
        self.0.borrow_mut().push(bytes).map_err(thrown)
    }

    /// The last tick that is decoded; -1 before tick 0.
    #[wasm_bindgen(getter)]
    pub fn ticks(&self) -> f64 {
        self.0.borrow().last_tick().map_or(-1.0, |tick| tick as f64)
    }

    /// The last tick of the whole file; -1 before the file's head has arrived.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> f64 {
        self.0.borrow().length().map_or(-1.0, |tick| tick as f64)
    }

    /// Number of cubes; 0 before the file's head has arrived.
    #[wasm_bindgen(getter)]
    pub fn cubes(&self) -> usize {
        self.0.borrow().cubes()
    }

    /// Returns eight numbers a cube at a tick: place, orientation, and 1 if it is red. Empty if the tick has not arrived.
    ///
    /// # Errors
    /// When the tick's bytes are refused.
    pub fn truth(&self, tick: f64) -> Result<Vec<f32>, JsError> {
        self.0.borrow_mut().drawn(tick as u64).map_err(thrown)
    }

    /// Makes a lane of a link of the lab over this motion, from tick 0 on: A's (0) or B's (1).
    ///
    /// # Errors
    /// When nothing has arrived yet, or a part of the link cannot be used.
    pub fn run(&self, link: &str, lane: u32) -> Result<Run, JsError> {
        LaneOverMotion::new(&self.0, link, lane == 1)
            .map(Run)
            .map_err(thrown)
    }
}

/// A lane over the motion, which is played tick by tick.
#[wasm_bindgen]
pub struct Run(LaneOverMotion);

#[wasm_bindgen]
impl Run {
    /// Ticks played.
    #[wasm_bindgen(getter)]
    pub fn tick(&self) -> f64 {
        self.0.tick() as f64
    }

    /// Plays a tick. Returns false if the tick has not arrived, or the motion has ended.
    ///
    /// # Errors
    /// When the tick's bytes are refused.
    pub fn step(&mut self) -> Result<bool, JsError> {
        self.0.step().map_err(thrown)
    }

    /// Returns what the right view shows, eight numbers a cube.
    pub fn poses(&self) -> Vec<f32> {
        self.0.drawn()
    }

    /// Returns the truth of the shown instant, eight numbers a cube; empty before the first frame.
    pub fn truth_shown(&self) -> Vec<f32> {
        self.0.truth_drawn()
    }

    /// Returns the figures of this tick, in the order of [`figure_names`]; NaN where there is none.
    pub fn figures(&self) -> Vec<f64> {
        self.0.figures()
    }

    /// Returns seven numbers for each packet sent after a tick: number, tick sent, tick arrived, tick of the baseline, bits,
    /// cubes, fate (0 on its way, 1 used, 2 lost, 3 late or overtaken, 4 refused). NaN where there is none.
    pub fn packets(&self, after: f64) -> Vec<f64> {
        self.0.packets(after as u64)
    }

    /// Returns the bits of the newest packet by kind, in the order of [`kind_names`]; empty before the first.
    pub fn bits(&self) -> Vec<f64> {
        self.0.bits()
    }

    /// Returns a number for each cube, by the name of the lab's overlay: `error` in mm, or `bits` in the newest packet. Empty
    /// where there is none.
    pub fn overlay(&mut self, name: &str) -> Vec<f32> {
        self.0.overlay(name)
    }

    /// Returns three rows of 64 counts: of sent indices, positions and orientations by their length in bits. The packets of
    /// the ticks up to this one are counted, and those before the first call are not.
    pub fn widths(&mut self) -> Vec<u32> {
        self.0.widths().to_vec()
    }
}

/// Returns the names of a run's figures.
#[wasm_bindgen]
pub fn figure_names() -> Vec<String> {
    figures::FIGURES.map(|(name, _)| name.to_string()).to_vec()
}

/// Returns the names of the kinds of bits.
#[wasm_bindgen]
pub fn kind_names() -> Vec<String> {
    let kinds = snapshot_codec::Kind::ALL.map(|kind| kind.name().to_string());
    kinds.to_vec()
}

fn thrown(error: String) -> JsError {
    JsError::new(&error)
}
