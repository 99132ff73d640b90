//! What an operation may do beside giving its value: raise, leave the path, run code of the program.
//!
//! ```python
//! for row in rows:
//!     total += row[key]     # may raise if `key` is not known to be there: what follows need not come
//!     check(total)
//! ```
//!
//! There is one question and one place that answers it: [`Interp::perform`] evaluates an [`Operation`] where it stands,
//! finds its [`Effect`] from what it works on, and tells those who depend on it:
//!
//! - the deferral of findings (`interp/deferred.rs`): code after an operation that may end the path is not certain to run;
//! - the handlers around (`interp/raising.rs`): a `try` may be entered with the state at this point;
//! - an observer: code may be removed only if it is proved not to raise;
//! - summaries of calls: a call that did anything beside giving a value is run each time.
//!
//! What functions of Python itself do is declared in one table, `effects/library.rs`; what the text of a suite shows
//! without running it, in `effects/text.rs`.

pub mod library;
mod operands;
mod text;

pub(crate) use text::{
    binds_in_dead_code, changes_nothing, may_catch, may_raise_in, may_return_true, returns_kept_instance,
    returns_new_class,
};

use pytrope_dims::{Cmp, Dim, ThreeValued};
use pytrope_source::TextRange;
use pytrope_source::tree::{BinaryOperator, Comparison};

use crate::cond::Cond;
use crate::interp::{Flow, Interp};
use crate::native::CallArgs;
use crate::value::{Addr, Seq, Value};

/// An operation of the analysed code, with what it works on.
#[derive(Clone, Copy)]
pub(crate) enum Operation<'a> {
    /// An attribute is read.
    Attribute {
        object: &'a Value,
    },
    /// An attribute is stored.
    StoreAttribute {
        object: &'a Value,
    },
    /// An item is taken, stored or deleted.
    Item {
        object: &'a Value,
        index: &'a Value,
    },
    Binary {
        op: BinaryOperator,
        left: &'a Value,
        right: &'a Value,
    },
    Compare {
        op: Comparison,
        left: &'a Value,
        right: &'a Value,
    },
    /// The truth of a value is asked for, or its sign changed.
    Operand {
        value: &'a Value,
    },
    /// A value is iterated over by a loop or a comprehension.
    Iterate {
        value: &'a Value,
    },
    /// A value is unpacked or spread.
    Unpack {
        value: &'a Value,
    },
    Call {
        callee: &'a Value,
        args: &'a CallArgs,
    },
}

/// What an operation may do beside giving its value. The two answers differ: an operation that is decided, like `d['a']` of a
/// known dictionary, has not raised if it comes back, but nothing proves that it cannot.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Effect {
    /// It may end, leave or divert the path: what comes after it is not certain to come.
    pub ends_path: bool,
    /// It may do so only because nothing is known of it.
    pub is_of_unknown: bool,
    /// It is not proved that it cannot raise.
    pub is_unproved: bool,
    /// What it raises is taken by the handlers around, in the state at this point.
    pub enters_handlers: bool,
}

impl Effect {
    pub const NONE: Self = Self { ends_path: false, is_of_unknown: false, is_unproved: false, enters_handlers: false };
    /// Something may be raised that is not an outcome of its own.
    pub const ENDS_PATH: Self = Self { ends_path: true, ..Self::NONE };
    /// An exception is on its way to those who take it.
    pub const RAISES: Self = Self { is_unproved: true, ..Self::NONE };
    /// Something unknown may be raised at any point of what runs. Handlers look at states between statements: what an operation has
    /// changed half-way is in the state after it, which is joined too.
    pub const ENTERS_HANDLERS: Self = Self { is_unproved: true, enters_handlers: true, ..Self::NONE };
}

/// When an effect shows. Before an operation runs its operands show what it may do; a division that has come back has learned
/// that its divisor is not zero. After it the result does: a finding that the operation makes itself comes first.
#[derive(Clone, Copy)]
enum Moment {
    Before,
    After { gives_unknown: bool },
}

/// Who wants to know what operations may do.
#[derive(Clone, Copy)]
struct Listeners {
    deferral: bool,
    observer: bool,
}

impl Listeners {
    fn effect(self, ends_path: impl FnOnce() -> bool, is_unproved: impl FnOnce() -> bool) -> Effect {
        Effect { ends_path: self.deferral && ends_path(), is_unproved: self.observer && is_unproved(), ..Effect::NONE }
    }
}

/// What has happened in a run beside values and changes of the heap.
#[derive(Clone, Default)]
pub(crate) struct EffectLog {
    /// How often something was raised, may have been raised, or was reported.
    count: u64,
    /// How often something might have ended the path that did not show as an exception.
    hazards: u64,
    /// The classes of requirements that the library call going on has left open.
    open_requirements: Vec<Option<Addr>>,
}

impl EffectLog {
    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn hazards(&self) -> u64 {
        self.hazards
    }

    /// A finding was made, or held back.
    pub fn record_report(&mut self) {
        self.count += 1;
        self.hazards += 1;
    }

    /// Whether an exception of another class may come before one of this class.
    pub fn may_raise_other_than(&self, class: Option<Addr>) -> bool {
        self.open_requirements.iter().any(|open| *open != class)
    }

    /// A call of a library begins, or is over.
    pub fn replace_open_requirements(&mut self, with: Vec<Option<Addr>>) -> Vec<Option<Addr>> {
        std::mem::replace(&mut self.open_requirements, with)
    }
}

/// What comes of an operation.
pub(crate) trait Outcome {
    /// Whether the operation gave a value of which nothing is known.
    fn is_unknown_value(&self) -> bool {
        false
    }
}

impl Outcome for Value {
    fn is_unknown_value(&self) -> bool {
        self.is_unknown()
    }
}

impl Outcome for () {}
impl Outcome for ThreeValued<Cond> {}
impl Outcome for Option<Seq> {}

impl Interp<'_> {
    /// Evaluates an operation of the code that runs: sets its place, and tells those who depend on what it may do.
    pub(crate) fn perform<T: Outcome>(
        &mut self,
        place: TextRange,
        operation: Operation<'_>,
        evaluate: impl FnOnce(&mut Self) -> Flow<T>,
    ) -> Flow<T> {
        self.frame_mut().node = place;
        self.record_operation(operation, Moment::Before);
        let result = evaluate(self)?;
        self.record_operation(operation, Moment::After { gives_unknown: result.is_unknown_value() });
        Ok(result)
    }

    /// As [`Interp::perform`], where the place is that of the part that was evaluated last.
    pub(crate) fn perform_here<T: Outcome>(
        &mut self,
        operation: Operation<'_>,
        evaluate: impl FnOnce(&mut Self) -> Flow<T>,
    ) -> Flow<T> {
        self.perform(self.current_frame().node, operation, evaluate)
    }

    /// As [`Interp::perform`], for a call, which owns what it is given.
    pub(crate) fn perform_call(&mut self, place: TextRange, callee: &Value, args: CallArgs) -> Flow {
        self.frame_mut().node = place;
        self.record_operation(Operation::Call { callee, args: &args }, Moment::Before);
        self.call_value(callee, args)
    }

    #[inline]
    fn record_operation(&mut self, operation: Operation<'_>, moment: Moment) {
        if let Some(listeners) = self.listeners() {
            self.tell_listeners(operation, moment, listeners);
        }
    }

    fn tell_listeners(&mut self, operation: Operation<'_>, moment: Moment, listeners: Listeners) {
        let is_of_unknown = match operation {
            Operation::Attribute { .. } | Operation::StoreAttribute { .. } => true,
            Operation::Call { callee, .. } => callee.is_unknown(),
            _ => false,
        };
        let effect = self.effect_of(operation, moment, listeners);
        self.record_effect(Effect { is_of_unknown, ..effect });
    }

    /// Who listens to the code that runs; models say themselves what may go wrong in them.
    #[inline]
    fn listeners(&self) -> Option<Listeners> {
        let deferral = self.is_tracking() || self.follows_whole_tries();
        let observer = self.report.is_observed() && !self.in_model();
        (deferral || observer).then_some(Listeners { deferral, observer })
    }

    /// What an operation may do, as far as it shows at this moment and a listener exists.
    fn effect_of(&self, operation: Operation<'_>, moment: Moment, listeners: Listeners) -> Effect {
        let has_unknown = |value: &Value| value.alternatives().iter().any(Value::is_unknown);
        let Moment::After { gives_unknown } = moment else {
            return match operation {
                Operation::Attribute { .. } | Operation::Compare { op: Comparison::Is | Comparison::IsNot, .. } => {
                    Effect::NONE
                }
                Operation::StoreAttribute { object: value } | Operation::Operand { value } => {
                    listeners.effect(|| value.is_unknown(), || has_unknown(value))
                }
                Operation::Item { object, index } => {
                    listeners.effect(|| !self.is_item_decided(object, index), || !self.is_item_proved(object, index))
                }
                Operation::Binary { op, left, right } => listeners.effect(
                    || false,
                    || has_unknown(left) || has_unknown(right) || divides(op, right) && self.may_be_zero(right),
                ),
                Operation::Compare { left, right, .. } => listeners
                    .effect(|| left.is_unknown() || right.is_unknown(), || has_unknown(left) || has_unknown(right)),
                Operation::Iterate { value } => listeners.effect(|| value.is_unknown(), || false),
                Operation::Unpack { value } => listeners.effect(|| !self.is_plain(value), || false),
                // What is called tells by itself what it requires and where nothing is known of it.
                Operation::Call { callee, args } => listeners.effect(|| self.may_refuse_call(callee, args), || false),
            };
        };
        match operation {
            Operation::Attribute { object } => {
                listeners.effect(|| object.is_unknown() || gives_unknown, || gives_unknown || has_unknown(object))
            }
            Operation::Binary { op, left, right } => listeners.effect(
                || left.is_unknown() || right.is_unknown() || gives_unknown || self.may_refuse(op, left, right),
                || false,
            ),
            Operation::StoreAttribute { .. }
            | Operation::Item { .. }
            | Operation::Compare { .. }
            | Operation::Operand { .. }
            | Operation::Iterate { .. }
            | Operation::Unpack { .. }
            | Operation::Call { .. } => Effect::NONE,
        }
    }

    /// Tells those who depend on it that something may be raised at this point.
    pub(crate) fn record_effect(&mut self, effect: Effect) {
        if !(effect.ends_path || effect.is_unproved || effect.enters_handlers) {
            return;
        }
        self.run.effects.count += 1;
        self.run.effects.hazards += u64::from(effect.ends_path);
        if effect.is_unproved {
            self.tell_may_raise();
        }
        if effect.ends_path && !(effect.is_of_unknown && self.goes_on_behind_unknown()) {
            self.run.deferred.record_hazard();
        }
        if effect.enters_handlers {
            self.join_into_handlers();
        }
    }

    /// Whether a `try` is entered by its handlers only where its body was seen to raise or might have. In a closed world with an
    /// observer every operation outside models says what it may do; elsewhere more may go wrong than the text shows.
    #[inline]
    pub(crate) fn follows_whole_tries(&self) -> bool {
        self.analysis.program.closed_world && self.report.is_observed() && !self.in_model()
    }

    /// Something may end, leave or divert the path here.
    pub fn record_may_raise(&mut self) {
        self.record_effect(Effect::ENDS_PATH);
    }

    /// Something of which nothing is known runs here, and may raise anything.
    pub(crate) fn record_unknown_code(&mut self) {
        self.record_effect(Effect { is_of_unknown: true, ..Effect::ENDS_PATH });
    }

    /// A name is used that is bound on some paths only.
    pub(crate) fn record_perhaps_unbound(&mut self) {
        let is_unproved = !self.in_model();
        self.record_effect(Effect { is_unproved, ..Effect::ENDS_PATH });
    }

    /// A requirement of a library is open: an exception of this class may come first.
    pub fn leave_requirement_open(&mut self, class: Option<Addr>) {
        self.record_may_raise();
        self.run.effects.open_requirements.push(class);
    }

    /// Tells the observer that the current operation of the program may raise.
    fn tell_may_raise(&mut self) {
        if !self.report.is_observed() {
            return;
        }
        let span = self.user_span();
        if let Some(observer) = &mut self.report.observer {
            observer.on_may_raise(&span);
        }
    }

    /// Whether a divisor may be zero.
    fn may_be_zero(&self, value: &Value) -> bool {
        match value {
            Value::Int(value) => *value == 0,
            Value::Float(value) => *value == 0.0,
            Value::Dim(dim) => self.run.state.store.compare(dim, Cmp::Ne, &Dim::ZERO) != ThreeValued::True,
            // Arrays do not raise for it.
            Value::Obj(_) => false,
            _ => true,
        }
    }
}

/// Whether an operator refuses zero, or negative numbers, on its right.
fn divides(op: BinaryOperator, right: &Value) -> bool {
    match op {
        BinaryOperator::FloorDiv | BinaryOperator::Mod | BinaryOperator::Div => true,
        BinaryOperator::Pow | BinaryOperator::LShift | BinaryOperator::RShift => {
            !matches!(right, Value::Int(value) if *value >= 0)
        }
        BinaryOperator::Add
        | BinaryOperator::Sub
        | BinaryOperator::Mult
        | BinaryOperator::MatMult
        | BinaryOperator::BitOr
        | BinaryOperator::BitXor
        | BinaryOperator::BitAnd => false,
    }
}
