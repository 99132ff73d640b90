//! `pytrope mcp`, spoken to as a coding assistant does: one JSON message per line.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::project::Project;

/// Sends requests with the ids 0, 1, … and returns the responses in that order.
fn converse(project: &Project, requests: &[(&str, Value)]) -> Vec<Value> {
    let mut command = project.command(&["mcp"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    for (id, (method, params)) in requests.iter().enumerate() {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(input, "{message}").expect("the server reads");
    }
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).expect("the server reads");
    drop(input);
    let output = child.wait_with_output().expect("the server ends");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("text");
    let responses: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(responses.len(), requests.len(), "a notification has no answer: {text}");
    responses
}

fn call(project: &Project, tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    converse(project, &[("tools/call", params)]).remove(0)["result"].clone()
}

/// The JSON that a tool gives as its text.
fn report(result: &Value) -> Value {
    assert_eq!(result["isError"], false, "{result}");
    serde_json::from_str(result["content"][0]["text"].as_str().expect("a text")).expect("JSON")
}

const PRODUCT: &str = "import numpy as np\n\na = np.zeros((3, 4))\nb = np.zeros((5, 6))\nc = a @ b\n";

#[test]
fn tools_are_listed_with_schemas() {
    let project = Project::with(&[]);
    let hello = json!({"protocolVersion": "2025-03-26", "capabilities": {}});
    let answers = converse(&project, &[("initialize", hello), ("tools/list", json!({})), ("ping", json!({}))]);
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-03-26");
    let tools = answers[1]["result"]["tools"].as_array().expect("a list").clone();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["check", "shapes", "explain_rule", "migrate", "distribute"]);
    assert!(tools.iter().all(|tool| tool["inputSchema"]["type"] == "object"), "{tools:?}");
    assert_eq!(answers[2]["result"], json!({}));
}

const NET: &str = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        \
                   self.head = nn.Linear(8, 2)\n\n    def forward(self, x):\n        return self.head(x)\n";
const TRAIN: &str = "import torch\nfrom torch.utils.data import DataLoader, TensorDataset\n\nx, y = torch.rand(64, 4), torch.rand(64, 1)\n\
                     loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)\nmodel = torch.nn.Linear(4, 1)\n\
                     optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor a, b in loader:\n    \
                     loss = ((model(a) - b) ** 2).mean()\n    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n";

/// Every tool's whole answer, and the list of tools, as they are kept in `tests/cli/snapshots` (`PYTROPE_UPDATE=1` rewrites them).
#[test]
fn tools_have_the_answers_of_their_snapshots() {
    let project = Project::with(&[("a.py", PRODUCT), ("net.py", NET), ("train.py", TRAIN)]);
    let called = |tool: &str, arguments: Value| ("tools/call", json!({"name": tool, "arguments": arguments}));
    let requests = [
        ("mcp_tools", ("tools/list", json!({}))),
        ("mcp_check", called("check", json!({"path": "a.py"}))),
        ("mcp_check_text", called("check", json!({"text": PRODUCT}))),
        ("mcp_shapes", called("shapes", json!({"path": "a.py", "line": 3}))),
        ("mcp_explain_rule", called("explain_rule", json!({"rule": "PT202"}))),
        ("mcp_migrate", called("migrate", json!({"path": "net.py", "entry": "Net()"}))),
        ("mcp_distribute", called("distribute", json!({"path": "train.py", "to": "ddp"}))),
        ("mcp_refused", called("check", json!({"path": "../elsewhere.py"}))),
    ];
    let sent: Vec<(&str, Value)> = requests.iter().map(|(_, request)| request.clone()).collect();
    for ((name, _), answer) in requests.iter().zip(converse(&project, &sent)) {
        let mut result = answer["result"].clone();
        // The JSON of a report is shown as JSON, not as a text in one line.
        let text = result["content"][0]["text"].as_str().map(str::to_owned);
        if let Some(mut report) = text.and_then(|text| serde_json::from_str::<Value>(&text).ok()) {
            if let Some(seconds) = report.get_mut("solving_seconds") {
                *seconds = json!(0.0);
            }
            result["content"][0]["text"] = report;
        }
        let shown = serde_json::to_string_pretty(&result).expect("JSON") + "\n";
        let shown = shown.replace(project.path("").display().to_string().trim_end_matches('/'), "/project");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/snapshots").join(format!("{name}.json"));
        if std::env::var_os("PYTROPE_UPDATE").is_some() {
            std::fs::write(&path, &shown).expect("written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(shown, kept, "{name}: PYTROPE_UPDATE=1 rewrites the snapshots");
    }
}

#[test]
fn files_and_snippets_are_checked() {
    let project = Project::with(&[("a.py", PRODUCT)]);
    for arguments in [json!({"path": "a.py"}), json!({"text": PRODUCT})] {
        let findings = report(&call(&project, "check", &arguments));
        assert_eq!(findings["diagnostics"][0]["code"], "PT202", "{findings}");
    }
    let shapes = report(&call(&project, "shapes", &json!({"path": "a.py", "line": 3})));
    assert_eq!(shapes["shapes"].as_array().map(Vec::len), Some(1), "{shapes}");
    assert_eq!(shapes["shapes"][0]["value"], "ndarray[3, 4]");
    let page = call(&project, "explain_rule", &json!({"rule": "PT202"}));
    assert!(page["content"][0]["text"].as_str().is_some_and(|text| text.contains("PT202")), "{page}");
}

#[test]
fn models_are_migrated() {
    let project = Project::with(&[("net.py", NET)]);
    let answer = report(&call(&project, "migrate", &json!({"path": "net.py", "entry": "Net()"})));
    assert_eq!(answer["verdict"], "static", "{answer}");
}

#[test]
fn scripts_are_distributed() {
    let project = Project::with(&[("train.py", TRAIN)]);
    for (arguments, part) in [
        (json!({"path": "train.py"}), "DistributedDataParallel"),
        (json!({"path": "train.py", "to": "accelerate"}), "Accelerator("),
        (json!({"path": "train.py", "to": "fsdp2"}), "fully_shard"),
    ] {
        let answer = report(&call(&project, "distribute", &arguments));
        let source = answer["source"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(source.contains(part), "{source}");
    }
    assert_eq!(std::fs::read_to_string(project.path("train.py")).expect("the script"), TRAIN, "nothing is written");
}

#[test]
fn what_cannot_be_done_is_said() {
    let project = Project::with(&[("a.py", PRODUCT)]);
    let outside = tempfile::NamedTempFile::new().expect("a file");
    let elsewhere = outside.path().to_str().expect("text");
    for (tool, arguments, reason) in [
        ("check", json!({"path": elsewhere}), "outside of the project"),
        ("check", json!({"path": "../.."}), "outside of the project"),
        ("check", json!({"path": "../there/is/no/such.py"}), "outside of the project"),
        ("check", json!({"path": "missing.py"}), "cannot be read"),
        ("check", json!({}), "either `path` or `text`"),
        ("check", json!({"paths": "a.py"}), "no parameter `paths`"),
        ("migrate", json!({"path": "a.py"}), "needs `entry`"),
        ("explain_rule", json!({"rule": "--all"}), "--all"),
    ] {
        let result = call(&project, tool, &arguments);
        assert_eq!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.contains(reason), "{text}");
    }
    let answers = converse(&project, &[("tools/call", json!({"name": "erase"})), ("unheard/of", json!({}))]);
    assert_eq!(
        (answers[0]["error"]["code"].as_i64(), answers[1]["error"]["code"].as_i64()),
        (Some(-32602), Some(-32601))
    );
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_project() {
    let project = Project::with(&[("a.py", PRODUCT)]);
    let outside = tempfile::NamedTempFile::new().expect("a file");
    std::os::unix::fs::symlink(outside.path(), project.path("link.py")).expect("a link");
    assert_eq!(call(&project, "check", &json!({"path": "link.py"}))["isError"], true);
}

/// Neither an import nor the configuration leads to a file outside of the root.
#[cfg(unix)]
#[test]
fn nothing_outside_of_the_root_is_read() {
    let widths = "width = 3\n";
    let main = "import numpy as np\nfrom sizes import width\n\nnp.zeros((2, width)) @ np.zeros((4, 5))\n";
    let project = Project::with(&[
        ("outside/sizes.py", widths),
        ("pytrope.toml", "roots = [\"outside\"]\n[rules]\nmatmul-mismatch = \"ignore\"\n"),
        ("inside/main.py", main),
        ("inside/pytrope.toml", "roots = [\"../outside\"]\n"),
        ("bare/main.py", &main.replace("(2, width)", "(2, 3)")),
    ]);
    std::os::unix::fs::symlink(project.path("outside/sizes.py"), project.path("bare/linked.py")).expect("a link");
    let check = |root: &str, path: &str| {
        let mut command = project.command(&["mcp", "--root", root]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
        let params = json!({"name": "check", "arguments": {"path": path}});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        writeln!(child.stdin.take().expect("a pipe"), "{message}").expect("the server reads");
        let output = child.wait_with_output().expect("the server ends");
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        report(&answer["result"])["diagnostics"].clone()
    };
    // The size comes from a file outside, so that it is not known; with the outer root it is.
    assert_eq!(check("inside", "main.py"), json!([]));
    assert_eq!(check(".", "inside/main.py")[0]["code"], "PT202");
    // The configuration above the root would ignore the rule.
    assert_eq!(check("bare", "main.py")[0]["code"], "PT202");
    let folder = check("bare", ".");
    assert_eq!(folder.as_array().map(Vec::len), Some(1), "the linked file is not read: {folder}");
}
