//! The references of every module: each path in its code, and the module of the item that it names.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Stmt};

use super::names::{Import, Names, Target, imports};
use super::source::{Crate, attributes, is_test};

/// Use of an item of one module in another one.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// The module of the code.
    pub(super) from: usize,
    /// The module of the item.
    pub(super) to: usize,
    pub(super) line: usize,
    /// The path as it is written.
    pub(super) path: String,
}

/// Finds all references between modules of a crate.
pub(super) fn references(parsed: &Crate) -> Vec<Reference> {
    let names = Names::new(parsed);
    let mut found = Vec::new();
    for (module, source) in parsed.modules.iter().enumerate() {
        let mut finder = Finder {
            names: &names,
            module,
            locals: Vec::new(),
            found: &mut found,
        };
        for item in &source.items {
            finder.visit_item(item);
        }
    }
    found
}

struct Finder<'a> {
    names: &'a Names<'a>,
    module: usize,
    /// Imports of the blocks around the code, innermost last.
    locals: Vec<Vec<Import>>,
    found: &'a mut Vec<Reference>,
}

impl Finder<'_> {
    fn refer(&mut self, path: &[String], line: usize, is_macro: bool) {
        let targets = if is_macro {
            self.names.resolve_macro(self.module, path)
        } else {
            self.resolve(path)
        };
        for target in targets {
            // Who names a module alone, uses nothing of it yet.
            if let Target::Item(to) = target
                && to != self.module
            {
                self.found.push(Reference {
                    from: self.module,
                    to,
                    line,
                    path: path.join("::"),
                });
            }
        }
    }

    fn resolve(&self, path: &[String]) -> BTreeSet<Target> {
        let local = self.locals.iter().rev().flatten();
        let mut local = local.filter(|import| import.alias.as_deref() == Some(&path[0]));
        match local.next() {
            Some(import) => {
                let whole: Vec<_> = import.path.iter().chain(&path[1..]).cloned().collect();
                self.names.resolve(self.module, &whole)
            }
            None => self.names.resolve(self.module, path),
        }
    }

    fn refer_use(&mut self, item: &syn::ItemUse) {
        for import in imports(item) {
            if !import.path.is_empty() {
                self.refer(&import.path, item.use_token.span.start().line, false);
            }
        }
    }

    /// Finds paths among the tokens of a macro: words joined by `::`, but no fields or methods.
    fn scan(&mut self, tokens: TokenStream) {
        let mut path = Vec::new();
        let (mut line, mut colons, mut after_dot) = (0, 0, false);
        for token in tokens {
            match &token {
                TokenTree::Ident(ident) if colons == 2 || path.is_empty() => {
                    if path.is_empty() {
                        line = ident.span().start().line;
                    }
                    if !after_dot {
                        path.push(ident.to_string());
                    }
                    (colons, after_dot) = (0, false);
                    continue;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                    colons += 1;
                    if colons <= 2 {
                        continue;
                    }
                }
                _ => {}
            }
            self.end(&mut path, line);
            colons = 0;
            match token {
                TokenTree::Ident(ident) => {
                    line = ident.span().start().line;
                    if !after_dot {
                        path.push(ident.to_string());
                    }
                    after_dot = false;
                }
                TokenTree::Group(group) => {
                    self.scan(group.stream());
                    after_dot = false;
                }
                TokenTree::Punct(punct) => after_dot = punct.as_char() == '.',
                TokenTree::Literal(_) => after_dot = false,
            }
        }
        self.end(&mut path, line);
    }

    fn end(&mut self, path: &mut Vec<String>, line: usize) {
        if !path.is_empty() {
            self.refer(path, line, false);
            path.clear();
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.refer_use(item);
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes: &[Attribute] = match item {
            syn::ImplItem::Const(item) => &item.attrs,
            syn::ImplItem::Fn(item) => &item.attrs,
            syn::ImplItem::Type(item) => &item.attrs,
            _ => &[],
        };
        if !is_test(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if !is_test(&field.attrs) {
            visit::visit_field(self, field);
        }
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        if !is_test(&field.attrs) {
            visit::visit_field_value(self, field);
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        let uses = block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(syn::Item::Use(item)) => Some(imports(item)),
            _ => None,
        });
        self.locals.push(uses.flatten().collect());
        visit::visit_block(self, block);
        self.locals.pop();
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        let attributes: &[Attribute] = match statement {
            Stmt::Local(local) => &local.attrs,
            Stmt::Macro(stated) => &stated.attrs,
            Stmt::Expr(expression, _) => expression_attributes(expression),
            Stmt::Item(_) => &[],
        };
        if !is_test(attributes) {
            visit::visit_stmt(self, statement);
        }
    }

    fn visit_macro(&mut self, invoked: &'ast syn::Macro) {
        self.refer(&segments(&invoked.path), line(&invoked.path), true);
        self.scan(invoked.tokens.clone());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            self.refer(&segments(path), line(path), false);
        }
        visit::visit_path(self, path);
    }

    // Neither is a use of what it names.
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

fn line(path: &syn::Path) -> usize {
    let first = path.segments.first();
    first.map_or(0, |segment| segment.ident.span().start().line)
}

fn segments(path: &syn::Path) -> Vec<String> {
    let segments = path.segments.iter();
    segments.map(|segment| segment.ident.to_string()).collect()
}

/// Returns the attributes of those expressions that are used as statements.
fn expression_attributes(expression: &Expr) -> &[Attribute] {
    match expression {
        Expr::Assign(expression) => &expression.attrs,
        Expr::Binary(expression) => &expression.attrs,
        Expr::Block(expression) => &expression.attrs,
        Expr::Call(expression) => &expression.attrs,
        Expr::ForLoop(expression) => &expression.attrs,
        Expr::If(expression) => &expression.attrs,
        Expr::Macro(expression) => &expression.attrs,
        Expr::Match(expression) => &expression.attrs,
        Expr::MethodCall(expression) => &expression.attrs,
        Expr::Return(expression) => &expression.attrs,
        _ => &[],
    }
}
