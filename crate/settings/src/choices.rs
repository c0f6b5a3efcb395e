//! Settings that are a choice: the variants of an enum, each with its name in links and in the form. A variant without a choice
//! does not compile, nor does another order than that of the enum.

use crate::domain::{Choice, Domain};
use crate::kind::Kind;
use crate::{Interpolation, Strategy, interpolation_choice};
use snapshot_codec::{Class, Rung};
use snapshot_netsim::channel::DelayShape;
use snapshot_physics::scene::SceneKind;
use snapshot_physics::world::Rival;

/// Declares enums, and the id and label of each variant.
macro_rules! choices {
    ($(
        $(#[$doc:meta])*
        pub enum $type:ident { $($(#[$of:meta])* $variant:ident $id:literal $label:literal,)+ }
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type { $($(#[$of])* $variant,)+ }

        impl $type {
            /// All variants, in the order of the setting's choices.
            pub const ALL: &[$type] = &[$($type::$variant),+];
        }

        choices_of!($type { $($variant $id $label,)+ });
    )+};
}

/// Declares the id and label of each variant of an enum from elsewhere, whose `ALL` has the variants in their order.
macro_rules! choices_of {
    ($type:ident { $($variant:ident $id:literal $label:literal,)+ }) => {
        choices_by_place!($type, place => {
            const fn of(it: $type) -> (&'static str, &'static str) {
                match it { $($type::$variant => ($id, $label),)+ }
            }
            assert!($type::ALL[place] as usize == place);
            of($type::ALL[place])
        });
    };
}

/// Declares the id and label of each value in the `ALL` of a type, by an expression of its place there.
macro_rules! choices_by_place {
    ($type:ident, $place:ident => $id_and_label:expr) => {
        impl Kind for $type {
            type Value = $type;

            const CHOICES: &'static [Choice] = &{
                let mut choices = [Choice::new("", ""); $type::ALL.len()];
                let mut $place = 0;
                while $place < choices.len() {
                    (choices[$place].id, choices[$place].label) = $id_and_label;
                    $place += 1;
                }
                choices
            };

            fn read(raw: u32, _: &Domain) -> $type {
                $type::ALL[raw as usize]
            }
        }
    };
}

choices! {
    /// The measurement that the budget of state synchronisation adapts to.
    pub enum Adaptation {
        /// No measurement: the budget stays as set.
        Off "0" "off",
        /// The loss: the budget is halved above 5 % lost packets a second, else raised by a tenth. Old links say 1 for it.
        Loss "1" "by loss",
        /// The delay: the budget falls to four fifths while packets wait in a queue, else rises a little.
        Delay "delay" "by delay",
    }

    pub enum Transport {
        /// Datagrams: each arrives or is lost, whatever happens to others.
        Udp "udp" "UDP, redundant",
        /// A stream: data arrives in order, and waits until lost earlier data has been retransmitted.
        Tcp "tcp" "TCP, in order",
    }

    /// The header that is counted for each packet.
    pub enum Header {
        Ipv4 "ipv4" "IPv4 + UDP, 28 bytes",
        Ipv6 "ipv6" "IPv6 + UDP, 48 bytes",
        None "none" "none",
        WebRtc "webrtc" "WebRTC data channel, 78 bytes",
    }

    /// The times at which a link stalls.
    pub enum StallTimes {
        Periodic "periodic" "periodically",
        Random "random" "at random",
    }

    /// A deliberate disturbance that makes the world of lockstep's receiver differ from the sender's.
    pub enum Desync {
        /// No disturbance: both worlds stay the same, bit for bit.
        None "none" "no",
        /// A single bit of the receiver's world is changed, once.
        Bit "bit" "one bit, once",
        /// The cubes of the receiver's world were put into the physics in another order.
        Order "order" "another order of insertion",
    }

    /// The packet that a fixed playout delay counts from.
    pub enum DelayStart {
        Fastest "fastest" "the fastest packets",
        /// The first packet, as in links of version 1.
        First "first" "the first packet",
    }

    /// Method by which the receiver of state synchronisation shows a correction of a cube.
    pub enum Smoothing {
        /// The correction is shown at once.
        Off "off" "off",
        /// A tenth of the remaining error is removed each frame.
        Basic "basic" "basic: a tenth a frame",
        /// A small error is removed slowly, a large one faster.
        Adaptive "adaptive" "adaptive: small errors slowly",
    }

    /// The cubes that a game's client predicts.
    pub enum Predict {
        /// Nothing: the effect of a key is shown when a snapshot brings it.
        Wait "wait" "none: wait for the server",
        /// The client's cube. All other cubes are obstacles at their places in the newest snapshot.
        Own "own" "my cube",
        /// The client's cube, and the cubes near it.
        Touch "touch" "my cube, and those within 2 m",
        All "all" "all cubes",
    }

    /// Method by which a game's client shows a correction.
    pub enum Correct {
        /// The picture is corrected at once.
        Snap "snap" "snap",
        /// The error fades from the picture; the predicted world itself is corrected at once.
        Glide "glide" "glide",
    }

    /// The server's policy for a tick whose keys have not come.
    pub enum MissingKeys {
        /// The server uses the last keys that have come.
        Repeat "repeat" "the last keys again",
        /// The server presses no key.
        Release "release" "none",
    }

    /// The tick that the left view shows under the strategy `game`.
    pub enum ServerView {
        SameTick "tick" "where it is: the same tick",
        Now "now" "what the server has now",
    }
}

choices_of!(Class {
    Strict "strict" "strict: the baseline alone",
    Chained "chained" "chained: and the coder's state",
});

choices_of!(SceneKind {
    Drive "drive" "drive: you",
    Roll "roll" "roll",
    Blow "blow" "hover and blow",
    Katamari "katamari" "katamari",
    Mixed "mixed" "mixed: some of everything",
    Rest "rest" "rest: a pile that lies still",
    Crowd "crowd" "crowd: a hundred players",
});

choices_of!(Rival {
    None "none" "none",
    Script "script" "script: it comes for you",
    Hand "hand" "hand: W A S D, E, Q",
});

choices_by_place!(Strategy, place => {
    let row = Strategy::ALL[place].row();
    (row.id, row.label)
});
choices_by_place!(Rung, place => {
    let row = Rung::ALL[place].row();
    (row.name, row.label)
});
choices_by_place!(Interpolation, place => {
    let mode = Interpolation::ALL[place];
    (mode.row().name, interpolation_choice(mode).label)
});
choices_by_place!(DelayShape, place => SHAPES[place]);

/// The id and label of each shape of delays. Not all shapes are variants of their own: the place says which.
const SHAPES: [(&str, &str); DelayShape::ALL.len()] = [
    ("uniform", "uniform: evenly around the latency"),
    ("normal", "normal: jitter is the standard deviation"),
    ("exponential", "exponential: jitter is the mean"),
    ("pareto", "pareto, as netem's"),
    ("paretonormal", "paretonormal, as netem's"),
    ("lognormal", "lognormal: jitter is the median"),
    ("table-4g", "measured: 4G, moving"),
    ("table-5g", "measured: 5G"),
    ("table-starlink", "measured: Starlink"),
    ("table-far", "measured: a long way"),
];
