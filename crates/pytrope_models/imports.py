"""Every name that a model imports from another model is defined there: `python3 crates/pytrope_models/imports.py`."""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parent / "python"
FOLDERS = ("standard_library", "third_party", "support")


def read_models() -> dict[str, tuple[Path, bool, ast.Module]]:
    """The models by dotted name, with whether each is a package."""
    models = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = list(path.relative_to(ROOT / folder).with_suffix("").parts)
            is_package = parts[-1] == "__init__"
            if is_package:
                parts.pop()
            models[".".join(parts)] = (path, is_package, ast.parse(path.read_text(encoding="utf-8")))
    return models


MODELS = read_models()


def source_of(model: str, node: ast.ImportFrom) -> str:
    """The dotted name of the module that a statement imports from."""
    if not node.level:
        return node.module or ""
    parts = model.split(".") if MODELS[model][1] else model.split(".")[:-1]
    parts = parts[: len(parts) - (node.level - 1)]
    return ".".join(parts + ([node.module] if node.module else []))


def names_of(model: str, seen: frozenset[str] = frozenset()) -> set[str]:
    """The names that a model binds, at any depth."""
    names = set()
    for node in ast.walk(MODELS[model][2]):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = source_of(model, node)
            for alias in node.names:
                if alias.name != "*":
                    names.add(alias.asname or alias.name)
                elif source in MODELS and source not in seen:
                    names |= names_of(source, seen | {model})
    return names


def main() -> int:
    missing = 0
    checked = 0
    for model, (path, _, tree) in MODELS.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or source_of(model, node) not in MODELS:
                continue
            source = source_of(model, node)
            for alias in node.names:
                checked += 1
                known = alias.name == "*" or alias.name in names_of(source) or f"{source}.{alias.name}" in MODELS
                if not known:
                    missing += 1
                    print(f"{path}:{node.lineno}: {source} defines no {alias.name}")
    print(f"{checked - missing} passed, {missing} failed")
    return 1 if missing or checked < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
