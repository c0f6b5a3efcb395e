//! The laboratory as the page's script holds it.

use crate::facts::facts;
use crate::schema::{effect_name, schema, to_js};
use crate::series::{columns, samples};
use crate::tour;
use crate::views::blend::Poses;
use serde::Serialize;
use snapshot_lab::channel::Fates;
use snapshot_lab::ladder::Ladder;
use snapshot_lab::last_minute;
use snapshot_lab::link::recorded::Recorded;
use snapshot_lab::link::{self, Arrangement, Link};
use snapshot_lab::motion::Motion;
use snapshot_lab::report::RunReport;
use snapshot_lab::scene::SceneKind;
use snapshot_lab::settings::presets::PRESETS;
use snapshot_lab::settings::schema::{Effect, SCHEMA};
use snapshot_lab::settings::{Key, Settings};
use snapshot_lab::shade::Shade;
use snapshot_lab::widths::Survey;
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
/** What the link says is looked at. */
export interface Looking {
  show: string | null; packet: number | null; cube: number | null; shade: string | null; ghost: boolean;
  step: string | null; embed: boolean;
  /** How the views stand where there is a lane B, and where in per cent the divider of one view is. */
  views: ViewCount; divider: number;
}
export type ViewCount = "three" | "two" | "one";
export interface Sample { time_s: number; kbps: number; [column: string]: number }
"#;

/// One laboratory, from a link on.
#[wasm_bindgen]
pub struct Page {
    lab: Lab,
    notices: Vec<String>,
    /// What the figures show, as the link says it, and what it says that a person did, for as long as nobody has done anything
    /// else. Its settings are the laboratory's, but for the scene whose script was taken over.
    looking: Link,
    /// The instant of the link that is being opened.
    pub(crate) going_to: Option<u64>,
    /// With what is set for A, and for B.
    ladders: [Option<Ladder>; 2],
    survey: Option<Survey>,
    /// The one from elsewhere that was last played, for going back to it.
    motion: Option<Motion>,
    /// Left, right and B's right, a tick ago.
    before: [Poses; 3],
}

#[wasm_bindgen]
impl Page {
    /// Opens a link, or its fragment; whatever comes, there is a laboratory.
    #[wasm_bindgen(constructor)]
    pub fn new(link: &str) -> Page {
        let (looking, notices) = read(link);
        let mut page = Page {
            lab: Lab::open(&looking),
            notices,
            going_to: looking.at,
            looking,
            ladders: [None, None],
            survey: None,
            motion: None,
            before: Default::default(),
        };
        page.keep();
        page.ask_for_motion();
        page
    }

    /// Goes over to another link, making no more anew than what differs needs.
    pub fn open(&mut self, link: &str) {
        let (mut looking, notices) = read(link);
        looking.embed = self.looking.embed;
        let did = |link: &Link| (link.recorded.clone(), link.from, link.b_from);
        let at_step = self.begins_anew_at(looking.step);
        if did(&looking) != did(&self.looking) || at_step.is_some() {
            *self = Page::new(link);
            self.looking.embed = looking.embed;
            self.going_to = self.going_to.or(at_step);
            return;
        }
        let mut settings = looking.settings;
        if !looking.recorded.is_empty() && looking.settings.scene() == self.looking.settings.scene()
        {
            let _ = settings.set(Key::Scene, self.lab.settings().get(Key::Scene));
        }
        self.notices = notices;
        let (b, at) = (looking.b, looking.at);
        self.looking = looking;
        let held = self
            .motion
            .take_if(|held| self.looking.motion == Some(held.fingerprint()));
        if held.is_none() && self.lab.tape().motion().is_some() {
            self.lab.begin_scene();
        }
        self.apply(settings);
        self.lab.set_b(b);
        match held {
            Some(motion) if self.lab.tape().motion().is_none() => self.take_motion(motion),
            held => self.motion = held.or(self.motion.take()),
        }
        self.ask_for_motion();
        match at {
            Some(at) if at <= self.lab.tape().last_tick() => self.seek(at as f64),
            at => self.going_to = at,
        }
    }

    /// What of the link could not be used, in words.
    pub fn notices(&self) -> Vec<String> {
        self.notices.clone()
    }

    /// The fragment of everything as it is, without `#`; with the tick that is shown if it is to be opened paused there and a
    /// link leads there: what a person does is carried by `share` alone, but one that was opened stays what it was.
    pub fn permalink(&self, paused: bool) -> String {
        let mut settings = *self.lab.settings();
        let recorded = &self.looking.recorded;
        if !recorded.is_empty() {
            let _ = settings.set(Key::Scene, self.looking.settings.get(Key::Scene));
        }
        let tick = self.lab.tick_count();
        let leads_there = match &recorded.drive {
            Some(_) => tick <= recorded.last_tick(),
            None => settings.scene() != SceneKind::Drive,
        };
        let at = (paused && leads_there).then_some(tick);
        let by_then = |from: &u64| at.is_some_and(|at| at >= *from);
        link::format(&Link {
            settings,
            b: self
                .lab
                .b()
                .map(|b| b.settings().on_the_motion_of(&settings)),
            at,
            from: self.looking.from.filter(by_then),
            b_from: self.looking.b_from.filter(by_then),
            motion: self
                .played_motion()
                .map_or(self.looking.motion, |motion| Some(motion.fingerprint())),
            ..self.looking.clone()
        })
    }

    /// The fragment that opens all this anywhere, to the bit, with what a person did since tick 0, at the tick that is shown.
    ///
    /// # Errors
    /// In words, when that is too late for a link.
    pub fn share(&mut self) -> Result<String, JsError> {
        let shared = self
            .lab
            .share()
            .map_err(|error| JsError::new(&error.to_string()))?;
        Ok(link::format(&Link {
            camera: self.looking.camera,
            views: self.looking.views,
            show: self.looking.show,
            packet: self.looking.packet,
            cube: self.looking.cube,
            shade: self.looking.shade,
            ghost: self.looking.ghost,
            step: self.looking.step,
            ..shared
        }))
    }

    /// Whether nobody has done anything but what the link says that a person did.
    pub fn follows_its_link(&self) -> bool {
        !self.looking.recorded.is_empty()
    }

    /// Whether the keys of the next tick are those that a person pressed where the link was made.
    pub fn is_replaying(&self) -> bool {
        self.lab.tape().is_replaying()
    }

    /// What is looked at: the figure, a packet and a cube, as the link names them.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Looking")]
    pub fn looking(&self) -> Result<JsValue, JsError> {
        to_js(&Looking {
            show: self.looking.show,
            packet: self.looking.packet,
            cube: self.looking.cube,
            shade: self.looking.shade.map(Shade::name),
            ghost: self.looking.ghost,
            step: self.looking.step,
            embed: self.looking.embed,
            views: match self.looking.views {
                Arrangement::Three => "three",
                Arrangement::Two => "two",
                Arrangement::Divided { .. } => "one",
            },
            divider: match self.looking.views {
                Arrangement::Divided { percent } => percent,
                _ => 50,
            },
        })
    }

    /// Looks at another figure, one of `link::FIGURES`; others change nothing.
    pub fn look_at_figure(&mut self, show: &str) {
        if let Some(figure) = link::FIGURES.into_iter().find(|figure| *figure == show) {
            self.looking.show = Some(figure);
        }
    }

    /// Looks at a packet and a cube, or no longer.
    pub fn look_at(&mut self, packet: Option<f64>, cube: Option<f64>) {
        self.looking.packet = packet.map(|packet| packet as u64);
        self.looking.cube = cube.map(|cube| cube as u64);
    }

    /// Colours the rebuilt views by a shade's name, as in the original by any other, and outlines the truth over them or not.
    pub fn look_as(&mut self, shade: &str, ghost: bool) {
        (self.looking.shade, self.looking.ghost) = (Shade::from_name(shade), ghost);
    }

    /// Looks at A and B in three views, two, or one with a divider at so many per cent of its width.
    pub fn arrange_views(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ViewCount")] views: &str,
        divider: f64,
    ) {
        self.looking.views = match views {
            "two" => Arrangement::Two,
            "one" => Arrangement::Divided {
                percent: divider.clamp(0.0, 100.0).round() as u8,
            },
            _ => Arrangement::Three,
        };
    }

    /// One tick of 1/60 s with the person's six bits; a scripted scene ignores them.
    pub fn tick(&mut self, input_bits: u8) {
        self.keep();
        self.cut_as_the_step_says();
        self.lab.tick(Input::from_bits(input_bits));
    }

    /// The person drives on from here.
    pub fn take_over(&mut self) {
        self.leave_the_link();
        self.lab.take_over();
    }

    /// Begins anew at tick 0; what the link says that a person did is done again.
    pub fn restart(&mut self) {
        if self.looking.recorded.is_empty() {
            self.lab.restart();
            self.keep();
        } else {
            let link = self.permalink(false);
            *self = Page::new(&link);
        }
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
        if effect >= Effect::Motion {
            self.leave_the_link();
        }
        self.keep();
        Ok(effect_name(effect).to_string())
    }

    /// Goes over to a preset by its place in the table, with lane A or B; a place without one changes nothing.
    ///
    /// # Errors
    /// In words, when it simulates and the motion has no physics behind it.
    pub fn choose_preset(&mut self, place: usize, for_b: bool) -> Result<(), JsError> {
        let Some(preset) = PRESETS.get(place) else {
            return Ok(());
        };
        let settings = preset.settings(self.settings_of(for_b));
        self.lab
            .check_physics(&settings)
            .map_err(|error| JsError::new(&error.to_string()))?;
        if for_b {
            self.lab.set_b(Some(settings));
            self.keep();
        } else {
            self.apply(settings);
        }
        Ok(())
    }

    /// The place of the preset that the settings of A or B are, if they are one.
    pub fn chosen_preset(&self, of_b: bool) -> Option<usize> {
        let current = self.settings_of(of_b);
        PRESETS
            .iter()
            .position(|preset| preset.settings(current) == *current)
    }

    /// The settings that the present strategy of A or B heeds, in the form's order.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Setting[]")]
    pub fn schema(&self, of_b: bool) -> Result<JsValue, JsError> {
        schema(self.settings_of(of_b).strategy())
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

    /// What the value of each setting of A or B comes to, in words, by its permalink key.
    ///
    /// # Errors
    /// When JavaScript cannot take the values, which it can.
    #[wasm_bindgen(unchecked_return_type = "Record<string, string | undefined>")]
    pub fn facts(&self, of_b: bool) -> Result<JsValue, JsError> {
        to_js(
            &facts(self.settings_of(of_b))
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
        to_js(&RunReport {
            settings: *self.lab.settings(),
            report: self.lab.report(),
        })
    }

    /// The seconds before what is shown, for the charts, of lane A or of B: nine columns of equal length, one after the other: time s, bandwidth kbit/s,
    /// position error rms and max mm, orientation error rms and max degrees, divergence rms and max mm, budget kbit/s.
    pub fn recent(&self, seconds: f64, of_b: bool) -> Vec<f64> {
        let track = if of_b {
            self.lab.b().and_then(|b| b.track())
        } else {
            Some(self.lab.track())
        };
        let shown_s = self.lab.live().time_s;
        track.map_or_else(Vec::new, |track| columns(track, shown_s, seconds))
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

    fn settings_of(&self, b: bool) -> &Settings {
        let b = self.lab.b().filter(|_| b);
        b.map_or(self.lab.settings(), |b| b.settings())
    }

    pub(crate) fn lab_mut(&mut self) -> &mut Lab {
        &mut self.lab
    }

    pub(crate) fn lab_and_ladders(&mut self) -> (&Lab, &mut [Option<Ladder>; 2]) {
        (&self.lab, &mut self.ladders)
    }

    pub(crate) fn lab_and_survey(&mut self) -> (&Lab, &mut Option<Survey>) {
        (&self.lab, &mut self.survey)
    }

    /// The motion from elsewhere, where it is the one that is played.
    pub(crate) fn played_motion(&self) -> Option<&Motion> {
        self.motion
            .as_ref()
            .filter(|_| self.lab.tape().motion().is_some())
    }

    /// Plays a motion; at the instant of the link where that is of this very one.
    pub(crate) fn take_motion(&mut self, motion: Motion) {
        self.going_to = None;
        self.lab.play(&motion);
        match self.looking.motion {
            Some(asked) if asked == motion.fingerprint() => {
                if let Some(at) = self.looking.at {
                    self.lab.seek(at);
                }
            }
            Some(asked) => self.notices.push(format!(
                "The link is of another motion ({asked:08x}); this is {:08x}",
                motion.fingerprint()
            )),
            None => {}
        }
        self.looking.motion = None;
        self.motion = Some(motion);
        self.keep();
    }

    /// What a link asked for has come, or something else has.
    pub(crate) fn begin_notices_anew(&mut self) {
        self.notices.clear();
    }

    pub(crate) fn ask_for_no_motion(&mut self) {
        self.looking.motion = None;
    }

    /// Says so where a link is of a motion that is not here.
    fn ask_for_motion(&mut self) {
        if let Some(asked) = self
            .looking
            .motion
            .filter(|_| self.played_motion().is_none())
        {
            self.notices.push(format!(
                "This link is of somebody's own motion ({asked:08x}), which no link can carry: drop its file on this page. Until then our own world plays"
            ));
        }
    }

    /// The cube that is looked at.
    pub(crate) fn lit_cube(&self) -> Option<usize> {
        self.looking.cube.map(|cube| cube as usize)
    }

    /// How the views stand: as with one lane where there is no B.
    pub(crate) fn arrangement(&self) -> Arrangement {
        self.looking.views
    }

    /// Whether it is part of another page.
    pub(crate) fn is_embedded(&self) -> bool {
        self.looking.embed
    }

    /// The step of the tour that is open.
    pub(crate) fn step(&self) -> Option<&'static str> {
        self.looking.step
    }

    pub(crate) fn look_at_step(&mut self, step: Option<&'static str>) {
        self.looking.step = step;
    }

    /// What the link says that a person did is no longer all, or no longer so.
    pub(crate) fn leave_the_link(&mut self) {
        self.looking.recorded = Recorded::default();
        (self.looking.from, self.looking.b_from) = (None, None);
    }

    /// The link's B is gone, with its packets.
    pub(crate) fn forget_fates_of_b(&mut self) {
        self.looking.recorded.b_fates = Fates::default();
        self.looking.b_from = None;
    }

    /// Where the camera was moved to: degrees round the player and above it, centimetres from it.
    pub(crate) fn camera(&self) -> Option<[i32; 3]> {
        self.looking.camera
    }

    /// What the rebuilt views are coloured by, and whether the truth is outlined over them.
    pub(crate) fn looks_as(&self) -> (Option<Shade>, bool) {
        (self.looking.shade, self.looking.ghost)
    }

    pub(crate) fn look_from(&mut self, camera: Option<[i32; 3]>) {
        self.looking.camera = camera;
    }

    pub(crate) fn before(&self) -> [&Poses; 3] {
        self.before.each_ref()
    }

    pub(crate) fn keep(&mut self) {
        let [left, right, b] = &mut self.before;
        left.keep(self.lab.left());
        right.keep(self.lab.right());
        if let Some(beside) = self.lab.b() {
            b.keep(beside.view());
        }
    }

    fn apply(&mut self, settings: Settings) {
        if self.lab.apply(settings) >= Effect::Motion {
            self.leave_the_link();
        }
        self.keep();
    }
}

#[derive(Serialize)]
struct Looking {
    show: Option<&'static str>,
    packet: Option<u64>,
    cube: Option<u64>,
    shade: Option<&'static str>,
    ghost: bool,
    step: Option<&'static str>,
    embed: bool,
    views: &'static str,
    divider: u8,
}

fn read(link: &str) -> (Link, Vec<String>) {
    let of_step = tour::link_of_bare_step(link);
    let (link, notices) = link::parse(of_step.as_deref().unwrap_or(link));
    (link, notices.iter().map(ToString::to_string).collect())
}
