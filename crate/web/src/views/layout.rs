//! Layout of the views on the canvas.

use snapshot_app::Lab;
use snapshot_app::lane_run::LaneRun;
use snapshot_app::link::Arrangement;
use snapshot_lane::view::View;
use three_d::{ScissorBox, Viewport};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewContent {
    Truth,
    A,
    B,
}

impl ViewContent {
    /// Returns the view with this content in a laboratory; `None` if there is no lane B.
    pub(super) fn view(self, lab: &Lab) -> Option<&View> {
        match self {
            ViewContent::Truth => Some(lab.left()),
            ViewContent::A => Some(lab.right()),
            ViewContent::B => lab.b().map(LaneRun::view),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ViewPlace {
    pub(super) of: ViewContent,
    /// Area of the camera's whole picture; its origin is at the bottom.
    pub(super) viewport: Viewport,
    /// Part of `viewport` that is drawn; a divider can hide the rest.
    pub(super) seen: ScissorBox,
}

impl ViewPlace {
    /// Returns true if the view contains a pixel, counted from the bottom left.
    pub(super) fn holds(&self, x_px: f32, y_px: f32) -> bool {
        let ScissorBox {
            x,
            y,
            width,
            height,
        } = self.seen;
        let within = |at: f32, from: i32, length: u32| {
            (from as f32..(from + length as i32) as f32).contains(&at)
        };
        within(x_px, x, width) && within(y_px, y, height)
    }
}

/// Returns the places of the views from left to right, or from top to bottom, on a canvas of that width and height. Without
/// an arrangement of A and B the views are the truth and A.
pub(super) fn places(
    arrangement: Option<Arrangement>,
    size_px: (u32, u32),
    gap_px: u32,
    stacked: bool,
) -> Vec<ViewPlace> {
    let shown: &[ViewContent] = match arrangement {
        None => &[ViewContent::Truth, ViewContent::A],
        Some(Arrangement::Three) => &[ViewContent::Truth, ViewContent::A, ViewContent::B],
        Some(Arrangement::Two) => &[ViewContent::A, ViewContent::B],
        Some(Arrangement::Divided { percent }) => return divided(size_px, percent),
    };
    let count = shown.len() as u32;
    let in_a_row = (0..).zip(shown);
    in_a_row
        .map(|(place, &of)| {
            let viewport = one_of(count, place, size_px, gap_px, stacked);
            ViewPlace {
                of,
                viewport,
                seen: viewport.into(),
            }
        })
        .collect()
}

/// Returns the places of two views over the whole canvas, each clipped at the divider.
fn divided((width, height): (u32, u32), percent: u8) -> Vec<ViewPlace> {
    let viewport = Viewport {
        x: 0,
        y: 0,
        width,
        height,
    };
    let divider = (u64::from(width) * u64::from(percent) / 100).min(width.into()) as u32;
    let seen = |x: u32, to: u32| ScissorBox {
        x: x as i32,
        y: 0,
        width: to - x,
        height,
    };
    [
        (ViewContent::A, seen(0, divider)),
        (ViewContent::B, seen(divider, width)),
    ]
    .map(|(of, seen)| ViewPlace { of, viewport, seen })
    .to_vec()
}

/// Returns the place of one of several views. The last view ends at the canvas's end.
fn one_of(
    count: u32,
    place: u32,
    (width, height): (u32, u32),
    gap_px: u32,
    stacked: bool,
) -> Viewport {
    let along = if stacked { height } else { width };
    let each = along.saturating_sub(gap_px * (count - 1)) / count;
    let start = if place + 1 == count {
        along.saturating_sub(each)
    } else {
        place * (each + gap_px)
    };
    if stacked {
        Viewport {
            x: 0,
            y: height.saturating_sub(start + each) as i32,
            width,
            height: each,
        }
    } else {
        Viewport {
            x: start as i32,
            y: 0,
            width: each,
            height,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(arrangement: Option<Arrangement>, stacked: bool) -> Vec<(ViewContent, [u32; 4])> {
        let places = places(arrangement, (900, 400), 3, stacked);
        let each = places.iter().map(|place| {
            let ScissorBox {
                x,
                y,
                width,
                height,
            } = place.seen;
            (place.of, [x as u32, y as u32, width, height])
        });
        each.collect()
    }

    #[test]
    fn views_stand_in_a_row_and_end_where_the_canvas_does() {
        use ViewContent::{A, B, Truth};
        assert_eq!(
            seen(None, false),
            [(Truth, [0, 0, 448, 400]), (A, [452, 0, 448, 400])]
        );
        assert_eq!(
            seen(Some(Arrangement::Two), true),
            [(A, [0, 202, 900, 198]), (B, [0, 0, 900, 198])]
        );
        let three = seen(Some(Arrangement::Three), false);
        assert_eq!(three[1], (A, [301, 0, 298, 400]));
        assert_eq!(three[2], (B, [602, 0, 298, 400]));
    }

    #[test]
    fn one_view_is_cut_at_the_divider_and_every_pixel_is_of_one_side() {
        for percent in [0, 1, 50, 100] {
            let divided = Some(Arrangement::Divided { percent });
            assert_eq!(seen(divided, true), seen(divided, false));
            let places = places(divided, (901, 400), 3, false);
            let divider = f32::from(percent) * 9.01;
            for x_px in [0.0, 8.0, 10.0, 449.0, 451.0, 900.0] {
                let of = places.iter().filter(|place| place.holds(x_px, 7.0));
                let of: Vec<_> = of.map(|place| place.of).collect();
                let expected = if x_px < divider.floor() {
                    ViewContent::A
                } else {
                    ViewContent::B
                };
                assert_eq!(of, [expected], "{percent} {x_px}");
                assert_eq!((places[0].viewport.width, places[1].viewport.x), (901, 0));
            }
        }
    }
}
