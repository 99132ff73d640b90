//! The SARIF output is valid against the official schema, which is read from a published crate at test time.

use anyhow::{Context, Result};

use crate::process::{
    cargo_command, command, command_output, pytrope_binary, repository_root, run_and_show, target_path,
};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step = Step { name: "sarif", about: "SARIF output against the official JSON schema", run };

fn run() -> Result<StepOutcome> {
    let manifest = repository_root().join("tests/peers/sarif/Cargo.toml");
    let mut metadata = cargo_command(&["metadata", "--quiet", "--locked", "--format-version", "1", "--manifest-path"]);
    metadata.arg(&manifest);
    let metadata: serde_json::Value = serde_json::from_str(&command_output(metadata)?)?;
    let package =
        metadata["packages"].as_array().into_iter().flatten().find(|package| package["name"] == "serde-sarif");
    let manifest =
        package.and_then(|package| package["manifest_path"].as_str()).context("the crate with the schema")?;
    let schema = std::path::Path::new(manifest).with_file_name("src").join("schema.json");
    StepOutcome::of_peer(Venv::ready("sarif"), |venv| {
        let mut validate = command(venv.python(), &["tests/peers/sarif/validate.py"]);
        validate.arg(schema).arg(pytrope_binary()?).arg(target_path("sarif"));
        let (ok, text) = run_and_show(validate)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}
