//! `pytrope draw`: the shape flow of a model as a table, SVG or HTML.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use pytrope_draw::{Call, FlowFailure, ShapeFlow, Work, to_html, to_svg, to_table};
use pytrope_shapes::draw::{
    DrawRequest, Drawn, LayerCall, Size, WeightUse, draw_entry, target_of_file, target_of_module,
};
use pytrope_shapes::entry::EntryTarget;
use pytrope_source::write_atomic;

use crate::args::DrawArgs;
use crate::config::Config;
use crate::discovery::suggest_path;
use crate::environment::shown;
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::{entry, environment, sources, workers};

pub(super) fn run(args: &DrawArgs, session: &Session) -> Result<ExitStatus> {
    let inputs = args.input.iter().map(|text| parse_input(text)).collect::<Result<Vec<_>>>()?;
    let picture = args.output.as_deref().map(picture_of).transpose()?;
    let path = Path::new(&args.target);
    let Some(entry) = &args.entry else { return Err(entry::missing_entry("the model to draw", path)) };
    let target = open_entry(path, args, session)?;
    let Some(target) = target else { return Ok(ExitStatus::Found) };
    let request = DrawRequest { entry, assume: &args.assume, inputs: &inputs };
    let drawn = workers::on_large_stack(|| draw_entry(&target, &request));
    let drawn = drawn.map_err(|error| entry::explain_error(&error.to_string(), entry, path))?;
    let flow = flow_of(&drawn, &format!("{entry} of {}", args.target));
    match (picture, &args.output) {
        (Some(picture), Some(output)) => {
            let text = picture(&flow);
            write_atomic(output, text.as_bytes()).with_context(|| format!("cannot write {}", output.display()))?;
            session.summary(&format!("Wrote {}", shown(output)));
        }
        _ => session.print(|out| write!(out, "{}", to_table(&flow, session.colours_stdout())))?,
    }
    if drawn.has_example && flow.failure.is_none() {
        session.summary("The sizes of the inputs are an example that fits; --input chooses others");
    }
    if let [first, ..] = drawn.open_inputs.as_slice() {
        session.print_warning(&format!(
            "no shape is known for {}; give it, such as --input {first}=8,16",
            drawn.open_inputs.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        ));
    }
    if let Some(message) = &drawn.may_fail {
        session.print_warning(&format!("not for all sizes: {message}"));
    }
    if let Some(cause) = &drawn.first_unknown {
        session.print_warning(&format!("the result is unknown; what is not known first is at {cause}"));
    }
    if let Some(failure) = &flow.failure {
        // The table says so itself.
        if args.output.is_some() {
            let place = failure.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
            session.print_error(&format!("{}{place}", failure.message));
        }
        return Ok(ExitStatus::Found);
    }
    Ok(ExitStatus::Success)
}

/// The renderer for a file, by its name.
fn picture_of(output: &Path) -> Result<fn(&ShapeFlow) -> String> {
    match output.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(to_svg),
        Some("html" | "htm") => Ok(to_html),
        _ => bail!("-o: {} must end in .svg or .html", output.display()),
    }
}

/// `x=8,3,h,w`: sizes are numbers, or names for any size.
fn parse_input(text: &str) -> Result<(String, Vec<Size>)> {
    let wrong = || anyhow!("--input: `{text}` is not of the form NAME=SIZES, such as x=8,3,224,224 or x=n,3,h,w");
    let (name, sizes) = text.split_once('=').ok_or_else(wrong)?;
    let sizes = sizes.split(',').map(str::trim).filter(|size| !size.is_empty());
    let sizes = sizes.map(|size| match size.parse() {
        Ok(number) => Ok(Size::Number(number)),
        Err(_)
            if size.chars().all(|c| c.is_alphanumeric() || c == '_')
                && !size.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            Ok(Size::Name(size.to_owned()))
        }
        Err(_) => Err(wrong()),
    });
    Ok((name.trim().to_owned(), sizes.collect::<Result<_>>()?))
}

/// Opens the target; none if it has syntax errors, which are printed.
fn open_entry(path: &Path, args: &DrawArgs, session: &Session) -> Result<Option<EntryTarget>> {
    let place = if path.exists() { path } else { Path::new(".") };
    let mut config = Config::find(session.global.config.as_deref(), session.global.isolated, place)?;
    config.follow.extend(args.environment.follow.iter().cloned());
    if let Some(python) = &args.environment.python {
        config.python = Some(python.clone());
    }
    let resolver = environment::module_resolver(&[path.to_path_buf()], &config)?;
    if path.is_file() {
        let loaded = sources::load(path, None).with_context(|| format!("cannot read {}", path.display()))?;
        if !loaded.findings.is_empty() {
            session.print_findings_to_stderr(pytrope_diagnostics::OutputFormat::Full, &loaded.findings);
            return Ok(None);
        }
        return Ok(Some(target_of_file(&loaded.parsed.file, resolver, config.follow.clone())));
    }
    if resolver.resolve(&args.target).is_none() {
        bail!(
            "{}: no such file, and no module of this name (--python PATH names an environment){}",
            args.target,
            suggest_path(path)
        );
    }
    Ok(Some(target_of_module(&args.target, resolver, config.follow.clone())))
}

fn flow_of(drawn: &Drawn, title: &str) -> ShapeFlow {
    let failure = drawn.failure.as_ref().map(|failed| FlowFailure {
        message: failed.message.clone(),
        place: failed.place.as_ref().map(|(path, line)| format!("{path}:{line}")),
    });
    ShapeFlow {
        title: title.to_owned(),
        inputs: drawn.inputs.clone(),
        calls: drawn.calls.iter().map(|layer| call_of(layer, "", drawn.has_layers)).collect(),
        has_layers: drawn.has_layers,
        parameters: drawn.parameters,
        not_trained: drawn.not_trained,
        output: drawn.output.clone(),
        conditions: drawn.conditions.clone(),
        failure,
    }
}

fn call_of(layer: &LayerCall, caller: &str, is_layer: bool) -> Call {
    let inside = layer.path.strip_prefix(caller).map_or(layer.path.as_str(), |rest| rest.trim_start_matches('.'));
    let kind = match &layer.kind {
        kind if is_layer || kind.starts_with(&format!("{inside} ")) => kind.clone(),
        // Of a line that binds several arrays.
        line => format!("{inside} from {line}"),
    };
    // An array is shown by the line that binds it, which names it.
    let is_named = is_layer && !inside.is_empty();
    Call {
        path: layer.path.clone(),
        name: if is_named { inside.to_owned() } else { kind.clone() },
        kind,
        inputs: layer.inputs.clone(),
        output: layer.output.clone(),
        parameters: layer.parameters,
        sources: layer.sources.clone(),
        work: work_of(layer),
        calls: layer.calls.iter().map(|inner| call_of(inner, &layer.path, is_layer)).collect(),
        failed: layer.failed,
    }
}

/// Multiplications with addition of a layer whose weight is applied at every position of its output (or, for a transposed
/// convolution, of its input).
fn work_of(layer: &LayerCall) -> Option<Work> {
    let positions = match layer.weight_use {
        WeightUse::PerInput => layer.inputs.first()?,
        WeightUse::PerOutput => layer.output.as_ref()?,
        WeightUse::Other => return None,
    };
    let positions = positions.strip_prefix('(')?.strip_suffix(')')?.split(',').map(str::trim);
    let mut work = Work { factor: 1, symbols: Vec::new() };
    let per_position = layer.weight.iter().skip(1).map(String::as_str);
    for size in positions.filter(|size| !size.is_empty()).chain(per_position) {
        match size.parse::<u64>() {
            Ok(number) => work.factor = work.factor.checked_mul(number)?,
            Err(_) if size == "?" || size == "…" => return None,
            Err(_) => work.symbols.push(size.to_owned()),
        }
    }
    Some(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_a_convolution_counts_every_output() {
        let layer = LayerCall {
            kind: "Conv2d".into(),
            output: Some("(n, 16, 8, 8)".into()),
            weight: ["16", "3", "3", "3"].map(String::from).to_vec(),
            weight_use: WeightUse::PerOutput,
            ..LayerCall::default()
        };
        assert_eq!(work_of(&layer), Some(Work { factor: 16 * 64 * 27, symbols: vec!["n".into()] }));
    }

    #[test]
    fn inputs_are_names_with_sizes() {
        let (name, sizes) = parse_input("x=n,3,8").expect("a shape");
        assert_eq!((name.as_str(), sizes), ("x", vec![Size::Name("n".into()), Size::Number(3), Size::Number(8)]));
        assert!(parse_input("x").is_err() && parse_input("x=3-1").is_err());
    }
}
