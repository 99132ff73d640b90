//! `for link in self.links`: loops whose turns join other roles each, found here and written out by `unroll`.

use std::rc::Rc;

use pytrope_source::tree::{ExprId, ExprKind, StmtId};

use super::Checker;
use crate::located::Located;
use crate::report::{ChoreoRule, Extend};
use crate::unroll::{Turn, Unrolling};

impl Checker<'_> {
    /// Whether a loop goes over values that no role has all of; then it will be written out.
    pub(super) fn loops_over_channels(&mut self, stmt: StmtId, target: ExprId, iter: ExprId) -> bool {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let (columns, counted) = match tree[iter].kind {
            ExprKind::Call { function, arguments } if arguments.keywords.is_empty() => {
                match tree.as_name(function).map(|name| tree.text(name)) {
                    Some("enumerate") if arguments.positional.len() == 1 => (tree[arguments.positional].to_vec(), true),
                    Some("zip") => (tree[arguments.positional].to_vec(), false),
                    _ => return false,
                }
            }
            _ => (vec![iter], false),
        };
        if !columns.iter().any(|&column| self.has_parts_elsewhere(column)) {
            return false;
        }
        let mut names: Vec<ExprId> = match tree[target].kind {
            ExprKind::Tuple { elements, .. } => tree[elements].to_vec(),
            _ => vec![target],
        };
        let texts: Option<Vec<Vec<String>>> = columns.iter().map(|&column| self.parts_as_text(column)).collect();
        let width = columns.len() + usize::from(counted);
        let named = names.len() == width && names.iter().all(|&name| tree.as_name(name).is_some());
        let Some(mut texts) = texts.filter(|_| named) else {
            self.report_error(
                ChoreoRule::Unsupported,
                self.expr_range(iter),
                "a loop over values of several roles iterates over names or fields, with one target name",
            )
            .add_help("write `for link in self.links:` or `for link in (self.first, self.second):`");
            return true;
        };
        let turns = texts.iter().map(Vec::len).min().unwrap_or(0);
        if counted {
            texts.insert(0, (0..turns).map(|turn| turn.to_string()).collect());
        }
        let names: Vec<String> =
            names.drain(..).filter_map(|name| Some(tree.text(tree.as_name(name)?).to_owned())).collect();
        let turn = |at: usize| -> Turn {
            names.iter().zip(&texts).map(|(name, column)| (name.clone(), column[at].clone())).collect()
        };
        let unrolling = Unrolling { stmt, turns: (0..turns).map(turn).collect() };
        self.facts.unrollings.push((unit.id, unrolling));
        true
    }

    /// A tuple with channels, objects or values of different roles.
    fn has_parts_elsewhere(&mut self, column: ExprId) -> bool {
        let located = self.check_expr(column).located;
        matches!(&located, Located::Tuple(parts) if !parts.is_empty() && located.as_plain().is_none())
    }

    /// How each part of a tuple is written, where it can be written more than once.
    fn parts_as_text(&mut self, column: ExprId) -> Option<Vec<String>> {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        if let Some(parts) = self.tuple_elements(column) {
            let repeats = |part: ExprId| tree.dotted(part).is_some() || crate::scan::is_immutable(&unit, part);
            return parts.iter().map(|&part| repeats(part).then(|| unit.expr_text(part).to_owned())).collect();
        }
        match (self.check_expr(column).located, tree.dotted(column)) {
            (Located::Tuple(parts), Some(_)) => {
                Some((0..parts.len()).map(|at| format!("{}[{at}]", unit.expr_text(column))).collect())
            }
            _ => None,
        }
    }
}
