//! Records in the order of their time.
use std::collections::VecDeque;

pub(crate) fn drop_front<T>(queue: &mut VecDeque<T>, is_old: impl Fn(&T) -> bool) {
    while queue.pop_front_if(|front| is_old(front)).is_some() {}
}
