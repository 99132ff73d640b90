//! A flow as one SVG picture: calls from top to bottom, containers as frames around what they call, shapes on the arrows.

use std::fmt::Write;

use crate::flow::{Call, ShapeFlow, arrow_label, is_continued, shown_memory, shown_parameters};
use crate::markup::Markup;

/// Width of one character of the picture's monospaced 12-pixel font.
const CHARACTER: usize = 8;
const BOX_HEIGHT: usize = 40;
const ARROW: usize = 34;
const PADDING: usize = 14;
const TITLE: usize = 24;
/// What is said of an operation that is not a layer.
const BETWEEN_LAYERS: &str = "an operation between layers";

const STYLE: &str = "\
.pt-flow{--ink:#1f2328;--soft:#59636e;--paper:#ffffff;--box:#f6f8fa;--line:#8c959f;--bad:#cf222e;--badbox:#ffebe9;--accent:#0969da}\
@media (prefers-color-scheme:dark){.pt-flow{--ink:#e6edf3;--soft:#9198a1;--paper:#0d1117;--box:#161b22;--line:#656c76;--bad:#ff7b72;--badbox:#490202;--accent:#79c0ff}}\
.pt-flow text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--ink)}\
.pt-flow .soft{fill:var(--soft)}.pt-flow .shape{fill:var(--accent)}.pt-flow .bad{fill:var(--bad);font-weight:bold}\
.pt-flow rect{fill:var(--box);stroke:var(--line)}.pt-flow .frame{fill:none;stroke-dasharray:4 3}.pt-flow .badframe{stroke:var(--bad);stroke-width:2}\
.pt-flow .paper{fill:var(--paper);stroke:none}.pt-flow .badbox{fill:var(--badbox);stroke:var(--bad);stroke-width:2}\
.pt-flow path{stroke:var(--line);fill:none;stroke-width:1.5}.pt-flow .tip{fill:var(--line);stroke:none}\
.pt-flow path.badline{stroke:var(--bad);stroke-width:2}.pt-flow .badtip{fill:var(--bad);stroke:none}";

/// A drawing that grows downwards.
struct SvgDrawing {
    body: String,
    y: usize,
    width: usize,
}

/// A flow as SVG.
pub fn to_svg(flow: &ShapeFlow) -> String {
    let inner = widest_line(flow);
    let width = inner + 2 * PADDING;
    let mut drawing = SvgDrawing { body: String::new(), y: PADDING, width };
    drawing.text(PADDING, &flow.title, "");
    drawing.y += 18;
    let totals = [
        flow.describe_parameters().map(|parameters| format!("Parameters: {parameters}")),
        flow.describe_work().map(|work| format!("Multiply-adds: {work}")),
    ];
    for total in totals.iter().flatten() {
        drawing.text(PADDING, total, "soft");
        drawing.y += 16;
    }
    drawing.y += 10;
    let fails_first = flow.calls.first().is_some_and(Call::fails_at_start);
    match flow.inputs.as_slice() {
        [(name, shape)] => {
            drawing.draw_node(PADDING, inner, name, "input", false);
            drawing.arrow(PADDING + inner / 2, shape, fails_first);
        }
        [] => {}
        several => {
            drawing.draw_inputs(PADDING, inner, several);
            let given = flow.calls.first().map_or_else(String::new, |call| match call.sources.as_slice() {
                [] => call.inputs.join(", "),
                sources => format!("{}: {}", sources.join(", "), call.inputs.join(", ")),
            });
            drawing.arrow(PADDING + inner / 2, &given, fails_first);
        }
    }
    drawing.calls(&flow.calls, PADDING, inner);
    match (&flow.output, &flow.failure) {
        (Some(output), _) => {
            drawing.arrow(PADDING + inner / 2, output, false);
            drawing.draw_node(PADDING, inner, "result", "output", false);
            if let Some(conditions) = flow.describe_conditions() {
                drawing.y += 10;
                for line in wrap_text(&format!("Only where: {conditions}"), (inner / CHARACTER).max(20)) {
                    drawing.text(PADDING, &line, "");
                    drawing.y += 16;
                }
            }
        }
        (None, Some(failure)) => {
            if flow.fails_between_layers() {
                let what = if flow.has_layers { BETWEEN_LAYERS } else { "the next operation" };
                drawing.failing_operation(&flow.calls, PADDING, inner, what);
            }
            drawing.y += 20;
            for line in wrap_text(&failure.message, (inner / CHARACTER).max(20)) {
                drawing.text(PADDING, &line, "bad");
                drawing.y += 16;
            }
            if let Some(place) = &failure.place {
                drawing.text(PADDING, place, "soft");
                drawing.y += 16;
            }
        }
        (None, None) => {}
    }
    let (width, height) = (drawing.width, drawing.y + PADDING);
    let title = Markup(&flow.title);
    let description = describe_flow(flow);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pt-flow\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"pt-title pt-desc\">\
         <title id=\"pt-title\">{title}</title><desc id=\"pt-desc\">{}</desc><style>{STYLE}</style>\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
        Markup(&description),
        drawing.body
    )
}

/// The picture in words, for those who do not see it.
fn describe_flow(flow: &ShapeFlow) -> String {
    let inputs: Vec<String> = flow.inputs.iter().map(|(name, shape)| format!("{name} {shape}")).collect();
    let end = match (&flow.output, &flow.failure) {
        (Some(output), _) => format!("It returns {output}."),
        (None, Some(failure)) => format!("It fails: {}.", failure.message),
        (None, None) => String::new(),
    };
    format!("Shape flow from {} through {} layers. {end}", inputs.join(", "), count_calls(&flow.calls))
}

fn count_calls(calls: &[Call]) -> usize {
    calls.iter().map(|call| if call.calls.is_empty() { 1 } else { count_calls(&call.calls) }).sum()
}

/// The width that the widest line needs.
fn widest_line(flow: &ShapeFlow) -> usize {
    fn of(calls: &[Call], depth: usize) -> usize {
        let own = calls.iter().map(|call| {
            let line = call_title(call).chars().count().max(detail_of(call).chars().count());
            let inside = of(&call.calls, depth + 1);
            (line * CHARACTER + 2 * PADDING + depth * 2 * PADDING).max(inside)
        });
        let between = calls.windows(2).map(|pair| arrow_label(&pair[0], &pair[1]));
        let shapes = calls.iter().flat_map(|call| call.output.clone().into_iter().chain(call.inputs.first().cloned()));
        // A label stands on the right of its arrow, which is in the middle.
        let labels = between.chain(shapes).map(|label| 2 * (label.chars().count() * CHARACTER + PADDING));
        own.chain(labels).max().unwrap_or(0)
    }
    let inputs = flow.inputs.iter().map(|(name, shape)| name.chars().count() + shape.chars().count() + 2).max();
    let headings = [Some(flow.title.clone()), flow.describe_parameters(), flow.describe_work()];
    let heading = headings.iter().flatten().map(|text| text.chars().count() + "Multiply-adds: ".len()).max();
    let texts = heading.max(inputs).unwrap_or(0) * CHARACTER;
    of(&flow.calls, 0).max(texts + 2 * PADDING).clamp(260, 1_200)
}

fn call_title(call: &Call) -> String {
    if call.name == call.kind { call.kind.clone() } else { format!("{}: {}", call.name, call.kind) }
}

fn detail_of(call: &Call) -> String {
    let mut parts = Vec::new();
    let parameters = call.parameters;
    if call.shows_parameters() {
        let memory = parameters.map_or_else(String::new, |parameters| format!(", {}", shown_memory(parameters)));
        parts.push(format!("{} parameters{memory}", shown_parameters(parameters)));
    }
    parts.extend(call.work.as_ref().map(|work| format!("{work} multiply-adds")));
    parts.join(", ")
}

impl SvgDrawing {
    fn text(&mut self, x: usize, text: &str, class: &str) {
        let _ = writeln!(self.body, "<text x=\"{x}\" y=\"{}\" class=\"{class}\">{}</text>", self.y + 12, Markup(text));
    }

    fn draw_node(&mut self, x: usize, width: usize, name: &str, detail: &str, failed: bool) {
        let class = if failed { "badbox" } else { "" };
        let y = self.y;
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BOX_HEIGHT}\" rx=\"6\"/>"
        );
        let middle = x + width / 2;
        let (first, second) = if detail.is_empty() { (y + 25, y) } else { (y + 17, y + 33) };
        let _ =
            writeln!(self.body, "<text x=\"{middle}\" y=\"{first}\" text-anchor=\"middle\">{}</text>", Markup(name));
        if !detail.is_empty() {
            let _ = writeln!(
                self.body,
                "<text x=\"{middle}\" y=\"{second}\" text-anchor=\"middle\" class=\"soft\">{}</text>",
                Markup(detail)
            );
        }
        self.y += BOX_HEIGHT;
    }

    /// One box for several inputs: no shape flows from one of them to the next.
    fn draw_inputs(&mut self, x: usize, width: usize, inputs: &[(String, String)]) {
        const LINE: usize = 16;
        let height = LINE * (inputs.len() + 1) + 10;
        let (y, middle) = (self.y, x + width / 2);
        let _ = writeln!(self.body, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>");
        for (row, (name, shape)) in inputs.iter().enumerate() {
            let _ = writeln!(
                self.body,
                "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{} <tspan class=\"shape\">{}</tspan></text>",
                y + LINE * (row + 1),
                Markup(name),
                Markup(shape)
            );
        }
        let _ = writeln!(
            self.body,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" class=\"soft\">inputs</text>",
            y + LINE * (inputs.len() + 1)
        );
        self.y += height;
    }

    /// A red box for an operation that failed behind some calls.
    fn failing_operation(&mut self, calls: &[Call], x: usize, width: usize, what: &str) {
        let given = calls.last().and_then(|call| call.output.as_deref()).unwrap_or("?");
        self.arrow(x + width / 2, given, true);
        self.draw_node(x, width, what, "fails", true);
    }

    /// An arrow down with the shape that goes along it.
    fn arrow(&mut self, x: usize, shape: &str, failed: bool) {
        self.arrow_from(self.y, x, shape, failed);
    }

    /// The same with a line that begins below the box above it, where what flows was not made there.
    fn arrow_from(&mut self, start: usize, x: usize, shape: &str, failed: bool) {
        let (line, tip, text) = if failed { ("badline", "badtip", "bad") } else { ("", "tip", "shape") };
        let (top, bottom) = (self.y, self.y + ARROW);
        let _ = writeln!(self.body, "<path class=\"{line}\" d=\"M{x} {start}V{}\"/>", bottom - 6);
        let _ = writeln!(self.body, "<path class=\"{tip}\" d=\"M{} {}h10l-5 7z\"/>", x - 5, bottom - 7);
        let _ =
            writeln!(self.body, "<text x=\"{}\" y=\"{}\" class=\"{text}\">{}</text>", x + 10, top + 20, Markup(shape));
        self.y += ARROW;
    }

    fn calls(&mut self, calls: &[Call], x: usize, width: usize) {
        for (index, call) in calls.iter().enumerate() {
            if call.calls.is_empty() {
                self.draw_node(x, width, &call_title(call), &detail_of(call), call.failed);
            } else {
                self.frame(call, x, width);
            }
            let Some(next) = calls.get(index + 1) else { continue };
            let start = if is_continued(call, next) { self.y } else { self.y + ARROW / 2 };
            self.arrow_from(start, x + width / 2, &arrow_label(call, next), next.fails_at_start());
        }
    }

    fn frame(&mut self, call: &Call, x: usize, width: usize) {
        let top = self.y;
        self.y += 6;
        self.text(x + PADDING, &call_title(call), "");
        self.y += TITLE;
        let (inner_x, inner_width) = (x + PADDING, width - 2 * PADDING);
        self.calls(&call.calls, inner_x, inner_width);
        let fails = call.fails_between_layers();
        if fails {
            self.failing_operation(&call.calls, inner_x, inner_width, BETWEEN_LAYERS);
        }
        self.y += PADDING;
        let height = self.y - top;
        let class = if fails { "frame badframe" } else { "frame" };
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>"
        );
    }
}

/// Breaks a text into lines of at most `width` characters at spaces.
fn wrap_text(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is always a line");
        if !last.is_empty() && last.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FlowFailure;

    #[test]
    fn a_failing_layer_is_red_and_names_are_escaped() {
        let head = Call {
            path: "<head>".into(),
            name: "<head>".into(),
            kind: "Linear".into(),
            inputs: vec!["(8, 2048)".into()],
            parameters: Some(15_690),
            failed: true,
            ..Call::default()
        };
        let flow = ShapeFlow {
            title: "Net()".into(),
            inputs: vec![("x".into(), "(8, 2048)".into())],
            calls: vec![head],
            has_layers: true,
            parameters: Some(15_690),
            not_trained: None,
            output: None,
            conditions: Vec::new(),
            failure: Some(FlowFailure { message: "RuntimeError: 1568 features".into(), place: None }),
        };
        let svg = to_svg(&flow);
        assert!(svg.contains("class=\"badbox\"") && svg.contains("class=\"badline\""), "{svg}");
        assert!(svg.contains("&lt;head&gt;: Linear") && !svg.contains("<head>"), "{svg}");
        assert!(svg.contains("It fails: RuntimeError: 1568 features."), "{svg}");
        assert!(!svg.contains("between layers"), "{svg}");
        let whole = Call { failed: false, output: Some("(8, 10)".into()), ..flow.calls[0].clone() };
        let svg = to_svg(&ShapeFlow { calls: vec![whole], ..flow });
        assert!(svg.contains("between layers") && svg.contains("class=\"bad\">(8, 10)</text>"), "{svg}");
    }

    #[test]
    fn labels_of_arrows_are_inside_of_the_picture() {
        let call = |input: &str, output: &str| Call {
            kind: "Linear".into(),
            inputs: vec![input.into()],
            output: Some(output.into()),
            ..Call::default()
        };
        let calls = vec![call("(n, 3, h, w)", "(n, 32, h//4, w//4)"), call("(n, 32*(h//4)*(w//4))", "(n, 10)")];
        let flow = ShapeFlow { title: "Net()".into(), calls, has_layers: true, ..ShapeFlow::default() };
        let label = "(n, 32, h//4, w//4) → (n, 32*(h//4)*(w//4))".chars().count() * CHARACTER;
        assert!(widest_line(&flow) >= 2 * label, "{}", widest_line(&flow));
    }

    #[test]
    fn no_arrow_leads_from_one_input_to_the_next() {
        let sum = Call { name: "sum = q + k".into(), output: Some("(n, 3)".into()), ..Call::default() };
        let flow = ShapeFlow {
            title: "add".into(),
            inputs: vec![("q".into(), "(n, 3)".into()), ("k".into(), "(3,)".into())],
            calls: vec![sum],
            output: Some("(n, 3)".into()),
            ..ShapeFlow::default()
        };
        let svg = to_svg(&flow);
        assert_eq!(svg.matches("class=\"tip\"").count(), 2, "into the sum and out of it: {svg}");
        assert!(svg.contains(">k <tspan class=\"shape\">(3,)</tspan>") && svg.contains(">inputs</text>"), "{svg}");
    }

    #[test]
    fn an_operation_that_fails_inside_a_container_has_a_red_box_there() {
        let conv = Call {
            name: "conv".into(),
            kind: "Conv2d".into(),
            inputs: vec!["(n, 3, 8, 8)".into()],
            output: Some("(n, 6, 8, 8)".into()),
            ..Call::default()
        };
        let block =
            Call { name: "block".into(), kind: "Block".into(), calls: vec![conv], failed: true, ..Call::default() };
        let flow = ShapeFlow {
            inputs: vec![("x".into(), "(n, 3, 8, 8)".into())],
            calls: vec![block],
            has_layers: true,
            failure: Some(FlowFailure { message: "RuntimeError".into(), place: None }),
            ..ShapeFlow::default()
        };
        let svg = to_svg(&flow);
        assert!(svg.contains("frame badframe") && svg.contains(BETWEEN_LAYERS), "{svg}");
        assert!(svg.contains("class=\"bad\">(n, 6, 8, 8)</text>"), "what the operation was given: {svg}");
        assert!(svg.contains("class=\"shape\">(n, 3, 8, 8)</text>"), "the block itself was entered: {svg}");
        let table = crate::to_table(&flow, false);
        assert!(table.contains("✗ after conv"), "{table}");
        let page = crate::to_html(&flow);
        assert!(page.contains("an operation between layers fails") && page.contains("fails after"), "{page}");
    }

    #[test]
    fn long_texts_are_broken_at_spaces() {
        assert_eq!(wrap_text("one two three", 7), ["one two", "three"]);
    }
}
