//! Queues whose oldest entries leave.

use std::collections::VecDeque;

/// The function `pop_front_if` of newer standard libraries, for the compilers before them.
pub trait TakeFront<T> {
    /// Removes the first entry and returns it, if it meets a condition.
    fn take_front_if(&mut self, condition: impl FnOnce(&mut T) -> bool) -> Option<T>;
}

impl<T> TakeFront<T> for VecDeque<T> {
    fn take_front_if(&mut self, condition: impl FnOnce(&mut T) -> bool) -> Option<T> {
        let meets = self.front_mut().is_some_and(condition);
        meets.then(|| self.pop_front())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_entry_alone_is_taken() {
        let mut queue = VecDeque::from([1, 3, 2]);
        while queue.take_front_if(|it| *it % 2 == 1).is_some() {}
        assert_eq!(queue, [2]);
        assert_eq!(VecDeque::<u8>::new().take_front_if(|_| true), None);
    }
}
