//! Normalising: an endpoint program without the empty shells that projection leaves.

use crate::endpoint::{Block, Case, Node, Stmt, ends};
use crate::site::Code;

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
pub fn normalise(mut block: Block, tail: Tail) -> Block {
    while block.last().is_some_and(|last| is_redundant(&last.node, tail)) {
        block.pop();
    }
    let mut out = Block::new();
    let count = block.len();
    for (at, stmt) in block.into_iter().enumerate() {
        let tail = if at + 1 == count { tail } else { Tail::Next };
        let done = out.last().is_some_and(|last: &Stmt| ends(std::slice::from_ref(last)));
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

fn is_redundant(node: &Node, tail: Tail) -> bool {
    matches!((node, tail), (Node::Return(None), Tail::Return) | (Node::Continue, Tail::Continue))
}

fn normalise_stmt(stmt: Stmt, tail: Tail, out: &mut Block) {
    let Stmt { node, range, leading, trailing } = stmt;
    let node = match node {
        Node::If { test, then, orelse } => {
            let then = normalise(then, tail);
            let orelse = normalise(orelse, tail);
            match (then.is_empty(), orelse.is_empty()) {
                (true, true) if test.effect => Node::Line(test.text),
                (true, true) => return,
                _ => Node::If { test, then, orelse },
            }
        }
        Node::While { test, body, orelse } => {
            Node::While { test, body: normalise(body, Tail::Continue), orelse: normalise(orelse, tail) }
        }
        Node::For { head, shared, body, orelse } => {
            let body = normalise(body, Tail::Continue);
            let orelse = normalise(orelse, tail);
            if shared && body.is_empty() && orelse.is_empty() {
                return;
            }
            Node::For { head, shared, body, orelse }
        }
        Node::With { head, body } => Node::With { head, body: normalise(body, Tail::Next) },
        Node::Try { body, handlers, orelse, finalbody } => {
            let body = normalise(body, Tail::Next);
            let finalbody = normalise(finalbody, Tail::Next);
            let orelse = normalise(orelse, Tail::Next);
            let handlers: Vec<(Code, Block)> =
                handlers.into_iter().map(|(head, body)| (head, normalise(body, Tail::Next))).collect();
            if handlers.is_empty() && finalbody.is_empty() {
                out.extend(body);
                return;
            }
            if body.is_empty() && orelse.is_empty() {
                out.extend(finalbody);
                return;
            }
            Node::Try { body, handlers, orelse, finalbody }
        }
        Node::Match { subject, cases } => {
            let cases: Vec<(Code, Block)> =
                cases.into_iter().map(|(pattern, body)| (pattern, normalise(body, tail))).collect();
            Node::Match { subject, cases }
        }
        Node::Offer { channel, site, cases } => Node::Offer {
            channel,
            site,
            cases: cases.into_iter().map(|case| Case { label: case.label, body: normalise(case.body, tail) }).collect(),
        },
        simple @ (Node::Line(_)
        | Node::Return(_)
        | Node::Raise(_)
        | Node::Break
        | Node::Continue
        | Node::Verbatim(_)) => simple,
    };
    out.push(Stmt { node, range, leading, trailing });
}
