//! A module run once more for a client that wants to see more than findings.

use super::{enter_module, uncalled_analysis, uncalled_run};
use crate::interp::{Addresses, Analysis, Interp, Limits, Observer, Run, RunReport};
use crate::program::{EvaluatedModule, Program};

/// Shows one observer the module's body with all it calls, and another every function with unknown arguments.
pub fn observe_module<'w>(
    program: &'w Program,
    frozen: &EvaluatedModule,
    limits: Limits,
    of_body: Box<dyn Observer + 'w>,
    of_functions: Box<dyn Observer + 'w>,
) {
    let module = frozen.code.module;
    let body = Run::new(&Limits::default(), Addresses::of_module(program, module));
    let mut interp = Interp::new(Analysis::new(program, module, Limits::default()), body);
    enter_module(&mut interp, &frozen.code);
    interp.report.observer = Some(of_body);
    // How the body ends does not matter here.
    let _ = interp.exec_block(frozen.code.tree.body());
    let analysis = uncalled_analysis(program, frozen, limits);
    let base = uncalled_run(program, frozen, &analysis.limits);
    let mut interp = Interp::new(analysis, base.clone());
    let mut observer = of_functions;
    for &addr in &frozen.defined {
        interp.begin_run(base.clone(), RunReport::observed_by(observer));
        interp.call_unknown(addr, 0);
        let Some(told) = interp.report.observer.take() else { return };
        observer = told;
    }
}
