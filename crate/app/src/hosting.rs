//! The host's end of a world that is shared with a guest over a real wire.

use snapshot_lane::together::Host;
use snapshot_netsim::proxy::ProxyLink;
use snapshot_settings::Settings;
use std::sync::Arc;

/// The host's end of a session.
pub(crate) struct Hosting {
    pub(crate) host: Host,
    pub(crate) settings: Settings,
    /// Fragment of the link that a guest opens.
    pub(crate) link_text: String,
    /// True once the guest was told that it ends. The last datagrams are sent still.
    pub(crate) has_ended: bool,
    /// The newest tick that was sent.
    pub(crate) tick: u64,
    /// The simulated link; `None` while none is simulated.
    pub(crate) link: Option<ProxyLink>,
    /// The network to the guest, from the logs of both ends, as a trace file.
    pub(crate) guest_network: Option<String>,
}

/// Returns true if two links are the same.
pub(crate) fn is_same(one: &ProxyLink, other: &ProxyLink) -> bool {
    let has_same_trace = match (&one.trace, &other.trace) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    has_same_trace && one.conditions == other.conditions && one.seed == other.seed
}
