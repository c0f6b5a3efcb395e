//! Objects that stand in two slots at a client.
//!
//! An id that comes back may get another slot. Until the client knows that the older object ended, both slots have one with this
//! id. The server has an id once only, so the one whose state is newer is there.

/// Number of a place in the table that has no object.
const NONE: usize = usize::MAX;

/// Removes of the objects with the same id all but the one with the newest state. `ticks` has the ticks of their states.
pub(crate) fn remove_older_twins<T>(objects: &mut Vec<T>, ticks: &[u64], id: impl Fn(&T) -> u32) {
    // A table with open addressing and half of its places free: less code than a sort.
    let bits = (2 * objects.len()).next_power_of_two().ilog2().max(1);
    let mut table = vec![NONE; 1 << bits];
    let mut is_older = vec![false; objects.len()];
    for (at, object) in objects.iter().enumerate() {
        let own = id(object);
        let mut place = (own.wrapping_mul(2_654_435_761) >> (32 - bits)) as usize;
        while table[place] != NONE && id(&objects[table[place]]) != own {
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
        for ids in [[7, 4, 7, 4, 9, 7], [8, 0, 8, 0, u32::MAX, 8]] {
            let mut objects = ids.to_vec();
            let mut places = vec![0, 1, 2, 3, 4, 5];
            let ticks = [30, 20, 10, 50, 10, 20];
            remove_older_twins(&mut places, &ticks, |at| ids[*at as usize]);
            assert_eq!(places, [0, 3, 4]);
            remove_older_twins(&mut objects, &ticks, |id| *id);
            assert_eq!(objects, [ids[0], ids[3], ids[4]]);
        }
        remove_older_twins(&mut Vec::new(), &[], |id: &u32| *id);
        let mut all: Vec<u32> = (0..1000).map(|id| id * 4096).collect();
        remove_older_twins(&mut all, &[5; 1000], |id| *id);
        assert_eq!(all.len(), 1000);
    }
}
