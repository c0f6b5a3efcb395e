//! Names of errors, for callers that have only an error's number.

use crate::flat_settings::{FIRST_REFUSAL, SETTING_FIELDS};
use std::ffi::CStr;

/// Returns the text of the error with this number; `None` for an unknown number. It ends with a zero byte, so that C can read
/// it.
///
/// ```
/// use snapshot_replication::{RefusalReason, error_name};
///
/// assert_eq!(error_name(RefusalReason::Cookie.number()), Some(c"a proof of address that is too old or forged"));
/// assert_eq!(error_name(7), None);
/// ```
pub fn error_name(number: u32) -> Option<&'static CStr> {
    Some(match number {
        102 => c"settings: ticks a second must be 10 to 240",
        103 => c"settings: packets a second must be 1 up to one each tick",
        104 => c"settings: bytes of a datagram must be 256 to 65,507",
        105 => c"settings: two fields with the same name",
        106 => c"a token of more than 512 bytes",
        107 => c"settings: datagrams of a packet must be 1 to 16",
        108 => c"settings: a budget must be 8 to 1,000,000 kbit/s",
        121 => c"a tick that is not newer than the last",
        122 => c"more objects than the settings have",
        123 => c"two objects with the same id",
        124 => c"an object outside the bounds",
        125 => c"an object with a number that is not finite",
        126 => c"an object whose kind needs more bits than the settings have",
        127 => c"an object with a field that needs more bits than the settings have",
        128 => c"a tick that is too large",
        129 => c"an object whose orientation is no unit quaternion",
        130 => c"a tick whose time is no number",
        141 => c"no datagram of a connection",
        142 => c"another version",
        143 => c"other settings",
        145 => c"a proof of address that is too old or forged",
        146 => c"no connection with that address",
        147 => c"forged or damaged",
        148 => c"an answer to nothing",
        149 => c"a payload of another layout",
        150 => c"a packet that cannot be decoded",
        151 => c"a packet whose tick or baseline is gone",
        152 => c"a time that is no number",
        161 => c"an input of more than 64 bytes",
        162 => c"an input for a tick that is not due",
        163 => c"a message of more than 1,000 bytes, or larger than a datagram",
        164 => c"a message for which the queue or the budget has no room",
        165 => c"a message without a connection",
        166 => c"a budget must be 8 to 1,000,000 kbit/s",
        401 => c"settings: bits of a position",
        402 => c"settings: bits of an orientation",
        403 => c"settings: bits of a velocity",
        404 => c"settings: widths of differences",
        405 => c"settings: number of objects",
        406 => c"settings: bounds that are empty, or too wide for these bits",
        407 => c"settings: a player that is no object",
        409 => c"settings: a simulated rung with slots",
        410 => c"settings: bits of a kind",
        411 => c"settings: bits of a field",
        412 => c"settings: too many fields",
        413 => c"settings: a rung that this library is built without",
        _ => {
            let at = number.checked_sub(FIRST_REFUSAL)? as usize;
            SETTING_FIELDS.get(at)?.refusal
        }
    })
}

/// Returns the text of the error with this number; empty if there is none.
pub(crate) fn named(number: u32) -> &'static str {
    let name = error_name(number).and_then(|name| name.to_str().ok());
    name.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the numbers from a source, where they stand as `=> 401,` and `= 141,`.
    fn numbers(source: &str) -> impl Iterator<Item = u32> + '_ {
        source
            .lines()
            .filter_map(|line| line.trim_end().strip_suffix(','))
            .filter_map(|line| line.rsplit_once("= ").or(line.rsplit_once("=> ")))
            .filter_map(|(_, number)| number.parse().ok())
            .filter(|number| (100..1000).contains(number))
    }

    #[test]
    fn each_number_that_a_game_meets_has_a_name_of_its_own() {
        let sources = [
            include_str!("settings.rs"),
            include_str!("object.rs"),
            include_str!("connection/mod.rs"),
            include_str!("payload_error.rs"),
        ];
        let own = sources.into_iter().flat_map(numbers);
        // Those of the codec's `ConfigError`, which has a number for each of its 12 variants.
        let met: Vec<u32> = own
            .chain((401..=413).filter(|&number| number != 408))
            .chain((FIRST_REFUSAL..).take(SETTING_FIELDS.len()))
            .collect();
        let settings = SETTING_FIELDS.len();
        assert_eq!(met.len(), 7 + 10 + 11 + 6 + 12 + settings, "{met:?}");
        let mut names: Vec<_> = met.iter().map(|&number| error_name(number)).collect();
        assert!(names.iter().all(Option::is_some), "{met:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), met.len());
        assert_eq!((0..1000).filter_map(error_name).count(), met.len());
    }
}
