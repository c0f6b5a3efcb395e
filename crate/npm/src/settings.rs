//! Settings as a list of numbers and the names of fields.

use snapshot_replication::{
    Aim, Bounds, Class, Interpolation, ObjectField, OutOfBounds, Playout, QuantisationBits, Rung,
    Settings,
};
use wasm_bindgen::JsError;

use crate::error;

/// Number of the settings' numbers before those of the fields.
const HEAD: usize = 23;

/// Reads the numbers that `wrap.js` writes: 23, then bits and counter flag of each field. The fields' names are in lines.
pub(crate) fn read(numbers: &[f64], names: &str) -> Result<Settings, JsError> {
    let malformed = || JsError::new("settings of another layout");
    let (head, fields) = numbers.split_first_chunk::<HEAD>().ok_or_else(malformed)?;
    let whole = head.map(|number| number as i32);
    let [objects, tick_rate, send_rate, ..] = whole;
    let refused = |failed: snapshot_codec::ConfigError| error(failed.number());
    let corner = |at: usize| [whole[at], whole[at + 1], whole[at + 2]];
    let bits = |at: usize| whole[at] as u32;
    let rung = Rung::ALL.get(whole[12] as usize).ok_or_else(malformed)?;
    let named = names.lines().zip(fields.chunks_exact(2));
    let interpolation = match whole[17] {
        0 => Interpolation::None,
        1 => Interpolation::Linear,
        2 => Interpolation::Slerp,
        4 => Interpolation::Extrapolate,
        _ => Interpolation::Hermite,
    };
    Ok(Settings {
        objects: objects as usize,
        tick_rate: tick_rate as u32,
        send_rate: send_rate as u32,
        bounds: Bounds::new(corner(3), corner(6)).map_err(refused)?,
        bits: QuantisationBits::new(bits(9), bits(10), bits(11)).map_err(refused)?,
        rung: *rung,
        class: Class::ALL[usize::from(whole[13] == 1)],
        mtu: whole[14] as usize,
        kind_bits: bits(15),
        clients: whole[16] as usize,
        input_repeats: Settings::new(1).input_repeats,
        input_lead_ms: None,
        out_of_bounds: match whole[19] {
            1 => OutOfBounds::Clamp,
            _ => OutOfBounds::LeaveOut,
        },
        interpolation,
        playout: if head[18] < 0.0 {
            Playout::Adaptive(Aim {
                freezes_per_minute: head[20],
                change: head[21],
                most_delay_ms: head[22],
            })
        } else {
            Playout::Fixed { delay_ms: head[18] }
        },
        fields: named
            .map(|(name, field)| ObjectField {
                name: name.to_owned(),
                bits: field[0] as u32,
                counter: field[1] == 1.0,
            })
            .collect(),
    })
}

/// Returns the default settings, in the order in which [`read`] takes them.
pub(crate) fn usual() -> Vec<f64> {
    let usual = Settings::new(1);
    let corners = [usual.bounds.lower(), usual.bounds.upper()];
    let bits = usual.bits;
    let class = usize::from(usual.class == Class::Chained);
    let rung = Rung::ALL.iter().position(|&rung| rung == usual.rung);
    let mut numbers = vec![
        usual.objects as f64,
        usual.tick_rate.into(),
        usual.send_rate.into(),
    ];
    numbers.extend(
        corners
            .as_flattened()
            .iter()
            .map(|&metres| f64::from(metres)),
    );
    numbers.extend([bits.position(), bits.orientation(), bits.velocity()].map(f64::from));
    numbers.extend([rung.unwrap_or_default(), class, usual.mtu].map(|number| number as f64));
    numbers.extend([usual.kind_bits.into(), usual.clients as f64]);
    // Hermite, a delay that follows the network, and what is out of bounds is left out.
    numbers.extend([3.0, -1.0, 0.0]);
    let aim = Aim::default();
    numbers.extend([aim.freezes_per_minute, aim.change, aim.most_delay_ms]);
    numbers
}
