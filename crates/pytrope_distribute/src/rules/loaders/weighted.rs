//! Samples that are drawn by weights, with replacement: each rank draws its part of the number, by random numbers of its own.
//!
//! ```python
//! sampler = WeightedRandomSampler(weights, len(weights))
//! # sampler = WeightedRandomSampler(weights, max(1, len(weights) // dist.get_world_size()),
//! #     generator=torch.Generator().manual_seed(torch.initial_seed() % 2**32 + dist.get_rank()))
//! ```
//!
//! A draw without replacement would have to leave out what other ranks have drawn, and is refused.

use pytrope_source::tree::ExprKind;

use super::batch;
use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, argument_of};

/// Divide the draws of a loader's sampler; false where it is another sampler, or one that cannot be divided.
pub fn divide_draws(rw: &mut Rewrite, loader: ExprPlace) -> bool {
    let (module, call) = loader;
    let tree = rw.trace.tree(module);
    let Some(sampler) = argument_of(tree, call, "sampler", 3) else { return false };
    let roots: Vec<ExprPlace> =
        rw.trace.value_roots((module, sampler)).iter().map(|root| (root.module, root.expr)).collect();
    // `None` is a loader of this maker that is not trained with.
    let drawn: Vec<ExprPlace> =
        roots.into_iter().filter(|&(m, e)| !matches!(rw.trace.tree(m)[e].kind, ExprKind::None)).collect();
    if drawn.is_empty() || !drawn.iter().all(|&place| draws_with_replacement(rw, place)) {
        return false;
    }
    for place in drawn {
        if !rw.done.insert(place) {
            continue;
        }
        let (m, e) = place;
        if let Some(count) = argument_of(rw.trace.tree(m), e, "num_samples", 1) {
            rw.divide_number(super::RULE, (m, count));
        }
        let torch = rw.import_alias(m, "torch").unwrap_or_else(|| {
            rw.add_import(m, "import torch");
            "torch".to_owned()
        });
        let rank = rw.rank_text(m);
        rw.add_argument(
            place,
            &format!("generator={torch}.Generator().manual_seed({torch}.initial_seed() % 2**32 + {rank})"),
        );
        let range = rw.range(place);
        rw.log_change(super::RULE, m, range, "each rank draws its own samples, all ranks equally many");
    }
    if let Some(size) = argument_of(rw.trace.tree(module), call, "batch_size", 1) {
        batch::divide_batch(rw, (module, size));
    }
    true
}

fn draws_with_replacement(rw: &Rewrite, place: ExprPlace) -> bool {
    let (module, call) = place;
    let tree = rw.trace.tree(module);
    rw.trace.called_api(place).is_some_and(|api| api.ends_with(".WeightedRandomSampler"))
        && argument_of(tree, call, "num_samples", 1).is_some()
        && argument_of(tree, call, "replacement", 2).is_none_or(|r| matches!(tree[r].kind, ExprKind::Bool(true)))
        && argument_of(tree, call, "generator", 3).is_none()
}
