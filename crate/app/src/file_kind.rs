//! Kinds of files that the laboratory reads. A file's kind is recognised by its contents, not by its name.

use crate::link::{self, MOST_BYTES};
use snapshot_base::text::{decoded, lines, shorten, utf8};
use snapshot_netsim::trace::Trace;
use snapshot_record::capture;
use snapshot_record::motion::{self, binary, coded};

/// Number of bytes at the start of a file from which its kind is recognised.
pub const HEAD_BYTES: usize = 1 << 14;

/// Error text for an unknown file: the required contents of each kind of file.
const NEEDS: &str = "A motion needs a line of names such as time,object,x,y,z,qx,qy,qz,qw above its rows, or is a capture of the challenge; a network is the output of ping or rows of sent_ms,delay_ms; a link is one that Share saved, and so is all in one";
/// The first bytes of a file that gzip packed.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Returns a sentence about an unknown file: its first line, if it is text, and the required contents of each kind.
pub fn unknown_file_message(head: &[u8]) -> String {
    let text = decoded(head);
    let first = lines(&text)
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let is_text = !first.contains(|letter: char| letter.is_control() || letter == '\u{fffd}');
    match () {
        () if head.starts_with(GZIP) => "it is packed by gzip: unpack it".to_string(),
        () if is_text && !first.is_empty() => {
            format!("its first line is \"{}\". {NEEDS}", shorten(first))
        }
        () => format!("it is no file that is read here. {NEEDS}"),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A link's fragment or whole address.
    Link,
    /// Rows of a motion, as text or bytes, perhaps packed.
    Motion,
    /// A capture of the data-compression challenge, which is also a motion.
    Capture,
    /// A recorded link: packets' delays and losses.
    Trace,
    /// A table whose columns are not known: the person is asked whether it is a motion or a trace.
    Table,
    /// A ZIP archive of a link with the files that it names.
    Archive,
}

impl FileKind {
    /// Returns the kind of a file from its first [`HEAD_BYTES`]; `None` if it is unknown.
    pub fn from_head(head: &[u8]) -> Option<FileKind> {
        const ZIP: &[u8] = b"PK\x03\x04";
        const XZ: &[u8] = &[0xfd, b'7', b'z', b'X', b'Z', 0];
        if head.starts_with(ZIP) {
            return Some(FileKind::Archive);
        }
        let of_motions = [&binary::MAGIC[..], &coded::MAGIC, XZ];
        if of_motions.iter().any(|magic| head.starts_with(magic)) {
            return Some(FileKind::Motion);
        }
        if capture::begins(head) {
            return Some(FileKind::Capture);
        }
        let text = utf8(head);
        match () {
            () if motion::csv::is_known(&text) => Some(FileKind::Motion),
            () if is_link(&text) => Some(FileKind::Link),
            () if Trace::begins(head) => Some(FileKind::Trace),
            () if motion::asked(&text).is_some() => Some(FileKind::Table),
            () if motion::is_json(&text) => Some(FileKind::Motion),
            () => None,
        }
    }

    /// Returns the kind's name for scripts.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Link => "link",
            FileKind::Motion => "motion",
            FileKind::Capture => "capture",
            FileKind::Trace => "trace",
            FileKind::Table => "table",
            FileKind::Archive => "archive",
        }
    }
}

/// Returns true if a text reads as a link: one line of parts `key=value`, at least one of which is known.
fn is_link(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(&text[..text.len().min(MOST_BYTES)]) else {
        return false;
    };
    let text = text.trim();
    let fragment = text.split_once('#').map_or(text, |(_, fragment)| fragment);
    if fragment.contains(char::is_whitespace) {
        return false;
    }
    let is_part = |part: &str| {
        let key = part.split('=').next().unwrap_or_default();
        let is_sign = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
        part.contains('=') && !key.is_empty() && key.chars().all(is_sign)
    };
    let decoded = snapshot_base::text::percent_decoded(fragment);
    let parts = decoded.split('&').filter(|part| !part.is_empty());
    // A part that is not known has a notice, and each part at most one.
    parts.clone().all(is_part) && link::unused_parts(fragment) < parts.count()
}

#[cfg(test)]
mod readers;

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_record::motion::Motion;

    #[test]
    #[expect(clippy::disallowed_types, reason = "what is not linear takes minutes")]
    fn a_link_that_repeats_a_part_is_parsed_once() {
        let started = std::time::Instant::now();
        for part in ["drop=0-72000", "cut=0-72000", "tape=0.9999", "%ff"] {
            let text = format!("{part}&").repeat(HEAD_BYTES / (part.len() + 1));
            assert_eq!(FileKind::from_head(text.as_bytes()), None, "{part}");
        }
        let text = "drop=0-72000&".repeat(1000) + "hz=20";
        assert_eq!(FileKind::from_head(text.as_bytes()), Some(FileKind::Link));
        // Parsed at each part, the first text would take a minute.
        assert!(started.elapsed().as_secs() < 10);
    }

    #[test]
    fn a_motion_with_a_bad_fact_is_a_motion() {
        for names in ["tick,object,x,y,z", "tick,object,x,y,z,qx,qy,qz,qw"] {
            let text = format!("rate=x\n{names}\n");
            assert_eq!(FileKind::from_head(text.as_bytes()), Some(FileKind::Motion));
        }
    }

    /// Prints what becomes of each file in a folder, the documentation's without another one:
    /// `CASES=FOLDER cargo test -p snapshot-app outcomes -- --nocapture`.
    #[test]
    fn outcomes_of_the_files_in_a_folder() {
        let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs").to_owned();
        let cases = std::env::var("CASES").ok();
        let is_ours = cases.is_none();
        let folder = cases.unwrap_or(docs);
        let mut read = 0;
        let paths = std::fs::read_dir(folder).unwrap();
        let mut paths: Vec<_> = paths.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        println!("| file | outcome |\n| --- | --- |");
        for path in paths.iter().filter(|path| path.is_file()) {
            let bytes = std::fs::read(path).unwrap();
            let kind = FileKind::from_head(&bytes[..bytes.len().min(HEAD_BYTES)]);
            read += u32::from(kind.is_some());
            let outcome = match kind {
                Some(FileKind::Trace) => Trace::read(&bytes).map_or_else(
                    |error| format!("network refused: {error}"),
                    |trace| format!("network: {}", trace.description()),
                ),
                Some(FileKind::Motion | FileKind::Capture) => Motion::read(&bytes[..]).map_or_else(
                    |error| format!("motion refused: {error}"),
                    |motion| {
                        let [objects, ticks] = [motion.objects() as u64, motion.ticks()];
                        let hz = motion.tick_rate().hz();
                        format!(
                            "motion: {objects} objects, {ticks} ticks at {hz} Hz: {:?}",
                            motion.facts.notes
                        )
                    },
                ),
                Some(FileKind::Table) => {
                    let asked = motion::asked(&bytes[..bytes.len().min(HEAD_BYTES)]);
                    format!(
                        "asked: {}",
                        asked.map_or(String::new(), |asked| asked.lines())
                    )
                }
                kind => format!("{kind:?}"),
            };
            println!("| {} | {outcome} |", path.file_name().unwrap().display());
            let is_example =
                path.ends_with("motion-example.csv") || path.ends_with("ping-example.txt");
            assert!(
                !is_ours || !is_example || !outcome.contains("refused"),
                "{outcome}"
            );
        }
        assert!(!is_ours || read >= 2, "{read}");
    }

    #[test]
    fn a_file_is_what_it_holds() {
        let capture: Vec<u8> = [2_i32, 256, 256, 256, 0, 0, 100, 0]
            .into_iter()
            .cycle()
            .take(64)
            .flat_map(i32::to_le_bytes)
            .collect();
        assert_eq!(FileKind::from_head(&capture), Some(FileKind::Capture));
        for (text, kind) in [
            ("v=2&hz=20", Some(FileKind::Link)),
            ("v=2", Some(FileKind::Link)),
            ("https://lab.example/#v=2&hz=20\r\n", Some(FileKind::Link)),
            ("#v=9&hz=20&what=new", Some(FileKind::Link)),
            ("hz%3D20%26loss%3D5", Some(FileKind::Link)),
            ("", None),
            ("Dear diary, a=b and c=d.", None),
            ("hello", None),
            ("rtt=5&x", None),
            ("sent_ms,delay_ms\n0,20\n10,lost\n", Some(FileKind::Trace)),
            ("0,20\n10,lost\n", Some(FileKind::Table)),
            ("time,rtt\n0,20\n", Some(FileKind::Table)),
            (
                "64 bytes from x: icmp_seq=1 ttl=5 time=1 ms",
                Some(FileKind::Trace),
            ),
            (
                "64 bytes from x: icmp_req=1 ttl=5 time=1 ms",
                Some(FileKind::Trace),
            ),
            ("3\n3\n4\n", None),
            ("rtt_ms\n3\n3\n4\n", Some(FileKind::Trace)),
            (
                "time,posX,posY,posZ,ping\n0,1,2,3,20\n",
                Some(FileKind::Table),
            ),
            ("tick,object\n", None),
            ("tick,object,x,y,z\n", Some(FileKind::Motion)),
            (
                "columns=tick,object,x,y,z\n0,a,1,2,3\n",
                Some(FileKind::Motion),
            ),
            ("columns=time_s,rtt_ms\n0,1\n", Some(FileKind::Trace)),
            (
                "Bild;Wer;Ort 1;Ort 2;Ort 3\n0;a;1,5;2;3\n",
                Some(FileKind::Table),
            ),
            (
                "One, two, three, four, five\nsix, 7, 8, nine, 10\n",
                Some(FileKind::Table),
            ),
            (
                "One, two, three, four, five\nsix, seven, 8, nine, 10\n",
                None,
            ),
            (
                "rate=60\ntick,object,x,y,z,qx,qy,qz,qw\n",
                Some(FileKind::Motion),
            ),
            ("SLMOTION\u{2}", Some(FileKind::Motion)),
            ("PK\u{3}\u{4}", Some(FileKind::Archive)),
            ("\u{89}PNG\r\n", None),
            ("[{\"tick\":0,\"x\":1}]", Some(FileKind::Table)),
            ("[{\"tick\":0,\"at\":{\"x\":1}}]", Some(FileKind::Motion)),
            ("HIERARCHY\nROOT a\n", None),
            ("1,2,map,4.5,5\n", Some(FileKind::Table)),
            ("sep=;\ntime;id;x;y;z;\n", Some(FileKind::Motion)),
            (
                "t,a_x,a_y,a_z,b_x,b_y,b_z\n0,1,2,3,4,5,6\n",
                Some(FileKind::Table),
            ),
            ("# mahimahi mm-link (Downlink)\n", Some(FileKind::Trace)),
            ("Mtr_Version,Start_Time\n", None),
        ] {
            assert_eq!(FileKind::from_head(text.as_bytes()), kind, "{text:?}");
        }
        assert!(
            unknown_file_message(b"a;b\nc;d\n").starts_with("its first line is \"a;b\". A motion")
        );
        assert!(
            unknown_file_message(b"\x89PNG\r\n\0").starts_with("it is no file that is read here. ")
        );
        assert!(unknown_file_message(b"\x1f\x8b\x08\0").starts_with("it is packed by gzip"));
    }
}
