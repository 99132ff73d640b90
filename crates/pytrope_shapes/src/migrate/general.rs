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

use std::collections::BTreeMap;

use pytrope_dims::{Cmp, Constraint, Dim, Formula, Relation, Sym};
use pytrope_source::Span;

use super::demands::{Demanded, add_demands, drop_implied, settle_sizes};
use super::entry_program::{EntryAxis, EntryEnding, EntryProgram, EntryRun, Presented, RunOptions};
use super::returned::Returned;
use super::styles::range_text;

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
    let together = search.open_sizes(&places, &closed);
    if let Some((opened, result)) = &together
        && !opened.demanded.iter().any(|(constraint, _)| relates_products(constraint))
    {
        return Some(search.named_type(opened.clone(), result.clone()));
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
    // Ranges say more to people, and to tools that take them, than an equation of products does.
    if let Some((all, _)) = &together {
        let is_open = |opened: &OpenedSizes, place: &SizePlace| {
            opened.dims.get(place).is_some_and(|size| size.as_const().is_none())
        };
        let leaves_none = |(opened, _): &(OpenedSizes, Returned)| {
            places.iter().all(|place| is_open(opened, place) || !is_open(all, place))
        };
        if !best.as_ref().is_some_and(leaves_none) {
            best = together;
        }
    }
    best.map(|(opened, result)| search.named_type(opened, result))
}

/// Whether it is an equation in which sizes are multiplied.
fn relates_products(constraint: &Constraint) -> bool {
    constraint.relation == Relation::Zero && constraint.dim.terms().iter().any(|(monomial, _)| monomial.degree() > 1)
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
            settle_sizes(&mut opened.demanded, &mut opened.dims, &opened.values);
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
        let relations = written_relations(drop_implied(opened.demanded, &opened.values), &names);
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
        let ends: Vec<(Sym, Cmp, i128)> = bounds.iter().map(|(_, cmp, bound, _)| (sym, *cmp, *bound)).collect();
        let text = range_text(&name(sym), &ends);
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
