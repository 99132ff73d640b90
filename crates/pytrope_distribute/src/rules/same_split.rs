//! Random splits: they must be the same on every rank, or one rank trains on what another validates.
//!
//! ```python
//! train_test_split(x, y)               # train_test_split(x, y, random_state=0)
//! random_split(data, [80, 20])         # random_split(data, [80, 20], generator=torch.Generator().manual_seed(0))
//! ```

use crate::rewrite::Rewrite;
use crate::trace::argument;

pub fn fix(rw: &mut Rewrite) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for expr in tree.expr_ids() {
            let api = rw.trace.called((module, expr)).unwrap_or_default();
            if api.ends_with("utils.data.random_split") && argument(tree, expr, "generator", 2).is_none() {
                let torch = rw.alias(module, "torch").unwrap_or_else(|| {
                    rw.add_import(module, "import torch");
                    "torch".to_owned()
                });
                rw.add_argument((module, expr), &format!("generator={torch}.Generator().manual_seed(0)"));
            } else if api.starts_with("sklearn.")
                && api.ends_with("train_test_split")
                && argument(tree, expr, "random_state", usize::MAX).is_none()
            {
                rw.add_argument((module, expr), "random_state=0");
            } else {
                continue;
            }
            rw.log("same-split", module, tree[expr].range, "all ranks split the data alike");
        }
    }
}
