//! Whether a function of the program takes as many arguments as it is given.

use pytrope_source::tree::Parameter;

use super::Interp;
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::declarations::may_be_replaced;
use crate::object::{Function, Object};
use crate::value::{Reason, Value};

impl Interp<'_> {
    /// Whether a function cannot be called with these arguments, whatever they are. A method that may be another one in a subclass
    /// is not judged.
    pub(crate) fn refuses_arguments(&self, function: &Function, args: &CallArgs) -> bool {
        let code = &function.code;
        let Some(parameters) = code.scope_info(function.id).parameters else { return false };
        let is_method = function.class.is_some()
            && args.positional.first().is_none_or(|first| {
                first.is_unknown() || self.instance_of(first).is_some_and(|instance| instance.attrs.open)
            });
        if is_method || !args.is_exact() {
            return false;
        }
        let (first, regular) = (&code.tree[parameters.positional_only], &code.tree[parameters.regular]);
        let keyword_only = &code.tree[parameters.keyword_only];
        let given = args.positional.len();
        let is_given = |name: Name| args.keywords.iter().any(|(keyword, _)| *keyword == name);
        let lacks = |parameter: &Parameter, by_keyword: bool| {
            let name = code.name_of(parameter.name.name);
            self.default_of(function, name).is_none() && !(by_keyword && is_given(name))
        };
        let missing = first.iter().skip(given).any(|parameter| lacks(parameter, false))
            || regular.iter().skip(given.saturating_sub(first.len())).any(|parameter| lacks(parameter, true))
            || keyword_only.iter().any(|parameter| lacks(parameter, true));
        let takes = |name: Name| {
            let rest = regular.iter().skip(given.saturating_sub(first.len())).chain(keyword_only);
            rest.into_iter().any(|parameter| code.name_of(parameter.name.name) == name)
        };
        missing
            || parameters.vararg.is_none() && given > first.len() + regular.len()
            || parameters.kwarg.is_none() && args.keywords.iter().any(|(keyword, _)| !takes(*keyword))
    }

    /// What Python says of a function of the program that a builtin calls with so many arguments, if it certainly does not take them.
    pub(crate) fn refused_callback(&self, callee: &Value, given: usize) -> Option<String> {
        let (callee, receiver) = match callee {
            Value::Bound(bound) => (&bound.function, Some(&bound.receiver)),
            _ => (callee, None),
        };
        let Object::Function(function) = self.object_at(callee.addr()?) else { return None };
        if function.code.is_model || may_be_replaced(function) {
            return None;
        }
        let unknown = std::iter::repeat_n(Value::Unknown(Reason::Parameter), given);
        let args = CallArgs::of(receiver.cloned().into_iter().chain(unknown).collect());
        let parameters = function.code.scope_info(function.id).parameters?;
        let takes = function.code.tree[parameters.positional_only].len() + function.code.tree[parameters.regular].len();
        self.refuses_arguments(function, &args).then(|| {
            let name = function.name;
            if args.positional.len() > takes {
                format!(
                    "{name}() takes {takes} positional argument{} but {} are given",
                    plural_suffix(takes),
                    args.positional.len()
                )
            } else {
                format!("{name}() is called with {given} argument{} and needs more", plural_suffix(given))
            }
        })
    }

    /// The default of a parameter; an unknown one where a module of the program may have stored it after the definition.
    pub(crate) fn default_of(&self, function: &Function, name: Name) -> Option<Value> {
        let written = function.defaults.iter().find(|(parameter, _)| *parameter == name);
        written.map(|(_, value)| value.clone()).or_else(|| {
            let is_given = !function.code.is_model && self.analysis.program.is_given_defaults(function.name);
            is_given.then_some(Value::Unknown(Reason::Parameter))
        })
    }
}

pub(crate) fn plural_suffix(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
