//! Settings of the link beside latency, jitter and loss: the bottleneck, the shape of delays, bursts, stalls, and the way back.
//! The first row names a preset, which sets the others.

use super::network::{BURST, JITTER, LATENCY, LOSS, LOSS_MAX};
use super::{
    AUTO, DependsOnSize, Domain, Effect, FormRule, Group, OnLadder, SWITCH, Scope, Setting,
    choices, number, with_decimals, with_specials,
};
use crate::link_presets::CHOICES;
use crate::{Key, Strategy};

/// Columns that the rows of this group share.
const OF_THE_LINK: Setting = Setting {
    key: Key::Link,
    id: "link",
    label: "Link",
    unit: "",
    group: Group::Link,
    help: "A link as it is, of measured and judged numbers. Settings that are changed afterwards differ from it.",
    form: &[],
    domain: Domain::Choice(&CHOICES),
    default: 0,
    other_defaults: &[],
    other_domains: &[],
    strategies: &Strategy::ALL,
    effect: Effect::Lane,
    scope: &[Scope::Link],
    depends_on_size: DependsOnSize::Never,
    on_ladder: OnLadder::Heeded,
    drawn: &[],
};

/// Columns of those rows of this group that few people set by hand.
const SELDOM: Setting = Setting {
    form: &[FormRule::Seldom],
    ..OF_THE_LINK
};

const RATE: Domain = number(32, 1_000_000, &[64, 256, 1000, 5000]);
const QUEUE: Domain = number(10, 5000, &[50, 300, 2000]);
const NEIGHBOUR: Domain = number(0, 100, &[0, 50, 100]);

const MOST: Domain = number(1, 5000, &[250, 1000]);
const CORRELATION: Domain = with_decimals(number(0, 99, &[0, 48, 90]), 2);
const BURST_LOSS: Domain = number(1, 100, &[50, 100]);
const BURST_DELAY: Domain = number(0, 1000, &[0, 50, 200]);
const STALLS: Domain = with_decimals(number(0, 600, &[0, 40, 102]), 1);
const STALL_LENGTH: Domain = number(1, 5000, &[100, 400]);

/// The shapes of delays, after other choices.
macro_rules! shapes {
    ($($id:literal $label:literal)?) => {
        choices! {
            $($id $label,)?
            "uniform" "uniform: evenly around the latency",
            "normal" "normal: jitter is the standard deviation",
            "exponential" "exponential: jitter is the mean",
            "pareto" "pareto, as netem's",
            "paretonormal" "paretonormal, as netem's",
            "lognormal" "lognormal: jitter is the median",
            "table-4g" "measured: 4G, moving",
            "table-5g" "measured: 5G",
            "table-starlink" "measured: Starlink",
            "table-far" "measured: a long way",
        }
    };
}

pub(super) const LINK: [Setting; 30] = [
    OF_THE_LINK,
    Setting {
        key: Key::Rate,
        id: "rate",
        label: "Bottleneck",
        unit: "kbit/s",
        help: "Capacity of the link at the sender, headers included. Packets that come faster wait in a queue; 0 = endless.",
        domain: with_specials(RATE, &[(0, "0")]),
        depends_on_size: DependsOnSize::Unless(0),
        // A draw below the least rate leaves the bottleneck out.
        drawn: &[(Strategy::Snapshot, 0, 3000)],
        ..OF_THE_LINK
    },
    Setting {
        key: Key::Queue,
        id: "queue",
        label: "Queue",
        unit: "ms",
        help: "Longest wait at the bottleneck. A packet that finds more is dropped, whatever its own size.",
        form: &[FormRule::IdleWhile(Key::Rate, 0)],
        domain: QUEUE,
        default: 300,
        drawn: &[(Strategy::Snapshot, 10, 1000)],
        ..OF_THE_LINK
    },
    Setting {
        key: Key::Neighbour,
        id: "neighbour",
        label: "Neighbour's download",
        unit: "% of time",
        help: "Share of periods of 10 s in which somebody's download (New Reno) fills the queue of the bottleneck.",
        form: &[FormRule::IdleWhile(Key::Rate, 0)],
        domain: NEIGHBOUR,
        drawn: &[(Strategy::Snapshot, 0, 100)],
        ..OF_THE_LINK
    },
    Setting {
        key: Key::Shape,
        id: "shape",
        label: "Shape of delays",
        help: "The distribution of the jitter, which scales it. Real delays have a floor and a long tail.",
        domain: shapes! {},
        drawn: &[(Strategy::Snapshot, 0, 9)],
        ..OF_THE_LINK
    },
    Setting {
        key: Key::Most,
        id: "most",
        label: "Longest delay",
        unit: "ms",
        help: "Longest travel of a packet, without waits at the bottleneck and in stalls; 0 = no limit.",
        domain: with_specials(MOST, &[(0, "0")]),
        drawn: &[(Strategy::Snapshot, 0, 1000)],
        ..SELDOM
    },
    Setting {
        key: Key::Correlation,
        id: "corr",
        label: "Correlation of delays",
        help: "Probability with which a packet takes the delay drawn for the packet before it.",
        domain: CORRELATION,
        drawn: &[(Strategy::Snapshot, 0, 99)],
        ..SELDOM
    },
    Setting {
        key: Key::Order,
        id: "order",
        label: "Packets keep their order",
        help: "No packet arrives before an earlier one; a lost one holds back later ones too.",
        domain: SWITCH,
        drawn: &[(Strategy::Snapshot, 0, 1)],
        ..SELDOM
    },
    Setting {
        key: Key::BurstLoss,
        id: "badloss",
        label: "Loss in a burst",
        unit: "%",
        help: "Share of packets lost in the bad state of bursts. That state takes loss / this of all time.",
        form: &[FormRule::Seldom, FormRule::IdleWhile(Key::Loss, 0)],
        domain: BURST_LOSS,
        default: 100,
        drawn: &[(Strategy::Snapshot, 1, 100)],
        ..OF_THE_LINK
    },
    Setting {
        key: Key::BurstDelay,
        id: "badms",
        label: "Delay in a burst",
        unit: "ms",
        help: "Packets that survive the bad state of the bursts are later by this much.",
        form: &[FormRule::Seldom, FormRule::IdleWhile(Key::Loss, 0)],
        domain: BURST_DELAY,
        drawn: &[(Strategy::Snapshot, 0, 300)],
        ..OF_THE_LINK
    },
    Setting {
        key: Key::Stalls,
        id: "stall",
        label: "Stalls",
        unit: "a minute",
        help: "Stops of the link: packets wait, none is dropped.",
        domain: STALLS,
        drawn: &[(Strategy::Snapshot, 0, 600)],
        ..SELDOM
    },
    Setting {
        key: Key::StallLength,
        id: "stallms",
        label: "Length of a stall",
        unit: "ms",
        help: "Length of a stall, or the mean of random ones. None is longer than half of the time between two.",
        form: &[FormRule::Seldom, FormRule::IdleWhile(Key::Stalls, 0)],
        domain: STALL_LENGTH,
        default: 100,
        drawn: &[(Strategy::Snapshot, 1, 1000)],
        ..OF_THE_LINK
    },
    Setting {
        key: Key::StallTimes,
        id: "stallat",
        label: "Stalls come",
        help: "Stalls come at even times, or at random times with random lengths.",
        form: &[FormRule::Seldom, FormRule::IdleWhile(Key::Stalls, 0)],
        domain: choices! {
            "periodic" "periodically",
            "random" "at random",
        },
        drawn: &[(Strategy::Snapshot, 0, 1)],
        ..OF_THE_LINK
    },
    Setting {
        key: Key::BackLatency,
        id: "back.latency",
        label: "Latency, way back",
        unit: "ms",
        help: "Time that an acknowledgement travels.",
        domain: or_same(LATENCY),
        default: AUTO,
        ..SELDOM
    },
    Setting {
        key: Key::BackJitter,
        id: "back.jitter",
        label: "Jitter, way back",
        unit: "ms",
        help: "Scale of an acknowledgement's jitter.",
        domain: or_same(JITTER),
        default: AUTO,
        ..SELDOM
    },
    Setting {
        key: Key::BackLoss,
        id: "back.loss",
        label: "Loss, way back",
        unit: "%",
        help: "Acknowledgements that never arrive.",
        domain: or_same(LOSS),
        default: AUTO,
        drawn: &[(Strategy::Snapshot, 0, LOSS_MAX)],
        ..SELDOM
    },
    Setting {
        key: Key::BackBurst,
        id: "back.burst",
        label: "Mean loss burst, way back",
        unit: "packets",
        help: "Average acknowledgements lost in a row.",
        domain: or_same(BURST),
        default: AUTO,
        ..SELDOM
    },
    Setting {
        key: Key::BackRate,
        id: "back.rate",
        label: "Bottleneck, way back",
        unit: "kbit/s",
        help: "Capacity of the way back; 0 = endless.",
        domain: with_specials(RATE, &[(AUTO, "same"), (0, "0")]),
        default: AUTO,
        drawn: &[(Strategy::Snapshot, 0, 500)],
        ..SELDOM
    },
    Setting {
        key: Key::BackQueue,
        id: "back.queue",
        label: "Queue, way back",
        unit: "ms",
        help: "Longest wait at the bottleneck of the way back.",
        domain: or_same(QUEUE),
        default: AUTO,
        ..SELDOM
    },
    Setting {
        key: Key::BackNeighbour,
        id: "back.neighbour",
        label: "Neighbour, way back",
        unit: "% of time",
        help: "Share of periods of 10 s in which somebody's upload fills the queue of the way back.",
        domain: or_same(NEIGHBOUR),
        default: AUTO,
        ..SELDOM
    },
    Setting {
        key: Key::BackMost,
        id: "back.most",
        label: "Longest delay, way back",
        unit: "ms",
        help: "No acknowledgement travels longer; 0 = no limit.",
        domain: with_specials(MOST, &[(AUTO, "same"), (0, "0")]),
        default: AUTO,
        ..SELDOM
    },
    Setting {
        key: Key::BackCorrelation,
        id: "back.corr",
        label: "Correlation, way back",
        help: "Probability with which an acknowledgement takes the delay drawn for the one before it.",
        domain: or_same(CORRELATION),
        default: AUTO,
        ..SELDOM
    },
    Setting {
        key: Key::BackBurstLoss,
        id: "back.badloss",
        label: "Loss in a burst, way back",
        unit: "%",
        help: "Acknowledgements lost in the bad state of the bursts.",
        domain: or_same(BURST_LOSS),
        default: AUTO,
        ..SELDOM
    },
    Setting {
        key: Key::BackBurstDelay,
        id: "back.badms",
        label: "Delay in a burst, way back",
        unit: "ms",
        help: "Acknowledgements that survive the bad state of the bursts are later by this much.",
        domain: or_same(BURST_DELAY),
        default: AUTO,
        ..SELDOM
    },
    Setting {
        key: Key::BackStalls,
        id: "back.stall",
        label: "Stalls, way back",
        unit: "a minute",
        help: "Stops in which acknowledgements wait.",
        domain: or_same(STALLS),
        default: AUTO,
        ..SELDOM
    },
    Setting {
        key: Key::BackStallLength,
        id: "back.stallms",
        label: "Length of a stall, way back",
        unit: "ms",
        help: "The mean where stalls are random.",
        domain: or_same(STALL_LENGTH),
        default: AUTO,
        ..SELDOM
    },
    Setting {
        key: Key::BackShape,
        id: "back.shape",
        label: "Shape of delays, way back",
        help: "The distribution of the jitter of acknowledgements.",
        domain: shapes! { "same" "as the way ahead" },
        drawn: &[(Strategy::Snapshot, 0, 10)],
        ..SELDOM
    },
    Setting {
        key: Key::BackOrder,
        id: "back.order",
        label: "Packets keep their order, way back",
        help: "No acknowledgement arrives before an earlier one.",
        domain: choices! { "same" "as the way ahead", "0" "off", "1" "on" },
        drawn: &[(Strategy::Snapshot, 0, 2)],
        ..SELDOM
    },
    Setting {
        key: Key::BackStallTimes,
        id: "back.stallat",
        label: "Stalls come, way back",
        help: "Stalls come at even times, or at random times with random lengths.",
        domain: choices! {
            "same" "as the way ahead",
            "periodic" "periodically",
            "random" "at random",
        },
        ..SELDOM
    },
    Setting {
        key: Key::Drift,
        id: "drift",
        label: "Drift of the receiver's clock",
        unit: "ppm",
        help: "The receiver's clock runs faster by this much: a second in an hour is 278 ppm.",
        domain: Domain::Number {
            min: 0,
            max: 2000,
            zero: 1000,
            decimals: 0,
            specials: &[],
            marks: &[0, 1000, 2000],
        },
        default: 1000,
        scope: &[Scope::Receiver],
        on_ladder: OnLadder::Ignored,
        drawn: &[(Strategy::Snapshot, 0, 2000)],
        ..SELDOM
    },
];

/// A domain of the way back, with a special value: as the way ahead.
const fn or_same(domain: Domain) -> Domain {
    with_specials(domain, &[(AUTO, "same")])
}
