//! What is assumed of parameters where shapes are shown, and no finding depends on it.
//!
//! Annotations and defaults are not facts: a caller may give anything. They say what the author had in mind, which is
//! what a reader of shapes wants to see. Assumed is the class of an annotation (`x: Tensor`, `dim: int`,
//! `features: list[Tensor]`), the type of a default (`heads=8` is some integer), a default layer that keeps shapes (`norm_layer=nn.LayerNorm`) or is code of
//! the program (`block=Bottleneck`), and that a module's `forward` (`forward_features`, …) is given tensors. Values of defaults are not assumed.

use std::sync::Arc;

use pytrope_source::Node;
use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, Parameter, StmtKind};

use crate::code::Code;
use crate::interp::Interp;
use crate::lazy::Requirement;
use crate::names::Name;
use crate::object::{Function, Mapping, Object, Shape};
use crate::value::{Addr, BuiltinType, Reason, Value};

/// What an annotation allows besides what it names.
#[derive(Clone, Copy)]
struct Annotated {
    expr: ExprId,
    or_none: bool,
}

impl Interp<'_> {
    /// What is assumed of a parameter, with what every call that succeeds needs it to be.
    pub(super) fn assumed_parameter(
        &mut self,
        function: &Arc<Function>,
        parameter: &Parameter,
        lazy: &Value,
        required: &[&Requirement],
    ) -> Value {
        let name = function.code.name_of(parameter.name.name);
        let is_array = |required: &&Requirement| matches!(required, Requirement::Array(..));
        let is_assumed = required.iter().all(is_array);
        // An integer is required of what is no array; an array may still be None.
        let assumed = if is_assumed { self.assumed_argument(function, parameter, lazy) } else { lazy.clone() };
        let several_ranks = unpacks_several_ranks(function, name);
        for requirement in required {
            match requirement {
                Requirement::Array(class, Some(_)) if several_ranks => {
                    self.meet_requirement(lazy, &Requirement::Array(class.clone(), None));
                }
                _ => self.meet_requirement(lazy, requirement),
            }
        }
        if several_ranks {
            return assumed;
        }
        self.assume_given_array((function.id, name), lazy, assumed)
    }

    /// What is assumed of a parameter that nothing is known of.
    fn assumed_argument(&mut self, function: &Arc<Function>, parameter: &Parameter, lazy: &Value) -> Value {
        let code = Arc::clone(&function.code);
        let name = code.name_of(parameter.name.name);
        let default = function.defaults.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
        let least = (function.name == Name::INIT).then_some(0);
        let annotated = parameter.annotation.and_then(|annotation| named_in(&code, annotation));
        if let Some(annotated) = annotated
            && let Some(value) = self.assumed_by_annotation(&code, annotated, lazy, least)
        {
            let or_none = annotated.or_none || default == Some(Value::None);
            return if or_none { Value::Union(Arc::new(vec![Value::None, value])) } else { value };
        }
        if let Some(annotation) = parameter.annotation
            && let Some(value) = self.assumed_container(&code, annotation)
        {
            return if default == Some(Value::None) { Value::Union(Arc::new(vec![Value::None, value])) } else { value };
        }
        match &default {
            Some(Value::Int(given)) => {
                let least = least.filter(|_| *given >= 0);
                self.expect_integer(lazy, least).unwrap_or_else(|| lazy.clone())
            }
            Some(Value::Bool(_)) => self.top_of(BuiltinType::Bool),
            Some(Value::Float(_)) => Value::Top(BuiltinType::Float),
            Some(Value::Str(_)) => Value::Top(BuiltinType::Str),
            Some(layer) if self.keeps_shapes(layer) || self.is_code_of_program(layer) => layer.clone(),
            // `norm_layer: Optional[Callable[..., nn.Module]] = None` stands for a layer that the constructor chooses.
            Some(Value::None) if parameter.annotation.is_some_and(|annotation| is_factory(&code, annotation)) => {
                Value::None
            }
            None | Some(Value::None)
                if function.name.text().starts_with("forward") && parameter.annotation.is_none() =>
            {
                let class = function.class.and_then(|class| self.find_in_mro(class, Name::new("_pytrope_argument")));
                let array = class.and_then(|(class, _)| self.expect_array(lazy, &class));
                match array {
                    Some(array) if default.is_some() => Value::Union(Arc::new(vec![Value::None, array])),
                    Some(array) => array,
                    None => lazy.clone(),
                }
            }
            _ => lazy.clone(),
        }
    }

    fn assumed_by_annotation(
        &mut self,
        code: &Code,
        annotated: Annotated,
        lazy: &Value,
        least: Option<i128>,
    ) -> Option<Value> {
        let last = code.tree.dotted(annotated.expr)?.last().copied().map(str::to_owned);
        match last.as_deref()? {
            "int" => self.expect_integer(lazy, least),
            "bool" => Some(self.top_of(BuiltinType::Bool)),
            "float" => Some(Value::Top(BuiltinType::Float)),
            "str" => Some(Value::Top(BuiltinType::Str)),
            name if is_array_name(name) => {
                let class = self.array_class(code, annotated.expr)?;
                self.expect_array(lazy, &class)
            }
            _ => None,
        }
    }

    /// What an annotation such as `List[Tensor]`, `tuple[Tensor, Tensor]` or `Dict[str, Tensor]` stands for.
    fn assumed_container(&mut self, code: &Code, annotation: ExprId) -> Option<Value> {
        if let ExprKind::BinOp { left, op: BinaryOperator::BitOr, right } = code.tree[annotation].kind {
            let [is_left, is_right] = [left, right].map(|side| matches!(code.tree[side].kind, ExprKind::None));
            return match (is_left, is_right) {
                (false, true) => self.assumed_container(code, left),
                (true, false) => self.assumed_container(code, right),
                _ => None,
            };
        }
        let ExprKind::Subscript { value, index, .. } = code.tree[annotation].kind else { return None };
        let head = code.tree.dotted(value)?.last().copied()?;
        let items: Vec<ExprId> = match code.tree[index].kind {
            ExprKind::Tuple { elements, .. } => code.tree[elements].to_vec(),
            _ => vec![index],
        };
        let is_rest = |item: ExprId| matches!(code.tree[item].kind, ExprKind::Ellipsis);
        match (head, items.as_slice()) {
            ("Optional", &[inner]) => self.assumed_container(code, inner),
            ("List" | "list" | "Sequence" | "Iterable", &[item]) => {
                let many = self.one_of_many_arrays(code, item)?;
                let seq = self.open_seq(many);
                Some(self.new_object(Object::List(seq)))
            }
            ("Dict" | "dict" | "OrderedDict", &[_, item]) => {
                let many = self.one_of_many_arrays(code, item)?;
                let open = Some(Arc::new((Value::Top(BuiltinType::Str), many)));
                Some(self.new_dict(Mapping { entries: Arc::default(), open }))
            }
            ("Tuple" | "tuple", &[item, rest]) if is_rest(rest) => {
                let many = self.one_of_many_arrays(code, item)?;
                Some(Value::Tuple(self.open_seq(many)))
            }
            ("Tuple" | "tuple", items) => {
                let classes: Vec<Option<Value>> = items.iter().map(|&item| self.array_class(code, item)).collect();
                if classes.iter().all(Option::is_none) {
                    return None;
                }
                let unknown = || Value::Unknown(Reason::Parameter);
                let items = classes.into_iter().map(|class| match class {
                    Some(class) => self.new_array(class, Shape::unknown(), unknown(), None),
                    None => unknown(),
                });
                Some(Value::tuple(items.collect()))
            }
            _ => None,
        }
    }

    /// An array that stands for all that a container holds, whose shapes may differ.
    fn one_of_many_arrays(&mut self, code: &Code, item: ExprId) -> Option<Value> {
        let class = self.array_class(code, item)?;
        let one = self.new_array(class, Shape::unknown(), Value::Unknown(Reason::Parameter), None).addr()?;
        let array = self.object_at(one).clone();
        self.run.state.set(one.summary(), array);
        Some(Value::Obj(one.summary()))
    }

    /// The class of arrays that an annotation names.
    fn array_class(&mut self, code: &Code, annotation: ExprId) -> Option<Value> {
        if !code.tree.dotted(annotation)?.last().is_some_and(|name| is_array_name(name)) {
            return None;
        }
        let class = match code.tree[annotation].kind {
            // `torch.LongTensor` is a tensor of some type of element.
            ExprKind::Attribute { value, .. } if !matches!(code.tree.dotted(annotation)?.last(), Some(&"ndarray")) => {
                let library = self.eval_annotation(value);
                self.capture_raises(|interp| interp.read_attribute(&library, Name::new("Tensor"))).0.ok()?
            }
            _ => self.eval_annotation(annotation),
        };
        class.addr().and_then(|addr| self.class_at(addr)).is_some_and(|c| c.features.is_model).then_some(class)
    }

    /// Whether a default is a class of layers that keep shapes, or a partial application of one.
    fn keeps_shapes(&self, layer: &Value) -> bool {
        let Some(addr) = layer.addr() else { return false };
        match self.object_at(addr) {
            Object::Class(_) => {
                let marker = self.find_in_mro(addr, Name::new("_pytrope_keeps_shape"));
                matches!(marker, Some((Value::Bool(true), _)))
            }
            Object::Instance(instance) => {
                let function = instance.attrs.get(Name::new("func")).map(|slot| slot.value.clone());
                let is_partial = self.class_name_of(&instance.class).is_some_and(|name| name == "partial");
                is_partial && function.is_some_and(|function| self.keeps_shapes(&function))
            }
            _ => false,
        }
    }

    /// Whether a default is a function or a class of the program: a block that others may be given in the place of
    /// (`block=Bottleneck`, `embed_layer=PatchEmbed`), and that they are like.
    fn is_code_of_program(&self, default: &Value) -> bool {
        match default.addr().map(|addr| self.object_at(addr)) {
            Some(Object::Function(function)) => !function.code.is_model,
            Some(Object::Class(class)) => !class.features.is_model && class.kind.is_none(),
            _ => false,
        }
    }

    fn class_name_of(&self, class: &Value) -> Option<&str> {
        class.addr().and_then(|addr: Addr| self.class_at(addr)).map(|class| &*class.name)
    }
}

/// Whether a name is that of a class of arrays: `Tensor`, `LongTensor`, `ndarray`.
fn is_array_name(name: &str) -> bool {
    const ELEMENTS: [&str; 9] = ["", "Long", "Float", "Bool", "Int", "Half", "Double", "Byte", "BFloat16"];
    name == "ndarray" || name.strip_suffix("Tensor").is_some_and(|elements| ELEMENTS.contains(&elements))
}

/// What an annotation names: the class in `Optional[C]`, `C | None`, `"C"`.
fn named_in(code: &Code, annotation: ExprId) -> Option<Annotated> {
    match code.tree[annotation].kind {
        ExprKind::Name { .. } | ExprKind::Attribute { .. } => Some(Annotated { expr: annotation, or_none: false }),
        ExprKind::Subscript { value, index, .. }
            if code.tree.dotted(value).is_some_and(|parts| parts.last() == Some(&"Optional")) =>
        {
            named_in(code, index).map(|inner| Annotated { or_none: true, ..inner })
        }
        ExprKind::BinOp { left, op: BinaryOperator::BitOr, right } => {
            let is_none = |expr: ExprId| matches!(code.tree[expr].kind, ExprKind::None);
            let inner = if is_none(right) {
                left
            } else if is_none(left) {
                right
            } else {
                return None;
            };
            named_in(code, inner).map(|inner| Annotated { or_none: true, ..inner })
        }
        _ => None,
    }
}

/// Whether a function takes the shape of a parameter apart in ways that no one rank allows: `b, c, h, w = x.shape` in one branch
/// and `b, n, c = x.shape` in another.
pub(super) fn unpacks_several_ranks(function: &Function, parameter: Name) -> bool {
    let code = &function.code;
    let tree = &code.tree;
    let Some(stmt) = code.scope_info(function.id).stmt else { return false };
    let mut counts = tree.descendants(Node::Stmt(stmt)).filter_map(|node| {
        let Node::Stmt(stmt) = node else { return None };
        let StmtKind::Assign { targets, value } = tree[stmt].kind else { return None };
        let &[target] = &tree[targets] else { return None };
        let ExprKind::Tuple { elements, .. } = tree[target].kind else { return None };
        let read = match tree[value].kind {
            ExprKind::Call { function, .. } => function,
            _ => value,
        };
        let ExprKind::Attribute { value: owner, attribute, .. } = tree[read].kind else { return None };
        let is_shape = matches!(tree.text(attribute.name), "shape" | "size");
        let is_parameter = tree.as_name(owner).is_some_and(|name| code.name_of(name) == parameter);
        (is_shape && is_parameter).then_some(tree[elements].len())
    });
    counts.next().is_some_and(|first| counts.any(|count| count != first))
}

/// Whether an annotation says that something makes layers.
fn is_factory(code: &Code, annotation: ExprId) -> bool {
    let text = code.file.slice(code.tree[annotation].range);
    text.contains("Callable") || text.contains("Module")
}
