//! Causes of a packet's delay or loss, each with a name in the data and a name for people.

use serde::Serialize;

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Cause {
    /// Name of the cause in data files.
    pub id: &'static str,
    /// Name of the cause for people.
    pub name: &'static str,
}

/// Causes of a packet's delay, from the bottom of a stacked chart to its top: causes that hardly change are at the bottom.
#[rustfmt::skip]
pub const DELAY_CAUSES: [Cause; 10] = [
    Cause { id: "base", name: "latency" },
    Cause { id: "tail", name: "jitter" },
    Cause { id: "bad", name: "bad state of a burst" },
    Cause { id: "reorder", name: "reordered" },
    Cause { id: "stall", name: "stall" },
    Cause { id: "transmission", name: "sending at the bottleneck" },
    Cause { id: "queue", name: "queue" },
    Cause { id: "window", name: "window of the data channel" },
    Cause { id: "order", name: "waiting for earlier packets" },
    Cause { id: "resend", name: "sent again" },
];

/// Causes of a packet's loss, in display order.
#[rustfmt::skip]
pub const LOSS_CAUSES: [Cause; 4] = [
    Cause { id: "queue", name: "lost: the queue was full" },
    Cause { id: "chance", name: "lost by chance" },
    Cause { id: "override", name: "lost by hand" },
    Cause { id: "cut", name: "lost: the network was cut" },
];

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_netsim::channel::{DelayByCause, LossCause};
    use std::collections::BTreeSet;

    #[test]
    fn every_cause_of_a_packet_has_a_name_for_people() {
        let ids = |causes: &[Cause]| causes.iter().map(|it| it.id).collect::<BTreeSet<_>>();
        let delays = DelayByCause::default().named().map(|(id, _)| id);
        assert_eq!(ids(&DELAY_CAUSES), BTreeSet::from(delays));
        let losses = LossCause::ALL.map(LossCause::name);
        assert_eq!(ids(&LOSS_CAUSES), BTreeSet::from(losses));
    }
}
