//! `--possible`: requirements that hold for some sizes and fail for others, reported with sizes that make them fail.

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_dims::{Atom, Cmp, Dim, FactReason, Relation, Sym, ThreeValued};
use rustc_hash::FxHashSet;

use crate::cond::Cond;
use crate::interp::{Catcher, Interp};
use crate::value::Addr;

/// Sizes that are named in one message.
const MOST_SIZES: usize = 4;
/// A requirement that no larger size meets is met by few.
const LARGE_SIZE: i128 = 1 << 20;

impl Interp<'_> {
    /// Whether open requirements are to be reported here: asked for, on a path that is certain to be taken, and not caught.
    pub fn reports_possible(&self, class: Option<Addr>) -> bool {
        (self.analysis.possible || !self.run.hints.promised.is_empty())
            && self.is_certain()
            && !self.run.catchers.iter().any(|catcher| match catcher {
                Catcher::Capture(_) => false,
                Catcher::Finally { swallows, .. } => *swallows,
                Catcher::Try { classes, .. } => classes.iter().any(|handled| self.may_catch(*handled, class)),
            })
    }

    /// Whether it matters that a requirement is left open.
    pub fn asks_what_may_fail(&self) -> bool {
        self.analysis.possible || self.report.is_observed() || !self.run.hints.promised.is_empty()
    }

    /// Reports a requirement that is neither proved nor refuted, if there are sizes that the code allows and for which it fails.
    /// The finding is the one that would be reported if it were refuted.
    pub fn report_possible(&mut self, condition: &Cond, refuted: Finding) {
        if self.breaks_promise(condition) {
            return self.report_broken_promise(condition, refuted);
        }
        if !self.analysis.possible {
            return;
        }
        let Some(failing) = condition.negated().formula() else { return };
        let mut free = FxHashSet::default();
        self.collect_free_sizes(condition, &mut free);
        // What cannot be said in the program's own names is of no use to it, and neither are two sizes of one name.
        let names: Option<FxHashSet<_>> = free.iter().map(|sym| self.run.symbols.given(*sym)).collect();
        if names.is_none_or(|names| names.len() < free.len()) || self.is_agreement(condition) {
            return;
        }
        // Empty arrays, and arrays with one item along every axis, are not what code is written for.
        let mut store = self.run.state.store.clone();
        for sym in &free {
            store.assume_compare(&Dim::symbol(*sym), Cmp::Ge, &Dim::constant(2), FactReason(0));
        }
        let Some(witness) = store.witness(&failing) else { return };
        let named = witness.iter().filter(|(sym, _)| self.run.symbols.given(**sym).is_some());
        let mut sizes: Vec<String> = named.map(|(sym, size)| self.show_sized(*sym, *size)).collect();
        sizes.truncate(MOST_SIZES);
        let sizes = sizes.join(", ");
        let message = match self.required_multiple(condition) {
            Some((number, divisor)) => {
                format!(
                    "fails when {number} is not a multiple of {divisor}, for instance with {sizes}: {}",
                    refuted.message
                )
            }
            None => format!("may fail, for instance with {sizes}: {}", refuted.message),
        };
        let mut finding = self.new_finding("possible-mismatch", message);
        finding.raises = refuted.raises;
        finding.related = refuted.related;
        finding.help = refuted.help;
        self.report_finding(finding);
    }

    /// Whether a requirement only says that an array has the size that a constructor was told: both come from who makes the layer.
    ///
    /// ```python
    /// self.up = nn.Linear(dim, 4)
    /// self.up(x)                     # the last size of `x` is `dim`
    /// ```
    fn is_agreement(&self, required: &Cond) -> bool {
        let Cond::Atom(constraint) = required else { return false };
        let difference = self.run.state.store.simplify(&constraint.dim);
        let [(one, first), (other, second)] = difference.terms() else { return false };
        let (Some(one), Some(other)) = (one.as_symbol(), other.as_symbol()) else { return false };
        constraint.relation == Relation::Zero
            && difference.constant_term() == 0
            && first + second == 0
            && one.is_natural() != other.is_natural()
    }

    /// A number that must be a multiple of another, as it is shown, where that is what a requirement comes to.
    fn required_multiple(&self, required: &Cond) -> Option<(String, String)> {
        match required {
            Cond::Opaque => None,
            Cond::All(parts) | Cond::Any(parts) => parts.iter().find_map(|part| self.required_multiple(part)),
            Cond::Atom(constraint) => {
                let difference = self.run.state.store.simplify(&constraint.dim);
                let factors = difference.terms().iter().flat_map(|(monomial, _)| monomial.factors());
                factors.filter(|_| constraint.relation == Relation::Zero).find_map(|(atom, _)| {
                    let Atom::Floor(parts) = atom else { return None };
                    let (number, divisor) = &**parts;
                    let rest = number.modulo(divisor)?;
                    difference.exact_quotient(&rest)?;
                    Some((self.run.symbols.show(number), self.run.symbols.show(divisor)))
                })
            }
        }
    }

    /// Whether something that is required relates sizes that the function's signature names apart:
    /// `def f(x: Float[Tensor, "a b"])` promises to work for all `a` and `b`, and `x @ x` needs them to be equal.
    pub(crate) fn breaks_promise(&self, required: &Cond) -> bool {
        fn is_relation(cond: &Cond) -> bool {
            match cond {
                Cond::Opaque => false,
                Cond::Atom(constraint) => constraint.relation == Relation::Zero,
                Cond::All(parts) | Cond::Any(parts) => parts.iter().all(is_relation),
            }
        }
        if self.run.hints.promised.is_empty() || !is_relation(required) {
            return false;
        }
        let mut symbols = FxHashSet::default();
        self.collect_free_sizes(required, &mut symbols);
        symbols.len() > 1 && symbols.is_subset(&self.run.hints.promised)
    }

    /// Whether something that is required holds for few sizes of one promised name: `-> Float[Tensor, "n 4"]` of an array
    /// of shape (n, m). What holds for many of them, as a size that is divided by two does, is no broken promise.
    pub(crate) fn pins_promised_size(&self, required: &Cond) -> bool {
        let mut symbols = FxHashSet::default();
        self.collect_free_sizes(required, &mut symbols);
        if symbols.len() != 1 || !symbols.is_subset(&self.run.hints.promised) {
            return false;
        }
        let Some(formula) = required.formula() else { return false };
        let mut large = self.run.state.store.clone();
        for sym in symbols {
            large.assume_compare(&Dim::symbol(sym), Cmp::Gt, &Dim::constant(LARGE_SIZE), FactReason(0));
        }
        large.decide_formula(&formula) == ThreeValued::False
    }

    /// The sizes that a condition is about, but for those that are known by now.
    fn collect_free_sizes(&self, cond: &Cond, found: &mut FxHashSet<Sym>) {
        match cond {
            Cond::Opaque => {}
            Cond::Atom(constraint) => found.extend(self.run.state.store.simplify(&constraint.dim).symbols()),
            Cond::All(parts) | Cond::Any(parts) => {
                for part in parts {
                    self.collect_free_sizes(part, found);
                }
            }
        }
    }

    /// Reports that the function does not work for all sizes that its signature names, with sizes for which it fails.
    pub(crate) fn report_broken_promise(&mut self, required: &Cond, mut refuted: Finding) {
        let Some(failing) = required.negated().formula() else { return };
        let Some(witness) = self.run.state.store.witness(&failing) else { return };
        let mut sizes: Vec<String> = witness.iter().map(|(sym, size)| self.show_sized(*sym, *size)).collect();
        sizes.sort();
        sizes.truncate(MOST_SIZES);
        refuted.rule = rule_by_id("hint-mismatch");
        refuted.raises = Some("ShapeMismatch".to_owned());
        refuted.message =
            format!("not for all sizes in the signature, for instance {}: {}", sizes.join(", "), refuted.message);
        // What another function was given is up to the one whose signature promises it.
        let called = self.run.frames.iter().skip(2).any(|frame| !frame.code.is_model);
        if let Some(promising) = self.run.frames.get(1).filter(|_| called && self.analysis.uncalled_entry) {
            let fails_at = std::mem::replace(&mut refuted.primary, promising.code.span_of(promising.node));
            refuted = refuted.related(fails_at, "fails here");
        }
        self.report_by_first_visit(refuted);
    }

    fn show_sized(&self, sym: Sym, size: i128) -> String {
        format!("{} = {size}", self.run.symbols.given(sym).as_deref().unwrap_or("?"))
    }
}
