//! The public items of a crate, a line each: what a user of the crate can name.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, ImplItem, Item, TraitItem, Visibility};

use super::names::{Names, Target, imports, name};
use super::source::{Crate, attributes};
use crate::shell::Result;

/// Lists all items that can be reached from the root, sorted, with their signatures, fields, variants, methods and traits.
pub(super) fn list(parsed: &Crate) -> Result<Vec<String>> {
    let mut lister = Lister {
        parsed,
        names: Names::new(parsed),
        open: Vec::new(),
        lines: Vec::new(),
    };
    lister.module(0, &parsed.name, "")?;
    lister.lines.sort();
    lister.lines.dedup();
    let lines = lister.lines.into_iter();
    Ok(lines
        .map(|(path, line)| format!("{path}: {line}"))
        .collect())
}

struct Lister<'a> {
    parsed: &'a Crate,
    names: Names<'a>,
    /// Modules that are being listed: re-exports may point at each other.
    open: Vec<usize>,
    /// Paths, and what stands there.
    lines: Vec<(String, String)>,
}

impl Lister<'_> {
    fn module(&mut self, module: usize, path: &str, condition: &str) -> Result {
        if self.open.contains(&module) {
            return Ok(());
        }
        self.open.push(module);
        let source = &self.parsed.modules[module];
        for (name, &child) in &source.children {
            if self.parsed.modules[child].is_public {
                let attributes = &self.parsed.modules[child].attributes;
                let condition = with_condition(condition, attributes);
                self.module(child, &format!("{path}::{name}"), &condition)?;
            }
        }
        for item in &source.items {
            let condition = &with_condition(condition, attributes(item));
            if let Item::Use(reexport) = item {
                if is_public(&reexport.vis) {
                    self.reexport(module, path, reexport, condition)?;
                }
            } else if let Some(name) = name(item).filter(|_| has_public_name(item)) {
                self.item(module, item, &format!("{path}::{name}"), condition);
            }
        }
        self.open.pop();
        Ok(())
    }

    fn reexport(
        &mut self,
        module: usize,
        path: &str,
        reexport: &syn::ItemUse,
        condition: &str,
    ) -> Result {
        for import in imports(reexport) {
            let written = import.path.join("::");
            let (Some(alias), Some(last)) = (&import.alias, import.path.last()) else {
                return Err(format!(
                    "{path}: a public glob, {written}::*, is not followed"
                ));
            };
            let path = format!("{path}::{alias}");
            let targets = self.names.resolve(module, &import.path);
            if targets.is_empty() {
                self.lines
                    .push((path.clone(), format!("{condition}use {written}")));
            }
            for target in targets {
                match target {
                    Target::Module(at) => self.module(at, &path, condition)?,
                    Target::Item(at) => {
                        let items = &self.parsed.modules[at].items;
                        let defined = items.iter().find(|item| name(item).as_ref() == Some(last));
                        let defined = defined.ok_or_else(|| {
                            format!(
                                "{path}: {written} is renamed on its way, which is not followed"
                            )
                        })?;
                        self.item(at, defined, &path, condition);
                    }
                }
            }
        }
        Ok(())
    }

    fn item(&mut self, module: usize, item: &Item, path: &str, condition: &str) {
        let marks = marks(attributes(item));
        let mut line = |path: &str, text: String| {
            self.lines
                .push((path.to_owned(), format!("{condition}{text}")));
        };
        match item {
            Item::Const(item) => line(path, format!("const {}", text(&item.ty))),
            Item::Static(item) => line(path, format!("static {}", text(&item.ty))),
            Item::Type(item) => line(path, format!("type = {}", text(&item.ty))),
            Item::Fn(item) => line(path, marks + &function(&item.sig)),
            Item::Macro(_) => line(path, "macro".to_owned()),
            Item::Enum(item) => {
                line(path, format!("{marks}enum{}", text(&item.generics)));
                for variant in &item.variants {
                    let path = format!("{path}::{}", variant.ident);
                    line(&path, format!("variant{}", text(&variant.fields)));
                }
            }
            Item::Struct(item) => {
                line(path, format!("{marks}struct{}", text(&item.generics)));
                for (number, field) in item.fields.iter().enumerate() {
                    if is_public(&field.vis) {
                        let name = field.ident.as_ref().map(ToString::to_string);
                        let name = name.unwrap_or_else(|| number.to_string());
                        line(
                            &format!("{path}.{name}"),
                            format!("field {}", text(&field.ty)),
                        );
                    }
                }
            }
            Item::Trait(item) => {
                line(path, format!("{marks}trait{}", text(&item.generics)));
                for member in &item.items {
                    match member {
                        TraitItem::Fn(member) => {
                            let kind = if member.default.is_some() {
                                "provided "
                            } else {
                                ""
                            };
                            let path = format!("{path}::{}", member.sig.ident);
                            line(&path, format!("{kind}{}", function(&member.sig)));
                        }
                        other => line(path, format!("has {}", text(other))),
                    }
                }
            }
            other => line(path, text(other)),
        }
        if matches!(item, Item::Struct(_) | Item::Enum(_)) {
            self.implementations(module, item, path, condition);
        }
    }

    /// Lists the methods and traits of a type, in whichever module they are implemented.
    fn implementations(&mut self, module: usize, item: &Item, path: &str, condition: &str) {
        let Some(own_name) = name(item) else { return };
        for (at, source) in self.parsed.modules.iter().enumerate() {
            for block in &source.items {
                let Item::Impl(block) = block else { continue };
                let syn::Type::Path(own) = &*block.self_ty else {
                    continue;
                };
                let segments = own.path.segments.iter();
                let written: Vec<_> = segments.map(|part| part.ident.to_string()).collect();
                let is_own = written.last() == Some(&own_name)
                    && self
                        .names
                        .resolve(at, &written)
                        .contains(&Target::Item(module));
                if !is_own {
                    continue;
                }
                let condition = with_condition(condition, &block.attrs);
                if let Some((implemented, _)) = &block.trait_ {
                    let line = format!("{condition}impl {}", text(implemented));
                    self.lines.push((path.to_owned(), line));
                    continue;
                }
                for member in &block.items {
                    let (name, attributes, text) = match member {
                        ImplItem::Fn(f) if is_public(&f.vis) => {
                            (&f.sig.ident, &f.attrs, marks(&f.attrs) + &function(&f.sig))
                        }
                        ImplItem::Const(c) if is_public(&c.vis) => {
                            (&c.ident, &c.attrs, format!("const {}", text(&c.ty)))
                        }
                        _ => continue,
                    };
                    let condition = with_condition(&condition, attributes);
                    let line = format!("{condition}{text}");
                    self.lines.push((format!("{path}::{name}"), line));
                }
            }
        }
    }
}

fn function(signature: &syn::Signature) -> String {
    let mut signature = signature.clone();
    // A parameter's pattern is the function's own business; only its name is kept.
    for input in &mut signature.inputs {
        match input {
            // Of `mut self`; a reference's own is of its kind.
            syn::FnArg::Receiver(own) => own.mutability = None,
            syn::FnArg::Typed(input) => {
                input.attrs.clear();
                if let syn::Pat::Ident(pattern) = &mut *input.pat {
                    pattern.mutability = None;
                }
            }
        }
    }
    let name = format!("fn {}", signature.ident);
    text(&signature).replacen(&name, "fn", 1)
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn has_public_name(item: &Item) -> bool {
    let visibility = match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        Item::Macro(item) => return item.attrs.iter().any(|a| a.path().is_ident("macro_export")),
        _ => return false,
    };
    is_public(visibility)
}

/// Adds the features and targets without which there is no such item.
fn with_condition(outer: &str, attributes: &[Attribute]) -> String {
    let conditions = attributes.iter().filter(|a| a.path().is_ident("cfg"));
    let conditions = conditions.map(|condition| text(condition) + " ");
    let own: String = conditions
        .filter(|condition| !outer.contains(condition.as_str()))
        .collect();
    outer.to_owned() + &own
}

/// Writes the attributes on which a user's code may depend.
fn marks(attributes: &[Attribute]) -> String {
    let marked = |attribute: &&Attribute| {
        let names = ["derive", "non_exhaustive", "must_use", "repr", "deprecated"];
        names.iter().any(|name| attribute.path().is_ident(name))
    };
    let marked = attributes.iter().filter(marked);
    marked.map(|attribute| text(attribute) + " ").collect()
}

/// Writes tokens on one line, without documentation and with few blanks.
fn text(tokens: &impl ToTokens) -> String {
    let mut text = String::new();
    let spaced = without_documentation(tokens.to_token_stream()).to_string();
    for word in spaced.split_whitespace() {
        let closes = word.starts_with(['>', ',', ')', ']', ';', ':', '.', '<', '(', '?']);
        let is_open = text.ends_with(['(', '[', '<', '&', '#', '\'']) || text.ends_with("::");
        let is_after_arrow = text.ends_with("->") || text.ends_with('=') || text.ends_with(',');
        if !text.is_empty() && (is_after_arrow || !closes && !is_open) {
            text.push(' ');
        }
        text.push_str(word);
    }
    // A comma at the end is the formatter's.
    text.replace(",)", ")").replace(", }", " }")
}

/// Leaves out attributes of documentation, which fields of variants have.
pub(super) fn without_documentation(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            kept.push(token);
            continue;
        };
        let is_documentation = group.stream().to_string().starts_with("doc =");
        let is_attribute = |last: &TokenTree| last.to_string() == "#";
        if is_documentation && kept.last().is_some_and(is_attribute) {
            kept.pop();
        } else {
            let inner = without_documentation(group.stream());
            kept.push(Group::new(group.delimiter(), inner).into());
        }
    }
    kept.into_iter().collect()
}
