//! A module run once more for a client that wants to see more than findings.

use super::{enter_module, general_state, uncalled_entry};
use crate::interp::{Interp, Limits, Observer};
use crate::program::{EvaluatedModule, Program};

/// Shows one observer the module's body with all it calls, and another every function with unknown arguments.
pub fn observe<'w>(
    program: &'w Program,
    frozen: &EvaluatedModule,
    limits: Limits,
    of_body: Box<dyn Observer + 'w>,
    of_functions: Box<dyn Observer + 'w>,
) {
    let mut interp = Interp::new(program, frozen.code.module);
    enter_module(&mut interp, &frozen.code);
    interp.observer = Some(of_body);
    // How the body ends does not matter here.
    let _ = interp.block(frozen.code.tree.body());
    let mut observer = Some(of_functions);
    let base = general_state(program, frozen);
    for &addr in &frozen.defined {
        let mut interp = uncalled_entry(program, frozen, &base, limits);
        interp.observer = observer.take();
        interp.call_unknown(addr, 0);
        observer = interp.observer.take();
    }
}
