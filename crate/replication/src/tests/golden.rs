//! Datagrams that were written once and stay as they are: each line of `golden.txt` is read and written again. Below it stands
//! its content. `GOLDEN=write cargo test -p snapshot-replication golden` writes the contents anew, and FORMAT.md follows.

use super::settings;
use crate::RefusalReason;
use crate::connection::golden::{is_sealed, read};
use crate::extras::Extras;
use crate::partial::PartialNotes;
use crate::payload::{Part, read_to_server};

pub(super) const FILE: &str = include_str!("golden.txt");
const REFUSED: &str = include_str!("refused.txt");

pub(crate) fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(byte).collect()
}

/// The lines of a file that are no comments, as three words.
pub(super) fn lines(file: &str) -> impl Iterator<Item = [&str; 3]> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(' ').collect::<Vec<_>>()[..].try_into().unwrap())
}

/// The content of some bytes, which are written as they were read.
fn content(what: &str, bytes: &[u8]) -> Result<String, RefusalReason> {
    let (number, parts) = match what {
        "datagram" => return read(bytes),
        "to-client" => (None, Part::read_all(bytes, Part::is_to_client)?),
        _ => {
            let (number, parts) = read_to_server(bytes)?;
            (Some(number), parts)
        }
    };
    let mut written = number.map_or(Vec::new(), |it| it.to_be_bytes().to_vec());
    parts.iter().for_each(|part| part.write(&mut written));
    assert_eq!(written, bytes);
    let mut content = number.map_or(String::new(), |it| format!("{it} "));
    content += &format!("{parts:?}");
    for part in parts {
        if let Part::Packet {
            has_extras: true,
            bytes,
            ..
        } = part
        {
            let (extras, _) = Extras::read(0x1234, bytes)?;
            content += &format!(" {extras:?}");
        }
        if let Part::Partial { bytes, part: 0, .. } = part {
            let (notes, packet) = PartialNotes::read(0x1234, bytes)?;
            content += &format!(" {notes:?} {packet:?}");
        }
    }
    Ok(content)
}

#[test]
fn datagrams_and_payloads_are_the_golden_ones() {
    let head = FILE.lines().next().unwrap();
    let mut text = format!("{head}\n");
    for [what, name, hex] in lines(FILE) {
        let (hex, content) = match what {
            "settings" => (format!("{:016x}", settings(40).hash()), String::new()),
            _ => (hex.to_owned(), content(what, &bytes(hex)).unwrap()),
        };
        text += &format!("{what} {name} {hex}\n# {content}\n");
        let is_named = ["data", "keep", "bye"].contains(&name);
        assert_eq!(is_sealed(&bytes(&hex)), is_named, "{name}");
    }
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/golden.txt");
        return std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, FILE);
}

#[test]
fn what_is_not_canonical_is_refused_by_name() {
    let mut refusals = 0;
    for [reason, what, hex] in lines(REFUSED) {
        let refused = content(what, &bytes(hex.trim_matches('-'))).err();
        let name = refused.map(|it| format!("{it:?}"));
        assert_eq!(name.as_deref(), Some(reason), "{what} {hex}");
        refusals += 1;
    }
    assert!(refusals > 15);
}

/// Seeds of the fuzz targets, and their replay: `CORPUS=write cargo test -p snapshot-replication corpus`.
#[test]
fn the_corpus_is_replayed() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../research/fuzz/corpus");
    type Body = fn(&[u8]);
    let targets: [(&str, Body); 3] = [
        ("hello", crate::fuzz::hello),
        ("payload", crate::fuzz::payload),
        ("recording", crate::fuzz::recording),
    ];
    for (target, body) in targets {
        let folder = std::path::Path::new(corpus).join(target);
        if std::env::var("CORPUS").as_deref() == Ok("write") {
            std::fs::create_dir_all(&folder).unwrap();
            let is_seed = |what| match target {
                "recording" => false,
                _ => (what == "datagram") == (target == "hello") && what != "settings",
            };
            for [_, name, hex] in lines(FILE).filter(|[what, ..]| is_seed(*what)) {
                let (choice, seed) = (&[1][usize::from(target == "hello")..], bytes(hex));
                let seed = [choice, &[seed.len() as u8], &seed].concat();
                std::fs::write(folder.join(name), seed).unwrap();
            }
        }
        let files = std::fs::read_dir(folder).unwrap();
        let replayed = files.map(|file| body(&std::fs::read(file.unwrap().path()).unwrap()));
        assert!(replayed.count() >= 5);
    }
}
