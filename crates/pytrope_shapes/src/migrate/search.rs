//! The search for types: which ranks, all dimensions as numbers, and if that cannot be, the smallest set that stays Dyn.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use pytrope_dims::gradual::{DimType, TensorType};

use super::entry_program::{EntryAxis, EntryParameter, EntryProgram, Presented, RunOptions, Undecided};
use super::general::{GeneralType, generalise_sample};
use super::report::{Blocking, MigrateVerdict, RequirementConflict};
use super::returned::Returned;
use super::solve::{Attempt, Clash, Solving, attempt_run, why_not};

/// The largest rank that is tried first for a tensor of undeclared rank.
pub const MAX_RANK: usize = 6;

/// The largest rank that is tried where none up to [`MAX_RANK`] will do.
const LARGEST_RANK: usize = 12;

/// How many combinations of ranks are tried for several parameters.
const MAX_COMBINATIONS: usize = 400;

/// What was found.
#[derive(Clone, Debug)]
pub struct FoundRanks {
    pub verdict: MigrateVerdict,
    /// A type for each parameter; `None` for those that are no tensors.
    pub types: Vec<Option<TensorType>>,
    /// The ranks each parameter can have.
    pub ranks: Vec<Vec<usize>>,
    pub returned: Option<Returned>,
    pub blocking: Vec<Blocking>,
    /// Why there is no answer.
    pub conflicts: Vec<RequirementConflict>,
    pub unknown: Option<Undecided>,
    /// The dtype of each parameter in the answer.
    pub dtypes: Vec<Option<&'static str>>,
    /// No call comes to its end, as far as requirements conflict on every path.
    pub always_raises: bool,
    pub general: Option<GeneralType>,
}

/// Ranks that an answer was found for.
struct Running {
    ranks: Vec<usize>,
    presented: Vec<Presented>,
    returned: Returned,
    dtypes: Vec<Option<&'static str>>,
}

/// Answers Q1 and Q2 for a program.
pub fn search_types(program: &mut dyn EntryProgram, solving: &mut Solving<'_>) -> FoundRanks {
    let parameters = program.parameters().to_vec();
    let mut found = FoundRanks {
        verdict: MigrateVerdict::Unknown,
        types: vec![None; parameters.len()],
        ranks: vec![Vec::new(); parameters.len()],
        returned: None,
        blocking: Vec::new(),
        conflicts: Vec::new(),
        unknown: None,
        dtypes: vec![None; parameters.len()],
        always_raises: false,
        general: None,
    };
    let mut gradual: Vec<Vec<usize>> = Vec::new();
    let mut running: Vec<Running> = Vec::new();
    let mut furthest = 0;
    let mut best_clash: Option<Box<Clash>> = None;
    let (mut untried, mut choices) = rank_combinations(program, &parameters, 0..=MAX_RANK, solving, &mut found);
    let mut is_extended = false;
    loop {
        let Some(ranks) = untried.pop_front() else {
            let nothing = running.is_empty() && found.unknown.is_none();
            if is_extended || !nothing || parameters.iter().all(EntryParameter::has_rank) {
                break;
            }
            // Where each use of a dimension can be satisfied alone, a larger rank does not help.
            let is_gradual = |ranks: &Vec<usize>| {
                let presented = at_ranks(&parameters, ranks, EntryAxis::Dyn);
                matches!(attempt_run(program, &presented, solving), Attempt::Runs { .. })
            };
            if gradual.iter().any(is_gradual) {
                break;
            }
            is_extended = true;
            (untried, choices) =
                rank_combinations(program, &parameters, MAX_RANK + 1..=LARGEST_RANK, solving, &mut found);
            continue;
        };
        let presented = at_ranks(&parameters, &ranks, EntryAxis::Open);
        match attempt_run(program, &presented, solving) {
            Attempt::Runs { presented, returned, dtypes } => {
                note_ranks(&mut found, &parameters, &ranks);
                running.push(Running { ranks, presented, returned, dtypes });
                if is_settled(&running, &found.ranks, &choices) {
                    break;
                }
            }
            Attempt::Conflict(clash) => {
                gradual.push(ranks);
                // The run that gets furthest says most about why there is no answer.
                if best_clash.as_ref().is_none_or(|best| best.met_requirements() <= clash.met_requirements()) {
                    best_clash = Some(clash);
                }
            }
            Attempt::Unknown(undecided, met) => {
                if found.unknown.is_none() || met > furthest {
                    furthest = met;
                    found.unknown = Some(undecided);
                }
            }
        }
    }
    let best = choose_ranks(running.iter().map(|running| running.ranks.as_slice()), &found.ranks);
    if let Some(best) = best {
        let Running { presented, returned, dtypes, .. } = running.swap_remove(best);
        // Whether the result has this shape or that is for a condition to say that types do not decide.
        found.verdict = if returned.is_undecided() { MigrateVerdict::Partial } else { MigrateVerdict::Static };
        found.types = types_of(&parameters, &presented);
        found.general = generalise_sample(program, &presented, &dtypes);
        found.dtypes = dtypes;
        found.returned = Some(returned);
        found.unknown = None;
        return found;
    }
    if found.unknown.is_some() {
        return found;
    }
    found.always_raises = best_clash.as_ref().is_some_and(|clash| clash.is_certain());
    found.conflicts = best_clash.map(|clash| clash.explain()).unwrap_or_default();
    search_partial_types(program, &parameters, gradual, solving, &mut found);
    found
}

/// Whether the other combinations change nothing: each rank that is possible was seen to run, and the best combination is among
/// those that were.
fn is_settled(running: &[Running], seen: &[Vec<usize>], choices: &[Vec<usize>]) -> bool {
    let is_complete = |(seen, possible): (&Vec<usize>, &Vec<usize>)| possible == &[0] || seen.len() == possible.len();
    let targets = target_ranks(seen);
    let is_best = |ranks: &[usize]| {
        ranks.iter().zip(&targets).zip(seen).all(|((rank, target), seen)| seen.is_empty() || rank == target)
    };
    seen.iter().zip(choices).all(is_complete) && running.iter().any(|running| is_best(&running.ranks))
}

/// The combinations of ranks worth a full run, and the ranks of each parameter they are made of: these are first tried with the
/// others left Dyn. Tensors of one rank come first.
fn rank_combinations(
    program: &mut dyn EntryProgram,
    parameters: &[EntryParameter],
    open: RangeInclusive<usize>,
    solving: &mut Solving<'_>,
    found: &mut FoundRanks,
) -> (VecDeque<Vec<usize>>, Vec<Vec<usize>>) {
    let mut choices: Vec<Vec<usize>> = Vec::new();
    let tensors = parameters.iter().filter(|parameter| parameter.tensor).count();
    for (index, parameter) in parameters.iter().enumerate() {
        let all: Vec<usize> = match (parameter.tensor, parameter.rank, parameter.hint.rank()) {
            (false, ..) => vec![0],
            (true, _, Some(rank)) | (true, Some(rank), None) => vec![rank],
            (true, None, None) => open.clone().collect(),
        };
        if tensors <= 1 || all.len() == 1 {
            choices.push(all);
            continue;
        }
        let possible = all.into_iter().filter(|rank| {
            let mut presented: Vec<Presented> = parameters.iter().map(present_loosely).collect();
            presented[index] = present_with_rank(parameter, *rank, EntryAxis::Dyn);
            !matches!(attempt_run(program, &presented, solving), Attempt::Conflict(_))
        });
        choices.push(possible.collect());
    }
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for ranks in &choices {
        all = all
            .iter()
            .flat_map(|prefix| {
                ranks.iter().map(move |rank| {
                    let mut longer = prefix.clone();
                    longer.push(*rank);
                    longer
                })
            })
            .collect();
    }
    if all.len() > MAX_COMBINATIONS {
        let reason = format!("{} combinations of ranks are too many: assume some ranks", all.len());
        found.unknown = Some(Undecided::without_place(&reason));
        all.truncate(MAX_COMBINATIONS);
    }
    all.sort_by_key(|ranks| {
        let own = ranks.iter().zip(parameters).filter(|(_, parameter)| parameter.tensor).map(|(rank, _)| *rank);
        own.clone().max().unwrap_or(0) - own.min().unwrap_or(0)
    });
    (all.into(), choices)
}

/// A parameter presented with nothing said about it but what is written.
fn present_loosely(parameter: &EntryParameter) -> Presented {
    if !parameter.tensor {
        return Presented::Fixed;
    }
    match parameter.rank.or(parameter.hint.rank()) {
        Some(rank) => present_with_rank(parameter, rank, EntryAxis::Dyn),
        None => Presented::Dyn,
    }
}

/// A tensor of this rank; dimensions without a written size are `open`.
fn present_with_rank(parameter: &EntryParameter, rank: usize, open: EntryAxis) -> Presented {
    let written = parameter.hint.dims().unwrap_or(&[]);
    Presented::Ranked(
        (0..rank)
            .map(|axis| match written.get(axis) {
                Some(DimType::Size(size)) => EntryAxis::Size(i128::from(*size)),
                Some(DimType::Dyn) | None if parameter.named.contains(&axis) => EntryAxis::Open,
                Some(DimType::Dyn) | None => open,
            })
            .collect(),
    )
}

fn at_ranks(parameters: &[EntryParameter], ranks: &[usize], open: EntryAxis) -> Vec<Presented> {
    let present = |(parameter, rank): (&EntryParameter, &usize)| {
        if parameter.tensor { present_with_rank(parameter, *rank, open) } else { Presented::Fixed }
    };
    parameters.iter().zip(ranks).map(present).collect()
}

fn note_ranks(found: &mut FoundRanks, parameters: &[EntryParameter], ranks: &[usize]) {
    for (index, parameter) in parameters.iter().enumerate() {
        if parameter.tensor && !found.ranks[index].contains(&ranks[index]) {
            found.ranks[index].push(ranks[index]);
            found.ranks[index].sort_unstable();
        }
    }
}

/// Which of several combinations of ranks to answer with: the largest ranks, but a matrix where every rank will do.
fn choose_ranks<'a>(candidates: impl Iterator<Item = &'a [usize]>, possible: &[Vec<usize>]) -> Option<usize> {
    let targets = target_ranks(possible);
    let distance =
        |ranks: &[usize]| ranks.iter().zip(&targets).map(|(rank, target)| rank.abs_diff(*target)).sum::<usize>();
    candidates.enumerate().min_by_key(|(_, ranks)| distance(ranks)).map(|(index, _)| index)
}

/// The rank that each parameter would have alone.
fn target_ranks(possible: &[Vec<usize>]) -> Vec<usize> {
    let target = |ranks: &Vec<usize>| match ranks.last() {
        // A program that accepts the largest rank tried accepts them all.
        Some(&(MAX_RANK | LARGEST_RANK)) => ranks.iter().copied().find(|rank| *rank >= 2).unwrap_or(MAX_RANK),
        Some(largest) => *largest,
        None => 0,
    };
    possible.iter().map(target).collect()
}

fn types_of(parameters: &[EntryParameter], presented: &[Presented]) -> Vec<Option<TensorType>> {
    let type_of = |(parameter, presented): (&EntryParameter, &Presented)| match presented {
        _ if !parameter.tensor => None,
        Presented::Fixed => None,
        Presented::Dyn => Some(TensorType::Dyn),
        Presented::Ranked(axes) => Some(TensorType::Dims(
            axes.iter()
                .map(|axis| match axis {
                    EntryAxis::Size(size) => u64::try_from(*size).map_or(DimType::Dyn, DimType::Size),
                    EntryAxis::Dyn | EntryAxis::Open | EntryAxis::Named(_) => DimType::Dyn,
                })
                .collect(),
        )),
    };
    parameters.iter().zip(presented).map(type_of).collect()
}

/// No static types: which dimensions must stay Dyn.
fn search_partial_types(
    program: &mut dyn EntryProgram,
    parameters: &[EntryParameter],
    mut candidates: Vec<Vec<usize>>,
    solving: &mut Solving<'_>,
    found: &mut FoundRanks,
) {
    candidates.retain(|ranks| {
        let presented = at_ranks(parameters, ranks, EntryAxis::Dyn);
        let runs = matches!(attempt_run(program, &presented, solving), Attempt::Runs { .. });
        if runs {
            note_ranks(found, parameters, ranks);
        }
        runs
    });
    if let Some(best) = choose_ranks(candidates.iter().map(Vec::as_slice), &found.ranks) {
        found.verdict = MigrateVerdict::Partial;
        smallest_dynamic_set(program, parameters, &candidates[best], solving, found);
        return;
    }
    // No rank will do; perhaps each use wants another.
    let presented: Vec<Presented> = parameters.iter().map(present_loosely).collect();
    if presented.contains(&Presented::Dyn) && matches!(attempt_run(program, &presented, solving), Attempt::Runs { .. })
    {
        found.verdict = MigrateVerdict::Partial;
        found.types = types_of(parameters, &presented);
        let reasons = std::mem::take(&mut found.conflicts);
        for (index, shape) in presented.iter().enumerate() {
            if *shape == Presented::Dyn {
                found.blocking.push(Blocking {
                    parameter: parameters[index].name.clone(),
                    dimension: None,
                    reasons: reasons.clone(),
                });
            }
        }
        return;
    }
    found.verdict = MigrateVerdict::IllTyped;
}

/// The smallest set of dimensions that goes back to Dyn; those that cannot be static even alone are in it.
fn smallest_dynamic_set(
    program: &mut dyn EntryProgram,
    parameters: &[EntryParameter],
    ranks: &[usize],
    solving: &mut Solving<'_>,
    found: &mut FoundRanks,
) {
    let all_dyn = at_ranks(parameters, ranks, EntryAxis::Dyn);
    let free: Vec<(usize, usize)> = all_dyn
        .iter()
        .enumerate()
        .flat_map(|(parameter, presented)| match presented {
            Presented::Ranked(axes) => axes
                .iter()
                .enumerate()
                .filter(|(_, axis)| **axis == EntryAxis::Dyn)
                .map(|(axis, _)| (parameter, axis))
                .collect(),
            Presented::Dyn | Presented::Fixed => Vec::new(),
        })
        .collect();
    let dyn_run = program.run(&all_dyn, &RunOptions::default());
    let mut alone = Vec::new();
    for place in &free {
        let presented = with_open(&all_dyn, std::slice::from_ref(place));
        if let Attempt::Conflict(clash) = attempt_run(program, &presented, solving) {
            alone.push(*place);
            let shown = why_not(&dyn_run, place.0, place.1);
            let reasons = if shown.is_empty() { clash.explain() } else { shown };
            found.blocking.push(blocking_requirements(parameters, *place, reasons));
        }
    }
    let rest: Vec<(usize, usize)> = free.iter().filter(|place| !alone.contains(place)).copied().collect();
    for size in 0..=rest.len() {
        for dropped in subsets_of_size(&rest, size) {
            let kept: Vec<(usize, usize)> = rest.iter().filter(|place| !dropped.contains(place)).copied().collect();
            let presented = with_open(&all_dyn, &kept);
            if let Attempt::Runs { presented, returned, dtypes } = attempt_run(program, &presented, solving) {
                found.types = types_of(parameters, &presented);
                found.dtypes = dtypes;
                found.returned = Some(returned);
                let reasons = found.conflicts.clone();
                found
                    .blocking
                    .extend(dropped.iter().map(|place| blocking_requirements(parameters, *place, reasons.clone())));
                found.conflicts.clear();
                return;
            }
        }
    }
    found.types = types_of(parameters, &all_dyn);
}

fn with_open(presented: &[Presented], open: &[(usize, usize)]) -> Vec<Presented> {
    let mut presented = presented.to_vec();
    for (parameter, axis) in open {
        if let Presented::Ranked(axes) = &mut presented[*parameter] {
            axes[*axis] = EntryAxis::Open;
        }
    }
    presented
}

fn blocking_requirements(
    parameters: &[EntryParameter],
    (parameter, axis): (usize, usize),
    reasons: Vec<RequirementConflict>,
) -> Blocking {
    Blocking { parameter: parameters[parameter].name.clone(), dimension: Some(axis), reasons }
}

/// Subsets of a size, those with later places first.
fn subsets_of_size(places: &[(usize, usize)], size: usize) -> Vec<Vec<(usize, usize)>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for last in (0..places.len()).rev() {
        for mut rest in subsets_of_size(&places[..last], size - 1) {
            rest.push(places[last]);
            all.push(rest);
        }
    }
    all
}
