//! `lifted`: the decorator that converts a model function's arguments before its body runs.

use std::sync::Arc;

use pytrope_eval::object::Function;
use pytrope_eval::value::BoundMethod;
use pytrope_eval::{CallArgs, Flow, Inherited, Interp, Lifting, Name, Native, Object, Value};

/// Applied by Python to the function that it decorates, with what `lifted` was given in front.
static LIFT: Native = Native::new("lifted", lift);

/// `lifted(converter, *parameters, known=(), constant=(), ranked=False, otherwise=None)`: gives the decorator.
pub(super) fn lifted(_: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let option = |name: &str| args.keyword(name).cloned().unwrap_or(Value::None);
    let options = [option("known"), option("constant"), option("ranked"), option("otherwise")];
    let given = Value::tuple(args.positional.clone());
    let receiver = Value::tuple(std::iter::once(given).chain(options).collect());
    Ok(Value::Bound(Arc::new(BoundMethod { receiver, function: Value::Native(&LIFT) })))
}

/// The decorator: the function with its lifting.
fn lift(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [said, decorated] = args.positional.as_slice() else {
        return Ok(super::unknown_because("lifted() of nothing"));
    };
    let Some(lifting) = lifting_of(interp, said) else {
        return Ok(super::unknown_because("lifted() without a converter"));
    };
    let Some(addr) = decorated.addr() else { return Ok(decorated.clone()) };
    if let Object::Function(function) = interp.object_at(addr) {
        let function = Function { lifting: Some(Arc::new(lifting)), ..(**function).clone() };
        interp.write_object(addr, Object::Function(Arc::new(function)));
    }
    Ok(decorated.clone())
}

fn lifting_of(interp: &mut Interp<'_>, said: &Value) -> Option<Lifting> {
    let parts = interp.exact_items(said)?;
    let [given, known, constant, ranked, otherwise] = parts.as_slice() else { return None };
    let given = interp.exact_items(given)?;
    let (converter, parameters) = given.split_first()?;
    let passes_name = super::functions::function_at(interp, converter).is_some_and(|function| takes_name(&function));
    let names = |values: &[Value]| values.iter().filter_map(Value::as_str).map(Name::new).collect::<Vec<_>>();
    let mut listed = |value: &Value| interp.exact_items(value).map(|items| names(&items)).unwrap_or_default();
    Some(Lifting {
        converter: converter.clone(),
        passes_name,
        lifted: names(parameters),
        known: if *known == Value::None { Vec::new() } else { listed(known) },
        constant: if *constant == Value::None { Vec::new() } else { listed(constant) },
        needs_rank: *ranked == Value::TRUE,
        otherwise: (*otherwise != Value::None).then(|| otherwise.clone()),
        inherited: inherited_by(interp, converter),
    })
}

/// The mark that results inherit, which is said of the converter: `converter.inherited = ("_origin", pass_on)`.
fn inherited_by(interp: &mut Interp<'_>, converter: &Value) -> Option<Inherited> {
    let function = super::functions::function_at(interp, converter)?;
    let said = function.attrs.get(Name::new("inherited"))?.value.clone();
    let parts = interp.exact_items(&said)?;
    let [attribute, pass_on] = parts.as_slice() else { return None };
    Some(Inherited { attribute: Name::new(attribute.as_str()?), pass_on: pass_on.clone() })
}

fn takes_name(converter: &Function) -> bool {
    let code = &converter.code;
    let Some(parameters) = code.scope_info(converter.id).parameters else { return false };
    code.tree[parameters.regular].iter().any(|parameter| code.tree.text(parameter.name.name) == "name")
}
