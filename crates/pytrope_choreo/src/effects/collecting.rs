//! What the statements and expressions of a function's body change, and what they depend on besides the arguments.

use pytrope_source::tree::{Arguments, Context, ExprId, ExprKind, FunctionDefinition, Parent, StmtId, StmtKind};
use pytrope_source::{Node, TextRange};

use super::body::{EffectCollector, OutsideChange, Share, given_positions};
use super::restless::{ITERATOR_KEPT, special_methods};
use super::{Callee, Cause, ParameterSet, PlainFunction, library_names, summary_parameters, tables};
use crate::declaration::{Meaning, Unit};
use crate::value_types::traits_of;

impl EffectCollector<'_> {
    pub(super) fn add_variation(&mut self, range: TextRange, what: impl Into<String>) {
        if self.effect.varies.is_none() {
            self.effect.varies = Some(Cause { unit: self.unit.id, range, what: what.into() });
        }
    }

    pub(super) fn record_change(&mut self, share: Share, range: TextRange) {
        self.add_change(share, range, true);
    }

    fn add_change(&mut self, share: Share, range: TextRange, direct: bool) {
        self.effect.changes = self.effect.changes.union(share.whole);
        if share.whole.is_outside() {
            self.effects.changed.set(self.effects.changed.get().union(share.whole.outside_part()));
            self.changes.push(OutsideChange { parts: share.whole.outside_part(), range, direct });
        }
    }

    pub(super) fn collect_effects(&mut self, stmt: StmtId, function: FunctionDefinition) {
        let unit = self.unit;
        let tree = &unit.tree;
        if function.is_async {
            self.add_variation(function.name.range, "is async");
        }
        self.record_own_state(stmt, function);
        for &decorator in &tree[function.decorators] {
            if !self.effects.has_plain_decorator(self.world, unit, decorator) {
                let name = unit.expr_text(decorator);
                self.add_variation(tree[decorator].range, format!("has the decorator {name}"));
            }
        }
        for node in tree.suite_nodes(function.body) {
            match node {
                Node::Stmt(inner) => self.stmt_effects(inner),
                Node::Expr(expr) => {
                    if !self.skipped.iter().any(|range| range.contains_range(tree[expr].range)) {
                        self.expr_effects(expr);
                    }
                }
            }
        }
        // A default is made once: changing it is state from call to call.
        for (position, parameter) in summary_parameters(unit, function).into_iter().enumerate() {
            let Some(default) = parameter.default else { continue };
            // Evaluated where the function is defined, in every process.
            let called = unit.exprs_within(tree[default].range).find(|&expr| match tree[expr].kind {
                ExprKind::Call { function, .. } => !matches!(
                    self.effects.resolve_callee(self.world, unit, function),
                    Callee::Builtin(name) if tables::is_pure_builtin(&name)
                ),
                _ => false,
            });
            if let Some(called) = called {
                self.add_variation(tree[called].range, "is evaluated once in every process, as a default");
            }
            if self.effect.changes.contains(position) && !crate::scan::is_immutable(unit, default) {
                let name = tree.text(parameter.name.name);
                self.change_own_state(stmt, tree[default].range);
                self.add_variation(tree[default].range, format!("changes the default of {name} from call to call"));
            }
        }
        self.share_cached_result(stmt, function);
        if self.effect.gives_iterator {
            // Its body runs later, and has the parameters until then.
            let kept = self.shares.values().fold(Share::default(), |found, share| found.union(*share));
            self.effect.returns_items = self.effect.returns_items.union(kept.whole).union(kept.items);
        }
        if self.effect.changes.is_outside() {
            let name = tree.text(function.name.name).to_owned();
            self.add_variation(tree[stmt].range, format!("changes state outside of {name}"));
        }
    }

    pub(super) fn stmt_effects(&mut self, stmt: StmtId) {
        let unit = self.unit;
        let tree = &unit.tree;
        match tree[stmt].kind {
            StmtKind::Return { value: Some(value) } => {
                let share = self.shared_state(value);
                self.effect.returns = self.effect.returns.union(share.whole);
                self.effect.returns_items = self.effect.returns_items.union(share.items);
                self.effect.unordered |= self.is_unordered(value);
                self.effect.unshown |= self.is_unshown(value);
                self.effect.makes_changeable |= self.is_changeable(value);
                self.effect.holds_changeable |= self.items_changeable(value);
                self.effect.gives_iterator |= self.may_be_iterator(value);
            }
            StmtKind::AugAssign { target, value, .. } => {
                // `xs += [1]` changes a list in place.
                let parts = self.shared_state(target);
                self.record_change(parts, tree[stmt].range);
                if !self.is_unordered(target) {
                    self.record_iteration(value);
                }
            }
            StmtKind::Assign { targets, value } => {
                // `self.__dict__ = self.shared`: what is stored into the object changes what it was given.
                let is_namespace = |&target: &ExprId| {
                    matches!(tree[target].kind,
                    ExprKind::Attribute { attribute, .. } if tree.text(attribute.name) == "__dict__")
                };
                if tree[targets].iter().any(is_namespace) {
                    let state = self.shared_state(value);
                    self.record_change(state, tree[stmt].range);
                }
                let takes_items = |target: ExprId| match tree[target].kind {
                    ExprKind::Subscript { index, .. } => matches!(tree[index].kind, ExprKind::Slice { .. }),
                    ExprKind::Tuple { .. } | ExprKind::List { .. } => {
                        !matches!(tree[value].kind, ExprKind::Tuple { .. } | ExprKind::List { .. })
                    }
                    _ => false,
                };
                if tree[targets].iter().any(|&target| takes_items(target)) {
                    self.record_iteration(value);
                }
            }
            StmtKind::For { iter, is_async, .. } => {
                self.record_iteration(iter);
                if is_async {
                    self.add_variation(tree[stmt].range, "is async");
                }
            }
            StmtKind::With { items, .. } => {
                for item in &tree[items] {
                    let parts = self.shared_state(item.context);
                    self.record_change(parts, tree[item.context].range);
                }
            }
            StmtKind::Global { names } => {
                // An import, a definition or a pattern binds it, if no target does.
                let within = tree.enclosing(stmt).map_or(tree[stmt].range, |outer| tree[outer].range);
                let is_assigned = |name: &str| {
                    unit.exprs_within(within).any(|expr| {
                        matches!(tree[expr].kind, ExprKind::Name { name: found, context: Context::Store }
                            if tree.text(found) == name)
                    })
                };
                for name in tree[names].iter().filter(|name| !is_assigned(tree.text(name.name))) {
                    let state = Share::of_parts(self.global_state(tree.text(name.name)));
                    self.record_change(state, tree[stmt].range);
                }
                self.add_variation(tree[stmt].range, "rebinds a variable of the module");
            }
            StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } => {
                for alias in &tree[names] {
                    let module = tree.text(alias.name.name);
                    if !library_names::is_pure_module(module.split('.').next().unwrap_or_default()) {
                        self.add_variation(tree[stmt].range, format!("imports {module}"));
                    }
                }
            }
            StmtKind::ClassDef(_) => self.add_variation(tree[stmt].range, "defines a class"),
            StmtKind::Assert { .. } => self.effect.asserts = true,
            StmtKind::Try { .. } => self.record_caught_asserts(stmt),
            // What they do is done by their expressions and by the statements inside.
            StmtKind::Return { value: None }
            | StmtKind::AnnAssign { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Delete { .. }
            | StmtKind::Expr { .. }
            | StmtKind::FunctionDef(_)
            | StmtKind::If { .. }
            | StmtKind::Match { .. }
            | StmtKind::Nonlocal { .. }
            | StmtKind::Pass
            | StmtKind::Raise { .. }
            | StmtKind::TypeAlias { .. }
            | StmtKind::While { .. } => {}
            _ => self.add_variation(tree[stmt].range, "is a statement whose effects are not known"),
        }
    }

    pub(super) fn record_iteration(&mut self, iter: ExprId) {
        if self.is_unordered(iter) {
            self.add_variation(self.unit.tree[iter].range, super::TAKES_ORDER);
        }
    }

    pub(super) fn expr_effects(&mut self, expr: ExprId) {
        let unit = self.unit;
        let tree = &unit.tree;
        let range = tree[expr].range;
        self.record_use(expr);
        self.record_reflection(expr);
        self.record_texts(expr);
        match tree[expr].kind {
            ExprKind::Name { name, context: Context::Load } => {
                let name = tree.text(name);
                if self.shares.contains_key(name) && !self.outer.contains(name) {
                    return;
                }
                if let Some(what) = self.outside_name(expr, name) {
                    self.add_variation(range, what);
                }
                // A function that is passed on may be called.
                let called = matches!(tree[expr].parent, Parent::Expr(parent)
                    if matches!(tree[parent].kind, ExprKind::Call { function, .. } if function == expr));
                if !called {
                    self.record_passed_builtin(expr);
                }
                if let (false, Callee::Function(key)) = (called, self.effects.resolve_callee(self.world, unit, expr))
                    && let Some(effect) = self.effects.of_function(key)
                {
                    let changed = Share::of_parts(effect.changes.outside_part());
                    if self.effect.varies.is_none() {
                        self.effect.varies.clone_from(&effect.varies);
                    }
                    if effect.calls != ParameterSet::NONE {
                        self.add_variation(range, "calls what it is given by code that is not followed");
                    }
                    self.add_change(changed, range, false);
                    if effect.changes != ParameterSet::NONE
                        && let Parent::Expr(parent) = tree[expr].parent
                        && let ExprKind::Call { arguments, .. } = tree[parent].kind
                    {
                        let given = self.arguments_share(arguments);
                        self.add_change(given.union(given.of_part()), range, false);
                    }
                }
            }
            // Assigning a name that is declared `global` changes the variable.
            ExprKind::Name { name, context: Context::Store | Context::Del } if self.outer.contains(tree.text(name)) => {
                let state = self.shared_state(expr);
                self.record_change(state, range);
            }
            ExprKind::Attribute { value, attribute, context } => {
                if context != Context::Load {
                    self.mark_parameter(value);
                    let parts = self.stored_state(expr, value);
                    self.record_change(parts, range);
                    self.run_storing_methods(expr, value, range);
                    return;
                }
                self.attribute_effects(expr, value, tree.text(attribute.name));
            }
            ExprKind::Subscript { value, context: Context::Store | Context::Del, .. } => {
                let parts = self.stored_state(expr, value);
                self.record_change(parts, range);
                self.run_storing_methods(expr, value, range);
            }
            ExprKind::ListComp { generators, .. }
            | ExprKind::DictComp { generators, .. }
            | ExprKind::Generator { generators, .. } => {
                for generator in &tree[generators] {
                    self.record_iteration(generator.iter);
                }
            }
            ExprKind::Starred { value, .. } => self.record_iteration(value),
            ExprKind::FString { .. } => {
                for child in tree.children(Node::Expr(expr)) {
                    if let Node::Expr(child) = child {
                        self.record_iteration(child);
                    }
                }
            }
            ExprKind::Await { .. } => self.add_variation(range, "is a coroutine"),
            ExprKind::Yield { value } => {
                self.effect.gives_iterator = true;
                let changeable = value.is_some_and(|value| self.is_changeable(value));
                self.effect.makes_changeable |= changeable;
                self.effect.holds_changeable |= changeable;
            }
            ExprKind::YieldFrom { value } => {
                self.effect.gives_iterator = true;
                self.effect.makes_changeable = true;
                self.effect.holds_changeable = true;
                self.record_iteration(value);
            }
            ExprKind::Call { function, arguments } => {
                self.call_effects(expr, function, arguments);
                let called = self.effects.resolve_callee(self.world, unit, function);
                // What builtins make stays inside: names of this function for it are followed.
                if matches!(called, Callee::Function(_) | Callee::Unknown)
                    && self.effects.makes_iterator(unit, function, &called)
                    && !self.effects.is_gone_through(self.world, unit, expr)
                {
                    self.add_variation(range, ITERATOR_KEPT);
                }
            }
            ExprKind::Compare { .. } if super::compares_identity(unit, expr) => {
                self.add_variation(range, "compares identities, which copies do not share");
            }
            // What they do is done by their parts, and by special methods, which a class is judged by where instances are made.
            ExprKind::Name { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::BinOp { .. }
            | ExprKind::BoolOp { .. }
            | ExprKind::Compare { .. }
            | ExprKind::Dict { .. }
            | ExprKind::IfExp { .. }
            | ExprKind::Lambda { .. }
            | ExprKind::List { .. }
            | ExprKind::Named { .. }
            | ExprKind::Set { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::Slice { .. }
            | ExprKind::Tuple { .. }
            | ExprKind::UnaryOp { .. }
            | ExprKind::Str(_)
            | ExprKind::Bytes(_)
            | ExprKind::Int(_)
            | ExprKind::BigInt(_)
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Ellipsis => {}
            ExprKind::TString { .. } | ExprKind::IpyEscape(_) => {
                self.add_variation(range, "is an expression whose effects are not known");
            }
        }
    }

    /// Why reading a name of the module may give each role something else.
    pub(super) fn outside_name(&self, expr: ExprId, name: &str) -> Option<String> {
        match self.unit.meanings.get(name) {
            Some(Meaning::Other) => match self.effects.resolve_path(self.world, self.unit, &[name]) {
                Callee::Function(_) | Callee::Class(_) | Callee::Enum => None,
                Callee::Library(path) if library_names::is_pure_path(&path) || tables::is_changing_path(&path) => None,
                // A class that is not handed on; calls of it are looked at where they are.
                Callee::Library(path)
                    if path.rsplit('.').next().is_some_and(tables::is_class_name) && !is_handed_on(self.unit, expr) =>
                {
                    None
                }
                Callee::Library(path) => Some(format!("uses {path}")),
                Callee::Builtin(_) | Callee::Unknown => {
                    Some(format!("reads the variable {name} of the module, which can change"))
                }
            },
            Some(Meaning::Surface(_) | Meaning::Role | Meaning::Choreography(_) | Meaning::RoleFunction(_)) => {
                Some(format!("uses {name}"))
            }
            Some(
                Meaning::Constant
                | Meaning::Enum
                | Meaning::Alias { .. }
                | Meaning::Function(_)
                | Meaning::PlainClass(_)
                | Meaning::Module(_),
            ) => None,
            None if self.unit.names.owner_of_use(expr).is_some() => None,
            None if name.starts_with("__") || !pytrope_semantic::is_predefined(name) => Some(format!("reads {name}")),
            None => None,
        }
    }

    /// A builtin that is handed on is called: `sorted(rows, key=id)`.
    fn record_passed_builtin(&mut self, expr: ExprId) {
        if let Callee::Builtin(name) = self.effects.resolve_callee(self.world, self.unit, expr)
            && !tables::is_same_builtin(&name)
        {
            self.add_variation(self.unit.tree[expr].range, format!("uses {name}"));
        }
    }

    /// Setters and special methods of the program that a store runs.
    fn run_storing_methods(&mut self, target: ExprId, owner: ExprId, range: TextRange) {
        if let ExprKind::Attribute { attribute, .. } = self.unit.tree[target].kind {
            // A descriptor is part of its class.
            let states = self.effects.descriptor_states(self.world, self.unit.tree.text(attribute.name));
            self.record_change(Share::of_parts(states), range);
        }
        for key in self.effects.storing_methods(self.unit, target) {
            // A method that stores into its own object by a plain name is not run by itself.
            if self.stmt != Some(key.1) {
                self.apply_callee_effect(key, Some(owner), None, range);
            }
        }
    }

    pub(super) fn attribute_effects(&mut self, expr: ExprId, value: ExprId, name: &str) {
        let unit = self.unit;
        let tree = &unit.tree;
        let range = tree[expr].range;
        for class in self.effects.restless_attributes(self.world, name) {
            let state = self.effects.class_variable(self.world, class);
            self.add_change(Share::of_parts(state), range, true);
        }
        let called = matches!(tree[expr].parent, Parent::Expr(parent)
            if matches!(tree[parent].kind, ExprKind::Call { function, .. } if function == expr));
        if !called && (super::is_hidden_attribute(name) || self.effects.is_computed(name))
            || self.effects.reads_open_enum(name)
        {
            self.add_variation(range, format!("reads {name}"));
        }
        if self.is_local(value) || self.is_module_object(value) {
            for &key in self.effects.properties_named(name) {
                self.apply_callee_effect(key, Some(value), None, range);
            }
            // A method that is passed on may be called.
            if !called && self.effects.is_changing_name(name) {
                let parts = self.shared_state(value);
                self.record_change(parts, range);
            }
        }
        if self.is_local(value) {
            return;
        }
        // The callee of a call is looked at with the call, the inner part of a path with the whole.
        let is_inner = matches!(tree[expr].parent, Parent::Expr(parent)
            if matches!(tree[parent].kind, ExprKind::Attribute { .. }));
        if called || is_inner {
            return;
        }
        let Some(parts) = tree.dotted(expr) else { return };
        match self.effects.resolve_callee(self.world, unit, expr) {
            Callee::Library(path) if library_names::is_pure_path(&path) => {}
            Callee::Library(path) => self.add_variation(tree[expr].range, format!("reads {path}")),
            Callee::Unknown if unit.meanings.get(parts[0]) == Some(&Meaning::Enum) => {}
            Callee::Unknown => self.add_variation(tree[expr].range, format!("reads {}", parts.join("."))),
            Callee::Function(_) | Callee::Class(_) | Callee::Enum | Callee::Builtin(_) => {}
        }
    }

    /// Takes over the effect of a function of plain code that is called here.
    pub(super) fn apply_callee_effect(
        &mut self,
        key: PlainFunction,
        receiver: Option<ExprId>,
        arguments: Option<Arguments>,
        range: TextRange,
    ) {
        let effects = self.effects;
        let Some(effect) = effects.of_function(key) else {
            self.add_variation(range, "calls something that is not known");
            return;
        };
        if let (Some(cause), None) = (&effect.varies, &self.effect.varies) {
            self.effect.varies = Some(cause.clone());
        }
        self.effect.makes_restless |= effect.makes_restless;
        // The receiver of a constructor is the new instance, which is no part of anything yet.
        let makes_instance = receiver.is_some_and(|receiver| {
            self.is_own_class(receiver)
                || !self.is_local(receiver)
                    && matches!(self.effects.resolve_callee(self.world, self.unit, receiver), Callee::Class(_))
        });
        let changes = if makes_instance { effect.changes.without_receiver() } else { effect.changes };
        let changed = match arguments {
            Some(arguments) => self.passed_parts(key, changes, receiver, arguments),
            None => match receiver {
                Some(receiver) if effect.changes.contains(0) => self.shared_state(receiver),
                _ => Share::default(),
            },
        };
        self.add_change(changed.union(Share::of_parts(effect.changes.outside_part())), range, false);
        self.effect.asserts |= effect.asserts;
        match arguments {
            Some(arguments) => self.hand_to_callee(key, receiver, arguments, range),
            None if effect.calls != ParameterSet::NONE => {
                self.add_variation(range, "calls a function that is not known");
            }
            None => {}
        }
        if let Some(arguments) = arguments {
            self.mark_arguments(key, effect.marks, receiver, arguments, range);
            self.pass_unordered(key, receiver, arguments);
            self.pass_shown(key, receiver, arguments);
        }
    }

    /// A set given to a parameter that is not declared as one may be gone through there.
    pub(super) fn pass_unordered(&mut self, key: PlainFunction, receiver: Option<ExprId>, arguments: Arguments) {
        let callee = self.world.unit(key.0);
        let StmtKind::FunctionDef(function) = callee.tree[key.1].kind else { return };
        let declared = summary_parameters(callee, function);
        for (position, value) in given_positions(self.unit, callee, function, receiver, arguments) {
            let known = declared
                .get(position)
                .and_then(|parameter| parameter.annotation)
                .is_some_and(|annotation| !traits_of(self.world, callee, annotation).ordered);
            if !known {
                self.record_iteration(value);
            }
        }
    }

    pub(super) fn call_effects(&mut self, expr: ExprId, function: ExprId, arguments: Arguments) {
        let unit = self.unit;
        let tree = &unit.tree;
        let range = tree[expr].range;
        if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind
            && self.is_local(value)
        {
            self.method_effects(value, tree.text(attribute.name), arguments, range);
            return;
        }
        if let ExprKind::Name { name, .. } = tree[function].kind
            && self.shares.contains_key(tree.text(name))
        {
            if let (Some(class), true) = (self.class, self.is_own_class(function)) {
                self.construct_instance((unit.id, class), function, arguments, range);
                return;
            }
            // The body of a function defined inside has been looked at with this one.
            if !self.defined.contains_key(tree.text(name)) {
                let parts = self.arguments_share(arguments).union(self.shared_state(function));
                self.record_change(parts, range);
                self.call_local(function, range);
            }
            return;
        }
        if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind
            && let ExprKind::Call { function: outer, .. } = tree[value].kind
            && self.is_super(outer)
        {
            self.base_effects(value, tree.text(attribute.name), arguments, range);
            return;
        }
        // A frozen object stores past what its class says.
        if unit.expr_text(function) == "object.__setattr__"
            && !self.is_local(function)
            && unit.binding(function).is_none()
        {
            if let Some(&object) = tree[arguments.positional].first() {
                self.mark_parameter(object);
                let stored = self.shared_state(object).union(Share::of_parts(self.root_state(object)));
                self.record_change(stored, range);
            }
            return;
        }
        let called = self.effects.resolve_callee(self.world, unit, function);
        for handed in super::called_arguments(unit, &called, arguments) {
            self.collect_handed(handed, range);
        }
        match called {
            Callee::Builtin(name) if name == "super" && arguments.positional.is_empty() => {}
            // The first item of what a generator that stands here gives.
            Callee::Builtin(name)
                if name == "next"
                    && tree[arguments.positional]
                        .first()
                        .is_some_and(|&first| matches!(tree[first].kind, ExprKind::Generator { .. })) => {}
            // The class of a value; with more arguments a new class.
            Callee::Builtin(name) if name == "type" && arguments.positional.len() == 1 => {}
            Callee::Function(key) => self.apply_callee_effect(key, None, Some(arguments), range),
            Callee::Class(key) => self.construct_instance(key, function, arguments, range),
            Callee::Enum => {}
            Callee::Builtin(name) if tables::is_pure_builtin(&name) || tables::is_exception_name(&name) => {
                if !tables::ignores_order(&name) || !keeps_total_order(unit, arguments) {
                    self.iterate_arguments(arguments);
                }
            }
            Callee::Library(path) if tables::is_changing_path(&path) => {
                if let Some(&first) = tree[arguments.positional].first() {
                    let parts = self.shared_state(first);
                    self.record_change(parts, range);
                }
            }
            Callee::Library(path) if library_names::is_pure_path(&path) || tables::makes_known_array(&path) => {
                for key in self.effects.called_unseen(unit, &path, arguments) {
                    self.apply_callee_effect(key, None, None, range);
                }
                self.iterate_arguments(arguments);
            }
            Callee::Library(path) if tables::reads_arguments(&path) && !gives_output(unit, arguments) => {
                self.add_variation(range, format!("calls {path}"));
            }
            Callee::Builtin(name) if matches!(name.as_str(), "setattr" | "delattr") => {
                if let Some(&object) = tree[arguments.positional].first() {
                    self.mark_parameter(object);
                    let parts = self.shared_state(object).union(Share::of_parts(self.root_state(object)));
                    self.record_change(parts, range);
                }
                self.add_variation(range, format!("calls {name}"));
            }
            Callee::Builtin(name) if !tables::changes_arguments(&name) => {
                self.add_variation(range, format!("calls {name}"));
            }
            // The class of an exception of a library: raising it leads to the handlers of the program.
            Callee::Library(path)
                if path.rsplit('.').next().is_some_and(tables::is_class_name) && is_raised(unit, expr) =>
            {
                self.iterate_arguments(arguments);
            }
            Callee::Library(path) => {
                let changed = Share::of_parts(self.changed_by_library_call(&path));
                self.record_change(changed, range);
                self.unknown_call(arguments, range, &path);
            }
            Callee::Builtin(name) => self.unknown_call(arguments, range, &name),
            Callee::Unknown => {
                let name = unit.expr_text(function).to_owned();
                let called = Share::of_parts(self.called_variable_state(function));
                self.record_change(called, range);
                match tree[function].kind {
                    // A method of an object that a variable leads to, or that a call gives.
                    ExprKind::Attribute { value, attribute, .. }
                        if self.is_module_object(value) || tree.dotted(value).is_none() =>
                    {
                        if self.is_module_object(value) {
                            self.add_variation(range, format!("calls {name}"));
                        }
                        self.method_effects(value, tree.text(attribute.name), arguments, range);
                    }
                    _ => {
                        if tree.dotted(function).is_none() {
                            // `getattr(table, name)(x)` may change what its parts lead to.
                            let called = self.shared_state(function);
                            self.record_change(called, range);
                        }
                        self.unknown_call(arguments, range, &name);
                    }
                }
            }
        }
    }

    /// Whether a callee is `super` of a method.
    pub(super) fn is_super(&self, function: ExprId) -> bool {
        self.class.is_some()
            && self.unit.expr_text(function) == "super"
            && self.unit.names.owner_of_use(function).is_none()
    }

    /// `super().name(…)`: the method of a base of the program, or what a builtin base does.
    fn base_effects(&mut self, receiver: ExprId, name: &str, arguments: Arguments, range: TextRange) {
        let Some(class) = self.class else { return };
        let bases = self.effects.class_lineage(self.world, (self.unit.id, class)).into_iter().skip(1);
        let mut found = bases.filter_map(|(unit, base)| {
            super::method_of(self.world.unit(unit), base, name).map(|method| (unit, method))
        });
        match found.next() {
            Some(key) => self.apply_callee_effect(key, Some(receiver), Some(arguments), range),
            // The object keeps what it is made of; a base that is not known is looked at where instances are made.
            None if matches!(name, "__init__" | "__new__" | "__post_init__" | "__init_subclass__") => {
                self.iterate_arguments(arguments);
            }
            None => self.method_effects(receiver, name, arguments, range),
        }
    }

    /// Whether an expression is the class that a class method is called on.
    fn is_own_class(&self, expr: ExprId) -> bool {
        let name = self.unit.tree.as_name(expr).map(|name| self.unit.tree.text(name)).unwrap_or_default();
        self.of_class && self.shares.get(name).is_some_and(|share| share.whole.contains(0))
    }

    /// Makes an instance of a plain class.
    fn construct_instance(&mut self, class: PlainFunction, function: ExprId, arguments: Arguments, range: TextRange) {
        if self.effects.restless_class(self.world, class).is_some() {
            self.effect.makes_restless = true;
            // Its special methods run unseen: what they do outside of the object is done by having it.
            let lineage = self.effects.class_lineage(self.world, class);
            for special in lineage.into_iter().flat_map(|class| special_methods(self.world, class)) {
                let Some(effect) = self.effects.of_function(special) else { continue };
                let changed = Share::of_parts(effect.changes.outside_part());
                self.record_change(changed, range);
            }
            self.add_variation(range, "creates an object that changes when it is read");
            return;
        }
        match super::find_constructor(self.world, self.effects, class) {
            Some(init) => self.apply_callee_effect(init, Some(function), Some(arguments), range),
            None => self.iterate_arguments(arguments),
        }
        let made = self.effects.summarize_construction(self.world, class);
        self.add_change(Share::of_parts(made.changes), range, false);
        self.effect.varies = self.effect.varies.take().or(made.varies);
    }

    pub(super) fn iterate_arguments(&mut self, arguments: Arguments) {
        for &argument in &self.unit.tree[arguments.positional] {
            self.record_iteration(argument);
        }
    }

    pub(super) fn unknown_call(&mut self, arguments: Arguments, range: TextRange, name: &str) {
        let parts = self.arguments_share(arguments);
        self.record_change(parts.union(parts.of_part()), range);
        self.add_variation(range, format!("calls {name}"));
    }

    pub(super) fn method_effects(&mut self, value: ExprId, name: &str, arguments: Arguments, range: TextRange) {
        let effects = self.effects;
        let methods = effects.methods_named(name);
        if effects.holds_function(name) {
            let parts = self.shared_state(value);
            self.record_change(parts.union(parts.of_part()), range);
            self.unknown_call(arguments, range, name);
        }
        for handed in super::called_by_method(self.unit, name, arguments) {
            self.collect_handed(handed, range);
        }
        for &key in methods {
            self.apply_callee_effect(key, Some(value), Some(arguments), range);
        }
        if tables::is_changing_method(name) {
            let parts = self.shared_state(value);
            self.record_change(parts, range);
            if name == "pop" {
                self.record_iteration(value);
            }
        } else if tables::is_array_method(name) && methods.is_empty() {
            self.add_variation(range, format!("calls {name}"));
        } else if tables::is_message_method(name) && methods.is_empty() {
            let parts = self.shared_state(value);
            self.record_change(parts, range);
            self.add_variation(range, format!("calls {name}"));
        } else if !tables::is_reading_method(name) && methods.is_empty() {
            let parts = self.shared_state(value);
            self.record_change(parts, range);
            self.unknown_call(arguments, range, name);
        }
        if name == "format" {
            for key in effects.read_by_format(self.unit, value) {
                for &argument in &self.unit.tree[arguments.positional] {
                    self.apply_callee_effect(key, Some(argument), None, range);
                }
            }
        }
        // Sets take sets; other receivers go through what they are given.
        if !self.is_unordered(value) {
            self.iterate_arguments(arguments);
        }
    }
}

/// Whether an expression is an argument of a call, or part of a display: what it stands for may be called out of sight.
fn is_handed_on(unit: &Unit, expr: ExprId) -> bool {
    let tree = &unit.tree;
    let Parent::Expr(parent) = tree[expr].parent else { return false };
    match tree[parent].kind {
        ExprKind::Call { function, .. } => {
            function != expr
                && !tree
                    .as_name(function)
                    .is_some_and(|name| matches!(tree.text(name), "isinstance" | "issubclass" | "type"))
        }
        ExprKind::Attribute { .. } | ExprKind::Compare { .. } => false,
        ExprKind::Subscript { value, .. } => value != expr,
        ExprKind::BinOp { .. } | ExprKind::Tuple { .. } => is_handed_on(unit, parent),
        _ => true,
    }
}

/// Whether a call makes an exception where it is raised.
fn is_raised(unit: &Unit, call: ExprId) -> bool {
    matches!(unit.tree[call].parent, Parent::Stmt(stmt) if matches!(unit.tree[stmt].kind, StmtKind::Raise { .. }))
}

/// Whether a call is told where to put its result.
fn gives_output(unit: &Unit, arguments: Arguments) -> bool {
    let is_output = |name: &str| matches!(name, "out" | "inplace");
    unit.tree[arguments.keywords]
        .iter()
        .any(|keyword| keyword.name.is_none_or(|name| is_output(unit.tree.text(name.name))))
}

/// Whether a builtin that goes through a set, such as `sorted`, gives a result without regard to the order of the set: not with a key,
/// which may be the same for several items.
pub(crate) fn keeps_total_order(unit: &Unit, arguments: Arguments) -> bool {
    let is_reverse = |name: &str| name == "reverse";
    unit.tree[arguments.keywords]
        .iter()
        .all(|keyword| keyword.name.is_some_and(|name| is_reverse(unit.tree.text(name.name))))
}
