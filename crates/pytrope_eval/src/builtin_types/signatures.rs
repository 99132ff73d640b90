//! Which calls of builtin functions, types and methods are refused with a TypeError, whatever the values are.
//!
//! ```python
//! "a, b".split(1)        # argument 1 is no string
//! "a".replace("b")       # one argument too few
//! print("a", seperator="")
//! ```
//!
//! `signatures.tsv` is written by asking several versions of CPython (`conformance/python/signatures.py`); what one of them
//! takes is not refused. A signature says nothing of arguments whose type is not exactly a builtin one.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::interp::{Flow, Interp};
use crate::native::CallArgs;
use crate::object::Object;
use crate::value::{BuiltinType, Seq, Value};

/// A set of builtin types, one bit each.
#[derive(Clone, Copy, Default)]
struct TypeSet(u32);

impl TypeSet {
    fn parse_names(names: &str) -> Self {
        let bits = BuiltinType::ALL
            .iter()
            .filter(|kind| names.split(',').any(|name| name == kind.name()))
            .fold(0, |bits, kind| bits | 1 << *kind as u32);
        Self(bits)
    }

    fn contains(self, kind: BuiltinType) -> bool {
        self.0 & 1 << kind as u32 != 0
    }
}

/// The arguments that a callable takes.
struct BuiltinSignature {
    fewest: usize,
    most: Option<usize>,
    keywords: AcceptedKeywords,
    /// The types that are refused at each position.
    refused: Vec<TypeSet>,
}

enum AcceptedKeywords {
    Named(Vec<&'static str>),
    /// All of them, or those that were not found out.
    Any,
}

/// Signatures by the type that has the method (empty for functions and types) and the name.
static SIGNATURES: LazyLock<FxHashMap<(&'static str, &'static str), BuiltinSignature>> =
    LazyLock::new(|| include_str!("signatures.tsv").lines().filter_map(read_row).collect());

fn read_row(line: &'static str) -> Option<((&'static str, &'static str), BuiltinSignature)> {
    let mut cells = line.split('\t');
    let name = cells.next()?;
    let fewest = cells.next()?.parse().ok()?;
    let most = cells.next()?.parse().ok();
    let keywords = match cells.next().unwrap_or_default() {
        "?" | "**" => AcceptedKeywords::Any,
        names => AcceptedKeywords::Named(names.split(',').filter(|name| !name.is_empty()).collect()),
    };
    let refused = cells.next().unwrap_or_default().split(';').map(TypeSet::parse_names).collect();
    Some((name.split_once('.').unwrap_or(("", name)), BuiltinSignature { fewest, most, keywords, refused }))
}

impl Interp<'_> {
    /// Calls a builtin, or raises what CPython raises for arguments that no values make right. `owner` is the type whose method is
    /// called, empty for functions and for types themselves. Types are looked at last: many a builtin says more about them.
    pub(crate) fn call_by_signature(
        &mut self,
        owner: &str,
        name: &str,
        args: &CallArgs,
        call: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        // Models call primitives far more often than programs call builtins.
        if self.in_model() || !args.is_exact() {
            return call(self);
        }
        let Some(signature) = SIGNATURES.get(&(owner, name)) else { return call(self) };
        let dot = if owner.is_empty() { "" } else { "." };
        let refuse = |interp: &mut Self, problem: String| {
            interp.raise_error("wrong-arguments", "TypeError", format!("{owner}{dot}{name}() {problem}"))
        };
        if let Some(problem) = signature.refused_count(args) {
            return refuse(self, problem);
        }
        let result = call(self)?;
        match self.refused_type(signature, args) {
            Some(problem) => refuse(self, problem),
            None => Ok(result),
        }
    }

    fn refused_type(&self, signature: &BuiltinSignature, args: &CallArgs) -> Option<String> {
        // `issubclass(x, ())` looks at none of its arguments.
        if matches!(args.positional.get(1), Some(Value::Tuple(Seq::Exact(classes))) if classes.is_empty()) {
            return None;
        }
        args.positional.iter().zip(&signature.refused).enumerate().find_map(|(position, (value, refused))| {
            let kind = self.exact_builtin_type(value).filter(|kind| refused.contains(*kind))?;
            Some(format!("does not accept '{}' as argument {}", kind.name(), position + 1))
        })
    }

    /// The builtin type that a value is an instance of, where no subclass can be meant. A function of a model may stand for a class.
    pub(crate) fn exact_builtin_type(&self, value: &Value) -> Option<BuiltinType> {
        let is_model = |addr| matches!(self.object_at(addr), Object::Function(function) if function.code.is_model);
        if value.addr().is_some_and(is_model) {
            return None;
        }
        self.class_of(value).and_then(|class| self.class_kind(class))
    }
}

impl BuiltinSignature {
    /// What is wrong with the number or the names of the arguments.
    fn refused_count(&self, args: &CallArgs) -> Option<String> {
        let given = args.positional.len();
        if let AcceptedKeywords::Named(names) = &self.keywords
            && let Some((unexpected, _)) = args.keywords.iter().find(|(name, _)| !names.contains(&name.text()))
        {
            return Some(format!("got an unexpected keyword argument '{}'", unexpected.text()));
        }
        let is_refused = self.most.is_some_and(|most| given > most) || given + args.keywords.len() < self.fewest;
        is_refused.then(|| format!("takes {}, {given} given", self.expected_count()))
    }

    /// How many arguments are asked for, in words.
    fn expected_count(&self) -> String {
        let arguments = |count: usize| if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") };
        match (self.fewest, self.most) {
            (0, Some(0)) => "no arguments".to_owned(),
            (fewest, Some(most)) if fewest == most => arguments(most),
            (0, Some(most)) => format!("at most {}", arguments(most)),
            (fewest, Some(most)) => format!("{fewest} to {}", arguments(most)),
            (fewest, None) => format!("at least {}", arguments(fewest)),
        }
    }
}
