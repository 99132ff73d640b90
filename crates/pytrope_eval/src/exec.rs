//! Statements. A statement changes the current state, or leaves no normal continuation (`Unreachable`) after handing its states to
//! the construct that handles them: the frame (return), the loop (break, continue), a catcher (raise).

mod assign;
mod definitions;
mod guards;
mod imports;
mod induction;
mod loops;
mod match_stmt;
mod opaque_predicates;
mod try_stmt;
mod with_stmt;

use std::sync::Arc;

use pytrope_dims::ThreeValued;
use pytrope_source::tree::{Clause, ExprId, ExprKind, List, StmtId, StmtKind};

use crate::code::Code;
use crate::cond::Cond;
use crate::effects::Effect;
use crate::interp::{BindingKind, BranchEvent, Flow, Interp, Raised, Unreachable};
use crate::object::Object;
use crate::value::{BuiltinType, Reason, Value};

impl Interp<'_> {
    pub fn exec_block(&mut self, body: List<StmtId>) -> Flow<()> {
        let code = self.current_code();
        let excluded_branches = self.current_frame().excluded_branches.len();
        let flow = code.tree[body].iter().try_for_each(|&stmt| self.statement(&code, stmt));
        self.frame_mut().excluded_branches.truncate(excluded_branches);
        flow
    }

    fn statement(&mut self, code: &Arc<Code>, id: StmtId) -> Flow<()> {
        self.consume_step()?;
        let stmt = &code.tree[id];
        let frame = self.frame_mut();
        frame.node = stmt.range;
        frame.statement = stmt.range;
        self.record_visit(stmt.range, true);
        if !self.run.catchers.is_empty() && !code.is_model {
            self.record_effect(Effect::ENTERS_HANDLERS);
        }
        match stmt.kind {
            StmtKind::Expr { value } => {
                match code.tree[value].kind {
                    ExprKind::Str(_) => {}
                    ExprKind::Call { function, arguments } if !code.is_model => {
                        let result = self.eval_expr(value)?;
                        self.after_guard(function, arguments, &result);
                        self.after_inspection(function, arguments, &result);
                        if self.is_skipped(function) {
                            return Err(Unreachable);
                        }
                    }
                    _ => {
                        self.eval_expr(value)?;
                    }
                }
                Ok(())
            }
            StmtKind::Assign { targets, value } => {
                self.rank_from_unpacking(&code.tree[targets], value)?;
                let assigned = self.eval_expr(value)?;
                for &target in &code.tree[targets] {
                    self.assign_target(target, assigned.clone())?;
                }
                Ok(())
            }
            StmtKind::AugAssign { target, op, value } => self.exec_augmented_assign(target, op, value),
            StmtKind::AnnAssign { target, annotation, value, .. } => {
                self.exec_annotated_assign(id, target, annotation, value)
            }
            StmtKind::Return { value } => {
                let value = match value {
                    Some(value) => {
                        let range = code.tree[value].range;
                        let returned = self.eval_expr(value)?;
                        let returned = if code.is_model { returned } else { self.heed_return_hint(returned, range)? };
                        self.observe_binding(code.tree[id].range, "return", BindingKind::Return, &returned);
                        returned
                    }
                    None => Value::None,
                };
                if !self.run.catchers.is_empty() && !code.is_model {
                    // What the value's evaluation changed is seen by handlers if it raises half-way.
                    self.record_effect(Effect::ENTERS_HANDLERS);
                }
                self.record_jump();
                self.do_return(value);
                Err(Unreachable)
            }
            StmtKind::If { test, body, clauses } => self.exec_if(test, body, clauses, 0),
            StmtKind::For { target, iter, body, orelse, is_async } => {
                self.for_loop(target, iter, body, orelse, is_async)
            }
            StmtKind::While { test, body, orelse } => self.while_loop(test, body, orelse),
            StmtKind::Break => {
                self.record_jump();
                self.do_break();
                Err(Unreachable)
            }
            StmtKind::Continue => {
                self.record_jump();
                self.do_continue();
                Err(Unreachable)
            }
            StmtKind::Pass | StmtKind::Global { .. } | StmtKind::Nonlocal { .. } => Ok(()),
            StmtKind::FunctionDef(function) => self.define_function(id, &function),
            StmtKind::ClassDef(class) => self.define_class(id, &class),
            StmtKind::Delete { targets } => {
                for &target in &code.tree[targets] {
                    self.delete_target(target)?;
                }
                Ok(())
            }
            StmtKind::TypeAlias { name, .. } => self.assign_target(name, Value::Unknown(Reason::Operand)),
            StmtKind::With { items, body, is_async } => self.exec_with(&code.tree[items], body, is_async),
            StmtKind::Match { subject, cases } => self.match_statement(subject, cases),
            StmtKind::Raise { exception, cause } => {
                let raised = match exception {
                    Some(exception) => Some(self.eval_expr(exception)?),
                    None => None,
                };
                if let Some(cause) = cause {
                    self.eval_expr(cause)?;
                }
                self.frame_mut().node = stmt.range;
                self.raise_value(raised)
            }
            StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
                self.try_statement(body, handlers, orelse, finalbody)
            }
            StmtKind::Assert { test, message } => self.exec_assert(test, message),
            StmtKind::Import { names } => {
                self.record_import();
                self.import_modules(&code.tree[names])
            }
            StmtKind::ImportFrom { module, names, level } => {
                self.record_import();
                let module = module.map(|module| code.tree.text(module.name).to_owned());
                self.import_from(module.as_deref(), &code.tree[names], level)
            }
            StmtKind::IpyEscape(_) => Ok(()),
        }
    }

    /// An import runs the code of a module, which may raise. What models import is ours: otherwise each operation of a library whose
    /// model imports within a function would put in doubt that the next iteration of a loop comes.
    fn record_import(&mut self) {
        if !self.in_model() {
            self.record_may_raise();
        }
    }

    pub(crate) fn do_return(&mut self, value: Value) {
        let state = self.run.state.clone();
        let joined = match self.frame_mut().returns.take() {
            None => (state, value),
            Some((other, so_far)) => self.join_valued(&other, &so_far, &state, &value),
        };
        self.frame_mut().returns = Some(joined);
    }

    fn do_break(&mut self) {
        let state = self.run.state.clone();
        let previous = self.frame_mut().loops.last_mut().and_then(|exits| exits.breaks.take());
        let joined = self.join_into(previous, &state);
        if let Some(exits) = self.frame_mut().loops.last_mut() {
            exits.breaks = Some(joined);
        }
    }

    fn do_continue(&mut self) {
        let state = self.run.state.clone();
        let previous = self.frame_mut().loops.last_mut().and_then(|exits| exits.continues.take());
        let joined = self.join_into(previous, &state);
        if let Some(exits) = self.frame_mut().loops.last_mut() {
            exits.continues = Some(joined);
        }
    }

    /// Tells the observer how a condition came out.
    pub(crate) fn observe_branch(&mut self, test: ExprId, outcome: &ThreeValued<Cond>) {
        if self.in_model() {
            return;
        }
        let compared = match self.run.comparison.last.take() {
            Some((id, left, right)) if id == test => Some(self.show_compared(test, &left, &right)),
            _ => None,
        };
        let Some(mut observer) = self.report.observer.take() else { return };
        let frame = self.current_frame();
        let (verdict, shown) = match outcome {
            ThreeValued::True => (ThreeValued::True, compared),
            ThreeValued::False => (ThreeValued::False, compared),
            ThreeValued::Open(cond) => (ThreeValued::Open(()), self.show_condition(cond)),
        };
        observer.on_branch(&BranchEvent { code: &frame.code, test, instance: frame.instance, verdict, shown });
        self.report.observer = Some(observer);
    }

    fn exec_if(&mut self, test: ExprId, body: List<StmtId>, clauses: List<Clause>, next: usize) -> Flow<()> {
        let code = self.current_code();
        let outcome = self.eval_condition(test)?;
        self.observe_branch(test, &outcome);
        let otherwise = |interp: &mut Self| match code.tree[clauses].get(next) {
            None => Ok(()),
            Some(Clause { test: None, body, .. }) => interp.exec_block(*body),
            Some(Clause { test: Some(test), body, .. }) => interp.exec_if(*test, *body, clauses, next + 1),
        };
        match outcome {
            ThreeValued::True => {
                self.refine_by_condition(test, true);
                self.exec_block(body)?;
                self.after_refusal(test, body);
                Ok(())
            }
            ThreeValued::False => {
                self.refine_by_condition(test, false);
                otherwise(self)
            }
            ThreeValued::Open(cond) => {
                let asked = self.asked_about(test);
                let (mut first_goes_on, mut second_goes_on) = (false, false);
                let first = |interp: &mut Self| {
                    let flow = interp.run_under_condition(test, &cond, true, |interp| {
                        interp.exec_arm(test, true, &asked, |i| i.exec_block(body))
                    });
                    first_goes_on = flow.is_ok();
                    flow
                };
                let second = |interp: &mut Self| {
                    let flow = interp.run_under_condition(test, &cond.negated(), false, |interp| {
                        interp.exec_arm(test, false, &asked, otherwise)
                    });
                    second_goes_on = flow.is_ok();
                    flow
                };
                let flow = self.either_flow(first, second);
                if first_goes_on != second_goes_on {
                    self.forget_unless_bound(&asked);
                    self.assume_left_arm(test, second_goes_on);
                }
                flow
            }
        }
    }

    /// An arm of an undecided condition, in silence if it cannot be taken.
    fn exec_arm(
        &mut self,
        test: ExprId,
        answer: bool,
        asked: &[opaque_predicates::OpaquePredicate],
        arm: impl FnOnce(&mut Self) -> Flow<()>,
    ) -> Flow<()> {
        self.forget_asked(asked);
        let excluded_branches = self.current_frame().excluded_branches.len();
        let flow = if self.is_refused(test, answer) { self.run_muted(arm) } else { arm(self) };
        self.restore_asked(asked);
        self.frame_mut().excluded_branches.truncate(excluded_branches);
        flow
    }

    /// Runs an arm under the fact that made it run; `Unreachable` if the fact cannot be.
    pub(crate) fn run_under_condition<T>(
        &mut self,
        test: ExprId,
        cond: &crate::cond::Cond,
        positive: bool,
        arm: impl FnOnce(&mut Self) -> Flow<T>,
    ) -> Flow<T> {
        if !self.assume_condition(cond) || !self.refine_by_condition(test, positive) {
            return Err(Unreachable);
        }
        arm(self)
    }

    pub(crate) fn either_flow(
        &mut self,
        first: impl FnOnce(&mut Self) -> Flow<()>,
        second: impl FnOnce(&mut Self) -> Flow<()>,
    ) -> Flow<()> {
        self.run_both_arms(|interp| first(interp).map(|()| Value::None), |interp| second(interp).map(|()| Value::None))
            .map(|_| ())
    }

    fn exec_assert(&mut self, test: ExprId, message: Option<ExprId>) -> Flow<()> {
        let outcome = self.eval_condition(test)?;
        self.observe_branch(test, &outcome);
        // It is the assertion that raises, not what was evaluated last.
        self.frame_mut().node = self.current_frame().code.tree[test].range;
        match outcome {
            ThreeValued::True => {
                self.refine_by_condition(test, true);
                Ok(())
            }
            ThreeValued::False => {
                if let Some(message) = message {
                    let _ = self.eval_expr(message);
                }
                self.tell_raise();
                let class = self.analysis.program.exception_class("AssertionError");
                let state = self.run.state.clone();
                let _ =
                    self.raise_exception(Raised { class, value: Value::Unknown(Reason::Call), finding: None, state });
                Err(Unreachable)
            }
            ThreeValued::Open(cond) => {
                if self.is_certain() && !self.in_model() {
                    let span = self.user_span();
                    if let Some(observer) = &mut self.report.observer {
                        observer.on_assert(&span, &cond);
                    }
                }
                let class = self.analysis.program.exception_class("AssertionError");
                let state = self.run.state.clone();
                let _ =
                    self.raise_exception(Raised { class, value: Value::Unknown(Reason::Call), finding: None, state });
                // As behind `if not test: raise`: what follows may not be reached.
                self.frame_mut().exits += 1;
                let asked = self.asked_about(test);
                self.forget_asked(&asked);
                if self.assume_condition(&cond) && self.refine_by_condition(test, true) {
                    Ok(())
                } else {
                    Err(Unreachable)
                }
            }
        }
    }

    /// Tells the observer of the run where it ends.
    fn tell_raise(&mut self) {
        if self.in_model() {
            return;
        }
        let span = self.user_span();
        if let Some(observer) = &mut self.report.observer {
            observer.on_raise(&span);
        }
    }

    fn raise_value(&mut self, raised: Option<Value>) -> Flow<()> {
        self.tell_raise();
        let state = self.run.state.clone();
        let mut class = None;
        let mut value = Value::Unknown(Reason::Call);
        match raised {
            None => {}
            Some(Value::Obj(addr)) => match self.object_at(addr) {
                Object::Class(_) => class = Some(addr),
                Object::Instance(instance) => {
                    class = instance.class.addr();
                    value = Value::Obj(addr);
                }
                _ => {}
            },
            Some(other) => value = other,
        }
        let finding = match class {
            // Code for unknown callers may well leave a method to a class that comes later.
            Some(class)
                if self.analysis.uncalled_entry
                    && Some(class) == self.analysis.program.exception_class("NotImplementedError") =>
            {
                None
            }
            // In a model, raising is what the library does to the caller.
            Some(class) if self.in_model() && self.analysis.program.exception_class("SystemExit") != Some(class) => {
                let message = self.exception_text(&value);
                let name = self.class_at(class).map_or_else(|| "Exception".to_owned(), |class| class.name.to_string());
                Some(Box::new(self.new_finding("shape-argument", message).raises(name)))
            }
            _ => None,
        };
        let _ = self.raise_exception(Raised { class, value, finding, state });
        Err(Unreachable)
    }

    /// The text an exception was made with.
    fn exception_text(&self, value: &Value) -> String {
        let Some(instance) = self.instance_of(value) else {
            return "the library does not accept these arguments".to_owned();
        };
        match instance.attrs.get(crate::names::Name::ARGS).map(|slot| &slot.value) {
            Some(Value::Tuple(seq)) => match seq.as_exact().and_then(|items| items.first()) {
                Some(Value::Str(text)) => text.to_string(),
                Some(other) if other.kind() != Some(BuiltinType::Str) => self.show_value(other),
                _ => "the library does not accept these arguments".to_owned(),
            },
            _ => "the library does not accept these arguments".to_owned(),
        }
    }
}
