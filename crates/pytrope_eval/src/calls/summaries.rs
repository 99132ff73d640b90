//! Summaries: what came of a call is remembered, and a call that is given the same is not run again.
//!
//! A call is remembered only if nothing but its result came of it: no older object was changed, nothing was learnt about
//! sizes, nothing raised, reported or left open. For a model's function, what is then done in its place is, step for step
//! of fuel and address for address, what running it would have done: results do not depend on what was remembered or by
//! whom, and the summaries of a run are shared by all its threads. Those of the program's own functions belong to one
//! interpreter, and charge the fuel that was used when they were made.

mod describe;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use pytrope_dims::{Dim, Sym};

use self::describe::{Description, numbered_symbol};
use crate::call_summaries::{CallSummary, Made, SummarySteps};
use crate::interp::{Flow, Fuel, Interp};
use crate::native::CallArgs;
use crate::object::{AllocSpan, Function, Object};
use crate::program::dependencies::{answers_used, record_answers};
use crate::renaming::Renaming;
use crate::state::State;
use crate::symbols;
use crate::value::{Addr, Reason, Value};

/// How many values a result may have in it.
const LARGEST: usize = 2_000;

/// How many frames may stand on the stack where limits of depth cannot matter yet.
const DEEPEST: usize = 30;

/// The module number that stands for objects the call is given, and the one for objects it makes.
const GIVEN: u32 = u32::MAX;
const MADE: u32 = u32::MAX - 1;

/// The number of the first symbol that the call makes.
const NEW_SYMBOLS: usize = 1 << 20;

/// How many calls of a function are described though none was known; what is known renews hope.
const HOPES: u32 = 4;

/// How things stood before a call that may be remembered.
struct Before {
    state: State,
    effects: u64,
    fuel: Fuel,
    next_addr: u32,
    symbols: u32,
    frames: usize,
    deepest: usize,
}

impl Before {
    fn is_new(&self, module: u32, addr: Addr) -> bool {
        addr.module() == module && addr.number() >= self.next_addr && !addr.is_summary()
    }
}

impl Interp<'_> {
    /// Calls a model's function for the program, or does what is known to come of it.
    pub(super) fn call_summarised(
        &mut self,
        function: Addr,
        args: &CallArgs,
        run: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        if self.in_model() || !self.analysis.program.is_model(function.module()) || !self.may_summarise() {
            return run(self);
        }
        let Some(given) = self.describe_call(function, args) else { return run(self) };
        if let Some(summary) = self.analysis.program.summaries.get(&given.tokens) {
            record_answers(&summary.answers);
            return match self.apply_summary(&summary, &given) {
                Some(value) => Ok(value),
                None => run(self),
            };
        }
        let before = self.snapshot_before_call();
        let (result, answers) = answers_used(|| run(self));
        let steps = self.run.fuel.model_steps_since(&before.fuel).map(SummarySteps::OfModel);
        let summary = match (&result, steps) {
            (Ok(value), Some(steps)) => self.summarise_call(&before, &given, value, steps),
            _ => None,
        };
        self.run.deepest = self.run.deepest.max(before.deepest);
        if let Some(mut summary) = summary {
            summary.answers = answers;
            self.analysis.program.summaries.insert(given.tokens, summary);
        }
        result
    }

    /// Calls a function of the program, or does what is known to come of it.
    pub(super) fn call_own_summarised(&mut self, addr: Addr, function: &Arc<Function>, args: &CallArgs) -> Flow {
        let info = function.code.scope_info(function.id);
        // In uncalled functions, little is called twice with the same.
        let runs_once = self.analysis.uncalled_entry || info.is_generator || info.is_async || self.in_model();
        if runs_once || !self.may_summarise() {
            return self.call_function(addr, function, args);
        }
        let key = (function.code.module, function.id);
        let miss_budget = self.run.own_calls.miss_budget.entry(key).or_insert(HOPES);
        if *miss_budget == 0 {
            return self.call_function(addr, function, args);
        }
        *miss_budget -= 1;
        let Some(given) = self.describe_call(addr, args) else { return self.call_function(addr, function, args) };
        if let Some(summary) = self.run.own_calls.known.get(&*given.tokens).cloned() {
            if let Some(value) = self.apply_summary(&summary, &given) {
                self.run.own_calls.miss_budget.insert(key, HOPES);
                return Ok(value);
            }
            return self.call_function(addr, function, args);
        }
        let named: Vec<_> = given.symbols.iter().map(|sym| self.run.symbols.given(*sym)).collect();
        let since = self.log_visits();
        let before = self.snapshot_before_call();
        let result = self.call_function(addr, function, args);
        let fuel = self.run.fuel.spent_since(&before.fuel);
        let steps = self.run.fuel.steps_since(&before.fuel).map(|count| SummarySteps::OfProgram { count, fuel });
        let summary = match (&result, steps) {
            (Ok(value), Some(steps)) => self.summarise_call(&before, &given, value, steps),
            _ => None,
        };
        self.run.deepest = self.run.deepest.max(before.deepest);
        let met = self.logged_visits(since);
        let renames = given.symbols.iter().zip(&named).any(|(sym, name)| self.run.symbols.given(*sym) != *name);
        if let Some(mut summary) = summary.filter(|_| !renames) {
            summary.met = met;
            self.run.own_calls.known.insert(given.tokens.into_boxed_slice(), Arc::new(summary));
        }
        result
    }

    fn snapshot_before_call(&mut self) -> Before {
        Before {
            state: self.run.state.clone(),
            effects: self.run.effects.count(),
            fuel: self.run.fuel,
            next_addr: self.run.addresses.next,
            symbols: symbols::next_symbol_number(),
            frames: self.run.frames.len(),
            deepest: std::mem::replace(&mut self.run.deepest, self.run.frames.len()),
        }
    }

    /// Whether the outcome of a call from here depends on what it is given alone.
    fn may_summarise(&self) -> bool {
        self.analysis.program.summarises
            && !self.report.is_observed()
            // While a loop is widened, objects have the addresses of the places that make them.
            && self.run.sites.depth == 0
            && self.run.frames.iter().all(|frame| !frame.code.is_model)
            && !self.run.state.store.is_contradictory()
            && self.run.state.settings.are_default()
            && !self.has_changed_models()
    }

    /// Whether the program has changed something of a model: a global, a class.
    fn has_changed_models(&self) -> bool {
        let own = Addr::new(self.analysis.module, 0).0..Addr::new(self.analysis.module + 1, 0).0;
        self.run.state.heap.any_outside(&own, &mut |key| self.analysis.program.is_model(Addr(key).module()))
    }

    /// What is to be remembered of a call that has come back, if nothing but its result came of it.
    fn summarise_call(
        &self,
        before: &Before,
        given: &Description,
        value: &Value,
        steps: SummarySteps,
    ) -> Option<CallSummary> {
        let is_quiet = !self.is_exhausted()
            && self.run.effects.count() == before.effects
            && self.run.state.certain_raises == before.state.certain_raises
            && self.run.state.store.identity() == before.state.store.identity()
            && self.run.state.refined == before.state.refined
            && self.run.state.settings == before.state.settings
            && !self.run.state.changes_since(&before.state);
        if !is_quiet {
            return None;
        }
        let mut reached = NewObjects { interp: self, before, objects: Vec::new(), symbols: Vec::new(), values: 0 };
        reached.rename_value(value)?;
        let mut at = 0;
        while at < reached.objects.len() {
            reached.rename_object(self.run.state.get(reached.objects[at])?)?;
            at += 1;
        }
        let NewObjects { objects, mut symbols, .. } = reached;
        symbols.sort_by_key(|sym| sym.number());
        let mut general = General { interp: self, before, given, symbols: &symbols };
        let born = AllocSpan(self.user_span());
        let mut made = Vec::with_capacity(objects.len());
        for addr in objects {
            let mut object = general.rename_object(self.run.state.get(addr)?)?;
            let mut is_born_here = false;
            if let Object::Array(array) = &mut object
                && !given.is_own
            {
                // What the program's own functions make is born in them; what models make, where the program calls them.
                is_born_here = match Arc::make_mut(array).born.take() {
                    Some(AllocSpan(span)) if span == born.0 => true,
                    Some(_) => return None,
                    None => false,
                };
            }
            made.push(Made { number: addr.number() - before.next_addr, object, is_born_here });
        }
        let value = general.rename_value(value)?;
        Some(CallSummary {
            value,
            made,
            allocated: self.run.addresses.next - before.next_addr,
            symbols: symbols.iter().map(|sym| (*sym, self.run.symbols.given(*sym))).collect(),
            steps,
            met: Vec::new(),
            depth: self.run.deepest - before.frames,
            last_call_unknown: self.run.last_call_unknown,
            answers: Vec::new(),
            _facts: given.facts.clone(),
        })
    }

    /// Does what a call is known to do; `None` where running it would meet a limit.
    fn apply_summary(&mut self, summary: &CallSummary, given: &Description) -> Option<Value> {
        let cost = match summary.steps {
            SummarySteps::OfModel(steps) => self.run.fuel.cost_of_model_steps(steps),
            SummarySteps::OfProgram { fuel, .. } => fuel,
        };
        if self.run.fuel.left() <= cost || self.run.frames.len() + summary.depth > DEEPEST {
            return None;
        }
        let symbols: Vec<Sym> = summary.symbols.iter().map(|(sym, _)| symbols::symbol_like(*sym)).collect();
        let first = Addr::new(self.analysis.module, self.run.addresses.next);
        let mut special = Special { given, first, symbols: &symbols };
        let value = special.rename_value(&summary.value)?;
        let objects: Option<Vec<Object>> =
            summary.made.iter().map(|made| special.rename_object(&made.object)).collect();
        let objects = objects?;
        for (made, mut object) in summary.made.iter().zip(objects) {
            if made.is_born_here
                && let Object::Array(array) = &mut object
            {
                Arc::make_mut(array).born = Some(AllocSpan(self.user_span()));
            }
            self.run.state.set(Addr(first.0 + u64::from(made.number)), object);
        }
        for (sym, (_, name)) in symbols.iter().zip(&summary.symbols) {
            if let Some(name) = name {
                self.run.symbols.set(*sym, name);
            }
        }
        self.record_made(first, summary.allocated);
        self.run.addresses.next += summary.allocated;
        match summary.steps {
            SummarySteps::OfModel(steps) => self.run.fuel.charge_model_steps(steps),
            SummarySteps::OfProgram { count, fuel } => self.run.fuel.charge_steps(count, fuel),
        }
        self.run.deepest = self.run.deepest.max(self.run.frames.len() + summary.depth);
        self.run.last_call_unknown = summary.last_call_unknown;
        self.visit_again(&summary.met);
        self.analysis.program.summaries.used.fetch_add(1, Ordering::Relaxed);
        Some(value)
    }
}

/// Collects what is new.
struct NewObjects<'a, 'w> {
    interp: &'a Interp<'w>,
    before: &'a Before,
    objects: Vec<Addr>,
    symbols: Vec<Sym>,
    values: usize,
}

impl Renaming for NewObjects<'_, '_> {
    fn rename_addr(&mut self, addr: Addr) -> Option<Addr> {
        if self.before.is_new(self.interp.analysis.module, addr) && !self.objects.contains(&addr) {
            self.objects.push(addr);
        }
        Some(addr)
    }

    fn rename_dim(&mut self, dim: &Dim) -> Option<Dim> {
        dim.any_symbol(&mut |sym| {
            if symbols::is_younger(sym, self.before.symbols) && !self.symbols.contains(&sym) {
                self.symbols.push(sym);
            }
            false
        });
        Some(dim.clone())
    }

    /// Tuples may share their parts, so that a small result takes for ever to walk through.
    fn goes_on(&mut self) -> Option<()> {
        self.values += 1;
        (self.values <= LARGEST).then_some(())
    }
}

/// From the objects and symbols of one call to numbers.
struct General<'a, 'w> {
    interp: &'a Interp<'w>,
    before: &'a Before,
    given: &'a Description,
    symbols: &'a [Sym],
}

impl Renaming for General<'_, '_> {
    /// A lazy parameter belongs to the call that was given it.
    fn rename_reason(&mut self, reason: Reason) -> Option<()> {
        reason.lazy_address().is_none().then_some(())
    }

    fn rename_addr(&mut self, addr: Addr) -> Option<Addr> {
        if self.before.is_new(self.interp.analysis.module, addr) {
            return Some(Addr::new(MADE, addr.number() - self.before.next_addr));
        }
        if self.interp.analysis.program.is_model(addr.module()) {
            return Some(addr);
        }
        let at = self.given.objects.iter().position(|given| *given == addr)?;
        Some(Addr::new(GIVEN, u32::try_from(at).ok()?))
    }

    fn rename_dim(&mut self, dim: &Dim) -> Option<Dim> {
        let number = |sym: Sym| {
            let place = |list: &[Sym]| list.iter().position(|listed| *listed == sym);
            let at = place(&self.given.symbols).or_else(|| place(self.symbols).map(|at| NEW_SYMBOLS + at))?;
            Some(Dim::symbol(numbered_symbol(sym, at)))
        };
        if dim.any_symbol(&mut |sym| number(sym).is_none()) {
            return None;
        }
        dim.substitute(&number)
    }
}

/// From numbers to the objects and symbols of another call.
struct Special<'a> {
    given: &'a Description,
    first: Addr,
    symbols: &'a [Sym],
}

impl Renaming for Special<'_> {
    fn rename_addr(&mut self, addr: Addr) -> Option<Addr> {
        match addr.module() {
            GIVEN => self.given.objects.get(addr.number() as usize).copied(),
            MADE => Some(Addr(self.first.0 + u64::from(addr.number()))),
            _ => Some(addr),
        }
    }

    fn rename_dim(&mut self, dim: &Dim) -> Option<Dim> {
        dim.substitute(&|sym| {
            let at = sym.number() as usize;
            let meant = match at.checked_sub(NEW_SYMBOLS) {
                None => self.given.symbols.get(at),
                Some(at) => self.symbols.get(at),
            };
            meant.map(|sym| Dim::symbol(*sym))
        })
    }
}
