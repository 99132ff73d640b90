"""tf.data: data sets by the shapes of their elements, and the number of elements where it is known."""

from _pytrope import dtype_of, fresh, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from ._make import MODE, converted, ranked, tensor
from ._training import TensorSpec

AUTOTUNE = -1
# How many elements are counted one by one.
LISTED = 64


class Dataset:
    """An element is a tensor, or a tuple or dictionary of them."""

    def __init__(self, elements=None, count=None):
        self._pytrope_elements = unknown("the elements of a data set") if elements is None else elements
        self._pytrope_count = unknown("the length of a data set") if count is None else count

    def __getattr__(self, name):
        return unknown("a part of a data set that is not modelled")

    @staticmethod
    def from_tensor_slices(tensors, name=None):
        sizes = []
        elements = sliced(tensors, sizes)
        if is_unknown(elements):
            return Dataset()
        for size in sizes[1:]:
            if is_constant(size) and is_constant(sizes[0]):
                require(
                    size == sizes[0],
                    ValueError,
                    f"the parts of a data set differ in length: {sizes[0]} ≠ {size}",
                    rule="shape-argument",
                )
        return Dataset(elements, sizes[0])

    @staticmethod
    def from_tensors(tensors, name=None):
        parts = whole(tensors)
        return Dataset() if is_unknown(parts) else Dataset(parts, 1)

    @staticmethod
    def from_generator(generator, *args, output_signature=None, **kwargs):
        if output_signature is None:
            return Dataset()
        return Dataset(specified(output_signature))

    @staticmethod
    def range(*args, **kwargs):
        return Dataset(tensor((), "int64"))

    @staticmethod
    def zip(*datasets, name=None):
        parts = datasets[0] if len(datasets) == 1 else datasets
        if not isinstance(parts, (tuple, list)) or not has_rank(parts):
            return Dataset()
        elements = []
        for part in parts:
            if is_unknown(part) or not isinstance(part, Dataset) or is_unknown(part._pytrope_elements):
                return Dataset()
            elements.append(part._pytrope_elements)
        return Dataset(tuple(elements))

    @staticmethod
    def list_files(*args, **kwargs):
        return Dataset()

    def _pytrope_same(self, count=None):
        return Dataset(self._pytrope_elements, count)

    def batch(self, batch_size, drop_remainder=False, *args, **kwargs):
        if is_unknown(self._pytrope_elements):
            return Dataset()
        size = fresh("batch")
        count = self._pytrope_count
        if is_constant(batch_size) and isinstance(batch_size, int) and batch_size > 0:
            if is_constant(drop_remainder) and drop_remainder:
                size = batch_size
            elif is_constant(count) and count % batch_size == 0:
                size = batch_size
            if is_constant(count):
                batches = count // batch_size
                if count % batch_size != 0 and not (is_constant(drop_remainder) and drop_remainder):
                    batches += 1
                return Dataset(joined(self._pytrope_elements, size), batches)
        return Dataset(joined(self._pytrope_elements, size))

    def padded_batch(self, batch_size, *args, **kwargs):
        return Dataset()

    def unbatch(self, name=None):
        if is_unknown(self._pytrope_elements):
            return Dataset()
        return Dataset(sliced(self._pytrope_elements, []))

    def window(self, size, *args, **kwargs):
        return Dataset()

    def map(self, map_func, num_parallel_calls=None, deterministic=None, *args, **kwargs):
        elements = self._pytrope_elements
        if is_unknown(elements) or is_unknown(map_func):
            return Dataset()
        before = MODE.tracing
        MODE.tracing = True
        try:
            made = map_func(*elements) if isinstance(elements, tuple) else map_func(elements)
        finally:
            MODE.tracing = before
        return Dataset(made, self._pytrope_count)

    def flat_map(self, map_func, name=None):
        return Dataset()

    def interleave(self, map_func, *args, **kwargs):
        return Dataset()

    def apply(self, transformation_func):
        return Dataset()

    def filter(self, predicate, name=None):
        return self._pytrope_same()

    def shuffle(self, buffer_size, *args, **kwargs):
        return self._pytrope_same(self._pytrope_count)

    def prefetch(self, buffer_size, name=None):
        return self._pytrope_same(self._pytrope_count)

    def cache(self, *args, **kwargs):
        return self._pytrope_same(self._pytrope_count)

    def with_options(self, options, name=None):
        return self._pytrope_same(self._pytrope_count)

    def repeat(self, count=None, name=None):
        return self._pytrope_same()

    def take(self, count, name=None):
        own = self._pytrope_count
        if is_constant(own) and is_constant(count) and 0 <= count and count <= own:
            return self._pytrope_same(count)
        return self._pytrope_same()

    def skip(self, count, name=None):
        own = self._pytrope_count
        if is_constant(own) and is_constant(count) and 0 <= count and count <= own:
            return self._pytrope_same(own - count)
        return self._pytrope_same()

    def shard(self, num_shards, index, name=None):
        return self._pytrope_same()

    def enumerate(self, start=0, name=None):
        return Dataset()

    def concatenate(self, dataset, name=None):
        return Dataset()

    @property
    def element_spec(self):
        return unknown("what is known of the elements of a data set")

    def as_numpy_iterator(self):
        return unknown("elements as arrays")

    def cardinality(self, name=None):
        return unknown("the length of a data set")

    def __len__(self):
        own = self._pytrope_count
        return own if is_constant(own) else fresh("length")

    def __iter__(self):
        own = self._pytrope_count
        if is_constant(own) and own <= LISTED:
            return iter([self._pytrope_elements for _ in range(own)])
        return iter(self._pytrope_endless())

    def _pytrope_endless(self):
        while unknown("whether there is another element"):
            yield self._pytrope_elements


def sliced(tensors, sizes):
    """The element that slices of these tensors make; their first sizes are added to `sizes`."""
    if is_unknown(tensors):
        return unknown("unknown tensors")
    if isinstance(tensors, tuple) and not is_array(tensors):
        parts = [sliced(part, sizes) for part in tensors]
        for part in parts:
            if is_unknown(part):
                return unknown("unknown tensors")
        return tuple(parts)
    if isinstance(tensors, dict):
        parts = {name: sliced(part, sizes) for name, part in tensors.items()}
        for part in parts.values():
            if is_unknown(part):
                return unknown("unknown tensors")
        return parts
    x = converted(tensors)
    if is_unknown(x) or not ranked(x) or len(shape_of(x)) == 0:
        return unknown("unknown tensors")
    sizes.append(shape_of(x)[0])
    return tensor(shape_of(x)[1:], dtype_of(x))


def whole(tensors):
    """The element that these tensors are."""
    if isinstance(tensors, tuple) and not is_array(tensors):
        parts = [whole(part) for part in tensors]
        for part in parts:
            if is_unknown(part):
                return unknown("unknown tensors")
        return tuple(parts)
    x = unknown("named tensors") if isinstance(tensors, dict) else converted(tensors)
    return x if is_array(x) and ranked(x) else unknown("unknown tensors")


def specified(signature):
    """The element that specifications describe."""
    if is_unknown(signature):
        return unknown("an unknown specification")
    if isinstance(signature, tuple):
        return tuple([specified(part) for part in signature])
    if isinstance(signature, dict):
        return {name: specified(part) for name, part in signature.items()}
    return signature._pytrope_tensor() if isinstance(signature, TensorSpec) else unknown("an unsupported specification")


def joined(elements, size):
    """Elements with a batch in front."""
    if isinstance(elements, dict):
        return {name: joined(part, size) for name, part in elements.items()}
    if isinstance(elements, tuple):
        return tuple([joined(part, size) for part in elements])
    if is_array(elements) and ranked(elements):
        return tensor((size,) + shape_of(elements), dtype_of(elements))
    return unknown("unknown elements")


def __getattr__(name):
    return unknown(name)
