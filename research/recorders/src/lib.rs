//! The recorder for Bevy on `motion.html`, compiled and run as it stands there.

include!(concat!(env!("OUT_DIR"), "/recorder.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    /// Tick, object and event of each row, and its x, y, z.
    fn rows(bytes: &[u8]) -> Vec<([u32; 3], [f32; 3])> {
        let word = |row: &[u8], at: usize| {
            u32::from_le_bytes(row[4 * at..4 * at + 4].try_into().expect("four bytes"))
        };
        let row = |row: &[u8]| {
            let place = [2, 3, 4].map(|at| f32::from_bits(word(row, at)));
            ([word(row, 0), word(row, 1), word(row, 9)], place)
        };
        bytes.chunks_exact(40).map(row).collect()
    }

    #[test]
    fn what_comes_goes_and_jumps_is_written_with_z_up() {
        let path = std::env::temp_dir().join(format!("bevy-recorder-{}.bin", std::process::id()));
        let mut world = World::new();
        let recorder = MotionRecorder::new(path.to_str().expect("a path"), 120);
        world.insert_resource(recorder.expect("a file"));
        let mut schedule = Schedule::default();
        schedule.add_systems(record);
        let stays = world
            .spawn((Recorded(0), Transform::from_xyz(1.0, 2.0, 3.0)))
            .id();
        schedule.run(&mut world);
        let goes = world
            .spawn((Recorded(1), Transform::from_xyz(4.0, 5.0, 6.0)))
            .id();
        schedule.run(&mut world);
        world.despawn(goes);
        world
            .entity_mut(stays)
            .insert((Jumped, Transform::from_xyz(9.0, 0.0, 0.0)));
        schedule.run(&mut world);
        schedule.run(&mut world);
        assert!(world.get::<Jumped>(stays).is_none());
        world.remove_resource::<MotionRecorder>();
        let bytes = std::fs::read(&path).expect("it is written");
        std::fs::remove_file(&path).expect("it can be removed");
        assert_eq!(&bytes[..8], b"SLMOTION");
        let words = [2, 8, 120].map(u32::to_le_bytes).concat();
        assert_eq!(bytes[8..20], words);
        let rows = rows(&bytes[20..]);
        let told: Vec<_> = rows.iter().map(|row| row.0).collect();
        assert_eq!(
            told,
            [
                [0, 0, 0],
                [1, 0, 0],
                [1, 1, 0],
                [2, 1, 2],
                [2, 0, 1],
                [3, 0, 0]
            ]
        );
        assert_eq!((rows[0].1, rows[4].1), ([1.0, -3.0, 2.0], [9.0, 0.0, 0.0]));
    }
}
