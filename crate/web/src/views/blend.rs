//! Interpolation of poses between two ticks, for slow motion and for screens that are faster than the world.

use snapshot_codec::Life;
use snapshot_lane::view::View;

/// Poses of a view's cubes, as the renderer draws them.
#[derive(Default)]
pub(crate) struct Poses {
    pub(crate) position_half_m: Vec<[f32; 4]>,
    pub(crate) orientation: Vec<[f32; 4]>,
    pub(crate) proportions: Vec<[f32; 4]>,
    pub(crate) life: Vec<Life>,
}

impl Poses {
    /// Copies a view's poses; allocates only when the number of cubes grows.
    pub(crate) fn keep(&mut self, view: &View) {
        self.position_half_m.clone_from(&view.position_half_m);
        self.orientation.clone_from(&view.orientation);
        self.proportions.clone_from(&view.proportions);
        self.life.clone_from(&view.life);
    }

    /// Enlarges each cube with a smaller half side to this half side, m.
    pub(crate) fn enlarge_to(&mut self, half_m: f32) {
        for [.., own_m] in &mut self.position_half_m {
            if *own_m > 0.0 {
                *own_m = own_m.max(half_m);
            }
        }
    }

    /// Interpolates the poses at `part` (0 to 1) of the way from `before` to `now`. If their numbers of cubes differ, it
    /// takes `now`. A cube that jumps, appears or ends is not interpolated: it keeps its earlier pose until `now`.
    pub(crate) fn between(&mut self, before: &Poses, now: &View, part: f32) {
        self.keep(now);
        if part >= 1.0 || before.position_half_m.len() != now.position_half_m.len() {
            return;
        }
        let is_same_life = |place: usize| now.life.get(place) == before.life.get(place);
        let positions = self.position_half_m.iter_mut().zip(&before.position_half_m);
        for (place, (at, before)) in positions.enumerate() {
            *at = if is_same_life(place) {
                std::array::from_fn(|i| before[i] + (at[i] - before[i]) * part)
            } else {
                *before
            };
        }
        let orientations = self.orientation.iter_mut().zip(&before.orientation);
        for (place, (at, before)) in orientations.enumerate() {
            if !is_same_life(place) {
                *at = *before;
                continue;
            }
            let dot: f32 = at.iter().zip(before).map(|(a, b)| a * b).sum();
            let mixed = at.map(|value| value * part * dot.signum());
            let mixed: [f32; 4] = std::array::from_fn(|i| mixed[i] + before[i] * (1.0 - part));
            let length = mixed.iter().map(|value| value * value).sum::<f32>().sqrt();
            if length > 0.0 {
                *at = mixed.map(|value| value / length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(x: f32, orientation: [f32; 4]) -> View {
        let mut view = View::new([]);
        view.position_half_m.push([x, 0.0, 0.0, 0.2]);
        view.orientation.push(orientation);
        view.life.push(Life::default());
        view
    }

    #[test]
    fn goes_the_short_way_and_stays_a_rotation() {
        let (mut before, mut between) = (Poses::default(), Poses::default());
        before.keep(&view(1.0, [0.0, 0.0, 0.0, 1.0]));
        between.between(&before, &view(3.0, [0.0, 0.0, -0.6, -0.8]), 0.5);
        assert_eq!(between.position_half_m[0], [2.0, 0.0, 0.0, 0.2]);
        let [_, _, z, w] = between.orientation[0];
        assert!(
            (z * z + w * w - 1.0).abs() < 1e-6 && z > 0.0 && w > 0.9,
            "{z} {w}"
        );
        let mut other = view(3.0, [0.0, 0.0, 0.6, 0.8]);
        other.life[0] = Life::default().next();
        between.between(&before, &other, 0.9);
        assert_eq!(between.position_half_m, before.position_half_m);
        assert_eq!(between.orientation, before.orientation);
        between.between(&before, &view(3.0, [0.0, 0.0, 0.0, 1.0]), 1.0);
        assert_eq!(between.position_half_m[0][0], 3.0);
    }
}
