//! Attributes that may hold functions: what `x.name()` runs if some object of the program keeps a function as its `name`.
//!
//! ```python
//! class Source:
//!     def __init__(self, get):
//!         self.get = get  # `source.get()` is no method of a builtin value
//! ```
//!
//! Which class an object has is not followed. A name that some statement may bind to a function is not known as a method of any object.

use pytrope_source::tree::{Context, ExprId, ExprKind, Parent, StmtKind};
use rustc_hash::FxHashSet;

use super::{Callee, Effects, PlainFunction, is_pure_path, summary_parameters, tables};
use crate::declaration::{Meaning, Unit, World};

/// The attributes of plain objects that may hold functions.
#[derive(Default)]
pub(super) struct FunctionAttributes {
    names: FxHashSet<String>,
    /// Something is stored by a name that is not in sight.
    any: bool,
}

impl Effects {
    /// Whether an attribute of this name may hold a function.
    pub fn holds_function(&self, name: &str) -> bool {
        self.function_attributes.any || self.function_attributes.names.contains(name)
    }

    /// Whether calling an instance of a class, or of one derived from it, runs code of the program.
    fn is_callable_class(&self, world: &World, class: PlainFunction) -> bool {
        self.find_method(world, class, "__call__").is_some()
            || !self.methods_named("__call__").is_empty() && {
                let calls = self
                    .methods_named("__call__")
                    .iter()
                    .filter_map(|&(unit, stmt)| Some((unit, world.unit(unit).tree.enclosing(stmt)?)));
                calls.into_iter().any(|derived| self.class_lineage(world, derived).contains(&class))
            }
    }
}

pub(super) fn find_function_attributes(world: &World, effects: &Effects) -> FunctionAttributes {
    let mut found = FunctionAttributes::default();
    for unit in &world.units {
        let finder = FunctionFinder { world, effects, unit };
        for expr in unit.tree.expr_ids() {
            finder.note_expr(expr, &mut found);
        }
        for stmt in unit.tree.stmt_ids() {
            if let StmtKind::ClassDef(class) = unit.tree[stmt].kind {
                unit.tree[class.body].iter().for_each(|&inner| finder.note_class_statement(inner, &mut found));
            }
        }
    }
    found
}

struct FunctionFinder<'a> {
    world: &'a World,
    effects: &'a Effects,
    unit: &'a Unit,
}

/// Names of names beyond this are taken to hold functions.
const DEPTH: usize = 6;

impl FunctionFinder<'_> {
    fn note_class_statement(&self, stmt: pytrope_source::tree::StmtId, found: &mut FunctionAttributes) {
        let tree = &self.unit.tree;
        match tree[stmt].kind {
            StmtKind::Assign { targets, value } if self.may_be_function(value, DEPTH) => {
                for &target in &tree[targets] {
                    let names = self.unit.exprs_within(tree[target].range).filter_map(|part| tree.as_name(part));
                    found.names.extend(names.map(|name| tree.text(name).to_owned()));
                }
            }
            StmtKind::AnnAssign { target, annotation, value, .. } => {
                let held = value.is_some_and(|value| self.may_be_function(value, DEPTH));
                if let (Some(name), true) = (tree.as_name(target), held || self.may_name_function(annotation)) {
                    found.names.insert(tree.text(name).to_owned());
                }
            }
            // Methods of a branch are not among those of the class.
            StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::With { .. }
            | StmtKind::Try { .. } => {
                for inner in tree.stmt_ids().filter(|&inner| tree[stmt].range.contains_range(tree[inner].range)) {
                    match tree[inner].kind {
                        StmtKind::FunctionDef(function) => {
                            found.names.insert(tree.text(function.name.name).to_owned());
                        }
                        _ if inner != stmt => self.note_class_statement(inner, found),
                        _ => {}
                    }
                }
            }
            StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } => {
                for alias in &tree[names] {
                    let bound = alias.asname.map_or(alias.name.name, |name| name.name);
                    found.names.insert(tree.text(bound).to_owned());
                }
            }
            _ => {}
        }
    }

    fn note_expr(&self, expr: ExprId, found: &mut FunctionAttributes) {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::Attribute { attribute, context: Context::Store, .. } => {
                let held = match tree[expr].parent {
                    Parent::Stmt(stmt) => match tree[stmt].kind {
                        StmtKind::Assign { value, .. } => self.may_be_function(value, DEPTH),
                        StmtKind::AnnAssign { annotation, value, .. } => {
                            self.may_name_function(annotation)
                                || value.is_some_and(|value| self.may_be_function(value, DEPTH))
                        }
                        StmtKind::AugAssign { .. } => false,
                        _ => true,
                    },
                    _ => true,
                };
                if held {
                    found.names.insert(tree.text(attribute.name).to_owned());
                }
            }
            ExprKind::Call { function, arguments } => {
                match self.effects.resolve_callee(self.world, self.unit, function) {
                    Callee::Builtin(name) if name == "setattr" => match tree[arguments.positional].get(1) {
                        Some(&name) if matches!(tree[name].kind, ExprKind::Str(_)) => {
                            found.names.insert(self.unit.expr_text(name).trim_matches(is_quote).to_owned());
                        }
                        _ => found.any = true,
                    },
                    Callee::Library(path) if path == "types.SimpleNamespace" => {
                        found.any |= !arguments.positional.is_empty();
                        for keyword in &tree[arguments.keywords] {
                            match keyword.name {
                                Some(name) if self.may_be_function(keyword.value, DEPTH) => {
                                    found.names.insert(tree.text(name.name).to_owned());
                                }
                                Some(_) => {}
                                None => found.any = true,
                            }
                        }
                    }
                    Callee::Library(path) if path.starts_with("collections.namedtuple") => {
                        let words = self.unit.source_text(arguments.range);
                        let words = words.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
                        found.names.extend(words.map(str::to_owned));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Whether a type may be that of a function, or of an object that is called.
    fn may_name_function(&self, annotation: ExprId) -> bool {
        let tree = &self.unit.tree;
        self.unit.exprs_within(tree[annotation].range).any(|part| match tree[part].kind {
            ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
                let last = tree.dotted(part).and_then(|parts| parts.last().copied()).unwrap_or_default();
                matches!(last, "Any" | "Callable" | "Type" | "object" | "type")
                    || match self.effects.resolve_callee(self.world, self.unit, part) {
                        Callee::Class(class) => self.effects.is_callable_class(self.world, class),
                        Callee::Unknown => {
                            tree.dotted(part).is_none()
                                || self.unit.binding(part).is_some_and(|meaning| *meaning == Meaning::Other)
                        }
                        _ => false,
                    }
            }
            ExprKind::Str(_) => {
                let text = self.unit.expr_text(part);
                ["Any", "Callable", "object", "type"].iter().any(|word| text.contains(word))
            }
            _ => false,
        })
    }

    /// Whether a value may be a function, a class or an object that is called.
    fn may_be_function(&self, value: ExprId, depth: usize) -> bool {
        let tree = &self.unit.tree;
        if depth == 0 {
            return true;
        }
        let may_be = |part: ExprId| self.may_be_function(part, depth - 1);
        match tree[value].kind {
            kind if kind.is_literal() => false,
            ExprKind::List { .. }
            | ExprKind::Dict { .. }
            | ExprKind::Set { .. }
            | ExprKind::Tuple { .. }
            | ExprKind::ListComp { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::DictComp { .. }
            | ExprKind::Generator { .. }
            | ExprKind::BinOp { .. }
            | ExprKind::UnaryOp { .. }
            | ExprKind::Compare { .. }
            | ExprKind::FString { .. }
            | ExprKind::Slice { .. } => false,
            ExprKind::BoolOp { values, .. } => tree[values].iter().any(|&part| may_be(part)),
            ExprKind::IfExp { body, orelse, .. } => may_be(body) || may_be(orelse),
            ExprKind::Named { value, .. } => may_be(value),
            ExprKind::Name { name, .. } => self.may_name_hold_function(value, tree.text(name), depth),
            ExprKind::Attribute { .. } if self.unit.binding(value) == Some(&Meaning::Enum) => false,
            ExprKind::Call { function, .. } => self.may_give_function(function),
            _ => true,
        }
    }

    fn may_name_hold_function(&self, expr: ExprId, name: &str, depth: usize) -> bool {
        let tree = &self.unit.tree;
        match self.unit.meanings.get(name) {
            Some(Meaning::Constant | Meaning::Enum) if self.unit.is_of_module(expr) => return false,
            _ => {}
        }
        let Some(owner) = self.unit.names.owner_of_use(expr) else { return true };
        let definitions = self.unit.names.definitions_of(owner, name);
        definitions.iter().any(|&id| {
            let definition = self.unit.names.definition(id);
            match tree[definition.stmt].kind {
                StmtKind::Assign { targets, value }
                    if tree[targets].iter().all(|&target| tree.as_name(target).is_some()) =>
                {
                    self.may_be_function(value, depth - 1)
                }
                StmtKind::AnnAssign { annotation, .. } => self.may_name_function(annotation),
                StmtKind::AugAssign { .. } => false,
                StmtKind::FunctionDef(function) => {
                    let declared = summary_parameters(self.unit, function);
                    let parameter = declared.iter().find(|parameter| parameter.name.range == definition.range);
                    parameter.is_none_or(|parameter| {
                        parameter.annotation.is_none_or(|annotation| self.may_name_function(annotation))
                    })
                }
                _ => true,
            }
        })
    }

    fn may_give_function(&self, function: ExprId) -> bool {
        let tree = &self.unit.tree;
        match self.effects.resolve_callee(self.world, self.unit, function) {
            Callee::Builtin(name) => {
                !tables::gives_frozen(&name)
                    && !matches!(name.as_str(), "dict" | "frozenset" | "list" | "set" | "sorted" | "sum" | "tuple")
            }
            Callee::Class(class) => self.effects.is_callable_class(self.world, class),
            Callee::Enum => false,
            Callee::Library(path) => {
                !is_pure_path(&path) || path.starts_with("functools.") || path.starts_with("operator.")
            }
            Callee::Function(key) => {
                let unit = self.world.unit(key.0);
                let StmtKind::FunctionDef(called) = unit.tree[key.1].kind else { return true };
                let finder = FunctionFinder { world: self.world, effects: self.effects, unit };
                called.returns.is_none_or(|returns| finder.may_name_function(returns))
            }
            Callee::Unknown => match tree[function].kind {
                ExprKind::Attribute { attribute, .. } => {
                    let name = tree.text(attribute.name);
                    !tables::is_reading_method(name) || tables::is_item_method(name) && name != "copy"
                }
                _ => true,
            },
        }
    }
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'')
}
