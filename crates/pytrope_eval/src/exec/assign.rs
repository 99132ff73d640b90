//! Binding: assignment, augmented and annotated assignment, deletion, unpacking.

use std::sync::Arc;

use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, List, StmtId, Str};

use crate::code::ScopeKind;
use crate::cond::Cond;
use crate::effects::Operation;
use crate::interp::{BindingKind, Flow, Interp};
use crate::names::Name;
use crate::object::Object;
use crate::value::{Addr, Reason, Seq, Value};
use pytrope_dims::ThreeValued;

/// How many items of what cannot be unpacked are shown.
const SHOWN_ITEMS: usize = 8;

impl Interp<'_> {
    pub fn bind_name(&mut self, name: Str, value: Value) {
        let scope = self.binding_scope(name);
        let code = &self.current_frame().code;
        let is_volatile = code.scopes.volatile.contains(name) && scope != self.current_frame().chain[0];
        let name = code.name_of(name);
        if is_volatile {
            self.havoc_reachable(&value);
            return self.bind_in(scope, name, Value::Unknown(Reason::Changed));
        }
        self.name_symbols(name, &value);
        self.bind_in(scope, name, value);
    }

    /// A symbol without a name takes that of the variable it is bound to.
    fn name_symbols(&mut self, name: Name, value: &Value) {
        if !self.in_model()
            && let Value::Dim(dim) = value
            && let Some(sym) = dim.as_symbol()
        {
            self.name_symbol(sym, name);
        }
    }

    pub fn assign_target(&mut self, target: ExprId, value: Value) -> Flow<()> {
        let code = self.current_code();
        let node = code.tree[target];
        match node.kind {
            ExprKind::Name { name, .. } => {
                if self.analysis.assumes {
                    self.assume_one_rank(&value);
                }
                self.observe_binding(node.range, code.tree.text(name), BindingKind::Variable, &value);
                let value = if self.run.hints.declares && !self.in_model() {
                    let scope = self.binding_scope(name);
                    self.heed_declared(scope, code.name_of(name), value)?
                } else {
                    value
                };
                let value = self.told_apart(code.name_of(name), value);
                self.bind_name(name, value);
                Ok(())
            }
            ExprKind::Attribute { value: object, attribute, .. } => {
                if self.report.is_observed() && code.tree.as_name(object).is_some() {
                    self.observe_binding(node.range, code.file.slice(node.range), BindingKind::Attribute, &value);
                }
                let object = self.eval_expr(object)?;
                self.record_visit(node.range, false);
                let name = code.attribute_name(attribute.name, self.current_frame().id);
                let value = self.told_apart(name, value);
                let operation = Operation::StoreAttribute { object: &object };
                self.perform(node.range, operation, |interp| interp.set_attribute(&object, name, value))
            }
            ExprKind::Subscript { value: object, index, .. } => {
                let object = self.eval_expr(object)?;
                let index = self.eval_expr(index)?;
                self.record_visit(node.range, false);
                let operation = Operation::Item { object: &object, index: &index };
                self.perform(node.range, operation, |interp| interp.set_item(&object, &index, value))
            }
            ExprKind::Starred { value: inner, .. } => self.assign_target(inner, value),
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => self.unpack_value(elements, value),
            _ => Ok(()),
        }
    }

    fn unpack_value(&mut self, targets: List<ExprId>, value: Value) -> Flow<()> {
        let code = self.current_code();
        let targets = &code.tree[targets];
        let star = targets.iter().position(|&target| matches!(code.tree[target].kind, ExprKind::Starred { .. }));
        let least = targets.len() - usize::from(star.is_some());
        let mut parts: Option<Vec<Value>> = None;
        // A shape of which a part is unpacked again is no tuple of sizes.
        let nested = targets.iter().any(|&target| {
            !matches!(
                code.tree[target].kind,
                ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Subscript { .. }
            )
        });
        if self.analysis.assumes && star.is_none() {
            self.assume_unpacked(&value, least);
        }
        self.perform_here(Operation::Unpack { value: &value }, |interp| {
            interp.for_each_alternative(&value, |interp, value| {
                let items = match value.reason() {
                    Some(_) if nested => vec![Value::Unknown(Reason::Operand); targets.len()],
                    _ => interp.unpack_parts(value, least, star, targets.len())?,
                };
                let joined = match parts.take() {
                    None => items,
                    Some(so_far) => {
                        let pairs = so_far.into_iter().zip(items);
                        pairs.map(|(a, b)| interp.join_loose(&a, &b)).collect()
                    }
                };
                parts = Some(joined);
                Ok(Value::None)
            })
        })?;
        let parts = parts.unwrap_or_else(|| vec![Value::Unknown(Reason::Operand); targets.len()]);
        for (&target, part) in targets.iter().zip(parts) {
            self.assign_target(target, part)?;
        }
        Ok(())
    }

    /// Where shapes are shown, what is unpacked has as many parts on every path: `b, n = shape` after
    /// `shape = ids.size() if ids is not None else embeds.size()[:-1]` says the ranks of both. A path whose rank is known says nothing
    /// of another: `if not self.use_conv: x = x.flatten(2)` takes images on one path alone. Nor do paths with ranks that cannot both
    /// have as many parts: those of `x` and `x.mean(dim=-1)`.
    fn assume_unpacked(&mut self, value: &Value, parts: usize) {
        let Value::Union(alternatives) = value else { return };
        if alternatives.iter().any(|value| matches!(value, Value::Tuple(Seq::Exact(_)))) {
            return;
        }
        let before = self.run.state.clone();
        for alternative in alternatives.iter().filter(|value| matches!(value, Value::Tuple(Seq::Open(_)))) {
            if self.capture_raises(|interp| interp.unpack_parts(alternative, parts, None, parts)).0.is_err() {
                self.run.state = before;
                return;
            }
        }
    }

    fn unpack_parts(&mut self, value: &Value, least: usize, star: Option<usize>, targets: usize) -> Flow<Vec<Value>> {
        let unknown = || vec![Value::Unknown(Reason::Operand); targets];
        if let Some(reason) = value.reason() {
            // What is unpacked from a `shape` are sizes, whatever kind of array it belongs to.
            if reason == Reason::Lookup(Name::SHAPE) && star.is_none() {
                return Ok((0..targets).map(|_| self.any_natural()).collect());
            }
            return Ok(unknown());
        }
        let Some(seq) = self.iterate_value(value)? else { return Ok(unknown()) };
        match seq {
            Seq::Exact(items) => {
                let fits = if star.is_some() { items.len() >= least } else { items.len() == least };
                if !fits {
                    let message = if items.len() > least {
                        format!("too many values to unpack (expected {least}, got {})", items.len())
                    } else {
                        let at_least = if star.is_some() { "at least " } else { "" };
                        format!("not enough values to unpack (expected {at_least}{least}, got {})", items.len())
                    };
                    let mut finding = self.new_finding("unpack-count", message).raises("ValueError");
                    if items.len() <= SHOWN_ITEMS && items.iter().all(Value::is_scalar_constant) {
                        finding = finding.help(format!("the value that is unpacked is {}", self.show_value(value)));
                    }
                    self.fail_with(finding)?;
                    return Ok(unknown());
                }
                Ok(match star {
                    None => items.to_vec(),
                    Some(star) => {
                        let after = least - star;
                        let mut parts = items[..star].to_vec();
                        parts.push(self.new_list(items[star..items.len() - after].to_vec()));
                        parts.extend_from_slice(&items[items.len() - after..]);
                        parts
                    }
                })
            }
            Seq::Open(open) => {
                if star.is_none()
                    && let Some(len) = open.len.as_dim()
                {
                    let expected = pytrope_dims::Dim::constant(least as i128);
                    match self.compare_dims(&len, pytrope_dims::Cmp::Eq, &expected) {
                        ThreeValued::False => {
                            self.raise_error(
                                "unpack-count",
                                "ValueError",
                                format!("the number of values to unpack is not {least}"),
                            )?;
                            return Ok(unknown());
                        }
                        ThreeValued::Open(cond @ Cond::Atom(_)) => {
                            self.assume_condition(&cond);
                        }
                        ThreeValued::True | ThreeValued::Open(_) => {}
                    }
                }
                let mut parts: Vec<Value> = Vec::with_capacity(targets);
                for i in 0..targets {
                    parts.push(match star {
                        Some(star) if i == star => {
                            let seq = self.open_seq(open.element.clone());
                            self.new_object(Object::List(seq))
                        }
                        Some(star) if i > star => {
                            if open.prefix.is_empty() {
                                open.element.clone()
                            } else {
                                Value::Unknown(Reason::Operand)
                            }
                        }
                        _ => match open.prefix.get(i) {
                            Some(item) => item.clone(),
                            None => self.instantiate_element(&open.element),
                        },
                    });
                }
                Ok(parts)
            }
        }
    }

    pub(super) fn exec_augmented_assign(&mut self, target: ExprId, op: BinaryOperator, value: ExprId) -> Flow<()> {
        let code = self.current_code();
        let node = code.tree[target];
        let whole = self.current_frame().node;
        match node.kind {
            ExprKind::Name { name, .. } => {
                let old = self.load_name(name, node.range)?;
                let operand = self.eval_expr(value)?;
                let operation = Operation::Binary { op, left: &old, right: &operand };
                let new = self.perform(whole, operation, |interp| interp.in_place(op, &old, &operand))?;
                if new.alternatives().iter().any(|value| self.array_of(value).is_some()) {
                    self.observe_binding(node.range, code.tree.text(name), BindingKind::Variable, &new);
                }
                self.bind_name(name, new);
                Ok(())
            }
            ExprKind::Attribute { value: object, attribute, .. } => {
                let object = self.eval_expr(object)?;
                let name = code.attribute_name(attribute.name, self.current_frame().id);
                let operation = Operation::Attribute { object: &object };
                let old = self.perform(node.range, operation, |interp| interp.read_attribute(&object, name))?;
                let operand = self.eval_expr(value)?;
                let operation = Operation::Binary { op, left: &old, right: &operand };
                let new = self.perform(whole, operation, |interp| interp.in_place(op, &old, &operand))?;
                self.set_attribute(&object, name, new)
            }
            ExprKind::Subscript { value: object, index, .. } => {
                let object = self.eval_expr(object)?;
                let index = self.eval_expr(index)?;
                let operation = Operation::Item { object: &object, index: &index };
                let old = self.perform(node.range, operation, |interp| interp.item_at(&object, &index))?;
                let operand = self.eval_expr(value)?;
                let operation = Operation::Binary { op, left: &old, right: &operand };
                let new = self.perform(whole, operation, |interp| interp.in_place(op, &old, &operand))?;
                self.set_item(&object, &index, new)
            }
            _ => {
                self.eval_expr(value)?;
                Ok(())
            }
        }
    }

    pub(super) fn exec_annotated_assign(
        &mut self,
        stmt: StmtId,
        target: ExprId,
        annotation: ExprId,
        value: Option<ExprId>,
    ) -> Flow<()> {
        let code = self.current_code();
        let in_function = !matches!(self.current_frame().info().kind, ScopeKind::Module | ScopeKind::Class);
        if !in_function {
            self.evaluate_annotation(annotation);
        }
        let may_be_hint = crate::hints::may_be_shape_hint(&code, annotation);
        let in_class = self.current_frame().info().kind == ScopeKind::Class;
        if may_be_hint && (value.is_none() || in_class) {
            let hint = self.eval_annotation(annotation);
            self.declare_hint(target, &hint);
        }
        let Some(value) = value else { return Ok(()) };
        let assigned = self.eval_expr(value)?;
        // A plain annotation is a wish: only shape hints say what a value is.
        if !may_be_hint {
            return self.assign_target(target, assigned);
        }
        let hint = self.eval_annotation(annotation);
        let whole = code.tree[stmt].range;
        self.frame_mut().node = whole;
        let refined = self.refine_by_hint(&hint, assigned, code.tree[value].range)?;
        self.assign_target(target, refined)
    }

    pub(super) fn delete_target(&mut self, target: ExprId) -> Flow<()> {
        let code = self.current_code();
        let node = code.tree[target];
        match node.kind {
            ExprKind::Name { name, .. } => {
                self.load_name(name, node.range)?;
                let scope = self.binding_scope(name);
                if let Object::Scope(slots) = self.object_at(scope) {
                    let mut slots = slots.clone();
                    slots.remove(code.name_of(name));
                    self.write_object(scope, Object::Scope(slots));
                }
                Ok(())
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let object = self.eval_expr(value)?;
                self.record_may_raise();
                self.delete_attribute(&object, code.attribute_name(attribute.name, self.current_frame().id))
            }
            ExprKind::Subscript { value, index, .. } => {
                let object = self.eval_expr(value)?;
                let index = self.eval_expr(index)?;
                self.record_visit(node.range, false);
                let operation = Operation::Item { object: &object, index: &index };
                self.perform(node.range, operation, |interp| interp.delete_item(&object, &index))
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                for &element in &code.tree[elements] {
                    self.delete_target(element)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The scopes around a function defined here.
    pub(crate) fn enclosing_scopes(&self) -> Arc<[Addr]> {
        Arc::clone(&self.current_frame().chain)
    }
}
