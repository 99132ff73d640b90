"""Hooks of MkDocs: pages that are generated, and links into the repository.

The pages `reference/command-line.md`, `reference/configuration.md`, `reference/libraries.md` and `rules/PTnnn.md` are
made from the program (`PYTROPE_BIN`) and from the model files, so that they cannot become outdated.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT / "crates/pytrope_models/python"
RULES = ROOT / "crates/pytrope_diagnostics/rules"
# Model files that serve other models, or that stand for Pytrope's own package.
INTERNAL = {"pytrope", "_shapes", "builtins", "__future__"}
# Parts into which the model of NumPy is split, which the library itself does not have.
PARTS = {"creation", "joining", "manipulation", "products", "reductions", "selection", "ufuncs"}
# Compilers of kernels: their functions are not followed, and that is all the model says.
COMPILERS = {"taichi", "triton", "warp"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    pages = {
        "reference/command-line.md": _command_line(),
        "reference/configuration.md": _configuration(),
        "reference/libraries.md": _libraries(),
    }
    for page in sorted(RULES.glob("PT*.md")):
        pages[f"rules/{page.name}"] = _rule(page.read_text(encoding="utf-8"))
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rule pages are pages of the site; other files of the repository are named, and must exist."""
    here = Path(page.file.src_uri).parent

    def replace(match: re.Match[str]) -> str:
        text, target = match[1], match[2]
        path = os.path.normpath(Path("docs") / here / target)
        rule = re.fullmatch(r"crates/pytrope_diagnostics/rules/(PT\d+)\.md", path)
        if rule:
            return f"[{text}]({os.path.relpath(f'rules/{rule[1]}.md', here)})"
        if path.startswith("docs/"):
            return match[0]
        if not (ROOT / path).exists():
            raise PluginError(f"{page.file.src_uri}: there is no {path} in the repository")
        return f"{text} (`{path}` in the repository)" if text.strip("`") != path else f"`{path}`"

    return re.sub(r"(?<!!)\[([^\]]+)\]\((\.\./[^)#\s]+)\)", replace, markdown)


def _program(*arguments: str) -> str:
    program = os.environ.get("PYTROPE_BIN")
    if not program:
        raise PluginError("PYTROPE_BIN must name the pytrope program; `cargo xtask docs` sets it")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PluginError(f"pytrope {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def _command_line() -> str:
    text = _program("--help")
    commands = re.findall(r"^  ([a-z]+) ", text.split("Commands:")[1].split("Options:")[0], re.MULTILINE)
    page = f"# Command line\n\nGenerated from `pytrope --help`.\n\n```text\n{text}```\n"
    for command in commands:
        if command != "help":
            page += f"\n## pytrope {command}\n\n```text\n{_program(command, '--help')}```\n"
    return page


def _configuration() -> str:
    schema = json.loads(_program("schema"))
    page = (
        "# Configuration keys\n\nGenerated from `pytrope schema`. [Configuration](../configuration.md) explains how the "
        "file is found.\n\n| key | value | meaning |\n|---|---|---|\n"
    )
    for key, entry in schema["properties"].items():
        meaning = entry.get("description", "").replace("\n", " ").replace("|", "\\|")
        page += f"| `{key}` | {_kind(entry)} | {meaning} |\n"
    return page


def _kind(entry: dict[str, object]) -> str:
    kinds = entry.get("type") or [part.get("type", "string") for part in entry.get("anyOf", [])]
    kinds = [kinds] if isinstance(kinds, str) else kinds
    names = {"array": "list", "object": "table"}
    return " or ".join(names.get(kind, kind) for kind in kinds if kind != "null") or "string"


def _rule(text: str) -> str:
    """A rule's page without the metadata that stands before its heading."""
    if text.startswith("---"):
        text = text.split("---", 2)[2]
    at = text.find("# ")
    return text[max(at, 0) :]


def _libraries() -> str:
    page = (
        "# Supported libraries\n\nGenerated from the model files in `crates/pytrope_models/python`. A name that is listed "
        "has a model: its result is known where its arguments are. A name that is not listed is `Unknown`: nothing is "
        "reported about it, nor about what is computed from it. `migrate` and `prune` answer `unknown`, or keep a branch, "
        "where an unlisted name matters.\n\n"
        "Installed packages can also be read from their own source: `--python .venv --follow PACKAGE`.\n"
    )
    page += _conformance()
    modules: dict[str, list[str]] = {}
    for path in sorted(MODELS.rglob("*.py")):
        # The first folder says only where a model comes from: `third_party`, `standard_library`, `support`.
        parts = list(path.relative_to(MODELS).with_suffix("").parts[1:])
        if parts[-1] == "__init__":
            parts.pop()
        if not parts or parts[0] in INTERNAL or any(part.startswith("_") for part in parts):
            continue
        if parts[0] == "numpy" and PARTS & set(parts):
            continue
        names = sorted(set(_public_names(path)))
        if names:
            modules[".".join(parts)] = names
    first = [
        "numpy",
        "torch",
        "keras",
        "tensorflow",
        "jax",
        "flax",
        "equinox",
        "optax",
        "sklearn",
        "pandas",
        "scipy",
        "jaxtyping",
        "transformers",
    ]
    rank = {name: place for place, name in enumerate(first)}
    for name, names in sorted(modules.items(), key=lambda item: (rank.get(item[0].split(".")[0], len(first)), item[0])):
        listed = ", ".join(f"`{item}`" for item in names)
        note = " The functions that this compiler compiles are not followed.\n\n" if name in COMPILERS else ""
        word = "name" if len(names) == 1 else "names"
        page += f"\n## {name}\n\n{note}{len(names)} {word}: {listed}\n"
        if name in ("numpy", "torch"):
            page += "".join(_methods(name))
    return page


def _conformance() -> str:
    """What the replay of the committed tables has counted."""
    lines = (ROOT / "conformance/summary.tsv").read_text(encoding="utf-8").splitlines()[1:]
    page = (
        "\n## Agreement with the real libraries\n\nRows of `conformance/`: calls, valid and invalid, with what the library "
        "answered. *Exact*: shape, type or exception are known and right. *Open*: something about them is Unknown. *Wrong* "
        "rows fail the tests. *Raises, found*: how many of the rows raise, and how many of these are reported with the right "
        "class. Rows of TensorFlow and Keras are what 2.13 (Keras 2) and the current release agree on.\n\n"
        "| library | rows | exact | open | wrong | raises | found |\n|---|---|---|---|---|---|---|\n"
    )
    for line in lines:
        name, rows, exact, unknown, wrong, raises, found = line.split("\t")
        page += (
            f"| {name} | {rows} | {exact} ({100 * int(exact) / int(rows):.1f}&nbsp;%) | {unknown} | {wrong} "
            f"| {raises} | {found} ({100 * int(found) / int(raises):.1f}&nbsp;%) |\n"
        )
    page += "\n### Public names of PyTorch\n\nThat may give tensors, in the current release (`cargo xtask modelled`).\n"
    for line in (ROOT / "conformance/torch/missing.tsv").read_text(encoding="utf-8").splitlines():
        surface, total, missing = line.split("\t")
        names = missing.split()
        listed = ", ".join(f"`{name}`" for name in names)
        page += f"\n`{surface}`: {int(total) - len(names)} of {total} are modelled. Not modelled: {listed}\n"
    return page


def _methods(library: str) -> Iterator[str]:
    files, cls = {"numpy": ("_array.py", "ndarray"), "torch": ("_tensor.py", "Tensor")}[library]
    path = MODELS / "third_party" / library / files
    if not path.exists():
        return
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name == cls:
            methods = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            methods |= {
                target.id
                for item in node.body
                if isinstance(item, ast.Assign)
                for target in item.targets
                if isinstance(target, ast.Name)
            }
            shown = sorted(name for name in methods if not name.startswith("_"))
            yield f"\nMethods and attributes of `{cls}` in its own file: {len(shown)}: "
            yield ", ".join(f"`{name}`" for name in shown) + "\n"


def _public_names(path: Path) -> Iterator[str]:
    """Names that a model module binds, its own private modules included."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        elif isinstance(node, ast.ImportFrom) and node.module != "_pytrope":
            names = [alias.asname or alias.name for alias in node.names]
            if names == ["*"]:
                source = _module_file(path, node)
                names = list(_public_names(source)) if source else []
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def _module_file(path: Path, node: ast.ImportFrom) -> Path | None:
    folder = MODELS / "third_party"
    if node.level:
        folder = path.parents[node.level - 1]
    base = folder.joinpath(*(node.module or "").split("."))
    return next((file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()), None)
