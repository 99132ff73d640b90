//! Lowering of expressions, arguments, parameters and strings.

use ruff_python_ast as ast;

use super::{Lowering, convert, pool, range};
use crate::text::TextRange;
use crate::tree::{
    Arguments, BinaryOperator, BoolOperator, Comparison, Comprehension, Context, Conversion, DictItem, ExprId,
    ExprKind, Keyword, List, Parameter, Parameters, ParametersId, Parent, SpreadParameter, StringPart, TypeParam,
    TypeParamKind, UnaryOperator,
};

pub(super) fn binary_operator(op: ast::Operator) -> BinaryOperator {
    match op {
        ast::Operator::Add => BinaryOperator::Add,
        ast::Operator::Sub => BinaryOperator::Sub,
        ast::Operator::Mult => BinaryOperator::Mult,
        ast::Operator::MatMult => BinaryOperator::MatMult,
        ast::Operator::Div => BinaryOperator::Div,
        ast::Operator::Mod => BinaryOperator::Mod,
        ast::Operator::Pow => BinaryOperator::Pow,
        ast::Operator::LShift => BinaryOperator::LShift,
        ast::Operator::RShift => BinaryOperator::RShift,
        ast::Operator::BitOr => BinaryOperator::BitOr,
        ast::Operator::BitXor => BinaryOperator::BitXor,
        ast::Operator::BitAnd => BinaryOperator::BitAnd,
        ast::Operator::FloorDiv => BinaryOperator::FloorDiv,
    }
}

fn unary_operator(op: ast::UnaryOp) -> UnaryOperator {
    match op {
        ast::UnaryOp::Invert => UnaryOperator::Invert,
        ast::UnaryOp::Not => UnaryOperator::Not,
        ast::UnaryOp::UAdd => UnaryOperator::Plus,
        ast::UnaryOp::USub => UnaryOperator::Minus,
    }
}

fn lower_comparison(op: ast::CmpOp) -> Comparison {
    match op {
        ast::CmpOp::Eq => Comparison::Eq,
        ast::CmpOp::NotEq => Comparison::NotEq,
        ast::CmpOp::Lt => Comparison::Lt,
        ast::CmpOp::LtE => Comparison::LtE,
        ast::CmpOp::Gt => Comparison::Gt,
        ast::CmpOp::GtE => Comparison::GtE,
        ast::CmpOp::Is => Comparison::Is,
        ast::CmpOp::IsNot => Comparison::IsNot,
        ast::CmpOp::In => Comparison::In,
        ast::CmpOp::NotIn => Comparison::NotIn,
    }
}

fn lower_context(ctx: ast::ExprContext) -> Context {
    match ctx {
        ast::ExprContext::Load | ast::ExprContext::Invalid => Context::Load,
        ast::ExprContext::Store => Context::Store,
        ast::ExprContext::Del => Context::Del,
    }
}

impl Lowering {
    pub(super) fn expr(&mut self, expr: &ast::Expr, parent: Parent) -> ExprId {
        let id = self.new_expr(range(expr), parent);
        let kind = self.expr_kind(expr, Parent::Expr(id));
        self.tree.exprs[id.index()].kind = kind;
        id
    }

    pub(super) fn optional(&mut self, expr: Option<&ast::Expr>, parent: Parent) -> Option<ExprId> {
        expr.map(|expr| self.expr(expr, parent))
    }

    fn expr_kind(&mut self, expr: &ast::Expr, me: Parent) -> ExprKind {
        match expr {
            ast::Expr::BoolOp(node) => ExprKind::BoolOp {
                op: match node.op {
                    ast::BoolOp::And => BoolOperator::And,
                    ast::BoolOp::Or => BoolOperator::Or,
                },
                values: self.exprs(&node.values, me),
            },
            ast::Expr::Named(node) => {
                ExprKind::Named { target: self.expr(&node.target, me), value: self.expr(&node.value, me) }
            }
            ast::Expr::BinOp(node) => ExprKind::BinOp {
                left: self.expr(&node.left, me),
                op: binary_operator(node.op),
                right: self.expr(&node.right, me),
            },
            ast::Expr::UnaryOp(node) => {
                ExprKind::UnaryOp { op: unary_operator(node.op), operand: self.expr(&node.operand, me) }
            }
            ast::Expr::Lambda(node) => {
                let parameters = match &node.parameters {
                    Some(parameters) => self.parameters(parameters, me),
                    None => Parameters {
                        positional_only: List::EMPTY,
                        regular: List::EMPTY,
                        vararg: None,
                        keyword_only: List::EMPTY,
                        kwarg: None,
                        range: TextRange::at(range(expr).start),
                    },
                };
                let id = ParametersId(self.tree.lambdas.len() as u32);
                self.tree.lambdas.push(parameters);
                ExprKind::Lambda { parameters: id, body: self.expr(&node.body, me) }
            }
            ast::Expr::If(node) => ExprKind::IfExp {
                test: self.expr(&node.test, me),
                body: self.expr(&node.body, me),
                orelse: self.expr(&node.orelse, me),
            },
            ast::Expr::Dict(node) => {
                let mut items = Vec::with_capacity(node.items.len());
                for item in &node.items {
                    let key = self.optional(item.key.as_ref(), me);
                    items.push(DictItem { key, value: self.expr(&item.value, me) });
                }
                ExprKind::Dict { items: pool!(self.dict_items, items) }
            }
            ast::Expr::Set(node) => ExprKind::Set { elements: self.exprs(&node.elts, me) },
            ast::Expr::ListComp(node) => ExprKind::ListComp {
                element: self.expr(&node.elt, me),
                generators: self.comprehensions(&node.generators, me),
            },
            ast::Expr::SetComp(node) => ExprKind::SetComp {
                element: self.expr(&node.elt, me),
                generators: self.comprehensions(&node.generators, me),
            },
            ast::Expr::DictComp(node) => ExprKind::DictComp {
                key: self.optional(node.key.as_deref(), me),
                value: self.expr(&node.value, me),
                generators: self.comprehensions(&node.generators, me),
            },
            ast::Expr::Generator(node) => ExprKind::Generator {
                element: self.expr(&node.elt, me),
                generators: self.comprehensions(&node.generators, me),
            },
            ast::Expr::Await(node) => ExprKind::Await { value: self.expr(&node.value, me) },
            ast::Expr::Yield(node) => ExprKind::Yield { value: self.optional(node.value.as_deref(), me) },
            ast::Expr::YieldFrom(node) => ExprKind::YieldFrom { value: self.expr(&node.value, me) },
            ast::Expr::Compare(node) => ExprKind::Compare {
                left: self.expr(&node.left, me),
                ops: pool!(self.comparisons, node.ops.iter().map(|op| lower_comparison(*op))),
                comparators: self.exprs(&node.comparators, me),
            },
            ast::Expr::Call(node) => {
                ExprKind::Call { function: self.expr(&node.func, me), arguments: self.arguments(&node.arguments, me) }
            }
            ast::Expr::FString(node) => {
                let mut parts = Vec::new();
                for part in &node.value {
                    match part {
                        ast::FStringPart::Literal(literal) => {
                            parts.push(StringPart::Literal(self.intern(&literal.value)));
                        }
                        ast::FStringPart::FString(string) => {
                            self.string_parts(&string.elements, me, &mut parts);
                        }
                    }
                }
                ExprKind::FString { parts: pool!(self.string_parts, parts) }
            }
            ast::Expr::TString(node) => {
                let mut parts = Vec::new();
                for part in node.value.as_slice() {
                    self.string_parts(&part.elements, me, &mut parts);
                }
                ExprKind::TString { parts: pool!(self.string_parts, parts) }
            }
            ast::Expr::StringLiteral(node) => ExprKind::Str(self.intern(node.value.to_str())),
            ast::Expr::BytesLiteral(node) => {
                let text: String = node.value.bytes().map(char::from).collect();
                ExprKind::Bytes(self.intern(&text))
            }
            ast::Expr::NumberLiteral(node) => match &node.value {
                ast::Number::Int(value) => match value.as_i64() {
                    Some(small) => ExprKind::Int(small),
                    None => ExprKind::BigInt(self.intern(&value.to_string().replace('_', "").to_lowercase())),
                },
                ast::Number::Float(value) => ExprKind::Float(*value),
                ast::Number::Complex { imag, .. } => ExprKind::Imaginary(*imag),
            },
            ast::Expr::BooleanLiteral(node) => ExprKind::Bool(node.value),
            ast::Expr::NoneLiteral(_) => ExprKind::None,
            ast::Expr::EllipsisLiteral(_) => ExprKind::Ellipsis,
            ast::Expr::Attribute(node) => ExprKind::Attribute {
                value: self.expr(&node.value, me),
                attribute: self.identifier(&node.attr),
                context: lower_context(node.ctx),
            },
            ast::Expr::Subscript(node) => ExprKind::Subscript {
                value: self.expr(&node.value, me),
                index: self.expr(&node.slice, me),
                context: lower_context(node.ctx),
            },
            ast::Expr::Starred(node) => {
                ExprKind::Starred { value: self.expr(&node.value, me), context: lower_context(node.ctx) }
            }
            ast::Expr::Name(node) => {
                ExprKind::Name { name: self.intern(node.id.as_str()), context: lower_context(node.ctx) }
            }
            ast::Expr::List(node) => {
                ExprKind::List { elements: self.exprs(&node.elts, me), context: lower_context(node.ctx) }
            }
            ast::Expr::Tuple(node) => ExprKind::Tuple {
                elements: self.exprs(&node.elts, me),
                context: lower_context(node.ctx),
                parenthesized: node.parenthesized,
            },
            ast::Expr::Slice(node) => ExprKind::Slice {
                lower: self.optional(node.lower.as_deref(), me),
                upper: self.optional(node.upper.as_deref(), me),
                step: self.optional(node.step.as_deref(), me),
            },
            ast::Expr::IpyEscapeCommand(node) => ExprKind::IpyEscape(self.intern(&node.value)),
        }
    }

    fn comprehensions(&mut self, generators: &[ast::Comprehension], me: Parent) -> List<Comprehension> {
        let mut items = Vec::with_capacity(generators.len());
        for generator in generators {
            items.push(Comprehension {
                target: self.expr(&generator.target, me),
                iter: self.expr(&generator.iter, me),
                conditions: self.exprs(&generator.ifs, me),
                is_async: generator.is_async,
                range: range(generator),
            });
        }
        pool!(self.comprehensions, items)
    }

    pub(super) fn arguments(&mut self, arguments: &ast::Arguments, me: Parent) -> Arguments {
        let positional = self.exprs(&arguments.args, me);
        let mut keywords = Vec::with_capacity(arguments.keywords.len());
        for keyword in &arguments.keywords {
            keywords.push(Keyword {
                name: keyword.arg.as_ref().map(|name| self.identifier(name)),
                value: self.expr(&keyword.value, me),
                range: range(keyword),
            });
        }
        Arguments { positional, keywords: pool!(self.keywords, keywords), range: range(arguments) }
    }

    fn string_parts(&mut self, elements: &ast::InterpolatedStringElements, me: Parent, parts: &mut Vec<StringPart>) {
        for element in elements {
            match element {
                ast::InterpolatedStringElement::Literal(literal) => {
                    parts.push(StringPart::Literal(self.intern(&literal.value)));
                }
                ast::InterpolatedStringElement::Interpolation(node) => {
                    let value = self.expr(&node.expression, me);
                    let format = node.format_spec.as_ref().map(|spec| {
                        let mut inner = Vec::new();
                        self.string_parts(&spec.elements, me, &mut inner);
                        pool!(self.string_parts, inner)
                    });
                    let debug = node.debug_text.as_ref().map(|debug| {
                        let shown = format!("{}{}{}", debug.leading(), debug.expression(), debug.trailing());
                        self.intern(&shown)
                    });
                    let conversion = match node.conversion {
                        ast::ConversionFlag::None => Conversion::None,
                        ast::ConversionFlag::Str => Conversion::Str,
                        ast::ConversionFlag::Ascii => Conversion::Ascii,
                        ast::ConversionFlag::Repr => Conversion::Repr,
                    };
                    parts.push(StringPart::Interpolation { value, conversion, format, debug });
                }
            }
        }
    }

    pub(super) fn parameters(&mut self, parameters: &ast::Parameters, me: Parent) -> Parameters {
        Parameters {
            positional_only: self.parameter_list(&parameters.posonlyargs, me),
            regular: self.parameter_list(&parameters.args, me),
            vararg: self.spread(parameters.vararg.as_deref(), me),
            keyword_only: self.parameter_list(&parameters.kwonlyargs, me),
            kwarg: self.spread(parameters.kwarg.as_deref(), me),
            range: range(parameters),
        }
    }

    fn parameter_list(&mut self, list: &[ast::ParameterWithDefault], me: Parent) -> List<Parameter> {
        let mut items = Vec::with_capacity(list.len());
        for item in list {
            items.push(Parameter {
                name: self.identifier(&item.parameter.name),
                annotation: self.optional(item.parameter.annotation.as_deref(), me),
                default: self.optional(item.default.as_deref(), me),
                range: convert(item.range),
            });
        }
        pool!(self.parameters, items)
    }

    fn spread(&mut self, parameter: Option<&ast::Parameter>, me: Parent) -> Option<SpreadParameter> {
        parameter.map(|parameter| SpreadParameter {
            name: self.identifier(&parameter.name),
            annotation: self.optional(parameter.annotation.as_deref(), me),
            range: range(parameter),
        })
    }

    pub(super) fn type_params(&mut self, params: Option<&ast::TypeParams>, me: Parent) -> List<TypeParam> {
        let mut items = Vec::new();
        for param in params.into_iter().flat_map(|params| &params.type_params) {
            let (name, kind, bound, default) = match param {
                ast::TypeParam::TypeVar(node) => {
                    (&node.name, TypeParamKind::TypeVar, node.bound.as_deref(), node.default.as_deref())
                }
                ast::TypeParam::TypeVarTuple(node) => {
                    (&node.name, TypeParamKind::TypeVarTuple, None, node.default.as_deref())
                }
                ast::TypeParam::ParamSpec(node) => {
                    (&node.name, TypeParamKind::ParamSpec, None, node.default.as_deref())
                }
            };
            items.push(TypeParam {
                name: self.identifier(name),
                kind,
                bound: self.optional(bound, me),
                default: self.optional(default, me),
                range: range(param),
            });
        }
        pool!(self.type_params, items)
    }
}
