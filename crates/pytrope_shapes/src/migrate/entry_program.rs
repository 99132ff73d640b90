//! A program as migrate sees it: parameters that can be presented in many ways, and what each run requires.

use pytrope_dims::gradual::TensorType;
use pytrope_dims::{Constraint, Formula, Sym};
use pytrope_source::Span;

/// How one parameter is given to a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Presented {
    /// A tensor of which not even the rank is said: each use has its own reading.
    Dyn,
    Ranked(Vec<EntryAxis>),
    /// Not a tensor: its default or an assumed constant.
    Fixed,
}

/// One dimension of a presented tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryAxis {
    /// Each use has its own reading.
    Dyn,
    /// One unknown number.
    Open,
    Size(i128),
}

/// A parameter of the entry.
#[derive(Clone, Debug)]
pub struct EntryParameter {
    pub name: String,
    /// Its type so far: a lower bound for the answer.
    pub hint: TensorType,
    /// Whether it is a tensor that a type is wanted for.
    pub tensor: bool,
    /// A rank that was assumed.
    pub rank: Option<usize>,
    /// Dimensions that assumptions name, which must become numbers.
    pub named: Vec<usize>,
}

impl EntryParameter {
    /// Whether there is nothing to search for: it is no tensor, or its rank is declared.
    pub fn has_rank(&self) -> bool {
        !self.tensor || self.rank.is_some() || self.hint.rank().is_some()
    }
}

/// A condition that a run depends on.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// Absent where the condition cannot be written as arithmetic.
    pub formula: Option<Formula>,
    pub span: Span,
    pub message: String,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum EntryEnding {
    /// The shape or shapes that came out.
    Returned(Returned),
    /// It cannot but raise; the requirement that fails stands last among the requirements.
    Raised { message: String, span: Option<Span> },
    /// The analysis gave up.
    Lost { reason: String },
}

/// What a run returns, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Returned {
    /// `None` is a size that is not a number.
    Tensor(Vec<Option<i128>>),
    Unranked,
    Several(Vec<Returned>),
    /// A dictionary, or an object with attributes.
    Named(Vec<(String, Returned)>),
    /// No tensor: a number, a text, None.
    Plain,
    /// Nothing is known.
    Other,
}

impl Returned {
    /// Whether something is known of it, or of a part of it.
    pub fn is_known(&self) -> bool {
        match self {
            Self::Tensor(_) | Self::Unranked | Self::Plain => true,
            Self::Several(parts) => parts.is_empty() || parts.iter().any(Self::is_known),
            Self::Named(parts) => parts.is_empty() || parts.iter().any(|(_, part)| part.is_known()),
            Self::Other => false,
        }
    }
}

/// One abstract run.
#[derive(Clone, Debug)]
pub struct EntryRun {
    /// The symbols of open dimensions, by parameter and dimension.
    pub symbols: Vec<Vec<Option<Sym>>>,
    pub requirements: Vec<Requirement>,
    /// What else holds of the open dimensions wherever the program gets to its end.
    pub facts: Vec<Constraint>,
    /// The symbols of dimensions left Dyn, and the requirements on them, which hold separately.
    pub dynamic: Vec<Vec<Option<Sym>>>,
    pub separate: Vec<Requirement>,
    pub ending: EntryEnding,
}

/// Something that can be run abstractly.
pub trait EntryProgram {
    fn parameters(&self) -> &[EntryParameter];
    fn run(&mut self, presented: &[Presented]) -> EntryRun;
}
