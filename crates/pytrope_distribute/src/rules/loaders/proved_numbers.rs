//! Numbers of a rank's samples that are shown where the rules see no training loop: the proof has found how they are reduced.
//!
//! ```python
//! def report(batch, out, y):
//!     print(batch * len(y))            # total_y = sum_over_ranks(batch * len(y))
//!                                      # if dist.get_rank() == 0:
//!                                      #     print(total_y)
//! ```

use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, StmtId, StmtKind};

use super::numbers::reduced_subject;
use super::sum_over_ranks;
use crate::project::ModuleId;
use crate::rewrite::Rewrite;

const RULE: &str = "reduce-metrics";

/// The numbers of one statement, and which of them are means.
struct ShownNumbers {
    module: ModuleId,
    stmt: StmtId,
    parts: Vec<(ExprId, bool)>,
}

/// Reduces, before their statements, numbers that the proof of an earlier output has found.
pub fn reduce_proved(rw: &mut Rewrite) {
    let mut groups: Vec<ShownNumbers> = Vec::new();
    for (module, range, is_mean) in rw.corrections.shown.clone() {
        let Some((stmt, expr)) = shown_expression(rw, module, range) else { continue };
        match groups.iter_mut().find(|group| (group.module, group.stmt) == (module, stmt)) {
            Some(group) => group.parts.push((expr, is_mean)),
            None => groups.push(ShownNumbers { module, stmt, parts: vec![(expr, is_mean)] }),
        }
    }
    for group in groups {
        reduce_parts(rw, group.module, group.stmt, &group.parts);
    }
}

fn shown_expression(rw: &Rewrite, module: ModuleId, range: TextRange) -> Option<(StmtId, ExprId)> {
    let tree = rw.trace.tree(module);
    let expr = tree.expr_ids().find(|&e| tree[e].range == range)?;
    let stmt = tree.stmt_of(expr)?;
    matches!(tree[stmt].kind, StmtKind::Expr { .. }).then_some((stmt, expr))
}

fn reduce_parts(rw: &mut Rewrite, module: ModuleId, stmt: StmtId, parts: &[(ExprId, bool)]) {
    let tree = rw.trace.tree(module);
    let mut lines: Vec<String> = Vec::new();
    let mut known: Vec<(String, String)> = Vec::new();
    for &(expr, is_mean) in parts {
        let range = tree[expr].range;
        let text = rw.text((module, expr)).to_owned();
        if text.contains('\n') || rw.edits[module].list().iter().any(|edit| range.contains_range(edit.range)) {
            continue;
        }
        let name = if let Some((_, name)) = known.iter().find(|(of, _)| *of == text) {
            name.clone()
        } else {
            let word = if is_mean { "mean" } else { "total" };
            let base = format!("{word}_{}", reduced_subject(rw, module, expr));
            let name = rw.edits[module].fresh_name(&base);
            let function = sum_over_ranks(rw, module);
            let divisor = if is_mean { format!(" / {}", rw.size_text(module)) } else { String::new() };
            lines.push(format!("{name} = {function}({text}){divisor}"));
            known.push((text, name.clone()));
            name
        };
        rw.edits[module].replace_range(range, name);
    }
    if !lines.is_empty() {
        rw.edits[module].insert_before(stmt, &lines.join("\n"));
        rw.starts_group(module, stmt);
        rw.log_change(RULE, module, tree[stmt].range, "what is shown is reduced over the ranks");
    }
}
