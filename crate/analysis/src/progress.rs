//! The listener to an analysis that is being worked out.

/// A listener: it hears the finished share, 0 to 1, with a function that makes the answer so far. Making an answer takes time,
/// so the listener decides how often it wants one. Whoever no longer wants an answer ends the thread.
pub type Tell<'a, Answer> = &'a mut dyn FnMut(f64, &dyn Fn() -> Answer);
