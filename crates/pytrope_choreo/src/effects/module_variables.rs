//! State of modules in summaries: which variables of which modules a function changes or looks at.
//!
//! A class or a function stands for state too, where its attributes, the defaults of its parameters or the variables that its decorator
//! keeps are changed. Variables whose one value cannot change, such as a compiled pattern, stand for no state.

use pytrope_semantic::ScopeId;
use pytrope_source::tree::{ExprId, ExprKind, Parent, StmtId, StmtKind};
use pytrope_source::{Node, TextRange};

use super::body::{EffectCollector, Share};
use super::decorators::{gives_own_functions, keeps_state};
use super::{Callee, Effects, Imported, ModuleVariable, ParameterSet, PlainFunction, library_names, tables};
use rustc_hash::FxHashSet;

use crate::declaration::{Meaning, Unit, UnitId, World};

impl Effects {
    /// The number of a name that stands for state, if some function was seen to share it.
    pub fn number_of(&self, variable: &ModuleVariable) -> Option<usize> {
        self.variables.borrow().get_index_of(variable)
    }

    /// The state that a name of a module stands for; it gets a number when it is first met.
    pub(super) fn state_of(&self, variable: ModuleVariable) -> ParameterSet {
        let number = self.variables.borrow_mut().insert_full(variable).0;
        self.with_held(number)
    }

    /// The state of a variable without that of what it holds: what `table["a"] = log` changes.
    fn own_state_of(&self, variable: ModuleVariable) -> ParameterSet {
        ParameterSet::of_variable(self.variables.borrow_mut().insert_full(variable).0)
    }

    /// The variables that a set has.
    pub fn variables_in(&self, parts: ParameterSet) -> Vec<ModuleVariable> {
        let variables = self.variables.borrow();
        let found = variables.iter().enumerate().filter(|(number, _)| parts.has_variable(*number));
        found.map(|(_, variable)| variable.clone()).collect()
    }

    /// The variable, class or function of a file of the project that a dotted path begins with.
    fn find_variable(&self, world: &World, unit: &Unit, parts: &[&str]) -> Option<ModuleVariable> {
        let (holder, name) = self.find_name(world, unit, parts)?;
        let source = world.unit(holder);
        let stands_for_state = match source.meanings.get(&name)? {
            Meaning::Other => !is_frozen_variable(self, world, source, &name),
            Meaning::PlainClass(_) | Meaning::Function(_) => true,
            Meaning::Enum => {
                let known = (holder, name.clone());
                self.open_enums.contains(&known) || self.changed_enums.contains(&known)
            }
            _ => false,
        };
        stands_for_state.then_some((holder, name))
    }

    /// The state of a class: what its body binds, and attributes set on it.
    pub(super) fn class_variable(&self, world: &World, class: PlainFunction) -> ParameterSet {
        let unit = world.unit(class.0);
        match unit.tree[class.1].kind {
            StmtKind::ClassDef(declared) => self.state_of((class.0, unit.tree.text(declared.name.name).to_owned())),
            _ => ParameterSet::NONE,
        }
    }

    /// The state that a path leads to if it is a variable; classes and functions are state only where they are changed.
    fn path_state(&self, world: &World, unit: &Unit, parts: &[&str]) -> ParameterSet {
        let Some(variable) = self.find_variable(world, unit, parts) else { return ParameterSet::NONE };
        let holder = world.unit(variable.0);
        if matches!(holder.meanings.get(&variable.1), Some(Meaning::Other)) {
            return self.state_of(variable);
        }
        // An attribute of a class or of a function that is none of its methods: `Registry.items`.
        if parts.len() > 1 && self.resolve_path(world, unit, parts) == Callee::Unknown {
            return self.state_of(variable);
        }
        let number = self.number_of(&variable).filter(|&number| self.changed.get().has_variable(number));
        number.map_or(ParameterSet::NONE, |number| self.with_held(number))
    }
}

impl Effects {
    /// The variables that a file's functions change when they are called by a role. A decorator that defines no function of its own runs
    /// once, in every process alike, where the file is imported.
    pub fn changed_variables(&self, world: &World, unit: &Unit) -> FxHashSet<ModuleVariable> {
        let tree = &unit.tree;
        let decorators: Vec<TextRange> = tree
            .stmt_ids()
            .flat_map(|stmt| match tree[stmt].kind {
                StmtKind::FunctionDef(function) => tree[function.decorators].to_vec(),
                StmtKind::ClassDef(class) => tree[class.decorators].to_vec(),
                _ => Vec::new(),
            })
            .map(|decorator| tree[decorator].range)
            .collect();
        let is_called = |function: PlainFunction| {
            tree.stmt_ids().any(|stmt| {
                tree.enclosing(stmt).is_none()
                    && matches!(tree[stmt].kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_))
                    && unit.exprs_within(tree[stmt].range).any(|expr| {
                        !decorators.iter().any(|range| range.contains_range(tree[expr].range))
                            && self.resolve_callee(world, unit, expr) == Callee::Function(function)
                    })
            })
        };
        let runs_at_import = |stmt: StmtId| match tree[stmt].kind {
            StmtKind::FunctionDef(function) => {
                let used = unit.tree.expr_ids().any(|expr| {
                    decorators.iter().any(|range| range.contains_range(tree[expr].range))
                        && self.resolve_callee(world, unit, expr) == Callee::Function((unit.id, stmt))
                });
                let defines = tree.suite_nodes(function.body).any(|node| match node {
                    Node::Stmt(inner) => matches!(tree[inner].kind, StmtKind::FunctionDef(_)),
                    Node::Expr(inner) => matches!(tree[inner].kind, ExprKind::Lambda { .. }),
                });
                used && !defines && !is_called((unit.id, stmt))
            }
            _ => false,
        };
        let summaries = tree.stmt_ids().filter(|&stmt| !runs_at_import(stmt));
        let changes = summaries.filter_map(|stmt| Some(self.of_function((unit.id, stmt))?.changes));
        changes.flat_map(|changes| self.variables_in(changes)).collect()
    }
}

impl Effects {
    /// Every name of a module that the functions and classes of a file lead to: those in their text, and those in what these names
    /// stand for. Other statements run once, in every process alike.
    pub fn reached_names(&self, world: &World, unit: &Unit) -> FxHashSet<ModuleVariable> {
        let mut reached = FxHashSet::default();
        let is_definition =
            |stmt: StmtId| matches!(unit.tree[stmt].kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_));
        let definitions = unit.items.iter().map(|item| item.stmt).filter(|&stmt| is_definition(stmt));
        let mut waiting: Vec<(UnitId, TextRange)> = definitions.map(|stmt| (unit.id, unit.tree[stmt].range)).collect();
        while let Some((holder, range)) = waiting.pop() {
            let holder = world.unit(holder);
            for expr in holder.exprs_within(range) {
                reached.extend(self.reflected_variables(world, holder, expr));
                let Some(parts) = holder.tree.dotted(expr) else { continue };
                let Some(found) = self.find_name(world, holder, &parts) else {
                    // A name that an import binds may be bound to something else.
                    reached.insert((holder.id, parts[0].to_owned()));
                    continue;
                };
                if reached.insert(found.clone()) {
                    let (source, name) = found;
                    let source = world.unit(source);
                    let items = source.items.iter().filter(|item| item.binds.contains(&name));
                    waiting.extend(items.map(|item| (source.id, source.tree[item.stmt].range)));
                }
            }
        }
        reached
    }

    /// The name of a file of the project that a dotted path begins with.
    pub(super) fn find_name(&self, world: &World, unit: &Unit, parts: &[&str]) -> Option<ModuleVariable> {
        let (&first, rest) = parts.split_first()?;
        match self.imports.find_import(world, unit, first) {
            Some(Imported::Library(_)) => None,
            Some(Imported::Project(source, Some(name))) => self.find_name(world, world.unit(source), &[&name]),
            Some(Imported::Project(source, None)) => self.find_name(world, world.unit(source), rest),
            None => Some((unit.id, first.to_owned())),
        }
    }
}

/// The values that a variable of a module is assigned.
fn assigned_values(unit: &Unit, name: &str) -> Vec<Option<ExprId>> {
    let definitions = unit.names.definitions_of(ScopeId::MODULE, name);
    definitions
        .iter()
        .map(|&id| match unit.tree[unit.names.definition(id).stmt].kind {
            StmtKind::Assign { value, .. } => Some(value),
            StmtKind::AnnAssign { value, .. } => value,
            _ => None,
        })
        .collect()
}

/// Whether a variable has one value for good, which cannot change.
fn is_frozen_variable(effects: &Effects, world: &World, unit: &Unit, name: &str) -> bool {
    let [Some(value)] = assigned_values(unit, name)[..] else { return false };
    match unit.tree[value].kind {
        ExprKind::Call { function, arguments } => match effects.resolve_callee(world, unit, function) {
            // A view changes with what it shows.
            Callee::Library(path) if path == "types.MappingProxyType" => {
                unit.tree[arguments.positional].iter().all(|&shown| is_frozen_display(unit, shown))
            }
            Callee::Library(path) => {
                tables::makes_frozen(&path)
                    || tables::tool_methods(&path).is_some_and(|methods| is_tool_only(world, name, methods))
            }
            Callee::Builtin(name) => tables::gives_frozen(&name),
            Callee::Enum => true,
            Callee::Function(_) | Callee::Class(_) | Callee::Unknown => false,
        },
        _ => crate::scan::is_immutable(unit, value),
    }
}

/// Whether a dictionary is written out with values that cannot change.
fn is_frozen_display(unit: &Unit, shown: ExprId) -> bool {
    let tree = &unit.tree;
    matches!(tree[shown].kind, ExprKind::Dict { .. })
        && tree.children(Node::Expr(shown)).into_iter().all(|part| match part {
            Node::Expr(part) => crate::scan::is_immutable(unit, part),
            Node::Stmt(_) => false,
        })
}

/// Whether all that a program does with a logger or a lock of this name are calls of some methods, and `with` statements.
fn is_tool_only(world: &World, name: &str, methods: &[&str]) -> bool {
    world.units.iter().all(|unit| {
        let tree = &unit.tree;
        let mut uses = tree.expr_ids().filter(|&expr| tree.as_name(expr).is_some_and(|found| tree.text(found) == name));
        uses.all(|expr| match tree[expr].parent {
            Parent::Expr(parent) => match (tree[parent].kind, tree[parent].parent) {
                (ExprKind::Attribute { attribute, .. }, Parent::Expr(call)) => {
                    let is_callee = matches!(tree[call].kind, ExprKind::Call { function, .. } if function == parent);
                    is_callee && methods.contains(&tree.text(attribute.name))
                }
                _ => false,
            },
            Parent::Stmt(stmt) => match tree[stmt].kind {
                StmtKind::Assign { value, .. } | StmtKind::AnnAssign { value: Some(value), .. } => value != expr,
                StmtKind::With { .. } => true,
                _ => false,
            },
            Parent::Module => false,
        })
    })
}

/// Whether looking at a variable may change it: an iterator, an open file, an object whose special methods change it.
fn is_used_up(effects: &Effects, world: &World, unit: &Unit, name: &str) -> bool {
    assigned_values(unit, name).into_iter().flatten().any(|value| effects.keeps_restless(world, unit, value))
}

/// Whether all instances share what an attribute holds: the body of the class binds it, and no method does.
pub(crate) fn is_class_attribute(unit: &Unit, class: StmtId, name: &str) -> bool {
    let tree = &unit.tree;
    let StmtKind::ClassDef(declared) = tree[class].kind else { return false };
    let mentions = |range: TextRange, word: &str| {
        unit.exprs_within(range).any(|part| tree.dotted(part).is_some_and(|path| path.last() == Some(&word)))
    };
    let is_data_class = tree[declared.decorators].iter().any(|&decorator| mentions(tree[decorator].range, "dataclass"));
    let definitions = unit.names.attribute_definitions(class, name);
    !definitions.is_empty()
        && definitions.iter().all(|definition| {
            let value = match tree[definition.stmt].kind {
                StmtKind::Assign { value, .. } => Some(value),
                // What a data class declares are defaults of fields; no two instances share them.
                StmtKind::AnnAssign { annotation, .. }
                    if is_data_class && !mentions(tree[annotation].range, "ClassVar") =>
                {
                    None
                }
                StmtKind::AnnAssign { value, .. } => value,
                _ => None,
            };
            tree.enclosing(definition.stmt) == Some(class)
                && value.is_some_and(|value| !crate::scan::is_immutable(unit, value))
        })
}

impl Effects {
    /// Whether an expression makes an object that can change, of known kind.
    fn makes_container(&self, world: &World, unit: &Unit, value: ExprId) -> bool {
        match unit.tree[value].kind {
            ExprKind::List { .. }
            | ExprKind::Dict { .. }
            | ExprKind::Set { .. }
            | ExprKind::ListComp { .. }
            | ExprKind::DictComp { .. }
            | ExprKind::SetComp { .. } => true,
            ExprKind::Call { function, .. } => match self.resolve_callee(world, unit, function) {
                Callee::Builtin(name) => !tables::gives_frozen(&name),
                Callee::Library(path) => library_names::is_pure_path(&path) && !tables::makes_frozen(&path),
                Callee::Class(_) => true,
                Callee::Function(_) | Callee::Enum | Callee::Unknown => false,
            },
            _ => false,
        }
    }

    /// Whether an attribute of this name may be a method that changes its object, or of a class of the program.
    pub fn is_method_name(&self, name: &str) -> bool {
        tables::is_changing_method(name) || !self.methods_named(name).is_empty()
    }

    /// Whether some method of this name changes its object.
    pub fn is_changing_name(&self, name: &str) -> bool {
        let mut methods = self.methods_named(name).iter();
        tables::is_changing_method(name)
            || methods.any(|&key| self.of_function(key).is_some_and(|effect| effect.changes.contains(0)))
    }
}

impl EffectCollector<'_> {
    /// The state that a path of names which are not local leads to.
    pub(super) fn outside_state(&self, expr: ExprId) -> ParameterSet {
        match self.unit.tree.dotted(expr) {
            Some(parts) => self.effects.path_state(self.world, self.unit, &parts),
            None => ParameterSet::NONE,
        }
    }

    /// The state of a variable that is declared `global`.
    pub(super) fn global_state(&self, name: &str) -> ParameterSet {
        self.effects.state_of((self.unit.id, name.to_owned()))
    }

    /// The state that the variable, class or function at the bottom of an expression stands for: `TABLE` of `TABLE["a"].rows`.
    pub(super) fn root_state(&self, expr: ExprId) -> ParameterSet {
        let root = root_path(self.unit, expr);
        let name = self.unit.tree.as_name(root).map(|name| self.unit.tree.text(name));
        if let Some(name) = name.filter(|name| self.outer.contains(*name)) {
            return self.global_state(name);
        }
        if self.is_local(root) {
            return ParameterSet::NONE;
        }
        let parts = self.unit.tree.dotted(root);
        let found = parts.and_then(|parts| self.effects.find_variable(self.world, self.unit, &parts));
        found.map_or(ParameterSet::NONE, |variable| self.effects.state_of(variable))
    }

    /// The state of the class that a method belongs to, if an expression is the class: `cls`, `type(self)`, `self.__class__`; or
    /// an attribute of an instance that only the class has.
    pub(super) fn class_state(&self, expr: ExprId) -> ParameterSet {
        let tree = &self.unit.tree;
        let Some(class) = self.class else { return ParameterSet::NONE };
        let StmtKind::ClassDef(declared) = tree[class].kind else { return ParameterSet::NONE };
        let is_self = |expr: ExprId| {
            tree.as_name(expr)
                .is_some_and(|name| self.shares.get(tree.text(name)).is_some_and(|share| share.whole.contains(0)))
        };
        let is_class = match tree[expr].kind {
            ExprKind::Name { .. } => is_self(expr) && self.of_class,
            ExprKind::Call { function, arguments } => {
                tree.as_name(function).is_some_and(|name| tree.text(name) == "type")
                    && tree[arguments.positional].first().is_some_and(|&first| is_self(first))
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let name = tree.text(attribute.name);
                is_self(value) && (name == "__class__" || is_class_attribute(self.unit, class, name))
            }
            _ => false,
        };
        if !is_class {
            return match tree[expr].kind {
                ExprKind::Attribute { value, attribute, .. } if is_self(value) => {
                    self.inherited_state(class, tree.text(attribute.name))
                }
                _ => ParameterSet::NONE,
            };
        }
        self.effects.state_of((self.unit.id, tree.text(declared.name.name).to_owned()))
    }

    /// The state of the classes whose instances share what an attribute of this name holds.
    pub(super) fn shared_by_instances(&self, name: &str) -> ParameterSet {
        let held = self.effects.class_attributes.get(name).map_or(&[][..], Vec::as_slice);
        let shared = held.iter().filter(|((unit, class), _)| is_class_attribute(self.world.unit(*unit), *class, name));
        shared
            .fold(ParameterSet::NONE, |found, (class, _)| found.union(self.effects.class_variable(self.world, *class)))
    }

    /// The state of the base whose instances share what an attribute holds.
    fn inherited_state(&self, class: StmtId, name: &str) -> ParameterSet {
        let bases = self.effects.class_lineage(self.world, (self.unit.id, class)).into_iter().skip(1);
        let mut shared = bases.filter(|&(holder, base)| is_class_attribute(self.world.unit(holder), base, name));
        shared.next().map_or(ParameterSet::NONE, |base| self.effects.class_variable(self.world, base))
    }

    /// What storing into an attribute or an item changes.
    pub(super) fn stored_state(&self, expr: ExprId, value: ExprId) -> Share {
        let own = Share::of_parts(self.class_state(value));
        if self.is_local(value) {
            return self.shared_state(value).union(own);
        }
        // `vars(config)["rate"] = 2`: what a call is given may be what it gives.
        let own = if leads_through_call(self.unit, value) { own.union(self.shared_state(value)) } else { own };
        let Some(parts) = self.unit.tree.dotted(root_path(self.unit, value)) else {
            return Share::of_parts(ParameterSet::OUTSIDE);
        };
        let full: Vec<&str> = match self.unit.tree[expr].kind {
            // `state.total = 1`, with `state` a module.
            ExprKind::Attribute { attribute, .. } if root_path(self.unit, value) == value => {
                parts.iter().copied().chain([self.unit.tree.text(attribute.name)]).collect()
            }
            _ => parts,
        };
        let state = match self.effects.find_name(self.world, self.unit, &full) {
            Some(variable) if root_path(self.unit, value) == value => self.effects.own_state_of(variable),
            Some(variable) => self.effects.state_of(variable),
            None => {
                let root = root_path(self.unit, value);
                let attribute = match self.unit.tree[expr].kind {
                    ExprKind::Attribute { attribute, .. } if root == value => Some(self.unit.tree.text(attribute.name)),
                    _ => None,
                };
                self.changed_library(root, attribute)
            }
        };
        Share::of_parts(state).union(own)
    }

    /// Whether an expression begins with a variable of a module: what is called on it are methods of objects.
    pub(super) fn is_module_object(&self, expr: ExprId) -> bool {
        let Some(parts) = self.unit.tree.dotted(root_path(self.unit, expr)) else { return false };
        let found = self.effects.find_variable(self.world, self.unit, &parts);
        found.is_some_and(|(holder, name)| match self.world.unit(holder).meanings.get(&name) {
            Some(Meaning::Other) => true,
            // `Registry.items` of a class is an object, `Registry` is not.
            Some(Meaning::PlainClass(_) | Meaning::Function(_) | Meaning::Enum) => parts.len() > 1,
            _ => false,
        })
    }

    /// Looking at an iterator of a module uses it up.
    pub(super) fn record_use(&mut self, expr: ExprId) {
        let unit = self.unit;
        let tree = &unit.tree;
        let is_path = matches!(tree[expr].kind, ExprKind::Name { .. } | ExprKind::Attribute { .. });
        if !is_path || self.is_local(expr) {
            return;
        }
        let Some(parts) = tree.dotted(expr) else { return };
        let effects = self.effects;
        let Some((holder, name)) = effects.find_variable(self.world, unit, &parts) else { return };
        if is_used_up(effects, self.world, self.world.unit(holder), &name) {
            let state = effects.path_state(self.world, unit, &parts);
            self.record_change(Share::of_parts(state), tree[expr].range);
        }
    }

    pub(super) fn change_own_state(&mut self, stmt: StmtId, range: TextRange) {
        let state = self.own_state(stmt);
        self.record_change(Share::of_parts(state), range);
    }

    /// The state that a function keeps from call to call; that of a method is its class's.
    pub(super) fn own_state(&self, stmt: StmtId) -> ParameterSet {
        let tree = &self.unit.tree;
        let name = match tree[self.class.unwrap_or(stmt)].kind {
            StmtKind::ClassDef(class) => class.name,
            StmtKind::FunctionDef(function) => function.name,
            _ => return ParameterSet::NONE,
        };
        self.effects.state_of((self.unit.id, tree.text(name.name).to_owned()))
    }

    /// Whether calling a value that a variable of a module holds may change what it holds.
    fn changes_when_called(&self, unit: &Unit, value: ExprId) -> bool {
        let (world, effects, tree) = (self.world, self.effects, &unit.tree);
        let (function, arguments) = match tree[value].kind {
            ExprKind::Call { function, arguments } => (function, arguments),
            // `add = log.append`
            ExprKind::Attribute { attribute, .. } => return self.effects.is_changing_name(tree.text(attribute.name)),
            // `add = lambda x: log.append(x)`
            ExprKind::Lambda { parameters, .. } => {
                let keeps = |parameter: &pytrope_source::tree::Parameter| {
                    parameter.default.is_some_and(|default| effects.makes_container(world, unit, default))
                };
                let declared = tree[parameters];
                if [declared.positional_only, declared.regular, declared.keyword_only]
                    .into_iter()
                    .any(|list| tree[list].iter().any(keeps))
                {
                    return true;
                }
                let mut body = EffectCollector::new(world, effects, unit);
                unit.exprs_within(tree[value].range).filter(|&inner| inner != value).for_each(|e| body.expr_effects(e));
                return body.effect.changes != ParameterSet::NONE;
            }
            _ => return false,
        };
        match effects.resolve_callee(world, unit, function) {
            Callee::Function(key) => {
                let maker = world.unit(key.0);
                keeps_state(maker, key.1) || !gives_own_functions(maker, key.1)
            }
            Callee::Class(_) => self.effects.is_changing_name("__call__"),
            Callee::Library(path) if path == "functools.partial" => {
                tree[arguments.positional].first().is_some_and(|&called| {
                    match effects.resolve_callee(world, unit, called) {
                        Callee::Function(key) => {
                            effects.of_function(key).is_some_and(|effect| effect.changes != ParameterSet::NONE)
                        }
                        _ => self.changes_when_called(unit, called),
                    }
                })
            }
            Callee::Library(path) => !library_names::is_pure_path(&path) && !tables::reads_arguments(&path),
            Callee::Builtin(_) | Callee::Enum => false,
            Callee::Unknown => true,
        }
    }

    /// What calling a variable of a module changes: an object by its `__call__`, what a closure keeps.
    pub(super) fn called_variable_state(&self, function: ExprId) -> ParameterSet {
        let effects = self.effects;
        let Some(parts) = self.unit.tree.dotted(function) else { return ParameterSet::NONE };
        let Some((holder, name)) = effects.find_variable(self.world, self.unit, &parts) else {
            return ParameterSet::NONE;
        };
        let unit = self.world.unit(holder);
        let mut values = assigned_values(unit, &name).into_iter();
        let changes = values.any(|value| value.is_none_or(|value| self.changes_when_called(unit, value)));
        if changes { self.outside_state(function) } else { ParameterSet::NONE }
    }
}

/// Whether a call gives what an expression is, or is a part of.
fn leads_through_call(unit: &Unit, expr: ExprId) -> bool {
    match unit.tree[expr].kind {
        ExprKind::Call { .. } => true,
        ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } => leads_through_call(unit, value),
        _ => false,
    }
}

/// The path below subscripts and calls: `TABLE` of `TABLE["a"].rows`.
fn root_path(unit: &Unit, expr: ExprId) -> ExprId {
    let tree = &unit.tree;
    match tree[expr].kind {
        ExprKind::Subscript { value, .. } => root_path(unit, value),
        ExprKind::Call { function, .. } => root_path(unit, function),
        ExprKind::Attribute { value, .. } if tree.dotted(expr).is_none() => root_path(unit, value),
        _ => expr,
    }
}
