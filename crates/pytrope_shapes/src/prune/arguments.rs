//! What the entry is run with: what is assumed or annotated, and nothing else.

use std::sync::Arc;

use pytrope_dims::gradual::{DimType, TensorType};
use pytrope_dims::{Dim, Sym};
use pytrope_eval::{BuiltinType, Value};
use pytrope_source::tree::{Comparison, ExprKind, Parameter};

use crate::entry::hints::{self, Said};
use crate::entry::{EntryArgument, EntryConstant, EntrySession, Mentions};

/// The arguments of a run.
pub struct GivenArguments {
    pub arguments: Vec<EntryArgument>,
    /// The sizes that are not numbers.
    pub sizes: Vec<(Sym, i64)>,
    /// Parameters of which neither a shape nor a value is known.
    pub open: Vec<String>,
}

pub fn of(session: &mut EntrySession<'_>, mentions: &Mentions) -> GivenArguments {
    let mut given = GivenArguments { arguments: Vec::new(), sizes: Vec::new(), open: Vec::new() };
    for parameter in session.entry_parameters() {
        let name = session.name_of(&parameter).to_owned();
        let code = Arc::clone(&session.function.code);
        let hint = parameter.annotation.and_then(|annotation| hints::annotated_type(&code.tree, annotation));
        let rank = mentions.ranks.get(&name).copied().or(hint.as_ref().and_then(TensorType::rank));
        let argument = match (mentions.constants.get(&name), rank) {
            (Some(EntryConstant::None), _) => EntryArgument::Constant(Value::None),
            (Some(EntryConstant::Bool(value)), _) => EntryArgument::Constant(Value::Bool(*value)),
            (Some(EntryConstant::Int(value)), _) => EntryArgument::Constant(Value::Int(*value)),
            (None, Some(rank)) => {
                let written = hint.as_ref().and_then(|hint| hint.dims()).unwrap_or(&[]).to_vec();
                let dims = (0..rank).map(|axis| match written.get(axis) {
                    Some(DimType::Size(size)) => Dim::constant(i128::from(*size)),
                    Some(DimType::Dyn) | None => {
                        let (sym, dim) = session.size(&format!("{name}.shape[{axis}]"));
                        session.pin_name(sym);
                        given.sizes.push((sym, 0));
                        dim
                    }
                });
                EntryArgument::Tensor(dims.collect(), None)
            }
            (None, None) if mentions.tensors.contains(&name) || hint.is_some() => EntryArgument::Unranked,
            (None, None) => unassumed_argument(session, &parameter, mentions.present.contains(&name)),
        };
        if matches!(argument, EntryArgument::Unknown | EntryArgument::Unranked) {
            given.open.push(name);
        }
        given.arguments.push(argument);
    }
    given
}

/// A parameter of which nothing is assumed but, perhaps, that it is not None.
fn unassumed_argument(session: &mut EntrySession<'_>, parameter: &Parameter, is_present: bool) -> EntryArgument {
    let code = Arc::clone(&session.function.code);
    let default = parameter.default.map(|default| code.tree[default].kind);
    let Some(annotation) = parameter.annotation else {
        // Without a hint a parameter that must be given is a tensor, unless the code asks what it is.
        return if default.is_none() && !is_asked(session, parameter) {
            EntryArgument::Unranked
        } else {
            EntryArgument::Unknown
        };
    };
    match hints::read_class_annotation(&code.tree, annotation) {
        Said::Tensor if default.is_none() || is_present => EntryArgument::Unranked,
        Said::MaybeTensor if is_present => EntryArgument::Unranked,
        Said::Tensor | Said::MaybeTensor => EntryArgument::Unknown,
        // A hint that the default contradicts (`flag: bool = None`) says nothing.
        Said::Other if matches!(default, Some(ExprKind::None)) => EntryArgument::Unknown,
        Said::Other => match code.tree.as_name(annotation).map(|name| code.tree.text(name)) {
            Some("bool") => EntryArgument::Constant(Value::Top(BuiltinType::Bool)),
            Some("float") => EntryArgument::Constant(Value::Top(BuiltinType::Float)),
            Some("str") => EntryArgument::Constant(Value::Top(BuiltinType::Str)),
            Some("int") => EntryArgument::Constant(session.interp.any_int()),
            _ => EntryArgument::Unknown,
        },
    }
}

/// Whether the function asks what a parameter is: `x is None`, `isinstance(x, …)`, `if x:`.
fn is_asked(session: &EntrySession<'_>, parameter: &Parameter) -> bool {
    let code = &session.function.code;
    let tree = &code.tree;
    let range = code.scope_info(session.function.id).range;
    let is_it = |id| tree.as_name(id) == Some(parameter.name.name);
    tree.expr_ids().filter(|id| range.start <= tree[*id].range.start && tree[*id].range.end <= range.end).any(|id| {
        match tree[id].kind {
            ExprKind::Compare { left, ops, .. } => {
                is_it(left) && matches!(&tree[ops], [Comparison::Is | Comparison::IsNot, ..])
            }
            ExprKind::Call { function, arguments } => {
                let asks = tree.as_name(function).is_some_and(|name| {
                    matches!(tree.text(name), "isinstance" | "hasattr" | "callable" | "type" | "getattr")
                });
                asks && tree[arguments.positional].first().is_some_and(|first| is_it(*first))
            }
            ExprKind::UnaryOp { op: pytrope_source::tree::UnaryOperator::Not, operand } => is_it(operand),
            ExprKind::BoolOp { values, .. } => tree[values].iter().any(|value| is_it(*value)),
            ExprKind::IfExp { test, .. } => is_it(test),
            ExprKind::Name { .. } => {
                is_it(id)
                    && matches!(tree[id].parent, pytrope_source::tree::Parent::Stmt(stmt)
                        if matches!(tree[stmt].kind, pytrope_source::tree::StmtKind::If { .. }))
            }
            _ => false,
        }
    })
}
