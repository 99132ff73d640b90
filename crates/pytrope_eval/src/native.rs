//! Functions written in Rust that Python code can call: builtins here, primitives of models in `pytrope_models`.

use pytrope_dims::Dim;

use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::value::{Seq, Value};

/// A Rust function as a Python value.
pub struct Native {
    pub name: &'static str,
    pub call: fn(&mut Interp<'_>, &CallArgs) -> Flow,
    /// Whether a call whose first argument is True gives None and does nothing, so that the others need not be evaluated: the messages
    /// of requirements that are met.
    pub idle_if_true: bool,
}

impl Native {
    pub const fn new(name: &'static str, call: fn(&mut Interp<'_>, &CallArgs) -> Flow) -> Self {
        Self { name, call, idle_if_true: false }
    }

    /// See the field.
    #[must_use]
    pub const fn idle_if_true(self) -> Self {
        Self { idle_if_true: true, ..self }
    }
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}>", self.name)
    }
}

/// The arguments of a call, evaluated.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct CallArgs {
    pub positional: Vec<Value>,
    pub keywords: Vec<(Name, Value)>,
    /// After the positional ones come unknown further ones (`*args` of unknown length).
    pub more_positional: Option<OpenTail>,
    /// Unknown further keywords may be given (`**kwargs`).
    pub more_keywords: bool,
}

impl CallArgs {
    /// The arguments with one value in the place of another, which is an argument or an item of a tuple.
    pub(crate) fn with_value_instead(mut self, replaced: &Value, one: &Value) -> Self {
        let keywords = self.keywords.iter_mut().map(|(_, value)| value);
        for value in self.positional.iter_mut().chain(keywords) {
            if value == replaced {
                *value = one.clone();
            } else if let Value::Tuple(Seq::Exact(items)) = value
                && items.contains(replaced)
            {
                let items = items.iter().map(|item| if item == replaced { one } else { item });
                *value = Value::tuple(items.cloned().collect());
            }
        }
        self
    }

    pub fn of(positional: Vec<Value>) -> Self {
        Self { positional, ..Self::default() }
    }

    pub fn none() -> Self {
        Self::default()
    }

    pub fn first(&self) -> Option<&Value> {
        self.positional.first()
    }

    /// The argument at a position or by keyword.
    pub fn get(&self, position: usize, name: &str) -> Option<&Value> {
        self.positional.get(position).or_else(|| self.keyword(name))
    }

    pub fn keyword(&self, name: &str) -> Option<&Value> {
        if self.keywords.is_empty() {
            return None;
        }
        let name = Name::new(name);
        self.keywords.iter().find(|(keyword, _)| *keyword == name).map(|(_, value)| value)
    }

    /// Behind the arguments that are listed comes one more part.
    pub(crate) fn add_more_positional(&mut self, more: OpenTail) {
        self.more_positional = Some(OpenTail::after(self.more_positional.take(), more));
    }

    /// Whether everything that is passed is listed.
    pub fn is_exact(&self) -> bool {
        self.more_positional.is_none() && !self.more_keywords
    }

    #[must_use]
    pub fn with_first(mut self, first: Value) -> Self {
        self.positional.insert(0, first);
        self
    }

    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.positional.iter().chain(self.keywords.iter().map(|(_, value)| value))
    }
}

/// What stands behind the listed items of a display or a call, where their number is open.
#[derive(Clone, Debug, PartialEq)]
pub enum OpenTail {
    /// Only integers, this many: `x.view(*x.shape[:-1], -1, heads)`.
    Integers(Dim),
    /// The items of one sequence: `zip(*batch)`.
    Items(Seq),
    /// Any number of any values.
    Anything,
}

impl OpenTail {
    /// What a starred part adds, by what is known of its items.
    pub(crate) fn of_sequence(seq: Option<Seq>) -> Self {
        match (seq.as_ref().and_then(Seq::count_integers), seq) {
            (Some(count), _) => Self::Integers(count),
            (None, Some(seq)) => Self::Items(seq),
            (None, None) => Self::Anything,
        }
    }

    /// What a starred part or a single item adds, by how many integers it is where it is nothing else.
    pub(crate) fn of_integers(count: Option<Dim>) -> Self {
        count.map_or(Self::Anything, Self::Integers)
    }

    /// One more part behind a tail that may have begun.
    pub(crate) fn after(before: Option<Self>, more: Self) -> Self {
        match (before, more) {
            (None, more) => more,
            (Some(Self::Integers(count)), Self::Integers(more)) => Self::of_integers(count.plus(&more)),
            (Some(_), _) => Self::Anything,
        }
    }

    /// The number of items, where all are integers.
    pub(crate) fn integers(&self) -> Option<&Dim> {
        match self {
            Self::Integers(count) => Some(count),
            Self::Items(_) | Self::Anything => None,
        }
    }
}
