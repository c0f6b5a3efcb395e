//! What the right side of snapshot interpolation tells the left one.

use snapshot_codec::sequence::is_newer;
use snapshot_codec::{Ledger, encode_ack};

/// Acknowledges the newest snapshot, once after each tick in which a newer one than before has come.
#[derive(Debug, Default)]
pub(crate) struct Acknowledger {
    newest: Option<u16>,
    is_news: bool,
    ack: Vec<u8>,
}

impl Acknowledger {
    /// A snapshot has come, however late.
    pub(crate) fn arrived(&mut self, sequence: u16) {
        if self.newest.is_none_or(|newest| is_newer(sequence, newest)) {
            self.newest = Some(sequence);
            self.is_news = true;
        }
    }

    /// What is to be sent at the end of a tick.
    pub(crate) fn due(&mut self, ledger: &mut Ledger) -> Option<&[u8]> {
        let newest = self.newest.filter(|_| std::mem::take(&mut self.is_news))?;
        encode_ack(newest, &mut self.ack, ledger);
        Some(&self.ack)
    }
}
