//! A flow as one SVG picture: calls from top to bottom, containers as frames around what they call, shapes on the arrows.

use std::fmt::Write;

use crate::flow::{Call, ShapeFlow, shown_memory, shown_parameters};
use crate::markup::Markup;

/// Width of one character of the picture's monospaced 12-pixel font.
const CHARACTER: usize = 8;
const BOX_HEIGHT: usize = 40;
const ARROW: usize = 34;
const PADDING: usize = 14;
const TITLE: usize = 24;

const STYLE: &str = "\
.pt-flow{--ink:#1f2328;--soft:#59636e;--paper:#ffffff;--box:#f6f8fa;--line:#8c959f;--bad:#cf222e;--badbox:#ffebe9;--accent:#0969da}\
@media (prefers-color-scheme:dark){.pt-flow{--ink:#e6edf3;--soft:#9198a1;--paper:#0d1117;--box:#161b22;--line:#656c76;--bad:#ff7b72;--badbox:#490202;--accent:#79c0ff}}\
.pt-flow text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--ink)}\
.pt-flow .soft{fill:var(--soft)}.pt-flow .shape{fill:var(--accent)}.pt-flow .bad{fill:var(--bad);font-weight:bold}\
.pt-flow rect{fill:var(--box);stroke:var(--line)}.pt-flow .frame{fill:none;stroke-dasharray:4 3}\
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
    for (name, shape) in &flow.inputs {
        drawing.node(PADDING, inner, name, "input", false);
        drawing.arrow(PADDING + inner / 2, shape, fails_at(&flow.calls));
    }
    drawing.calls(&flow.calls, PADDING, inner);
    match (&flow.output, &flow.failure) {
        (Some(output), _) => {
            drawing.arrow(PADDING + inner / 2, output, false);
            drawing.node(PADDING, inner, "result", "output", false);
        }
        (None, Some(failure)) => {
            if flow.fails_between_layers() {
                let given = flow.calls.last().and_then(|call| call.output.as_deref()).unwrap_or("?");
                drawing.arrow(PADDING + inner / 2, given, true);
                let what = if flow.has_layers { "an operation between layers" } else { "the next operation" };
                drawing.node(PADDING, inner, what, "fails", true);
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

/// Whether the first of some calls, or the first inside it, is the one that failed.
fn fails_at(calls: &[Call]) -> bool {
    calls.first().is_some_and(|call| call.failed || fails_at(&call.calls) && call.output.is_none())
}

/// The width that the widest line needs.
fn widest_line(flow: &ShapeFlow) -> usize {
    fn of(calls: &[Call], depth: usize) -> usize {
        let own = calls.iter().map(|call| {
            let line = call_title(call).chars().count().max(detail_of(call).chars().count());
            let shape = call.output.as_ref().map_or(0, |shape| shape.chars().count() + 4);
            (line.max(shape) * CHARACTER + 2 * PADDING + depth * 2 * PADDING).max(of(&call.calls, depth + 1))
        });
        own.max().unwrap_or(0)
    }
    let headings = [Some(flow.title.clone()), flow.describe_parameters(), flow.describe_work()];
    let heading = headings.iter().flatten().map(|text| text.chars().count() + "Multiply-adds: ".len()).max();
    of(&flow.calls, 0).max(heading.unwrap_or(0) * CHARACTER).clamp(260, 1_200)
}

fn call_title(call: &Call) -> String {
    if call.name == call.kind { call.kind.clone() } else { format!("{}: {}", call.name, call.kind) }
}

fn detail_of(call: &Call) -> String {
    let mut parts = Vec::new();
    let parameters = call.parameters;
    if parameters != Some(0) {
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

    fn node(&mut self, x: usize, width: usize, name: &str, detail: &str, failed: bool) {
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

    /// An arrow down with the shape that goes along it.
    fn arrow(&mut self, x: usize, shape: &str, failed: bool) {
        let (line, tip, text) = if failed { ("badline", "badtip", "bad") } else { ("", "tip", "shape") };
        let (top, bottom) = (self.y, self.y + ARROW);
        let _ = writeln!(self.body, "<path class=\"{line}\" d=\"M{x} {top}V{}\"/>", bottom - 6);
        let _ = writeln!(self.body, "<path class=\"{tip}\" d=\"M{} {}h10l-5 7z\"/>", x - 5, bottom - 7);
        let _ =
            writeln!(self.body, "<text x=\"{}\" y=\"{}\" class=\"{text}\">{}</text>", x + 10, top + 20, Markup(shape));
        self.y += ARROW;
    }

    fn calls(&mut self, calls: &[Call], x: usize, width: usize) {
        for (index, call) in calls.iter().enumerate() {
            if call.calls.is_empty() {
                self.node(x, width, &call_title(call), &detail_of(call), call.failed);
            } else {
                self.frame(call, x, width);
            }
            let Some(next) = calls.get(index + 1) else { continue };
            // What the next call was given; where it is not what this one gave, something happened in between.
            let given = next.inputs.first().cloned().unwrap_or_default();
            let label = match &call.output {
                Some(output) if *output == given => given,
                Some(output) => format!("{output} → {given}"),
                None => given,
            };
            self.arrow(x + width / 2, &label, next.failed || fails_at(&next.calls) && next.output.is_none());
        }
    }

    fn frame(&mut self, call: &Call, x: usize, width: usize) {
        let top = self.y;
        self.y += 6;
        self.text(x + PADDING, &call_title(call), "");
        self.y += TITLE;
        self.calls(&call.calls, x + PADDING, width - 2 * PADDING);
        self.y += PADDING;
        let height = self.y - top;
        let _ = writeln!(
            self.body,
            "<rect class=\"frame\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>"
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
            output: None,
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
    fn long_texts_are_broken_at_spaces() {
        assert_eq!(wrap_text("one two three", 7), ["one two", "three"]);
    }
}
