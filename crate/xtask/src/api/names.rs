//! The names of every module, and the module in which a path's item is defined.

use std::collections::BTreeSet;

use syn::{Item, UseTree};

use super::source::Crate;

/// The end of a path inside the crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// A module.
    Module(usize),
    /// An item of that module.
    Item(usize),
}

/// One name that a `use` brings into scope.
#[derive(Clone, Debug)]
pub(super) struct Import {
    /// `None` for a glob.
    pub(super) alias: Option<String>,
    pub(super) path: Vec<String>,
}

/// All names of a crate.
pub(super) struct Names<'a> {
    parsed: &'a Crate,
    scopes: Vec<Scope>,
}

/// The names of one module, but for its children.
#[derive(Default)]
struct Scope {
    items: BTreeSet<String>,
    imports: Vec<Import>,
    /// True where a macro is called in the place of an item: it may define any name.
    calls_macro: bool,
}

/// Pairs of module and name that are being looked up: globs may point at each other.
type Guard = Vec<(usize, String)>;

impl<'a> Names<'a> {
    /// Collects the names of all modules.
    pub(super) fn new(parsed: &'a Crate) -> Self {
        let scopes = parsed.modules.iter().map(|module| {
            let mut scope = Scope::default();
            for item in &module.items {
                if let Item::Use(item) = item {
                    scope.imports.extend(imports(item));
                } else if matches!(item, Item::Macro(call) if call.ident.is_none()) {
                    scope.calls_macro = true;
                } else if let Some(name) = name(item) {
                    scope.items.insert(name);
                }
            }
            scope
        });
        Self {
            parsed,
            scopes: scopes.collect(),
        }
    }

    /// Follows a path from a module, through re-exports, to all that it can mean. Paths of other crates lead nowhere.
    pub(super) fn resolve(&self, module: usize, path: &[String]) -> BTreeSet<Target> {
        self.follow(module, path, &mut Vec::new())
    }

    fn follow(&self, module: usize, path: &[String], guard: &mut Guard) -> BTreeSet<Target> {
        let Some((first, rest)) = path.split_first() else {
            return BTreeSet::from([Target::Module(module)]);
        };
        let mut targets = match first.as_str() {
            "crate" => BTreeSet::from([Target::Module(0)]),
            "self" => BTreeSet::from([Target::Module(module)]),
            "super" => {
                let parent = self.parsed.modules[module].parent;
                parent.map(Target::Module).into_iter().collect()
            }
            name => self.look_up(module, name, guard),
        };
        for segment in rest {
            let next = targets.into_iter().flat_map(|target| match target {
                Target::Module(at) if segment == "super" => {
                    let parent = self.parsed.modules[at].parent;
                    parent.map(Target::Module).into_iter().collect()
                }
                Target::Module(at) => self.look_up_or_made(at, segment, guard),
                // A variant, or an associated item: the type's module stands for it.
                item @ Target::Item(_) => BTreeSet::from([item]),
            });
            targets = next.collect();
        }
        targets
    }

    /// Looks up a name that a path says is in the module. A name that no item has there is one that a macro made.
    fn look_up_or_made(&self, module: usize, name: &str, guard: &mut Guard) -> BTreeSet<Target> {
        let found = self.look_up(module, name, guard);
        if found.is_empty() && self.scopes[module].calls_macro {
            return BTreeSet::from([Target::Item(module)]);
        }
        found
    }

    fn look_up(&self, module: usize, name: &str, guard: &mut Guard) -> BTreeSet<Target> {
        let visit = (module, name.to_owned());
        if guard.contains(&visit) {
            return BTreeSet::new();
        }
        guard.push(visit);
        let scope = &self.scopes[module];
        let mut found = BTreeSet::new();
        if let Some(&child) = self.parsed.modules[module].children.get(name) {
            found.insert(Target::Module(child));
        }
        if scope.items.contains(name) {
            found.insert(Target::Item(module));
        }
        for import in &scope.imports {
            if import.alias.as_deref() == Some(name) {
                found.extend(self.follow(module, &import.path, guard));
            }
        }
        if found.is_empty() {
            for glob in scope.imports.iter().filter(|use_| use_.alias.is_none()) {
                for target in self.follow(module, &glob.path, guard) {
                    if let Target::Module(at) = target {
                        found.extend(self.look_up(at, name, guard));
                    }
                }
            }
        }
        guard.pop();
        found
    }
}

/// Takes a `use` apart. Paths that begin with `::` are of other crates.
pub(super) fn imports(item: &syn::ItemUse) -> Vec<Import> {
    let mut found = Vec::new();
    if item.leading_colon.is_none() {
        collect(&item.tree, &mut Vec::new(), &mut found);
    }
    found
}

fn collect(tree: &UseTree, prefix: &mut Vec<String>, found: &mut Vec<Import>) {
    let mut add = |alias: Option<String>, last: Option<String>| {
        found.push(Import {
            alias,
            path: prefix.iter().cloned().chain(last).collect(),
        });
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            collect(&path.tree, prefix, found);
            prefix.pop();
        }
        UseTree::Name(name) if name.ident == "self" => add(prefix.last().cloned(), None),
        UseTree::Name(name) => add(Some(name.ident.to_string()), Some(name.ident.to_string())),
        UseTree::Rename(rename) => {
            let last = (rename.ident != "self").then(|| rename.ident.to_string());
            add(Some(rename.rename.to_string()), last);
        }
        UseTree::Glob(_) => add(None, None),
        UseTree::Group(group) => {
            for tree in &group.items {
                collect(tree, prefix, found);
            }
        }
    }
}

/// Returns the name that an item defines.
pub(super) fn name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}
