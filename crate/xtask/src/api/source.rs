//! A crate's modules, parsed from its files. Test code is left out.

use std::collections::BTreeMap;
use std::path::Path;

use syn::{Attribute, Item, Meta};

use crate::shell::Result;

/// The modules of a crate; the first one is the root.
pub(super) struct Crate {
    pub(super) name: String,
    pub(super) modules: Vec<Module>,
}

/// A module: its own items, and the numbers of its children.
pub(super) struct Module {
    /// `None` for the root.
    pub(super) parent: Option<usize>,
    pub(super) children: BTreeMap<String, usize>,
    /// Declared `pub`, without a restriction.
    pub(super) is_public: bool,
    /// The attributes of its declaration.
    pub(super) attributes: Vec<Attribute>,
    /// All items but modules and test code.
    pub(super) items: Vec<Item>,
}

/// The place where a module is declared and defined.
struct Place<'a> {
    parent: Option<usize>,
    file: &'a Path,
    /// The folder of its children's files.
    folder: &'a Path,
    is_public: bool,
    attributes: Vec<Attribute>,
}

/// Gives a file's text, or `None` where there is no such file.
pub(super) type Read<'a> = &'a dyn Fn(&Path) -> Option<String>;

impl Crate {
    /// Parses the file of the root, then the files of all modules below it.
    pub(super) fn read(name: &str, root: &Path, read: Read) -> Result<Self> {
        let mut parsed = Self {
            name: name.to_owned(),
            modules: Vec::new(),
        };
        let file = syn_file(root, read)?;
        let folder = root.parent().unwrap_or(root).to_owned();
        let place = Place {
            parent: None,
            file: root,
            folder: &folder,
            is_public: true,
            attributes: Vec::new(),
        };
        parsed.add(name, place, file.items, read)?;
        Ok(parsed)
    }

    fn add(&mut self, name: &str, place: Place, items: Vec<Item>, read: Read) -> Result {
        let number = self.modules.len();
        let Place {
            parent,
            file,
            folder,
            is_public,
            attributes: declared,
        } = place;
        if let Some(parent) = parent {
            self.modules[parent]
                .children
                .insert(name.to_owned(), number);
        }
        let (modules, items): (Vec<_>, Vec<_>) = items
            .into_iter()
            .filter(|item| !is_test(attributes(item)))
            .partition(|item| matches!(item, Item::Mod(_)));
        self.modules.push(Module {
            parent,
            children: BTreeMap::new(),
            is_public,
            attributes: declared,
            items,
        });
        for module in modules {
            let Item::Mod(module) = module else { continue };
            let child = module.ident.to_string();
            if child == "tests" {
                continue;
            }
            if module.attrs.iter().any(|a| a.path().is_ident("path")) {
                return Err(format!(
                    "{}: module {child} has an attribute `path`, which is not followed",
                    file.display()
                ));
            }
            let below = folder.join(&child);
            let mut place = Place {
                parent: Some(number),
                file,
                folder: &below,
                is_public: matches!(module.vis, syn::Visibility::Public(_)),
                attributes: module.attrs,
            };
            if let Some((_, items)) = module.content {
                self.add(&child, place, items, read)?;
                continue;
            }
            let files = [below.with_extension("rs"), below.join("mod.rs")];
            let there = files.iter().find(|file| read(file).is_some());
            place.file =
                there.ok_or_else(|| format!("{}: module {child} has no file", file.display()))?;
            let items = syn_file(place.file, read)?.items;
            self.add(&child, place, items, read)?;
        }
        Ok(())
    }
}

fn syn_file(path: &Path, read: Read) -> Result<syn::File> {
    let text = read(path).ok_or_else(|| format!("there is no file {}", path.display()))?;
    syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Tells whether attributes leave an item to tests alone.
pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute
                    .parse_args::<Meta>()
                    .is_ok_and(|meta| needs_test(&meta))
    })
}

fn needs_test(meta: &Meta) -> bool {
    match meta {
        Meta::Path(path) => path.is_ident("test") || path.is_ident("doctest"),
        Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated)
            .is_ok_and(|all| all.iter().any(needs_test)),
        _ => false,
    }
}

/// Returns an item's attributes.
pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
