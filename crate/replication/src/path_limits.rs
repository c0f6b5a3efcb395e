//! The sizes of datagrams that a path carries, for figures and events.

/// Limits of a connection's path that a probe found, bytes. `None` where no limit is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathLimits {
    /// Size of the largest datagram that arrives at the other end.
    pub there_bytes: Option<usize>,
    /// Size of the largest datagram that arrives at this end, as the other end says.
    pub here_bytes: Option<usize>,
}
