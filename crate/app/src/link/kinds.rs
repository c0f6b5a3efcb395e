//! Kinds of link keys that the page treats differently.

use super::{lane, recorded};

/// Returns the keys that choose an instant or a view. The browser's back button does not undo them.
pub fn looking_keys() -> Vec<&'static str> {
    let own = [
        "at", "packet", "cube", "camera", "views", "split", "show", "shade", "ghost", "limits",
        "card", "tell",
    ];
    own.into_iter().chain(lane::START_TICK).collect()
}

/// Returns the link keys that say what a person did: recorded input, cuts of the network, and packets forced to be lost or
/// delivered.
pub fn act_keys() -> Vec<&'static str> {
    let overrides = lane::OVERRIDES.into_iter().flat_map(|(ids, _)| ids);
    recorded::KEYS.into_iter().chain(overrides).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{format, parse};

    #[test]
    fn without_its_keys_of_looking_and_acts_a_link_is_of_settings_alone() {
        let link = "v=2&hz=20&b.hz=30&from=5&b.from=6&at=9&packet=1&cube=2&camera=1_2_300&views=two&split=50&show=bits\
                    &shade=error&ghost=0&limits=kbps-64&card=KAAAHEI8DAIBAh4DMzMTQQAAyEIAAC5DMzOrQQAAAEBmZkZAzcxMPgABAAAEQgAAQEEBCgEzMxNBAADIQgAALkMzM6tBAAAAQGZmRkDNzEw-AAEAAARCAABAQQ&tell=pair~13~16&cut=1&drop=1&b.drop=2&deliver=3&b.deliver=4&tape=420.D&rival-tape=420.D";
        let (read, notices) = parse(link);
        assert_eq!(notices, []);
        let written = format(&read);
        let key = |part: &str| part.split('=').next().unwrap_or_default().to_string();
        let keys: Vec<_> = written.split('&').map(key).collect();
        let of_kind = [looking_keys(), act_keys()].concat();
        let rest: Vec<_> = keys
            .iter()
            .filter(|it| !of_kind.contains(&it.as_str()))
            .collect();
        assert_eq!(rest, ["v", "hz", "b.hz"]);
        assert!(of_kind.iter().all(|it| keys.iter().any(|keys| keys == it)));
    }
}
