//! `pytrope server`, spoken to as an editor does: over standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::project::Project;

const PRODUCT: &str = "import numpy as np\n\na = np.zeros((3, 4))\nb = np.zeros((5, 6))\nc = a @ b\n";

/// A scripted editor.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    root: String,
    next_id: i64,
    /// Notifications that came while a response was awaited.
    notifications: Vec<Value>,
}

impl Editor {
    /// Starts the server in a project and agrees on capabilities; the answer to `initialize` comes back too.
    fn start(project: &Project, capabilities: &Value) -> (Self, Value) {
        let mut command = project.command(&["server"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let root = format!("file://{}", project.path("").display()).trim_end_matches('/').to_owned();
        let mut editor = Self { child, input, output, root, next_id: 0, notifications: Vec::new() };
        let params = json!({"processId": null, "rootUri": editor.root, "capabilities": capabilities});
        let answer = editor.request("initialize", &params);
        editor.notify("initialized", &json!({}));
        (editor, answer)
    }

    fn uri(&self, name: &str) -> String {
        format!("{}/{name}", self.root)
    }

    fn write(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("a header"), 0, "the server ended");
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn send_request(&mut self, method: &str, params: &Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The whole response to a request.
    fn response(&mut self, id: i64) -> Value {
        loop {
            let message = self.read();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.notifications.push(message);
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send_request(method, params);
        let response = self.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    fn open(&mut self, name: &str, text: &str) {
        let document = json!({"uri": self.uri(name), "languageId": "python", "version": 1, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": document}));
    }

    fn edit(&mut self, name: &str, version: i64, changes: &Value) {
        let document = json!({"uri": self.uri(name), "version": version});
        self.notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": changes}));
    }

    /// The diagnostics that the server sends next for a document.
    fn published(&mut self, name: &str) -> Value {
        let uri = self.uri(name);
        loop {
            let message = if self.notifications.is_empty() { self.read() } else { self.notifications.remove(0) };
            if message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == *uri {
                return message["params"].clone();
            }
        }
    }

    fn at(&self, name: &str, line: u32, character: u32) -> Value {
        json!({"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}})
    }

    fn pull(&mut self, name: &str) -> Value {
        let params = json!({"textDocument": {"uri": self.uri(name)}});
        self.request("textDocument/diagnostic", &params)["items"].clone()
    }

    fn hints(&mut self, name: &str) -> Value {
        let range = range(0, 0, 1000, 0);
        let params = json!({"textDocument": {"uri": self.uri(name)}, "range": range});
        self.request("textDocument/inlayHint", &params)
    }

    /// Ends the session as the protocol asks; the exit code of the server.
    fn finish(mut self) -> Option<i32> {
        self.request("shutdown", &Value::Null);
        self.notify("exit", &Value::Null);
        drop(self.input);
        self.child.wait().expect("the server ends").code()
    }
}

fn range(line: u32, start: u32, end_line: u32, end: u32) -> Value {
    json!({"start": {"line": line, "character": start}, "end": {"line": end_line, "character": end}})
}

/// Capabilities of an editor that asks for diagnostics.
fn pulling() -> Value {
    json!({"textDocument": {"diagnostic": {}}})
}

#[test]
fn findings_follow_the_edits() {
    let project = Project::with(&[("a.py", PRODUCT)]);
    let (mut editor, answer) = Editor::start(&project, &json!({}));
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    editor.open("a.py", PRODUCT);
    let first = editor.published("a.py");
    assert_eq!(first["version"], 1);
    let diagnostic = &first["diagnostics"][0];
    assert_eq!(diagnostic["range"], range(4, 4, 4, 9));
    assert_eq!((diagnostic["severity"].as_i64(), diagnostic["code"].as_str()), (Some(1), Some("PT202")));
    let message = diagnostic["message"].as_str().expect("a message");
    assert!(message.starts_with("ValueError: matrix product of (3, 4) and (5, 6)"), "{message}");
    let related = &diagnostic["relatedInformation"];
    assert_eq!(related[0]["location"]["range"], range(2, 4, 2, 20), "{related}");
    // The second array becomes one that fits.
    editor.edit("a.py", 2, &json!([{"range": range(3, 14, 3, 15), "text": "4"}]));
    let second = editor.published("a.py");
    assert_eq!((second["version"].as_i64(), second["diagnostics"].as_array().map(Vec::len)), (Some(2), Some(0)));
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn an_editor_may_ask_for_findings_in_bytes() {
    let project = Project::with(&[("a.py", "")]);
    let mut capabilities = pulling();
    capabilities["general"] = json!({"positionEncodings": ["utf-8", "utf-16"]});
    let (mut editor, answer) = Editor::start(&project, &capabilities);
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    editor.open("a.py", "x = 'é😀' + undefined_name\n");
    assert_eq!(editor.pull("a.py")[0]["range"], range(0, 15, 0, 29));
    editor.edit("a.py", 2, &json!([{"text": "x = (1\n"}]));
    let items = editor.pull("a.py");
    assert_eq!(
        items.as_array().map(Vec::len),
        Some(1),
        "half-typed code has its syntax error and nothing else: {items}"
    );
    assert_eq!(items[0]["code"], "PT001");
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn shapes_stand_beside_the_code() {
    let project = Project::with(&[("a.py", PRODUCT)]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    editor.open("a.py", "import numpy as np\n\nh = np.zeros((8, 128))\nn = 3\nprint(h)\n");
    let hints = editor.hints("a.py");
    assert_eq!(hints.as_array().map(Vec::len), Some(1), "{hints}");
    assert_eq!(hints[0]["label"], ": [8, 128]");
    assert_eq!(hints[0]["position"], json!({"line": 2, "character": 1}));
    for (line, character) in [(2, 0), (4, 6)] {
        let place = editor.at("a.py", line, character);
        let hover = editor.request("textDocument/hover", &place);
        assert_eq!(hover["contents"]["value"], "```python\nh: ndarray[8, 128]\n```", "{hover}");
    }
    let nowhere = editor.at("a.py", 1, 0);
    assert_eq!(editor.request("textDocument/hover", &nowhere), Value::Null);
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn a_rule_is_ignored_by_a_code_action() {
    let project = Project::with(&[("a.py", PRODUCT)]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    editor.open("a.py", PRODUCT);
    let uri = editor.uri("a.py");
    let params = json!({"textDocument": {"uri": uri}, "range": range(4, 5, 4, 5), "context": {"diagnostics": []}});
    let actions = editor.request("textDocument/codeAction", &params);
    let actions = actions.as_array().expect("a list");
    let ignore = actions.iter().find(|action| action["title"] == "Ignore PT202 on this line").expect("the action");
    let edit = ignore["edit"]["changes"][&uri][0].clone();
    assert_eq!(edit["newText"], "  # pytrope: ignore[PT202]");
    editor.edit("a.py", 2, &json!([{"range": edit["range"], "text": edit["newText"]}]));
    assert_eq!(editor.pull("a.py"), json!([]));
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn unsaved_documents_are_what_others_import() {
    let project = Project::with(&[("sizes.py", "width = 4\n"), ("a.py", "")]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    editor.open("a.py", "import numpy as np\nimport sizes\n\nx = np.zeros((2, sizes.width)) @ np.zeros((4, 3))\n");
    assert_eq!(editor.pull("a.py"), json!([]));
    editor.open("sizes.py", "width = 5\n");
    assert_eq!(editor.pull("a.py")[0]["code"], "PT202");
    let closed = json!({"textDocument": {"uri": editor.uri("sizes.py")}});
    editor.notify("textDocument/didClose", &closed);
    assert_eq!(editor.pull("a.py"), json!([]), "the file on disk counts again");
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn every_request_is_answered() {
    let project = Project::with(&[("a.py", PRODUCT)]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    let id = editor.send_request("workspace/unheardOf", &json!({}));
    assert_eq!(editor.response(id)["error"]["code"], -32601);
    let id = editor.send_request("textDocument/hover", &json!({"position": 3}));
    assert_eq!(editor.response(id)["error"]["code"], -32602);
    assert_eq!(editor.pull("never_opened.py"), json!([]));
    editor.request("shutdown", &Value::Null);
    let id = editor.send_request("textDocument/hover", &json!({}));
    assert_eq!(editor.response(id)["error"]["code"], -32600);
    editor.notify("exit", &Value::Null);
    assert_eq!(editor.child.wait().expect("the server ends").code(), Some(0));
    let (mut hasty, _) = Editor::start(&project, &pulling());
    hasty.notify("exit", &Value::Null);
    assert_eq!(hasty.child.wait().expect("the server ends").code(), Some(1), "exit without shutdown");
}

/// After any edits the answers are those of a server that is given the final text at once.
#[test]
fn edits_leave_nothing_stale() {
    let project = Project::with(&[("a.py", PRODUCT)]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    editor.open("a.py", PRODUCT);
    let mut text = PRODUCT.to_owned();
    let pieces = ["", "4", "x", "\n", "é", "(", ")", " @ a", "np.zeros((4, 3))", "a.T", "# 😀\n"];
    let mut state = 7_u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or_default() % below
    };
    for version in 2..120 {
        let boundaries: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let start = boundaries[draw(boundaries.len())];
        let end = boundaries[draw(boundaries.len())].clamp(start, start + 6);
        let end = *boundaries.iter().find(|at| **at >= end).expect("a boundary");
        let piece = pieces[draw(pieces.len())];
        let position = |at: usize| {
            let line = text[..at].matches('\n').count();
            let column = text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at].encode_utf16().count();
            json!({"line": line, "character": column})
        };
        let change = json!({"range": {"start": position(start), "end": position(end)}, "text": piece});
        text.replace_range(start..end, piece);
        editor.edit("a.py", version, &json!([change]));
        if version % 7 == 0 {
            editor.pull("a.py");
        }
    }
    let (items, hints) = (editor.pull("a.py"), editor.hints("a.py"));
    assert_eq!(editor.finish(), Some(0));
    let (mut fresh, _) = Editor::start(&project, &pulling());
    fresh.open("a.py", &text);
    assert_eq!((fresh.pull("a.py"), fresh.hints("a.py")), (items, hints), "of the text {text:?}");
    assert_eq!(fresh.finish(), Some(0));
}

#[test]
fn a_server_without_an_editor_says_what_it_waits_for() {
    let run = Project::with(&[]).run(&["server"]).code(2);
    assert!(run.stderr.contains("is started by an editor"), "{run:?}");
}
