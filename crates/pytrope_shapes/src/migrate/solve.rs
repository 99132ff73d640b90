//! From one run to numbers: its requirements as a problem, a natural model, and the same run with the numbers in place.

use std::time::{Duration, Instant};

use pytrope_dims::{Answer, Constraint, Dim, FactReason, Formula, Interval, Problem, Sym};

use super::entry_program::{EntryAxis, EntryEnding, EntryProgram, EntryRun, Presented, Requirement, Returned};
use super::report::RequirementConflict;

/// What came of one way of presenting the parameters.
#[derive(Clone, Debug)]
pub enum Attempt {
    /// Numbers for the open dimensions with which the program runs.
    Runs { presented: Vec<Presented>, returned: Returned },
    /// No numbers do.
    Conflict(Box<Clash>),
    /// Neither was shown.
    Unknown(String),
}

/// Requirements that cannot all hold; which of them is computed on demand.
#[derive(Clone, Debug)]
pub struct Clash {
    problem: Problem,
    requirements: Vec<Requirement>,
    /// What the program raises, where the requirements alone do not say why.
    raised: Option<RequirementConflict>,
}

impl Clash {
    /// How far the run got: the requirements it met.
    pub fn met_requirements(&self) -> usize {
        self.requirements.len()
    }

    /// The fewest requirements that conflict.
    pub fn explain(&self) -> Vec<RequirementConflict> {
        let mut conflicts = explain(&self.problem, &self.requirements);
        if conflicts.is_empty() {
            conflicts.extend(self.raised.clone());
        }
        conflicts
    }
}

/// Where queries go besides our own procedure.
#[derive(Default)]
pub struct Solving<'a> {
    /// Sees every query as SMT-LIB text.
    pub dump: Option<&'a mut dyn FnMut(&str)>,
    /// OpaquePredicate where ours does not know; answers with values by the symbols' names in the text.
    pub second: Option<&'a dyn Fn(&Problem) -> Answer>,
    /// Time spent waiting for the second opinion.
    pub waited: Duration,
}

/// The reason of what is no requirement of an operation.
const FACT: u32 = u32::MAX;

/// How many models are tried before the answer is "unknown".
const TRIES: usize = 4;

/// Runs the program and finds numbers for what was left open.
pub fn attempt_run(program: &mut dyn EntryProgram, presented: &[Presented], solving: &mut Solving<'_>) -> Attempt {
    let run = program.run(presented);
    let mut problem = match &run.ending {
        EntryEnding::Lost { reason } => return Attempt::Unknown(reason.clone()),
        EntryEnding::Raised { message, span } => {
            let raised = span.as_ref().map(|span| RequirementConflict { span: span.clone(), message: message.clone() });
            let clash = Clash { problem: requirements_of(&run), requirements: run.requirements, raised };
            return Attempt::Conflict(Box::new(clash));
        }
        EntryEnding::Returned(_) => problem_of(&run, presented),
    };
    let mut last = "no numbers were found that run".to_owned();
    for _ in 0..TRIES {
        let model = match solve_problem(&problem, solving) {
            Answer::Sat(model) => model,
            Answer::Unsat => {
                return Attempt::Conflict(Box::new(Clash { problem, requirements: run.requirements, raised: None }));
            }
            Answer::Unknown => return Attempt::Unknown("the constraints were not decided".to_owned()),
        };
        let numbers = fill_sizes(presented, &run, &|sym| model.get(&sym).copied());
        let check = program.run(&numbers);
        match check.ending {
            EntryEnding::Returned(returned) if !returned.is_known() => {
                return Attempt::Unknown("what the program returns is not known".to_owned());
            }
            EntryEnding::Returned(returned) => match check.requirements.first() {
                None => return Attempt::Runs { presented: numbers, returned },
                Some(open) => return Attempt::Unknown(format!("not decided: {}", open.message)),
            },
            EntryEnding::Raised { message, .. } => last = message,
            EntryEnding::Lost { reason } => return Attempt::Unknown(reason),
        }
        let others = open_symbols(&run).filter_map(|sym| {
            let value = *model.get(&sym)?;
            Some(Formula::from(Constraint::equal(&Dim::symbol(sym), &Dim::constant(value))?.negated()?))
        });
        problem.assert(Formula::or(others), FactReason(FACT));
    }
    Attempt::Unknown(last)
}

fn open_symbols(run: &EntryRun) -> impl Iterator<Item = Sym> + '_ {
    run.symbols.iter().flatten().flatten().copied()
}

/// All that a run requires.
fn requirements_of(run: &EntryRun) -> Problem {
    let mut problem = Problem::new();
    for sym in open_symbols(run) {
        problem.declare(sym, Interval::at_least(0));
    }
    for (index, requirement) in run.requirements.iter().enumerate() {
        if let Some(formula) = &requirement.formula {
            problem.assert(formula.clone(), FactReason(index as u32));
        }
    }
    problem
}

fn problem_of(run: &EntryRun, presented: &[Presented]) -> Problem {
    let mut problem = requirements_of(run);
    for fact in &run.facts {
        problem.assert(fact.clone(), FactReason(FACT));
    }
    for (parameter, symbols) in presented.iter().zip(&run.symbols) {
        let Presented::Ranked(axes) = parameter else { continue };
        for (axis, sym) in symbols.iter().enumerate() {
            if let Some(sym) = sym {
                problem.prefer(*sym, natural_sizes(axis, axes.len()));
            }
        }
    }
    problem
}

/// Sizes people use: one item, three channels, images of 224, multiples of 32.
fn natural_sizes(axis: usize, rank: usize) -> Vec<i128> {
    match (axis, rank) {
        (0, 2..) => vec![1, 2, 3, 4, 8],
        // Frames or slices of a volume are fewer than its rows.
        (2, 5) => vec![16, 32, 64, 8, 4, 2, 1],
        // Many dimensions are small ones, or the tensor would fill the memory.
        (_, 6..) => vec![4, 3, 2, 8, 16, 32, 1],
        (1, 4..) => vec![3, 1, 2, 4],
        (_, 4..) => vec![224, 256, 299, 384, 512, 64, 32, 16, 8, 4, 2, 1],
        _ => vec![32, 64, 128, 16, 8, 4, 3, 2, 1],
    }
}

fn solve_problem(problem: &Problem, solving: &mut Solving<'_>) -> Answer {
    if let Some(dump) = &mut solving.dump {
        dump(&pytrope_dims::smt2::to_smt2(problem, &|sym| format!("d{}", sym.0)));
    }
    let mut answer = problem.solve();
    if answer == Answer::Unknown
        && let Some(second) = solving.second
    {
        let started = Instant::now();
        answer = second(problem);
        solving.waited += started.elapsed();
    }
    answer
}

/// The presentation with numbers where the model has them.
fn fill_sizes(presented: &[Presented], run: &EntryRun, value: &dyn Fn(Sym) -> Option<i128>) -> Vec<Presented> {
    let fill = |parameter: &Presented, symbols: &Vec<Option<Sym>>| match parameter {
        Presented::Ranked(axes) => Presented::Ranked(
            axes.iter()
                .zip(symbols)
                .map(|(axis, sym)| match (axis, sym) {
                    (EntryAxis::Open, Some(sym)) => value(*sym).map_or(EntryAxis::Open, EntryAxis::Size),
                    (axis, _) => *axis,
                })
                .collect(),
        ),
        other => other.clone(),
    };
    presented.iter().zip(&run.symbols).map(|(parameter, symbols)| fill(parameter, symbols)).collect()
}

fn explain(problem: &Problem, requirements: &[Requirement]) -> Vec<RequirementConflict> {
    let reasons = problem.explain().unwrap_or_default();
    let found = reasons.iter().filter_map(|reason| requirements.get(reason.0 as usize));
    found.map(RequirementConflict::of).collect()
}

/// Why one dimension, alone, cannot be a number: the requirements of a fully Dyn run on it that conflict.
pub fn why_not(run: &EntryRun, parameter: usize, axis: usize) -> Vec<RequirementConflict> {
    let Some(own) = run.dynamic.get(parameter).and_then(|symbols| symbols.get(axis).copied()).flatten() else {
        return Vec::new();
    };
    let others: Vec<Sym> = run.dynamic.iter().flatten().flatten().copied().filter(|sym| *sym != own).collect();
    let mut problem = Problem::new();
    problem.declare(own, Interval::at_least(0));
    for (index, requirement) in run.separate.iter().enumerate() {
        if let Some(formula) = &requirement.formula {
            let mut symbols = std::collections::BTreeSet::new();
            formula.collect_symbols(&mut symbols);
            if !others.iter().any(|sym| symbols.contains(sym)) {
                problem.assert(formula.clone(), FactReason(index as u32));
            }
        }
    }
    explain(&problem, &run.separate)
}
