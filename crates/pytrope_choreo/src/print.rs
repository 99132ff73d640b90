//! Printing endpoint programs as Python.

use crate::endpoint::{Block, EndpointNode, EndpointStmt};

const STEP: &str = "    ";

/// The lines of a program under construction.
#[derive(Default)]
pub struct Printer {
    pub out: String,
    /// `Class.method`, for the error about an unexpected label.
    pub site: String,
    /// Whether an offer was printed, which needs `UnexpectedLabel`.
    pub offers: bool,
}

impl Printer {
    pub fn line(&mut self, depth: usize, text: &str) {
        for _ in 0..depth {
            self.out.push_str(STEP);
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A suite; an empty one is `pass`.
    pub fn suite(&mut self, depth: usize, block: &Block) {
        if block.is_empty() {
            self.line(depth, "pass");
        }
        self.block(depth, block);
    }

    pub fn block(&mut self, depth: usize, block: &Block) {
        for stmt in block {
            self.stmt(depth, stmt);
        }
    }

    fn stmt(&mut self, depth: usize, stmt: &EndpointStmt) {
        for comment in &stmt.leading {
            self.line(depth, comment);
        }
        let mark = self.out.len();
        self.node(depth, &stmt.node);
        if let Some(comment) = &stmt.trailing {
            // Behind the first line of the statement, unless a text goes over several lines.
            let first = self.out[mark..].find('\n').map_or(self.out.len(), |at| mark + at);
            let simple = matches!(
                stmt.node,
                EndpointNode::Line(_)
                    | EndpointNode::Return(_)
                    | EndpointNode::Raise(_)
                    | EndpointNode::Break
                    | EndpointNode::Continue
            );
            if simple && first + 1 == self.out.len() {
                self.out.insert_str(first, &format!("  {comment}"));
            }
        }
    }

    fn node(&mut self, depth: usize, node: &EndpointNode) {
        match node {
            EndpointNode::Line(text) | EndpointNode::Raise(text) => self.line(depth, text.as_str()),
            EndpointNode::Return(None) => self.line(depth, "return"),
            EndpointNode::Return(Some(value)) => self.line(depth, &format!("return {}", value.as_str())),
            EndpointNode::Break => self.line(depth, "break"),
            EndpointNode::Continue => self.line(depth, "continue"),
            EndpointNode::If { test, then, orelse } => self.branch(depth, "if", test.text.as_str(), then, orelse),
            EndpointNode::While { test, body, orelse } => {
                self.line(depth, &format!("while {}:", test.as_str()));
                self.suite(depth + 1, body);
                self.orelse(depth, orelse);
            }
            EndpointNode::For { head, body, orelse, .. } => {
                self.line(depth, &format!("for {}:", head.as_str()));
                self.suite(depth + 1, body);
                self.orelse(depth, orelse);
            }
            EndpointNode::With { head, body } => {
                self.line(depth, &format!("with {}:", head.as_str()));
                self.suite(depth + 1, body);
            }
            EndpointNode::Try { body, handlers, orelse, finalbody } => {
                self.line(depth, "try:");
                self.suite(depth + 1, body);
                for (head, body) in handlers {
                    self.line(depth, &format!("{}:", head.as_str()));
                    self.suite(depth + 1, body);
                }
                self.orelse(depth, orelse);
                if !finalbody.is_empty() {
                    self.line(depth, "finally:");
                    self.suite(depth + 1, finalbody);
                }
            }
            EndpointNode::Match { subject, cases } => {
                self.line(depth, &format!("match {}:", subject.as_str()));
                for (pattern, body) in cases {
                    self.line(depth + 1, &format!("case {}:", pattern.as_str()));
                    self.suite(depth + 2, body);
                }
            }
            EndpointNode::Offer { channel, site, cases } => {
                self.offers = true;
                self.line(depth, &format!("match {}.offer({}):", channel.as_str(), site.as_str()));
                for case in cases {
                    self.line(depth + 1, &format!("case {}:", case.label));
                    self.suite(depth + 2, &case.body);
                }
                self.line(depth + 1, "case unexpected:");
                let raise = format!("raise UnexpectedLabel(unexpected, {:?})", self.site);
                self.line(depth + 2, &raise);
            }
            EndpointNode::Verbatim(lines) => {
                for line in lines {
                    if line.is_empty() {
                        self.out.push('\n');
                    } else {
                        self.line(depth, line);
                    }
                }
            }
        }
    }

    fn branch(&mut self, depth: usize, keyword: &str, test: &str, then: &Block, orelse: &Block) {
        if then.is_empty() && !orelse.is_empty() {
            self.line(depth, &format!("{keyword} {}:", negate(test)));
            self.suite(depth + 1, orelse);
            return;
        }
        self.line(depth, &format!("{keyword} {test}:"));
        self.suite(depth + 1, then);
        match orelse.as_slice() {
            [] => {}
            [EndpointStmt { node: EndpointNode::If { test, then, orelse }, leading, .. }]
                if leading.is_empty() && (!then.is_empty() || orelse.is_empty()) =>
            {
                self.branch(depth, "elif", test.text.as_str(), then, orelse);
            }
            _ => self.orelse(depth, orelse),
        }
    }

    fn orelse(&mut self, depth: usize, orelse: &Block) {
        if !orelse.is_empty() {
            self.line(depth, "else:");
            self.suite(depth + 1, orelse);
        }
    }
}

/// The opposite of a condition.
fn negate(test: &str) -> String {
    let simple = test.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    if simple { format!("not {test}") } else { format!("not ({test})") }
}
