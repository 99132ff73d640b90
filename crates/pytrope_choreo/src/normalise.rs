//! Normalising: an endpoint program without the empty shells that projection leaves.

use crate::endpoint::{Block, EndpointNode, EndpointStmt, OfferCase, never_falls_through};
use crate::site::MarkedText;

/// What falling off the end of a block means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// The next statement of an outer block runs.
    Next,
    /// The method returns nothing.
    Return,
    /// The loop goes round.
    Continue,
}

/// Normalises a block to a fixpoint: one pass from the inside out is one.
pub fn normalise_block(mut block: Block, tail: Tail) -> Block {
    while block.last().is_some_and(|last| is_redundant(&last.node, tail)) {
        block.pop();
    }
    let mut out = Block::new();
    let count = block.len();
    for (at, stmt) in block.into_iter().enumerate() {
        let tail = if at + 1 == count { tail } else { Tail::Next };
        let done = out.last().is_some_and(|last: &EndpointStmt| never_falls_through(std::slice::from_ref(last)));
        if done {
            // Nothing behind a return is ever reached.
            break;
        }
        normalise_stmt(stmt, tail, &mut out);
    }
    while out.last().is_some_and(|last| is_redundant(&last.node, tail)) {
        out.pop();
    }
    out
}

fn is_redundant(node: &EndpointNode, tail: Tail) -> bool {
    matches!((node, tail), (EndpointNode::Return(None), Tail::Return) | (EndpointNode::Continue, Tail::Continue))
}

fn normalise_stmt(stmt: EndpointStmt, tail: Tail, out: &mut Block) {
    let EndpointStmt { node, range, leading, trailing } = stmt;
    let node = match node {
        EndpointNode::If { test, then, orelse } => {
            let then = normalise_block(then, tail);
            let orelse = normalise_block(orelse, tail);
            match (then.is_empty(), orelse.is_empty()) {
                (true, true) if test.effect => EndpointNode::Line(test.text),
                (true, true) => return,
                _ => EndpointNode::If { test, then, orelse },
            }
        }
        EndpointNode::While { test, body, orelse } => EndpointNode::While {
            test,
            body: normalise_block(body, Tail::Continue),
            orelse: normalise_block(orelse, tail),
        },
        EndpointNode::For { head, shared, body, orelse } => {
            let body = normalise_block(body, Tail::Continue);
            let orelse = normalise_block(orelse, tail);
            if shared && body.is_empty() && orelse.is_empty() {
                return;
            }
            EndpointNode::For { head, shared, body, orelse }
        }
        EndpointNode::With { head, body } => EndpointNode::With { head, body: normalise_block(body, Tail::Next) },
        EndpointNode::Try { body, handlers, orelse, finalbody } => {
            let body = normalise_block(body, Tail::Next);
            let finalbody = normalise_block(finalbody, Tail::Next);
            let orelse = normalise_block(orelse, Tail::Next);
            let handlers: Vec<(MarkedText, Block)> =
                handlers.into_iter().map(|(head, body)| (head, normalise_block(body, Tail::Next))).collect();
            if handlers.is_empty() && finalbody.is_empty() {
                out.extend(body);
                return;
            }
            if body.is_empty() && orelse.is_empty() {
                out.extend(finalbody);
                return;
            }
            EndpointNode::Try { body, handlers, orelse, finalbody }
        }
        EndpointNode::Match { subject, cases } => {
            let cases: Vec<(MarkedText, Block)> =
                cases.into_iter().map(|(pattern, body)| (pattern, normalise_block(body, tail))).collect();
            EndpointNode::Match { subject, cases }
        }
        EndpointNode::Offer { channel, site, cases } => EndpointNode::Offer {
            channel,
            site,
            cases: cases
                .into_iter()
                .map(|case| OfferCase { label: case.label, body: normalise_block(case.body, tail) })
                .collect(),
        },
        simple @ (EndpointNode::Line(_)
        | EndpointNode::Return(_)
        | EndpointNode::Raise(_)
        | EndpointNode::Break
        | EndpointNode::Continue
        | EndpointNode::Verbatim(_)) => simple,
    };
    out.push(EndpointStmt { node, range, leading, trailing });
}
