//! The ledger: the purpose of every bit of a packet. The writer that makes the packet fills it; nothing is estimated.

use crate::stream::BitWriter;

/// The purpose of a bit. A bit that selects a field's encoding counts as that field: the small-or-large flag of a position
/// counts as position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Bits of the IP and UDP headers, which are not part of the packet's own bytes.
    IpUdp,
    /// Bits of the packet's header: sequence, baseline, initial flag.
    Header,
    /// Bits of acknowledgements.
    Ack,
    /// Bits of the list of changed cubes: changed bits, counts, indices, and the choice between bits and indices.
    Index,
    /// Bits that say whether a cube's position and orientation have changed, and whether it is at rest.
    Flags,
    /// The bit that says whether a cube is interacting.
    Interacting,
    /// Bits of positions.
    Position,
    /// Bits of orientations.
    Orientation,
    /// Bits of linear velocities.
    LinearVelocity,
    /// Bits of angular velocities.
    AngularVelocity,
    /// Bits of players' inputs.
    Input,
    /// Bits of datagrams that open or keep a connection, and of the kind and tag of sealed datagrams.
    Connection,
    /// Padding of the last byte; under an arithmetic coder the rounding remainder, which may be negative.
    Padding,
}

impl Kind {
    /// All kinds of bits, in display order.
    pub const ALL: [Self; 13] = [
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
        Self::Connection,
        Self::Padding,
    ];

    /// Returns the kind's name, snake case; it stays the same in later versions.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the kind's name for people.
    pub const fn label(self) -> &'static str {
        self.row().1
    }

    const fn row(self) -> (&'static str, &'static str) {
        match self {
            Self::IpUdp => ("ip_udp", "IP + UDP header"),
            Self::Header => ("header", "packet header"),
            Self::Ack => ("ack", "acks"),
            Self::Index => ("index", "which cubes"),
            Self::Flags => ("flags", "flags"),
            Self::Interacting => ("interacting", "interacting"),
            Self::Position => ("position", "position"),
            Self::Orientation => ("orientation", "orientation"),
            Self::LinearVelocity => ("linear_velocity", "linear velocity"),
            Self::AngularVelocity => ("angular_velocity", "angular velocity"),
            Self::Input => ("input", "input"),
            Self::Connection => ("connection", "connection"),
            Self::Padding => ("padding", "padding"),
        }
    }
}

/// True if the crate was built with feature `ledger`, so that writers fill ledgers.
pub(crate) const TRACES: bool = cfg!(feature = "ledger");

/// Number of 1/65,536 bits in a bit. Costs have this unit, because an arithmetic coder spends fractions of bits.
pub const BIT_65536THS: i64 = 1 << 16;

/// A field in a packet, with its place and cost, for an inspector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Start of the field, counted from the packet's start, in 1/65,536 bits.
    pub first_65536ths: i64,
    /// Cost of the field in 1/65,536 bits; negative only for padding.
    pub length_65536ths: i64,
    /// Index of the cube that the field describes, if any.
    pub cube: Option<u32>,
    /// The kind of bits that the field's bits count as.
    pub kind: Kind,
    /// Name of the rule in FORMAT.md by which the field was written.
    pub rule: &'static str,
    /// The sent value: a value, a difference, a flag, a float's bit pattern. With an arithmetic coder, always the decoded
    /// value.
    pub value: i64,
    /// Index of the field's first decision in the ledger; `decision_count` is the number of its decisions.
    first_decision: u32,
    decision_count: u32,
}

/// One decision of an arithmetic coder, within a field: one of two values, one of 16 classes, or raw bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The value that was coded.
    pub value: u32,
    /// Probability of the coded value, out of 65,536.
    pub probability: u32,
    /// Cost in 1/65,536 bits: -log2 of the probability, except for the coder's rounding.
    pub cost_65536ths: i64,
}

/// The costs of a packet by kind of bits, in 1/65,536 bits because an arithmetic coder spends fractions of bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    spent_65536ths: [i64; Kind::ALL.len()],
    spans: Option<Spans>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Spans {
    fields: Vec<Span>,
    decisions: Vec<Decision>,
    neighbours: Vec<(u32, u32)>,
}

impl Ledger {
    /// Makes a ledger that only counts bits by kind.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a ledger that also records every field's span. Spans are positions in one packet: clear the ledger before each.
    pub fn with_spans() -> Self {
        Self {
            spans: Some(Spans::default()),
            ..Self::default()
        }
    }

    /// Resets all counts and spans to zero; keeps its allocated memory.
    pub fn clear(&mut self) {
        self.spent_65536ths = Default::default();
        if let Some(spans) = &mut self.spans {
            spans.fields.clear();
            spans.decisions.clear();
            spans.neighbours.clear();
        }
    }

    /// Adds a number of whole bits to the cost of a kind.
    pub fn add_bits(&mut self, kind: Kind, bits: u32) {
        self.add_65536ths(kind, i64::from(bits) * BIT_65536THS);
    }

    /// Adds a number of 1/65,536 bits to the cost of a kind; a rounding remainder may be negative.
    pub fn add_65536ths(&mut self, kind: Kind, spent: i64) {
        self.spent_65536ths[kind as usize] += spent;
    }

    /// Cost of a kind, in 1/65,536 bits.
    pub fn get_65536ths(&self, kind: Kind) -> i64 {
        self.spent_65536ths[kind as usize]
    }

    /// Cost of all kinds together, in 1/65,536 bits.
    pub fn total_65536ths(&self) -> i64 {
        self.spent_65536ths.iter().sum()
    }

    /// Returns true if the ledger records fields and decisions, besides the costs of kinds.
    pub(crate) fn keeps_spans(&self) -> bool {
        self.spans.is_some()
    }

    /// Records a decision that belongs to the next field, if spans are recorded.
    pub(crate) fn push_decision(&mut self, decision: Decision) {
        if let Some(spans) = &mut self.spans {
            spans.decisions.push(decision);
        }
    }

    /// Removes the last recorded decision; returns its cost.
    pub(crate) fn pop_decision(&mut self) -> i64 {
        let decisions = self.spans.as_mut().map(|spans| &mut spans.decisions);
        let last = decisions.and_then(Vec::pop);
        last.map_or(0, |decision| decision.cost_65536ths)
    }

    /// Records that cube `of` is predicted from the motion of `cube`, if spans are recorded.
    pub(crate) fn push_neighbour(&mut self, of: u32, cube: u32) {
        if let Some(spans) = &mut self.spans {
            spans.neighbours.push((of, cube));
        }
    }

    /// Records a field that begins where the last one ended, if spans are recorded. All decisions since the last field belong
    /// to it.
    pub(crate) fn push_span(
        &mut self,
        kind: Kind,
        rule: &'static str,
        cube: Option<u32>,
        value: i64,
        length_65536ths: i64,
    ) {
        let Some(Spans {
            fields, decisions, ..
        }) = &mut self.spans
        else {
            return;
        };
        let (first_65536ths, first_decision) = fields.last().map_or((0, 0), |last| {
            (
                last.first_65536ths + last.length_65536ths,
                last.first_decision + last.decision_count,
            )
        });
        fields.push(Span {
            first_65536ths,
            length_65536ths,
            cube,
            kind,
            rule,
            value,
            first_decision,
            decision_count: decisions.len() as u32 - first_decision,
        });
    }

    /// The fields in the order of the packet, each beginning where the one before ends. Empty in a ledger made without spans.
    pub fn spans(&self) -> &[Span] {
        self.spans.as_ref().map_or(&[], |spans| &spans.fields)
    }

    /// Neighbour pairs of rung `predicted`, in packet order: a cube, and an earlier coded cube whose motion in this packet
    /// helped to predict it. A cube's pairs are consecutive, each once. Empty in a ledger made without spans.
    pub fn neighbours(&self) -> &[(u32, u32)] {
        self.spans.as_ref().map_or(&[], |spans| &spans.neighbours)
    }

    /// Returns the decisions of one of [`Ledger::spans`]; empty for fields written as plain bits.
    pub fn decisions(&self, span: &Span) -> &[Decision] {
        let first = span.first_decision as usize;
        let decisions = self.spans.as_ref().map(|spans| &spans.decisions);
        decisions
            .and_then(|all| all.get(first..first + span.decision_count as usize))
            .unwrap_or_default()
    }
}

/// A destination for the fields of a packet: the packet itself, or a dry run that only counts bits.
pub trait Sink {
    /// Writes the lowest `bits` bits of `code`. They mean `value` by FORMAT.md's `rule`, and count as `kind`.
    fn put(&mut self, kind: Kind, rule: &'static str, value: i64, code: u32, bits: u32);

    /// Names the cube that the following fields describe, or no cube.
    fn about(&mut self, _cube: Option<usize>) {}
}

/// A dry run of a writer: counts the bits without writing them.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitCounter {
    /// Bits counted so far.
    pub bits: u64,
}

impl Sink for BitCounter {
    fn put(&mut self, _: Kind, _: &'static str, _: i64, _: u32, bits: u32) {
        self.bits += u64::from(bits);
    }
}

/// A writer of plain bits that also fills a ledger, where one is given.
#[derive(Debug)]
pub struct PacketWriter<'a> {
    bits: BitWriter<'a>,
    ledger: Option<&'a mut Ledger>,
    before_65536ths: i64,
    cube: Option<u32>,
}

impl<'a> PacketWriter<'a> {
    /// Makes a writer that appends a packet to `bytes` and adds its bits to `ledger`.
    pub fn new(bytes: &'a mut Vec<u8>, ledger: Option<&'a mut Ledger>) -> Self {
        let before_65536ths = ledger.as_deref().map_or(0, Ledger::total_65536ths);
        Self {
            bits: BitWriter::new(bytes),
            ledger,
            before_65536ths,
            cube: None,
        }
    }

    /// Pads the last byte.
    ///
    /// Asserts that the bits added to the ledger are the packet's size.
    pub fn finish(mut self) {
        self.cube = None;
        let padding_bits = self.bits.padding_bits();
        if padding_bits > 0 {
            self.record(Kind::Padding, "padding", 0, padding_bits);
        }
        let packet_bits = self.bits.bit_length() + padding_bits as usize;
        if let Some(ledger) = self.ledger.filter(|_| TRACES) {
            assert_eq!(
                ledger.total_65536ths() - self.before_65536ths,
                packet_bits as i64 * BIT_65536THS,
                "the ledger's sum is not the packet's size"
            );
        }
        self.bits.finish();
    }

    #[inline]
    fn record(&mut self, kind: Kind, rule: &'static str, value: i64, bit_length: u32) {
        let Some(ledger) = self.ledger.as_mut().filter(|_| TRACES) else {
            return;
        };
        ledger.add_bits(kind, bit_length);
        let length_65536ths = i64::from(bit_length) * BIT_65536THS;
        ledger.push_span(kind, rule, self.cube, value, length_65536ths);
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
