//! The inputs of one tick: six bits for each player, from a person or a script.

/// The pressed keys of a tick: the six keys of the original demo, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Input(u8);

impl Input {
    pub const NONE: Input = Input(0);
    /// Pushes the player towards -x.
    pub const LEFT: Input = Input(1);
    /// Pushes the player towards +x.
    pub const RIGHT: Input = Input(2);
    /// Pushes the player towards +y, away from the camera.
    pub const UP: Input = Input(4);
    /// Pushes the player towards -y.
    pub const DOWN: Input = Input(8);
    /// Makes the player hover and blow small cubes away (Space).
    pub const PUSH: Input = Input(16);
    /// Pulls small cubes to the player (Z).
    pub const PULL: Input = Input(32);
    /// Push and pull together: the player jumps.
    pub const JUMP: Input = Input(48);

    /// Makes an input of the low six bits; drops the others.
    pub fn from_bits(bits: u8) -> Input {
        Input(bits & 63)
    }

    /// Returns the six bits: bit 0 is left, bit 5 pull. Captures of the original demo and packets of lockstep have the same
    /// order.
    pub fn bits(self) -> u8 {
        self.0
    }

    pub fn contains(self, other: Input) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The inputs of one tick: the first player's, and the rival's, which a world without a rival ignores. A crowd's keys are
/// computed by the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Inputs {
    pub hand: Input,
    pub rival: Input,
    /// True if the crowd presses no keys, as in the prediction of a client who does not know them.
    pub is_crowd_idle: bool,
}

impl Inputs {
    /// Makes inputs from two bytes: the first player's low, the rival's high. Drops other bits.
    pub fn from_bits(bits: u16) -> Inputs {
        let [hand, rival] = bits.to_le_bytes().map(Input::from_bits);
        Inputs {
            hand,
            rival,
            is_crowd_idle: false,
        }
    }

    pub fn bits(self) -> u16 {
        u16::from_le_bytes([self.hand.bits(), self.rival.bits()])
    }
}

impl From<Input> for Inputs {
    fn from(hand: Input) -> Inputs {
        Inputs {
            hand,
            ..Inputs::default()
        }
    }
}

impl core::ops::BitOr for Input {
    type Output = Input;
    fn bitor(self, other: Input) -> Input {
        Input(self.0 | other.0)
    }
}

impl core::ops::BitOrAssign for Input {
    fn bitor_assign(&mut self, other: Input) {
        self.0 |= other.0;
    }
}
