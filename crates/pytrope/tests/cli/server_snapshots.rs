//! Every request that `pytrope server` answers, on one small project: the whole JSON of each response is compared with
//! `tests/cli/snapshots` (`PYTROPE_UPDATE=1` rewrites them).

use std::path::Path;

use serde_json::{Value, json};

use crate::editor::{Editor, pulling, range};
use crate::project::Project;

const LAYERS: &str = "import numpy as np\n\n\ndef dense(x, w):\n    return x @ w\n";
const MAIN: &str = r#"import numpy as np
from layers import dense
from pytrope.hints import NdArray


def normalise(x: NdArray[5, 3]):
    if x.ndim == 1:
        x = x[None]
    return x - x.mean(axis=1)


weights = np.zeros((4, 5))
hidden = dense(np.zeros((2, 3)), weights)
data = np.load("data.npy")
"#;

/// Compares a response with its snapshot, with the project's folder left out.
fn check_response(editor: &Editor, name: &str, response: &Value) {
    let shown = serde_json::to_string_pretty(response).expect("JSON").replace(&editor.root, "file:///project") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/snapshots").join(format!("{name}.json"));
    if std::env::var_os("PYTROPE_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, &shown).expect("written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(shown, kept, "{name}: PYTROPE_UPDATE=1 rewrites the snapshots");
}

fn open_project() -> (Project, Editor, Value) {
    let project = Project::with(&[("layers.py", LAYERS), ("main.py", MAIN)]);
    let (mut editor, mut answer) = Editor::start(&project, &pulling());
    editor.open("main.py", MAIN);
    // The version is that of the program.
    answer["serverInfo"]["version"] = json!("x.y.z");
    (project, editor, answer)
}

#[test]
fn requests_have_the_answers_of_their_snapshots() {
    let (_project, mut editor, answer) = open_project();
    check_response(&editor, "initialize", &answer);
    let document = json!({"uri": editor.uri("main.py")});
    let everywhere = range(0, 0, 1000, 0);
    let of_document = json!({"textDocument": document});
    let in_range = |range: Value| json!({"textDocument": document, "range": range, "context": {"diagnostics": []}});
    let requests = [
        ("diagnostic", "textDocument/diagnostic", of_document.clone()),
        ("workspace_diagnostic", "workspace/diagnostic", json!({"previousResultIds": []})),
        ("inlay_hint", "textDocument/inlayHint", json!({"textDocument": document, "range": everywhere})),
        ("hover_known", "textDocument/hover", editor.at("main.py", 12, 34)),
        ("hover_unknown", "textDocument/hover", editor.at("main.py", 13, 1)),
        ("type_definition", "textDocument/typeDefinition", editor.at("main.py", 12, 34)),
        ("code_lens", "textDocument/codeLens", of_document.clone()),
        ("code_action_fix", "textDocument/codeAction", in_range(range(8, 12, 8, 12))),
        ("code_action_annotate", "textDocument/codeAction", in_range(range(11, 2, 11, 2))),
        ("code_action_prune", "textDocument/codeAction", in_range(range(6, 9, 6, 9))),
        ("coverage", "pytrope/coverage", of_document),
    ];
    for (name, method, params) in requests {
        let response = editor.request(method, &params);
        check_response(&editor, name, &response);
    }
    let unknown = editor.send_request("textDocument/rename", &json!({}));
    let refused = editor.response(unknown);
    check_response(&editor, "method_not_found", &refused["error"]);
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn pushed_diagnostics_have_the_form_of_their_snapshot() {
    let project = Project::with(&[("layers.py", LAYERS), ("main.py", MAIN)]);
    let (mut editor, _) = Editor::start(&project, &json!({}));
    editor.open("layers.py", LAYERS);
    let pushed = editor.published("layers.py");
    check_response(&editor, "publish_diagnostics", &pushed);
    assert_eq!(editor.finish(), Some(0));
}
