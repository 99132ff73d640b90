"""jax.tree_util and jax.tree: functions of nested containers."""

from _pytrope import has_rank, is_array, is_unknown, require, unknown


def is_container(tree):
    return not is_array(tree) and isinstance(tree, (dict, list, tuple))


def tree_map(f, tree, *rest, is_leaf=None):
    if is_unknown(tree) or is_leaf is not None:
        return unknown("a function of an unknown tree")
    if type(tree) in (dict, list, tuple):
        for other in rest:
            same_structure(tree, other)
    if isinstance(tree, dict) and not is_array(tree):
        made = {}
        for key in tree:
            made[key] = tree_map(f, tree[key], *[part(other, key) for other in rest])
        return made
    if is_container(tree):
        if not has_rank(tree):
            return unknown("a function of an unknown tree")
        items = [tree_map(f, item, *[part(other, at) for other in rest]) for at, item in enumerate(tree)]
        return tuple(items) if isinstance(tree, tuple) else items
    if tree is None:
        return None
    return f(tree, *rest)


def part(tree, key):
    """A branch of another tree; Unknown where it has another form."""
    if is_unknown(tree) or not is_container(tree):
        return unknown("a tree with a different structure")
    if isinstance(tree, dict):
        return tree[key] if key in tree else unknown("a tree with a different structure")
    return tree[key] if has_rank(tree) and key < len(tree) else unknown("a tree with a different structure")


def same_structure(tree, other):
    """Other trees have the branches of the first one, dictionaries the same keys and sequences the same length."""
    if is_unknown(other) or (not is_array(other) and not isinstance(other, (dict, list, tuple, int, float))):
        return
    kinds = f"{type(tree).__name__} and {'an array' if is_array(other) else type(other).__name__}"
    require(type(other) is type(tree), ValueError, f"trees with different branches: {kinds}", rule="shape-argument")
    if has_rank(other):
        sizes = f"{len(tree)} and {len(other)} branches"
        require(len(tree) == len(other), ValueError, f"trees with {sizes}", rule="shape-argument")
    if isinstance(tree, dict):
        for key in tree:
            require(key in other, ValueError, f"one of the trees has no branch {key!r}", rule="shape-argument")


map = tree_map


def __getattr__(name):
    return unknown(name)
