//! The pools of a tree: nodes by their ids, runs of nodes by their lists.

use std::ops::Index;

use super::{
    Alias, Case, Clause, Comparison, Comprehension, DictItem, Expr, ExprId, Handler, Identifier, Keyword, List,
    Parameter, Parameters, ParametersId, Pattern, PatternId, PatternKeyword, Stmt, StmtId, StringPart, Tree, TypeParam,
    WithItem,
};

impl Tree {
    /// Empties all pools and keeps their room.
    pub(crate) fn clear(&mut self) {
        let Self {
            body,
            exprs,
            stmts,
            patterns,
            expr_ids,
            stmt_ids,
            pattern_ids,
            dict_items,
            comprehensions,
            keywords,
            string_parts,
            parameters,
            lambdas,
            comparisons,
            clauses,
            with_items,
            cases,
            handlers,
            aliases,
            identifiers,
            type_params,
            pattern_keywords,
            strings,
        } = self;
        *body = None;
        exprs.clear();
        stmts.clear();
        patterns.clear();
        expr_ids.clear();
        stmt_ids.clear();
        pattern_ids.clear();
        dict_items.clear();
        comprehensions.clear();
        keywords.clear();
        string_parts.clear();
        parameters.clear();
        lambdas.clear();
        comparisons.clear();
        clauses.clear();
        with_items.clear();
        cases.clear();
        handlers.clear();
        aliases.clear();
        identifiers.clear();
        type_params.clear();
        pattern_keywords.clear();
        strings.buffer.to_mut().clear();
        strings.ends.clear();
    }
}

macro_rules! pools {
    ($($item:ty => $field:ident),* $(,)?) => {
        $(impl Index<List<$item>> for Tree {
            type Output = [$item];

            #[inline]
            fn index(&self, list: List<$item>) -> &[$item] {
                &self.$field[list.start as usize..(list.start + list.len) as usize]
            }
        })*
    };
}

pools! {
    ExprId => expr_ids,
    StmtId => stmt_ids,
    PatternId => pattern_ids,
    DictItem => dict_items,
    Comprehension => comprehensions,
    Keyword => keywords,
    StringPart => string_parts,
    Parameter => parameters,
    Comparison => comparisons,
    Clause => clauses,
    WithItem => with_items,
    Case => cases,
    Handler => handlers,
    Alias => aliases,
    Identifier => identifiers,
    TypeParam => type_params,
    PatternKeyword => pattern_keywords,
}

impl Index<ExprId> for Tree {
    type Output = Expr;

    #[inline]
    fn index(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }
}

impl Index<ParametersId> for Tree {
    type Output = Parameters;

    fn index(&self, id: ParametersId) -> &Parameters {
        &self.lambdas[id.index()]
    }
}

impl Index<StmtId> for Tree {
    type Output = Stmt;

    #[inline]
    fn index(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }
}

impl Index<PatternId> for Tree {
    type Output = Pattern;

    fn index(&self, id: PatternId) -> &Pattern {
        &self.patterns[id.index()]
    }
}
