//! Why an entry cannot be run.

/// Why there is nothing to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryError {
    /// The module is not there.
    Module(String),
    /// The entry's expression names nothing, or what it gives cannot be run.
    Entry(String),
    /// Evaluating the entry, as it is shown, does not come to an end.
    Unmade(String, EntryEnd),
}

/// What ended the evaluation of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryEnd {
    /// The class of an exception; empty where none was raised.
    pub class: String,
    pub message: String,
    /// Path and line, of what is not wrong in the entry's own text.
    pub place: Option<(String, u32)>,
}

impl std::fmt::Display for EntryEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { class, message, place } = self;
        match place {
            _ if class.is_empty() => f.write_str(message),
            _ if message.is_empty() => write!(f, "{class} is raised"),
            Some((path, line)) => write!(f, "{class} at {path}:{line}: {message}"),
            None => write!(f, "{class}: {message}"),
        }
    }
}

impl std::fmt::Display for EntryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Module(message) | Self::Entry(message) => f.write_str(message),
            Self::Unmade(entry, end) => write!(f, "the entry `{entry}` cannot be evaluated: {end}"),
        }
    }
}
