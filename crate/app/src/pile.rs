//! The article's motion: ten seconds of the scene `mixed`, in a file of the site that links name by a word.

use snapshot_record::motion::{JumpSpeed, Motion};

/// Name of the motion in links.
pub const NAME: &str = "pile";
/// Fingerprint of the motion's file, by which links name all other motions.
pub const FINGERPRINT: u32 = 0x6cd0_dcc5;

/// The motion's file. The page fetches it in place of this copy.
pub const FILE: &[u8] = include_bytes!("../../../www/article/pile.motion");

/// Reads the motion from the copy of its file.
///
/// # Panics
/// Never: a test reads the file.
pub fn motion() -> Motion {
    Motion::of_file(FILE, JumpSpeed::default()).expect("the site's own motion can be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_the_one_that_links_name() {
        let motion = motion();
        assert_eq!(motion.facts.fingerprint, FINGERPRINT);
        assert_eq!((motion.ticks(), motion.objects()), (600, 901));
        assert!(motion.tells_of_jumps());
    }
}
