//! What a client may be told while code runs, beside findings.

use std::sync::Arc;

use pytrope_dims::ThreeValued;
use pytrope_source::{Span, TextRange};

use crate::code::Code;
use crate::cond::Cond;
use crate::names::Name;
use crate::value::Reason;

/// A client that wants to see more than findings; every method may be ignored.
pub trait Observer {
    /// A requirement of a library was met: proved, refuted or open.
    fn on_require(&mut self, _event: &RequireEvent<'_>) {}
    /// A condition of the program was evaluated.
    fn on_branch(&mut self, _event: &BranchEvent<'_>) {}
    /// The program calls a function of its own or of a model.
    fn on_call(&mut self, _event: &CallEvent<'_>) {}
    /// An operation of the program may raise.
    fn on_may_raise(&mut self, _span: &Span) {}
    /// Precision was lost.
    fn on_unknown(&mut self, _span: &Span, _reason: &str) {}
    /// A modelled operation whose result is not known, and why.
    fn on_lost(&mut self, _span: &Span, _reason: &str) {}
    /// A model left a rule out since it knows nothing of a value, or may raise under a condition that is not decided.
    fn on_passed_over(&mut self, _span: &Span, _reason: &str) {}
    /// The analysed code asserts an open condition.
    fn on_assert(&mut self, _span: &Span, _condition: &Cond) {}
    /// The analysed code raises by itself, or an assertion fails.
    fn on_raise(&mut self, _span: &Span) {}
    /// Something was assumed that the program does not say.
    fn on_assumption(&mut self, _span: &Span, _what: &str) {}
    /// A name was bound, for showing shapes beside the source.
    fn on_bind(&mut self, _event: &BindEvent<'_>) {}
}

/// Two clients that are told the same.
pub struct ObserverPair<'w>(pub Box<dyn Observer + 'w>, pub Box<dyn Observer + 'w>);

impl Observer for ObserverPair<'_> {
    fn on_require(&mut self, event: &RequireEvent<'_>) {
        self.0.on_require(event);
        self.1.on_require(event);
    }

    fn on_branch(&mut self, event: &BranchEvent<'_>) {
        self.0.on_branch(event);
        self.1.on_branch(event);
    }

    fn on_call(&mut self, event: &CallEvent<'_>) {
        self.0.on_call(event);
        self.1.on_call(event);
    }

    fn on_may_raise(&mut self, span: &Span) {
        self.0.on_may_raise(span);
        self.1.on_may_raise(span);
    }

    fn on_unknown(&mut self, span: &Span, reason: &str) {
        self.0.on_unknown(span, reason);
        self.1.on_unknown(span, reason);
    }

    fn on_lost(&mut self, span: &Span, reason: &str) {
        self.0.on_lost(span, reason);
        self.1.on_lost(span, reason);
    }

    fn on_passed_over(&mut self, span: &Span, reason: &str) {
        self.0.on_passed_over(span, reason);
        self.1.on_passed_over(span, reason);
    }

    fn on_assert(&mut self, span: &Span, condition: &Cond) {
        self.0.on_assert(span, condition);
        self.1.on_assert(span, condition);
    }

    fn on_raise(&mut self, span: &Span) {
        self.0.on_raise(span);
        self.1.on_raise(span);
    }

    fn on_assumption(&mut self, span: &Span, what: &str) {
        self.0.on_assumption(span, what);
        self.1.on_assumption(span, what);
    }

    fn on_bind(&mut self, event: &BindEvent<'_>) {
        self.0.on_bind(event);
        self.1.on_bind(event);
    }
}

/// See [`Observer::on_bind`].
pub struct BindEvent<'a> {
    pub span: Span,
    /// The name, `self.x` for an attribute, `return` for what a function returns.
    pub name: &'a str,
    pub shown: &'a str,
    pub kind: BindingKind,
    /// Why nothing is known of the value.
    pub reason: Option<Reason>,
    /// How much is known of an array.
    pub array: Option<ArrayKnowledge>,
    /// The type of its elements, if that is known.
    pub element_type: Option<Arc<str>>,
    /// Where the array was made.
    pub origin: Option<Span>,
}

/// What a value is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BindingKind {
    Variable,
    Parameter,
    Attribute,
    Return,
}

/// How much is known of an array, from the least to the most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ArrayKnowledge {
    /// That it is an array.
    Class,
    /// Its rank.
    Rank,
    /// Every size, as a number or by name.
    Shape,
}

/// See [`Observer::on_require`].
pub struct RequireEvent<'a> {
    pub span: Span,
    pub condition: &'a Cond,
    pub rule: &'a str,
    pub verdict: ThreeValued,
    pub exception: &'a str,
    pub message: &'a str,
    /// No undecided branch lies between the start of the run and here.
    pub certain: bool,
}

/// See [`Observer::on_call`].
pub struct CallEvent<'a> {
    pub code: &'a Arc<Code>,
    /// Where the program calls it, or does what calls it.
    pub range: TextRange,
    pub name: Name,
    /// The class of its first argument.
    pub receiver: Option<&'a str>,
    pub is_model: bool,
}

/// See [`Observer::on_branch`].
pub struct BranchEvent<'a> {
    pub code: &'a Arc<Code>,
    pub test: pytrope_source::tree::ExprId,
    /// Names the evaluation: equal for equal call paths and iterations of loops.
    pub instance: u64,
    pub verdict: ThreeValued,
    /// An open condition in terms of sizes that have names, or what a decided test compared.
    pub shown: Option<String>,
}
