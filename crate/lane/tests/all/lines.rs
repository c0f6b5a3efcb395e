//! Lines of the files of packets: numbers, and formats of state synchronisation.

use snapshot_codec::{Grid, QuantisationBits};
use snapshot_lane::strategy::sync::{Compression, SyncFormat};

pub(crate) fn numbers<T: std::str::FromStr>(words: &[&str]) -> Vec<T> {
    let read = |word: &&str| word.parse().ok().expect("a number");
    words.iter().map(read).collect()
}

/// The format of a line, without its first word.
pub(crate) fn sync_format(words: &[&str]) -> SyncFormat {
    let n: Vec<u32> = numbers(&words[..7]);
    let bits = QuantisationBits::new(n[0], n[1], n[2]).expect("in range");
    let compression = Compression {
        relative: n[4] == 1,
        delta: n[5] == 1,
    };
    let grid = Grid::new(bits, n[3] as usize, n[6] == 1).expect("in range");
    let grid = grid.with_player(words[7].parse().ok()).expect("in range");
    SyncFormat { grid, compression }
}

pub(crate) fn hex_of(packet: &[u8]) -> String {
    packet.iter().map(|byte| format!("{byte:02x}")).collect()
}
