//! Definitions across modules: imports are followed to where a name is defined.

use rustc_hash::FxHashSet;

use crate::definition::{DefinitionId, DefinitionKind};
use crate::names::ModuleNames;
use pytrope_source::scopes::ScopeId;

/// The modules of a program.
pub trait ModuleTable {
    /// The module that imports call by a dotted name.
    fn names_of_module(&self, module: &str) -> Option<&ModuleNames>;
}

/// The definitions behind a dotted member such as `package.module.name`, through the imports of the modules on the
/// way: pairs of a module's dotted name and a definition in it that is no import of another module of the table.
///
/// An import that leads to no module of the table is itself the definition. Modules may import a name from each other;
/// each member is looked up once.
pub fn resolve_member(modules: &impl ModuleTable, member: &str) -> Vec<(String, DefinitionId)> {
    let mut found = Vec::new();
    add_definitions(modules, member, &mut FxHashSet::default(), &mut found);
    found
}

/// Whether the member leads into a module of the table.
fn add_definitions(
    modules: &impl ModuleTable,
    member: &str,
    seen: &mut FxHashSet<String>,
    found: &mut Vec<(String, DefinitionId)>,
) -> bool {
    if !seen.insert(member.to_owned()) {
        return true;
    }
    let Some((home, name)) = member.rsplit_once('.') else { return false };
    let Some(names) = modules.names_of_module(home) else { return false };
    let ids = names.definitions_of(ScopeId::MODULE, name);
    for &id in ids {
        let leads_on = match &names.definition(id).kind {
            DefinitionKind::Import(origin) => add_definitions(modules, origin, seen, found),
            _ => false,
        };
        if !leads_on {
            found.push((home.to_owned(), id));
        }
    }
    if ids.is_empty() {
        for star in names.star_imports() {
            add_definitions(modules, &format!("{star}.{name}"), seen, found);
        }
    }
    true
}
