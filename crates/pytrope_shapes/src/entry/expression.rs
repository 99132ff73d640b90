//! Expressions given as text on the command line: parsed before anything is analysed, and read for what they name.

use std::collections::{BTreeMap, BTreeSet};

use pytrope_source::tree::{BoolOperator, Comparison, ExprId, ExprKind, StmtKind};
use pytrope_source::{Parsed, SourceFile, parse};

/// One Python expression.
#[derive(Debug)]
pub struct Expression {
    pub text: String,
    /// What messages call it: its text as the user wrote it.
    pub shown: String,
    parsed: Parsed,
    root: ExprId,
}

/// A constant that an assumption gives to a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryConstant {
    None,
    Bool(bool),
    Int(i64),
}

/// What an assumption says about parameters, as far as it can be read off.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Mentions {
    /// `x.ndim == 4`
    pub ranks: BTreeMap<String, usize>,
    /// `x.shape[1]`: dimensions that an answer must give as numbers.
    pub sizes: BTreeSet<(String, i64)>,
    /// `mask is None`
    pub constants: BTreeMap<String, EntryConstant>,
    /// Parameters that are used as tensors, or said to be some.
    pub tensors: BTreeSet<String>,
    /// `mask is not None`
    pub present: BTreeSet<String>,
}

impl Mentions {
    /// Adds what another assumption says.
    pub fn absorb_mentions(&mut self, other: Self) {
        self.ranks.extend(other.ranks);
        self.sizes.extend(other.sizes);
        self.constants.extend(other.constants);
        self.tensors.extend(other.tensors);
        self.present.extend(other.present);
    }

    /// Whether everything that is used as a parameter is one.
    pub fn check(&self, parameters: &[String]) -> Result<(), String> {
        let named = self.tensors.iter().chain(self.ranks.keys()).chain(self.constants.keys()).chain(&self.present);
        match named.into_iter().find(|name| !parameters.contains(name)) {
            None => Ok(()),
            Some(name) => Err(format!(
                "`{name}` is not a parameter of the entry, whose parameters are: {}",
                parameters.join(", ")
            )),
        }
    }
}

impl Expression {
    /// Parses one expression; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        // A text that closes the bracket around it (`a) or (b`) parses within one kind of bracket, never within two.
        if !parse(&SourceFile::from_text("<expression>", format!("[{text}\n]"))).errors.is_empty() {
            return Err(format!("`{text}` is not a Python expression"));
        }
        // The newline keeps a comment in the text from hiding the parenthesis.
        let file = SourceFile::from_text("<expression>", format!("({text}\n)"));
        let parsed = parse(&file);
        if let Some(error) = parsed.errors.first() {
            return Err(format!("`{text}` is not a Python expression: {}", error.message));
        }
        let tree = &parsed.tree;
        let root = match tree[tree.body()] {
            [only] => match tree[only].kind {
                StmtKind::Expr { value } => value,
                _ => return Err(format!("`{text}` is not a Python expression")),
            },
            _ => return Err(format!("`{text}` is not one Python expression")),
        };
        if matches!(tree[root].kind, ExprKind::Tuple { elements, .. } if elements.is_empty()) {
            return Err("an empty text is not a Python expression".to_owned());
        }
        Ok(Self { text: text.to_owned(), shown: text.to_owned(), root, parsed })
    }

    /// The same, called by another text in messages.
    pub fn shown_as(self, text: &str) -> Self {
        Self { shown: text.to_owned(), ..self }
    }

    /// The names it reads, each once, in order of appearance.
    pub fn read_names(&self) -> Vec<String> {
        let tree = &self.parsed.tree;
        let mut found = Vec::new();
        for id in tree.expr_ids() {
            if let ExprKind::Name { name, .. } = tree[id].kind {
                let name = tree.text(name).to_owned();
                if !found.contains(&name) {
                    found.push(name);
                }
            }
        }
        found
    }

    /// Whether it ends in the call that makes modules train or not: `Net().eval()`.
    pub fn sets_mode(&self) -> bool {
        let tree = &self.parsed.tree;
        match tree[self.root].kind {
            ExprKind::Call { function, .. } => match tree[function].kind {
                ExprKind::Attribute { attribute, .. } => matches!(tree.text(attribute.name), "eval" | "train"),
                _ => false,
            },
            _ => false,
        }
    }

    /// What it says about parameters.
    pub fn parameter_mentions(&self) -> Mentions {
        let tree = &self.parsed.tree;
        let mut mentions = Mentions::default();
        for id in tree.expr_ids() {
            if let Some((name, axis)) = self.size_subject(id) {
                mentions.sizes.insert((name.clone(), axis));
                mentions.tensors.insert(name);
            }
            if let ExprKind::Attribute { value, attribute, .. } = tree[id].kind
                && let Some(name) = tree.as_name(value)
                && matches!(tree.text(attribute.name), "shape" | "ndim" | "dim" | "size" | "numel")
            {
                mentions.tensors.insert(tree.text(name).to_owned());
            }
        }
        for part in self.split_conjuncts(self.root) {
            self.read_fact(part, &mut mentions);
        }
        mentions
    }

    fn split_conjuncts(&self, id: ExprId) -> Vec<ExprId> {
        match self.parsed.tree[id].kind {
            ExprKind::BoolOp { op: BoolOperator::And, values } => {
                self.parsed.tree[values].iter().flat_map(|value| self.split_conjuncts(*value)).collect()
            }
            _ => vec![id],
        }
    }

    fn read_fact(&self, id: ExprId, mentions: &mut Mentions) {
        let tree = &self.parsed.tree;
        if let ExprKind::Call { function, arguments } = tree[id].kind
            && tree.as_name(function).is_some_and(|name| tree.text(name) == "isinstance")
            && let [object, class] = &tree[arguments.positional]
            && let Some(name) = tree.as_name(*object)
            && tree.dotted(*class).is_some_and(|parts| parts.last() == Some(&"Tensor"))
        {
            mentions.tensors.insert(tree.text(name).to_owned());
        }
        let ExprKind::Compare { left, ops, comparators } = tree[id].kind else { return };
        let ([op], [right]) = (&tree[ops], &tree[comparators]) else { return };
        if matches!(op, Comparison::IsNot)
            && let Some(name) = tree.as_name(left)
            && matches!(tree[*right].kind, ExprKind::None)
        {
            mentions.present.insert(tree.text(name).to_owned());
        }
        if !matches!(op, Comparison::Eq | Comparison::Is) {
            return;
        }
        if let (Some(name), ExprKind::Int(rank)) = (self.rank_subject(left), tree[*right].kind)
            && let Ok(rank) = usize::try_from(rank)
        {
            mentions.ranks.insert(name, rank);
        }
        if let Some(name) = tree.as_name(left)
            && let Some(constant) = self.constant_at(*right)
        {
            mentions.constants.insert(tree.text(name).to_owned(), constant);
        }
    }

    fn constant_at(&self, id: ExprId) -> Option<EntryConstant> {
        match self.parsed.tree[id].kind {
            ExprKind::None => Some(EntryConstant::None),
            ExprKind::Bool(value) => Some(EntryConstant::Bool(value)),
            ExprKind::Int(value) => Some(EntryConstant::Int(value)),
            _ => None,
        }
    }

    /// `x` of `x.ndim`, `x.dim()` or `len(x.shape)`.
    fn rank_subject(&self, id: ExprId) -> Option<String> {
        let tree = &self.parsed.tree;
        match tree[id].kind {
            ExprKind::Attribute { value, attribute, .. } if tree.text(attribute.name) == "ndim" => {
                tree.as_name(value).map(|name| tree.text(name).to_owned())
            }
            ExprKind::Call { function, arguments } => {
                if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind
                    && matches!(tree.text(attribute.name), "dim" | "ndimension")
                    && arguments.positional.is_empty()
                {
                    return tree.as_name(value).map(|name| tree.text(name).to_owned());
                }
                let len = tree.as_name(function).is_some_and(|name| tree.text(name) == "len");
                match (&tree[arguments.positional], len) {
                    ([only], true) => self.shape_subject(*only),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `x` of `x.shape` or `x.size()`.
    fn shape_subject(&self, id: ExprId) -> Option<String> {
        let tree = &self.parsed.tree;
        match tree[id].kind {
            ExprKind::Attribute { value, attribute, .. } if tree.text(attribute.name) == "shape" => {
                tree.as_name(value).map(|name| tree.text(name).to_owned())
            }
            ExprKind::Call { function, arguments } if arguments.positional.is_empty() => match tree[function].kind {
                ExprKind::Attribute { value, attribute, .. } if tree.text(attribute.name) == "size" => {
                    tree.as_name(value).map(|name| tree.text(name).to_owned())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `("x", 1)` of `x.shape[1]` or `x.size(1)`.
    fn size_subject(&self, id: ExprId) -> Option<(String, i64)> {
        let tree = &self.parsed.tree;
        match tree[id].kind {
            ExprKind::Subscript { value, index, .. } => Some((self.shape_subject(value)?, self.integer_at(index)?)),
            ExprKind::Call { function, arguments } => match (tree[function].kind, &tree[arguments.positional]) {
                (ExprKind::Attribute { value, attribute, .. }, [only]) if tree.text(attribute.name) == "size" => {
                    Some((tree.text(tree.as_name(value)?).to_owned(), self.integer_at(*only)?))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn integer_at(&self, id: ExprId) -> Option<i64> {
        match self.parsed.tree[id].kind {
            ExprKind::Int(value) => Some(value),
            ExprKind::UnaryOp { op: pytrope_source::tree::UnaryOperator::Minus, operand } => {
                self.integer_at(operand).map(|value| -value)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assumption_says_what_it_names() {
        let mentions =
            Expression::parse("x.ndim == 4 and 5 <= x.shape[0] <= 20 and mask is None").unwrap().parameter_mentions();
        assert_eq!(mentions.ranks["x"], 4);
        assert!(mentions.sizes.contains(&("x".to_owned(), 0)));
        assert_eq!(mentions.constants["mask"], EntryConstant::None);
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for text in ["", "x ==", "x = 3", "x.ndim == 4) or (", "import os", "x; y"] {
            assert!(Expression::parse(text).is_err(), "{text}");
        }
    }
}
