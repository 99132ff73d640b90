//! Virtual environments of peers under `target/venvs`, made from pinned requirements and kept until those change.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{self, command, command_output, repository_root, run, target_path};

/// A ready environment.
pub(crate) struct Venv {
    folder: PathBuf,
}

impl Venv {
    /// The environment of `tests/peers/requirements/NAME.txt`.
    pub fn ready(name: &str) -> Result<Self> {
        let requirements = repository_root().join(format!("tests/peers/requirements/{name}.txt"));
        Self::ready_from(name, &requirements, &[])
    }

    /// An environment from any requirements file, with more arguments for pip.
    pub fn ready_from(name: &str, requirements: &Path, pip: &[&str]) -> Result<Self> {
        let wanted =
            std::fs::read_to_string(requirements).with_context(|| format!("cannot read {}", requirements.display()))?;
        let version = command_output(command("python3", &["--version"]))?;
        let stamp = format!("{version}{}\n{wanted}", pip.join(" "));
        let all = target_path("venvs");
        std::fs::create_dir_all(&all)?;
        let venv = Self { folder: all.canonicalize()?.join(name) };
        // Two chores at a time may want the same environment; the second one finds it made.
        let _lock = process::lock_folder(&venv.folder)?;
        let stamp_path = venv.folder.join("requirements.stamp");
        if std::fs::read_to_string(&stamp_path).is_ok_and(|old| old == stamp) && venv.starts_programs() {
            return Ok(venv);
        }
        println!("making the environment `{name}` in {}", venv.folder.display());
        let folder = venv.folder.to_string_lossy().into_owned();
        run(command("python3", &["-m", "venv", "--clear", &folder]))?;
        let mut install = command(venv.python(), &["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        install.args(pip).arg("--requirement").arg(requirements);
        run(install)?;
        std::fs::write(&stamp_path, stamp)?;
        Ok(venv)
    }

    /// Whether its programs name a Python that exists: they do not if the environment was made under another path and moved.
    fn starts_programs(&self) -> bool {
        let text = std::fs::read_to_string(self.program("pip")).unwrap_or_default();
        text.lines().next().and_then(|line| line.strip_prefix("#!")).is_some_and(|python| Path::new(python).exists())
    }

    pub fn python(&self) -> PathBuf {
        self.program("python")
    }

    /// `PATH` with the programs of the environment before all others.
    pub fn search_path(&self) -> Result<std::ffi::OsString> {
        let others = std::env::var_os("PATH").unwrap_or_default();
        Ok(std::env::join_paths(std::iter::once(self.folder.join("bin")).chain(std::env::split_paths(&others)))?)
    }

    /// A program that the environment installed.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }
}
