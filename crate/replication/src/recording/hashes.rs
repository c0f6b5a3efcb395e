//! Running hashes of all pictures that an end showed, and of all datagrams that it sent.

use super::objects::words;
use crate::Object;
use serde::{Deserialize, Serialize};
use snapshot_base::hash::Fnv;

/// Hashes of all pictures and datagrams of an end so far. A recorded end and its replay have the same ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hashes {
    view: Fnv,
    sent: Fnv,
    pub(super) shows: u64,
    pub(super) datagrams: u64,
}

/// The values of the two hashes, after some calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashPair {
    /// Hash of all shown pictures.
    pub view: u64,
    /// Hash of all sent datagrams.
    pub sent: u64,
}

impl Default for Hashes {
    fn default() -> Self {
        Self {
            view: Fnv::new(),
            sent: Fnv::new(),
            shows: 0,
            datagrams: 0,
        }
    }
}

impl Hashes {
    /// Adds a shown picture, as words of 32 bits.
    pub fn add_shown(&mut self, words: impl IntoIterator<Item = u32>) {
        self.shows += 1;
        words.into_iter().for_each(|word| self.view.add_u32(word));
    }

    /// Adds a sent datagram.
    pub fn add_sent(&mut self, datagram: &[u8]) {
        self.datagrams += 1;
        self.sent.add_u32(datagram.len() as u32);
        self.sent.add_words(datagram);
    }

    /// Adds a picture: its objects, and the tick that they were shown at or sent in. Before the first tick it is NaN.
    pub(super) fn add_objects(&mut self, tick: f64, objects: impl Iterator<Item = Object>) {
        let tick = tick.to_bits();
        self.add_shown([tick as u32, (tick >> 32) as u32]);
        for object in objects {
            let own = [object.id, object.age_ms.to_bits()];
            let words = own.into_iter().chain(words(&object));
            words.for_each(|word| self.view.add_u32(word));
        }
    }

    /// The values of both hashes so far.
    pub fn pair(&self) -> HashPair {
        HashPair {
            view: self.view.finish(),
            sent: self.sent.finish(),
        }
    }
}
