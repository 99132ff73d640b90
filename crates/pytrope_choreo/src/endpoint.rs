//! The program of one role, as statements that can be merged, normalised and printed.

use pytrope_source::TextRange;

use crate::site::Code;

pub type Block = Vec<Stmt>;

/// A statement of an endpoint program. Two statements are the same if they do the same, wherever they come from.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub node: Node,
    /// The statement of the choreography it comes from.
    pub range: TextRange,
    /// Comment lines above it.
    pub leading: Vec<String>,
    /// A comment behind it.
    pub trailing: Option<String>,
}

impl Stmt {
    pub fn new(node: Node, range: TextRange) -> Self {
        Self { node, range, leading: Vec::new(), trailing: None }
    }
}

impl PartialEq for Stmt {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// An assignment, a send, a call: one simple statement.
    Line(Code),
    Return(Option<Code>),
    Raise(Code),
    Break,
    Continue,
    If {
        test: Test,
        then: Block,
        orelse: Block,
    },
    While {
        test: Code,
        body: Block,
        orelse: Block,
    },
    /// `head` is `x in xs`; a shared loop is over something every role has, and vanishes when its body does.
    For {
        head: Code,
        shared: bool,
        body: Block,
        orelse: Block,
    },
    With {
        head: Code,
        body: Block,
    },
    Try {
        body: Block,
        handlers: Vec<(Code, Block)>,
        orelse: Block,
        finalbody: Block,
    },
    Match {
        subject: Code,
        cases: Vec<(Code, Block)>,
    },
    /// Waits for a label and goes on as it says.
    Offer {
        channel: Code,
        /// The argument that says which communication it is.
        site: Code,
        cases: Vec<Case>,
    },
    /// Several lines taken over from the source, such as a nested function.
    Verbatim(Vec<String>),
}

/// A condition, and whether leaving it out would lose an effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    pub text: Code,
    pub effect: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// `Answer.OK`.
    pub label: String,
    pub body: Block,
}

/// Whether control never passes the end of a block.
pub fn ends(block: &[Stmt]) -> bool {
    block.last().is_some_and(|last| match &last.node {
        Node::Return(_) | Node::Raise(_) | Node::Break | Node::Continue => true,
        Node::If { then, orelse, .. } => ends(then) && ends(orelse),
        Node::Offer { cases, .. } => cases.iter().all(|case| ends(&case.body)),
        Node::Match { .. }
        | Node::Line(_)
        | Node::While { .. }
        | Node::For { .. }
        | Node::With { .. }
        | Node::Try { .. }
        | Node::Verbatim(_) => false,
    })
}
