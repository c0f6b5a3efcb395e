//! Corrections of the lent world, and the shown errors that they leave.

use super::{GLIDE_M, POP_M, PoseOffset, SyncPacket, SyncReceiver, UncorrectedPlace};
use crate::strategy::World;
use snapshot_base::math::Vec3;
use snapshot_codec::CubeState;
use snapshot_settings::Smoothing;
use snapshot_view::Pose;

impl SyncReceiver {
    /// Applies a packet, and counts the cubes that pop.
    pub(super) fn correct(&mut self, packet: SyncPacket, world: &mut dyn World) {
        self.apply(&packet, world);
        let pops = packet
            .updates
            .iter()
            .filter(|update| self.moved_m(update.index) > POP_M);
        self.figures.pops += pops.count() as u64;
        self.spare.push(packet);
    }

    pub(super) fn expect(&mut self, states: &[CubeState]) {
        let place = |(cube, offset): (&CubeState, &PoseOffset)| UncorrectedPlace {
            position: Vec3(cube.position) + offset.position,
            error_m: offset.position.length(),
        };
        self.expected.clear();
        self.expected
            .extend(states.iter().zip(&self.offsets).map(place));
    }

    /// Returns the distance between a shown cube and the place that its own motion leads to, m.
    pub(super) fn moved_m(&self, index: usize) -> f32 {
        Vec3(self.shown[index].position).distance(self.expected[index].position)
    }

    /// Returns the greatest share of a shown error that smoothing removed in this tick, 0 to 1.
    pub(super) fn glide(&self) -> f64 {
        let erring = (0..)
            .zip(&self.expected)
            .filter(|(_, expected)| expected.error_m > GLIDE_M);
        let parts = erring.map(|(index, expected)| self.moved_m(index) / expected.error_m);
        parts.fold(0.0, f32::max).into()
    }

    /// Writes a packet's states into the world. With smoothing, the cubes' shown poses stay where they are.
    pub(super) fn apply(&mut self, packet: &SyncPacket, world: &mut dyn World) {
        let (format, before) = (&self.format, world.states());
        let states: Vec<_> = packet
            .updates
            .iter()
            .map(|update| {
                let mut state = format.grid.dequantise(&update.body);
                if !format.grid.velocities() && !state.at_rest {
                    state.linear_velocity = before[update.index].linear_velocity;
                    state.angular_velocity = before[update.index].angular_velocity;
                }
                (update.index, state)
            })
            .collect();
        world.set_states(&states);
        for update in &packet.updates {
            let index = update.index;
            let pose = Pose::from(&world.states()[index]);
            self.updated[index] = self.shown_frame;
            self.offsets[index] = if self.smoothing == Smoothing::Off {
                PoseOffset::NONE
            } else {
                PoseOffset::hold(&self.shown[index], &pose)
            };
            self.shown[index] = self.offsets[index].apply(&pose);
        }
    }

    /// Shows every cube at its simulated pose plus the remaining error.
    pub(super) fn show_own(&mut self, states: &[CubeState]) {
        let cubes = self.shown.iter_mut().zip(&self.offsets).zip(states);
        for ((shown, offset), cube) in cubes {
            *shown = offset.apply(&Pose::from(cube));
        }
    }
}
