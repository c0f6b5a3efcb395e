//! Lists the public items of a crate from its sources, a line each, as any compiler would see them. Rustdoc's JSON would say more,
//! but needs a nightly compiler, and differs from one to the next.
//!
//! `API=write cargo test -p snapshot-api` writes the lists in `docs/api` anew: its test fails until then.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, ImplItem, Item, UseTree, Visibility};

/// A module's name as the names of modules from the crate's root.
type Place = Vec<String>;

/// The sources of a crate, and the lines found so far.
struct Crate {
    modules: BTreeMap<Place, Vec<Item>>,
    /// Public names of types, by the module and the name that define them.
    types: BTreeMap<(Place, String), String>,
    lines: BTreeSet<String>,
}

/// Lists the public items of the crate in a folder, sorted.
pub fn listing(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let mut krate = Crate {
        modules: BTreeMap::new(),
        types: BTreeMap::new(),
        lines: BTreeSet::new(),
    };
    krate.read(Vec::new(), &folder.join("src/lib.rs"), &folder.join("src"));
    krate.module(&Vec::new(), &format!("snapshot_{name}"));
    krate.impls();
    krate.lines.iter().map(|line| format!("{line}\n")).collect()
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Returns true for items that no user gets: tests, and those that the documentation hides.
fn is_hidden(attributes: &[Attribute]) -> bool {
    let texts = attributes.iter().map(|attribute| text(&attribute.meta));
    let hidden = ["cfg(test)", "cfg(doc)", "cfg(doctest)", "doc(hidden)"];
    texts
        .into_iter()
        .any(|text| hidden.contains(&text.as_str()))
}

fn is_shown(visibility: &Visibility, attributes: &[Attribute]) -> bool {
    is_public(visibility) && !is_hidden(attributes)
}

/// Returns the attributes that matter to a user, each before a blank.
fn notes(attributes: &[Attribute]) -> String {
    let texts = attributes.iter().map(|attribute| text(&attribute.meta));
    let matters = |text: &String| {
        let kinds = [
            "cfg(",
            "derive(",
            "non_exhaustive",
            "must_use",
            "repr(",
            "deprecated",
        ];
        kinds.iter().any(|kind| text.starts_with(kind))
    };
    texts
        .filter(matters)
        .map(|text| format!("#[{text}] "))
        .collect()
}

/// Prints tokens as rustfmt spaces them, on one line.
fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string().replace('\n', " ");
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" [", "["),
        ("[ ", "["),
        (" ]", "]"),
        (" ,", ","),
        (" ;", ";"),
        ("& ", "&"),
        (" : ", ": "),
        (" :[", ": ["),
        (" :(", ": ("),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("-> ", "-> "),
        (" !", "!"),
        ("' ", "'"),
        (" ?", "?"),
        ("->", " -> "),
        ("  ", " "),
        ("fn(", "fn("),
        (",)", ")"),
        ("mut(", "mut ("),
        (",&", ", &"),
        (">where", "> where"),
        ("=(", "= ("),
        ("=[", "= ["),
        ("=<", "= <"),
    ] {
        text = text.replace(from, to);
    }
    text.trim().to_owned()
}

impl Crate {
    /// Reads a module's file and those of its modules.
    fn read(&mut self, place: Place, file: &Path, folder: &Path) {
        let source = std::fs::read_to_string(file)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed =
            syn::parse_file(&source).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.keep(place, parsed.items, folder);
    }

    fn keep(&mut self, place: Place, items: Vec<Item>, folder: &Path) {
        for item in &items {
            let Item::Mod(module) = item else { continue };
            if is_hidden(&module.attrs) {
                continue;
            }
            let name = module.ident.to_string();
            let (inner, below) = (
                [&place[..], std::slice::from_ref(&name)].concat(),
                folder.join(&name),
            );
            match &module.content {
                Some((_, items)) => self.keep(inner, items.clone(), &below),
                None => {
                    let files: [PathBuf; 2] =
                        [folder.join(format!("{name}.rs")), below.join("mod.rs")];
                    let file = files
                        .iter()
                        .find(|file| file.exists())
                        .expect("a module has a file");
                    self.read(inner, file, &below);
                }
            }
        }
        self.modules.insert(place, items);
    }

    /// Adds the line of a path: attributes that matter, and what it is.
    fn add(&mut self, path: &str, attributes: &[Attribute], what: &str) {
        self.lines
            .insert(format!("{path}: {}{what}", notes(attributes)));
    }

    /// Lists the public items of a module under its public name.
    fn module(&mut self, place: &Place, public: &str) {
        for item in self.modules.get(place).cloned().unwrap_or_default() {
            match item {
                Item::Mod(module) if is_public(&module.vis) && !is_hidden(&module.attrs) => {
                    let name = module.ident.to_string();
                    let public = format!("{public}::{name}");
                    self.add(&public, &module.attrs, "mod");
                    self.module(&[&place[..], &[name]].concat(), &public);
                }
                Item::Use(tree) if is_public(&tree.vis) && !is_hidden(&tree.attrs) => {
                    let mut leaves = Vec::new();
                    flatten(&tree.tree, &mut Vec::new(), &mut leaves);
                    for (path, name) in leaves {
                        let public = format!("{public}::{name}");
                        match self.find(place, &path) {
                            Some((place, item)) => self.item(&place, &item, &public),
                            None => {
                                self.add(&public, &tree.attrs, &format!("use {}", path.join("::")))
                            }
                        }
                    }
                }
                other => {
                    if let Some(name) = ident(&other) {
                        self.item(place, &other, &format!("{public}::{name}"));
                    }
                }
            }
        }
    }

    /// Returns the module that defines the item of a path, and the item; `None` if this crate does not define it.
    fn find(&self, from: &Place, path: &[String]) -> Option<(Place, Item)> {
        let (name, modules) = path.split_last()?;
        let mut place = from.clone();
        for segment in modules {
            match segment.as_str() {
                "crate" => place.clear(),
                "self" => {}
                "super" => drop(place.pop()),
                _ => place.push(segment.clone()),
            }
        }
        for item in self.modules.get(&place)? {
            if ident(item).is_some_and(|ident| ident == *name) {
                return Some((place, item.clone()));
            }
            if let Item::Use(tree) = item {
                let mut leaves = Vec::new();
                flatten(&tree.tree, &mut Vec::new(), &mut leaves);
                let leaf = leaves
                    .into_iter()
                    .find(|leaf| leaf.1 == *name && leaf.0 != path);
                if let Some((path, _)) = leaf {
                    return self.find(&place, &path);
                }
            }
        }
        // What a macro makes is told by the macro's call.
        let mut items = self.modules.get(&place)?.iter();
        let call = items.find(|item| matches!(item, Item::Macro(call) if call.ident.is_none()))?;
        Some((place, call.clone()))
    }

    /// Lists a public item and its public parts under a path.
    fn item(&mut self, place: &Place, item: &Item, path: &str) {
        let mut is_type = |name: &syn::Ident| {
            let known = self.types.entry((place.clone(), name.to_string()));
            // Of two public names the shorter one.
            let known = known.or_insert_with(|| path.to_owned());
            if path.len() < known.len() {
                path.clone_into(known);
            }
        };
        match item {
            Item::Fn(it) if is_shown(&it.vis, &it.attrs) => {
                self.add(path, &it.attrs, &text(&it.sig))
            }
            Item::Const(it) if is_shown(&it.vis, &it.attrs) => {
                // A number is part of the interface, a table is not.
                let value = Some(text(&it.expr)).filter(|value| value.len() < 60);
                let value = value.unwrap_or_else(|| "..".to_owned());
                self.add(
                    path,
                    &it.attrs,
                    &format!("const {} = {value}", text(&it.ty)),
                );
            }
            Item::Type(it) if is_shown(&it.vis, &it.attrs) => {
                self.add(path, &it.attrs, &format!("type {}", text(&it.ty)));
            }
            Item::Struct(it) if is_shown(&it.vis, &it.attrs) => {
                is_type(&it.ident);
                let mut rest = "";
                for (index, field) in it.fields.iter().enumerate() {
                    let name = field.ident.as_ref().map(ToString::to_string);
                    let name = name.unwrap_or_else(|| index.to_string());
                    match is_public(&field.vis) {
                        true => self.add(&format!("{path}.{name}"), &[], &text(&field.ty)),
                        false => rest = ", with private fields",
                    }
                }
                self.add(
                    path,
                    &it.attrs,
                    &format!("struct{}{rest}", text(&it.generics)),
                );
            }
            Item::Enum(it) if is_shown(&it.vis, &it.attrs) => {
                is_type(&it.ident);
                for mut variant in it.variants.clone() {
                    variant.attrs.clear();
                    variant
                        .fields
                        .iter_mut()
                        .for_each(|field| field.attrs.clear());
                    self.add(&format!("{path}::{}", variant.ident), &[], &text(&variant));
                }
                self.add(path, &it.attrs, &format!("enum{}", text(&it.generics)));
            }
            Item::Trait(it) if is_shown(&it.vis, &it.attrs) => {
                for part in &it.items {
                    match part {
                        syn::TraitItem::Fn(it) => {
                            let given = if it.default.is_some() {
                                ", with a default"
                            } else {
                                ""
                            };
                            let what = format!("{}{given}", text(&it.sig));
                            self.add(&format!("{path}::{}", it.sig.ident), &[], &what);
                        }
                        syn::TraitItem::Const(it) => {
                            self.add(&format!("{path}::{}", it.ident), &[], &text(&it.ty));
                        }
                        other => self.add(path, &[], &text(other)),
                    }
                }
                let bounds = [text(&it.generics), text(&it.supertraits)].concat();
                self.add(path, &it.attrs, &format!("trait {bounds}"));
            }
            Item::Macro(call) => {
                let (name, tokens) = (text(&call.mac.path), text(&call.mac.tokens));
                self.add(path, &[], &format!("{name}! {{ {tokens} }}"));
            }
            _ => {}
        }
    }

    /// Lists the public functions, constants and traits of the public types.
    fn impls(&mut self) {
        for (place, items) in &self.modules.clone() {
            for item in items {
                let Item::Impl(block) = item else { continue };
                let syn::Type::Path(of) = &*block.self_ty else {
                    continue;
                };
                let path = of.path.segments.iter().map(|part| part.ident.to_string());
                let path: Vec<_> = path.collect();
                let name = path.last().cloned().unwrap_or_default();
                let mut home = (place.clone(), name.clone());
                if !self.types.contains_key(&home) {
                    home = self
                        .find(place, &path)
                        .map_or(home, |(place, _)| (place, name));
                }
                let Some(public) = self.types.get(&home).cloned() else {
                    continue;
                };
                if is_hidden(&block.attrs) {
                    continue;
                }
                if let Some((_, of, _)) = &block.trait_ {
                    let what = format!("impl{} {}", text(&block.generics), text(of));
                    self.add(&public, &block.attrs, &what);
                    continue;
                }
                for part in &block.items {
                    match part {
                        ImplItem::Fn(it) if is_shown(&it.vis, &it.attrs) => {
                            let attributes = [&block.attrs[..], &it.attrs].concat();
                            self.add(
                                &format!("{public}::{}", it.sig.ident),
                                &attributes,
                                &text(&it.sig),
                            );
                        }
                        ImplItem::Const(it) if is_shown(&it.vis, &it.attrs) => {
                            self.add(&format!("{public}::{}", it.ident), &it.attrs, &text(&it.ty));
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

/// Returns the name of an item that can be re-exported.
fn ident(item: &Item) -> Option<String> {
    Some(match item {
        Item::Fn(it) => it.sig.ident.to_string(),
        Item::Const(it) => it.ident.to_string(),
        Item::Struct(it) => it.ident.to_string(),
        Item::Enum(it) => it.ident.to_string(),
        Item::Trait(it) => it.ident.to_string(),
        Item::Type(it) => it.ident.to_string(),
        Item::Static(it) => it.ident.to_string(),
        Item::Mod(it) => it.ident.to_string(),
        _ => return None,
    })
}

/// Collects the paths of a `use`, each with its name.
fn flatten(tree: &UseTree, path: &mut Vec<String>, leaves: &mut Vec<(Vec<String>, String)>) {
    let depth = path.len();
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            flatten(&part.tree, path, leaves);
        }
        UseTree::Name(part) => {
            path.push(part.ident.to_string());
            leaves.push((path.clone(), part.ident.to_string()));
        }
        UseTree::Rename(part) => {
            path.push(part.ident.to_string());
            leaves.push((path.clone(), part.rename.to_string()));
        }
        UseTree::Glob(_) => panic!("a re-export of all names cannot be read: {path:?}"),
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, path, leaves);
            }
        }
    }
    path.truncate(depth);
}
