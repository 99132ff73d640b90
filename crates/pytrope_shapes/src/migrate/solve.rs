//! From one run to numbers: its requirements as a problem, a natural model, and the same run with the numbers in place.

use std::time::{Duration, Instant};

use pytrope_dims::{Answer, Constraint, Dim, FactReason, Formula, Interval, Model, Problem, Sym};

use super::entry_program::{
    EntryAxis, EntryEnding, EntryProgram, EntryRequirement, EntryRun, Presented, RunOptions, Undecided,
};
use super::proof::{Proof, prove_types};
use super::report::RequirementConflict;
use super::returned::Returned;

/// What came of one way of presenting the parameters.
#[derive(Clone, Debug)]
pub enum Attempt {
    /// Numbers for the open dimensions, and dtypes, with which the program was shown to run.
    Runs { presented: Vec<Presented>, returned: Returned, dtypes: Vec<Option<&'static str>> },
    /// No numbers do.
    Conflict(Box<Clash>),
    /// Neither was shown; with the number of requirements met.
    Unknown(Undecided, usize),
}

/// Requirements that cannot all hold; which of them is computed on demand.
#[derive(Clone, Debug)]
pub struct Clash {
    problem: Problem,
    requirements: Vec<EntryRequirement>,
    /// What the program raises, where the requirements alone do not say why.
    raised: Option<RequirementConflict>,
}

impl Clash {
    /// How far the run got: the requirements it met.
    pub fn met_requirements(&self) -> usize {
        self.requirements.len()
    }

    /// Whether every call raises: what conflicts lies on every path.
    pub fn is_certain(&self) -> bool {
        let reasons = self.problem.explain().unwrap_or_default();
        let of = |reason: &FactReason| self.requirements.get(reason.0 as usize);
        reasons.iter().filter_map(of).all(|requirement| requirement.certain)
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

/// How many models of one set of requirements are tried before the answer is "unknown".
const TRIES: usize = 3;

/// Which requirements numbers are looked for, from the most to the least that is wanted of them.
#[derive(Clone, Copy)]
struct Wanted {
    /// What is required under conditions that are not decided holds too.
    everywhere: bool,
    /// Images are square.
    square: bool,
    smallest: i128,
}

const WANTED: [Wanted; 5] = [
    Wanted { everywhere: true, square: true, smallest: 1 },
    Wanted { everywhere: true, square: false, smallest: 1 },
    Wanted { everywhere: false, square: true, smallest: 1 },
    Wanted { everywhere: false, square: false, smallest: 1 },
    Wanted { everywhere: false, square: false, smallest: 0 },
];

/// Runs the program, finds numbers for what was left open, and proves them.
pub fn attempt_run(program: &mut dyn EntryProgram, presented: &[Presented], solving: &mut Solving<'_>) -> Attempt {
    let attempt = attempt_open(program, presented, &RunOptions::default(), solving);
    let Attempt::Unknown(undecided, met) = attempt else { return attempt };
    if !undecided.message.starts_with(WRONG_NUMBERS) {
        return Attempt::Unknown(undecided, met);
    }
    // The open run did not say what the sizes must be, as behind `x.squeeze()`: one item, and nothing else of size 1.
    let single = with_single_item(presented);
    match attempt_open(program, &single, &RunOptions { smallest: 2, ..RunOptions::default() }, solving) {
        runs @ Attempt::Runs { .. } => runs,
        Attempt::Conflict(_) | Attempt::Unknown(..) => Attempt::Unknown(undecided, met),
    }
}

/// How the reason begins where numbers were found that the proof refuted.
const WRONG_NUMBERS: &str = "no sizes were found for which the program runs";

fn with_single_item(presented: &[Presented]) -> Vec<Presented> {
    let mut presented = presented.to_vec();
    for shape in &mut presented {
        if let Presented::Ranked(axes) = shape
            && let [first @ EntryAxis::Open, _, ..] = axes.as_mut_slice()
        {
            *first = EntryAxis::Size(1);
        }
    }
    presented
}

fn attempt_open(
    program: &mut dyn EntryProgram,
    presented: &[Presented],
    options: &RunOptions,
    solving: &mut Solving<'_>,
) -> Attempt {
    let run = program.run(presented, options);
    match &run.ending {
        EntryEnding::Lost { reason } => {
            return Attempt::Unknown(Undecided { message: reason.clone(), span: None }, run.requirements.len());
        }
        EntryEnding::Raised { message, span } => {
            let raised = span.as_ref().map(|span| RequirementConflict { span: span.clone(), message: message.clone() });
            let problem = requirements_of(&run, Wanted { everywhere: true, square: false, smallest: 0 });
            return Attempt::Conflict(Box::new(Clash { problem, requirements: run.requirements, raised }));
        }
        EntryEnding::Returned(_) => {}
    }
    let met = run.requirements.len();
    let mut clash: Option<Problem> = None;
    let mut undecided: Option<Undecided> = None;
    let mut refuted: Option<Undecided> = None;
    let mut tried: Vec<Vec<Presented>> = Vec::new();
    let mut first_model: Option<(Problem, Model)> = None;
    let has_uncertain = run.requirements.iter().any(|requirement| !requirement.certain);
    for wanted in WANTED.into_iter().filter(|wanted| has_uncertain || wanted.everywhere || wanted.smallest == 0) {
        let mut problem = problem_of(&run, presented, wanted);
        for _ in 0..TRIES {
            let model = match solve_problem(&problem, solving) {
                Answer::Sat(model) => square_model(&problem, &run, &model).unwrap_or(model),
                Answer::Unsat => {
                    if tried.is_empty() || clash.is_none() && wanted.everywhere && !wanted.square {
                        clash = Some(problem);
                    }
                    break;
                }
                Answer::Unknown => {
                    let reason = Undecided::without_place("the constraints were not decided");
                    undecided.get_or_insert(reason);
                    break;
                }
            };
            let numbers = fill_sizes(presented, &run, &|sym| model.get(&sym).copied());
            if tried.contains(&numbers) {
                break;
            }
            match prove_types(program, &numbers) {
                Proof::Proved { returned, dtypes } => return Attempt::Runs { presented: numbers, returned, dtypes },
                Proof::Refuted(why) => {
                    refuted = refuted.or(Some(why));
                    first_model.get_or_insert_with(|| (problem.clone(), model.clone()));
                }
                Proof::Open(why) => {
                    // Other numbers leave it as open as these.
                    undecided.get_or_insert(why);
                    tried.push(numbers);
                    break;
                }
            }
            tried.push(numbers);
            let others = open_symbols(&run).filter_map(|sym| {
                let value = *model.get(&sym)?;
                Some(Formula::from(Constraint::equal(&Dim::symbol(sym), &Dim::constant(value))?.negated()?))
            });
            problem.assert(Formula::or(others), FactReason(FACT));
        }
        if tried.len() >= 2 * TRIES {
            break;
        }
    }
    // What the open run does not say may hold for other usual sizes: a table of positions is as long as some image has patches.
    if let (None, Some((problem, model))) = (&undecided, &first_model) {
        for other in other_models(problem, &run, model) {
            let numbers = fill_sizes(presented, &run, &|sym| other.get(&sym).copied());
            if !tried.contains(&numbers)
                && let Proof::Proved { returned, dtypes } = prove_types(program, &numbers)
            {
                return Attempt::Runs { presented: numbers, returned, dtypes };
            }
        }
    }
    match (clash, undecided, refuted) {
        // Numbers fit what is required on every path and not what is required on some.
        (Some(problem), ..) if tried.is_empty() || has_uncertain => {
            Attempt::Conflict(Box::new(Clash { problem, requirements: run.requirements, raised: None }))
        }
        (_, Some(undecided), _) => Attempt::Unknown(undecided, met),
        (_, None, Some(why)) => {
            Attempt::Unknown(Undecided { message: format!("{WRONG_NUMBERS}: {}", why.message), span: why.span }, met)
        }
        (Some(problem), None, None) => {
            Attempt::Conflict(Box::new(Clash { problem, requirements: run.requirements, raised: None }))
        }
        (None, None, None) => Attempt::Unknown(Undecided::without_place(WRONG_NUMBERS), met),
    }
}

/// The largest image that is looked for.
const LARGEST_IMAGE: i128 = 1024;

/// The same model with rows and columns of one size, where the procedure did not find one.
fn square_model(problem: &Problem, run: &EntryRun, model: &Model) -> Option<Model> {
    let images = run.symbols.iter().filter_map(|symbols| match symbols.as_slice() {
        [_, _, .., Some(rows), Some(columns)] if rows != columns => Some((*rows, *columns)),
        _ => None,
    });
    let images: Vec<(Sym, Sym)> = images.collect();
    if images.iter().all(|(rows, columns)| model.get(rows) == model.get(columns)) {
        return None;
    }
    natural_sizes(3, 4).into_iter().chain(1..=LARGEST_IMAGE).find_map(|size| {
        let mut squared = model.clone();
        for (rows, columns) in &images {
            squared.insert(*rows, size);
            squared.insert(*columns, size);
        }
        (problem.eval(&squared) == Some(true)).then_some(squared)
    })
}

/// Sizes of images and lengths of sequences that are tried where the preferred ones do not run.
const OTHER_SIZES: [i128; 5] = [64, 32, 128, 16, 8];

/// The same model with other sizes for what is usually free: rows and columns of images, and lengths.
fn other_models(problem: &Problem, run: &EntryRun, model: &Model) -> Vec<Model> {
    let resized = |size: i128| {
        let mut other = model.clone();
        for symbols in &run.symbols {
            let free = match symbols.len() {
                0 | 1 => &[],
                2 | 3 => &symbols[1..2],
                rank => &symbols[rank - 2..],
            };
            for sym in free.iter().flatten() {
                other.insert(*sym, size);
            }
        }
        (problem.eval(&other) == Some(true)).then_some(other)
    };
    OTHER_SIZES.into_iter().filter_map(resized).collect()
}

fn open_symbols(run: &EntryRun) -> impl Iterator<Item = Sym> + '_ {
    run.symbols.iter().flatten().flatten().copied()
}

/// All that a run requires.
fn requirements_of(run: &EntryRun, wanted: Wanted) -> Problem {
    let mut problem = Problem::new();
    for sym in open_symbols(run) {
        problem.declare(sym, Interval::at_least(wanted.smallest));
    }
    for (index, requirement) in run.requirements.iter().enumerate() {
        if let Some(formula) = &requirement.formula
            && (requirement.certain || wanted.everywhere)
        {
            problem.assert(formula.clone(), FactReason(index as u32));
        }
    }
    problem
}

fn problem_of(run: &EntryRun, presented: &[Presented], wanted: Wanted) -> Problem {
    let mut problem = requirements_of(run, wanted);
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
        // The last two of four or more dimensions are the rows and columns of an image.
        if let (true, 4.., [.., Some(rows), Some(columns)]) = (wanted.square, axes.len(), symbols.as_slice())
            && let Some(square) = Constraint::equal(&Dim::symbol(*rows), &Dim::symbol(*columns))
        {
            problem.assert(square, FactReason(FACT));
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

fn explain(problem: &Problem, requirements: &[EntryRequirement]) -> Vec<RequirementConflict> {
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
