//! Results that are computed anew only where their input has changed.

/// Results of a function for each element of the last list, computed anew only for changed elements.
#[derive(Clone, Debug)]
pub struct ResultCache<T, R> {
    seen: Vec<T>,
    results: Vec<R>,
}

impl<T, R> Default for ResultCache<T, R> {
    fn default() -> ResultCache<T, R> {
        ResultCache {
            seen: Vec::new(),
            results: Vec::new(),
        }
    }
}

impl<T: Copy, R> ResultCache<T, R> {
    /// Computes the results of the list `now`. `same` and `result` must be the same functions in every call.
    pub fn update(&mut self, now: &[T], same: impl Fn(&T, &T) -> bool, result: impl Fn(&T) -> R) {
        if self.seen.len() != now.len() {
            self.seen.clear();
            self.seen.extend_from_slice(now);
            self.results.clear();
            self.results.extend(now.iter().map(result));
            return;
        }
        for ((seen, old), now) in self.seen.iter_mut().zip(&mut self.results).zip(now) {
            if !same(seen, now) {
                (*seen, *old) = (*now, result(now));
            }
        }
    }

    /// The results of the last list.
    pub fn results(&self) -> &[R] {
        &self.results
    }

    /// Allocated memory, bytes.
    pub fn held_bytes(&self) -> usize {
        self.seen.capacity() * size_of::<T>() + self.results.capacity() * size_of::<R>()
    }
}
