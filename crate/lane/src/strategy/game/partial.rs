//! The observer of a client that has only some of the objects. It measures ages and errors of these objects, and priorities
//! of objects that wait to be sent.

use super::ages::{AgeObserver, PictureInstant};
use super::clocks::{Clocks, WholeServerTick};
use super::{GameClient, GameServer, OWN};
use crate::measure::metrics::DistanceMetrics;
use snapshot_codec::CubeState;

/// Priority of a cube of the greatest interest that has waited for a second, as state synchronisation counts it.
const PRIORITY_A_SECOND: f32 = 6000.0;

pub(super) struct PartialObserver {
    /// Ages and errors of the drawn objects; `None` without a budget, a limit of sight or a crowd.
    ages: Option<AgeObserver>,
    /// The server's choice of objects for packets within a budget; `None` without a budget.
    choice: Option<Choice>,
}

struct Choice {
    /// Tick of the lane of the client's newest state of each cube.
    updated: Vec<u64>,
    /// Priority of each cube for the next packet; 0 for a cube that the last packet had.
    priorities: Vec<u64>,
}

impl PartialObserver {
    pub(super) fn new(
        has_budget: bool,
        compares: bool,
        cubes: usize,
        tick_ms: f64,
    ) -> PartialObserver {
        PartialObserver {
            ages: compares.then(|| AgeObserver::new(cubes, tick_ms)),
            choice: has_budget.then(|| Choice {
                updated: vec![0; cubes],
                priorities: vec![0; cubes],
            }),
        }
    }

    pub(super) fn server_stepped(&mut self, tick: u64, states: &[CubeState]) {
        if let Some(ages) = &mut self.ages {
            ages.server_stepped(tick, states);
        }
    }

    /// Records the priorities of the objects that did not fit into the server's last packet.
    pub(super) fn packet_sent(&mut self, server: &GameServer) {
        let (Some(choice), Some(peer)) = (&mut self.choice, server.peer()) else {
            return;
        };
        choice.priorities.fill(0);
        for (id, score) in server.server().waiting(peer) {
            if let Some(priority) = choice.priorities.get_mut(id as usize) {
                *priority = (score * PRIORITY_A_SECOND) as u64;
            }
        }
    }

    /// Records the ages of the client's states, and compares its picture with the server's world at the picture's instant.
    pub(super) fn shown(&mut self, client: &GameClient, clocks: &Clocks) {
        let Some(newest) = client.newest_tick() else {
            return;
        };
        let newest = clocks.lane(WholeServerTick(newest)).0;
        if let Some(choice) = &mut self.choice {
            for (updated, age_ms) in choice.updated.iter_mut().zip(client.ages_ms()) {
                if let Some(age_ms) = age_ms {
                    let age_ticks = f64::from(*age_ms) / clocks.tick_ms;
                    *updated = newest.saturating_sub(age_ticks.round() as u64);
                }
            }
        }
        if let (Some(ages), Some(shown)) = (&mut self.ages, client.client().shown_tick()) {
            let shown = shown + clocks.offset.unwrap_or_default() as f64;
            let drawn: Vec<_> = client.drawn().collect();
            ages.compare(PictureInstant { shown, newest }, &drawn, OWN);
        }
    }

    /// Tick of the lane of the client's newest state of each cube; `None` without a budget.
    pub(super) fn updated(&self) -> Option<&[u64]> {
        self.choice.as_ref().map(|choice| &choice.updated[..])
    }

    /// Priority of each cube for the next packet, as the last packet left it: 0 for a cube in the last packet. `None`
    /// without a budget.
    pub(super) fn priorities(&self) -> Option<&[u64]> {
        self.choice.as_ref().map(|choice| &choice.priorities[..])
    }

    /// Ages and errors by distance; `None` without a budget, a limit of sight or a crowd.
    pub(super) fn distances(&self) -> Option<&DistanceMetrics> {
        self.ages.as_ref().map(|ages| &ages.metrics)
    }
}
