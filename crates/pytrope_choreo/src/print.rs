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
    pub fn print_line(&mut self, depth: usize, text: &str) {
        for _ in 0..depth {
            self.out.push_str(STEP);
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A suite; an empty one is `pass`.
    pub fn print_suite(&mut self, depth: usize, block: &Block) {
        if block.is_empty() {
            self.print_line(depth, "pass");
        }
        self.print_block(depth, block);
    }

    pub fn print_block(&mut self, depth: usize, block: &Block) {
        for stmt in block {
            self.print_stmt(depth, stmt);
        }
    }

    fn print_stmt(&mut self, depth: usize, stmt: &EndpointStmt) {
        for comment in &stmt.leading {
            self.print_line(depth, comment);
        }
        let mark = self.out.len();
        self.print_node(depth, &stmt.node);
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

    fn print_node(&mut self, depth: usize, node: &EndpointNode) {
        match node {
            EndpointNode::Line(text) | EndpointNode::Raise(text) => self.print_line(depth, text.as_str()),
            EndpointNode::Return(None) => self.print_line(depth, "return"),
            EndpointNode::Return(Some(value)) => self.print_line(depth, &format!("return {}", value.as_str())),
            EndpointNode::Break => self.print_line(depth, "break"),
            EndpointNode::Continue => self.print_line(depth, "continue"),
            EndpointNode::If { test, then, orelse } => self.print_branch(depth, "if", test.text.as_str(), then, orelse),
            EndpointNode::While { test, body, orelse } => {
                self.print_line(depth, &format!("while {}:", test.as_str()));
                self.print_suite(depth + 1, body);
                self.print_orelse(depth, orelse);
            }
            EndpointNode::For { head, body, orelse, .. } => {
                self.print_line(depth, &format!("for {}:", head.as_str()));
                self.print_suite(depth + 1, body);
                self.print_orelse(depth, orelse);
            }
            EndpointNode::With { head, body } => {
                self.print_line(depth, &format!("with {}:", head.as_str()));
                self.print_suite(depth + 1, body);
            }
            EndpointNode::Try { body, handlers, orelse, finalbody } => {
                self.print_line(depth, "try:");
                self.print_suite(depth + 1, body);
                for (head, body) in handlers {
                    self.print_line(depth, &format!("{}:", head.as_str()));
                    self.print_suite(depth + 1, body);
                }
                self.print_orelse(depth, orelse);
                if !finalbody.is_empty() {
                    self.print_line(depth, "finally:");
                    self.print_suite(depth + 1, finalbody);
                }
            }
            EndpointNode::Match { subject, cases } => {
                self.print_line(depth, &format!("match {}:", subject.as_str()));
                for (pattern, body) in cases {
                    self.print_line(depth + 1, &format!("case {}:", pattern.as_str()));
                    self.print_suite(depth + 2, body);
                }
            }
            EndpointNode::Offer { channel, site, cases } => {
                self.offers = true;
                self.print_line(depth, &format!("match {}.offer({}):", channel.as_str(), site.as_str()));
                for case in cases {
                    self.print_line(depth + 1, &format!("case {}:", case.label));
                    self.print_suite(depth + 2, &case.body);
                }
                self.print_line(depth + 1, "case unexpected:");
                let raise = format!("raise UnexpectedLabel(unexpected, {:?})", self.site);
                self.print_line(depth + 2, &raise);
            }
            EndpointNode::Verbatim(lines) => {
                for line in lines {
                    if line.is_empty() {
                        self.out.push('\n');
                    } else {
                        self.print_line(depth, line);
                    }
                }
            }
        }
    }

    fn print_branch(&mut self, depth: usize, keyword: &str, test: &str, then: &Block, orelse: &Block) {
        if then.is_empty() && !orelse.is_empty() {
            self.print_line(depth, &format!("{keyword} {}:", negate_test(test)));
            self.print_suite(depth + 1, orelse);
            return;
        }
        self.print_line(depth, &format!("{keyword} {test}:"));
        self.print_suite(depth + 1, then);
        match orelse.as_slice() {
            [] => {}
            [EndpointStmt { node: EndpointNode::If { test, then, orelse }, leading, .. }]
                if leading.is_empty() && (!then.is_empty() || orelse.is_empty()) =>
            {
                self.print_branch(depth, "elif", test.text.as_str(), then, orelse);
            }
            _ => self.print_orelse(depth, orelse),
        }
    }

    fn print_orelse(&mut self, depth: usize, orelse: &Block) {
        if !orelse.is_empty() {
            self.print_line(depth, "else:");
            self.print_suite(depth + 1, orelse);
        }
    }
}

/// The opposite of a condition.
fn negate_test(test: &str) -> String {
    let simple = test.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    if simple { format!("not {test}") } else { format!("not ({test})") }
}
