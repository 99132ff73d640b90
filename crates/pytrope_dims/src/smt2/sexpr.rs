//! S-expressions with line numbers.

use super::Smt2Error;

/// Deeper nesting is refused rather than risk the stack.
pub(super) const MAX_DEPTH: usize = 800;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sexpr {
    Atom(String, u32),
    List(Vec<Self>, u32),
}

impl Sexpr {
    pub(super) fn line(&self) -> u32 {
        match self {
            Self::Atom(_, line) | Self::List(_, line) => *line,
        }
    }

    pub(super) fn atom(&self) -> Option<&str> {
        match self {
            Self::Atom(text, _) => Some(text),
            Self::List(..) => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Self]> {
        match self {
            Self::Atom(..) => None,
            Self::List(items, _) => Some(items),
        }
    }
}

/// The terms of a text, and how deep they nest.
pub(super) fn parse(text: &str) -> Result<(Vec<Sexpr>, usize), Smt2Error> {
    let mut depth = 0;
    let mut stack: Vec<(Vec<Sexpr>, u32)> = Vec::new();
    let mut top = Vec::new();
    let mut line = 1;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let item = match c {
            '\n' => {
                line += 1;
                continue;
            }
            c if c.is_whitespace() => continue,
            ';' => {
                while chars.peek().is_some_and(|c| *c != '\n') {
                    chars.next();
                }
                continue;
            }
            '(' => {
                if stack.len() >= MAX_DEPTH {
                    return Err(error(line, "nested too deeply"));
                }
                stack.push((Vec::new(), line));
                depth = depth.max(stack.len());
                continue;
            }
            ')' => match stack.pop() {
                Some((items, start)) => Sexpr::List(items, start),
                None => return Err(error(line, "`)` without `(`")),
            },
            '|' | '"' => {
                let start = line;
                let mut word = String::from(c);
                loop {
                    match chars.next() {
                        Some(inner) => {
                            line += u32::from(inner == '\n');
                            word.push(inner);
                            if inner == c {
                                break;
                            }
                        }
                        None => return Err(error(start, "a quotation that never ends")),
                    }
                }
                Sexpr::Atom(word, start)
            }
            c => {
                let mut word = String::from(c);
                while let Some(next) = chars.peek() {
                    if next.is_whitespace() || matches!(next, '(' | ')' | ';' | '|' | '"') {
                        break;
                    }
                    word.push(*next);
                    chars.next();
                }
                Sexpr::Atom(word, line)
            }
        };
        match stack.last_mut() {
            Some((items, _)) => items.push(item),
            None => top.push(item),
        }
    }
    match stack.pop() {
        Some((_, start)) => Err(error(start, "`(` without `)`")),
        None => Ok((top, depth)),
    }
}

pub(super) fn error(line: u32, message: impl Into<String>) -> Smt2Error {
    Smt2Error { line, message: message.into() }
}
