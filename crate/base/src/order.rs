//! Numbers in order.

/// Returns the numbers in rising order.
pub fn sorted(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = numbers.collect();
    sort(&mut all);
    all
}

/// Sorts numbers in place, rising. Each crate would compile a sort of its own, which are kilobytes of the page.
#[inline(never)]
pub fn sort(all: &mut [f64]) {
    all.sort_unstable_by(f64::total_cmp);
}
