//! Sizes of mixtures and predictions, for all who share them.

pub(crate) use crate::model::symbols::INPUTS;

/// Most features of a linear prediction.
pub const FEATURES: usize = 16;
/// Classes of what happened to a cube.
pub const HAPPENED_CLASSES: usize = 8;
/// Rows of the tables, and rows of learned factors, in a product.
pub const PRODUCT_INPUTS: usize = 4;

/// The weights of a mixture; their sum is 1.
pub(crate) type Weights = [f32; INPUTS];
/// log2 of shares, or of factors.
pub type Logs = [f32; HAPPENED_CLASSES];
/// Powers of the tables' shares.
pub(crate) type Powers = [f32; PRODUCT_INPUTS];
