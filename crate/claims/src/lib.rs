//! The article's numbers. A *claim* is a number of its text with an id. A table says on which link the number is measured, and
//! which figure of the run it is.
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | find the numbers of an HTML text | [`article::numbers`] |
//! | name a number, with its link and unit | [`table::Claim`], a row of [`table::CLAIMS`] |
//! | measure claims, each link once | [`measure::Measurement`] |
//!
//! # Example
//!
//! ```
//! use snapshot_claims::article::numbers;
//!
//! let html = "<body><p>It takes <data data-claim=\"rate-5\">184</data> kbit/s, a third less than 281.</p></body>";
//! let found = numbers(html);
//! assert_eq!((found.marked[0].id.as_str(), found.marked[0].text.as_str()), ("rate-5", "184"));
//! // The other number has no claim, so the article's test refuses this text.
//! assert_eq!(found.unmarked.len(), 1);
//! ```
//!
//! # What is not in it
//!
//! No measuring code: a claim is a figure of the lab's own report, over the same motion that the page plays.
//!
//! # Invariant
//!
//! The article shows no number that nothing measures. Tests compare each claim with its measured value, to the last digit
//! shown.

pub mod article;
pub mod kept;
pub mod measure;
mod table;

pub use table::{CLAIMS, Claim};
