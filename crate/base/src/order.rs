//! Sorting of numbers and of lists of items.
//!
//! The standard library's sort is compiled anew for each type and comparison, and takes some kilobytes of the page each time.
//! The functions here share one sort of numbers and one sort of indices.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Returns the numbers in rising order.
pub fn sorted(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = numbers.collect();
    sort(&mut all);
    all
}

/// Sorts numbers in place, rising.
#[inline(never)]
pub fn sort(all: &mut [f64]) {
    all.sort_unstable_by(f64::total_cmp);
}

/// Sorts items in place by a comparison; equal ones keep their order. It allocates, and it compares through a pointer.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut from = indices_in_order(items.len(), &|a, b| compare(&items[a], &items[b]));
    for start in 0..from.len() {
        let mut to = start;
        // One cycle of the permutation: each place gets its item, and hands on the one of `start`.
        while from[to] != start {
            items.swap(to, from[to]);
            to = std::mem::replace(&mut from[to], to);
        }
        from[to] = to;
    }
}

/// Sorts items in place by rising keys; equal ones keep their order. See [`sort_by`].
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Collects pairs into a map, one after the other. The standard `collect` would sort them first, by a sort of its own for their
/// type. Of pairs with the same key the last counts.
pub fn map<K: Ord, V>(pairs: impl Iterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(pairs);
    map
}

#[inline(never)]
fn indices_in_order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..len).collect();
    indices.sort_by(|a, b| compare(*a, *b));
    indices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    #[test]
    fn items_are_sorted_as_the_standard_library_sorts_them() {
        let mut draws = Stream::new(3, 1);
        for len in (0..40).chain([1000]) {
            // Few keys, so that many items are equal.
            let items: Vec<(u32, u32)> = (0..len).map(|at| (draws.integer(0, 9), at)).collect();
            let (mut ours, mut expected) = (items.clone(), items);
            sort_by_key(&mut ours, |(key, _)| std::cmp::Reverse(*key));
            expected.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
            assert_eq!(ours, expected);
        }
    }
}
