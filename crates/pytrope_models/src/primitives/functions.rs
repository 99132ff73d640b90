//! What models can ask about functions.

use std::sync::Arc;

use pytrope_eval::object::Function;
use pytrope_eval::{CallArgs, Flow, Interp, Name, Object, Reason, Value};
use pytrope_source::Node;
use pytrope_source::tree::{ExprKind, List, StmtId, StmtKind};

/// How often `__wrapped__` is followed.
const WRAPPINGS: u32 = 16;

/// `parameters_of(function)`: a tuple of `(name, kind, has a default)` with the kinds of `inspect.Parameter`, behind all
/// `__wrapped__`; None for what is not a function written in Python.
pub(super) fn parameters_of(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(mut value) = args.first().cloned() else { return Ok(Value::None) };
    for _ in 0..WRAPPINGS {
        let (function, bound) = match &value {
            Value::Bound(bound) => (function_at(interp, &bound.function), true),
            other => (function_at(interp, other), false),
        };
        let Some(function) = function else { return Ok(Value::None) };
        match function.attrs.get(Name::new("__wrapped__")) {
            Some(slot) if slot.definite => value = slot.value.clone(),
            _ => return Ok(list_parameters(&function, bound)),
        }
    }
    Ok(Value::None)
}

pub(super) fn function_at(interp: &Interp<'_>, value: &Value) -> Option<Arc<Function>> {
    match interp.object_at(value.addr()?) {
        Object::Function(function) => Some(Arc::clone(function)),
        _ => None,
    }
}

fn list_parameters(function: &Function, bound: bool) -> Value {
    let code = &function.code;
    if code.is_model {
        // A model may have fewer parameters than the function of the library.
        return Value::None;
    }
    let Some(parameters) = code.scope_info(function.id).parameters else { return Value::None };
    let mut found: Vec<Value> = Vec::new();
    let mut add = |name: &str, kind: i64, default: bool| {
        found.push(Value::tuple(vec![Value::str(name), Value::Int(kind), Value::Bool(default)]));
    };
    let plain = |list: List<pytrope_source::tree::Parameter>| code.tree[list].iter();
    for parameter in plain(parameters.positional_only) {
        add(code.tree.text(parameter.name.name), 0, parameter.default.is_some());
    }
    for parameter in plain(parameters.regular) {
        add(code.tree.text(parameter.name.name), 1, parameter.default.is_some());
    }
    if let Some(spread) = parameters.vararg {
        add(code.tree.text(spread.name.name), 2, false);
    }
    for parameter in plain(parameters.keyword_only) {
        add(code.tree.text(parameter.name.name), 3, parameter.default.is_some());
    }
    if let Some(spread) = parameters.kwarg {
        add(code.tree.text(spread.name.name), 4, false);
    }
    if bound && !found.is_empty() {
        found.remove(0);
    }
    Value::tuple(found)
}

/// `shallow_copy(instance)`: another instance of the same class with the same attributes; None for what copies itself in its
/// own way or is no plain instance.
pub(super) fn shallow_copy(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(instance) = args.first().and_then(|value| interp.instance_of(value)).cloned() else {
        return Ok(Value::None);
    };
    let Some(class) = instance.class.addr() else { return Ok(Value::None) };
    let own_way = ["__copy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__"];
    let is_plain = interp.class_at(class).is_some_and(|class| !class.open)
        && own_way
            .iter()
            .all(|name| interp.find_in_mro(class, Name::new(name)).is_none_or(|(value, _)| value.is_unknown()));
    if !is_plain || instance.attrs.open {
        return Ok(Value::None);
    }
    Ok(interp.new_object(Object::Instance(Arc::new(instance))))
}

/// `call_back(function, *args, **kwargs)`: the function's result; that it does not take the arguments is an error of the program.
pub(super) fn call_back(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some((function, given)) = args.positional.split_first() else { return Ok(Value::Unknown(Reason::Call)) };
    let given = CallArgs { positional: given.to_vec(), ..args.clone() };
    interp.call_back(function, given)
}

/// `compiled(function)`: a library makes something else of it, by rules of its own.
pub(super) fn compiled_function(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let Some(addr) = args.first().and_then(Value::addr)
        && let Object::Function(function) = interp.object_at(addr)
    {
        let function = Arc::clone(function);
        interp.leave_to_compiler(&function);
    }
    Ok(Value::Unknown(Reason::Call))
}

/// `leaves_exceptions(function)`: whether a generator that is made a context manager lets all exceptions of the body pass: it
/// yields where nothing can catch them, or where every handler raises again.
pub(super) fn leaves_exceptions(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let function = args.first().and_then(Value::addr).map(|addr| interp.object_at(addr));
    let Some(Object::Function(function)) = function else { return Ok(Value::Bool(false)) };
    let tree = &function.code.tree;
    let Some(stmt) = function.code.scope_info(function.id).stmt else { return Ok(Value::Bool(false)) };
    let yields = |node: Node| {
        tree.descendants(node).any(|node| {
            matches!(node, Node::Expr(id) if matches!(tree[id].kind, ExprKind::Yield { .. } | ExprKind::YieldFrom { .. }))
        })
    };
    let block_yields = |body: List<StmtId>| tree[body].iter().any(|&stmt| yields(Node::Stmt(stmt)));
    let jumps = |body: List<StmtId>| {
        tree[body].iter().flat_map(|&stmt| tree.descendants(Node::Stmt(stmt))).any(|node| {
            matches!(node, Node::Stmt(id)
                if matches!(tree[id].kind, StmtKind::Return { .. } | StmtKind::Break | StmtKind::Continue))
        })
    };
    let ends_raising =
        |body: List<StmtId>| tree[body].last().is_some_and(|&stmt| matches!(tree[stmt].kind, StmtKind::Raise { .. }));
    let may_catch = tree.descendants(Node::Stmt(stmt)).any(|node| {
        let Node::Stmt(id) = node else { return false };
        match tree[id].kind {
            StmtKind::Try { body, handlers, finalbody, .. } => {
                block_yields(body)
                    && (jumps(finalbody)
                        || tree[handlers].iter().any(|handler| !ends_raising(handler.body) || jumps(handler.body)))
            }
            StmtKind::With { body, .. } => block_yields(body),
            _ => false,
        }
    });
    Ok(Value::Bool(!may_catch))
}
