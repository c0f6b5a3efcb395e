//! Questions: all that a page or a test can ask of a [`Session`]. Each question is a row with the type of its answer.
//!
//! A question never changes what is shown. It may do work that was put off, such as a lane's rebuild for a report.

pub mod advice;
pub mod analyses;
pub mod blind_test;
pub mod cubes;
pub mod files;
pub mod form;
pub mod look;
pub mod motion;
pub mod packets;
pub mod series;
pub mod state;
pub mod tables;

use crate::command::host::{GuestFileError, Hosted};
use crate::frame::{Changed, Reach};
use crate::lab::{Event, InstantTooLate};
use crate::lane_run::LaneId;
use crate::session::Session;
use snapshot_analysis::answer::Question;
use snapshot_analysis::link_fit::FittedTrace;
use snapshot_lane::history::{Cure, Freeze, Glitch, HandCorrection, Moment, Wait, WorstObjects};
use snapshot_lane::inspect::{InspectError, Inspection};

/// Declares an enum of questions, and the function that answers them. A row has a question, its arguments, the type of its
/// answer, the function that answers it, and the error of a function that can refuse it:
///
/// ```text
/// /// Packets, acknowledgements and cuts of a lane between two ticks.
/// Traffic { lane: LaneId, from: u64, to: u64 } -> Option<Traffic> = packets::traffic;
/// ```
macro_rules! questions {
    (
        $(#[$enum_doc:meta])* $questions:ident of $subject:ty:
        $($(#[$doc:meta])* $name:ident $({ $($field:ident: $type:ty),* })? -> $answer:ty = $function:path $(=> $error:ty)?;)*
    ) => {
        $(#[$enum_doc])*
        #[derive(Clone, Debug, PartialEq, serde::Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
        #[serde(rename_all = "snake_case")]
        pub enum $questions {
            $($(#[$doc])* $name $({ $($field: $type),* })?,)*
        }

        /// Answers a question, and serialises the answer.
        ///
        /// # Errors
        /// When the question cannot be answered. The inner error is the serialiser's.
        pub fn answer<S: serde::Serializer>(
            subject: $subject,
            question: $questions,
            to: S,
        ) -> Result<Result<S::Ok, S::Error>, $crate::command::Refusal> {
            match question {
                $($questions::$name $({ $($field),* })? => {
                    // A function of its own, so that the page's program can be split at it.
                    #[allow(non_snake_case)]
                    #[inline(never)]
                    fn $name<S: serde::Serializer>(
                        subject: $subject,
                        $($($field: $type,)*)?
                        to: S,
                    ) -> Result<Result<S::Ok, S::Error>, $crate::command::Refusal> {
                        let answer = $function(subject $($(, $field)*)?);
                        $(let answer = answer.map_err(<$error as Into<$crate::command::Refusal>>::into)?;)?
                        let answer: $answer = answer;
                        Ok(serde::Serialize::serialize(&answer, to))
                    }
                    $name(subject, $($($field,)*)? to)
                })*
            }
        }

        /// Shows the type of each answer to a visitor. Returns each question's name in Rust with its answer's name in
        /// TypeScript.
        #[cfg(feature = "ts")]
        pub fn answer_types(
            config: &ts_rs::Config,
            visitor: &mut impl ts_rs::TypeVisitor,
        ) -> Vec<(&'static str, String)> {
            $(visitor.visit::<$answer>();)*
            vec![$((stringify!($name), <$answer as ts_rs::TS>::name(config))),*]
        }
    };
}
use questions;

questions! {
    /// A question to a session.
    Query of &mut Session:

    /// The parts of the session that a change with this reach may have changed.
    Shown { reach: Reach } -> Changed = Session::changed;
    /// The settings that a lane's strategy uses, in the form's order.
    Schema { lane: LaneId } -> Vec<form::SettingOut> = form::schema;
    /// A fragment that reproduces the shown tick anywhere, to the bit, with a person's input since tick 0.
    Share -> String = Session::share => InstantTooLate;
    /// True if a lane needs the second part of the program once a setting has this text.
    NeedsRest { lane: LaneId, id: String, text: String } -> bool = state::needs_rest;
    /// The nearest tick before or after the shown one with an event.
    Find { event: Event, forward: bool } -> Option<u64> = state::find;

    /// Packets, acknowledgements and cuts of a lane between two ticks.
    Traffic { lane: LaneId, from: u64, to: u64 } -> Option<packets::Traffic> = packets::traffic;
    /// Lane A's losses, freezes and cuts in the last ticks before the shown instant.
    Troubles { ticks: u64 } -> packets::Troubles = packets::troubles;
    /// A lane's playout in the last ticks before the shown instant.
    Playout { lane: LaneId, ticks: u64 } -> Option<packets::Playout> = packets::playout;
    /// A lane's newest packet sent by the shown instant, or the packet with a number, field by field.
    Inspect { lane: LaneId, number: Option<u64> } -> Inspection = packets::inspect => InspectError;

    /// The first visible difference between A and B, if they differ only in forced fates of packets.
    FirstDifference -> Option<cubes::Difference> = cubes::first_difference;
    /// The reason why a lane's view did not move smoothly at the shown instant.
    Glitch { lane: LaneId } -> Option<Glitch> = cubes::glitch;
    /// The objects that a lane showed farthest from the truth over its run.
    WorstObjects { lane: LaneId, count: usize } -> Option<WorstObjects> = cubes::worst_objects;
    /// The freezes of a lane's view within the stored ticks, oldest first.
    Freezes { lane: LaneId } -> Vec<Freeze> = cubes::freezes;
    /// The corrections of a lane's predicting client in the last minute, oldest first.
    Corrections { lane: LaneId } -> Vec<HandCorrection> = cubes::corrections;
    /// The packet that a lane's frozen view waits for at the shown instant.
    Wait { lane: LaneId } -> Option<Wait> = cubes::wait;
    /// The playout delay that would have avoided most of a lane's frozen frames so far.
    Cure { lane: LaneId } -> Option<Cure> = cubes::cure;
    /// Errors and bits of a cube in lane A, for each of the last ticks up to the shown one, oldest first.
    Moments { cube: usize, ticks: u64 } -> Vec<Moment> = cubes::moments;

    /// The report up to the newest tick, as `snapshot-lab run --json` prints it.
    Report -> analyses::ReportJson = analyses::report;
    /// The measured values of each stored tick of a lane, as CSV.
    FiguresCsv { lane: LaneId } -> Option<String> = analyses::figures_csv;
    /// The number of recorded ticks within the last minute; 0 for a world without exactly 901 cubes.
    RecordedTicks -> u64 = analyses::recorded_ticks;

    /// A text that is equal as long as an analysis of the stored ticks has the same answer.
    AnalysisInputs { question: Question } -> String = analyses::analysis_inputs;

    /// The shared world and its guest; none if no world is shared.
    Hosted -> Option<Hosted> = Session::hosted;
    /// The real network between the host and the guest, whose log was received, as a trace file with a `path`.
    NetworkOfGuest -> String = Session::network_of_guest => GuestFileError;

    /// The settings recommended in a verdict's link that differ from lane A's, each as `key=value`.
    ChangesTo { link: String } -> Vec<String> = advice::changes_to;
    /// The fragment that opens a verdict's settings with the present motion and network, and opens a figure. The card is the
    /// verdict's decision as text, for readers without the motion's file.
    LinkWith { link: String, figure: String, card: Option<String> } -> String = advice::link_with;
    /// The settings of the link model nearest to the recorded link in use, with the remaining error.
    FitTrace -> Option<FittedTrace> = advice::fit_trace;

    /// The blind test in progress: its frames and counted answers.
    Test -> Option<blind_test::BlindTestState> = blind_test::state;
    /// The file of all trials of the blind test in progress.
    TestFile -> Option<String> = blind_test::file;
    /// True once the pictures of a blind test's present trial are made; true without a test.
    TestIsReady -> bool = blind_test::is_ready;
    /// The number of ticks that must be played before a blind test can begin; 0 if it can.
    TicksUntilTest -> u64 = blind_test::ticks_until_test;
    /// The fragment of a link to the same test with an outcome. It keeps the settings of both lanes, the motion and the network.
    LinkOfOutcome { outcome: String } -> String = blind_test::link_of_outcome;
}
