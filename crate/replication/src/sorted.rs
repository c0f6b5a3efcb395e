//! A map for up to some thousands of entries, which takes less code than a tree.

/// A list of keys with their values, sorted by key, that is used as a map.
#[derive(Clone, Debug)]
pub(crate) struct SortedMap<K, V>(Vec<(K, V)>);

impl<K: Ord, V> SortedMap<K, V> {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    fn place(&self, key: &K) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.cmp(key))
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.place(key).ok().map(|at| &self.0[at].1)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.place(key).ok().map(|at| &mut self.0[at].1)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        match self.place(&key) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (key, value)),
        }
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        self.place(key).ok().map(|at| self.0.remove(at).1)
    }

    /// Returns the value of a key; inserts one from `make` if there is none.
    pub(crate) fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let at = self.place(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, make()));
            at
        });
        &mut self.0[at].1
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(&K) -> bool) {
        self.0.retain(|(key, _)| keep(key));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn it_holds_what_a_tree_holds(acts in prop::collection::vec((0..4_u8, 0..20_u32, 0..9_u8), 0..200)) {
            let (mut sorted, mut tree) = (SortedMap::new(), BTreeMap::new());
            for (act, key, value) in acts {
                match act {
                    0 => {
                        sorted.insert(key, value);
                        tree.insert(key, value);
                    }
                    1 => prop_assert_eq!(sorted.remove(&key), tree.remove(&key)),
                    2 => prop_assert_eq!(sorted.or_insert_with(key, || 3), tree.entry(key).or_insert(3)),
                    _ => {
                        sorted.retain(|other| other % 7 != key % 7);
                        tree.retain(|other, _| other % 7 != key % 7);
                    }
                }
                prop_assert_eq!(sorted.get(&key), tree.get(&key));
                prop_assert_eq!(sorted.get_mut(&key), tree.get_mut(&key));
                prop_assert!(sorted.iter().eq(tree.iter()) && sorted.values().eq(tree.values()));
                prop_assert_eq!(sorted.values().count(), tree.len());
            }
        }
    }
}
