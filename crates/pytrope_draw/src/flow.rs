//! What is drawn: calls of layers with the shapes that go in and come out.

/// The run of one entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShapeFlow {
    /// What was drawn, such as `Net()` of `model.py`.
    pub title: String,
    /// The entry's parameters with their shapes.
    pub inputs: Vec<(String, String)>,
    /// The calls that the entry makes itself, in order; of a function without layers, the arrays that it binds.
    pub calls: Vec<Call>,
    /// Whether what is listed are calls of layers, which have parameters.
    pub has_layers: bool,
    /// All its parameters; none where their number is not known.
    pub parameters: Option<u64>,
    /// How many of them are never trained, where a library counts these.
    pub not_trained: Option<u64>,
    /// What the entry returns, if it returns.
    pub output: Option<String>,
    /// What must hold of the sizes that are names for it to return.
    pub conditions: Vec<String>,
    /// Why it does not return.
    pub failure: Option<FlowFailure>,
}

impl ShapeFlow {
    /// The line about all parameters, for an entry that has layers.
    pub(crate) fn describe_parameters(&self) -> Option<String> {
        self.has_layers.then(|| match self.parameters {
            Some(parameters) => {
                let fixed = match self.not_trained {
                    None | Some(0) => String::new(),
                    Some(number) => format!(", {} of them not trained", grouped(number)),
                };
                format!("{} ({} as 32-bit floats){fixed}", grouped(parameters), shown_memory(parameters))
            }
            None => "not known for every layer".to_owned(),
        })
    }

    /// The line about the sizes for which the flow is right, if it is not right for all.
    pub(crate) fn describe_conditions(&self) -> Option<String> {
        (!self.conditions.is_empty()).then(|| self.conditions.join(" and "))
    }

    /// The multiply-adds of all calls together, where there are any: `1,728·n + 64·n·t`.
    pub(crate) fn describe_work(&self) -> Option<String> {
        let mut terms: Vec<Work> = Vec::new();
        add_work(&self.calls, &mut terms)?;
        (!terms.is_empty()).then(|| terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + "))
    }

    /// Whether the run ended outside of every layer, at an operation between them.
    pub(crate) fn fails_between_layers(&self) -> bool {
        fn has_failed(calls: &[Call]) -> bool {
            calls.iter().any(|call| call.failed || has_failed(&call.calls))
        }
        self.failure.is_some() && !has_failed(&self.calls)
    }
}

/// Adds the work of calls up by the sizes in it; none where a number is too large.
fn add_work(calls: &[Call], terms: &mut Vec<Work>) -> Option<()> {
    for call in calls {
        if let Some(work) = &call.work {
            let mut symbols = work.symbols.clone();
            symbols.sort();
            match terms.iter_mut().find(|term| term.symbols == symbols) {
                Some(term) => term.factor = term.factor.checked_add(work.factor)?,
                None => terms.push(Work { factor: work.factor, symbols }),
            }
        }
        add_work(&call.calls, terms)?;
    }
    Some(())
}

/// One call of a layer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Call {
    /// Where the layer is in the model: `features.0`.
    pub path: String,
    /// What its caller calls it: its path from the caller's, or its class for the model itself.
    pub name: String,
    /// Its class: `Conv2d`.
    pub kind: String,
    /// The shapes it was given.
    pub inputs: Vec<String>,
    /// The shape it gave; none if it raised.
    pub output: Option<String>,
    /// Its parameters, those of the layers inside included; none where their number is not known.
    pub parameters: Option<u64>,
    /// The names of the calls and inputs that its inputs come from; empty where these are not known.
    pub sources: Vec<String>,
    /// What it multiplies and adds.
    pub work: Option<Work>,
    /// The calls it makes.
    pub calls: Vec<Call>,
    /// Whether it is the innermost call that raised.
    pub failed: bool,
}

/// Whether a call passes its result to the next one in the list. It does not where other calls are known to have made that one's arguments.
pub(crate) fn is_continued(before: &Call, next: &Call) -> bool {
    next.sources.is_empty() || next.sources == [before.name.as_str()]
}

/// What stands on the arrow from one call to the next: what the next one was given and, where something happened in between, what the first
/// one gave. Where it was made elsewhere, that is named.
pub(crate) fn arrow_label(before: &Call, next: &Call) -> String {
    let given = next.inputs.first().map_or("?", String::as_str);
    if !is_continued(before, next) {
        return format!("{}: {given}", next.sources.join(", "));
    }
    match &before.output {
        Some(output) if output != given => format!("{output} → {given}"),
        Some(_) | None => given.to_owned(),
    }
}

impl Call {
    /// Whether what failed is an operation of its own, behind the layers that it calls.
    pub(crate) fn fails_between_layers(&self) -> bool {
        self.failed && !self.calls.is_empty()
    }

    /// Whether there is something to say of its parameters: not of a layer that failed before it had any.
    pub(crate) fn shows_parameters(&self) -> bool {
        match self.parameters {
            Some(parameters) => parameters != 0,
            None => !self.failed,
        }
    }

    /// Whether what it was given is what failed: it is a layer that raised, or a layer that did comes first in it.
    pub(crate) fn fails_at_start(&self) -> bool {
        match self.calls.first() {
            None => self.failed,
            Some(first) => self.output.is_none() && first.fails_at_start(),
        }
    }
}

/// A number of multiplications with addition, as far as sizes are numbers: `factor · n · m`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Work {
    pub factor: u64,
    /// Sizes that are not numbers.
    pub symbols: Vec<String>,
}

/// An exception that ends the run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FlowFailure {
    pub message: String,
    /// `model.py:21`
    pub place: Option<String>,
}

/// A number with commas between thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl std::fmt::Display for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        if self.factor != 1 || self.symbols.is_empty() {
            parts.push(grouped(self.factor));
        }
        parts.extend(self.symbols.iter().map(|symbol| {
            let is_plain = symbol.chars().all(|c| c.is_alphanumeric() || "_.[]".contains(c));
            if is_plain { symbol.clone() } else { format!("({symbol})") }
        }));
        f.write_str(&parts.join("·"))
    }
}

/// Parameters for people: a number, or a question mark.
pub(crate) fn shown_parameters(parameters: Option<u64>) -> String {
    parameters.map_or_else(|| "?".to_owned(), grouped)
}

/// The memory that parameters take as 32-bit floats.
pub(crate) fn shown_memory(parameters: u64) -> String {
    let bytes = parameters * 4;
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1_024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1} GiB", bytes as f64 / 1_073_741_824.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(shown_memory(1_000_000), "3.8 MiB");
    }

    #[test]
    fn work_is_added_up_by_the_sizes_in_it() {
        let call = |factor, symbols: &[&str]| Call {
            work: Some(Work { factor, symbols: symbols.iter().map(|&symbol| symbol.to_owned()).collect() }),
            ..Call::default()
        };
        let inside = Call { calls: vec![call(5, &["n"]), call(7, &["t", "n"])], ..Call::default() };
        let flow = ShapeFlow { calls: vec![call(2, &["n", "t"]), inside, call(3, &[])], ..ShapeFlow::default() };
        assert_eq!(flow.describe_work().as_deref(), Some("9·n·t + 5·n + 3"));
        assert_eq!(ShapeFlow::default().describe_work(), None);
        let endless = ShapeFlow { calls: vec![call(u64::MAX, &[]), call(1, &[])], ..ShapeFlow::default() };
        assert_eq!(endless.describe_work(), None);
    }

    #[test]
    fn an_arrow_names_where_its_array_was_made_if_that_is_not_the_call_before() {
        let call = |name: &str, sources: &[&str]| Call {
            name: name.to_owned(),
            sources: sources.iter().map(|&source| source.to_owned()).collect(),
            inputs: vec!["(n, 4)".to_owned()],
            output: Some("(n, 4)".to_owned()),
            ..Call::default()
        };
        let dense = call("dense", &["inputs"]);
        assert_eq!(arrow_label(&dense, &call("relu", &["dense"])), "(n, 4)");
        assert_eq!(arrow_label(&dense, &call("relu", &[])), "(n, 4)");
        assert_eq!(arrow_label(&dense, &call("other", &["inputs"])), "inputs: (n, 4)");
        assert_eq!(arrow_label(&dense, &call("add", &["dense", "inputs"])), "dense, inputs: (n, 4)");
    }

    #[test]
    fn work_keeps_what_is_not_a_number() {
        let work = Work { factor: 1_728, symbols: vec!["n".into(), "h // 2".into()] };
        assert_eq!(work.to_string(), "1,728·n·(h // 2)");
        assert_eq!(Work { factor: 1, symbols: vec!["n".into()] }.to_string(), "n");
    }
}
