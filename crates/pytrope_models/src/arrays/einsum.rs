//! The shape of an Einstein summation.

use std::collections::BTreeMap;

use pytrope_dims::Dim;
use pytrope_eval::interp::{Flow, Interp};
use pytrope_eval::native::CallArgs;
use pytrope_eval::value::Value;

use super::broadcast::{broadcast_together, merge_or_doubt};
use super::demand::{DemandFailure, DemandStep, ErrorClass, demand_equal, fail_operation, finish_primitive};
use super::sizes::{SizesArgument, exact_items, nothing_known, shape_value, show_shape, show_size};

/// One operand's labels: those before an ellipsis, and those after it if there is one.
struct Labels {
    before: Vec<char>,
    after: Option<Vec<char>>,
}

impl Labels {
    fn parse(text: &str) -> Result<Self, String> {
        let (before, after) = match text.split_once("...") {
            Some((before, after)) => (before, Some(after)),
            None => (text, None),
        };
        let letters = |part: &str| -> Result<Vec<char>, String> {
            part.chars()
                .map(|c| if c.is_ascii_alphabetic() { Ok(c) } else { Err(format!("'{c}' is not a label")) })
                .collect()
        };
        Ok(Self { before: letters(before)?, after: after.map(letters).transpose()? })
    }

    fn named_labels(&self) -> impl Iterator<Item = char> + '_ {
        self.before.iter().chain(self.after.iter().flatten()).copied()
    }
}

/// `einsum_shape(spec, shapes, error=ValueError)`.
pub(super) fn einsum_shape(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let result = run(interp, args);
    finish_primitive(result)
}

fn run(interp: &mut Interp<'_>, args: &CallArgs) -> DemandStep<Value> {
    let class = ErrorClass::of(interp, args, "ValueError");
    let (Some(spec), Some(shapes)) = (args.positional.first().and_then(Value::as_str), args.positional.get(1)) else {
        return Ok(nothing_known("a summation that is not known"));
    };
    let Some(shapes) = exact_items(interp, shapes) else {
        return Ok(nothing_known("a summation over unknown operands"));
    };
    let spec: String = spec.chars().filter(|c| !c.is_whitespace()).collect();
    let complain = |interp: &mut Interp<'_>, what: String| -> DemandStep<Value> {
        fail_operation(interp, &class, DemandFailure::new("einsum-mismatch", format!("einsum '{spec}': {what}")))
    };
    let (inputs, output) = match spec.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (spec.as_str(), None),
    };
    let parsed: Result<Vec<Labels>, String> = inputs.split(',').map(Labels::parse).collect();
    let operands = match parsed {
        Ok(operands) => operands,
        Err(what) => return complain(interp, what),
    };
    if operands.len() != shapes.len() {
        let what = format!("{} operands are described, but {} are given", operands.len(), shapes.len());
        return complain(interp, what);
    }
    let mut sizes: BTreeMap<char, Dim> = BTreeMap::new();
    // The operand that first gave a label its size.
    let mut origins: BTreeMap<char, (usize, Vec<Dim>)> = BTreeMap::new();
    let mut batches = Vec::new();
    for (position, (labels, shape)) in operands.iter().zip(&shapes).enumerate() {
        let SizesArgument::Known(dims) = SizesArgument::read(interp, shape) else {
            return Ok(nothing_known("a summation over an unknown shape"));
        };
        let after = labels.after.as_deref().unwrap_or_default();
        let named = labels.before.len() + after.len();
        let fits = if labels.after.is_some() { named <= dims.len() } else { named == dims.len() };
        if !fits {
            let what = format!(
                "operand {} has shape {} of rank {}, but {named} labels",
                position + 1,
                show_shape(interp, &dims),
                dims.len()
            );
            return complain(interp, what);
        }
        let split = dims.len() - after.len();
        let own = labels.before.iter().zip(&dims).chain(after.iter().zip(&dims[split..]));
        let mut within: BTreeMap<char, Dim> = BTreeMap::new();
        for (label, dim) in own {
            if let Some(twice) = within.get(label).cloned() {
                demand_equal(interp, &twice, dim, &class, |interp| {
                    let (p, q) = (show_size(interp, &twice), show_size(interp, dim));
                    DemandFailure::new(
                        "einsum-mismatch",
                        format!(
                            "einsum '{spec}': label {label} is {p} and {q} in one operand of shape {}",
                            show_shape(interp, &dims)
                        ),
                    )
                })?;
                continue;
            }
            within.insert(*label, dim.clone());
            let size = match sizes.get(label) {
                None => dim.clone(),
                Some(other) => {
                    let doubtful = |interp: &Interp<'_>| {
                        let (p, q) = (show_size(interp, other), show_size(interp, dim));
                        let what = format!("einsum '{spec}': label {label} is {p} and {q}");
                        DemandFailure::new("einsum-mismatch", what)
                    };
                    let Some(size) = merge_or_doubt(interp, other, dim, &class, doubtful) else {
                        let (p, q) = (show_size(interp, other), show_size(interp, dim));
                        let shown = show_shape(interp, &dims);
                        let origin = origins.get(label).map_or_else(String::new, |(first, dims)| {
                            format!(" in operand {} of shape {}", first + 1, show_shape(interp, dims))
                        });
                        let what = format!(
                            "label {label} is {p}{origin}, but {q} in operand {} of shape {shown}",
                            position + 1
                        );
                        return complain(interp, what);
                    };
                    size
                }
            };
            sizes.insert(*label, size);
            origins.entry(*label).or_insert_with(|| (position, dims.clone()));
        }
        batches.push((dims[labels.before.len()..split].to_vec(), None));
    }
    let batch = broadcast_together(interp, &batches, &class, "einsum-mismatch")?;
    let any_ellipsis = operands.iter().any(|labels| labels.after.is_some());
    let wanted = match output {
        Some(text) => match Labels::parse(text) {
            Ok(labels) => labels,
            Err(what) => return complain(interp, what),
        },
        None => implicit_output(&operands, any_ellipsis),
    };
    let mut seen = Vec::new();
    for label in wanted.named_labels() {
        if !sizes.contains_key(&label) || seen.contains(&label) {
            let what = format!("label {label} of the output is not a label of one axis");
            return complain(interp, what);
        }
        seen.push(label);
    }
    if wanted.after.is_none() && !batch.is_empty() {
        return complain(interp, "the output lacks the ellipsis of the operands".to_owned());
    }
    let mut result: Vec<Dim> = wanted.before.iter().map(|label| sizes[label].clone()).collect();
    if let Some(after) = &wanted.after {
        result.extend(batch);
        result.extend(after.iter().map(|label| sizes[label].clone()));
    }
    Ok(shape_value(result))
}

/// Without an output: the ellipsis, then the labels that occur once, in alphabetical order.
fn implicit_output(operands: &[Labels], any_ellipsis: bool) -> Labels {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for label in operands.iter().flat_map(Labels::named_labels) {
        *counts.entry(label).or_default() += 1;
    }
    let once: Vec<char> = counts.into_iter().filter(|(_, count)| *count == 1).map(|(label, _)| label).collect();
    if any_ellipsis { Labels { before: Vec::new(), after: Some(once) } } else { Labels { before: once, after: None } }
}
