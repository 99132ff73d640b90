//! Evaluations that every rank makes on all samples, where a function makes the loaders of training and evaluation.
//!
//! Such a function divides the samples of both.  An evaluation whose results are sums is reduced over the ranks (`metrics`); any
//! other, such as one that collects predictions in a list or averages the means of batches, reads the data set whole again:
//!
//! ```python
//! for x, y in test_loader:                 # for x, y in whole_loader(test_loader):
//!     losses.append(f(model(x), y))        #     losses.append(f(model(x), y))
//! ```

use pytrope_source::tree::StmtId;

use super::metrics::EvaluationLoop;
use crate::project::ModuleId;
use crate::rewrite::Rewrite;

/// Let the loop read the data set of its loader from the first sample to the last.
pub fn read_whole(rw: &mut Rewrite, found: &EvaluationLoop) {
    let module = found.at.0;
    rw.engine_name(module);
    let name = rw.free_everywhere("whole_loader");
    rw.wrap_text(found.at, &format!("{name}("), ")");
    rw.helpers[module].whole = Some(name);
    if rw.import_alias(module, "torch").is_none() {
        rw.add_import(module, "import torch");
    }
    let range = rw.trace.tree(found.module)[found.stmt].range;
    rw.log_change("read-whole", found.module, range, "every rank evaluates all samples");
    rw.whole_loops.insert((found.module, found.stmt));
}

/// Whether a loop reads all samples on every rank.
pub fn reads_whole(rw: &Rewrite, module: ModuleId, l: StmtId) -> bool {
    rw.whole_loops.contains(&(module, l))
}

/// The function that is called. A batch of one sample is taken to have been one before it was divided.
pub fn helper_text(name: &str, torch: &str, engine: &str) -> String {
    format!(
        r#"def {name}(loader):
    """The batches of all ranks together, in order."""
    batch_size = loader.batch_size * {engine}.get_world_size() if loader.batch_size > 1 else 1
    return {torch}.utils.data.DataLoader(
        loader.dataset,
        batch_size,
        num_workers=loader.num_workers,
        collate_fn=loader.collate_fn,
        drop_last=loader.drop_last,
    )"#
    )
}
