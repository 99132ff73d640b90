"""torch.utils.data: datasets, loaders and the batches they give."""

from _pytrope import (
    deep_copy,
    dtype_of,
    fresh,
    has_rank,
    havoc,
    is_array,
    is_constant,
    is_unknown,
    proved,
    refuted,
    repeat,
    require,
    shape_of,
    unknown,
)

from ..._make import either, is_tensor, ranked, tensor, tensor_arg, unranked


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
                    f"the tensors of a dataset must have the same first size: {shape_of(parts[0])} and {shape_of(x)}",
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
        if not is_constant(len(self.datasets)) or len(self.datasets) > 4:
            return unknown("an item of one of several datasets")
        item = self.datasets[0][fresh("index")]
        for dataset in self.datasets[1:]:
            item = either(item, dataset[fresh("index")])
        return item


class StackDataset(Dataset):
    def __init__(self, *args, **kwargs):
        self.datasets = kwargs if len(kwargs) > 0 else args

    def __len__(self):
        return len(self.datasets[0]) if isinstance(self.datasets, tuple) else fresh("items")

    def __getitem__(self, index):
        if isinstance(self.datasets, tuple):
            return tuple([dataset[index] for dataset in self.datasets])
        return {name: dataset[index] for name, dataset in self.datasets.items()}


class _Part(Subset):
    """A part of a random split; its items are some of the whole's."""

    def __init__(self, dataset, length):
        self.dataset = dataset
        self.length = length
        self.indices = unknown("a random choice")

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return self.dataset[fresh("index")]


def random_split(dataset, lengths, generator=None):
    if is_unknown(lengths) or not is_constant(len(lengths)):
        return unknown("the parts of a dataset")
    total = 0
    for length in lengths:
        if is_unknown(length):
            return [_Part(dataset, fresh("part")) for _ in lengths]
        if isinstance(length, float):
            return fractions(dataset, lengths)
        total = total + length
    if isinstance(dataset, (TensorDataset, _Part)) or is_constant(len(dataset)):
        require(
            total == len(dataset),
            ValueError,
            f"the lengths add up to {total}, but the dataset has {len(dataset)} items",
        )
    return [_Part(dataset, length) for length in lengths]


def fractions(dataset, lengths):
    """The parts of a split by fractions, whose sizes are rounded."""
    return [_Part(dataset, fresh("part")) for _ in lengths]


class Sampler:
    def __init__(self, data_source=None):
        self.data_source = data_source

    def __len__(self):
        return fresh("samples")

    def __getattr__(self, name):
        return unknown("a property of a sampler")


class RandomSampler(Sampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source


class SequentialSampler(Sampler):
    pass


class SubsetRandomSampler(Sampler):
    def __init__(self, indices, generator=None):
        self.indices = indices


class WeightedRandomSampler(Sampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.num_samples = num_samples


class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        havoc(self.sampler)
        return iter(unknown("the indices of batches"))


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
        if batch_size is not None and not is_unknown(batch_size):
            require(batch_size > 0, ValueError, f"batch_size must be a positive integer, not {batch_size}")
        self.dataset = dataset
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.num_workers = num_workers
        self._samples_itself = sampler is None and batch_sampler is None
        self._has_batch_sampler = batch_sampler is not None
        # One for all epochs: the batches of an epoch have the shapes that those of the last one had.
        self._some_size = fresh("batch")
        require(self._some_size > 0, ValueError, "a batch has an item")
        self.sampler = unknown("the sampler of a loader") if sampler is None else sampler
        self.batch_sampler = unknown("the sampler of a loader") if batch_sampler is None else batch_sampler
        self.collate_fn = collate_fn

    def __len__(self):
        if not self._samples_itself or self.batch_size is None or is_unknown(self.batch_size):
            return fresh("batches")
        count = len(self.dataset)
        if is_unknown(count) or not proved(self.batch_size > 0):
            return fresh("batches")
        if self.drop_last:
            return count // self.batch_size
        return (count + self.batch_size - 1) // self.batch_size

    def __iter__(self):
        if is_unknown(self.dataset) or isinstance(self.dataset, IterableDataset) or is_unknown(self.batch_size):
            return iter(unknown("the batches of a loader"))
        if not isinstance(self.dataset, Dataset) and not isinstance(self.dataset, list):
            return iter(unknown("the batches of a loader"))
        if isinstance(self.dataset, TensorDataset) and self._samples_itself and self.collate_fn is None:
            return self._plain()
        item = self._item()
        if self.batch_size is None and not self._has_batch_sampler:
            return iter(self._items(item))
        return iter(self._batches(item, self._size()))

    def _item(self):
        """One item for all: what a dataset gives for any index, after it may have been asked for others."""
        while unknown("whether another item was requested before"):
            self.dataset[self._index()]
        return self.dataset[self._index()]

    def _index(self):
        index = fresh("index")
        count = len(self.dataset)
        if not is_unknown(count) and not refuted(count > 0):
            require(index < count, IndexError, "the index is out of range for the sampler")
        return index

    def _size(self):
        """The size of each batch: the one given, or what is left when that may be less."""
        if self._has_batch_sampler:
            return self._some_size
        if is_constant(self.drop_last) and self.drop_last:
            return self.batch_size
        count = len(self.dataset)
        if self._samples_itself and is_constant(count) and is_constant(self.batch_size):
            if count % self.batch_size == 0:
                return self.batch_size
            if count < self.batch_size:
                return count
        return self._some_size

    def _collated(self, item, size):
        if self.collate_fn is None:
            return collated(item, size)
        return self.collate_fn(repeat(item, size))

    def _batches(self, item, size):
        """Any number of batches: one object for those of earlier turns, and one for the last."""
        batches = [self._collated(item, size)]
        while unknown("whether there is another batch"):
            batches.append(self._collated(item, size))
        return batches

    def _items(self, item):
        items = [item]
        while unknown("whether there is another item"):
            items.append(deep_copy(item))
        return items

    def _plain(self):
        """Batches of a data set of tensors, listed where they are few."""
        if is_unknown(self.drop_last) or self.batch_size is None:
            return iter(unknown("the batches of a loader"))
        count = len(self.dataset)
        if not is_constant(count) or not is_constant(self.batch_size) or count // self.batch_size > 64:
            return iter(self._many_tensors(self._size()))
        batches = []
        start = 0
        while start < count:
            size = self.batch_size if start + self.batch_size <= count else count - start
            if size == self.batch_size or not self.drop_last:
                batches.append(self._batch(size))
            start = start + self.batch_size
        return iter(batches)

    def _many_tensors(self, size):
        batches = [self._batch(size)]
        while unknown("whether there is another batch"):
            batches.append(self._batch(size))
        return batches

    def _batch(self, size):
        return [
            tensor((size,) + shape_of(x)[1:], dtype_of(x)) if is_tensor(x) and ranked(x) else unranked()
            for x in self.dataset.tensors
        ]


def collated(item, size):
    """What the default collation makes of `size` items like this one."""
    if is_unknown(item):
        return unknown("a batch of unknown items")
    if is_array(item):
        if is_tensor(item):
            return tensor((size,) + shape_of(item), dtype_of(item)) if ranked(item) else unranked(dtype_of(item))
        return tensor((size,) + shape_of(item), dtype_of(item)) if has_rank(shape_of(item)) else unranked()
    if isinstance(item, bool):
        return tensor((size,), "bool")
    if isinstance(item, float):
        return tensor((size,), "float64")
    if isinstance(item, int):
        return tensor((size,), "int64")
    if isinstance(item, str):
        return repeat(item, size)
    if isinstance(item, dict):
        return {key: collated(value, size) for key, value in item.items()}
    if isinstance(item, (tuple, list)) and has_rank(item):
        return [collated(part, size) for part in item]
    return unknown("a batch of items that are no tensors")


def default_collate(batch):
    if is_unknown(batch) or not isinstance(batch, (list, tuple)):
        return unknown("a batch of items")
    if has_rank(batch) and len(batch) > 0:
        return collated(batch[0], len(batch))
    return unknown("a batch of items")


def default_convert(data):
    return unknown("converted data")


def get_worker_info():
    return unknown("the worker")
