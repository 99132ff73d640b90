//! The most general type: names for sizes, and the relations between them under which the program runs.
//!
//! The sizes of an answer are one sample. Here they are opened again, and what the open run requires becomes relations:
//!
//! ```python
//! nn.Sequential(nn.Conv2d(3, 8, 3), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 15 * 15, 10))
//! # x: (batch, 3, h, w) with ((h - 2)//2)*((w - 2)//2) == 225
//! ```
//!
//! The relations are proved as a sample is: the program runs abstractly with symbols for the sizes and the relations assumed,
//! and nothing may be left undecided. Where all sizes at once cannot be shown, as many as can be are opened.

use std::collections::{BTreeMap, BTreeSet};

use pytrope_dims::{
    Answer, Atom, Cmp, Constraint, Dim, FactReason, Formula, Interval, Problem, Relation, Sym, python_floor_div,
};
use pytrope_source::Span;

use super::returned::Returned;
use super::entry_program::{EntryAxis, EntryEnding, EntryProgram, EntryRun, Presented, RunOptions};

/// Sizes with names, and the relations between them.
#[derive(Clone, Debug)]
pub struct GeneralType {
    /// The sizes of each tensor parameter, by its index.
    pub parameters: Vec<Option<Vec<Dim>>>,
    pub relations: Vec<SizeRelation>,
    /// What the program returns, in terms of the names.
    pub result: Returned,
    names: BTreeMap<Sym, String>,
}

/// A relation as a Python expression, with the place that demands it.
#[derive(Clone, Debug)]
pub struct SizeRelation {
    pub text: String,
    pub span: Option<Span>,
    /// The same as constraints, all of which hold.
    pub constraints: Vec<Constraint>,
}

impl GeneralType {
    /// A size as a Python expression over the names.
    pub fn show_size(&self, dim: &Dim) -> String {
        dim.display(&|sym| self.name_of(sym)).to_string()
    }

    pub fn name_of(&self, sym: Sym) -> String {
        self.names.get(&sym).cloned().unwrap_or_else(|| "?".to_owned())
    }

    /// Whether an expression is over named sizes alone.
    pub fn is_named(&self, dim: &Dim) -> bool {
        dim.symbols().iter().all(|sym| self.names.contains_key(sym))
    }

    /// A new size with a name: one that a type leaves open though the program was shown to run with one number alone.
    pub(super) fn add_name(&mut self, name: &str) -> Dim {
        let known = self.names.iter().find(|(_, own)| *own == name).map(|(sym, _)| *sym);
        let sym = known.unwrap_or_else(pytrope_eval::symbols::fresh_symbol);
        self.names.insert(sym, name.to_owned());
        Dim::symbol(sym)
    }

    /// The symbols with their names.
    pub fn named_symbols(&self) -> impl Iterator<Item = (Sym, &str)> {
        self.names.iter().map(|(sym, name)| (*sym, name.as_str()))
    }
}

/// Steps the solver may take for one question here; without an answer a relation stays as it is.
const BUDGET: u32 = 20_000;

/// How often relations are completed by what the run with them still requires.
const ROUNDS: usize = 4;

/// How many sets of open sizes are tried.
const ATTEMPTS: usize = 8;

/// A place of a size: the parameter and the dimension.
type SizePlace = (usize, usize);

/// Generalises a sample that was proved.
pub fn generalise_sample(
    program: &mut dyn EntryProgram,
    sample: &[Presented],
    dtypes: &[Option<&'static str>],
) -> Option<GeneralType> {
    let parameters = program.parameters().to_vec();
    let mut places: Vec<SizePlace> = Vec::new();
    for (index, shape) in sample.iter().enumerate() {
        let Presented::Ranked(axes) = shape else { continue };
        let written = parameters[index].hint.dims().unwrap_or(&[]);
        let is_written = |axis: &usize| matches!(written.get(*axis), Some(pytrope_dims::gradual::DimType::Size(_)));
        places.extend((0..axes.len()).filter(|axis| !is_written(axis)).map(|axis| (index, axis)));
    }
    let mut search = Generalising { program, sample, dtypes };
    let closed = OpenedSizes::default();
    if let Some((opened, result)) = search.open_sizes(&places, &closed) {
        return Some(search.named_type(opened, result));
    }
    // The first dimensions together, then the others one by one, each under the relations found so far: with `32 <= h <= 35`
    // the product of two rounded quotients becomes a bound of `w`.
    let (first, others): (Vec<SizePlace>, Vec<SizePlace>) = places.iter().partition(|(_, axis)| *axis == 0);
    let groups = std::iter::once(first).chain(others.into_iter().map(|place| vec![place]));
    let mut best: Option<(OpenedSizes, Returned)> = None;
    for group in groups.filter(|group| !group.is_empty()).take(ATTEMPTS) {
        let so_far = best.as_ref().map_or(&closed, |(opened, _)| opened);
        if let Some(more) = search.open_sizes(&group, so_far) {
            best = Some(more);
        }
    }
    best.map(|(opened, result)| search.named_type(opened, result))
}

/// Sizes that were opened, with what is demanded of them.
#[derive(Clone, Default)]
struct OpenedSizes {
    /// A symbol, or the number that the size can only be.
    dims: BTreeMap<SizePlace, Dim>,
    demanded: Demanded,
    /// The sample's values of the symbols.
    values: BTreeMap<Sym, i128>,
}

/// What is generalised.
struct Generalising<'a> {
    program: &'a mut dyn EntryProgram,
    sample: &'a [Presented],
    dtypes: &'a [Option<&'static str>],
}

/// Relations on the way: constraints with the place that demands them.
type Demanded = Vec<(Constraint, Option<Span>)>;

impl Generalising<'_> {
    /// More sizes open than so far, if the type can be proved.
    fn open_sizes(&mut self, open: &[SizePlace], so_far: &OpenedSizes) -> Option<(OpenedSizes, Returned)> {
        let mut opened = so_far.clone();
        let presented = self.presented_with(&|place| {
            if open.contains(&place) { Some(EntryAxis::Open) } else { so_far.dims.get(&place).map(axis_of) }
        });
        let run = self.run(&presented, &opened.demanded);
        if !matches!(run.ending, EntryEnding::Returned(_)) {
            return None;
        }
        for &(parameter, axis) in open {
            let sym = run.symbols.get(parameter)?.get(axis).copied().flatten()?;
            let Presented::Ranked(axes) = &self.sample[parameter] else { return None };
            let EntryAxis::Size(size) = axes[axis] else { return None };
            opened.dims.insert((parameter, axis), Dim::symbol(sym));
            opened.values.insert(sym, size);
        }
        add_demands(&mut opened.demanded, &run, &opened.values);
        for _ in 0..ROUNDS {
            simplify_demands(&mut opened);
            let presented = self.presented_with(&|place| opened.dims.get(&place).map(axis_of));
            let run = self.run(&presented, &opened.demanded);
            let EntryEnding::Returned(result) = &run.ending else { return None };
            if run.doubts.is_empty() {
                return Some((opened, result.clone()));
            }
            // Anything but a requirement that is still open cannot be made a relation.
            if run.doubts.len() > run.requirements.len() || run.requirements.iter().any(|open| open.formula.is_none()) {
                return None;
            }
            let before = opened.demanded.len();
            add_demands(&mut opened.demanded, &run, &opened.values);
            if opened.demanded.len() == before {
                return None;
            }
        }
        None
    }

    fn presented_with(&self, changed: &dyn Fn(SizePlace) -> Option<EntryAxis>) -> Vec<Presented> {
        let with = |(parameter, shape): (usize, &Presented)| match shape {
            Presented::Ranked(axes) => {
                let axes = axes.iter().enumerate().map(|(axis, own)| changed((parameter, axis)).unwrap_or(*own));
                Presented::Ranked(axes.collect())
            }
            other => other.clone(),
        };
        self.sample.iter().enumerate().map(with).collect()
    }

    fn run(&mut self, presented: &[Presented], demanded: &Demanded) -> EntryRun {
        let assumed = demanded.iter().map(|(constraint, _)| Formula::from(constraint.clone())).collect();
        self.program.run(presented, &RunOptions { dtypes: self.dtypes.to_vec(), smallest: 1, assumed })
    }

    fn named_type(&self, opened: OpenedSizes, result: Returned) -> GeneralType {
        let mut names: BTreeMap<Sym, String> = BTreeMap::new();
        let mut parameters = Vec::new();
        for (index, shape) in self.sample.iter().enumerate() {
            let Presented::Ranked(axes) = shape else {
                parameters.push(None);
                continue;
            };
            let is_text = self.dtypes.get(index).copied().flatten() == Some("int64");
            let sizes = axes.iter().enumerate().map(|(axis, own)| {
                let fixed = || match own {
                    EntryAxis::Size(size) => Dim::constant(*size),
                    EntryAxis::Dyn | EntryAxis::Open | EntryAxis::Named(_) => Dim::ZERO,
                };
                let dim = opened.dims.get(&(index, axis)).cloned().unwrap_or_else(fixed);
                if let Some(sym) = dim.as_symbol()
                    && !names.contains_key(&sym)
                {
                    let name = unused_name(size_name(axis, axes.len(), is_text), &names);
                    names.insert(sym, name);
                }
                dim
            });
            parameters.push(Some(sizes.collect()));
        }
        let relations = written_relations(opened.demanded, &names);
        GeneralType { parameters, relations, result, names }
    }
}

/// A number, or the symbol that stands for one.
fn axis_of(dim: &Dim) -> EntryAxis {
    match dim.as_const() {
        Some(size) => EntryAxis::Size(size),
        None => dim.as_symbol().map_or(EntryAxis::Open, EntryAxis::Named),
    }
}

/// What people call a dimension.
fn size_name(axis: usize, rank: usize, is_text: bool) -> &'static str {
    match (axis, rank) {
        (0, 1) => "n",
        (0, _) => "batch",
        (1, 2 | 3) if is_text => "tokens",
        (1, 2) | (2, 3) => "features",
        (1, 3) => "tokens",
        (1, 4 | 5) => "channels",
        (2, 4) | (3, 5) => "h",
        (3, 4) | (4, 5) => "w",
        (2, 5) => "d",
        _ => "n",
    }
}

fn unused_name(name: &str, names: &BTreeMap<Sym, String>) -> String {
    let is_used = |name: &str| names.values().any(|own| own == name);
    if !is_used(name) {
        return name.to_owned();
    }
    (2..=names.len() + 2)
        .map(|number| format!("{name}{number}"))
        .find(|numbered| !is_used(numbered))
        .unwrap_or_default()
}

/// What a run requires of the open sizes, as constraints that all hold for the sample.
fn add_demands(demanded: &mut Demanded, run: &EntryRun, values: &BTreeMap<Sym, i128>) {
    let value = |sym: Sym| values.get(&sym).copied();
    let mut add = |constraint: Constraint, span: Option<&Span>| {
        let is_own = constraint.dim.symbols().iter().all(|sym| values.contains_key(sym));
        if is_own && constraint.as_const().is_none() && constraint.eval(&value) == Some(true) {
            for form in solved_forms(constraint) {
                if !demanded.iter().any(|(known, _)| *known == form) {
                    demanded.push((form, span.cloned()));
                }
            }
        }
    };
    for requirement in &run.requirements {
        let Some(formula) = &requirement.formula else { continue };
        let mut chosen = Vec::new();
        choose_parts(formula, &value, &mut chosen);
        for constraint in chosen {
            add(constraint, Some(&requirement.span));
        }
    }
    for fact in &run.facts {
        add(fact.clone(), None);
    }
}

/// The constraints of a formula; of alternatives the one that the sample satisfies, relations between sizes first.
fn choose_parts(formula: &Formula, value: &dyn Fn(Sym) -> Option<i128>, chosen: &mut Vec<Constraint>) {
    match formula {
        Formula::Constraint(constraint) => chosen.push(constraint.clone()),
        Formula::And(parts) => parts.iter().for_each(|part| choose_parts(part, value, chosen)),
        Formula::Or(parts) => {
            let count = |part: &&Formula| {
                let mut symbols = BTreeSet::new();
                part.collect_symbols(&mut symbols);
                symbols.len()
            };
            let holding = parts.iter().filter(|part| part.eval(value) == Some(true));
            if let Some(part) = holding.max_by_key(count) {
                choose_parts(part, value, chosen);
            }
        }
    }
}

/// A constraint on a rounded quotient says something about what is divided: `h // 4 == 7` is `28 <= h <= 31`.
fn solved_forms(constraint: Constraint) -> Vec<Constraint> {
    if let Some(solved) = without_floor(&constraint) {
        return solved_forms(solved);
    }
    if constraint.relation == Relation::Zero
        && let [(monomial, _)] = constraint.dim.terms()
        && matches!(monomial.as_atom(), Some(Atom::Floor(_)))
    {
        let upper = constraint.dim.negated().map(|dim| Constraint::new(Relation::NonNegative, dim));
        let bounds = [Some(Constraint::new(Relation::NonNegative, constraint.dim.clone())), upper];
        let solved: Option<Vec<Constraint>> = bounds.into_iter().map(|bound| without_floor(&bound?)).collect();
        if let Some(solved) = solved {
            return solved.into_iter().flat_map(solved_forms).collect();
        }
    }
    vec![constraint]
}

/// `a*(p // d) + b >= 0` as a bound of `p`.
fn without_floor(constraint: &Constraint) -> Option<Constraint> {
    let (Relation::NonNegative, [(monomial, factor)]) = (constraint.relation, constraint.dim.terms()) else {
        return None;
    };
    let Atom::Floor(parts) = monomial.as_atom()? else { return None };
    let divisor = parts.1.as_const().filter(|divisor| *divisor > 0)?;
    let constant = constraint.dim.constant_term();
    let dim = if *factor > 0 {
        // p // d >= m, with m = ceil(-b / a)
        let least = python_floor_div(constant, *factor)?.checked_neg()?;
        parts.0.plus_const(least.checked_mul(divisor)?.checked_neg()?)?
    } else {
        // p // d <= m, with m = floor(b / -a)
        let most = python_floor_div(constant, factor.checked_neg()?)?;
        parts.0.negated()?.plus_const(most.checked_add(1)?.checked_mul(divisor)?.checked_sub(1)?)?
    };
    Some(Constraint::new(Relation::NonNegative, dim))
}

/// Sizes that can only be a number become it, equal ones become one symbol, and what follows from the rest goes.
fn simplify_demands(opened: &mut OpenedSizes) {
    let OpenedSizes { dims: symbols, demanded, values } = opened;
    let values = &*values;
    let problem = |demanded: &Demanded, without: Option<usize>| {
        let mut problem = Problem::new().with_budget(BUDGET);
        for sym in values.keys() {
            problem.declare(*sym, Interval::at_least(1));
        }
        for (index, (constraint, _)) in demanded.iter().enumerate() {
            if Some(index) != without {
                problem.assert(constraint.clone(), FactReason(index as u32));
            }
        }
        problem
    };
    let follows = |demanded: &Demanded, without: Option<usize>, constraint: &Constraint| {
        constraint.negated().is_some_and(|negated| {
            let mut problem = problem(demanded, without);
            problem.assert(negated, FactReason(u32::MAX));
            problem.solve() == Answer::Unsat
        })
    };
    let mut kept: Vec<Sym> = Vec::new();
    for (sym, value) in values {
        let is_constrained = demanded.iter().any(|(constraint, _)| constraint.dim.mentions(*sym));
        if !is_constrained {
            continue;
        }
        let own = Dim::symbol(*sym);
        let constant = Dim::constant(*value);
        let number = Constraint::equal(&own, &constant).filter(|equal| follows(demanded, None, equal));
        let replacement = if number.is_some() {
            Some(constant)
        } else {
            let alike = kept.iter().find(|other| {
                values.get(*other) == Some(value)
                    && Constraint::equal(&own, &Dim::symbol(**other))
                        .is_some_and(|equal| follows(demanded, None, &equal))
            });
            alike.map(|other| Dim::symbol(*other))
        };
        let Some(replacement) = replacement else {
            kept.push(*sym);
            continue;
        };
        let replace = |other: Sym| (other == *sym).then(|| replacement.clone());
        for (constraint, _) in demanded.iter_mut() {
            if let Some(replaced) = constraint.substitute(&replace) {
                *constraint = replaced;
            }
        }
        for dim in symbols.values_mut() {
            if let Some(replaced) = dim.substitute(&replace) {
                *dim = replaced;
            }
        }
    }
    demanded.retain(|(constraint, _)| constraint.as_const() != Some(true));
    let mut seen: Vec<Constraint> = Vec::new();
    demanded.retain(|(constraint, _)| {
        let is_new = !seen.contains(constraint);
        seen.push(constraint.clone());
        is_new
    });
    // The longest go first: what is left is what people would write.
    let mut order: Vec<usize> = (0..demanded.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(demanded[*index].0.to_string().len()));
    let mut dropped: BTreeSet<usize> = BTreeSet::new();
    for index in order {
        let rest: Demanded = demanded
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != index && !dropped.contains(at))
            .map(|(_, own)| own.clone())
            .collect();
        if follows(&rest, None, &demanded[index].0) {
            dropped.insert(index);
        }
    }
    let mut at = 0;
    demanded.retain(|_| {
        at += 1;
        !dropped.contains(&(at - 1))
    });
}

/// A constraint that is a bound of one size, with the place that demands it.
type SizeBound = (Constraint, Cmp, i128, Option<Span>);

/// Relations as Python expressions; bounds of one size are one relation.
fn written_relations(demanded: Demanded, names: &BTreeMap<Sym, String>) -> Vec<SizeRelation> {
    let name = |sym: Sym| names.get(&sym).cloned().unwrap_or_else(|| "?".to_owned());
    let mut relations = Vec::new();
    let mut bounded: BTreeMap<Sym, Vec<SizeBound>> = BTreeMap::new();
    for (constraint, span) in demanded {
        match bound_of(&constraint) {
            Some((sym, cmp, bound)) => bounded.entry(sym).or_default().push((constraint, cmp, bound, span)),
            None => relations.push(SizeRelation {
                text: relation_text(&constraint, &name),
                span,
                constraints: vec![constraint],
            }),
        }
    }
    for (sym, bounds) in bounded {
        let least = bounds.iter().filter(|(_, cmp, ..)| *cmp == Cmp::Ge).map(|(_, _, bound, _)| *bound).max();
        let most = bounds.iter().filter(|(_, cmp, ..)| *cmp == Cmp::Le).map(|(_, _, bound, _)| *bound).min();
        let name = name(sym);
        let text = match (least, most) {
            (Some(least), Some(most)) => format!("{least} <= {name} <= {most}"),
            (Some(least), None) => format!("{name} >= {least}"),
            (None, Some(most)) => format!("{name} <= {most}"),
            (None, None) => continue,
        };
        let span = bounds.iter().find_map(|(.., span)| span.clone());
        relations.push(SizeRelation { text, span, constraints: bounds.into_iter().map(|(own, ..)| own).collect() });
    }
    relations
}

/// `h % 4 == 0` rather than `h == 4*(h//4)`.
fn relation_text(constraint: &Constraint, name: &dyn Fn(Sym) -> String) -> String {
    let whole = constraint.dim.display(name).to_string();
    match constraint.relation {
        Relation::Zero if whole.contains('%') => format!("{whole} == 0"),
        Relation::NonZero if whole.contains('%') => format!("{whole} != 0"),
        _ => constraint.display_with(name),
    }
}

/// `a*n + b >= 0` as a bound of `n`.
pub fn bound_of(constraint: &Constraint) -> Option<(Sym, Cmp, i128)> {
    let (Relation::NonNegative, [(monomial, factor)]) = (constraint.relation, constraint.dim.terms()) else {
        return None;
    };
    let sym = monomial.as_symbol()?;
    let constant = constraint.dim.constant_term();
    match factor {
        1 => Some((sym, Cmp::Ge, constant.checked_neg()?)),
        -1 => Some((sym, Cmp::Le, constant)),
        _ => None,
    }
}
