//! Special methods of the program that run where the interpreter does not follow them: what they may change is forgotten.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::effects::changes_nothing;
use crate::interp::Interp;
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Class, Function, Object};
use crate::value::{Addr, Reason, Seq, Value};

/// How many items of a container are looked at, and how many objects behind a result.
pub(crate) const LOOKED_AT: usize = 64;

/// A function of the program that library code holds.
pub(crate) struct Handed {
    pub function: Addr,
    pub given: Value,
}

impl Interp<'_> {
    /// Special methods of an object run in a way that is not followed.
    pub(crate) fn havocs_unseen_methods(&mut self, value: &Value, methods: &[Name]) {
        if self.in_model() || self.analysis.program.closed_world {
            return;
        }
        let mut objects = Vec::new();
        self.find_handed(value, 1, &mut Vec::new(), &mut objects);
        for object in objects {
            self.havoc_special_methods(&object, methods, &FxHashSet::default());
        }
    }

    pub(crate) fn find_handed(&self, value: &Value, depth: u32, functions: &mut Vec<Handed>, objects: &mut Vec<Value>) {
        match value {
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Function(function) if !function.code.is_model => {
                    functions.push(Handed { function: *addr, given: value.clone() });
                }
                Object::Instance(instance) => {
                    let class = instance.class.addr().and_then(|class| self.class_at(class));
                    if class.is_some_and(|class| !class.features.is_model && !class.features.enumeration) {
                        objects.push(value.clone());
                    }
                }
                Object::List(Seq::Exact(items)) if depth > 0 => {
                    for item in items.iter().take(LOOKED_AT) {
                        self.find_handed(item, depth - 1, functions, objects);
                    }
                }
                Object::Dict(mapping) | Object::Set(mapping) if depth > 0 => {
                    for entry in mapping.entries.values().take(LOOKED_AT) {
                        self.find_handed(&entry.key, 0, functions, objects);
                        self.find_handed(&entry.value, 0, functions, objects);
                    }
                    if let Some(open) = &mapping.open {
                        self.find_handed(&open.0, 0, functions, objects);
                    }
                }
                _ => {}
            },
            Value::Bound(bound) => {
                if let Some(addr) = bound.function.addr()
                    && matches!(self.object_at(addr), Object::Function(function) if !function.code.is_model)
                {
                    functions.push(Handed { function: addr, given: value.clone() });
                }
            }
            Value::Tuple(Seq::Exact(items)) if depth > 0 => {
                for item in items.iter().take(LOOKED_AT) {
                    self.find_handed(item, depth - 1, functions, objects);
                }
            }
            _ => {}
        }
    }

    /// Special methods of an object may have run. If one of them changes anything, what it may change is not known.
    pub(crate) fn havoc_special_methods(&mut self, object: &Value, methods: &[Name], ran: &FxHashSet<Addr>) {
        for name in self.program_methods(object, methods) {
            let Some(method) = self.special_method(object, name) else { continue };
            let Value::Bound(bound) = &method else { continue };
            let Some(addr) = bound.function.addr() else { continue };
            if ran.contains(&addr) {
                continue;
            }
            let Object::Function(function) = self.object_at(addr).clone() else { continue };
            if function.code.is_model || changes_nothing(&function) || !self.changes_anything(&method, &function) {
                continue;
            }
            self.havoc_reachable(&method);
        }
    }

    /// The names under which a class of the program holds something among the classes of an instance. Most hold no special methods but
    /// constructors, and that is seen faster than methods are looked up.
    fn program_methods(&self, object: &Value, methods: &[Name]) -> Vec<Name> {
        let Some(class) = self.instance_of(object).and_then(|instance| instance.class.addr()) else {
            return methods.to_vec();
        };
        let mut own = SmallVec::<[&Class; 8]>::new();
        for base in self.mro_of(class) {
            match self.class_at(*base) {
                Some(base) if base.features.is_model || base.kind.is_some() => {}
                Some(base) => own.push(base),
                None => return methods.to_vec(),
            }
        }
        methods.iter().copied().filter(|name| own.iter().any(|class| class.attrs.get(*name).is_some())).collect()
    }

    /// Whether calling a method changes anything that was there before.
    pub(crate) fn changes_anything(&mut self, method: &Value, function: &Function) -> bool {
        let parameters = function.code.scope_info(function.id).parameters;
        let takes = parameters.map_or(0, |parameters| {
            let tree = &function.code.tree;
            tree[parameters.positional_only].len() + tree[parameters.regular].len()
        });
        let before = self.run.state.clone();
        let unknowns = vec![Value::Unknown(Reason::Operand); takes.saturating_sub(1)];
        let outcome = self.attempt_muted(|interp| interp.call_value(method, CallArgs::of(unknowns)));
        let changed = outcome.is_err() || self.run.state.changes_since(&before);
        self.run.state = before;
        changed
    }
}
