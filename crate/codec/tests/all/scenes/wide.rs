//! Worlds as wide as can be, with an exact identity.

use snapshot_codec::{Bounds, Format, Rung};

use super::{Scene, bits, ladder_snapshots, of_classes};

/// The widest worlds, with an exact identity: the ladder's snapshots, then cubes at the ends of the world.
pub(super) fn wide() -> impl Iterator<Item = Scene> {
    let formats = [(4, 1 << 18), (9, 8192)]
        .into_iter()
        .flat_map(|(position, reach)| {
            let bounds = Bounds::new([-reach; 3], [reach; 3]).expect("in range");
            let rungs = [
                Rung::Position,
                Rung::ChangedFlags,
                Rung::Arithmetic,
                Rung::Predicted,
                Rung::Simulated,
            ];
            rungs.map(|rung| {
                let format = Format::new(rung, bits(position, 9, 5), 60).expect("in range");
                let format = format.with_bounds(bounds).expect("in range");
                format.with_exact_identity(true)
            })
        });
    formats.flat_map(of_classes).map(|format| {
        let [first, second, _] = ladder_snapshots(&format);
        let mut last = second.clone();
        for (index, cube) in last.iter_mut().enumerate().take(4) {
            let end = if index < 2 { -(1 << 22) } else { (1 << 22) - 1 };
            cube.position = [end, if index == 1 { 0 } else { end }, end];
            cube.orientation = [3, 255, 255, 255];
        }
        let mut inward = last.clone();
        for cube in inward.iter_mut().take(4) {
            cube.position = cube.position.map(|step| step - step.signum() * 300);
        }
        let snapshots = [first, second, last, inward];
        Scene {
            format,
            snapshots: [65_530, 4, 10, 16].into_iter().zip(snapshots).collect(),
            keys: None,
        }
    })
}
