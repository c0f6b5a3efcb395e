//! Acknowledgement packets: each names the newest sequence that has arrived at the receiver.

use crate::error::DecodeError;
use crate::ledger::{Kind, Ledger, PacketWriter, Sink};
use crate::stream::BitReader;

/// Replaces the content of `packet` by a 16-bit acknowledgement of `sequence`, the newest packet that arrived. Adds its bits to
/// a ledger, if there is one.
pub fn encode_ack(sequence: u16, packet: &mut Vec<u8>, ledger: Option<&mut Ledger>) {
    packet.clear();
    let mut writer = PacketWriter::new(packet, ledger);
    writer.put(
        Kind::Ack,
        "newest arrived",
        sequence.into(),
        sequence.into(),
        16,
    );
    writer.finish();
}

/// Reads an acknowledgement; returns the acknowledged sequence.
///
/// # Errors
/// When the packet is not exactly two bytes long.
pub fn decode_ack(packet: &[u8]) -> Result<u16, DecodeError> {
    let mut reader = BitReader::new(packet);
    let sequence = reader.read(16)? as u16;
    reader.finish()?;
    Ok(sequence)
}
