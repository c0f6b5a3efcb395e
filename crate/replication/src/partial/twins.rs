//! Twins: two objects with the same id, in two slots of one client.
//!
//! An object that comes back may get another slot. Until the client knows that the older object ended, both slots have an
//! object with this id. The server has each id once only, so the object with the newer state is the real one.

use crate::Object;

/// Value of a table place without an object.
const NONE: usize = usize::MAX;

/// Keeps of all objects with the same id only the one with the newest state. `ticks` has the ticks of the objects' states.
pub(crate) fn remove_older_twins(objects: &mut Vec<Object>, ticks: &[u64]) {
    // A table with open addressing and half of its places free: less code than a sort.
    let bits = (2 * objects.len()).next_power_of_two().ilog2().max(1);
    let mut table = vec![NONE; 1 << bits];
    let mut is_older = vec![false; objects.len()];
    for (at, object) in objects.iter().enumerate() {
        let own = object.id;
        let mut place = (own.wrapping_mul(2_654_435_761) >> (32 - bits)) as usize;
        while table[place] != NONE && objects[table[place]].id != own {
            place = (place + 1) & ((1 << bits) - 1);
        }
        match table[place] {
            NONE => table[place] = at,
            twin if ticks[at] > ticks[twin] => {
                is_older[twin] = true;
                table[place] = at;
            }
            _ => is_older[at] = true,
        }
    }
    let mut is_older = is_older.into_iter();
    objects.retain(|_| is_older.next() != Some(true));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_objects_with_the_same_id_the_newest_stays() {
        let objects = |ids: &[u32]| -> Vec<Object> {
            let numbered = ids.iter().zip(0_u16..);
            numbered
                .map(|(&id, place)| Object::at(id, [place.into(), 0.0, 0.0]))
                .collect()
        };
        for ids in [[7, 4, 7, 4, 9, 7], [8, 0, 8, 0, u32::MAX, 8]] {
            let mut twins = objects(&ids);
            remove_older_twins(&mut twins, &[30, 20, 10, 50, 10, 20]);
            let places = twins.iter().map(|object| object.position[0]);
            assert_eq!(places.collect::<Vec<_>>(), [0.0, 3.0, 4.0]);
        }
        remove_older_twins(&mut Vec::new(), &[]);
        let ids: Vec<u32> = (0..1000).map(|id| id * 4096).collect();
        let mut all = objects(&ids);
        remove_older_twins(&mut all, &[5; 1000]);
        assert_eq!(all.len(), 1000);
    }
}
