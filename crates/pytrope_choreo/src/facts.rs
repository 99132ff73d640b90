//! What checking learns: the place of every expression, the actions in it, and what each method does.

use indexmap::IndexMap;
use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, StmtId};
use rustc_hash::FxHashMap;

use crate::declaration::{ClassId, Unit, UnitId, World};
use crate::located::{Located, Traits};
use crate::role::{RoleId, RoleSet};
use crate::unroll::Unrolling;

/// Everything learned, per file and per class.
pub struct LocationFacts {
    tables: Vec<Table>,
    pub fields: Vec<IndexMap<String, Field>>,
    pub methods: Vec<IndexMap<String, MethodFacts>>,
    /// The classes whose instances are used as what a protocol asks for.
    pub implementations: Vec<Implementation>,
    /// Loops over channels, to be written out before anything else is learned.
    pub(crate) unrollings: Vec<(UnitId, Unrolling)>,
    /// Methods in which messages pass are coroutines in the programs.
    pub asynchronous: bool,
    /// What is put into containers whose traits where they were made exclude it.
    pub stored: Traits,
}

impl LocationFacts {
    pub fn new(world: &World) -> Self {
        let tables = world
            .units
            .iter()
            .map(|unit| Table {
                info: vec![Info::default(); unit.tree.expr_count()],
                actions: FxHashMap::default(),
                writes: FxHashMap::default(),
                recoveries: FxHashMap::default(),
                strips: Vec::new(),
            })
            .collect();
        let mut fields = Vec::new();
        let mut methods = Vec::new();
        for class in &world.classes {
            let declared = class.attributes.iter().map(|(name, attribute)| {
                let field = Field {
                    located: attribute.located.clone(),
                    annotated: attribute.annotated,
                    range: attribute.range,
                };
                (name.clone(), field)
            });
            fields.push(declared.collect());
            let known = class.methods.values().map(|method| {
                let mut involved = RoleSet::EMPTY;
                for parameter in &method.parameters {
                    involved = involved.union(parameter.located.roles());
                }
                if let Some(returns) = &method.returns {
                    involved = involved.union(returns.roles());
                }
                if method.name == "__init__" {
                    involved = class.role_set();
                }
                let facts = MethodFacts {
                    returns: method.returns.clone().unwrap_or(Located::Unknown),
                    involved,
                    communicates: false,
                    may_raise: false,
                    others_may_raise: false,
                    recovers: false,
                    locals: FxHashMap::default(),
                };
                (method.name.clone(), facts)
            });
            methods.push(known.collect());
        }
        Self {
            tables,
            fields,
            methods,
            implementations: Vec::new(),
            unrollings: Vec::new(),
            asynchronous: false,
            stored: Traits::FROZEN,
        }
    }

    pub fn file_table(&self, unit: UnitId) -> &Table {
        &self.tables[unit.0 as usize]
    }

    pub fn file_tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter()
    }

    pub fn table_mut(&mut self, unit: UnitId) -> &mut Table {
        &mut self.tables[unit.0 as usize]
    }

    /// Whether a method is a coroutine: it, or one that it overrides, communicates in an asyncio projection.
    pub fn is_coroutine(&self, world: &World, class: ClassId, name: &str) -> bool {
        let communicates = |class: ClassId| self.method_facts(class, name).is_some_and(|method| method.communicates);
        self.asynchronous && world.lineage(class).into_iter().any(|(base, _)| communicates(base))
    }

    pub fn method_facts(&self, class: ClassId, name: &str) -> Option<&MethodFacts> {
        self.methods[class.0 as usize].get(name)
    }

    /// A field of an instance, wherever in its lineage it is declared, seen with the instance's own formal roles.
    pub fn field_of_instance(&self, world: &World, class: ClassId, name: &str) -> Option<(Field, Vec<RoleId>)> {
        world.lineage(class).into_iter().find_map(|(class, roles)| {
            let field = self.fields[class.0 as usize].get(name)?;
            Some((field.clone(), roles))
        })
    }
}

pub struct Table {
    pub info: Vec<Info>,
    pub actions: FxHashMap<ExprId, Action>,
    /// Calls and targets that change state of which every role may have a copy.
    pub writes: FxHashMap<ExprId, Vec<ReplicatedWrite>>,
    /// The `try` statements from which all roles recover.
    pub recoveries: FxHashMap<StmtId, Recovery>,
    /// Role markers (`@ A()`) that projected text leaves out.
    pub strips: Vec<TextRange>,
}

impl Table {
    pub fn info_of(&self, expr: ExprId) -> &Info {
        &self.info[expr.index()]
    }

    /// The roles that have values in a range of the source.
    pub fn roles_in(&self, unit: &Unit, range: TextRange) -> RoleSet {
        unit.exprs_within(range).fold(RoleSet::EMPTY, |roles, expr| {
            let info = self.info_of(expr);
            let own = match &info.located {
                Located::At(at) => at.roles,
                _ => RoleSet::EMPTY,
            };
            roles.union(own).union(info.acts)
        })
    }

    pub fn action_of(&self, expr: ExprId) -> Option<&Action> {
        self.actions.get(&expr)
    }
}

/// What a call or an assignment changes at every role that has a copy of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplicatedWrite {
    /// What a variable holds, which has no other name: roles that do not use the variable need not have it.
    Variable(String),
    /// State that other names may lead to, as written; every role has it.
    Shared(String),
}

#[derive(Clone, Debug)]
pub struct Info {
    pub located: Located,
    /// The roles that communicate or call choreographic methods in the expression.
    pub acts: RoleSet,
    /// Messages pass while it is evaluated.
    pub communicates: bool,
    /// The projected text differs from the source by more than role markers.
    pub rewritten: bool,
    /// The roles that have a copy of what the value is, or is part of.
    pub holders: RoleSet,
}

impl Default for Info {
    fn default() -> Self {
        Self {
            located: Located::Unknown,
            acts: RoleSet::EMPTY,
            communicates: false,
            rewritten: false,
            holders: RoleSet::EMPTY,
        }
    }
}

/// How the roles of a `try` agree to recover.
#[derive(Clone, Debug)]
pub struct Recovery {
    /// The channels between them, as written, with their ends.
    pub channels: Vec<(String, RoleId, RoleId)>,
    /// How many channels the farthest two roles are apart.
    pub rounds: usize,
    /// The class that the handler catches.
    pub class: ExprId,
}

/// A class that serves as a protocol without being derived from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Implementation {
    pub class: ClassId,
    pub protocol: ClassId,
    /// The role of the class that plays each role of the protocol.
    pub roles: Vec<RoleId>,
}

/// What an expression does across roles.
#[derive(Clone, Debug)]
pub enum Action {
    Com {
        channel: ExprId,
        sender: RoleId,
        receiver: RoleId,
        value: ExprId,
        pattern: CensusOperation,
    },
    Select {
        channel: ExprId,
        sender: RoleId,
        receiver: RoleId,
        label: Label,
    },
    Construct {
        class: ClassId,
        roles: Vec<RoleId>,
        arguments: Vec<Argument>,
        /// `cls` in a class method, which may be a subclass.
        callee: Option<ExprId>,
    },
    /// `Cls[B, A]` in front of a static or class method: the projection of the class.
    NameClass {
        class: ClassId,
        roles: Vec<RoleId>,
    },
    /// A call of a choreographic method that was passed as a value.
    Apply {
        function: ExprId,
        roles: RoleSet,
        arguments: Vec<Argument>,
    },
    Invoke {
        /// The object called on, or the class; `None` for `super()`.
        receiver: Option<ExprId>,
        class: ClassId,
        method: String,
        roles: Vec<RoleId>,
        arguments: Vec<Argument>,
    },
    /// The class that a handler catches, where all roles recover in it: the place of their agreement.
    Recover,
    /// `value @ A()`: its text is the value's.
    Locate {
        value: ExprId,
    },
}

/// How many processes a communication joins, and who gets what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CensusOperation {
    /// From one to one.
    Point,
    /// From the middle of a star to every member, the same to each.
    Broadcast,
    /// From the middle to every member, to each its own item.
    Scatter,
    /// From the middle to every member; the middle keeps a copy too.
    Share,
    /// From every member to the middle, in the order of the members.
    Gather,
    /// From every member to the middle, which goes on with what arrives first.
    First,
    /// From every member to every member.
    AllGather,
    /// From every member to every member, to each its own item.
    AllToAll,
    /// From every member to the next one, and from the last to the first.
    Shift,
}

impl CensusOperation {
    /// The pattern of a method of a star or a mesh.
    pub fn from_method_name(name: &str) -> Option<Self> {
        Some(match name {
            "broadcast" => Self::Broadcast,
            "scatter" => Self::Scatter,
            "share" => Self::Share,
            "gather" => Self::Gather,
            "first" => Self::First,
            "allgather" => Self::AllGather,
            "alltoall" => Self::AllToAll,
            "shift" => Self::Shift,
            _ => return None,
        })
    }

    /// What the sender calls; a member of a star sends as on a channel of its own.
    pub const fn sending_method(self) -> &'static str {
        match self {
            Self::Point | Self::Gather | Self::First => "send",
            Self::Broadcast => "broadcast",
            Self::Scatter => "scatter",
            Self::Share => "share",
            Self::AllGather => "allgather",
            Self::AllToAll => "alltoall",
            Self::Shift => "shift",
        }
    }

    /// What the receiver calls.
    pub const fn receiving_method(self) -> &'static str {
        match self {
            Self::Point | Self::Broadcast | Self::Scatter | Self::Share => "recv",
            Self::Gather => "gather",
            Self::First => "first",
            Self::AllGather | Self::AllToAll | Self::Shift => self.sending_method(),
        }
    }

    /// Whether members of a family talk among themselves.
    pub const fn is_on_mesh(self) -> bool {
        matches!(self, Self::AllGather | Self::AllToAll | Self::Shift)
    }

    /// Whether the sender's call has a value of its own.
    pub const fn returns_to_sender(self) -> bool {
        matches!(self, Self::Share | Self::AllGather | Self::AllToAll | Self::Shift)
    }
}

/// An enum member as written: `Answer.OK`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub class: String,
    pub member: String,
}

impl Label {
    pub fn source_text(&self) -> String {
        format!("{}.{}", self.class, self.member)
    }
}

/// An argument of a choreographic call, in source order.
#[derive(Clone, Debug)]
pub struct Argument {
    pub value: ExprId,
    pub keyword: Option<String>,
    /// The parameter's place, in the caller's roles.
    pub located: Located,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub located: Located,
    pub annotated: bool,
    pub range: TextRange,
}

#[derive(Clone, Debug)]
pub struct MethodFacts {
    pub returns: Located,
    /// The roles that take part: the method exists in their programs.
    pub involved: RoleSet,
    pub communicates: bool,
    /// A `raise` at some role may leave it.
    pub may_raise: bool,
    /// An override, or another class of the same protocol, may raise.
    pub others_may_raise: bool,
    /// All roles of a `try` in it, or in what it calls, may recover.
    pub recovers: bool,
    pub locals: FxHashMap<String, Local>,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub located: Located,
    pub annotated: bool,
    pub range: TextRange,
}
