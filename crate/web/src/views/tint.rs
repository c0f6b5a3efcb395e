//! Colours of cubes by the values of an overlay, such as their error.

/// Colours of the scale from the lowest value to the highest; the end is dark enough to be distinguished without seeing hues.
const STOPS: [[f32; 3]; 4] = [
    [0.82, 0.82, 0.84],
    [0.98, 0.78, 0.28],
    [0.87, 0.35, 0.32],
    [0.42, 0.10, 0.46],
];

/// Computes a colour for each value, on a logarithmic scale between the two ends of `scale`.
pub(super) fn colours(values: &[f32], scale: (f32, f32), colours: &mut Vec<[f32; 4]>) {
    colours.clear();
    colours.extend(values.iter().map(|&value| colour(value, scale)));
}

fn colour(value: f32, (least, most): (f32, f32)) -> [f32; 4] {
    let part = (value.max(least) / least).ln() / (most / least).ln();
    let place = part.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let stop = (place as usize).min(STOPS.len() - 2);
    let [low, high] = [STOPS[stop], STOPS[stop + 1]];
    let mix = |i: usize| low[i] + (high[i] - low[i]) * (place - stop as f32);
    [mix(0), mix(1), mix(2), 1.0]
}
