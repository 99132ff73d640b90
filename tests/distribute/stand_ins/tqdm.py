"""Stands in for tqdm where it is not installed: it iterates, and shows a line unless it is disabled."""


class tqdm:
    def __init__(self, iterable, disable=False, **_):
        self.iterable, self.disable = iterable, disable
        if not disable:
            print("progress", flush=True)

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return len(self.iterable)

    def set_postfix(self, **_):
        pass

    def set_description(self, *_):
        pass

    @staticmethod
    def write(text):
        print(text, flush=True)
