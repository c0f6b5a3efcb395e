//! The interest of a game's clients in its objects: how soon a client with a budget needs each object.

use snapshot_replication::{Interest, Object};
use snapshot_settings::LaneSettings;

/// Distance within which all objects have the greatest priority, m.
const NEAR_M: f32 = 5.0;

/// Rule of which objects a client sees, and in which order they enter the packets of a client with a budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InterestRule {
    /// True if the priority falls with the distance.
    pub nearest_first: bool,
    /// Distance beyond which objects are unseen, m; `None` if all are seen.
    pub sight_m: Option<f32>,
}

impl InterestRule {
    pub(crate) fn new(settings: &LaneSettings) -> InterestRule {
        InterestRule {
            nearest_first: settings.is_nearest_first(),
            sight_m: settings.sight_m().map(|sight_m| sight_m as f32),
        }
    }

    /// Returns a client's interest in an object; `place` is the position of the client's own cube, m.
    pub fn interest(&self, place: [f32; 3], object: &Object) -> Interest {
        let sight_m = self.sight_m.unwrap_or(f32::INFINITY);
        match Interest::by_distance(place, object, NEAR_M, sight_m) {
            Interest::Priority(_) if !self.nearest_first => Interest::Priority(1.0),
            interest => interest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_comes_later_or_not_at_all() {
        let rule = |nearest_first, sight_m| InterestRule {
            nearest_first,
            sight_m,
        };
        let interest = |rule: InterestRule, m: f32| {
            rule.interest([1.0, 0.0, 0.0], &Object::at(7, [1.0, m, 0.0]))
        };
        assert_eq!(interest(rule(true, None), 4.0), Interest::Priority(1.0));
        assert_eq!(interest(rule(true, None), 50.0), Interest::Priority(0.1));
        assert_eq!(interest(rule(false, None), 50.0), Interest::Priority(1.0));
        for nearest_first in [false, true] {
            assert_eq!(
                interest(rule(nearest_first, Some(20.0)), 21.0),
                Interest::Unseen
            );
        }
        assert_eq!(
            interest(rule(false, Some(20.0)), 20.0),
            Interest::Priority(1.0)
        );
    }
}
