//! Edits keep every byte they do not own, and put new lines where a careful person would.

use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};
use pytrope_source::{Edits, Node, Parsed, SourceFile, TextRange, parse, unified_diff, write_atomic};

fn parsed(text: &str) -> Parsed {
    let parsed = parse(&SourceFile::from_text("t.py", text));
    assert_eq!(parsed.errors, [], "{text}");
    parsed
}

/// The statement whose text starts with `start`.
fn stmt(parsed: &Parsed, start: &str) -> StmtId {
    let tree = &parsed.tree;
    let mut found = tree.stmt_ids().filter(|&id| parsed.file.slice(tree[id].range).starts_with(start));
    found.next().unwrap_or_else(|| panic!("no statement starts with {start:?}"))
}

fn expr(parsed: &Parsed, text: &str) -> ExprId {
    let tree = &parsed.tree;
    let mut found = tree.expr_ids().filter(|&id| parsed.file.slice(tree[id].range) == text);
    found.next().unwrap_or_else(|| panic!("no expression {text:?}"))
}

/// What `edit` makes of `before`; the result must still parse.
fn edited(before: &str, edit: impl FnOnce(&mut Edits, &Parsed)) -> String {
    let file = parsed(before);
    let mut edits = Edits::new(&file);
    edit(&mut edits, &file);
    let after = edits.apply().expect("no overlap");
    parsed(&after);
    after
}

fn before(source: &str, start: &str, code: &str) -> String {
    edited(source, |edits, file| {
        edits.insert_before(stmt(file, start), code);
    })
}

fn after(source: &str, start: &str, code: &str) -> String {
    edited(source, |edits, file| {
        edits.insert_after(stmt(file, start), code);
    })
}

fn wrapped(source: &str, first: &str, last: &str) -> String {
    edited(source, |edits, file| {
        edits.wrap_statements(stmt(file, first), stmt(file, last), "if rank == 0:");
    })
}

#[test]
fn lines_go_before_and_after_a_statement() {
    assert_eq!(before("if x:\n    y = 1  # one\n", "y", "a = 0"), "if x:\n    a = 0\n    y = 1  # one\n");
    assert_eq!(after("if x:\n    y = 1  # one\n", "y", "a = 0"), "if x:\n    y = 1  # one\n    a = 0\n");
    assert_eq!(after("x = 1", "x", "y = 2"), "x = 1\ny = 2");
    assert_eq!(after("x = [\n    1,\n]\nz = 3\n", "x", "y = 2"), "x = [\n    1,\n]\ny = 2\nz = 3\n");
    assert_eq!(after("if x:\n  y\nz\n", "if", "if a:\n    b"), "if x:\n  y\nif a:\n  b\nz\n");
}

#[test]
fn decorators_belong_to_their_function() {
    let source = "@a\n@b\ndef f():\n    pass\n";
    assert_eq!(before(source, "@a", "x = 1"), "x = 1\n@a\n@b\ndef f():\n    pass\n");
}

#[test]
fn one_line_suites_and_semicolons_unfold() {
    assert_eq!(before("if x: y\n", "y", "a"), "if x:\n    a\n    y\n");
    assert_eq!(after("if x: y\nz\n", "y", "a"), "if x:\n    y\n    a\nz\n");
    assert_eq!(after("if x: y; z  # end\n", "y", "a"), "if x:\n    y\n    a\n    z  # end\n");
    assert_eq!(before("p; q; r\n", "q", "a"), "p\na\nq\nr\n");
    assert_eq!(after("p; q; r\n", "p", "a"), "p\na\nq\nr\n");
    assert_eq!(after("p; q;\nr\n", "q", "a"), "p\nq;\na\nr\n");
    assert_eq!(wrapped("class C: x = 1; y = 2\n", "x", "x"), "class C:\n    if rank == 0:\n        x = 1\n    y = 2\n");
}

#[test]
fn line_endings_and_indentation_are_the_files_own() {
    assert_eq!(before("if x:\r\n\ty\r\n", "y", "if a:\n    b"), "if x:\r\n\tif a:\r\n\t\tb\r\n\ty\r\n");
    assert_eq!(after("x\ry\r", "x", "z"), "x\rz\ry\r");
}

#[test]
fn wrapping_indents_code_but_not_strings() {
    let source = "def f():\n    print(\n        '''a\n  b''',\n    )  # done\n\n    # more\n    save()\n";
    let want = "def f():\n    if rank == 0:\n        print(\n            '''a\n  b''',\n        )  # done\n\n        # more\n        save()\n";
    assert_eq!(wrapped(source, "print", "save"), want);
    assert_eq!(
        wrapped("print(1); save(); end()\n", "print", "save"),
        "if rank == 0:\n    print(1)\n    save()\nend()\n"
    );
    assert_eq!(
        wrapped("print(\n    f'{x}'\n    'b'\n)\n", "print", "print"),
        "if rank == 0:\n    print(\n        f'{x}'\n        'b'\n    )\n"
    );
    assert_eq!(
        wrapped("print(f\"\"\"{\nx}\n  b\"\"\")\n", "print", "print"),
        "if rank == 0:\n    print(f\"\"\"{\nx}\n  b\"\"\")\n"
    );
}

#[test]
fn deleting_leaves_valid_suites() {
    let delete = |source: &str, start: &str| edited(source, |edits, file| edits.delete_stmt(stmt(file, start)));
    assert_eq!(delete("a = 1\nb = 2  # two\nc = 3\n", "b"), "a = 1\nc = 3\n");
    assert_eq!(delete("if x:\n    b = 2\n", "b"), "if x:\n    pass\n");
    assert_eq!(delete("a = 1; b = 2\n", "b"), "a = 1\npass\n");
}

#[test]
fn imports_follow_docstring_and_future() {
    let add = |source: &str| edited(source, |edits, _| edits.add_import("import horovod"));
    assert_eq!(
        add("#!/bin/python\n\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nimport os\n"),
        "#!/bin/python\n\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nimport horovod\nimport os\n"
    );
    assert_eq!(add("'Doc.'\n\nimport os\n"), "'Doc.'\n\nimport horovod\nimport os\n");
    assert_eq!(add("# comment\nimport os\n"), "# comment\nimport horovod\nimport os\n");
    assert_eq!(add("# only a comment"), "# only a comment\nimport horovod\n");
    assert_eq!(add("import horovod\n"), "import horovod\n");
}

#[test]
fn parentheses_only_where_needed() {
    let replace = |source: &str, old: &str, new: &str| {
        edited(source, |edits, file| {
            edits.replace_expr(expr(file, old), new);
        })
    };
    assert_eq!(replace("y = x * 2\n", "x", "a + b"), "y = (a + b) * 2\n");
    assert_eq!(replace("y = x + 2\n", "x", "a + b"), "y = a + b + 2\n");
    assert_eq!(replace("y = 2 - x\n", "x", "a + b"), "y = 2 - (a + b)\n");
    assert_eq!(replace("y = x ** 2\n", "x", "-a"), "y = (-a) ** 2\n");
    assert_eq!(replace("y = 2 ** x\n", "x", "-a"), "y = 2 ** -a\n");
    assert_eq!(replace("y = x.real\n", "x", "5"), "y = (5).real\n");
    assert_eq!(replace("f(x)\n", "x", "a if b else c"), "f(a if b else c)\n");
    assert_eq!(replace("f(x)\n", "x", "a, b"), "f((a, b))\n");
    assert_eq!(replace("y = x\n", "x", "a, b"), "y = a, b\n");
    assert_eq!(replace("y = not x\n", "x", "a or b"), "y = not (a or b)\n");
    assert_eq!(replace("y = x\n", "x", "a +\nb"), "y = (a +\nb)\n");
}

#[test]
fn fresh_names_clash_with_nothing() {
    let file = parsed("import hvd\nhvd_2 = hvd.x\n");
    let mut edits = Edits::new(&file);
    assert_eq!(edits.fresh_name("hvd"), "hvd_3");
    assert_eq!(edits.fresh_name("hvd"), "hvd_4");
    assert_eq!(edits.fresh_name("rank"), "rank");
}

#[test]
fn lines_stay_whole_whatever_is_inserted_around_the_statement() {
    let unwrap = |edits: &mut Edits, file: &Parsed| {
        let range = file.tree[expr(file, "model")].range;
        edits.insert(range.start, "unwrap(");
        edits.insert(range.end, ")");
    };
    let lines = edited("x = 1\nmodel.load(x)\n", |edits, file| {
        unwrap(edits, file);
        edits.insert_before(stmt(file, "model"), "wait()");
    });
    assert_eq!(lines, "x = 1\nwait()\nunwrap(model).load(x)\n");
    let lines = edited("x = 1\nmodel.load(x)\n", |edits, file| {
        unwrap(edits, file);
        edits.insert_after(stmt(file, "x"), "wait()");
    });
    assert_eq!(lines, "x = 1\nwait()\nunwrap(model).load(x)\n");
    let lines = edited("x = model", |edits, file| {
        edits.insert_after(stmt(file, "x"), "wait()");
        unwrap(edits, file);
    });
    assert_eq!(lines, "x = unwrap(model)\nwait()");
    let lines = edited("model.load(x)\n", |edits, file| {
        unwrap(edits, file);
        edits.wrap_statements(stmt(file, "model"), stmt(file, "model"), "if rank == 0:");
    });
    assert_eq!(lines, "if rank == 0:\n    unwrap(model).load(x)\n");
}

#[test]
fn what_ends_a_suite_comes_before_what_is_put_around_the_next_statement() {
    let source = "with folder():\n    for x in y:\n        save(x)\nprint(best)\n";
    let lines = edited(source, |edits, file| {
        edits.wrap_statements(stmt(file, "print"), stmt(file, "print"), "if rank == 0:");
        edits.insert_after(stmt(file, "with"), "outer()");
        edits.insert_after(stmt(file, "for"), "wait()");
    });
    let expected =
        "with folder():\n    for x in y:\n        save(x)\n    wait()\nouter()\nif rank == 0:\n    print(best)\n";
    assert_eq!(lines, expected);
}

#[test]
fn overlapping_edits_are_an_error() {
    let file = parsed("x = 1\n");
    let mut edits = Edits::new(&file);
    edits.replace_range(TextRange::new(0, 3), "y");
    edits.replace_range(TextRange::new(2, 5), "z");
    assert!(edits.apply().is_err());
}

#[test]
fn diffs_are_unified() {
    let diff = unified_diff("a.py", "x = 1\ny = 2\n", "x = 1\ny = 3\n");
    assert_eq!(diff, "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n");
}

#[test]
fn every_node_is_some_nodes_child() {
    let file = parsed(
        "@d(1)\nclass C[T: int](B, k=2):\n    async def f(self, /, a: int = 1, *b, c=2, **d) -> int:\n        match a:\n            \
         case [1, *r] | {'k': v, **w} | P(x=3) if g: pass\n        with o as p, q: yield {**d, 'k': [*b], 's': {1}}\n        \
         try: x = y = await z\n        except* E as e: raise F from e\n        else: del a[1:2:3]\n        finally: assert a, 'm'\n        \
         return f'{a!r:>{b}}' + (lambda u, *v: u if v else not u)(x := 1)\ntype X[U] = list[U]\nfor i in [j for j in k if l]: x += 1\nwhile x < y < 3: global t\n",
    );
    let tree = &file.tree;
    let reached: Vec<Node> = tree.suite_nodes(tree.body()).collect();
    assert_eq!(reached.len(), tree.expr_count() + tree.stmt_count());
    for node in reached {
        for child in tree.children(node) {
            assert_eq!(child.parent(tree), Some(node));
        }
    }
    assert!(tree.expr_ids().any(|id| matches!(tree[id].kind, ExprKind::FString { .. })));
    assert!(tree.stmt_ids().any(|id| matches!(tree[id].kind, StmtKind::TypeAlias { .. })));
}

#[cfg(unix)]
#[test]
fn writing_keeps_permissions_and_links() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let (file, link) = (folder.path().join("a.py"), folder.path().join("b.py"));
    std::fs::write(&file, "old").expect("writes");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o750)).expect("sets");
    std::os::unix::fs::symlink(&file, &link).expect("links");
    write_atomic(&link, b"new").expect("writes");
    assert_eq!(std::fs::read(&file).expect("reads"), b"new");
    assert!(link.is_symlink());
    assert_eq!(file.metadata().expect("is there").permissions().mode() & 0o777, 0o750);
    assert_eq!(std::fs::read_dir(folder.path()).expect("lists").count(), 2);
}
