//! The laboratory as the page's script holds it.

use crate::clock::now_ms;
use crate::facts::facts;
use crate::schema::{effect_name, schema, to_js};
use crate::series::{columns, samples};
use crate::views::blend::Poses;
use serde::Serialize;
use snapshot_lab::lab::{Event, Progress};
use snapshot_lab::last_minute;
use snapshot_lab::settings::presets::PRESETS;
use snapshot_lab::settings::schema::SCHEMA;
use snapshot_lab::settings::{Settings, permalink};
use snapshot_lab::{Input, Lab};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export interface Errors { rms: number; max: number }
/** What only lockstep has. */
export interface LockstepLive {
  first_desync_frame: number | null; frames_checked: number;
  inputs_per_packet: number; inputs_per_packet_mean: number; inputs_waiting: number;
  stalls: number; stalls_per_minute: number; stalled_ms_per_minute: number; catch_up_steps: number;
  retransmissions: number; window_full_ticks: number; given_up: boolean;
}
/** What only state synchronisation has. */
export interface SyncLive {
  budget_kbps: number; updates_per_packet: number;
  divergence_mm: Errors; divergence_at_rest_max_mm: number; cubes_at_rest_apart: number;
  pops: number; since_update_median_ms: number; since_update_max_ms: number;
}
export interface Live extends Partial<LockstepLive>, Partial<SyncLive> {
  tick: number; time_s: number;
  packets_sent: number; packets_delivered: number; packets_lost: number; loss_percent_happened: number | null; packets_in_flight: number;
  packets_duplicated: number; packets_late: number; packets_refused: number;
  hitches: number; longest_freeze_ms: number; decode_mismatches: number; frozen: boolean;
  kbps: number; uncompressed_kbps: number; bytes_per_packet: number;
  changed_cubes: number; bits_per_changed_cube: number | null; interacting_cubes: number;
  cargo: "cube" | "changed_cube" | "update" | "input"; cargo_per_packet: number;
  ledger_bits_per_packet: Record<string, number>; uncompressed_bits_per_packet: Record<string, number>;
  position_error_mm: Errors; orientation_error_deg: Errors;
  delay_ms: number; behind_ms: number | null; ack_kbps: number; fragments_per_packet: number;
  tangents: "sent" | "neighbours" | null;
}
/** How far what is to be shown is: of the settings in force, of them but begun a little while ago, or still of those before. */
export interface Progress { state: "done" | "provisional" | "stale"; done: number; of: number }
/** Ticks: the one shown, the oldest and the newest that are held. */
export interface Span { at: number; first: number; last: number; can_undo: boolean }
export interface Sample { time_s: number; kbps: number; [column: string]: number }
"#;

/// One laboratory, from a link on.
#[wasm_bindgen]
pub struct Page {
    lab: Lab,
    notices: Vec<String>,
    /// Left and right, a tick ago.
    before: [Poses; 2],
}

#[wasm_bindgen]
impl Page {
    /// Opens a link, or its fragment; whatever comes, there is a laboratory.
    #[wasm_bindgen(constructor)]
    pub fn new(link: &str) -> Page {
        let (settings, notices) = read(link);
        let mut page = Page {
            lab: Lab::new(settings),
            notices,
            before: Default::default(),
        };
        page.keep();
        page
    }

    /// Goes over to another link, making no more anew than what differs needs.
    pub fn open(&mut self, link: &str) {
        let (settings, notices) = read(link);
        self.notices = notices;
        self.apply(settings);
    }

    /// What of the link could not be used, in words.
    pub fn notices(&self) -> Vec<String> {
        self.notices.clone()
    }

    /// The fragment of the settings as they are, without `#`.
    pub fn permalink(&self) -> String {
        permalink::format(self.lab.settings())
    }

    /// One tick of 1/60 s with the person's six bits; a scripted scene ignores them.
    pub fn tick(&mut self, input_bits: u8) {
        self.keep();
        self.lab.tick(Input::from_bits(input_bits));
    }

    /// Works on what is to be made for as long as this, and says whether there is more.
    pub fn work(&mut self, budget_ms: f64) -> bool {
        let start_ms = now_ms();
        let mut more = true;
        while more && now_ms() - start_ms < budget_ms {
            // The clock's grain may be a whole millisecond; a piece of work takes a tenth of one and more.
            more = (0..4).all(|_| self.lab.work());
        }
        if !more {
            self.keep();
        }
        more
    }

    /// How far what is to be shown is.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Progress")]
    pub fn progress(&self) -> Result<JsValue, JsError> {
        let (state, done, of) = match self.lab.progress() {
            Progress::Done => ("done", 0, 0),
            Progress::Provisional { done, of } => ("provisional", done, of),
            Progress::Stale { done, of } => ("stale", done, of),
        };
        to_js(&ProgressNow { state, done, of })
    }

    /// Shows another tick, as near as is held.
    pub fn seek(&mut self, tick: f64) {
        self.lab.seek(tick.max(0.0) as u64);
        self.keep();
    }

    /// The nearest tick before or after the one shown at which a packet was lost ("loss"), the view stood still ("hitch") or
    /// a cube jumped ("pop").
    pub fn find(
        &self,
        #[wasm_bindgen(unchecked_param_type = "'loss' | 'hitch' | 'pop'")] event: &str,
        forward: bool,
    ) -> Option<f64> {
        let event = match event {
            "loss" => Event::Loss,
            "hitch" => Event::Hitch,
            "pop" => Event::Pop,
            _ => return None,
        };
        self.lab.find(event, forward).map(|tick| tick as f64)
    }

    /// The tick that is shown.
    pub fn at(&self) -> f64 {
        self.lab.tick_count() as f64
    }

    /// Whether that is the newest one.
    pub fn is_at_end(&self) -> bool {
        self.lab.is_at_end()
    }

    /// Which ticks there are.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Span")]
    pub fn span(&self) -> Result<JsValue, JsError> {
        let tape = self.lab.tape();
        to_js(&Span {
            at: self.lab.tick_count(),
            first: tape.first_tick(),
            last: tape.last_tick(),
            can_undo: self.lab.can_undo(),
        })
    }

    /// Brings back what a person drove away from.
    pub fn undo(&mut self) -> bool {
        let undone = self.lab.undo();
        self.keep();
        undone
    }

    /// Cuts the network, both ways, until it is let go.
    pub fn set_cut(&mut self, cut: bool) {
        self.lab.set_cut(cut);
    }

    /// Cuts the network for so many ticks.
    pub fn cut_for(&mut self, ticks: u32) {
        self.lab.cut_for(ticks);
    }

    /// Whether the network is cut.
    pub fn is_cut(&self) -> bool {
        self.lab.is_cut()
    }

    /// The person drives on from here.
    pub fn take_over(&mut self) {
        self.lab.take_over();
    }

    /// Begins anew at tick 0.
    pub fn restart(&mut self) {
        self.lab.restart();
        self.keep();
    }

    /// Sets one setting from its text, and says what of it is now to be made anew by `work`.
    ///
    /// # Errors
    /// In words, when there is no such setting or the text is not a value of it.
    #[wasm_bindgen(unchecked_return_type = "Effect")]
    pub fn set(&mut self, id: &str, text: &str) -> Result<String, JsError> {
        let effect = self
            .lab
            .set_text(id, text)
            .map_err(|error| JsError::new(&error.to_string()))?;
        self.keep();
        Ok(effect_name(effect).to_string())
    }

    /// Goes over to a preset by its place in the table; a place without one changes nothing.
    pub fn choose_preset(&mut self, place: usize) {
        if let Some(preset) = PRESETS.get(place) {
            self.apply(preset.settings(self.lab.settings()));
        }
    }

    /// The place of the preset that the settings are, if they are one.
    pub fn chosen_preset(&self) -> Option<usize> {
        let current = self.lab.settings();
        PRESETS
            .iter()
            .position(|preset| preset.settings(current) == *current)
    }

    /// The settings that the present strategy heeds, in the form's order.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Setting[]")]
    pub fn schema(&self) -> Result<JsValue, JsError> {
        schema(self.lab.settings().strategy())
    }

    /// Each setting's text by its permalink key.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Record<string, string>")]
    pub fn settings(&self) -> Result<JsValue, JsError> {
        let settings = self.lab.settings();
        to_js(
            &SCHEMA
                .iter()
                .map(|setting| (setting.id, settings.text(setting.key)))
                .collect::<BTreeMap<_, _>>(),
        )
    }

    /// What a setting's value comes to, in words, by its permalink key.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Record<string, string | undefined>")]
    pub fn facts(&self) -> Result<JsValue, JsError> {
        to_js(
            &facts(self.lab.settings())
                .into_iter()
                .collect::<BTreeMap<_, _>>(),
        )
    }

    /// The figures of this moment.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Live")]
    pub fn live(&self) -> Result<JsValue, JsError> {
        to_js(self.lab.live())
    }

    /// The figures of the run to the newest tick: what `snapshot-lab run --json` prints. What is still to be made for them
    /// is made first.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>")]
    pub fn report(&mut self) -> Result<JsValue, JsError> {
        to_js(&self.lab.report())
    }

    /// The seconds before what is shown, for the charts: nine columns of equal length, one after the other: time s, bandwidth kbit/s,
    /// position error rms and max mm, orientation error rms and max degrees, divergence rms and max mm, budget kbit/s.
    pub fn recent(&self, seconds: f64) -> Vec<f64> {
        columns(&self.lab, seconds)
    }

    /// Ticks of the last minute that are recorded; none of a world that is not of 901 cubes.
    pub fn recorded_ticks(&self) -> f64 {
        last_minute::ticks(self.lab.tape()) as f64
    }

    /// The last minute of the left side, for `Contest.of_last_minute` and `pack_last_minute`.
    pub fn last_minute(&self) -> Vec<u8> {
        last_minute::write(self.lab.tape())
    }

    /// Every sample that is kept, ten a second, of the settings in force.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Sample[]")]
    pub fn samples(&mut self) -> Result<JsValue, JsError> {
        self.lab.finish();
        to_js(&samples(self.lab.track()))
    }
}

impl Page {
    pub(crate) fn lab(&self) -> &Lab {
        &self.lab
    }

    pub(crate) fn before(&self) -> [&Poses; 2] {
        self.before.each_ref()
    }

    fn keep(&mut self) {
        let [left, right] = &mut self.before;
        left.keep(self.lab.left());
        right.keep(self.lab.right());
    }

    fn apply(&mut self, settings: Settings) {
        self.lab.apply(settings);
        self.keep();
    }
}

#[derive(Serialize)]
struct ProgressNow {
    state: &'static str,
    done: u64,
    of: u64,
}

#[derive(Serialize)]
struct Span {
    at: u64,
    first: u64,
    last: u64,
    can_undo: bool,
}

fn read(link: &str) -> (Settings, Vec<String>) {
    let (settings, notices) = permalink::parse(link);
    (settings, notices.iter().map(ToString::to_string).collect())
}
