//! Generator of the page's TypeScript types from Rust's types.
//!
//! `TYPES=write cargo test -p snapshot-web types` writes `types.d.ts` anew.

use crate::files::decision::Decided;
use crate::files::{Task, Told};
use crate::together::{GuestCommand, GuestQuery};
use crate::views::command::{ViewsCommand, ViewsQuery};
use snapshot_analysis::blind_test::blind::Shown;
use snapshot_app::command::Command;
use snapshot_app::command::source::Received;
use snapshot_app::frame::Frame;
use snapshot_app::query::series::{BytesQuery, NumbersQuery};
use snapshot_app::query::{self, Query, files};
use snapshot_lane::together::GuestFigures;
use std::collections::BTreeMap;
use std::path::Path;
use ts_rs::{Config, TS, TypeVisitor};

const FILE: &str = "types.d.ts";
const FILE_HEAD: &str = "// Written from Rust's types by the tests of crate/web.\n";

/// The exports whose answer's type depends on the question.
const ASKING: &str = "
type NameOf<Q> = Q extends string ? Q : keyof Q;
export type Answer<Q extends Query> = Answers[NameOf<Q> & keyof Answers];
export type LookupAnswer<Q extends Lookup> = LookupAnswers[NameOf<Q> & keyof LookupAnswers];
export interface Page {
  ask<const Q extends Query>(question: Q): Answer<Q>;
}
export interface Guest {
  ask(question: 'figures'): GuestFigures;
  ask(question: Exclude<GuestQuery, 'figures'>): Uint8Array<ArrayBuffer>;
}
export function look_up<const Q extends Lookup>(question: Q, bytes: Uint8Array): LookupAnswer<Q>;
";

/// Declarations of types by name.
#[derive(Default)]
struct Declarations(BTreeMap<String, String>);

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let config = config();
        if T::output_path().is_some() {
            let text = format!("export {}\n", without_docs(&T::decl(&config)));
            let known = self.0.insert(T::ident(&config), text.clone());
            let is_new = known.is_none();
            assert!(
                known.is_none_or(|known| known == text),
                "two types have the name {}",
                T::ident(&config)
            );
            if !is_new {
                return;
            }
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// Returns the settings of the type generator: numbers of any width become plain numbers, arrays of any length become arrays.
fn config() -> Config {
    Config::new()
        .with_large_int("number")
        .with_array_tuple_limit(0)
}

/// Returns a declaration without its docs, because Rust has them. A long declaration gets a line for each field.
fn without_docs(declaration: &str) -> String {
    let mut parts = declaration.split("/**");
    let first = parts.next().unwrap().to_string();
    let text = parts.fold(first, |text, part| {
        let (_, rest) = part.split_once("*/").unwrap();
        text.trim_end().to_string() + " " + rest.trim_start()
    });
    if text.len() < 240 {
        return text;
    }
    let variants = at_depth_0(&text, " | ");
    if variants.len() > 1 && variants.iter().all(|variant| variant.len() < 240) {
        return variants.join("\n  | ");
    }
    text.replacen("= { ", "= {\n  ", 1)
        .replace(", ", ",\n  ")
        .replace(",\n  }", ",\n}")
}

/// Splits a text at a sign that is in no braces.
fn at_depth_0<'a>(text: &'a str, sign: &str) -> Vec<&'a str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (place, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ if depth == 0 && text[place..].starts_with(sign) => {
                parts.push(&text[start..place]);
                start = place + sign.len();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Returns an interface that gives each question's name the type of its answer. An answer of nothing is `undefined`.
fn answers(interface: &str, types: Vec<(&str, String)>) -> String {
    let rows = types.into_iter().map(|(name, answer)| {
        let answer = match answer.strip_suffix(" | null") {
            Some(some) => format!("{some} | undefined"),
            None => answer,
        };
        format!("  {}: {answer};\n", snake_case(name))
    });
    format!(
        "export interface {interface} {{\n{}}}\n",
        rows.collect::<String>()
    )
}

fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for (place, letter) in name.char_indices() {
        if letter.is_uppercase() && place > 0 {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

/// Returns the names in quotes of a declaration: the variants of an enum.
fn variants(declaration: &str) -> impl Iterator<Item = &str> {
    declaration.split('"').skip(1).step_by(2)
}

/// All text of the page's scripts, without their tests.
fn scripts(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let text = entries.map(|path| match path.extension() {
        None if path.is_dir() && !path.ends_with("tests") => scripts(&path),
        Some(ending) if ending == "ts" => std::fs::read_to_string(&path).unwrap(),
        Some(_) | None => String::new(),
    });
    text.collect()
}

#[test]
fn the_page_says_each_command_and_asks_each_question() {
    let mut all = Declarations::default();
    all.visit::<Command>();
    all.visit::<Query>();
    all.visit::<files::Lookup>();
    all.visit::<NumbersQuery>();
    all.visit::<BytesQuery>();
    let page = scripts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www"));
    let words: std::collections::BTreeSet<_> = page
        .split(|it: char| !it.is_alphanumeric() && it != '_')
        .collect();
    let verbs =
        |name: &String| name.ends_with("Command") || name.ends_with("Query") || name == "Lookup";
    let declared = all.0.iter().filter(|(name, _)| verbs(name));
    let unused: Vec<_> = declared
        .flat_map(|(_, text)| variants(text))
        .filter(|it| !words.contains(it))
        .collect();
    assert_eq!(unused, [""; 0]);
}

#[test]
fn the_file_of_types_is_of_these_types() {
    let mut all = Declarations::default();
    all.visit::<Command>();
    all.visit::<Received>();
    all.visit::<Frame>();
    all.visit::<Shown>();
    all.visit::<Query>();
    all.visit::<NumbersQuery>();
    all.visit::<BytesQuery>();
    all.visit::<files::Lookup>();
    all.visit::<ViewsCommand>();
    all.visit::<ViewsQuery>();
    all.visit::<GuestCommand>();
    all.visit::<GuestQuery>();
    all.visit::<GuestFigures>();
    all.visit::<Task>();
    all.visit::<Told>();
    all.visit::<Decided>();
    let asked = [
        answers("Answers", query::answer_types(&config(), &mut all)),
        answers("LookupAnswers", files::answer_types(&config(), &mut all)),
    ];
    let types: String = all.0.into_values().collect();
    let text = format!("{FILE_HEAD}{types}{}{ASKING}", asked.concat());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var("TYPES").as_deref() == Ok("write") {
        std::fs::write(&file, &text).unwrap();
    }
    let is_current = std::fs::read_to_string(&file).unwrap() == text;
    assert!(is_current, "TYPES=write cargo test -p snapshot-web types");
}
