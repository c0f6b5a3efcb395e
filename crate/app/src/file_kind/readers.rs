//! Memory that readers take for files that were made to hurt. The fuzz targets bound their time by the bytes of a file.

use super::FileKind;
use lzma_rust2::{XzOptions, XzWriter};
use snapshot_analysis::judge::judge;
use snapshot_netsim::trace::Trace;
use snapshot_record::motion::track::Track;
use snapshot_record::motion::{Incoming, Motion, binary};
use std::io::Write;

const ROWS: &str = "tick,object,x,y,z\n";
const PING: &str = "PING a (1.1.1.1) 56(84) bytes of data.\n";

type Reader = fn(&[u8]) -> bool;
type Row = fn(usize) -> String;

/// Reads a motion. Then sends it in parts and joins the parts, as a Worker and the page do.
fn motion(file: &[u8]) -> bool {
    let motion = Motion::read(file);
    if let Ok(motion) = &motion {
        let mut incoming = Incoming::new(&motion.part(0).unwrap()).unwrap();
        let parts = (1..).map_while(|number| motion.part(number));
        assert!(parts.into_iter().all(|part| incoming.add(&part)));
        assert!(incoming.finish().is_some());
    }
    motion.is_ok()
}

fn track(file: &[u8]) -> bool {
    Track::read(file, None).is_ok()
}

/// Runs the judge with the same file as the server's and the client's.
fn judged(file: &[u8]) -> bool {
    let Ok(server) = Track::read(file, None) else {
        return false;
    };
    let Ok(client) = Track::read(file, Some(&server)) else {
        return false;
    };
    let judged = judge(&server, &client, 50.0);
    let motion = Motion::read(file);
    judged.is_ok_and(|judged| motion.is_ok_and(|motion| judged.recording(&motion, 0).objects() > 0))
}

fn trace(file: &[u8]) -> bool {
    Trace::read(file).is_ok_and(|trace| Trace::of_bytes(&trace.to_bytes()).is_some())
}

fn kind(file: &[u8]) -> bool {
    FileKind::from_head(file).is_some()
}

fn pose(row: usize) -> String {
    format!("{},{},{}.5,2,3\n", row / 50, row % 50, row % 9)
}

fn reply(row: usize) -> String {
    format!("64 bytes from a: icmp_seq={row} ttl=5 time=20.5 ms\n")
}

fn commas(_: usize) -> String {
    ",".repeat(4096)
}

/// Files by name: the reader, the first lines, and the function that writes a row.
const FILES: [(&str, Reader, &str, Row); 12] = [
    ("motion, rows", motion, ROWS, pose),
    (
        "motion, one row of commas",
        motion,
        "tick,object,x,y,z\n1",
        commas,
    ),
    (
        "motion, a header of commas",
        motion,
        "tick,object,x,y,z",
        commas,
    ),
    ("motion, times far apart", motion, "t,x,y,z\n", |row| {
        format!("{row}e300,1,2,3\n")
    }),
    ("motion, names", motion, ROWS, |row| {
        format!("0,name{row},1,2,3\n")
    }),
    ("track, rows", track, ROWS, pose),
    ("two files, judged", judged, ROWS, pose),
    ("trace, rows", trace, "sent_ms,rtt_ms\n", |row| {
        format!("{row}.0,20.25\n")
    }),
    ("trace, first row of commas", trace, "1", commas),
    ("trace, quotes", trace, "1", |_| "\"a\",".repeat(1000)),
    ("trace, ping", trace, PING, reply),
    ("link of percent signs", kind, "hz=20&a=", |_| {
        "%ff".repeat(1000)
    }),
];

fn rows(head: &str, bytes: usize, row: Row) -> Vec<u8> {
    let mut file = head.to_string();
    for at in 0.. {
        file += &row(at);
        if file.len() >= bytes {
            break;
        }
    }
    file.into_bytes()
}

/// Packs `head` and as many parts as fit into `bytes` unpacked bytes.
fn packed(head: &[u8], bytes: usize, part: impl Fn(u32) -> Vec<u8>) -> Vec<u8> {
    let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).unwrap();
    writer.write_all(head).unwrap();
    let mut left = bytes - head.len();
    for part in (0..).map(part) {
        match left.checked_sub(part.len()) {
            Some(after) => left = after,
            None => break,
        }
        writer.write_all(&part).unwrap();
    }
    writer.finish().unwrap()
}

/// Prints the memory for each file with `--ignored --nocapture`. The limit is half of the 600 MB of the page; a browser test
/// checks the page.
#[test]
#[ignore = "it packs gigabytes"]
fn no_file_below_5_mb_takes_300_mb_to_read() {
    const FILE_BYTES: usize = 4_990_000;
    const UNPACKED: usize = 64 << 20;
    let equal = |head: &str, row: &str| {
        let part = row.repeat((1 << 14) / row.len());
        packed(head.as_bytes(), UNPACKED, |_| part.clone().into_bytes())
    };
    // Rows of one object that begins anew in each.
    let head = [&binary::MAGIC[..], &[2, 0, 0, 0, 8, 0, 0, 0, 60, 0, 0, 0]].concat();
    let lives = packed(&head, UNPACKED, |tick| {
        let words = [tick, 0, 0, 0, 0, 0, 0, 0, 1.0_f32.to_bits(), 3];
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    });
    let rising = packed(ROWS.as_bytes(), 60 << 20, |row| pose(row as usize).into());
    // As many rows of one object as two packed files may have.
    let fine = packed(b"t,x,y,z\n", 14_000_000, |row| {
        let (seconds, x) = (f64::from(row) * 0.0023, row / 16 % 9);
        format!("{seconds:.4},{x},2,3\n").into()
    });
    let times = "t,x,y,z\n0,1,2,3\n1e300,1,2,3\n1.1e300,1,2,3";
    // As many objects as can be, which stand for as long as fits.
    let objects = (0..4096).map(|object| format!("0,{object},{}.1,2,3\n", object % 99));
    let standing = ROWS.to_string() + &objects.collect::<String>() + "72000,0,1,2,3\n";
    let wide = rows(ROWS, FILE_BYTES / 2, pose).into_iter();
    let wide = wide.flat_map(|byte| [byte, 0]);
    let wide = [0xff, 0xfe].into_iter().chain(wide).collect();
    let moving = |row: usize| format!("{},{},{},2,3\n", row / 4096, row % 4096, row * row % 997);
    let trip = r#"{"lost":"false","timestamps":{"client":{"send":{"wall":1}}},"delay":{"rtt":1}},"#;
    let irtt = trip.repeat(FILE_BYTES / trip.len() - 1);
    let irtt = format!("{{\"round_trips\":[{}]}}", irtt.trim_end_matches(','));
    let short = |row: usize| format!("{},1\n", row / 9);
    let numbered = |row: usize| format!("{row},1,{row}\n");
    let seqs = "columns=time_ms,rtt_ms,seq\n";
    let zeros = packed(&[], 255 << 20, |_| vec![0; 28_832]);
    let utf_16 = packed(&[0xff, 0xfe], 64 << 20, |_| b"1\0,\x001\0\n\0".into());
    let same = equal("t,x,y,z\n", "1,1,2,3\n");
    let born = equal("t,object,x,y,z,event\n", "0,1,1,2,3,spawn\n");
    let mut files: Vec<(&str, Reader, Vec<u8>)> = vec![
        ("motion, times far apart, 41 bytes", motion, times.into()),
        ("track, times far apart, 41 bytes", track, times.into()),
        ("motion, 4,096 objects that stand", motion, standing.into()),
        (
            "motion, 4,096 that move",
            motion,
            rows(ROWS, FILE_BYTES, moving),
        ),
        ("motion, UTF-16", motion, wide),
        (
            "trace, short rows",
            trace,
            rows("sent_ms,rtt_ms\n", FILE_BYTES, short),
        ),
        ("trace, irtt", trace, irtt.into()),
        (
            "trace, numbered packets",
            trace,
            rows(seqs, FILE_BYTES, numbered),
        ),
        ("capture of zeros, packed", motion, zeros),
        ("motion, lives, packed", motion, lives.clone()),
        ("two files, lives, packed", judged, lives),
        ("motion, rising rows, packed", motion, rising),
        ("two files, fine steps, packed", judged, fine),
        ("motion, UTF-16, packed", motion, utf_16),
        ("motion, rows of an instant, packed", motion, same.clone()),
        ("two files, rows of an instant, packed", judged, same),
        ("motion, events, packed", motion, born),
        (
            "motion, empty lines, packed",
            motion,
            equal("t,x,y,z\n", "\n"),
        ),
    ];
    for (name, read, head, row) in FILES {
        files.push((name, read, rows(head, FILE_BYTES, row)));
    }
    println!("| file | kB | MB of memory |");
    for (name, read, file) in files {
        let mut is_read = false;
        let counted = allocation_counter::measure(|| is_read = read(&file));
        let megabytes = counted.bytes_max / 1_000_000;
        let refused = if is_read { "" } else { " refused" };
        println!("| {name} | {} | {megabytes}{refused} |", file.len() / 1000);
        assert!(file.len() < 5_000_000 && megabytes < 300, "{name}");
    }
}
