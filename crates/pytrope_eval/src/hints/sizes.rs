//! The sizes in a shape hint: `3`, `n`, `n+1`, `2*n`, `#n` (n or 1), `{k}` (the argument `k`), and `*batch` for any number of them.

use std::sync::Arc;

use pytrope_dims::Dim;

use crate::interp::Interp;
use crate::names::Name;

/// One size of a shape hint.
#[derive(Clone)]
pub(super) enum HintSize {
    Any,
    Exactly(Dim),
    Term(SizeTerm),
    /// `#n`: that size, or 1.
    Broadcast(SizeTerm),
}

/// What an array has between the sizes that a hint names: `...`, `*batch`, `*#batch`.
pub(super) struct HintRest {
    pub name: Option<Arc<str>>,
    pub broadcasts: bool,
}

/// An integer in terms of named sizes.
#[derive(Clone)]
pub(super) enum SizeTerm {
    Number(i128),
    Name(Arc<str>),
    /// `{k}`: an argument of the function.
    Argument(Arc<str>),
    Combined(char, Box<SizeTerm>, Box<SizeTerm>),
}

impl SizeTerm {
    /// Reads a sum, difference, product, quotient (`//`) or remainder; `None` for what else Python could evaluate there.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut reader = TermReader { rest: text };
        let term = reader.read_sum(MOST_NESTED)?;
        reader.rest.is_empty().then_some(term)
    }

    /// The name, of a term that is nothing else.
    pub(super) fn as_name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// How deep parentheses in a size are read.
const MOST_NESTED: u32 = 8;

struct TermReader<'t> {
    rest: &'t str,
}

impl TermReader<'_> {
    fn take_operator(&mut self, operators: &[(&str, char)]) -> Option<char> {
        let &(text, operator) = operators.iter().find(|(text, _)| self.rest.starts_with(text))?;
        self.rest = &self.rest[text.len()..];
        Some(operator)
    }

    fn read_sum(&mut self, depth: u32) -> Option<SizeTerm> {
        let mut sum = self.read_product(depth)?;
        while let Some(operator) = self.take_operator(&[("+", '+'), ("-", '-')]) {
            let right = self.read_product(depth)?;
            sum = SizeTerm::Combined(operator, Box::new(sum), Box::new(right));
        }
        Some(sum)
    }

    fn read_product(&mut self, depth: u32) -> Option<SizeTerm> {
        let mut product = self.read_factor(depth)?;
        while let Some(operator) = self.take_operator(&[("//", '/'), ("*", '*'), ("%", '%')]) {
            let right = self.read_factor(depth)?;
            product = SizeTerm::Combined(operator, Box::new(product), Box::new(right));
        }
        Some(product)
    }

    fn read_factor(&mut self, depth: u32) -> Option<SizeTerm> {
        let depth = depth.checked_sub(1)?;
        if let Some(inner) = self.rest.strip_prefix('(') {
            self.rest = inner;
            let term = self.read_sum(depth)?;
            self.rest = self.rest.strip_prefix(')')?;
            return Some(term);
        }
        if let Some(inner) = self.rest.strip_prefix('{') {
            let (name, after) = inner.split_once('}')?;
            self.rest = after;
            return is_size_name(name).then(|| SizeTerm::Argument(Arc::from(name)));
        }
        let end = self.rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(self.rest.len());
        let (word, after) = self.rest.split_at(end);
        self.rest = after;
        match word.parse() {
            Ok(number) => Some(SizeTerm::Number(number)),
            Err(_) => is_size_name(word).then(|| SizeTerm::Name(Arc::from(word))),
        }
    }
}

fn is_size_name(text: &str) -> bool {
    text.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

impl Interp<'_> {
    /// The integer that a size of a hint stands for here; a fresh one if it may be any.
    pub(super) fn size_of_hint(&mut self, size: &HintSize, at_members: bool) -> Dim {
        let known = match size {
            HintSize::Any => None,
            HintSize::Exactly(dim) => Some(dim.clone()),
            HintSize::Term(term) | HintSize::Broadcast(term) => self.evaluate_term(term, at_members),
        };
        known.unwrap_or_else(|| self.fresh_dim(None, Some(0)))
    }

    fn evaluate_term(&mut self, term: &SizeTerm, at_members: bool) -> Option<Dim> {
        match term {
            SizeTerm::Number(number) => Some(Dim::constant(*number)),
            SizeTerm::Name(name) => {
                let named = self.named_dim(name);
                self.note_holder(&named, at_members);
                Some(named)
            }
            SizeTerm::Argument(name) => self.size_argument(name),
            SizeTerm::Combined(operator, left, right) => {
                let left = self.evaluate_term(left, at_members)?;
                let right = self.evaluate_term(right, at_members)?;
                match operator {
                    '+' => left.plus(&right),
                    '-' => left.minus(&right),
                    '*' => left.times(&right),
                    '/' => left.floor_div(&right),
                    _ => left.modulo(&right),
                }
            }
        }
    }

    /// An argument that is a number and that the function does not bind anew.
    fn size_argument(&mut self, name: &str) -> Option<Dim> {
        if self.run.hints.owner.is_some() {
            return None;
        }
        let frame = self.current_frame();
        let key = Name::new(name);
        let info = frame.code.scope_info(frame.id);
        if info.repeated.iter().any(|repeated| frame.code.name_of(*repeated) == key) {
            return None;
        }
        let value = self.scope_slots(frame.scope())?.get(key)?.value.clone();
        if !self.run.hints.promises {
            return self.resolve_lazy(value).as_dim();
        }
        // A signature that names an argument promises to take every number for it.
        let size = self.expect_integer(&value, Some(0))?.as_dim()?;
        self.run.hints.promised.extend(size.as_symbol());
        Some(size)
    }
}

#[cfg(test)]
mod tests {
    use super::SizeTerm;

    #[test]
    fn terms_are_read_to_their_end() {
        for text in ["n", "n+1", "2*n", "(h//2)*(w//2)", "n-1+m", "{k}", "3"] {
            assert!(SizeTerm::parse(text).is_some(), "{text}");
        }
        for text in ["", "n+", "min(a,b)", "n 1", "(n", "{self.k}", "n/2", "n**2"] {
            assert!(SizeTerm::parse(text).is_none(), "{text}");
        }
    }
}
