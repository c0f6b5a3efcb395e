//! Events of objects: the column `event` of a row.

/// An event of an object, from its row's tick on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Event {
    /// The object goes on; the first row begins the object.
    #[default]
    None,
    /// The object goes on elsewhere, without a way between both places.
    Jump,
    /// The object ends.
    End,
    /// The object begins another life, after an end or in place of the present life.
    Spawn,
}

impl Event {
    /// All events, by their numbers in a file of bytes.
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

    /// Reads the event of a text's field: a name or a number.
    pub(super) fn parse(text: &str) -> Option<Event> {
        let text = text.trim();
        let by_name = |event: &Event| event.name().eq_ignore_ascii_case(text);
        let named = Event::ALL.into_iter().find(by_name);
        named.or_else(|| Event::from_number(text.parse().ok()?))
    }
}
