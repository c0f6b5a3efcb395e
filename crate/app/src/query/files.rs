//! Questions that need no session: about a file by its bytes, about a link, and for tables.

use super::blind_test::{BlindTestOut, outcome_of};
use super::questions;
use super::tables::{Tables, link_needs_rest, tables};
use crate::file_kind::{self, FileKind};
use crate::link::{fingerprint_with, motion_name};
use serde::Serialize;
use snapshot_analysis::blind_test::trials::TrialsError;
use snapshot_netsim::table::asked::{Asked, AskedColumn, LINK_WORDS, MOTION_WORDS};
use snapshot_record::challenge::FRAME_BYTES;
use snapshot_record::motion;

/// Upper limit of the number of frames of a capture: two minutes. The file, its unpacked bytes and the parsed frames take 0.8 GB
/// together, of the 4 GB that a page may ask for.
pub const CAPTURE_FRAMES_MAX: usize = 2 * 60 * 60;

questions! {
    /// A question that needs no session. A question about a file gets its bytes.
    Lookup of &[u8]:

    /// Tables and constants that no setting changes.
    Tables -> Tables = tables;
    /// True if a link, or its fragment, needs the second part of the program.
    LinkNeedsRest { link: String } -> bool = link_needs_rest;
    /// The kind of a file by its first bytes: `link`, `motion`, `capture`, `trace` or `archive`.
    FileKind -> Option<&'static str> = kind;
    /// A sentence about a file of an unknown kind, by its first bytes.
    UnknownFile -> String = file_kind::unknown_file_message;
    /// Columns of a table that are asked about, by the file's first bytes.
    AskedTable -> Option<AskedTable> = asked_table;
    /// True if a file with these lines of facts is the motion that has this name in links.
    IsMotion { name: String, facts: String } -> bool = is_motion;
    /// Upper limit of the size of a capture's file, bytes. A reader can stop one byte later.
    CaptureBytesMax -> usize = capture_bytes_max;
    /// The outcome of the trials in a file of a blind test, for the test of its first trial.
    Outcome -> BlindTestOut = outcome_of => TrialsError;
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct AskedTable {
    columns: Vec<AskedTableColumn>,
    /// The first rows.
    rows: Vec<Vec<String>>,
    /// The guessed order of a quaternion's numbered parts: `wxyz` or `xyzw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<&'static str>,
    order_reason: &'static str,
    /// Words for the columns of a motion, and of a network.
    motion_words: Vec<&'static str>,
    link_words: Vec<&'static str>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AskedTableColumn {
    name: String,
    guess: &'static str,
    reason: &'static str,
}

impl From<Asked> for AskedTable {
    fn from(asked: Asked) -> AskedTable {
        let columns = asked.columns.into_iter();
        let columns = columns.map(
            |AskedColumn {
                 name,
                 guess,
                 reason,
             }| AskedTableColumn {
                name,
                guess,
                reason,
            },
        );
        AskedTable {
            columns: columns.collect(),
            rows: asked.rows,
            order: asked.order.map(|(order, _)| order),
            order_reason: asked.order.map_or("", |(_, reason)| reason),
            motion_words: MOTION_WORDS.to_vec(),
            link_words: LINK_WORDS.to_vec(),
        }
    }
}

fn kind(first_bytes: &[u8]) -> Option<&'static str> {
    FileKind::from_head(first_bytes).map(FileKind::name)
}

fn asked_table(first_bytes: &[u8]) -> Option<AskedTable> {
    motion::asked(first_bytes).map(AskedTable::from)
}

fn is_motion(file: &[u8], name: String, facts: String) -> bool {
    motion_name(fingerprint_with(file, &facts)) == name
}

fn capture_bytes_max(_: &[u8]) -> usize {
    CAPTURE_FRAMES_MAX * FRAME_BYTES
}
