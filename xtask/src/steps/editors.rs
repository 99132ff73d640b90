//! Neovim and Emacs, run without a screen, and scripted clients that send what other editors send.

use anyhow::Context;

use crate::process::{command, pytrope_binary, repository_root, run_and_show, target_path};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

/// The file that Neovim opens.
const MAIN: &str = "import numpy as np\n\na = np.zeros((3, 4))\nb = np.zeros((5, 6))\nc = a @ b\n\nfrom pytrope.hints import \
                    NdArray\n\n\ndef turn(x: NdArray[\"n\", 3]):\n    return x.T\n";

pub(super) const STEP: Step = Step {
    name: "editors",
    about: "the server in Neovim and Emacs, and with what Helix, Emacs, Zed, PyCharm and jupyterlab-lsp send",
    run: || {
        let binary = pytrope_binary()?;
        let mut tally = Tally::default();
        let mut clients = command("python3", &[]);
        clients.arg(repository_root().join("tests/editors/clients.py")).arg(&binary);
        tally.add(Tally::one(run_and_show(clients)?.0));
        let neovim = command("nvim", &["--version"]).output().context("Neovim is Debian's `neovim`");
        let eglot = command("emacs", &["--no-init-file", "--batch", "-l", "eglot"]).output();
        let eglot = eglot.ok().filter(|run| run.status.success());
        let eglot = eglot.context("Emacs with eglot is Debian's `emacs-nox` and `elpa-eglot`");
        StepOutcome::of_peer(neovim.and(eglot), |_| {
            let folder = target_path("editors");
            std::fs::create_dir_all(&folder)?;
            std::fs::write(folder.join("main.py"), MAIN)?;
            let scripts = repository_root().join("tests/editors");
            let mut neovim = command("nvim", &["--headless", "-u", "NONE", "-i", "NONE", "-n"]);
            neovim.arg("-S").arg(scripts.join("neovim.lua"));
            let mut emacs = command("emacs", &["--no-init-file", "--batch", "-l"]);
            emacs.arg(scripts.join("emacs.el"));
            for mut editor in [neovim, emacs] {
                editor.current_dir(&folder).env("PYTROPE_BIN", &binary);
                tally.add(Tally::one(run_and_show(editor)?.0));
            }
            Ok(tally)
        })
    },
};
