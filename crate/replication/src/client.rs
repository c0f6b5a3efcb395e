//! The client of a game: joins a server, receives snapshots, shows objects.

use crate::connection::{
    ClientEvent, Dialer, RefusalReason, RefusedCounts, SEAL_BYTES, Status, TOKEN_BYTES_MAX,
};
use crate::joining::{IncomingJoin, SplitPacket};
use crate::object::{Object, row_len};
use crate::payload::{CHUNK_BYTES, ToClient, ToServer};
use crate::replica::QUANTISED;
use crate::{Settings, SettingsError};
use snapshot_base::time::tick_of_sequence;
use snapshot_codec::{Baseline, Cube, CubeState, Format, Life, Snapshot, SnapshotCoder};
use snapshot_view::{Buffer, BufferConfig, Pose};
use std::collections::VecDeque;

/// Greatest number of ticks for which a client keeps snapshots that neither a packet nor the view needs.
const HELD_TICKS: u64 = 1024;
/// Ticks for which a client keeps older baselines, because packets may overtake each other.
const LATE_TICKS: u64 = 32;

/// A client: it shows the server's objects.
pub struct Client {
    settings: Settings,
    format: Format,
    dialer: Dialer,
    coder: SnapshotCoder,
    empty: Baseline,
    joining: Option<IncomingJoin>,
    split: SplitPacket,
    /// The tick of the snapshot with which the client joined.
    joined: Option<u64>,
    /// Snapshots by tick, oldest first.
    held: VecDeque<(u64, Baseline)>,
    /// The oldest tick that a packet may still name.
    needed: u64,
    is_ack_due: bool,
    buffer: Buffer,
    poses: Vec<Pose>,
    /// Id and life in each slot, as last shown.
    shown: Vec<(u32, Life)>,
    objects: Vec<Object>,
    shown_tick: Option<f64>,
}

impl Client {
    /// Creates a client that asks to join. The game of the server judges the token, of at most 512 bytes. The nonce must
    /// be random.
    ///
    /// # Errors
    /// When the settings cannot be, or the token is too long.
    pub fn new(settings: Settings, token: &[u8], nonce: u64) -> Result<Self, SettingsError> {
        let (tick_rate, format) = (settings.checked_rate()?, settings.format()?);
        if token.len() > TOKEN_BYTES_MAX {
            return Err(SettingsError::Token(token.len()));
        }
        let config = BufferConfig {
            tick_rate,
            interpolation: settings.interpolation,
            playout: settings.playout,
            send_interval_ms: 1000.0 / f64::from(settings.send_rate),
        };
        let cubes = vec![Cube::EMPTY; settings.objects];
        let rows = vec![0; settings.objects * row_len(&format)];
        let (cubes, rows) = (&cubes[..], &rows[..]);
        Ok(Self {
            format,
            dialer: Dialer::new(settings.hash(), token, nonce),
            coder: SnapshotCoder::new(&format),
            empty: Baseline::new(&format, Snapshot { cubes, rows })
                .unwrap_or_else(|_| panic!("{QUANTISED}")),
            joining: None,
            split: SplitPacket::default(),
            joined: None,
            held: VecDeque::new(),
            needed: 0,
            is_ack_due: false,
            buffer: Buffer::new(format, config),
            poses: vec![Pose::from(&CubeState::EMPTY); settings.objects],
            shown: vec![(0, Life::EMPTY); settings.objects],
            objects: Vec::with_capacity(settings.objects),
            shown_tick: None,
            settings,
        })
    }

    /// Takes a datagram that came from the server. The time may be any clock's that does not go backwards, ms.
    ///
    /// # Errors
    /// When the bytes are refused. They changed nothing, and are counted: most games look at the counts alone.
    pub fn receive(&mut self, now_ms: f64, bytes: &[u8]) -> Result<(), RefusalReason> {
        let taken = match self.dialer.receive(now_ms, bytes)? {
            ClientEvent::Nothing => Ok(()),
            ClientEvent::Connected => {
                self.begin_anew();
                Ok(())
            }
            ClientEvent::Payload(payload) => {
                ToClient::read(payload).and_then(|payload| self.take(now_ms, payload))
            }
        };
        if let Err(reason) = taken {
            self.dialer.count_refused(reason);
        }
        taken
    }

    fn begin_anew(&mut self) {
        self.joining = None;
        self.split.clear();
        self.joined = None;
        self.held.clear();
        self.needed = 0;
        self.is_ack_due = false;
        self.buffer.clear();
    }

    pub(crate) fn take(&mut self, now_ms: f64, payload: ToClient) -> Result<(), RefusalReason> {
        match payload {
            ToClient::Chunk {
                tick,
                index,
                count,
                bytes,
            } => self.take_chunk(tick, [index, count], bytes),
            ToClient::Packet {
                sequence,
                age,
                part,
                last_part,
                bytes,
            } => {
                let newest = self.newest_tick().ok_or(RefusalReason::TooOld)?;
                let tick = tick_of_sequence(sequence, newest as i64);
                let tick = u64::try_from(tick).map_err(|_| RefusalReason::TooOld)?;
                if last_part == 0 {
                    return self.take_packet(now_ms, tick, age, bytes);
                }
                match self.split.take(tick, part, last_part, bytes) {
                    Some(whole) => self.take_packet(now_ms, tick, age, &whole),
                    None => Ok(()),
                }
            }
        }
    }

    fn newest_tick(&self) -> Option<u64> {
        self.held.back().map(|&(tick, _)| tick)
    }

    fn take_chunk(
        &mut self,
        tick: u64,
        [index, count]: [u16; 2],
        bytes: &[u8],
    ) -> Result<(), RefusalReason> {
        let is_newer = |than: Option<u64>| than.is_none_or(|than| tick > than);
        if !is_newer(self.joined) {
            // The server may not know that the client has it.
            self.is_ack_due |= self.joined == Some(tick);
            return Ok(());
        }
        let most =
            (self.format.packet_bytes_max()).div_ceil(self.settings.mtu - SEAL_BYTES - CHUNK_BYTES);
        if usize::from(count) > most {
            return Err(RefusalReason::Payload);
        }
        if is_newer(self.joining.as_ref().map(|joining| joining.tick)) {
            self.joining = Some(IncomingJoin::new(tick, count));
        }
        let Some(joining) = self.joining.as_mut().filter(|joining| joining.tick == tick) else {
            return Err(RefusalReason::TooOld);
        };
        joining.take(index, count, bytes);
        self.is_ack_due = true;
        let Some(whole) = joining.whole() else {
            return Ok(());
        };
        self.joining = None;
        let mut baseline = self.empty.clone();
        let decoded = self.coder.decode(&mut baseline, 1, &whole);
        decoded.map_err(|_| RefusalReason::Packet)?;
        self.joined = Some(tick);
        self.needed = tick;
        // It is a baseline, and not shown: play begins with the next packet. Its way of several round trips would pass for
        // a delay of packets.
        self.hold(tick, baseline);
        Ok(())
    }

    fn take_packet(
        &mut self,
        now_ms: f64,
        tick: u64,
        age: u8,
        packet: &[u8],
    ) -> Result<(), RefusalReason> {
        let base_tick = match age {
            0 => self.joined.ok_or(RefusalReason::TooOld)?,
            _ => tick.checked_sub(age.into()).ok_or(RefusalReason::TooOld)?,
        };
        if tick <= base_tick {
            return Err(RefusalReason::TooOld);
        }
        if find(&self.held, tick).is_some() {
            return Ok(());
        }
        let base = find(&self.held, base_tick).ok_or(RefusalReason::TooOld)?;
        let mut baseline = base.clone();
        let ticks = (tick - base_tick).min(256) as u16;
        let decoded = self.coder.decode(&mut baseline, ticks, packet);
        decoded.map_err(|_| RefusalReason::Packet)?;
        if self.newest_tick().is_none_or(|newest| tick > newest) {
            self.needed = base_tick;
            self.is_ack_due = true;
        }
        self.buffer.take(now_ms, tick as i64, baseline.cubes());
        self.hold(tick, baseline);
        Ok(())
    }

    fn hold(&mut self, tick: u64, snapshot: Baseline) {
        let at = self.held.partition_point(|&(held, _)| held < tick);
        self.held.insert(at, (tick, snapshot));
        let shown = self.buffer.shown_tick().unwrap_or_default() as u64;
        let newest = self.newest_tick().unwrap_or(tick);
        let needed = self.needed.saturating_sub(LATE_TICKS).min(shown);
        while let Some(&(oldest, _)) = self.held.front()
            && (oldest < needed || oldest < self.needed && oldest + HELD_TICKS < newest)
        {
            self.held.pop_front();
        }
    }

    /// Gives the next datagram that is due for the server, if any. It is to be called at each frame, until it gives none.
    pub fn send(&mut self, now_ms: f64) -> Option<Vec<u8>> {
        let is_connected = *self.dialer.status() == Status::Connected;
        if !is_connected || !std::mem::take(&mut self.is_ack_due) {
            return self.dialer.send(now_ms, None);
        }
        let ack = match (&self.joining, self.newest_tick()) {
            (Some(joining), _) => joining.ack(),
            (None, Some(newest)) => ToServer::Has {
                tick: newest as u32,
            },
            (None, None) => return self.dialer.send(now_ms, None),
        };
        self.dialer.send(now_ms, Some(&ack.bytes()))
    }

    /// Gives the objects to be drawn now. They are as they were a little earlier at the server, between two snapshots.
    /// A client that shows nothing holds the snapshots of 1,024 ticks.
    pub fn show(&mut self, now_ms: f64) -> &[Object] {
        let instant = self.buffer.advance(now_ms);
        let playback = instant.and_then(|instant| self.buffer.show(instant, &mut self.poses));
        self.shown_tick = playback.map(|playback| playback.shown_tick);
        let tick = self.buffer.shown_tick().filter(|_| playback.is_some());
        let Some(snapshot) = tick.and_then(|tick| find(&self.held, tick as u64)) else {
            return &self.objects;
        };
        let row_len = row_len(&self.format);
        self.objects.clear();
        let slots = snapshot.rows().chunks(row_len).zip(snapshot.cubes());
        for ((pose, shown), (row, cube)) in self.poses.iter().zip(&mut self.shown).zip(slots) {
            let before = std::mem::replace(shown, (row[0], pose.life));
            if pose.life.is_empty() {
                continue;
            }
            self.objects.push(Object {
                position: pose.position,
                orientation: pose.orientation,
                teleported: before.0 == row[0] && !before.1.is_empty() && before.1 != pose.life,
                ..Object::dequantised(&self.format, cube, row)
            });
        }
        &self.objects
    }

    /// The server's instant that `show` returned last, in ticks. A server that rewinds to judge a shot needs it.
    pub fn shown_tick(&self) -> Option<f64> {
        self.shown_tick
    }

    /// Tick and objects of the newest snapshot, for games that predict from there.
    pub fn newest(&self) -> Option<(u64, Vec<Object>)> {
        let (tick, newest) = self.held.back()?;
        Some((*tick, Object::all(&self.format, newest.snapshot())))
    }

    #[cfg(test)]
    pub(crate) fn snapshot(&self) -> Option<(u64, Snapshot<'_>)> {
        self.held
            .back()
            .map(|(tick, newest)| (*tick, newest.snapshot()))
    }

    /// The state of the connection.
    pub fn status(&self) -> &Status {
        self.dialer.status()
    }

    /// The words of the game for a client that is refused, or else the reason.
    pub fn refusal(&self) -> Option<String> {
        match self.status() {
            Status::Refused(reason, words) if words.is_empty() => Some(reason.to_string()),
            Status::Refused(_, words) => Some(words.clone()),
            Status::Connecting | Status::Connected | Status::Closed => None,
        }
    }

    /// Number of restarts of the server that the client noticed.
    pub fn restarts(&self) -> u32 {
        self.dialer.restarts()
    }

    /// Numbers of refused datagrams.
    pub fn refused(&self) -> &RefusedCounts {
        self.dialer.refused()
    }

    /// Split packets of which only some parts arrived.
    pub fn split_lost(&self) -> u64 {
        self.split.lost
    }

    /// Ends the connection, and gives a datagram that tells the server; none where there is no connection.
    pub fn goodbye(&mut self) -> Option<Vec<u8>> {
        self.dialer.goodbye()
    }
}

/// The held snapshot of a tick.
fn find(held: &VecDeque<(u64, Baseline)>, tick: u64) -> Option<&Baseline> {
    let found = held.binary_search_by_key(&tick, |&(tick, _)| tick);
    found.ok().map(|index| &held[index].1)
}
