"""torch.utils.data: datasets, loaders and the batches they give."""

from _pytrope import dtype_of, fresh, is_constant, is_unknown, require, shape_of, unknown

from ..._make import tensor_arg, is_tensor, ranked, tensor, unranked


class Dataset:
    def __getitem__(self, index):
        raise NotImplementedError("the dataset has no __getitem__")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    def __iter__(self):
        return iter(unknown("the items of a dataset"))


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        parts = [tensor_arg(x) for x in tensors]
        for x in parts:
            if ranked(x) and ranked(parts[0]):
                require(
                    len(shape_of(x)) > 0 and shape_of(x)[0] == shape_of(parts[0])[0],
                    AssertionError,
                    f"the tensors of a dataset have one first size: {shape_of(parts[0])} and {shape_of(x)}",
                    rule="shape-argument",
                )
        self.tensors = tuple(parts)

    def __getitem__(self, index):
        return tuple([x[index] for x in self.tensors])

    def __len__(self):
        return self.tensors[0].size(0)


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index):
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)

    def __len__(self):
        return sum([len(dataset) for dataset in self.datasets])

    def __getitem__(self, index):
        return unknown("an item of one of several datasets")


class _Part(Subset):
    """A part of a random split; its items are some of the whole's."""

    def __init__(self, dataset, length):
        self.dataset = dataset
        self.length = length
        self.indices = unknown("a random choice")

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return self.dataset[index] if isinstance(self.dataset, TensorDataset) else unknown("an item")


def random_split(dataset, lengths, generator=None):
    if is_unknown(lengths) or not is_constant(len(lengths)):
        return unknown("the parts of a dataset")
    total = 0
    fractions = False
    for length in lengths:
        if isinstance(length, float):
            fractions = True
        total = total + length
    if fractions:
        return [_Part(dataset, fresh("part")) for _ in lengths]
    if isinstance(dataset, (TensorDataset, _Part)):
        require(
            total == len(dataset),
            ValueError,
            f"the lengths add up to {total}, and the dataset has {len(dataset)} items",
        )
    return [_Part(dataset, length) for length in lengths]


class Sampler:
    def __init__(self, data_source=None):
        self.data_source = data_source


class RandomSampler(Sampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source


class SequentialSampler(Sampler):
    pass


class DataLoader:
    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=None,
        sampler=None,
        batch_sampler=None,
        num_workers=0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        timeout=0,
        worker_init_fn=None,
        multiprocessing_context=None,
        generator=None,
        **options,
    ):
        if is_constant(batch_size) and batch_size is not None:
            require(batch_size > 0, ValueError, f"batch_size is a positive integer, not {batch_size}")
        self.dataset = dataset
        self.batch_size = batch_size
        self.drop_last = drop_last
        self._samples_itself = sampler is None and batch_sampler is None
        self.sampler = unknown("the sampler of a loader") if sampler is None else sampler
        self.batch_sampler = unknown("the sampler of a loader") if batch_sampler is None else batch_sampler
        self.collate_fn = collate_fn

    def _plain(self):
        """Whether the batches are those of the default sampler and collation."""
        if self.batch_size is None or not self._samples_itself or self.collate_fn is not None:
            return False
        return isinstance(self.dataset, TensorDataset)

    def __len__(self):
        if not self._samples_itself or self.batch_size is None or is_unknown(self.batch_size):
            return fresh("batches")
        count = len(self.dataset)
        if self.drop_last:
            return count // self.batch_size
        return (count + self.batch_size - 1) // self.batch_size

    def __iter__(self):
        if not self._plain() or is_unknown(self.batch_size) or is_unknown(self.drop_last):
            return iter(unknown("the batches of a loader"))
        count = len(self.dataset)
        if not is_constant(count) or not is_constant(self.batch_size) or count // self.batch_size > 64:
            return iter(self._endless(count))
        batches = []
        start = 0
        while start < count:
            size = self.batch_size if start + self.batch_size <= count else count - start
            if size == self.batch_size or not self.drop_last:
                batches.append(self._batch(size))
            start = start + self.batch_size
        return iter(batches)

    def _endless(self, count):
        """Too many batches to list: each has the batch size, or what is left when that may be less."""
        size = self.batch_size
        if not self.drop_last and not (is_constant(count) and is_constant(size) and count % size == 0):
            size = fresh("batch")
        while unknown("whether there is another batch"):
            yield self._batch(size)

    def _batch(self, size):
        return [
            tensor((size,) + shape_of(x)[1:], dtype_of(x)) if is_tensor(x) and ranked(x) else unranked()
            for x in self.dataset.tensors
        ]


def default_collate(batch):
    return unknown("a batch of items")


def get_worker_info():
    return unknown("the worker")
