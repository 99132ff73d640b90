//! What IPython makes of a cell before Python sees it: magics without their `%`, help, statements behind `%time`.
//!
//! The parser reads `%magic`, `!command` and `name?`. Everything else is rewritten here for the parser alone, byte for byte of the same
//! length, so that every offset still points into the cell as it was written.

use std::ops::Range;

/// Line magics that may be written without `%`, sorted.
const MAGICS: &[&str] = &[
    "alias",
    "autocall",
    "autoreload",
    "bookmark",
    "cat",
    "cd",
    "clear",
    "colors",
    "conda",
    "config",
    "cp",
    "debug",
    "dhist",
    "dirs",
    "doctest_mode",
    "ed",
    "edit",
    "env",
    "gui",
    "hist",
    "history",
    "killbgscripts",
    "ldir",
    "less",
    "lf",
    "lk",
    "ll",
    "load",
    "load_ext",
    "loadpy",
    "logoff",
    "logon",
    "logstart",
    "logstate",
    "logstop",
    "ls",
    "lsmagic",
    "lx",
    "macro",
    "magic",
    "mamba",
    "man",
    "matplotlib",
    "micromamba",
    "mkdir",
    "more",
    "mv",
    "notebook",
    "page",
    "pastebin",
    "pdb",
    "pdef",
    "pdoc",
    "pfile",
    "pinfo",
    "pinfo2",
    "pip",
    "popd",
    "pprint",
    "precision",
    "prun",
    "psearch",
    "psource",
    "pushd",
    "pwd",
    "pycat",
    "pylab",
    "quickref",
    "recall",
    "rehashx",
    "reload_ext",
    "rep",
    "rerun",
    "reset",
    "reset_selective",
    "rm",
    "rmdir",
    "run",
    "save",
    "sc",
    "set_env",
    "store",
    "sx",
    "system",
    "tb",
    "time",
    "timeit",
    "unalias",
    "unload_ext",
    "uv",
    "who",
    "who_ls",
    "whos",
    "xdel",
    "xmode",
];

/// Magics that run the statement behind them among the names of the notebook.
const RUNS: &[&str] = &["prun", "time"];

/// Statements that cannot stand behind another one on a line.
const COMPOUND: &[&str] = &["async", "class", "def", "for", "if", "match", "try", "while", "with"];

/// The text that the parser is given for the joined cells of a notebook.
pub(crate) fn as_python(text: &str, starts: impl Iterator<Item = u32>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut starts: Vec<usize> = starts.map(|start| start as usize).collect();
    starts.push(text.len());
    for cell in starts.windows(2) {
        rewrite_cell(text, cell[0]..cell[1], &mut bytes);
    }
    // Only ASCII was written, over whole lines or their ASCII prefixes.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn rewrite_cell(text: &str, cell: Range<usize>, bytes: &mut [u8]) {
    let mut state = Lexical::default();
    let mut at = cell.start;
    for line in text[cell].split_inclusive('\n') {
        if state.at_statement() {
            rewrite_line(text, at, line.trim_end(), bytes);
        }
        state.read(line);
        at += line.len();
    }
}

fn rewrite_line(text: &str, at: usize, line: &str, bytes: &mut [u8]) {
    let code = line.trim_start();
    let indent = line.len() - code.len();
    if is_pattern(code) {
        // A line that only shows help binds nothing.
        bytes[at + indent] = b'#';
        return;
    }
    let (escaped, body) = match code.strip_prefix('%') {
        Some(rest) if !rest.starts_with('%') => (true, rest),
        _ => (false, code),
    };
    let word = &body[..body.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(body.len())];
    let rest = body[word.len()..].trim_start();
    if !escaped && (indent > 0 || !is_automagic(text, word, &body[word.len()..], rest)) {
        return;
    }
    let first = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let runs = RUNS.contains(&word) && !rest.is_empty() && !rest.starts_with(['-', '@', '%', '!']);
    if runs && !COMPOUND.contains(&first) {
        // `%time x = f()` becomes `0    ;x = f()`.
        let start = at + indent;
        let statement = at + line.len() - rest.len();
        bytes[start..statement].fill(b' ');
        bytes[start] = b'0';
        bytes[statement - 1] = b';';
    } else if !escaped {
        bytes[at] = b'%';
    }
}

/// Whether a line asks for help by a pattern, which the parser does not read: `np.*load*?`.
fn is_pattern(code: &str) -> bool {
    let name = |text: &str| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '*' | '%' | '[' | ']' | '\'' | '"');
        !text.is_empty() && text.chars().all(plain)
    };
    let asked = code.strip_suffix('?').map(|name| name.trim_end_matches('?')).or(code.strip_prefix('?'));
    asked.is_some_and(|text| text.contains('*') && name(text))
}

/// Whether IPython takes a line for a magic without its `%`: the word is one, no variable of the notebook has its name, and what
/// follows is no operator.
fn is_automagic(text: &str, word: &str, after: &str, rest: &str) -> bool {
    let apart = after.is_empty() || after.starts_with([' ', '\t']);
    apart
        && MAGICS.binary_search(&word).is_ok()
        && !rest.starts_with(['!', '=', '(', ')', '<', '>', ',', '+', '*', '/', '%', '^', '&', '|'])
        && !["in ", "is ", "not ", "and ", "or ", "if "].iter().any(|operator| rest.starts_with(operator))
        && !binds_name(text, word)
}

/// Whether a name is bound somewhere in the notebook, as far as words tell.
fn binds_name(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = &text[..at];
        let after = &text[at + name.len()..];
        if before.ends_with(|c| word(c) || c == '.') || after.starts_with(word) {
            return false;
        }
        let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
        let next = after.trim_start_matches([' ', '\t']);
        let assigned = next.starts_with('=') && !next.starts_with("==");
        let listed =
            (next.starts_with(',') || line.trim_end().ends_with(',')) && (line.contains('=') || next.contains('='));
        let imported = line.contains("import ") || line.contains(" as ");
        let defined = ["def ", "class ", "for ", "global "].iter().any(|keyword| line.trim_start().ends_with(keyword));
        assigned || listed || imported || defined || line.trim_start().starts_with("for ")
    })
}

/// Where a reader is between lines: inside brackets, inside a string, or behind a backslash.
#[derive(Default)]
struct Lexical {
    brackets: usize,
    /// The quote of an open string of several lines.
    string: Option<u8>,
    continued: bool,
}

impl Lexical {
    fn at_statement(&self) -> bool {
        self.brackets == 0 && self.string.is_none() && !self.continued
    }

    fn read(&mut self, line: &str) {
        let bytes = line.as_bytes();
        let shell = self.at_statement() && line.trim_start().starts_with(['!', '%', '?']);
        self.continued = line.trim_end_matches(['\n', '\r']).ends_with('\\');
        if shell {
            return;
        }
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            let triple = bytes[at..].starts_with(&[byte; 3]);
            if let Some(quote) = self.string {
                match byte {
                    b'\\' => at += 1,
                    _ if byte == quote && triple => {
                        self.string = None;
                        at += 2;
                    }
                    _ => {}
                }
            } else {
                match byte {
                    b'#' => return,
                    b'"' | b'\'' if triple => {
                        self.string = Some(byte);
                        at += 2;
                    }
                    b'"' | b'\'' => at = end_of_string(bytes, at),
                    b'(' | b'[' | b'{' => self.brackets += 1,
                    b')' | b']' | b'}' => self.brackets = self.brackets.saturating_sub(1),
                    _ => {}
                }
            }
            at += 1;
        }
    }
}

/// The closing quote of a string of one line, or the end of that line.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        let new = as_python(text, [0].into_iter());
        assert_eq!(new.len(), text.len());
        new
    }

    #[test]
    fn the_list_is_sorted() {
        assert!(MAGICS.is_sorted());
    }

    #[test]
    fn magics_need_no_percent_sign() {
        assert_eq!(rewritten("ls -la data\ncd ..\npwd\n"), "%s -la data\n%d ..\n%wd\n");
        assert_eq!(rewritten("timeit f(3)\n"), "%imeit f(3)\n");
    }

    #[test]
    fn a_variable_hides_a_magic() {
        for text in [
            "ls = [1]\nls\n",
            "import time\ntime\n",
            "for cat in x:\n    pass\ncat\n",
            "time(3)\n",
            "pwd + 1\n",
            "x = (\nls\n)\n",
        ] {
            assert_eq!(rewritten(text), text);
        }
        assert_eq!(rewritten("s = '''\nls\n'''\nls\n"), "s = '''\nls\n'''\n%s\n");
    }

    #[test]
    fn statements_behind_time_are_statements() {
        assert_eq!(rewritten("%time x = f()\n"), "0    ;x = f()\n");
        assert_eq!(rewritten("if y:\n    %time x = f()\n"), "if y:\n    0    ;x = f()\n");
        assert_eq!(rewritten("%time for i in x: f(i)\n"), "%time for i in x: f(i)\n");
        assert_eq!(rewritten("time x = f()\n"), "0   ;x = f()\n");
    }

    #[test]
    fn help_is_no_code() {
        assert_eq!(rewritten("*int*?\nlen??\n?len\nx = 'a*b?'\n"), "#int*?\nlen??\n?len\nx = 'a*b?'\n");
    }
}
