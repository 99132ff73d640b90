//! What names that files import stand for: names of libraries, files of the project and their names.

use pytrope_semantic::ScopeId;
use pytrope_source::tree::StmtKind;
use rustc_hash::FxHashMap;

use crate::declaration::{Unit, UnitId, World};

/// What an imported name stands for.
#[derive(Clone)]
pub(super) enum Imported {
    /// `os`, `os.path`: a module or one of its names.
    Library(String),
    /// A name of another file of the project; `None` for the file itself.
    Project(UnitId, Option<String>),
}

/// The imports of all files, in functions too: `path` for `from os import path`.
#[derive(Default)]
pub(super) struct ImportTable {
    names: FxHashMap<(UnitId, String), Imported>,
    /// The files of `from other import *`.
    stars: FxHashMap<UnitId, Vec<UnitId>>,
}

impl ImportTable {
    /// The paths of libraries that files import.
    pub fn library_names(&self) -> impl Iterator<Item = &str> {
        self.names.values().filter_map(|imported| match imported {
            Imported::Library(path) => Some(path.as_str()),
            Imported::Project(..) => None,
        })
    }

    pub fn note_imports(&mut self, unit: &Unit) {
        let tree = &unit.tree;
        for stmt in tree.stmt_ids() {
            match tree[stmt].kind {
                StmtKind::Import { names } => {
                    for alias in &tree[names] {
                        let full = tree.text(alias.name.name);
                        let bound = match alias.asname {
                            Some(name) => tree.text(name.name),
                            None => full.split('.').next().unwrap_or(full),
                        };
                        let source = unit.meanings.module(bound).map(|source| source.id);
                        let imported = match source.or_else(|| unit.local_modules.get(bound).copied()) {
                            Some(source) => Imported::Project(source, None),
                            None if alias.asname.is_some() => Imported::Library(full.to_owned()),
                            None => Imported::Library(bound.to_owned()),
                        };
                        self.names.insert((unit.id, bound.to_owned()), imported);
                    }
                }
                StmtKind::ImportFrom { module, names, .. } => {
                    let module = module.map_or("", |module| tree.text(module.name));
                    for alias in &tree[names] {
                        let name = tree.text(alias.name.name);
                        let bound = tree.text(alias.asname.unwrap_or(alias.name).name);
                        let imported = match unit.sources.get(&stmt) {
                            Some(&source) if name == "*" => {
                                self.stars.entry(unit.id).or_default().push(source);
                                continue;
                            }
                            Some(&source) => Imported::Project(source, Some(name.to_owned())),
                            None => Imported::Library(format!("{module}.{name}")),
                        };
                        self.names.insert((unit.id, bound.to_owned()), imported);
                    }
                }
                _ => {}
            }
        }
    }

    /// What a name of a file stands for if the file imports it, by its name or with all others of a file.
    pub fn find_import(&self, world: &World, unit: &Unit, name: &str) -> Option<Imported> {
        if let Some(found) = self.names.get(&(unit.id, name.to_owned())) {
            return Some(found.clone());
        }
        if binds_name(unit, name) {
            return None;
        }
        let stars = self.stars.get(&unit.id).map_or(&[][..], Vec::as_slice);
        stars.iter().rev().find_map(|&source| {
            let other = world.unit(source);
            let found = binds_name(other, name) || self.find_import(world, other, name).is_some();
            found.then(|| Imported::Project(source, Some(name.to_owned())))
        })
    }
}

fn binds_name(unit: &Unit, name: &str) -> bool {
    !unit.names.definitions_of(ScopeId::MODULE, name).is_empty()
}
