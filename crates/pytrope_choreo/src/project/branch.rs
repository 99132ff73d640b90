//! Branches and loops: kept where they are decided, merged or driven by labels elsewhere.

use pytrope_source::TextRange;
use pytrope_source::tree::{Clause, ExprId, ExprKind, StmtId, StmtKind};

use super::Projector;
use super::expression::parenthesise_lines;
use crate::check::channel_between;
use crate::endpoint::{Block, EndpointNode, EndpointStmt, OfferCase, Test};
use crate::exhaustive::{NoCase, find_no_case};
use crate::merge::{Conflict, merge_blocks};
use crate::normalise::{Tail, normalise_block};
use crate::report::{ChoreoRule, Extend};
use crate::role::RoleSet;

impl Projector<'_> {
    /// `if` and `match`; the answer is whether the statements behind have been projected too.
    pub(super) fn project_decision(&mut self, stmt: StmtId, rest: &[StmtId], tail: Tail, out: &mut Block) -> bool {
        let tree = &self.unit.tree;
        match tree[stmt].kind {
            StmtKind::If { test, body, clauses } => {
                let clauses = tree[clauses].to_vec();
                let body = tree[body].to_vec();
                self.if_statement(test, &body, &clauses, rest, tail, tree[stmt].range, out)
            }
            StmtKind::Match { subject, .. } if self.deciding_roles(subject).contains(self.role) => {
                self.match_statement(stmt, rest, tail, out);
                false
            }
            StmtKind::Match { subject, cases } => {
                let mut branches: Vec<Vec<StmtId>> = tree[cases].iter().map(|case| tree[case.body].to_vec()).collect();
                let open = find_no_case(self.unit, subject, cases) == NoCase::Nothing;
                let missing = open.then_some("case _:");
                if open {
                    branches.push(Vec::new());
                }
                let piece = self.project_expr(subject, out);
                self.discard_value(piece, subject, out);
                self.merge_branches(subject, &branches, missing, rest, tail, out)
            }
            _ => false,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an if statement and where it stands")]
    fn if_statement(
        &mut self,
        test: ExprId,
        body: &[StmtId],
        clauses: &[Clause],
        rest: &[StmtId],
        tail: Tail,
        range: TextRange,
        out: &mut Block,
    ) -> bool {
        let tree = &self.unit.tree;
        let piece = self.project_expr(test, out);
        let inner = if rest.is_empty() { tail } else { Tail::Next };
        if self.deciding_roles(test).contains(self.role) {
            let text = piece.as_ref().map_or_else(|| "True".to_owned(), |piece| parenthesise_lines(&piece.text));
            let effect = piece.is_some_and(|piece| piece.acts) || !self.is_simple(test);
            let then = self.project_block(body, inner);
            let mut consumed = false;
            let orelse = match clauses.split_first() {
                None => Block::new(),
                Some((Clause { test: None, body, .. }, _)) => {
                    let body = tree[*body].to_vec();
                    self.project_block(&body, inner)
                }
                Some((Clause { test: Some(test), body, range }, others)) => {
                    let body = tree[*body].to_vec();
                    let mut orelse = Block::new();
                    // An `elif` decided elsewhere may need what follows; then the branch taken here needs it too.
                    let decided = self.decides_all(*test, others);
                    if decided || rest.is_empty() || !self.chain_ends(&body, others) {
                        self.if_statement(*test, &body, others, &[], inner, *range, &mut orelse);
                    } else {
                        consumed = true;
                        self.if_statement(*test, &body, others, rest, tail, *range, &mut orelse);
                    }
                    orelse
                }
            };
            let mut then = then;
            if consumed && !crate::endpoint::never_falls_through(&then) {
                then.extend(self.project_block(rest, tail));
            }
            out.push(EndpointStmt::new(
                EndpointNode::If { test: Test { text: text.into(), effect }, then, orelse },
                range,
            ));
            return consumed;
        }
        self.discard_value(piece, test, out);
        let orelse: Vec<StmtId> = match clauses.split_first() {
            None => Vec::new(),
            Some((Clause { test: None, body, .. }, _)) => tree[*body].to_vec(),
            Some((Clause { test: Some(next), body: next_body, range: next_range }, others)) => {
                // else: if next: …
                return self.merged_with_elif(
                    test,
                    body,
                    (*next, tree[*next_body].to_vec(), others, *next_range),
                    rest,
                    tail,
                    out,
                );
            }
        };
        let missing = clauses.is_empty().then_some("else:");
        self.merge_branches(test, &[body.to_vec(), orelse], missing, rest, tail, out)
    }

    fn decides_all(&self, test: ExprId, others: &[Clause]) -> bool {
        std::iter::once(test)
            .chain(others.iter().filter_map(|clause| clause.test))
            .all(|test| self.deciding_roles(test).contains(self.role))
    }

    fn chain_ends(&self, body: &[StmtId], others: &[Clause]) -> bool {
        self.source_ends(body) || others.iter().any(|clause| self.source_ends(&self.unit.tree[clause.body]))
    }

    fn merged_with_elif(
        &mut self,
        test: ExprId,
        body: &[StmtId],
        next: (ExprId, Vec<StmtId>, &[Clause], TextRange),
        rest: &[StmtId],
        tail: Tail,
        out: &mut Block,
    ) -> bool {
        let (next_test, next_body, others, range) = next;
        let any_ends = self.source_ends(body) || self.chain_ends(&next_body, others);
        let consume = any_ends && !rest.is_empty();
        let (rest, tail) = if consume {
            (rest, tail)
        } else if rest.is_empty() {
            (&[][..], tail)
        } else {
            (&[][..], Tail::Next)
        };
        let first = if self.source_ends(body) {
            self.project_block(body, tail)
        } else {
            let whole: Vec<StmtId> = body.iter().chain(rest).copied().collect();
            self.project_block(&whole, tail)
        };
        let mut second = Block::new();
        let done = self.if_statement(next_test, &next_body, others, rest, tail, range, &mut second);
        if !done && !crate::endpoint::never_falls_through(&second) {
            second.extend(self.project_block(rest, tail));
        }
        self.merge_all(test, vec![first, second], None, out);
        consume || tail != Tail::Next
    }

    /// The branches of a decision made elsewhere, merged.
    ///
    /// `missing`: the clause that would write the last branch out, which is empty for want of it.
    fn merge_branches(
        &mut self,
        test: ExprId,
        branches: &[Vec<StmtId>],
        missing: Option<&str>,
        rest: &[StmtId],
        tail: Tail,
        out: &mut Block,
    ) -> bool {
        let reached: Vec<&Vec<StmtId>> = branches.iter().filter(|branch| !self.never_runs(branch)).collect();
        for branch in branches.iter().filter(|branch| self.never_runs(branch)) {
            self.note_unreached(branch);
        }
        let branches = if reached.is_empty() { branches.iter().collect() } else { reached };
        let any_ends = branches.iter().any(|branch| self.source_ends(branch));
        let consume = any_ends && !rest.is_empty();
        let inner = if rest.is_empty() || consume { tail } else { Tail::Next };
        let mut blocks = Vec::new();
        for branch in branches.iter().copied() {
            // A branch that returns is compared with all that the other one does until it returns.
            let stmts: Vec<StmtId> = if consume && !self.source_ends(branch) {
                branch.iter().chain(rest).copied().collect()
            } else {
                branch.clone()
            };
            blocks.push(self.project_block(&stmts, inner));
        }
        self.merge_all(test, blocks, missing, out);
        consume || rest.is_empty()
    }

    /// A branch that ends in `assert_never(x)`: type checkers prove that nothing comes here.
    fn never_runs(&self, branch: &[StmtId]) -> bool {
        let tree = &self.unit.tree;
        let Some(&last) = branch.last() else { return false };
        let StmtKind::Expr { value } = tree[last].kind else { return false };
        let ExprKind::Call { function, .. } = tree[value].kind else { return false };
        tree.dotted(function).is_some_and(|parts| parts.last() == Some(&"assert_never"))
    }

    fn merge_all(&mut self, test: ExprId, blocks: Vec<Block>, missing: Option<&str>, out: &mut Block) {
        let mut blocks = blocks.into_iter().map(|block| normalise_block(block, Tail::Next));
        let mut merged = blocks.next().unwrap_or_default();
        for block in blocks {
            match merge_blocks(&merged, &block) {
                Ok(both) => merged = both,
                Err(conflict) => {
                    self.cannot_merge(test, &conflict, missing);
                    return;
                }
            }
        }
        out.extend(merged);
    }

    fn cannot_merge(&mut self, test: ExprId, conflict: &Conflict, missing: Option<&str>) {
        let unit = self.unit;
        let deciders = self.table.info_of(test).located.roles();
        let decider = deciders.describe_roles(&self.class.roles);
        let role = self.role_name().to_owned();
        let mut help = self.helpful_select(deciders);
        // The end of a branch, where a method returns or a loop goes round, is not written anywhere.
        let written = |side: &Option<(TextRange, String)>| side.clone().filter(|(range, _)| range.start < range.end);
        let conflict = &Conflict { left: written(&conflict.left), right: written(&conflict.right) };
        let told = conflict.left.as_ref().is_some_and(|(_, text)| text.starts_with("wait for"));
        if let (Some(clause), None, false) = (missing, &conflict.right, told) {
            help = format!("{help}; the other branch needs an `{clause}` for it");
        } else if let (Some(clause), None) = (missing, &conflict.right) {
            let nothing = "where no branch applies nothing is selected";
            let never = if clause == "case _:" {
                ", or write `case _: assert_never(…)` if no other case can come"
            } else {
                ""
            };
            help = format!("{nothing}: add `{clause}` with a selection of its own{never}");
        }
        let shown = |side: &Option<(TextRange, String)>| match side {
            Some((_, text)) => format!("`{text}`"),
            None => "nothing".to_owned(),
        };
        let message = format!(
            "{role} cannot know which branch {decider} takes: cannot merge {} and {}",
            shown(&conflict.left),
            shown(&conflict.right)
        );
        let sides = [(&conflict.left, "one branch"), (&conflict.right, "the other branch")];
        let Some(finding) = self.report_refusal(ChoreoRule::CannotMerge, unit.tree[test].range, message) else {
            return;
        };
        for (side, which) in sides {
            if let Some((range, text)) = side {
                finding.annotate_span(unit.span(*range), format!("in {which}, {role} does `{text}`"));
            }
        }
        finding.add_help(help);
    }

    /// How one writes that something is at a role: a type parameter is no value.
    fn place_marker(&self, role: &str) -> String {
        if self.class.role_positions.is_some() { format!("On[{role}]") } else { format!("{role}()") }
    }

    /// The selection that would tell this role what was decided.
    fn helpful_select(&self, deciders: RoleSet) -> String {
        let role = self.role_name();
        for decider in deciders.iter() {
            if let Some(channel) = channel_between(self.world, self.facts, self.class, self.method, decider, self.role)
            {
                let place = self.place_marker(&self.class.roles[decider.index()]);
                return format!(
                    "begin each branch with a selection of its own, such as `{channel}.select(Label.ONE @ {place})` and `{channel}.select(Label.OTHER @ {place})`"
                );
            }
        }
        let everyone = self.class.role_set();
        for through in everyone.iter() {
            let Some(last) = channel_between(self.world, self.facts, self.class, self.method, through, self.role)
            else {
                continue;
            };
            for decider in deciders.iter() {
                if let Some(first) = channel_between(self.world, self.facts, self.class, self.method, decider, through)
                {
                    let name = &self.class.roles[through.index()];
                    return format!(
                        "tell {role} through {name}: in each branch a `{first}.select(…)`, then a `{last}.select(…)`"
                    );
                }
            }
        }
        format!(
            "no channel reaches {role} from {}: add one and select on it in each branch",
            deciders.describe_roles(&self.class.roles)
        )
    }

    /// Whether this role has anything to do with a `try` or `with`.
    pub(super) fn is_inside(&self, stmt: StmtId) -> bool {
        let roles = self.table.roles_in(self.unit, self.unit.tree[stmt].range);
        roles.is_empty() || roles.contains(self.role)
    }

    /// A `try` or `with` of another role, which may return or leave a loop: this role must go on the same either way.
    pub(super) fn left_elsewhere(&mut self, stmt: StmtId, rest: &[StmtId], tail: Tail, out: &mut Block) -> bool {
        let unit = self.unit;
        let tree = &unit.tree;
        let range = tree[stmt].range;
        let leaves = tree.stmt_ids().filter(|&inner| range.contains_range(tree[inner].range)).find_map(|inner| {
            let node = match tree[inner].kind {
                StmtKind::Return { .. } => EndpointNode::Return(None),
                StmtKind::Break if self.loops > 0 => EndpointNode::Break,
                StmtKind::Continue if self.loops > 0 => EndpointNode::Continue,
                _ => return None,
            };
            Some(EndpointStmt::new(node, tree[inner].range))
        });
        let Some(leaves) = leaves else { return false };
        let after = normalise_block(self.project_block(rest, tail), Tail::Next);
        match merge_blocks(std::slice::from_ref(&leaves), &after) {
            Ok(merged) => out.extend(merged),
            Err(conflict) => {
                let owner = self.table.roles_in(unit, range).describe_roles(&self.class.roles);
                let message = format!("{} cannot know whether {owner} leaves here", self.role_name());
                if let Some(finding) = self.report_refusal(ChoreoRule::CannotMerge, leaves.range, message) {
                    if let Some((range, text)) = conflict.right {
                        finding.annotate_span(unit.span(range), format!("if not, this follows: `{text}`"));
                    }
                    finding.add_help("keep the result in a variable, let the statement run to its end, and tell the others by a select");
                }
            }
        }
        true
    }

    /// Whether the statements never reach their end, as far as this role can tell.
    fn source_ends(&self, stmts: &[StmtId]) -> bool {
        let tree = &self.unit.tree;
        stmts.iter().any(|&stmt| match tree[stmt].kind {
            StmtKind::Return { .. } => true,
            StmtKind::Break | StmtKind::Continue => self.loops > 0,
            StmtKind::Raise { .. } => self.raises_here(stmt),
            StmtKind::If { body, clauses, .. } => {
                tree[clauses].iter().any(|clause| clause.test.is_none())
                    && self.source_ends(&tree[body])
                    && tree[clauses].iter().all(|clause| self.source_ends(&tree[clause.body]))
            }
            _ => false,
        })
    }

    fn match_statement(&mut self, stmt: StmtId, rest: &[StmtId], tail: Tail, out: &mut Block) {
        let unit = self.unit;
        let tree = &unit.tree;
        let StmtKind::Match { subject, cases } = tree[stmt].kind else {
            return;
        };
        let inner = if rest.is_empty() { tail } else { Tail::Next };
        let no_case = find_no_case(unit, subject, cases);
        let subject = self.project_expr(subject, out).map_or_else(|| "None".to_owned(), |piece| piece.text);
        let mut projected = Vec::new();
        for case in &tree[cases] {
            let mut head = self.verbatim_text(tree[case.pattern].range);
            if let Some(guard) = case.guard {
                head.push_str(" if ");
                head.push_str(&self.verbatim_text(tree[guard].range));
            }
            let body = tree[case.body].to_vec();
            projected.push((head.into(), self.project_block(&body, inner)));
        }
        if no_case == NoCase::Undeclared {
            // The other roles take one of the cases to be taken; a value that is none of its type must not pass in silence.
            let raise = format!("raise UnexpectedLabel(unexpected, {:?})", self.class.method_title(&self.method.name));
            let raise = EndpointStmt::new(EndpointNode::Raise(raise.into()), tree[stmt].range);
            projected.push(("unexpected".into(), vec![raise]));
        }
        out.push(EndpointStmt::new(
            EndpointNode::Match { subject: subject.into(), cases: projected },
            tree[stmt].range,
        ));
    }

    /// A condition without effects: it may vanish with its branches.
    fn is_simple(&self, test: ExprId) -> bool {
        !self
            .unit
            .exprs_within(self.expr_range(test))
            .any(|expr| matches!(self.unit.tree[expr].kind, ExprKind::Call { .. } | ExprKind::Named { .. }))
    }

    pub(super) fn for_loop(&mut self, stmt: StmtId, out: &mut Block) {
        let unit = self.unit;
        let tree = &unit.tree;
        let StmtKind::For { target, iter, body, orelse, .. } = tree[stmt].kind else {
            return;
        };
        let range = tree[stmt].range;
        let piece = self.project_expr(iter, out);
        if !self.deciding_roles(iter).contains(self.role) {
            self.discard_value(piece, iter, out);
            if self.takes_part(&tree[body]) || self.takes_part(&tree[orelse]) {
                self.not_shared(iter, body);
            }
            return;
        }
        // The last value of a shared loop variable may be used behind the loop.
        let shared = self.table.info_of(iter).located.roles().is_empty() && !self.keeps_target(target);
        let iter_text = piece.map_or_else(String::new, |piece| parenthesise_lines(&piece.text));
        let head = format!("{} in {iter_text}", self.verbatim_text(tree[target].range));
        self.loops += 1;
        let body = tree[body].to_vec();
        let body = self.project_block(&body, Tail::Continue);
        self.loops -= 1;
        let orelse = tree[orelse].to_vec();
        let orelse = self.project_block(&orelse, Tail::Next);
        out.push(EndpointStmt::new(EndpointNode::For { head: head.into(), shared, body, orelse }, range));
    }

    fn not_shared(&mut self, test: ExprId, body: pytrope_source::tree::List<StmtId>) {
        let unit = self.unit;
        let decider = self.table.info_of(test).located.roles().describe_roles(&self.class.roles);
        let role = self.role_name().to_owned();
        let inside = unit.tree[body].iter().copied().find(|&stmt| self.is_relevant(stmt));
        let place = self.place_marker(&decider);
        let message = format!("{role} takes part in this loop, but only {decider} knows when it ends");
        let Some(finding) = self.report_refusal(ChoreoRule::LoopNotShared, unit.tree[test].range, message) else {
            return;
        };
        if let Some(stmt) = inside {
            finding.annotate_span(unit.span(unit.tree[stmt].range), format!("{role} does this in every round"));
        }
        finding.add_help(format!(
            "write `while condition:` with a first `channel.select(Label.MORE @ {place})` to each other role in it and `channel.select(Label.STOP @ {place})` directly after it, or loop over a range that every role knows"
        ));
    }

    /// A loop; elsewhere than where it is decided, its labels drive it.
    pub(super) fn while_loop(&mut self, stmt: StmtId, rest: &[StmtId], tail: Tail, out: &mut Block) -> bool {
        let unit = self.unit;
        let tree = &unit.tree;
        let StmtKind::While { test, body, orelse } = tree[stmt].kind else {
            return false;
        };
        let range = tree[stmt].range;
        if self.deciding_roles(test).contains(self.role) {
            // A condition that receives is evaluated again in each round, so it stays a condition.
            let mut before = Block::new();
            let piece = self.project_expr(test, &mut before);
            let text = piece.map_or_else(|| "True".to_owned(), |piece| parenthesise_lines(&piece.text));
            self.loops += 1;
            let stmts = tree[body].to_vec();
            let mut projected = self.project_block(&stmts, Tail::Continue);
            self.loops -= 1;
            let orelse = tree[orelse].to_vec();
            let orelse = self.project_block(&orelse, Tail::Next);
            if before.is_empty() {
                out.push(EndpointStmt::new(EndpointNode::While { test: text.into(), body: projected, orelse }, range));
            } else {
                // while True: <messages of the condition>; if not condition: break; …
                let leave = EndpointStmt::new(
                    EndpointNode::If {
                        test: Test { text: text.into(), effect: true },
                        then: Block::new(),
                        orelse: vec![EndpointStmt::new(EndpointNode::Break, range)],
                    },
                    range,
                );
                before.push(leave);
                before.append(&mut projected);
                out.push(EndpointStmt::new(EndpointNode::While { test: "True".into(), body: before, orelse }, range));
            }
            return false;
        }
        if self.table.info_of(test).acts.contains(self.role) {
            let message = format!("{} sends for the condition of a loop that another role decides", self.role_name());
            if let Some(finding) = self.report_refusal(ChoreoRule::LoopNotShared, self.unit.tree[test].range, message) {
                finding.add_help("communicate in the body of the loop, before the selection");
            }
            return false;
        }
        self.loops += 1;
        let stmts = tree[body].to_vec();
        let projected = self.project_block(&stmts, Tail::Continue);
        self.loops -= 1;
        let projected = normalise_block(projected, Tail::Continue);
        let after = self.project_block(rest, tail);
        let (Some(EndpointStmt { node: EndpointNode::Offer { channel, site, cases }, .. }), 1) =
            (projected.first(), projected.len())
        else {
            self.not_shared(test, body);
            return false;
        };
        let (
            Some(EndpointStmt {
                node: EndpointNode::Offer { channel: stop_channel, site: stop_site, cases: stop },
                ..
            }),
            1,
        ) = (after.first(), after.len())
        else {
            self.not_stopped(test, channel.as_str(), rest);
            return false;
        };
        let clash = stop.iter().any(|case| cases.iter().any(|more| more.label == case.label));
        let [last] = stop.as_slice() else {
            self.not_stopped(test, channel.as_str(), rest);
            return false;
        };
        if stop_channel != channel || clash || leaves_loop(&projected) {
            self.not_stopped(test, channel.as_str(), rest);
            return false;
        }
        let mut cases = cases.clone();
        let stop_range = after[0].range;
        cases.push(OfferCase {
            label: last.label.clone(),
            body: vec![EndpointStmt::new(EndpointNode::Break, stop_range)],
        });
        let offer = EndpointStmt::new(
            EndpointNode::Offer { channel: channel.clone(), site: site.unite_marks(stop_site), cases },
            projected[0].range,
        );
        out.push(EndpointStmt::new(
            EndpointNode::While { test: "True".into(), body: vec![offer], orelse: Block::new() },
            range,
        ));
        out.extend(last.body.iter().cloned());
        true
    }

    fn not_stopped(&mut self, test: ExprId, channel: &str, rest: &[StmtId]) {
        let unit = self.unit;
        let decider = self.table.info_of(test).located.roles().describe_roles(&self.class.roles);
        let role = self.role_name().to_owned();
        let place = self.place_marker(&decider);
        let message = format!("{role} is told when the loop goes on, but not when it ends");
        let behind = rest.first().map(|&stmt| unit.tree[stmt].range);
        let help = format!(
            "put directly after the loop `{channel}.select(Label.STOP @ {place})`, a label that the loop does not use, and leave the loop by its condition only"
        );
        let Some(finding) = self.report_refusal(ChoreoRule::LoopNotShared, unit.tree[test].range, message) else {
            return;
        };
        if let Some(range) = behind {
            finding.annotate_span(unit.span(range), "this follows the loop");
        }
        finding.add_help(help);
    }
}

/// Whether a block leaves the loop it is in by `break`.
fn leaves_loop(block: &[EndpointStmt]) -> bool {
    block.iter().any(|stmt| match &stmt.node {
        EndpointNode::Break => true,
        EndpointNode::If { then, orelse, .. } => leaves_loop(then) || leaves_loop(orelse),
        EndpointNode::Offer { cases, .. } => cases.iter().any(|case| leaves_loop(&case.body)),
        EndpointNode::Match { cases, .. } => cases.iter().any(|(_, body)| leaves_loop(body)),
        EndpointNode::With { body, .. } => leaves_loop(body),
        EndpointNode::Try { body, handlers, orelse, finalbody } => {
            leaves_loop(body)
                || handlers.iter().any(|(_, body)| leaves_loop(body))
                || leaves_loop(orelse)
                || leaves_loop(finalbody)
        }
        EndpointNode::While { orelse, .. } | EndpointNode::For { orelse, .. } => leaves_loop(orelse),
        EndpointNode::Line(_)
        | EndpointNode::Return(_)
        | EndpointNode::Raise(_)
        | EndpointNode::Continue
        | EndpointNode::Verbatim(_) => false,
    })
}
