//! The corpus: wheels of released libraries, pinned by version and hash, unpacked under `target/corpus`.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process::{self, command, repository_root, run, target_path};

/// Every package of the corpus, by the folder it unpacks to.
pub(crate) const PACKAGES: [&str; 8] =
    ["matplotlib", "numpy", "scipy", "sklearn", "statsmodels", "sympy", "torchvision", "transformers"];

/// The packages that parsing is measured on.
pub(crate) const PARSING: [&str; 4] = ["transformers", "numpy", "scipy", "sympy"];

/// The folder with one folder per package, downloaded and unpacked if it is not current.
pub(crate) fn ready_tree() -> Result<PathBuf> {
    ready_from("corpus")
}

/// The same for another list of wheels in `tests/peers/requirements`, under a folder of its name.
pub(crate) fn ready_from(name: &str) -> Result<PathBuf> {
    let requirements = repository_root().join(format!("tests/peers/requirements/{name}.txt"));
    let pinned = std::fs::read_to_string(&requirements).context("cannot read the pinned corpus")?;
    let folder = target_path(name);
    let _lock = process::lock_folder(&folder)?;
    let stamp = folder.join("requirements.stamp");
    let tree = folder.join("tree");
    if std::fs::read_to_string(&stamp).is_ok_and(|old| old == pinned) {
        return Ok(tree);
    }
    println!("fetching the corpus to {}", folder.display());
    let wheels = folder.join("wheels");
    // What was left by an interrupted or older run must not be mixed in.
    for old in [&tree, &wheels] {
        if old.exists() {
            std::fs::remove_dir_all(old)?;
        }
    }
    std::fs::create_dir_all(&tree)?;
    let mut download = command("python3", &["-m", "pip", "download", "--quiet", "--disable-pip-version-check"]);
    download.args(["--no-deps", "--only-binary", ":all:", "--require-hashes", "--python-version", "311"]);
    download.args(["--implementation", "cp", "--abi", "cp311", "--abi", "abi3", "--abi", "none"]);
    for platform in ["manylinux2014_x86_64", "manylinux_2_27_x86_64", "manylinux_2_28_x86_64"] {
        download.args(["--platform", platform]);
    }
    download.arg("--requirement").arg(&requirements).arg("--dest").arg(&wheels);
    run(download)?;
    for entry in std::fs::read_dir(&wheels)? {
        let wheel = entry?.path();
        let mut unpack = command("python3", &["-m", "zipfile", "-e"]);
        unpack.arg(&wheel).arg(&tree);
        run(unpack)?;
    }
    std::fs::write(&stamp, pinned)?;
    Ok(tree)
}
