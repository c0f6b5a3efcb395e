//! The settings of a game as a list of numbers, for programs in other languages.
//!
//! [`SETTING_FIELDS`] is the only list of settings. JavaScript's object, its checks and C's struct follow from it. A setting
//! that is missing here does not compile.

use crate::settings::{BUDGET_KBPS, DATAGRAMS_MAX};
use crate::{ObjectField, OutOfBounds, Settings};
use snapshot_codec::{Bounds, Class, QuantisationBits, Rung};
use snapshot_view::interpolate::Interpolation;
use snapshot_view::playout::{Aim, Playout};
use std::ffi::CStr;

/// The valid values of a setting, as numbers.
#[derive(Clone, Copy, Debug)]
pub enum SettingDomain {
    /// A whole number within these bounds.
    Whole(f64, f64),
    /// A number within these bounds.
    Number(f64, f64),
    /// A number within these bounds, or NaN where the setting is not used.
    Optional(f64, f64),
    /// Index into a list of words. The function returns the word of an index, `None` past the last.
    Choice(fn(usize) -> Option<&'static str>),
}

impl SettingDomain {
    fn contains(self, value: f64) -> bool {
        match self {
            Self::Whole(least, most) => least <= value && value <= most && value == value.trunc(),
            Self::Number(least, most) => least <= value && value <= most,
            Self::Optional(least, most) => value.is_nan() || least <= value && value <= most,
            Self::Choice(word) => {
                value >= 0.0 && value == value.trunc() && word(value as usize).is_some()
            }
        }
    }
}

/// The description of a setting that is given as a number.
#[derive(Clone, Copy, Debug)]
pub struct SettingField {
    /// Path of the setting: a dot stands before the members of a group, and before the index of a list's entry.
    pub path: &'static str,
    /// The setting's valid values.
    pub domain: SettingDomain,
    /// Text of the error that refuses any other value.
    pub(crate) refusal: &'static CStr,
}

/// Number of the error that refuses a value of the first setting. Errors of the other settings follow in the list's order.
pub(crate) const FIRST_REFUSAL: u32 = 201;

macro_rules! flat_settings {
    ($($name:ident $path:literal $domain:expr;)*) => {
        /// The settings as numbers, without the fields that the game declares for its objects.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs, reason = "the names of the settings")]
        pub struct FlatSettings {
            $(pub $name: f64,)*
        }

        /// All settings but the declared fields of objects, in the order of their numbers. A new setting is added at the end:
        /// older recordings are read with its default.
        pub const SETTING_FIELDS: &[SettingField] = &[$(SettingField {
            path: $path,
            domain: $domain,
            refusal: match CStr::from_bytes_with_nul(
                concat!("settings: ", $path, " is none of its values\0").as_bytes(),
            ) {
                Ok(text) => text,
                Err(_) => c"",
            },
        },)*];

        impl FlatSettings {
            /// Makes settings from a list of numbers in this order; `None` if there are too few.
            pub fn from_numbers(numbers: &[f64]) -> Option<FlatSettings> {
                let mut numbers = numbers.iter().copied();
                Some(FlatSettings { $($name: numbers.next()?,)* })
            }

            /// Returns the numbers in the order of [`SETTING_FIELDS`].
            pub fn numbers(&self) -> [f64; SETTING_FIELDS.len()] {
                [$(self.$name,)*]
            }
        }
    };
}

use SettingDomain::{Choice, Number, Optional, Whole};

flat_settings! {
    objects "objects" Whole(1.0, 4096.0);
    tick_rate "tick_rate" Whole(10.0, 240.0);
    send_rate "send_rate" Whole(1.0, 240.0);
    lower_x "bounds.lower.0" METRES;
    lower_y "bounds.lower.1" METRES;
    lower_z "bounds.lower.2" METRES;
    upper_x "bounds.upper.0" METRES;
    upper_y "bounds.upper.1" METRES;
    upper_z "bounds.upper.2" METRES;
    position_bits "bits.position" Whole(1.0, 12.0);
    orientation_bits "bits.orientation" Whole(2.0, 16.0);
    velocity_bits "bits.velocity" Whole(0.0, 12.0);
    rung "rung" Choice(|at| Rung::ALL.get(at).filter(|rung| rung.is_built()).map(|rung| rung.name()));
    class "class" Choice(|at| ["strict", "chained"].get(at).copied());
    mtu "mtu" Whole(256.0, 65_507.0);
    kind_bits "kind_bits" Whole(0.0, 16.0);
    clients "clients" Whole(0.0, 65_535.0);
    input_repeats "input_repeats" Whole(1.0, 64.0);
    input_lead_ms "input_lead_ms" Optional(0.0, 10_000.0);
    budget_kbps "budget_kbps" BUDGET;
    congestion_control "congestion_control" Choice(|at| ["off", "on"].get(at).copied());
    out_of_bounds "out_of_bounds" Choice(|at| ["leave-out", "clamp"].get(at).copied());
    interpolation "interpolation" Choice(|at| Interpolation::ALL.get(at).map(|mode| mode.row().name));
    delay_ms "delay_ms" Optional(0.0, 60_000.0);
    freezes_per_minute "freezes_per_minute" Number(0.001, 1000.0);
    speed_change "speed_change" Number(0.0, 0.5);
    most_delay_ms "most_delay_ms" Number(0.0, 10_000.0);
    datagrams_a_packet "datagrams_a_packet" Whole(1.0, DATAGRAMS_MAX as f64);
    upload_kbps "upload_kbps" BUDGET;
}

const BUDGET: SettingDomain = Optional(*BUDGET_KBPS.start(), *BUDGET_KBPS.end());

/// Bounds of the settings of a position, m: [`Bounds::new`] has narrower ones.
const METRES: SettingDomain = Whole(-2_147_483_648.0, 2_147_483_647.0);

impl From<&Settings> for FlatSettings {
    fn from(settings: &Settings) -> FlatSettings {
        // All fields are named, so that a new one is not forgotten here.
        let Settings {
            objects,
            tick_rate,
            send_rate,
            bounds,
            bits,
            rung,
            class,
            mtu,
            kind_bits,
            fields: _,
            clients,
            input_repeats,
            input_lead_ms,
            budget_kbps,
            datagrams_a_packet,
            congestion_control,
            upload_kbps,
            out_of_bounds,
            interpolation,
            playout,
        } = settings;
        let (aim, delay_ms) = match playout {
            Playout::Adaptive(aim) => (*aim, f64::NAN),
            Playout::Fixed { delay_ms } | Playout::FirstPacket { delay_ms } => {
                (Aim::default(), *delay_ms)
            }
            // Other languages cannot ask for it: a delay of 0 comes nearest.
            Playout::AtOnce => (Aim::default(), 0.0),
        };
        let [lower_x, lower_y, lower_z] = bounds.lower().map(f64::from);
        let [upper_x, upper_y, upper_z] = bounds.upper().map(f64::from);
        FlatSettings {
            objects: *objects as f64,
            tick_rate: f64::from(*tick_rate),
            send_rate: f64::from(*send_rate),
            lower_x,
            lower_y,
            lower_z,
            upper_x,
            upper_y,
            upper_z,
            position_bits: f64::from(bits.position()),
            orientation_bits: f64::from(bits.orientation()),
            velocity_bits: f64::from(bits.velocity()),
            rung: f64::from(rung.number()),
            class: match class {
                Class::Strict => 0.0,
                Class::Chained => 1.0,
            },
            mtu: *mtu as f64,
            kind_bits: f64::from(*kind_bits),
            clients: *clients as f64,
            input_repeats: *input_repeats as f64,
            input_lead_ms: input_lead_ms.unwrap_or(f64::NAN),
            budget_kbps: budget_kbps.unwrap_or(f64::NAN),
            congestion_control: f64::from(u8::from(*congestion_control)),
            out_of_bounds: match out_of_bounds {
                OutOfBounds::LeaveOut => 0.0,
                OutOfBounds::Clamp => 1.0,
            },
            interpolation: f64::from(*interpolation as u8),
            delay_ms,
            freezes_per_minute: aim.freezes_per_minute,
            speed_change: aim.change,
            most_delay_ms: aim.most_delay_ms,
            datagrams_a_packet: *datagrams_a_packet as f64,
            upload_kbps: upload_kbps.unwrap_or(f64::NAN),
        }
    }
}

impl FlatSettings {
    /// Makes the settings from the numbers and the declared fields of the game's objects.
    ///
    /// # Errors
    /// The number of the error that names the first setting with an invalid value.
    pub fn settings(&self, fields: Vec<ObjectField>) -> Result<Settings, u32> {
        let values = SETTING_FIELDS.iter().zip(self.numbers());
        for ((field, value), number) in values.zip(FIRST_REFUSAL..) {
            if !field.domain.contains(value) {
                return Err(number);
            }
        }
        let lower = [self.lower_x, self.lower_y, self.lower_z].map(|metres| metres as i32);
        let upper = [self.upper_x, self.upper_y, self.upper_z].map(|metres| metres as i32);
        let bits = [
            self.position_bits,
            self.orientation_bits,
            self.velocity_bits,
        ];
        let [position, orientation, velocity] = bits.map(|bits| bits as u32);
        Ok(Settings {
            objects: self.objects as usize,
            tick_rate: self.tick_rate as u32,
            send_rate: self.send_rate as u32,
            bounds: Bounds::new(lower, upper).map_err(|error| error.number())?,
            bits: QuantisationBits::new(position, orientation, velocity)
                .map_err(|error| error.number())?,
            rung: Rung::ALL[self.rung as usize],
            class: Class::ALL[self.class as usize],
            mtu: self.mtu as usize,
            kind_bits: self.kind_bits as u32,
            fields,
            clients: self.clients as usize,
            input_repeats: self.input_repeats as usize,
            input_lead_ms: Some(self.input_lead_ms).filter(|ms| !ms.is_nan()),
            budget_kbps: Some(self.budget_kbps).filter(|kbps| !kbps.is_nan()),
            datagrams_a_packet: self.datagrams_a_packet as usize,
            congestion_control: self.congestion_control == 1.0,
            upload_kbps: Some(self.upload_kbps).filter(|kbps| !kbps.is_nan()),
            out_of_bounds: [OutOfBounds::LeaveOut, OutOfBounds::Clamp][self.out_of_bounds as usize],
            interpolation: Interpolation::ALL[self.interpolation as usize],
            playout: if self.delay_ms.is_nan() {
                Playout::Adaptive(Aim {
                    freezes_per_minute: self.freezes_per_minute,
                    change: self.speed_change,
                    most_delay_ms: self.most_delay_ms,
                })
            } else {
                Playout::Fixed {
                    delay_ms: self.delay_ms,
                }
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_name;

    #[test]
    fn settings_come_back_from_their_numbers() {
        let settings = Settings {
            tick_rate: 30,
            class: Class::Chained,
            input_repeats: 3,
            input_lead_ms: Some(12.5),
            budget_kbps: Some(180.0),
            datagrams_a_packet: 3,
            congestion_control: true,
            upload_kbps: Some(64.0),
            out_of_bounds: OutOfBounds::Clamp,
            interpolation: Interpolation::Slerp,
            playout: Playout::Fixed { delay_ms: 160.0 },
            ..Settings::new(7)
        };
        for settings in [settings, Settings::new(40)] {
            let numbers = FlatSettings::from(&settings).numbers();
            let flat = FlatSettings::from_numbers(&numbers).unwrap();
            assert_eq!(flat.settings(Vec::new()), Ok(settings));
        }
    }

    #[test]
    fn a_value_past_each_bound_is_refused_by_name() {
        let usual = FlatSettings::from(&Settings::new(4)).numbers();
        for (at, field) in SETTING_FIELDS.iter().enumerate() {
            let past = match field.domain {
                Whole(least, most) => vec![least - 1.0, most + 1.0, least + 0.5, f64::NAN],
                Number(least, most) => vec![least - 1.0, most + 1.0, f64::NAN],
                Optional(least, most) => vec![least - 1.0, most + 1.0],
                Choice(word) => {
                    let words = (0..).take_while(|at| word(*at).is_some()).count();
                    vec![-1.0, words as f64, 0.5, f64::NAN]
                }
            };
            for value in past {
                let mut numbers = usual;
                numbers[at] = value;
                let flat = FlatSettings::from_numbers(&numbers).unwrap();
                let number = flat.settings(Vec::new()).unwrap_err();
                let name = error_name(number).unwrap().to_string_lossy();
                assert!(name.contains(field.path), "{} {value}: {name}", field.path);
            }
        }
        assert!(FlatSettings::from_numbers(&usual[1..]).is_none());
    }
}
