//! Text in HTML and SVG.

use std::fmt;

/// Text that is shown as it is: what markup would read is escaped, what a terminal or browser would obey is left out.
pub struct Markup<'a>(pub &'a str);

impl fmt::Display for Markup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // Characters that XML 1.0 does not admit.
                c if c.is_control() && !matches!(c, '\n' | '\t') => f.write_str("\u{fffd}")?,
                '\u{fffe}' | '\u{ffff}' => f.write_str("\u{fffd}")?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_stays_text() {
        assert_eq!(Markup("<b a='1'>&\u{1b}").to_string(), "&lt;b a=&#39;1&#39;&gt;&amp;\u{fffd}");
    }
}
