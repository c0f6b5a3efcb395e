//! Contact forces by projected over-relaxation: each row's force is corrected in turn, sweep after sweep. After Catto,
//! Iterative dynamics with temporal coherence, 2005, but without the coherence, and with soft contacts.
//!
//! In a ball of cubes, 64 sweeps are far from convergence. So the result depends on their number and, a little, on the
//! order of the rows. The original shuffles the rows every eight sweeps by a generator whose state nobody knows. So do we,
//! from a seed of our own.

use super::body::{Body, STEP_S};
use super::contact::{Contact, FLOOR};
use glam::Vec3;
use wide::f32x4;

const SWEEPS: u32 = 64;
const SWEEPS_BETWEEN_SHUFFLES: u32 = 8;
const RELAXATION: f32 = 1.3;
/// The share of its depth by which a step pushes a contact apart.
const ERROR_REDUCTION: f32 = 0.25;
/// Compliance of a contact: the velocity that it gives way for a force, m/(N s).
const SOFTNESS: f32 = 0.001;
/// Depth up to which nothing is corrected, m.
const LAYER_M: f32 = 0.01;
/// m/s.
const CORRECTING_SPEED_MAX: f32 = 250.0;
/// N along each tangent, whatever the normal force is.
const FRICTION_N: f32 = 200.0;
/// Seed of the shuffles.
const SEED: u32 = 1;

/// A direction of a contact: its speed is `along . (v1 - v2) + arm1 . w1 - arm2 . w2`.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The fourth lane of these is 0.
    along: f32x4,
    arm1: f32x4,
    arm2: f32x4,
    /// Relaxation over the row's diagonal.
    step: f32,
    /// The force that would do, were there no other rows, times the relaxation.
    target: f32,
    /// N, so far.
    force: f32,
    low: f32,
    high: f32,
    /// The share of the force that softness leaves in a correction.
    kept: f32,
    first: u16,
    second: u16,
}

/// Accelerations of a body by the forces so far.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Effect {
    linear: f32x4,
    angular: f32x4,
    inverse_mass: f32,
    inverse_inertia: f32,
}

/// Its room is kept from step to step, nothing else.
#[derive(Debug, Default)]
pub(super) struct Solver {
    rows: Vec<Row>,
    /// Accelerations of the awake bodies, then of the floor, which nothing moves.
    effects: Vec<Effect>,
    /// Index in `effects` of each body.
    places: Vec<u16>,
}

impl Solver {
    /// Gives the awake bodies the velocities that their forces and contacts lead to.
    pub(super) fn solve(&mut self, bodies: &mut [Body], awake: &[u32], contacts: &[Contact]) {
        self.places.resize(bodies.len(), 0);
        self.effects.clear();
        for (place, &index) in (0..).zip(awake) {
            let body = &bodies[index as usize];
            self.places[index as usize] = place;
            self.effects.push(Effect {
                inverse_mass: 1.0 / body.mass,
                inverse_inertia: 1.0 / body.inertia,
                ..Effect::default()
            });
        }
        self.effects.push(Effect::default());
        self.rows.clear();
        for contact in contacts {
            self.add_rows(bodies, contact);
        }
        self.sweep();
        for (effect, &index) in self.effects.iter().zip(awake) {
            let body = &mut bodies[index as usize];
            let [ax, ay, az, _] = effect.linear.to_array();
            let [bx, by, bz, _] = effect.angular.to_array();
            body.velocity += (Vec3::new(ax, ay, az) + body.force * effect.inverse_mass) * STEP_S;
            body.spin += (Vec3::new(bx, by, bz) + body.torque * effect.inverse_inertia) * STEP_S;
        }
    }

    /// Adds the rows of a contact: one along the normal, two across.
    fn add_rows(&mut self, bodies: &[Body], contact: &Contact) {
        let floor = self.effects.len() as u16 - 1;
        let one = &bodies[contact.first as usize];
        let two = (contact.second != FLOOR).then(|| &bodies[contact.second as usize]);
        let first = self.places[contact.first as usize];
        let second = two.map_or(floor, |_| self.places[contact.second as usize]);
        let [e1, e2] = [first, second].map(|place| self.effects[usize::from(place)]);
        let from_one = contact.point - one.position;
        let from_two = two.map_or(Vec3::ZERO, |two| contact.point - two.position);
        let (a1, b1) = uncontacted(one, &e1);
        let (a2, b2) = two.map_or((Vec3::ZERO, Vec3::ZERO), |two| uncontacted(two, &e2));
        let softness = SOFTNESS / STEP_S;
        let correcting = (contact.depth_m - LAYER_M).max(0.0) * (ERROR_REDUCTION / STEP_S);
        let correcting = correcting.min(CORRECTING_SPEED_MAX) / STEP_S;
        let (across1, across2) = contact.normal.any_orthonormal_pair();
        for (along, wanted, low, high) in [
            (contact.normal, correcting, 0.0, f32::INFINITY),
            (across1, 0.0, -FRICTION_N, FRICTION_N),
            (across2, 0.0, -FRICTION_N, FRICTION_N),
        ] {
            let (arm1, arm2) = (from_one.cross(along), from_two.cross(along));
            let diagonal = e1.inverse_mass
                + e2.inverse_mass
                + e1.inverse_inertia * arm1.length_squared()
                + e2.inverse_inertia * arm2.length_squared();
            let step = RELAXATION / (diagonal + softness);
            let comes = along.dot(a1 - a2) + arm1.dot(b1) - arm2.dot(b2);
            self.rows.push(Row {
                along: lanes(along),
                arm1: lanes(arm1),
                arm2: lanes(arm2),
                step,
                target: (wanted - comes) * step,
                force: 0.0,
                low,
                high,
                kept: 1.0 - softness * step,
                first,
                second,
            });
        }
    }

    fn sweep(&mut self) {
        let mut random = SEED;
        for sweep in 0..SWEEPS {
            if sweep % SWEEPS_BETWEEN_SHUFFLES == 0 {
                for i in 1..self.rows.len() {
                    // Numerical Recipes' generator; Fisher and Yates' shuffle.
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let j = (u64::from(random) * (i as u64 + 1)) >> 32;
                    self.rows.swap(i, j as usize);
                }
            }
            for row in &mut self.rows {
                row.correct(&mut self.effects);
            }
        }
    }
}

/// The acceleration, from standing, to what a body would do without contacts.
fn uncontacted(body: &Body, effect: &Effect) -> (Vec3, Vec3) {
    (
        body.force * effect.inverse_mass + body.velocity / STEP_S,
        body.torque * effect.inverse_inertia + body.spin / STEP_S,
    )
}

impl Row {
    #[inline(always)]
    fn correct(&mut self, effects: &mut [Effect]) {
        let [e1, e2] = [self.first, self.second].map(|place| effects[usize::from(place)]);
        let products =
            self.along * (e1.linear - e2.linear) + self.arm1 * e1.angular - self.arm2 * e2.angular;
        let [x, y, z, _] = products.to_array();
        let done = (x + z) + y;
        let wanted = (self.force * self.kept + self.target) - done * self.step;
        // Not `clamp`, which looks for what is no number.
        let force = if wanted < self.low { self.low } else { wanted };
        let force = if force > self.high { self.high } else { force };
        let change = force - self.force;
        self.force = force;
        let one = &mut effects[usize::from(self.first)];
        let (m, i) = (change * e1.inverse_mass, change * e1.inverse_inertia);
        one.linear = e1.linear + self.along * f32x4::splat(m);
        one.angular = e1.angular + self.arm1 * f32x4::splat(i);
        let two = &mut effects[usize::from(self.second)];
        let (m, i) = (change * e2.inverse_mass, change * e2.inverse_inertia);
        two.linear = e2.linear - self.along * f32x4::splat(m);
        two.angular = e2.angular - self.arm2 * f32x4::splat(i);
    }
}

fn lanes(vector: Vec3) -> f32x4 {
    f32x4::new(vector.extend(0.0).to_array())
}
