//! Literals too long to keep item by item: what all their items have in common.

use std::sync::Arc;

use pytrope_source::tree::{ExprId, ExprKind};

use crate::interp::Interp;
use crate::value::{BuiltinType, Reason, Value};

/// What an item of a table looks like.
#[derive(Clone, PartialEq, Debug)]
enum Item {
    Int,
    Float,
    /// An integer in some rows and a float in others.
    Number,
    Text,
    List(Vec<Item>),
    Tuple(Vec<Item>),
}

/// How long the rows of a table may be.
const LONGEST_ROW: usize = 64;

impl Interp<'_> {
    /// One value that stands for every item of a long literal; Unknown unless they are written alike.
    pub(super) fn any_item(&mut self, elements: &[ExprId]) -> Value {
        let unknown = Value::Unknown(Reason::Limit);
        let Some((first, rest)) = elements.split_first() else { return unknown };
        let Some(mut item) = self.read_literal_item(*first) else { return unknown };
        for other in rest {
            let Some(other) = self.read_literal_item(*other).and_then(|other| common_item(item, other)) else {
                return unknown;
            };
            item = other;
        }
        self.value_of_item(&item)
    }

    fn read_literal_item(&self, element: ExprId) -> Option<Item> {
        let tree = &self.current_frame().code.tree;
        match tree[element].kind {
            ExprKind::Int(_) | ExprKind::BigInt(_) => Some(Item::Int),
            ExprKind::Float(_) => Some(Item::Float),
            ExprKind::Str(_) => Some(Item::Text),
            // A negative number.
            ExprKind::UnaryOp { operand, .. } => {
                self.read_literal_item(operand).filter(|item| matches!(item, Item::Int | Item::Float))
            }
            ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } if elements.len() <= LONGEST_ROW => {
                let row: Option<Vec<Item>> =
                    tree[elements].iter().map(|&inner| self.read_literal_item(inner)).collect();
                let is_list = matches!(tree[element].kind, ExprKind::List { .. });
                row.map(|row| if is_list { Item::List(row) } else { Item::Tuple(row) })
            }
            _ => None,
        }
    }

    fn value_of_item(&mut self, item: &Item) -> Value {
        match item {
            // Not a symbol, which would be one integer for all rows.
            Item::Int => Value::Top(BuiltinType::Int),
            Item::Number => Value::Union(Arc::new(vec![Value::Top(BuiltinType::Int), Value::Top(BuiltinType::Float)])),
            Item::Float => Value::Top(BuiltinType::Float),
            Item::Text => Value::Top(BuiltinType::Str),
            Item::List(row) => {
                let row = row.iter().map(|inner| self.value_of_item(inner)).collect();
                self.new_list(row)
            }
            Item::Tuple(row) => Value::tuple(row.iter().map(|inner| self.value_of_item(inner)).collect()),
        }
    }
}

/// What both items are.
fn common_item(a: Item, b: Item) -> Option<Item> {
    match (a, b) {
        (a, b) if a == b => Some(a),
        (Item::Int | Item::Float | Item::Number, Item::Int | Item::Float | Item::Number) => Some(Item::Number),
        (Item::List(a), Item::List(b)) if a.len() == b.len() => {
            a.into_iter().zip(b).map(|(a, b)| common_item(a, b)).collect::<Option<_>>().map(Item::List)
        }
        (Item::Tuple(a), Item::Tuple(b)) if a.len() == b.len() => {
            a.into_iter().zip(b).map(|(a, b)| common_item(a, b)).collect::<Option<_>>().map(Item::Tuple)
        }
        _ => None,
    }
}
