//! One activation walked in the order of execution, with the set of definitions that may hold.

use pytrope_source::Node;
use pytrope_source::Tree;
use pytrope_source::scopes::{ScopeId, ScopeKind, Scopes};
use pytrope_source::tree::{
    Case, Clause, Comprehension, Context, ExprId, ExprKind, Handler, List, PatternId, PatternKind, StmtId, StmtKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Reaching, ReachingDefinitions, activation_of, is_constant_true};
use crate::definition::{DefinitionId, DefinitionKind};
use crate::names::ModuleNames;
use crate::state::{DefinitionSet, join_into};

/// The states that leave a loop or reach its head early.
#[derive(Default)]
struct LoopStates {
    breaks: Option<DefinitionSet>,
    continues: Option<DefinitionSet>,
}

/// What is known of one name of the activation.
struct NameBits {
    /// All bits of the name: its definitions and its being unbound.
    mask: DefinitionSet,
    /// The bit that says that it has no value.
    unbound: usize,
    /// Definitions by code of other activations, through `global` and `nonlocal`.
    elsewhere: Vec<DefinitionId>,
}

pub(super) struct Activation<'a> {
    tree: &'a Tree,
    scopes: &'a Scopes,
    names: &'a ModuleNames,
    slots: FxHashMap<(ScopeId, &'a str), NameBits>,
    /// The definitions behind bits; `None` for "unbound".
    of_bit: Vec<Option<DefinitionId>>,
    bit_of: FxHashMap<DefinitionId, usize>,
    /// `None` where no path leads.
    state: Option<DefinitionSet>,
    loops: Vec<LoopStates>,
    /// For each `try` around: the join of all states inside.
    tries: Vec<Option<DefinitionSet>>,
    reads: FxHashMap<ExprId, DefinitionSet>,
    read_slots: FxHashMap<ExprId, (ScopeId, &'a str)>,
    /// Reads in class bodies that may mean the module's name.
    of_module: FxHashSet<ExprId>,
}

impl<'a> Activation<'a> {
    pub fn of_suite(
        tree: &'a Tree,
        scopes: &'a Scopes,
        names: &'a ModuleNames,
        scope: ScopeId,
        body: List<StmtId>,
    ) -> Self {
        let mut activation = Self::new(tree, scopes, names, scope);
        activation.suite(body);
        activation
    }

    pub fn of_expr(tree: &'a Tree, scopes: &'a Scopes, names: &'a ModuleNames, scope: ScopeId, body: ExprId) -> Self {
        let mut activation = Self::new(tree, scopes, names, scope);
        activation.expr(body);
        activation
    }

    fn new(tree: &'a Tree, scopes: &'a Scopes, names: &'a ModuleNames, scope: ScopeId) -> Self {
        let mut slots: FxHashMap<(ScopeId, &str), NameBits> = FxHashMap::default();
        let mut of_bit = Vec::new();
        let mut bit_of = FxHashMap::default();
        let mut state = DefinitionSet::default();
        for (id, definition) in names.iter() {
            if activation_of(scopes, definition.scope) != scope {
                continue;
            }
            let slot = slots.entry((definition.scope, &*definition.name)).or_insert_with(|| {
                let unbound = of_bit.len();
                of_bit.push(None);
                let mut mask = DefinitionSet::default();
                mask.insert(unbound);
                NameBits { mask, unbound, elsewhere: Vec::new() }
            });
            if activation_of(scopes, definition.site) != scope {
                slot.elsewhere.push(id);
                continue;
            }
            let bit = of_bit.len();
            of_bit.push(Some(id));
            bit_of.insert(id, bit);
            slot.mask.insert(bit);
            let is_parameter = matches!(
                definition.kind,
                DefinitionKind::Parameter(_) | DefinitionKind::Spread | DefinitionKind::LambdaParameter
            );
            if is_parameter && definition.scope == scope {
                state.insert(bit);
            }
        }
        // What is no parameter has no value at first.
        for slot in slots.values() {
            if state.intersection(&slot.mask).iter().next().is_none() {
                state.insert(slot.unbound);
            }
        }
        Self {
            tree,
            scopes,
            names,
            slots,
            of_bit,
            bit_of,
            state: Some(state),
            loops: Vec::new(),
            tries: Vec::new(),
            reads: FxHashMap::default(),
            read_slots: FxHashMap::default(),
            of_module: FxHashSet::default(),
        }
    }

    /// Enters what was found at each read.
    pub fn finish(self, into: &mut ReachingDefinitions) {
        for (read, set) in self.reads {
            let mut reaching = Reaching::default();
            for bit in set.iter() {
                match self.of_bit[bit] {
                    Some(id) => reaching.definitions.push(id),
                    None => reaching.may_be_unbound = true,
                }
            }
            if let Some(key) = self.read_slots.get(&read) {
                reaching.definitions.extend(self.slots.get(key).into_iter().flat_map(|slot| &slot.elsewhere));
                if self.of_module.contains(&read) {
                    let ids = self.names.definitions_of(ScopeId::MODULE, key.1).iter();
                    reaching.definitions.extend(ids.filter(|&&id| self.names.definition(id).kind.binds_value()));
                }
            }
            reaching.definitions.sort_unstable();
            into.at.insert(read, reaching);
        }
    }

    /// Binds the identifier at an offset.
    fn define(&mut self, start: u32) {
        let Some(id) = self.names.definition_at(start) else { return };
        let definition = self.names.definition(id);
        let Some(slot) = self.slots.get(&(definition.scope, &*definition.name)) else { return };
        let bit = match (&definition.kind, self.bit_of.get(&id)) {
            (DefinitionKind::Declaration(_), _) | (_, None) => return,
            (DefinitionKind::Deletion, Some(_)) => slot.unbound,
            (_, Some(&bit)) => bit,
        };
        if let Some(state) = &mut self.state {
            state.subtract(&slot.mask);
            state.insert(bit);
        }
        self.note_raise();
    }

    /// The name of a handler has no value behind it.
    fn unbind(&mut self, start: u32) {
        let Some(id) = self.names.definition_at(start) else { return };
        let definition = self.names.definition(id);
        if let (Some(slot), Some(state)) = (self.slots.get(&(definition.scope, &*definition.name)), self.state.as_mut())
        {
            state.subtract(&slot.mask);
            state.insert(slot.unbound);
        }
    }

    /// An exception may leave from here to any `try` around.
    fn note_raise(&mut self) {
        if let Some(state) = &self.state {
            for entry in &mut self.tries {
                join_into(entry, state);
            }
        }
    }

    fn read(&mut self, expr: ExprId) {
        let tree = self.tree;
        let (Some(name), Some(owner), Some(state)) =
            (tree.as_name(expr), self.names.owner_of_use(expr), self.state.as_ref())
        else {
            return;
        };
        let key = (owner, tree.text(name));
        let Some(slot) = self.slots.get(&key) else { return };
        let mut found = state.intersection(&slot.mask);
        // A class body reads the module's name where its own has no value yet.
        if self.scopes[owner].kind == ScopeKind::Class && found.contains(slot.unbound) {
            let of_module = self.names.definitions_of(ScopeId::MODULE, key.1);
            match self.slots.get(&(ScopeId::MODULE, key.1)) {
                Some(outer) => {
                    found.remove(slot.unbound);
                    found.union(&state.intersection(&outer.mask));
                }
                None if !of_module.is_empty() => {
                    found.remove(slot.unbound);
                    self.of_module.insert(expr);
                }
                None => {}
            }
        }
        self.reads.entry(expr).or_default().union(&found);
        self.read_slots.insert(expr, key);
    }

    fn suite(&mut self, body: List<StmtId>) {
        for &stmt in &self.tree[body] {
            if self.state.is_none() {
                return;
            }
            self.note_raise();
            self.stmt(stmt);
        }
    }

    fn optional(&mut self, expr: Option<ExprId>) {
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    fn exprs(&mut self, list: List<ExprId>) {
        for &expr in &self.tree[list] {
            self.expr(expr);
        }
    }

    /// Runs something that may not be run, and joins.
    fn perhaps(&mut self, run: impl FnOnce(&mut Self)) {
        let before = self.state.clone();
        run(self);
        if let Some(before) = before {
            join_into(&mut self.state, &before);
        }
    }

    fn stmt(&mut self, stmt: StmtId) {
        let tree = self.tree;
        match tree[stmt].kind {
            StmtKind::FunctionDef(function) => {
                self.heads_of(stmt, function.body);
                self.define(function.name.range.start);
            }
            StmtKind::ClassDef(class) => {
                self.heads_of(stmt, class.body);
                self.suite(class.body);
                self.define(class.name.range.start);
            }
            StmtKind::Return { value } => {
                self.optional(value);
                self.note_raise();
                self.state = None;
            }
            StmtKind::Raise { exception, cause } => {
                self.optional(exception);
                self.optional(cause);
                self.note_raise();
                self.state = None;
            }
            StmtKind::Break => {
                if let (Some(state), Some(exits)) = (self.state.take(), self.loops.last_mut()) {
                    join_into(&mut exits.breaks, &state);
                }
            }
            StmtKind::Continue => {
                if let (Some(state), Some(exits)) = (self.state.take(), self.loops.last_mut()) {
                    join_into(&mut exits.continues, &state);
                }
            }
            StmtKind::Assign { targets, value } => {
                self.expr(value);
                self.exprs(targets);
            }
            StmtKind::AugAssign { target, value, .. } => {
                self.read(target);
                self.expr(value);
                self.expr(target);
            }
            StmtKind::AnnAssign { target, annotation, value, .. } => {
                self.optional(value);
                self.expr(annotation);
                self.expr(target);
            }
            StmtKind::For { target, iter, body, orelse, .. } => {
                self.expr(iter);
                self.run_loop(body, orelse, true, |flow| flow.expr(target), true);
            }
            StmtKind::While { test, body, orelse } => {
                let ends = !is_constant_true(tree, test);
                self.run_loop(body, orelse, ends, |flow| flow.expr(test), false);
            }
            StmtKind::If { test, body, clauses } => self.run_if(test, body, clauses),
            StmtKind::With { items, body, .. } => {
                for item in &tree[items] {
                    self.expr(item.context);
                    self.optional(item.target);
                }
                self.suite(body);
            }
            StmtKind::Match { subject, cases } => {
                self.expr(subject);
                self.run_match(cases);
            }
            StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
                self.run_try(body, handlers, orelse, finalbody);
            }
            StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } => {
                for alias in &tree[names] {
                    self.define(alias.asname.unwrap_or(alias.name).range.start);
                }
            }
            StmtKind::Delete { targets } => self.exprs(targets),
            StmtKind::TypeAlias { name, value, .. } => {
                self.expr(value);
                self.expr(name);
            }
            StmtKind::Assert { test, message } => {
                self.expr(test);
                self.optional(message);
            }
            StmtKind::Expr { value } => self.expr(value),
            StmtKind::Global { .. } | StmtKind::Nonlocal { .. } | StmtKind::Pass | StmtKind::IpyEscape(_) => {}
        }
    }

    /// What a definition evaluates where it stands: decorators, defaults, annotations, bases.
    fn heads_of(&mut self, stmt: StmtId, body: List<StmtId>) {
        let tree = self.tree;
        for child in tree.children(Node::Stmt(stmt)) {
            if let Node::Expr(expr) = child {
                self.expr(expr);
            }
        }
        debug_assert!(tree[body].iter().all(|&inner| tree.enclosing(inner) == Some(stmt)));
    }

    /// A loop: `head` is evaluated before each iteration. An iterated loop may end before its target is bound.
    fn run_loop(
        &mut self,
        body: List<StmtId>,
        orelse: List<StmtId>,
        ends: bool,
        head: impl Fn(&mut Self),
        ends_before_head: bool,
    ) {
        let Some(mut entry) = self.state.clone() else { return };
        let exits = loop {
            self.state = Some(entry.clone());
            self.loops.push(LoopStates::default());
            head(self);
            let after_head = self.state.clone();
            self.suite(body);
            let exits = self.loops.pop().unwrap_or_default();
            let mut again = self.state.take();
            if let Some(continues) = &exits.continues {
                join_into(&mut again, continues);
            }
            match again {
                Some(again) if !entry.includes(&again) => entry.union(&again),
                _ => break (exits, after_head),
            }
        };
        let (exits, after_head) = exits;
        let end = if ends_before_head { Some(entry) } else { after_head };
        self.state = end.filter(|_| ends);
        self.suite(orelse);
        if let Some(breaks) = &exits.breaks {
            join_into(&mut self.state, breaks);
        }
    }

    fn run_if(&mut self, test: ExprId, body: List<StmtId>, clauses: List<Clause>) {
        let tree = self.tree;
        self.expr(test);
        let mut otherwise = self.state.clone();
        self.suite(body);
        let mut after = self.state.take();
        let mut is_complete = false;
        for clause in &tree[clauses] {
            self.state.clone_from(&otherwise);
            if let Some(test) = clause.test {
                self.expr(test);
                otherwise.clone_from(&self.state);
            } else {
                is_complete = true;
            }
            self.suite(clause.body);
            if let Some(state) = &self.state {
                join_into(&mut after, state);
            }
        }
        if let (Some(otherwise), false) = (&otherwise, is_complete) {
            join_into(&mut after, otherwise);
        }
        self.state = after;
    }

    fn run_match(&mut self, cases: List<Case>) {
        let tree = self.tree;
        let mut otherwise = self.state.clone();
        let mut after = None;
        for case in &tree[cases] {
            self.state.clone_from(&otherwise);
            for expr in tree.pattern_exprs(case.pattern) {
                self.expr(expr);
            }
            for capture in tree.pattern_captures(case.pattern) {
                self.define(capture.range.start);
            }
            self.optional(case.guard);
            // A pattern that fails may have bound some of its captures.
            match (&self.state, is_irrefutable(tree, case.pattern) && case.guard.is_none()) {
                (_, true) | (None, _) => otherwise = None,
                (Some(state), false) => join_into(&mut otherwise, state),
            }
            self.suite(case.body);
            if let Some(state) = &self.state {
                join_into(&mut after, state);
            }
        }
        if let Some(otherwise) = &otherwise {
            join_into(&mut after, otherwise);
        }
        self.state = after;
    }

    fn run_try(&mut self, body: List<StmtId>, handlers: List<Handler>, orelse: List<StmtId>, finalbody: List<StmtId>) {
        let tree = self.tree;
        let has_finally = !finalbody.is_empty();
        // Jumps out of the `try` pass through `finally`.
        let outer_loop = if has_finally { self.loops.last_mut().map(std::mem::take) } else { None };
        if has_finally {
            self.tries.push(self.state.clone());
        }
        self.tries.push(self.state.clone());
        self.suite(body);
        let raised = self.tries.pop().flatten();
        self.suite(orelse);
        let mut after = self.state.take();
        for handler in &tree[handlers] {
            self.state.clone_from(&raised);
            self.optional(handler.class);
            if let Some(name) = handler.name {
                self.define(name.range.start);
            }
            self.suite(handler.body);
            if let Some(name) = handler.name {
                self.unbind(name.range.start);
            }
            if let Some(state) = &self.state {
                join_into(&mut after, state);
            }
        }
        if !has_finally {
            self.state = after;
            return;
        }
        // The suite runs behind every way out; what it leaves goes on where the way out leads.
        let abnormal = self.tries.pop().flatten();
        self.state = abnormal;
        self.suite(finalbody);
        self.note_raise();
        if let Some(outer) = outer_loop {
            let inner = self.loops.last_mut().map(|exits| std::mem::replace(exits, outer)).unwrap_or_default();
            for (jump, is_break) in [(inner.breaks, true), (inner.continues, false)] {
                self.state = jump;
                self.suite(finalbody);
                if let (Some(state), Some(exits)) = (self.state.take(), self.loops.last_mut()) {
                    join_into(if is_break { &mut exits.breaks } else { &mut exits.continues }, &state);
                }
            }
        }
        self.state = after;
        self.suite(finalbody);
    }

    fn expr(&mut self, expr: ExprId) {
        let tree = self.tree;
        match tree[expr].kind {
            ExprKind::Name { context: Context::Load, .. } => self.read(expr),
            ExprKind::Name { .. } => self.define(tree[expr].range.start),
            ExprKind::Named { target, value } => {
                self.expr(value);
                self.expr(target);
            }
            ExprKind::BoolOp { values, .. } => {
                if let [first, rest @ ..] = &tree[values] {
                    self.expr(*first);
                    self.perhaps(|flow| rest.iter().for_each(|&value| flow.perhaps(|flow| flow.expr(value))));
                }
            }
            ExprKind::IfExp { test, body, orelse } => {
                self.expr(test);
                let before = self.state.clone();
                self.expr(body);
                let after = std::mem::replace(&mut self.state, before);
                self.expr(orelse);
                if let Some(after) = &after {
                    join_into(&mut self.state, after);
                }
            }
            ExprKind::Compare { left, comparators, .. } => {
                self.expr(left);
                if let [first, rest @ ..] = &tree[comparators] {
                    self.expr(*first);
                    for &value in rest {
                        self.perhaps(|flow| flow.expr(value));
                    }
                }
            }
            ExprKind::Lambda { body, .. } => {
                for child in tree.children(Node::Expr(expr)) {
                    if let Node::Expr(child) = child
                        && child != body
                    {
                        self.expr(child);
                    }
                }
            }
            ExprKind::ListComp { element, generators }
            | ExprKind::SetComp { element, generators }
            | ExprKind::Generator { element, generators } => self.comprehension(generators, &[element]),
            ExprKind::DictComp { key, value, generators } => {
                let parts: Vec<ExprId> = key.into_iter().chain([value]).collect();
                self.comprehension(generators, &parts);
            }
            _ => {
                for child in tree.children(Node::Expr(expr)) {
                    if let Node::Expr(child) = child {
                        self.expr(child);
                    }
                }
            }
        }
    }

    /// A comprehension runs where it stands, any number of times; a walrus in it binds outside.
    fn comprehension(&mut self, generators: List<Comprehension>, parts: &[ExprId]) {
        let generators = &self.tree[generators];
        if let Some(first) = generators.first() {
            self.expr(first.iter);
        }
        // A second pass sees what the first has bound.
        for _ in 0..2 {
            self.perhaps(|flow| {
                for (i, generator) in generators.iter().enumerate() {
                    if i > 0 {
                        flow.expr(generator.iter);
                    }
                    flow.expr(generator.target);
                    flow.exprs(generator.conditions);
                }
                for &part in parts {
                    flow.expr(part);
                }
            });
        }
    }
}

/// Whether a pattern matches whatever comes: a capture, or `_`.
fn is_irrefutable(tree: &Tree, pattern: PatternId) -> bool {
    match tree[pattern].kind {
        PatternKind::As { pattern, .. } => pattern.is_none_or(|pattern| is_irrefutable(tree, pattern)),
        PatternKind::Or(list) => tree[list].iter().any(|&pattern| is_irrefutable(tree, pattern)),
        PatternKind::Value(_)
        | PatternKind::Singleton(_)
        | PatternKind::Sequence(_)
        | PatternKind::Mapping { .. }
        | PatternKind::Class { .. }
        | PatternKind::Star(_) => false,
    }
}
