//! Claims that a program makes doubtful by repeating what is claimed to fail.
//!
//! ```python
//! def test_key():            def test_timeout():          def test_url():
//!     c.key.should.be(k)         c.timeout.should.be(1)       c.url.should.be(u)
//! ```
//!
//! Three places that use an attribute which values of these types lack show that it is there by means that were not seen: a released
//! program does not fail wherever it uses a thing. What is counted is the *subject* of a claim (a module of the program,
//! a class, a function, the value in an attribute) and the places are functions with lines of their own, so that a mistake counts
//! once that is made twice in one function, or that stands in copies of one program.
//!
//! Three functions or more that are given one keyword which none of them has are misread all together: others of these names are there.
//!
//! Not doubtful by repetition are names that no import and no scope binds (`hosts.rs` decides about them by files), locals, errors of
//! shapes, and what was there in Python 2: code that was never ported repeats those mistakes.

use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_eval::code::{Code, ScopeKind};
use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{FORMER_ATTRIBUTES, PLAIN_TYPES, expression_at, is_claim};
use crate::roots::top_package;

/// How many functions must repeat a claim.
const PLACES: usize = 3;

/// How many functions must call one with wrong arguments: a parameter that was removed is forgotten in several callers.
const CALLERS: usize = 8;

/// How many different functions must lack one parameter.
const CALLEES: usize = 3;

/// Takes out claims that three functions or more repeat.
pub(super) fn drop_repeated_claims(
    codes: &FxHashMap<&str, &Arc<Code>>,
    is_third_party: &dyn Fn(&str) -> bool,
    findings: &mut Vec<Finding>,
) {
    let claims_of = |finding: &Finding, code: &Code| -> Vec<Claim> {
        // Code that was written for an old release of a library uses a removed name in many places.
        let is_known = |claim: &Claim| matches!(claim, Claim::Module(name) if is_third_party(top_package(name)));
        claims_of(finding, code).into_iter().filter(|claim| !is_known(claim)).collect()
    };
    let mut places: FxHashMap<Claim, ClaimPlaces> = FxHashMap::default();
    for finding in findings.iter() {
        let Some(code) = codes.get(finding.primary.file.path()) else { continue };
        for claim in claims_of(finding, code) {
            let place = (code.file.path().to_owned(), function_around(code, finding.primary.range));
            let known = places.entry(claim.clone()).or_default();
            known.functions.insert(place);
            known.lines.insert(line_around(code, finding.primary.range));
            if let Claim::Parameter(_) = claim {
                let read = expression_at(code, finding.primary.range);
                known.callees.extend(read.and_then(|id| callee_name(code, id)));
            }
        }
    }
    let defined = |name: &str| codes.values().any(|code| defines_name(code, name));
    places.retain(|claim, places| match claim {
        Claim::Call(name) => places.independent_count() >= CALLERS && defined(name),
        Claim::Parameter(_) => places.callees.len() >= CALLEES && places.independent_count() >= PLACES,
        Claim::Module(_) | Claim::Class(_) | Claim::Attribute(_) | Claim::Value(..) => {
            places.independent_count() >= PLACES
        }
    });
    if places.is_empty() {
        return;
    }
    findings.retain(|finding| {
        let code = codes.get(finding.primary.file.path());
        !code.is_some_and(|code| claims_of(finding, code).iter().any(|claim| places.contains_key(claim)))
    });
}

/// Where a claim is made.
#[derive(Default)]
struct ClaimPlaces {
    functions: FxHashSet<(String, TextRange)>,
    lines: FxHashSet<String>,
    /// The functions that are called there.
    callees: FxHashSet<String>,
}

impl ClaimPlaces {
    /// How many places are independent of each other.
    fn independent_count(&self) -> usize {
        self.functions.len().min(self.lines.len())
    }
}

/// What a finding is about, apart from where it stands.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Claim {
    /// A module of the program lacks names.
    Module(String),
    /// The instances of a class, or the class, lack attributes.
    Class(String),
    /// Values of builtin types lack an attribute.
    Attribute(String),
    /// What is read at places that are written alike is of a type that does not fit: the type and the text.
    Value(String, String),
    /// A function is called as it cannot be.
    Call(String),
    /// Functions do not have a parameter that they are given.
    Parameter(String),
}

fn claims_of(finding: &Finding, code: &Code) -> Vec<Claim> {
    if !is_claim(finding) {
        return Vec::new();
    }
    let mut quoted = finding.message.split('\'').skip(1).step_by(2);
    let (first, second) = (quoted.next().unwrap_or_default(), quoted.next().unwrap_or_default());
    let read = expression_at(code, finding.primary.range);
    let operand = || read.and_then(|id| operand_text(code, id));
    let message = finding.message.as_str();
    match finding.rule.id {
        "missing-attribute" if message.starts_with("cannot import name") => {
            vec![Claim::Module(second.to_owned())]
        }
        "missing-attribute" if message.starts_with("module ") => {
            vec![Claim::Module(first.to_owned())]
        }
        "missing-attribute" if FORMER_ATTRIBUTES.contains(&second) => Vec::new(),
        "missing-attribute" if PLAIN_TYPES.contains(&first) || message.starts_with("type object 'object'") => {
            let value = operand().map(|text| Claim::Value(first.to_owned(), text));
            value.into_iter().chain([Claim::Attribute(second.to_owned())]).collect()
        }
        "missing-attribute" => vec![Claim::Class(first.to_owned()), Claim::Attribute(second.to_owned())],
        "not-callable" if first == "NotImplementedType" => Vec::new(),
        "not-callable" | "not-iterable" => {
            operand().map(|text| Claim::Value(first.to_owned(), text)).into_iter().collect()
        }
        // What a call gives belongs to its arguments: `a, b = split(key, 3)` says nothing of `split(key, 2)`.
        "index-range" | "missing-key" | "unpack-count"
            if !read.is_some_and(|id| matches!(code.tree[id].kind, ExprKind::Call { .. })) =>
        {
            operand().map(|text| Claim::Value(String::new(), text)).into_iter().collect()
        }
        "bad-operand" if message.contains("NoneType") => {
            operand().map(|text| Claim::Value("NoneType".to_owned(), text)).into_iter().collect()
        }
        "wrong-arguments" => {
            let parameter =
                message.contains("unexpected keyword argument '").then(|| Claim::Parameter(first.to_owned()));
            read.and_then(|id| callee_name(code, id)).map(Claim::Call).into_iter().chain(parameter).collect()
        }
        _ => Vec::new(),
    }
}

/// The text of what an operation reads its value from: `client.key` in `client.key.should`, `spans` in `spans[0]`.
fn operand_text(code: &Code, id: ExprId) -> Option<String> {
    let operand = match code.tree[id].kind {
        ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } => value,
        ExprKind::Call { function, .. } => function,
        _ => id,
    };
    let is_place = |id: ExprId| {
        matches!(
            code.tree[id].kind,
            ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } | ExprKind::Call { .. }
        )
    };
    is_place(operand).then(|| code.file.slice(code.tree[operand].range).to_owned())
}

/// The text of the line where a range begins, without its indentation.
fn line_around(code: &Code, range: TextRange) -> String {
    let text = code.file.text();
    let at = range.start as usize;
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    text[start..end].trim().to_owned()
}

fn callee_name(code: &Code, id: ExprId) -> Option<String> {
    let ExprKind::Call { function, .. } = code.tree[id].kind else { return None };
    code.tree.dotted(function)?.last().map(|&last| last.to_owned())
}

/// Whether a module defines a function or a class of a name.
fn defines_name(code: &Code, name: &str) -> bool {
    code.tree.stmt_ids().any(|id| match code.tree[id].kind {
        StmtKind::FunctionDef(function) => code.tree.text(function.name.name) == name,
        StmtKind::ClassDef(class) => code.tree.text(class.name.name) == name,
        _ => false,
    })
}

/// The range of the innermost function around a place, or an empty one for the module.
fn function_around(code: &Code, range: TextRange) -> TextRange {
    let around = code.scopes.iter().map(|(_, scope)| scope).filter(|scope| {
        scope.kind == ScopeKind::Function && scope.range.start <= range.start && range.end <= scope.range.end
    });
    let innermost = around.map(|scope| scope.range).min_by_key(|range| range.end - range.start);
    innermost.unwrap_or(TextRange { start: 0, end: 0 })
}
