//! Comprehensions: exact while their iterables and conditions are decided, else one iteration that stands for all.

use std::sync::Arc;

use pytrope_source::Node;
use pytrope_source::tree::{Comprehension, ExprId, ExprKind, List};

use crate::effects::Operation;
use crate::interp::{Flow, Interp, Unreachable, iteration_instance};
use crate::object::{Iter, IterSource, Mapping, Object, Slots};
use crate::recency::IterationKind;
use crate::state::State;
use crate::symbols;
use crate::value::{Addr, Reason, Seq, Value};
use pytrope_dims::ThreeValued;
use pytrope_trie::Pair;

/// Steps that the exact iterations of one comprehension may take.
const TURNS_FUEL: u64 = 100_000;

/// What a comprehension has produced.
#[derive(Default)]
struct Produced {
    items: Vec<(Value, Value)>,
    /// How often and in which order is not known.
    inexact: bool,
    /// What the first generator runs over, and the state once that was known: it is evaluated at once, the rest on demand.
    over: Option<Value>,
    started: Option<State>,
    /// The length of the only iterable, when every item of it gives one item.
    length: Option<Value>,
}

impl Interp<'_> {
    /// What the first generator runs over, which is evaluated outside the comprehension.
    fn eval_first_iterable(&mut self, generators: List<Comprehension>) -> Flow {
        let code = self.current_code();
        let first = code.tree[generators].first().expect("a comprehension has a generator");
        self.eval_expr(first.iter)
    }

    fn eval_comprehension(
        &mut self,
        id: ExprId,
        generators: List<Comprehension>,
        iterable: Value,
        emit: &dyn Fn(&mut Self) -> Flow<(Value, Value)>,
    ) -> Flow<Produced> {
        let code = self.current_code();
        let generators = &code.tree[generators];
        let first = generators.first().expect("a comprehension has a generator");
        let started = Some(self.run.state.clone());
        let operation = Operation::Iterate { value: &iterable };
        let seq = self.perform(code.tree[first.iter].range, operation, |interp| {
            if first.is_async {
                // What it awaits runs anything that has escaped.
                interp.havoc_reachable(&iterable);
                interp.havoc_escaped();
                Ok(None)
            } else {
                interp.iterate_lazily(&iterable)
            }
        })?;
        let scope = self.allocate_object(Object::Scope(Slots::default()));
        let saved = self.enter_scope(code.scopes.of_expr[&id], scope);
        let unpacks = match code.tree[id].kind {
            ExprKind::ListComp { element, .. }
            | ExprKind::SetComp { element, .. }
            | ExprKind::Generator { element, .. } => {
                matches!(code.tree[element].kind, ExprKind::Starred { .. })
            }
            _ => false,
        };
        let mut produced = Produced { over: Some(iterable), started, inexact: unpacks, ..Produced::default() };
        if generators.len() == 1
            && first.conditions.is_empty()
            && !unpacks
            && let Some(Seq::Open(open)) = &seq
        {
            produced.length = Some(open.len.clone());
        }
        let result = self.run_generators(generators, 0, seq, emit, &mut produced);
        self.leave_scope(saved);
        self.frame_mut().node = code.tree[id].range;
        result?;
        Ok(produced)
    }

    fn run_generators(
        &mut self,
        generators: &[Comprehension],
        at: usize,
        seq: Option<Seq>,
        emit: &dyn Fn(&mut Self) -> Flow<(Value, Value)>,
        produced: &mut Produced,
    ) -> Flow<()> {
        let generator = generators[at];
        let limit = self.analysis.limits.loop_iterations as usize * 8;
        if let Some(Seq::Exact(items)) = &seq
            && items.len() <= limit
        {
            let instance = self.current_frame().instance;
            let fuel = self.run.fuel.left();
            let mut flow = Ok(());
            let mut all = true;
            self.enter_repeated(true);
            for (iteration, item) in items.iter().enumerate() {
                if fuel.saturating_sub(self.run.fuel.left()) > TURNS_FUEL {
                    all = false;
                    break;
                }
                self.frame_mut().instance = iteration_instance(instance, iteration);
                flow = self.consume_step();
                if flow.is_ok() {
                    flow = self.assign_target(generator.target, item.clone());
                }
                if flow.is_ok() {
                    flow = self.eval_filters(generators, at, 0, emit, produced);
                }
                if flow.is_err() {
                    break;
                }
            }
            self.frame_mut().instance = instance;
            if !all {
                // The iterations that are not looked at one by one may pass.
                let mark = self.visits_mark();
                self.visits_reset(mark);
            }
            self.leave_repeated();
            if all {
                return flow;
            }
        }
        // One iteration for all: what it changes in objects from before is given up, since it may happen any number of times.
        let first_symbol = symbols::next_symbol_number();
        let item = match &seq {
            None => Value::Unknown(Reason::Operand),
            Some(Seq::Exact(items)) => self.any_of(items),
            Some(Seq::Open(open)) => {
                let mut all = open.prefix.clone();
                all.push(open.element.clone());
                if all.len() == 1 { self.instantiate_element(&open.element) } else { self.any_of(&all) }
            }
        };
        if let Some(Seq::Exact(items)) = &seq
            && generators.len() == 1
            && generator.conditions.is_empty()
            && !produced.inexact
        {
            produced.length = Some(Value::Int(items.len() as i64));
        }
        produced.inexact = true;
        let before = self.run.state.clone();
        let own = self.current_frame().scope();
        let iteration = self.begin_iteration();
        let emitted = produced.items.len();
        let flow = self.run_branch(|interp| {
            interp.assign_target(generator.target, item)?;
            interp.eval_filters(generators, at, 0, emit, produced)
        });
        if flow.is_err() {
            self.end_iteration(iteration);
            self.run.state = before;
            return Ok(());
        }
        let after = std::mem::take(&mut self.run.state);
        let values = produced.items[emitted..].iter_mut().flat_map(|(value, key)| [value, key]);
        self.run.state =
            self.summarize_iteration(&iteration, &before, after, values, IterationKind::Once(first_symbol));
        self.end_iteration(iteration);
        let mut touched: Vec<Addr> = Vec::new();
        before.heap.for_each_difference(&self.run.state.heap, &mut |key, pair| {
            if let Pair::Both(x, y) = pair
                && key != own.0
                && x != y
            {
                touched.push(Addr(key));
            }
        });
        let after = self.run.state.clone();
        let joined = self.join_states(&before, &after);
        self.run.state = joined;
        for addr in touched {
            if let Object::Scope(slots) = self.object_at(addr) {
                let mut slots = slots.clone();
                let old = match before.get(addr) {
                    Some(Object::Scope(old)) => old.clone(),
                    _ => Slots::default(),
                };
                let changed: Vec<_> =
                    slots.iter().filter(|(name, slot)| old.get(*name) != Some(slot)).map(|(name, _)| name).collect();
                for name in changed {
                    slots.set(name, Value::Unknown(Reason::Changed));
                }
                self.write_object(addr, Object::Scope(slots));
            } else {
                self.havoc_reachable(&Value::Obj(addr));
            }
        }
        Ok(())
    }

    fn eval_filters(
        &mut self,
        generators: &[Comprehension],
        at: usize,
        next: usize,
        emit: &dyn Fn(&mut Self) -> Flow<(Value, Value)>,
        produced: &mut Produced,
    ) -> Flow<()> {
        let code = self.current_code();
        if let Some(&condition) = code.tree[generators[at].conditions].get(next) {
            return match self.eval_condition(condition)? {
                ThreeValued::True => {
                    self.refine_by_condition(condition, true);
                    self.eval_filters(generators, at, next + 1, emit, produced)
                }
                ThreeValued::False => Ok(()),
                ThreeValued::Open(cond) => {
                    produced.inexact = true;
                    let before = self.run.state.clone();
                    if !self.assume_condition(&cond) || !self.refine_by_condition(condition, true) {
                        self.run.state = before;
                        return Ok(());
                    }
                    let asked = self.asked_about(condition);
                    self.forget_asked(&asked);
                    let flow = self.run_branch(|interp| interp.eval_filters(generators, at, next + 1, emit, produced));
                    self.restore_asked(&asked);
                    match flow {
                        Ok(()) => {
                            let after = self.run.state.clone();
                            let joined = self.join_states(&before, &after);
                            self.run.state = joined;
                        }
                        Err(Unreachable) => self.run.state = before,
                    }
                    Ok(())
                }
            };
        }
        if at + 1 < generators.len() {
            let next = generators[at + 1];
            let iterable = self.eval_expr(next.iter)?;
            self.frame_mut().node = code.tree[next.iter].range;
            let seq = if next.is_async { None } else { self.iterate_lazily(&iterable)? };
            return self.run_generators(generators, at + 1, seq, emit, produced);
        }
        let item = emit(self)?;
        produced.items.push(item);
        Ok(())
    }

    /// What has changed since may change now or later: it is no longer known.
    fn give_up_changes(&mut self, before: &State) {
        let after = std::mem::replace(&mut self.run.state, before.clone());
        let mut touched = Vec::new();
        before.heap.for_each_difference(&after.heap, &mut |key, pair| {
            if let Pair::Both(x, y) = pair
                && x != y
            {
                touched.push((Addr(key), y.clone()));
            }
        });
        for (addr, after) in touched {
            if let (Object::Scope(slots), Object::Scope(after)) = (self.object_at(addr), &after) {
                let mut slots = slots.clone();
                for (name, slot) in after.iter() {
                    if slots.get(name) != Some(slot) {
                        slots.set(name, Value::Unknown(Reason::Changed));
                    }
                }
                self.write_object(addr, Object::Scope(slots));
            } else {
                self.havoc_reachable(&Value::Obj(addr));
            }
        }
    }

    fn produced_seq(&mut self, produced: Produced) -> Seq {
        let values: Vec<Value> = produced.items.into_iter().map(|(value, _)| value).collect();
        if !produced.inexact {
            return Seq::exact(values);
        }
        let element = self.any_of(&values);
        let len = match produced.length {
            Some(len) => len,
            None => self.any_natural(),
        };
        Seq::open(Vec::new(), element, len)
    }

    /// What one turn of a comprehension gives. `[*row for row in rows]` gives any number of items.
    fn comprehension_element(&mut self, element: ExprId) -> Flow {
        let code = self.current_code();
        let ExprKind::Starred { value, .. } = code.tree[element].kind else { return self.eval_expr(element) };
        self.eval_expr(value)?;
        Ok(Value::Unknown(Reason::Operand))
    }

    pub(super) fn list_comprehension(&mut self, id: ExprId, element: ExprId, generators: List<Comprehension>) -> Flow {
        let iterable = self.eval_first_iterable(generators)?;
        let produced = self.eval_comprehension(id, generators, iterable, &|interp| {
            Ok((interp.comprehension_element(element)?, Value::None))
        })?;
        let seq = self.produced_seq(produced);
        Ok(self.new_object(Object::List(seq)))
    }

    pub(super) fn generator_expression(
        &mut self,
        id: ExprId,
        element: ExprId,
        generators: List<Comprehension>,
    ) -> Flow {
        let before = self.run.state.clone();
        let iterable = self.eval_first_iterable(generators)?;
        if self.is_consumed_at_once(id) {
            self.require_iterable(generators, &iterable)?;
        }
        // Run at once rather than on demand; what it would raise later is not certain now.
        let produced = self.attempt_muted(|interp| {
            interp.eval_comprehension(id, generators, iterable, &|interp| {
                Ok((interp.comprehension_element(element)?, Value::None))
            })
        });
        let Ok(produced) = produced else {
            if self.is_exhausted() {
                return Err(Unreachable);
            }
            self.run.state = before;
            return Ok(self.unknown_iter());
        };
        let started = produced.started.as_ref().unwrap_or(&before);
        let code = self.current_code();
        let scopes = Arc::clone(&self.current_frame().chain);
        let ended = std::mem::replace(&mut self.run.state, started.clone());
        let watched = self.watch_code(&code, code.scopes.of_expr[&id], &scopes, Vec::new());
        self.run.state = ended;
        let (Some(mut watched), false) = (watched, self.has_changed_among(&before, started, None)) else {
            // What it changes is changed when it is consumed, if it is.
            self.give_up_changes(started);
            return Ok(self.unknown_iter());
        };
        watched.extend(self.record_dependencies(produced.over.iter()));
        let seq = self.produced_seq(produced);
        let source = IterSource::Items(seq);
        Ok(self.new_object(Object::Iter(Iter { source, taken: Some(0), watched: Arc::new(watched) })))
    }

    /// Whether a generator expression is the argument of a builtin that runs it before anything else happens. When `iter` is called on
    /// what it runs over, where it is made or where it is run, depends on the release of Python.
    fn is_consumed_at_once(&mut self, id: ExprId) -> bool {
        const CONSUMING: [&str; 9] = ["list", "tuple", "set", "frozenset", "dict", "sum", "sorted", "any", "all"];
        let code = self.current_code();
        let Some(Node::Expr(call)) = Node::Expr(id).parent(&code.tree) else { return false };
        let ExprKind::Call { function, arguments } = code.tree[call].kind else { return false };
        let is_argument = code.tree[arguments.positional].first() == Some(&id);
        if !is_argument || !code.tree.as_name(function).is_some_and(|name| CONSUMING.contains(&code.tree.text(name))) {
            return false;
        }
        match self.capture_raises(|interp| interp.eval_expr(function)).0 {
            Ok(Value::Native(_)) => true,
            Ok(Value::Obj(addr)) => self.class_at(addr).is_some_and(|class| class.kind.is_some()),
            _ => false,
        }
    }

    /// What the first generator runs over must be iterable.
    fn require_iterable(&mut self, generators: List<Comprehension>, iterable: &Value) -> Flow<()> {
        let code = self.current_code();
        let Some(first) = code.tree[generators].first().filter(|first| !first.is_async) else { return Ok(()) };
        let state = self.run.state.clone();
        let operation = Operation::Iterate { value: iterable };
        self.perform(code.tree[first.iter].range, operation, |interp| interp.iterate_lazily(iterable))?;
        self.run.state = state;
        Ok(())
    }

    pub(super) fn set_comprehension(&mut self, id: ExprId, element: ExprId, generators: List<Comprehension>) -> Flow {
        let iterable = self.eval_first_iterable(generators)?;
        let produced = self.eval_comprehension(id, generators, iterable, &|interp| {
            Ok((interp.comprehension_element(element)?, Value::None))
        })?;
        let seq = self.produced_seq(produced);
        let mapping = self.set_of(&seq)?;
        Ok(self.new_object(Object::Set(mapping)))
    }

    pub(super) fn dict_comprehension(
        &mut self,
        id: ExprId,
        key: Option<ExprId>,
        value: ExprId,
        generators: List<Comprehension>,
    ) -> Flow {
        let iterable = self.eval_first_iterable(generators)?;
        let produced = self.eval_comprehension(id, generators, iterable, &|interp| {
            let key = match key {
                Some(key) => interp.eval_expr(key)?,
                None => Value::Unknown(Reason::Operand),
            };
            Ok((key, interp.eval_expr(value)?))
        })?;
        let mut mapping = Mapping::default();
        if produced.inexact {
            let keys: Vec<Value> = produced.items.iter().map(|(key, _)| key.clone()).collect();
            let values: Vec<Value> = produced.items.iter().map(|(_, value)| value.clone()).collect();
            let open = (self.any_of(&keys), self.any_of(&values));
            mapping.open = Some(Arc::new(open));
        } else {
            for (key, value) in produced.items {
                self.store_entry(&mut mapping, &key, value)?;
            }
        }
        Ok(self.new_dict(mapping))
    }
}
