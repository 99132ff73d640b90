//! Diffs as they are printed: files that are new, and colours.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};
use pytrope_source::unified_diff;

/// The diff that creates a file.
pub(crate) fn of_new_file(path: &str, text: &str) -> String {
    let diff = unified_diff(path, "", text);
    match diff.split_once('\n') {
        Some((_, rest)) => format!("--- /dev/null\n{rest}"),
        None => diff,
    }
}

/// A diff with its lines in the colours that `git diff` gives them.
pub(crate) fn paint_diff(diff: &str, colour: bool) -> Cow<'_, str> {
    if !colour {
        return Cow::Borrowed(diff);
    }
    let mut painted = String::with_capacity(diff.len() * 2);
    for line in diff.split_inclusive('\n') {
        let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
        let style = if text.starts_with("--- ") || text.starts_with("+++ ") {
            Style::new().bold()
        } else {
            match text.as_bytes().first() {
                Some(b'+') => AnsiColor::Green.on_default(),
                Some(b'-') => AnsiColor::Red.on_default(),
                Some(b'@') => AnsiColor::Cyan.on_default(),
                _ => Style::new(),
            }
        };
        painted.push_str(&format!("{style}{text}{style:#}{end}"));
    }
    Cow::Owned(painted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_has_no_old_name() {
        assert_eq!(of_new_file("a.py", "x\n"), "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x\n");
    }

    #[test]
    fn lines_are_coloured_by_what_they_are() {
        let painted = paint_diff("--- a/x\n-old\n same\n", true);
        assert_eq!(painted, "\x1b[1m--- a/x\x1b[0m\n\x1b[31m-old\x1b[0m\n same\n");
        assert_eq!(paint_diff("-old\n", false), "-old\n");
    }
}
