//! The interests of a server's clients in objects, as changes since the tick before.

use super::number::{put_number, take_number};
use crate::Interest;

/// The answer that is assumed for the tick before, where that tick has none.
const USUAL: Interest = Interest::Priority(1.0);

const fn parts(interest: Interest) -> (u8, u32) {
    match interest {
        Interest::Unseen => (0, 0),
        Interest::Priority(priority) => (1, priority.to_bits()),
        Interest::Detail(priority) => (2, priority.to_bits()),
    }
}

/// Appends the answers of a tick that differ from those at the same places in the tick before. Before each stands the number of
/// unchanged answers that precede it.
pub(super) fn put_interests(before: &[Interest], answers: &[Interest], bytes: &mut Vec<u8>) {
    let mut same = 0;
    for (at, answer) in answers.iter().enumerate() {
        let own = parts(*answer);
        if own == parts(before.get(at).copied().unwrap_or(USUAL)) {
            same += 1;
            continue;
        }
        put_number(same, bytes);
        same = 0;
        let (kind, priority) = own;
        bytes.push(kind);
        if kind != 0 {
            bytes.extend_from_slice(&priority.to_be_bytes());
        }
    }
}

/// The answers of a recorded tick: each client's interest in each object, in the order in which the server asks for them.
pub(super) struct Answers<'a> {
    before: &'a [Interest],
    rest: &'a [u8],
    /// True while the recorded bytes are those that [`put_interests`] writes.
    is_own_form: bool,
    /// Number of unchanged answers until the next changed one; `None` if no changed one follows.
    same: Option<u64>,
    pub(super) given: Vec<Interest>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(before: &'a [Interest], bytes: &'a [u8]) -> Self {
        let mut rest = bytes;
        let same = take_number(&mut rest);
        Self {
            before,
            rest,
            is_own_form: same.is_some() || bytes.is_empty(),
            same,
            given: Vec::new(),
        }
    }

    /// Returns the next answer. If it was not recorded, it is that of the tick before.
    pub(super) fn answer(&mut self) -> Interest {
        let before = self.before.get(self.given.len());
        let before = before.copied().unwrap_or(USUAL);
        let answer = match self.same {
            Some(0) => {
                let answer = self.changed();
                self.is_own_form &= answer.is_some_and(|it| parts(it) != parts(before));
                answer.unwrap_or(before)
            }
            same => {
                self.same = same.map(|same| same - 1);
                before
            }
        };
        self.given.push(answer);
        answer
    }

    fn changed(&mut self) -> Option<Interest> {
        let (&kind, rest) = self.rest.split_first()?;
        self.rest = rest;
        let mut priority = || {
            let (bits, rest) = self.rest.split_first_chunk()?;
            self.rest = rest;
            Some(f32::from_bits(u32::from_be_bytes(*bits)))
        };
        let interest = match kind {
            0 => Interest::Unseen,
            1 => Interest::Priority(priority()?),
            2 => Interest::Detail(priority()?),
            _ => return None,
        };
        let is_last = self.rest.is_empty();
        self.same = take_number(&mut self.rest);
        self.is_own_form &= self.same.is_some() || is_last;
        Some(interest)
    }

    /// Returns true if the recorded bytes are exactly those that the returned answers need.
    pub(super) fn is_whole(&self) -> bool {
        self.is_own_form && self.same.is_none() && self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_interests() -> impl Strategy<Value = Vec<Interest>> {
        let all = [
            Interest::Unseen,
            USUAL,
            Interest::Priority(f32::NAN),
            Interest::Detail(1.0),
            Interest::Detail(f32::INFINITY),
        ];
        prop::collection::vec(prop::sample::select(all.to_vec()), 0..12)
    }

    proptest! {
        #[test]
        fn answers_come_back(before in any_interests(), answers in any_interests()) {
            let mut bytes = Vec::new();
            put_interests(&before, &answers, &mut bytes);
            let mut read = Answers::new(&before, &bytes);
            for answer in &answers {
                prop_assert_eq!(parts(read.answer()), parts(*answer));
            }
            prop_assert!(read.is_whole());
            bytes.push(0);
            let mut read = Answers::new(&before, &bytes);
            answers.iter().for_each(|_| { read.answer(); });
            prop_assert!(!read.is_whole());
        }
    }
}
