//! What the files declare: roles, labels, choreographic classes with their methods, and plain code.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use pytrope_semantic::{Definition, DefinitionKind, ModuleNames, ScopeId, Scopes};
use pytrope_source::tree::{ExprId, ExprKind, FunctionDefinition, StmtId, StmtKind};
use pytrope_source::{SourceFile, Span, TextRange, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::attribute_stores::AttributeStores;
use crate::located::Located;
use crate::meanings::Meanings;
use crate::role::{RoleId, RoleSet};
use crate::unroll::SourceMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u32);

/// Every file of a projection and every choreographic class in them.
#[derive(Default)]
pub struct World {
    pub units: Vec<Rc<Unit>>,
    pub classes: Vec<ChoreographicClass>,
}

impl World {
    pub fn class(&self, id: ClassId) -> &ChoreographicClass {
        &self.classes[id.0 as usize]
    }

    pub fn unit(&self, id: UnitId) -> &Rc<Unit> {
        &self.units[id.0 as usize]
    }

    /// A class and its bases, nearest first, each with the roles its formal roles have in the first.
    pub fn lineage(&self, id: ClassId) -> Vec<(ClassId, Vec<RoleId>)> {
        let own = (0..self.class(id).roles.len() as u8).map(RoleId).collect();
        let mut found: Vec<(ClassId, Vec<RoleId>)> = vec![(id, own)];
        let mut at = 0;
        while at < found.len() {
            let (class, roles) = found[at].clone();
            for base in &self.class(class).bases {
                let mapped = base.roles.iter().map(|role| roles[role.index()]).collect();
                if !found.iter().any(|(seen, _)| *seen == base.class) {
                    found.push((base.class, mapped));
                }
            }
            at += 1;
        }
        found
    }

    /// The method a name means on an instance, with the class that defines it and its roles.
    pub fn find_method(&self, class: ClassId, name: &str) -> Option<(ClassId, Vec<RoleId>, &Method)> {
        self.lineage(class).into_iter().find_map(|(class, roles)| {
            let method = self.class(class).methods.get(name)?;
            Some((class, roles, method))
        })
    }

    pub fn is_subclass(&self, class: ClassId, of: ClassId) -> bool {
        self.lineage(class).iter().any(|(base, _)| *base == of)
    }
}

/// One source file.
pub struct Unit {
    pub id: UnitId,
    pub file: Arc<SourceFile>,
    pub tree: Tree,
    pub scopes: Scopes,
    /// What is bound where.
    pub names: Rc<ModuleNames>,
    /// What the names of the module mean to the projector.
    pub meanings: Meanings,
    /// Role classes, with the place of their declaration.
    pub roles: IndexMap<String, TextRange>,
    /// Those of them that any number of processes play.
    pub families: FxHashSet<String>,
    pub enums: IndexMap<String, Enum>,
    /// Statements of the module that are plain code, in order.
    pub items: Vec<PlainItem>,
    pub docstring: Option<TextRange>,
    /// All expressions by start, outer before inner.
    pub order: Vec<ExprId>,
    pub comments: Vec<TextRange>,
    /// Where the text comes from, if loops were written out in it.
    pub source_map: Option<SourceMap>,
    /// The project's own files that `from … import` statements name.
    pub sources: FxHashMap<StmtId, UnitId>,
    /// The project's own files that functions import by name, by the names that they bind.
    pub local_modules: FxHashMap<String, UnitId>,
    pub stores: AttributeStores,
}

/// The scopes of a file, and what its names are bound to.
pub(crate) fn names_of(tree: &Tree, file: &SourceFile) -> (Scopes, Rc<ModuleNames>) {
    let scopes = Scopes::of(tree, file.text().len() as u32);
    let module = Path::new(file.path()).file_stem().unwrap_or_default().to_string_lossy();
    let names = ModuleNames::of(tree, &scopes, &module, false);
    (scopes, Rc::new(names))
}

impl Unit {
    pub fn source_text(&self, range: TextRange) -> &str {
        self.file.slice(range)
    }

    pub fn expr_text(&self, expr: ExprId) -> &str {
        self.source_text(self.tree[expr].range)
    }

    /// A place as the user knows it.
    pub fn span(&self, range: TextRange) -> Span {
        match &self.source_map {
            None => Span::new(&self.file, range),
            Some(map) => Span::new(&map.original, map.original_range(range)),
        }
    }

    /// The file as the user knows it.
    pub fn original_file(&self) -> &Arc<SourceFile> {
        self.source_map.as_ref().map_or(&self.file, |map| &map.original)
    }

    /// `name` or `module.name` as written, if an expression is one.
    pub fn dotted_path(&self, expr: ExprId) -> Option<String> {
        Some(self.tree.dotted(expr)?.join("."))
    }

    /// What a name means, or a name of an imported file of the project.
    pub fn binding(&self, expr: ExprId) -> Option<&Meaning> {
        let path = self.dotted_path(expr)?;
        self.is_of_module(expr).then(|| self.meanings.get(&path)).flatten()
    }

    /// Whether the first name of a path is one of the module, or of no scope at all.
    pub fn is_of_module(&self, expr: ExprId) -> bool {
        let mut root = expr;
        while let ExprKind::Attribute { value, .. } = self.tree[root].kind {
            root = value;
        }
        self.names.owner_of_use(root).is_none_or(|owner| owner == ScopeId::MODULE)
    }

    /// The annotations that a variable or parameter is declared with, where it is read.
    pub fn annotations_of(&self, read: ExprId) -> Vec<ExprId> {
        let (Some(name), Some(owner)) = (self.tree.as_name(read), self.names.owner_of_use(read)) else {
            return Vec::new();
        };
        let definitions = self.names.definitions_of(owner, self.tree.text(name)).iter();
        definitions.filter_map(|&id| self.annotation_of(self.names.definition(id))).collect()
    }

    pub fn annotation_of(&self, definition: &Definition) -> Option<ExprId> {
        match (self.tree[definition.stmt].kind, &definition.kind) {
            (StmtKind::AnnAssign { annotation, .. }, _) => Some(annotation),
            (StmtKind::FunctionDef(function), DefinitionKind::Parameter(i)) => {
                let parameters = function.parameters;
                let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
                lists.into_iter().flat_map(|list| &self.tree[list]).nth(*i)?.annotation
            }
            _ => None,
        }
    }

    /// A role's name: `Client` also where it is written `other.Client`, or in quotes before it is declared.
    pub fn role_name(&self, expr: ExprId) -> &str {
        match self.tree[expr].kind {
            ExprKind::Str(text) => return self.tree.text(text),
            ExprKind::Starred { value, .. } => return self.role_name(value),
            _ => {}
        }
        match (self.binding(expr), self.tree.dotted(expr).as_deref()) {
            (Some(Meaning::Role), Some([.., last])) => last,
            _ => self.expr_text(expr),
        }
    }

    /// The expressions inside a range, outer before inner.
    pub fn exprs_within(&self, range: TextRange) -> impl Iterator<Item = ExprId> + '_ {
        let first = self.order.partition_point(|&expr| self.tree[expr].range.start < range.start);
        self.order[first..]
            .iter()
            .copied()
            .take_while(move |&expr| self.tree[expr].range.start < range.end)
            .filter(move |&expr| self.tree[expr].range.end <= range.end)
    }
}

/// What a name of a module means to the projector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A name of `pytrope.choreo`, such as `At`.
    Surface(Surface),
    Role,
    Choreography(ClassId),
    /// A function over roles, as the class that stands for it.
    RoleFunction(ClassId),
    Enum,
    /// A function of the module: plain code.
    Function(StmtId),
    /// A class that is not choreographic: plain code.
    PlainClass(StmtId),
    /// A module-level variable bound once to a literal that cannot change.
    Constant,
    /// `Price = At[int, Seller]`, `type Secret[R: Role] = At[str, R]`: a located type by name.
    Alias {
        unit: UnitId,
        stmt: StmtId,
    },
    /// `import math` and the like: the module's full name.
    Module(String),
    Other,
}

/// A name of the choreography library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surface {
    Role,
    At,
    On,
    Channel,
    DiChannel,
    /// A role that any number of processes play.
    Family,
    /// The channels between one role and each member of a family.
    Star,
    /// The channels between the members of a family.
    Mesh,
    /// `Ch` (any number of roles) or `Ch1` to `Ch10`.
    Ch(Option<u8>),
    /// The module itself.
    Library,
    Other,
}

#[derive(Clone, Default)]
pub struct Enum {
    pub members: Vec<String>,
    /// Members with the value of an earlier one, which Python takes for the same member.
    pub aliases: Vec<(String, String)>,
    /// These are all its values: it is no set of flags, and every member is an assignment to a name.
    pub closed: bool,
    /// The values of all members are literals that cannot change.
    pub constant: bool,
    /// The class statement, in the file that has it.
    pub place: Option<(UnitId, StmtId)>,
}

/// A statement of the module that is plain code.
pub struct PlainItem {
    pub stmt: StmtId,
    pub binds: Vec<String>,
    pub uses: Vec<String>,
    pub kind: ItemKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemKind {
    Import,
    /// A definition or constant: kept where it is used.
    Definition,
    /// Code run for its effect: kept everywhere.
    Effect,
    /// `type X = …`, written as an assignment since the output is for Python 3.11.
    TypeAlias,
}

/// A class whose instances live at several roles.
pub struct ChoreographicClass {
    pub id: ClassId,
    pub unit: UnitId,
    pub stmt: StmtId,
    pub name: String,
    pub roles: Vec<String>,
    /// The roles that any number of processes play.
    pub families: RoleSet,
    /// For a class with type parameters: which of them are the roles, in the order of `roles`.
    pub role_positions: Option<Vec<usize>>,
    pub bases: Vec<Base>,
    /// Bases that are plain classes, such as `ABC`.
    pub plain_bases: Vec<ExprId>,
    pub methods: IndexMap<String, Method>,
    pub dataclass: bool,
    /// It stands for a function of the module: its only method is the function, as a static `__call__`.
    pub function: bool,
    /// Defined by `Protocol`: any class with its methods serves.
    pub protocol: bool,
    /// Class-level `name: At[…]` and `name = …`, in order.
    pub attributes: IndexMap<String, Attribute>,
    pub docstring: Option<TextRange>,
}

impl ChoreographicClass {
    pub fn role_set(&self) -> RoleSet {
        RoleSet::first_roles(self.roles.len())
    }

    pub fn role_by_name(&self, name: &str) -> Option<RoleId> {
        let position = self.roles.iter().position(|role| role == name)?;
        Some(RoleId(position as u8))
    }

    /// A method as messages call it: `Shop.buy`, or the name of a function of the module.
    pub fn method_title(&self, method: &str) -> String {
        if self.function { self.name.clone() } else { format!("{}.{method}", self.name) }
    }

    /// The class's name in the program of one of its roles.
    pub fn projected_name(&self, role: RoleId) -> String {
        format!("{}_{}", self.name, self.roles[role.index()])
    }
}

pub struct Base {
    pub class: ClassId,
    pub roles: Vec<RoleId>,
}

pub struct Attribute {
    pub stmt: StmtId,
    pub range: TextRange,
    pub located: Located,
    pub annotated: bool,
    pub annotation: Option<ExprId>,
    pub value: Option<ExprId>,
}

pub struct Method {
    pub stmt: StmtId,
    pub name: String,
    pub function: FunctionDefinition,
    pub kind: MethodKind,
    pub parameters: Vec<MethodParameter>,
    /// The annotated result; `None` without an annotation.
    pub returns: Option<Located>,
    /// Plain code in a choreographic class: usable at any role.
    pub plain: bool,
    pub docstring: Option<TextRange>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MethodKind {
    Instance,
    Static,
    Class,
    Property,
}

pub struct MethodParameter {
    pub name: String,
    pub range: TextRange,
    pub located: Located,
    pub annotation: Option<ExprId>,
    pub default: Option<ExprId>,
    pub kind: ParameterKind,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ParameterKind {
    PositionalOnly,
    Regular,
    Spread,
    KeywordOnly,
    KeywordSpread,
}
