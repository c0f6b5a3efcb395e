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
    tapes: Vec<Vec<u8>>,
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
    /// Makes a subject of one motion, which both lanes play.
    pub fn new(lanes: [LaneSetup; 2], tape: Tape) -> Subject {
        Subject {
            lanes,
            tape,
            tape_of_b: None,
        }
    }

    /// Returns a subject as bytes, for [`Subject::of_bytes`]. The tapes of A and B are the same unless their worlds differ.
    pub fn to_bytes(lanes: &[LaneSetup; 2], tapes: [&Tape; 2]) -> Vec<u8> {
        let [a, b] = tapes;
        let tapes = if std::ptr::eq(a, b) {
            vec![a]
        } else {
            vec![a, b]
        };
        let mut traces = lanes.iter().filter_map(|it| it.link_inputs.trace.as_ref());
        let packed = PackedSubject {
            trace: traces.next().map(|trace| trace.to_bytes()),
            lanes: lanes.each_ref().map(PackedLane::new),
            tapes: tapes.into_iter().map(Tape::to_bytes).collect(),
        };
        postcard::to_allocvec(&packed).expect("a subject has only numbers and texts")
    }

    /// Makes a subject of the bytes of [`Subject::to_bytes`]; `None` for other bytes.
    pub fn of_bytes(bytes: &[u8]) -> Option<Subject> {
        let packed: PackedSubject = postcard::from_bytes(bytes).ok()?;
        let trace = match packed.trace {
            Some(bytes) => Some(Arc::new(Trace::of_bytes(&bytes)?)),
            None => None,
        };
        let lanes = packed.lanes.map(|lane| lane.setup(trace.as_ref()));
        let tapes = packed.tapes.iter().zip(&lanes);
        let mut tapes = tapes.map(|(tape, lane)| Tape::of_bytes(tape, lane.settings.world()));
        let tape = tapes.next()??;
        let tape_of_b = match tapes.next() {
            Some(tape) => Some(tape?),
            None => None,
        };
        Some(Subject {
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
