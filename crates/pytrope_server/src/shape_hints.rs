//! Shapes beside the code: inlay hints at assignments, parameters, results and attributes, what a name holds on hover, and where
//! its shape was created.

use lsp_types::{
    Hover, HoverContents, InlayHint, InlayHintKind, InlayHintLabel, InlayHintLabelPart, InlayHintTooltip, Location,
    MarkupContent, MarkupKind, Range, Url,
};
use pytrope_shapes::{BindingKind, ShownBinding};
use pytrope_source::{SourceFile, Span, TextRange};
use std::sync::Arc;

use crate::places::Places;

/// The hints of a range of lines: `h = net(x)` shows `: [8, 128] float32` behind `h`, a `return` what is returned.
pub(crate) fn inlay_hints(
    file: &Arc<SourceFile>,
    bindings: &[ShownBinding],
    uri: &Url,
    visible: Range,
    places: Places<'_>,
) -> Vec<InlayHint> {
    let hint = |binding: &ShownBinding| {
        let label = hint_label(binding)?;
        let name = name_range(binding);
        let location = places.location_of(&Span::new(file, TextRange::at(name.end)))?;
        let position = location.range.start;
        let is_visible =
            location.uri == *uri && visible.start.line <= position.line && position.line <= visible.end.line;
        is_visible.then(|| InlayHint {
            position,
            label: InlayHintLabel::LabelParts(vec![InlayHintLabelPart {
                value: label,
                tooltip: None,
                location: binding.origin.as_ref().and_then(|origin| places.location_of(origin)),
                command: None,
            }]),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: Some(InlayHintTooltip::MarkupContent(MarkupContent {
                kind: MarkupKind::Markdown,
                value: describe_binding(binding),
            })),
            padding_left: Some(binding.kind == BindingKind::Return),
            padding_right: Some(true),
            data: None,
        })
    };
    bindings.iter().filter_map(hint).collect()
}

/// What is known of the name under an offset.
pub(crate) fn hover_at(
    file: &Arc<SourceFile>,
    bindings: &[ShownBinding],
    offset: u32,
    places: Places<'_>,
) -> Option<Hover> {
    let binding = binding_at(file, bindings, offset)?;
    let word = Span::new(file, word_range(file.text(), offset));
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: describe_binding(binding) }),
        range: Some(places.range_of(&word)),
    })
}

/// Where the shape of the array was created that the name under an offset holds.
pub(crate) fn origin_at(
    file: &Arc<SourceFile>,
    bindings: &[ShownBinding],
    offset: u32,
    places: Places<'_>,
) -> Option<Location> {
    places.location_of(binding_at(file, bindings, offset)?.origin.as_ref()?)
}

/// The binding that a name at an offset reads or makes: the last one before it in the text, which is exact where the
/// name is bound and a good guess where it is read.
pub(crate) fn binding_at<'a>(file: &SourceFile, bindings: &'a [ShownBinding], offset: u32) -> Option<&'a ShownBinding> {
    let text = file.text();
    let word = word_range(text, offset);
    let name = word.of(text);
    if name.is_empty() {
        return None;
    }
    let of_name = bindings.iter().filter(|binding| binding.name == name);
    of_name.filter(|binding| binding.span.range.start <= word.start).max_by_key(|binding| binding.span.range.start)
}

fn describe_binding(binding: &ShownBinding) -> String {
    let mut text = format!("```python\n{}: {}\n```", binding.name, binding.values.join(" | "));
    if let Some(elements) = &binding.element_type {
        text.push_str(&format!("\n\nElements: `{elements}`"));
    }
    if let Some(reason) = &binding.reason {
        text.push_str("\n\nNothing more is known: ");
        text.push_str(reason);
    }
    if let Some(origin) = &binding.origin {
        let place = origin.start();
        let line = place.position.line;
        let cell = place.cell.map(|cell| format!("cell {cell}, ")).unwrap_or_default();
        text.push_str(&format!("\n\nCreated in {}, {cell}line {line}: `{}`", origin.file.path(), first_line(origin)));
    }
    text
}

/// The first line of a span, as an excerpt.
fn first_line(span: &Span) -> String {
    let line = span.text().lines().next().unwrap_or_default();
    if line.chars().count() > EXCERPT { line.chars().take(EXCERPT).chain(['…']).collect() } else { line.to_owned() }
}

/// How many characters of the code that created a shape are shown.
const EXCERPT: usize = 60;

/// `: [8, 128] float32` of `Tensor[8, 128]`; what is no array has no hint.
pub(crate) fn hint_label(binding: &ShownBinding) -> Option<String> {
    let shapes: Option<Vec<&str>> = binding.values.iter().map(|value| array_shape(value)).collect();
    let shapes = shapes.filter(|shapes| !shapes.is_empty())?;
    let mark = if binding.kind == BindingKind::Return { "→" } else { ":" };
    let elements = binding.element_type.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    Some(format!("{mark} {}{elements}", shapes.join(" | ")))
}

/// The brackets of a value that is shown as `ClassName[sizes]`; a list of values has no class before its brackets.
pub(crate) fn array_shape(shown: &str) -> Option<&str> {
    let open = shown.find('[')?;
    let class = &shown[..open];
    let is_class = class.chars().next().is_some_and(char::is_alphabetic)
        && class.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    (is_class && shown.ends_with(']')).then(|| &shown[open..])
}

/// A binding's name in the text; `self.x = …` has its hint behind `x`, `return` behind the word.
pub(crate) fn name_range(binding: &ShownBinding) -> TextRange {
    let range = binding.span.range;
    let text = range.of(binding.span.file.text());
    match text.find(&binding.name) {
        Some(at) => {
            let start = range.start + u32::try_from(at).unwrap_or_default();
            TextRange::new(start, start + u32::try_from(binding.name.len()).unwrap_or_default())
        }
        None => range,
    }
}

/// The identifier around an offset; empty between identifiers.
pub(crate) fn word_range(text: &str, offset: u32) -> TextRange {
    let offset = (offset as usize).min(text.len());
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let start =
        text[..offset].rfind(|c| !is_part(c)).map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8));
    let end = text[offset..].find(|c| !is_part(c)).map_or(text.len(), |at| offset + at);
    TextRange::new(u32::try_from(start).unwrap_or_default(), u32::try_from(end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_have_hints_and_other_values_have_none() {
        assert_eq!(array_shape("Tensor[8, n + 1]"), Some("[8, n + 1]"));
        assert_eq!(array_shape("ndarray[]"), Some("[]"));
        assert_eq!(array_shape("[1, 2]"), None);
        assert_eq!(array_shape("Unknown"), None);
        assert_eq!(array_shape("'a[0]'"), None);
    }

    #[test]
    fn words_are_found_around_an_offset() {
        let text = "é1 = foo_2(x)";
        let at = |needle: &str| u32::try_from(text.find(needle).unwrap()).unwrap();
        assert_eq!(word_range(text, 0).of(text), "é1");
        assert_eq!(word_range(text, at("_2")).of(text), "foo_2");
        assert_eq!(word_range(text, at("=")).of(text), "");
        assert_eq!(word_range(text, at("(")).of(text), "foo_2");
    }
}
