//! What is written of each kind of node, field by field.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Stored, StoredReader, Writer};
use crate::scopes::{AttributeStore, ScopeId, ScopeInfo, ScopeKind, Scopes};
use crate::text::TextRange;
use crate::tree::{
    Alias, Arguments, BinaryOperator, BoolOperator, Case, ClassDefinition, Clause, Comparison, Comprehension, Context,
    Conversion, DictItem, Expr, ExprId, ExprKind, FunctionDefinition, Handler, Identifier, Keyword, Parameter,
    Parameters, ParametersId, Parent, Pattern, PatternId, PatternKeyword, PatternKind, SpreadParameter, Stmt, StmtId,
    StmtKind, Str, StringPart, Strings, Tree, TypeParam, TypeParamKind, UnaryOperator, WithItem,
};

/// Numbers of nodes.
macro_rules! ids {
    ($($name:ident),* $(,)?) => {
        $(impl Stored for $name {
            fn write(&self, out: &mut Writer) {
                out.word(self.0);
            }

            #[inline]
            fn read(from: &mut StoredReader) -> Option<Self> {
                from.word().map(Self)
            }
        })*
    };
}

/// Structures, as their fields one after another.
macro_rules! structures {
    ($($name:ident { $($field:ident),* $(,)? })*) => {
        $(impl Stored for $name {
            fn write(&self, out: &mut Writer) {
                $(self.$field.write(out);)*
            }

            #[inline]
            fn read(from: &mut StoredReader) -> Option<Self> {
                Some(Self { $($field: Stored::read(from)?),* })
            }
        })*
    };
}

/// Enumerations: the number of the variant, then its fields. A field is written `name: binding`, so that the positions of
/// tuple variants are fields as well.
macro_rules! enumerations {
    ($($name:ident { $($tag:literal $variant:ident $({ $($field:tt: $bound:ident),* })?),* $(,)? })*) => {
        $(impl Stored for $name {
            fn write(&self, out: &mut Writer) {
                match self {
                    $(Self::$variant { $($($field: $bound),*)? } => {
                        out.word($tag);
                        $($($bound.write(out);)*)?
                    })*
                }
            }

            #[inline]
            fn read(from: &mut StoredReader) -> Option<Self> {
                Some(match from.word()? {
                    $($tag => Self::$variant { $($($field: Stored::read(from)?),*)? },)*
                    _ => return None,
                })
            }
        })*
    };
}

ids! { ExprId, StmtId, PatternId, Str, ParametersId, ScopeId }

structures! {
    TextRange { start, end }
    Expr { kind, range, parent }
    Stmt { kind, range, parent }
    Pattern { kind, range }
    Identifier { name, range }
    DictItem { key, value }
    Comprehension { target, iter, conditions, is_async, range }
    Arguments { positional, keywords, range }
    Keyword { name, value, range }
    Parameters { positional_only, regular, vararg, keyword_only, kwarg, range }
    Parameter { name, annotation, default, range }
    SpreadParameter { name, annotation, range }
    FunctionDefinition { name, is_async, decorators, type_params, parameters, returns, body }
    ClassDefinition { name, decorators, type_params, arguments, body }
    Clause { test, body, range }
    WithItem { context, target, range }
    Case { pattern, guard, body, range }
    Handler { class, name, body, range }
    Alias { name, asname, range }
    TypeParam { name, kind, bound, default, range }
    PatternKeyword { name, pattern }
    Tree {
        body, exprs, stmts, patterns, expr_ids, stmt_ids, pattern_ids, dict_items, comprehensions, keywords, string_parts,
        parameters, lambdas, comparisons, clauses, with_items, cases, handlers, aliases, identifiers, type_params,
        pattern_keywords, strings,
    }
    ScopeInfo {
        kind, parent, name, parameters, body, expr, stmt, locals, repeated, mentions, calls, globals, nonlocals,
        is_generator, is_async, has_inner, is_open, range,
    }
    AttributeStore { attribute, scope, own_class, in_init }
    Scopes {
        all, of_stmt, of_expr, global_bindings, rebound_globals, rebinds_names, stores, classes, methods,
        expected_to_fail, type_parameters, lazy_annotations, private, volatile, shared, handed_on, injections,
    }
}

enumerations! {
    Parent { 0 Module, 1 Stmt { 0: id }, 2 Expr { 0: id } }
    Context { 0 Load, 1 Store, 2 Del }
    Conversion { 0 None, 1 Str, 2 Ascii, 3 Repr }
    TypeParamKind { 0 TypeVar, 1 TypeVarTuple, 2 ParamSpec }
    ScopeKind { 0 Module, 1 Function, 2 Lambda, 3 Comprehension, 4 Class }
    BinaryOperator {
        0 Add, 1 Sub, 2 Mult, 3 MatMult, 4 Div, 5 Mod, 6 Pow, 7 LShift, 8 RShift, 9 BitOr, 10 BitXor, 11 BitAnd, 12 FloorDiv,
    }
    BoolOperator { 0 And, 1 Or }
    UnaryOperator { 0 Invert, 1 Not, 2 Plus, 3 Minus }
    Comparison { 0 Eq, 1 NotEq, 2 Lt, 3 LtE, 4 Gt, 5 GtE, 6 Is, 7 IsNot, 8 In, 9 NotIn }
    StringPart {
        0 Literal { 0: text },
        1 Interpolation { value: value, conversion: conversion, format: format, debug: debug },
    }
    ExprKind {
        0 BoolOp { op: op, values: values },
        1 Named { target: target, value: value },
        2 BinOp { left: left, op: op, right: right },
        3 UnaryOp { op: op, operand: operand },
        4 Lambda { parameters: parameters, body: body },
        5 IfExp { test: test, body: body, orelse: orelse },
        6 Dict { items: items },
        7 Set { elements: elements },
        8 ListComp { element: element, generators: generators },
        9 SetComp { element: element, generators: generators },
        10 DictComp { key: key, value: value, generators: generators },
        11 Generator { element: element, generators: generators },
        12 Await { value: value },
        13 Yield { value: value },
        14 YieldFrom { value: value },
        15 Compare { left: left, ops: ops, comparators: comparators },
        16 Call { function: function, arguments: arguments },
        17 FString { parts: parts },
        18 TString { parts: parts },
        19 Str { 0: text },
        20 Bytes { 0: text },
        21 Int { 0: number },
        22 BigInt { 0: text },
        23 Float { 0: number },
        24 Imaginary { 0: number },
        25 Bool { 0: truth },
        26 None,
        27 Ellipsis,
        28 Attribute { value: value, attribute: attribute, context: context },
        29 Subscript { value: value, index: index, context: context },
        30 Starred { value: value, context: context },
        31 Name { name: name, context: context },
        32 List { elements: elements, context: context },
        33 Tuple { elements: elements, context: context, parenthesized: parenthesized },
        34 Slice { lower: lower, upper: upper, step: step },
        35 IpyEscape { 0: text },
    }
    StmtKind {
        0 FunctionDef { 0: function },
        1 ClassDef { 0: class },
        2 Return { value: value },
        3 Delete { targets: targets },
        4 TypeAlias { name: name, type_params: type_params, value: value },
        5 Assign { targets: targets, value: value },
        6 AugAssign { target: target, op: op, value: value },
        7 AnnAssign { target: target, annotation: annotation, value: value, simple: simple },
        8 For { target: target, iter: iter, body: body, orelse: orelse, is_async: is_async },
        9 While { test: test, body: body, orelse: orelse },
        10 If { test: test, body: body, clauses: clauses },
        11 With { items: items, body: body, is_async: is_async },
        12 Match { subject: subject, cases: cases },
        13 Raise { exception: exception, cause: cause },
        14 Try { body: body, handlers: handlers, orelse: orelse, finalbody: finalbody, is_star: is_star },
        15 Assert { test: test, message: message },
        16 Import { names: names },
        17 ImportFrom { module: module, names: names, level: level },
        18 Global { names: names },
        19 Nonlocal { names: names },
        20 Expr { value: value },
        21 Pass,
        22 Break,
        23 Continue,
        24 IpyEscape { 0: text },
    }
    PatternKind {
        0 Value { 0: value },
        1 Singleton { 0: truth },
        2 Sequence { 0: patterns },
        3 Mapping { keys: keys, patterns: patterns, rest: rest },
        4 Class { class: class, positional: positional, keywords: keywords },
        5 Star { 0: name },
        6 As { pattern: pattern, name: name },
        7 Or { 0: patterns },
    }
}

impl Stored for Strings {
    fn write(&self, out: &mut Writer) {
        out.piece(self.buffer.as_bytes());
        self.ends.write(out);
    }

    fn read(from: &mut StoredReader) -> Option<Self> {
        let buffer = std::str::from_utf8(from.piece()?).ok()?;
        Some(Self { buffer: buffer.into(), ends: Stored::read(from)? })
    }
}

/// Maps and sets are written in the order of their keys, so that the same input gives the same bytes.
impl<K: Stored + Copy + Ord + std::hash::Hash> Stored for FxHashMap<K, ScopeId> {
    fn write(&self, out: &mut Writer) {
        let mut entries: Vec<(K, ScopeId)> = self.iter().map(|(key, scope)| (*key, *scope)).collect();
        entries.sort_unstable();
        entries.write(out);
    }

    fn read(from: &mut StoredReader) -> Option<Self> {
        Vec::read(from).map(|entries| entries.into_iter().collect())
    }
}

impl Stored for FxHashSet<(ScopeId, Str)> {
    fn write(&self, out: &mut Writer) {
        let mut entries: Vec<(ScopeId, Str)> = self.iter().copied().collect();
        entries.sort_unstable();
        entries.write(out);
    }

    fn read(from: &mut StoredReader) -> Option<Self> {
        Vec::read(from).map(|entries| entries.into_iter().collect())
    }
}
