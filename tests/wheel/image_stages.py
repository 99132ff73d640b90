"""Runs the stages of the Dockerfile without an engine: each in a Debian of its own, which `mmdebstrap` makes in a folder.

`image_stages.py --folder DIR` does as root what the instructions say: `WORKDIR`, `COPY`, `RUN`, `USER`, and at last
the entry point on a copy of the examples. Debian's compiler takes the place of the image `rust`, and the registry of this machine that
of the network. Exits with 3, and the reason in the last line, where such a system cannot be made.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from fresh_machine import CANNOT_BE_MADE

ROOT = Path(__file__).resolve().parents[2]
# What is installed in place of a base image that holds more than Debian.
COMPILER = ["rustc-web", "cargo-web", "gcc", "libc6-dev"]
SOURCES = [
    "deb http://deb.debian.org/debian bookworm main",
    "deb http://deb.debian.org/debian-security bookworm-security main",
]


@dataclass
class Stage:
    base: str
    name: str
    instructions: list[tuple[str, str]] = field(default_factory=list)


def read_stages() -> list[Stage]:
    stages: list[Stage] = []
    for line in (ROOT / "Dockerfile").read_text().splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            stages.append(Stage(base, name))
        elif word and not word.startswith("#"):
            stages[-1].instructions.append((word, rest))
    return stages


def make_system(stage: Stage, folder: Path) -> str | None:
    """Makes the base of a stage; the reason if that is not possible."""
    if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
        return "the stages need root and the package `mmdebstrap`"
    packages = COMPILER if stage.base.startswith("rust:") else []
    include = [f"--include={','.join(packages)}"] if packages else []
    command = ["mmdebstrap", "--variant=minbase", *include, "bookworm", str(folder), *SOURCES]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = [line for line in made.stderr.splitlines() if line.startswith("E: ")] or ["no message"]
    return None if made.returncode == 0 else f"mmdebstrap: {errors[0]}"


def copy_sources(folder: Path) -> None:
    """`COPY . .` of a clone: the files of the last commit."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = subprocess.Popen(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "--extract", "--directory", str(folder)], stdin=archive.stdout, check=True)
    if archive.wait() != 0:
        raise RuntimeError("git archive failed")


def run_inside(folder: Path, user: str, place: str, command: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "CARGO_HOME": "/cargo",
        "CARGO_NET_OFFLINE": "true",
        "LC_ALL": "C.UTF-8",
    }
    inner = ["/usr/bin/env", "--chdir", place or "/", *command]
    call = ["/usr/sbin/chroot", f"--userspec={user}", str(folder), *inner]
    return subprocess.run(
        call, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def play_stage(stage: Stage, folder: Path, others: dict[str, Path]) -> str:
    """Follows the instructions; what the entry point prints, for a stage that has one."""
    place, user, entry = "/", "root", ""
    for word, rest in stage.instructions:
        words = shlex.split(rest)
        if word == "WORKDIR":
            place = rest
            (folder / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "USER":
            user = rest
        elif word == "COPY" and words == [".", "."]:
            copy_sources(folder / place.lstrip("/"))
            registry = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry"
            shutil.copytree(registry, folder / "cargo" / "registry")
        elif word == "COPY":
            source = others[words[0].removeprefix("--from=")]
            for name in words[1:-1]:
                target = folder / words[-1].lstrip("/")
                target = target / Path(name).name if words[-1].endswith("/") else target
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source / name.lstrip("/"), target)
        elif word == "RUN":
            done = run_inside(folder, user, place, ["/bin/sh", "-c", rest])
            print(done.stdout[-2000:])
            if done.returncode != 0:
                raise RuntimeError(f"RUN {rest}: exit code {done.returncode}")
        elif word == "ENTRYPOINT":
            shutil.copytree(ROOT / "examples", folder / place.lstrip("/"), dirs_exist_ok=True)
            entry = run_inside(folder, user, place, [*json.loads(rest), "check"]).stdout
    return entry


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    folders: dict[str, Path] = {}
    printed = ""
    for number, stage in enumerate(read_stages()):
        folder = options.folder.resolve() / f"stage-{number}"
        folder.mkdir(parents=True)
        if reason := make_system(stage, folder):
            print(reason)
            return CANNOT_BE_MADE
        printed = play_stage(stage, folder, folders)
        folders[stage.name] = folder
    works = "error[PT202]" in printed
    print(printed[-600:])
    shutil.rmtree(options.folder, ignore_errors=True)
    print(f"{int(works)} passed, {int(not works)} failed")
    return 0 if works else 1


if __name__ == "__main__":
    sys.exit(main())
