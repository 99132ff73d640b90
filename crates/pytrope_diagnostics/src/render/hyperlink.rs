//! Links in a terminal: `ESC ] 8 ; ; ADDRESS ESC \\ TEXT ESC ] 8 ; ; ESC \\`, as most terminals show them.

use std::path::Path;

use pytrope_source::Span;

use super::RenderContext;
use crate::{Place, Rule, page_address};

/// A place as a link to its file, if links are shown.
pub(super) fn link_place(text: &str, span: &Span, context: &RenderContext) -> String {
    if context.links.is_none() || span.file.path().starts_with('<') {
        return text.to_owned();
    }
    let path = context.base.join(Path::new(span.file.path()));
    let address = format!("file://{}#L{}", escape_path(&path.to_string_lossy()), Place::of(span).line);
    link_text(text, &address)
}

/// A rule's code as a link to its page, if links are shown and the pages have an address.
pub(super) fn link_rule(text: &str, rule: &Rule, context: &RenderContext) -> String {
    match context.links.as_ref().and_then(|links| links.documentation.as_deref()) {
        Some(site) => link_text(text, &page_address(site, rule.code)),
        None => text.to_owned(),
    }
}

fn link_text(text: &str, address: &str) -> String {
    format!("\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\")
}

/// Bytes that a file address may not hold as they are, control characters among them, are percent-encoded.
fn escape_path(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_of_a_path_reaches_the_terminal() {
        assert_eq!(escape_path("/a b/\x1b[31m/ü.py"), "/a%20b/%1B%5B31m/%C3%BC.py");
    }
}
