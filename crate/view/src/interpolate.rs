//! Poses between two snapshots, and a little past the newest (*Snapshot Interpolation*).

use crate::Pose;
use snapshot_base::math::{Quat, Vec3};
use snapshot_base::time::TickRate;
use snapshot_codec::{CubeState, Rung};

/// Longest extrapolation past the newest snapshot, ms; then the view freezes (Snapshot Interpolation, "Extrapolation").
pub const EXTRAPOLATION_MS: f64 = 200.0;

/// A method to fill the time between two snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Shows the newest snapshot that is due, unchanged.
    None,
    /// Lerp of positions, normalised lerp of orientations.
    Linear,
    /// Lerp of positions, spherical lerp of orientations.
    Slerp,
    /// Cubic of positions through both velocities, spherical lerp of orientations.
    Hermite,
    /// Hermite inside the buffer, and up to 200 ms past the newest snapshot when it runs dry.
    Extrapolate,
}

impl Interpolation {
    /// All methods, simplest first. Packets and recordings store the index in this array, so the order must not change.
    pub const ALL: [Self; 5] = {
        use Interpolation::{Extrapolate, Hermite, Linear, None, Slerp};
        // A new method does not compile until it stands here, and so in the list.
        match None {
            None | Linear | Slerp | Hermite | Extrapolate => {
                [None, Linear, Slerp, Hermite, Extrapolate]
            }
        }
    };

    /// Returns the description of the method.
    pub const fn row(self) -> InterpolationRow {
        let row = InterpolationRow {
            name: "",
            is_held: false,
            is_cubic: false,
            is_spherical: true,
            extrapolates: false,
        };
        match self {
            Interpolation::None => InterpolationRow {
                name: "none",
                is_held: true,
                ..row
            },
            Interpolation::Linear => InterpolationRow {
                name: "linear",
                is_spherical: false,
                ..row
            },
            Interpolation::Slerp => InterpolationRow {
                name: "slerp",
                ..row
            },
            Interpolation::Hermite => InterpolationRow {
                name: "hermite",
                is_cubic: true,
                ..row
            },
            Interpolation::Extrapolate => InterpolationRow {
                name: "extrapolate",
                is_cubic: true,
                extrapolates: true,
                ..row
            },
        }
    }
}

/// The description of a method. The computed poses follow from it, and all lists of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterpolationRow {
    /// Name of the method in links and in packages.
    pub name: &'static str,
    /// True if a snapshot is shown unchanged until the next one is due.
    pub is_held: bool,
    /// True if positions follow a cubic through both velocities, false if a straight line.
    pub is_cubic: bool,
    /// True if orientations turn at an even speed (slerp), false if along the chord.
    pub is_spherical: bool,
    /// True if cubes move on past the newest snapshot, for [`EXTRAPOLATION_MS`].
    pub extrapolates: bool,
}

/// A cube in a snapshot, and the snapshot's tick.
#[derive(Clone, Copy, Debug)]
pub struct CubeSample<'a> {
    /// The tick of the snapshot.
    pub tick: i64,
    /// The sent cube, as floats.
    pub cube: &'a CubeState,
}

/// States of a cube in the snapshots around the play instant. `before` and `after` give tangents if no velocity is sent.
#[derive(Clone, Copy, Debug)]
pub struct SurroundingSamples<'a> {
    /// Ticks a second of the sender.
    pub tick_rate: TickRate,
    /// The snapshot before `from`.
    pub before: Option<CubeSample<'a>>,
    /// The newest snapshot that is due.
    pub from: CubeSample<'a>,
    /// The snapshot after `from`; `None` if the buffer has run dry.
    pub to: Option<CubeSample<'a>>,
    /// The snapshot after `to`.
    pub after: Option<CubeSample<'a>>,
}

/// The source of the velocities at the snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tangents {
    /// The snapshots contain velocities.
    Sent,
    /// The positions of the neighbouring snapshots give velocities (Catmull-Rom).
    Neighbours,
}

impl Tangents {
    /// Returns the source of the velocities on a rung: its packets may have them or not.
    pub fn for_rung(rung: Rung) -> Tangents {
        match rung.sends_velocity() {
            true => Tangents::Sent,
            false => Tangents::Neighbours,
        }
    }
}

/// Returns the pose at the tick `play`, at or after `around.from`. Without a next snapshot, returns the newest snapshot's pose,
/// or one extrapolated from it for up to 200 ms. If the cube has another life in the next snapshot, the pose of `from` stays
/// until then, in every mode. Snapshots in which the cube has another life give no tangents.
pub fn pose_at(
    play: f64,
    around: &SurroundingSamples<'_>,
    mode: Interpolation,
    tangents: Tangents,
) -> Pose {
    let from = Pose::from(around.from.cube);
    let around = &around.of_one_life();
    let row = mode.row();
    match around.to {
        _ if row.is_held => from,
        Some(to) if to.cube.life != from.life => from,
        _ if from.life.is_empty() => from,
        None if row.extrapolates => extrapolate(play, around, tangents),
        None => from,
        Some(to) if around.from.cube.same_pose(to.cube) && tangents == Tangents::Neighbours => from,
        Some(to) => {
            let t = ((play - around.from.tick as f64) / (to.tick - around.from.tick) as f64) as f32;
            let [start, end] = [around.from, to].map(|at| Quat(at.cube.orientation));
            let position = if row.is_cubic {
                hermite(t, around, to, tangents)
            } else {
                Vec3(from.position).lerp(Vec3(to.cube.position), t)
            };
            let orientation = if row.is_spherical {
                start.slerp(end, t)
            } else {
                start.lerp(end, t)
            };
            Pose {
                position: position.0,
                orientation: orientation.0,
                interacting: from.interacting,
                life: from.life,
            }
        }
    }
}

/// Returns the position at share `t` of the cubic through both positions with both velocities.
fn hermite(
    t: f32,
    around: &SurroundingSamples<'_>,
    to: CubeSample<'_>,
    tangents: Tangents,
) -> Vec3 {
    let from = around.from;
    let (velocity_from, velocity_to) = match tangents {
        Tangents::Sent => (
            Vec3(from.cube.linear_velocity),
            Vec3(to.cube.linear_velocity),
        ),
        Tangents::Neighbours => (
            around.mean_velocity(around.before.unwrap_or(from), to),
            around.mean_velocity(from, around.after.unwrap_or(to)),
        ),
    };
    let span_s = around.seconds(to.tick - from.tick);
    let (p0, p1) = (Vec3(from.cube.position), Vec3(to.cube.position));
    let (t2, t3) = (t * t, t * t * t);
    p0 * (2.0 * t3 - 3.0 * t2 + 1.0)
        + velocity_from * (span_s * (t3 - 2.0 * t2 + t))
        + p1 * (3.0 * t2 - 2.0 * t3)
        + velocity_to * (span_s * (t3 - t2))
}

/// Returns the pose past the newest snapshot. The cube keeps its last velocity, and turns on at the speed between the last two
/// snapshots, since no angular velocity is sent.
fn extrapolate(play: f64, around: &SurroundingSamples<'_>, tangents: Tangents) -> Pose {
    let from = around.from;
    let pose = Pose::from(from.cube);
    let ahead_ticks =
        (play - from.tick as f64).min(around.tick_rate.tick_of_ms(EXTRAPOLATION_MS)) as f32;
    let velocity = match (tangents, around.before) {
        (Tangents::Sent, _) => Vec3(from.cube.linear_velocity),
        (Tangents::Neighbours, Some(before)) => around.mean_velocity(before, from),
        (Tangents::Neighbours, None) => Vec3::ZERO,
    };
    let orientation = match around.before {
        Some(before) if before.cube.orientation != from.cube.orientation => {
            let ahead = ahead_ticks / (from.tick - before.tick) as f32;
            turn_on(Quat(before.cube.orientation), Quat(pose.orientation), ahead)
        }
        _ => Quat(pose.orientation),
    };
    Pose {
        position: (Vec3(pose.position) + velocity * (ahead_ticks / around.tick_rate.hz() as f32)).0,
        orientation: orientation.0,
        interacting: pose.interacting,
        life: pose.life,
    }
}

/// Turns `to` further, by `share` of the shortest turn that leads from `from` to `to`.
fn turn_on(from: Quat, to: Quat, share: f32) -> Quat {
    let turn = to * from.conjugate();
    let turn = if turn.w() < 0.0 { -turn } else { turn };
    (turn.scaled(share) * to).normalize()
}

impl SurroundingSamples<'_> {
    /// Returns the snapshots without those in which the cube has another life than in `from`.
    fn of_one_life(self) -> Self {
        let life = self.from.cube.life;
        let is_of_it = |sample: &CubeSample<'_>| sample.cube.life == life;
        SurroundingSamples {
            before: self.before.filter(is_of_it),
            after: self.after.filter(is_of_it),
            ..self
        }
    }

    fn mean_velocity(&self, a: CubeSample<'_>, b: CubeSample<'_>) -> Vec3 {
        (Vec3(b.cube.position) - Vec3(a.cube.position)) / self.seconds(b.tick - a.tick)
    }

    fn seconds(&self, ticks: i64) -> f32 {
        ticks as f32 / self.tick_rate.hz() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use snapshot_base::time::WORLD;

    /// A throw: x = 3 t, z = 5 t - 10 t^2, turning at 2 rad/s; exactly what a cubic can follow.
    fn thrown(tick: i64) -> CubeState {
        let t = tick as f32 / 60.0;
        CubeState {
            position: [3.0 * t, 0.0, 5.0 * t - 10.0 * t * t],
            orientation: Quat::from_rotation_z(2.0 * t).to_array(),
            linear_velocity: [3.0, 0.0, 5.0 - 20.0 * t],
            interacting: true,
            ..CubeState::default()
        }
    }

    /// The pose between samples of ticks; the second is there.
    fn pose(
        play: f64,
        (mode, tangents): (Interpolation, Tangents),
        samples: [Option<(i64, CubeState)>; 4],
    ) -> Pose {
        let sample = |i: usize| {
            let (tick, cube) = samples[i].as_ref()?;
            Some(CubeSample { tick: *tick, cube })
        };
        let around = SurroundingSamples {
            tick_rate: WORLD,
            before: sample(0),
            from: sample(1).unwrap(),
            to: sample(2),
            after: sample(3),
        };
        pose_at(play, &around, mode, tangents)
    }

    fn throw(ticks: [Option<i64>; 4]) -> [Option<(i64, CubeState)>; 4] {
        ticks.map(|tick| tick.map(|tick| (tick, thrown(tick))))
    }

    /// Errors of position and of angle.
    fn error(
        mode: Interpolation,
        tangents: Tangents,
        play: f64,
        ticks: [Option<i64>; 4],
    ) -> (f32, f32) {
        let pose = pose(play, (mode, tangents), throw(ticks));
        let t = play as f32 / 60.0;
        let truth = Vec3::new(3.0 * t, 0.0, 5.0 * t - 10.0 * t * t);
        (
            Vec3::from_array(pose.position).distance(truth),
            Quat::from_array(pose.orientation).angle_between(Quat::from_rotation_z(2.0 * t)),
        )
    }

    const WHOLE: [Option<i64>; 4] = [Some(0), Some(6), Some(12), Some(18)];

    #[test]
    fn hermite_follows_a_throw_and_linear_cuts_the_corner() {
        for tangents in [Tangents::Sent, Tangents::Neighbours] {
            assert!(error(Interpolation::Hermite, tangents, 9.0, WHOLE).0 < 1e-5);
            for mode in Interpolation::ALL {
                let (position, angle) = error(mode, tangents, 6.0, WHOLE);
                assert!(
                    position < 1e-5 && angle < 2e-3,
                    "{mode:?} {position} {angle}"
                );
            }
        }
        // The chord of a parabola misses its middle by g T^2 / 8 = 20 x 0.1^2 / 8 m.
        let (linear, _) = error(Interpolation::Linear, Tangents::Sent, 9.0, WHOLE);
        assert!((linear - 0.025).abs() < 1e-5, "{linear}");
        let (none, _) = error(Interpolation::None, Tangents::Sent, 9.0, WHOLE);
        assert!(none > 0.1);
    }

    #[test]
    fn slerp_turns_evenly_and_nlerp_nearly() {
        let ticks = [None, Some(0), Some(40), None];
        assert!(error(Interpolation::Slerp, Tangents::Sent, 10.0, ticks).1 < 2e-3);
        let (_, nlerp) = error(Interpolation::Linear, Tangents::Sent, 10.0, ticks);
        assert!((2e-3..3e-2).contains(&nlerp), "{nlerp}");
    }

    #[test]
    fn extrapolation_goes_on_for_200_ms_and_then_holds() {
        let dry = [Some(0), Some(6), None, None];
        let (_, turned) = error(Interpolation::Extrapolate, Tangents::Sent, 12.0, dry);
        assert!(turned < 2e-3, "{turned}");
        let pose = |play, mode| pose(play, (mode, Tangents::Sent), throw(dry));
        let last = pose(18.0, Interpolation::Extrapolate);
        assert_eq!(last.position[0], 0.3 + 3.0 * 0.2);
        assert_eq!(last, pose(100.0, Interpolation::Extrapolate));
        let held = pose(12.0, Interpolation::Hermite);
        assert_eq!(held, Pose::from(&thrown(6)));
    }

    #[test]
    fn no_mode_and_no_tangent_reaches_into_another_life() {
        // By each snapshot, whether it is of the next life.
        let of = |ticks, lives: [bool; 4]| {
            let mut samples = throw(ticks);
            for (sample, next) in samples.iter_mut().zip(lives) {
                if let Some((_, cube)) = sample.as_mut().filter(|_| next) {
                    cube.life = cube.life.next();
                }
            }
            samples
        };
        for mode in Interpolation::ALL {
            for tangents in [Tangents::Sent, Tangents::Neighbours] {
                for play in [6.0, 9.0, 11.999] {
                    let ends = of(WHOLE, [false, false, true, true]);
                    let held = pose(play, (mode, tangents), ends);
                    assert_eq!(held, Pose::from(&thrown(6)), "{mode:?} at {play}");
                }
                let [alone, whole] = [[true, false, false, true], [false; 4]]
                    .map(|lives| pose(9.0, (mode, tangents), of(WHOLE, lives)).position);
                let uses_neighbours = mode.row().is_cubic && tangents == Tangents::Neighbours;
                assert_eq!(alone == whole, !uses_neighbours, "{mode:?}");
            }
        }
        // Past the newest one, a snapshot of another life gives neither speed nor turn.
        let dry = of([Some(0), Some(6), None, None], [true, false, false, false]);
        let on = (Interpolation::Extrapolate, Tangents::Neighbours);
        assert_eq!(pose(12.0, on, dry), Pose::from(&thrown(6)));
    }

    #[test]
    fn a_sign_flip_of_the_quaternion_is_no_turn() {
        let a = thrown(15);
        let mut b = a;
        b.orientation = a.orientation.map(|component| -component);
        for mode in Interpolation::ALL {
            let samples = [Some((-6, b)), Some((0, a)), Some((6, b)), None];
            let turned = pose(3.0, (mode, Tangents::Neighbours), samples).orientation;
            let turn = Quat::from_array(turned).angle_between(Quat::from_array(a.orientation));
            assert!(turn < 2e-3, "{mode:?} {turn}");
        }
    }
}
