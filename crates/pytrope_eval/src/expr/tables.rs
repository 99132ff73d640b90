//! Literals too long to keep item by item: what all their items have in common.

use std::sync::Arc;

use pytrope_source::tree::{ExprId, ExprKind};

use crate::interp::Interp;
use crate::value::{BuiltinType, Reason, Value};

/// What an item of a table looks like.
#[derive(Clone, PartialEq, Debug)]
enum TableItem {
    Int,
    Float,
    /// An integer in some rows and a float in others.
    Number,
    Text,
    List(Vec<TableItem>),
    Tuple(Vec<TableItem>),
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

    fn read_literal_item(&self, element: ExprId) -> Option<TableItem> {
        let tree = &self.current_frame().code.tree;
        match tree[element].kind {
            ExprKind::Int(_) | ExprKind::BigInt(_) => Some(TableItem::Int),
            ExprKind::Float(_) => Some(TableItem::Float),
            ExprKind::Str(_) => Some(TableItem::Text),
            // A negative number.
            ExprKind::UnaryOp { operand, .. } => {
                self.read_literal_item(operand).filter(|item| matches!(item, TableItem::Int | TableItem::Float))
            }
            ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } if elements.len() <= LONGEST_ROW => {
                let row: Option<Vec<TableItem>> =
                    tree[elements].iter().map(|&inner| self.read_literal_item(inner)).collect();
                let is_list = matches!(tree[element].kind, ExprKind::List { .. });
                row.map(|row| if is_list { TableItem::List(row) } else { TableItem::Tuple(row) })
            }
            _ => None,
        }
    }

    fn value_of_item(&mut self, item: &TableItem) -> Value {
        match item {
            // Not a symbol, which would be one integer for all rows.
            TableItem::Int => Value::Top(BuiltinType::Int),
            TableItem::Number => {
                Value::Union(Arc::new(vec![Value::Top(BuiltinType::Int), Value::Top(BuiltinType::Float)]))
            }
            TableItem::Float => Value::Top(BuiltinType::Float),
            TableItem::Text => Value::Top(BuiltinType::Str),
            TableItem::List(row) => {
                let row = row.iter().map(|inner| self.value_of_item(inner)).collect();
                self.new_list(row)
            }
            TableItem::Tuple(row) => Value::tuple(row.iter().map(|inner| self.value_of_item(inner)).collect()),
        }
    }
}

/// What both items are.
fn common_item(a: TableItem, b: TableItem) -> Option<TableItem> {
    match (a, b) {
        (a, b) if a == b => Some(a),
        (
            TableItem::Int | TableItem::Float | TableItem::Number,
            TableItem::Int | TableItem::Float | TableItem::Number,
        ) => Some(TableItem::Number),
        (TableItem::List(a), TableItem::List(b)) if a.len() == b.len() => {
            a.into_iter().zip(b).map(|(a, b)| common_item(a, b)).collect::<Option<_>>().map(TableItem::List)
        }
        (TableItem::Tuple(a), TableItem::Tuple(b)) if a.len() == b.len() => {
            a.into_iter().zip(b).map(|(a, b)| common_item(a, b)).collect::<Option<_>>().map(TableItem::Tuple)
        }
        _ => None,
    }
}
