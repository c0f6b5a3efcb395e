//! The parts of one strategy in a lane.

/// Both ends of one strategy, the right world, and the observer.
pub(super) struct Sides<S, R, W, O> {
    /// It knows the left world's states, the inputs and the ticks.
    pub(super) sender: S,
    /// It knows bytes and times.
    pub(super) receiver: R,
    /// The world that the receiver is lent.
    pub(super) world: W,
    /// It alone sees both sides, and only compares.
    pub(super) observer: O,
}
