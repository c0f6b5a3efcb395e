//! Events of objects: the column `event` of a row.

/// An event of an object, from its row's tick on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Event {
    /// It goes on; its first row begins it.
    #[default]
    None,
    /// It goes on elsewhere: nothing leads from where it was to where it is.
    Jump,
    /// It is no longer there.
    End,
    /// It begins another life, after its end or in place of the present one.
    Spawn,
}

impl Event {
    /// All of them, by their numbers in a file of bytes.
    pub const ALL: [Event; 4] = [Event::None, Event::Jump, Event::End, Event::Spawn];

    /// The name in a text; of no event it is empty.
    pub fn name(self) -> &'static str {
        match self {
            Event::None => "",
            Event::Jump => "jump",
            Event::End => "end",
            Event::Spawn => "spawn",
        }
    }

    /// The event of a number in a file of bytes.
    pub(super) fn from_number(number: u32) -> Option<Event> {
        Event::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// The event of a field of a text: its name, or its number.
    pub(super) fn parse(text: &str) -> Option<Event> {
        let text = text.trim();
        let by_name = |event: &Event| event.name().eq_ignore_ascii_case(text);
        let named = Event::ALL.into_iter().find(by_name);
        named.or_else(|| Event::from_number(text.parse().ok()?))
    }
}
