"""Validates and runs what other projects use: the pre-commit hooks, the GitHub action, the GitLab template.

`integrations.py PYTROPE` prints `N passed, N failed` last. Schemas come with check-jsonschema; nothing is fetched.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent
BROKEN = "import numpy as np\n\nx = np.ones((2, 3)) @ np.ones((4, 5))\n"
passed = failed = 0


def expect(name: str, holds: bool, detail: object = "") -> None:
    global passed, failed
    passed += holds
    failed += not holds
    print(f"{'ok' if holds else 'FAILED'}: {name}" + ("" if holds else f"\n{detail}"))


def run(command: list[str | Path], **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)


def validate(name: str, schema: str, file: Path) -> None:
    done = run([TOOLS / "check-jsonschema", "--builtin-schema", schema, file])
    expect(f"{name} is valid", done.returncode == 0, done.stdout + done.stderr)


def bash(script: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return run(["bash", "-e", "-c", script], cwd=folder, env=os.environ | environment)


def repository(folder: Path) -> None:
    """A project with one shape error, as git sees it."""
    (folder / "model.py").write_text(BROKEN, encoding="utf-8")
    run(["git", "init", "-q"], cwd=folder)
    run(["git", "add", "model.py"], cwd=folder)


def pre_commit(program: Path, folder: Path) -> None:
    valid = run([TOOLS / "pre-commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"])
    expect("the pre-commit hooks are valid", valid.returncode == 0, valid.stdout + valid.stderr)
    # The hook's own command line, from the manifest, as pre-commit runs it.
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    hook = hooks["pytrope-check-installed"]
    local = {"repos": [{"repo": "local", "hooks": [{key: hook[key] for key in hook if key != "description"}]}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(local), encoding="utf-8")
    environment = {"PATH": f"{program.parent}:{os.environ['PATH']}", "PRE_COMMIT_HOME": str(folder / "cache")}
    done = run([TOOLS / "pre-commit", "run", "--all-files"], cwd=folder, env=os.environ | environment)
    expect("pre-commit fails a commit with a shape error", done.returncode == 1 and "PT202" in done.stdout, done)
    (folder / "model.py").write_text("x = 1\n", encoding="utf-8")
    done = run([TOOLS / "pre-commit", "run", "--all-files"], cwd=folder, env=os.environ | environment)
    expect("pre-commit passes a commit without one", done.returncode == 0, done)


def github(program: Path, folder: Path) -> None:
    validate("the GitHub action", "vendor.github-actions", ROOT / "action.yml")
    steps = {step["name"]: step for step in yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["runs"]["steps"]}
    temporary = folder / "runner"
    (temporary / "pytrope" / "bin").mkdir(parents=True)
    (temporary / "pytrope" / "bin" / "pytrope").symlink_to(program)
    answers = folder / "answers.txt"
    environment = {"RUNNER_TEMP": str(temporary), "GITHUB_OUTPUT": str(answers)}
    environment |= {"PATHS": "model.py", "ARGS": "--isolated", "SARIF": "pytrope.sarif"}
    done = bash(steps["Check"]["run"], folder, environment)
    expect("the action annotates the line", "::error" in done.stdout and "model.py" in done.stdout, done)
    status = answers.read_text("utf-8").strip()
    expect("the action passes the exit code on", status == "status=1", status)
    report = json.loads((folder / "pytrope.sarif").read_text("utf-8"))
    expect("the action writes SARIF", report["runs"][0]["results"][0]["ruleId"] == "PT202", report)
    failing = bash(steps["Fail if anything was found"]["run"], folder, {"STATUS": "1"})
    expect("the action fails the job", failing.returncode == 1)


def gitlab(program: Path, folder: Path) -> None:
    template = ROOT / "packaging/gitlab/pytrope.gitlab-ci.yml"
    validate("the GitLab template", "vendor.gitlab-ci", template)
    job = yaml.safe_load(template.read_text("utf-8"))
    script = "\n".join(line for line in job["pytrope"]["script"] if not line.startswith("pip "))
    environment = {key: str(value) for key, value in job["variables"].items()}
    environment |= {"PATH": f"{program.parent}:{os.environ['PATH']}", "PYTROPE_PATHS": "model.py"}
    done = bash(script, folder, environment)
    expect("the GitLab job fails with the exit code of the check", done.returncode == 1, done)
    artifacts = job["pytrope"]["artifacts"]
    named = [*artifacts["paths"], *artifacts["reports"].values()]
    missing = [name for name in named if not (folder / name).is_file()]
    expect("the GitLab job writes every artifact that it names", not missing, missing)
    quality = json.loads((folder / artifacts["reports"]["codequality"]).read_text("utf-8"))
    expect("the Code Quality report has the finding", quality[0]["location"]["path"] == "model.py", quality)


def main(program: str) -> int:
    binary = Path(program).resolve()
    for check in (pre_commit, github, gitlab):
        with tempfile.TemporaryDirectory() as folder:
            repository(Path(folder))
            check(binary, Path(folder))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
