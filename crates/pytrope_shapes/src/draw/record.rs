//! Reads the bindings that the driver makes back into a tree of calls.

use std::cell::RefCell;
use std::rc::Rc;

use pytrope_diagnostics::place::line_text;
use pytrope_eval::interp::{BindEvent, BindingKind};
use pytrope_eval::{CallEvent, Observer};

use super::driver;
use super::keras::{DeclaredInput, LayerNames, read_inputs};

/// Where a layer applies its weight, which decides its number of multiplications.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WeightUse {
    /// It has no weight, or one that is applied in another way.
    #[default]
    Other,
    /// At every position of its input, as a transposed convolution does.
    PerInput,
    /// At every position of its output, as linear layers and convolutions do.
    PerOutput,
}

/// One call of a layer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LayerCall {
    /// Where the layer is in the model; empty for the model itself.
    pub path: String,
    pub kind: String,
    /// The shapes it was given.
    pub inputs: Vec<String>,
    /// The shape it gave; none if it raised.
    pub output: Option<String>,
    /// The number of its parameters, those of the layers inside included, where it is known.
    pub parameters: Option<u64>,
    /// How many of them are never trained; none of a library that does not count these, and where it is not known.
    pub not_trained: Option<u64>,
    /// What has made the arrays that it was given, as far as that is known: paths of layers, and names of inputs.
    pub sources: Vec<String>,
    /// The sizes of its weight, of linear layers and convolutions alone.
    pub weight: Vec<String>,
    pub weight_use: WeightUse,
    pub calls: Vec<LayerCall>,
    /// Whether it is the innermost call that raised.
    pub failed: bool,
    /// What the driver calls it: its path, or a number.
    pub key: String,
}

/// What was seen of a run so far.
#[derive(Debug, Clone, Default)]
pub(super) struct RecordedFlow {
    /// Calls that are over, at the top.
    done: Vec<LayerCall>,
    /// Calls that are not over, the outermost first.
    open: Vec<LayerCall>,
    /// The call whose description is being read.
    next: LayerCall,
    /// The key of the call whose result comes next, and what is known of the layer once it has run.
    ending: LayerCall,
    names: LayerNames,
    /// Whether the entry itself is called, and not being made.
    is_running: bool,
    /// Whether the entry is a layer of Keras.
    pub is_keras: bool,
    /// Whether it takes a dictionary of its inputs.
    pub takes_names: bool,
    /// The inputs that a model of Keras declares.
    pub declared: Option<Vec<DeclaredInput>>,
    /// Arrays that names were bound to outside all layers: what there is to show of a function without any.
    bindings: Vec<LayerCall>,
    /// Path and line of the last call in the program's own text.
    pub last_call: Option<(String, u32)>,
}

/// An observer that several owners share.
#[derive(Clone, Default)]
pub(super) struct FlowRecorder(pub Rc<RefCell<RecordedFlow>>);

impl Observer for FlowRecorder {
    fn on_bind(&mut self, event: &BindEvent<'_>) {
        let BindEvent { span, name, shown, .. } = event;
        if event.kind != BindingKind::Variable {
            return;
        }
        let mut recorded = self.0.borrow_mut();
        if let Some(name) = name.strip_prefix("__pytrope_") {
            recorded.read_event(name, shown);
        } else if recorded.open.is_empty()
            && !driver::is_driver(span)
            && ["Tensor[", "KerasTensor[", "ndarray[", "Array["].iter().any(|class| shown.starts_with(class))
        {
            recorded.bindings.push(LayerCall {
                path: (*name).to_owned(),
                kind: line_text(span).trim().to_owned(),
                output: Some(shape_of(shown)),
                parameters: Some(0),
                ..LayerCall::default()
            });
        }
    }

    fn on_call(&mut self, event: &CallEvent<'_>) {
        let span = event.code.span_of(event.range);
        let is_own = !event.code.is_model
            && !driver::is_driver(&span)
            && span.file.path() != crate::entry::session::COMMAND_LINE;
        if is_own {
            let line = span.start().position.line;
            self.0.borrow_mut().last_call = Some((span.file.path().to_owned(), line));
        }
    }
}

impl RecordedFlow {
    /// Forgets what was called while the entry was made.
    pub fn begin_run(&mut self) {
        self.done.clear();
        self.open.clear();
        self.bindings.clear();
        self.last_call = None;
        self.is_running = true;
    }

    fn read_event(&mut self, name: &str, shown: &str) {
        match name {
            "path" => {
                self.next = LayerCall { key: strip_quotes(shown), path: strip_quotes(shown), ..LayerCall::default() }
            }
            "number" => self.next = LayerCall { key: shown.to_owned(), ..LayerCall::default() },
            "kind" => self.next.kind = strip_quotes(shown),
            "label" => self.next.path = self.path_of_layer(shown),
            "total" => self.next.parameters = shown.parse().ok(),
            "counts" => (self.next.parameters, self.next.not_trained) = read_counts(shown),
            "weight" => self.next.weight = shown_members(shown),
            "applied" => self.next.weight_use = read_weight_use(shown),
            "sources" => self.next.sources = self.names.read_sources(&shown_members(shown)),
            "keywords" => self.next.inputs = keyword_shapes(shown),
            "given" => {
                let mut call = std::mem::take(&mut self.next);
                let keywords = std::mem::take(&mut call.inputs);
                call.inputs = shown_members(shown).iter().map(|value| shape_of(value)).chain(keywords).collect();
                self.open.push(call);
            }
            "end" => self.ending = LayerCall { key: strip_quotes(shown), ..LayerCall::default() },
            "built_counts" => (self.ending.parameters, self.ending.not_trained) = read_counts(shown),
            "built_weight" => self.ending.weight = shown_members(shown),
            "built_applied" => self.ending.weight_use = read_weight_use(shown),
            "result" => self.close_call(&shape_of(shown)),
            "model" => self.is_keras = true,
            "by_name" => self.takes_names = shown == "True",
            "declared" => self.declared = read_inputs(shown),
            _ => {}
        }
    }

    /// Where the layer of Keras that is being read is in the model: behind the layer that calls it. The model that is drawn has no name.
    fn path_of_layer(&mut self, shown: &str) -> String {
        let label = self.names.name_layer(&self.next.key, &self.next.kind, &strip_quotes(shown));
        match self.open.last() {
            None if self.is_running => String::new(),
            Some(caller) if !caller.path.is_empty() => format!("{}.{label}", caller.path),
            None | Some(_) => label,
        }
    }

    /// Ends the innermost open call of a layer; calls inside it that never ended raised what was then caught.
    fn close_call(&mut self, output: &str) {
        let ending = std::mem::take(&mut self.ending);
        while let Some(mut call) = self.open.pop() {
            let is_meant = call.key == ending.key;
            if is_meant {
                call.output = Some(output.to_owned());
                if ending.parameters.is_some() {
                    call.parameters = ending.parameters;
                    call.not_trained = ending.not_trained;
                }
                if !ending.weight.is_empty() {
                    (call.weight, call.weight_use) = (ending.weight.clone(), ending.weight_use);
                }
            }
            match self.open.last_mut() {
                Some(parent) => parent.calls.push(call),
                None => self.done.push(call),
            }
            if is_meant {
                return;
            }
        }
    }

    /// Whether a layer was called that did not come to its end.
    pub fn has_open_call(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether any layer was called.
    pub fn has_layers(&self) -> bool {
        !(self.done.is_empty() && self.open.is_empty())
    }

    /// The calls of the whole run; if it failed, the innermost call that never ended is where.
    pub fn finish(mut self, has_failed: bool) -> Vec<LayerCall> {
        if has_failed && let Some(innermost) = self.open.last_mut() {
            innermost.failed = true;
        }
        while let Some(call) = self.open.pop() {
            match self.open.last_mut() {
                Some(parent) => parent.calls.push(call),
                None => self.done.push(call),
            }
        }
        if self.done.is_empty() {
            // Each is given what the one before it gave, as far as the order of a text says.
            for at in 1..self.bindings.len() {
                self.bindings[at].inputs = self.bindings[at - 1].output.iter().cloned().collect();
            }
            return self.bindings;
        }
        self.done
    }
}

/// The weights of a layer and those that are not trained: `(320, 64)`, `(320, None)` or `None`.
fn read_counts(shown: &str) -> (Option<u64>, Option<u64>) {
    let members = shown_members(shown);
    let number = |at: usize| members.get(at).and_then(|number| number.parse().ok());
    (number(0), number(1))
}

fn read_weight_use(shown: &str) -> WeightUse {
    match strip_quotes(shown).as_str() {
        "input" => WeightUse::PerInput,
        "output" => WeightUse::PerOutput,
        _ => WeightUse::Other,
    }
}

/// A text constant without its quotes.
pub(super) fn strip_quotes(shown: &str) -> String {
    let inner = shown.strip_prefix(['\'', '"']).and_then(|rest| rest.strip_suffix(['\'', '"']));
    inner.unwrap_or(if shown == "Unknown" { "?" } else { shown }).to_owned()
}

/// The members of a tuple or list as it is shown; none if its contents are not.
pub(super) fn shown_members(shown: &str) -> Vec<String> {
    let inner = shown.strip_prefix(['(', '[']).and_then(|rest| rest.strip_suffix([')', ']']));
    inner.map_or_else(Vec::new, split_at_commas)
}

/// Parts of a text at its outermost commas.
pub fn split_at_commas(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim().to_owned());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The shapes among keyword arguments, each with its name.
fn keyword_shapes(shown: &str) -> Vec<String> {
    let inner = shown.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or("");
    let pairs = split_at_commas(inner);
    let is_array = |pair: &&String| pair.split_once(": ").is_some_and(|(_, value)| value.contains('['));
    pairs.iter().filter(is_array).map(|pair| named_shape(pair, "=")).collect()
}

/// An entry of a dictionary as it is shown (`'out': Tensor[2, 3]`), its value as a shape.
fn named_shape(entry: &str, separator: &str) -> String {
    match entry.split_once(": ") {
        Some((name, value)) => format!("{}{separator}{}", strip_quotes(name), shape_of(value)),
        None => entry.to_owned(),
    }
}

/// A value as a shape: `Tensor[8, 3]` is `(8, 3)`; what is no tensor stays as it is shown.
pub(super) fn shape_of(shown: &str) -> String {
    if shown.starts_with(['(', '[']) {
        let parts: Vec<String> = shown_members(shown).iter().map(|part| shape_of(part)).collect();
        return parts.join(", ");
    }
    if let Some(entries) = shown.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return split_at_commas(entries).iter().map(|entry| named_shape(entry, ": ")).collect::<Vec<_>>().join(", ");
    }
    // An array of open rank has its sizes shown as `...`.
    if ["Tensor", "KerasTensor", "Array"].contains(&shown) {
        return "()".to_owned();
    }
    let Some((_, sizes)) = shown.split_once('[').filter(|(class, _)| class.chars().all(char::is_alphanumeric)) else {
        return shown.to_owned();
    };
    let sizes = sizes.strip_suffix(']').unwrap_or(sizes);
    match sizes {
        "()" => "()".to_owned(),
        "..." => "(…)".to_owned(),
        _ if !sizes.contains(',') => format!("({sizes},)"),
        _ => format!("({sizes})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_shapes() {
        assert_eq!(shape_of("Tensor[8, 3]"), "(8, 3)");
        assert_eq!(shape_of("Tensor[n]"), "(n,)");
        assert_eq!(shape_of("Tensor[()]"), "()");
        assert_eq!(shape_of("Array"), "()");
        assert_eq!(shape_of("Tensor[...]"), "(…)");
        assert_eq!(shape_of("(Tensor[1, 2], None)"), "(1, 2), None");
        assert_eq!(shape_of("[KerasTensor[n, 2], KerasTensor[n]]"), "(n, 2), (n,)");
        assert_eq!(shape_of("{'out': Tensor[n, 21], 'aux': None}"), "out: (n, 21), aux: None");
        assert_eq!(keyword_shapes("{'mask': Tensor[2, 2], 'flag': True}"), ["mask=(2, 2)"]);
    }

    #[test]
    fn calls_inside_calls_become_a_tree() {
        let mut recorded = RecordedFlow::default();
        let mut enter = |path: &str| {
            for (name, shown) in [
                ("path", path),
                ("kind", "'K'"),
                ("total", "8"),
                ("weight", "(2, 3)"),
                ("keywords", "{}"),
                ("given", "(Tensor[1, 3],)"),
            ] {
                recorded.read_event(name, shown);
            }
        };
        enter("''");
        enter("'a'");
        recorded.read_event("end", "'a'");
        recorded.read_event("result", "Tensor[1, 2]");
        let calls = recorded.finish(true);
        assert_eq!(calls.len(), 1);
        assert!(calls[0].failed && calls[0].output.is_none());
        let inner = &calls[0].calls[0];
        assert_eq!((inner.path.as_str(), inner.parameters, inner.output.as_deref()), ("a", Some(8), Some("(1, 2)")));
    }
}
