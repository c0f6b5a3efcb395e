//! Settings of the link beside latency, jitter and loss: the bottleneck, the shape of delays, bursts, stalls, and the way back.
//! The first row names a preset, which sets the others.

use super::network::{LOSS_MAX, NETWORK};
use super::row::{
    AUTO, COMMON, Choice, DependsOnSize, Domain, FormRule, Group, Numbers, OnLadder, SWITCH, Scope,
    Setting, choices, number, numbers, with_decimals, with_specials,
};
use crate::link_presets::CHOICES;
use crate::{Key, Strategy};

/// Values of the columns that the rows in this file share, unless a row sets another value.
const OF_THE_LINK: Setting = Setting {
    group: Group::Link,
    scope: &[Scope::Link],
    on_ladder: OnLadder::Heeded,
    ..COMMON
};

/// Values of the columns of settings that few people change by hand, which the form hides.
const SELDOM: Setting = Setting {
    form: &[FormRule::Seldom],
    ..OF_THE_LINK
};

/// Settings of the way to the receiver, in the order of [`Key`].
pub(super) const LINK: [Setting; 14] = [
    Setting {
        key: Key::Link,
        id: "link",
        label: "Link",
        help: "A real link: numbers are measured, or estimated where nobody measured. A setting that you change leaves it.",
        domain: Domain::Choice(&CHOICES),
        ..OF_THE_LINK
    },
    Setting {
        key: Key::Rate,
        id: "rate",
        label: "Bottleneck",
        unit: "kbit/s",
        help: "Capacity of the link at the sender, headers included. Packets that come faster wait in a queue; 0 = endless.",
        domain: with_specials(number(32, 1_000_000, &[64, 256, 1000, 5000]), &[(0, "0")]),
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
        domain: number(10, 5000, &[50, 300, 2000]),
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
        domain: number(0, 100, &[0, 50, 100]),
        drawn: &[(Strategy::Snapshot, 0, 100)],
        ..OF_THE_LINK
    },
    Setting {
        key: Key::Shape,
        id: "shape",
        label: "Shape of delays",
        help: "The distribution of the jitter, which scales it. Real delays have a floor and a long tail.",
        domain: choices! {
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
        },
        drawn: &[(Strategy::Snapshot, 0, 9)],
        ..OF_THE_LINK
    },
    Setting {
        key: Key::Most,
        id: "most",
        label: "Longest delay",
        unit: "ms",
        help: "Longest travel of a packet, without waits at the bottleneck and in stalls; 0 = no limit.",
        domain: with_specials(number(1, 5000, &[250, 1000]), &[(0, "0")]),
        drawn: &[(Strategy::Snapshot, 0, 1000)],
        ..SELDOM
    },
    Setting {
        key: Key::Correlation,
        id: "corr",
        label: "Correlation of delays",
        help: "Probability with which a packet takes the delay drawn for the packet before it.",
        domain: with_decimals(number(0, 99, &[0, 48, 90]), 2),
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
        domain: number(1, 100, &[50, 100]),
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
        domain: number(0, 1000, &[0, 50, 200]),
        drawn: &[(Strategy::Snapshot, 0, 300)],
        ..OF_THE_LINK
    },
    Setting {
        key: Key::Stalls,
        id: "stall",
        label: "Stalls",
        unit: "a minute",
        help: "Stops of the link: packets wait, none is dropped.",
        domain: with_decimals(number(0, 600, &[0, 40, 102]), 1),
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
        domain: number(1, 5000, &[100, 400]),
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
        key: Key::DataChannel,
        id: "datachannel",
        label: "Data channel",
        help: "Packets wait at the sender for the congestion window of a WebRTC data channel, unordered and without retransmission.",
        domain: SWITCH,
        depends_on_size: DependsOnSize::Unless(0),
        drawn: &[(Strategy::Snapshot, 0, 1)],
        ..SELDOM
    },
];

/// Declares the rows of the way back to the sender. A row has its key and the key of the way to the receiver. Then come the
/// end of the permalink key, the start of the label, and drawn raw values. Unit and numbers come from the row of the way to
/// the receiver, whose value is the default.
macro_rules! way_back {
    ($($key:ident of $there:ident $id:literal $label:literal $drawn:tt,)*) => {
        [$({
            const THERE: Setting = row_of(Key::$there);
            Setting {
                key: Key::$key,
                id: concat!("back.", $id),
                label: concat!($label, ", way back"),
                unit: THERE.unit,
                help: "The same for acknowledgements, on the way back.",
                domain: or_same!(THERE),
                default: if matches!(THERE.domain, Domain::Choice(_)) { 0 } else { AUTO },
                way_there: Some(Key::$there),
                drawn: &$drawn,
                ..SELDOM
            }
        },)*]
    };
}

/// Declares the domain of a setting of the way back. It is the domain of the way to the receiver, with a first choice or a
/// special value that means "the same".
macro_rules! or_same {
    ($there:ident) => {{
        const COUNT: usize = 1 + choices_of($there).len();
        const CHOICES: [Choice; COUNT] = with_same(choices_of($there));
        match $there.domain {
            Domain::Choice(_) => Domain::Choice(&CHOICES),
            // A rate and a longest delay have a special value for no limit.
            Domain::Number(Numbers { specials: [], .. }) => {
                with_specials($there.domain, &[(AUTO, "same")])
            }
            _ => with_specials($there.domain, &[(AUTO, "same"), (0, "0")]),
        }
    }};
}

/// Settings of the way back to the sender, in the order of [`Key`].
pub(super) const WAY_BACK: [Setting; 16] = way_back![
    BackLatency of Latency "latency" "Latency" [],
    BackJitter of Jitter "jitter" "Jitter" [],
    BackLoss of Loss "loss" "Loss" [(Strategy::Snapshot, 0, LOSS_MAX)],
    BackBurst of Burst "burst" "Mean loss burst" [],
    BackRate of Rate "rate" "Bottleneck" [(Strategy::Snapshot, 0, 500)],
    BackQueue of Queue "queue" "Queue" [],
    BackNeighbour of Neighbour "neighbour" "Neighbour" [],
    BackMost of Most "most" "Longest delay" [],
    BackCorrelation of Correlation "corr" "Correlation" [],
    BackBurstLoss of BurstLoss "badloss" "Loss in a burst" [],
    BackBurstDelay of BurstDelay "badms" "Delay in a burst" [],
    BackStalls of Stalls "stall" "Stalls" [],
    BackStallLength of StallLength "stallms" "Length of a stall" [],
    BackShape of Shape "shape" "Shape of delays" [(Strategy::Snapshot, 0, 10)],
    BackOrder of Order "order" "Packets keep their order" [(Strategy::Snapshot, 0, 2)],
    BackStallTimes of StallTimes "stallat" "Stalls come" [],
];

pub(super) const CLOCK: [Setting; 1] = [Setting {
    key: Key::Drift,
    id: "drift",
    label: "Drift of the receiver's clock",
    unit: "ppm",
    help: "The receiver's clock runs faster by this much: a second in an hour is 278 ppm.",
    domain: Domain::Number(Numbers {
        zero: 1000,
        ..numbers(0, 2000, &[0, 1000, 2000])
    }),
    default: 1000,
    scope: &[Scope::Receiver],
    on_ladder: OnLadder::Ignored,
    drawn: &[(Strategy::Snapshot, 0, 2000)],
    ..SELDOM
}];

/// Returns the setting of the way to the receiver with this key.
const fn row_of(key: Key) -> Setting {
    let groups: [&[Setting]; 2] = [&NETWORK, &LINK];
    let mut group = 0;
    while group < groups.len() {
        let mut row = 0;
        while row < groups[group].len() {
            if groups[group][row].key as usize == key as usize {
                return groups[group][row];
            }
            row += 1;
        }
        group += 1;
    }
    panic!("no row of the way there has this key")
}

/// Returns the choices of a setting; empty for a number.
const fn choices_of(setting: Setting) -> &'static [Choice] {
    match setting.domain {
        Domain::Choice(choices) => choices,
        Domain::Number(_) => &[],
    }
}

/// Returns the choices after a new first choice: the same as on the way to the receiver.
const fn with_same<const N: usize>(choices: &[Choice]) -> [Choice; N] {
    let mut all = [Choice {
        id: "same",
        label: "as the way ahead",
    }; N];
    let mut place = 1;
    while place < N {
        all[place] = choices[place - 1];
        place += 1;
    }
    all
}
