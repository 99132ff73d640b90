//! Parsing: a file becomes a tree, syntax errors, and its comments.

use std::sync::Arc;

use ruff_python_ast::PySourceType;
use ruff_python_ast::token::TokenKind;
use ruff_text_size::Ranged;

use crate::depth::{Depth, measure_depth};
use crate::ipython::as_python;
use crate::lower::{lower_bodies_last, lower_module};
use crate::misplaced::misplaced;
use crate::source_file::{SourceFile, SourceKind};
use crate::text::TextRange;
use crate::tree::Tree;

/// A syntax error, with the parser's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    pub range: TextRange,
    pub message: String,
    /// Python may well compile the file; it is this program that does not read it.
    pub is_limit: bool,
}

impl SyntaxError {
    pub(crate) fn new(range: TextRange, message: String) -> Self {
        Self { range, message, is_limit: false }
    }
}

/// A parsed file. The tree holds what could be read, also when there are errors.
#[derive(Debug)]
pub struct Parsed {
    pub file: Arc<SourceFile>,
    pub tree: Tree,
    pub errors: Vec<SyntaxError>,
    /// Comments in source order, from `#` to the end of the line.
    pub comments: Vec<TextRange>,
    /// String literals that span lines, in source order: what stands inside them is not code.
    pub multiline_strings: Vec<TextRange>,
}

/// Past this depth the parser gets a thread with a stack of its own, so that callers need no large one.
const DEPTH_ON_ANY_STACK: u32 = 250;
const LARGE_STACK: usize = 512 << 20;

/// Parse a file. Never fails: what is refused is an error in the result.
pub fn parse(file: &Arc<SourceFile>) -> Parsed {
    if file.kind() == SourceKind::Notebook && file.notebook().is_none() {
        // Its JSON could not be read, which is an error of its own; there is no Python in it.
        return nothing_parsed(file, Vec::new());
    }
    match measure_depth(file.text()) {
        Depth::TooDeep { at, message, is_limit } => {
            nothing_parsed(file, vec![SyntaxError { range: at, message, is_limit }])
        }
        Depth::AtMost(depth) if depth <= DEPTH_ON_ANY_STACK => parse_guarded(file),
        Depth::AtMost(_) => {
            let shared = Arc::clone(file);
            let spawned = std::thread::Builder::new().stack_size(LARGE_STACK).spawn(move || parse_guarded(&shared));
            match spawned.map(std::thread::JoinHandle::join) {
                Ok(Ok(parsed)) => parsed,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                // Without a thread there is still the stack we have.
                Err(_) => parse_guarded(file),
            }
        }
    }
}

/// The tree of a file to be stored: as [`parse()`] makes it, with the bodies of functions after everything around them.
pub fn parse_to_store(file: &SourceFile) -> Tree {
    lower_bodies_last(ruff_python_parser::parse_unchecked_source(file.text(), PySourceType::Python).suite())
}

fn nothing_parsed(file: &Arc<SourceFile>, errors: Vec<SyntaxError>) -> Parsed {
    Parsed {
        file: Arc::clone(file),
        tree: Tree::default(),
        errors,
        comments: Vec::new(),
        multiline_strings: Vec::new(),
    }
}

/// The parser panics on a few malformed notebooks (a `?` after an unclosed bracket); that is a limit of ours.
fn parse_guarded(file: &Arc<SourceFile>) -> Parsed {
    std::panic::catch_unwind(|| parse_here(file)).unwrap_or_else(|_| {
        let message = "the parser gave up on this file, which was not analysed".to_owned();
        let error = SyntaxError { range: TextRange::at(0), message, is_limit: true };
        nothing_parsed(file, vec![error])
    })
}

fn spans_lines(file: &SourceFile, range: TextRange) -> bool {
    file.slice(range).bytes().any(|byte| matches!(byte, b'\n' | b'\r'))
}

fn parse_here(file: &Arc<SourceFile>) -> Parsed {
    let source_type = match file.kind() {
        SourceKind::Module => PySourceType::Python,
        SourceKind::Stub => PySourceType::Stub,
        SourceKind::Notebook => PySourceType::Ipynb,
    };
    let prepared = file.notebook().map(|notebook| as_python(file.text(), notebook.cell_starts()));
    let text = prepared.as_deref().unwrap_or(file.text());
    let parsed = ruff_python_parser::parse_unchecked_source(text, source_type);
    let convert = |range: ruff_text_size::TextRange| TextRange::new(range.start().to_u32(), range.end().to_u32());
    let mut errors: Vec<SyntaxError> = parsed
        .errors()
        .iter()
        .map(|error| SyntaxError::new(convert(error.location), error.error.to_string()))
        .collect();
    let mut comments = Vec::new();
    let mut multiline_strings = Vec::new();
    let mut open = Vec::new();
    let mut brackets = OpenBrackets::default();
    for token in parsed.tokens() {
        let range = convert(token.range());
        brackets.pass_token(token.kind(), range);
        match token.kind() {
            TokenKind::Comment => comments.push(range),
            TokenKind::String if spans_lines(file, range) => multiline_strings.push(range),
            TokenKind::FStringStart | TokenKind::TStringStart => open.push(range.start),
            TokenKind::FStringEnd | TokenKind::TStringEnd => {
                let whole = TextRange::new(open.pop().unwrap_or(range.start), range.end);
                if spans_lines(file, whole) {
                    multiline_strings.push(whole);
                }
            }
            _ => {}
        }
    }
    let tree = lower_module(parsed.suite());
    if errors.is_empty() {
        errors = misplaced(&tree, file.kind());
    } else if file.kind() != SourceKind::Notebook {
        // Each cell of a notebook ends what is open in it.
        brackets.explain_errors(&mut errors);
    }
    Parsed { file: Arc::clone(file), tree, errors, comments, multiline_strings }
}

/// The brackets that are open at a place. Where a bracket is never closed, the parser fails at what follows,
/// the next statement or the end of the file; Python names the innermost open bracket instead.
#[derive(Default)]
struct OpenBrackets {
    open: Vec<(TokenKind, TextRange)>,
    /// A bracket was closed that is not the one that is open: that is the mistake then.
    is_mixed: bool,
}

impl OpenBrackets {
    fn pass_token(&mut self, kind: TokenKind, range: TextRange) {
        let closed = match kind {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                self.open.push((kind, range));
                return;
            }
            TokenKind::Rpar => TokenKind::Lpar,
            TokenKind::Rsqb => TokenKind::Lsqb,
            TokenKind::Rbrace => TokenKind::Lbrace,
            _ => return,
        };
        self.is_mixed |= self.open.pop().is_none_or(|(open, _)| open != closed);
    }

    fn explain_errors(&self, errors: &mut Vec<SyntaxError>) {
        let Some(&(kind, range)) = self.open.last().filter(|_| !self.is_mixed) else { return };
        if errors.first().is_some_and(|first| first.range.start > range.start) {
            let bracket = match kind {
                TokenKind::Lsqb => '[',
                TokenKind::Lbrace => '{',
                _ => '(',
            };
            *errors = vec![SyntaxError::new(range, format!("'{bracket}' was never closed"))];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{ExprKind, StmtKind};

    fn parsed(text: &str) -> Parsed {
        parse(&SourceFile::from_text("t.py", text))
    }

    #[test]
    fn a_tree_has_parents_and_ranges() {
        let parsed = parsed("def f(x, *, y=2):\n    return x.shape[0] + y  # sum\n");
        assert_eq!(parsed.errors, []);
        let tree = &parsed.tree;
        let function = tree[tree.body()][0];
        let StmtKind::FunctionDef(f) = tree[function].kind else { panic!("a function") };
        assert_eq!(tree.text(f.name.name), "f");
        let StmtKind::Return { value: Some(value) } = tree[tree[f.body][0]].kind else { panic!("a return") };
        assert_eq!(parsed.file.slice(tree[value].range), "x.shape[0] + y");
        let ExprKind::BinOp { left, .. } = tree[value].kind else { panic!("a sum") };
        let ExprKind::Subscript { value: shape, .. } = tree[left].kind else { panic!("a subscript") };
        assert_eq!(tree.dotted(shape), Some(vec!["x", "shape"]));
        assert_eq!(tree.stmt_of(shape), Some(tree[f.body][0]));
        assert_eq!(tree.enclosing(tree[f.body][0]), Some(function));
        assert_eq!(parsed.file.slice(parsed.comments[0]), "# sum");
    }

    #[test]
    fn a_bracket_that_is_never_closed_is_named() {
        for (text, place, bracket) in [
            ("x = f(1, 2\n", 5, '('),
            ("x = [1, 2\ny = 3\n", 4, '['),
            ("x = {1: (2, 3\n", 8, '('),
            ("def f(a, b:\n    return a\n", 5, '('),
            ("x = (1\ndef g():\n    pass\n", 4, '('),
            ("x = {'a': [1, 2]\n", 4, '{'),
        ] {
            let errors = parsed(text).errors;
            let expected = SyntaxError::new(TextRange::new(place, place + 1), format!("'{bracket}' was never closed"));
            assert_eq!(errors, [expected], "{text}");
        }
        // The mistake stands before the bracket, or is another bracket.
        for text in ["x = = 1\ny = (2\n", "x = (1]\n", "x = 1)\n", "x = (1))\n", "if x\n    y = (1)\n"] {
            let errors = parsed(text).errors;
            assert!(
                !errors.is_empty() && errors.iter().all(|error| !error.message.contains("never")),
                "{text}: {errors:?}"
            );
        }
    }

    #[test]
    fn errors_leave_the_rest_of_the_file() {
        let parsed = parsed("x = (1 +\ny = 2\n\ndef f():\n    return )\nz = 3\n");
        assert!(!parsed.errors.is_empty());
        assert!(parsed.tree.body().len() >= 2);
    }

    #[test]
    fn deep_files_end_in_errors() {
        for n in [20_000, 2_500_000] {
            for text in [
                format!("{}{}", "(".repeat(n), ")".repeat(n)),
                format!("{}{}", "[".repeat(n), "]".repeat(n)),
                format!("x = 1{}", "+1".repeat(n)),
            ] {
                assert_eq!(parsed(&text).errors.len(), 1);
            }
        }
        assert_eq!(parsed(&format!("x = 1{}\n", "+1".repeat(1_900))).errors, []);
    }

    #[test]
    fn notebooks_have_magics() {
        let json = r#"{"cells": [{"cell_type": "code", "source": "%matplotlib inline\nx = !ls\n!pwd\nlen?\n"}]}"#;
        let (file, errors) = SourceFile::from_bytes("n.ipynb", json.as_bytes());
        assert_eq!(errors, []);
        let parsed = parse(&file);
        assert_eq!(parsed.errors, []);
        assert_eq!(parsed.tree.body().len(), 4);
    }
}
