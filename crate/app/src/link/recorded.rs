//! Recorded input in a link: keys and cuts of the network.
//!
//! `cut=601-720` names the first and the last tick of a cut. `tape=420.` and the [`keys`] mean that the scene's script drove
//! for 420 ticks, and then a person with these keys. `rival-tape` is the same for the rival, the second large cube.

mod keys;

use super::value::{LATEST_MOTION_TICK, LATEST_TICK, refused};
use snapshot_record::ranges;
use snapshot_record::recorded::{Drive, RecordedInput};
use snapshot_settings::permalink::Notice;
use std::fmt::Write;

pub(super) const KEYS: [&str; 3] = ["tape", "cut", "rival-tape"];

/// Parses one part of a link; `None` if the key does not belong to recorded input.
pub(super) fn parse_part(
    recorded: &mut RecordedInput,
    key: &str,
    text: &str,
) -> Option<Result<(), Notice>> {
    let id = KEYS.into_iter().find(|known| *known == key)?;
    Some(match id {
        "tape" | "rival-tape" => drive(text).map(|drive| match id {
            "tape" => recorded.drive = Some(drive),
            _ => recorded.rival = Some(drive),
        }).ok_or_else(|| refused(
            id,
            text,
            format!("a tick up to {LATEST_TICK}, a dot, and keys as Share writes them, to tick {LATEST_TICK} at most"),
        )),
        _ => ranges::read(text)
            .map(|ranges| recorded.cuts = ranges)
            .ok_or_else(|| no_cuts(text, LATEST_MOTION_TICK)),
    })
}

/// Drops all cuts if one of them is after `latest`; returns the notice.
pub(super) fn leave_out_after(recorded: &mut RecordedInput, latest: u64) -> Option<Notice> {
    let late = *recorded.cuts.last()?.end();
    (late > latest).then(|| {
        recorded.cuts.clear();
        no_cuts(&late.to_string(), latest)
    })
}

fn no_cuts(text: &str, latest: u64) -> Notice {
    let takes = format!("rising ticks up to {latest}, such as 601-720.900");
    refused(KEYS[1], text, takes)
}

fn drive(text: &str) -> Option<Drive> {
    let (after, keys) = text.split_once('.')?;
    let after = after.parse().ok().filter(|after| *after <= LATEST_TICK)?;
    let keys = keys::read(keys, (LATEST_TICK - after) as usize)?;
    Some(Drive { after, keys })
}

pub(super) fn write_cuts(recorded: &RecordedInput, fragment: &mut String) {
    ranges::write(fragment, "cut", recorded.cuts.iter().cloned());
}

/// Appends the keys of the first cube, and of the rival, to a fragment.
pub(super) fn write_drives(recorded: &RecordedInput, fragment: &mut String) {
    for (id, drive) in [("tape", &recorded.drive), ("rival-tape", &recorded.rival)] {
        if let Some(drive) = drive {
            let _ = write!(fragment, "&{id}={}.", drive.after);
            keys::write(&drive.keys, fragment);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use snapshot_record::recorded::in_ranges;

    fn read(key: &str, text: &str) -> Option<RecordedInput> {
        let mut recorded = RecordedInput::default();
        let taken = parse_part(&mut recorded, key, text).unwrap();
        taken.is_ok().then_some(recorded)
    }

    #[test]
    fn cuts_are_rising_ranges() {
        let recorded = read("cut", "601-720.900").unwrap();
        assert_eq!(recorded.cuts, [601..=720, 900..=900]);
        for (tick, cut) in [
            (600, false),
            (601, true),
            (720, true),
            (721, false),
            (900, true),
        ] {
            assert_eq!(recorded.is_cut(tick), cut, "{tick}");
        }
        assert_eq!(recorded.last_tick(), 900);
        for text in [
            "",
            "x",
            "5-4",
            "4.4",
            "4-6.7",
            "9.3",
            "72001",
            "0-72000.1",
            "1-",
            "-1",
            "1..3",
        ] {
            assert_eq!(read("cut", text), None, "{text}");
        }
    }

    #[test]
    fn a_drive_begins_where_it_says_and_ends_by_the_last_tick() {
        let recorded = read("tape", "100.D").unwrap();
        assert_eq!(
            recorded.drive,
            Some(Drive {
                after: 100,
                keys: vec![1; 3]
            })
        );
        assert_eq!((recorded.keys(100), recorded.keys(101)), (None, Some(1)));
        assert_eq!((recorded.keys(103), recorded.keys(104)), (Some(1), None));
        assert!(read("tape", "35997.D").is_some());
        for text in ["", "100", "36001.", "35998.D", "1.!", "x.D"] {
            assert_eq!(read("tape", text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_was_done_survives_its_text(
            drives in prop::collection::vec(
                prop::option::of((0..36_000_u64, prop::collection::vec((0..64_u8, 1..40_usize), 0..40))),
                2,
            ),
            cut in prop::collection::btree_set(0..=LATEST_MOTION_TICK, 0..40),
        ) {
            let mut drives = drives.into_iter().map(|drive| drive.map(|(after, runs)| {
                let keys = runs.into_iter().flat_map(|(keys, ticks)| std::iter::repeat_n(keys, ticks));
                Drive { after, keys: keys.take((LATEST_TICK - after) as usize).collect() }
            }));
            let (drive, rival) = (drives.next().unwrap(), drives.next().unwrap());
            let recorded = RecordedInput { drive, rival, cuts: in_ranges(cut.into_iter()) };
            let mut fragment = String::new();
            write_cuts(&recorded, &mut fragment);
            write_drives(&recorded, &mut fragment);
            let mut again = RecordedInput::default();
            for part in fragment.split('&').skip(1) {
                let (key, text) = part.split_once('=').unwrap();
                prop_assert_eq!(parse_part(&mut again, key, text), Some(Ok(())), "{}", part);
            }
            prop_assert_eq!(again, recorded);
        }
    }
}
