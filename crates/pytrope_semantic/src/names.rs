//! The definitions of one module by scope and name, and what a name means where it is read.

use pytrope_source::Tree;
use pytrope_source::scopes::{ScopeId, Scopes};
use pytrope_source::tree::{ExprId, ExprKind, StmtId};
use rustc_hash::FxHashMap;

use crate::builtins::is_builtin;
use crate::collect::{Collected, collect_definitions, is_read};
use crate::definition::{Definition, DefinitionId, DefinitionKind};
use crate::scoping::{owner_of, scope_of_expr};

/// How many aliases are followed: `a = b; b = c` and so on.
const ALIAS_DEPTH: u32 = 8;

/// The names of a module.
pub struct ModuleNames {
    definitions: Vec<Definition>,
    /// By scope, then name.
    by_name: Vec<FxHashMap<Box<str>, Vec<DefinitionId>>>,
    /// The start of the identifier.
    by_start: FxHashMap<u32, DefinitionId>,
    /// The scope that a read name belongs to, by the expression.
    owners: FxHashMap<ExprId, ScopeId>,
    uses: FxHashMap<(ScopeId, Box<str>), Vec<ExprId>>,
    attributes: FxHashMap<StmtId, FxHashMap<Box<str>, Vec<Definition>>>,
    stars: Vec<String>,
}

impl ModuleNames {
    /// The names of a module by its tree and scopes; relative imports are resolved by its own dotted name.
    pub fn of(tree: &Tree, scopes: &Scopes, module: &str, is_package: bool) -> Self {
        let Collected { definitions, attributes: found, stars } = collect_definitions(tree, scopes, module, is_package);
        let scope_count = scopes.iter().count();
        let mut by_name: Vec<FxHashMap<Box<str>, Vec<DefinitionId>>> = vec![FxHashMap::default(); scope_count];
        let mut by_start = FxHashMap::default();
        for (number, definition) in definitions.iter().enumerate() {
            let id = DefinitionId(number as u32);
            by_name[definition.scope.0 as usize].entry(definition.name.clone()).or_default().push(id);
            by_start.insert(definition.range.start, id);
        }
        let mut attributes: FxHashMap<StmtId, FxHashMap<Box<str>, Vec<Definition>>> = FxHashMap::default();
        for attribute in found {
            let of_class = attributes.entry(attribute.class).or_default();
            of_class.entry(attribute.definition.name.clone()).or_default().push(attribute.definition);
        }
        let mut names = Self {
            definitions,
            by_name,
            by_start,
            owners: FxHashMap::default(),
            uses: FxHashMap::default(),
            attributes,
            stars,
        };
        for expr in tree.expr_ids().filter(|&expr| is_read(tree, expr)) {
            let Some(name) = tree.as_name(expr) else { continue };
            let name = tree.text(name);
            if let Some(owner) = names.owner(tree, scopes, scope_of_expr(tree, scopes, expr), name) {
                names.owners.insert(expr, owner);
                names.uses.entry((owner, name.into())).or_default().push(expr);
            }
        }
        names
    }

    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = (DefinitionId, &Definition)> {
        (0u32..).map(DefinitionId).zip(&self.definitions)
    }

    /// The definition whose identifier starts at an offset.
    pub fn definition_at(&self, start: u32) -> Option<DefinitionId> {
        self.by_start.get(&start).copied()
    }

    /// The definitions of a name that a scope owns, whatever code makes them.
    pub fn definitions_of(&self, scope: ScopeId, name: &str) -> &[DefinitionId] {
        self.by_name[scope.0 as usize].get(name).map_or(&[], Vec::as_slice)
    }

    /// All names of a scope with their definitions, sorted by name.
    pub fn names_of(&self, scope: ScopeId) -> Vec<(&str, &[DefinitionId])> {
        let mut found: Vec<_> =
            self.by_name[scope.0 as usize].iter().map(|(name, ids)| (&**name, ids.as_slice())).collect();
        found.sort_unstable_by_key(|(name, _)| *name);
        found
    }

    /// The scope that owns a name which code of a scope reads: the innermost that binds it, as Python looks.
    pub fn owner(&self, tree: &Tree, scopes: &Scopes, from: ScopeId, name: &str) -> Option<ScopeId> {
        let binds = |scope: ScopeId| self.by_name[scope.0 as usize].contains_key(name);
        owner_of(scopes, from, &binds, &|id| tree.text(id) == name)
    }

    /// The scope that owns the name that an expression reads; `None` for built-ins and what star-imports bring.
    pub fn owner_of_use(&self, expr: ExprId) -> Option<ScopeId> {
        self.owners.get(&expr).copied()
    }

    /// Where a name of a scope is read, in the whole module, in the order of expressions.
    pub fn uses_of(&self, scope: ScopeId, name: &str) -> &[ExprId] {
        self.uses.get(&(scope, name.into())).map_or(&[], Vec::as_slice)
    }

    /// Where an attribute of a class is bound: in its body, or through the first parameter of its methods.
    pub fn attribute_definitions(&self, class: StmtId, name: &str) -> &[Definition] {
        self.attributes.get(&class).and_then(|names| names.get(name)).map_or(&[], Vec::as_slice)
    }

    /// Every definition of an attribute with its class; those of one attribute are in the order of their statements.
    pub fn attributes(&self) -> impl Iterator<Item = (StmtId, &Definition)> {
        self.attributes
            .iter()
            .flat_map(|(&class, names)| names.values().flatten().map(move |definition| (class, definition)))
    }

    /// The modules that star-imports name.
    pub fn star_imports(&self) -> &[String] {
        &self.stars
    }

    /// What a name or attribute is called where it comes from: `np.linalg.norm` is `numpy.linalg.norm`, `print` is
    /// `builtins.print`. `None` where it is no import, built-in or alias of one.
    pub fn qualified_name(&self, tree: &Tree, expr: ExprId) -> Option<String> {
        self.qualified_within(tree, expr, ALIAS_DEPTH)
    }

    fn qualified_within(&self, tree: &Tree, expr: ExprId, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        match tree[expr].kind {
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                let Some(owner) = self.owner_of_use(expr) else {
                    return Some(match self.stars.first() {
                        Some(star) if !is_builtin(name) => format!("{star}.{name}"),
                        _ => format!("builtins.{name}"),
                    });
                };
                let ids = self.definitions_of(owner, name);
                let bound: Vec<&Definition> =
                    ids.iter().map(|&id| self.definition(id)).filter(|found| found.kind.binds_value()).collect();
                let mut found = None;
                for definition in &bound {
                    let origin = match &definition.kind {
                        DefinitionKind::Import(origin) => origin.clone(),
                        DefinitionKind::Value(value)
                            if bound.len() == 1
                                && matches!(tree[*value].kind, ExprKind::Name { .. } | ExprKind::Attribute { .. }) =>
                        {
                            self.qualified_within(tree, *value, depth)?
                        }
                        _ => return None,
                    };
                    found.get_or_insert(origin);
                }
                found
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let base = self.qualified_within(tree, value, depth)?;
                (!base.starts_with("builtins.")).then(|| format!("{base}.{}", tree.text(attribute.name)))
            }
            _ => None,
        }
    }
}
