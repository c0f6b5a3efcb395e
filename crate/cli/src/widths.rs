//! Command `snapshot-lab widths`: the cost of each pair of widths on a motion, and the cheapest pairs. A pair is the number
//! of bits of a small and of a large difference.

use crate::output::ResultForm;
use crate::progress;
use crate::run::Play;
use crate::table::{number, table};
use clap::Args;
use snapshot_analysis::widths::{self, Pair, WidthCounts, WidthPart};
use std::process::ExitCode;

/// Number of the cheapest pairs that are printed for people.
const TOP: usize = 8;

/// Count differences of cubes from their baselines on a motion, and the cost of positions and orientations for every
/// pair of widths.
///
/// Baselines are those of the link's own sender and network; bits are counted by the codec's rule. `histogram` is the
/// number of components of a magnitude from least to most, where magnitude m stands for -m and m - 1. `values` are the sent
/// positions or orientations; `absolute` are orientations of another largest component, which no width helps. `chosen` is
/// as the link sets the widths; `articles` is 5 and 9, 5 and 8 at 9 bits; `best` has the fewest bits of all pairs.
/// `bits_per_changed_cube` is of that quantity alone.
#[derive(Args)]
pub(crate) struct WidthsArguments {
    #[command(flatten)]
    play: Play,
    #[command(flatten)]
    form: ResultForm,
}

impl WidthsArguments {
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        let opened = self.play.open_to_hold()?;
        let bar = progress::bar(opened.until, "ticks");
        let tape = opened.whole_tape(|tick| bar.set_position(tick));
        bar.finish_and_clear();
        let span = opened.span(&tape);
        let (settings, link_inputs) = (&opened.settings, opened.link_inputs());
        let counts = widths::count(&tape, settings, &link_inputs, span, &mut |_, _| ());
        self.form.print(&counts, print);
        Ok(ExitCode::SUCCESS)
    }
}

fn print(counts: &WidthCounts) {
    println!(
        "{} changed cubes in {} packets\n",
        counts.changed_cubes, counts.packets
    );
    for (name, part) in [
        ("position", &counts.position),
        ("orientation", &counts.orientation),
    ] {
        let headings = [name, "small", "large", "bits a changed cube"];
        println!("{}\n", table(headings, 1, rows(part)));
    }
}

fn rows(part: &WidthPart) -> Vec<Vec<String>> {
    let row = |name: &str, pair: &Pair| {
        vec![
            name.to_string(),
            pair.small_bits.to_string(),
            pair.large_bits.to_string(),
            number(pair.bits_per_changed_cube, 3),
        ]
    };
    let mut sorted: Vec<&Pair> = part.pairs.iter().collect();
    sorted.sort_by(|a, b| a.bits_per_changed_cube.total_cmp(&b.bits_per_changed_cube));
    let named = [
        row("as set", &part.chosen),
        row("the articles'", &part.articles),
        row("best", &part.best),
    ];
    let next = sorted.into_iter().skip(1).take(TOP - 1);
    named
        .into_iter()
        .chain(next.map(|pair| row("next", pair)))
        .collect()
}
