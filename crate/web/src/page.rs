//! The laboratory as the page's script holds it.

use crate::facts::facts;
use crate::schema::{effect_name, schema, to_js};
use crate::series::Series;
use crate::views::blend::Poses;
use snapshot_lab::last_minute::LastMinute;
use snapshot_lab::settings::presets::PRESETS;
use snapshot_lab::settings::schema::{Effect, SCHEMA};
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
export interface Sample { time_s: number; kbps: number; [column: string]: number }
"#;

/// One laboratory, from a link on.
#[wasm_bindgen]
pub struct Page {
    lab: Lab,
    notices: Vec<String>,
    series: Series,
    last_minute: LastMinute,
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
            series: Series::default(),
            last_minute: LastMinute::default(),
            before: Default::default(),
        };
        page.keep();
        page.last_minute.keep(page.lab.truth());
        page
    }

    /// Goes over to another link, restarting no more than what differs needs.
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
        self.last_minute.keep(self.lab.truth());
        if self.series.is_due(self.lab.tick_count()) {
            self.series.add(&self.lab.live());
        }
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
        self.after(Effect::World);
    }

    /// Sets one setting from its text, and says what that restarted.
    ///
    /// # Errors
    /// In words, when there is no such setting or the text is not a value of it.
    #[wasm_bindgen(unchecked_return_type = "Effect")]
    pub fn set(&mut self, id: &str, text: &str) -> Result<String, JsError> {
        let effect = self
            .lab
            .set_text(id, text)
            .map_err(|error| JsError::new(&error.to_string()))?;
        Ok(self.after(effect))
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
        to_js(&self.lab.live())
    }

    /// The figures of the run: what `snapshot-lab run --json` prints.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>")]
    pub fn report(&self) -> Result<JsValue, JsError> {
        to_js(&self.lab.report())
    }

    /// The last seconds for the charts: nine columns of equal length, one after the other: time s, bandwidth kbit/s,
    /// position error rms and max mm, orientation error rms and max degrees, divergence rms and max mm, budget kbit/s.
    pub fn recent(&self, seconds: f64) -> Vec<f64> {
        self.series.columns(seconds)
    }

    /// Ticks of the last minute that are recorded; none of a world that is not of 901 cubes.
    pub fn recorded_ticks(&self) -> usize {
        self.last_minute.ticks()
    }

    /// The last minute of the left side, for `Contest.of_last_minute` and `pack_last_minute`.
    pub fn last_minute(&self) -> Vec<u8> {
        self.last_minute.to_bytes()
    }

    /// Every sample that is kept, ten a second.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Sample[]")]
    pub fn samples(&self) -> Result<JsValue, JsError> {
        to_js(&self.series.all())
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
        let effect = self.lab.apply(settings);
        self.after(effect);
    }

    fn after(&mut self, effect: Effect) -> String {
        if effect == Effect::World {
            self.series.clear();
            self.keep();
            self.last_minute.clear();
            self.last_minute.keep(self.lab.truth());
        }
        effect_name(effect).to_string()
    }
}

fn read(link: &str) -> (Settings, Vec<String>) {
    let (settings, notices) = permalink::parse(link);
    (settings, notices.iter().map(ToString::to_string).collect())
}
