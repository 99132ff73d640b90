//! The shapes in a finding's message, drawn as rows of cells with those that disagree marked.

use std::fmt::Write;

use pytrope_draw::Markup;
use pytrope_shapes::draw::split_at_commas;

/// One drawn shape: its sizes, of which some may be open, and the axis that disagrees with the other shape.
struct ShapeRow {
    sizes: Vec<Option<String>>,
    marked: Option<usize>,
}

/// The first two shapes in a message, aligned at their last axes, or the shape that a layer was given above the size that it expects;
/// nothing if the message has neither.
pub(super) fn draw_shapes(message: &str) -> String {
    let shapes = shapes_in(message);
    let rows = match shapes.as_slice() {
        [left, right] => [(left, true), (right, false)].map(|(shape, is_left)| ShapeRow {
            marked: marked_axis(message, shape, is_left),
            sizes: shape.iter().cloned().map(Some).collect(),
        }),
        [given] => match expected_row(message, given) {
            Some(expected) => {
                [ShapeRow { sizes: given.iter().cloned().map(Some).collect(), marked: expected.marked }, expected]
            }
            None => return String::new(),
        },
        _ => return String::new(),
    };
    let columns = rows.iter().map(|row| row.sizes.len()).max().unwrap_or_default();
    let mut text = String::from("<table class=\"shapes\" aria-label=\"the two shapes\"><tbody>");
    for ShapeRow { sizes, marked } in rows {
        text.push_str("<tr>");
        for _ in sizes.len()..columns {
            text.push_str("<td class=\"none\"></td>");
        }
        for (axis, size) in sizes.iter().enumerate() {
            let Some(size) = size else {
                text.push_str("<td class=\"none\"></td>");
                continue;
            };
            let class = if marked == Some(axis) { "size differs" } else { "size" };
            let _ = write!(text, "<td class=\"{class}\">{}</td>", Markup(size));
        }
        text.push_str("</tr>");
    }
    text.push_str("</tbody></table>");
    text
}

/// What a layer expects, below the axis of the given shape that differs: `linear expects 8 features, but the input of shape (2, 9) has 9`.
fn expected_row(message: &str, given: &[String]) -> Option<ShapeRow> {
    let (_, after) = message.split_once(" expects ")?;
    let (expected, rest) = after.split_once(' ')?;
    let size = message.rsplit_once(" has ")?.1;
    let axis = if rest.starts_with("channels") {
        // Channels follow the batch, if there is one.
        given.iter().skip(1).position(|known| known == size).map_or(0, |axis| axis + 1)
    } else {
        given.iter().rposition(|known| known == size)?
    };
    let mut sizes = vec![None; given.len()];
    sizes[axis] = Some(expected.to_owned());
    Some(ShapeRow { sizes, marked: Some(axis) })
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
        let Some(length) = bracketed_length(&rest[start..]) else { break };
        let sizes = split_at_commas(&rest[start + 1..start + length - 1]);
        let is_size = |size: &String| size.chars().all(|c| c.is_alphanumeric() || "_+-*/ .[]()?".contains(c));
        // `(3,)` is a shape; `(n + 1)` without a comma is an expression in brackets.
        let is_tuple = sizes.len() > 1 || rest[..start + length].ends_with(",)");
        if is_tuple && sizes.iter().all(is_size) {
            shapes.push(sizes);
        }
        rest = &rest[start + length..];
    }
    shapes.truncate(2);
    shapes
}

/// How much of a text that begins with a bracket its closing bracket ends.
fn bracketed_length(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `["3", "n + 1"]` of `…: 3 ≠ n + 1`, and of `…: axis -1 has 3 ≠ n + 1`.
fn disagreeing_sizes(message: &str) -> Vec<String> {
    let Some((before, after)) = message.split_once(" ≠ ") else { return Vec::new() };
    let left = before.rsplit(": ").next().unwrap_or_default();
    let left = left.split_once(" has ").map_or(left, |(_, size)| size);
    let left = left.rsplit(", ").next().unwrap_or_default();
    let right = after.split([':', ',', ';']).next().unwrap_or_default();
    let right = right.split_once(" at dim ").map_or(right, |(size, _)| size);
    vec![left.trim().to_owned(), right.trim().to_owned()]
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

    #[test]
    fn sizes_that_are_expressions_are_marked_too() {
        let product = draw_shapes("matrix product of (rows, n) and (n + 1, ?): n ≠ n + 1");
        assert!(product.contains("<td class=\"size differs\">n</td>"), "{product}");
        assert!(product.contains("<td class=\"size differs\">n + 1</td>"), "{product}");
        let sum =
            draw_shapes("shapes (b, (h - 1)//2) and (b, h) do not broadcast together: axis -1 has (h - 1)//2 ≠ h");
        assert_eq!(sum.matches("differs").count(), 2, "{sum}");
        assert!(sum.contains("<td class=\"size differs\">(h - 1)//2</td>"), "{sum}");
        let joined = draw_shapes("cat of (2, 3) and (4, 5) along dim 1: 2 ≠ 4 at dim 0");
        assert!(joined.contains("<td class=\"size differs\">4</td><td class=\"size\">5</td>"), "{joined}");
        let vector = draw_shapes("matrix product of (50, 2) and (3,): 2 ≠ 3");
        assert_eq!(vector.matches("differs").count(), 2, "{vector}");
    }

    #[test]
    fn what_a_layer_expects_stands_below_what_it_was_given() {
        let drawn = draw_shapes("linear expects 1568 features, but the input of shape (8, 2048) has 2048");
        assert!(drawn.contains("<td class=\"size\">8</td><td class=\"size differs\">2048</td>"), "{drawn}");
        assert!(drawn.contains("<tr><td class=\"none\"></td><td class=\"size differs\">1568</td>"), "{drawn}");
        let drawn = draw_shapes("Conv2d expects 3 channels, but the input of shape (1, 1, 8, 8) has 1");
        let row = "<tr><td class=\"none\"></td><td class=\"size differs\">3</td><td class=\"none\"></td>";
        assert!(drawn.contains(row), "{drawn}");
        assert_eq!(draw_shapes("trace needs a matrix, but this tensor has shape (1, 2, 3)"), "");
    }
}
