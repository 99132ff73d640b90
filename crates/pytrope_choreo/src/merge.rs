//! Merging: what a role does that cannot tell which of several branches was taken.
//!
//! Equal statements merge to themselves. Offers on one channel merge to an offer of all labels, the bodies of
//! a label that both have being merged in turn: this is how a selection lets branches differ.

use pytrope_source::TextRange;

use crate::endpoint::{Block, EndpointNode, EndpointStmt, OfferCase, Test, never_falls_through};
use crate::site::MarkedText;

/// Two places that a role could not tell apart; `None` is the end of a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    pub left: Option<(TextRange, String)>,
    pub right: Option<(TextRange, String)>,
}

/// The one behaviour that serves both branches.
pub fn merge_blocks(left: &[EndpointStmt], right: &[EndpointStmt]) -> Result<Block, Conflict> {
    let mut merged = Block::new();
    let (mut left, mut right) = (left, right);
    loop {
        let (a, b) = match (left.split_first(), right.split_first()) {
            (None, None) => return Ok(merged),
            (Some((a, rest_a)), Some((b, rest_b))) => {
                left = rest_a;
                right = rest_b;
                (a, b)
            }
            (a, b) => {
                return Err(Conflict {
                    left: a.map(|(stmt, _)| conflict_place(stmt)),
                    right: b.map(|(stmt, _)| conflict_place(stmt)),
                });
            }
        };
        let offers = match (&a.node, &b.node) {
            (
                EndpointNode::Offer { channel: x, site: site_a, cases: left },
                EndpointNode::Offer { channel: y, site: site_b, cases: right },
            ) if x == y => Some((x, site_a.unite_marks(site_b), left, right)),
            _ => None,
        };
        if let (Some((channel, site, cases_a, cases_b)), false) = (offers, left == right) {
            // What follows an offer belongs to each of its cases; keep it apart where it differs.
            let cases = merge_cases(&append_to_cases(cases_a, left), &append_to_cases(cases_b, right))?;
            merged.push(with_node(a, EndpointNode::Offer { channel: channel.clone(), site, cases }));
            return Ok(merged);
        }
        merged.push(merge_stmt(a, b)?);
    }
}

fn append_to_cases(cases: &[OfferCase], rest: &[EndpointStmt]) -> Vec<OfferCase> {
    cases
        .iter()
        .map(|case| {
            let mut body = case.body.clone();
            if !never_falls_through(&body) {
                body.extend_from_slice(rest);
            }
            OfferCase { label: case.label.clone(), body }
        })
        .collect()
}

fn with_node(stmt: &EndpointStmt, node: EndpointNode) -> EndpointStmt {
    EndpointStmt { node, ..stmt.clone() }
}

fn conflict_place(stmt: &EndpointStmt) -> (TextRange, String) {
    (stmt.range, describe_node(&stmt.node))
}

/// A statement in a few words, for messages.
pub fn describe_node(node: &EndpointNode) -> String {
    match node {
        EndpointNode::Line(text) | EndpointNode::Raise(text) => {
            text.without_sites().lines().next().unwrap_or_default().to_owned()
        }
        EndpointNode::Return(None) => "return".to_owned(),
        EndpointNode::Return(Some(value)) => format!("return {}", value.without_sites()),
        EndpointNode::Break => "break".to_owned(),
        EndpointNode::Continue => "continue".to_owned(),
        EndpointNode::If { test, .. } => format!("if {}", test.text.without_sites()),
        EndpointNode::While { test, .. } => format!("while {}", test.without_sites()),
        EndpointNode::For { head, .. } => format!("for {}", head.without_sites()),
        EndpointNode::With { head, .. } => format!("with {}", head.without_sites()),
        EndpointNode::Try { .. } => "try".to_owned(),
        EndpointNode::Match { subject, .. } => format!("match {}", subject.without_sites()),
        EndpointNode::Offer { channel, cases, .. } => {
            let labels: Vec<&str> = cases.iter().map(|case| case.label.as_str()).collect();
            format!("wait for {} on {}", labels.join(" or "), channel.as_str())
        }
        EndpointNode::Verbatim(lines) => lines.first().cloned().unwrap_or_default(),
    }
}

/// Statements merge where they are the same but for the sites in them; the merged one stands for the sites of both.
fn merge_stmt(a: &EndpointStmt, b: &EndpointStmt) -> Result<EndpointStmt, Conflict> {
    let conflict = || Conflict { left: Some(conflict_place(a)), right: Some(conflict_place(b)) };
    let node = match (&a.node, &b.node) {
        (EndpointNode::Line(x), EndpointNode::Line(y)) if x == y => EndpointNode::Line(x.unite_marks(y)),
        (EndpointNode::Raise(x), EndpointNode::Raise(y)) if x == y => EndpointNode::Raise(x.unite_marks(y)),
        (EndpointNode::Return(None), EndpointNode::Return(None)) => EndpointNode::Return(None),
        (EndpointNode::Return(Some(x)), EndpointNode::Return(Some(y))) if x == y => {
            EndpointNode::Return(Some(x.unite_marks(y)))
        }
        (EndpointNode::Break, EndpointNode::Break) => EndpointNode::Break,
        (EndpointNode::Continue, EndpointNode::Continue) => EndpointNode::Continue,
        (EndpointNode::Verbatim(x), EndpointNode::Verbatim(y)) if x == y => EndpointNode::Verbatim(x.clone()),
        (EndpointNode::If { test, then, orelse }, EndpointNode::If { test: other, then: then_b, orelse: orelse_b })
            if test == other =>
        {
            EndpointNode::If {
                test: Test { text: test.text.unite_marks(&other.text), effect: test.effect },
                then: merge_blocks(then, then_b)?,
                orelse: merge_blocks(orelse, orelse_b)?,
            }
        }
        (
            EndpointNode::While { test, body, orelse },
            EndpointNode::While { test: other, body: body_b, orelse: orelse_b },
        ) if test == other => EndpointNode::While {
            test: test.unite_marks(other),
            body: merge_blocks(body, body_b)?,
            orelse: merge_blocks(orelse, orelse_b)?,
        },
        (
            EndpointNode::For { head, shared, body, orelse },
            EndpointNode::For { head: other, body: body_b, orelse: orelse_b, .. },
        ) if head == other => EndpointNode::For {
            head: head.unite_marks(other),
            shared: *shared,
            body: merge_blocks(body, body_b)?,
            orelse: merge_blocks(orelse, orelse_b)?,
        },
        (EndpointNode::With { head, body }, EndpointNode::With { head: other, body: body_b }) if a == b => {
            EndpointNode::With { head: head.unite_marks(other), body: merge_blocks(body, body_b)? }
        }
        (
            EndpointNode::Try { body, handlers, orelse, finalbody },
            EndpointNode::Try { body: body_b, handlers: handlers_b, orelse: orelse_b, finalbody: finalbody_b },
        ) if a == b => EndpointNode::Try {
            body: merge_blocks(body, body_b)?,
            handlers: merge_bodies(handlers, handlers_b)?,
            orelse: merge_blocks(orelse, orelse_b)?,
            finalbody: merge_blocks(finalbody, finalbody_b)?,
        },
        (EndpointNode::Match { subject, cases }, EndpointNode::Match { subject: other, cases: cases_b })
            if subject == other
                && cases.len() == cases_b.len()
                && cases.iter().zip(cases_b).all(|(x, y)| x.0 == y.0) =>
        {
            EndpointNode::Match { subject: subject.unite_marks(other), cases: merge_bodies(cases, cases_b)? }
        }
        (
            EndpointNode::Offer { channel, site, cases },
            EndpointNode::Offer { channel: other, site: site_b, cases: cases_b },
        ) if channel == other => EndpointNode::Offer {
            channel: channel.clone(),
            site: site.unite_marks(site_b),
            cases: merge_cases(cases, cases_b)?,
        },
        _ => return Err(conflict()),
    };
    Ok(with_node(a, node))
}

/// Bodies under equal heads, such as patterns or handlers.
fn merge_bodies(
    left: &[(MarkedText, Block)],
    right: &[(MarkedText, Block)],
) -> Result<Vec<(MarkedText, Block)>, Conflict> {
    left.iter().zip(right).map(|((head, x), (other, y))| Ok((head.unite_marks(other), merge_blocks(x, y)?))).collect()
}

fn merge_cases(left: &[OfferCase], right: &[OfferCase]) -> Result<Vec<OfferCase>, Conflict> {
    let mut merged: Vec<OfferCase> = Vec::new();
    for case in left {
        match right.iter().find(|other| other.label == case.label) {
            Some(other) => {
                merged.push(OfferCase { label: case.label.clone(), body: merge_blocks(&case.body, &other.body)? });
            }
            None => merged.push(case.clone()),
        }
    }
    for case in right {
        if !merged.iter().any(|known| known.label == case.label) {
            merged.push(case.clone());
        }
    }
    Ok(merged)
}
