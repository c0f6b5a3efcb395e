//! The check of a value against a schema: the keywords that `schema.yaml` uses, and no other.

use saphyr::{Scalar, Yaml};

/// Returns what is wrong with a value, each with its path.
pub(crate) fn complaints(schema: &Yaml, value: &Yaml, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (keyword, rule) in schema.as_mapping().unwrap() {
        match keyword.as_str().unwrap() {
            "type" if !is_a(rule.as_str().unwrap(), value) => {
                found.push(format!("{path} is no {}", rule.as_str().unwrap()));
            }
            "x-kubernetes-int-or-string" if !is_a("integer", value) && !is_a("string", value) => {
                found.push(format!("{path} is neither integer nor string"));
            }
            "enum" if !rule.as_sequence().unwrap().contains(value) => {
                found.push(format!("{path} is none of its values"));
            }
            "minimum"
                if value
                    .as_integer()
                    .is_some_and(|it| Some(it) < rule.as_integer()) =>
            {
                found.push(format!("{path} is too small"));
            }
            "maximum" if value.as_integer() > rule.as_integer() => {
                found.push(format!("{path} is too large"));
            }
            "minItems"
                if value
                    .as_sequence()
                    .is_some_and(|it| Some(it.len()) < length(rule)) =>
            {
                found.push(format!("{path} has too few items"));
            }
            "pattern" if value.as_str().is_some_and(|it| !is_label(it)) => {
                assert_eq!(rule.as_str(), Some("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"));
                found.push(format!("{path} is no label"));
            }
            "required" => found.extend(missing(rule, value, path)),
            "items" => {
                for (index, item) in value.as_sequence().into_iter().flatten().enumerate() {
                    found.extend(complaints(rule, item, &format!("{path}[{index}]")));
                }
            }
            "type"
            | "x-kubernetes-int-or-string"
            | "enum"
            | "minimum"
            | "maximum"
            | "minItems"
            | "pattern"
            | "properties"
            | "additionalProperties" => {}
            other => panic!("the check does not know {other}"),
        }
    }
    found.extend(of_fields(schema, value, path));
    found
}

fn of_fields(schema: &Yaml, value: &Yaml, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (name, field) in value.as_mapping().into_iter().flatten() {
        let name = name.as_str().unwrap();
        let path = format!("{path}.{name}");
        let named = schema.as_mapping_get("properties");
        let rule = named.and_then(|fields| fields.as_mapping_get(name));
        match rule.or_else(|| schema.as_mapping_get("additionalProperties")) {
            Some(rule) => found.extend(complaints(rule, field, &path)),
            None => found.push(format!("{path} is not known")),
        }
    }
    found
}

fn missing(names: &Yaml, value: &Yaml, path: &str) -> Vec<String> {
    let names = names.as_sequence().unwrap().iter().filter_map(Yaml::as_str);
    let missing = names.filter(|name| value.as_mapping_get(name).is_none());
    missing
        .map(|name| format!("{path}.{name} is missing"))
        .collect()
}

fn length(rule: &Yaml) -> Option<usize> {
    rule.as_integer()
        .and_then(|least| usize::try_from(least).ok())
}

fn is_a(kind: &str, value: &Yaml) -> bool {
    match kind {
        "object" => matches!(value, Yaml::Mapping(_)),
        "array" => matches!(value, Yaml::Sequence(_)),
        "string" => matches!(value, Yaml::Value(Scalar::String(_))),
        "integer" => matches!(value, Yaml::Value(Scalar::Integer(_))),
        other => panic!("the check does not know the type {other}"),
    }
}

fn is_label(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let ends = [text.bytes().next(), text.bytes().last()];
    ends.iter().all(|end| end.is_some_and(is_plain))
        && text.bytes().all(|byte| is_plain(byte) || byte == b'-')
}
