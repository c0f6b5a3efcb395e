//! Sizes and types that mixtures, predictions and training share.

pub(crate) use crate::model::symbols::INPUTS;

/// Number of features of a linear prediction: the numbers that it multiplies by trained coefficients and sums.
pub const FEATURES: usize = 16;
/// Number of classes of the change symbol.
pub const HAPPENED_CLASSES: usize = 8;
/// Number of table rows whose shares are multiplied to give the probabilities of a change symbol, one for each context.
pub const PRODUCT_INPUTS: usize = 4;

/// The weights of a mixture; their sum is 1.
pub(crate) type Weights = [f32; INPUTS];
/// log2 of shares or factors of the change symbol, by class.
pub type Logs = [f32; HAPPENED_CLASSES];
/// Powers to which the tables' shares are raised in the product that codes a change symbol.
pub(crate) type Powers = [f32; PRODUCT_INPUTS];
