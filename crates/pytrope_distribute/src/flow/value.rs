//! Abstract values and the objects that they stand for.

use std::rc::Rc;

use super::batches::BatchAxis;
use crate::trace::{Def, ExprPlace};

pub type ObjectId = u32;
pub type PassId = u32;

#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    None,
    Bool(bool),
    Int(i64),
    Str(Rc<str>),
}

/// What a name may stand for. The default is some number, text or tensor of no interest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowValue {
    /// The objects that it may be, in order.
    pub objects: Vec<ObjectId>,
    /// The calls of modules whose graph it belongs to, in order.
    pub passes: Vec<PassId>,
    /// Where it was lost, if it may be something that is not known.
    pub unknown: Option<ExprPlace>,
    /// Exactly this.
    pub constant: Option<Constant>,
    /// It may differ between ranks.
    pub varies: bool,
    /// Since where it is a matter of this rank's samples or of the number of ranks, and not the value of one process.
    pub part: Option<ExprPlace>,
    /// Its length may differ between ranks.
    pub uneven: bool,
    /// It comes from a random number generator.
    pub random: bool,
    /// It may also be `None`.
    pub optional: bool,
    pub batch: BatchAxis,
    /// Where it was made to depend on a whole batch, otherwise than by a mean or a sum.
    pub mixed: Option<ExprPlace>,
    /// Where it is no longer known to be a mean, a sum or rows of samples.
    pub blurred: Option<ExprPlace>,
}

impl FlowValue {
    pub fn constant(constant: Constant) -> Self {
        Self { constant: Some(constant), ..Self::default() }
    }

    pub fn text(text: &str) -> Self {
        Self::constant(Constant::Str(Rc::from(text)))
    }

    pub fn lost_at(at: ExprPlace) -> Self {
        Self { unknown: Some(at), ..Self::default() }
    }

    pub fn join(&self, other: &Self) -> Self {
        let mut joined = self.clone();
        joined.add(other);
        if self.batch != other.batch {
            // A sum begins at a number that no sample has entered.
            joined.batch = match (self.part, other.part) {
                (Some(_), None) => self.batch,
                (None, Some(_)) => other.batch,
                _ => self.batch.join(other.batch),
            };
        }
        if self.constant != other.constant {
            joined.constant = None;
            joined.optional |= self.constant == Some(Constant::None) || other.constant == Some(Constant::None);
        }
        joined
    }

    /// Take over everything that another value may bring in; constants are given up.
    pub fn add(&mut self, other: &Self) {
        merge_sorted(&mut self.objects, &other.objects);
        merge_sorted(&mut self.passes, &other.passes);
        self.unknown = self.unknown.or(other.unknown);
        self.varies |= other.varies;
        self.part = self.part.or(other.part);
        self.uneven |= other.uneven;
        self.random |= other.random;
        self.optional |= other.optional;
        self.mixed = self.mixed.or(other.mixed);
        self.blurred = self.blurred.or(other.blurred);
    }

    /// It may be of other samples on each rank: the ranks' means and sums are not those of one process.
    pub(super) fn forget_reduction(&mut self) {
        if self.batch.is_reduced() || matches!(self.batch, BatchAxis::Quotient | BatchAxis::Count) {
            self.batch = BatchAxis::Unknown;
        }
    }

    /// What a computation gives: a tensor or number that belongs to the same graphs, and no object.
    pub fn as_computed(&self) -> Self {
        Self { objects: Vec::new(), constant: None, uneven: false, batch: BatchAxis::Unknown, ..self.clone() }
    }

    /// The same number without its graph.
    pub fn without_graph(&self) -> Self {
        Self { passes: Vec::new(), mixed: None, ..self.as_computed() }
    }

    pub fn known_truth(&self) -> Option<bool> {
        match &self.constant {
            Some(Constant::None) => Some(false),
            Some(Constant::Bool(b)) => Some(*b),
            Some(Constant::Int(i)) => Some(*i != 0),
            Some(Constant::Str(s)) => Some(!s.is_empty()),
            None => None,
        }
    }

    pub fn as_text(&self) -> Option<Rc<str>> {
        match &self.constant {
            Some(Constant::Str(text)) => Some(text.clone()),
            _ => None,
        }
    }
}

fn merge_sorted(into: &mut Vec<u32>, from: &[u32]) {
    if from.is_empty() {
        return;
    }
    into.extend_from_slice(from);
    into.sort_unstable();
    into.dedup();
}

#[derive(Clone, Debug)]
pub enum AbstractObject {
    /// Owner of the cells of a frame.
    Frame,
    Function {
        def: Def,
        frame: usize,
        receiver: Option<ObjectId>,
    },
    Lambda {
        at: ExprPlace,
        frame: usize,
    },
    Class {
        def: Def,
    },
    Instance {
        class: Def,
    },
    /// A name of a library, or a module.
    Library(String),
    /// What a call of a library gave, with all that it was given; a part of a module whose class is not known.
    Made {
        api: String,
        by: ExprPlace,
        given: FlowValue,
    },
    /// A method of an object that is no function of the project.
    Method {
        receiver: FlowValue,
        name: String,
    },
    /// A list, tuple, dictionary or set; `count` while its items are known one by one.
    Items {
        count: Option<usize>,
    },
    Parameters {
        module: ObjectId,
    },
    /// What a tape gives: averaged over the ranks or not, of a loss that differs between ranks or not.
    Gradients {
        reduced: bool,
        varies: bool,
        by: ExprPlace,
    },
    /// DistributedDataParallel.
    Wrapped {
        inner: FlowValue,
        by: ExprPlace,
    },
    Optimizer {
        given: FlowValue,
        by: ExprPlace,
    },
}
