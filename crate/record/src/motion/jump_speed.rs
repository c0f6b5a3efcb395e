//! The speed above which a step counts as a jump, where a file does not tell of jumps itself.

/// Speeds to choose from, m/s.
const SPEEDS_M_S: [u32; 16] = [
    5, 10, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 2000, 5000, 10_000,
];

/// A speed of a fixed row, or none: then there are no jumps. A motion's step in a tick is a jump if it is faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JumpSpeed(u8);

impl JumpSpeed {
    /// Number of places: the speeds, then none.
    pub const PLACES: usize = SPEEDS_M_S.len() + 1;
    /// No step is a jump.
    pub const NEVER: JumpSpeed = JumpSpeed(SPEEDS_M_S.len() as u8);
    /// The name of [`JumpSpeed::NEVER`] in a link.
    const OFF: &str = "off";

    /// All of them, slowest first.
    pub fn all() -> impl Iterator<Item = JumpSpeed> {
        (0..Self::PLACES as u8).map(JumpSpeed)
    }

    /// The speed at a place, from 0; the last speed for any later place.
    pub fn at(place: usize) -> JumpSpeed {
        Self::all().nth(place).unwrap_or(Self::NEVER)
    }

    /// Its place, from 0.
    pub fn place(self) -> usize {
        self.0.into()
    }

    /// The speed, m/s; none where no step is a jump.
    pub fn m_s(self) -> Option<u32> {
        SPEEDS_M_S.get(self.place()).copied()
    }

    /// The text of a link.
    pub fn text(self) -> String {
        self.m_s()
            .map_or(Self::OFF.to_string(), |m_s| m_s.to_string())
    }

    /// Reads the text of a link.
    pub fn parse(text: &str) -> Option<JumpSpeed> {
        Self::all().find(|speed| speed.text() == text)
    }
}

/// 100 m/s, which is 360 km/h: few cars, characters and thrown things of games are faster.
impl Default for JumpSpeed {
    fn default() -> JumpSpeed {
        JumpSpeed(6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_a_text_of_its_own_and_100_m_s_is_the_default() {
        assert_eq!(JumpSpeed::default().m_s(), Some(100));
        let texts: Vec<_> = JumpSpeed::all().map(JumpSpeed::text).collect();
        assert_eq!((texts.len(), texts[16].as_str()), (17, "off"));
        for (place, text) in texts.iter().enumerate() {
            assert_eq!(JumpSpeed::parse(text), Some(JumpSpeed::at(place)));
        }
        assert_eq!(JumpSpeed::at(99), JumpSpeed::NEVER);
        assert!(
            ["", "7", "0100", "never", "-5"]
                .iter()
                .all(|text| JumpSpeed::parse(text).is_none())
        );
        assert!(JumpSpeed::all().is_sorted());
    }
}
