//! A parsed trace as bytes: one thread reads the file, and another uses the trace.

use super::delays::{Delays, TracePacket};
use super::{ROWS_MAX, Trace};

/// Bytes of a row: `sent_ms`, `delay_ms`, and a word whose low 16 bits are the packet's size.
const ROW_BYTES: usize = 20;
/// Bits of a row's word: the packet is lost; the file has its size.
const LOST: u32 = 1 << 16;
const SIZED: u32 = 1 << 17;

impl Trace {
    /// Returns the trace as bytes. All numbers are little-endian. Three words come first: the fingerprint, 1 if the interval is
    /// assumed, and the length of the description. Then come the description, the trace's length and its offset in ms. The
    /// number of rows to the receiver and these rows follow. Rows of the direction back are the last, if the file has separate
    /// ones.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows = self.delays.rows();
        let mut bytes = Vec::with_capacity(64 + self.description.len() + ROW_BYTES * rows.len());
        let text_bytes = self.description.len() as u32;
        for word in [self.fingerprint, self.assumed_interval.into(), text_bytes] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(self.description.as_bytes());
        bytes.extend_from_slice(&self.length_ms().to_le_bytes());
        bytes.extend_from_slice(&self.begins_ms.to_le_bytes());
        bytes.extend_from_slice(&(rows.len() as u32).to_le_bytes());
        let back = self.back.iter().flat_map(Delays::rows);
        for row in rows.iter().chain(back) {
            bytes.extend_from_slice(&row.sent_ms.to_le_bytes());
            bytes.extend_from_slice(&row.delay_ms.to_le_bytes());
            let size = row.bytes.map_or(0, |size| SIZED | u32::from(size));
            bytes.extend_from_slice(&(size | if row.lost { LOST } else { 0 }).to_le_bytes());
        }
        bytes
    }

    /// Makes a trace from the bytes of [`Trace::to_bytes`]; `None` if other bytes are given.
    pub fn of_bytes(bytes: &[u8]) -> Option<Trace> {
        let word = |(word, rest): (&[u8; 4], _)| (u32::from_le_bytes(*word), rest);
        let number = |(number, rest): (&[u8; 8], _)| (f64::from_le_bytes(*number), rest);
        let (fingerprint, rest): (_, &[u8]) = bytes.split_first_chunk().map(word)?;
        let (assumed, rest): (_, &[u8]) = rest.split_first_chunk().map(word)?;
        let (text_bytes, rest): (_, &[u8]) = rest.split_first_chunk().map(word)?;
        let (description, rest) = rest.split_at_checked(text_bytes as usize)?;
        let (length_ms, rest): (_, &[u8]) = rest.split_first_chunk().map(number)?;
        let (begins_ms, rest): (_, &[u8]) = rest.split_first_chunk().map(number)?;
        let (there, rest): (_, &[u8]) = rest.split_first_chunk().map(word)?;
        let (rows, []) = rest.as_chunks::<ROW_BYTES>() else {
            return None;
        };
        let rows = rows.iter().map(|row| {
            let (sent_ms, rest) = row.split_first_chunk().map(number)?;
            let (delay_ms, rest): (_, &[u8]) = rest.split_first_chunk().map(number)?;
            let (word, _): (_, &[u8]) = rest.split_first_chunk().map(word)?;
            Some(TracePacket {
                sent_ms,
                delay_ms,
                lost: word & LOST != 0,
                bytes: (word & SIZED != 0).then_some(word as u16),
            })
        });
        let mut rows: Vec<TracePacket> = rows.collect::<Option<_>>()?;
        let back = (rows.len() >= there as usize).then(|| rows.split_off(there as usize))?;
        let is_whole = |rows: &[TracePacket]| {
            let follows = rows.is_sorted_by(|a, b| a.sent_ms <= b.sent_ms);
            (1..=ROWS_MAX).contains(&rows.len()) && follows && rows[0].sent_ms >= 0.0
        };
        let are_whole = is_whole(&rows) && (back.is_empty() || is_whole(&back));
        let begins = are_whole && rows[0].sent_ms == 0.0;
        (begins && length_ms.is_finite() && length_ms > 0.0).then_some(Trace {
            delays: Delays::of_rows(rows, length_ms),
            back: (!back.is_empty()).then(|| Delays::of_rows(back, length_ms)),
            description: std::str::from_utf8(description).ok()?.to_owned(),
            assumed_interval: assumed != 0,
            fingerprint,
            begins_ms,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Trace;

    #[test]
    fn a_parsed_trace_arrives_whole_or_not_at_all() {
        let file = b"sent_ms,delay_ms,bytes\n0,lost,\n20,31.5,1200\n45,lost,65535\n70,30,0\n";
        for trace in [
            &file[..],
            b"sent_ms,delay_ms,path\n0,20,down-1\n3,9,up-1\n20,21,down-1\n31,8,up-1\n40,23,down-1\n",
            b"64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=80.0 ms\n",
        ] {
            let trace = Trace::read(trace).unwrap().from_ms(25.0);
            let bytes = trace.to_bytes();
            let arrived = Trace::of_bytes(&bytes).unwrap();
            assert_eq!(format!("{arrived:?}"), format!("{trace:?}"));
            for cut in 0..bytes.len() {
                let part = Trace::of_bytes(&bytes[..cut]);
                let packets = |trace: &Trace| {
                    let back = trace.back.as_ref();
                    trace.packets() + back.map_or(0, |back| back.rows().len())
                };
                assert!(part.is_none_or(|part| packets(&part) < packets(&trace)));
            }
        }
        assert!(Trace::of_bytes(file).is_none());
    }
}
