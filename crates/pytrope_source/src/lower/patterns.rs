//! Lowering of the patterns of `match`.

use ruff_python_ast as ast;

use super::{Lowering, pool, range};
use crate::tree::{List, Parent, Pattern, PatternId, PatternKeyword, PatternKind};

impl Lowering {
    pub(super) fn pattern(&mut self, pattern: &ast::Pattern, me: Parent) -> PatternId {
        let kind = match pattern {
            ast::Pattern::MatchValue(node) => PatternKind::Value(self.expr(&node.value, me)),
            ast::Pattern::MatchSingleton(node) => PatternKind::Singleton(match node.value {
                ast::Singleton::None => None,
                ast::Singleton::True => Some(true),
                ast::Singleton::False => Some(false),
            }),
            ast::Pattern::MatchSequence(node) => PatternKind::Sequence(self.pattern_list(&node.patterns, me)),
            ast::Pattern::MatchMapping(node) => PatternKind::Mapping {
                keys: self.exprs(&node.keys, me),
                patterns: self.pattern_list(&node.patterns, me),
                rest: node.rest.as_ref().map(|rest| self.identifier(rest)),
            },
            ast::Pattern::MatchClass(node) => {
                let class = self.expr(&node.cls, me);
                let positional = self.pattern_list(&node.arguments.patterns, me);
                let mut keywords = Vec::with_capacity(node.arguments.keywords.len());
                for keyword in &node.arguments.keywords {
                    let name = self.identifier(&keyword.attr);
                    keywords.push(PatternKeyword { name, pattern: self.pattern(&keyword.pattern, me) });
                }
                PatternKind::Class { class, positional, keywords: pool!(self.pattern_keywords, keywords) }
            }
            ast::Pattern::MatchStar(node) => PatternKind::Star(node.name.as_ref().map(|name| self.identifier(name))),
            ast::Pattern::MatchAs(node) => PatternKind::As {
                pattern: node.pattern.as_deref().map(|inner| self.pattern(inner, me)),
                name: node.name.as_ref().map(|name| self.identifier(name)),
            },
            ast::Pattern::MatchOr(node) => PatternKind::Or(self.pattern_list(&node.patterns, me)),
        };
        self.new_pattern(Pattern { kind, range: range(pattern) })
    }

    fn pattern_list(&mut self, patterns: &[ast::Pattern], me: Parent) -> List<PatternId> {
        let ids: Vec<PatternId> = patterns.iter().map(|pattern| self.pattern(pattern, me)).collect();
        pool!(self.pattern_ids, ids)
    }
}
