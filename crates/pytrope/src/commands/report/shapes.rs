//! The shapes in a finding's message, drawn as rows of cells with those that disagree marked.

use std::fmt::Write;

use pytrope_draw::Markup;

/// The first two shapes in a message, aligned at their last axes; nothing if it has not two.
pub(super) fn draw_shapes(message: &str) -> String {
    let shapes = shapes_in(message);
    let [left, right] = shapes.as_slice() else { return String::new() };
    let columns = left.len().max(right.len());
    let marked = [marked_axis(message, left, true), marked_axis(message, right, false)];
    let mut text = String::from("<table class=\"shapes\" aria-label=\"the two shapes\"><tbody>");
    for (shape, marked) in [left, right].into_iter().zip(marked) {
        text.push_str("<tr>");
        for _ in shape.len()..columns {
            text.push_str("<td class=\"none\"></td>");
        }
        for (axis, size) in shape.iter().enumerate() {
            let class = if marked == Some(axis) { "size differs" } else { "size" };
            let _ = write!(text, "<td class=\"{class}\">{}</td>", Markup(size));
        }
        text.push_str("</tr>");
    }
    text.push_str("</tbody></table>");
    text
}

/// The axis of a shape that disagrees with the other: in a product the inner one, else the last of the size that is named.
fn marked_axis(message: &str, shape: &[String], is_left: bool) -> Option<usize> {
    let sizes = disagreeing_sizes(message);
    let size = if is_left { sizes.first()? } else { sizes.get(1)? };
    let inner = match (is_left, shape.len()) {
        (true, length) => length.checked_sub(1),
        (false, length) => length.checked_sub(length.min(2)),
    };
    if message.starts_with("matrix product") && inner.is_some_and(|axis| shape.get(axis) == Some(size)) {
        return inner;
    }
    shape.iter().rposition(|known| known == size)
}

/// Tuples of sizes in a text, at most two.
fn shapes_in(message: &str) -> Vec<Vec<String>> {
    let mut shapes = Vec::new();
    let mut rest = message;
    while let Some(start) = rest.find('(') {
        let Some(length) = rest[start..].find(')') else { break };
        let inner = &rest[start + 1..start + length];
        let sizes: Vec<String> =
            inner.split(',').map(|size| size.trim().to_owned()).filter(|size| !size.is_empty()).collect();
        let is_size = |size: &String| size.chars().all(|c| c.is_alphanumeric() || "_+-*/ .[]?".contains(c));
        if inner.contains(',') && sizes.iter().all(is_size) {
            shapes.push(sizes);
        }
        rest = &rest[start + length..];
    }
    shapes.truncate(2);
    shapes
}

/// `["3", "4"]` of `…: 3 ≠ 4`.
fn disagreeing_sizes(message: &str) -> Vec<String> {
    let Some((before, after)) = message.split_once(" ≠ ") else { return Vec::new() };
    let left = before.rsplit([' ', ':']).next().unwrap_or_default();
    let right = after.split([' ', ':', ',', ';']).next().unwrap_or_default();
    vec![left.to_owned(), right.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_that_disagree_are_marked() {
        let square = draw_shapes("matrix product of (10, 64) and (10, 64): 64 ≠ 10");
        assert_eq!(square.matches("differs").count(), 2, "{square}");
        let drawn = draw_shapes("matrix product of (2, 3) and (4, 5, n): 3 ≠ 5");
        assert!(
            drawn.contains("<td class=\"none\"></td><td class=\"size\">2</td><td class=\"size differs\">3</td>"),
            "{drawn}"
        );
        assert!(drawn.contains("<td class=\"size differs\">5</td><td class=\"size\">n</td>"), "{drawn}");
        assert_eq!(draw_shapes("name `x` is not defined"), "");
    }
}
