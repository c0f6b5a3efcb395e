//! Where every bit of a packet goes. The writer that makes the packet fills the ledger; nothing is estimated.

use alloc::vec::Vec;

use crate::bits::BitWriter;

/// What a bit is spent on. A bit belongs to the field that it selects: the flag between small and large of a position
/// is position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Headers below ours; never in the packet's own bytes.
    IpUdp,
    /// Sequence, baseline, initial flag.
    Header,
    /// Acknowledgements.
    Ack,
    /// Which cubes: changed bits, counts, indices, and the choice between them.
    Index,
    /// Position-changed, orientation-changed and at-rest bits.
    Flags,
    /// The interacting bit.
    Interacting,
    /// Position.
    Position,
    /// Orientation.
    Orientation,
    /// Linear velocity.
    LinearVelocity,
    /// Angular velocity.
    AngularVelocity,
    /// A player's input.
    Input,
    /// The rest of the last byte; under an arithmetic coder its rounding remainder, which may be negative.
    Padding,
}

impl Kind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 12] = [
        Self::IpUdp,
        Self::Header,
        Self::Ack,
        Self::Index,
        Self::Flags,
        Self::Interacting,
        Self::Position,
        Self::Orientation,
        Self::LinearVelocity,
        Self::AngularVelocity,
        Self::Input,
        Self::Padding,
    ];

    /// Stable name, snake case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IpUdp => "ip_udp",
            Self::Header => "header",
            Self::Ack => "ack",
            Self::Index => "index",
            Self::Flags => "flags",
            Self::Interacting => "interacting",
            Self::Position => "position",
            Self::Orientation => "orientation",
            Self::LinearVelocity => "linear_velocity",
            Self::AngularVelocity => "angular_velocity",
            Self::Input => "input",
            Self::Padding => "padding",
        }
    }
}

/// One field in a packet, for an inspector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Bit of the packet at which it starts.
    pub first_bit: u32,
    /// Its length.
    pub bit_length: u32,
    /// The cube that it is about, if it is about one.
    pub cube: Option<u32>,
    /// What its bits are counted as.
    pub kind: Kind,
    /// The rule of FORMAT.md by which it was written.
    pub rule: &'static str,
    /// What it says: a value, a difference, a flag, a float's bit pattern.
    pub value: i64,
}

/// Bits by kind, in 1/256 bits because an arithmetic coder spends fractions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    spent_256ths: [i64; Kind::ALL.len()],
    spans: Option<Vec<Span>>,
}

impl Ledger {
    /// Counts only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts, and keeps every field's span. Spans are positions in one packet: clear before each.
    pub fn with_spans() -> Self {
        Self {
            spans: Some(Vec::new()),
            ..Self::default()
        }
    }

    /// Back to zero; keeps its memory.
    pub fn clear(&mut self) {
        self.spent_256ths = Default::default();
        if let Some(spans) = &mut self.spans {
            spans.clear();
        }
    }

    /// Adds whole bits.
    pub fn add_bits(&mut self, kind: Kind, bits: u32) {
        self.add_256ths(kind, i64::from(bits) << 8);
    }

    /// Adds 1/256 bits, which may be negative for a remainder.
    pub fn add_256ths(&mut self, kind: Kind, spent: i64) {
        self.spent_256ths[kind as usize] += spent;
    }

    /// 1/256 bits spent on `kind`.
    pub fn get_256ths(&self, kind: Kind) -> i64 {
        self.spent_256ths[kind as usize]
    }

    /// 1/256 bits spent on everything.
    pub fn total_256ths(&self) -> i64 {
        self.spent_256ths.iter().sum()
    }

    /// Keeps a span, if spans are kept and it has bits.
    pub(crate) fn push_span(&mut self, span: Span) {
        if let Some(spans) = &mut self.spans
            && span.bit_length > 0
        {
            spans.push(span);
        }
    }

    /// An arithmetic coder's packet has so many bits, more or fewer than its spans: the last ones are cut off there, or
    /// padding fills up.
    pub(crate) fn end_spans(&mut self, packet_bits: u32) {
        let Some(spans) = &mut self.spans else {
            return;
        };
        spans.retain_mut(|span| {
            span.bit_length = span
                .bit_length
                .min(packet_bits.saturating_sub(span.first_bit));
            span.bit_length > 0
        });
        let first_bit = spans
            .last()
            .map_or(0, |span| span.first_bit + span.bit_length);
        self.push_span(Span {
            first_bit,
            bit_length: packet_bits - first_bit,
            cube: None,
            kind: Kind::Padding,
            rule: "padding",
            value: 0,
        });
    }

    /// The fields in the order of the packet; empty when made without spans.
    pub fn spans(&self) -> &[Span] {
        self.spans.as_deref().unwrap_or_default()
    }
}

/// Where an encoding puts its fields: into a packet, or into a dry run that only counts.
pub trait Sink {
    /// The lowest `bits` bits of `code`, which mean `value` by `rule` and are counted as `kind`.
    fn put(&mut self, kind: Kind, rule: &'static str, value: i64, code: u32, bits: u32);

    /// What follows is about this cube, or about none.
    fn about(&mut self, _cube: Option<usize>) {}

    /// One bit.
    fn put_flag(&mut self, kind: Kind, rule: &'static str, flag: bool) {
        self.put(kind, rule, i64::from(flag), u32::from(flag), 1);
    }
}

/// The dry run: how many bits the same calls would write.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitCounter {
    /// Bits so far.
    pub bits: u64,
}

impl Sink for BitCounter {
    fn put(&mut self, _: Kind, _: &'static str, _: i64, _: u32, bits: u32) {
        self.bits += u64::from(bits);
    }
}

/// Writes a packet and accounts for it.
#[derive(Debug)]
pub struct PacketWriter<'a> {
    bits: BitWriter<'a>,
    ledger: &'a mut Ledger,
    before_256ths: i64,
    cube: Option<u32>,
}

impl<'a> PacketWriter<'a> {
    /// Writes a packet after what `bytes` holds; adds to `ledger`.
    pub fn new(bytes: &'a mut Vec<u8>, ledger: &'a mut Ledger) -> Self {
        let before_256ths = ledger.total_256ths();
        Self {
            bits: BitWriter::new(bytes),
            ledger,
            before_256ths,
            cube: None,
        }
    }

    /// Pads the last byte.
    ///
    /// Asserts that what the ledger was given is the packet's size, which [`Sink::put`] sees to.
    pub fn finish(mut self) {
        self.cube = None;
        let padding_bits = self.bits.padding_bits();
        self.record(Kind::Padding, "padding", 0, padding_bits);
        let packet_bits = self.bits.bit_length() + padding_bits as usize;
        let spent_256ths = self.ledger.total_256ths() - self.before_256ths;
        assert_eq!(
            spent_256ths,
            (packet_bits as i64) << 8,
            "the ledger's sum is not the packet's size"
        );
        self.bits.finish();
    }

    fn record(&mut self, kind: Kind, rule: &'static str, value: i64, bit_length: u32) {
        self.ledger.add_bits(kind, bit_length);
        self.ledger.push_span(Span {
            first_bit: self.bits.bit_length() as u32,
            bit_length,
            cube: self.cube,
            kind,
            rule,
            value,
        });
    }
}

impl Sink for PacketWriter<'_> {
    fn put(&mut self, kind: Kind, rule: &'static str, value: i64, code: u32, bits: u32) {
        self.record(kind, rule, value, bits);
        self.bits.put(code, bits);
    }

    fn about(&mut self, cube: Option<usize>) {
        self.cube = cube.map(|cube| cube as u32);
    }
}
