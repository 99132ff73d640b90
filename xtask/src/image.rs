//! The container image of the Dockerfile, built and used by the engine that this machine has.
//!
//! `docker` counts only if its daemon answers. `buildah` needs no daemon; it runs the steps of the Dockerfile in a changed root. Where no engine
//! works, or base images cannot be pulled, the instructions are followed in Debian systems that `mmdebstrap` makes.

use anyhow::{Context, Result};

use crate::process::{command, repository_root, run_and_show, target_path};

const TAG: &str = "localhost/pytrope-release-check";

/// What became of the image.
pub(crate) enum Image {
    Built {
        holds: bool,
        engine: &'static str,
    },
    /// Why it could not be built.
    NotBuilt(String),
}

/// A program that builds images: how it pulls, builds and starts one.
struct ImageBuilder {
    name: &'static str,
    probe: &'static [&'static str],
    pull: &'static [&'static str],
    build: &'static [&'static str],
    start: &'static [&'static str],
}

const ENGINES: [ImageBuilder; 3] = [
    ImageBuilder {
        name: "docker",
        probe: &["info"],
        pull: &["pull"],
        build: &["build", "--tag", TAG, "."],
        start: &["docker run --rm --volume \"$PWD/examples:/src:ro\" localhost/pytrope-release-check check"],
    },
    ImageBuilder {
        name: "podman",
        probe: &["info"],
        pull: &["pull", "--policy", "missing"],
        build: &["build", "--tag", TAG, "."],
        start: &["podman run --rm --volume \"$PWD/examples:/src:ro\" localhost/pytrope-release-check check"],
    },
    ImageBuilder {
        name: "buildah",
        probe: &["info"],
        pull: &["pull", "--policy", "missing"],
        build: &["build", "--isolation", "chroot", "--tag", TAG, "."],
        start: &[
            "container=$(buildah from localhost/pytrope-release-check)",
            "buildah run --isolation chroot --volume \"$PWD/examples:/src:ro\" \"$container\" -- pytrope check",
            "status=$?; buildah rm \"$container\" >/dev/null; exit $status",
        ],
    },
];

/// Builds the image and checks the examples in it, which end with exit code 1 because errors are found.
pub(crate) fn build_image() -> Result<Image> {
    let answers = |engine: &&ImageBuilder| {
        command(engine.name, engine.probe).output().is_ok_and(|output| output.status.success())
    };
    let Some(engine) = ENGINES.iter().find(answers) else {
        return follow_stages("neither docker (with its daemon) nor podman nor buildah works here");
    };
    let text = std::fs::read_to_string(repository_root().join("Dockerfile"))?;
    let bases = text.lines().filter_map(|line| line.strip_prefix("FROM ")?.split_whitespace().next());
    for base in bases {
        let mut pull = command(engine.name, engine.pull);
        let pulled = pull.arg(base).output()?;
        if !pulled.status.success() {
            let reason = String::from_utf8_lossy(&pulled.stderr).lines().last().unwrap_or_default().to_owned();
            return follow_stages(&format!("{} cannot pull {base}: {reason}", engine.name));
        }
    }
    let mut build = command(engine.name, engine.build);
    build.current_dir(repository_root());
    let (built, _) = run_and_show(build)?;
    let holds = built && {
        let (_, printed) = run_and_show(command("bash", &["-c", &engine.start.join("\n")]))?;
        printed.contains("PT202")
    };
    Ok(Image::Built { holds, engine: engine.name })
}

/// The Dockerfile's instructions without an engine, in Debian systems instead of its base images.
fn follow_stages(lacking: &str) -> Result<Image> {
    const CANNOT_BE_MADE: i32 = 3;
    let mut script = command("python3", &["tests/wheel/image_stages.py", "--folder"]);
    script.arg(target_path("release-check").join("image"));
    let output = script.output().context("python3")?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}{}", String::from_utf8_lossy(&output.stderr));
    Ok(match output.status.code() {
        Some(CANNOT_BE_MADE) => {
            let reason = text.lines().last().unwrap_or_default();
            Image::NotBuilt(format!("{lacking}; {reason}"))
        }
        code => {
            Image::Built { holds: code == Some(0), engine: "mmdebstrap, with Debian's compiler for the base image" }
        }
    })
}
