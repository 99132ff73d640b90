//! `prune`: removes branches that shapes decide, for whole classes of inputs (Algorithm 2 of the paper, on source).
//!
//! The entry is run once on abstract inputs of the assumed class. A branch goes if every reachable call decides it
//! alike; the analysis goes forward only, so a guard never goes because of what comes after it.

mod effects;
mod record;
pub mod rewrite;
mod shape_names;

use std::collections::BTreeMap;
use std::sync::Arc;

use pytrope_eval::code::Code;
use pytrope_eval::{Value, World};
use pytrope_source::tree::{ExprId, ExprKind, Parent, StmtKind};
use pytrope_source::{SourceFile, Span, TextRange, parse};
use rustc_hash::FxHashSet;

use crate::entry::{Argument, Constant, EntryError, EntrySession, Expression, Mentions, Outcome, hints};
use crate::migrate::parsed;
use record::{Branches, Recorder, Tally};
use rewrite::Decisions;
use shape_names::ShapeNames;

/// What is asked.
pub struct Request<'a> {
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
    pub condition: String,
    pub decision: Decision,
    pub reason: String,
    /// Whether the test is about shapes.
    pub shape: bool,
    /// Calls that reach it, and how many of them decide it.
    pub instances: usize,
    pub decided: usize,
}

/// A file that lost branches.
pub struct Pruned {
    pub file: Arc<SourceFile>,
    pub text: String,
    pub is_target: bool,
}

pub struct Answer {
    pub branches: Vec<Branch>,
    pub files: Vec<Pruned>,
    /// Why nothing can be said.
    pub refused: Option<String>,
    /// What was called and is not modelled: what comes of it is not known.
    pub unmodelled: Vec<(Span, String)>,
}

/// Answers a request; an error is a mistake in the question.
pub fn prune(world: &World, request: &Request<'_>) -> Result<Answer, EntryError> {
    let entry = Expression::parse(request.entry).map_err(EntryError::Entry)?;
    let assumptions = parsed(request.assume)?;
    let mut session = EntrySession::open(world, request.module, &entry, &assumptions)?;
    let mut mentions = Mentions::default();
    for assumption in &assumptions {
        mentions.absorb(assumption.mentions());
    }
    let known: Vec<String> =
        session.parameters().iter().map(|parameter| session.name_of(parameter).to_owned()).collect();
    mentions.check(&known).map_err(EntryError::Entry)?;
    let (arguments, sizes) = arguments(&mut session, &mentions);
    let recorder = Recorder::default();
    let outcome = session.run(&arguments, &sizes, FxHashSet::default(), Box::new(recorder.clone()), &mut |_, _| {});
    let branches = recorder.0.take();
    match outcome {
        Outcome::Contradiction(message) => return Ok(refused(message)),
        Outcome::OutOfFuel => return Ok(refused("the analysis ran out of steps, so nothing is decided".to_owned())),
        Outcome::Returned(_) | Outcome::Raised(_) => {}
    }
    let target = Arc::clone(&session.function.code);
    let mut answer = decide(&branches, &target, guard(&session, request).as_ref());
    answer.unmodelled.clone_from(&session.unmodelled);
    for span in branches.unknown() {
        answer.unmodelled.push((span.clone(), "called while the entry ran".to_owned()));
    }
    Ok(answer)
}

fn refused(message: String) -> Answer {
    Answer { branches: Vec::new(), files: Vec::new(), refused: Some(message), unmodelled: Vec::new() }
}

/// The definition that guards are written into, and their text.
fn guard(session: &EntrySession<'_>, request: &Request<'_>) -> Option<(pytrope_source::tree::StmtId, String)> {
    if !request.guard || request.assume.is_empty() {
        return None;
    }
    let code = &session.function.code;
    let stmt = code.scope(session.function.id).stmt?;
    let texts: Vec<String> = request.assume.iter().map(|text| format!("({text})")).collect();
    Some((stmt, format!("assert {}", if texts.len() == 1 { request.assume[0].clone() } else { texts.join(" and ") })))
}

/// What the entry is run with: what is assumed or annotated, and nothing else.
fn arguments(session: &mut EntrySession<'_>, mentions: &Mentions) -> (Vec<Argument>, Vec<pytrope_dims::Sym>) {
    let mut declared = Vec::new();
    let mut arguments = Vec::new();
    for parameter in session.parameters() {
        let name = session.name_of(&parameter).to_owned();
        let code = Arc::clone(&session.function.code);
        let hint = parameter.annotation.and_then(|annotation| hints::annotated(&code.tree, annotation));
        let rank =
            mentions.ranks.get(&name).copied().or(hint.as_ref().and_then(pytrope_dims::gradual::TensorType::rank));
        arguments.push(match (mentions.constants.get(&name), rank) {
            (Some(Constant::None), _) => Argument::Constant(Value::None),
            (Some(Constant::Bool(value)), _) => Argument::Constant(Value::Bool(*value)),
            (Some(Constant::Int(value)), _) => Argument::Constant(Value::Int(*value)),
            (None, Some(rank)) => {
                let written = hint.as_ref().and_then(|hint| hint.dims()).unwrap_or(&[]).to_vec();
                let dims = (0..rank).map(|axis| match written.get(axis) {
                    Some(pytrope_dims::gradual::DimType::Size(size)) => pytrope_dims::Dim::constant(i128::from(*size)),
                    Some(pytrope_dims::gradual::DimType::Dyn) | None => {
                        let (sym, dim) = session.size(&format!("{name}.shape[{axis}]"));
                        declared.push(sym);
                        dim
                    }
                });
                Argument::Tensor(dims.collect())
            }
            (None, None) if mentions.tensors.contains(&name) || hint.is_some() => Argument::Unranked,
            (None, None) if parameter.default.is_none() => Argument::Unranked,
            (None, None) => Argument::Unknown,
        });
    }
    (arguments, declared)
}

fn decide(branches: &Branches, target: &Arc<Code>, guard: Option<&(pytrope_source::tree::StmtId, String)>) -> Answer {
    let codes: Vec<&Arc<Code>> = branches.codes();
    let trees: Vec<&pytrope_source::Tree> = codes.iter().map(|code| &code.tree).collect();
    let names = ShapeNames::of(&trees);
    let mut answer = Answer { branches: Vec::new(), files: Vec::new(), refused: None, unmodelled: Vec::new() };
    for (index, code) in codes.iter().enumerate() {
        let mut decided: BTreeMap<ExprId, bool> = BTreeMap::new();
        let tests: Vec<(ExprId, &Tally)> = branches.of(code).collect();
        for (test, tally) in &tests {
            if names.is_shape_test(index, &code.tree, *test)
                && let Some(value) = tally.decision()
            {
                decided.insert(*test, value);
            }
        }
        let effects =
            |test: ExprId| effects::effects(&code.file, &code.tree, test, &|range| branches.all_proved(code, range));
        let decisions = Decisions { decided: &decided, effects: &effects };
        let parsed = parse(&code.file);
        let own_guard = guard.filter(|_| code.module == target.module).cloned();
        let (text, gone) = match rewrite::rewrite(&parsed, &decisions, own_guard) {
            Ok(done) => done,
            // Edits that get into each other's way are a bug; nothing is removed then.
            Err(_) => (code.file.text().to_owned(), Vec::new()),
        };
        for (test, tally) in tests {
            let is_gone = gone.iter().any(|other| within(&code.tree, test, *other));
            let shape = if is_gone {
                names.is_shape_test(index, &code.tree, test)
            } else {
                names.is_shape_test_without(index, &code.tree, test, &gone)
            };
            answer.branches.push(branch(code, test, tally, is_gone, shape));
        }
        let is_target = code.module == target.module;
        if text != code.file.text() || is_target {
            answer.files.push(Pruned { file: Arc::clone(&code.file), text, is_target });
        }
    }
    if !answer.files.iter().any(|file| file.is_target) {
        answer.files.push(Pruned {
            file: Arc::clone(&target.file),
            text: target.file.text().to_owned(),
            is_target: true,
        });
    }
    answer.files.sort_by(|a, b| (!a.is_target, a.file.path()).cmp(&(!b.is_target, b.file.path())));
    answer.branches.sort_by(|a, b| (a.file.path(), a.range.start).cmp(&(b.file.path(), b.range.start)));
    answer
}

/// Whether an expression is another one or a part of it.
fn within(tree: &pytrope_source::Tree, mut inner: ExprId, outer: ExprId) -> bool {
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

fn branch(code: &Arc<Code>, test: ExprId, tally: &Tally, gone: bool, shape: bool) -> Branch {
    let range = code.tree[test].range;
    let decision = match tally.decision() {
        Some(true) if gone => Decision::Then,
        Some(false) if gone => Decision::Else,
        Some(_) | None => Decision::Keep,
    };
    let reason = match (decision, tally.decision()) {
        (Decision::Then, _) => "true for every input of the class".to_owned(),
        (Decision::Else, _) => "false for every input of the class".to_owned(),
        (Decision::Keep, Some(value)) if !shape => {
            format!("always {}, but not because of shapes", if value { "true" } else { "false" })
        }
        (Decision::Keep, Some(value)) => format!(
            "always {}, but it cannot be taken out of {}",
            if value { "true" } else { "false" },
            place(code, test)
        ),
        (Decision::Keep, None) if tally.both() => "true in some calls and false in others".to_owned(),
        (Decision::Keep, None) => match &tally.open {
            Some(condition) => format!("not decided: assume something that settles {condition}"),
            None => "not decided by what is known of the inputs".to_owned(),
        },
    };
    Branch {
        file: Arc::clone(&code.file),
        range,
        line: code.file.line_column(range.start).line as usize,
        condition: code.file.slice(range).to_owned(),
        decision,
        reason,
        shape,
        instances: tally.instances(),
        decided: tally.decided(),
    }
}

/// What a test belongs to, for people.
fn place(code: &Code, test: ExprId) -> &'static str {
    match code.tree[test].parent {
        Parent::Stmt(stmt) => match code.tree[stmt].kind {
            StmtKind::While { .. } => "a loop",
            StmtKind::Assert { .. } => "an assertion that fails",
            _ => "its statement",
        },
        Parent::Expr(expr) => match code.tree[expr].kind {
            ExprKind::BoolOp { .. } => "a larger condition",
            _ => "its expression",
        },
        Parent::Module => "the module",
    }
}
