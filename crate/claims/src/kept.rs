//! Claims that no page tells any more, on links, one's own hand, a crowd and a real wire. The next article takes them.

use snapshot_lane::measure::table::Figure;

/// A figure of a link's run, with the bounds that its value keeps.
pub struct KeptClaim {
    /// Link of the run, up to its instant.
    pub link: &'static str,
    pub figure: &'static Figure,
    pub least: f64,
    pub most: f64,
    /// Meaning of the claim, for people.
    pub what: &'static str,
}

const TABLE: &str = include_str!("kept.tsv");

/// Returns all rows of the table.
///
/// # Panics
/// When a row of the table cannot be used.
pub fn kept() -> impl Iterator<Item = KeptClaim> {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [link, figure, least, most, what] = fields[..] else {
            panic!("a row has five fields: {line}");
        };
        let number = |text: &str| text.parse().expect("a bound is a number");
        KeptClaim {
            link,
            figure: Figure::find(figure).expect("the figure is in the table of figures"),
            least: number(least),
            most: number(most),
            what,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Measurement;

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn each_kept_claim_is_within_its_bounds() {
        let mut measurement = Measurement::default();
        let broken = kept().filter_map(|claim| {
            let value = measurement.figure(claim.link, claim.figure);
            let value = value.unwrap_or(f64::NAN);
            let bounds = claim.least..=claim.most;
            (!bounds.contains(&value)).then(|| format!("{}: {value} of {bounds:?}", claim.what))
        });
        assert_eq!(broken.collect::<Vec<_>>(), Vec::<String>::new());
    }

    #[test]
    fn each_row_can_be_used() {
        assert_eq!(kept().count(), 31);
        for claim in kept() {
            let (link, notices) = snapshot_app::link::parse(claim.link);
            assert!(notices.is_empty() && link.at.is_some(), "{notices:?}");
            assert!(claim.figure.run_window().is_some(), "{}", claim.what);
        }
    }
}
