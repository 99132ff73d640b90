//! What the modules of a crate define: types with their fields, methods, and names that are passed on by `pub use`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::rust_sources::{RustFile, is_test_only};

/// A method of a type of the crate: where it is defined, and the type that it returns if that can be read off.
pub(super) struct MethodDefinition {
    pub module: String,
    pub returns: Option<String>,
}

/// The definitions of a crate.
#[derive(Default)]
pub(super) struct CrateDefinitions {
    pub modules: BTreeSet<String>,
    /// Items by module and name.
    items: BTreeSet<(String, String)>,
    /// `use` declarations by module and the name they bind: the path they lead to.
    uses: HashMap<(String, String), Vec<String>>,
    /// The types of fields, by type and field.
    fields: HashMap<(String, String), String>,
    methods: HashMap<(String, String), MethodDefinition>,
    /// The types that define a method, by its name.
    owners: HashMap<String, BTreeSet<String>>,
    types: BTreeSet<String>,
}

impl CrateDefinitions {
    pub fn collect(files: &[RustFile]) -> Self {
        let mut found = Self::default();
        for file in files {
            found.modules.insert(file.module.clone());
        }
        for file in files {
            for item in &file.syntax.items {
                found.add_item(&file.module, item);
            }
        }
        found
    }

    fn add_item(&mut self, module: &str, item: &syn::Item) {
        let mut define = |name: &syn::Ident| {
            self.items.insert((module.to_owned(), name.to_string()));
        };
        match item {
            syn::Item::Struct(item) => {
                define(&item.ident);
                self.types.insert(item.ident.to_string());
                for (index, field) in item.fields.iter().enumerate() {
                    let name = field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string);
                    if let Some(ty) = type_name(&field.ty) {
                        self.fields.insert((item.ident.to_string(), name), ty);
                    }
                }
            }
            syn::Item::Enum(item) => {
                define(&item.ident);
                self.types.insert(item.ident.to_string());
            }
            syn::Item::Trait(item) => define(&item.ident),
            syn::Item::Type(item) => define(&item.ident),
            syn::Item::Fn(item) => define(&item.sig.ident),
            syn::Item::Const(item) => define(&item.ident),
            syn::Item::Static(item) => define(&item.ident),
            syn::Item::Macro(item) => item.ident.iter().for_each(define),
            syn::Item::Use(item) => {
                for (name, path) in use_paths(&item.tree) {
                    self.uses.insert((module.to_owned(), name), path);
                }
            }
            syn::Item::Impl(item) if item.trait_.is_none() && !is_test_only(&item.attrs) => {
                let Some(owner) = type_name(&item.self_ty) else { return };
                for member in &item.items {
                    if let syn::ImplItem::Fn(method) = member {
                        let returns = match &method.sig.output {
                            syn::ReturnType::Type(_, ty) => {
                                type_name(ty).map(|name| if name == "Self" { owner.clone() } else { name })
                            }
                            syn::ReturnType::Default => None,
                        };
                        let name = method.sig.ident.to_string();
                        self.owners.entry(name.clone()).or_default().insert(owner.clone());
                        self.methods
                            .insert((owner.clone(), name), MethodDefinition { module: module.to_owned(), returns });
                    }
                }
            }
            _ => {}
        }
    }

    pub fn method(&self, owner: &str, name: &str) -> Option<&MethodDefinition> {
        self.methods.get(&(owner.to_owned(), name.to_owned()))
    }

    /// The only type of the crate that has a method of this name.
    pub fn only_owner(&self, method: &str) -> Option<&str> {
        let owners = self.owners.get(method)?;
        if owners.len() == 1 { owners.first().map(String::as_str) } else { None }
    }

    pub fn field(&self, owner: &str, name: &str) -> Option<&str> {
        self.fields.get(&(owner.to_owned(), name.to_owned())).map(String::as_str)
    }

    pub fn is_type(&self, name: &str) -> bool {
        self.types.contains(name)
    }

    /// The methods of one type, by module.
    pub fn methods_by_module(&self, owner: &str) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for ((ty, _), method) in &self.methods {
            if ty == owner {
                *counts.entry(method.module.as_str()).or_default() += 1;
            }
        }
        counts
    }

    /// The module that defines what a path inside a module means, and the name of the item; `None` for other crates.
    pub fn resolve(&self, module: &str, path: &[String]) -> Option<(String, String)> {
        self.resolve_path(module, path, 16)
    }

    fn resolve_path(&self, module: &str, path: &[String], depth: usize) -> Option<(String, String)> {
        let depth = depth.checked_sub(1)?;
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => String::new(),
            "self" => module.to_owned(),
            "super" => parent(module)?,
            _ => {
                let child = join(module, first);
                if self.modules.contains(&child) {
                    child
                } else if let Some(target) = self.uses.get(&(module.to_owned(), first.clone())) {
                    if target.first() == Some(first) {
                        return None;
                    }
                    let path: Vec<String> = target.iter().chain(rest).cloned().collect();
                    return self.resolve_path(module, &path, depth);
                } else if self.items.contains(&(module.to_owned(), first.clone())) {
                    return Some((module.to_owned(), first.clone()));
                } else {
                    return None;
                }
            }
        };
        loop {
            let Some((next, after)) = rest.split_first() else { return Some((at, "self".to_owned())) };
            rest = after;
            if next == "super" {
                at = parent(&at)?;
                continue;
            }
            let child = join(&at, next);
            if self.modules.contains(&child) {
                at = child;
                continue;
            }
            if self.items.contains(&(at.clone(), next.clone())) {
                return Some((at, next.clone()));
            }
            if let Some(target) = self.uses.get(&(at.clone(), next.clone())) {
                let path: Vec<String> = target.iter().chain(rest).cloned().collect();
                return self.resolve_path(&at, &path, depth);
            }
            return Some((at, next.clone()));
        }
    }
}

fn join(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

fn parent(module: &str) -> Option<String> {
    if module.is_empty() {
        return None;
    }
    Some(module.rsplit_once("::").map_or_else(String::new, |(parent, _)| parent.to_owned()))
}

/// The names that a `use` binds and the paths they stand for; a glob binds `*`.
pub(super) fn use_paths(tree: &syn::UseTree) -> Vec<(String, Vec<String>)> {
    let mut paths = Vec::new();
    add_use_paths(tree, &mut Vec::new(), &mut paths);
    paths
}

fn add_use_paths(tree: &syn::UseTree, prefix: &mut Vec<String>, paths: &mut Vec<(String, Vec<String>)>) {
    let with = |prefix: &[String], name: &syn::Ident| {
        let mut path = prefix.to_vec();
        if name != "self" {
            path.push(name.to_string());
        }
        path
    };
    match tree {
        syn::UseTree::Path(tree) => {
            prefix.push(tree.ident.to_string());
            add_use_paths(&tree.tree, prefix, paths);
            prefix.pop();
        }
        syn::UseTree::Name(tree) => {
            let path = with(prefix, &tree.ident);
            paths.push((path.last().cloned().unwrap_or_default(), path));
        }
        syn::UseTree::Rename(tree) => paths.push((tree.rename.to_string(), with(prefix, &tree.ident))),
        syn::UseTree::Glob(_) => paths.push(("*".to_owned(), prefix.clone())),
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                add_use_paths(tree, prefix, paths);
            }
        }
    }
}

/// The name of a type behind references and smart pointers.
pub(super) fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Reference(inner) => type_name(&inner.elem),
        syn::Type::Paren(inner) => type_name(&inner.elem),
        syn::Type::Path(path) => {
            let last = path.path.segments.last()?;
            if matches!(last.ident.to_string().as_str(), "Arc" | "Rc" | "Box" | "RefMut" | "Ref" | "Cow")
                && let syn::PathArguments::AngleBracketed(arguments) = &last.arguments
            {
                return arguments.args.iter().find_map(|argument| match argument {
                    syn::GenericArgument::Type(ty) => type_name(ty),
                    _ => None,
                });
            }
            Some(last.ident.to_string())
        }
        _ => None,
    }
}
