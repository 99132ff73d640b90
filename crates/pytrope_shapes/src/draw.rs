//! `draw`: the calls of layers that an entry makes, with the shapes that go in and come out.
//!
//! A few lines of Python are put behind the target's own (see `driver`): they wrap the `forward` of every module of
//! the entry, so that an abstract run of it binds names to what each layer is given and gives. An observer reads these
//! bindings; the interpreter itself knows nothing of drawing.

mod driver;
mod keras;
mod record;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use pytrope_dims::gradual::{DimType, TensorType};
use pytrope_dims::{Constraint, Dim, Sym};
use pytrope_eval::{ModuleRequest, Value};
use pytrope_source::tree::StmtKind;
use pytrope_source::{ModuleResolver, SourceFile};
use rustc_hash::FxHashSet;

use crate::entry::session::SizeFacts;
use crate::entry::{EntryArgument, EntryError, EntrySession, EntryTarget, Expression, PackageReading, SessionOutcome};
use crate::migrate::annotate::Style;
use crate::migrate::returned::wrapped_container;
use crate::migrate::solve::Solving;
use crate::migrate::{self, migrate_entry};

use record::FlowRecorder;
pub use record::{LayerCall, WeightUse, split_at_commas};

/// What is drawn.
pub struct DrawRequest<'a> {
    pub entry: &'a str,
    pub assume: &'a [String],
    /// Shapes of parameters; those of others are searched for as `migrate` does.
    pub inputs: &'a [(String, Vec<Size>)],
}

/// A size that was given for an axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Size {
    Number(u64),
    /// Any size, by this name.
    Name(String),
}

/// The run of an entry.
#[derive(Debug, Default)]
pub struct Drawn {
    /// The parameters that are tensors, with their shapes.
    pub inputs: Vec<(String, String)>,
    /// The parameters that must be given and of which no shape was given or found.
    pub open_inputs: Vec<String>,
    /// Whether the shapes that were not given are an example, which was searched for; not where the model declares them.
    pub has_example: bool,
    /// The calls that the entry itself makes; of an entry without layers, the arrays that it binds.
    pub calls: Vec<LayerCall>,
    /// Whether what is listed are calls of layers.
    pub has_layers: bool,
    /// All its parameters, where their number is known; none of a function.
    pub parameters: Option<u64>,
    /// How many of them are never trained; none of a library that does not count these, and where it is not known.
    pub not_trained: Option<u64>,
    /// What it returns, if it returns.
    pub output: Option<String>,
    pub failure: Option<Failed>,
    /// What must hold of the sizes that are names: `32*(h//4)*(w//4) == 2048`.
    pub conditions: Vec<String>,
    /// An exception that some of the sizes that are names raise, if that is all that is known.
    pub may_fail: Option<String>,
    /// Of an entry with an unknown result: what was lost first while it was made, with its place.
    pub first_unknown: Option<String>,
}

/// Why a run did not come to its end.
#[derive(Debug)]
pub struct Failed {
    pub message: String,
    /// Path and line.
    pub place: Option<(String, u32)>,
}

/// A file with the driver behind its text, ready for [`draw`].
pub fn target_of_file(file: &SourceFile, resolver: ModuleResolver, follow: Vec<String>) -> EntryTarget {
    let text = format!("{}\n{}", file.text(), driver::TEXT);
    EntryTarget::from_file(
        &SourceFile::from_text(file.path(), text),
        resolver,
        PackageReading { follow, ..PackageReading::default() },
    )
}

/// The same for an installed module, whose names the entry may use.
pub fn target_of_module(module: &str, resolver: ModuleResolver, mut follow: Vec<String>) -> EntryTarget {
    let top = module.split('.').next().unwrap_or(module).to_owned();
    if !follow.contains(&top) {
        follow.push(top);
    }
    let text = format!("from {module} import *\n{}", driver::TEXT);
    EntryTarget::from_file(
        &SourceFile::from_text("<draw>", text),
        resolver,
        PackageReading { follow, ..PackageReading::default() },
    )
}

/// Runs the entry once and records its layers; an error is a mistake in the question.
pub fn draw_entry(target: &EntryTarget, request: &DrawRequest<'_>) -> Result<Drawn, EntryError> {
    // The entry by itself first, so that errors are about it and not about the driver.
    let plain = Expression::parse(request.entry).map_err(EntryError::Entry)?;
    let assumptions = migrate::parse_assumptions(request.assume)?;
    let alone = EntrySession::open_entry(&target.program, &target.module, &plain, &assumptions).map(drop);
    let wrapped =
        Expression::parse(&driver::wrap_entry(request.entry)).map_err(EntryError::Entry)?.shown_as(request.entry);
    let mut recorder = FlowRecorder::default();
    let observer = Box::new(recorder.clone());
    let opened = EntrySession::open_observed(&target.program, &target.module, &wrapped, &assumptions, Some(observer));
    let mut session = match (alone, opened) {
        (Err(error), opened) => {
            drop(opened);
            return draw_unmade(&recorder, error);
        }
        (Ok(()), opened) => opened?,
    };
    let parameters = session.entry_parameters();
    let (is_keras, takes_names, declared) = {
        let recorded = recorder.0.borrow();
        (recorded.is_keras, recorded.takes_names, recorded.declared.clone())
    };
    let arrays = if is_keras { None } else { array_class(target, &session) };
    if is_keras {
        // A graph of layers is made of symbolic tensors; a model of the program's own runs on others, too.
        session.pass_arrays_of("tensorflow._tensor", if declared.is_some() { "KerasTensor" } else { "Tensor" });
    } else if let Some((module, class, _)) = arrays {
        session.pass_arrays_of(module, class);
    }
    let names: Vec<String> = match &declared {
        Some(inputs) => inputs.iter().map(|input| input.name.clone()).collect(),
        None => parameters.iter().map(|parameter| session.name_of(parameter).to_owned()).collect(),
    };
    if names.is_empty() {
        if session.takes_nothing() {
            let entry = request.entry;
            return Err(EntryError::Entry(format!("`{entry}` takes no arrays; did you mean `{entry}()`?")));
        }
        return Err(EntryError::Entry(format!(
            "`{}` has no named parameters; what can be drawn are models of PyTorch and Keras, and functions of NumPy, PyTorch or JAX",
            request.entry
        )));
    }
    if let Some((unknown, _)) = request.inputs.iter().find(|(name, _)| !names.contains(name)) {
        let whose = if declared.is_some() {
            "an input of the model, whose inputs"
        } else {
            "a parameter of the entry, whose parameters"
        };
        return Err(EntryError::Entry(format!("`{unknown}` is not {whose} are: {}", names.join(", "))));
    }
    let is_required = |name: &String| {
        declared.is_some()
            || names.iter().zip(&parameters).any(|(known, parameter)| known == name && parameter.default.is_none())
    };
    let is_given = |name: &String| request.inputs.iter().any(|(given, _)| given == name);
    let mut searched = request.inputs.to_vec();
    let mut has_example = false;
    if names.iter().any(|name| is_required(name) && !is_given(name)) || request.inputs.is_empty() {
        let found = match &declared {
            Some(inputs) => inputs.iter().map(|input| (input.name.clone(), input.sizes.clone())).collect(),
            None if is_keras => Vec::new(),
            None => {
                has_example = request.inputs.is_empty();
                search_inputs(target, request)?
            }
        };
        searched.extend(found.into_iter().filter(|(name, _)| !is_given(name)));
    }
    let open_inputs: Vec<String> = names
        .iter()
        .filter(|name| is_required(name) && searched.iter().all(|(known, _)| known != *name))
        .cloned()
        .collect();
    if searched.is_empty() {
        let first = names.first().map_or("x", String::as_str);
        let (why, sizes) = if is_keras {
            ("the model does not say which shapes its inputs have", "batch,224,224,3")
        } else {
            ("the shapes of the inputs could not be found", "8,3,224,224")
        };
        return Err(EntryError::Entry(format!("{why}; give them, such as --input {first}={sizes}")));
    }
    let mut symbols: Vec<(String, Sym, Dim)> = Vec::new();
    let mut inputs = Vec::new();
    let mut arguments = Vec::new();
    for (position, name) in names.iter().enumerate() {
        let Some((_, sizes)) = searched.iter().find(|(known, _)| known == name) else {
            arguments.push(if is_required(name) { EntryArgument::Unknown } else { EntryArgument::Omitted });
            continue;
        };
        let dims = sizes.iter().map(|size| dim_of(size, &mut session, &mut symbols)).collect();
        inputs.push((name.clone(), shown_sizes(sizes)));
        let dtype = match &declared {
            Some(inputs) => Some(inputs[position].dtype),
            // What a layer of Keras is given becomes this type.
            None => is_keras.then_some("float32"),
        };
        arguments.push(EntryArgument::Tensor(dims, dtype));
    }
    if takes_names {
        arguments = vec![EntryArgument::Dict(names.iter().cloned().zip(arguments).collect())];
    } else if declared.is_some() && arguments.len() > 1 {
        arguments = vec![EntryArgument::List(arguments)];
    }
    // A name stands for any size that there is something of: an empty batch passes where every other one fails.
    let sizes: Vec<(Sym, i64)> = symbols.iter().map(|(_, symbol, _)| (*symbol, 1)).collect();
    let facts = SizeFacts { sizes: &sizes, assumed: &[] };
    let mut run_with = |arguments: &[EntryArgument], recorder: &FlowRecorder| {
        recorder.0.borrow_mut().begin_run();
        session.run_entry(arguments, &facts, FxHashSet::default(), Box::new(recorder.clone()), &mut |_, _| {})
    };
    let mut outcome = run_with(&arguments, &recorder);
    // What an array of unknown type becomes, a scalar or an array, may depend on the type.
    if let (SessionOutcome::Returned(Value::Unknown(_), _), Some((.., dtype))) = (&outcome, arrays) {
        let typed: Vec<EntryArgument> = arguments.iter().map(|argument| argument.with_dtype(dtype)).collect();
        let second = FlowRecorder::default();
        let again = run_with(&typed, &second);
        if !matches!(again, SessionOutcome::Returned(Value::Unknown(_), _))
            && matches!(again, SessionOutcome::Returned(..))
        {
            (outcome, recorder) = (again, second);
        }
    }
    let output = match &outcome {
        SessionOutcome::Returned(Value::Unknown(reason), _) => Some(format!("Unknown ({})", reason.reason_text())),
        SessionOutcome::Returned(value, _) => {
            let inside = wrapped_container(&session.interp, value);
            Some(record::shape_of(&session.interp.show_value(inside.as_ref().unwrap_or(value))))
        }
        SessionOutcome::Raised(_) | SessionOutcome::Contradiction(_) | SessionOutcome::OutOfFuel => None,
    };
    let conditions = match &outcome {
        SessionOutcome::Returned(..) => conditions_on_sizes(&session, &symbols),
        SessionOutcome::Raised(_) | SessionOutcome::Contradiction(_) | SessionOutcome::OutOfFuel => Vec::new(),
    };
    let may_fail = match &outcome {
        SessionOutcome::Returned(_, raised) if conditions.is_empty() && !symbols.is_empty() => {
            raised.iter().find_map(|raised| raised.finding.as_ref()).map(|finding| finding.headline())
        }
        _ => None,
    };
    let is_unknown = matches!(&outcome, SessionOutcome::Returned(Value::Unknown(_), _));
    let lost = session.unmodelled.iter().chain(&session.lost).find(|(span, _)| !driver::is_driver(span));
    let first_unknown = lost.filter(|_| is_unknown).map(|(span, why)| {
        let line = span.start().position.line;
        format!("{}:{line}: {why}", span.file.path())
    });
    Ok(Drawn {
        open_inputs,
        has_example,
        conditions,
        may_fail,
        first_unknown,
        ..record_layers(&outcome, inputs, output, recorder)
    })
}

/// What the operations of a run have required of the sizes that are names, beyond being positive.
fn conditions_on_sizes(session: &EntrySession<'_>, symbols: &[(String, Sym, Dim)]) -> Vec<String> {
    let named: BTreeSet<Sym> = symbols.iter().map(|(_, symbol, _)| *symbol).collect();
    let declared: Vec<Constraint> = symbols.iter().filter_map(|(_, _, dim)| Constraint::at_least(dim, 1)).collect();
    let run = &session.interp.run;
    let can_be_named = |fact: &&Constraint| !fact.dim.any_symbol(&mut |symbol| run.symbols.given(symbol).is_none());
    let name = |symbol: Sym| run.symbols.given(symbol).map_or_else(|| "?".to_owned(), |name| name.to_string());
    let facts = run.state.store.facts_about(&named);
    let required = facts.iter().filter(|fact| !declared.contains(fact)).filter(can_be_named);
    let mut shown: Vec<String> = required.map(|fact| fact.display_with(&name)).collect();
    shown.dedup();
    shown
}

/// The class of the arrays that an entry takes, by its annotations or else by what its module imports, and the type that their elements
/// have as a rule; PyTorch's tensors if None.
fn array_class(target: &EntryTarget, session: &EntrySession<'_>) -> Option<(&'static str, &'static str, &'static str)> {
    const NUMPY: (&str, &str, &str) = ("numpy", "ndarray", "float64");
    const JAX: (&str, &str, &str) = ("jax", "Array", "float32");
    let code = &session.function.code;
    let annotated = session.entry_parameters().iter().find_map(|parameter| {
        let parts = code.tree.dotted(parameter.annotation?)?;
        match *parts.last()? {
            "ndarray" if parts.first() == Some(&"jnp") => Some(JAX),
            "ndarray" => Some(NUMPY),
            "Array" => Some(JAX),
            _ => None,
        }
    });
    let imported = imported_packages(target);
    let imports = |package: &str| imported.iter().any(|name| name == package);
    let by_imports = || {
        let others = ["torch", "tensorflow", "keras"].into_iter().any(imports);
        if others {
            None
        } else if imports("jax") {
            Some(JAX)
        } else {
            imports("numpy").then_some(NUMPY)
        }
    };
    annotated.or_else(by_imports)
}

/// The packages that a target's module imports at its top level.
fn imported_packages(target: &EntryTarget) -> Vec<String> {
    let ModuleRequest::EvaluatedModule(module) = target.program.load_module(&target.module) else { return Vec::new() };
    let tree = &module.code.tree;
    let mut packages = Vec::new();
    for &statement in &tree[tree.body()] {
        match tree[statement].kind {
            StmtKind::Import { names } => packages.extend(tree[names].iter().map(|alias| tree.text(alias.name.name))),
            StmtKind::ImportFrom { module: Some(name), level: 0, .. } => packages.push(tree.text(name.name)),
            _ => {}
        }
    }
    packages.into_iter().map(|name| name.split('.').next().unwrap_or(name).to_owned()).collect()
}

/// An entry that cannot be made, as far as the layers that it has called say why: those of Keras are called while a model is made.
fn draw_unmade(recorder: &FlowRecorder, error: EntryError) -> Result<Drawn, EntryError> {
    let recorded = recorder.0.take();
    let end = match error {
        EntryError::Unmade(_, end) if recorded.has_open_call() && !end.class.is_empty() => end,
        other => return Err(other),
    };
    let failure = Some(Failed { message: format!("{}: {}", end.class, end.message), place: end.place });
    let calls = recorded.finish(true);
    let parameters = calls.iter().map(|call| call.parameters).sum();
    Ok(Drawn { calls, has_layers: true, parameters, failure, ..Drawn::default() })
}

fn record_layers(
    outcome: &SessionOutcome,
    inputs: Vec<(String, String)>,
    output: Option<String>,
    recorder: FlowRecorder,
) -> Drawn {
    let recorded = Rc::try_unwrap(recorder.0).map_or_else(|shared| shared.borrow().clone(), RefCell::into_inner);
    let failure = match outcome {
        SessionOutcome::Returned(..) => None,
        SessionOutcome::Contradiction(message) => Some(Failed { message: message.clone(), place: None }),
        SessionOutcome::OutOfFuel => Some(Failed { message: "the analysis ran out of steps".to_owned(), place: None }),
        SessionOutcome::Raised(raised) => {
            let finding = raised.iter().rev().find_map(|raised| raised.finding.as_ref());
            let own = || "the program raises an exception of its own".to_owned();
            // The finding is at the driver's call of `forward`; the program's own line is the last call that it made.
            Some(Failed {
                message: finding.map_or_else(own, |finding| finding.headline()),
                place: recorded.last_call.clone(),
            })
        }
    };
    let has_failed = failure.is_some();
    let has_layers = recorded.has_layers();
    let mut calls = recorded.finish(has_failed);
    // The entry's own call is not a layer of it, unless it is all there is.
    let mut parameters = calls.iter().map(|call| call.parameters).sum();
    let mut not_trained = None;
    if let [entry] = calls.as_mut_slice()
        && entry.path.is_empty()
    {
        (parameters, not_trained) = (entry.parameters, entry.not_trained);
        if !entry.calls.is_empty() {
            calls = std::mem::take(&mut entry.calls);
        }
    }
    Drawn { inputs, calls, has_layers, parameters, not_trained, output, failure, ..Drawn::default() }
}

/// The shapes that `migrate` finds for the entry's parameters, where those that are given are as given.
fn search_inputs(target: &EntryTarget, request: &DrawRequest<'_>) -> Result<Vec<(String, Vec<Size>)>, EntryError> {
    let mut assume = request.assume.to_vec();
    for (name, sizes) in request.inputs {
        assume.push(format!("{name}.ndim == {}", sizes.len()));
        assume.extend(sizes.iter().enumerate().filter_map(|(axis, size)| match size {
            Size::Number(number) => Some(format!("{name}.shape[{axis}] == {number}")),
            Size::Name(_) => None,
        }));
    }
    let question = migrate::MigrateRequest {
        module: &target.module,
        entry: request.entry,
        assume: &assume,
        style: Style::TensorType,
    };
    let answer = migrate_entry(&target.program, &question, &mut Solving::default())?;
    let found = answer.parameters.iter().filter_map(|(name, shape)| match shape {
        Some(TensorType::Dims(dims)) => {
            let size = |(axis, dim): (usize, &DimType)| match dim {
                DimType::Size(size) => Size::Number(*size),
                DimType::Dyn => Size::Name(format!("{name}{axis}")),
            };
            Some((name.clone(), dims.iter().enumerate().map(size).collect()))
        }
        Some(TensorType::Dyn) | None => None,
    });
    Ok(found.collect())
}

fn dim_of(size: &Size, session: &mut EntrySession<'_>, symbols: &mut Vec<(String, Sym, Dim)>) -> Dim {
    match size {
        Size::Number(number) => Dim::from(i128::from(*number)),
        Size::Name(name) => {
            if let Some((_, _, dim)) = symbols.iter().find(|(known, ..)| known == name) {
                return dim.clone();
            }
            let (symbol, dim) = session.size(name);
            symbols.push((name.clone(), symbol, dim.clone()));
            dim
        }
    }
}

fn shown_sizes(sizes: &[Size]) -> String {
    let parts: Vec<String> = sizes
        .iter()
        .map(|size| match size {
            Size::Number(number) => number.to_string(),
            Size::Name(name) => name.clone(),
        })
        .collect();
    match parts.as_slice() {
        [only] => format!("({only},)"),
        parts => format!("({})", parts.join(", ")),
    }
}
