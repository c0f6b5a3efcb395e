//! Deterministic lockstep in a lane: both ends, the right world with deliberate errors, and the comparison of both worlds.

use crate::measure::metrics::{LockstepFigures, Metrics, ObserverFigures};
use crate::strategy::Receiver as _;
use crate::strategy::ends::{Ends, Exchange, LaneSender, OneWay};
use crate::strategy::lockstep::{
    LockstepReceiver, LockstepReceiverConfig, LockstepSender, LockstepSenderConfig,
};
use crate::tape_world::step_to;
use snapshot_codec::CubeState;
use snapshot_netsim::channel::Delivery;
use snapshot_physics::Input;
use snapshot_physics::world::World;
use snapshot_record::tape::Frame;
use snapshot_settings::{Desync, LaneSettings, Transport};
use snapshot_view::{Playback, Pose, SnapshotArrival};
use std::collections::VecDeque;

/// Both ends of lockstep, and the receiver's world, which the observer watches.
pub(crate) struct LockstepEnds {
    sender: LockstepSender,
    receiver: LockstepReceiver,
    world: RightWorld,
    observer: LockstepObserver,
}

impl LockstepEnds {
    /// Creates both ends with nothing sent yet, and the observer. The receiver's world begins as a fork of `world`.
    pub(crate) fn new(settings: &LaneSettings, world: &World) -> LockstepEnds {
        LockstepEnds {
            sender: LockstepSender::new(sender_config(settings)),
            receiver: LockstepReceiver::new(receiver_config(settings)),
            world: RightWorld::new(world, settings.desync()),
            observer: LockstepObserver::default(),
        }
    }

    pub(crate) fn figures(&self) -> LockstepFigures {
        LockstepFigures {
            sender: *self.sender.figures(),
            receiver: *self.receiver.figures(),
            observer: self.observer.figures,
        }
    }
}

impl Ends for LockstepEnds {
    fn exchange(&mut self, frame: &Frame<'_>, exchange: &mut Exchange<'_>) -> Option<Playback> {
        self.one_way(frame, exchange)
    }

    fn sender(&self) -> Option<&dyn LaneSender> {
        Some(&self.sender)
    }

    fn item(&self) -> &'static str {
        "input"
    }
}

impl OneWay for LockstepEnds {
    fn sender_mut(&mut self) -> &mut dyn LaneSender {
        &mut self.sender
    }

    fn receiver_mut(&mut self) -> &mut dyn crate::strategy::Receiver {
        &mut self.receiver
    }

    fn observe_tick(&mut self, frame: &Frame<'_>) {
        if !self.sender.figures().given_up {
            self.observer.stepped_left(frame);
        }
    }

    /// Returns true, because the observer compares inputs when the receiver's world steps.
    fn is_as_sent(&mut self, _: &Frame<'_>) -> Option<bool> {
        Some(true)
    }

    /// Receives a packet. If the receiver skips a packet, a later one fills the gap, because packets repeat inputs.
    fn receive(
        &mut self,
        _: &Frame<'_>,
        delivery: &Delivery,
        packet: &[u8],
        _: &mut Metrics,
    ) -> Option<SnapshotArrival> {
        match self.receiver.packet(delivery.arrival_ms, packet) {
            Ok(SnapshotArrival::Accepted) if delivery.copy => Some(SnapshotArrival::Duplicate),
            arrival => arrival.ok(),
        }
    }

    fn show(
        &mut self,
        _: &Frame<'_>,
        now_ms: f64,
        metrics: &mut Metrics,
        poses: &mut [Pose],
    ) -> Option<Playback> {
        let mut world = LentRightWorld {
            right: &mut self.world,
            observer: &mut self.observer,
            mismatches: &mut metrics.mismatches,
        };
        self.receiver.show(now_ms, &mut world, poses)
    }
}

impl LaneSender for LockstepSender {
    fn copy(&self) -> Box<dyn LaneSender> {
        Box::new(self.clone())
    }
}

pub(crate) fn sender_config(settings: &LaneSettings) -> LockstepSenderConfig {
    LockstepSenderConfig {
        send_rate_hz: settings.send_rate_hz(),
        is_stream: settings.transport() == Transport::Tcp,
    }
}

pub(crate) fn receiver_config(settings: &LaneSettings) -> LockstepReceiverConfig {
    LockstepReceiverConfig {
        playout: settings.playout(),
        send_interval_ms: settings.send_interval_ms(),
        is_stream: settings.transport() == Transport::Tcp,
    }
}

/// Observer of lockstep, which sees both worlds.
#[derive(Default)]
struct LockstepObserver {
    /// States that the receiver's world should reach, for the frames that it has not simulated yet, oldest first.
    expected: VecDeque<ExpectedStates>,
    figures: ObserverFigures,
}

struct ExpectedStates {
    input: Input,
    checksum: Option<u64>,
}

impl LockstepObserver {
    /// Records that the sender's world simulated a frame whose input will be sent. The list of expected frames is bounded,
    /// because the sender gives up after a time.
    fn stepped_left(&mut self, frame: &Frame<'_>) {
        self.expected.push_back(ExpectedStates {
            input: frame.input,
            checksum: frame.checksum,
        });
    }

    /// Records that the receiver's world simulated a frame; returns whether its input was the sender's.
    fn stepped_right(&mut self, frame: u64, input: Input, world: &World) -> bool {
        let Some(expected) = self.expected.pop_front() else {
            return true;
        };
        if let Some(checksum) = expected.checksum {
            self.figures.frames_checked += 1;
            if checksum != world.checksum() {
                self.figures.first_desync_frame.get_or_insert(frame);
            }
        }
        input == expected.input
    }
}

/// Number of frames after which one bit of the receiver's world is changed. The worlds are equal for this second; after it the
/// player is about to land.
const DISTURBED_AFTER_FRAMES: u64 = 60;

struct RightWorld {
    world: World,
    desync: Desync,
    frames_stepped: u64,
}

impl RightWorld {
    /// Makes a fork of the sender's world, and prepares the error that the setting `desync` asks for.
    fn new(world: &World, desync: Desync) -> RightWorld {
        RightWorld {
            world: match desync {
                Desync::None | Desync::Bit => world.fork(),
                Desync::Order => world.reinserted(),
            },
            desync,
            frames_stepped: 0,
        }
    }
}

/// The receiver's world, lent to the receiver for one tick. `observer` sees each frame of this world, and `mismatches`
/// counts frames whose input was not the sender's.
struct LentRightWorld<'a> {
    right: &'a mut RightWorld,
    observer: &'a mut LockstepObserver,
    mismatches: &'a mut u64,
}

impl crate::strategy::World for LentRightWorld<'_> {
    fn tick(&self) -> u64 {
        self.right.world.tick()
    }

    fn states(&self) -> &[CubeState] {
        self.right.world.truth()
    }

    fn step_to(&mut self, tick: u64, input: u8) {
        let right = &mut *self.right;
        if right.desync == Desync::Bit && right.frames_stepped == DISTURBED_AFTER_FRAMES {
            right.world.disturb_one_bit();
        }
        let input = Input::from_bits(input);
        step_to(&mut right.world, tick, input);
        right.frames_stepped += 1;
        let as_pressed = self.observer.stepped_right(tick, input, &right.world);
        *self.mismatches += u64::from(!as_pressed);
    }

    fn set_states(&mut self, states: &[(usize, CubeState)]) {
        self.right.world.set_states(states.iter().copied());
    }
}
