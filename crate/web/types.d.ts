// Written from Rust's types by the tests of crate/web.
export type Ack = { tick: number, arrival_ms: number | null, bytes: number, };
export type AnalysisAnswer = { "ladder": Ladders } | { "widths": WidthCounts } | { "trade": Trade } | { "comparison": Compared };
export type AnalysisQuestion = "ladder" | "widths" | { "trade": { vary: Array<string>, } } | "comparison";
export type AskedTable = { columns: Array<AskedTableColumn>, rows: Array<Array<string>>, order?: string, order_reason: string, motion_words: Array<string>, link_words: Array<string>, };
export type AskedTableColumn = { name: string, guess: string, reason: string, };
export type Better = "less" | "more" | "neither";
export type BitKind = { name: string, label: string, meaning: string, };
export type BitsPair = { position_bits: number, orientation_bits: number, surface_mm: number, kbps: number, bits_per_changed_cube: number | null, };
export type BlindTestOut = { test: string, told: number | null, not_told: number | null, trials: number, sentence: string, question: string, text: string, };
export type BlindTestState = { frames: number, counted: number, of: number, answer_ms: number | null, };
export type Bytes = Uint8Array<ArrayBuffer>;
export type BytesQuery = "subject";
export type CardPoint = {
  rate_hz: number,
  mode: string,
  kbps: number,
  delay_ms: number,
  behind_ms: number,
  surface_mm: number,
  surface_px: number,
  error_mm: number,
  error_deg: number,
  freezes: Array<number>,
  longest_ms: number,
  ms_per_minute: number,
};
export type Cause = { id: string, name: string, };
export type ChallengeVerdict = { codec: string, class: string | null, label: string, bytes_per_packet_mean: number, kbps: number, encode_us: number, decode_us: number, lossless: boolean, packets_hash: string, curve: Array<number>, };
export type Change = { cube: number, position_before: Array<number>, position: Array<number>, orientation_before: Array<number>, orientation: Array<number>, };
export type Changed = { state?: State, now?: Now, view?: ViewState, notices?: Array<string>, permalink?: string, };
export type Choice = { value: number, probability: number, cost_65536ths: number, };
export type Command = { "lane": LaneCommand } | { "time": TimeCommand } | { "look": LookCommand } | { "source": SourceCommand } | { "host": HostCommand } | { "test": TestCommand };
export type Compared = { after_tick: number, last_tick: number, runs: number, of: number, by_offset: boolean, rows: Array<ComparedFigure>, };
export type ComparedFigure = { id: string, a: number, b: number, range_a: Array<number>, range_b: Array<number>, less: number, more: number, };
export type Comparison = { name: string, point: string, };
export type Contested = { judged: number, packets: number, verdicts: Array<ChallengeVerdict>, };
export type CorrectionCause = "keys" | "rival" | "unpredicted" | "values";
export type CorrectionCauses = { keys: number, rival: number, unpredicted: number, values: number, };
export type CorrectionSpread = { mean: number, p95: number, max: number, };
export type CubeNeighbours = { cube: number, cubes: Array<number>, };
export type Cure = { delay_ms: number, share: number, frames: number, ends_this: boolean | null, age_ms: number, ways: Array<CureWay>, };
export type CureWay = { setting: string, value: string, still: number, age_ms: number, };
export type Decided = { share: number, done: boolean, answer?: VerdictAnswer, };
export type Delays = { p50: number, p95: number, p99: number, };
export type DepartedPacket = { number: number, tick: number, };
export type DistanceBand = { to_m: number | null, cubes: number, age_ms: number, age_max_ms: number, error_mm: number, error_max_mm: number, };
export type EngineAtEqualRate = { rate_hz: number, packets_per_s: number, bytes_per_packet: number, payload_kbps: number, };
export type EngineRow = {
  id: string,
  name: string,
  version: string,
  source: string,
  delivery: string,
  leaves_out: string,
  rate_hz: number,
  packets_per_s: number,
  bytes_per_packet: number,
  updates_per_s: number,
  payload_kbps: number,
  equal: EngineAtEqualRate,
};
export type Errors = { rms: number, max: number, };
export type Event = "loss" | "hitch" | "freeze" | "pop";
export type Field = { first_65536ths: number, length_65536ths: number, kind: string, rule: string, cube: number | null, value: number, decisions: Array<Choice>, };
export type Figure = { id: string, name: string, unit: Unit, unit_text: string, better: Better, help: string, by_tick: TimeWindow | null, by_run: TimeWindow | null, };
export type FirstDifference = { packets: Array<number>, first_difference: Parting | null, };
export type FittedTrace = { link: string, distance_ms: number, told: string, };
export type Form = { schema: Array<Setting>, facts: { [key in string]: string }, preset?: number, quantisation?: Quantisation, };
export type FoundJumps = { speeds: Array<number>, faster: Array<number>, place: number, };
export type Frame = { at: number, changed?: Changed, };
export type Freeze = { from: number, to: number, ms: number, };
export type Freezes = { least: number, most: number, longest_ms: number, per_minute: number, ms_per_minute: number, };
export type Glitch = { "kind": "jump", stood_still_ms: number, } | { "kind": "correction", cubes: number, cube: number, waited_ms: number, sent_tick: number, };
export type GuestCommand = { "choose": { predict: string, interpolation: string, delay_ms?: number, } } | "end";
export type GuestFigures = {
  status: GuestStatus,
  why: string | null,
  round_trip_ms: number | null,
  lost_percent: number,
  left_out_percent: number,
  lost_there_percent: number,
  kbps_received: number,
  kbps_sent: number,
  screen_age_ms: number | null,
  still_ms: number,
  corrections: number,
  keys_late: number,
  keys_lost: number,
  snapshots: number,
};
export type GuestQuery = "figures" | "frames" | "log" | "recording";
export type GuestStatus = "joining" | "playing" | "refused" | "left";
export type HandCorrection = { at: number, tick: number, packet: number, cause: CorrectionCause, mm: number, cube: number, own_mm: number, cubes: number, ticks: number, };
export type HandLive = {
  hand_ms: number | null,
  hand_others_ms: number | null,
  hand_server_ms: number | null,
  aim_now_mm: number | null,
  aim_rewound_mm: number | null,
  keys_missing: number,
  keys_late: number,
  keys_lost: number,
  keys_repeated: number,
  key_margin_ms: number | null,
  clock_percent: number,
  corrections: number,
  corrections_below_resolution: number,
  correction_mm: CorrectionSpread,
  corrections_by_cause: CorrectionCauses,
  resimulated_ticks: number,
  simulated_ticks: number,
  simulated_now: number,
  predicted_cubes: number,
  forks_mb: number,
  clients_served: number,
  server_kbps: number,
  missing_cubes: number,
  server_tick: number | null,
  by_distance: Array<DistanceBand>,
};
export type Home = { objects: number, tickRate: number, sendRate: number, bounds: HomeBounds, bits: HomeBits, rung: string, class: string, interpolation: string, delayMs?: number, };
export type HomeBits = { position: number, orientation: number, velocity: number, };
export type HomeBounds = { lower: Array<number>, upper: Array<number>, };
export type HostCommand = { "begin": { secret: Array<number>, } } | { "connect": { now_ms: number, } } | { "leave_out": { count: number, } } | { "send_away": { why: string, } } | { "simulate": { on: boolean, } } | { "end": { why: string, } };
export type Hosted = { link: string, guest: HostedGuest | null, };
export type HostedGuest = {
  is_playing: boolean,
  round_trip_ms: number | null,
  lost_percent: number,
  kbps: number,
  kbps_with_headers: number,
  one_way_ms: Array<number> | null,
  keys_late: number,
  keys_lost: number,
  screen_age_ms: number | null,
  corrections: number | null,
  compared: number,
  mismatches: number,
};
export type InputBits = { left: number, right: number, up: number, down: number, push: number, pull: number, };
export type Inspection = {
  hex: string,
  spans: Array<Field>,
  changes: Array<Change>,
  told_from: Array<CubeNeighbours>,
  queue: Array<Queued>,
  number: number,
  tick: number,
  sequence: number,
  baseline: number | null,
  baseline_tick: number | null,
  fate: PacketFate,
  arrival_ms: number | null,
  copy_arrival_ms: number | null,
  acked_tick: number | null,
  bytes: number,
  fragments: number,
  changed_cubes: number,
  bits_by_kind: { [key in string]: number },
  delay_by_cause: { [key in string]: number } | null,
  lost_by: string | null,
};
export type InterpolationResult = {
  mode: string,
  delay_ms: number,
  surface_error_mm_p95: number,
  surface_error_px_p95: number,
  position_error_mm_p95: number,
  orientation_error_deg_p95: number,
  compared: number,
  apart: number,
  freezes: Freezes,
  behind_ms: number,
};
export type Judged = { "words": JudgementWords } | { "question": { question: string, options: string, } };
export type JudgementWords = { sentence: string, main: Array<[string, string]>, figures: Array<[string, string]>, lists: Array<[string, string]>, };
export type Ladders = { a: Rungs, b: Rungs | null, };
export type LaneCommand = { "form": { lane: LaneName, } }
  | { "set": { lane: LaneName, id: string, text: string, } }
  | { "quantise": { lane: LaneName, level: number, } }
  | { "preset": { lane: LaneName, place: number, } }
  | { "compare": { place: number, } }
  | "copy_a_to_b"
  | "swap"
  | "drop_b"
  | { "force": { packet: number, delivered: boolean, } }
  | "use_fit";
export type LaneName = "a" | "b";
export type Limits = { surface_mm: number | null, view_mm: number | null, delay_ms: number | null, age_ms: number | null, kbps: number | null, };
export type LinkNumber = { setting: string, value: string, evidence: string, source: string, };
export type LinkPreset = { id: string, label: string, numbers: Array<LinkNumber>, };
export type Live = {
  tick: number,
  time_s: number,
  kbps: number,
  kbps_mean: number,
  uncompressed_kbps: number,
  ack_kbps: number,
  bytes_per_packet: number,
  bytes_per_packet_mean: number,
  fragments_per_packet: number,
  changed_cubes: number,
  items_per_packet: number,
  bits_per_changed_cube: number | null,
  ledger_bits_per_packet: { [key in string]: number },
  packets_sent: number,
  packets_delivered: number,
  packets_lost: number,
  loss_percent_happened: number | null,
  packets_in_flight: number,
  packets_duplicated: number,
  packets_late: number,
  packets_overtaken: number,
  packets_awaited: number,
  packets_refused: number,
  decode_mismatches: number,
  interacting_cubes: number,
  surface_error_mm: SurfaceErrors,
  surface_error_px: SurfaceErrors,
  position_error_mm: Errors,
  orientation_error_deg: Errors,
  delay_ms: number,
  speed: number,
  still: boolean,
  waits: boolean,
  longest_freeze_ms: number,
  late_ms: number | null,
  skipped: number | null,
  hitches: number,
  behind_ms: number | null,
  item: "cube" | "changed_cube" | "update" | "input",
  uncompressed_bits_per_packet: { [key in string]: number },
} & ({ "strategy": "snapshot",
  tangents: "sent" | "neighbours" | null,
} | { "strategy": "sync" } & SyncLive | { "strategy": "lockstep" } & LockstepLive | { "strategy": "game" } & HandLive | { "strategy": "plain",
});
export type LockstepLive = {
  first_desync_frame: number | null,
  frames_checked: number,
  inputs_per_packet: number,
  inputs_per_packet_mean: number,
  inputs_waiting: number,
  stalls: number,
  stalls_per_minute: number,
  stalled_ms_per_minute: number,
  catch_up_steps: number,
  retransmissions: number,
  window_full_ticks: number,
  given_up: boolean,
};
export type LookCommand = { "open": { figure?: string, } }
  | { "select": { packet?: number, cube?: number, } }
  | { "colour": { overlay: string, ghost: boolean, } }
  | { "split": { percent?: number, } }
  | { "arrange": { views: ViewCount, divider: number, } }
  | { "limit": { limits: Limits, } }
  | { "camera": { position?: Array<number>, } }
  | "leave_card"
  | "leave_outcome";
export type Lookup = "tables" | { "link_needs_rest": { link: string, } } | "file_kind" | "unknown_file" | "asked_table" | { "is_motion": { name: string, facts: string, } } | "capture_bytes_max" | "outcome";
export type ModeRow = { name: string, is_on_front: boolean, is_held: boolean, extrapolates: boolean, };
export type Moment = { tick: number, error_mm: number, bits: number | null, };
export type MotionFigures = { objects: number, moving_share: number, speed_max_m_s: number, jumps: number, turns: boolean, beyond_bounds: number, };
export type Now = { a: Live, b?: Live, at: number, first: number, last: number, can_undo: boolean, progress: Stage, done: number, of: number, is_cut: boolean, is_replaying: boolean, is_scripted: boolean, follows_its_link: boolean, };
export type NumbersQuery = { "recent": { lane: LaneName, ids: Array<string>, seconds: number, } } | { "overlay": { lane: LaneName, name: string, } };
export type ObjectError = { object: number, mean: number, max: number, };
export type Overlay = { name: string, label: string, unit: string, least: number, most: number, };
export type Packet = {
  number: number,
  tick: number,
  sequence: number,
  baseline: number | null,
  baseline_tick: number | null,
  fate: PacketFate,
  arrival_ms: number | null,
  copy_arrival_ms: number | null,
  acked_tick: number | null,
  bytes: number,
  fragments: number,
  changed_cubes: number,
  bits_by_kind: { [key in string]: number },
  delay_by_cause: { [key in string]: number } | null,
  lost_by: string | null,
};
export type PacketFate = "delivered" | "lost" | "late" | "overtaken" | "in_flight" | "refused" | "passed_over";
export type Parting = { first_tick: number, cube: number, most_mm: number, again_tick: number | null, };
export type PlayedMotion = {
  objects: number,
  tick_rate: number,
  seconds: number,
  left_out_seconds: number,
  clipped_velocities: number,
  capture: boolean,
  notes: Array<string>,
  spawns: number,
  ends: number,
  jumps: number,
  found?: FoundJumps,
  lower: Array<number>,
  upper: Array<number>,
  fingerprint: string,
};
export type Playout = { first: number, delay_ms: Array<number>, speed: Array<number>, behind_ms: Array<number>, };
export type Point = {
  settings: { [key in string]: string },
  on_front: boolean,
  kbps_mean: number,
  surface_error_mm_mean: number,
  surface_error_mm_p95: number,
  playout_ms: number,
  queue_ms: Waits,
  lost_by_queue: number,
  link_packets: number,
  delay_ms: Delays,
  link_from_ms: number,
};
export type Preset = { group: string, name: string, strategy: string, };
export type Quantisation = { level: number, coarsest: number, finest: number, is_one_level: boolean, position_step_mm: number, orientation_step_deg: number, surface_error_mm: number, needed_rung: string | null, };
export type Query = { "shown": { reach: Reach, } }
  | { "schema": { lane: LaneName, } }
  | "share"
  | { "needs_rest": { lane: LaneName, id: string, text: string, } }
  | { "find": { event: Event, forward: boolean, } }
  | { "traffic": { lane: LaneName, from: number, to: number, } }
  | { "troubles": { ticks: number, } }
  | { "playout": { lane: LaneName, ticks: number, } }
  | { "inspect": { lane: LaneName, number?: number, } }
  | "first_difference"
  | { "glitch": { lane: LaneName, } }
  | { "worst_objects": { lane: LaneName, count: number, } }
  | { "freezes": { lane: LaneName, } }
  | { "corrections": { lane: LaneName, } }
  | { "wait": { lane: LaneName, } }
  | { "cure": { lane: LaneName, } }
  | { "moments": { cube: number, ticks: number, } }
  | "report"
  | { "figures_csv": { lane: LaneName, } }
  | "recorded_ticks"
  | { "analysis_inputs": { question: AnalysisQuestion, } }
  | "hosted"
  | "network_of_guest"
  | { "changes_to": { link: string, } }
  | { "link_with": { link: string, figure: string, card?: string, } }
  | "fit_trace"
  | "test"
  | "test_file"
  | "test_is_ready"
  | "ticks_until_test"
  | { "link_of_outcome": { outcome: string, } };
export type Queued = { cube: number, priority: number, waited_ms: number | null, sent: boolean, };
export type RateAdvice = { point: RatePoint, surface_mm: number | null, delay_ms: number | null, broken: Array<string>, why: string, };
export type RatePoint = {
  rate_hz: number,
  kbps: number,
  calm: boolean,
  on_front: boolean,
  mode: string,
  delay_ms: number,
  surface_error_mm_p95: number,
  surface_error_px_p95: number,
  position_error_mm_p95: number,
  orientation_error_deg_p95: number,
  compared: number,
  apart: number,
  freezes: Freezes,
  behind_ms: number,
};
export type Rates = { points: Array<RatePoint>, recommended: RateAdvice, };
export type Reach = "nothing" | "view" | "figures" | "instant" | "state" | "source" | "all";
export type Received = "motion_part" | "trace" | "client" | "guest_frames" | "guest_log";
export type ReportJson = Record<string, unknown>;
export type Rung = {
  rung: number,
  name: string,
  class: string | null,
  packets: number,
  packets_over_mtu: number,
  bytes_per_packet: number,
  kbps: number,
  delivered_kbps: number,
  bits_per_changed_cube: number | null,
  surface_error_mm: SurfaceSpread,
  surface_error_px: SurfaceSpread,
  queue_ms: Waits,
  lost_by_queue: number,
  link_packets: number,
  delay_ms: Delays,
  link_from_ms: number,
};
export type RungAdvice = { number: number, class: string | null, why: string, };
export type RungRow = {
  number: number,
  name: string,
  label: string,
  section: number,
  cubes: "all" | "flags" | "indices" | "relative-indices" | "modelled",
  position: "absent" | "float" | "integer" | "relative" | "modelled",
  orientation: "absent" | "float" | "integer" | "relative" | "modelled",
  linear_velocity: "absent" | "float" | "integer" | "relative" | "modelled",
  predicted_from: string | null,
  most_hz: number | null,
};
export type Rungs = { after_tick: number, last_tick: number, goal_kbps: number, rows: Array<Rung>, };
export type Setting = {
  id: string,
  label: string,
  unit: string,
  group: string,
  help: string,
  effect: "at-once" | "lane" | "motion" | "world",
  shared: boolean,
  seldom: boolean,
  idle: boolean,
  replaced: boolean,
  default: string,
  choices?: Array<SettingChoice>,
  number?: SettingNumber,
};
export type SettingChoice = { id: string, label: string, };
export type SettingNumber = { min: number, max: number, step: number, slide: number, specials: Array<string>, marks: Array<number>, warns_above: number | null, };
export type SettingTexts = {
  [key: string]: string | undefined,
  "strategy": "snapshot" | "sync" | "lockstep" | "game",
  "hz": string,
  "codec": "uncompressed" | "smallest-three" | "velocity" | "at-rest" | "no-velocity" | "position" | "not-changed" | "index" | "relative-index" | "relative-position" | "relative-orientation" | "changed-flags" | "arithmetic" | "predicted" | "simulated",
  "class": "strict" | "chained",
  "pos": string,
  "rot": string,
  "vel": string,
  "pos-small": string,
  "pos-large": string,
  "rot-small": string,
  "rot-large": string,
  "budget": string,
  "nearest": "0" | "1",
  "sight": string,
  "clients": string,
  "adapt": "0" | "1" | "delay",
  "accumulate": "0" | "1",
  "velocities": "0" | "1",
  "rel": "0" | "1",
  "delta": "0" | "1",
  "rest": "0" | "1",
  "both": "0" | "1",
  "transport": "udp" | "tcp",
  "latency": string,
  "jitter": string,
  "loss": string,
  "burst": string,
  "dup": string,
  "reorder": string,
  "mtu": string,
  "header": "ipv4" | "ipv6" | "none" | "webrtc",
  "link": "own" | "wired" | "wifi-quiet" | "wifi-busy" | "4g-good" | "4g-moving" | "5g" | "starlink" | "satellite" | "us-east" | "asia" | "bufferbloat",
  "rate": string,
  "queue": string,
  "neighbour": string,
  "shape": "uniform" | "normal" | "exponential" | "pareto" | "paretonormal" | "lognormal" | "table-4g" | "table-5g" | "table-starlink" | "table-far",
  "most": string,
  "corr": string,
  "order": "0" | "1",
  "badloss": string,
  "badms": string,
  "stall": string,
  "stallms": string,
  "stallat": "periodic" | "random",
  "datachannel": "0" | "1",
  "back.latency": string,
  "back.jitter": string,
  "back.loss": string,
  "back.burst": string,
  "back.rate": string,
  "back.queue": string,
  "back.neighbour": string,
  "back.most": string,
  "back.corr": string,
  "back.badloss": string,
  "back.badms": string,
  "back.stall": string,
  "back.stallms": string,
  "back.shape": "same" | "uniform" | "normal" | "exponential" | "pareto" | "paretonormal" | "lognormal" | "table-4g" | "table-5g" | "table-starlink" | "table-far",
  "back.order": "same" | "0" | "1",
  "back.stallat": "same" | "periodic" | "random",
  "drift": string,
  "interp": "none" | "linear" | "slerp" | "hermite" | "extrapolate",
  "delay": string,
  "desync": "none" | "bit" | "order",
  "buffer": string,
  "freezes": string,
  "pace": string,
  "clock": "fastest" | "first",
  "smooth": "off" | "basic" | "adaptive",
  "predict": "wait" | "own" | "touch" | "all",
  "correct": "snap" | "glide",
  "lead": string,
  "repeats": string,
  "missing": "repeat" | "release",
  "server": "tick" | "now",
  "soft": "0" | "1",
  "scene": "drive" | "roll" | "blow" | "katamari" | "mixed" | "rest" | "crowd",
  "rival": "none" | "script" | "hand",
  "seed": string,
  "grid": string,
  "speed": string,
};
export type SourceCommand = { "open": { link: string, } } | { "play": { facts?: string, } } | "drop_parts" | "leave_motion" | { "jumps_over": { place: number, } } | { "begin_trace": { offset_ms: number, } } | "leave_trace";
export type Stage = "done" | "provisional" | "stale" | "travelling";
export type State = {
  a: SettingTexts,
  b?: SettingTexts,
  setting: LaneName,
  form: Form,
  differences: Array<string>,
  comparison?: number,
  has_two_motions: boolean,
  shows_client: boolean,
  steers_rival: boolean,
  overlays: Array<Overlay>,
  motion?: PlayedMotion,
  trace?: UsedTrace,
};
export type StrategyRow = { id: string, delay_key: "delay" | "buffer", words: StrategyWords, };
export type StrategyWords = { view: string, view_inside: string, waits: string, meanwhile: string, late: string, hitches: string, mismatches: string, carried: string | null, };
export type SurfaceAdvice = { wanted_mm: number, kept: boolean, taken: BitsPair, set: BitsPair, pairs: Array<BitsPair>, };
export type SurfaceErrors = { mean: number, worst: number, };
export type SurfaceSpread = { mean: number, p95: number, worst: number, };
export type SyncLive = { budget_kbps: number, updates_per_packet: number, divergence_mm: Errors, divergence_at_rest_max_mm: number, cubes_at_rest_apart: number, pops: number, since_update_median_ms: number, since_update_max_ms: number, };
export type Tables = {
  rungs: Array<RungRow>,
  strategies: Array<StrategyRow>,
  bit_kinds: Array<BitKind>,
  figures: Array<Figure>,
  presets: Array<Preset>,
  link_presets: Array<LinkPreset>,
  comparisons: Array<Comparison>,
  motion_megabytes: number,
  motion_objects: number,
  trace_megabytes: number,
  input_bits: InputBits,
  goal_kbps: number,
  delay_causes: Array<Cause>,
  loss_causes: Array<Cause>,
  modes: Array<ModeRow>,
  guest_predictions: Array<SettingChoice>,
  guest_modes: Array<SettingChoice>,
  blind_tests: Array<TestChoice>,
  looking_keys: Array<string>,
  act_keys: Array<string>,
};
export type Taken = { kbps: number, played: InterpolationResult, };
export type Task = { "read": { jumps_over: number, } } | "challenge" | "last_minute" | { "judge": { jumps_over: number, taken: string, } } | { "answer": { question: AnalysisQuestion, } } | "trace" | "pack" | { "facts": { facts: string, } };
export type TestButton = "a" | "b" | "x";
export type TestChoice = { id: string, label: string, };
export type TestCommand = { "begin": { test: string, seed: number, trials: string, } } | "prepare" | { "answer": { is_a: boolean, time_ms: number, drops: number, } } | "end";
export type Ticks = { from: number, to: number, };
export type TimeCommand = { "seek": { tick: number, } } | { "go_to": { tick: number, } } | "stop_going" | "restart" | "undo" | { "pause": { on: boolean, } } | { "cut_for": { ticks: number, } };
export type TimeWindow = "now" | "second" | "all";
export type Told = { "part": Bytes } | { "comparing": number } | { "contested": Contested } | { "judged": Judged } | { "recording": Bytes } | { "made": Bytes } | { "answered": { share: number, done: boolean, answer: AnalysisAnswer, } };
export type Trade = { points: Array<Point>, point_count: number, followed: Array<string>, changing_nothing: Array<string>, };
export type Traffic = { packets: Array<Packet>, acks: Array<Ack>, cut: Array<Ticks>, };
export type Troubles = { lost: Array<number>, still: Array<Ticks>, cut: Array<Ticks>, };
export type Unit = "kbps" | "bytes" | "bits" | "percent" | "mm" | "pixels" | "degrees" | "ms" | "frame" | "count";
export type UsedTrace = { description: string, seconds: number, begins_ms: number, assumed_interval: boolean, fingerprint: string, };
export type VerdictAnswer = {
  rungs: Array<Rung>,
  rung: RungAdvice,
  payload_kbps: number,
  widths: WidthAdvice,
  tried: Array<InterpolationResult>,
  warnings: Array<VerdictWarning>,
  engines: Array<EngineRow>,
  link: string,
  card: string | null,
  home: Home,
  taken: Taken,
  motion: MotionFigures,
  window: VerdictWindow,
  mtu_bytes: number,
  rates: Rates | null,
  network: string,
};
export type VerdictCard = { objects: number, seconds: number, tick_rate_hz: number, rung: number, class: string | null, network: string, recommended: CardPoint, front: Array<CardPoint>, };
export type VerdictWarning = { name: string, text: string, };
export type VerdictWindow = { after_tick: number, last_tick: number, seconds: number, tick_rate_hz: number, send_rate_hz: number, };
export type ViewCount = "three" | "two" | "one";
export type ViewState = {
  show: string | null,
  packet: number | null,
  cube: number | null,
  overlay: string | null,
  ghost: boolean,
  embed: boolean,
  camera: Array<number> | null,
  views: ViewCount,
  divider: number,
  split: number | null,
  limits: Limits,
  card: VerdictCard | null,
  tell: BlindTestOut | null,
  motion: string | null,
  facts: string | null,
  jumps_over: number,
};
export type ViewsCommand = { "resize": { width_px: number, height_px: number, gap_px: number, stacked: boolean, } }
  | { "background": { red: number, green: number, blue: number, } }
  | { "shadows": { on: boolean, } }
  | { "light": { cubes: Array<number>, } }
  | { "drag": { right_px: number, down_px: number, } }
  | { "zoom": { factor: number, } }
  | "reset_camera"
  | { "stand_at": { position: Array<number>, } }
  | { "place_inset": { x_px: number, y_px: number, width_px: number, height_px: number, } };
export type ViewsQuery = { "pick": { x_px: number, y_px: number, } } | { "place_of": { cube: number, } } | "home" | "px_of_mm" | "camera" | "worst";
export type Wait = { newest: DepartedPacket | null, next: DepartedPacket | null, next_in_ms: number | null, is_sent_again: boolean, held_back: number, lost: Array<number>, lost_count: number, };
export type Waits = { mean: number, p50: number, p95: number, max: number, };
export type WidthAdvice = { rate_hz: number, surface: SurfaceAdvice, position: WidthPair, orientation: WidthPair, set_bits_per_changed_cube: number, best_bounds: Array<Array<number>>, absolute_bits: Array<number>, };
export type WidthBin = { least: number, most: number, components: number, };
export type WidthCounts = { after_tick: number, last_tick: number, packets: number, changed_cubes: number, position: WidthPart, orientation: WidthPart, };
export type WidthPair = { small_bits: number, large_bits: number, bits_per_changed_cube: number, };
export type WidthPart = { values: number, absolute: number, histogram: Array<WidthBin>, chosen: WidthPair, articles: WidthPair, best: WidthPair, pairs: Array<WidthPair>, };
export type WorstObjects = { from_s: number, to_s: number, position_mm: Array<ObjectError>, orientation_deg: Array<ObjectError>, };
export interface Answers {
  shown: Changed;
  schema: Array<Setting>;
  share: string;
  needs_rest: boolean;
  find: number | undefined;
  traffic: Traffic | undefined;
  troubles: Troubles;
  playout: Playout | undefined;
  inspect: Inspection;
  first_difference: FirstDifference | undefined;
  glitch: Glitch | undefined;
  worst_objects: WorstObjects | undefined;
  freezes: Array<Freeze>;
  corrections: Array<HandCorrection>;
  wait: Wait | undefined;
  cure: Cure | undefined;
  moments: Array<Moment>;
  report: ReportJson;
  figures_csv: string | undefined;
  recorded_ticks: number;
  analysis_inputs: string;
  hosted: Hosted | undefined;
  network_of_guest: string;
  changes_to: Array<string>;
  link_with: string;
  fit_trace: FittedTrace | undefined;
  test: BlindTestState | undefined;
  test_file: string | undefined;
  test_is_ready: boolean;
  ticks_until_test: number;
  link_of_outcome: string;
}
export interface LookupAnswers {
  tables: Tables;
  link_needs_rest: boolean;
  file_kind: string | undefined;
  unknown_file: string;
  asked_table: AskedTable | undefined;
  is_motion: boolean;
  capture_bytes_max: number;
  outcome: BlindTestOut;
}

type NameOf<Q> = Q extends string ? Q : keyof Q;
export type Answer<Q extends Query> = Answers[NameOf<Q> & keyof Answers];
export type LookupAnswer<Q extends Lookup> = LookupAnswers[NameOf<Q> & keyof LookupAnswers];
export interface Page {
  ask<const Q extends Query>(question: Q): Answer<Q>;
}
export interface Guest {
  ask(question: 'figures'): GuestFigures;
  ask(question: Exclude<GuestQuery, 'figures'>): Uint8Array<ArrayBuffer>;
}
export function look_up<const Q extends Lookup>(question: Q, bytes: Uint8Array): LookupAnswer<Q>;
