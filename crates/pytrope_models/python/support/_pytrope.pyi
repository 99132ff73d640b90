"""What model files stand on: the primitives of the module `_pytrope`, which exists in the interpreter alone.

A model is Python that the interpreter reads like any other module; these functions are the only ones in it that are not
Python. `docs/models.md` shows how a model is written. A test compares this file with the interpreter's table.

Conventions: a *shape* is a tuple of sizes (integers or symbols), or open where the rank is not known; a *dtype* is
a name such as `"float64"`; *values* are the elements in row-major order; Unknown is a value like others, and a
primitive that is given one answers Unknown or False, never an error.
"""

from collections.abc import Callable, Sequence
from typing import Any

# Arrays

def array(cls: type, shape: Any, dtype: str | None = None, values: Sequence[Any] | None = None) -> Any:
    """A new array object of a model class. A shape that is Unknown leaves the rank open; an array in its place
    lends its shape as far as that is known."""

def shape_of(a: Any) -> tuple[int, ...]:
    """The shape of an array; a tuple of unknown length if the rank is open, Unknown for what is no array."""

def last_sizes_of(a: Any) -> tuple[int, ...]:
    """What is known at the end of a shape whose rank is open; empty if nothing is."""

def dtype_of(a: Any) -> str:
    """The name of an array's element type, or Unknown."""

def values_of(a: Any) -> list[Any] | None:
    """All elements of an array, or None if one of them is not known exactly."""

def has_values(*operands: Any) -> bool:
    """Whether something is known of the elements of every array among the operands. Always decided."""

def set_shape(a: Any, shape: Any) -> None:
    """Changes the shape in place, as `a.shape = …` and `a.resize_` do."""

def set_last_sizes(a: Any, sizes: tuple[int, ...]) -> None:
    """Leaves the rank open and says the last sizes."""

def set_dtype(a: Any, dtype: str) -> None:
    """Changes the element type in place."""

def set_values(a: Any, values: Sequence[Any] | None) -> None:
    """Changes the elements in place; None forgets them."""

def view_of(view: Any, base: Any) -> Any:
    """Says that two arrays share memory: a store through one forgets the elements of the other. Gives the view."""

def perhaps_same(result: Any, x: Any) -> Any:
    """Says that the result may be `x` itself, if that is an array like it. Gives the result."""

def is_array(x: Any, cls: type | None = None) -> bool:
    """Whether a value is an array (of a model class, or one that derives from it). Decided for everything but
    Unknown."""

def array_test(module: str, name: str, /) -> Callable[[Any], bool]:
    """`is_array` with a class of another module, which is found when it is asked for: the modules that a class is made
    from cannot import it."""

def array_maker(module: str, name: str, /) -> Callable[..., Any]:
    """`array` with such a class."""

def array_arg(x: Any, cls: type) -> Any:
    """The argument of an operation that takes arrays of this class alone. A parameter of code that nothing calls is
    such an array from here on, of open rank, wherever it is held; everything else is given back as it is."""

def size_arg(x: Any, least: int = 0) -> Any:
    """The argument of an operation that takes integers alone, from `least` on, or a tuple of such arguments. A
    parameter of code that is not called is such an integer from here on, and what is computed from one is not less
    than `least`; everything else is given back as it is."""

def learn_last_sizes(a: Any, sizes: tuple[int, ...]) -> None:
    """What an operation requires of an array of which nothing else is known: its rank stays open, and these are its
    last sizes."""

def learn_rank(a: Any, rank: int) -> None:
    """What an operation requires of an array of open rank: it has this many axes, and so have all that share it."""

def assume_rank(a: Any, rank: int) -> None:
    """What an array of open rank has as a rule. Believed only where shapes are shown and nothing is reported."""

def share_rank(made: Any, x: Any) -> Any:
    """Says that an operation has made an array with as many axes as `x` has, where that number is open: what settles
    one settles both. Gives what it made."""

def relate_rank(made: Any, x: Any, more: int = 0) -> Any:
    """Says that an operation has made an array with `more` axes than `x` has, if one rank is open: what settles one
    rank settles both. Nothing is said of the sizes. Gives what it made."""

def count_axes(made: Any, sizes: Any) -> Any:
    """Says that an operation has made an array with as many axes as there are sizes, where their number depends on the
    rank of another array (`x.shape[:-1]`). Gives what it made."""

def is_assuming() -> bool:
    """Whether shapes are shown and nothing is reported, so that what is usual may be assumed. Always decided."""

def open_broadcast(made: Any, a: Any, b: Any) -> Any:
    """Says that an array has the shape that two operands broadcast to, one of them of open rank. Gives the array."""

def make(array_class: type, scalar_classes: Any, shape: Any, dtype: str, values: Any) -> Any:
    """An array or, at rank 0, a scalar of the class that belongs to the element type."""

# Shapes of operations, with their errors: `error` is the exception class that a misfit raises

def array_like(x: Any) -> tuple[Any, Any, Any]:
    """`(shape, dtype, values)` of arrays, numbers and nested sequences. Ragged sequences fail; the shape is Unknown
    when `x` may be anything."""

def nested_shape(x: Any) -> tuple[Any, Any, Any]:
    """Another name of `array_like`."""

def alike(xs: Any) -> tuple[Any, Any, Any] | None:
    """`(shape, dtype, length)` of the items of a list or tuple whose length is not known, if they are arrays of one
    shape and dtype; None otherwise."""

def broadcast(*shapes: Any, error: type = ..., out: Any = None) -> Any:
    """The common shape of shapes or arrays. With `out`, the result must fit that shape exactly. Arrays are passed
    whole, so that a finding can show where each was made."""

def matmul_shape(a: Any, b: Any, error: type = ...) -> Any:
    """The shape of `a @ b` for shapes or arrays."""

def reshape_shape(old: Any, new: Any, error: type = ..., any_negative: bool = False) -> Any:
    """The shape of `old.reshape(new)`; `old` may be an array. NumPy takes any negative size for -1."""

def index_shape(shape: Any, key: Any, error: type = ...) -> Any:
    """The shape of what a key selects."""

def store_check(shape: Any, key: Any, value_shape: Any, error: type = ..., value: Any = ...) -> None:
    """Requires that a value of a shape (or an array) fits what a key selects."""

def einsum_shape(spec: str, shapes: Sequence[Any], error: type = ...) -> Any:
    """The shape of `einsum(spec, …)`."""

def promote(*dtypes: str) -> str:
    """The common element type by NumPy's rules; Unknown if one is."""

def product(shape: Any) -> int:
    """The number of elements of a shape."""

def has_rank(shape: Any) -> bool:
    """Whether the number of axes is known. Always decided."""

def ranked(x: Any) -> bool:
    """Whether a value is an array whose number of axes is known. Always decided."""

def repeat(item: Any, length: int) -> list[Any]:
    """A list of equal items whose length may be symbolic."""

# Elements

def elements(op: str, dtype: str, shape: Any, *operands: Any) -> list[Any] | None:
    """The elements of an operation's result, or None where one of them is not known."""

def elementwise(base: type, rule: str, op: str, operands: Sequence[Any]) -> Any:
    """`(shape, dtype, values)` of a ufunc's result; Unknown when an operand may be anything or is an array of another
    library (whose class does not derive from `base`)."""

def result_dtype(rule: str, dtypes: Sequence[str]) -> str:
    """The element type that a ufunc of a rule yields."""

# Knowledge

def unknown(reason: str) -> Any:
    """A value of which nothing is known; the reason is shown to people. When in doubt, this."""

def is_unknown(x: Any) -> bool:
    """Whether nothing is known of a value. Always decided, forks nothing."""

def is_constant(x: Any) -> bool:
    """Whether a value is one known constant (numbers, strings, tuples of such). Always decided."""

def proved(cond: Any) -> bool:
    """Whether a condition certainly holds. Always decided; an open condition is not proved."""

def refuted(cond: Any) -> bool:
    """Whether a condition certainly fails. Always decided; an open condition is not refuted."""

def fresh(name: str = ...) -> int:
    """A new size, any natural number; shown as `?` until it is bound to a name."""

def some(cls: type, name: str | None = None) -> Any:
    """Any instance of a built-in class. An integer is shown by the name: `some(int, "width")`."""

def compute(name: str, *args: Any) -> Any:
    """A pure function of the standard library on constants: `compute("math.sqrt", 2.0)`."""

def setting(name: str, default: Any) -> Any:
    """A mode of a library that calls change for all that run after them: what the program has set, or the default.
    Unknown where paths disagree."""

def set_setting(name: str, value: Any, default: Any) -> None:
    """Changes a mode of a library."""

def is_uncalled() -> bool:
    """Whether this is the run of a function that the program does not call, so that its callers decide about modes.
    Always decided."""

def is_untracked() -> bool:
    """Whether marks that depend on modes are left alone: in functions that the program does not call, and where an
    entry is the whole program, of which shapes alone are asked. Always decided."""

# Requirements

def require(
    cond: Any,
    error: type,
    message: str,
    rule: str = "shape-argument",
    *,
    help: str | None = None,
    within: tuple[str, int, int, str] | None = None,
) -> None:
    """The hinge between library and finding. Proved: nothing happens. Refuted: the exception is raised, and is a
    finding at the user's call if nothing may catch it. Open: a fact for what follows, a constraint of `migrate`, a
    warning of `--possible`. `within=(text, start, end, label)` also points at a part of a string that the call is given
    as a literal."""

def warn(rule: str, message: str, *, help: str | None = None) -> None:
    """Something suspicious that runs: a warning at the user's call, and what to do about it."""

# Objects

def set_attrs(obj: Any, listed_in: str = ..., /, **attrs: Any) -> None:
    """Stores attributes in one step, as `object.__setattr__` does; a subclass of the program with a `__setattr__`
    of its own is asked for each. With `listed_in`, the name of a dictionary that the object has, they are entered
    there too (`"_parameters"` of a `torch.nn.Module`)."""

def own_attributes(instance: Any) -> dict[str, Any]:
    """What an instance itself holds, in a new dictionary; Unknown where it may hold more."""

def update_own_attributes(instance: Any, entries: dict[str, Any]) -> None:
    """Stores attributes as `instance.__dict__.update(entries)` does: no `__setattr__` is asked."""

def delete_own_attribute(instance: Any, name: str) -> None:
    """Deletes an attribute if the instance has it; no `__delattr__` is asked."""

def plain_mapping(x: Any) -> Any:
    """The entries of a mapping that a model writes (its `_pytrope_entries`), everything else itself."""

def set_module_attr(module: Any, name: str, value: Any, module_class: type, parameter_class: type, /) -> bool:
    """What `torch.nn.Module.__setattr__` comes to where it is clear what the value is: stores it, lists modules in
    `_modules`, and gives True. False, and nothing done, where something else may have a say."""

def may_hold(d: dict[Any, Any], key: Any) -> None:
    """Says that a dictionary may have got an entry of which nothing is known."""

def deep_copy(x: Any) -> Any:
    """Containers and plain instances with copies of what they hold, arrays by their own `__deepcopy__`, members of
    enumerations themselves; Unknown for other objects."""

def copy_of_other_member(x: Any) -> Any:
    """As `deep_copy`, of what another member of a family of roles has in this one's place: sizes that only hints at
    the family name may be others there."""

def shallow_copy(instance: Any) -> Any:
    """Another instance of the same class with the same attributes; None for what copies itself in its own way or is no
    plain instance."""

def dataclass(cls: type, init: bool, kw_only: bool) -> None:
    """Marks a class whose instances are constructed from the annotated fields, if `init` says so."""

def fields_of(x: Any) -> tuple[tuple[str, bool, bool, Any, bool, Any], ...] | bool:
    """`(name, taken by the constructor, has a default, default, has a factory, factory)` for each field of a data
    class or of an instance of one; False for what is none, Unknown where that is not known."""

def loaded_module(name: str) -> Any:
    """The module of this name if its import has begun; Unknown otherwise."""

def closed_world() -> bool:
    """Whether an entry is the whole program, so that nothing else runs beside it."""

def havoc(x: Any) -> None:
    """The library may change what it is given in ways that are not modelled: what is known of it is forgotten."""

def regex_matches(pattern: str, text: str, mode: str) -> tuple[tuple[str | None, ...], tuple[Any, ...]]:
    """`(names, matches)` of a regular expression of Python in a text: a name or None for each group, and for each match
    `(start, end)` or None for each group, the whole match first. Modes are `"match"`, `"fullmatch"`, `"search"` and
    `"all"`. Unknown where the engine may read the pattern differently from Python."""

def regex_groups(pattern: str) -> tuple[str | None, ...] | str:
    """A name or None for each group of a regular expression; a text that says why Python refuses it; Unknown where that
    depends on flags."""

def json_problem(text: str) -> str | None:
    """Why Python's `json` refuses a document; None where it takes it, or where that is not clear."""

def pattern_tokens(pattern: str) -> tuple[tuple[str, int, int], ...]:
    """`(word, start, end)` for each word, bracket, comma, star and arrow of an einops pattern."""

# Functions

def lifted(
    converter: Callable[..., Any],
    *parameters: str,
    known: tuple[str, ...] = (),
    constant: tuple[str, ...] = (),
    ranked: bool = False,
    otherwise: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator of model functions, so that a body holds the rule and nothing else. Each parameter named is
    replaced by `converter(argument)`, which gets `name=` too if it has such a parameter. The body is not run, and
    `otherwise(*converted)` (without it, Unknown) is the result, if one of the converted is Unknown, if `ranked` and one
    of them has no known rank, if a parameter in `known` is Unknown, or one in `constant` is no constant."""

def call_back(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function of the program with exactly what the library gives it. That it does not take these arguments is
    a TypeError of the program; with a plain call it would count as a defect of the model."""

def compiled(function: Callable[..., Any]) -> Any:
    """A library makes something else of the function by rules of its own: Unknown, and nothing is said about its
    body."""

def parameters_of(function: Any) -> tuple[tuple[str, Any, bool], ...] | None:
    """`(name, kind, has a default)` for each parameter behind all `__wrapped__`, with the kinds of `inspect.Parameter`;
    None for what is not a function written in Python."""

def leaves_exceptions(function: Any) -> bool:
    """Whether a generator that is made a context manager lets all exceptions of the body pass: it yields where nothing
    can catch them, or where every handler raises again."""

def standard() -> Any:
    """Something of the standard library, otherwise unknown; as a context manager it leaves exceptions alone."""
