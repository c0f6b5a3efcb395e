//! All strategies by the same traits: ticks that are refused by name, and receivers without a clock.

use crate::strategy::sync::Compression;
use crate::strategy::{Receiver, Sender, SenderError, World};
use crate::strategy::{lockstep, snapshot, sync};
use snapshot_base::time::WORLD;
use snapshot_codec::{CubeState, DeadReckoning, DecodeError, Format, QuantisationBits, Rung};
use snapshot_settings::{Adaptation, Smoothing, Strategy};
use snapshot_view::interpolate::Interpolation;
use snapshot_view::playout::Playout;
use snapshot_view::{BufferConfig, Playback, Pose, SnapshotArrival};

const CUBES: usize = 26;
const DELAYED: Playout = Playout::Fixed { delay_ms: 100.0 };

/// A world in which the player is as far along as the inputs say, and nothing else moves.
#[derive(Clone)]
struct Plain {
    tick: u64,
    states: Vec<CubeState>,
}

impl Plain {
    fn new(tick: u64) -> Plain {
        let still = CubeState {
            position: [0.0, 0.0, 0.2],
            interacting: true,
            ..CubeState::default()
        };
        let states = vec![still; CUBES];
        Plain { tick, states }
    }
}

impl World for Plain {
    fn tick(&self) -> u64 {
        self.tick
    }

    fn states(&self) -> &[CubeState] {
        &self.states
    }

    fn step_to(&mut self, tick: u64, input: u8) {
        self.tick = tick;
        self.states[0].position[0] += f32::from(input) / 64.0;
    }

    fn set_states(&mut self, states: &[(usize, CubeState)]) {
        for (index, state) in states {
            self.states[*index] = *state;
        }
    }
}

type TestPair = (Box<dyn Sender>, Box<dyn Receiver>);

fn pair(sender: impl Sender + 'static, receiver: impl Receiver + 'static) -> TestPair {
    (Box::new(sender), Box::new(receiver))
}

/// A sender of a strategy that sends at each tick, and a receiver; `None` for a game, whose ends send both ways.
fn ends_of(strategy: Strategy, playout: Playout) -> Option<TestPair> {
    let send_interval_ms = WORLD.ms_of_tick(1.0);
    let (states, bits) = (Plain::new(0).states, QuantisationBits::DEFAULT);
    Some(match strategy {
        Strategy::Snapshot => {
            let format = Format::new(Rung::ChangedFlags, bits, CUBES).unwrap();
            let first: Vec<_> = states.iter().map(|cube| format.quantise(cube)).collect();
            let sender = snapshot::SnapshotSender::new(format, WORLD, 60, &first, DeadReckoning);
            let config = BufferConfig {
                tick_rate: WORLD,
                interpolation: Interpolation::Linear,
                playout,
                send_interval_ms,
            };
            let receiver = snapshot::SnapshotReceiver::new(format, config, &first, DeadReckoning);
            pair(sender, receiver)
        }
        Strategy::Sync => {
            let compression = Compression::default();
            let format = sync::SyncFormat::new(bits, CUBES, compression, true).unwrap();
            let config = sync::SyncSenderConfig {
                send_rate_hz: 60,
                budget_kbps: 1024.0,
                adaptation: Adaptation::Off,
                accumulates: true,
                rest_counts: true,
                header_bytes: 28,
                mtu_bytes: None,
            };
            let sender = sync::SyncSender::new(format, config);
            let config = sync::SyncReceiverConfig {
                playout,
                send_interval_ms,
                smoothing: Smoothing::Off,
            };
            pair(sender, sync::SyncReceiver::new(format, config, 0, &states))
        }
        Strategy::Lockstep => {
            let sender = lockstep::LockstepSender::new(lockstep::LockstepSenderConfig {
                send_rate_hz: 60,
                is_stream: false,
            });
            let receiver = lockstep::LockstepReceiver::new(lockstep::LockstepReceiverConfig {
                playout,
                send_interval_ms,
                is_stream: false,
            });
            pair(sender, receiver)
        }
        Strategy::Game => return None,
    })
}

/// The ends of each strategy that sends one way.
fn ends(playout: Playout) -> impl Iterator<Item = (Strategy, TestPair)> {
    let of = move |strategy| Some((strategy, ends_of(strategy, playout)?));
    Strategy::ALL.into_iter().filter_map(of)
}

#[test]
fn a_repeated_tick_and_a_wrong_number_of_cubes_are_named_and_change_nothing() {
    for (strategy, (mut sender, _)) in ends(DELAYED) {
        let (states, mut packet) = (Plain::new(0).states, Vec::new());
        sender.tick(9, 1, &states, &mut packet, None).unwrap();
        for tick in [9, 8, 11] {
            let error = SenderError::NotTheNextTick { tick, next: 10 };
            assert_eq!(sender.tick(tick, 1, &states, &mut packet, None), Err(error));
        }
        let error = Err(SenderError::InputOutOfRange(64));
        assert_eq!(sender.tick(10, 64, &states, &mut packet, None), error);
        // Lockstep reads no states.
        if strategy != Strategy::Lockstep {
            let (expected, actual) = (CUBES, CUBES - 1);
            let refused = sender.tick(10, 1, &states[1..], &mut packet, None);
            assert_eq!(refused, Err(SenderError::CubeCount { expected, actual }));
        }
        let sent = sender.tick(10, 1, &states, &mut packet, None);
        assert!(sent.unwrap().is_some());
    }
}

#[test]
fn forged_packets_of_ticks_that_cannot_be_yet_are_refused_and_the_genuine_go_on() {
    let packet_of = |sender: &mut dyn Sender, tick| {
        let mut packet = Vec::new();
        let sent = sender.tick(tick, 1, &Plain::new(0).states, &mut packet, None);
        sent.unwrap();
        packet
    };
    for (strategy, (mut sender, mut receiver)) in ends(DELAYED) {
        let [mut first, mut second] = [(); 2].map(|()| ends_of(strategy, DELAYED).unwrap().0);
        let mut arrives = |now: f64, packet: &[u8]| receiver.packet(WORLD.ms_of_tick(now), packet);
        let refused = |sequence| {
            let horizon = 69;
            Err(DecodeError::TooFarAhead { sequence, horizon }.into())
        };
        // One that comes first does not set the clock.
        let forged = packet_of(&mut *first, 0x7000);
        assert_eq!(arrives(9.0, &forged), refused(0x7000));
        let genuine = packet_of(&mut *sender, 5);
        assert_eq!(arrives(9.0, &genuine), Ok(SnapshotArrival::Accepted));
        let forged = packet_of(&mut *second, 0x7005);
        assert_eq!(arrives(9.0, &forged), refused(0x7005));
        // After a cut of 10 s.
        let after_cut = (6..=605).map(|tick| packet_of(&mut *sender, tick)).last();
        let arrival = arrives(609.0, &after_cut.unwrap());
        assert_eq!(arrival, Ok(SnapshotArrival::Accepted));
    }
}

/// Ends without a clock. Packets take the given ticks each, to the shown instant and the fate of each.
fn at_once(
    strategy: Strategy,
    took_ticks: &[u64],
) -> (Vec<Option<Playback>>, Vec<SnapshotArrival>) {
    let (mut sender, mut receiver) = ends_of(strategy, Playout::AtOnce).unwrap();
    let (mut left, mut right) = (Plain::new(0), Plain::new(0));
    let mut poses: Vec<_> = left.states.iter().map(Pose::from).collect();
    let (mut on_the_way, mut shown, mut fates) = (Vec::new(), Vec::new(), Vec::new());
    for (tick, took) in (1..).zip(took_ticks) {
        left.step_to(tick, 1);
        let mut packet = Vec::new();
        sender
            .tick(tick, 1, &left.states, &mut packet, None)
            .unwrap();
        on_the_way.push((tick + took, packet));
        on_the_way.sort_by_key(|(arrives, _)| *arrives);
        let now_ms = WORLD.ms_of_tick(tick as f64);
        while on_the_way
            .first()
            .is_some_and(|(arrives, _)| *arrives <= tick)
        {
            let (arrives, bytes) = on_the_way.remove(0);
            let arrival_ms = WORLD.ms_of_tick(arrives as f64);
            fates.push(receiver.packet(arrival_ms, &bytes).unwrap());
        }
        shown.push(receiver.show(now_ms, &mut right, &mut poses));
    }
    (shown, fates)
}

#[test]
fn without_a_clock_the_newest_snapshot_is_shown_as_it_arrives() {
    // The fourth packet takes two ticks longer than the others, and is overtaken by the next.
    let (shown, fates) = at_once(Strategy::Snapshot, &[3, 3, 3, 5, 3, 3, 3, 3, 3, 3]);
    let overtaken = fates
        .iter()
        .filter(|fate| **fate == SnapshotArrival::Overtaken);
    assert_eq!((overtaken.count(), fates.len()), (1, 7));
    let ticks = |of: fn(&Playback) -> f64| -> Vec<Option<f64>> {
        shown.iter().map(|it| it.as_ref().map(of)).collect()
    };
    // The instant that is due is as late as packets are on average: the slow one comes with the sixth.
    let of_now = [1.0, 2.0, 3.0, 4.0, 5.0, 9.0 - 20.0 / 6.0, 10.0 - 23.0 / 7.0].map(Some);
    let near = |a: &[Option<f64>], b: &[Option<f64>]| {
        a.iter()
            .zip(b)
            .all(|(a, b)| (a.unwrap() - b.unwrap()).abs() < 1e-6)
    };
    assert!(shown[..3].iter().all(Option::is_none));
    assert!(near(&ticks(|it| it.play_tick)[3..], &of_now));
    let seen = [1.0, 2.0, 3.0, 3.0, 5.0, 6.0, 7.0].map(Some);
    assert!(near(&ticks(|it| it.shown_tick)[3..], &seen));
    // A slow first packet does not set the instant that is due: all of them do.
    let (shown, _) = at_once(Strategy::Snapshot, &[5, 4, 3, 3, 3, 3, 3, 3, 3, 3]);
    assert!((shown[9].unwrap().play_tick - (10.0 - 24.0 / 7.0)).abs() < 1e-6);
}

#[test]
fn without_a_buffer_an_update_is_applied_early_or_late_and_only_older_ones_are_refused() {
    // The world begins with a slow packet: those after it come early by its clock, and are applied all the same.
    let (shown, fates) = at_once(
        Strategy::Sync,
        &[6, 3, 3, 3, 3, 3, 3, 8, 3, 3, 3, 3, 3, 3, 3, 3],
    );
    let count = |wanted| fates.iter().filter(|fate| **fate == wanted).count();
    // Frame 2 is the first to arrive.
    assert_eq!(fates[0], SnapshotArrival::Accepted);
    assert_eq!(count(SnapshotArrival::Overtaken), 2);
    assert_eq!(count(SnapshotArrival::Accepted), fates.len() - 2);
    let played: Vec<_> = shown.iter().flatten().map(|it| it.play_tick).collect();
    // The world keeps its own tick.
    assert!(played.windows(2).all(|two| two[1] == two[0] + 1.0));
}
