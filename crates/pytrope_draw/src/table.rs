//! The table for a terminal: layer, output shape, parameters, multiply-adds.

use crate::flow::{Call, ShapeFlow, is_continued, shown_parameters};

/// The first columns hold words, the others numbers. What a call was given comes from the line before it, or else is named.
const LAYER_HEADINGS: [&str; 5] = ["Layer (class)", "Output shape", "Connected to", "Parameters", "Multiply-adds"];
/// Arrays of a function have no parameters.
const ARRAY_HEADINGS: [&str; 5] = ["Array", "Shape", "", "", ""];
const CONNECTION: usize = 2;
const FIRST_NUMBER: usize = 3;

/// One line of the table; the tree is drawn in its first column.
struct TableRow {
    cells: [String; 5],
    failed: bool,
}

/// A flow as a table. `colour` marks the call that failed.
pub fn to_table(flow: &ShapeFlow, colour: bool) -> String {
    let mut rows = Vec::new();
    for (name, shape) in &flow.inputs {
        rows.push(TableRow {
            cells: [format!("{name} (input)"), shape.clone(), String::new(), String::new(), String::new()],
            failed: false,
        });
    }
    let first_call = rows.len();
    add_rows(&flow.calls, "", &mut rows);
    // Of several inputs, the one that goes in first is named.
    if let (Some(first), true) = (flow.calls.first(), flow.inputs.len() > 1) {
        rows[first_call].cells[CONNECTION] = first.sources.join(", ");
    }
    let mut headings = if flow.has_layers { LAYER_HEADINGS } else { ARRAY_HEADINGS };
    if rows.iter().all(|row| row.cells[CONNECTION].is_empty()) {
        headings[CONNECTION] = "";
    }
    if !flow.has_layers {
        for row in &mut rows {
            row.cells[CONNECTION..].fill(String::new());
        }
    }
    let mut widths = headings.map(|heading| heading.chars().count());
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(&row.cells) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let columns = widths.iter().filter(|width| **width > 0).count();
    let rule = "─".repeat(widths.iter().sum::<usize>() + 2 * (columns - 1));
    let mut text = format!("{}\n{rule}\n{}\n{rule}\n", flow.title, table_line(&headings.map(str::to_owned), &widths));
    for row in &rows {
        let written = table_line(&row.cells, &widths);
        if row.failed && colour {
            text.push_str(&format!("\x1b[1;31m{written}\x1b[0m\n"));
        } else {
            text.push_str(&format!("{written}\n"));
        }
    }
    text.push_str(&format!("{rule}\n"));
    if let Some(parameters) = flow.describe_parameters() {
        text.push_str(&format!("Parameters: {parameters}\n"));
    }
    if let Some(work) = flow.describe_work() {
        text.push_str(&format!("Multiply-adds: {work}\n"));
    }
    if let Some(output) = &flow.output {
        text.push_str(&format!("Returns: {output}\n"));
    }
    if let Some(conditions) = flow.describe_conditions() {
        text.push_str(&format!("Only where: {conditions}\n"));
    }
    if let Some(failure) = &flow.failure {
        let place = failure.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
        let line = format!("Fails: {}{place}", failure.message);
        text.push_str(&if colour { format!("\x1b[1;31m{line}\x1b[0m\n") } else { format!("{line}\n") });
    }
    text
}

fn add_rows(calls: &[Call], indent: &str, rows: &mut Vec<TableRow>) {
    for (index, call) in calls.iter().enumerate() {
        let is_last = index + 1 == calls.len();
        let branch = if is_last { "└─ " } else { "├─ " };
        let output = match (&call.output, call.failed) {
            (Some(output), _) => output.clone(),
            (None, true) if call.fails_between_layers() => {
                format!("✗ after {}", call.calls.last().map_or("", |last| last.name.as_str()))
            }
            (None, true) => format!("✗ given {}", call.inputs.join(", ")),
            (None, false) => "✗".to_owned(),
        };
        rows.push(TableRow {
            cells: [
                if call.name == call.kind {
                    format!("{indent}{branch}{}", call.name)
                } else {
                    format!("{indent}{branch}{} ({})", call.name, call.kind)
                },
                output,
                connection_of(calls, index),
                if !call.calls.is_empty() || call.failed && call.parameters.is_none() {
                    String::new()
                } else {
                    shown_parameters(call.parameters)
                },
                call.work.as_ref().map_or_else(String::new, ToString::to_string),
            ],
            failed: call.failed,
        });
        let deeper = format!("{indent}{}", if is_last { "   " } else { "│  " });
        add_rows(&call.calls, &deeper, rows);
    }
}

/// What has made the arrays that a call is given, where that is not the call before it alone.
fn connection_of(calls: &[Call], index: usize) -> String {
    match index.checked_sub(1) {
        Some(before) if !is_continued(&calls[before], &calls[index]) => calls[index].sources.join(", "),
        _ => String::new(),
    }
}

/// Cells side by side, numbers to the right; columns without a width are left out.
fn table_line(cells: &[String; 5], widths: &[usize; 5]) -> String {
    let columns = cells.iter().zip(widths).enumerate().filter(|(_, (_, width))| **width > 0);
    let written = columns.map(
        |(at, (cell, width))| {
            if at < FIRST_NUMBER { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        },
    );
    written.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FlowFailure, Work};

    #[test]
    fn layers_stand_in_columns_and_the_failing_one_is_marked() {
        let conv = Call {
            path: "stem.0".into(),
            name: "0".into(),
            kind: "Conv2d".into(),
            inputs: vec!["(n, 3, 8, 8)".into()],
            output: Some("(n, 16, 8, 8)".into()),
            parameters: Some(448),
            work: Some(Work { factor: 27_648, symbols: vec!["n".into()] }),
            ..Call::default()
        };
        let stem = Call {
            path: "stem".into(),
            name: "stem".into(),
            kind: "Sequential".into(),
            output: Some("(n, 16, 8, 8)".into()),
            parameters: Some(0),
            calls: vec![conv],
            ..Call::default()
        };
        let head = Call {
            path: "head".into(),
            name: "head".into(),
            kind: "Linear".into(),
            inputs: vec!["(n, 1024)".into()],
            parameters: Some(10),
            failed: true,
            ..Call::default()
        };
        let flow = ShapeFlow {
            title: "Net() of net.py".into(),
            inputs: vec![("x".into(), "(n, 3, 8, 8)".into())],
            calls: vec![stem, head],
            has_layers: true,
            parameters: Some(458),
            not_trained: None,
            output: None,
            conditions: Vec::new(),
            failure: Some(FlowFailure { message: "RuntimeError: linear".into(), place: Some("net.py:9".into()) }),
        };
        let table = to_table(&flow, false);
        let expected = "\
Net() of net.py
────────────────────────────────────────────────────────────────────
Layer (class)         Output shape       Parameters    Multiply-adds
────────────────────────────────────────────────────────────────────
x (input)             (n, 3, 8, 8)
├─ stem (Sequential)  (n, 16, 8, 8)
│  └─ 0 (Conv2d)      (n, 16, 8, 8)             448         27,648·n
└─ head (Linear)      ✗ given (n, 1024)          10
────────────────────────────────────────────────────────────────────
Parameters: 458 (1.8 KiB as 32-bit floats)
Multiply-adds: 27,648·n
Fails: RuntimeError: linear (net.py:9)
";
        let squeeze = |text: &str| {
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
        };
        let without_rules =
            |text: &str| squeeze(text).into_iter().filter(|line| !line.starts_with('─')).collect::<Vec<_>>();
        assert_eq!(without_rules(&table), without_rules(expected), "{table}");
        assert!(to_table(&flow, true).contains("\x1b[1;31m└─ head"));
    }

    #[test]
    fn branches_are_connected_by_name() {
        let call = |name: &str, source: &[&str]| Call {
            name: name.into(),
            kind: "Dense".into(),
            output: Some("(n, 4)".into()),
            parameters: Some(20),
            sources: source.iter().map(|&source| source.to_owned()).collect(),
            ..Call::default()
        };
        let calls = vec![call("a", &["x"]), call("b", &["x"]), call("add", &["a", "b"]), call("c", &["add"])];
        let inputs = vec![("x".into(), "(n, 4)".into())];
        let flow = ShapeFlow {
            title: "f()".into(),
            inputs,
            calls,
            has_layers: true,
            parameters: Some(80),
            not_trained: Some(20),
            ..ShapeFlow::default()
        };
        let expected = "\
f()
─────────────────────────────────────────────────────────────────────
Layer (class)   Output shape  Connected to  Parameters  Multiply-adds
─────────────────────────────────────────────────────────────────────
x (input)       (n, 4)
├─ a (Dense)    (n, 4)                              20
├─ b (Dense)    (n, 4)        x                     20
├─ add (Dense)  (n, 4)        a, b                  20
└─ c (Dense)    (n, 4)                              20
─────────────────────────────────────────────────────────────────────
Parameters: 80 (320 B as 32-bit floats), 20 of them not trained
";
        assert_eq!(to_table(&flow, false), expected);
    }

    #[test]
    fn arrays_of_a_function_have_no_columns_of_parameters() {
        let scores = Call {
            name: "scores = x @ w".into(),
            kind: "scores = x @ w".into(),
            output: Some("(n, 3)".into()),
            parameters: Some(0),
            ..Call::default()
        };
        let inputs = vec![("x".into(), "(n, 4)".into()), ("w".into(), "(4, 3)".into())];
        let flow = ShapeFlow { title: "f of a.py".into(), inputs, calls: vec![scores], ..ShapeFlow::default() };
        let expected = "\
f of a.py
─────────────────────────
Array              Shape
─────────────────────────
x (input)          (n, 4)
w (input)          (4, 3)
└─ scores = x @ w  (n, 3)
─────────────────────────
";
        assert_eq!(to_table(&flow, false), expected);
    }
}
