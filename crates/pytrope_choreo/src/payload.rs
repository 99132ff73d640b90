//! Payloads: the classes that a role must know since values of them may arrive there.
//!
//! A value travels by the name of its class, which the receiver looks up in its own program. Where the type of what is sent says
//! which classes these can be, they are the ones it names and their subclasses; otherwise they are all classes of the file that
//! can travel at all.

use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use crate::declaration::{ChoreographicClass, Meaning, Surface, Unit, World};
use crate::facts::{Action, LocationFacts};
use crate::role::RoleId;
use crate::surface;

/// Types that are no classes of a program, or hold what their arguments say.
const KNOWN: &[&str] = &[
    "Dict",
    "Final",
    "List",
    "Literal",
    "Mapping",
    "Optional",
    "Sequence",
    "Set",
    "Tuple",
    "Union",
    "bool",
    "bytes",
    "complex",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "set",
    "str",
    "tuple",
];

/// Names of plain classes and enums whose values a role may hold or receive.
pub(crate) fn class_names(
    world: &World,
    facts: &LocationFacts,
    unit: &Unit,
    class: &ChoreographicClass,
    role: RoleId,
) -> Vec<String> {
    let tree = &unit.tree;
    let own = &class.roles[role.index()];
    let mut found = PayloadNames { world, unit, found: Vec::new() };
    let table = facts.file_table(class.unit);
    let has_role = |expr: ExprId| {
        unit.expr_text(expr).split('|').any(|name| name.trim().trim_start_matches('*').rsplit('.').next() == Some(own))
    };
    let mut channels_closed = None;
    let mut open_values = false;
    for expr in unit.exprs_within(tree[class.stmt].range) {
        // An alias may place its payload at any role: every role that reads its name may receive it.
        if let Some(Meaning::Alias { unit: declared, stmt }) = unit.binding(expr)
            && *declared == unit.id
        {
            found.collect_type_names(tree[*stmt].range, true);
        }
        match tree[expr].kind {
            ExprKind::Subscript { value, index, .. } => {
                let parts = surface::subscript_elements(unit, index);
                match surface::surface_of_expr(unit, value) {
                    Some(Surface::At) if parts.len() == 2 && has_role(parts[1]) => {
                        found.collect_type_names(tree[parts[0]].range, true);
                    }
                    Some(Surface::Channel | Surface::DiChannel | Surface::Star | Surface::Mesh)
                        if parts.iter().skip(1).any(|&part| has_role(part)) =>
                    {
                        found.collect_type_names(tree[parts[0]].range, true);
                        channels_closed = Some(channels_closed.unwrap_or(true) && found.is_closed(parts[0]));
                    }
                    _ => {}
                }
            }
            ExprKind::Call { .. } => {
                let Some(Action::Com { receiver, value, .. }) = table.action_of(expr) else { continue };
                if *receiver == role {
                    found.collect_type_names(tree[*value].range, false);
                    open_values |= !found.take_declared(*value);
                }
            }
            _ => {}
        }
    }
    if open_values && channels_closed != Some(true) {
        found.take_all();
    }
    found.found
}

struct PayloadNames<'a> {
    world: &'a World,
    unit: &'a Unit,
    found: Vec<String>,
}

impl PayloadNames<'_> {
    fn collect_type_names(&mut self, range: TextRange, imported: bool) {
        let unit = self.unit;
        let tree = &unit.tree;
        for expr in unit.exprs_within(range) {
            if let Some(&[module, name, ..]) = tree.dotted(expr).as_deref()
                && unit.meanings.module(module).is_some()
            {
                // `other.Answer`: of that file's module, which has to be imported for it.
                self.found.push(module.to_owned());
                self.found.push(format!("{module}.{name}"));
            }
            if let Some(name) = tree.as_name(expr) {
                let name = tree.text(name);
                match unit.meanings.get(name) {
                    Some(Meaning::Enum) => self.found.push(name.to_owned()),
                    Some(Meaning::PlainClass(_)) => {
                        self.found.push(name.to_owned());
                        self.take_subclasses(name);
                    }
                    Some(Meaning::Other) if imported => self.found.push(name.to_owned()),
                    _ => {}
                }
            }
        }
    }

    fn take_subclasses(&mut self, base: &str) {
        for (name, bases) in plain_classes(self.unit) {
            if bases.iter().any(|known| known == base) && !self.found.contains(&name) {
                self.found.push(name.clone());
                self.take_subclasses(&name);
            }
        }
    }

    /// Takes the type that what is sent is declared with; whether it says which classes can arrive.
    fn take_declared(&mut self, value: ExprId) -> bool {
        let unit = self.unit;
        let tree = &unit.tree;
        match tree[value].kind {
            ExprKind::Name { .. } => {
                let declared = unit.annotations_of(value);
                let mut closed = !declared.is_empty();
                for annotation in declared {
                    let payload = match tree[annotation].kind {
                        ExprKind::Subscript { value, index, .. }
                            if surface::surface_of_expr(unit, value) == Some(Surface::At) =>
                        {
                            surface::subscript_elements(unit, index).first().copied().unwrap_or(annotation)
                        }
                        _ => annotation,
                    };
                    self.collect_type_names(tree[payload].range, true);
                    closed &= self.is_closed(payload);
                }
                closed
            }
            ExprKind::BinOp { left, right, .. } => {
                let place =
                    |expr: ExprId| matches!(tree[expr].kind, ExprKind::Call { .. } | ExprKind::Subscript { .. });
                self.take_declared(left) && (place(right) || self.take_declared(right))
            }
            ExprKind::Call { function, .. } => {
                let name = tree.as_name(function).map(|name| tree.text(name)).unwrap_or_default();
                match unit.meanings.get(name) {
                    None => matches!(
                        name,
                        "len" | "str" | "int" | "float" | "bool" | "abs" | "pow" | "repr" | "ord" | "chr"
                    ),
                    Some(Meaning::PlainClass(_) | Meaning::Enum) => true,
                    Some(Meaning::Function(stmt)) => match tree[*stmt].kind {
                        StmtKind::FunctionDef(function) => function.returns.is_some_and(|returns| {
                            self.collect_type_names(tree[returns].range, true);
                            self.is_closed(returns)
                        }),
                        _ => false,
                    },
                    _ => false,
                }
            }
            ExprKind::Attribute { value, .. } => {
                tree.as_name(value).is_some_and(|name| unit.meanings.get(tree.text(name)) == Some(&Meaning::Enum))
            }
            ExprKind::Str(_)
            | ExprKind::Bytes(_)
            | ExprKind::Int(_)
            | ExprKind::BigInt(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::FString { .. }
            | ExprKind::Compare { .. } => true,
            _ => false,
        }
    }

    /// Whether a type names every class that values of it can have, down to their parts.
    fn is_closed(&self, annotation: ExprId) -> bool {
        let unit = self.unit;
        let tree = &unit.tree;
        unit.exprs_within(tree[annotation].range).all(|expr| match tree[expr].kind {
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                match unit.meanings.get(name) {
                    None => KNOWN.contains(&name),
                    Some(Meaning::Enum) => true,
                    Some(Meaning::PlainClass(stmt)) => self.has_closed_fields(*stmt),
                    Some(_) => KNOWN.contains(&name),
                }
            }
            ExprKind::Attribute { .. } | ExprKind::Str(_) => false,
            _ => true,
        })
    }

    /// Whether the fields of a class are of types without other classes.
    fn has_closed_fields(&self, class: StmtId) -> bool {
        let tree = &self.unit.tree;
        let StmtKind::ClassDef(declared) = tree[class].kind else { return false };
        declared.arguments.is_none_or(|arguments| {
            tree[arguments.positional].iter().all(|&base| self.unit.expr_text(base) == "NamedTuple")
        }) && tree[declared.body].iter().all(|&stmt| match tree[stmt].kind {
            StmtKind::AnnAssign { annotation, .. } => self.unit.exprs_within(tree[annotation].range).all(|expr| {
                tree.as_name(expr).is_none_or(|name| KNOWN.contains(&tree.text(name)))
                    && !matches!(tree[expr].kind, ExprKind::Attribute { .. } | ExprKind::Str(_))
            }),
            _ => true,
        })
    }

    /// Takes every class of the file, own or imported from the project, that can travel.
    fn take_all(&mut self) {
        let unit = self.unit;
        for (name, _) in plain_classes(unit) {
            if can_travel(unit, &name, DEPTH) {
                self.found.push(name);
            }
        }
        let enums = unit.meanings.own().into_iter().filter(|(_, meaning)| **meaning == Meaning::Enum);
        self.found.extend(enums.map(|(name, _)| name));
        for (stmt, source) in &unit.sources {
            let source = self.world.unit(*source);
            let StmtKind::ImportFrom { names, .. } = unit.tree[*stmt].kind else { continue };
            for alias in &unit.tree[names] {
                let name = unit.tree.text(alias.name.name);
                if matches!(source.meanings.get(name), Some(Meaning::PlainClass(_))) && can_travel(source, name, DEPTH)
                {
                    self.found.push(unit.tree.text(alias.asname.unwrap_or(alias.name).name).to_owned());
                }
            }
        }
        self.found.sort_unstable();
        self.found.dedup();
    }
}

/// The plain classes of a file, with the names of their bases.
fn plain_classes(unit: &Unit) -> Vec<(String, Vec<String>)> {
    let tree = &unit.tree;
    let mut found = Vec::new();
    for &stmt in &tree[tree.body()] {
        let StmtKind::ClassDef(class) = tree[stmt].kind else { continue };
        let name = tree.text(class.name.name);
        if !matches!(unit.meanings.get(name), Some(Meaning::PlainClass(_))) {
            continue;
        }
        let bases = class.arguments.map_or(&[][..], |arguments| &tree[arguments.positional]);
        let heads = bases.iter().map(|&base| match tree[base].kind {
            ExprKind::Subscript { value, .. } => value,
            _ => base,
        });
        found.push((name.to_owned(), heads.map(|base| unit.expr_text(base).to_owned()).collect()));
    }
    found
}

/// Bases of bases beyond this do not make a class travel.
const DEPTH: usize = 16;

/// Whether values of a plain class can be sent: dataclasses, named tuples, and what derives from a class of the program.
fn can_travel(unit: &Unit, name: &str, depth: usize) -> bool {
    let tree = &unit.tree;
    let Some(Meaning::PlainClass(stmt)) = unit.meanings.get(name) else { return false };
    let StmtKind::ClassDef(class) = tree[*stmt].kind else { return false };
    let dataclass = tree[class.decorators].iter().any(|&decorator| {
        let called = match tree[decorator].kind {
            ExprKind::Call { function, .. } => function,
            _ => decorator,
        };
        tree.dotted(called).is_some_and(|parts| parts.last() == Some(&"dataclass"))
    });
    let bases = class.arguments.map_or(&[][..], |arguments| &tree[arguments.positional]);
    let derived = bases.iter().any(|&base| {
        let text = unit.expr_text(base);
        text.ends_with("NamedTuple") || text.ends_with("BaseModel") || depth > 0 && can_travel(unit, text, depth - 1)
    });
    dataclass || derived
}
