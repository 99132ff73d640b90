//! `--show-shapes`: what each name is bound to, for printing beside the source.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pytrope_eval::value::Reason;
use pytrope_eval::{ModuleRequest, Observer, Program, analysis};
use pytrope_source::{SourceFile, Span};

use crate::check::{CheckOptions, on_large_stack, project_of};

/// A name that is bound at a place, with the values that were seen there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownBinding {
    pub span: Span,
    pub name: String,
    /// Distinct values as `reveal_type` shows them, in the order in which they were seen.
    pub values: Vec<String>,
    /// Why nothing is known, where the run said so.
    pub reason: Option<String>,
}

/// More values than this at one place are not worth reading.
const MOST_VALUES: usize = 3;

/// The bindings of one file, in the order of its text. The other files of the run can be imported.
pub fn show_shapes(file: &Arc<SourceFile>, options: &CheckOptions) -> Vec<ShownBinding> {
    let (project, keys) = project_of(std::slice::from_ref(file), options);
    let program = Program::new(Box::new(project), 1);
    on_large_stack(|| {
        let ModuleRequest::EvaluatedModule(frozen) = program.load_module(&keys[0]) else { return Vec::new() };
        let seen =
            Rc::new(RefCell::new(SeenValue { file: Arc::clone(file), bindings: Vec::new(), unknown: Vec::new() }));
        let recorder = |calls_known| Box::new(ShapeRecorder { seen: Rc::clone(&seen), calls_known });
        analysis::observe_module(&program, frozen, options.limits, recorder(true), recorder(false));
        let mut seen = seen.borrow_mut();
        let mut bindings: Vec<ShownBinding> = seen.bindings.drain(..).map(|(_, binding)| binding).collect();
        for binding in bindings.iter_mut().filter(|binding| binding.values == ["Unknown"]) {
            let line = |span: &Span| file.lines().line_of(span.range.start);
            let said = seen.unknown.iter().find(|(span, _)| line(span) == line(&binding.span));
            // What was called on the line says more than that its result is unknown.
            if let Some((_, reason)) = said {
                binding.reason = Some(reason.clone());
            }
        }
        bindings.sort_by_key(|binding| binding.span.range);
        bindings
    })
}

struct SeenValue {
    file: Arc<SourceFile>,
    /// Each with whether it was seen in a call whose arguments are known.
    bindings: Vec<(bool, ShownBinding)>,
    unknown: Vec<(Span, String)>,
}

/// Two observers share what they have seen: one of calls whose arguments are known, one of calls by anyone.
struct ShapeRecorder {
    seen: Rc<RefCell<SeenValue>>,
    calls_known: bool,
}

impl Observer for ShapeRecorder {
    fn on_bind(&mut self, span: &Span, name: &str, shown: &str, reason: Option<Reason>) {
        let mut seen = self.seen.borrow_mut();
        if span.file.path() != seen.file.path() {
            return;
        }
        let calls_known = self.calls_known;
        let known = seen.bindings.iter_mut().find(|(_, binding)| binding.span.range == span.range);
        let Some((by_known_calls, binding)) = known else {
            let mut values: Vec<String> = Vec::new();
            for value in alternatives(shown) {
                if !values.iter().any(|known| known == value) {
                    values.push(value.to_owned());
                }
            }
            let reason = reason.map(Reason::reason_text);
            let binding = ShownBinding { span: span.clone(), name: name.to_owned(), values, reason };
            seen.bindings.push((calls_known, binding));
            return;
        };
        // What any caller may give adds nothing to what the callers here do give.
        if *by_known_calls != calls_known {
            return;
        }
        for value in alternatives(shown) {
            if binding.values.iter().any(|known| known == value) {
                continue;
            }
            match binding.values.len() {
                0..MOST_VALUES => binding.values.push(value.to_owned()),
                MOST_VALUES => binding.values.push("…".to_owned()),
                _ => {}
            }
        }
    }

    fn on_unknown(&mut self, span: &Span, reason: &str) {
        let mut seen = self.seen.borrow_mut();
        if span.file.path() == seen.file.path() {
            seen.unknown.push((span.clone(), reason.to_owned()));
        }
    }
}

/// The members of a union, as it is written; what stands in brackets or quotes is not taken apart.
fn alternatives(shown: &str) -> Vec<&str> {
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
    use super::alternatives;

    #[test]
    fn unions_are_taken_apart_between_their_members() {
        assert_eq!(alternatives("ndarray[2, 3] | None"), ["ndarray[2, 3]", "None"]);
        assert_eq!(alternatives("[1 | 2, 'a | b'] | 'x | y'"), ["[1 | 2, 'a | b']", "'x | y'"]);
        assert_eq!(alternatives("int"), ["int"]);
    }
}
