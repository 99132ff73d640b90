//! The Model Context Protocol: Pytrope's verbs as tools of coding assistants, one JSON message per line.
//!
//! A tool is a command line with JSON as its output, run by a [`ToolRunner`]; here are the protocol, the schemas, and the
//! check of what a tool may read. Invariant: a path leads below the root that the server was started with, links
//! resolved, and nothing is ever written.

use std::io::{BufRead, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// The revision of the protocol that is spoken where the client offers none.
const PROTOCOL: &str = "2025-06-18";

/// Runs a command of Pytrope.
pub trait ToolRunner {
    /// What the command prints; an error if it could not do its work. `input` is its standard input.
    fn run_command(&self, arguments: &[String], input: Option<&str>) -> Result<String>;
}

/// A tool as clients see it.
struct Tool {
    name: &'static str,
    description: &'static str,
    /// Name, description, and whether it is required; all are strings but `line`.
    parameters: &'static [(&'static str, &'static str, bool)],
}

const TOOLS: [Tool; 5] = [
    Tool {
        name: "check",
        description: "Find errors in Python tensor code (NumPy, PyTorch) that are certain to be raised, shape errors above all, without \
                      running it. Give a path inside the project, or a text to check as a file of its own.",
        parameters: &[
            ("path", "A Python file, notebook or folder, relative to the project", false),
            ("text", "Python source to check instead of a file", false),
        ],
    },
    Tool {
        name: "shapes",
        description: "The shapes and values that names are bound to in a file, optionally on one line only.",
        parameters: &[
            ("path", "A Python file or notebook, relative to the project", false),
            ("text", "Python source to read instead of a file", false),
            ("line", "Only the bindings on this line, counted from 1", false),
        ],
    },
    Tool {
        name: "explain_rule",
        description: "The documentation of a rule, such as PT202: what it means, an example, and what to do.",
        parameters: &[("rule", "A rule's code or id", true)],
    },
    Tool {
        name: "migrate",
        description: "Infer the input shapes that a PyTorch model or function accepts.",
        parameters: &[
            ("path", "A Python file, relative to the project", true),
            ("entry", "A Python expression in the file's namespace: Net(), Net(hidden=64), a function's name", true),
            ("assume", "A Python condition over the entry's parameters: x.shape[2] == x.shape[3]", false),
        ],
    },
    Tool {
        name: "distribute",
        description: "Rewrite a single-process training script for several processes; the result is returned, nothing is written.",
        parameters: &[
            ("path", "A training script, relative to the project", true),
            ("to", "ddp, fsdp2, accelerate, horovod or tf-distribute", false),
        ],
    },
];

/// Serves a client until its messages end. Files below `root` may be read.
pub fn serve_tools(root: &Path, runner: &dyn ToolRunner, input: impl BufRead, mut output: impl Write) -> Result<()> {
    let root = root.canonicalize().with_context(|| format!("{} cannot be read", root.display()))?;
    for line in input.lines() {
        let line = line.context("standard input cannot be read")?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = match serde_json::from_str::<Value>(&line) {
            Ok(message) => answer_message(&message, &root, runner),
            Err(error) => Some(failure(&Value::Null, -32700, &error.to_string())),
        };
        if let Some(answer) = answer {
            writeln!(output, "{answer}").and_then(|()| output.flush()).context("standard output cannot be written")?;
        }
    }
    Ok(())
}

/// The response to a message; none to a notification.
fn answer_message(message: &Value, root: &Path, runner: &dyn ToolRunner) -> Option<Value> {
    let id = message.get("id")?;
    let params = &message["params"];
    let result = match message["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": params["protocolVersion"].as_str().unwrap_or(PROTOCOL),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "pytrope", "version": env!("CARGO_PKG_VERSION")},
        }),
        Some("ping") => json!({}),
        Some("tools/list") => json!({"tools": TOOLS.iter().map(describe_tool).collect::<Vec<_>>()}),
        Some("tools/call") => {
            let name = params["name"].as_str().unwrap_or_default();
            let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
                return Some(failure(id, -32602, &format!("there is no tool `{name}`")));
            };
            // What a tool cannot do is a result that the model reads, as the protocol asks.
            let (text, is_error) = match call_tool(tool, &params["arguments"], root, runner) {
                Ok(text) => (text, false),
                Err(error) => (format!("{error:#}"), true),
            };
            json!({"content": [{"type": "text", "text": text}], "isError": is_error})
        }
        method => {
            let message = format!("{} is not supported", method.unwrap_or("a message without a method"));
            return Some(failure(id, -32601, &message));
        }
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

fn failure(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

fn describe_tool(tool: &Tool) -> Value {
    let property = |(name, description, _): &(&'static str, &'static str, bool)| {
        let kind = if *name == "line" { "integer" } else { "string" };
        ((*name).to_owned(), json!({"type": kind, "description": description}))
    };
    let properties: serde_json::Map<String, Value> = tool.parameters.iter().map(property).collect();
    let required: Vec<&str> =
        tool.parameters.iter().filter(|(_, _, required)| *required).map(|given| given.0).collect();
    json!({
        "name": tool.name,
        "description": tool.description,
        "inputSchema": {"type": "object", "properties": properties, "required": required, "additionalProperties": false},
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
    })
}

fn call_tool(tool: &Tool, arguments: &Value, root: &Path, runner: &dyn ToolRunner) -> Result<String> {
    let empty = serde_json::Map::new();
    let arguments = arguments.as_object().unwrap_or(&empty);
    if let Some(name) = arguments.keys().find(|name| tool.parameters.iter().all(|known| known.0 != name.as_str())) {
        bail!("`{}` has no parameter `{name}`", tool.name);
    }
    if let Some((name, ..)) =
        tool.parameters.iter().find(|(name, _, required)| *required && !arguments.contains_key(*name))
    {
        bail!("`{}` needs `{name}`", tool.name);
    }
    let given = |name: &str| arguments.get(name).and_then(Value::as_str);
    let json_output = ["--output-format".to_owned(), "json".to_owned()];
    match tool.name {
        "explain_rule" => {
            let rule = given("rule").context("`rule` is a string")?;
            let page = ["explain", "--output-format", "markdown", "--", rule].map(str::to_owned);
            runner.run_command(&page, None)
        }
        "check" | "shapes" => {
            let mut command = vec!["check".to_owned()];
            command.extend(json_output);
            command.extend((tool.name == "shapes").then(|| "--show-shapes".to_owned()));
            let target = match (given("path"), given("text")) {
                (Some(path), None) => path_below(root, path)?.to_string_lossy().into_owned(),
                (None, Some(_)) => "-".to_owned(),
                _ => bail!("either `path` or `text` is needed"),
            };
            command.extend(["--".to_owned(), target]);
            let printed = runner.run_command(&command, given("text"))?;
            match arguments.get("line") {
                Some(line) => bindings_on_line(&printed, line.as_u64().context("`line` is a number")?),
                None => Ok(printed),
            }
        }
        verb => {
            let path = path_below(root, given("path").context("`path` is a string")?)?;
            let mut command = vec![verb.to_owned()];
            command.extend(json_output);
            for (parameter, option) in [("entry", "--entry"), ("assume", "--assume"), ("to", "--to")] {
                command.extend(given(parameter).map(|value| format!("{option}={value}")));
            }
            // The path is absolute and cannot be taken for an option; what stands behind `--` are a script's own arguments.
            command.push(path.to_string_lossy().into_owned());
            runner.run_command(&command, None)
        }
    }
}

/// An existing path below the root, without links. Of a path that leads out it is not said whether anything is there.
fn path_below(root: &Path, path: &str) -> Result<PathBuf> {
    let given = root.join(path);
    let found = given.canonicalize();
    if !found.as_ref().map_or_else(|_| leads_below(root, &given), |whole| whole.starts_with(root)) {
        bail!("`{path}` is outside of the project {}", root.display());
    }
    found.ok().with_context(|| format!("`{path}` cannot be read: there is no such file or folder"))
}

/// Whether a path that does not exist would be below the root.
fn leads_below(root: &Path, path: &Path) -> bool {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain.starts_with(root)
}

/// The bindings of one line out of what `--show-shapes` printed.
fn bindings_on_line(printed: &str, line: u64) -> Result<String> {
    let mut report: Value = serde_json::from_str(printed).context("the answer is not JSON")?;
    if let Some(shapes) = report["shapes"].as_array_mut() {
        shapes.retain(|shape| shape["line"].as_u64() == Some(line));
    }
    Ok(serde_json::to_string_pretty(&report)?)
}
