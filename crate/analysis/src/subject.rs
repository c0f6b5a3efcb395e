//! The subject of a question: a motion with the lanes over it. One thread hands it to another as bytes.

use crate::comparison::LaneSetup;
use serde::{Deserialize, Serialize};
use snapshot_netsim::channel::{LinkInputs, Override};
use snapshot_netsim::trace::Trace;
use snapshot_record::tape::Tape;
use snapshot_settings::{Settings, permalink};
use std::sync::Arc;

/// A motion with the settings and the links of lanes A and B. Without a lane B, both are A.
pub struct Subject {
    pub lanes: [LaneSetup; 2],
    tape: Tape,
    /// The motion of lane B, where its settings make another world.
    tape_of_b: Option<Tape>,
}

/// A [`Subject`] as bytes.
#[derive(Serialize, Deserialize)]
struct PackedSubject {
    lanes: [PackedLane; 2],
    /// The recorded link of all lanes that have one.
    trace: Option<Vec<u8>>,
    has_two_motions: bool,
}

#[derive(Serialize, Deserialize)]
struct PackedLane {
    /// The settings as a fragment.
    link: String,
    has_trace: bool,
    /// Packets that are lost by hand, and packets that are delivered by hand.
    lost: Vec<u64>,
    delivered: Vec<u64>,
}

impl Subject {
    /// Returns a subject as bytes, for [`Subject::of_bytes`]. The tapes of A and B are the same unless their worlds differ.
    pub fn to_bytes(lanes: &[LaneSetup; 2], tapes: [&Tape; 2]) -> Vec<u8> {
        let [a, b] = tapes;
        let has_two_motions = !std::ptr::eq(a, b);
        let mut traces = lanes.iter().filter_map(|it| it.link_inputs.trace.as_ref());
        let packed = PackedSubject {
            trace: traces.next().map(|trace| trace.to_bytes()),
            lanes: lanes.each_ref().map(PackedLane::new),
            has_two_motions,
        };
        let mut bytes =
            postcard::to_allocvec(&packed).expect("a subject has only numbers and texts");
        a.write(&mut bytes);
        if has_two_motions {
            b.write(&mut bytes);
        }
        bytes
    }

    /// Makes a subject of the bytes of [`Subject::to_bytes`]; `None` for other bytes.
    pub fn of_bytes(bytes: &[u8]) -> Option<Subject> {
        let (packed, rest): (PackedSubject, _) = postcard::take_from_bytes(bytes).ok()?;
        let trace = match packed.trace {
            Some(bytes) => Some(Arc::new(Trace::of_bytes(&bytes)?)),
            None => None,
        };
        let lanes = packed.lanes.map(|lane| lane.setup(trace.as_ref()));
        let [a, b] = lanes.each_ref().map(|lane| lane.settings.world());
        let (tape, mut rest) = Tape::read(rest, a)?;
        let mut tape_of_b = None;
        if packed.has_two_motions {
            let read = Tape::read(rest, b)?;
            (tape_of_b, rest) = (Some(read.0), read.1);
        }
        rest.is_empty().then_some(Subject {
            lanes,
            tape,
            tape_of_b,
        })
    }

    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Returns the tapes of lanes A and B.
    pub fn tapes(&self) -> [&Tape; 2] {
        [&self.tape, self.tape_of_b.as_ref().unwrap_or(&self.tape)]
    }

    /// Returns true if lane B plays another motion than lane A.
    pub fn has_two_motions(&self) -> bool {
        self.tape_of_b.is_some()
    }

    /// Makes the worlds from which lanes with these settings begin, where one of them simulates.
    pub(crate) fn make_worlds_for<'a>(&mut self, mut lanes: impl Iterator<Item = &'a Settings>) {
        if lanes.any(|settings| settings.strategy().row().simulates) {
            self.tape.simulate_first_fork();
            self.tape_of_b
                .iter_mut()
                .for_each(Tape::simulate_first_fork);
        }
    }
}

impl PackedLane {
    fn new(lane: &LaneSetup) -> PackedLane {
        let LinkInputs { overrides, trace } = &lane.link_inputs;
        let forced = |outcome: Override| {
            let forced = overrides.iter().filter(|(_, forced)| *forced == outcome);
            forced.map(|(number, _)| number).collect()
        };
        PackedLane {
            link: permalink::format(&lane.settings),
            has_trace: trace.is_some(),
            lost: forced(Override::Lost),
            delivered: forced(Override::Delivered),
        }
    }

    fn setup(&self, trace: Option<&Arc<Trace>>) -> LaneSetup {
        let mut link_inputs = LinkInputs {
            trace: trace.filter(|_| self.has_trace).cloned(),
            ..LinkInputs::default()
        };
        for (numbers, outcome) in [
            (&self.lost, Override::Lost),
            (&self.delivered, Override::Delivered),
        ] {
            let overrides = &mut link_inputs.overrides;
            numbers
                .iter()
                .for_each(|number| overrides.set(*number, Some(outcome)));
        }
        LaneSetup {
            settings: permalink::parse(&self.link).0,
            link_inputs,
        }
    }
}
