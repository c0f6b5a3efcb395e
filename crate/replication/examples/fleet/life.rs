//! The life of a game server's process in a fleet: the calls of Agones' SDK that are due, by time and number of players.

/// A call of Agones' SDK.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Call {
    Ready,
    Health,
    Allocate,
    Shutdown,
}

impl Call {
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Ready => "/ready",
            Self::Health => "/health",
            Self::Allocate => "/allocate",
            Self::Shutdown => "/shutdown",
        }
    }
}

/// Seconds between two calls of health. `periodSeconds` of the manifest is longer.
pub(crate) const HEALTH_S: f64 = 1.0;

pub(crate) struct Life {
    /// Seconds without a player after which an allocated process ends.
    idle_s: f64,
    next_health_s: f64,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    Starts,
    Ready,
    Plays,
    /// No player is there; the last one left at this time.
    Empty {
        since_s: f64,
    },
    Over,
}

impl Life {
    pub(crate) fn new(idle_s: f64) -> Self {
        Self {
            idle_s,
            next_health_s: 0.0,
            state: State::Starts,
        }
    }

    /// Returns the calls that are due after a turn of the game's loop.
    pub(crate) fn turn(&mut self, now_s: f64, players: usize, is_stopped: bool) -> Vec<Call> {
        let (state, call) = self.next(now_s, players, is_stopped);
        self.state = state;
        let mut calls = Vec::from_iter(call);
        if now_s >= self.next_health_s {
            self.next_health_s = now_s + HEALTH_S;
            calls.push(Call::Health);
        }
        calls
    }

    fn next(&self, now_s: f64, players: usize, is_stopped: bool) -> (State, Option<Call>) {
        match self.state {
            State::Over => (State::Over, None),
            _ if is_stopped => (State::Over, Some(Call::Shutdown)),
            State::Starts => (State::Ready, Some(Call::Ready)),
            State::Ready if players > 0 => (State::Plays, Some(Call::Allocate)),
            State::Plays if players == 0 => (State::Empty { since_s: now_s }, None),
            State::Empty { .. } if players > 0 => (State::Plays, None),
            State::Empty { since_s } if now_s - since_s >= self.idle_s => {
                (State::Over, Some(Call::Shutdown))
            }
            state @ (State::Ready | State::Plays | State::Empty { .. }) => (state, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Call, Life};

    /// Returns the calls of a life of 20 s, each with its time, without those of health.
    fn calls_by_time(
        idle_s: f64,
        stopped_s: f64,
        players: impl Fn(f64) -> usize,
    ) -> Vec<(f64, Call)> {
        let mut life = Life::new(idle_s);
        let times = (0..200).map(|tenth| f64::from(tenth) / 10.0);
        let calls = times.flat_map(|now_s| {
            let calls = life.turn(now_s, players(now_s), now_s >= stopped_s);
            calls.into_iter().map(move |call| (now_s, call))
        });
        calls.filter(|(_, call)| *call != Call::Health).collect()
    }

    #[test]
    fn a_process_ends_when_its_last_player_has_been_away_for_a_time() {
        // Away for a second at 6 s, which is less than two.
        let players = |at: f64| usize::from((4.0..6.0).contains(&at) || (7.0..10.0).contains(&at));
        let life = [
            (0.0, Call::Ready),
            (4.0, Call::Allocate),
            (12.0, Call::Shutdown),
        ];
        assert_eq!(calls_by_time(2.0, f64::MAX, players), life);
        // Nobody has come: the process waits, ready.
        assert_eq!(calls_by_time(2.0, f64::MAX, |_| 0), life[..1]);
        let stopped = [life[0], life[1], (5.0, Call::Shutdown)];
        assert_eq!(calls_by_time(2.0, 5.0, players), stopped);
    }

    #[test]
    fn health_comes_each_second_and_never_for_a_stall() {
        let mut life = Life::new(2.0);
        let mut count = |from_s: f64, ticks: u32| {
            let times = (0..ticks).map(|tick| from_s + f64::from(tick) / 60.0);
            let calls = times.flat_map(|now_s| life.turn(now_s, 0, false));
            calls.filter(|call| *call == Call::Health).count()
        };
        assert_eq!(count(0.0, 600), 10);
        // The loop stood still for a minute: nothing is made up for.
        assert_eq!(count(70.0, 60), 1);
    }
}
