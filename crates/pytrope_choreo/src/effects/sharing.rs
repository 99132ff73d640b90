//! Which parameters the values of a function's body share their state with.

use pytrope_source::tree::{
    Arguments, BinaryOperator, Comprehension, Context, ExprId, ExprKind, FunctionDefinition, List, PatternId, StmtKind,
};
use pytrope_source::{Node, TextRange};

use super::body::{EffectCollector, Share, given_positions};
use super::{Callee, ParameterSet, PlainFunction, summary_parameters, tables};
use crate::declaration::Meaning;
use crate::value_types::traits_of;

impl EffectCollector<'_> {
    /// Lets names share what is assigned to them, until nothing is added.
    pub(super) fn learn_sharing(&mut self, function: FunctionDefinition) {
        let unit = self.unit;
        let tree = &unit.tree;
        loop {
            let before = self.learned_size();
            for node in tree.suite_nodes(function.body) {
                match node {
                    Node::Stmt(stmt) => match tree[stmt].kind {
                        StmtKind::Assign { targets, value } => {
                            for &target in &tree[targets] {
                                self.assign_sharing(target, value, false);
                            }
                        }
                        StmtKind::AnnAssign { target, value: Some(value), .. } => {
                            self.assign_sharing(target, value, false);
                        }
                        StmtKind::AugAssign { target, value, .. } if !self.effects.counts_numbers(unit, target) => {
                            self.assign_sharing(target, value, false);
                        }
                        StmtKind::For { target, iter, .. } => self.assign_sharing(target, iter, true),
                        StmtKind::With { items, .. } => {
                            for item in &tree[items] {
                                if let Some(target) = item.target {
                                    self.assign_sharing(target, item.context, true);
                                }
                            }
                        }
                        StmtKind::Match { subject, cases } => {
                            let share = self.shared_state(subject);
                            for case in &tree[cases] {
                                self.capture_pattern(case.pattern, share.union(share.of_part()));
                            }
                        }
                        StmtKind::Try { handlers, .. } => {
                            // An exception may have been made of anything that the function has.
                            let share = self.reachable_from_closure();
                            for name in tree[handlers].iter().filter_map(|handler| handler.name) {
                                let known = self.shares.entry(tree.text(name.name).to_owned()).or_default();
                                *known = known.union(share);
                                self.changeable.insert(tree.text(name.name).to_owned());
                                if self.raises_unshown(function) {
                                    self.unshown.insert(tree.text(name.name).to_owned());
                                }
                            }
                        }
                        _ => {}
                    },
                    Node::Expr(expr) => match tree[expr].kind {
                        ExprKind::Named { target, value } => self.assign_sharing(target, value, false),
                        ExprKind::ListComp { generators, .. }
                        | ExprKind::SetComp { generators, .. }
                        | ExprKind::DictComp { generators, .. }
                        | ExprKind::Generator { generators, .. } => self.enter_generators(generators),
                        ExprKind::Call { function, arguments } => self.pass_arguments(function, arguments),
                        _ => {}
                    },
                }
            }
            if before == self.learned_size() {
                return;
            }
        }
    }

    /// How much has been learned, which only grows.
    pub(super) fn learned_size(&self) -> (u32, usize) {
        let ones = |share: &Share| share.whole.0.count_ones() + share.items.0.count_ones();
        (self.shares.values().map(ones).sum(), self.unordered.len() + self.unshown.len() + self.changeable.len())
    }

    /// The names that a pattern captures share what it is matched with.
    pub(super) fn capture_pattern(&mut self, pattern: PatternId, share: Share) {
        let tree = &self.unit.tree;
        for name in tree.pattern_captures(pattern) {
            // A part of what is matched, of whatever kind.
            self.changeable.insert(tree.text(name.name).to_owned());
            let known = self.shares.entry(tree.text(name.name).to_owned()).or_default();
            *known = known.union(share);
        }
    }

    pub(super) fn enter_generators(&mut self, generators: List<Comprehension>) {
        for generator in &self.unit.tree[generators] {
            self.assign_sharing(generator.target, generator.iter, true);
        }
    }

    /// Parameters of functions defined inside share what these are called with; `xs.append(y)` makes `xs` share `y`.
    pub(super) fn pass_arguments(&mut self, function: ExprId, arguments: Arguments) {
        let tree = &self.unit.tree;
        let given = self.arguments_share(arguments);
        for value in tree[arguments.positional].iter().copied() {
            // A lambda that is handed on is called with what is handed on besides.
            if let ExprKind::Lambda { parameters, .. } = tree[value].kind {
                for parameter in tree[tree[parameters].regular].iter().copied() {
                    self.changeable.insert(tree.text(parameter.name.name).to_owned());
                    let known = self.shares.entry(tree.text(parameter.name.name).to_owned()).or_default();
                    *known = known.union(given).union(given.of_part());
                }
            }
            // So is a function that this one defines.
            if let Some(name) = tree.as_name(value)
                && let Some(&stmt) = self.defined.get(tree.text(name))
                && let StmtKind::FunctionDef(inner) = tree[stmt].kind
            {
                let reached = given.union(given.of_part()).union(self.arguments_share(arguments));
                self.enter_handed(inner, reached);
            }
        }
        match tree[function].kind {
            ExprKind::Name { name, .. } => {
                if let Some(&stmt) = self.defined.get(tree.text(name))
                    && let StmtKind::FunctionDef(inner) = tree[stmt].kind
                {
                    self.enter_handed(inner, given);
                }
            }
            // What is sent is copied.
            ExprKind::Attribute { attribute, .. } if tables::is_message_method(tree.text(attribute.name)) => {}
            ExprKind::Attribute { value, attribute, .. } if !tables::is_reading_method(tree.text(attribute.name)) => {
                self.hold_value(value, given);
                let mut passed = tree[arguments.positional].iter().copied();
                if passed.any(|argument| self.is_unordered(argument)) && !is_set_method(tree.text(attribute.name)) {
                    self.hold_unordered(value);
                }
                if tree[arguments.positional].iter().any(|&argument| self.is_unshown(argument)) {
                    self.hold_unshown(value);
                }
                if tree[arguments.positional].iter().any(|&argument| self.is_changeable(argument)) {
                    self.hold_changeable(value);
                }
                if let Some(name) = root_name(tree, value)
                    && let Some(known) = self.shares.get_mut(name)
                {
                    // The receiver has them as parts from now on.
                    known.items = known.items.union(given.whole).union(given.items);
                }
            }
            _ => {}
        }
    }

    /// The parameters of a function defined inside share what it is called with.
    fn enter_handed(&mut self, inner: FunctionDefinition, given: Share) {
        for parameter in summary_parameters(self.unit, inner) {
            let name = self.unit.tree.text(parameter.name.name).to_owned();
            self.changeable.insert(name.clone());
            let known = self.shares.entry(name).or_default();
            *known = known.union(given);
        }
    }

    /// The variable or the attribute that a target or a receiver stands for may hold a set from now on.
    fn hold_unordered(&mut self, holder: ExprId) {
        let tree = &self.unit.tree;
        match tree[holder].kind {
            ExprKind::Name { name, .. } => {
                self.unordered.insert(tree.text(name).to_owned());
            }
            ExprKind::Attribute { attribute, .. } => {
                self.effects.unordered_attributes.borrow_mut().insert(tree.text(attribute.name).to_owned());
            }
            ExprKind::Subscript { value, .. } | ExprKind::Starred { value, .. } => self.hold_unordered(value),
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                tree[elements].iter().for_each(|&element| self.hold_unordered(element));
            }
            _ => {}
        }
    }

    pub(super) fn arguments_share(&self, arguments: Arguments) -> Share {
        let tree = &self.unit.tree;
        let positional = tree[arguments.positional].iter().copied();
        let named = tree[arguments.keywords].iter().map(|keyword| keyword.value);
        let given = positional.chain(named).map(|argument| self.given_share(arguments, argument));
        given.fold(Share::default(), Share::union)
    }

    /// What an argument shares; of `**options` the callee has the items.
    fn given_share(&self, arguments: Arguments, argument: ExprId) -> Share {
        let share = self.shared_state(argument);
        let spread = self.unit.tree[arguments.keywords]
            .iter()
            .any(|keyword| keyword.name.is_none() && keyword.value == argument);
        if spread { share.union(share.of_part()) } else { share }
    }

    pub(super) fn assign_sharing(&mut self, target: ExprId, value: ExprId, items: bool) {
        let tree = &self.unit.tree;
        let unpacked = matches!(tree[target].kind, ExprKind::Tuple { .. } | ExprKind::List { .. });
        let whole = self.shared_state(value);
        let given = if items || unpacked { whole.of_part() } else { whole };
        self.assign_changeable(target, value, items);
        let unordered = self.is_unordered(value);
        if unordered {
            self.hold_unordered(target);
        }
        if self.is_unshown(value) {
            self.hold_unshown(target);
        }
        for node in tree.descendants(Node::Expr(target)) {
            let Node::Expr(expr) = node else { continue };
            if let ExprKind::Name { name, context } = tree[expr].kind {
                let name = tree.text(name).to_owned();
                let direct = context == Context::Store;
                if direct {
                    let known = self.shares.entry(name).or_default();
                    *known = known.union(given);
                } else if let Some(known) = self.shares.get_mut(&name) {
                    // Storing into `x.a` or `x[0]` makes the value a part of `x`.
                    *known = known.union(given.of_container());
                }
                self.hold_value(expr, given);
            }
        }
    }

    /// What a value may share its state with.
    pub(super) fn shared_state(&self, expr: ExprId) -> Share {
        let tree = &self.unit.tree;
        let over_children = |of: &dyn Fn(Share) -> Share| {
            tree.children(Node::Expr(expr)).into_iter().fold(Share::default(), |found, child| match child {
                Node::Expr(child) => found.union(of(self.shared_state(child))),
                Node::Stmt(_) => found,
            })
        };
        match tree[expr].kind {
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                if self.outer.contains(name) {
                    return Share::of_parts(self.global_state(name));
                }
                if let Some(&stmt) = self.defined.get(name) {
                    return self.captured_share(tree[stmt].range);
                }
                match self.shares.get(name) {
                    Some(share) if self.of_class => share.union(Share::of_parts(self.class_state(expr))),
                    Some(share) => *share,
                    None => match self.unit.meanings.get(name) {
                        Some(Meaning::Other) => Share::of_parts(ParameterSet::OUTSIDE.union(self.outside_state(expr))),
                        _ => Share::of_parts(self.outside_state(expr)),
                    },
                }
            }
            ExprKind::Subscript { value, index, .. } if matches!(tree[index].kind, ExprKind::Slice { .. }) => {
                let share = self.shared_state(value);
                // A slice of an array is a view of it.
                if self.is_copied_by_slice(value, index) { share.of_copy() } else { share }
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let own = if self.is_local(value) { self.class_state(expr) } else { self.outside_state(expr) };
                let name = tree.text(attribute.name);
                let state = own.union(self.shared_by_instances(name)).union(self.effects.open_enum_state(name));
                self.shared_state(value).of_part().union(Share::of_parts(state))
            }
            ExprKind::Subscript { value, .. } => self.shared_state(value).of_part(),
            ExprKind::Compare { .. } | ExprKind::FString { .. } => Share::default(),
            ExprKind::Call { function, .. } if self.is_super(function) => Share::of_parts(ParameterSet::of_position(0)),
            ExprKind::Call { function, arguments } => self.call_shares(function, arguments),
            ExprKind::BinOp { left, op, right } if self.effects.gives_number(self.unit, left, op, right) => {
                Share::default()
            }
            ExprKind::BinOp { .. } => over_children(&Share::of_copy),
            ExprKind::Tuple { .. }
            | ExprKind::List { .. }
            | ExprKind::Set { .. }
            | ExprKind::Dict { .. }
            | ExprKind::ListComp { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::DictComp { .. }
            | ExprKind::Generator { .. } => over_children(&Share::of_container),
            ExprKind::Starred { value, .. } => self.shared_state(value).of_part(),
            ExprKind::Lambda { .. } => self.captured_share(tree[expr].range),
            _ => over_children(&|share| share),
        }
    }

    /// What a function defined inside has captured: all that the names in it may share their state with.
    fn captured_share(&self, range: TextRange) -> Share {
        let tree = &self.unit.tree;
        let names = self.unit.exprs_within(range).filter_map(|expr| tree.as_name(expr));
        let shares = names.filter_map(|name| self.shares.get(tree.text(name)));
        Share::of_parts(shares.fold(ParameterSet::NONE, |found, share| found.union(share.whole).union(share.items)))
    }

    /// Whether slicing a value makes a new one: its parameter is declared to be a list or a text, or nothing but such values is
    /// assigned to it.
    fn is_copied_by_slice(&self, value: ExprId, index: ExprId) -> bool {
        let tree = &self.unit.tree;
        // `xs[:]` of an undeclared parameter is how lists are copied.
        let is_whole = matches!(tree[index].kind, ExprKind::Slice { lower: None, upper: None, step: None });
        match tree[value].kind {
            ExprKind::Name { .. } => {
                let Some(owner) = self.unit.names.owner_of_use(value) else { return false };
                let definitions = self.unit.names.definitions_of(owner, self.unit.expr_text(value));
                definitions.iter().all(|&id| {
                    let definition = self.unit.names.definition(id);
                    match tree[definition.stmt].kind {
                        StmtKind::Assign { targets, value } => {
                            tree[targets].iter().all(|&target| tree.as_name(target).is_some())
                                && makes_sequence(self.unit, value)
                        }
                        StmtKind::AnnAssign { annotation, .. } => is_sequence_type(self.unit, annotation),
                        StmtKind::FunctionDef(function) => {
                            let declared = summary_parameters(self.unit, function);
                            declared.into_iter().any(|parameter| {
                                parameter.name.range == definition.range
                                    && parameter
                                        .annotation
                                        .map_or(is_whole, |annotation| is_sequence_type(self.unit, annotation))
                            })
                        }
                        _ => false,
                    }
                })
            }
            _ => makes_sequence(self.unit, value),
        }
    }

    pub(super) fn call_shares(&self, function: ExprId, arguments: Arguments) -> Share {
        let tree = &self.unit.tree;
        let given = self.arguments_share(arguments);
        if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind
            && (self.is_local(value) || self.is_module_object(value))
        {
            let name = tree.text(attribute.name);
            let receiver = self.shared_state(value);
            let methods = self.effects.methods_named(name);
            if !methods.is_empty() && methods.iter().all(|&key| self.gives_frozen(key)) {
                return Share::default();
            }
            if !methods.is_empty() {
                return receiver.union(given);
            }
            return match name {
                "copy" | "items" | "keys" | "values" | "union" | "intersection" | "difference" | "most_common" => {
                    receiver.of_copy().union(given.of_copy())
                }
                "get" | "pop" | "setdefault" | "popitem" | "popleft" => receiver.of_part().union(given),
                _ if tables::is_reading_method(name) => Share::default(),
                _ => receiver.union(given),
            };
        }
        if self.is_local(function) {
            return self.shared_state(function).union(given).union(self.reachable_from_closure());
        }
        match self.effects.resolve_callee(self.world, self.unit, function) {
            Callee::Builtin(name) if tables::gives_frozen(&name) => Share::default(),
            Callee::Builtin(name) if matches!(name.as_str(), "max" | "min" | "sum") => given.union(given.of_part()),
            Callee::Builtin(name) if tables::gives_items(&name) => given.of_copy(),
            Callee::Enum => Share::default(),
            Callee::Function(key) if self.gives_frozen(key) => Share::default(),
            Callee::Function(key) => match self.effects.of_function(key) {
                Some(effect) => Share {
                    whole: self.passed_parts(key, effect.returns, None, arguments).whole,
                    items: self.passed_parts(key, effect.returns_items, None, arguments).items,
                },
                None => given.union(Share::of_parts(ParameterSet::OUTSIDE)),
            },
            Callee::Class(_) => given.of_container(),
            Callee::Library(path) if path == "copy.deepcopy" => Share::default(),
            Callee::Library(path) if path == "copy.copy" => given.of_copy(),
            Callee::Builtin(_) | Callee::Library(_) => given,
            Callee::Unknown => {
                let called = Share::of_parts(ParameterSet::OUTSIDE.union(self.outside_state(function)));
                given.union(called).union(if tree.dotted(function).is_some() {
                    Share::default()
                } else {
                    self.shared_state(function)
                })
            }
        }
    }

    /// Whether a function is declared to return what cannot change.
    fn gives_frozen(&self, key: PlainFunction) -> bool {
        let unit = self.world.unit(key.0);
        let StmtKind::FunctionDef(function) = unit.tree[key.1].kind else { return false };
        function.returns.is_some_and(|returns| traits_of(self.world, unit, returns).frozen)
    }

    /// Everything a function defined inside may reach.
    pub(super) fn reachable_from_closure(&self) -> Share {
        self.shares.values().fold(Share::default(), |found, share| found.union(*share))
    }

    /// What the parts of a callee are here.
    pub(super) fn passed_parts(
        &self,
        callee: PlainFunction,
        parts: ParameterSet,
        receiver: Option<ExprId>,
        arguments: Arguments,
    ) -> Share {
        let mut found = Share::of_parts(parts.outside_part());
        let unit = self.world.unit(callee.0);
        let StmtKind::FunctionDef(function) = unit.tree[callee.1].kind else { return found };
        for (position, value) in given_positions(self.unit, unit, function, receiver, arguments) {
            if parts.contains(position) {
                found = found.union(self.given_share(arguments, value));
            }
        }
        found
    }

    /// Whether an expression begins with a name of this function.
    pub(super) fn is_local(&self, expr: ExprId) -> bool {
        match root_name(&self.unit.tree, expr) {
            Some(name) => self.shares.contains_key(name) && !self.outer.contains(name),
            None => true,
        }
    }

    pub(super) fn is_unordered(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::Set { .. } | ExprKind::SetComp { .. } => true,
            ExprKind::Name { name, .. } => self.unordered.contains(tree.text(name)),
            ExprKind::BinOp { left, op, right } => {
                super::makes_view_set(self.unit, expr)
                    || matches!(
                        op,
                        BinaryOperator::BitOr | BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::Sub
                    ) && (self.is_unordered(left) || self.is_unordered(right))
            }
            ExprKind::IfExp { body, orelse, .. } => self.is_unordered(body) || self.is_unordered(orelse),
            // A part of what holds a set may be the set.
            ExprKind::Attribute { attribute, .. } => {
                let name = tree.text(attribute.name);
                self.effects.unordered_attributes.borrow().contains(name)
            }
            ExprKind::Subscript { value, .. } => self.is_unordered(value),
            ExprKind::BoolOp { .. }
            | ExprKind::Tuple { .. }
            | ExprKind::List { .. }
            | ExprKind::Dict { .. }
            | ExprKind::Starred { .. } => tree
                .children(Node::Expr(expr))
                .into_iter()
                .any(|child| matches!(child, Node::Expr(child) if self.is_unordered(child))),
            ExprKind::ListComp { element, .. } => self.is_unordered(element),
            ExprKind::Named { value, .. } => self.is_unordered(value),
            ExprKind::Call { function, .. } => {
                if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind
                    && self.is_local(value)
                {
                    return tables::is_item_method(tree.text(attribute.name)) && self.is_unordered(value);
                }
                if self.is_local(function) {
                    return false;
                }
                match self.effects.resolve_callee(self.world, self.unit, function) {
                    Callee::Builtin(name) => matches!(name.as_str(), "set" | "frozenset"),
                    Callee::Function(key) => self.effects.of_function(key).is_some_and(|effect| effect.unordered),
                    Callee::Class(_) | Callee::Enum | Callee::Library(_) | Callee::Unknown => false,
                }
            }
            _ => false,
        }
    }
}

/// Whether an expression makes a list, a tuple or a text.
fn makes_sequence(unit: &crate::declaration::Unit, expr: ExprId) -> bool {
    let tree = &unit.tree;
    match tree[expr].kind {
        ExprKind::List { .. }
        | ExprKind::ListComp { .. }
        | ExprKind::Tuple { .. }
        | ExprKind::Str(_)
        | ExprKind::Bytes(_)
        | ExprKind::FString { .. } => true,
        ExprKind::Call { function, .. } => match tree[function].kind {
            ExprKind::Name { name, .. } => {
                matches!(tree.text(name), "list" | "sorted" | "str" | "tuple" | "bytes" | "repr")
                    && unit.names.owner_of_use(function).is_none()
            }
            ExprKind::Attribute { attribute, .. } => {
                matches!(tree.text(attribute.name), "split" | "splitlines" | "join" | "strip" | "lower" | "upper")
            }
            _ => false,
        },
        ExprKind::Subscript { value, index, .. } if matches!(tree[index].kind, ExprKind::Slice { .. }) => {
            makes_sequence(unit, value)
        }
        ExprKind::BinOp { left, right, .. } => makes_sequence(unit, left) || makes_sequence(unit, right),
        ExprKind::IfExp { body, orelse, .. } => makes_sequence(unit, body) && makes_sequence(unit, orelse),
        _ => false,
    }
}

/// Whether a type is that of a builtin sequence, whose slices are copies.
fn is_sequence_type(unit: &crate::declaration::Unit, annotation: ExprId) -> bool {
    let tree = &unit.tree;
    match tree[annotation].kind {
        ExprKind::None => true,
        ExprKind::Subscript { value, .. } => is_sequence_type(unit, value),
        ExprKind::BinOp { left, right, .. } => is_sequence_type(unit, left) && is_sequence_type(unit, right),
        ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
            let name = tree.dotted(annotation).and_then(|parts| parts.last().copied()).unwrap_or_default();
            matches!(name, "list" | "List" | "tuple" | "Tuple" | "str" | "bytes" | "bytearray" | "Sequence" | "range")
        }
        _ => false,
    }
}

/// Methods by which a container takes the items of a set, and not the set.
fn is_set_method(name: &str) -> bool {
    matches!(name, "update" | "extend" | "difference_update" | "intersection_update" | "symmetric_difference_update")
}

/// The name at the bottom of `name.a[0].b()`.
fn root_name(tree: &pytrope_source::Tree, expr: ExprId) -> Option<&str> {
    match tree[expr].kind {
        ExprKind::Name { name, .. } => Some(tree.text(name)),
        ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } => root_name(tree, value),
        ExprKind::Call { function, .. } => root_name(tree, function),
        _ => None,
    }
}
