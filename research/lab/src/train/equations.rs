//! Linear equations that are gathered sample by sample.

/// A square system of linear equations, gathered sample by sample.
#[derive(Clone)]
pub(super) struct Equations<const N: usize> {
    pub(super) matrix: [[f64; N]; N],
    pub(super) vector: [f64; N],
}

#[expect(
    clippy::needless_range_loop,
    reason = "the textbook's indices, of rows and columns alike"
)]
impl<const N: usize> Equations<N> {
    pub(super) const NONE: Self = Self {
        matrix: [[0.0; N]; N],
        vector: [0.0; N],
    };

    /// Makes all that was gathered count less.
    pub(super) fn fade(&mut self, by: f64) {
        let sums = self.matrix.as_flattened_mut().iter_mut();
        sums.chain(&mut self.vector).for_each(|sum| *sum *= by);
    }

    pub(super) fn add(&mut self, features: &[f32; N], curvature: f64, pull: f64) {
        for i in 0..N {
            let feature = f64::from(features[i]);
            self.vector[i] += feature * pull;
            for j in 0..=i {
                self.matrix[i][j] += feature * f64::from(features[j]) * curvature;
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for i in 0..N {
            self.vector[i] += other.vector[i];
            for j in 0..=i {
                self.matrix[i][j] += other.matrix[i][j];
            }
        }
    }

    /// The solution, drawn a little towards `prior`, which is what it is where nothing was gathered. By Cholesky's method.
    pub(super) fn solve(&self, prior: &[f64; N], strength: f64) -> [f64; N] {
        let mut lower = self.matrix;
        let mut solution = self.vector;
        for i in 0..N {
            let hold = strength * self.matrix[i][i] + 1.0e-3;
            lower[i][i] += hold;
            solution[i] += hold * prior[i];
        }
        for i in 0..N {
            for j in 0..=i {
                let mut sum = lower[i][j];
                for k in 0..j {
                    sum -= lower[i][k] * lower[j][k];
                }
                lower[i][j] = if i == j {
                    libm::sqrt(sum.max(1.0e-9))
                } else {
                    sum / lower[j][j]
                };
            }
            for k in 0..i {
                solution[i] -= lower[i][k] * solution[k];
            }
            solution[i] /= lower[i][i];
        }
        for i in (0..N).rev() {
            for k in i + 1..N {
                solution[i] -= lower[k][i] * solution[k];
            }
            solution[i] /= lower[i][i];
        }
        solution
    }
}
