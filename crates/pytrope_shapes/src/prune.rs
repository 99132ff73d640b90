//! `prune`: removes branches that shapes decide, for whole classes of inputs (Algorithm 2 of the paper, on source).
//!
//! The entry is run once on abstract inputs of the assumed class. A branch goes if every reachable call decides it
//! alike; the analysis goes forward only, so a guard never goes because of what comes after it.

mod arguments;
mod bindings;
mod effects;
mod record;
mod report;
pub mod rewrite;
mod shape_names;

use std::collections::BTreeMap;
use std::sync::Arc;

use pytrope_eval::Program;
use pytrope_eval::code::Code;
use pytrope_source::tree::{BoolOperator, ExprId, ExprKind, Parent, UnaryOperator};
use pytrope_source::{SourceFile, Span, TextRange, parse};
use rustc_hash::FxHashSet;

use crate::entry::session::SizeFacts;
use crate::entry::{EntryError, EntrySession, Expression, Mentions, SessionOutcome};
use crate::migrate::parse_assumptions;
use record::{BranchRecorder, BranchTally, Branches};
use rewrite::Decisions;
use shape_names::ShapeNames;

pub use report::BranchKind;

/// What is asked.
pub struct PruneRequest<'a> {
    pub module: &'a str,
    pub entry: &'a str,
    pub assume: &'a [String],
    /// Write the assumptions as assertions at the entry.
    pub guard: bool,
}

/// What became of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    Then,
    Else,
    Keep,
}

impl Decision {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Then => "then",
            Self::Else => "else",
            Self::Keep => "keep",
        }
    }
}

/// A branch that the entry reaches.
#[derive(Clone, Debug)]
pub struct Branch {
    pub file: Arc<SourceFile>,
    pub range: TextRange,
    pub line: usize,
    pub column: usize,
    pub condition: String,
    pub kind: BranchKind,
    pub decision: Decision,
    pub reason: String,
    /// Whether the test is about shapes.
    pub shape: bool,
    /// Whether it is a branch of its own: not an operand of a test that is listed too.
    pub counts: bool,
    /// How often it is evaluated on call paths and in iterations of loops that can be told apart, and how often that decides it.
    pub instances: usize,
    pub decided: usize,
}

/// A file that lost branches.
pub struct Pruned {
    pub file: Arc<SourceFile>,
    /// The dotted name of its module.
    pub module: String,
    pub text: String,
    pub is_target: bool,
}

pub struct PruneAnswer {
    pub branches: Vec<Branch>,
    pub files: Vec<Pruned>,
    /// Why nothing can be said.
    pub refused: Option<String>,
    /// What was called and is not modelled: what comes of it is not known.
    pub unmodelled: Vec<(Span, String)>,
}

/// How many calls may change something that the calls before did not.
const ROUNDS: usize = 8;

/// Answers a request; an error is a mistake in the question.
pub fn prune_entry(program: &Program, request: &PruneRequest<'_>) -> Result<PruneAnswer, EntryError> {
    let entry = Expression::parse(request.entry).map_err(EntryError::Entry)?;
    let assumptions = parse_assumptions(request.assume)?;
    // What is called while the entry is made is called in the pruned program too.
    let construction = BranchRecorder::default();
    let observer = Box::new(construction.clone());
    let mut session = EntrySession::open_observed(program, request.module, &entry, &assumptions, Some(observer))?;
    let construction = construction.0.take();
    let mut mentions = Mentions::default();
    for assumption in &assumptions {
        mentions.absorb_mentions(assumption.parameter_mentions());
    }
    let known: Vec<String> =
        session.entry_parameters().iter().map(|parameter| session.name_of(parameter).to_owned()).collect();
    mentions.check(&known).map_err(EntryError::Entry)?;
    let given = arguments::of(&mut session, &mentions);
    session.open_arguments = true;
    if !entry.sets_mode() {
        session.forget_mode();
    }
    let out_of_steps = || Ok(refuse_request("the analysis ran out of steps, so nothing is decided".to_owned()));
    let mut rounds = 0;
    // The entry is called more than once: what a call changes is not known to the next one.
    let mut branches = loop {
        let recorder = BranchRecorder::default();
        let outcome = session.run_entry(
            &given.arguments,
            &SizeFacts { sizes: &given.sizes, assumed: &[] },
            FxHashSet::default(),
            Box::new(recorder.clone()),
            &mut |_, _| {},
        );
        match outcome {
            SessionOutcome::Contradiction(message) => return Ok(refuse_request(message)),
            SessionOutcome::OutOfFuel => return out_of_steps(),
            SessionOutcome::Returned(..) => session.note_changes(),
            SessionOutcome::Raised(_) => {}
        }
        if !session.run_escaped(Box::new(recorder.clone())) {
            return out_of_steps();
        }
        if !session.begin_with_changes() {
            break recorder.0.take();
        }
        rounds += 1;
        if rounds == ROUNDS {
            return Ok(refuse_request("the state changes with every call, so nothing is decided".to_owned()));
        }
    };
    branches.absorb_construction(&construction);
    let target = Arc::clone(&session.function.code);
    branches.add(&target);
    let asked = Asked { assume: request.assume, open: &given.open };
    let mut answer = decide_tests(&branches, &target, guard_text(&session, request).as_ref(), &asked);
    answer.unmodelled.clone_from(&session.unmodelled);
    for span in branches.unknown_calls() {
        answer.unmodelled.push((span.clone(), "called while the entry ran".to_owned()));
    }
    Ok(answer)
}

fn refuse_request(message: String) -> PruneAnswer {
    PruneAnswer { branches: Vec::new(), files: Vec::new(), refused: Some(message), unmodelled: Vec::new() }
}

/// The definition that guards are written into, and their text.
fn guard_text(
    session: &EntrySession<'_>,
    request: &PruneRequest<'_>,
) -> Option<(pytrope_source::tree::StmtId, String)> {
    if !request.guard || request.assume.is_empty() {
        return None;
    }
    let code = &session.function.code;
    let stmt = code.scope_info(session.function.id).stmt?;
    let texts: Vec<String> = request.assume.iter().map(|text| format!("({text})")).collect();
    Some((stmt, format!("assert {}", if texts.len() == 1 { request.assume[0].clone() } else { texts.join(" and ") })))
}

fn decide_tests(
    branches: &Branches,
    target: &Arc<Code>,
    guard: Option<&(pytrope_source::tree::StmtId, String)>,
    asked: &Asked<'_>,
) -> PruneAnswer {
    let codes: Vec<&Arc<Code>> = branches.analysed_codes();
    let trees: Vec<&pytrope_source::Tree> = codes.iter().map(|code| &code.tree).collect();
    let names = ShapeNames::of(&trees);
    let mut answer = PruneAnswer { branches: Vec::new(), files: Vec::new(), refused: None, unmodelled: Vec::new() };
    for (index, code) in codes.iter().enumerate() {
        let mut decided: BTreeMap<ExprId, bool> = BTreeMap::new();
        let tests: Vec<(ExprId, &BranchTally)> = branches.tests_of(code).collect();
        let is_asked = |test: ExprId| {
            names.is_shape_test(index, &code.tree, test)
                || is_assumed(asked.assume, code.file.slice(code.tree[test].range))
        };
        let by_class = |part: ExprId| is_asked(part) || !reads_own_attribute(&code.tree, part);
        for (test, tally) in &tests {
            if is_asked(*test)
                && let Some(value) = tally.decision()
                && is_decided_by_class(branches, code, *test, value, &by_class)
            {
                decided.insert(*test, value);
            }
        }
        let effects = |test: ExprId| {
            effects::remaining_effects(&code.file, &code.tree, test, &|range| branches.evidence_at(code, range))
        };
        let decisions = Decisions { decided: &decided, effects: &effects };
        let parsed = parse(&code.file);
        let own_guard = guard.filter(|_| code.module == target.module).cloned();
        let (text, gone) = match rewrite::rewrite_source(&parsed, &decisions, own_guard) {
            // Edits that get into each other's way or make no Python are a bug; nothing is removed then.
            Ok((text, gone)) if is_python(code, &text) => (text, gone),
            Ok(_) | Err(_) => (code.file.text().to_owned(), Vec::new()),
        };
        for (test, tally) in tests {
            let is_gone = gone.iter().any(|other| is_within(&code.tree, test, *other));
            let shape = if is_gone {
                names.is_shape_test(index, &code.tree, test)
            } else {
                names.is_shape_test_without(index, &code.tree, test, &gone)
            };
            let counts = !tests_include_ancestor(&code.tree, test, branches, code);
            answer.branches.push(report::report_branch(
                code,
                test,
                tally,
                report::Fate { is_gone, shape, counts },
                asked.open,
            ));
        }
        let is_target = code.module == target.module;
        if text != code.file.text() || is_target {
            answer.files.push(Pruned { file: Arc::clone(&code.file), module: code.name.to_string(), text, is_target });
        }
    }
    answer.files.sort_by(|a, b| (!a.is_target, a.file.path()).cmp(&(!b.is_target, b.file.path())));
    answer.branches.sort_by(|a, b| (a.file.path(), a.range.start).cmp(&(b.file.path(), b.range.start)));
    answer
}

/// What was asked, as far as decisions depend on it.
struct Asked<'a> {
    assume: &'a [String],
    /// Parameters of which neither a shape nor a value is known.
    open: &'a [String],
}

/// Whether a test is spelled out in an assumption: `self.use_tiling` under `--assume 'not self.use_tiling'`.
fn is_assumed(assume: &[String], test: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    assume.iter().any(|text| {
        text.match_indices(test)
            .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + test.len()..].starts_with(is_word))
    })
}

/// Whether the class of inputs decides a test: in `self.tiled and x.shape[-1] > 64` the flag is the model's, which may be set
/// anew between calls, so that the whole is decided only where the part about the shape decides it.
fn is_decided_by_class(
    branches: &Branches,
    code: &Code,
    test: ExprId,
    value: bool,
    by_class: &dyn Fn(ExprId) -> bool,
) -> bool {
    let tree = &code.tree;
    match tree[test].kind {
        // However the parts decide it together.
        ExprKind::BoolOp { values, .. } if tree[values].iter().all(|part| is_of_class(tree, *part, by_class)) => true,
        ExprKind::BoolOp { op, values } => {
            // The value of an operand that alone decides the whole.
            let absorbing = op == BoolOperator::Or;
            let mut operands = tree[values].iter().copied();
            let is_decided = |operand: ExprId, wanted: bool| {
                branches.decision_of(code, operand) == Some(wanted)
                    && is_decided_by_class(branches, code, operand, wanted, by_class)
            };
            if value == absorbing {
                operands.any(|operand| is_decided(operand, value))
            } else {
                operands.all(|operand| is_decided(operand, value))
            }
        }
        ExprKind::UnaryOp { op: UnaryOperator::Not, operand }
            if matches!(tree[operand].kind, ExprKind::BoolOp { .. } | ExprKind::UnaryOp { .. }) =>
        {
            is_decided_by_class(branches, code, operand, !value, by_class)
        }
        _ => by_class(test),
    }
}

/// Whether the class of inputs says all that a test asks.
fn is_of_class(tree: &pytrope_source::Tree, test: ExprId, by_class: &dyn Fn(ExprId) -> bool) -> bool {
    match tree[test].kind {
        ExprKind::BoolOp { values, .. } => tree[values].iter().all(|part| is_of_class(tree, *part, by_class)),
        ExprKind::UnaryOp { op: UnaryOperator::Not, operand } => is_of_class(tree, operand, by_class),
        _ => by_class(test),
    }
}

/// Whether an expression reads an attribute of `self`.
fn reads_own_attribute(tree: &pytrope_source::Tree, expression: ExprId) -> bool {
    let mut stack = vec![expression];
    while let Some(id) = stack.pop() {
        if let ExprKind::Attribute { value, .. } = tree[id].kind
            && tree.as_name(value).is_some_and(|name| tree.text(name) == "self")
        {
            return true;
        }
        stack.extend(shape_names::child_expressions(tree, id));
    }
    false
}

fn is_python(code: &Code, text: &str) -> bool {
    text == code.file.text() || parse(&SourceFile::from_text(code.file.path(), text)).errors.is_empty()
}

/// Whether a test is a part of another one that was recorded.
fn tests_include_ancestor(tree: &pytrope_source::Tree, test: ExprId, branches: &Branches, code: &Code) -> bool {
    let mut at = test;
    while let Parent::Expr(parent) = tree[at].parent {
        if branches.has_test(code, parent) {
            return true;
        }
        at = parent;
    }
    false
}

/// Whether an expression is another one or a part of it.
fn is_within(tree: &pytrope_source::Tree, mut inner: ExprId, outer: ExprId) -> bool {
    loop {
        if inner == outer {
            return true;
        }
        match tree[inner].parent {
            Parent::Expr(parent) => inner = parent,
            Parent::Stmt(_) | Parent::Module => return false,
        }
    }
}
