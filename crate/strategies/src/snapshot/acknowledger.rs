//! The acknowledgements of a receiver of snapshots.

use snapshot_codec::sequence::is_newer;

/// Acknowledges the newest snapshot, once after each tick in which a newer one has arrived.
#[derive(Debug, Default)]
pub struct Acknowledger {
    newest: Option<u16>,
    is_news: bool,
}

impl Acknowledger {
    /// Notes that a snapshot has arrived, however late.
    pub fn arrived(&mut self, sequence: u16) {
        if self.newest.is_none_or(|newest| is_newer(sequence, newest)) {
            self.newest = Some(sequence);
            self.is_news = true;
        }
    }

    /// Gives the sequence to acknowledge at the end of a tick, if an acknowledgement is due.
    pub fn due(&mut self) -> Option<u16> {
        self.newest.filter(|_| std::mem::take(&mut self.is_news))
    }
}
