//! Comments that silence findings: `# pytrope: ignore[rule]` on a line, `# pytrope: ignore-file[rule]` anywhere.

use crate::parse::Parsed;
use crate::text::TextRange;

/// One comment that silences findings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppression {
    /// From `pytrope:` to the closing bracket.
    pub range: TextRange,
    /// Rule ids or codes; empty means every rule.
    pub rules: Vec<String>,
    pub scope: SuppressionScope,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SuppressionScope {
    File,
    /// The 1-based line of the text that it speaks of: its own, or the next one when it stands alone.
    Line(u32),
}

impl Suppression {
    /// Whether a finding of a rule on a 1-based line of the text is silenced.
    pub fn covers(&self, code: &str, id: &str, line: u32) -> bool {
        let scope = match self.scope {
            SuppressionScope::File => true,
            SuppressionScope::Line(own) => own == line,
        };
        scope && (self.rules.is_empty() || self.rules.iter().any(|rule| rule == code || rule == id))
    }
}

/// All such comments of a file.
pub fn suppressions(parsed: &Parsed) -> Vec<Suppression> {
    parsed.comments.iter().filter_map(|&comment| read_comment(parsed, comment)).collect()
}

fn read_comment(parsed: &Parsed, comment: TextRange) -> Option<Suppression> {
    let file = &parsed.file;
    let text = file.slice(comment);
    let at = text.find("pytrope:")?;
    let start = comment.start + at as u32;
    let mut rest = text[at + "pytrope:".len()..].trim_start();
    rest = rest.strip_prefix("ignore")?;
    let whole = rest.strip_prefix("-file");
    rest = whole.unwrap_or(rest);
    if rest.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_') {
        return None;
    }
    let (rules, after) = match rest.strip_prefix('[').and_then(|list| list.split_once(']')) {
        Some((list, after)) => {
            (list.split(',').map(|rule| rule.trim().to_owned()).filter(|rule| !rule.is_empty()).collect(), after)
        }
        None => (Vec::new(), rest),
    };
    let end = comment.end - after.len() as u32;
    let scope = if whole.is_some() {
        SuppressionScope::File
    } else {
        let line = file.lines().line_of(comment.start);
        let before = TextRange::new(file.lines().line_start(line, file.text()), comment.start);
        let alone = file.slice(before).trim().is_empty();
        SuppressionScope::Line(line + 1 + u32::from(alone))
    };
    Some(Suppression { range: TextRange::new(start, end), rules, scope })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFile, parse};

    #[test]
    fn comments_silence_their_line_the_next_or_the_file() {
        let text = "x = 1  # pytrope: ignore[PT201, matmul-mismatch] because\n# pytrope: ignore\ny = 2\n\
                    # pytrope: ignore-file[PT100]\n# pytrope: ignored\nz = '# pytrope: ignore'\n";
        let found = suppressions(&parse(&SourceFile::from_text("t.py", text)));
        assert_eq!(found.len(), 3);
        assert!(found[0].covers("PT201", "broadcast-mismatch", 1));
        assert!(found[0].covers("PT202", "matmul-mismatch", 1));
        assert!(!found[0].covers("PT203", "reshape-mismatch", 1));
        assert!(found[1].covers("PT203", "reshape-mismatch", 3));
        assert!(found[2].covers("PT100", "undefined-name", 77));
        assert_eq!(found[0].range.of(text), "pytrope: ignore[PT201, matmul-mismatch]");
    }
}
