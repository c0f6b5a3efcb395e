//! The methods of interpolation as the lab offers them.

use snapshot_view::interpolate::Interpolation;

/// Facts about a method in the lab. A row of [`Interpolation`] describes the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterpolationChoice {
    /// Name of the method in the form.
    pub label: &'static str,
    /// True if the verdict (the lab's recommendation of settings) tries the method.
    pub is_tried: bool,
    /// Place of the method on the front, the page's first screen; `None` if the front does not offer the method.
    pub front_place: Option<u8>,
}

/// Returns the facts about a method in the lab.
pub const fn interpolation_choice(mode: Interpolation) -> InterpolationChoice {
    let (label, is_tried, front_place) = match mode {
        Interpolation::None => ("none: newest snapshot", false, Some(0)),
        Interpolation::Linear => ("linear: lerp + nlerp", true, Some(1)),
        Interpolation::Slerp => ("slerp: lerp + slerp", true, Some(3)),
        Interpolation::Hermite => ("hermite: cubic + slerp", true, Some(2)),
        Interpolation::Extrapolate => ("extrapolate: up to 200 ms ahead", false, None),
    };
    InterpolationChoice {
        label,
        is_tried,
        front_place,
    }
}
