//! `pytrope server`, spoken to as an editor does: over standard input and output.

use serde_json::{Value, json};

use crate::editor::{Editor, pulling, range};
use crate::project::Project;

const PRODUCT: &str = "import numpy as np\n\na = np.zeros((3, 4))\nb = np.zeros((5, 6))\nc = a @ b\n";

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
    assert_eq!(hints[0]["label"][0]["value"], ": [8, 128] float64");
    assert_eq!(hints[0]["label"][0]["location"]["range"], range(2, 4, 2, 22), "where the array was created");
    assert_eq!(hints[0]["position"], json!({"line": 2, "character": 1}));
    for (line, character) in [(2, 0), (4, 6)] {
        let place = editor.at("a.py", line, character);
        let hover = editor.request("textDocument/hover", &place);
        let text = "```python\nh: ndarray[8, 128]\n```\n\nElements: `float64`\n\nCreated in a.py, line 3: `np.zeros((8, 128))`";
        assert_eq!(hover["contents"]["value"], text, "{hover}");
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

#[test]
fn a_server_without_an_editor_says_what_it_waits_for() {
    let run = Project::with(&[]).run(&["server"]).code(2);
    assert!(run.stderr.contains("is started by an editor"), "{run:?}");
}
