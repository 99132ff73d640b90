//! Simple statements of a role's program, and compound ones that belong to one role.

use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, List, StmtId, StmtKind};

use super::Projector;
use super::expression::{Piece, parenthesise_lines};
use crate::endpoint::{Block, EndpointNode, EndpointStmt};
use crate::facts::{Action, Recovery};
use crate::located::Located;
use crate::normalise::Tail;
use crate::report::{ChoreoRule, Extend};
use crate::site::site_argument;

impl Projector<'_> {
    pub(super) fn project_simple_stmt(&mut self, stmt: StmtId, out: &mut Block) {
        let unit = self.unit;
        let tree = &unit.tree;
        let range = tree[stmt].range;
        let start = out.len();
        match tree[stmt].kind {
            StmtKind::Expr { value } => {
                let piece = self.project_expr(value, out);
                if let Some(piece) = piece {
                    out.push(EndpointStmt::new(EndpointNode::Line(parenthesise_lines(&piece.text).into()), range));
                }
            }
            StmtKind::Assign { targets, value } => self.project_assign(&tree[targets], None, value, range, out),
            StmtKind::AnnAssign { target, annotation, value: Some(value), .. } => {
                self.project_assign(&[target], Some(annotation), value, range, out);
            }
            StmtKind::AnnAssign { value: None, .. } => {}
            StmtKind::AugAssign { target, op, value } => {
                self.project_augmented_assign(target, op.symbol(), value, range, out);
            }
            StmtKind::Return { value } => {
                let piece = value.and_then(|value| self.project_expr(value, out));
                let here = self.known.returns.is_at(self.role);
                match (piece, value) {
                    (Some(piece), _) if here => {
                        out.push(EndpointStmt::new(
                            EndpointNode::Return(Some(parenthesise_lines(&piece.text).into())),
                            range,
                        ));
                    }
                    (piece, Some(value)) => {
                        self.discard_value(piece, value, out);
                        out.push(EndpointStmt::new(EndpointNode::Return(None), range));
                    }
                    (_, None) => out.push(EndpointStmt::new(EndpointNode::Return(None), range)),
                }
            }
            StmtKind::Raise { .. } => {
                out.push(EndpointStmt::new(EndpointNode::Raise(self.verbatim_text(range).into()), range));
            }
            // What it changes at other roles than its own is refused.
            StmtKind::Assert { test, .. } if !self.table.info_of(test).located.is_at(self.role) => {}
            StmtKind::Assert { .. } => {
                out.push(EndpointStmt::new(EndpointNode::Line(self.verbatim_text(range).into()), range));
            }
            StmtKind::Delete { targets } => {
                let kept: Vec<String> = tree[targets]
                    .iter()
                    .filter(|&&target| self.keeps_target(target))
                    .map(|&target| self.verbatim_text(tree[target].range))
                    .collect();
                if !kept.is_empty() {
                    out.push(EndpointStmt::new(EndpointNode::Line(format!("del {}", kept.join(", ")).into()), range));
                }
            }
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => {
                let text = self.verbatim_text(range);
                let lines = crate::reindent::dedented_lines(unit, range, &text);
                out.push(EndpointStmt::new(EndpointNode::Verbatim(lines), range));
            }
            StmtKind::Import { .. } | StmtKind::ImportFrom { .. } | StmtKind::TypeAlias { .. } => {
                out.push(EndpointStmt::new(EndpointNode::Line(self.verbatim_text(range).into()), range));
            }
            StmtKind::Break => out.push(EndpointStmt::new(EndpointNode::Break, range)),
            StmtKind::Continue => out.push(EndpointStmt::new(EndpointNode::Continue, range)),
            StmtKind::With { items, body, .. } => {
                let heads: Vec<String> = tree[items].iter().map(|item| self.verbatim_text(item.range)).collect();
                let body = self.project_inner_block(body);
                out.push(EndpointStmt::new(EndpointNode::With { head: heads.join(", ").into(), body }, range));
            }
            StmtKind::Try { body, handlers, orelse, finalbody, is_star } => {
                let keyword = if is_star { "except*" } else { "except" };
                let recovery = self.table.recoveries.get(&stmt).cloned();
                let channels = self.channels_in(body);
                let mut body = self.project_inner_block(body);
                if let Some(recovery) = &recovery {
                    out.push(EndpointStmt::new(EndpointNode::Line(self.project_attempt(recovery).into()), range));
                    let line = self.await_call("_attempt.settle()".to_owned(), false);
                    body.push(EndpointStmt::new(EndpointNode::Line(line.into()), range));
                }
                let handlers = tree[handlers]
                    .to_vec()
                    .iter()
                    .map(|handler| {
                        let mut head = keyword.to_owned();
                        if let Some(class) = handler.class {
                            let text = self.verbatim_text(tree[class].range);
                            let bare_tuple = matches!(tree[class].kind, ExprKind::Tuple { parenthesized: false, .. });
                            head.push(' ');
                            head.push_str(&if bare_tuple { format!("({text})") } else { text });
                        }
                        if let Some(name) = handler.name {
                            head.push_str(" as ");
                            head.push_str(tree.text(name.name));
                        }
                        let mut handled = self.project_inner_block(handler.body);
                        if recovery.is_some() {
                            let line = self.await_call("_attempt.recover()".to_owned(), false);
                            handled.insert(0, EndpointStmt::new(EndpointNode::Line(line.into()), range));
                        } else if !crate::check::passes_on(unit, handler.body) {
                            // The others wait for what will not come: they are told first.
                            let site = self.class.method_title(&self.method.name);
                            let told = channels.iter().map(|channel| {
                                let line =
                                    self.await_call(format!("{channel}.abort(\"{site} was left early\")"), false);
                                EndpointStmt::new(EndpointNode::Line(line.into()), range)
                            });
                            handled.splice(0..0, told);
                        }
                        (head.into(), handled)
                    })
                    .collect();
                let orelse = self.project_inner_block(orelse);
                let finalbody = self.project_inner_block(finalbody);
                out.push(EndpointStmt::new(EndpointNode::Try { body, handlers, orelse, finalbody }, range));
            }
            StmtKind::If { .. }
            | StmtKind::Match { .. }
            | StmtKind::While { .. }
            | StmtKind::For { .. }
            | StmtKind::Global { .. }
            | StmtKind::Nonlocal { .. }
            | StmtKind::Pass
            | StmtKind::IpyEscape(_) => {}
        }
        // Whatever a statement became, it stands where the statement stood.
        for projected in &mut out[start..] {
            if !range.contains_range(projected.range) {
                projected.range = range;
            }
        }
    }

    fn project_inner_block(&mut self, body: List<StmtId>) -> Block {
        let stmts = self.unit.tree[body].to_vec();
        self.project_block(&stmts, Tail::Next)
    }

    /// Begins a `try` from which all roles recover: the channels over which this one agrees with its peers.
    fn project_attempt(&self, recovery: &Recovery) -> String {
        let own = recovery.channels.iter().filter(|(_, from, to)| *from == self.role || *to == self.role);
        let own: Vec<&str> = own.map(|(name, _, _)| name.as_str()).collect();
        let class = if self.facts.asynchronous { "AsyncAttempt" } else { "Attempt" };
        let site = site_argument(self.unit.id, recovery.class);
        format!("_attempt = {class}({}, rounds={}, {site})", own.join(", "), recovery.rounds)
    }

    /// The channels on which this role speaks or listens in some statements, as it names them.
    fn channels_in(&self, body: List<StmtId>) -> Vec<String> {
        let unit = self.unit;
        let mut found: Vec<String> = Vec::new();
        let mut calls_own = false;
        for &stmt in &unit.tree[body] {
            for expr in unit.exprs_within(unit.tree[stmt].range) {
                match self.table.action_of(expr) {
                    Some(
                        Action::Com { channel, sender, receiver, .. }
                        | Action::Select { channel, sender, receiver, .. },
                    ) if *sender == self.role || *receiver == self.role => {
                        let channel = self.verbatim_text(self.expr_range(*channel));
                        if !found.contains(&channel) {
                            found.push(channel);
                        }
                    }
                    Some(Action::Invoke { .. } | Action::Apply { .. }) => {
                        calls_own |= self.table.info_of(expr).communicates;
                    }
                    _ => {}
                }
            }
        }
        if calls_own {
            // A method of this object may use any of its channels.
            for (base, roles) in self.world.lineage(self.class.id) {
                for (name, field) in &self.facts.fields[base.0 as usize] {
                    let located = field.located.substitute_roles(&roles);
                    let name = format!("self.{name}");
                    if matches!(located, Located::Channel(_)) && located.is_at(self.role) && !found.contains(&name) {
                        found.push(name);
                    }
                }
            }
        }
        found
    }

    fn project_assign(
        &mut self,
        targets: &[ExprId],
        annotation: Option<ExprId>,
        value: ExprId,
        range: TextRange,
        out: &mut Block,
    ) {
        if let [target] = targets
            && let Some((targets, values)) = self.parallel_assignment(*target, value)
        {
            self.assign_parts(&targets, &values, range, out);
            return;
        }
        let mut piece = self.project_expr(value, out);
        let mut text = String::new();
        if !targets.iter().any(|&target| self.keeps_target(target)) {
            // Only the targets concern this role: of the value, what it does is kept and not what it gives.
            self.discard_value(piece.take(), value, out);
        }
        for &target in targets {
            let before = out.len();
            if piece.is_some() && self.keeps_target(target) {
                text.push_str(&self.project_target(target, out));
                if let ([_], Some(hint)) = (targets, self.shape_hint_text(target, annotation, value)) {
                    text.push_str(": ");
                    text.push_str(&hint);
                }
                text.push_str(" = ");
            } else {
                self.discard_target(target, out);
            }
            // The value was there before the target was found.
            self.hoist_pieces(before, piece.iter_mut().collect(), out, value);
        }
        match piece {
            Some(piece) if !text.is_empty() => {
                text.push_str(&parenthesise_lines(&piece.text));
                out.push(EndpointStmt::new(EndpointNode::Line(text.into()), range));
            }
            Some(piece) => self.discard_value(Some(piece), value, out),
            None => {}
        }
    }

    /// `target += value`: the parts of the target are evaluated before the value.
    fn project_augmented_assign(&mut self, target: ExprId, op: &str, value: ExprId, range: TextRange, out: &mut Block) {
        let keeps = self.keeps_target(target);
        let mut parts: Vec<(ExprId, Piece)> = Vec::new();
        for part in self.parts_of_target(target) {
            let before = out.len();
            let piece = self.project_expr(part, out);
            self.hoist_pieces(before, parts.iter_mut().map(|(_, piece)| piece).collect(), out, part);
            match piece {
                Some(piece) if keeps => parts.push((part, piece)),
                piece => self.discard_value(piece, part, out),
            }
        }
        let before = out.len();
        let piece = self.project_expr(value, out);
        self.hoist_pieces(before, parts.iter_mut().map(|(_, piece)| piece).collect(), out, value);
        if keeps && out.len() > before {
            self.refuse_changed_target(target, value);
        }
        match piece {
            Some(piece) if keeps => {
                let replaced: Vec<(TextRange, String)> =
                    parts.into_iter().map(|(part, piece)| (self.expr_range(part), piece.text)).collect();
                let name = self.render_text(self.expr_range(target), &replaced);
                let line = format!("{name} {op}= {}", parenthesise_lines(&piece.text));
                out.push(EndpointStmt::new(EndpointNode::Line(line.into()), range));
            }
            piece => self.discard_value(piece, value, out),
        }
    }

    /// `self.f += value`, where Python reads the field before the value's calls could change it, and we behind them.
    fn refuse_changed_target(&mut self, target: ExprId, value: ExprId) {
        let unit = self.unit;
        let called = unit
            .exprs_within(self.expr_range(value))
            .find(|&expr| matches!(self.table.action_of(expr), Some(Action::Invoke { .. } | Action::Apply { .. })));
        if let (Some(call), false) = (called, unit.tree.as_name(target).is_some()) {
            let text = unit.expr_text(target);
            let message = format!("`{text}` is read before this call, which might change it");
            if let Some(finding) = self.report_refusal(ChoreoRule::Unsupported, self.expr_range(call), message) {
                finding.add_help("keep the result of the call in a variable first");
            }
        }
    }

    /// The parts of a target in which messages pass, in the order of their evaluation.
    fn parts_of_target(&self, target: ExprId) -> Vec<ExprId> {
        let parts = match self.unit.tree[target].kind {
            ExprKind::Subscript { value, index, .. } => vec![value, index],
            ExprKind::Attribute { value, .. } => vec![value],
            _ => Vec::new(),
        };
        if parts.iter().any(|&part| self.table.info_of(part).rewritten) { parts } else { Vec::new() }
    }

    /// Takes part in finding a target that another role assigns to.
    fn discard_target(&mut self, target: ExprId, out: &mut Block) {
        for part in self.parts_of_target(target) {
            let piece = self.project_expr(part, out);
            self.discard_value(piece, part, out);
        }
    }

    /// `a, b = x, y` with parts at different roles: the targets and their values.
    fn parallel_assignment(&self, target: ExprId, value: ExprId) -> Option<(Vec<ExprId>, Vec<ExprId>)> {
        let tree = &self.unit.tree;
        let (
            ExprKind::Tuple { elements: targets, .. } | ExprKind::List { elements: targets, .. },
            ExprKind::Tuple { elements: values, .. },
        ) = (tree[target].kind, tree[value].kind)
        else {
            return None;
        };
        let plain = |expr: &ExprId| !matches!(tree[*expr].kind, ExprKind::Starred { .. });
        let split = matches!(self.table.info_of(value).located, Located::Tuple(_))
            || tree[targets].iter().any(|&part| self.keeps_target(part) != self.keeps_target(target));
        let fits = targets.len() == values.len() && tree[targets].iter().all(plain) && tree[values].iter().all(plain);
        (split && fits).then(|| (tree[targets].to_vec(), tree[values].to_vec()))
    }

    fn assign_parts(&mut self, targets: &[ExprId], values: &[ExprId], range: TextRange, out: &mut Block) {
        let mut kept: Vec<(ExprId, Piece)> = Vec::new();
        for (&target, &value) in targets.iter().zip(values) {
            let before = out.len();
            let piece = self.project_expr(value, out);
            self.hoist_pieces(before, kept.iter_mut().map(|(_, piece)| piece).collect(), out, value);
            match piece {
                Some(piece) if self.keeps_target(target) => kept.push((target, piece)),
                piece => self.discard_value(piece, value, out),
            }
        }
        if kept.is_empty() {
            return;
        }
        let (targets, pieces): (Vec<ExprId>, Vec<Piece>) = kept.into_iter().unzip();
        let names: Vec<String> = targets.into_iter().map(|target| self.project_target(target, out)).collect();
        let texts: Vec<String> = pieces.into_iter().map(|piece| piece.text).collect();
        out.push(EndpointStmt::new(
            EndpointNode::Line(format!("{} = {}", names.join(", "), texts.join(", ")).into()),
            range,
        ));
    }

    /// The text of a target; parts that live elsewhere are `_`.
    pub(super) fn project_target(&mut self, target: ExprId, out: &mut Block) -> String {
        let unit = self.unit;
        let tree = &unit.tree;
        match tree[target].kind {
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                let parts: Vec<String> = tree[elements]
                    .to_vec()
                    .iter()
                    .map(|&element| {
                        if self.keeps_target(element) {
                            self.project_target(element, out)
                        } else if matches!(tree[element].kind, ExprKind::Starred { .. }) {
                            "*_".to_owned()
                        } else {
                            "_".to_owned()
                        }
                    })
                    .collect();
                let comma = if parts.len() == 1 { "," } else { "" };
                let nested = format!("{}{comma}", parts.join(", "));
                let inside = matches!(tree[target].parent, pytrope_source::tree::Parent::Expr(_));
                if inside { format!("({nested})") } else { nested }
            }
            ExprKind::Starred { value, .. } => format!("*{}", self.project_target(value, out)),
            _ => {
                let mut pieces: Vec<(ExprId, Piece)> = Vec::new();
                for part in self.parts_of_target(target) {
                    let before = out.len();
                    let piece = self.project_expr(part, out);
                    self.hoist_pieces(before, pieces.iter_mut().map(|(_, piece)| piece).collect(), out, part);
                    pieces.extend(piece.map(|piece| (part, piece)));
                }
                let replaced: Vec<(TextRange, String)> =
                    pieces.into_iter().map(|(part, piece)| (tree[part].range, piece.text)).collect();
                self.render_text(tree[target].range, &replaced)
            }
        }
    }
}
