//! Array classes by name: modules that the class is made from cannot import it, and an import in each function would cost
//! more than what the function does.
//!
//! ```python
//! is_tensor = array_test("torch._tensor", "Tensor")
//! tensor = array_maker("torch._tensor", "Tensor")
//! ```

use std::sync::Arc;

use pytrope_eval::program::ModuleRequest;
use pytrope_eval::value::BoundMethod;
use pytrope_eval::{CallArgs, Flow, Interp, Name, Native, Seq, Value};

use super::{is_array_of, make_array_of, unknown_because};

/// What `array_test` gives, with the name of the class in front.
static TEST: Native = Native::new("array_test", test_array);

/// What `array_maker` gives, with the name of the class in front.
static MAKE: Native = Native::new("array_maker", make_named_array);

/// `array_test(module, name)`: a function that asks `is_array(x, cls)`.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn array_test(_: &mut Interp<'_>, args: &CallArgs) -> Flow {
    Ok(with_class_name(&TEST, args))
}

/// `array_maker(module, name)`: a function that makes `array(cls, shape, dtype, values)`.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn array_maker(_: &mut Interp<'_>, args: &CallArgs) -> Flow {
    Ok(with_class_name(&MAKE, args))
}

fn with_class_name(function: &'static Native, args: &CallArgs) -> Value {
    let receiver = Value::tuple(args.positional.clone());
    Value::Bound(Arc::new(BoundMethod { receiver, function: Value::Native(function) }))
}

fn test_array(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [class, value] = args.positional.as_slice() else { return Ok(Value::FALSE) };
    let class = named_class(interp, class);
    Ok(is_array_of(interp, value, Some(&class)))
}

fn make_named_array(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some((class, _)) = args.positional.split_first() else { return Ok(unknown_because("an array of no class")) };
    let class = named_class(interp, class);
    Ok(make_array_of(interp, class, args))
}

/// The class of that name in an evaluated module. Until that is evaluated it is not known.
fn named_class(interp: &Interp<'_>, said: &Value) -> Value {
    let found = match said {
        Value::Tuple(Seq::Exact(parts)) => match parts.as_slice() {
            [Value::Str(module), Value::Str(name)] => match interp.analysis.program.load_module(module) {
                ModuleRequest::EvaluatedModule(module) => module.global_value(Name::new(name)).cloned(),
                ModuleRequest::InProgress(_) | ModuleRequest::Missing => None,
            },
            _ => None,
        },
        _ => None,
    };
    found.unwrap_or_else(|| unknown_because("the class is not made yet"))
}
