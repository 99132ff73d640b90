//! Merging: what a role does that cannot tell which of several branches was taken.
//!
//! Equal statements merge to themselves. Offers on one channel merge to an offer of all labels, the bodies of
//! a label that both have being merged in turn: this is how a selection lets branches differ.

use pytrope_source::TextRange;

use crate::endpoint::{Block, Case, Node, Stmt, Test, ends};
use crate::site::Code;

/// Two places that a role could not tell apart; `None` is the end of a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    pub left: Option<(TextRange, String)>,
    pub right: Option<(TextRange, String)>,
}

/// The one behaviour that serves both branches.
pub fn merge(left: &[Stmt], right: &[Stmt]) -> Result<Block, Conflict> {
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
                return Err(Conflict { left: a.map(|(stmt, _)| place(stmt)), right: b.map(|(stmt, _)| place(stmt)) });
            }
        };
        let offers = match (&a.node, &b.node) {
            (
                Node::Offer { channel: x, site: site_a, cases: left },
                Node::Offer { channel: y, site: site_b, cases: right },
            ) if x == y => Some((x, site_a.unite(site_b), left, right)),
            _ => None,
        };
        if let (Some((channel, site, cases_a, cases_b)), false) = (offers, left == right) {
            // What follows an offer belongs to each of its cases; keep it apart where it differs.
            let cases = merge_cases(&continued(cases_a, left), &continued(cases_b, right))?;
            merged.push(like(a, Node::Offer { channel: channel.clone(), site, cases }));
            return Ok(merged);
        }
        merged.push(merge_stmt(a, b)?);
    }
}

fn continued(cases: &[Case], rest: &[Stmt]) -> Vec<Case> {
    cases
        .iter()
        .map(|case| {
            let mut body = case.body.clone();
            if !ends(&body) {
                body.extend_from_slice(rest);
            }
            Case { label: case.label.clone(), body }
        })
        .collect()
}

fn like(stmt: &Stmt, node: Node) -> Stmt {
    Stmt { node, ..stmt.clone() }
}

fn place(stmt: &Stmt) -> (TextRange, String) {
    (stmt.range, describe(&stmt.node))
}

/// A statement in a few words, for messages.
pub fn describe(node: &Node) -> String {
    match node {
        Node::Line(text) | Node::Raise(text) => text.without_sites().lines().next().unwrap_or_default().to_owned(),
        Node::Return(None) => "return".to_owned(),
        Node::Return(Some(value)) => format!("return {}", value.without_sites()),
        Node::Break => "break".to_owned(),
        Node::Continue => "continue".to_owned(),
        Node::If { test, .. } => format!("if {}", test.text.without_sites()),
        Node::While { test, .. } => format!("while {}", test.without_sites()),
        Node::For { head, .. } => format!("for {}", head.without_sites()),
        Node::With { head, .. } => format!("with {}", head.without_sites()),
        Node::Try { .. } => "try".to_owned(),
        Node::Match { subject, .. } => format!("match {}", subject.without_sites()),
        Node::Offer { channel, cases, .. } => {
            let labels: Vec<&str> = cases.iter().map(|case| case.label.as_str()).collect();
            format!("wait for {} on {}", labels.join(" or "), channel.as_str())
        }
        Node::Verbatim(lines) => lines.first().cloned().unwrap_or_default(),
    }
}

/// Statements merge where they are the same but for the sites in them; the merged one stands for the sites of both.
fn merge_stmt(a: &Stmt, b: &Stmt) -> Result<Stmt, Conflict> {
    let conflict = || Conflict { left: Some(place(a)), right: Some(place(b)) };
    let node = match (&a.node, &b.node) {
        (Node::Line(x), Node::Line(y)) if x == y => Node::Line(x.unite(y)),
        (Node::Raise(x), Node::Raise(y)) if x == y => Node::Raise(x.unite(y)),
        (Node::Return(None), Node::Return(None)) => Node::Return(None),
        (Node::Return(Some(x)), Node::Return(Some(y))) if x == y => Node::Return(Some(x.unite(y))),
        (Node::Break, Node::Break) => Node::Break,
        (Node::Continue, Node::Continue) => Node::Continue,
        (Node::Verbatim(x), Node::Verbatim(y)) if x == y => Node::Verbatim(x.clone()),
        (Node::If { test, then, orelse }, Node::If { test: other, then: then_b, orelse: orelse_b })
            if test == other =>
        {
            Node::If {
                test: Test { text: test.text.unite(&other.text), effect: test.effect },
                then: merge(then, then_b)?,
                orelse: merge(orelse, orelse_b)?,
            }
        }
        (Node::While { test, body, orelse }, Node::While { test: other, body: body_b, orelse: orelse_b })
            if test == other =>
        {
            Node::While { test: test.unite(other), body: merge(body, body_b)?, orelse: merge(orelse, orelse_b)? }
        }
        (Node::For { head, shared, body, orelse }, Node::For { head: other, body: body_b, orelse: orelse_b, .. })
            if head == other =>
        {
            Node::For {
                head: head.unite(other),
                shared: *shared,
                body: merge(body, body_b)?,
                orelse: merge(orelse, orelse_b)?,
            }
        }
        (Node::With { head, body }, Node::With { head: other, body: body_b }) if a == b => {
            Node::With { head: head.unite(other), body: merge(body, body_b)? }
        }
        (
            Node::Try { body, handlers, orelse, finalbody },
            Node::Try { body: body_b, handlers: handlers_b, orelse: orelse_b, finalbody: finalbody_b },
        ) if a == b => Node::Try {
            body: merge(body, body_b)?,
            handlers: merge_bodies(handlers, handlers_b)?,
            orelse: merge(orelse, orelse_b)?,
            finalbody: merge(finalbody, finalbody_b)?,
        },
        (Node::Match { subject, cases }, Node::Match { subject: other, cases: cases_b })
            if subject == other
                && cases.len() == cases_b.len()
                && cases.iter().zip(cases_b).all(|(x, y)| x.0 == y.0) =>
        {
            Node::Match { subject: subject.unite(other), cases: merge_bodies(cases, cases_b)? }
        }
        (Node::Offer { channel, site, cases }, Node::Offer { channel: other, site: site_b, cases: cases_b })
            if channel == other =>
        {
            Node::Offer { channel: channel.clone(), site: site.unite(site_b), cases: merge_cases(cases, cases_b)? }
        }
        _ => return Err(conflict()),
    };
    Ok(like(a, node))
}

/// Bodies under equal heads, such as patterns or handlers.
fn merge_bodies(left: &[(Code, Block)], right: &[(Code, Block)]) -> Result<Vec<(Code, Block)>, Conflict> {
    left.iter().zip(right).map(|((head, x), (other, y))| Ok((head.unite(other), merge(x, y)?))).collect()
}

fn merge_cases(left: &[Case], right: &[Case]) -> Result<Vec<Case>, Conflict> {
    let mut merged: Vec<Case> = Vec::new();
    for case in left {
        match right.iter().find(|other| other.label == case.label) {
            Some(other) => merged.push(Case { label: case.label.clone(), body: merge(&case.body, &other.body)? }),
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
