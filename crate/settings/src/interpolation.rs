//! The methods of interpolation as the lab offers them.

use snapshot_view::interpolate::Interpolation;

/// Facts about a method in the lab. What the method does is a row of [`Interpolation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterpolationChoice {
    /// Name of the method in the form.
    pub label: &'static str,
    /// True if the verdict tries the method.
    pub is_tried: bool,
    /// True if the front offers the method.
    pub is_in_front: bool,
}

/// Returns the facts about a method in the lab.
pub const fn interpolation_choice(mode: Interpolation) -> InterpolationChoice {
    let (label, is_tried, is_in_front) = match mode {
        Interpolation::None => ("none: newest snapshot", false, true),
        Interpolation::Linear => ("linear: lerp + nlerp", true, true),
        Interpolation::Slerp => ("slerp: lerp + slerp", true, true),
        Interpolation::Hermite => ("hermite: cubic + slerp", true, true),
        Interpolation::Extrapolate => ("extrapolate: up to 200 ms ahead", false, false),
    };
    InterpolationChoice {
        label,
        is_tried,
        is_in_front,
    }
}
