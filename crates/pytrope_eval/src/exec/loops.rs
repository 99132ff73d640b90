//! Loops: exact while they are decided and cheap, then widened to a fixpoint.

use std::cell::Cell;

use pytrope_dims::{Cmp, Dim};
use pytrope_source::tree::{ExprId, ExprKind, List, StmtId};

use super::induction::Settled;
use crate::cond::Cond;
use crate::effects::Operation;
use crate::interp::{BeforePass, Dependency, Flow, Interp, LoopExits, Unreachable, Yields, iteration_instance};
use crate::join::Widening;
use crate::object::{Iter, IterSource, Object, Slot};
use crate::recency::IterationKind;
use crate::state::State;
use crate::symbols;
use crate::value::{Addr, Reason, Seq, Value};
use pytrope_dims::ThreeValued;
use pytrope_trie::Pair;

/// How many passes a widened loop gets before everything that still changes is given up.
const PASSES: u32 = 12;

/// How a pass through a loop's head came out.
enum Head {
    /// The body runs for certain.
    Enter,
    /// The body runs for certain, and its item stands for any of the sequence: what is only wrong for some of them need not be
    /// wrong for this one.
    EnterWithAny,
    /// The loop is over for certain.
    Leave,
    /// Either.
    Maybe(Cond),
}

/// What decides whether a loop goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoopKind {
    /// A condition: `while`.
    Condition,
    /// That there is another item: `for`.
    Items,
}

/// What a `for` loop runs over.
struct LoopSource {
    seq: Option<Seq>,
    /// What the items depend on, as it was at the start.
    watched: Vec<Dependency>,
    /// A generator function that changes things between the iterations.
    resumed: Option<Value>,
    changed: Cell<bool>,
}

/// An iteration that may have to be taken back: how things stood before it.
struct IterationAttempt {
    state: State,
    exits: Option<LoopExits>,
    returns: Option<(State, Value)>,
    yields: Option<Yields>,
    pass: BeforePass,
}

/// The item of a `range` in one iteration.
fn range_item(iterable: &Value, iteration: usize) -> Option<Value> {
    let Value::Range(parts) = iterable else { return None };
    let Value::Int(step) = parts[2] else { return None };
    let offset = i128::from(step).checked_mul(i128::try_from(iteration).ok()?)?;
    Some(Value::dim(parts[0].as_dim()?.plus(&Dim::constant(offset))?))
}

impl Interp<'_> {
    pub(super) fn while_loop(&mut self, test: ExprId, body: List<StmtId>, orelse: List<StmtId>) -> Flow<()> {
        let head = |interp: &mut Self, _: Option<usize>| {
            let outcome = interp.eval_condition(test)?;
            interp.observe_branch(test, &outcome);
            Ok(match outcome {
                ThreeValued::True => Head::Enter,
                ThreeValued::False => Head::Leave,
                ThreeValued::Open(cond) => Head::Maybe(cond),
            })
        };
        let enter = |interp: &mut Self, _: Option<usize>| {
            interp.refine_by_condition(test, true);
            Ok(())
        };
        let leave = |interp: &mut Self, cond: &Cond| {
            interp.assume_condition(&cond.negated()) && interp.refine_by_condition(test, false)
        };
        self.run_loop(LoopKind::Condition, head, enter, leave, || None, body, orelse)
    }

    pub(super) fn for_loop(
        &mut self,
        target: ExprId,
        iter: ExprId,
        body: List<StmtId>,
        orelse: List<StmtId>,
        is_async: bool,
    ) -> Flow<()> {
        let code = self.current_code();
        let iterable = self.eval_expr(iter)?;
        let generator = self.generator_function(&iterable);
        let operation = Operation::Iterate { value: &iterable };
        let mut seq = self.perform(code.tree[iter].range, operation, |interp| {
            if is_async {
                // What it awaits runs anything that has escaped.
                interp.havoc_reachable(&iterable);
                interp.havoc_escaped();
                Ok(None)
            } else {
                interp.raise_if_refused(&iterable)?;
                interp.iterate_lazily(&iterable)
            }
        })?;
        if seq.is_some() && self.shares_iterator(iter, &iterable, body) {
            seq = None;
        }
        let resumed = if seq.is_none() { generator } else { None };
        let size = self.watched_size(&iterable);
        let source = LoopSource { seq, watched: self.watch_loop(&iterable), resumed, changed: Cell::new(false) };
        let mut behind = Vec::new();
        for watched in &source.watched {
            watched.any_address(&mut |addr| {
                behind.push(addr);
                false
            });
        }
        let head = |interp: &mut Self, iteration: Option<usize>| {
            // A loop runs over a list as it is now, not as it was: once the body changes it, nothing is known of the rest.
            if !interp.is_current(&source.watched) {
                source.changed.set(true);
                if let Some((addr, size)) = size
                    && interp.entry_count(addr).is_some_and(|now| now != size)
                {
                    interp.frame_mut().node = code.tree[iter].range;
                    let kind = if matches!(interp.object_at(addr), Object::Dict(_)) { "dictionary" } else { "Set" };
                    let message = format!("{kind} changed size during iteration");
                    interp.raise_error("other-error", "RuntimeError", message)?;
                }
            }
            if let Some(function) = &source.resumed {
                interp.havoc_reachable(function);
            }
            let Some(iteration) = iteration else { return Ok(Head::Maybe(Cond::Opaque)) };
            if source.changed.get() {
                return Ok(Head::Maybe(Cond::Opaque));
            }
            Ok(match &source.seq {
                Some(Seq::Exact(items)) => {
                    if iteration < items.len() {
                        Head::Enter
                    } else {
                        Head::Leave
                    }
                }
                Some(Seq::Open(open)) if iteration < open.prefix.len() => Head::Enter,
                Some(Seq::Open(open)) => match open.len.as_dim() {
                    Some(len) => match interp.compare_dims(&len, Cmp::Gt, &Dim::constant(iteration as i128)) {
                        ThreeValued::False => Head::Leave,
                        ThreeValued::True if range_item(&iterable, iteration).is_some() => Head::Enter,
                        ThreeValued::True => Head::EnterWithAny,
                        ThreeValued::Open(_) => Head::Maybe(Cond::Opaque),
                    },
                    None => Head::Maybe(Cond::Opaque),
                },
                None => Head::Maybe(Cond::Opaque),
            })
        };
        let enter = |interp: &mut Self, iteration: Option<usize>| {
            let seq = if source.changed.get() {
                // The item is unknown, and may be any object that is there to be found.
                interp.havoc_reachable(&iterable);
                for addr in &behind {
                    interp.havoc_reachable(&Value::Obj(*addr));
                }
                None
            } else {
                source.seq.as_ref()
            };
            let counted = iteration.and_then(|iteration| range_item(&iterable, iteration));
            let item = counted.unwrap_or_else(|| interp.loop_item(seq, iteration));
            // What goes wrong when an item is unpacked goes wrong at the head of the loop.
            interp.frame_mut().node = code.tree[target].range;
            interp.assign_target(target, item)
        };
        // A list that the body changes has no fixed number of iterations.
        let length = match &source.seq {
            Some(Seq::Exact(items)) => Some(Dim::constant(items.len() as i128)),
            Some(Seq::Open(open)) => open.len.as_dim(),
            None => None,
        };
        let iterations = || length.clone().filter(|_| !source.changed.get());
        self.run_loop(LoopKind::Items, head, enter, |_, _| true, iterations, body, orelse)
    }

    /// The dictionary or set that a loop runs over, and how many entries it has.
    fn watched_size(&self, iterable: &Value) -> Option<(Addr, usize)> {
        let addr = iterable.addr()?;
        let addr = match self.object_at(addr) {
            Object::Iter(Iter { source: IterSource::View(_), watched, .. }) => {
                let mut behind = Vec::new();
                for dependency in watched.iter() {
                    dependency.any_address(&mut |addr| {
                        if matches!(self.object_at(addr), Object::Dict(_)) && !behind.contains(&addr) {
                            behind.push(addr);
                        }
                        false
                    });
                }
                // Among its values may be other dictionaries.
                let [dictionary] = behind.as_slice() else { return None };
                *dictionary
            }
            _ => addr,
        };
        self.entry_count(addr).map(|size| (addr, size))
    }

    /// How many entries a dictionary or a set has, where that is known.
    fn entry_count(&self, addr: Addr) -> Option<usize> {
        match self.object_at(addr) {
            Object::Dict(mapping) | Object::Set(mapping)
                if !addr.is_summary()
                    && mapping.open.is_none()
                    && mapping.entries.values().all(|entry| entry.definite) =>
            {
                Some(mapping.entries.len())
            }
            _ => None,
        }
    }

    /// Whether the body of a loop may take items from the iterator that the loop runs over.
    fn shares_iterator(&self, iter: ExprId, iterable: &Value, body: List<StmtId>) -> bool {
        iterable.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Iter(_)))
            && self.may_be_reached(iter, body)
    }

    /// Whether the body of a loop may reach the object that an expression gave to the loop.
    fn may_be_reached(&self, given: ExprId, body: List<StmtId>) -> bool {
        let tree = &self.current_frame().code.tree;
        match tree[given].kind {
            // Made for the loop: no other reference exists.
            ExprKind::Call { .. } | ExprKind::Generator { .. } => false,
            ExprKind::IfExp { body: then, orelse, .. } => {
                self.may_be_reached(then, body) || self.may_be_reached(orelse, body)
            }
            // Taken from somewhere: others may hold it.
            _ => tree.as_name(given).is_none_or(|name| {
                tree[body].iter().any(|&stmt| {
                    tree.descendants(pytrope_source::Node::Stmt(stmt)).any(
                        |node| matches!(node, pytrope_source::Node::Expr(expr) if tree.as_name(expr) == Some(name)),
                    )
                })
            }),
        }
    }

    /// The function of a generator that has not been started.
    fn generator_function(&self, iterable: &Value) -> Option<Value> {
        match self.object_at(iterable.addr()?) {
            Object::Iter(Iter { source: IterSource::Generator { function, .. }, .. }) => Some(Value::Obj(*function)),
            _ => None,
        }
    }

    /// The item of one iteration; without a iteration, one that stands for all.
    fn loop_item(&mut self, seq: Option<&Seq>, iteration: Option<usize>) -> Value {
        match (seq, iteration) {
            (Some(Seq::Exact(items)), Some(iteration)) => {
                let item = items.get(iteration).cloned().unwrap_or(Value::Unknown(Reason::Limit));
                self.read_through_summary(None, item)
            }
            (Some(Seq::Exact(items)), None) => self.any_of(items),
            (Some(Seq::Open(open)), Some(iteration)) if iteration < open.prefix.len() => open.prefix[iteration].clone(),
            (Some(Seq::Open(open)), _) => {
                if open.prefix.is_empty() || iteration.is_some() {
                    self.instantiate_element(&open.element)
                } else {
                    let mut all = open.prefix.clone();
                    all.push(open.element.clone());
                    self.any_of(&all)
                }
            }
            (None, _) => Value::Unknown(Reason::Operand),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "`for` and `while` differ in head, entry, exit and count")]
    fn run_loop(
        &mut self,
        kind: LoopKind,
        head: impl Fn(&mut Self, Option<usize>) -> Flow<Head>,
        enter: impl Fn(&mut Self, Option<usize>) -> Flow<()>,
        leave: impl Fn(&mut Self, &Cond) -> bool,
        iterations: impl Fn() -> Option<Dim>,
        body: List<StmtId>,
        orelse: List<StmtId>,
    ) -> Flow<()> {
        self.frame_mut().loops.push(LoopExits::default());
        let fuel_at_start = self.run.fuel.left();
        // In a call, whose fuel is less, enough of it must be left to widen the loop and to go on behind it.
        let exact_fuel = self.analysis.limits.loop_fuel.min(fuel_at_start / 2);
        let at_entry = self.run.state.clone();
        let certain_raises = at_entry.certain_raises;
        let mut repeated = false;
        let instance = self.current_frame().instance;
        let mut iteration = 0;
        // The states in which the loop ended without a break.
        let mut ended: Option<State> = None;
        loop {
            let is_long = iteration >= self.analysis.limits.loop_iterations as usize
                || fuel_at_start - self.run.fuel.left() > exact_fuel;
            let before = is_long.then(|| self.run.state.clone());
            let iterations_left = || iterations()?.minus(&Dim::constant(iteration as i128));
            match head(self, Some(iteration)) {
                Err(Unreachable) => break,
                Ok(Head::Leave) => {
                    ended = Some(self.run.state.clone());
                    break;
                }
                Ok(Head::Maybe(_)) => {
                    self.widened_loop(kind, &head, &enter, &leave, &iterations_left, body, &mut ended);
                    break;
                }
                Ok(Head::Enter | Head::EnterWithAny) if let Some(before) = before => {
                    self.run.state = before;
                    self.widened_loop(kind, &head, &enter, &leave, &iterations_left, body, &mut ended);
                    break;
                }
                Ok(entered @ (Head::Enter | Head::EnterWithAny)) => {
                    let attempt = matches!(entered, Head::EnterWithAny) && !self.analysis.program.closed_world;
                    let attempt = attempt.then(|| self.begin_attempt());
                    if !repeated {
                        repeated = true;
                        self.enter_repeated(iterations().is_some());
                    }
                    self.frame_mut().instance = iteration_instance(instance, iteration);
                    let mut flow = enter(self, Some(iteration));
                    if flow.is_ok() {
                        flow = self.exec_block(body);
                    }
                    self.frame_mut().instance = instance;
                    if let Some(attempt) = attempt
                        && !self.end_attempt(attempt)
                    {
                        self.widened_loop(kind, &head, &enter, &leave, &iterations_left, body, &mut ended);
                        break;
                    }
                    let continued = self.frame_mut().loops.last_mut().and_then(|exits| exits.continues.take());
                    match (flow, continued) {
                        (Ok(()), None) => {}
                        (Ok(()), Some(other)) => {
                            let here = self.run.state.clone();
                            self.run.state = self.join_states(&here, &other);
                        }
                        (Err(Unreachable), Some(other)) => self.run.state = other,
                        (Err(Unreachable), None) => break,
                    }
                    if self.run.state.certain_raises > certain_raises {
                        // Every path through this iteration raises for certain: there is no next one. What the loop has filled
                        // so far is no reason for further findings.
                        let behind = self.run.state.clone();
                        self.forget_fill_level(&at_entry, &behind);
                        ended = Some(self.run.state.clone());
                        break;
                    }
                    // After a possible break nothing later is certain to run, but it is still what happens if it does.
                    iteration += 1;
                }
            }
        }
        if repeated {
            self.leave_repeated();
        }
        let exits = self.frame_mut().loops.pop().unwrap_or_default();
        let mut result: Option<State> = None;
        if let Some(state) = ended {
            self.run.state = state;
            if self.exec_block(orelse).is_ok() {
                result = Some(self.run.state.clone());
            }
        }
        if let Some(state) = exits.breaks {
            result = Some(self.join_into(result, &state));
        }
        match result {
            Some(state) => {
                self.run.state = state;
                Ok(())
            }
            None => Err(Unreachable),
        }
    }

    /// An iteration begins whose item stands for any of the sequence. Its findings are held back.
    fn begin_attempt(&mut self) -> IterationAttempt {
        let frame = self.current_frame();
        let (exits, returns, yields) = (frame.loops.last().cloned(), frame.returns.clone(), frame.yields.clone());
        IterationAttempt { state: self.run.state.clone(), exits, returns, yields, pass: self.enter_pass() }
    }

    /// Such an iteration has ended. If a finding was held back, everything is as before it, and the answer is no: the loop is
    /// run for all its items at once.
    ///
    /// ```python
    /// last = None
    /// for i in list(range(n)):    # n > 0: there is a first iteration, and `i` stands for any number below n
    ///     if i == 0:
    ///         last = start()
    ///     else:
    ///         last.step()         # not with None: this is not the first iteration
    /// ```
    fn end_attempt(&mut self, attempt: IterationAttempt) -> bool {
        self.leave_pass();
        if !self.has_silenced_since(&attempt.pass) {
            return true;
        }
        self.forget_pass(&attempt.pass);
        self.run.state = attempt.state;
        let frame = self.frame_mut();
        if let (Some(last), Some(exits)) = (frame.loops.last_mut(), attempt.exits) {
            *last = exits;
        }
        frame.returns = attempt.returns;
        frame.yields = attempt.yields;
        false
    }

    /// Forgets in the state behind a loop what an iteration that raised would have filled. What is forgotten has escaped from then on, so that
    /// this is left to the last pass.
    fn forget_unfilled(&mut self, left: &mut Option<State>, at_head: &State, raised: Option<&State>) {
        if let (Some(state), Some(raised)) = (&left, raised) {
            self.run.state = state.clone();
            self.forget_fill_level(at_head, raised);
            self.forget_names_bound(at_head, raised);
            *left = Some(self.run.state.clone());
        }
    }

    /// Forgets the values of the frame's names that an iteration which raised would have bound:
    ///
    /// ```python
    /// seen = 0
    /// for row in rows:
    ///     total = undefined(row)      # reported
    ///     seen += 1
    /// total / seen                    # not another error
    /// ```
    fn forget_names_bound(&mut self, before: &State, after: &State) {
        let scope = self.current_frame().scope();
        let (Some(Object::Scope(before)), Some(Object::Scope(after)), Object::Scope(left)) =
            (before.get(scope), after.get(scope), self.object_at(scope))
        else {
            return;
        };
        let mut slots = left.clone();
        for (name, slot) in after.iter() {
            if before.get(name).is_none_or(|before| before.value != slot.value) {
                let definite = left.get(name).is_some_and(|left| left.definite);
                slots.map.insert(u64::from(name.0), Slot { value: Value::Unknown(Reason::Finding), definite });
            }
        }
        self.write_object(scope, Object::Scope(slots));
    }

    /// Forgets what the objects hold that differ between two states. Behind an exception that is certain, how far a loop has filled a
    /// list is known only because the loop did not go on:
    ///
    /// ```python
    /// for name in names:
    ///     rows.append(undefined(name))     # reported
    /// rows[2]                              # not another error
    /// ```
    fn forget_fill_level(&mut self, before: &State, after: &State) {
        let mut touched = Vec::new();
        before.heap.for_each_difference(&after.heap, &mut |key, pair| {
            if let Pair::Both(x, y) = pair
                && x != y
                && !matches!(x, Object::Scope(_))
            {
                touched.push(Addr(key));
            }
        });
        for addr in touched {
            self.havoc_reachable(&Value::Obj(addr));
        }
    }

    /// Runs the body from wider and wider heads until one covers its own back edge; findings count only then.
    #[expect(clippy::too_many_arguments, reason = "`for` and `while` differ in head, entry, exit and count")]
    fn widened_loop(
        &mut self,
        kind: LoopKind,
        head: &impl Fn(&mut Self, Option<usize>) -> Flow<Head>,
        enter: &impl Fn(&mut Self, Option<usize>) -> Flow<()>,
        leave: &impl Fn(&mut Self, &Cond) -> bool,
        iterations: &impl Fn() -> Option<Dim>,
        body: List<StmtId>,
        ended: &mut Option<State>,
    ) {
        let breaks_before = self.frame_mut().loops.last_mut().and_then(|exits| exits.breaks.take());
        let returns_before = self.frame_mut().returns.take();
        let mut widening = Widening { first_symbol: symbols::next_symbol_number(), ..Widening::default() };
        let mut at_head = self.run.state.clone();
        let entry = self.run.state.clone();
        let mut settled = true;
        let counts = self.enter_widened();
        let yields = self.frame_mut().yields.take();
        let mut pass = 0;
        let mut last = false;
        loop {
            pass += 1;
            widening.force_top = pass > PASSES / 2;
            if last {
                self.frame_mut().yields = None;
            }
            self.run.state = at_head.clone();
            let before = if last { None } else { Some(self.enter_pass()) };
            self.restart_counts(&counts);
            let iteration = self.begin_iteration();
            let mut leaving = self.widened_pass(kind, head, enter, leave, body);
            // Where every path through the iteration raises for certain, there is no next one; that the loop did not run is no
            // reason for further findings.
            let raises = |back: &State| back.certain_raises > at_head.certain_raises;
            let raised = leaving.1.take_if(|back| raises(back));
            let turned = leaving.1.clone();
            if last {
                self.forget_unfilled(&mut leaving.0, &at_head, raised.as_ref());
            }
            if last && settled {
                self.settle_lengths(
                    &Settled { entry: &entry, head: &at_head, back: &turned },
                    iterations(),
                    &mut leaving.0,
                );
            }
            let back = leaving.1.map(|back| {
                self.summarize_iteration(&iteration, &at_head, back, [], IterationKind::Widened(&mut widening))
            });
            self.end_iteration(iteration);
            let Some(before) = before else {
                *ended = match (ended.take(), leaving.0) {
                    (Some(a), Some(b)) => Some(self.join_states(&a, &b)),
                    (a, b) => a.or(b),
                };
                break;
            };
            self.leave_pass();
            let joined = match back {
                Some(back) if !self.is_exhausted() => Some(self.join_with(&at_head, &back, Some(&mut widening))),
                Some(_) | None => None,
            };
            let repeats = joined
                .as_ref()
                .is_none_or(|(next, stable)| *stable && next.store.identity() == at_head.store.identity());
            if repeats && self.can_skip_report_pass(&before) {
                self.forget_unfilled(&mut leaving.0, &at_head, raised.as_ref());
                if joined.is_some() {
                    let settled = Settled { entry: &entry, head: &at_head, back: &turned };
                    self.settle_lengths(&settled, iterations(), &mut leaving.0);
                }
                *ended = match (ended.take(), leaving.0) {
                    (Some(a), Some(b)) => Some(self.join_states(&a, &b)),
                    (a, b) => a.or(b),
                };
                break;
            }
            self.forget_pass(&before);
            if let Some(exits) = self.frame_mut().loops.last_mut() {
                exits.breaks = None;
            }
            self.frame_mut().returns = None;
            if self.is_exhausted() {
                break;
            }
            let Some((next, stable)) = joined else {
                last = true;
                continue;
            };
            if stable || pass > PASSES {
                last = true;
                if !stable {
                    settled = false;
                    // No fixpoint in time: what the loop can change is given up.
                    self.run.state = next;
                    // Where shapes are shown, a loop is taken to leave what it has not settled as it was in the last iteration.
                    if !self.analysis.assumes {
                        self.forget_frame();
                    }
                    at_head = self.run.state.clone();
                    continue;
                }
            }
            at_head = next;
        }
        self.leave_widened();
        if yields.is_some() {
            self.frame_mut().yields = yields;
            let code = self.current_code();
            let yields_inside = code.tree[body].iter().any(|&stmt| {
                code.tree.descendants(pytrope_source::Node::Stmt(stmt)).any(|node| {
                    matches!(node, pytrope_source::Node::Expr(expr)
                        if matches!(code.tree[expr].kind, ExprKind::Yield { .. } | ExprKind::YieldFrom { .. }))
                })
            });
            if let Some(yields) = &mut self.frame_mut().yields {
                yields.inexact = true;
                if yields_inside {
                    // What the iterations yield is not kept.
                    yields.items.push(Value::Unknown(Reason::Operand));
                }
            }
        }
        if let Some(state) = breaks_before {
            let now = self.frame_mut().loops.last_mut().and_then(|exits| exits.breaks.take());
            let joined = self.join_into(now, &state);
            if let Some(exits) = self.frame_mut().loops.last_mut() {
                exits.breaks = Some(joined);
            }
        }
        if let Some((state, value)) = returns_before {
            let joined = match self.frame_mut().returns.take() {
                None => (state, value),
                Some((other, so_far)) => self.join_valued(&state, &value, &other, &so_far),
            };
            self.frame_mut().returns = Some(joined);
        }
    }

    /// One pass from the head: the state in which the loop is left, and the state at the back edge.
    fn widened_pass(
        &mut self,
        kind: LoopKind,
        head: &impl Fn(&mut Self, Option<usize>) -> Flow<Head>,
        enter: &impl Fn(&mut Self, Option<usize>) -> Flow<()>,
        leave: &impl Fn(&mut Self, &Cond) -> bool,
        body: List<StmtId>,
    ) -> (Option<State>, Option<State>) {
        let (cond, exit_is_possible) = match head(self, None) {
            Err(Unreachable) => return (None, None),
            Ok(Head::Leave) => return (Some(self.run.state.clone()), None),
            Ok(Head::Enter | Head::EnterWithAny) => (Cond::Opaque, false),
            Ok(Head::Maybe(cond)) => (cond, true),
        };
        let at_test = self.run.state.clone();
        let left = if exit_is_possible && leave(self, &cond) { Some(self.run.state.clone()) } else { None };
        self.run.state = at_test;
        if !self.assume_condition(&cond) {
            return (left, None);
        }
        let over_items = u32::from(kind == LoopKind::Items);
        self.frame_mut().item_loops += over_items;
        let flow = self.run_branch(|interp| {
            enter(interp, None)?;
            interp.exec_block(body)
        });
        self.frame_mut().item_loops -= over_items;
        let continued = self.frame_mut().loops.last_mut().and_then(|exits| exits.continues.take());
        let back = match (flow, continued) {
            (Ok(()), None) => Some(self.run.state.clone()),
            (Ok(()), Some(other)) => {
                let here = self.run.state.clone();
                Some(self.join_states(&here, &other))
            }
            (Err(Unreachable), other) => other,
        };
        (left, back)
    }

    /// Everything the current frame has bound becomes Unknown.
    fn forget_frame(&mut self) {
        let scope = self.current_frame().scope();
        if let Object::Scope(slots) = self.object_at(scope) {
            let mut slots = slots.clone();
            let names: Vec<_> = slots.iter().map(|(name, slot)| (name, slot.clone())).collect();
            for (name, slot) in names {
                self.havoc_reachable(&slot.value);
                let stays = match &slot.value {
                    Value::Obj(addr) => {
                        matches!(self.object_at(*addr), Object::Function(_) | Object::Class(_) | Object::Module(_))
                    }
                    Value::Native(_) => true,
                    _ => false,
                };
                if !stays {
                    slots.set(name, Value::Unknown(Reason::Limit));
                }
            }
            self.write_object(scope, Object::Scope(slots));
        }
    }
}
