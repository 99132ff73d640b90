//! A scan before parsing that measures how deep a text nests, so that no parser or walker overflows its stack.
//!
//! CPython refuses more than 200 nested brackets and 100 indents, and so do we. Chains of operators or
//! postfixes (`1+1+1…`, `a.b.c…`, `not not …`) also nest in a tree; past [`CHAIN`] they are refused,
//! which CPython mostly does not: a documented limit.

use crate::text::TextRange;

const BRACKETS: usize = 200;
const INDENTS: usize = 100;
const CHAIN: u32 = 2_000;
/// All open chains together: brackets may hold one chain each.
const TOTAL: u32 = 8_000;

/// What the scan found: how deep a tree may get, or where it is too deep.
pub(crate) enum Depth {
    AtMost(u32),
    /// With `is_limit` it is this program that does not go so deep, and not Python.
    TooDeep {
        at: TextRange,
        message: String,
        is_limit: bool,
    },
}

/// Operators of one level so far, by how they nest: a `+` chain holds `*` chains holds postfix chains.
#[derive(Clone, Copy, Default)]
struct OperandChain {
    loose: u32,
    additive: u32,
    multiplicative: u32,
    tight: u32,
    /// Parameter lists of `lambda` that are still open: their commas and their colon do not end the chain.
    parameters: u32,
}

impl OperandChain {
    fn depth(self) -> u32 {
        self.loose + self.additive + self.multiplicative + self.tight
    }
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    levels: Vec<OperandChain>,
    /// Depth of the closed-over levels, all but the innermost.
    outer: u32,
    deepest: u32,
    indents: Vec<u32>,
}

/// Why a text is not read.
struct DepthRefusal {
    message: String,
    is_limit: bool,
}

impl DepthRefusal {
    /// CPython refuses the text too.
    fn of_python(message: String) -> Self {
        Self { message, is_limit: false }
    }
}

/// Measure a text. Linear in its length, without recursion, and right or too careful on every text.
pub(crate) fn measure_depth(text: &str) -> Depth {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        at: 0,
        levels: vec![OperandChain::default()],
        outer: 0,
        deepest: 0,
        indents: vec![0],
    };
    match scan.run() {
        Ok(()) => Depth::AtMost(scan.deepest + scan.indents.len() as u32),
        Err(DepthRefusal { message, is_limit }) => {
            let at = TextRange::new(scan.at as u32, (scan.at + 1).min(text.len()) as u32);
            Depth::TooDeep { at, message, is_limit }
        }
    }
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) -> Result<(), DepthRefusal> {
        self.indent()?;
        while self.at < self.bytes.len() {
            let byte = self.peek(0);
            match byte {
                b'#' => self.skip_comment(),
                b'"' | b'\'' => self.skip_string(),
                b'\\' => self.at += 2,
                b'\n' | b'\r' => {
                    self.at += 1;
                    if self.levels.len() == 1 {
                        self.reset_level();
                        self.indent()?;
                    }
                }
                b'(' | b'[' | b'{' => self.open()?,
                b')' | b']' | b'}' => self.close(),
                b',' | b';' | b':' => {
                    match self.current_level().parameters {
                        0 => self.reset_level(),
                        open => self.current_level().parameters = open - u32::from(byte == b':'),
                    }
                    self.at += 1;
                }
                b'+' | b'-' => {
                    let chain = self.current_level();
                    chain.additive += 1;
                    (chain.multiplicative, chain.tight) = (0, 0);
                    self.count_operator()?;
                }
                b'*' | b'/' | b'%' | b'@' => {
                    // `**` nests to the right, so it is counted with the postfixes.
                    let power = byte == b'*' && self.peek(1) == b'*';
                    let chain = self.current_level();
                    if power {
                        chain.tight += 1;
                    } else {
                        chain.multiplicative += 1;
                        chain.tight = 0;
                    }
                    self.at += usize::from(self.peek(1) == byte);
                    self.count_operator()?;
                }
                b'.' | b'~' => {
                    self.current_level().tight += 1;
                    self.count_operator()?;
                }
                b'|' | b'&' | b'^' | b'<' | b'>' => {
                    let chain = self.current_level();
                    chain.loose += 1;
                    (chain.additive, chain.multiplicative, chain.tight) = (0, 0, 0);
                    self.count_operator()?;
                }
                b if b.is_ascii_alphabetic() || b == b'_' || b >= 0x80 => self.scan_word()?,
                _ => self.at += 1,
            }
        }
        Ok(())
    }

    fn current_level(&mut self) -> &mut OperandChain {
        self.levels.last_mut().expect("the level of the file is never closed")
    }

    fn reset_level(&mut self) {
        *self.current_level() = OperandChain::default();
    }

    /// One operator more at this level: step over it and compare with the limits.
    fn count_operator(&mut self) -> Result<(), DepthRefusal> {
        let chain = *self.current_level();
        let longest = chain.loose.max(chain.additive).max(chain.multiplicative).max(chain.tight);
        let total = self.outer + chain.depth() + self.levels.len() as u32;
        if longest > CHAIN || total > TOTAL {
            let message = format!("an expression with chains of more than {CHAIN} operators was not analysed");
            return Err(DepthRefusal { message, is_limit: true });
        }
        self.deepest = self.deepest.max(total);
        self.at += 1;
        Ok(())
    }

    fn open(&mut self) -> Result<(), DepthRefusal> {
        if self.levels.len() > BRACKETS {
            return Err(DepthRefusal::of_python(format!("too many nested brackets: Python allows {BRACKETS}")));
        }
        // Calls and subscripts chain (`f()()()`), so an opening bracket counts as a postfix.
        self.grown_tight()?;
        self.outer += self.current_level().depth();
        self.levels.push(OperandChain::default());
        Ok(())
    }

    fn grown_tight(&mut self) -> Result<(), DepthRefusal> {
        self.current_level().tight += 1;
        self.count_operator()
    }

    fn close(&mut self) {
        self.at += 1;
        if self.levels.len() > 1 {
            self.levels.pop();
            let depth = self.current_level().depth();
            self.outer = self.outer.saturating_sub(depth);
        }
    }

    fn scan_word(&mut self) -> Result<(), DepthRefusal> {
        let start = self.at;
        while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' || self.peek(0) >= 0x80 {
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        if matches!(self.peek(0), b'"' | b'\'') && word.len() <= 2 {
            self.skip_string();
            return Ok(());
        }
        if matches!(word, b"not" | b"lambda" | b"if" | b"else" | b"and" | b"or" | b"await" | b"for" | b"yield") {
            let lambda = word == b"lambda";
            self.current_level().loose += 1;
            self.current_level().parameters += u32::from(lambda);
            self.at -= 1;
            self.count_operator()?;
        }
        Ok(())
    }

    fn skip_comment(&mut self) {
        while self.at < self.bytes.len() && !matches!(self.peek(0), b'\n' | b'\r') {
            self.at += 1;
        }
    }

    /// Skips a string. What nests inside an f-string is not measured; the parser limits it by itself.
    fn skip_string(&mut self) {
        let quote = self.peek(0);
        let triple = self.peek(1) == quote && self.peek(2) == quote;
        self.at += if triple { 3 } else { 1 };
        while self.at < self.bytes.len() {
            let byte = self.peek(0);
            if byte == b'\\' {
                self.at += 2;
            } else if byte == quote && (!triple || (self.peek(1) == quote && self.peek(2) == quote)) {
                self.at += if triple { 3 } else { 1 };
                return;
            } else if !triple && matches!(byte, b'\n' | b'\r') {
                return;
            } else {
                self.at += 1;
            }
        }
        self.at = self.bytes.len();
    }

    /// Counts indents as the tokenizer does: blank and comment lines do not matter.
    fn indent(&mut self) -> Result<(), DepthRefusal> {
        loop {
            let mut width = 0u32;
            let start = self.at;
            while matches!(self.peek(0), b' ' | b'\t' | b'\x0c') && self.at < self.bytes.len() {
                width = match self.peek(0) {
                    b' ' => width + 1,
                    b'\t' => (width / 8 + 1) * 8,
                    _ => 0,
                };
                self.at += 1;
            }
            match self.peek(0) {
                b'#' => self.skip_comment(),
                b'\n' | b'\r' if self.at < self.bytes.len() => self.at += 1,
                _ => {
                    while self.indents.last().is_some_and(|&top| top > width) {
                        self.indents.pop();
                    }
                    if self.indents.last().is_some_and(|&top| top < width) {
                        self.indents.push(width);
                        if self.indents.len() > INDENTS {
                            self.at = start;
                            let message = format!("too many levels of indentation: Python allows {INDENTS}");
                            return Err(DepthRefusal::of_python(message));
                        }
                    }
                    return Ok(());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> bool {
        matches!(measure_depth(text), Depth::TooDeep { .. })
    }

    #[test]
    fn limits_are_those_of_the_page() {
        assert!(!refused(&format!("{}1{}", "(".repeat(200), ")".repeat(200))));
        assert!(refused(&format!("{}1{}", "(".repeat(201), ")".repeat(201))));
        assert!(!refused(&format!("x = 1{}", "+1".repeat(1_999))));
        assert!(refused(&format!("x = 1{}", "+1".repeat(20_000))));
        assert!(refused(&format!("x = {}1", "not ".repeat(20_000))));
        assert!(refused(&format!("x = f{}", "()".repeat(20_000))));
        let nested = (0..101).fold(String::new(), |text, i| text + &" ".repeat(i) + "if x:\n");
        assert!(refused(&format!("{nested}{}pass\n", " ".repeat(101))));
    }

    #[test]
    fn long_flat_things_are_read() {
        assert!(!refused(&format!("x = [{}]", "a.b + c * 2, ".repeat(100_000))));
        assert!(!refused(&"x = a + b\n".repeat(100_000)));
        assert!(!refused(&format!("x = '''{}'''", "(".repeat(100_000))));
        assert!(!refused(&format!("# {}", "(".repeat(100_000))));
    }
}
