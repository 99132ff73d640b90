//! Simple statements of a role's program, and compound ones that belong to one role.

use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, List, StmtId, StmtKind};

use super::Projector;
use super::expression::{Piece, wrapped};
use crate::endpoint::{Block, EndpointNode, EndpointStmt};
use crate::facts::{Action, Recovery};
use crate::located::Located;
use crate::normalise::Tail;
use crate::report::{ChoreoRule, Extend};
use crate::site::site_argument;

impl Projector<'_> {
    pub(super) fn simple(&mut self, stmt: StmtId, out: &mut Block) {
        let unit = self.unit;
        let tree = &unit.tree;
        let range = tree[stmt].range;
        let start = out.len();
        match tree[stmt].kind {
            StmtKind::Expr { value } => {
                let piece = self.expr(value, out);
                if let Some(piece) = piece {
                    out.push(EndpointStmt::new(EndpointNode::Line(wrapped(&piece.text).into()), range));
                }
            }
            StmtKind::Assign { targets, value } => self.assign(&tree[targets], value, range, out),
            StmtKind::AnnAssign { target, value: Some(value), .. } => self.assign(&[target], value, range, out),
            StmtKind::AnnAssign { value: None, .. } => {}
            StmtKind::AugAssign { target, op, value } => self.augment(target, op.symbol(), value, range, out),
            StmtKind::Return { value } => {
                let piece = value.and_then(|value| self.expr(value, out));
                let here = self.known.returns.is_at(self.role);
                match (piece, value) {
                    (Some(piece), _) if here => {
                        out.push(EndpointStmt::new(EndpointNode::Return(Some(wrapped(&piece.text).into())), range));
                    }
                    (piece, Some(value)) => {
                        self.discard(piece, value, out);
                        out.push(EndpointStmt::new(EndpointNode::Return(None), range));
                    }
                    (_, None) => out.push(EndpointStmt::new(EndpointNode::Return(None), range)),
                }
            }
            StmtKind::Raise { .. } => {
                out.push(EndpointStmt::new(EndpointNode::Raise(self.verbatim(range).into()), range))
            }
            StmtKind::Assert { .. } => {
                out.push(EndpointStmt::new(EndpointNode::Line(self.verbatim(range).into()), range))
            }
            StmtKind::Delete { targets } => {
                let kept: Vec<String> = tree[targets]
                    .iter()
                    .filter(|&&target| self.keeps(target))
                    .map(|&target| self.verbatim(tree[target].range))
                    .collect();
                if !kept.is_empty() {
                    out.push(EndpointStmt::new(EndpointNode::Line(format!("del {}", kept.join(", ")).into()), range));
                }
            }
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => {
                let text = self.verbatim(range);
                let lines = crate::reindent::dedented(unit, range, &text);
                out.push(EndpointStmt::new(EndpointNode::Verbatim(lines), range));
            }
            StmtKind::Import { .. } | StmtKind::ImportFrom { .. } | StmtKind::TypeAlias { .. } => {
                out.push(EndpointStmt::new(EndpointNode::Line(self.verbatim(range).into()), range));
            }
            StmtKind::Break => out.push(EndpointStmt::new(EndpointNode::Break, range)),
            StmtKind::Continue => out.push(EndpointStmt::new(EndpointNode::Continue, range)),
            StmtKind::With { items, body, .. } => {
                let heads: Vec<String> = tree[items].iter().map(|item| self.verbatim(item.range)).collect();
                let body = self.inner(body);
                out.push(EndpointStmt::new(EndpointNode::With { head: heads.join(", ").into(), body }, range));
            }
            StmtKind::Try { body, handlers, orelse, finalbody, is_star } => {
                let keyword = if is_star { "except*" } else { "except" };
                let recovery = self.table.recoveries.get(&stmt).cloned();
                let channels = self.channels_in(body);
                let mut body = self.inner(body);
                if let Some(recovery) = &recovery {
                    out.push(EndpointStmt::new(EndpointNode::Line(self.attempt(recovery).into()), range));
                    let line = self.awaited("_attempt.settle()".to_owned(), false);
                    body.push(EndpointStmt::new(EndpointNode::Line(line.into()), range));
                }
                let handlers = tree[handlers]
                    .to_vec()
                    .iter()
                    .map(|handler| {
                        let mut head = keyword.to_owned();
                        if let Some(class) = handler.class {
                            let text = self.verbatim(tree[class].range);
                            let bare_tuple = matches!(tree[class].kind, ExprKind::Tuple { parenthesized: false, .. });
                            head.push(' ');
                            head.push_str(&if bare_tuple { format!("({text})") } else { text });
                        }
                        if let Some(name) = handler.name {
                            head.push_str(" as ");
                            head.push_str(tree.text(name.name));
                        }
                        let mut handled = self.inner(handler.body);
                        if recovery.is_some() {
                            let line = self.awaited("_attempt.recover()".to_owned(), false);
                            handled.insert(0, EndpointStmt::new(EndpointNode::Line(line.into()), range));
                        } else if !crate::check::passes_on(unit, handler.body) {
                            // The others wait for what will not come: they are told first.
                            let site = format!("{}.{}", self.class.name, self.method.name);
                            let told = channels.iter().map(|channel| {
                                let line = self.awaited(format!("{channel}.abort(\"{site} was left early\")"), false);
                                EndpointStmt::new(EndpointNode::Line(line.into()), range)
                            });
                            handled.splice(0..0, told);
                        }
                        (head.into(), handled)
                    })
                    .collect();
                let orelse = self.inner(orelse);
                let finalbody = self.inner(finalbody);
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

    fn inner(&mut self, body: List<StmtId>) -> Block {
        let stmts = self.unit.tree[body].to_vec();
        self.block(&stmts, Tail::Next)
    }

    /// Begins a `try` from which all roles recover: the channels over which this one agrees with its peers.
    fn attempt(&self, recovery: &Recovery) -> String {
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
            for expr in unit.within(unit.tree[stmt].range) {
                match self.table.action(expr) {
                    Some(
                        Action::Com { channel, sender, receiver, .. }
                        | Action::Select { channel, sender, receiver, .. },
                    ) if *sender == self.role || *receiver == self.role => {
                        let channel = self.verbatim(self.range(*channel));
                        if !found.contains(&channel) {
                            found.push(channel);
                        }
                    }
                    Some(Action::Invoke { .. } | Action::Apply { .. }) => calls_own |= self.table.of(expr).communicates,
                    _ => {}
                }
            }
        }
        if calls_own {
            // A method of this object may use any of its channels.
            for (base, roles) in self.world.lineage(self.class.id) {
                for (name, field) in &self.facts.fields[base.0 as usize] {
                    let located = field.located.substitute(&roles);
                    let name = format!("self.{name}");
                    if matches!(located, Located::Channel(_)) && located.is_at(self.role) && !found.contains(&name) {
                        found.push(name);
                    }
                }
            }
        }
        found
    }

    fn assign(&mut self, targets: &[ExprId], value: ExprId, range: TextRange, out: &mut Block) {
        if let [target] = targets
            && let Some((targets, values)) = self.parallel(*target, value)
        {
            self.assign_parts(&targets, &values, range, out);
            return;
        }
        let mut piece = self.expr(value, out);
        let mut text = String::new();
        if !targets.iter().any(|&target| self.keeps(target)) {
            // Only the targets concern this role: of the value, what it does is kept and not what it gives.
            self.discard(piece.take(), value, out);
        }
        for &target in targets {
            let before = out.len();
            if piece.is_some() && self.keeps(target) {
                text.push_str(&self.target(target, out));
                text.push_str(" = ");
            } else {
                self.discard_target(target, out);
            }
            // The value was there before the target was found.
            self.hoist(before, piece.iter_mut().collect(), out, value);
        }
        match piece {
            Some(piece) if !text.is_empty() => {
                text.push_str(&wrapped(&piece.text));
                out.push(EndpointStmt::new(EndpointNode::Line(text.into()), range));
            }
            Some(piece) => self.discard(Some(piece), value, out),
            None => {}
        }
    }

    /// `target += value`: the parts of the target are evaluated before the value.
    fn augment(&mut self, target: ExprId, op: &str, value: ExprId, range: TextRange, out: &mut Block) {
        let keeps = self.keeps(target);
        let mut parts: Vec<(ExprId, Piece)> = Vec::new();
        for part in self.parts_of_target(target) {
            let before = out.len();
            let piece = self.expr(part, out);
            self.hoist(before, parts.iter_mut().map(|(_, piece)| piece).collect(), out, part);
            match piece {
                Some(piece) if keeps => parts.push((part, piece)),
                piece => self.discard(piece, part, out),
            }
        }
        let before = out.len();
        let piece = self.expr(value, out);
        self.hoist(before, parts.iter_mut().map(|(_, piece)| piece).collect(), out, value);
        if keeps && out.len() > before {
            self.refuse_changed_target(target, value);
        }
        match piece {
            Some(piece) if keeps => {
                let replaced: Vec<(TextRange, String)> =
                    parts.into_iter().map(|(part, piece)| (self.range(part), piece.text)).collect();
                let name = self.render(self.range(target), &replaced);
                let line = format!("{name} {op}= {}", wrapped(&piece.text));
                out.push(EndpointStmt::new(EndpointNode::Line(line.into()), range));
            }
            piece => self.discard(piece, value, out),
        }
    }

    /// `self.f += value`, where Python reads the field before the value's calls could change it, and we behind them.
    fn refuse_changed_target(&mut self, target: ExprId, value: ExprId) {
        let unit = self.unit;
        let called = unit
            .within(self.range(value))
            .find(|&expr| matches!(self.table.action(expr), Some(Action::Invoke { .. } | Action::Apply { .. })));
        if let (Some(call), false) = (called, unit.tree.as_name(target).is_some()) {
            let text = unit.expr_text(target);
            let message = format!("`{text}` is read before this call, which might change it");
            if let Some(finding) = self.refuse(ChoreoRule::Unsupported, self.range(call), message) {
                finding.advise("keep the result of the call in a variable first");
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
        if parts.iter().any(|&part| self.table.of(part).rewritten) { parts } else { Vec::new() }
    }

    /// Takes part in finding a target that another role assigns to.
    fn discard_target(&mut self, target: ExprId, out: &mut Block) {
        for part in self.parts_of_target(target) {
            let piece = self.expr(part, out);
            self.discard(piece, part, out);
        }
    }

    /// `a, b = x, y` with parts at different roles: the targets and their values.
    fn parallel(&self, target: ExprId, value: ExprId) -> Option<(Vec<ExprId>, Vec<ExprId>)> {
        let tree = &self.unit.tree;
        let (
            ExprKind::Tuple { elements: targets, .. } | ExprKind::List { elements: targets, .. },
            ExprKind::Tuple { elements: values, .. },
        ) = (tree[target].kind, tree[value].kind)
        else {
            return None;
        };
        let plain = |expr: &ExprId| !matches!(tree[*expr].kind, ExprKind::Starred { .. });
        let split = matches!(self.table.of(value).located, Located::Tuple(_))
            || tree[targets].iter().any(|&part| self.keeps(part) != self.keeps(target));
        let fits = targets.len() == values.len() && tree[targets].iter().all(plain) && tree[values].iter().all(plain);
        (split && fits).then(|| (tree[targets].to_vec(), tree[values].to_vec()))
    }

    fn assign_parts(&mut self, targets: &[ExprId], values: &[ExprId], range: TextRange, out: &mut Block) {
        let mut kept: Vec<(ExprId, Piece)> = Vec::new();
        for (&target, &value) in targets.iter().zip(values) {
            let before = out.len();
            let piece = self.expr(value, out);
            self.hoist(before, kept.iter_mut().map(|(_, piece)| piece).collect(), out, value);
            match piece {
                Some(piece) if self.keeps(target) => kept.push((target, piece)),
                piece => self.discard(piece, value, out),
            }
        }
        if kept.is_empty() {
            return;
        }
        let (targets, pieces): (Vec<ExprId>, Vec<Piece>) = kept.into_iter().unzip();
        let names: Vec<String> = targets.into_iter().map(|target| self.target(target, out)).collect();
        let texts: Vec<String> = pieces.into_iter().map(|piece| piece.text).collect();
        out.push(EndpointStmt::new(
            EndpointNode::Line(format!("{} = {}", names.join(", "), texts.join(", ")).into()),
            range,
        ));
    }

    /// The text of a target; parts that live elsewhere are `_`.
    pub(super) fn target(&mut self, target: ExprId, out: &mut Block) -> String {
        let unit = self.unit;
        let tree = &unit.tree;
        match tree[target].kind {
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                let parts: Vec<String> = tree[elements]
                    .to_vec()
                    .iter()
                    .map(|&element| {
                        if self.keeps(element) {
                            self.target(element, out)
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
            ExprKind::Starred { value, .. } => format!("*{}", self.target(value, out)),
            _ => {
                let mut pieces: Vec<(ExprId, Piece)> = Vec::new();
                for part in self.parts_of_target(target) {
                    let before = out.len();
                    let piece = self.expr(part, out);
                    self.hoist(before, pieces.iter_mut().map(|(_, piece)| piece).collect(), out, part);
                    pieces.extend(piece.map(|piece| (part, piece)));
                }
                let replaced: Vec<(TextRange, String)> =
                    pieces.into_iter().map(|(part, piece)| (tree[part].range, piece.text)).collect();
                self.render(tree[target].range, &replaced)
            }
        }
    }
}
