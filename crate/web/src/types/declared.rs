//! The TypeScript that this crate declares, read from its own sources.

use super::reader::{Field, Reader, Type};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// All declarations of the crate.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// Each by its name, with the names of its parameters.
    types: BTreeMap<String, (Vec<String>, Type)>,
    /// The type that each exported function gives, by the function's name.
    given: BTreeMap<String, Type>,
}

impl Declared {
    /// Reads all sources of a folder, but those of this test.
    pub(super) fn in_folder(folder: &Path) -> Declared {
        let mut declared = Declared::default();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.file_stem().is_some_and(|it| it == "types") {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "rs") {
                    declared.read(&std::fs::read_to_string(path).unwrap());
                }
            }
        }
        declared
    }

    /// Reads the declarations of one source.
    pub(super) fn read(&mut self, source: &str) {
        let sections = source
            .split("#[wasm_bindgen(typescript_custom_section)]\n")
            .skip(1);
        for section in sections {
            let (_, text) = section.split_once("r#\"").unwrap();
            let (text, _) = text.split_once("\"#").unwrap();
            self.declarations(&mut Reader::new(text));
        }
        let results = source
            .split("#[wasm_bindgen(unchecked_return_type = \"")
            .skip(1);
        for result in results {
            let (text, rest) = result.split_once("\")]").unwrap();
            let (_, rest) = rest.split_once("pub fn ").unwrap();
            let (name, _) = rest.split_once('(').unwrap();
            let before = self
                .given
                .insert(name.to_string(), Reader::new(text).of_type());
            assert_eq!(before, None, "two functions are called {name}");
        }
    }

    /// The names of the functions that give a declared type.
    pub(super) fn functions(&self) -> impl Iterator<Item = &str> {
        self.given.keys().map(String::as_str)
    }

    /// The fields of an interface that every value of it has.
    pub(super) fn required(&self, interface: &str) -> Vec<&str> {
        let Type::Object(fields) = &self.types[interface].1 else {
            panic!("{interface} is no interface");
        };
        let required = fields.iter().filter(|field| !field.optional);
        required.filter_map(|field| field.name.as_deref()).collect()
    }

    /// Differences between a value that a function gives and the type that is declared for it. `seen` gets the parts of types
    /// that the value shows.
    pub(super) fn complaints(
        &self,
        function: &str,
        value: Option<&Value>,
        seen: &mut BTreeSet<String>,
    ) -> Vec<String> {
        let of = self.given.get(function);
        let of = of.unwrap_or_else(|| panic!("no type is declared for {function}"));
        self.compare(of, value, function, seen)
    }

    /// The parts of a function's type that some value has to show: elements of arrays, alternatives, optional fields.
    pub(super) fn parts(&self, function: &str) -> BTreeSet<String> {
        let mut parts = BTreeSet::new();
        self.add_parts(&self.given[function], function, &mut parts);
        parts
    }

    fn declarations(&mut self, reader: &mut Reader) {
        while reader.takes("export") {
            if reader.takes("type") {
                let name = reader.word();
                reader.expect("=");
                let of = reader.of_type();
                reader.expect(";");
                self.types.insert(name, (Vec::new(), of));
                continue;
            }
            reader.expect("interface");
            let name = reader.word();
            let parameters = match reader.takes("<") {
                true => vec![reader.word()],
                false => Vec::new(),
            };
            assert!(parameters.is_empty() || reader.takes(">"));
            let mut inherited = Vec::new();
            if reader.takes("extends") {
                loop {
                    let base = reader.word();
                    let partial = base == "Partial";
                    let base = if partial {
                        reader.expect("<");
                        let base = reader.word();
                        reader.expect(">");
                        base
                    } else {
                        base
                    };
                    let Some((_, Type::Object(fields))) = self.types.get(&base) else {
                        panic!("{name} extends {base}, which is declared later or not at all");
                    };
                    inherited.extend(fields.iter().cloned().map(|field| Field {
                        optional: field.optional || partial,
                        ..field
                    }));
                    if !reader.takes(",") {
                        break;
                    }
                }
            }
            let Type::Object(own) = reader.of_type() else {
                panic!("{name} has no fields");
            };
            inherited.extend(own);
            self.types
                .insert(name, (parameters, Type::Object(inherited)));
        }
        assert_eq!(reader.rest(), "", "this is not understood");
    }

    fn compare(
        &self,
        of: &Type,
        value: Option<&Value>,
        place: &str,
        seen: &mut BTreeSet<String>,
    ) -> Vec<String> {
        let wrong = || vec![format!("{place} is declared {of:?} and is {value:?}")];
        let fits = |fits: bool| if fits { Vec::new() } else { wrong() };
        match (of, value) {
            (Type::Unknown, _) | (Type::Undefined, None) => Vec::new(),
            (Type::Named(name, arguments), _) => {
                let (place, named) = self.named(name, arguments);
                self.compare(&named, value, &place, seen)
            }
            (Type::Union(alternatives), _) => {
                for (number, alternative) in alternatives.iter().enumerate() {
                    let mut seen_there = BTreeSet::new();
                    let complaints = self.compare(alternative, value, place, &mut seen_there);
                    if complaints.is_empty() {
                        seen.extend(seen_there);
                        seen.insert(alternative_of(place, number));
                        return complaints;
                    }
                }
                wrong()
            }
            (_, None) => wrong(),
            (Type::Number, Some(value)) => fits(value.is_number()),
            (Type::String, Some(value)) => fits(value.is_string()),
            (Type::Boolean, Some(value)) => fits(value.is_boolean()),
            (Type::Null, Some(value)) => fits(value.is_null()),
            (Type::Literal(text), Some(value)) => fits(value == text.as_str()),
            (Type::Undefined, Some(_)) => wrong(),
            (Type::Array(element), Some(Value::Array(values))) => {
                let inner = format!("{place}[]");
                if !values.is_empty() {
                    seen.insert(inner.clone());
                }
                let all = values.iter();
                all.flat_map(|value| self.compare(element, Some(value), &inner, seen))
                    .collect()
            }
            (Type::Record(element), Some(Value::Object(values))) => {
                let inner = format!("{place}[]");
                if !values.is_empty() {
                    seen.insert(inner.clone());
                }
                let all = values.values();
                all.flat_map(|value| self.compare(element, Some(value), &inner, seen))
                    .collect()
            }
            (Type::Object(fields), Some(Value::Object(values))) => {
                let mut complaints = Vec::new();
                let rest = fields.iter().find(|field| field.name.is_none());
                for field in fields {
                    let Some(name) = &field.name else { continue };
                    let inner = format!("{place}.{name}");
                    match values.get(name) {
                        None if field.optional => {}
                        None => complaints.push(format!("{inner} is not sent")),
                        value => {
                            seen.insert(inner.clone());
                            complaints.extend(self.compare(&field.of, value, &inner, seen));
                        }
                    }
                }
                for (name, value) in values {
                    let inner = format!("{place}.{name}");
                    match rest {
                        _ if fields.iter().any(|field| field.name.as_ref() == Some(name)) => {}
                        Some(field) => {
                            complaints.extend(self.compare(&field.of, Some(value), &inner, seen));
                        }
                        None => complaints.push(format!("{inner} is not declared")),
                    }
                }
                complaints
            }
            (Type::Array(_) | Type::Record(_) | Type::Object(_), Some(_)) => wrong(),
        }
    }

    /// A declared type with these types for its parameters, and its name.
    fn named(&self, name: &str, arguments: &[Type]) -> (String, Type) {
        let declared = self.types.get(name);
        let (parameters, of) = declared.unwrap_or_else(|| panic!("{name} is not declared"));
        assert_eq!(parameters.len(), arguments.len(), "{name}");
        match (&parameters[..], arguments) {
            ([parameter], [argument]) => {
                let place = format!("{name}<{argument:?}>");
                (place, of.with(parameter, argument))
            }
            _ => (name.to_string(), of.clone()),
        }
    }

    fn add_parts(&self, of: &Type, place: &str, parts: &mut BTreeSet<String>) {
        match of {
            Type::Named(name, arguments) => {
                let (place, named) = self.named(name, arguments);
                // A type that contains itself is gone through once.
                if parts.insert(format!("type {place}")) {
                    self.add_parts(&named, &place, parts);
                }
            }
            Type::Array(element) | Type::Record(element) => {
                let inner = format!("{place}[]");
                parts.insert(inner.clone());
                self.add_parts(element, &inner, parts);
            }
            Type::Union(alternatives) => {
                for (number, alternative) in alternatives.iter().enumerate() {
                    // A field that a record does not have is undefined, and in no value.
                    let is_absent = *alternative == Type::Undefined && place.ends_with("[]");
                    if !is_absent && !matches!(alternative, Type::Literal(_)) {
                        parts.insert(alternative_of(place, number));
                    }
                    self.add_parts(alternative, place, parts);
                }
            }
            Type::Object(fields) => {
                for field in fields {
                    let Some(name) = &field.name else { continue };
                    let inner = format!("{place}.{name}");
                    self.add_parts(&field.of, &inner, parts);
                    parts.insert(inner);
                }
            }
            _ => {}
        }
    }
}

fn alternative_of(place: &str, number: usize) -> String {
    format!("{place} as its alternative {number}")
}
