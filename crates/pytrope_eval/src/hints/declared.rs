//! Hints that stand apart from a value: in quotes, on names that are bound later, on the fields of a class.

use std::sync::Arc;

use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, Parameters, StmtKind};
use pytrope_source::{Node, ScopedTree, SourceFile, parse};

use crate::code::{Code, ScopeId, SharedCode};
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Declaration, Object};
use crate::program::ModuleSource;
use crate::value::{Addr, BuiltinType, Reason, Value};

/// An annotation in quotes, as code of its own.
fn parse_quoted_annotation(code: &Code, text: &str) -> Option<SharedCode> {
    let file = SourceFile::from_text(code.file.path(), format!("({text}\n)"));
    let parsed = parse(&file);
    if !parsed.errors.is_empty() {
        return None;
    }
    let scoped = ScopedTree::of(parsed.tree, &file);
    let source = ModuleSource { file, is_package: code.is_package, is_model: false };
    Some(SharedCode::new(&Arc::new(Code::new(code.module, &code.name, source, scoped))))
}

/// What may also be None: `H` of `Optional[H]` and of `H | None`.
fn optional_part(code: &Code, annotation: ExprId) -> Option<ExprId> {
    let is_none = |id: ExprId| matches!(code.tree[id].kind, ExprKind::None);
    match code.tree[annotation].kind {
        ExprKind::Subscript { value, index, .. } => {
            (code.tree.dotted(value)?.last() == Some(&"Optional")).then_some(index)
        }
        ExprKind::BinOp { left, op: BinaryOperator::BitOr, right } if is_none(right) => Some(left),
        ExprKind::BinOp { left, op: BinaryOperator::BitOr, right } if is_none(left) => Some(right),
        _ => None,
    }
}

impl Interp<'_> {
    /// The hint that its array may be None.
    fn optional_hint(&mut self, hint: &Value) -> Option<Value> {
        self.shape_hint(hint)?;
        let method = self.read_attribute(hint, Name::new("_or_none")).ok()?;
        self.run_muted(|interp| interp.call_value(&method, CallArgs::of(Vec::new()))).ok()
    }

    /// Evaluates an annotation that is a string; its names are those of the module.
    pub(crate) fn quoted_annotation(&mut self, annotation: ExprId) -> Option<Value> {
        let code = self.current_code();
        let ExprKind::Str(text) = code.tree[annotation].kind else { return None };
        let inner = parse_quoted_annotation(&code, code.tree.text(text))?;
        let &[statement] = &inner.tree[inner.tree.body()] else { return None };
        let StmtKind::Expr { value } = inner.tree[statement].kind else { return None };
        let frame = self.frame_mut();
        let outer = (std::mem::replace(&mut frame.code, inner), std::mem::replace(&mut frame.id, ScopeId::MODULE));
        let (result, _) = self.capture_raises(|interp| interp.eval_expr(value));
        let frame = self.frame_mut();
        (frame.code, frame.id) = outer;
        result.ok()
    }

    /// `x: NdArray[3]`, with no value: what is bound to the name later is held to the hint.
    pub(crate) fn declare_hint(&mut self, target: ExprId, hint: &Value) {
        let code = self.current_code();
        let Some(name) = code.tree.as_name(target) else { return };
        if self.shape_hint(hint).is_none() {
            return;
        }
        if let Some(finding) = self.run.hints.pending.take() {
            self.report_or_hold(finding);
        }
        let scope = self.binding_scope(name);
        self.declare_in(scope, Declaration::Hint, code.name_of(name), hint.clone());
        self.run.hints.declares = true;
    }

    /// What a name is bound to, as the hint that was declared for it says.
    pub(crate) fn heed_declared(&mut self, scope: Addr, name: Name, value: Value) -> Flow {
        let hint = self.scope_slots(scope).and_then(|slots| slots.declaration(Declaration::Hint, name));
        let Some(hint) = hint.map(|slot| slot.value.clone()) else { return Ok(value) };
        let range = self.current_frame().node;
        self.refine_by_hint(&hint, value, range)
    }

    /// Whether a class, or one it derives from, has fields with hints.
    pub(crate) fn has_field_hints(&self, class: Addr) -> bool {
        self.class_at(class).is_some_and(|class| class.features.hinted)
    }

    fn field_hint(&self, class: Addr, field: Name) -> Option<Value> {
        if !self.has_field_hints(class) {
            return None;
        }
        let slot = self
            .mro_of(class)
            .iter()
            .find_map(|class| self.class_at(*class)?.attrs.declaration(Declaration::Hint, field));
        slot.filter(|slot| slot.definite).map(|slot| slot.value.clone())
    }

    /// What is stored in a field, as the hint in the class says; names of sizes belong to the instance.
    pub(crate) fn heed_field(&mut self, receiver: &Value, class: Addr, field: Name, value: Value) -> Flow {
        match self.field_hint(class, field) {
            Some(hint) => {
                let range = self.current_frame().node;
                let outer = self.run.hints.owner.replace(receiver.clone());
                let refined = self.refine_by_hint(&hint, value, range);
                self.run.hints.owner = outer;
                refined
            }
            None => Ok(value),
        }
    }

    /// A field of which nothing else is known is what its hint says.
    pub(crate) fn field_by_hint(&mut self, receiver: &Value, field: Name) -> Option<Value> {
        let Object::Instance(instance) = self.object_at(receiver.addr()?) else { return None };
        let class = instance.class.addr()?;
        let hint = self.field_hint(class, field)?;
        let (scope, owner, promises) = (self.run.hints.scope, self.run.hints.owner.clone(), self.run.hints.promises);
        match self.scope_of_entry_with(receiver).filter(|_| self.has_generated_init(class)) {
            // A method of the class that is analysed for itself takes all instances, and means their sizes by its own names.
            Some(own) => {
                (self.run.hints.scope, self.run.hints.owner, self.run.hints.promises) = (Some(own), None, true);
            }
            None => self.run.hints.owner = Some(receiver.clone()),
        }
        let value = self.value_of_hint(&hint);
        let hints = &mut self.run.hints;
        (hints.scope, hints.owner, hints.promises) = (scope, owner, promises);
        let value = value?;
        self.store_plain(receiver, field, value.clone());
        Some(value)
    }

    /// The scope of the function that is analysed for itself, if this is what its method was called on.
    fn scope_of_entry_with(&self, receiver: &Value) -> Option<Addr> {
        let entry = self.run.frames.get(1).filter(|_| self.analysis.uncalled_entry)?;
        let scope = entry.scope();
        let given = self.scope_slots(scope)?.get(Name::SELF)?;
        (given.value.addr() == receiver.addr()).then_some(scope)
    }

    fn has_generated_init(&self, class: Addr) -> bool {
        self.class_at(class).is_some_and(|class| class.features.generated_init)
    }

    /// Up to Python 3.13, annotations are evaluated where they stand: a name that nothing binds is an error there.
    pub(crate) fn evaluate_annotation(&mut self, annotation: ExprId) {
        let code = self.current_code();
        let is_eager = !code.scopes.lazy_annotations && !code.is_model && self.analysis.program.evaluates_annotations();
        if !is_eager || self.current_frame().id != ScopeId::MODULE {
            return;
        }
        for node in code.tree.descendants(Node::Expr(annotation)) {
            let Node::Expr(id) = node else { continue };
            let ExprKind::Name { name, .. } = code.tree[id].kind else { continue };
            if !code.scopes.global_bindings.contains(name) {
                let _ = self.load_name(name, code.tree[id].range);
            }
        }
    }

    /// The annotations of a function, evaluated as it is defined.
    pub(crate) fn evaluate_signature(&mut self, parameters: Parameters, returns: Option<ExprId>) {
        let code = self.current_code();
        let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
        let annotations = lists.iter().flat_map(|list| &code.tree[*list]).filter_map(|parameter| parameter.annotation);
        let spreads = [parameters.vararg, parameters.kwarg].into_iter().flatten().filter_map(|one| one.annotation);
        for annotation in annotations.chain(spreads).chain(returns) {
            self.evaluate_annotation(annotation);
        }
    }

    /// The hint of `*args` holds for each of them.
    pub(crate) fn unknown_vararg(&mut self, hint: &Value) -> Option<Value> {
        let element = self.value_of_hint(hint)?;
        let seq = self.open_seq(element);
        Some(Value::Tuple(seq))
    }

    /// `Tensor[[B, C]]`, whose sizes are type parameters: the array's class is asked for the hint with their names.
    fn sizes_annotation(&mut self, annotation: ExprId) -> Option<Value> {
        let code = self.current_code();
        let ExprKind::Subscript { value, index, .. } = code.tree[annotation].kind else { return None };
        let ExprKind::List { elements, .. } = code.tree[index].kind else { return None };
        let sizes: Vec<Value> = code.tree[elements]
            .iter()
            .map(|&size| match code.tree[size].kind {
                ExprKind::Int(size) => Value::Int(size),
                ExprKind::Ellipsis => Value::Ellipsis,
                _ => Value::str(&code.file.slice(code.tree[size].range).replace(' ', "")),
            })
            .collect();
        let saved = self.run.state.clone();
        let hint = self.run_muted(|interp| {
            let asked = |interp: &mut Self| {
                let class = interp.eval_expr(value)?;
                let method = interp.read_attribute(&class, Name::new("_pytrope_sized"))?;
                if method.is_unknown() {
                    return Ok(None);
                }
                interp.call_value(&method, CallArgs::of(vec![Value::tuple(sizes)])).map(Some)
            };
            interp.capture_raises(asked).0
        });
        let hint = hint.ok().flatten();
        if hint.is_none() {
            self.run.state = saved;
        }
        hint
    }

    /// `tuple[H, K]` and `list[H]`, or as `typing` spells them, where an item is a hint in any of its notations.
    fn container_annotation(&mut self, annotation: ExprId) -> Option<Value> {
        let code = self.current_code();
        let ExprKind::Subscript { value, index, .. } = code.tree[annotation].kind else { return None };
        let kind = match *code.tree.dotted(value)?.last()? {
            "Tuple" | "tuple" => BuiltinType::Tuple,
            "List" | "list" => BuiltinType::List,
            _ => return None,
        };
        let item = match code.tree[index].kind {
            ExprKind::Tuple { elements, .. } => {
                let items = code.tree[elements].iter().map(|item| self.eval_annotation(*item)).collect();
                Value::tuple(items)
            }
            _ => self.eval_annotation(index),
        };
        self.container_of_hints(Some(kind), &item)
    }

    /// Evaluates an annotation without findings: they are read by other rules than expressions.
    pub(crate) fn eval_annotation(&mut self, annotation: ExprId) -> Value {
        if let Some(value) = self.sizes_annotation(annotation) {
            return value;
        }
        if let Some(value) = self.container_annotation(annotation) {
            return value;
        }
        if let Some(inner) = optional_part(&self.current_code(), annotation) {
            let inner = self.eval_annotation(inner);
            let optional = self.optional_hint(&inner);
            return optional.unwrap_or(Value::Unknown(Reason::Operand));
        }
        let saved = self.run.state.clone();
        let result = self.run_muted(|interp| match interp.quoted_annotation(annotation) {
            Some(value) => Ok(value),
            None => interp.capture_raises(|interp| interp.eval_expr(annotation)).0,
        });
        match result {
            Ok(value) => value,
            Err(_) => {
                self.run.state = saved;
                Value::Unknown(Reason::Operand)
            }
        }
    }
}
