//! What a type says about copies at several roles: whether they can change, and whether they have an order.

use pytrope_source::Tree;
use pytrope_source::tree::{ClassDefinition, ExprId, ExprKind, StmtId, StmtKind};

use crate::attribute_stores::{holds_frozen, is_exception_base, is_stored_into, stores_declared};
use crate::declaration::{Meaning, Unit, World};
use crate::located::Traits;
use crate::surface;

/// Types whose values cannot be changed in place.
const FROZEN: &[&str] = &[
    "Decimal",
    "Fraction",
    "Literal",
    "None",
    "Path",
    "PurePath",
    "UUID",
    "bool",
    "bytes",
    "complex",
    "date",
    "datetime",
    "float",
    "int",
    "range",
    "slice",
    "str",
    "timedelta",
    "type",
];

/// Containers that can change, whose items are the type's arguments.
const CONTAINERS: &[&str] = &[
    "Counter",
    "DefaultDict",
    "Deque",
    "Dict",
    "List",
    "Mapping",
    "MutableMapping",
    "MutableSequence",
    "OrderedDict",
    "Sequence",
    "bytearray",
    "defaultdict",
    "deque",
    "dict",
    "list",
];

/// Types whose values, or those of some of their subtypes, have no order that processes agree on.
const UNORDERED: &[&str] = &[
    "AbstractSet",
    "Any",
    "Collection",
    "Container",
    "FrozenSet",
    "Iterable",
    "Iterator",
    "MutableSet",
    "Set",
    "frozenset",
    "object",
    "set",
];

/// Libraries whose types may be those of copies: looking at their values changes nothing, but for those below.
const KNOWN_TYPES: &[&str] = &[
    "abc",
    "array",
    "collections",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "ipaddress",
    "jaxtyping",
    "numbers",
    "numpy",
    "pathlib",
    "pydantic",
    "pytrope",
    "re",
    "string",
    "torch",
    "types",
    "typing",
    "typing_extensions",
    "uuid",
    "zoneinfo",
];

/// Types of these libraries whose values change by being gone through or looked at, or stand for something of one process.
const RESTLESS_TYPES: &[&str] = &[
    "AsyncGenerator",
    "AsyncIterator",
    "Awaitable",
    "BinaryIO",
    "ContextManager",
    "Coroutine",
    "DataLoader",
    "DefaultDict",
    "FrameType",
    "Generator",
    "GeneratorType",
    "IO",
    "Iterator",
    "ModuleType",
    "TextIO",
    "TracebackType",
    "defaultdict",
    "memmap",
    "nditer",
];

/// Whether values of a library's type may be copies at several roles: a closed list.
pub(crate) fn is_known_type(path: &str) -> bool {
    let module = path.split('.').next().unwrap_or_default();
    let last = path.rsplit('.').next().unwrap_or_default();
    KNOWN_TYPES.contains(&module) && !RESTLESS_TYPES.contains(&last) && !path.contains(".random.")
}

/// Classes in classes beyond this are taken to be changeable.
const DEPTH: usize = 8;

/// What the type that an annotation names says about its values.
pub(crate) fn traits_of(world: &World, unit: &Unit, annotation: ExprId) -> Traits {
    read_traits(world, unit, annotation, DEPTH)
}

fn read_traits(world: &World, unit: &Unit, annotation: ExprId, depth: usize) -> Traits {
    let tree = &unit.tree;
    match tree[annotation].kind {
        ExprKind::None | ExprKind::Ellipsis => Traits::FROZEN,
        ExprKind::Name { .. } | ExprKind::Attribute { .. } => named_traits(world, unit, annotation, depth),
        ExprKind::BinOp { left, right, .. } => {
            read_traits(world, unit, left, depth).both(read_traits(world, unit, right, depth))
        }
        ExprKind::Subscript { value, index, .. } => {
            let name = tree.dotted(value).and_then(|parts| parts.last().copied()).unwrap_or_default();
            match name {
                "Literal" => return Traits::FROZEN,
                "Callable" => return Traits::FUNCTION,
                "type" | "Type" => return Traits::CODE,
                _ => {}
            }
            let parts = surface::subscript_elements(unit, index);
            let arguments =
                parts.iter().fold(Traits::FROZEN, |traits, &part| traits.both(read_traits(world, unit, part, depth)));
            match name {
                "tuple" | "Tuple" => Traits { frozen_items: arguments.frozen, ..arguments },
                "Optional" | "Final" | "Annotated" | "ClassVar" => arguments,
                "frozenset" | "FrozenSet" => Traits { ordered: false, ..arguments },
                _ if UNORDERED.contains(&name) => Traits { ordered: false, ..arguments.of_container() },
                _ if CONTAINERS.contains(&name) => arguments.of_container(),
                _ => Traits::OPAQUE,
            }
        }
        ExprKind::Str(_) => quoted_traits(world, unit, unit.expr_text(annotation), depth),
        _ => Traits::UNKNOWN,
    }
}

/// What a type that is written as a text says: `"Temp"`, `"list[Node]"`.
fn quoted_traits(world: &World, unit: &Unit, text: &str, depth: usize) -> Traits {
    let words =
        || text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty());
    let known = |word: &str| match unit.meanings.get(word) {
        Some(Meaning::Enum) if is_changed_enum(world, unit, word) => Traits::OPAQUE,
        Some(Meaning::Enum) => Traits::FROZEN,
        Some(Meaning::PlainClass(stmt)) => match unit.tree[*stmt].kind {
            StmtKind::ClassDef(class) if depth > 0 => class_traits(world, unit, class, depth - 1),
            _ => Traits::OPAQUE,
        },
        Some(_) => Traits::UNKNOWN,
        None if FROZEN.contains(&word) => Traits::FROZEN,
        None if UNORDERED.contains(&word) => Traits::UNKNOWN,
        None => Traits::OPAQUE,
    };
    let found = words().fold(Traits::FROZEN, |found, word| found.both(known(word)));
    if words().count() == 1 { found } else { Traits { frozen: false, frozen_items: false, ..found } }
}

fn named_traits(world: &World, unit: &Unit, annotation: ExprId, depth: usize) -> Traits {
    let name = unit.tree.dotted(annotation).and_then(|parts| parts.last().copied()).unwrap_or_default();
    match unit.binding(annotation) {
        Some(Meaning::Enum) => {
            let changes = unit.dotted_path(annotation).is_some_and(|path| is_changed_enum(world, unit, &path));
            return if changes { Traits::OPAQUE } else { Traits::FROZEN };
        }
        Some(Meaning::PlainClass(stmt)) => {
            return match unit.tree[*stmt].kind {
                StmtKind::ClassDef(class) if depth > 0 => class_traits(world, unit, class, depth - 1),
                _ => Traits::OPAQUE,
            };
        }
        _ => {}
    }
    if let Some(value) = aliased_type(unit, annotation).filter(|_| depth > 0) {
        return read_traits(world, unit, value, depth - 1);
    }
    if name == "Callable" {
        Traits::FUNCTION
    } else if name == "type" {
        Traits::CODE
    } else if FROZEN.contains(&name) {
        Traits::FROZEN
    } else if matches!(name, "bytearray" | "Counter") {
        Traits::CONTAINER
    } else if UNORDERED.contains(&name) || name.is_empty() {
        Traits::UNKNOWN
    } else {
        Traits::OPAQUE
    }
}

/// Whether members of an enum change: code stores attributes into them, or their constructor keeps what can change.
pub(crate) fn is_changed_enum(world: &World, unit: &Unit, path: &str) -> bool {
    let Some((holder, stmt)) = unit.enums.get(path).and_then(|found| found.place) else { return false };
    let holder = if holder == unit.id { unit } else { world.unit(holder) };
    let StmtKind::ClassDef(class) = holder.tree[stmt].kind else { return false };
    is_stored_into(world, holder, class, true) || !holds_frozen(holder, class, true)
}

/// The type that `Board = list[str]` or `type Board = list[str]` gives a name.
fn aliased_type(unit: &Unit, annotation: ExprId) -> Option<ExprId> {
    let name = unit.tree.text(unit.tree.as_name(annotation)?);
    let item = unit.items.iter().find(|item| item.binds.iter().any(|bound| bound == name))?;
    match unit.tree[item.stmt].kind {
        StmtKind::TypeAlias { value, .. } | StmtKind::Assign { value, .. } => Some(value),
        StmtKind::AnnAssign { value, .. } => value,
        _ => None,
    }
}

/// Whether what instances of a class hold is what its body declares: methods store nothing else that can change, bases neither, and no
/// operation gives the instance itself.
fn holds_declared(world: &World, unit: &Unit, class: ClassDefinition, depth: usize) -> bool {
    let tree = &unit.tree;
    let bases = class.arguments.map_or(&[][..], |arguments| &tree[arguments.positional]);
    let known = |base: ExprId| {
        if let Some(Meaning::PlainClass(stmt)) = unit.binding(base) {
            let StmtKind::ClassDef(base) = tree[*stmt].kind else { return false };
            let before = depth > 0 && base.name.range.start < class.name.range.start;
            return before && class_traits(world, unit, base, depth - 1).frozen_items;
        }
        let head = match tree[base].kind {
            ExprKind::Subscript { value, .. } => value,
            _ => base,
        };
        let last = tree.dotted(head).and_then(|parts| parts.last().copied()).unwrap_or_default();
        matches!(last, "ABC" | "Generic" | "Protocol" | "object")
    };
    let gives_frozen = |stmt: StmtId| match tree[stmt].kind {
        StmtKind::FunctionDef(method) => {
            let name = tree.text(method.name.name);
            let is_operation = name.starts_with("__") && !matches!(name, "__init__" | "__new__" | "__post_init__")
                || !tree[method.decorators].is_empty();
            let frozen = |returns| read_traits(world, unit, returns, depth.saturating_sub(1)).frozen;
            !is_operation || method.returns.is_some_and(frozen)
        }
        _ => true,
    };
    bases.iter().all(|&base| known(base))
        && tree[class.body].iter().all(|&stmt| gives_frozen(stmt))
        && stores_declared(unit, class)
}

/// Instances of a frozen dataclass or a named tuple change as little as their fields.
pub(crate) fn class_traits(world: &World, unit: &Unit, class: ClassDefinition, depth: usize) -> Traits {
    let tree = &unit.tree;
    let mut fields = Traits::FROZEN;
    let mut declared = false;
    let lineage = frozen_lineage(unit, class).filter(|_| !is_stored_into(world, unit, class, false));
    let bodies = lineage.iter().flatten().map(|class| class.body);
    let bodies: Vec<_> = if lineage.is_some() { bodies.collect() } else { vec![class.body] };
    for &stmt in bodies.iter().flat_map(|&body| &tree[body]) {
        if let StmtKind::AnnAssign { annotation, .. } = tree[stmt].kind {
            fields = fields.both(read_traits(world, unit, annotation, depth));
            declared = true;
        }
    }
    let bases = class.arguments.map_or(&[][..], |arguments| &tree[arguments.positional]);
    let exception = bases.iter().any(|&base| is_exception_base(unit, base))
        && !is_stored_into(world, unit, class, true)
        && holds_frozen(unit, class, false);
    let shows_itself = tree[class.body].iter().any(|&stmt| {
        matches!(tree[stmt].kind, StmtKind::FunctionDef(function) if tree.text(function.name.name) == "__repr__")
    }) || tree[class.decorators].iter().any(|&decorator| {
        unit.exprs_within(tree[decorator].range)
            .any(|part| tree.dotted(part).is_some_and(|parts| parts.last() == Some(&"dataclass")))
    });
    match (lineage.is_some(), declared) {
        (true, _) => Traits { frozen_items: fields.frozen, ..fields },
        (false, _) if exception => Traits::FROZEN,
        // Without a representation of its own an object is shown by its address.
        (false, true) => {
            let parts = fields.of_container();
            let frozen_items = parts.frozen_items && holds_declared(world, unit, class, depth);
            Traits { shown: shows_itself && fields.shown, frozen_items, ..parts }
        }
        (false, false) => Traits { shown: shows_itself, ..Traits::OPAQUE },
    }
}

/// A frozen dataclass with its bases, which are such classes of the file, or a named tuple; nothing for other classes.
pub(crate) fn frozen_lineage(unit: &Unit, class: ClassDefinition) -> Option<Vec<ClassDefinition>> {
    let tree = &unit.tree;
    let frozen_dataclass = tree[class.decorators].iter().any(|&decorator| match tree[decorator].kind {
        ExprKind::Call { function, arguments } => {
            tree.dotted(function).is_some_and(|parts| parts.last() == Some(&"dataclass"))
                && tree[arguments.keywords].iter().any(|keyword| {
                    keyword.name.is_some_and(|name| tree.text(name.name) == "frozen")
                        && matches!(tree[keyword.value].kind, ExprKind::Bool(true))
                })
        }
        _ => false,
    });
    let bases = class.arguments.map_or(&[][..], |arguments| &tree[arguments.positional]);
    let named_tuple =
        bases.iter().any(|&base| tree.dotted(base).is_some_and(|parts| parts.last() == Some(&"NamedTuple")));
    if named_tuple {
        return Some(vec![class]);
    }
    let mut lineage = vec![class];
    for &base in bases {
        let Some(Meaning::PlainClass(stmt)) = unit.binding(base) else { return None };
        // A class is bound after its bases, unless its own name hides one of them.
        let StmtKind::ClassDef(base) = tree[*stmt].kind else { return None };
        if base.name.range.start >= class.name.range.start {
            return None;
        }
        lineage.extend(frozen_lineage(unit, base)?);
    }
    frozen_dataclass.then_some(lineage)
}

/// Whether a type is built of builtin types whose values cannot change; names of the program are not followed.
pub(crate) fn is_frozen_type(tree: &Tree, annotation: ExprId) -> bool {
    match tree[annotation].kind {
        ExprKind::None | ExprKind::Ellipsis => true,
        ExprKind::Name { name, .. } => FROZEN.contains(&tree.text(name)),
        ExprKind::BinOp { left, right, .. } => is_frozen_type(tree, left) && is_frozen_type(tree, right),
        ExprKind::Subscript { value, index, .. } => {
            let is_tuple = tree.as_name(value).is_some_and(|name| matches!(tree.text(name), "tuple" | "Tuple"));
            is_tuple
                && match tree[index].kind {
                    ExprKind::Tuple { elements, .. } => tree[elements].iter().all(|&part| is_frozen_type(tree, part)),
                    _ => is_frozen_type(tree, index),
                }
        }
        _ => false,
    }
}
