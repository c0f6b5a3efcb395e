//! The list of what the first screen does without.

use std::collections::BTreeSet;

use crate::Result;

/// Subjects of the rest: the starts of exports' names, and parts of functions' paths.
const SUBJECTS: [(&str, &[&str], &[&str]); 5] = [
    (
        "files, and a client that is judged by them",
        &["decision_", "page_bytes", "page_receive", "perform"],
        &[
            "lzma_rust2::",
            "serde_json::",
            "query::files::answer::AskedTable",
            "query::files::answer::FileKind",
            "query::files::answer::IsMotion",
            "query::files::answer::UnknownFile",
            "snapshot_netsim::trace::",
            "snapshot_record::capture::",
            "snapshot_record::challenge::",
            "snapshot_record::motion::csv::",
            "snapshot_record::motion::rows::",
        ],
    ),
    (
        "analyses",
        &["views_draw_test"],
        &[
            "snapshot_analysis::",
            "snapshot_app::command::blind_test::",
            "query::answer::AnalysisInputs",
            "query::answer::ChangesTo",
            "query::answer::Cure",
            "query::answer::FiguresCsv",
            "query::answer::FitTrace",
            "query::answer::LinkOfOutcome",
            "query::answer::LinkWith",
            "query::answer::Report",
            "query::answer::Test",
            "query::answer::TicksUntilTest",
            "query::answer::WorstObjects",
            "query::files::answer::Outcome",
        ],
    ),
    (
        "rungs 13 and 14",
        &[],
        &[
            "snapshot_codec::model::predicted::",
            "snapshot_codec::model::simulated::",
        ],
    ),
    (
        "strategies other than snapshots",
        &[],
        &[
            "snapshot_lane::strategy::game::",
            "snapshot_lane::strategy::lockstep::",
            "snapshot_lane::strategy::sync::",
            "snapshot_replication::",
        ],
    ),
    (
        "playing together",
        &["guest_", "page_host", "views_draw_guest"],
        &[
            "query::answer::Hosted",
            "query::answer::NetworkOfGuest",
            "snapshot_app::command::host::",
            "snapshot_lane::together::",
        ],
    ),
];

/// Bytes that only functions of the rest read: tables of rungs 13 and 14.
pub(crate) const DATA: [&[u8]; 4] = [
    include_bytes!("../../codec/src/model/predicted/strict.tables"),
    include_bytes!("../../codec/src/model/predicted/chained.tables"),
    include_bytes!("../../codec/src/model/simulated/strict.tables"),
    include_bytes!("../../codec/src/model/simulated/chained.tables"),
];

/// Parts of names in the list, and those of them that no function has had yet.
pub(crate) struct Names {
    unseen: BTreeSet<&'static str>,
}

impl Names {
    pub(crate) fn new() -> Names {
        let all = SUBJECTS.iter();
        let all = all.flat_map(|(_, exports, paths)| exports.iter().chain(*paths));
        Names {
            unseen: all.copied().collect(),
        }
    }

    pub(crate) fn has_export(&mut self, name: &str) -> bool {
        let mut starts = SUBJECTS.iter().flat_map(|(_, starts, _)| *starts);
        let found = starts.find(|start| name.starts_with(**start));
        self.see(found)
    }

    pub(crate) fn has_path(&mut self, path: &str) -> bool {
        let mut parts = SUBJECTS.iter().flat_map(|(_, _, parts)| *parts);
        let found = parts.find(|part| path.contains(**part));
        self.see(found)
    }

    fn see(&mut self, found: Option<&&'static str>) -> bool {
        found.is_some_and(|part| {
            self.unseen.remove(part);
            true
        })
    }

    /// Checks that every part was found: a renamed function would come into the first part, and nobody would see it.
    ///
    /// # Errors
    /// When no function has one of the parts.
    pub(crate) fn check(&self) -> Result {
        match self.unseen.first() {
            Some(part) => Err(format!("the program has no function {part:?} any more")),
            None => Ok(()),
        }
    }
}
