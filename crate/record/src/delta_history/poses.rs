//! Poses as the words that a delta history stores.

use super::Words;
use snapshot_codec::Life;
use snapshot_view::Pose;

impl Words for Pose {
    type Array = [u32; 8];
    const NO_WORDS: [u32; 8] = [0; 8];
    const GROUPS: &'static [usize] = &[3, 4, 1];

    fn words(&self) -> [u32; 8] {
        let [px, py, pz] = self.position.map(f32::to_bits);
        let [x, y, z, w] = self.orientation.map(f32::to_bits);
        let flags = u32::from(self.interacting) | u32::from(self.life.code()) << 1;
        [px, py, pz, x, y, z, w, flags]
    }

    fn of_words(words: [u32; 8]) -> Pose {
        let [px, py, pz, x, y, z, w, flags] = words;
        Pose {
            position: [px, py, pz].map(f32::from_bits),
            orientation: [x, y, z, w].map(f32::from_bits),
            interacting: flags & 1 != 0,
            life: Life::from_code((flags >> 1 & 3) as u8).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delta_history::DeltaHistory;
    use glam::Quat;

    #[test]
    fn a_still_frame_takes_no_room_and_a_zero_keeps_its_sign() {
        let mut pose = Pose {
            position: [0.0; 3],
            orientation: [0.0, 0.0, 0.0, 1.0],
            interacting: false,
            life: Life::default(),
        };
        let mut deltas = DeltaHistory::new(0, vec![pose; 900]);
        let bytes = deltas.bytes();
        (0..50).for_each(|_| deltas.push([pose; 900]));
        assert!(deltas.bytes() < bytes + 1000);
        pose.position[0] = -0.0;
        deltas.push([pose; 900]);
        let mut frame = Vec::new();
        assert!(deltas.read(51, &mut frame));
        assert_eq!(frame[0].position[0].to_bits(), (-0.0_f32).to_bits());
    }

    #[test]
    fn moving_poses_take_four_fifths_of_their_room() {
        let pose = |tick: u16, index: u16| {
            let (tick, index) = (f32::from(tick) / 60.0, f32::from(index));
            let turned = Quat::from_xyzw(tick, 0.1 * index, -0.3 * tick, 1.0);
            Pose {
                position: [3.1 + tick, index - 0.7 * tick, 1.0 - 0.2 * tick],
                orientation: turned.normalize().to_array(),
                interacting: true,
                life: Life::default(),
            }
        };
        let frame = |tick| (0..100).map(move |index| pose(tick, index));
        let mut deltas = DeltaHistory::new(0, frame(0).collect());
        let still = deltas.bytes();
        (1..60).for_each(|tick| deltas.push(frame(tick)));
        let changes = 59 * 100 * size_of::<(u32, Pose)>();
        let taken = deltas.bytes() - still;
        assert!(5 * taken < 4 * changes, "{taken} of {changes}");
        let mut last = Vec::new();
        assert!(deltas.read(59, &mut last));
        assert!(frame(59).zip(&last).all(|(a, b)| a.same_bits(b)));
    }
}
