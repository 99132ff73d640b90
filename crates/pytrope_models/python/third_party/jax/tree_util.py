"""jax.tree_util and jax.tree: functions of nested containers."""

from _pytrope import has_rank, is_array, is_unknown, unknown


def is_container(tree):
    return not is_array(tree) and isinstance(tree, (dict, list, tuple))


def tree_map(f, tree, *rest, is_leaf=None):
    if is_unknown(tree) or is_leaf is not None:
        return unknown("a function of an unknown tree")
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


map = tree_map


def __getattr__(name):
    return unknown(name)
