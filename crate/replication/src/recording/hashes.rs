//! Running hashes of all pictures that an end showed, and of all datagrams that it sent.

use crate::Object;
use snapshot_base::hash::Fnv;

/// Hashes of all pictures and datagrams of an end so far. A recorded end and its replay have the same ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hashes {
    view: Fnv,
    sent: Fnv,
    pub(super) shows: u64,
    pub(super) datagrams: u64,
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

    /// Adds a picture of a client: its objects, and the tick that they were shown at. Before the first tick it is NaN.
    pub(super) fn add_objects(&mut self, tick: Option<f64>, objects: &[Object]) {
        let tick = tick.unwrap_or(f64::NAN).to_bits();
        self.add_shown([tick as u32, (tick >> 32) as u32]);
        for object in objects {
            words(object).for_each(|word| self.view.add_u32(word));
        }
    }

    /// The hashes of all shown pictures and of all sent datagrams so far.
    pub fn pair(&self) -> [u64; 2] {
        [self.view.finish(), self.sent.finish()]
    }
}

/// Iterates over the words of a shown object, as RECORDING.md lists them.
fn words(object: &Object) -> impl Iterator<Item = u32> {
    // All fields are named, so that a new one is not forgotten here.
    let Object {
        id,
        kind,
        position: [x, y, z],
        orientation: [i, j, k, w],
        velocity,
        angular_velocity,
        fields,
        teleported,
        age_ms,
    } = *object;
    let velocities = [velocity, angular_velocity].map(|velocity| {
        let [x, y, z] = velocity.unwrap_or_default().map(f32::to_bits);
        [u32::from(velocity.is_some()), x, y, z]
    });
    let pose = [x, y, z, i, j, k, w].map(f32::to_bits);
    let all = [id, age_ms.to_bits()].into_iter().chain(pose);
    let all = all.chain(velocities.into_iter().flatten());
    let all = all.chain([kind]).chain(fields);
    all.chain([u32::from(teleported)])
}
