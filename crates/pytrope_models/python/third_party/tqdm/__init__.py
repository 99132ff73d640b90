"""tqdm: a bar around an iterable, which gives what the iterable gives."""

from _pytrope import unknown


class tqdm:
    monitor_interval = 10

    def __init__(self, iterable=None, desc=None, total=None, *args, **kwargs):
        self.iterable = iterable
        self.desc = desc
        self.total = total
        self.n = unknown("the position of a progress bar")

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return None

    def update(self, n=1):
        return None

    def close(self):
        return None

    def clear(self, nolock=False):
        return None

    def refresh(self, nolock=False, lock_args=None):
        return None

    def reset(self, total=None):
        return None

    def set_description(self, desc=None, refresh=True):
        return None

    def set_description_str(self, desc=None, refresh=True):
        return None

    def set_postfix(self, ordered_dict=None, refresh=True, **kwargs):
        return None

    def set_postfix_str(self, s="", refresh=True):
        return None

    def __getattr__(self, name):
        return unknown("a property of a progress bar")

    @staticmethod
    def write(s, file=None, end="\n", nolock=False):
        return None

    @staticmethod
    def pandas(*args, **kwargs):
        return None


def trange(*args, **kwargs):
    return tqdm(range(*args), **kwargs)


tqdm_notebook = tqdm
tnrange = trange
