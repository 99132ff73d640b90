//! Where results go: a file that is not one of the inputs, or standard output for `-`.

use std::path::Path;

use anyhow::{Result, bail};

/// An error if a file to be written is one of those that were read.
pub(crate) fn refuse_inputs<'a>(output: &Path, inputs: impl Iterator<Item = &'a Path>) -> Result<()> {
    let Ok(real) = output.canonicalize() else { return Ok(()) };
    for input in inputs {
        if input.canonicalize().is_ok_and(|input| input == real) {
            bail!("{}: -o names a file that was read, and would replace it", output.display());
        }
    }
    Ok(())
}
