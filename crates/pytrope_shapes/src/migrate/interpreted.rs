//! The program of [`super::entry_program`] that the interpreter runs.

use std::collections::BTreeSet;

use pytrope_dims::gradual::TensorType;
use pytrope_dims::{Dim, Formula, Sym};
use pytrope_eval::Value;
use pytrope_eval::interp::Raised;
use pytrope_source::Tree;
use pytrope_source::tree::{ExprId, ExprKind, Parameter};
use rustc_hash::FxHashSet;

use super::entry_program::{
    EntryAxis, EntryEnding, EntryParameter, EntryProgram, EntryRequirement, EntryRun, Presented, RunOptions, Undecided,
};
use super::returned::returned_shapes;
use crate::entry::expression::{EntryConstant, Mentions};
use crate::entry::hints;
use crate::entry::session::{
    EntryArgument, EntrySession, RunEvent, RunRecorder, SessionOutcome, SizeFacts, formula_of,
};

/// An entry with its parameters.
pub struct Interpreted<'w> {
    session: EntrySession<'w>,
    parameters: Vec<EntryParameter>,
    /// What the entry's own parameters are made of.
    slots: Vec<ArgumentSlot>,
    constants: Vec<Option<EntryConstant>>,
    has_default: Vec<bool>,
    /// Operations that are not modelled, in the order they were met.
    pub unknowns: Vec<(pytrope_source::Span, String)>,
}

/// How one argument of the entry is made of tensors, which are parameters of the search.
enum ArgumentSlot {
    Single,
    List(usize),
    Tuple(usize),
    Dict(Vec<String>),
}

/// How many tensors an entry is given where it does not say: what one attempt tries.
#[derive(Clone, Copy)]
pub struct InputCounts {
    /// For `*args`.
    pub spread: usize,
    /// For each list.
    pub listed: usize,
    /// How many of the parameters with `None` for a default are tensors.
    pub optional: usize,
}

impl<'w> Interpreted<'w> {
    /// An entry with so many tensors.
    pub fn new(session: EntrySession<'w>, mentions: &Mentions, counts: InputCounts) -> Self {
        let tree = &session.function.code.tree;
        let mut made = SearchParameters::default();
        let mut optional = counts.optional;
        for parameter in session.entry_parameters() {
            let name = session.name_of(&parameter).to_owned();
            let constant = mentions.constants.get(&name).copied();
            if constant.is_none() && parameter.default.is_none() && !mentions.tensors.contains(&name) {
                match read_container(&session, &parameter) {
                    Some(Container::Listed) => {
                        made.add_parts(
                            ArgumentSlot::List(counts.listed),
                            (0..counts.listed).map(|at| format!("{name}[{at}]")),
                        );
                        continue;
                    }
                    Some(Container::Tuple(count)) => {
                        let count = count.unwrap_or(counts.listed);
                        made.add_parts(ArgumentSlot::Tuple(count), (0..count).map(|at| format!("{name}[{at}]")));
                        continue;
                    }
                    Some(Container::Named(keys)) => {
                        let names: Vec<String> = keys.iter().map(|key| format!("{name}['{key}']")).collect();
                        made.add_parts(ArgumentSlot::Dict(keys), names.into_iter());
                        continue;
                    }
                    None => {}
                }
            }
            let hint = parameter.annotation.and_then(|annotation| hints::annotated_type(tree, annotation));
            let plain = parameter.annotation.is_some_and(|annotation| says_no_tensor(tree, annotation));
            let is_none = parameter.default.is_some_and(|default| matches!(tree[default].kind, ExprKind::None));
            let is_given = is_none && !plain && constant.is_none() && optional > 0;
            optional -= usize::from(is_given);
            let wanted = hint.is_some() || mentions.tensors.contains(&name) || parameter.default.is_none() || is_given;
            let rank = mentions.ranks.get(&name).copied();
            let named = mentions.sizes.iter().filter(|(known, _)| *known == name).filter_map(|(_, axis)| {
                usize::try_from(if *axis < 0 { axis + rank.map_or(0, |rank| rank as i64) } else { *axis }).ok()
            });
            made.parameters.push(EntryParameter {
                named: named.collect(),
                tensor: wanted && constant.is_none() && !plain,
                hint: hint.unwrap_or(TensorType::Dyn),
                dtype: parameter.annotation.and_then(|annotation| hints::annotated_dtype(tree, annotation)),
                rank,
                name,
            });
            made.slots.push(ArgumentSlot::Single);
            made.constants.push(constant);
            made.has_default.push(parameter.default.is_some());
        }
        if let Some(name) = session.takes_any_number() {
            for number in 0..counts.spread {
                made.add_parts(ArgumentSlot::Single, std::iter::once(format!("{name}[{number}]")));
            }
        }
        let SearchParameters { parameters, slots, constants, has_default } = made;
        Self { session, parameters, slots, constants, has_default, unknowns: Vec::new() }
    }

    pub fn session(&self) -> &EntrySession<'w> {
        &self.session
    }

    /// Whether another number of tensors is another way to call the entry.
    pub fn has_lists(&self) -> bool {
        self.slots.iter().any(|slot| matches!(slot, ArgumentSlot::List(_) | ArgumentSlot::Tuple(_)))
    }

    /// Whether nothing that is given is a tensor.
    pub fn lacks_tensors(&self) -> bool {
        !self.parameters.iter().any(|parameter| parameter.tensor)
    }

    /// The arguments of the entry from those of the search.
    fn assemble_arguments(&self, parts: Vec<EntryArgument>) -> Vec<EntryArgument> {
        let mut parts = parts.into_iter();
        let mut arguments = Vec::new();
        for slot in &self.slots {
            let mut take = |count: usize| parts.by_ref().take(count).collect::<Vec<EntryArgument>>();
            match slot {
                ArgumentSlot::Single => arguments.extend(take(1)),
                ArgumentSlot::List(count) => arguments.push(EntryArgument::List(take(*count))),
                ArgumentSlot::Tuple(count) => arguments.push(EntryArgument::Tuple(take(*count))),
                ArgumentSlot::Dict(keys) => {
                    let values = take(keys.len());
                    arguments.push(EntryArgument::Dict(keys.iter().cloned().zip(values).collect()));
                }
            }
        }
        arguments
    }
}

/// The parameters of a search as they are collected.
#[derive(Default)]
struct SearchParameters {
    parameters: Vec<EntryParameter>,
    slots: Vec<ArgumentSlot>,
    constants: Vec<Option<EntryConstant>>,
    has_default: Vec<bool>,
}

impl SearchParameters {
    /// Adds an argument that is made of tensors.
    fn add_parts(&mut self, slot: ArgumentSlot, names: impl Iterator<Item = String>) {
        self.slots.push(slot);
        for name in names {
            self.parameters.push(EntryParameter {
                name,
                hint: TensorType::Dyn,
                tensor: true,
                rank: None,
                named: Vec::new(),
                dtype: None,
            });
            self.constants.push(None);
            self.has_default.push(false);
        }
    }
}

/// A container of tensors.
enum Container {
    Listed,
    /// With the number of its items where the annotation says it.
    Tuple(Option<usize>),
    Named(Vec<String>),
}

/// What container a parameter is: by its annotation, or since the function asks it for entries by name.
fn read_container(session: &EntrySession<'_>, parameter: &Parameter) -> Option<Container> {
    let code = &session.function.code;
    let tree = &code.tree;
    let keys = || {
        let range = code.scope_info(session.function.id).range;
        let mut keys: Vec<String> = Vec::new();
        for id in tree.expr_ids() {
            if let ExprKind::Subscript { value, index, .. } = tree[id].kind
                && range.start <= tree[id].range.start
                && tree[id].range.end <= range.end
                && tree.as_name(value) == Some(parameter.name.name)
                && let ExprKind::Str(_) = tree[index].kind
                && let Some(key) = written_key(code.file.slice(tree[index].range))
                && !keys.contains(&key)
            {
                keys.push(key);
            }
        }
        (!keys.is_empty()).then_some(Container::Named(keys))
    };
    let Some(annotation) = parameter.annotation else { return keys() };
    let is_tensor = |id: ExprId| {
        tree.dotted(id).and_then(|parts| parts.last().copied()).is_some_and(|name| name.ends_with("Tensor"))
    };
    let ExprKind::Subscript { value, index, .. } = tree[annotation].kind else { return None };
    let name = tree.dotted(value).and_then(|parts| parts.last().map(|part| (*part).to_owned()))?;
    match (name.as_str(), tree[index].kind) {
        ("list" | "List" | "Sequence" | "Iterable", _) if is_tensor(index) => Some(Container::Listed),
        ("tuple" | "Tuple", _) if is_tensor(index) => Some(Container::Tuple(Some(1))),
        ("tuple" | "Tuple", ExprKind::Tuple { elements, .. }) => match &tree[elements] {
            [first, rest] if is_tensor(*first) && matches!(tree[*rest].kind, ExprKind::Ellipsis) => {
                Some(Container::Tuple(None))
            }
            all if all.iter().all(|element| is_tensor(*element)) => Some(Container::Tuple(Some(all.len()))),
            _ => None,
        },
        ("dict" | "Dict" | "Mapping", ExprKind::Tuple { elements, .. }) => match &tree[elements] {
            [_, value] if is_tensor(*value) => keys(),
            _ => None,
        },
        _ => None,
    }
}

/// The text of a string that is written plainly.
fn written_key(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let key = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let is_plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' '));
    is_plain.then(|| key.to_owned())
}

/// Whether an annotation names a type that no tensor is of.
fn says_no_tensor(tree: &Tree, annotation: ExprId) -> bool {
    let named = match tree[annotation].kind {
        ExprKind::Subscript { value, .. } => value,
        _ => annotation,
    };
    let name = tree.dotted(named).and_then(|parts| parts.last().map(|part| (*part).to_owned()));
    let is_plain = |name: &str| {
        matches!(name, "int" | "float" | "bool" | "str" | "bytes" | "complex")
            || matches!(name, "list" | "tuple" | "dict" | "set" | "List" | "Tuple" | "Dict" | "Set")
            || matches!(name, "Sequence" | "Iterable" | "Mapping" | "Callable")
    };
    name.is_some_and(|name| is_plain(&name))
}

impl EntryProgram for Interpreted<'_> {
    fn parameters(&self) -> &[EntryParameter] {
        &self.parameters
    }

    fn run(&mut self, presented: &[Presented], options: &RunOptions) -> EntryRun {
        let mut symbols: Vec<Vec<Option<Sym>>> = Vec::new();
        let mut arguments = Vec::new();
        let mut declared = Vec::new();
        let mut dynamic = FxHashSet::default();
        let mut left_dyn: Vec<Vec<Option<Sym>>> = Vec::new();
        for (index, shape) in presented.iter().enumerate() {
            let name = self.parameters[index].name.clone();
            let mut own = Vec::new();
            let mut own_dyn = Vec::new();
            arguments.push(match shape {
                Presented::Dyn => EntryArgument::Unranked,
                Presented::Fixed => match self.constants[index] {
                    Some(EntryConstant::None) => EntryArgument::Constant(Value::None),
                    Some(EntryConstant::Bool(value)) => EntryArgument::Constant(Value::Bool(value)),
                    Some(EntryConstant::Int(value)) => EntryArgument::Constant(Value::Int(value)),
                    None if self.has_default[index] => EntryArgument::Omitted,
                    None => EntryArgument::Unknown,
                },
                Presented::Ranked(axes) => EntryArgument::Tensor(
                    axes.iter()
                        .enumerate()
                        .map(|(axis, size)| {
                            let mut symbol = || {
                                let (sym, dim) = self.session.size(&format!("{name}.shape[{axis}]"));
                                declared.push((sym, options.smallest));
                                (sym, dim)
                            };
                            match size {
                                EntryAxis::Size(size) => {
                                    own.push(None);
                                    own_dyn.push(None);
                                    Dim::constant(*size)
                                }
                                EntryAxis::Named(sym) => {
                                    declared.push((*sym, options.smallest));
                                    own.push(Some(*sym));
                                    own_dyn.push(None);
                                    Dim::symbol(*sym)
                                }
                                EntryAxis::Open => {
                                    let (sym, dim) = symbol();
                                    own.push(Some(sym));
                                    own_dyn.push(None);
                                    dim
                                }
                                EntryAxis::Dyn => {
                                    let (sym, dim) = symbol();
                                    dynamic.insert(sym);
                                    own.push(None);
                                    own_dyn.push(Some(sym));
                                    dim
                                }
                            }
                        })
                        .collect(),
                    options.dtypes.get(index).copied().flatten(),
                ),
            });
            symbols.push(own);
            left_dyn.push(own_dyn);
        }
        let arguments = self.assemble_arguments(arguments);
        let recorder = RunRecorder::default();
        let mut requirements: Vec<EntryRequirement> = Vec::new();
        let place = pytrope_source::Span::new(&self.session.function.code.file, definition_range(&self.session));
        let outcome = self.session.run_entry(
            &arguments,
            &SizeFacts { sizes: &declared, assumed: &options.assumed },
            dynamic,
            Box::new(recorder.clone()),
            &mut |cond, text| {
                requirements.push(EntryRequirement {
                    formula: formula_of(cond),
                    span: place.clone(),
                    message: format!("assumed: {text}"),
                    certain: true,
                });
            },
        );
        let recording = recorder.0.take();
        // Sizes that were computed from those left Dyn have joined them.
        let dynamic = std::mem::take(&mut self.session.interp.run.dynamic);
        for (span, reason) in recording.unknowns.iter().chain(&recording.lost) {
            if !self.unknowns.iter().any(|(known, _)| known == span) {
                self.unknowns.push((span.clone(), reason.clone()));
            }
        }
        let is_separate = |formula: Option<&Formula>| {
            let mut symbols = BTreeSet::new();
            if let Some(formula) = formula {
                formula.collect_symbols(&mut symbols);
            }
            symbols.iter().any(|sym| dynamic.contains(sym))
        };
        let mut doubts = Vec::new();
        let calls_unknown = !recording.unknowns.is_empty();
        for event in recording.events {
            match event {
                RunEvent::Unknown(span, message) => doubts.push(Undecided { message, span: Some(span) }),
                RunEvent::Requirement(recorded) => {
                    if !is_separate(recorded.formula.as_ref()) {
                        let message = format!("not decided: {}", recorded.message);
                        doubts.push(Undecided { message, span: Some(recorded.span.clone()) });
                    }
                    requirements.push(EntryRequirement {
                        formula: recorded.formula,
                        span: recorded.span,
                        message: recorded.message,
                        certain: recorded.certain,
                    });
                }
            }
        }
        let (separate, requirements): (Vec<EntryRequirement>, Vec<EntryRequirement>) =
            requirements.into_iter().partition(|requirement| is_separate(requirement.formula.as_ref()));
        if let SessionOutcome::Returned(_, raised) = &outcome {
            doubts.extend(raised.iter().map(possible_exception));
        }
        let facts = match outcome {
            // What guards have left over is required on every path that reaches the end.
            SessionOutcome::Returned(..) => {
                let own: BTreeSet<Sym> = symbols.iter().flatten().flatten().copied().collect();
                self.session.interp.run.state.store.facts_about(&own)
            }
            SessionOutcome::Raised(_) | SessionOutcome::Contradiction(_) | SessionOutcome::OutOfFuel => Vec::new(),
        };
        let ending = match outcome {
            SessionOutcome::Returned(value, _) => {
                EntryEnding::Returned(returned_shapes(&self.session.interp, &value, 4))
            }
            SessionOutcome::Contradiction(message) => EntryEnding::Raised { message, span: Some(place) },
            SessionOutcome::OutOfFuel => EntryEnding::Lost { reason: "the analysis ran out of steps".to_owned() },
            SessionOutcome::Raised(raised) => {
                let finding = raised.into_iter().find_map(|raised| raised.finding);
                if let Some(finding) = finding {
                    EntryEnding::Raised { message: finding.message.clone(), span: Some(finding.primary.clone()) }
                } else {
                    let message = "the program raises here".to_owned();
                    EntryEnding::Raised { message, span: recording.raises.last().cloned() }
                }
            }
        };
        EntryRun { symbols, requirements, facts, dynamic: left_dyn, separate, doubts, calls_unknown, ending }
    }
}

/// An exception that leaves the entry under a condition that is not decided.
fn possible_exception(raised: &Raised) -> Undecided {
    match &raised.finding {
        Some(finding) => {
            Undecided { message: format!("this may raise: {}", finding.message), span: Some(finding.primary.clone()) }
        }
        None => Undecided::without_place("the program raises under a condition that is not decided"),
    }
}

fn definition_range(session: &EntrySession<'_>) -> pytrope_source::TextRange {
    session
        .entry_definition()
        .map_or(pytrope_source::TextRange { start: 0, end: 0 }, |definition| definition.name.range)
}
