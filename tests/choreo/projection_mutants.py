"""Damages one role's projection, as a wrong projection or a role gone astray would be, and runs it beside the others.

    python tests/choreo/projection_mutants.py [--mutants 300] [--seed 1] [--transports local,tcp]

A mutant leaves out, repeats or exchanges one communication of one role.  Wherever the damaged line is reached, the role
that diverged must end in a typed error, never in success, and so must the peer that it diverged from; runs that
do not reach the line must succeed.  A mutant whose run has the results of the undamaged one is none.  Where a program
catches ``ChoreoError`` itself, the role that diverged may end well once its peer has failed and told it: whether the peer's
abort reaches it inside the ``try`` depends on which of the two is faster.

Nothing here depends on how fast the machine is.  Roles that wait for each other are ended by a deadline; whether one that
fires means that, or that a role was slow, a longer one decides.  A run that seems wrong and in which a deadline fired
is therefore run again with the next one, and one in which none fired is judged at once.  The last line is `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import subprocess
import sys
import tempfile
import types
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent.parent / "python"))

from generate import well_formed
from pytrope.choreo import ChoreoError, DeadlineExceeded, RoleFailed, Session, local_channel, run_roles
from pytrope.choreo.networks import network_channel
from random_choreographies import DAMAGED_LINES, Endless, binary, limited

PER_FILE = 25
DEADLINES = [3.0, 30.0, 300.0]
"""Seconds that a role waits for another; the next one after a run in which it was too short to tell."""
# A statement that is one communication: what comes before it, the end, what it does, its argument, its number.
COMMUNICATION = re.compile(r"^( +)((?:\w+ = )?)(self\.\w+)\.(send|recv|select|offer)\((.*?)(?:, )?site=(\d+)\)$")


def projections(path: Path) -> dict[str, str]:
    """The text of each role's program."""
    done = subprocess.run(
        [binary(), "project", str(path), "--output-format", "json"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise AssertionError(f"refused: {done.stdout[:500]}")
    return {
        Path(file["path"]).stem.rsplit("_", 1)[1].upper(): file["source"] for file in json.loads(done.stdout)["files"]
    }


def mutate(source: random.Random, text: str, class_name: str) -> tuple[str, str] | None:
    """The text with one communication of a class damaged, and how."""
    found = re.search(rf"^class {class_name}\b.*?(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        return None
    lines = found[0].split("\n")
    places = [at for at, line in enumerate(lines) if COMMUNICATION.match(line)]
    if not places:
        return None
    at = source.choice(places)
    told = COMMUNICATION.match(lines[at])
    assert told is not None
    indent, target, end, does, argument, site = told.groups()
    kind = source.choice(["left out", "repeated", "another number"])
    match kind:
        case "left out":
            changed = f"{target}0" if target else "pass"
        case "repeated":
            changed = f"{lines[at].strip()}; {lines[at].strip()}"
        case _:
            changed = f"{target}{end}.{does}({argument}{', ' if argument else ''}site={int(site) + 1_000_000})"
    lines[at] = f"{indent}REACHED.append(1); {changed}"
    return text[: found.start()] + "\n".join(lines) + text[found.end() :], f"{kind}: {told[0].strip()}"


def load(texts: dict[str, str], stem: str) -> dict[str, types.ModuleType]:
    modules = {}
    for role, text in texts.items():
        module = types.ModuleType(f"{stem}_{role.lower()}")
        vars(module)["REACHED"] = []
        sys.modules[module.__name__] = module
        exec(compile(text, module.__name__, "exec"), vars(module))  # noqa: S102
        modules[role] = module
    return modules


def play(
    modules: dict[str, types.ModuleType],
    name: str,
    roles: list[str],
    given: dict[str, int],
    transport: str,
    deadline: float,
    ends: dict[str, dict[str, Any]],
) -> dict[str, Any]:
    """The results of the roles; `ends` gets each role's ends of its channels."""
    ends.update({role: {} for role in roles})
    for one, other in itertools.combinations(roles, 2):
        channel = f"{one}{other}".lower()
        if transport == "local":
            pair: Any = local_channel(one, other, deadline=deadline)
        else:
            pair = network_channel(transport, one, other, session=Session(name=channel, deadline=deadline))
        ends[one][channel], ends[other][channel] = pair

    def program(role: str) -> Any:
        def run() -> Any:
            with limited(DAMAGED_LINES):
                return getattr(modules[role], f"{name}_{role}")(**ends[role]).run(**{f"x_{role}": given[role]})

        return run

    return run_roles({role: program(role) for role in roles}, [end for own in ends.values() for end in own.values()])


def judge(
    modules: dict[str, types.ModuleType],
    mutated: str,
    failures: dict[str, BaseException],
    equal: bool,
    ends: dict[str, dict[str, Any]],
) -> str:
    """What is wrong with how a run of a mutant ended, if anything."""
    if not vars(modules[mutated])["REACHED"]:
        return f"the damage was not reached, and {failures!r}" if failures else ""
    if not failures and equal:
        return ""  # no role observes the change: a label of a loop on which its receiver does not branch
    has_handled = any(getattr(end, "is_aborted", False) for end in ends.get(mutated, {}).values())
    if mutated not in failures and not (failures and has_handled):
        return f"{mutated} diverged and ended well; failures: {failures!r}"
    # A value made up for one that was not received may fail in local code; everything else is ours.
    local = (TypeError, ValueError, ZeroDivisionError, KeyError, IndexError, AttributeError, Endless)
    return next(
        (f"{role}: {error!r}" for role, error in failures.items() if not isinstance(error, (ChoreoError, *local))), ""
    )


class Mutant:
    """One choreography with the program of one role damaged."""

    def __init__(self, texts: dict[str, str], mutated: str, damaged: str, stem: str, name: str, roles: list[str]) -> None:
        self.texts = texts
        self.mutated = mutated
        self.damaged = damaged
        self.stem = stem
        self.name = name
        self.roles = roles

    def run(self, given: dict[str, int], transport: str, deadline: float) -> tuple[dict[str, BaseException], bool, str]:
        """How the roles failed, whether the damage was reached, and what is wrong with that."""
        modules = load({**self.texts, self.mutated: self.damaged}, self.stem)
        failures: dict[str, BaseException] = {}
        ends: dict[str, dict[str, Any]] = {}
        equal = False
        try:
            results = play(modules, self.name, self.roles, given, transport, deadline, ends)
            whole = load(self.texts, self.stem)
            equal = repr(results) == repr(play(whole, self.name, self.roles, given, "local", DEADLINES[-1], {}))
        except RoleFailed as failed:
            failures = dict(failed.failures)
        except DeadlineExceeded as error:
            failures = {"connecting": error}
        reached = bool(vars(modules[self.mutated])["REACHED"])
        return failures, reached, judge(modules, self.mutated, failures, equal, ends)

    def judge_patiently(self, given: dict[str, int], transport: str) -> tuple[dict[str, BaseException], bool, str]:
        """The same, with the first deadline that was long enough to tell."""
        for deadline in DEADLINES:
            failures, reached, fault = self.run(given, transport, deadline)
            if not fault or not any(isinstance(error, DeadlineExceeded) for error in failures.values()):
                break
        return failures, reached, fault


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261116)
    parser.add_argument("--transports", default="local,tcp")
    options = parser.parse_args()
    source = random.Random(options.seed)
    kinds: Counter[str] = Counter()
    passed, reached, wrong = 0, 0, []
    transports = itertools.cycle(options.transports.split(","))
    with tempfile.TemporaryDirectory() as folder:
        for batch in itertools.count():
            if passed + len(wrong) >= options.mutants or batch > options.mutants:
                break
            text, made = well_formed(options.seed + 7000 + batch, PER_FILE)
            path = Path(folder) / f"mutated{batch}.py"
            path.write_text(text)
            texts = projections(path)
            for name, roles in made:
                mutated = source.choice(roles)
                mutant = mutate(source, texts[mutated], f"{name}_{mutated}")
                if mutant is None or passed + len(wrong) >= options.mutants:
                    continue
                given = {role: source.randint(0, 60) for role in roles}
                made_mutant = Mutant(texts, mutated, mutant[0], path.stem, name, roles)
                failures, was_reached, fault = made_mutant.judge_patiently(given, next(transports))
                reached += was_reached
                kinds.update(type(error).__name__ for error in failures.values())
                if fault:
                    wrong.append(f"{name} of seed {options.seed + 7000 + batch}, {mutated}, {mutant[1]}: {fault}")
                else:
                    passed += 1
    print(f"{reached} mutants reached their damage; errors: {dict(kinds.most_common())}")
    for line in wrong[:20]:
        print(line)
    print(f"{passed} passed, {len(wrong)} failed")
    return 1 if wrong or not reached else 0


if __name__ == "__main__":
    sys.exit(main())
