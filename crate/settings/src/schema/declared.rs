//! All settings, each declared once. The order is that of the form and of links.

use super::declare::settings;
use super::row::{
    COMMON, Choice, Domain, Effect, Group, OfLink, OnLadder, Setting, decimals, number, specials,
    with_same, zero_at,
};
use crate::choices::*;
use crate::kind::{ADAPTIVE, AT_ONCE, AUTO, Limit, OrAuto, SetDelay, Share};
use crate::link_presets::ChosenPreset;
use crate::{Interpolation, Strategy};
use OnLadder::{Heeded, Ignored, Size, Varied};
use Strategy::{Game, Lockstep, Snapshot, Sync};
use ValueCoding::{Float, Integer, Relative};
use snapshot_base::time::TickRate;
use snapshot_codec::{Class, CubesCoding, Rung, RungRow, ValueCoding, Widths};
use snapshot_netsim::channel::DelayShape;
use snapshot_physics::crowd::CROWD_PLAYERS;
use snapshot_physics::scene::SceneKind;
use snapshot_physics::world::Rival;

/// Upper limit of the bit width of an orientation difference: it holds any difference of two components of 16 bits.
const ORIENTATION_WIDTH_MAX: u32 = 17;

/// Greatest loss, raw value in 1/10,000 %.
const LOSS_MAX: u32 = 500_000;

/// Loss above which the form warns, raw value in 1/10,000 %: the techniques of the articles were not made for more.
const LOSS_WARM: u32 = 50_000;

/// Percentages in steps of a tenth, 0 to 50.
const PER_CENT: Domain = decimals(1, number(0, 500, &[0, 10, 50, 250]));

const fn width(max: u32, marks: &'static [u32]) -> Domain {
    specials(&[(AUTO, "auto")], number(Widths::BITS_MIN, max, marks))
}

/// True for a rung without differences of positions.
const NO_POSITION_WIDTH: Option<fn(&RungRow) -> bool> = Some(|rung| rung.position != Relative);

/// True for a rung without differences of orientations.
const NO_ORIENTATION_WIDTH: Option<fn(&RungRow) -> bool> =
    Some(|rung| rung.orientation != Relative);

settings! {
    columns {
        /// The sender.
        SENDER of COMMON { group: Group::Sender }
        /// Quantisation.
        BITS of SENDER { effect: Effect::Motion, on_ladder: Heeded, used_by: &[Snapshot, Sync, Game] }
        /// Bit widths of differences.
        WIDTH of SENDER {
            default: AUTO, is_seldom: true, on_ladder: Size, used_by: &[Snapshot],
            drawn: &[(Snapshot, 0, 2 * Widths::BITS_MAX)],
        }
        /// A game's server.
        SERVER of SENDER { used_by: &[Game] }
        /// State synchronisation.
        SYNC of SENDER { used_by: &[Sync], drawn: &[(Sync, 0, 1)] }
        /// Packets on the network.
        NETWORK of COMMON { group: Group::Network, on_ladder: Heeded }
        /// Delay and loss.
        PATH of NETWORK { of_link: OfLink::Recorded }
        /// The link.
        LINK of NETWORK { group: Group::Link }
        /// The bottleneck, which a recorded link does not have.
        BOTTLENECK of LINK { of_link: OfLink::Given }
        /// The rarer faults.
        FAULT of LINK { of_link: OfLink::Recorded, is_seldom: true }
        /// The receiver.
        RECEIVER of COMMON { group: Group::Receiver }
        /// A game's client.
        CLIENT of RECEIVER { used_by: &[Game] }
        /// The world, and its driver.
        WORLD of COMMON { group: Group::World, effect: Effect::World, is_read_by_a_lane: false }
    }

    in SENDER {
        /// What is sent: states of every cube, of those that matter most, keys alone; or keys there and states back.
        Strategy "strategy" "Strategy" "" => strategy: Strategy { effect: Effect::Motion }
        /// Packets sent a second, at most one each tick. Fewer save bandwidth and make the receiver guess more.
        SendRate "hz" "Send rate" "/s" => chosen_rate_hz: u32 {
            domain: number(1, TickRate::MOST_HZ, &[10, 20, 30, 60]), default: 10, is_limited_by_tick_rate: true,
            other_defaults: &[(Sync, 60), (Lockstep, 60), (Game, 20)], on_ladder: Heeded,
            drawn: &[(Snapshot, 1, 60), (Lockstep, 1, 60), (Game, 1, 60)],
        }
        /// The ladder of the compression article: each rung keeps what the one before it saved. Rung 14 is slow.
        Codec "codec" "Codec rung" "" => rung: Rung {
            default: Rung::ChangedFlags as u32, on_ladder: Varied, used_by: &[Snapshot, Game],
            drawn: &[(Snapshot, 0, Rung::ALL.len() as u32 - 1)],
        }
        /// A packet is decoded from its baseline alone, or also from the coder's state beside it. For rungs with probabilities.
        Class "class" "Codec class" "" => class: Class {
            default: Class::Chained as u32, idle_on_rungs: Some(|rung| rung.cubes != CubesCoding::Modelled),
            on_ladder: Varied, used_by: &[Snapshot, Game], drawn: &[(Snapshot, 0, 1)],
        }
    }
    in BITS {
        /// Fractional bits of a coordinate: 9 are 512 steps a metre, 2 mm. Snapshots: used from rung 5 on.
        PositionBits "pos" "Position bits" "bits" => position_bits: u32 {
            domain: number(1, 12, &[9, 12]), default: 9, idle_on_rungs: Some(|rung| rung.position == Float),
            other_defaults: &[(Sync, 12)], other_domains: &[(Sync, number(4, 12, &[9, 12]))],
            drawn: &[(Snapshot, 1, 12)],
        }
        /// Bits of each of the three smallest quaternion components. Snapshots: used from rung 1 on.
        OrientationBits "rot" "Orientation bits" "bits" => orientation_bits: u32 {
            domain: number(2, 16, &[9, 15]), default: 9, idle_on_rungs: Some(|rung| rung.orientation == Float),
            other_defaults: &[(Sync, 15)], drawn: &[(Snapshot, 2, 16)],
        }
        /// Fractional bits of a velocity: 5 are 32 steps a m/s. Snapshots: used on rungs 2 and 3.
        VelocityBits "vel" "Velocity bits" "bits" => velocity_bits: u32 {
            domain: number(0, 12, &[5, 12]), default: 5, other_defaults: &[(Sync, 12)], drawn: &[(Snapshot, 0, 12)],
            is_seldom: true, idle_on_rungs: Some(|rung| rung.linear_velocity != Integer),
        }
    }
    in WIDTH {
        /// Bits of a small difference of positions: 5 reach from -16 to 15 steps. Used on rungs 9 to 11.
        PositionSmall "pos-small" "Position, small range" "bits" => small_position_bits: OrAuto {
            domain: width(Widths::BITS_MAX, &[4, 5]), idle_on_rungs: NO_POSITION_WIDTH,
        }
        /// Bits of a large difference: 9 reach 256 steps beyond the small on either side. Beyond both the position is sent whole.
        PositionLarge "pos-large" "Position, large range" "bits" => large_position_bits: OrAuto {
            domain: width(Widths::BITS_MAX, &[8, 9]), idle_on_rungs: NO_POSITION_WIDTH,
        }
        /// Bits of a small difference of components: 5 reach from -16 to 15. Used on rungs 10 and 11.
        OrientationSmall "rot-small" "Orientation, small range" "bits" => small_orientation_bits: OrAuto {
            domain: width(ORIENTATION_WIDTH_MAX, &[4, 5]), idle_on_rungs: NO_ORIENTATION_WIDTH,
        }
        /// Bits of a large difference: 8 reach 128 beyond the small on either side. Beyond both the orientation is sent whole.
        OrientationLarge "rot-large" "Orientation, large range" "bits" => large_orientation_bits: OrAuto {
            domain: width(ORIENTATION_WIDTH_MAX, &[7, 8]), idle_on_rungs: NO_ORIENTATION_WIDTH,
        }
    }
    in SENDER {
        /// Most that is sent a second, headers counted. What matters most goes first, the rest waits. A game's 0: no limit.
        Budget "budget" "Budget" "kbit/s" => budget_kbps: Limit {
            domain: number(48, 1024, &[64, 256, 512]), default: 256, other_defaults: &[(Game, 0)],
            other_domains: &[(Game, specials(&[(0, "0")], number(8, 1024, &[64, 128, 256])))],
            drawn: &[(Sync, 48, 1024), (Game, 0, 512)], used_by: &[Sync, Game],
        }
    }
    in SERVER {
        /// With a budget, the priority of a cube falls with its distance from the driver's. Off: all have the same.
        Nearest "nearest" "Nearest first" "" => is_nearest_first: bool {
            default: 1, idle_without: Some(Key::Budget), drawn: &[(Game, 0, 1)],
        }
        /// A client gets the cubes within this distance from its own, and no others. 0: all of them.
        Sight "sight" "Sight" "m" => sight_m: Limit {
            domain: number(0, 200, &[0, 20, 50, 100]), drawn: &[(Game, 0, 200)],
        }
        /// Players of the scene crowd that the server serves too, over links like yours. What all of them cost is measured.
        Clients "clients" "Clients served" "" => clients: u32 {
            domain: number(1, CROWD_PLAYERS as u32, &[1, 10, 100]), default: 1,
        }
    }
    in SYNC {
        /// Lowers the budget where packets are lost or wait in a queue, and raises it again, up to the one set.
        Adapt "adapt" "Adapt the budget" "" => adaptation: Adaptation { drawn: &[(Sync, 0, 2)] }
        /// Waiting cubes gain priority until they are sent. Without it grey cubes starve.
        Accumulate "accumulate" "Accumulate priority" "" => accumulates: bool { default: 1 }
        /// Sent with each update. Without them the right side keeps its own, and cubes pop at updates.
        Velocities "velocities" "Send velocities" "" => sends_velocities: bool { default: 1 }
        /// Cubes near the player are sent relative to it: a ball of cubes moves as one.
        Relative "rel" "Relative to the player" "" => is_relative: bool {}
        /// Encodes each cube against its newest acknowledged update.
        Delta "delta" "Delta against acked" "" => is_delta: bool {}
        /// A cube that has come to rest keeps its priority until that is acknowledged. With a small budget others wait for it.
        RestPriority "rest" "Rest counts more" "" => rest_counts: bool {}
        /// Both sides simulate rounded values that can be sent. So the right one starts from the very same numbers.
        Both "both" "Quantise both sides" "" => quantises_both: bool {
            default: 1, effect: Effect::Motion, is_read_by_a_lane: false, drawn: &[(Sync, 0, 0)],
        }
    }
    in NETWORK {
        /// Datagrams repeat inputs that may be lost. In a stream everything waits for a lost packet.
        Transport "transport" "Transport" "" => chosen_transport: Transport {
            on_ladder: Ignored, used_by: &[Lockstep], drawn: &[(Lockstep, 1, 1)],
        }
    }
    in PATH {
        /// Time that a packet travels; an acknowledgement takes as long to come back.
        Latency "latency" "Latency, one way" "ms" => latency_ms(way): f64 {
            domain: decimals(1, number(0, 5000, &[0, 500, 1250, 2500])), default: 500,
            other_domains: &[(Lockstep, decimals(1, number(0, 20_000, &[0, 500, 1250, 2500, 20_000])))],
            drawn: &[(Snapshot, 0, 5000), (Lockstep, 10, 20_000)],
        }
        /// Each packet's latency varies evenly by up to this much either way. With another shape it is the scale.
        Jitter "jitter" "Jitter" "± ms" => jitter_ms(way): f64 {
            domain: decimals(1, number(0, 1000, &[0, 170, 330])), default: 170, drawn: &[(Snapshot, 0, 1000)],
        }
        /// Packets that never arrive, in both directions.
        Loss "loss" "Packet loss" "%" => loss(way): Share {
            domain: decimals(4, number(0, LOSS_MAX, &[0, 10_000, 50_000, 250_000])), default: 10_000,
            warns_above: Some(LOSS_WARM), drawn: &[(Snapshot, 0, 300_000)],
        }
        /// Average packets lost in a row, at the same overall loss; 1 = independent losses.
        Burst "burst" "Mean loss burst" "packets" => burst_packets(way): f64 {
            domain: decimals(2, number(100, 2000, &[100, 500])), default: 100, idle_without: Some(Key::Loss),
            drawn: &[(Snapshot, 100, 2000)],
        }
        /// Packets that arrive twice.
        Duplicated "dup" "Duplicated" "%" => duplicated(way): Share {
            // A packet is acknowledged once, however often it arrives.
            domain: PER_CENT, is_seldom: true, on_ladder: Ignored, drawn: &[(Snapshot, 0, 500)],
        }
        /// Packets held back by 1 to 3 send intervals, so that later ones overtake them.
        Reordered "reorder" "Reordered" "%" => reordered(way): Share {
            domain: PER_CENT, is_seldom: true, drawn: &[(Snapshot, 0, 500)],
        }
    }
    in NETWORK {
        /// A larger packet is cut up, and lost when any piece is. 0 sends whole packets, as the articles do.
        Fragments "mtu" "Fragment size (MTU)" "bytes" => fragment_bytes: Limit {
            domain: specials(&[(0, "0")], number(576, 1500, &[576, 1200, 1500])), is_seldom: true,
            depends_on_size: true, drawn: &[(Snapshot, 0, 1500)],
        }
        /// Headers of IP and UDP, counted for every packet. A data channel's packets have those of DTLS and SCTP, too.
        Header "header" "Counted header" "" => header: Header {
            is_seldom: true, on_ladder: Size, drawn: &[(Snapshot, 0, 2)],
        }
    }
    in LINK {
        /// A real link: numbers are measured, or estimated where nobody measured. A setting that you change leaves it.
        Link "link" "Link" "" => link_preset: ChosenPreset {}
    }
    in BOTTLENECK {
        /// Capacity of the link at the sender, headers included. Packets that come faster wait in a queue; 0 = endless.
        Rate "rate" "Bottleneck" "kbit/s" => rate_kbps(way): Limit {
            domain: specials(&[(0, "0")], number(32, 1_000_000, &[64, 256, 1000, 5000])), depends_on_size: true,
            // A draw below the least rate leaves the bottleneck out.
            drawn: &[(Snapshot, 0, 3000)],
        }
        /// Longest wait at the bottleneck. A packet that finds more is dropped, whatever its own size.
        Queue "queue" "Queue" "ms" => queue_ms(way): f64 {
            domain: number(10, 5000, &[50, 300, 2000]), default: 300, idle_without: Some(Key::Rate),
            drawn: &[(Snapshot, 10, 1000)],
        }
        /// Share of periods of 10 s in which somebody's download (New Reno) fills the queue of the bottleneck.
        Neighbour "neighbour" "Neighbour's download" "% of time" => neighbour(way): Share {
            domain: number(0, 100, &[0, 50, 100]), idle_without: Some(Key::Rate), drawn: &[(Snapshot, 0, 100)],
        }
    }
    in FAULT {
        /// The distribution of the jitter, which scales it. Real delays have a floor and a long tail.
        Shape "shape" "Shape of delays" "" => delay_shape(way): DelayShape { is_seldom: false, drawn: &[(Snapshot, 0, 9)] }
        /// Longest travel of a packet, without waits at the bottleneck and in stalls; 0 = no limit.
        Most "most" "Longest delay" "ms" => longest_ms(way): Limit {
            domain: specials(&[(0, "0")], number(1, 5000, &[250, 1000])), drawn: &[(Snapshot, 0, 1000)],
        }
        /// Probability with which a packet takes the delay drawn for the packet before it.
        Correlation "corr" "Correlation of delays" "" => correlation(way): f64 {
            domain: decimals(2, number(0, 99, &[0, 48, 90])), drawn: &[(Snapshot, 0, 99)],
        }
        /// No packet arrives before an earlier one; a lost one holds back later ones too.
        Order "order" "Packets keep their order" "" => keeps_order(way): bool {
            of_link: OfLink::Given, drawn: &[(Snapshot, 0, 1)],
        }
        /// Share of packets lost in the bad state of bursts. That state takes loss / this of all time.
        BurstLoss "badloss" "Loss in a burst" "%" => burst_loss(way): Share {
            domain: number(1, 100, &[50, 100]), default: 100, idle_without: Some(Key::Loss),
            drawn: &[(Snapshot, 1, 100)],
        }
        /// Packets that survive the bad state of the bursts are later by this much.
        BurstDelay "badms" "Delay in a burst" "ms" => burst_delay_ms(way): f64 {
            domain: number(0, 1000, &[0, 50, 200]), idle_without: Some(Key::Loss),
            drawn: &[(Snapshot, 0, 300)],
        }
        /// Stops of the link: packets wait, none is dropped.
        Stalls "stall" "Stalls" "a minute" => stalls_per_minute(way): Limit {
            domain: decimals(1, number(0, 600, &[0, 40, 102])), drawn: &[(Snapshot, 0, 600)],
        }
        /// Length of a stall, or the mean of random ones. None is longer than half of the time between two.
        StallLength "stallms" "Length of a stall" "ms" => stall_ms(way): f64 {
            domain: number(1, 5000, &[100, 400]), default: 100, idle_without: Some(Key::Stalls),
            drawn: &[(Snapshot, 1, 1000)],
        }
        /// Stalls come at even times, or at random times with random lengths.
        StallTimes "stallat" "Stalls come" "" => stall_times(way): StallTimes {
            idle_without: Some(Key::Stalls), drawn: &[(Snapshot, 0, 1)],
        }
        /// Packets wait at the sender for the congestion window of a WebRTC data channel, unordered and without retransmission.
        DataChannel "datachannel" "Data channel" "" => is_data_channel: bool {
            depends_on_size: true, drawn: &[(Snapshot, 0, 1)],
        }
    }

    // The end of the permalink key, the start of the label, and drawn raw values.
    way_back {
        BackLatency of Latency "latency" "Latency" &[],
        BackJitter of Jitter "jitter" "Jitter" &[],
        BackLoss of Loss "loss" "Loss" &[(Snapshot, 0, LOSS_MAX)],
        BackBurst of Burst "burst" "Mean loss burst" &[],
        BackRate of Rate "rate" "Bottleneck" &[(Snapshot, 0, 500)],
        BackQueue of Queue "queue" "Queue" &[],
        BackNeighbour of Neighbour "neighbour" "Neighbour" &[],
        BackMost of Most "most" "Longest delay" &[],
        BackCorrelation of Correlation "corr" "Correlation" &[],
        BackBurstLoss of BurstLoss "badloss" "Loss in a burst" &[],
        BackBurstDelay of BurstDelay "badms" "Delay in a burst" &[],
        BackStalls of Stalls "stall" "Stalls" &[],
        BackStallLength of StallLength "stallms" "Length of a stall" &[],
        BackShape of Shape "shape" "Shape of delays" &[(Snapshot, 0, 10)],
        BackOrder of Order "order" "Packets keep their order" &[(Snapshot, 0, 2)],
        BackStallTimes of StallTimes "stallat" "Stalls come" &[],
    }

    then in LINK {
        /// The receiver's clock runs faster by this much: a second in an hour is 278 ppm.
        Drift "drift" "Drift of the receiver's clock" "ppm" => drift_ppm: f64 {
            domain: zero_at(1000, number(0, 2000, &[0, 1000, 2000])), default: 1000, is_seldom: true,
            on_ladder: Ignored, drawn: &[(Snapshot, 0, 2000)],
        }
    }
    then in RECEIVER {
        /// How the receiver fills the time between two snapshots.
        Interpolation "interp" "Interpolation" "" => interpolation: Interpolation {
            default: Interpolation::Linear as u32, used_by: &[Snapshot, Game],
            drawn: &[(Snapshot, 0, Interpolation::ALL.len() as u32 - 1)],
        }
        /// Time until packets are played. Auto: 3 send intervals and 99 % of the jitter. Adaptive: as needed. None: at once.
        Delay "delay" "Playout delay" "ms" => playout_delay: SetDelay {
            domain: specials(&[(AUTO, "auto"), (ADAPTIVE, "adaptive"), (AT_ONCE, "none")], number(0, 2000, &[85, 150, 350])),
            default: AUTO, other_defaults: &[(Lockstep, 100)], used_by: &[Snapshot, Lockstep, Game],
            drawn: &[(Snapshot, 0, 1000)],
        }
        /// Disturbs the right side's simulation a little. Nothing corrects it: watch the difference grow.
        // A sweep leaves the setting out: it breaks invariants that a sweep checks.
        Desync "desync" "Break determinism" "" => desync: Desync { used_by: &[Lockstep] }
        /// How long packets wait, so that late ones come in time. Adaptive: as needed. None: applied as they arrive.
        JitterBuffer "buffer" "Jitter buffer" "frames" => jitter_buffer: SetDelay {
            domain: specials(&[(ADAPTIVE, "adaptive"), (AT_ONCE, "none")], number(0, 12, &[0, 5])), default: 5,
            used_by: &[Sync], drawn: &[(Sync, 0, 12)],
        }
        /// An adaptive delay is the shortest at which play stands still no more often, by the last 40 s.
        Freezes "freezes" "Freezes" "a minute" => freezes_per_minute: f64 {
            domain: number(1, 60, &[1, 2, 10]), default: 2,
        }
        /// An adaptive delay plays at most this much faster to catch up, and slower while a packet is overdue.
        Pace "pace" "Change of speed" "± %" => pace: Share { domain: number(1, 24, &[1, 5, 24]), default: 24 }
        /// The fastest packets: a fixed delay finds its place again after a break. The first packet: links of version 1.
        Clock "clock" "Delay counts from" "" => delay_start: DelayStart {
            is_seldom: true, used_by: &[Snapshot, Game], drawn: &[(Snapshot, 0, 1)],
        }
        /// Shows a correction gradually. The simulated cube jumps at once.
        Smoothing "smooth" "Smoothing" "" => smoothing: Smoothing {
            default: Smoothing::Adaptive as u32, used_by: &[Sync], drawn: &[(Sync, 0, 2)],
        }
    }
    then in CLIENT {
        /// Cubes that the driver's screen simulates ahead of the server. The others are drawn as the last snapshots have them.
        Predict "predict" "Predict" "" => predict: Predict {
            default: Predict::Touch as u32, drawn: &[(Game, 0, 3)],
        }
        /// Snap: the picture jumps. Glide: the error fades from the picture. The predicted world is right at once.
        Correct "correct" "Corrections" "" => correct: Correct {
            default: Correct::Glide as u32, drawn: &[(Game, 0, 1)],
        }
        /// Time from a key's arrival to the tick that needs it. Auto: a tick, and one for each copy that the loss calls for.
        Lead "lead" "Keys come early by" "ms" => input_lead_ms: OrAuto {
            domain: specials(&[(AUTO, "auto")], number(10, 500, &[17, 33, 100])), default: AUTO,
            drawn: &[(Game, 10, 200)],
        }
        /// A datagram has the keys of its tick, and those before it that the server has not acknowledged. 1: no repetition.
        Repeats "repeats" "Keys in a datagram" "" => input_repeats: u32 {
            domain: number(1, 64, &[1, 16]), default: 16, drawn: &[(Game, 1, 64)],
        }
        /// What the server presses in a tick whose keys have not come.
        Missing "missing" "Missing keys" "" => missing_keys: MissingKeys { drawn: &[(Game, 0, 1)] }
        /// The server's world at the tick of the driver's screen, or what the server has at the same moment.
        Server "server" "Left view" "" => server_view: ServerView {
            effect: Effect::AtOnce, is_read_by_a_lane: false,
        }
    }
    then in RECEIVER {
        /// Off: cubes that a correction puts into each other burst apart, most with few position bits or a small budget.
        Soft "soft" "Soft constraints" "" => is_soft: bool {
            default: 1, effect: Effect::Motion, is_read_by_a_lane: false, used_by: &[Sync], drawn: &[(Sync, 0, 0)],
        }
    }
    then in WORLD {
        /// Who drives: you, or a script that does the same every time.
        Scene "scene" "Scene" "" => scene: SceneKind {
            default: SceneKind::Mixed as u32, drawn: &[(Snapshot, SceneKind::Roll as u32, SceneKind::Mixed as u32)],
        }
        /// A second large cube, blue. A script drives it at yours, or a second hand does, with W A S D, E and Q.
        // A sweep takes the rival that goes with the seed, and its grid.
        Rival "rival" "Rival" "" => chosen_rival: Rival { is_seldom: true, used_by: &[Snapshot, Game] }
        /// The draws of the script and of the network's faults. Same seed, same bytes.
        Seed "seed" "Seed" "" => seed: u32 {
            domain: number(0, u32::MAX, &[]), default: 1, is_read_by_a_lane: true, on_ladder: Heeded,
            // Few worlds, which draws share: simulating one costs more than running a lane over it.
            drawn: &[(Snapshot, 1, 16)],
        }
        /// Small cubes along each side of the grid: 30 make the article's 900.
        Grid "grid" "Grid side" "cubes" => grid_side: u32 {
            domain: number(5, 60, &[30]), default: 30, is_seldom: true, effect: Effect::Motion,
        }
        /// Slow motion, or up to twice as fast. Nothing that is simulated changes.
        Speed "speed" "Speed" "x" => speed: f64 {
            domain: decimals(1, number(1, 20, &[1, 5, 10, 20])), default: 10, is_seldom: true, effect: Effect::AtOnce,
        }
    }
}
