//! What `pytrope server` does with whole projects, notebooks and shapes, feature by feature.

use serde_json::{Value, json};

use crate::editor::{Editor, pulling, range};
use crate::project::Project;

const LAYERS: &str = "import numpy as np\n\n\ndef dense(x, w):\n    return x @ w\n";
const MAIN: &str = "import numpy as np\nfrom layers import dense\n\nh = dense(np.zeros((2, 3)), np.zeros((4, 5)))\n";

#[test]
fn findings_show_where_a_call_from_another_file_leads() {
    let project = Project::with(&[("layers.py", LAYERS), ("main.py", MAIN)]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    editor.open("layers.py", LAYERS);
    let items = editor.pull("layers.py");
    assert_eq!((&items[0]["code"], &items[0]["range"]), (&json!("PT202"), &range(4, 11, 4, 16)), "{items}");
    let related = items[0]["relatedInformation"].as_array().expect("related places");
    let main = editor.uri("main.py");
    assert!(related.iter().any(|place| place["location"]["uri"] == *main), "{related:?}");
    // The caller, which is not even saved, is repaired.
    editor.open("main.py", &MAIN.replace("(4, 5)", "(3, 5)"));
    assert_eq!(editor.pull("layers.py"), json!([]));
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn the_workspace_has_diagnostics_of_files_that_are_not_open() {
    let project = Project::with(&[("a.py", "import numpy as np\nnp.ones(3) + np.ones(4)\n"), ("b.py", "x = 1\n")]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    editor.open("b.py", "x = (\n");
    let report = editor.request("workspace/diagnostic", &json!({"previousResultIds": []}));
    let shown: Vec<Value> = report["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| json!([item["uri"], item["version"], item["items"][0]["code"]]))
        .collect();
    assert_eq!(shown, [json!([editor.uri("a.py"), null, "PT201"]), json!([editor.uri("b.py"), 1, "PT001"])]);
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn functions_have_their_signatures_above_them() {
    let text = "import numpy as np\nfrom pytrope.hints import NdArray\n\ndef project(x: NdArray['n', 3]):\n    return x @ np.zeros((3, 5))\n\n\ndef name():\n    return 'x'\n";
    let project = Project::with(&[("a.py", text)]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    editor.open("a.py", text);
    let lenses = editor.request("textDocument/codeLens", &json!({"textDocument": {"uri": editor.uri("a.py")}}));
    assert_eq!(
        lenses,
        json!([{"range": range(3, 4, 3, 11), "command": {"title": "(x: [n, 3]) → [n, 5]", "command": ""}}])
    );
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn an_editor_goes_to_where_a_shape_was_created() {
    let project = Project::with(&[("data.py", "import numpy as np\n\nbatch = np.zeros((8, 3))\n"), ("a.py", "")]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    editor.open("a.py", "from data import batch\n\ny = batch\nprint(y)\n");
    let place = editor.at("a.py", 3, 6);
    let location = editor.request("textDocument/typeDefinition", &place);
    assert_eq!(location, json!({"uri": editor.uri("data.py"), "range": range(2, 8, 2, 24)}));
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn an_inferred_shape_becomes_an_annotation() {
    let text = "import numpy as np\n\nw = np.zeros((3, 5))\nprint(w)\n";
    let project = Project::with(&[("a.py", text)]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    editor.open("a.py", text);
    let uri = editor.uri("a.py");
    let params = json!({"textDocument": {"uri": uri}, "range": range(2, 0, 2, 1), "context": {"diagnostics": []}});
    let actions = editor.request("textDocument/codeAction", &params);
    assert_eq!(actions[0]["title"], "Annotate `w` as NdArray[3, 5]", "{actions}");
    let changes = json!([
        {"range": range(2, 1, 2, 1), "newText": ": NdArray[3, 5]"},
        {"range": range(0, 0, 0, 0), "newText": "from pytrope.hints import NdArray\n"},
    ]);
    assert_eq!(actions[0]["edit"]["changes"][&uri], changes);
    editor.edit("a.py", 2, &json!([{"text": "from pytrope.hints import NdArray\nimport numpy as np\n\nw: NdArray[3, 5] = np.zeros((3, 5))\n"}]));
    assert_eq!(editor.pull("a.py"), json!([]));
    assert_eq!(editor.finish(), Some(0));
}

/// The parameters that open a notebook of two cells of code with text between them.
fn notebook(editor: &Editor) -> Value {
    let cell = |name: &str| format!("{}#{name}", editor.uri("n.ipynb"));
    let text = |name: &str, text: &str| json!({"uri": cell(name), "languageId": "python", "version": 1, "text": text});
    json!({
        "notebookDocument": {
            "uri": editor.uri("n.ipynb"),
            "notebookType": "jupyter-notebook",
            "version": 1,
            "cells": [
                {"kind": 2, "document": cell("one")},
                {"kind": 1, "document": cell("text")},
                {"kind": 2, "document": cell("two")},
            ],
        },
        "cellTextDocuments": [
            text("one", "import numpy as np\na = np.zeros((2, 3))"),
            text("two", "b = np.zeros((4, 5))\nc = a @ b\n"),
        ],
    })
}

#[test]
fn the_cells_of_a_notebook_are_one_program() {
    let project = Project::with(&[]);
    let (mut editor, answer) = Editor::start(&project, &pulling());
    assert!(answer["capabilities"]["notebookDocumentSync"].is_object(), "{answer}");
    let params = notebook(&editor);
    editor.notify("notebookDocument/didOpen", &params);
    assert_eq!(editor.pull("n.ipynb#one"), json!([]));
    let items = editor.pull("n.ipynb#two");
    assert_eq!((&items[0]["code"], &items[0]["range"]), (&json!("PT202"), &range(1, 4, 1, 9)), "{items}");
    let first = editor.uri("n.ipynb#one");
    assert_eq!(items[0]["relatedInformation"][0]["location"], json!({"uri": first, "range": range(1, 4, 1, 20)}));
    let hints = editor.hints("n.ipynb#two");
    assert_eq!(hints[0]["position"], json!({"line": 0, "character": 1}), "{hints}");
    let place = editor.at("n.ipynb#two", 1, 4);
    let hover = editor.request("textDocument/hover", &place);
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("ndarray[2, 3]")), "{hover}");
    // The array of the first cell becomes one that fits.
    let edited = json!({"textContent": [{
        "document": {"uri": first, "version": 2},
        "changes": [{"range": range(1, 17, 1, 18), "text": "4"}],
    }]});
    let document = json!({"uri": editor.uri("n.ipynb"), "version": 2});
    editor.notify("notebookDocument/didChange", &json!({"notebookDocument": document, "change": {"cells": edited}}));
    assert_eq!(editor.pull("n.ipynb#two"), json!([]));
    // A cell that binds the name again comes between them.
    let third = editor.uri("n.ipynb#three");
    let structure = json!({
        "array": {"start": 1, "deleteCount": 0, "cells": [{"kind": 2, "document": third}]},
        "didOpen": [{"uri": third, "languageId": "python", "version": 1, "text": "a = np.zeros((7, 7))\n"}],
    });
    let document = json!({"uri": editor.uri("n.ipynb"), "version": 3});
    let change = json!({"notebookDocument": document, "change": {"cells": {"structure": structure}}});
    editor.notify("notebookDocument/didChange", &change);
    let items = editor.pull("n.ipynb#two");
    assert_eq!(items[0]["relatedInformation"][0]["location"]["uri"], third, "{items}");
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn every_root_and_every_file_outside_has_its_own_configuration() {
    let wrong = "import numpy as np\nnp.ones(3) + np.ones(4)\n";
    let project = Project::with(&[
        ("one/a.py", wrong),
        ("two/b.py", wrong),
        ("two/pytrope.toml", "[rules]\nbroadcast-mismatch = \"warning\"\n"),
        ("other/c.py", wrong),
    ]);
    let root = format!("file://{}", project.path("").display()).trim_end_matches('/').to_owned();
    let folder = |name: &str| json!({"uri": format!("{root}/{name}"), "name": name});
    let folders = json!({"workspaceFolders": [folder("one")]});
    let (mut editor, _) = Editor::start_with(&project, &pulling(), &folders);
    let event = json!({"event": {"added": [folder("two")], "removed": []}});
    editor.notify("workspace/didChangeWorkspaceFolders", &event);
    for (name, severity) in [("one/a.py", 1), ("two/b.py", 2), ("other/c.py", 1)] {
        editor.open(name, wrong);
        let items = editor.pull(name);
        assert_eq!(items[0]["severity"], severity, "{name}: {items}");
    }
    let report = editor.request("workspace/diagnostic", &json!({"previousResultIds": []}));
    assert_eq!(report["items"].as_array().map(Vec::len), Some(2), "the file outside is in no root: {report}");
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn changes_on_disk_are_seen() {
    let project = Project::with(&[("sizes.py", "width = 3\n"), ("a.py", "")]);
    let mut capabilities = pulling();
    capabilities["workspace"] = json!({
        "diagnostics": {"refreshSupport": true},
        "didChangeWatchedFiles": {"dynamicRegistration": true},
    });
    let (mut editor, _) = Editor::start(&project, &capabilities);
    let watched = editor.next_message("client/registerCapability");
    assert!(watched.to_string().contains("**/pyproject.toml"), "{watched}");
    editor.open(
        "a.py",
        "import numpy as np\nfrom sizes import width\nfrom more import depth\n\nnp.ones((2, width)) @ np.ones((4, 5))\n",
    );
    assert_eq!(editor.pull("a.py")[0]["code"], "PT202");
    let changed = |editor: &mut Editor, name: &str, kind: u32| {
        let changes = json!({"changes": [{"uri": editor.uri(name), "type": kind}]});
        editor.notify("workspace/didChangeWatchedFiles", &changes);
        editor.next_message("workspace/diagnostic/refresh");
        editor.pull("a.py")
    };
    project.write("sizes.py", b"width = 4\n");
    assert_eq!(changed(&mut editor, "sizes.py", 2), json!([]));
    project.write("more.py", b"width = 4\n");
    assert_eq!(changed(&mut editor, "more.py", 1)[0]["code"], "PT102", "the module has no `depth`");
    project.write("pytrope.toml", b"[rules]\nPT102 = \"ignore\"\n");
    assert_eq!(changed(&mut editor, "pytrope.toml", 1), json!([]));
    std::fs::remove_file(project.path("sizes.py")).expect("removed");
    assert_eq!(changed(&mut editor, "sizes.py", 3), json!([]));
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn the_first_analysis_shows_its_progress() {
    let project = Project::with(&[("a.py", "x = 1\n"), ("b.py", "y = 2\n")]);
    let mut capabilities = pulling();
    capabilities["window"] = json!({"workDoneProgress": true});
    let (mut editor, _) = Editor::start(&project, &capabilities);
    editor.open("a.py", "x = 1\n");
    editor.pull("a.py");
    let create = editor.next_message("window/workDoneProgress/create");
    let mut kinds = Vec::new();
    for _ in 0..4 {
        let progress = editor.next_message("$/progress");
        assert_eq!(progress["params"]["token"], create["params"]["token"]);
        kinds.push(progress["params"]["value"]["kind"].clone());
    }
    assert_eq!(kinds, ["begin", "report", "report", "end"]);
    editor.edit("a.py", 2, &json!([{"text": "x = 2\n"}]));
    editor.pull("a.py");
    assert!(editor.notifications.is_empty(), "only the first analysis is long: {:?}", editor.notifications);
    assert_eq!(editor.finish(), Some(0));
}

const NET: &str = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.head = nn.Linear(8, 2)\n\n    def forward(self, x):\n        if x.dim() == 1:\n            x = x.unsqueeze(0)\n        return self.head(x)\n";

#[test]
fn a_branch_is_pruned_where_its_condition_is_assumed() {
    let project = Project::with(&[("net.py", NET)]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    editor.open("net.py", NET);
    let uri = editor.uri("net.py");
    let ask = |editor: &mut Editor, line: u32| {
        let params =
            json!({"textDocument": {"uri": uri}, "range": range(line, 12, line, 12), "context": {"diagnostics": []}});
        let actions = editor.request("textDocument/codeAction", &params);
        let pruning = |action: &&Value| action["title"].as_str().is_some_and(|title| title.starts_with("Prune"));
        actions.as_array().expect("a list").iter().filter(pruning).cloned().collect::<Vec<Value>>()
    };
    let actions = ask(&mut editor, 10);
    let titles: Vec<&Value> = actions.iter().map(|action| &action["title"]).collect();
    assert_eq!(titles, ["Prune for `x.dim() == 1`", "Prune for `not (x.dim() == 1)`"], "{actions:?}");
    let edit = |at: usize| actions[at]["edit"]["changes"][&uri].clone();
    assert_eq!(edit(0), json!([{"range": range(10, 0, 12, 0), "newText": "        x = x.unsqueeze(0)\n"}]));
    assert_eq!(edit(1), json!([{"range": range(10, 0, 12, 0), "newText": ""}]));
    assert!(ask(&mut editor, 12).is_empty(), "there is no branch on this line");
    // A test of something that is no parameter is not offered; one that holds for all inputs needs no assumption.
    let decided = NET.replace("x.dim() == 1", "self.head.weight.dim() == 3");
    editor.edit("net.py", 2, &json!([{"text": decided}]));
    let actions = ask(&mut editor, 10);
    assert_eq!(actions.len(), 1, "{actions:?}");
    assert_eq!(actions[0]["title"], "Prune the branches that shapes decide");
    editor.edit("net.py", 3, &json!([{"text": NET.replace("x.dim() == 1", "torch.rand(1).item() > 0.5")}]));
    assert!(ask(&mut editor, 10).is_empty());
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn a_request_that_is_taken_back_is_not_worked_on() {
    let project = Project::with(&[("layers.py", LAYERS), ("main.py", MAIN)]);
    let (mut editor, _) = Editor::start(&project, &pulling());
    editor.open("main.py", MAIN);
    let document = json!({"textDocument": {"uri": editor.uri("main.py")}});
    let request =
        |id: i64, method: &str, params: &Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    // The first request has the whole project read; what follows has arrived before it is answered.
    editor.write_together(&[
        request(900, "textDocument/diagnostic", &document),
        request(901, "textDocument/codeLens", &document),
        request(902, "textDocument/codeLens", &document),
        json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 901}}),
    ]);
    assert!(editor.response(900)["result"]["items"].is_array());
    assert_eq!(editor.response(901)["error"]["code"], -32800, "the request is cancelled");
    assert!(editor.response(902)["result"].is_array());
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn findings_link_to_their_rule_and_mark_what_is_unneeded() {
    let text = "total = 1 + 1  # pytrope: ignore\n";
    let project = Project::with(&[("a.py", text)]);
    let mut command = project.command(&["server"]);
    command.env("PYTROPE_DOCS_URL", "https://docs.example/pytrope/");
    let (mut editor, _) = Editor::start_command(command, &project, &pulling(), &json!({}));
    editor.open("a.py", text);
    let finding = editor.pull("a.py")[0].clone();
    assert_eq!(finding["code"], "PT002", "{finding}");
    assert_eq!(finding["codeDescription"]["href"], "https://docs.example/pytrope/rules/PT002.html");
    assert_eq!(finding["tags"], json!([1]), "unnecessary code, which editors show faded");
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn helps_are_offered_as_edits() {
    for (operands, expression, title, added) in [
        ("q = np.ones((8, 10, 64))\nk = np.ones((8, 10, 64))\n", "q @ k", "Use `k.mT`", ".mT"),
        ("q = np.ones((4, 3))\nk = np.ones((5, 3))\n", "q @ k", "Use `k.T`", ".T"),
        ("q = np.ones((5, 3))\nk = np.ones(5)\n", "q * k", "Use `k[:, None]`", "[:, None]"),
    ] {
        let text = format!("import numpy as np\n\n{operands}r = {expression}\n");
        let project = Project::with(&[("a.py", &text)]);
        let (mut editor, _) = Editor::start(&project, &pulling());
        editor.open("a.py", &text);
        let uri = editor.uri("a.py");
        let place = range(4, 5, 4, 5);
        let params = json!({"textDocument": {"uri": uri}, "range": place, "context": {"diagnostics": []}});
        let actions = editor.request("textDocument/codeAction", &params);
        let action = actions.as_array().expect("a list").iter().find(|action| action["title"] == title);
        let action = action.unwrap_or_else(|| panic!("{title} is not among {actions}"));
        let edit = action["edit"]["changes"][&uri][0].clone();
        assert_eq!(edit["newText"], added);
        editor.edit("a.py", 2, &json!([{"range": edit["range"], "text": edit["newText"]}]));
        assert_eq!(editor.pull("a.py"), json!([]), "{title}");
        assert_eq!(editor.finish(), Some(0));
    }
}
