//! Expressions.

mod comprehension;
mod conditions;
mod equal_arrays;
pub(crate) mod names;
mod strings;
mod tables;

use std::sync::Arc;

use num_bigint::BigInt;
use pytrope_source::tree::{Arguments, BinaryOperator, ExprId, ExprKind, List, StmtKind, UnaryOperator};

use crate::code::ScopeId;
use crate::effects::Operation;
use crate::interp::{Flow, Interp, Raised};
use crate::names::Name;
use crate::native::{CallArgs, OpenTail};
use crate::object::{Entry, Mapping, Object};
use crate::value::IntoValue;
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};
use pytrope_dims::{Dim, ThreeValued};

/// A literal with more items than this keeps only what its first ones have in common.
const LITERAL_LIMIT: usize = 5_000;

impl Interp<'_> {
    pub fn eval_expr(&mut self, id: ExprId) -> Flow {
        self.consume_step()?;
        let code = self.current_code();
        let node = &code.tree[id];
        self.frame_mut().node = node.range;
        self.record_visit(node.range, false);
        match node.kind {
            ExprKind::Name { name, .. } => {
                let value = self.load_name(name, node.range)?;
                let value = self.resolve_lazy(value);
                if self.analysis.assumes {
                    self.assume_one_rank(&value);
                }
                Ok(self.alike_arrays_in(code.name_of(name), value))
            }
            ExprKind::Int(value) => Ok(Value::Int(value)),
            ExprKind::Float(value) => Ok(Value::Float(value)),
            ExprKind::Str(text) => Ok(code.string_literal(text)),
            ExprKind::Bool(value) => Ok(Value::Bool(value)),
            ExprKind::None => Ok(Value::None),
            ExprKind::Ellipsis => Ok(Value::Ellipsis),
            ExprKind::Imaginary(value) => Ok(Value::Complex(Arc::new((0.0, value)))),
            ExprKind::Bytes(text) => {
                let bytes: Vec<u8> = code.tree.text(text).chars().map(|c| c as u32 as u8).collect();
                Ok(Value::Bytes(Arc::from(bytes)))
            }
            ExprKind::BigInt(digits) => {
                let text = code.tree.text(digits);
                if text.len() > 4_000 {
                    return Ok(self.any_int());
                }
                Ok(match text.parse::<BigInt>() {
                    Ok(value) => Value::big(value),
                    Err(_) => self.any_int(),
                })
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let object = self.eval_expr(value)?;
                let name = code.attribute_name(attribute.name, self.current_frame().id);
                let operation = Operation::Attribute { object: &object };
                let value = self.perform(node.range, operation, |interp| interp.read_attribute(&object, name))?;
                let value = self.resolve_lazy(value);
                Ok(self.collapse_equal_arrays(value))
            }
            ExprKind::Call { function, arguments } => self.call_expr(id, function, arguments),
            ExprKind::BinOp { left, op, right } => {
                if self.analysis.uncalled_entry
                    && let Some(class) = self.deliberate_error(id, left, right)
                {
                    let class = self.analysis.program.exception_class(class);
                    let state = self.run.state.clone();
                    let value = Value::Unknown(Reason::Call);
                    return self.raise_exception(Raised { class, value, finding: None, state });
                }
                let a = self.eval_expr(left)?;
                let b = self.eval_expr(right)?;
                if self.analysis.assumes && op != BinaryOperator::MatMult && !self.in_model() {
                    return self.assumed_binary(id, op, (left, &a), (right, &b));
                }
                let operation = Operation::Binary { op, left: &a, right: &b };
                self.perform(node.range, operation, |interp| interp.eval_binary(op, &a, &b))
            }
            ExprKind::UnaryOp { op: UnaryOperator::Not, operand } => {
                Ok(self.eval_condition(operand)?.negated().into_value())
            }
            ExprKind::UnaryOp { op, operand } => {
                let value = self.eval_expr(operand)?;
                self.perform(node.range, Operation::Operand { value: &value }, |interp| interp.eval_unary(op, &value))
            }
            ExprKind::Compare { left, ops, comparators } => self.eval_comparison(id, left, ops, comparators),
            ExprKind::BoolOp { op, values } => {
                let values = &code.tree[values];
                self.bool_op(op, values)
            }
            ExprKind::IfExp { test, body, orelse } => {
                let outcome = self.eval_condition(test)?;
                self.observe_branch(test, &outcome);
                match outcome {
                    ThreeValued::True => {
                        self.refine_by_condition(test, true);
                        self.eval_expr(body)
                    }
                    ThreeValued::False => {
                        self.refine_by_condition(test, false);
                        self.eval_expr(orelse)
                    }
                    ThreeValued::Open(cond) => {
                        let asked = self.asked_about(test);
                        let arm = |interp: &mut Self, value: ExprId| {
                            interp.forget_asked(&asked);
                            let value = interp.eval_expr(value);
                            interp.restore_asked(&asked);
                            value
                        };
                        self.run_both_arms(
                            |interp| interp.run_under_condition(test, &cond, true, |interp| arm(interp, body)),
                            |interp| {
                                interp.run_under_condition(test, &cond.negated(), false, |interp| arm(interp, orelse))
                            },
                        )
                    }
                }
            }
            ExprKind::Subscript { value, index, .. } => {
                if let Some(size) = self.axis_from_subscript(value, index) {
                    self.frame_mut().node = node.range;
                    let size = Value::dim(size);
                    self.name_axis(value, &size);
                    return Ok(size);
                }
                let object = self.eval_expr(value)?;
                let index = self.eval_expr(index)?;
                let operation = Operation::Item { object: &object, index: &index };
                let item = self.perform(node.range, operation, |interp| interp.item_at(&object, &index))?;
                let item = self.resolve_lazy(item);
                self.name_axis(value, &item);
                Ok(item)
            }
            ExprKind::Slice { lower, upper, step } => {
                let mut parts = [Value::None, Value::None, Value::None];
                for (part, expr) in parts.iter_mut().zip([lower, upper, step]) {
                    if let Some(expr) = expr {
                        *part = self.eval_expr(expr)?;
                    }
                }
                Ok(Value::Slice(Arc::new(parts)))
            }
            ExprKind::Tuple { elements, .. } => Ok(Value::Tuple(self.eval_elements(elements)?)),
            ExprKind::List { elements, .. } => {
                let seq = self.eval_elements(elements)?;
                self.frame_mut().node = node.range;
                Ok(self.new_object(Object::List(seq)))
            }
            ExprKind::Set { elements } => {
                let seq = self.eval_elements(elements)?;
                self.frame_mut().node = node.range;
                let mapping = self.set_of(&seq)?;
                Ok(self.new_object(Object::Set(mapping)))
            }
            // A table too long to keep: nothing of it is looked at.
            ExprKind::Dict { items } if items.len() > LITERAL_LIMIT => {
                let unknown = Value::Unknown(Reason::Limit);
                Ok(self.new_dict(Mapping { entries: Arc::default(), open: Some(Arc::new((unknown.clone(), unknown))) }))
            }
            ExprKind::Dict { items } => {
                let mut mapping = Mapping::default();
                for item in &code.tree[items] {
                    match item.key {
                        Some(key) => {
                            let key = self.eval_expr(key)?;
                            let value = self.eval_expr(item.value)?;
                            self.store_entry(&mut mapping, &key, value)?;
                        }
                        None => {
                            let value = self.eval_expr(item.value)?;
                            self.merge_mapping(&mut mapping, &value)?;
                        }
                    }
                }
                self.frame_mut().node = node.range;
                Ok(self.new_dict(mapping))
            }
            ExprKind::Lambda { parameters, .. } => {
                let parameters = code.tree[parameters];
                let scope = code.scopes.of_expr[&id];
                self.make_function(scope, parameters, Name::new("<lambda>"))
            }
            ExprKind::Named { target, value } => {
                let value = self.eval_expr(value)?;
                self.assign_target(target, value.clone())?;
                Ok(value)
            }
            ExprKind::FString { parts } => self.f_string(parts),
            ExprKind::TString { parts } => {
                self.f_string(parts)?;
                Ok(Value::Unknown(Reason::Operand))
            }
            ExprKind::ListComp { element, generators } => self.list_comprehension(id, element, generators),
            ExprKind::SetComp { element, generators } => self.set_comprehension(id, element, generators),
            ExprKind::DictComp { key, value, generators } => self.dict_comprehension(id, key, value, generators),
            ExprKind::Generator { element, generators } => self.generator_expression(id, element, generators),
            ExprKind::Await { value } => {
                let value = self.eval_expr(value)?;
                self.frame_mut().node = node.range;
                self.await_value(&value)
            }
            ExprKind::Yield { value } => {
                let value = match value {
                    Some(value) => self.eval_expr(value)?,
                    None => Value::None,
                };
                if self.analysis.uncalled_entry && !self.in_model() {
                    // The consumer of the generator holds it until the next iteration.
                    self.havoc_reachable(&value);
                    self.havoc_escaped();
                }
                self.emit_yield(value);
                Ok(Value::Unknown(Reason::Operand))
            }
            ExprKind::YieldFrom { value } => {
                let value = self.eval_expr(value)?;
                let seq = self.iterate_value(&value)?;
                match seq {
                    Some(Seq::Exact(items)) => items.iter().for_each(|item| self.emit_yield(item.clone())),
                    Some(Seq::Open(open)) => {
                        self.emit_yield(open.element.clone());
                        self.inexact_yields();
                    }
                    None => {
                        self.emit_yield(Value::Unknown(Reason::Operand));
                        self.inexact_yields();
                    }
                }
                Ok(Value::Unknown(Reason::Operand))
            }
            ExprKind::Starred { value, .. } => self.eval_expr(value),
            ExprKind::IpyEscape(_) => Ok(Value::Unknown(Reason::Operand)),
        }
    }

    fn emit_yield(&mut self, value: Value) {
        let undecided = self.current_frame().undecided > 0;
        if let Some(yields) = &mut self.frame_mut().yields {
            yields.inexact |= undecided;
            yields.items.push(value);
        }
    }

    /// How much the generator that runs has yielded.
    pub(crate) fn yielded_count(&self) -> usize {
        self.current_frame().yields.as_ref().map_or(0, |yields| yields.items.len())
    }

    pub(crate) fn inexact_yields(&mut self) {
        if let Some(yields) = &mut self.frame_mut().yields {
            yields.inexact = true;
        }
    }

    /// The items of a display, with starred ones spread out.
    fn eval_elements(&mut self, elements: List<ExprId>) -> Flow<Seq> {
        let code = self.current_code();
        let elements = &code.tree[elements];
        let mut items = Vec::with_capacity(elements.len().min(LITERAL_LIMIT));
        let mut open: Option<OpenTail> = None;
        if elements.len() > LITERAL_LIMIT {
            // A table too long to keep: its length is known, and what its items have in common.
            for &element in elements {
                if matches!(code.tree[element].kind, ExprKind::Starred { .. }) {
                    return Ok(self.open_seq(Value::Unknown(Reason::Limit)));
                }
            }
            let item = self.any_item(elements);
            return Ok(Seq::open(Vec::new(), item, Value::Int(elements.len() as i64)));
        }
        for &element in elements {
            if let ExprKind::Starred { value, .. } = code.tree[element].kind {
                let value = self.eval_expr(value)?;
                match self.perform_here(Operation::Unpack { value: &value }, |interp| interp.iterate_value(&value))? {
                    Some(Seq::Exact(more)) if open.is_none() => items.extend(more.iter().cloned()),
                    more => {
                        let more = OpenTail::of_integers(more.as_ref().and_then(Seq::count_integers));
                        open = Some(OpenTail::after(open, more));
                    }
                }
            } else {
                let value = self.eval_expr(element)?;
                if open.is_none() {
                    items.push(value);
                } else {
                    let is_integer = value.kind() == Some(BuiltinType::Int);
                    let more = OpenTail::of_integers(is_integer.then(|| Dim::constant(1)));
                    open = Some(OpenTail::after(open, more));
                }
            }
        }
        let Some(more) = open else { return Ok(Seq::exact(items)) };
        let len = more.integers().and_then(|more| more.plus_const(items.len() as i128));
        let Some(len) = len else { return Ok(self.open_seq(Value::Unknown(Reason::Operand))) };
        let integer = self.any_int();
        Ok(Seq::open(items, integer, Value::dim(len)))
    }

    /// `1 / 0`, written out in an uncalled function, is another way to write `raise`: as a statement of
    /// its own anywhere, and in tests wherever it stands, as is `1 + None`.
    fn deliberate_error(&self, id: ExprId, left: ExprId, right: ExprId) -> Option<&'static str> {
        let code = &self.current_frame().code;
        let is_zero = match code.tree[right].kind {
            ExprKind::Int(value) => value == 0,
            ExprKind::Float(value) => value == 0.0,
            _ => false,
        };
        let is_number = matches!(code.tree[left].kind, ExprKind::Int(_) | ExprKind::Float(_));
        if code.is_test && is_number && matches!(code.tree[right].kind, ExprKind::None) {
            return Some("TypeError");
        }
        let is_statement = || {
            matches!(pytrope_source::Node::Expr(id).parent(&code.tree), Some(pytrope_source::Node::Stmt(stmt))
                if matches!(code.tree[stmt].kind, StmtKind::Expr { .. }))
        };
        (is_zero && is_number && (code.is_test || is_statement())).then_some("ZeroDivisionError")
    }

    pub(crate) fn eval_arguments(&mut self, arguments: Arguments) -> Flow<CallArgs> {
        self.eval_more_arguments(arguments, None)
    }

    /// As [`Interp::eval_arguments`], where the first argument has been evaluated.
    fn eval_more_arguments(&mut self, arguments: Arguments, first: Option<Value>) -> Flow<CallArgs> {
        let code = self.current_code();
        let (positional, keywords) = (&code.tree[arguments.positional], &code.tree[arguments.keywords]);
        let mut args = CallArgs {
            positional: Vec::with_capacity(positional.len()),
            keywords: Vec::with_capacity(keywords.len()),
            ..CallArgs::none()
        };
        let evaluated = usize::from(first.is_some());
        args.positional.extend(first);
        for &argument in &positional[evaluated..] {
            if let ExprKind::Starred { value, .. } = code.tree[argument].kind {
                let value = self.eval_expr(value)?;
                match self.iterate_value(&value)? {
                    Some(Seq::Exact(items)) if args.more_positional.is_none() => {
                        args.positional.extend(items.iter().cloned());
                    }
                    more => args.add_more_positional(OpenTail::of_sequence(more)),
                }
            } else {
                let value = self.eval_expr(argument)?;
                if args.more_positional.is_some() {
                    let is_integer = value.kind() == Some(BuiltinType::Int);
                    args.add_more_positional(OpenTail::of_integers(is_integer.then(|| Dim::constant(1))));
                    self.havoc_reachable(&value);
                } else {
                    args.positional.push(value);
                }
            }
        }
        for keyword in keywords {
            let value = self.eval_expr(keyword.value)?;
            match keyword.name {
                Some(name) => args.keywords.push((code.name_of(name.name), value)),
                None => match self.plain_mapping(&value).map(|value| self.exact_keywords(&value))? {
                    Some(more) => args.keywords.extend(more),
                    None => {
                        args.more_keywords = true;
                        self.havoc_reachable(&value);
                    }
                },
            }
        }
        Ok(args)
    }

    /// The entries of `**value` when they are all known.
    fn exact_keywords(&self, value: &Value) -> Option<Vec<(Name, Value)>> {
        let Object::Dict(mapping) = self.object_at(value.addr()?) else { return None };
        if mapping.open.is_some() {
            return None;
        }
        mapping
            .entries
            .values()
            .map(|Entry { key, value, definite }| match key {
                Value::Str(text) if *definite => Some((Name::new(text), value.clone())),
                _ => None,
            })
            .collect()
    }

    fn call_expr(&mut self, id: ExprId, function: ExprId, arguments: Arguments) -> Flow {
        let code = self.current_code();
        let mut receiver = None;
        let callee = match code.tree[function].kind {
            ExprKind::Attribute { value, attribute, .. } => {
                self.consume_step()?;
                let object = self.eval_expr(value)?;
                let place = code.tree[function].range;
                self.record_visit(place, false);
                let name = code.attribute_name(attribute.name, self.current_frame().id);
                let operation = Operation::Attribute { object: &object };
                let callee = self.perform(place, operation, |interp| interp.read_attribute(&object, name))?;
                receiver = Some(object);
                callee
            }
            _ => self.eval_expr(function)?,
        };
        if let Some(name) = code.tree.as_name(function) {
            match code.tree.text(name) {
                "reveal_type" if !code.is_model && code.tree[arguments.positional].len() == 1 => {
                    let value = self.eval_expr(code.tree[arguments.positional][0])?;
                    self.frame_mut().node = code.tree[id].range;
                    self.reveal_value(&value);
                    return Ok(value);
                }
                "int" if self.analysis.assumes && callee == Value::Obj(Addr::of_builtin(BuiltinType::Int)) => {
                    if let &[argument] = &code.tree[arguments.positional]
                        && let ExprKind::BinOp { left, op: BinaryOperator::Div, right } = code.tree[argument].kind
                    {
                        return self.assumed_quotient(left, right, &callee);
                    }
                }
                "super"
                    if arguments.positional.is_empty()
                        && matches!(callee, Value::Obj(addr) if addr == Addr::of_builtin(crate::value::BuiltinType::Super)) =>
                {
                    return Ok(self.implicit_super());
                }
                _ => {}
            }
        }
        let mut first = None;
        if let Value::Native(native) = &callee
            && native.idle_if_true
            && !self.report.is_observed()
            && let Some(&argument) = code.tree[arguments.positional].first()
        {
            let value = self.eval_expr(argument)?;
            if value == Value::TRUE {
                return Ok(Value::None);
            }
            first = Some(value);
        }
        let args = self.eval_more_arguments(arguments, first)?;
        self.frame_mut().node = code.tree[id].range;
        if callee.is_unknown()
            && let Some(receiver) = &receiver
        {
            // A method that is not known may change what it is called on, and call its other methods.
            self.record_entry_points(receiver, &CallArgs::none());
            self.havoc_given(receiver);
        }
        self.perform_call(code.tree[id].range, &callee, args)
    }

    fn reveal_value(&mut self, value: &Value) {
        let shown = self.show_value(value);
        let mut finding = self.new_finding("reveal-type", shown);
        if let Value::Unknown(reason) = value {
            finding = finding.help(reason.reason_text());
        }
        self.report_finding(finding);
    }

    /// `super()` in a method.
    fn implicit_super(&mut self) -> Value {
        let frame = self.current_frame();
        let (mut class, mut receiver) = (frame.class, frame.first_argument.clone());
        if class.is_none() || receiver.is_none() {
            // Inside a comprehension or a nested function the method's own frame is further out.
            if let Some(outer) = self.run.frames.iter().rev().find(|frame| frame.class.is_some()) {
                class = outer.class;
                receiver.clone_from(&outer.first_argument);
            }
        }
        match (class, receiver) {
            (Some(class), Some(receiver)) => self.new_object(Object::Super { class, receiver }),
            _ => Value::Unknown(Reason::Lookup(Name::CLASS)),
        }
    }

    /// The scopes of a comprehension are entered without a frame of their own.
    pub(crate) fn enter_scope(&mut self, id: ScopeId, scope: Addr) -> (Arc<[Addr]>, ScopeId) {
        let frame = self.frame_mut();
        let saved = (Arc::clone(&frame.chain), frame.id);
        let mut chain = frame.chain.to_vec();
        chain.push(scope);
        frame.chain = Arc::from(chain);
        frame.id = id;
        saved
    }

    pub(crate) fn leave_scope(&mut self, saved: (Arc<[Addr]>, ScopeId)) {
        let frame = self.frame_mut();
        (frame.chain, frame.id) = saved;
    }
}
