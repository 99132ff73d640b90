//! A scripted editor, which speaks to `pytrope server` over standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::project::Project;

/// A scripted editor.
pub struct Editor {
    pub child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    pub root: String,
    next_id: i64,
    /// Notifications and requests that came while a response was awaited.
    pub notifications: Vec<Value>,
}

impl Editor {
    /// Starts the server in a project and agrees on capabilities; the answer to `initialize` comes back too.
    pub fn start(project: &Project, capabilities: &Value) -> (Self, Value) {
        Self::start_with(project, capabilities, &json!({}))
    }

    /// The same with further parameters of `initialize`.
    pub fn start_with(project: &Project, capabilities: &Value, more: &Value) -> (Self, Value) {
        Self::start_command(project.command(&["server"]), project, capabilities, more)
    }

    /// The same with a command line, and an environment, of the test's own.
    pub fn start_command(mut command: Command, project: &Project, capabilities: &Value, more: &Value) -> (Self, Value) {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let root = format!("file://{}", project.path("").display()).trim_end_matches('/').to_owned();
        let mut editor = Self { child, input, output, root, next_id: 0, notifications: Vec::new() };
        let mut params = json!({"processId": null, "rootUri": editor.root, "capabilities": capabilities});
        for (key, value) in more.as_object().expect("an object") {
            params[key] = value.clone();
        }
        let answer = editor.request("initialize", &params);
        editor.notify("initialized", &json!({}));
        (editor, answer)
    }

    pub fn uri(&self, name: &str) -> String {
        format!("{}/{name}", self.root)
    }

    fn write(&mut self, message: &Value) {
        self.write_together(std::slice::from_ref(message));
    }

    /// Sends several messages at once, so that the later ones have arrived while the first one is worked on.
    pub fn write_together(&mut self, messages: &[Value]) {
        let mut text = String::new();
        for message in messages {
            let body = message.to_string();
            text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        }
        self.input.write_all(text.as_bytes()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    pub fn read(&mut self) -> Value {
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

    pub fn notify(&mut self, method: &str, params: &Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub fn send_request(&mut self, method: &str, params: &Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The whole response to a request.
    pub fn response(&mut self, id: i64) -> Value {
        loop {
            let message = self.read();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.notifications.push(message);
        }
    }

    pub fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send_request(method, params);
        let response = self.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    pub fn open(&mut self, name: &str, text: &str) {
        let document = json!({"uri": self.uri(name), "languageId": "python", "version": 1, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": document}));
    }

    pub fn edit(&mut self, name: &str, version: i64, changes: &Value) {
        let document = json!({"uri": self.uri(name), "version": version});
        self.notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": changes}));
    }

    /// The diagnostics that the server sends next for a document.
    pub fn published(&mut self, name: &str) -> Value {
        let uri = self.uri(name);
        loop {
            let message = if self.notifications.is_empty() { self.read() } else { self.notifications.remove(0) };
            if message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == *uri {
                return message["params"].clone();
            }
        }
    }

    pub fn at(&self, name: &str, line: u32, character: u32) -> Value {
        json!({"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}})
    }

    pub fn pull(&mut self, name: &str) -> Value {
        let params = json!({"textDocument": {"uri": self.uri(name)}});
        self.request("textDocument/diagnostic", &params)["items"].clone()
    }

    pub fn hints(&mut self, name: &str) -> Value {
        let range = range(0, 0, 1000, 0);
        let params = json!({"textDocument": {"uri": self.uri(name)}, "range": range});
        self.request("textDocument/inlayHint", &params)
    }

    /// The next message of a method that is not a response.
    pub fn next_message(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.notifications.iter().position(|message| message["method"] == method) {
                return self.notifications.remove(at);
            }
            let message = self.read();
            self.notifications.push(message);
        }
    }

    /// Ends the session as the protocol asks; the exit code of the server.
    pub fn finish(mut self) -> Option<i32> {
        self.request("shutdown", &Value::Null);
        self.notify("exit", &Value::Null);
        drop(self.input);
        self.child.wait().expect("the server ends").code()
    }
}

pub fn range(line: u32, start: u32, end_line: u32, end: u32) -> Value {
    json!({"start": {"line": line, "character": start}, "end": {"line": end_line, "character": end}})
}

/// Capabilities of an editor that asks for diagnostics.
pub fn pulling() -> Value {
    json!({"textDocument": {"diagnostic": {}}})
}
