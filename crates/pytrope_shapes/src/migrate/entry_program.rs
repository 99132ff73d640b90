//! A program as migrate sees it: parameters that can be presented in many ways, and what each run requires.

use pytrope_dims::gradual::TensorType;
use pytrope_dims::{Constraint, Formula, Sym};
use pytrope_source::Span;

use super::returned::Returned;

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
    /// The number that a symbol stands for.
    Named(Sym),
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
    /// The dtype that its annotation says.
    pub dtype: Option<&'static str>,
}

impl EntryParameter {
    /// Whether there is nothing to search for: it is no tensor, or its rank is declared.
    pub fn has_rank(&self) -> bool {
        !self.tensor || self.rank.is_some() || self.hint.rank().is_some()
    }
}

/// A condition that a run depends on.
#[derive(Clone, Debug)]
pub struct EntryRequirement {
    /// Absent where the condition cannot be written as arithmetic.
    pub formula: Option<Formula>,
    pub span: Span,
    pub message: String,
    /// Every run gets there: no undecided condition lies before it.
    pub certain: bool,
}

/// What keeps a run from being a proof: something that was not decided, or of which nothing is known.
#[derive(Clone, PartialEq, Debug)]
pub struct Undecided {
    pub message: String,
    pub span: Option<Span>,
}

impl Undecided {
    pub fn without_place(message: &str) -> Self {
        Self { message: message.to_owned(), span: None }
    }
}

/// What a run is given beside shapes.
#[derive(Clone, Default, Debug)]
pub struct RunOptions {
    /// The dtype of each parameter, by its name in PyTorch; `None` where it is not said.
    pub dtypes: Vec<Option<&'static str>>,
    /// What open sizes are at least.
    pub smallest: i64,
    /// What else holds of named sizes.
    pub assumed: Vec<Formula>,
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

/// One abstract run.
#[derive(Clone, Debug)]
pub struct EntryRun {
    /// The symbols of open dimensions, by parameter and dimension.
    pub symbols: Vec<Vec<Option<Sym>>>,
    pub requirements: Vec<EntryRequirement>,
    /// What else holds of the open dimensions wherever the program gets to its end.
    pub facts: Vec<Constraint>,
    /// The symbols of dimensions left Dyn, and the requirements on them, which hold separately.
    pub dynamic: Vec<Vec<Option<Sym>>>,
    pub separate: Vec<EntryRequirement>,
    /// What was not decided on the way, in the order it was met; requirements on Dyn dimensions are not among it.
    pub doubts: Vec<Undecided>,
    /// Something was called that is not modelled.
    pub calls_unknown: bool,
    pub ending: EntryEnding,
}

/// Something that can be run abstractly.
pub trait EntryProgram {
    fn parameters(&self) -> &[EntryParameter];
    fn run(&mut self, presented: &[Presented], options: &RunOptions) -> EntryRun;
}
