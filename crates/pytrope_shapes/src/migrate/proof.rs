//! The proof of an answer: the program run abstractly with exactly these types, and nothing left undecided.
//!
//! A run proves its types if it comes to its end, every requirement was decided true, also those under conditions that are
//! not decided, no rule was left out since nothing was known of a value, and the sizes of the result are numbers:
//!
//! ```python
//! y = unknown_library.change(x)   # a run with x of any type proves nothing from here on
//! if x.sum() > 0:                 # not decided by types: what both arms require must hold
//! ```

use super::entry_program::{EntryAxis, EntryEnding, EntryParameter, EntryProgram, Presented, RunOptions, Undecided};
use super::returned::Returned;

/// What a run with given types showed.
#[derive(Clone, Debug)]
pub enum Proof {
    Proved {
        returned: Returned,
        /// The dtype of each parameter; `None` for what is no tensor.
        dtypes: Vec<Option<&'static str>>,
    },
    /// It raises.
    Refuted(Undecided),
    /// The first thing that was not decided.
    Open(Undecided),
}

/// Runs the program with these types: with floating-point numbers, and where it refuses them with other dtypes.
pub fn prove_types(program: &mut dyn EntryProgram, presented: &[Presented]) -> Proof {
    let parameters = program.parameters().to_vec();
    let mut choices = dtype_choices(&parameters).into_iter();
    let first = prove_with(program, presented, choices.next().unwrap_or_default());
    if !matches!(first, Proof::Refuted(_)) {
        return first;
    }
    // If it raises whatever the dtypes are, the sizes are wrong.
    let untyped = prove_with(program, presented, Vec::new());
    if matches!(untyped, Proof::Refuted(_)) {
        return untyped;
    }
    let mut open = None;
    for dtypes in choices {
        match prove_with(program, presented, dtypes) {
            Proof::Refuted(_) => {}
            Proof::Open(undecided) => open = open.or(Some(undecided)),
            proved @ Proof::Proved { .. } => return proved,
        }
    }
    open.map_or(first, Proof::Open)
}

fn prove_with(program: &mut dyn EntryProgram, presented: &[Presented], dtypes: Vec<Option<&'static str>>) -> Proof {
    let options = RunOptions { dtypes, ..RunOptions::default() };
    let run = program.run(presented, &options);
    let returned = match run.ending {
        EntryEnding::Lost { reason } => return Proof::Open(Undecided { message: reason, span: None }),
        EntryEnding::Raised { message, span } => return Proof::Refuted(Undecided { message, span }),
        EntryEnding::Returned(returned) => returned,
    };
    // Of a tensor without a rank each use has its own reading, so that its rank is known nowhere.
    let is_unranked = presented.contains(&Presented::Dyn) && !run.calls_unknown;
    if let Some(doubt) = run.doubts.into_iter().next().filter(|_| !is_unranked) {
        return Proof::Open(doubt);
    }
    let is_gradual = presented.iter().any(|shape| match shape {
        Presented::Dyn => true,
        Presented::Ranked(axes) => axes.contains(&EntryAxis::Dyn),
        Presented::Fixed => false,
    });
    // Sizes that are computed from Dyn ones are no numbers.
    let is_known = if is_gradual { returned.is_known() } else { returned.is_complete() };
    if !is_known {
        return Proof::Open(Undecided::without_place("a size of the result is not known"));
    }
    Proof::Proved { returned, dtypes: options.dtypes }
}

/// How many parameters are given every combination of floating-point numbers and integers.
const ALL_COMBINATIONS: usize = 4;

/// The dtypes to try, the usual ones first; what annotations say stays.
fn dtype_choices(parameters: &[EntryParameter]) -> Vec<Vec<Option<&'static str>>> {
    let free: Vec<usize> =
        (0..parameters.len()).filter(|index| parameters[*index].tensor && parameters[*index].dtype.is_none()).collect();
    let with = |changed: &[usize], dtype: &'static str| -> Vec<Option<&'static str>> {
        let of = |(index, parameter): (usize, &EntryParameter)| match (parameter.tensor, parameter.dtype) {
            (false, _) => None,
            (true, Some(said)) => Some(said),
            (true, None) if changed.contains(&index) => Some(dtype),
            (true, None) => Some("float32"),
        };
        parameters.iter().enumerate().map(of).collect()
    };
    let mut subsets: Vec<Vec<usize>> = if free.len() <= ALL_COMBINATIONS {
        (0..1usize << free.len())
            .map(|bits| {
                free.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, index)| *index).collect()
            })
            .collect()
    } else {
        let single = free.iter().map(|index| vec![*index]);
        std::iter::once(Vec::new()).chain(single).chain([free.clone()]).collect()
    };
    subsets.sort_by_key(Vec::len);
    let mut choices: Vec<Vec<Option<&'static str>>> = subsets.iter().map(|changed| with(changed, "int64")).collect();
    for dtype in ["float64", "bool", "complex64"] {
        choices.push(with(&free, dtype));
        if free.len() > 1 {
            choices.extend(free.iter().map(|index| with(&[*index], dtype)));
        }
    }
    choices
}
