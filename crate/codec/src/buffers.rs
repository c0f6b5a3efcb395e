//! Vectors that keep their allocated memory when their content is replaced, and count it.

/// Memory that a vector has allocated, bytes.
pub(crate) fn room<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}

/// Replaces the content of `own` by a copy of `other`; the vector keeps its allocated memory.
pub(crate) fn replace<T: Clone>(own: &mut Vec<T>, other: &[T]) {
    own.clear();
    own.extend_from_slice(other);
}

/// Replaces the content of `own` by a copy of `other`, with a capacity of a multiple of 32, at most twice the needed size.
/// Capacities of every size would fragment memory.
pub(crate) fn fit<T: Clone>(own: &mut Vec<T>, other: &[T]) {
    const STEP: usize = 32;
    let needed = other.len().next_multiple_of(STEP);
    if !(needed..=2 * needed).contains(&own.capacity()) {
        *own = Vec::with_capacity(needed);
    }
    replace(own, other);
}
