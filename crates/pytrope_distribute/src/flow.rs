//! A bounded run of a script over abstract values: which modules an optimizer updates, which forward passes or gradients a
//! step belongs to, what differs between ranks.
//!
//! The run is flow-sensitive. Names, attributes and items of containers are *cells*; assignments overwrite them, the two
//! sides of a branch are joined, functions and methods of the project are entered with the arguments of each call, and
//! every call that makes something makes a new object. Loops run twice, so that what one turn leaves behind meets the
//! next. Invariant: a cell holds every object that the name may stand for there, or `unknown` says where it was lost.
//! Proofs over the recorded [`FlowEvent`]s therefore treat `unknown` as a failure, never as an absence.

mod batches;
mod branch;
mod calls;
mod eval;
mod exec;
mod library;
mod modules;
mod namespaces;
mod products;
mod reductions;
mod shares;
mod tensorflow;
mod value;

pub use batches::BatchAxis;
pub use value::{AbstractObject, Constant, FlowValue, ObjectId, PassId};

use pytrope_source::tree::{StmtId, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

use crate::index::Scope;
use crate::project::ModuleId;
use crate::target::Target;
use crate::trace::{Def, ExprPlace, Trace};

/// One call of a module.
#[derive(Clone, Debug)]
pub struct ForwardPass {
    pub module: ObjectId,
    pub at: ExprPlace,
    /// What it was given differs between ranks.
    pub varies: bool,
    /// It may not happen although the call around it does.
    pub conditional: bool,
    /// The wrapper's pass that this one is part of.
    pub within: Option<PassId>,
}

#[derive(Clone, Debug)]
pub enum EventKind {
    /// A wrapped module is called.
    Forward,
    /// A loss is propagated back; `stale` is a wrapper whose gradients are not reduced a second time.
    Backward {
        loss: FlowValue,
        stale: Option<ObjectId>,
    },
    Step {
        optimizer: FlowValue,
    },
    Wrap {
        wrapper: ObjectId,
    },
    /// Hooks average the gradients of a module's parameters.
    Hook,
    /// Outputs of these passes are multiplied with each other, sample by sample.
    MixesSamples {
        passes: Vec<PassId>,
    },
    /// What all ranks must have alike is changed: an optimizer's settings, or parameters other than by an optimizer. `differs` where the new
    /// value is this rank's.
    Change {
        differs: bool,
    },
    /// A call in which all ranks take part.
    Collective,
    /// `requires_grad` of a module's parameters changes; `to` when the new value is known.
    Freeze {
        module: ObjectId,
        to: Option<bool>,
    },
    /// A part of the data is divided again.
    DividedTwice,
    /// A loop or function is left on a condition that differs between ranks.
    Leaves {
        target: (ModuleId, StmtId),
    },
    /// TensorFlow changes variables by gradients.
    Update(ParameterUpdate),
    /// Variables of rank 0 are given to all ranks; `everything` where a graph's variables all are.
    Broadcast {
        variables: Vec<ObjectId>,
        everything: bool,
    },
    /// A data set is divided after a shuffle that ranks do not share.
    DividedShuffled,
    /// Something is shown or written that is a part (`shares`), or that a part decides.
    Output {
        condition: Option<ExprPlace>,
        shown: ExprPlace,
        /// How the ranks' numbers make that of one process, where that is known and all ranks come here.
        reduces: Option<Reduction>,
    },
    /// What files are there is asked, or one is read, while rank 0 may still be writing.
    ReadsUnwritten,
    /// Rows of an array that was divided are taken by numbers that were made apart from it.
    NumberedApart,
    /// `fit` reads data of which ranks have different amounts.
    UnevenFit,
    /// A model is evaluated; `part` where a rank has only its part of the data.
    Evaluate {
        part: bool,
    },
}

/// How the numbers of ranks make that of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Mean,
    Sum,
}

/// What is known of a change of variables.
#[derive(Clone, Debug, Default)]
pub struct ParameterUpdate {
    /// The gradients are averaged over the ranks, by the tape or by the optimizer.
    pub reduced: bool,
    /// They are averaged twice.
    pub twice: bool,
    /// The loss comes from samples that differ between ranks.
    pub varies: bool,
    /// The variables and the objects whose variables they are.
    pub variables: Vec<ObjectId>,
    /// All variables of a graph.
    pub everything: bool,
    pub optimizer: Option<ObjectId>,
    /// Where the gradients were lost.
    pub lost: Option<ExprPlace>,
    /// The model was made and compiled inside the scope of a strategy.
    pub mirrored: bool,
}

#[derive(Clone, Debug)]
pub struct FlowEvent {
    pub kind: EventKind,
    pub at: ExprPlace,
    /// A condition or loop around it that differs between ranks.
    pub divergent: Option<ExprPlace>,
    /// How many objects there were, to compare what came before and after.
    pub objects: ObjectId,
    /// The loops and functions that are being run, outermost first.
    pub inside: Vec<(ModuleId, StmtId)>,
}

struct FlowFrame {
    module: ModuleId,
    scope: Scope,
    parent: Option<usize>,
    owner: ObjectId,
    returns: Option<FlowValue>,
    yields: Option<FlowValue>,
}

/// A cell: the frame or object that owns it, and the name.
type ObjectCell = (ObjectId, u32);

pub struct FlowRun<'a> {
    pub trace: &'a Trace<'a>,
    pub objects: Vec<AbstractObject>,
    pub passes: Vec<ForwardPass>,
    pub events: Vec<FlowEvent>,
    /// The run was cut short: nothing is proved.
    pub exhausted: Option<ExprPlace>,
    /// Modules whose parameters have averaging hooks, with all their parts.
    pub hooked: FxHashSet<ObjectId>,
    fields: FxHashMap<ObjectId, Vec<u32>>,
    cells: FxHashMap<ObjectCell, FlowValue>,
    names: FxHashMap<String, u32>,
    spelled: Vec<String>,
    frames: Vec<FlowFrame>,
    module_frames: Vec<Option<usize>>,
    journals: Vec<branch::Journal>,
    /// States of ways that left a loop or a function, joined where it ends.
    left: Vec<Vec<branch::Journal>>,
    divergent: Vec<ExprPlace>,
    /// Conditions around the current point that this rank's samples decide.
    deciding: Vec<shares::SampleDecision>,
    /// Which calls show or write what they are given.
    output_calls: FxHashMap<ExprPlace, bool>,
    /// Which calls write files, and which read them.
    file_calls: FxHashMap<ExprPlace, (bool, bool)>,
    /// TensorFlow's objects are known, not only PyTorch's.
    tensorflow: bool,
    /// The script runs under a strategy of tf.distribute.
    strategy: bool,
    /// Scopes of a strategy around the current point.
    scopes: u32,
    /// A Keras layer that makes its variables outside the scope of the strategy.
    layer_outside: Option<ExprPlace>,
    /// All random generators have been given a seed that ranks share.
    seeded: bool,
    /// What the train operations of a graph do when they are run.
    operations: FxHashMap<ObjectId, ParameterUpdate>,
    /// Branches around the current point since the current module was called.
    conditional: u32,
    grad: bool,
    within: Option<PassId>,
    calls: Vec<Def>,
    inside: Vec<(ModuleId, StmtId)>,
    /// For each of `inside`, whether random numbers were drawn since it was entered.
    draws: Vec<bool>,
    fuel: u32,
    /// Which function owns the name that an expression reads or binds; asked once for each expression.
    owners: FxHashMap<ExprPlace, Option<Scope>>,
    /// The objects of each class of the project, which hold what its body binds.
    class_objects: FxHashMap<Def, Vec<ObjectId>>,
    module_classes: RefCell<FxHashMap<Def, bool>>,
    /// Labels may be those that losses of classes leave out by default.
    ignores_labels: bool,
}

const FUEL: u32 = 40_000;
const DEEPEST: usize = 24;
/// The name of the cell that holds what a container has at places that are not known.
const ELEMENTS: &str = "[]";

impl<'a> FlowRun<'a> {
    /// FlowRun the project's entry.
    pub fn of(trace: &'a Trace<'a>, target: Target) -> Self {
        let mut run = Self {
            trace,
            objects: Vec::new(),
            passes: Vec::new(),
            events: Vec::new(),
            exhausted: None,
            hooked: FxHashSet::default(),
            fields: FxHashMap::default(),
            cells: FxHashMap::default(),
            names: FxHashMap::default(),
            spelled: Vec::new(),
            frames: Vec::new(),
            module_frames: vec![None; trace.project.modules.len()],
            journals: Vec::new(),
            left: Vec::new(),
            divergent: Vec::new(),
            deciding: Vec::new(),
            output_calls: FxHashMap::default(),
            file_calls: FxHashMap::default(),
            tensorflow: !target.is_torch(),
            strategy: target == Target::TfDistribute,
            scopes: 0,
            layer_outside: None,
            seeded: false,
            operations: FxHashMap::default(),
            conditional: 0,
            grad: true,
            within: None,
            calls: Vec::new(),
            inside: Vec::new(),
            draws: Vec::new(),
            fuel: FUEL,
            owners: FxHashMap::default(),
            class_objects: FxHashMap::default(),
            module_classes: RefCell::default(),
            ignores_labels: crate::trace::writes_ignored_label(trace),
        };
        run.enter_module(0);
        run
    }

    /// FlowRun the functions that nothing calls, with arguments of which nothing is known but that they differ.
    pub fn run_uncalled(&mut self) {
        for module in 0..self.trace.project.modules.len() {
            let tree = self.trace.tree(module);
            for &stmt in &tree[tree.body()] {
                let StmtKind::FunctionDef(function) = tree[stmt].kind else { continue };
                let Some(at) = crate::index::exprs_in(tree, stmt).next().map(|e| (module, e)) else { continue };
                if !self.trace.calls_of((module, stmt)).is_empty() {
                    continue;
                }
                let lists = [function.parameters.positional_only, function.parameters.regular];
                let count = lists.iter().flat_map(|&list| &tree[list]).take_while(|p| p.default.is_none()).count();
                let positional = (0..count)
                    .map(|_| {
                        self.make_value(AbstractObject::Made {
                            api: String::new(),
                            by: at,
                            given: FlowValue::default(),
                        })
                    })
                    .collect();
                self.enter_function(
                    (module, stmt),
                    None,
                    at,
                    calls::CallArguments { positional, ..calls::CallArguments::default() },
                );
            }
        }
    }

    fn enter_inside(&mut self, place: (ModuleId, StmtId)) {
        self.inside.push(place);
        self.draws.push(false);
    }

    fn leave_inside(&mut self) {
        self.inside.pop();
        self.draws.pop();
    }

    /// Whether random numbers are drawn anew for this step: in the loop around it, or in the functions that run it once.
    fn draws_in_step(&self) -> bool {
        let is_loop = |&(module, stmt): &(ModuleId, StmtId)| {
            matches!(self.trace.tree(module)[stmt].kind, StmtKind::For { .. } | StmtKind::While { .. })
        };
        match self.inside.iter().rposition(is_loop) {
            Some(innermost) => self.draws[innermost],
            None => self.draws.contains(&true),
        }
    }

    fn add_object(&mut self, object: AbstractObject) -> ObjectId {
        let id = self.objects.len() as ObjectId;
        if let AbstractObject::Class { def } = object {
            self.class_objects.entry(def).or_default().push(id);
        }
        self.objects.push(object);
        id
    }

    fn make_value(&mut self, object: AbstractObject) -> FlowValue {
        FlowValue { objects: vec![self.add_object(object)], ..FlowValue::default() }
    }

    fn intern_name(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let id = self.spelled.len() as u32;
        self.names.insert(name.to_owned(), id);
        self.spelled.push(name.to_owned());
        id
    }

    fn record_event(&mut self, at: ExprPlace, kind: EventKind) {
        let event = FlowEvent {
            kind,
            at,
            divergent: self.divergent.last().copied(),
            objects: self.objects.len() as ObjectId,
            inside: self.inside.clone(),
        };
        self.events.push(event);
    }

    fn read_cell(&mut self, owner: ObjectId, name: &str) -> Option<FlowValue> {
        let name = self.intern_name(name);
        self.cells.get(&(owner, name)).cloned()
    }

    fn write_cell(&mut self, owner: ObjectId, name: &str, mut value: FlowValue) {
        // What is bound under a condition that a part decides is a part.
        if let Some(decision) = self.deciding.last()
            && !name.starts_with('<')
        {
            value.part = value.part.or(Some(decision.at));
            value.varies |= decision.varies;
            value.forget_reduction();
        }
        let name = self.intern_name(name);
        self.write_interned((owner, name), Some(value));
    }

    /// Join a value into a cell: the object may be one of many.
    fn join_cell(&mut self, owner: ObjectId, name: &str, value: FlowValue) {
        let joined = match self.read_cell(owner, name) {
            Some(known) => known.join(&value),
            None => value,
        };
        self.write_cell(owner, name, joined);
    }

    fn write_interned(&mut self, cell: ObjectCell, value: Option<FlowValue>) {
        let old = match value {
            Some(value) => {
                let fields = self.fields.entry(cell.0).or_default();
                if !fields.contains(&cell.1) {
                    fields.push(cell.1);
                }
                self.cells.insert(cell, value)
            }
            None => self.cells.remove(&cell),
        };
        if let Some(journal) = self.journals.last_mut() {
            journal.entry(cell).or_insert(old);
        }
    }

    /// The values of all cells of an object.
    pub fn fields_of(&self, object: ObjectId) -> impl Iterator<Item = &FlowValue> {
        let names = self.fields.get(&object).map_or(&[][..], Vec::as_slice);
        names.iter().filter_map(move |&name| self.cells.get(&(object, name)))
    }

    /// What an object has under a name.
    pub fn field_value(&self, object: ObjectId, name: &str) -> Option<&FlowValue> {
        self.cells.get(&(object, *self.names.get(name)?))
    }

    /// All objects that can be reached from a value: parts of modules, items of containers, what a library object was given.
    pub fn reachable_objects(&self, value: &FlowValue) -> Vec<ObjectId> {
        let mut found: Vec<ObjectId> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = value.objects.clone();
        while let Some(object) = todo.pop() {
            if !seen.insert(object) {
                continue;
            }
            found.push(object);
            match &self.objects[object as usize] {
                AbstractObject::Made { given, .. } | AbstractObject::Optimizer { given, .. } => {
                    todo.extend(&given.objects);
                }
                AbstractObject::Wrapped { inner, .. } => todo.extend(&inner.objects),
                AbstractObject::Method { receiver, .. } => todo.extend(&receiver.objects),
                AbstractObject::Parameters { module } => todo.push(*module),
                AbstractObject::Function { .. }
                | AbstractObject::Lambda { .. }
                | AbstractObject::Class { .. }
                | AbstractObject::Library(_)
                | AbstractObject::Gradients { .. }
                | AbstractObject::Frame => continue,
                AbstractObject::Instance { .. } | AbstractObject::Items { .. } => {}
            }
            for field in self.fields_of(object) {
                todo.extend(&field.objects);
            }
        }
        found.sort_unstable();
        found
    }
}
