//! `research search`: the widths that small and large ranges should have.

use super::bar;
use clap::{Args, ValueEnum};
use serde::Serialize;
use snapshot_research::capture;
use snapshot_research::search::{self, Candidate, Quantity, Rule, Sample};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Search the widths of small and large ranges that send orientations or positions in the fewest bits.
///
/// Every combination is tried, by two rules. One is that of the estimator behind the figures published with the articles,
/// which takes ranges for narrower than they are. The other is the codec's own: its bits are those that the codec would
/// write.
#[derive(Args)]
pub(crate) struct Search {
    /// The quantity that is sent relative to its baseline.
    quantity: QuantityChoice,
    /// A capture, .bin or .bin.xz, of which the changed cubes count; or samples as text, .txt or .txt.xz. A sample is a
    /// line: largest,a,b,c or x,y,z, then the same of the baseline.
    file: PathBuf,
    /// Bits of the small range, such as 3-6 [default: 3-6, of positions 4-8].
    #[arg(long, value_parser = widths)]
    small: Option<RangeInclusive<u32>>,
    /// Bits of the large range, which are more than the small one's, such as 8-10 [default: 8-10, of positions 8-12].
    #[arg(long, value_parser = widths)]
    large: Option<RangeInclusive<u32>>,
    /// The rule whose best come first.
    #[arg(long, default_value = "published")]
    rule: RuleChoice,
    /// Number of combinations to show.
    #[arg(long, default_value_t = 10)]
    top: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum QuantityChoice {
    /// Orientations: three components of 9 bits.
    SmallestThree,
    /// Positions: x and y alike, and z; 512 steps a metre.
    Position,
}

#[derive(Clone, Copy, ValueEnum)]
enum RuleChoice {
    /// The published estimator's.
    Published,
    /// The codec's own.
    Codec,
}

/// `5`, or `3-6`; from 2 to 16.
fn widths(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let bits = |text: &str| text.parse().ok().filter(|bits| (2..=16).contains(bits));
    match (bits(first), bits(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err("it is bits from 2 to 16, such as 5 or 3-6".to_string()),
    }
}

#[derive(Serialize)]
struct Row {
    widths: String,
    published_bits: u64,
    codec_bits: u64,
    codec_bits_per_sample: f64,
}

#[derive(Serialize)]
struct Outcome {
    samples: usize,
    absolute_bits: u64,
    /// Bits that the codec writes with its own widths.
    written_bits: u64,
    widths: Vec<Row>,
}

impl Search {
    /// Searches and prints.
    pub(crate) fn execute(&self) -> Result<(), String> {
        let outcome = self.search()?;
        if self.json {
            let json = serde_json::to_string_pretty(&outcome);
            println!("{}", json.expect("only numbers and names"));
        } else {
            print(&outcome);
        }
        Ok(())
    }

    fn quantity(&self) -> Quantity {
        match self.quantity {
            QuantityChoice::SmallestThree => Quantity::SmallestThree,
            QuantityChoice::Position => Quantity::Position,
        }
    }

    fn samples(&self) -> Result<Vec<Sample>, String> {
        let samples = if capture::names_text(&self.file) {
            self.quantity()
                .parse_samples(&capture::read_text(&self.file)?)
                .map_err(|error| format!("{}: {error}", self.file.display()))?
        } else {
            search::samples_of(&capture::read(&self.file)?)
        };
        if samples.is_empty() {
            return Err(format!("{}: nothing changes in it", self.file.display()));
        }
        Ok(samples)
    }

    fn search(&self) -> Result<Outcome, String> {
        let quantity = self.quantity();
        let (small, large) = match quantity {
            Quantity::SmallestThree => (3..=6, 8..=10),
            Quantity::Position => (4..=8, 8..=12),
        };
        let candidates = quantity.candidates(
            self.small.clone().unwrap_or(small),
            self.large.clone().unwrap_or(large),
        );
        if candidates.is_empty() {
            return Err("no large range is wider than a small one".to_string());
        }
        let samples = &self.samples()?;
        let differences = quantity.differences(samples);
        let bar = bar(candidates.len() as u64, "widths");
        let mut rows: Vec<Row> = candidates
            .into_iter()
            .map(|candidate| {
                let [published_bits, codec_bits] = [Rule::Published, Rule::Codec]
                    .map(|rule| quantity.bits(&differences, candidate, rule));
                bar.inc(1);
                Row {
                    widths: name(quantity, candidate),
                    published_bits,
                    codec_bits,
                    codec_bits_per_sample: codec_bits as f64 / samples.len() as f64,
                }
            })
            .collect();
        bar.finish_and_clear();
        rows.sort_by_key(|row| match self.rule {
            RuleChoice::Published => row.published_bits,
            RuleChoice::Codec => row.codec_bits,
        });
        rows.truncate(self.top);
        Ok(Outcome {
            samples: samples.len(),
            absolute_bits: quantity.value_bits() * samples.len() as u64,
            written_bits: quantity.written_bits(samples),
            widths: rows,
        })
    }
}

/// Small-large, of a position first of x and y, then of z.
fn name(quantity: Quantity, [x, _, z]: Candidate) -> String {
    match quantity {
        Quantity::SmallestThree => format!("{}-{}", x.small_bits(), x.large_bits()),
        Quantity::Position => format!(
            "{}-{}-{}-{}",
            x.small_bits(),
            x.large_bits(),
            z.small_bits(),
            z.large_bits()
        ),
    }
}

fn print(outcome: &Outcome) {
    println!("small-large  published rule  codec's rule  bits a sample");
    for row in &outcome.widths {
        let (widths, of_sample) = (&row.widths, row.codec_bits_per_sample);
        let (published, codec) = (row.published_bits, row.codec_bits);
        println!("{widths:11}  {published:14}  {codec:12}  {of_sample:13.2}");
    }
    println!(
        "{} samples: all absolute {} bits, as the codec writes them {}",
        outcome.samples, outcome.absolute_bits, outcome.written_bits
    );
}
