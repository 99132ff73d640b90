//! `--show-shapes`: what each name is bound to, for printing beside the source.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pytrope_eval::interp::{ArrayKnowledge, BindEvent, BindingKind};
use pytrope_eval::value::Reason;
use pytrope_eval::{Limits, ModuleRequest, Observer, Program, analysis};
use pytrope_source::{SourceFile, Span, TextRange};
use rustc_hash::FxHashMap;

use crate::causes::{explain_unknown, forget_unmade};
use crate::check::{CheckOptions, on_large_stack, project_of};

/// A name that is bound at a place, with the values that were seen there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownBinding {
    pub span: Span,
    /// The name, `self.x` for an attribute, `return` for what a function returns.
    pub name: String,
    pub kind: BindingKind,
    /// Distinct values as `reveal_type` shows them, in the order in which they were seen.
    pub values: Vec<String>,
    /// Why nothing is known: the first cause.
    pub reason: Option<String>,
    /// Where that is, if the run said so.
    pub cause: Option<Span>,
    /// How much is known, of an array and of what is used as one.
    pub array: Option<ArrayKnowledge>,
    /// The type of the array's elements, where all that was seen agree.
    pub element_type: Option<Arc<str>>,
    /// Where the array was made that was seen first.
    pub origin: Option<Span>,
}

/// More values than this at one place are not worth reading.
const MOST_VALUES: usize = 3;

/// The bindings of one file, in the order of its text. What it imports can be imported.
pub fn show_shapes(file: &Arc<SourceFile>, options: &CheckOptions) -> Vec<ShownBinding> {
    show_all_shapes(std::slice::from_ref(file), options).pop().unwrap_or_default()
}

/// The bindings of each file, in the order of its text. The files are one program: calls from one show in another.
pub fn show_all_shapes(files: &[Arc<SourceFile>], options: &CheckOptions) -> Vec<Vec<ShownBinding>> {
    let (project, mut keys) = project_of(files, options);
    keys.truncate(files.len());
    let mut program = Program::new(Box::new(project), files.len());
    program.set_order(&keys);
    on_large_stack(|| observe_files(&program, &keys, files, options.limits))
}

/// The bindings of files of a program, as runs of these modules alone show them.
pub(crate) fn observe_files(
    program: &Program,
    keys: &[String],
    files: &[Arc<SourceFile>],
    limits: Limits,
) -> Vec<Vec<ShownBinding>> {
    let seen = Rc::new(RefCell::new(Seen::default()));
    let recorder = |calls_known| Box::new(Recorder { seen: Rc::clone(&seen), calls_known });
    for key in keys {
        if let ModuleRequest::EvaluatedModule(frozen) = program.load_module(key) {
            let raised = analysis::observe_module(program, frozen, limits, recorder(true), recorder(false));
            seen.borrow_mut().raised.extend(raised);
        }
    }
    let mut seen = seen.borrow_mut();
    files.iter().map(|file| seen.take_file(program, file)).collect()
}

/// A call of which nothing is known.
pub(crate) struct UnknownCall {
    pub span: Span,
    pub reason: String,
    /// Whether it was made in a run whose arguments are known.
    pub calls_known: bool,
}

/// What was seen, by file and place.
#[derive(Default)]
struct Seen {
    /// Each with whether it was seen in a call whose arguments are known.
    bindings: FxHashMap<(String, TextRange), (bool, ShownBinding)>,
    unknown: Vec<UnknownCall>,
    /// Where calls whose arguments are known raise.
    raised: Vec<Span>,
}

impl Seen {
    fn take_file(&mut self, program: &Program, file: &Arc<SourceFile>) -> Vec<ShownBinding> {
        let own = self.bindings.extract_if(|(path, _), _| path == file.path());
        let mut seen: Vec<(bool, ShownBinding)> = own.map(|(_, seen)| seen).collect();
        seen.sort_by_key(|(_, binding)| binding.span.range);
        let (calls_known, mut bindings): (Vec<bool>, Vec<ShownBinding>) = seen.into_iter().unzip();
        if let Some(code) = program.code_of_file(file) {
            let unknown: Vec<&UnknownCall> =
                self.unknown.iter().filter(|call| call.span.file.path() == file.path()).collect();
            explain_unknown(code, &mut bindings, &calls_known, &unknown);
            let raised = self.raised.iter().filter(|span| span.file.path() == file.path());
            let raised: Vec<TextRange> = raised.map(|span| span.range).collect();
            forget_unmade(code, &mut bindings, &calls_known, &raised);
        }
        bindings
    }
}

/// Two observers share what they have seen: one of calls whose arguments are known, one of calls by anyone.
struct Recorder {
    seen: Rc<RefCell<Seen>>,
    calls_known: bool,
}

impl Observer for Recorder {
    fn on_bind(&mut self, event: &BindEvent<'_>) {
        let mut seen = self.seen.borrow_mut();
        let key = (event.span.file.path().to_owned(), event.span.range);
        let calls_known = self.calls_known;
        let new = || ShownBinding {
            span: event.span.clone(),
            name: event.name.to_owned(),
            kind: event.kind,
            values: Vec::new(),
            reason: event.reason.map(Reason::reason_text),
            cause: None,
            array: event.array,
            element_type: event.element_type.clone(),
            origin: event.origin.clone(),
        };
        let (by_known_calls, binding) = seen.bindings.entry(key).or_insert_with(|| (calls_known, new()));
        match (*by_known_calls, calls_known) {
            // What any caller may give adds nothing to what the callers here do give.
            (true, false) => return,
            (false, true) => (*by_known_calls, *binding) = (true, new()),
            _ => {
                binding.array = binding.array.min(event.array).or(binding.array).or(event.array);
                // A value that is no array says nothing of elements.
                if event.array.is_some() && binding.element_type != event.element_type {
                    binding.element_type = None;
                }
            }
        }
        for value in union_members(event.shown) {
            let has_joined = add_value(&mut binding.values, value, binding.array.is_some());
            if has_joined && binding.array == Some(ArrayKnowledge::Shape) {
                binding.array = Some(ArrayKnowledge::Rank);
            }
        }
    }

    fn on_unknown(&mut self, span: &Span, reason: &str) {
        let call = UnknownCall { span: span.clone(), reason: reason.to_owned(), calls_known: self.calls_known };
        self.seen.borrow_mut().unknown.push(call);
    }
}

/// Adds a value to those that were seen at a place. Where they are too many, arrays of one rank are shown as one, `Tensor[b, ?, 3]`;
/// whether they are from here on.
fn add_value(values: &mut Vec<String>, value: &str, are_arrays: bool) -> bool {
    if values.iter().any(|known| known == value) {
        return false;
    }
    values.push(value.to_owned());
    if values.len() <= MOST_VALUES {
        return false;
    }
    let mut joined: Vec<String> = Vec::new();
    let mut has_joined = false;
    for value in values.drain(..) {
        let mut like = joined.iter_mut().filter(|_| are_arrays);
        match like.find_map(|known| Some((join_shapes(known, &value)?, known))) {
            Some((one, known)) => (has_joined, *known) = (true, one),
            None => joined.push(value),
        }
    }
    if joined.len() > MOST_VALUES {
        joined.truncate(MOST_VALUES);
        joined.push("…".to_owned());
    }
    *values = joined;
    has_joined
}

/// What covers two arrays of one class and rank, as they are shown.
fn join_shapes(a: &str, b: &str) -> Option<String> {
    let parts = |shown: &str| {
        let (class, rest) = shown.split_once('[')?;
        let sizes = rest.strip_suffix(']')?;
        let is_class = class.chars().all(|c| c.is_alphanumeric() || c == '_');
        let mut sizes: Vec<String> = split_outside_brackets(sizes, ',').into_iter().map(str::to_owned).collect();
        let is_shape = is_class && !class.is_empty() && sizes.iter().all(|size| size != "..." && !size.is_empty());
        sizes.retain(|size| size != "()");
        is_shape.then(|| (class.to_owned(), sizes))
    };
    let ((class, a), (other, b)) = (parts(a)?, parts(b)?);
    if class != other || a.len() != b.len() || a.is_empty() {
        return None;
    }
    let sizes: Vec<String> = a.into_iter().zip(b).map(|(a, b)| if a == b { a } else { "?".to_owned() }).collect();
    Some(format!("{class}[{}]", sizes.join(", ")))
}

/// The parts of a text between separators that stand in no brackets.
fn split_outside_brackets(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            c if c == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// The members of a union, as it is written; what stands in brackets or quotes is not taken apart.
fn union_members(shown: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0_u32, None);
    for (at, c) in shown.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, '|') if depth == 0 && shown[..at].ends_with(' ') && shown[at + 1..].starts_with(' ') => {
                parts.push(shown[start..at].trim());
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    parts.push(shown[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::{add_value, union_members};

    #[test]
    fn too_many_arrays_of_one_rank_are_shown_as_one() {
        let shown_for = |values: &[&str]| {
            let mut shown = Vec::new();
            for value in values {
                add_value(&mut shown, value, true);
            }
            shown
        };
        let three = ["Tensor[b, 3]", "Tensor[b, 4]", "Tensor[b, max(a, c)]"];
        assert_eq!(shown_for(&three), three);
        assert_eq!(shown_for(&[&three[..], &["Tensor[b, 5]"]].concat()), ["Tensor[b, ?]"]);
        assert_eq!(shown_for(&[&three[..], &["None"]].concat()), ["Tensor[b, ?]", "None"]);
        let apart = ["Tensor[b]", "Tensor[...]", "Tensor[b, 4]", "Tensor[1, 2, 3]"];
        assert_eq!(shown_for(&apart), ["Tensor[b]", "Tensor[...]", "Tensor[b, 4]", "…"]);
        let mut lists = Vec::new();
        for value in ["type[A]", "type[B]", "type[C]", "type[D]"] {
            add_value(&mut lists, value, false);
        }
        assert_eq!(lists, ["type[A]", "type[B]", "type[C]", "…"]);
    }

    #[test]
    fn unions_are_taken_apart_between_their_members() {
        assert_eq!(union_members("ndarray[2, 3] | None"), ["ndarray[2, 3]", "None"]);
        assert_eq!(union_members("[1 | 2, 'a | b'] | 'x | y'"), ["[1 | 2, 'a | b']", "'x | y'"]);
        assert_eq!(union_members("int"), ["int"]);
    }
}
