//! Located types: where a value lives, the only thing about it that projection needs.

use crate::declaration::{ClassId, World};
use crate::role::{RoleId, RoleSet};

/// Where the value of an expression lives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Located {
    /// Not inferred (yet).
    Unknown,
    /// The result of a choreographic method that returns nothing.
    Nothing,
    /// A literal, a constant, plain code: every role can compute it.
    Free(Free),
    /// A value of its own at each of some roles.
    At(At),
    /// A tuple whose parts live at different roles.
    Tuple(Vec<Located>),
    /// An instance of a choreographic class.
    Object {
        class: ClassId,
        roles: Vec<RoleId>,
    },
    Channel(Channel),
    /// A choreographic method as a value: each of the roles that it concerns has its part of it.
    Function {
        parameters: Vec<Located>,
        returns: Box<Located>,
    },
}

/// A value that belongs to no role in particular: every role that uses it has a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Free {
    /// Every role computes the same value.
    pub certain: bool,
    pub traits: Traits,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    pub roles: RoleSet,
    pub traits: Traits,
}

/// What is known of a value's type, as far as copies of it at several roles could come to differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits {
    /// The value cannot be changed in place.
    pub frozen: bool,
    /// What it holds cannot be changed in place: a `list[int]` can change, its items cannot.
    pub frozen_items: bool,
    /// Equal values are gone through in the same order: not so for sets, whose order depends on the process.
    pub ordered: bool,
    /// Equal values have the same text: not so for functions, and for objects that are shown by their address.
    pub shown: bool,
}

impl Traits {
    pub const FROZEN: Self = Self { frozen: true, frozen_items: true, ordered: true, shown: true };
    /// A container of values that cannot change.
    pub const CONTAINER: Self = Self { frozen: false, frozen_items: true, ordered: true, shown: true };
    /// A value that can change, down to its last part; it has an order.
    pub const OPAQUE: Self = Self { frozen: false, frozen_items: false, ordered: true, shown: true };
    /// A value of unknown type.
    pub const UNKNOWN: Self = Self { frozen: false, frozen_items: false, ordered: false, shown: false };
    /// A function or a class: calling it changes nothing that roles could have copies of.
    pub const CODE: Self = Self { shown: false, ..Self::FROZEN };
    /// A function of which its type alone is known: calling it may change what it has captured.
    pub const FUNCTION: Self = Self { ordered: true, ..Self::UNKNOWN };

    pub const fn both(self, other: Self) -> Self {
        Self {
            frozen: self.frozen && other.frozen,
            frozen_items: self.frozen_items && other.frozen_items,
            ordered: self.ordered && other.ordered,
            shown: self.shown && other.shown,
        }
    }

    /// The traits of what such a value holds.
    pub const fn of_items(self) -> Self {
        if self.frozen_items {
            Self { shown: self.shown, ..Self::FROZEN }
        } else {
            Self { frozen: false, frozen_items: false, ..self }
        }
    }

    /// The traits of a new container of such values.
    pub const fn of_container(self) -> Self {
        // Sets are looked at one by one: an item that has no order is not known like one that cannot change.
        Self { frozen: false, frozen_items: self.frozen && self.ordered, ..self }
    }
}

/// A channel between two roles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    pub from: RoleId,
    pub to: RoleId,
    /// Only `from` may send.
    pub directed: bool,
    pub shape: ChannelShape,
}

/// How many processes a channel joins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelShape {
    /// Two.
    Pair,
    /// One, `from`, and each member of a family, `to`.
    Star,
    /// All members of a family with each other; it is both ends.
    Mesh,
}

impl Channel {
    pub fn ends(self) -> RoleSet {
        RoleSet::of_role(self.from).union(RoleSet::of_role(self.to))
    }

    pub fn other_end(self, role: RoleId) -> RoleId {
        if role == self.from { self.to } else { self.from }
    }
}

impl Located {
    pub const CONSTANT: Self = Self::Free(Free { certain: true, traits: Traits::FROZEN });
    /// The result of plain code that may give each role something else.
    pub const OPEN: Self = Self::Free(Free { certain: false, traits: Traits::OPAQUE });

    pub const fn at(roles: RoleSet, traits: Traits) -> Self {
        Self::At(At { roles, traits })
    }

    /// What is known of the value's type; of a tuple, what holds for all its parts.
    pub fn traits(&self) -> Traits {
        match self {
            Self::Free(free) => free.traits,
            Self::At(at) => at.traits,
            Self::Tuple(parts) => parts.iter().fold(Traits::FROZEN, |traits, part| traits.both(part.traits())),
            Self::Unknown | Self::Nothing | Self::Object { .. } | Self::Channel(_) | Self::Function { .. } => {
                Traits::FROZEN
            }
        }
    }

    pub fn set_traits(&mut self, traits: Traits) {
        match self {
            Self::Free(free) => free.traits = traits,
            Self::At(at) => at.traits = traits,
            Self::Unknown
            | Self::Nothing
            | Self::Tuple(_)
            | Self::Object { .. }
            | Self::Channel(_)
            | Self::Function { .. } => {}
        }
    }

    /// The roles that hold the value or a part of it; none for a free value.
    pub fn roles(&self) -> RoleSet {
        match self {
            Self::Unknown | Self::Nothing | Self::Free(_) => RoleSet::EMPTY,
            Self::At(at) => at.roles,
            Self::Tuple(parts) => parts.iter().fold(RoleSet::EMPTY, |roles, part| roles.union(part.roles())),
            Self::Object { roles, .. } => roles.iter().copied().collect(),
            Self::Channel(channel) => channel.ends(),
            Self::Function { parameters, returns } => {
                parameters.iter().fold(returns.roles(), |roles, parameter| roles.union(parameter.roles()))
            }
        }
    }

    /// Whether two values have their parts at the same roles, whatever their traits.
    pub fn has_places_of(&self, other: &Self) -> bool {
        let all = |left: &[Self], right: &[Self]| {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.has_places_of(right))
        };
        match (self, other) {
            (Self::Unknown, _)
            | (_, Self::Unknown)
            | (Self::Nothing, Self::Nothing)
            | (Self::Free(_), Self::Free(_)) => true,
            (Self::At(left), Self::At(right)) => left.roles == right.roles,
            (Self::Tuple(left), Self::Tuple(right)) => all(left, right),
            (Self::Object { .. }, Self::Object { .. }) | (Self::Channel(_), Self::Channel(_)) => self == other,
            (
                Self::Function { parameters: left, returns: left_result },
                Self::Function { parameters: right, returns: right_result },
            ) => all(left, right) && left_result.has_places_of(right_result),
            _ => false,
        }
    }

    /// Whether a role has this value or a part of it.
    pub fn is_at(&self, role: RoleId) -> bool {
        matches!(self, Self::Free(_)) || self.roles().contains(role)
    }

    /// The type of a plain value: a tuple whose parts share a role is a value at that role.
    pub fn as_plain(&self) -> Option<Self> {
        match self {
            Self::Free(_) | Self::At(_) => Some(self.clone()),
            Self::Tuple(parts) => {
                let mut roles: Option<RoleSet> = None;
                let mut traits = Traits::FROZEN;
                let mut certain = true;
                for part in parts {
                    match part.as_plain()? {
                        Self::At(at) => {
                            let meet = roles.map_or(at.roles, |roles| roles.intersection(at.roles));
                            roles = Some(meet);
                            traits = traits.both(at.traits);
                        }
                        Self::Free(free) => {
                            traits = traits.both(free.traits);
                            certain &= free.certain;
                        }
                        _ => return None,
                    }
                }
                match roles {
                    None => Some(Self::Free(Free { certain, traits })),
                    Some(roles) if roles.is_empty() => None,
                    Some(roles) => Some(Self::at(roles, traits)),
                }
            }
            Self::Unknown | Self::Nothing | Self::Object { .. } | Self::Channel(_) | Self::Function { .. } => None,
        }
    }

    /// The type seen from a user of the class, who gave it `actual` roles.
    pub fn substitute_roles(&self, actual: &[RoleId]) -> Self {
        let role = |role: RoleId| actual.get(role.index()).copied().unwrap_or(role);
        match self {
            Self::Unknown | Self::Nothing | Self::Free(_) => self.clone(),
            Self::At(at) => Self::at(at.roles.substitute_roles(actual), at.traits),
            Self::Tuple(parts) => Self::Tuple(parts.iter().map(|part| part.substitute_roles(actual)).collect()),
            Self::Object { class, roles } => {
                Self::Object { class: *class, roles: roles.iter().map(|&r| role(r)).collect() }
            }
            Self::Channel(channel) => {
                Self::Channel(Channel { from: role(channel.from), to: role(channel.to), ..*channel })
            }
            Self::Function { parameters, returns } => Self::Function {
                parameters: parameters.iter().map(|parameter| parameter.substitute_roles(actual)).collect(),
                returns: Box::new(returns.substitute_roles(actual)),
            },
        }
    }

    /// The type seen from a class with the roles `all` that gave `actual` ones to another: what has no role there, each role that
    /// plays in the other class has a copy of, and no further role has one.
    pub fn seen_from(&self, actual: &[RoleId], all: RoleSet) -> Self {
        let own: RoleSet = actual.iter().copied().collect();
        let seen = self.substitute_roles(actual);
        if own == all { seen } else { seen.confined_to(own) }
    }

    fn confined_to(self, roles: RoleSet) -> Self {
        match self {
            Self::Free(Free { certain: true, traits }) => Self::at(roles, traits),
            Self::Tuple(parts) => Self::Tuple(parts.into_iter().map(|part| part.confined_to(roles)).collect()),
            other => other,
        }
    }

    /// The type in words, for messages: `a value at A`, `Mergesort[B, C, A]`.
    pub fn describe_location(&self, names: &[String], world: &World) -> String {
        let name = |role: RoleId| names.get(role.index()).map_or("?", String::as_str);
        match self {
            Self::Unknown => "a value of unknown place".to_owned(),
            Self::Nothing => "nothing".to_owned(),
            Self::Free(_) => "a value of no role".to_owned(),
            Self::At(at) => format!("a value at {}", at.roles.describe_roles(names)),
            Self::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.describe_location(names, world)).collect();
                format!("({})", parts.join(", "))
            }
            Self::Object { class, roles } => {
                let roles: Vec<&str> = roles.iter().map(|&role| name(role)).collect();
                format!("{}[{}]", world.class(*class).name, roles.join(", "))
            }
            Self::Channel(channel) => match channel.shape {
                ChannelShape::Pair => {
                    let arrow = if channel.directed { "to" } else { "and" };
                    format!("a channel between {} {arrow} {}", name(channel.from), name(channel.to))
                }
                ChannelShape::Star => format!("a star of {} and {}", name(channel.from), name(channel.to)),
                ChannelShape::Mesh => format!("a mesh of {}", name(channel.from)),
            },
            Self::Function { parameters, returns } => {
                let parameters: Vec<String> =
                    parameters.iter().map(|part| part.describe_location(names, world)).collect();
                format!("a function from ({}) to {}", parameters.join(", "), returns.describe_location(names, world))
            }
        }
    }
}
