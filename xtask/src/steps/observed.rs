//! Shapes that `check` shows of modules that nothing calls, and what `draw` shows of models, against runs of PyTorch.

use anyhow::Result;

use crate::process::{command, pytrope_binary, run, run_and_show, target_path};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step = Step {
    name: "observed",
    about: "shapes shown of uncalled modules, and drawn models, agree with traced runs of PyTorch",
    run: compare,
};

fn compare() -> Result<StepOutcome> {
    StepOutcome::of_peer(Venv::ready("torch-current"), |venv| {
        let trace = target_path("observed-programs.json");
        let mut tracer = command(venv.python(), &["tests/observed/trace.py", "programs"]);
        tracer.arg(&trace);
        run(tracer)?;
        let mut script = command(venv.python(), &["tests/observed/compare.py"]);
        script.arg(pytrope_binary()?).arg(&trace);
        let (ok, text) = run_and_show(script)?;
        let mut tally = Tally::of_last_line(&text, ok);
        let mut script = command(venv.python(), &["-W", "ignore", "tests/observed/drawn.py"]);
        script.arg(pytrope_binary()?);
        let (ok, text) = run_and_show(script)?;
        tally.add(Tally::of_last_line(&text, ok));
        Ok(tally)
    })
}
