//! The program of one role, as statements that can be merged, normalised and printed.

use pytrope_source::TextRange;

use crate::site::MarkedText;

pub type Block = Vec<EndpointStmt>;

/// A statement of an endpoint program. Two statements are the same if they do the same, wherever they come from.
#[derive(Clone, Debug)]
pub struct EndpointStmt {
    pub node: EndpointNode,
    /// The statement of the choreography it comes from.
    pub range: TextRange,
    /// Comment lines above it.
    pub leading: Vec<String>,
    /// A comment behind it.
    pub trailing: Option<String>,
}

impl EndpointStmt {
    pub fn new(node: EndpointNode, range: TextRange) -> Self {
        Self { node, range, leading: Vec::new(), trailing: None }
    }
}

impl PartialEq for EndpointStmt {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum EndpointNode {
    /// An assignment, a send, a call: one simple statement.
    Line(MarkedText),
    Return(Option<MarkedText>),
    Raise(MarkedText),
    Break,
    Continue,
    If {
        test: Test,
        then: Block,
        orelse: Block,
    },
    While {
        test: MarkedText,
        body: Block,
        orelse: Block,
    },
    /// `head` is `x in xs`; a shared loop is over something every role has, and vanishes when its body does.
    For {
        head: MarkedText,
        shared: bool,
        body: Block,
        orelse: Block,
    },
    With {
        head: MarkedText,
        body: Block,
    },
    Try {
        body: Block,
        handlers: Vec<(MarkedText, Block)>,
        orelse: Block,
        finalbody: Block,
    },
    Match {
        subject: MarkedText,
        cases: Vec<(MarkedText, Block)>,
    },
    /// Waits for a label and goes on as it says.
    Offer {
        channel: MarkedText,
        /// The argument that says which communication it is.
        site: MarkedText,
        cases: Vec<OfferCase>,
    },
    /// Several lines taken over from the source, such as a nested function.
    Verbatim(Vec<String>),
}

/// A condition, and whether leaving it out would lose an effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    pub text: MarkedText,
    pub effect: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct OfferCase {
    /// `Answer.OK`.
    pub label: String,
    pub body: Block,
}

/// Whether control never passes the end of a block.
pub fn never_falls_through(block: &[EndpointStmt]) -> bool {
    block.last().is_some_and(|last| match &last.node {
        EndpointNode::Return(_) | EndpointNode::Raise(_) | EndpointNode::Break | EndpointNode::Continue => true,
        EndpointNode::If { then, orelse, .. } => never_falls_through(then) && never_falls_through(orelse),
        EndpointNode::Offer { cases, .. } => cases.iter().all(|case| never_falls_through(&case.body)),
        EndpointNode::Match { .. }
        | EndpointNode::Line(_)
        | EndpointNode::While { .. }
        | EndpointNode::For { .. }
        | EndpointNode::With { .. }
        | EndpointNode::Try { .. }
        | EndpointNode::Verbatim(_) => false,
    })
}
