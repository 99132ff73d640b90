//! Reaching definitions against runs: random programs are executed with random conditions and exceptions, and the definition
//! that a read sees in a run must be among those that the analysis lets reach it.

use std::collections::BTreeMap;

use pytrope_semantic::{ModuleNames, ReachingDefinitions};
use pytrope_source::tree::{Context, ExprKind};
use pytrope_source::{ScopedTree, SourceFile, parse};

/// A program over the variables `a`, `b` and `c`; each assignment and read stands on a line of its own.
enum Stmt {
    Assign(char),
    Delete(char),
    Read(char),
    /// Something that may raise.
    Call,
    If(Vec<Stmt>, Vec<Stmt>),
    While(Vec<Stmt>, Vec<Stmt>),
    /// The target is bound before each iteration.
    For(char, Vec<Stmt>, Vec<Stmt>),
    Try {
        body: Vec<Stmt>,
        handler: Vec<Stmt>,
        orelse: Vec<Stmt>,
        finalbody: Vec<Stmt>,
    },
    With(char, Vec<Stmt>),
    Break,
    Continue,
    Return,
}

struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % count
    }

    fn variable(&mut self) -> char {
        ['a', 'b', 'c'][self.below(3) as usize]
    }

    fn suite(&mut self, depth: u32, in_loop: bool) -> Vec<Stmt> {
        (0..=self.below(3)).map(|_| self.stmt(depth, in_loop)).collect()
    }

    fn stmt(&mut self, depth: u32, in_loop: bool) -> Stmt {
        let choice = if depth == 0 { self.below(9) } else { self.below(16) };
        let inner = depth.saturating_sub(1);
        match choice {
            0..=2 => Stmt::Assign(self.variable()),
            3 | 4 => Stmt::Read(self.variable()),
            5 => Stmt::Call,
            6 => Stmt::Delete(self.variable()),
            7 if in_loop && self.below(2) == 0 => Stmt::Break,
            7 if in_loop => Stmt::Continue,
            8 if self.below(4) == 0 => Stmt::Return,
            7 | 8 => Stmt::Read(self.variable()),
            9 | 10 => Stmt::If(self.suite(inner, in_loop), self.suite(inner, in_loop)),
            11 => Stmt::While(self.suite(inner, true), self.suite(inner, in_loop)),
            12 => Stmt::For(self.variable(), self.suite(inner, true), self.suite(inner, in_loop)),
            13 => Stmt::With(self.variable(), self.suite(inner, in_loop)),
            _ => Stmt::Try {
                body: self.suite(inner, in_loop),
                handler: self.suite(inner, in_loop),
                orelse: self.suite(inner, in_loop),
                finalbody: if self.below(2) == 0 { self.suite(inner, in_loop) } else { Vec::new() },
            },
        }
    }
}

/// The text, and for each statement that stands on a line its number, in the order in which statements are written.
fn write_suite(suite: &[Stmt], indent: usize, out: &mut String) {
    let pad = "    ".repeat(indent);
    let block = |head: String, body: &[Stmt], out: &mut String| {
        out.push_str(&format!("{pad}{head}:\n"));
        write_suite(body, indent + 1, out);
    };
    for stmt in suite {
        match stmt {
            Stmt::Assign(name) => out.push_str(&format!("{pad}{name} = 1\n")),
            Stmt::Delete(name) => out.push_str(&format!("{pad}del {name}\n")),
            Stmt::Read(name) => out.push_str(&format!("{pad}read({name})\n")),
            Stmt::Call => out.push_str(&format!("{pad}call()\n")),
            Stmt::If(body, orelse) => {
                block("if c()".to_owned(), body, out);
                block("else".to_owned(), orelse, out);
            }
            Stmt::While(body, orelse) => {
                block("while c()".to_owned(), body, out);
                block("else".to_owned(), orelse, out);
            }
            Stmt::For(name, body, orelse) => {
                block(format!("for {name} in items()"), body, out);
                block("else".to_owned(), orelse, out);
            }
            Stmt::With(name, body) => block(format!("with m() as {name}"), body, out),
            Stmt::Try { body, handler, orelse, finalbody } => {
                block("try".to_owned(), body, out);
                block("except E".to_owned(), handler, out);
                block("else".to_owned(), orelse, out);
                if !finalbody.is_empty() {
                    block("finally".to_owned(), finalbody, out);
                }
            }
            Stmt::Break => out.push_str(&format!("{pad}break\n")),
            Stmt::Continue => out.push_str(&format!("{pad}continue\n")),
            Stmt::Return => out.push_str(&format!("{pad}return\n")),
        }
    }
}

/// How a statement ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Normal,
    Raise,
    Break,
    Continue,
    Return,
}

/// A run: lines are counted as the text is written.
struct Run<'a> {
    random: Random,
    fuel: u32,
    /// The line of the definition that a variable has; none if it is unbound.
    bound: BTreeMap<char, u32>,
    /// What was seen: the line of a read, and that of the definition.
    seen: &'a mut Vec<(u32, Option<u32>)>,
}

fn lines_of(suite: &[Stmt]) -> u32 {
    let mut text = String::new();
    write_suite(suite, 0, &mut text);
    text.lines().count() as u32
}

impl Run<'_> {
    fn chance(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0 && self.random.below(2) == 0
    }

    fn suite(&mut self, suite: &[Stmt], mut line: u32) -> End {
        for stmt in suite {
            let end = self.stmt(stmt, line);
            if end != End::Normal {
                return end;
            }
            line += lines_of(std::slice::from_ref(stmt));
        }
        End::Normal
    }

    fn stmt(&mut self, stmt: &Stmt, line: u32) -> End {
        match stmt {
            Stmt::Assign(name) => {
                self.bound.insert(*name, line);
                End::Normal
            }
            Stmt::Delete(name) => match self.bound.remove(name) {
                Some(_) => End::Normal,
                None => End::Raise,
            },
            Stmt::Read(name) => {
                let found = self.bound.get(name).copied();
                self.seen.push((line, found));
                if found.is_some() { End::Normal } else { End::Raise }
            }
            Stmt::Call => {
                if self.chance() {
                    End::Raise
                } else {
                    End::Normal
                }
            }
            Stmt::If(body, orelse) => {
                if self.chance() {
                    self.suite(body, line + 1)
                } else {
                    self.suite(orelse, line + lines_of(body) + 2)
                }
            }
            Stmt::While(body, orelse) => self.repeat(None, body, orelse, line),
            Stmt::For(name, body, orelse) => self.repeat(Some(*name), body, orelse, line),
            Stmt::With(name, body) => {
                self.bound.insert(*name, line);
                self.suite(body, line + 1)
            }
            Stmt::Try { body, handler, orelse, finalbody } => {
                let at_handler = line + lines_of(body) + 2;
                let at_else = at_handler + lines_of(handler) + 1;
                let mut end = match self.suite(body, line + 1) {
                    End::Normal => self.suite(orelse, at_else),
                    End::Raise if self.chance() => self.suite(handler, at_handler),
                    other => other,
                };
                if !finalbody.is_empty() {
                    let last = self.suite(finalbody, at_else + lines_of(orelse) + 1);
                    end = if last == End::Normal { end } else { last };
                }
                end
            }
            Stmt::Break => End::Break,
            Stmt::Continue => End::Continue,
            Stmt::Return => End::Return,
        }
    }

    fn repeat(&mut self, target: Option<char>, body: &[Stmt], orelse: &[Stmt], line: u32) -> End {
        while self.chance() {
            if let Some(target) = target {
                self.bound.insert(target, line);
            }
            match self.suite(body, line + 1) {
                End::Normal | End::Continue => {}
                End::Break => return End::Normal,
                other => return other,
            }
        }
        self.suite(orelse, line + lines_of(body) + 2)
    }
}

#[test]
fn what_a_run_sees_may_reach() {
    let mut checked = 0;
    for seed in 1..400 {
        let mut random = Random(seed * 0x9e37_79b9_7f4a_7c15);
        random.below(2);
        let program: Vec<Stmt> = (0..4).flat_map(|_| random.suite(3, false)).collect();
        let mut text = "def f():\n".to_owned();
        write_suite(&program, 1, &mut text);
        let file = SourceFile::from_text("a.py", &*text);
        let parsed = parse(&file);
        assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
        let scoped = ScopedTree::of(parsed.tree, &file);
        let (tree, scopes) = (&scoped.tree, &scoped.scopes);
        let names = ModuleNames::of(tree, scopes, "a", false);
        let reaching = ReachingDefinitions::of(tree, scopes, &names);
        let line_of = |start: u32| file.line_column(start).line;
        let mut reads = BTreeMap::new();
        for expr in tree.expr_ids() {
            if let ExprKind::Name { name, context: Context::Load } = tree[expr].kind
                && ["a", "b", "c"].contains(&tree.text(name))
                && names.owner_of_use(expr).is_some()
            {
                reads.insert(line_of(tree[expr].range.start), expr);
            }
        }
        let mut seen = Vec::new();
        for run in 1..60 {
            let random = Random(run * 0x2545_f491_4f6c_dd1d + seed);
            Run { random, fuel: 60, bound: BTreeMap::new(), seen: &mut seen }.suite(&program, 2);
        }
        for (line, definition) in seen {
            // A name that the function never binds is a global.
            let Some(&read) = reads.get(&line) else { continue };
            let reached = match definition {
                None => reaching.may_be_unbound(read),
                Some(expected) => {
                    reaching.at(read).iter().any(|&id| line_of(names.definition(id).range.start) == expected)
                }
            };
            assert!(reached, "seed {seed}: the read in line {line} saw {definition:?}\n{text}");
            checked += 1;
        }
    }
    assert!(checked > 20_000, "only {checked} reads were run");
}
