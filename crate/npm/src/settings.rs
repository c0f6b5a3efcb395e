//! Settings as a list of numbers, and the names of the declared fields.

use snapshot_replication::{FlatSettings, ObjectField, SETTING_FIELDS, SettingDomain, Settings};
use wasm_bindgen::JsError;

use crate::error;

/// Reads settings from the numbers that `wrap.js` writes: those of [`SETTING_FIELDS`], then bits and counter flag of each
/// declared field. `names` has the fields' names, one in each line.
pub(crate) fn read(numbers: &[f64], names: &str) -> Result<Settings, JsError> {
    let malformed = || JsError::new("settings of another layout");
    let flat = FlatSettings::from_numbers(numbers).ok_or_else(malformed)?;
    let fields = numbers[SETTING_FIELDS.len()..].chunks_exact(2);
    let fields = names.lines().zip(fields).map(|(name, field)| ObjectField {
        name: name.to_owned(),
        bits: field[0] as u32,
        counter: field[1] == 1.0,
    });
    flat.settings(fields.collect()).map_err(error)
}

/// Returns the settings of a server, one in each line: path, kind of value, and the words of a choice.
pub(crate) fn names() -> String {
    let lines = SETTING_FIELDS.iter().map(|field| {
        let mut line = field.path.to_owned();
        match field.domain {
            SettingDomain::Whole(..) => line += " whole",
            SettingDomain::Number(..) | SettingDomain::Optional(..) => line += " number",
            SettingDomain::Choice(word) => {
                line += " choice";
                for word in (0..).map_while(word) {
                    line += " ";
                    line += word;
                }
            }
        }
        line
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns three numbers for each setting: its least value, its greatest value and its default.
pub(crate) fn limits() -> Vec<f64> {
    let usual = FlatSettings::from(&Settings::new(1)).numbers();
    let limits = SETTING_FIELDS.iter().zip(usual).map(|(field, usual)| {
        let (least, most) = match field.domain {
            SettingDomain::Whole(least, most)
            | SettingDomain::Number(least, most)
            | SettingDomain::Optional(least, most) => (least, most),
            SettingDomain::Choice(_) => (0.0, 0.0),
        };
        [least, most, usual]
    });
    limits.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_replication::Interpolation;

    const TYPES: &str = include_str!("../package/index.d.ts");
    const SETTINGS_OF_C: &str = include_str!("../../c/src/settings.rs");

    fn in_javascript(name: &str) -> String {
        let mut parts = name.split('_');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |name, part| {
            name + &part[..1].to_uppercase() + &part[1..]
        })
    }

    #[test]
    fn each_setting_is_declared_with_its_words() {
        let (_, rest) = TYPES.split_once("export interface Settings {").unwrap();
        let (declared, _) = rest.split_once("\n}").unwrap();
        for field in SETTING_FIELDS {
            let path = in_javascript(field.path);
            let name = path.split('.').next().unwrap();
            let line = declared.lines().find_map(|line| {
                let (declared, of) = line.trim().split_once(':')?;
                (declared.trim_end_matches('?') == name).then_some(of)
            });
            let line = line.unwrap_or_else(|| panic!("index.d.ts has no {name}"));
            if let SettingDomain::Choice(word) = field.domain
                && name != "rung"
            {
                let words: Vec<_> = (0..)
                    .map_while(word)
                    .map(|word| format!("'{word}'"))
                    .collect();
                assert_eq!(line.trim(), words.join(" | ") + ";", "{name}");
            }
        }
    }

    #[test]
    fn the_settings_of_c_list_the_modes_by_number() {
        let names = Interpolation::ALL.iter().enumerate();
        let names: Vec<_> = names
            .map(|(number, mode)| format!("{number} {}", mode.row().name))
            .collect();
        assert!(SETTINGS_OF_C.contains(&format!(": {}.", names.join(", "))));
    }
}
