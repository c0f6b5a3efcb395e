//! Settings of the network.

use super::row::{
    COMMON, DependsOnSize, Domain, FormRule, Group, OnLadder, PER_CENT, Scope, Setting, choices,
    number, with_decimals, with_specials,
};
use crate::{Key, Strategy};

/// Greatest loss, raw value in 1/10,000 %.
pub(super) const LOSS_MAX: u32 = 500_000;

/// Loss above which the form warns, raw value in 1/10,000 %: the techniques of the articles were not made for more.
const LOSS_WARM: u32 = 50_000;

pub(super) const LATENCY: Domain = with_decimals(number(0, 5000, &[0, 500, 1250, 2500]), 1);
pub(super) const JITTER: Domain = with_decimals(number(0, 1000, &[0, 170, 330]), 1);
pub(super) const LOSS: Domain =
    with_decimals(number(0, LOSS_MAX, &[0, 10_000, 50_000, 250_000]), 4);
pub(super) const BURST: Domain = with_decimals(number(100, 2000, &[100, 500]), 2);

const ROW: Setting = Setting {
    group: Group::Network,
    scope: &[Scope::Link],
    on_ladder: OnLadder::Heeded,
    ..COMMON
};

pub(super) const NETWORK: [Setting; 9] = [
    Setting {
        key: Key::Transport,
        id: "transport",
        label: "Transport",
        help: "Datagrams repeat inputs that may be lost. In a stream everything waits for a lost packet.",
        domain: choices! {
            "udp" "UDP, redundant",
            "tcp" "TCP, in order",
        },
        scope: &[Scope::Sender, Scope::Link, Scope::Receiver],
        on_ladder: OnLadder::Ignored,
        drawn: &[(Strategy::Lockstep, 1, 1)],
        ..ROW
    },
    Setting {
        key: Key::Latency,
        id: "latency",
        label: "Latency, one way",
        unit: "ms",
        help: "Time that a packet travels; an acknowledgement takes as long to come back.",
        domain: LATENCY,
        default: 500,
        other_domains: &[(
            Strategy::Lockstep,
            with_decimals(number(0, 20_000, &[0, 500, 1250, 2500, 20_000]), 1),
        )],
        drawn: &[
            (Strategy::Snapshot, 0, 5000),
            (Strategy::Lockstep, 10, 20_000),
        ],
        ..ROW
    },
    Setting {
        key: Key::Jitter,
        id: "jitter",
        label: "Jitter",
        unit: "± ms",
        help: "Each packet's latency varies evenly by up to this much either way. With another shape it is the scale.",
        domain: JITTER,
        default: 170,
        scope: &[Scope::Link, Scope::Receiver],
        drawn: &[(Strategy::Snapshot, 0, 1000)],
        ..ROW
    },
    Setting {
        key: Key::Loss,
        id: "loss",
        label: "Packet loss",
        unit: "%",
        help: "Packets that never arrive, in both directions.",
        form: &[FormRule::WarnAbove(LOSS_WARM)],
        domain: LOSS,
        default: 10_000,
        drawn: &[(Strategy::Snapshot, 0, 300_000)],
        ..ROW
    },
    Setting {
        key: Key::Burst,
        id: "burst",
        label: "Mean loss burst",
        unit: "packets",
        help: "Average packets lost in a row, at the same overall loss; 1 = independent losses.",
        form: &[FormRule::IdleWhile(Key::Loss, 0)],
        domain: BURST,
        default: 100,
        drawn: &[(Strategy::Snapshot, 100, 2000)],
        ..ROW
    },
    Setting {
        key: Key::Duplicated,
        id: "dup",
        label: "Duplicated",
        unit: "%",
        help: "Packets that arrive twice.",
        form: &[FormRule::Seldom],
        domain: PER_CENT,
        // A packet is acknowledged once, however often it arrives.
        on_ladder: OnLadder::Ignored,
        drawn: &[(Strategy::Snapshot, 0, 500)],
        ..ROW
    },
    Setting {
        key: Key::Reordered,
        id: "reorder",
        label: "Reordered",
        unit: "%",
        help: "Packets held back by 1 to 3 send intervals, so that later ones overtake them.",
        form: &[FormRule::Seldom],
        domain: PER_CENT,
        drawn: &[(Strategy::Snapshot, 0, 500)],
        ..ROW
    },
    Setting {
        key: Key::Fragments,
        id: "mtu",
        label: "Fragment size (MTU)",
        unit: "bytes",
        help: "A larger packet is cut up, and lost when any piece is. 0 sends whole packets, as the articles do.",
        form: &[FormRule::Seldom],
        domain: with_specials(number(576, 1500, &[576, 1200, 1500]), &[(0, "0")]),
        scope: &[Scope::Sender, Scope::Link],
        depends_on_size: DependsOnSize::Unless(0),
        drawn: &[(Strategy::Snapshot, 0, 1500)],
        ..ROW
    },
    Setting {
        key: Key::Header,
        id: "header",
        label: "Counted header",
        help: "Headers of IP and UDP, counted for every packet. A data channel's packets have those of DTLS and SCTP, too.",
        form: &[FormRule::Seldom],
        domain: choices! {
            "ipv4" "IPv4 + UDP, 28 bytes",
            "ipv6" "IPv6 + UDP, 48 bytes",
            "none" "none",
            "webrtc" "WebRTC data channel, 78 bytes",
        },
        scope: &[Scope::Sender, Scope::Link],
        on_ladder: OnLadder::Size,
        drawn: &[(Strategy::Snapshot, 0, 2)],
        ..ROW
    },
];
