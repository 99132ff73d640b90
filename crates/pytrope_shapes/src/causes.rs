//! Why nothing is known of a variable: the first cause, found by going back from what it was computed from.
//!
//! ```python
//! def forward(self, x):          # self.qkv = nn.Linear(dim, 3 * dim), and `dim` is a parameter
//!     y = self.qkv(x)            # unknown because `self.qkv` is, which is unknown because `dim` is
//! ```

use pytrope_eval::code::{Code, ScopeId, ScopeKind};
use pytrope_eval::interp::{ArrayKnowledge, BindingKind};
use pytrope_eval::value::Reason;
use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, StmtKind};
use pytrope_source::{Span, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::shown::{ShownBinding, UnknownCall};

/// How many bindings are gone back through.
const DEPTH: u32 = 40;

/// Attributes that arrays have and little else.
const OF_ARRAYS: [&str; 22] = [
    "T",
    "astype",
    "contiguous",
    "detach",
    "dtype",
    "expand",
    "mT",
    "masked_fill",
    "ndim",
    "numel",
    "permute",
    "ravel",
    "repeat_interleave",
    "requires_grad",
    "reshape",
    "shape",
    "softmax",
    "squeeze",
    "transpose",
    "unsqueeze",
    "view",
    "flatten",
];

/// Names that array libraries go by.
const LIBRARIES: [&str; 7] = ["F", "einops", "jnp", "np", "numpy", "tf", "torch"];

/// Says of each binding that is unknown why, and which of them are used as arrays.
pub(crate) fn explain_unknown(
    code: &Code,
    bindings: &mut [ShownBinding],
    calls_known: &[bool],
    unknown: &[&UnknownCall],
) {
    let used = used_as_arrays(code);
    let scopes: Vec<_> = bindings.iter().map(|binding| scope_around(code, binding.span.range)).collect();
    let tracer = Tracer::new(code, bindings, (calls_known, unknown), &scopes);
    let explained: Vec<(usize, String, Option<Span>)> = (0..bindings.len())
        .filter(|&at| is_open(&bindings[at]))
        .map(|at| {
            let (reason, cause) = tracer.first_cause(at, DEPTH);
            (at, reason, cause)
        })
        .collect();
    for (at, reason, cause) in explained {
        let binding = &mut bindings[at];
        binding.reason = Some(reason);
        binding.cause = cause;
        let scope = scopes[at];
        if binding.kind != BindingKind::Return && used.contains(&(scope, binding.name.clone())) {
            binding.array = Some(ArrayKnowledge::Class);
        }
    }
}

/// Removes what no known call binds. In a function whose calls are all known, a statement that raises in them binds nothing, and the
/// statements after it are not reached; the values that other callers would give are not shown in their place.
pub(crate) fn forget_unmade(code: &Code, bindings: &mut [ShownBinding], calls_known: &[bool], raised: &[TextRange]) {
    let tree = &code.tree;
    let contains = |outer: TextRange, inner: TextRange| outer.start <= inner.start && inner.end <= outer.end;
    let raises = |range: TextRange| raised.iter().any(|place| contains(range, *place));
    let unmade: Vec<TextRange> =
        sources_of(code).into_iter().filter(|(_, source)| raises(*source)).map(|(target, _)| target).collect();
    // From the first statement of a body that raises to the end of the function, with the function.
    let unreached: Vec<(TextRange, Option<ScopeId>)> = tree
        .stmt_ids()
        .filter_map(|stmt| {
            let StmtKind::FunctionDef(function) = tree[stmt].kind else { return None };
            let is_unconditional = |kind: StmtKind| {
                matches!(
                    kind,
                    StmtKind::Assign { .. }
                        | StmtKind::AugAssign { .. }
                        | StmtKind::AnnAssign { .. }
                        | StmtKind::Return { .. }
                        | StmtKind::Expr { .. }
                )
            };
            let mut body = tree[function.body].iter().filter(|part| is_unconditional(tree[**part].kind));
            let first = tree[*body.find(|part| raises(tree[**part].range))?].range;
            Some((TextRange::new(first.start, tree[stmt].range.end), scope_around(code, first)))
        })
        .collect();
    for (binding, _) in bindings.iter_mut().zip(calls_known).filter(|(_, by_known_calls)| !**by_known_calls) {
        let range = binding.span.range;
        let reason = if unmade.iter().any(|target| contains(*target, range)) {
            Reason::Finding.reason_text()
        } else if unreached.iter().any(|(rest, scope)| contains(*rest, range) && *scope == scope_around(code, range)) {
            "an error is reported before".to_owned()
        } else {
            continue;
        };
        binding.values = vec!["Unknown".to_owned()];
        binding.reason = Some(reason);
        binding.cause = None;
        binding.array = binding.array.map(|_| ArrayKnowledge::Class);
        binding.element_type = None;
        binding.origin = None;
    }
}

/// Whether nothing is known of a binding, or only that it is an array.
fn is_open(binding: &ShownBinding) -> bool {
    binding.values == ["Unknown"] || binding.array == Some(ArrayKnowledge::Class)
}

/// The innermost function or class around a place.
fn scope_around(code: &Code, range: TextRange) -> Option<ScopeId> {
    let around = code.scopes.iter().filter(|(_, scope)| {
        matches!(scope.kind, ScopeKind::Function | ScopeKind::Class)
            && scope.range.start <= range.start
            && range.end <= scope.range.end
    });
    around.min_by_key(|(_, scope)| scope.range.end - scope.range.start).map(|(at, _)| at)
}

/// What targets are bound to, by the ranges of the targets.
fn sources_of(code: &Code) -> Vec<(TextRange, TextRange)> {
    let tree = &code.tree;
    let range = |expr: ExprId| tree[expr].range;
    let mut sources = Vec::new();
    for stmt in tree.stmt_ids() {
        match tree[stmt].kind {
            StmtKind::Assign { targets, value } => {
                sources.extend(tree[targets].iter().map(|target| (range(*target), range(value))));
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } => sources.push((range(target), range(value))),
            // What it was before counts too.
            StmtKind::AugAssign { target, .. } => sources.push((range(target), tree[stmt].range)),
            StmtKind::For { target, iter, .. } => sources.push((range(target), range(iter))),
            StmtKind::Return { value: Some(value) } => sources.push((tree[stmt].range, range(value))),
            _ => {}
        }
    }
    sources
}

/// The names and attributes that are used as only arrays are, with the function they are used in.
fn used_as_arrays(code: &Code) -> FxHashSet<(Option<ScopeId>, String)> {
    let tree = &code.tree;
    let mut used = FxHashSet::default();
    let mut scopes: FxHashMap<TextRange, Option<ScopeId>> = FxHashMap::default();
    let mut note = |expr: ExprId| {
        if tree.dotted(expr).is_some_and(|parts| parts.len() <= 2) {
            let range = tree[expr].range;
            let scope = *scopes.entry(range).or_insert_with(|| scope_around(code, range));
            used.insert((scope, code.file.slice(range).to_owned()));
        }
    };
    for expr in tree.expr_ids() {
        match tree[expr].kind {
            ExprKind::Attribute { value, attribute, .. } if OF_ARRAYS.contains(&tree.text(attribute.name)) => {
                note(value);
            }
            ExprKind::BinOp { left, op: BinaryOperator::MatMult, right } => {
                note(left);
                note(right);
            }
            ExprKind::Subscript { value, index, .. } => {
                if let ExprKind::Tuple { elements: items, .. } = tree[index].kind
                    && tree[items].iter().any(|item| matches!(tree[*item].kind, ExprKind::Slice { .. }))
                {
                    note(value);
                }
            }
            ExprKind::Call { function, arguments } => {
                let library = tree.dotted(function).filter(|parts| parts.len() > 1);
                if library.is_some_and(|parts| LIBRARIES.contains(&parts[0]))
                    && let Some(first) = tree[arguments.positional].first()
                {
                    note(*first);
                }
            }
            _ => {}
        }
    }
    used
}

/// The names and attributes of names that a file mentions, in the order of the text; `self.x` before `self`.
fn mentions_of(code: &Code) -> Vec<(TextRange, &str)> {
    let tree = &code.tree;
    let mut mentions: Vec<(TextRange, &str)> = tree
        .expr_ids()
        .filter(|expr| match tree[*expr].kind {
            ExprKind::Name { .. } => true,
            ExprKind::Attribute { value, .. } => tree.as_name(value).is_some(),
            _ => false,
        })
        .map(|expr| (tree[expr].range, code.file.slice(tree[expr].range)))
        .collect();
    mentions.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    mentions
}

/// Goes back from a binding to the first cause of its being unknown.
struct Tracer<'a> {
    bindings: &'a [ShownBinding],
    /// Calls of which nothing is known, and why.
    unknown: &'a [&'a UnknownCall],
    /// Whether each binding was seen in a run whose arguments are known.
    calls_known: &'a [bool],
    /// The function around each binding.
    scopes: &'a [Option<ScopeId>],
    sources: Vec<(TextRange, TextRange)>,
    mentions: Vec<(TextRange, &'a str)>,
    by_name: FxHashMap<&'a str, Vec<usize>>,
}

impl<'a> Tracer<'a> {
    fn new(
        code: &'a Code,
        bindings: &'a [ShownBinding],
        (calls_known, unknown): (&'a [bool], &'a [&'a UnknownCall]),
        scopes: &'a [Option<ScopeId>],
    ) -> Self {
        let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, binding) in bindings.iter().enumerate() {
            by_name.entry(&binding.name).or_default().push(at);
        }
        Self { bindings, unknown, calls_known, scopes, sources: sources_of(code), mentions: mentions_of(code), by_name }
    }

    fn first_cause(&self, at: usize, depth: u32) -> (String, Option<Span>) {
        let binding = &self.bindings[at];
        if binding.kind == BindingKind::Parameter {
            return (format!("`{}` is a parameter without a known value", binding.name), Some(binding.span.clone()));
        }
        let inside = |outer: TextRange, inner: TextRange| outer.start <= inner.start && inner.end <= outer.end;
        let holding = self.sources.iter().filter(|(target, _)| inside(*target, binding.span.range));
        let source = holding.min_by_key(|(target, _)| target.end - target.start).map(|(_, value)| *value);
        if let Some(source) = source {
            // An array of open rank does not make its result something of which not even that is known.
            let is_array = binding.array.is_some() && binding.values != ["Unknown"];
            if depth > 0
                && let Some(operand) = self.unknown_operand(source, at, is_array)
            {
                return self.first_cause(operand, depth - 1);
            }
            // What a run with unknown arguments lost says nothing of one whose arguments are known.
            let known = self.calls_known[at];
            let told = self.unknown.iter().filter(|call| call.calls_known == known && inside(source, call.span.range));
            if let Some(call) = told.min_by_key(|call| (call.span.range.end, call.span.range.start)) {
                return (call.reason.clone(), Some(call.span.clone()));
            }
            if depth > 0
                && let Some(operand) = self.unknown_operand(source, at, true)
            {
                return self.first_cause(operand, depth - 1);
            }
        }
        let reason = binding.reason.clone().unwrap_or_else(|| "depends on an unknown value".to_owned());
        (reason, Some(binding.span.clone()))
    }

    /// The first name or attribute in an expression that was bound to something unknown, or to an array of which no more is known.
    fn unknown_operand(&self, source: TextRange, of: usize, or_array: bool) -> Option<usize> {
        let first = self.mentions.partition_point(|(range, _)| range.start < source.start);
        let start = self.bindings[of].span.range.start;
        let mentioned = self.mentions[first..].iter().take_while(|(range, _)| range.start < source.end);
        mentioned.filter(|(range, _)| range.end <= source.end).find_map(|(_, name)| {
            let visible = |at: &&usize| {
                **at != of
                    && (self.bindings[**at].kind == BindingKind::Attribute || self.scopes[**at] == self.scopes[of])
            };
            let named: Vec<usize> = self.by_name.get(name)?.iter().filter(visible).copied().collect();
            // The last binding before; an attribute may be bound further down, in another method.
            let is_before = |at: &&usize| self.bindings[**at].span.range.start < start;
            let is_attribute = |at: &&usize| self.bindings[**at].kind == BindingKind::Attribute;
            let last = named.iter().rfind(is_before).or_else(|| named.iter().find(is_attribute))?;
            let last_bound = &self.bindings[*last];
            (is_open(last_bound) && (or_array || last_bound.values == ["Unknown"])).then_some(*last)
        })
    }
}
