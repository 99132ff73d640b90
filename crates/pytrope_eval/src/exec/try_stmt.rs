//! `try` with `except`, `else` and `finally`.

use std::sync::Arc;

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, Handler, List, StmtId, StmtKind};

use crate::code::Code;
use crate::effects::{Effect, may_raise_in};
use crate::interp::{Catcher, Flow, HandlerEntryState, Interp, Unreachable};
use crate::object::{Instance, Object, Slots};
use crate::state::State;
use crate::value::{Addr, Reason, Seq, Value};

/// The states that have left a suite by a jump.
pub(super) struct Exits {
    pub(super) returns: Option<(State, Value)>,
    pub(super) breaks: Option<State>,
    pub(super) continues: Option<State>,
}

impl Interp<'_> {
    pub(super) fn try_statement(
        &mut self,
        body: List<StmtId>,
        handlers: List<Handler>,
        orelse: List<StmtId>,
        finalbody: List<StmtId>,
    ) -> Flow<()> {
        if finalbody.is_empty() {
            return self.try_except(body, handlers, orelse);
        }
        let jumps = self.jumps_out(finalbody);
        let outer = self.take_exits();
        let anytime = Some(HandlerEntryState::new(&self.run.state));
        self.run.catchers.push(Catcher::Finally { raised: Vec::new(), anytime, swallows: jumps });
        let flow = self.try_except(body, handlers, orelse);
        let had_yielded = self.yielded_count();
        let normal = flow.is_ok().then(|| self.run.state.clone());
        let (raised, anytime) = match self.run.catchers.pop() {
            Some(Catcher::Finally { raised, anytime, .. }) => (raised, anytime.map(HandlerEntryState::into_state)),
            _ => (Vec::new(), None),
        };
        let inner = self.take_exits();
        self.put_exits(outer);
        // The suite is run for each way into it; where it does not end the normal way, that is where the path goes.
        self.enter_repeated(false);
        self.open_branch();
        let after = normal.and_then(|state| self.through_finally(state, finalbody));
        if let Some(state) = anytime {
            self.run_with_visits_only(|interp| {
                if let Some(after) = interp.through_finally(state, finalbody) {
                    interp.run.state = after;
                    interp.record_effect(Effect::ENTERS_HANDLERS);
                }
            });
        }
        if let Some((state, value)) = inner.returns
            && let Some(after) = self.through_finally(state, finalbody)
        {
            self.run.state = after;
            self.do_return(value);
        }
        if let Some(after) = inner.breaks.and_then(|state| self.through_finally(state, finalbody)) {
            self.run.state = after;
            self.do_break();
        }
        if let Some(after) = inner.continues.and_then(|state| self.through_finally(state, finalbody)) {
            self.run.state = after;
            self.do_continue();
        }
        for mut raised in raised {
            let (after, others) = self
                .capture_raises(|interp| interp.through_finally(raised.state.clone(), finalbody).ok_or(Unreachable));
            let is_handled_around = self.run.catchers.iter().any(|outer| matches!(outer, Catcher::Try { .. }));
            if jumps || !others.is_empty() || is_handled_around && may_raise_in(&self.current_code(), finalbody) {
                // It may have been swallowed, or another one may have taken its place, which is handled further out.
                raised.finding = None;
            }
            for other in others {
                self.run.state = other.state.clone();
                let _ = self.raise_exception(other);
            }
            if let Ok(after) = after {
                self.run.state = after.clone();
                raised.state = after;
                let _ = self.raise_exception(raised);
            }
        }
        self.close_branch();
        self.leave_repeated();
        if self.yielded_count() > had_yielded {
            // The suite has run for each way into it.
            self.inexact_yields();
        }
        match after {
            Some(state) => {
                self.run.state = state;
                Ok(())
            }
            None => Err(Unreachable),
        }
    }

    fn through_finally(&mut self, state: State, finalbody: List<StmtId>) -> Option<State> {
        self.run.state = state;
        self.exec_block(finalbody).is_ok().then(|| self.run.state.clone())
    }

    /// Whether a suite contains a jump out of it: in `finally` that swallows what was raised.
    fn jumps_out(&self, suite: List<StmtId>) -> bool {
        let tree = &self.current_frame().code.tree;
        tree[suite].iter().any(|&stmt| {
            tree.descendants(pytrope_source::Node::Stmt(stmt)).any(|node| match node {
                pytrope_source::Node::Stmt(id) => {
                    matches!(tree[id].kind, StmtKind::Return { .. } | StmtKind::Break | StmtKind::Continue)
                }
                pytrope_source::Node::Expr(_) => false,
            })
        })
    }

    pub(super) fn take_exits(&mut self) -> Exits {
        let frame = self.frame_mut();
        let returns = frame.returns.take();
        let (breaks, continues) = match frame.loops.last_mut() {
            Some(exits) => (exits.breaks.take(), exits.continues.take()),
            None => (None, None),
        };
        Exits { returns, breaks, continues }
    }

    pub(super) fn put_exits(&mut self, exits: Exits) {
        let frame = self.frame_mut();
        frame.returns = exits.returns;
        if let Some(last) = frame.loops.last_mut() {
            last.breaks = exits.breaks;
            last.continues = exits.continues;
        }
    }

    /// The classes a handler names; `None` stands for any.
    fn handler_classes(&mut self, class: Option<ExprId>) -> Vec<Option<Addr>> {
        let Some(class) = class else { return vec![None] };
        let value = self.eval_annotation(class);
        let mut classes = Vec::new();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            match value {
                Value::Tuple(Seq::Exact(items)) => pending.extend(items.iter().cloned()),
                Value::Union(values) => {
                    pending.extend(values.iter().cloned());
                    classes.push(None);
                }
                Value::Obj(addr) if self.class_at(addr).is_some() => classes.push(Some(addr)),
                _ => classes.push(None),
            }
        }
        classes
    }

    /// Whether a handler takes an exception. Of a class that is not known (`except Document.DoesNotExist`) it is not certain.
    fn must_take(&self, takes_all: bool, classes: &[Option<Addr>], raised: Option<Addr>) -> bool {
        takes_all || classes.iter().any(|class| class.is_some() && self.must_catch(*class, raised))
    }

    fn try_except(&mut self, body: List<StmtId>, handlers: List<Handler>, orelse: List<StmtId>) -> Flow<()> {
        let code = self.current_code();
        let handlers = &code.tree[handlers];
        if handlers.is_empty() {
            self.exec_block(body)?;
            return self.exec_block(orelse);
        }
        let handled: Vec<Vec<Option<Addr>>> =
            handlers.iter().map(|handler| self.handler_classes(handler.class)).collect();
        let classes: Vec<Option<Addr>> = handled.iter().flatten().copied().collect();
        let anytime = Some(HandlerEntryState::new(&self.run.state));
        self.run.catchers.push(Catcher::Try { classes, raised: Vec::new(), anytime });
        let hazards = self.run.effects.hazards();
        let had_returned = self.current_frame().returns.is_some();
        let had_yielded = self.yielded_count();
        let mut enters_handler = false;
        let flow = self.exec_block(body);
        // A `return` at the end of the body completes it as well.
        let ends_in_return =
            code.tree[body].last().is_some_and(|&last| matches!(code.tree[last].kind, StmtKind::Return { .. }));
        let has_returned = self.current_frame().returns.is_some() && (!had_returned || ends_in_return);
        let completes = flow.is_ok() || has_returned;
        if flow.is_ok() {
            self.record_effect(Effect::ENTERS_HANDLERS);
        }
        let (raised, mut anytime) = match self.run.catchers.pop() {
            Some(Catcher::Try { raised, anytime, .. }) => (raised, anytime.map(HandlerEntryState::into_state)),
            _ => (Vec::new(), None),
        };
        if completes && hazards == self.run.effects.hazards() && self.follows_whole_tries() && is_followed(&code, body)
        {
            // Nothing but what was seen is raised in it.
            anytime = None;
        }
        let mut result: Option<State> = None;
        if flow.is_ok() {
            // It runs if nothing was raised, and whether something is may depend on what the function was given.
            let open = may_raise_in(&code, body);
            self.frame_mut().branches += u32::from(open);
            self.open_branch();
            let flow = self.exec_block(orelse);
            self.close_branch();
            self.frame_mut().branches -= u32::from(open);
            if flow.is_ok() {
                result = Some(self.run.state.clone());
            }
        }
        let mut arrives = result.is_some();
        if let Some(state) = &anytime {
            // What no handler takes goes on outwards.
            let here = std::mem::replace(&mut self.run.state, state.clone());
            self.record_effect(Effect::ENTERS_HANDLERS);
            self.run.state = here;
        }
        for (i, handler) in handlers.iter().enumerate() {
            let mut entry = anytime.clone();
            let mut single: Option<Addr> = None;
            let mut is_certain = false;
            for raised in &raised {
                let takes = |interp: &Self, at: usize| {
                    interp.must_take(handlers[at].class.is_none(), &handled[at], raised.class)
                };
                if (0..i).any(|at| takes(self, at))
                    || !handled[i].iter().any(|class| self.may_catch(*class, raised.class))
                {
                    continue;
                }
                entry = Some(self.join_into(entry, &raised.state));
                single = raised.class;
                let before = handled[..i].iter().flatten().any(|class| self.may_catch(*class, raised.class));
                is_certain |= !before && takes(self, i);
            }
            let Some(entry) = entry else { continue };
            enters_handler = true;
            self.run.state = entry;
            if let Some(name) = handler.name {
                let class = match handled[i].as_slice() {
                    [Some(class)] => Some(*class),
                    _ => None,
                };
                let bound = match class {
                    Some(class) => {
                        let attrs = Slots { open: true, ..Slots::default() };
                        let _ = single;
                        let instance = Instance { class: Value::Obj(class), attrs, content: None };
                        self.new_object(Object::Instance(Arc::new(instance)))
                    }
                    None => Value::Unknown(Reason::Operand),
                };
                self.bind_name(name.name, bound);
            }
            // Whether anything is raised is open unless something certainly is: the body may also come to its end.
            let open = !is_certain || completes;
            self.frame_mut().branches += u32::from(open);
            self.open_branch();
            self.frame_mut().handlers += 1;
            let flow = self.exec_block(handler.body);
            self.frame_mut().handlers -= 1;
            self.close_branch();
            self.frame_mut().branches -= u32::from(open);
            if flow.is_ok() {
                if let Some(name) = handler.name {
                    let scope = self.binding_scope(name.name);
                    if let Object::Scope(slots) = self.object_at(scope) {
                        let mut slots = slots.clone();
                        slots.remove(code.name_of(name.name));
                        self.write_object(scope, Object::Scope(slots));
                    }
                }
                let here = self.run.state.clone();
                result = Some(self.join_into(result, &here));
                arrives |= !open;
            }
        }
        if enters_handler && self.yielded_count() > had_yielded {
            // What the body yields and what a handler yields instead of it are not both there.
            self.inexact_yields();
        }
        let Some(state) = result else { return Err(Unreachable) };
        self.run.state = state;
        if !arrives {
            // What follows is reached only through a handler that may not be entered.
            self.frame_mut().exits += 1;
        }
        Ok(())
    }
}

/// Whether the statements of a suite say by themselves what they may raise: an import that is not read, or a suspension, does not.
fn is_followed(code: &Code, suite: List<StmtId>) -> bool {
    code.tree.suite_nodes(suite).all(|node| match node {
        Node::Stmt(stmt) => matches!(
            code.tree[stmt].kind,
            StmtKind::Expr { .. }
                | StmtKind::Assign { .. }
                | StmtKind::AnnAssign { .. }
                | StmtKind::AugAssign { .. }
                | StmtKind::If { .. }
                | StmtKind::Return { .. }
                | StmtKind::Raise { .. }
                | StmtKind::Pass
        ),
        Node::Expr(expr) => !matches!(
            code.tree[expr].kind,
            ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } | ExprKind::Await { .. }
        ),
    })
}
