//! `with`: what is entered, and what leaving makes of it and of exceptions.

use pytrope_source::tree::{Context, ExprKind, List, StmtId, WithItem};
use pytrope_source::{Node, TextRange};

use crate::cond::Cond;
use crate::effects::{Effect, may_return_true};
use crate::interp::{Catcher, Flow, HandlerEntryState, Interp, Raised, Unreachable};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Object, Slot};
use crate::state::State;
use crate::value::{Reason, Value};
use pytrope_dims::ThreeValued;

impl Interp<'_> {
    /// Names that statements bind may be bound, to anything.
    fn bind_perhaps(&mut self, body: List<StmtId>) {
        let code = self.current_code();
        let scope = self.current_frame().scope();
        for node in code.tree[body].iter().flat_map(|stmt| code.tree.descendants(Node::Stmt(*stmt))) {
            let Node::Expr(id) = node else { continue };
            let ExprKind::Name { name, context: Context::Store } = code.tree[id].kind else { continue };
            let name = code.name_of(name);
            if let Some(slots) = self.scope_slots(scope)
                && slots.get(name).is_none()
            {
                let mut slots = slots.clone();
                slots.map.insert(u64::from(name.0), Slot { value: Value::Unknown(Reason::Joined), definite: false });
                self.write_object(scope, Object::Scope(slots));
            }
        }
    }

    pub(super) fn exec_with(&mut self, items: &[WithItem], body: List<StmtId>, is_async: bool) -> Flow<()> {
        let Some((item, rest)) = items.split_first() else { return self.exec_block(body) };
        let code = self.current_code();
        let manager = self.eval_expr(item.context)?;
        self.frame_mut().node = code.tree[item.context].range;
        if !is_async {
            self.require_manager(&manager)?;
        }
        let known = manager.addr().is_some_and(|addr| !matches!(self.object_at(addr), Object::Unknown));
        let entered = if known { self.enter_manager(&manager, is_async)? } else { Value::Unknown(Reason::Call) };
        if let Some(target) = item.target {
            self.assign_target(target, entered)?;
        }
        let swallows = self.may_swallow(&manager, is_async);
        if known && self.has_own_exit(&manager, is_async) {
            return self.followed_with(&manager, is_async, code.tree[item.context].range, swallows, |interp| {
                interp.exec_with(rest, body, is_async)
            });
        }
        let mut after: Option<State> = None;
        let flow = if swallows {
            let anytime = Some(HandlerEntryState::new(&self.run.state));
            self.run.catchers.push(Catcher::Try { classes: vec![None], raised: Vec::new(), anytime });
            let flow = self.exec_with(rest, body, is_async);
            if let Some(Catcher::Try { raised, anytime, .. }) = self.run.catchers.pop() {
                for Raised { state, .. } in raised {
                    after = Some(self.join_into(after, &state));
                }
                if let Some(state) = anytime.map(HandlerEntryState::into_state) {
                    after = Some(self.join_into(after, &state));
                }
            }
            flow
        } else {
            self.exec_with(rest, body, is_async)
        };
        if flow.is_ok() {
            let here = self.run.state.clone();
            after = Some(self.join_into(after, &here));
        }
        let Some(state) = after else { return Err(Unreachable) };
        self.run.state = state;
        if swallows && flow.is_err() {
            // Only a manager that swallows an exception leads behind a body that does not end: what it binds may be bound.
            self.bind_perhaps(body);
        }
        if known {
            self.frame_mut().node = code.tree[item.context].range;
            let before = self.run.state.clone();
            let nothing = [Value::None, Value::None, Value::None];
            let outcome = self.attempt_muted(|interp| interp.leave_manager(&manager, is_async, &nothing));
            if outcome.is_err() {
                self.run.state = before;
            }
        } else {
            // `__exit__` is unknown code.
            self.havoc_escaped();
        }
        Ok(())
    }

    /// Raises what `with` raises for a value whose class is known and no context manager.
    fn require_manager(&mut self, manager: &Value) -> Flow<()> {
        let is_manager =
            self.special_method(manager, Name::ENTER).is_some() || !self.lacks_method(manager, Name::ENTER);
        if is_manager {
            return Ok(());
        }
        let Some(kind) = self.exact_type_name(manager) else { return Ok(()) };
        // Before Python 3.11 the missing method was named.
        let class = if self.analysis.program.provider.target() < 11 { "AttributeError" } else { "TypeError" };
        let message = format!("'{kind}' object does not support the context manager protocol");
        self.raise_error("bad-operand", class, message).map(|_| ())
    }

    /// Whether what happens at the end of a `with` is written in the program.
    fn has_own_exit(&self, manager: &Value, is_async: bool) -> bool {
        let exit = if is_async { Name::AEXIT } else { Name::EXIT };
        let Some(Value::Bound(bound)) = self.special_method(manager, exit) else { return false };
        let function = bound.function.addr().map(|addr| self.object_at(addr));
        matches!(function, Some(Object::Function(function)) if !function.code.is_model)
    }

    /// A body whose manager's `__exit__` is known: it runs on every way out, and is told of the exception if there is one.
    fn followed_with(
        &mut self,
        manager: &Value,
        is_async: bool,
        context: TextRange,
        swallows: bool,
        body: impl FnOnce(&mut Self) -> Flow<()>,
    ) -> Flow<()> {
        let outer = self.take_exits();
        let anytime = Some(HandlerEntryState::new(&self.run.state));
        self.run.catchers.push(Catcher::Finally { raised: Vec::new(), anytime, swallows });
        let flow = body(self);
        let normal = flow.is_ok().then(|| self.run.state.clone());
        let (raised, anytime) = match self.run.catchers.pop() {
            Some(Catcher::Finally { raised, anytime, .. }) => (raised, anytime),
            _ => (Vec::new(), None),
        };
        let inner = self.take_exits();
        self.put_exits(outer);
        self.frame_mut().node = context;
        let nothing = [Value::None, Value::None, Value::None];
        let unknown = Value::Unknown(Reason::Operand);
        let mut after = normal.map(|state| self.through_exit((manager, is_async), state, &nothing).0);
        if let Some(state) = anytime.map(HandlerEntryState::into_state) {
            let something =
                [Value::UnknownNotNone(Reason::Operand), Value::UnknownNotNone(Reason::Operand), unknown.clone()];
            let (state, result) = self.through_exit((manager, is_async), state, &something);
            self.run.state = state.clone();
            self.record_effect(Effect::ENTERS_HANDLERS);
            if swallows && self.exit_swallows(&result) != ThreeValued::False {
                after = Some(self.join_into(after, &state));
            }
        }
        if let Some((state, value)) = inner.returns {
            self.run.state = self.through_exit((manager, is_async), state, &nothing).0;
            self.do_return(value);
        }
        if let Some(state) = inner.breaks {
            self.run.state = self.through_exit((manager, is_async), state, &nothing).0;
            self.do_break();
        }
        if let Some(state) = inner.continues {
            self.run.state = self.through_exit((manager, is_async), state, &nothing).0;
            self.do_continue();
        }
        for mut raised in raised {
            let class = raised.class.map_or(Value::UnknownNotNone(Reason::Operand), Value::Obj);
            let value = Value::UnknownNotNone(Reason::Operand);
            let (state, result) =
                self.through_exit((manager, is_async), raised.state, &[class, value, unknown.clone()]);
            let verdict = if swallows { self.exit_swallows(&result) } else { ThreeValued::False };
            if verdict != ThreeValued::False {
                after = Some(self.join_into(after, &state));
                raised.finding = None;
            }
            if verdict != ThreeValued::True {
                self.run.state = state.clone();
                raised.state = state;
                let _ = self.raise_exception(raised);
            }
        }
        match after {
            Some(state) => {
                self.run.state = state;
                Ok(())
            }
            None => Err(Unreachable),
        }
    }

    /// What `__exit__` makes of a state, and what it returns.
    fn through_exit(
        &mut self,
        (manager, is_async): (&Value, bool),
        state: State,
        arguments: &[Value],
    ) -> (State, Value) {
        self.run.state = state.clone();
        let outcome = self.attempt_muted(|interp| interp.leave_manager(manager, is_async, arguments));
        match outcome {
            Ok(value) => (self.run.state.clone(), value),
            Err(Unreachable) => (state, Value::Unknown(Reason::Call)),
        }
    }

    fn exit_swallows(&mut self, result: &Value) -> ThreeValued<Cond> {
        self.capture_raises(|interp| interp.truth_of(result)).0.unwrap_or(ThreeValued::opaque())
    }

    /// What `__enter__` gives, or what awaiting `__aenter__` gives.
    fn enter_manager(&mut self, manager: &Value, is_async: bool) -> Flow {
        if !is_async {
            return self.call_method_or_unknown(manager, Name::ENTER, &[]);
        }
        let awaited = self.call_method_or_unknown(manager, Name::AENTER, &[])?;
        self.await_value(&awaited)
    }

    /// What `__exit__` gives, or what awaiting `__aexit__` gives.
    fn leave_manager(&mut self, manager: &Value, is_async: bool, arguments: &[Value]) -> Flow {
        if !is_async {
            return self.call_method_or_unknown(manager, Name::EXIT, arguments);
        }
        let awaited = self.call_method_or_unknown(manager, Name::AEXIT, arguments)?;
        self.await_value(&awaited)
    }

    fn call_method_or_unknown(&mut self, object: &Value, name: Name, arguments: &[Value]) -> Flow {
        match self.special_method(object, name) {
            Some(method) => self.call_value(&method, CallArgs::of(arguments.to_vec())),
            None => {
                // An unknown method may change what the object reaches.
                self.havoc_reachable(object);
                Ok(Value::Unknown(Reason::Call))
            }
        }
    }

    /// Whether a manager may keep an exception of the body to itself.
    fn may_swallow(&self, manager: &Value, is_async: bool) -> bool {
        let exit = if is_async { Name::AEXIT } else { Name::EXIT };
        manager.alternatives().iter().any(|manager| self.exit_may_swallow(manager, exit))
    }

    fn exit_may_swallow(&self, manager: &Value, exit: Name) -> bool {
        if matches!(manager, Value::Unknown(Reason::Standard)) {
            return false;
        }
        // What is not known may do anything.
        let Some(Value::Bound(bound)) = self.special_method(manager, exit) else { return true };
        let Some(addr) = bound.function.addr() else { return true };
        let Object::Function(function) = self.object_at(addr) else { return true };
        may_return_true(function)
    }
}
