//! A module run once more for a client that wants to see more than findings.

use super::receivers::Receivers;
use super::{enter_module, is_inner, is_of_package, uncalled_analysis, uncalled_run};
use crate::code::ScopeId;
use crate::interp::{Addresses, Analysis, Frame, Interp, Limits, Observer, Run, RunReport};
use crate::program::{EvaluatedModule, Program};
use crate::value::Addr;
use pytrope_source::Span;

/// Shows one observer the module's body with all it calls, and another every function with unknown arguments. What comes back is
/// where the run of the body raises.
pub fn observe_module<'w>(
    program: &'w Program,
    frozen: &EvaluatedModule,
    limits: Limits,
    body_observer: Box<dyn Observer + 'w>,
    of_functions: Box<dyn Observer + 'w>,
) -> Vec<Span> {
    let module = frozen.code.module;
    let of_body = if is_of_package(&frozen.code) { Limits::default() } else { Limits::of_script() };
    let run = Run::new(&of_body, Addresses::of_module(program, module));
    let mut interp = Interp::new(Analysis::new(program, module, of_body), run);
    enter_module(&mut interp, &frozen.code);
    interp.report.observer = Some(body_observer);
    // How the body ends does not matter here.
    let _ = interp.exec_block(frozen.code.tree.body());
    let errors = interp.report.findings().iter().filter(|finding| finding.raises.is_some());
    let raised = errors.map(|finding| finding.primary.clone()).collect();
    let analysis = assuming_analysis(program, frozen, limits);
    let (base, defined) = assumed_definitions(program, frozen, &analysis.limits);
    let mut interp = Interp::new(analysis, base.clone());
    let mut observer = of_functions;
    let mut receivers = Receivers::default();
    // What functions are called with is what they need: those that others call mostly come before them.
    interp.analysis.given_arrays.is_learning = true;
    for &addr in &defined {
        interp.begin_run(base.clone(), RunReport::default());
        if is_inner(&interp, addr) {
            continue;
        }
        let start =
            receivers.run_for(&interp, addr, || assuming_analysis(program, frozen, limits), &base).unwrap_or(&base);
        interp.begin_run(start.clone(), RunReport::default());
        interp.learn_taken_ranks(addr);
    }
    interp.analysis.given_arrays.is_learning = false;
    // Callers mostly come after what they call, and show what it is given.
    for &addr in defined.iter().rev() {
        interp.begin_run(base.clone(), RunReport::default());
        if is_inner(&interp, addr) {
            continue;
        }
        let start =
            receivers.run_for(&interp, addr, || assuming_analysis(program, frozen, limits), &base).unwrap_or(&base);
        interp.begin_run(start.clone(), RunReport::observed_by(observer));
        interp.call_unknown(addr, 0);
        let Some(told) = interp.report.observer.take() else { return raised };
        observer = told;
    }
    raised
}

/// What the module's body defines where decorators that are not known keep what they decorate, and the run that its functions
/// begin with. A body that does not end normally leaves what its evaluation left.
fn assumed_definitions(program: &Program, frozen: &EvaluatedModule, limits: &Limits) -> (Run, Vec<Addr>) {
    let module = frozen.code.module;
    let mut analysis = Analysis::new(program, module, Limits::default());
    analysis.assumes = true;
    let mut interp = Interp::new(analysis, Run::new(&Limits::default(), Addresses::of_module(program, module)));
    let scope = enter_module(&mut interp, &frozen.code);
    let ends = interp.exec_block(frozen.code.tree.body()).is_ok();
    if !ends || interp.is_exhausted() {
        return (uncalled_run(program, frozen, limits), frozen.defined.clone());
    }
    let defined = interp.run.definitions.functions.iter().map(|addr| interp.current_address(*addr)).collect();
    interp.generalise_scope(scope, ScopeId::MODULE);
    let mut base = Run::new(limits, Addresses::of_module(program, module));
    base.frames.push(Frame::of_module(&frozen.code, scope));
    base.state.heap = interp.run.state.heap;
    base.symbols = interp.run.symbols;
    base.addresses = interp.run.addresses;
    (base, defined)
}

/// The analysis of uncalled functions for showing shapes: as if it could be believed what annotations say, and
/// with as much effort for each function as for a script.
fn assuming_analysis<'w>(program: &'w Program, frozen: &EvaluatedModule, limits: Limits) -> Analysis<'w> {
    let mut analysis = uncalled_analysis(program, frozen, limits);
    analysis.limits = Limits {
        fuel: limits.fuel.saturating_mul(5),
        loop_fuel: limits.loop_fuel.saturating_mul(5),
        call_fuel: limits.call_fuel.saturating_mul(20),
        loop_iterations: analysis.limits.loop_iterations,
        ..limits
    };
    analysis.assumes = true;
    analysis
}
