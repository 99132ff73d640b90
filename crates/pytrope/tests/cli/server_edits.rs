//! Ten thousand random edits of a project under `pytrope server`: no crash, no stale answer, no lost response.

use serde_json::{Value, json};

use crate::editor::{Editor, pulling};
use crate::project::Project;

const FILES: [(&str, &str); 3] = [
    ("layers.py", "import numpy as np\n\n\ndef dense(x, rows):\n    return x @ np.zeros((rows, 5))\n"),
    ("model.py", "import numpy as np\nfrom layers import dense\n\nh = dense(np.zeros((2, 3)), 3)\n"),
    ("run.py", "import model\n\nout = model.h @ model.np.zeros((4, 6))\nmodel.dense(out, 7)\n"),
];

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit
    }
}

/// One replacement of a few characters, as the protocol says it; the text has it afterwards.
fn random_change(random: &mut Random, text: &mut String, original: &str) -> Value {
    // Every now and then all edits are undone, so that most texts are near to a program.
    if random.below(12) == 0 {
        original.clone_into(text);
        return json!({"text": text});
    }
    let pieces = [
        "",
        "4",
        "3",
        "x",
        "\n",
        "é",
        "(",
        ")",
        " @ h",
        "np.zeros((4, 3))",
        ".T",
        "# 😀\n",
        "import run\n",
        "    h = 1\n",
    ];
    let boundaries: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
    let first = random.below(boundaries.len());
    let last = (first + random.below(4)).min(boundaries.len() - 1);
    let (start, end) = (boundaries[first], boundaries[last]);
    let piece = pieces[random.below(pieces.len())];
    let position = |at: usize| {
        let line = text[..at].matches('\n').count();
        let column = text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at].encode_utf16().count();
        json!({"line": line, "character": column})
    };
    let change = json!({"range": {"start": position(start), "end": position(end)}, "text": piece});
    text.replace_range(start..end, piece);
    change
}

/// What a server that was just started says of texts.
fn fresh_answers(project: &Project, texts: &[String]) -> Vec<(Value, Value)> {
    let (mut editor, _) = Editor::start(project, &pulling());
    for ((name, _), text) in FILES.iter().zip(texts) {
        editor.open(name, text);
    }
    let answers = FILES.iter().map(|(name, _)| (editor.pull(name), editor.hints(name))).collect();
    assert_eq!(editor.finish(), Some(0));
    answers
}

#[test]
fn ten_thousand_edits_leave_nothing_stale() {
    let project = Project::with(&FILES);
    let (mut editor, _) = Editor::start(&project, &pulling());
    let mut texts: Vec<String> = FILES.iter().map(|(_, text)| (*text).to_owned()).collect();
    for (name, text) in FILES {
        editor.open(name, text);
    }
    let mut random = Random(7);
    let mut findings = 0;
    for version in 2..=10_001_i64 {
        let at = random.below(FILES.len());
        let change = random_change(&mut random, &mut texts[at], FILES[at].1);
        editor.edit(FILES[at].0, version, &json!([change]));
        match random.below(10) {
            // The editor goes on typing.
            0..5 => {}
            5 => {
                let name = FILES[random.below(FILES.len())].0;
                let id = editor.send_request("textDocument/hover", &editor.at(name, 3, 5));
                editor.notify("$/cancelRequest", &json!({"id": id}));
                editor.response(id);
            }
            _ => findings += editor.pull(FILES[random.below(FILES.len())].0).as_array().map_or(0, Vec::len),
        }
        if version % 500 == 1 {
            let answers: Vec<_> = FILES.iter().map(|(name, _)| (editor.pull(name), editor.hints(name))).collect();
            assert_eq!(answers, fresh_answers(&project, &texts), "after {version} edits: {texts:#?}");
        }
    }
    assert_eq!(editor.finish(), Some(0));
    assert!(findings > 500, "{findings} findings on the way");
}
