"""Stands in for tqdm where it is not installed: it iterates, and shows a line unless it is disabled."""


def tqdm(iterable, disable=False, **_):
    if not disable:
        print("progress", flush=True)
    return iterable
