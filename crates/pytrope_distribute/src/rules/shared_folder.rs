//! A temporary folder is rank 0's on every rank: what one rank saves there, all can read.
//!
//! ```python
//! with TemporaryDirectory() as folder:     # with TemporaryDirectory() as folder:
//!     train(folder)                        #     shared = [folder]
//!                                          #     dist.broadcast_object_list(shared)  # the folder of rank 0
//!                                          #     folder = shared[0]
//!                                          #     train(folder)
//!                                          #     dist.barrier()  # rank 0 removes the folder when it leaves
//! ```

use pytrope_source::tree::{StmtId, StmtKind};

use crate::project::ModuleId;
use crate::rewrite::Rewrite;

pub fn share_folders(rw: &mut Rewrite) {
    if !rw.target.is_torch() {
        return;
    }
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for stmt in tree.stmt_ids() {
            match tree[stmt].kind {
                StmtKind::With { items, body, .. } => {
                    for item in &tree[items] {
                        let makes = rw.trace.called_api((module, item.context)).as_deref()
                            == Some("tempfile.TemporaryDirectory");
                        let Some(name) = item.target.and_then(|t| tree.as_name(t)).filter(|_| makes) else { continue };
                        let lines = agreement_lines(rw, module, tree.text(name));
                        let (first, last) = (tree[body][0], *tree[body].last().expect("a suite has statements"));
                        rw.edits[module].insert_before(first, &lines);
                        let barrier = super::collective::barrier_call(rw, module);
                        let barrier = format!("{barrier}  # rank 0 removes the folder when it leaves");
                        rw.edits[module].insert_after(last, &barrier);
                        log_sharing(rw, module, stmt);
                    }
                }
                StmtKind::Assign { value, .. } => {
                    let makes = rw
                        .trace
                        .called_api((module, value))
                        .is_some_and(|api| matches!(api.as_str(), "tempfile.mkdtemp" | "tempfile.mktemp"));
                    if let [name] = crate::identify::assigned_names(rw.trace, module, stmt)[..]
                        && makes
                    {
                        let lines = agreement_lines(rw, module, name);
                        rw.edits[module].insert_after(stmt, &lines);
                        log_sharing(rw, module, stmt);
                    }
                }
                _ => {}
            }
        }
    }
}

fn agreement_lines(rw: &mut Rewrite, module: ModuleId, name: &str) -> String {
    let shared = rw.edits[module].fresh_name("shared");
    let broadcast = super::collective::broadcast_list(rw, module, &shared);
    format!("{shared} = [{name}]\n{broadcast}  # the folder of rank 0\n{name} = {shared}[0]")
}

fn log_sharing(rw: &mut Rewrite, module: ModuleId, stmt: StmtId) {
    let range = rw.trace.tree(module)[stmt].range;
    rw.log_change("rank-zero-files", module, range, "all ranks use the folder of rank 0");
}
