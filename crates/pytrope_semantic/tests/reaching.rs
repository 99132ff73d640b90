//! Which definitions reach a read. Each read of `x` in a line with a comment is checked: the comment lists the lines of
//! the definitions that may hold, and `unbound` where the name may have no value.

use pytrope_semantic::{ModuleNames, ReachingDefinitions};
use pytrope_source::tree::{Context, ExprKind};
use pytrope_source::{ScopedTree, SourceFile, parse};

fn check(text: &str) {
    let text = text.trim_start_matches('\n');
    let file = SourceFile::from_text("a.py", text);
    let parsed = parse(&file);
    assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    let scoped = ScopedTree::of(parsed.tree, &file);
    let (tree, scopes) = (&scoped.tree, &scoped.scopes);
    let names = ModuleNames::of(tree, scopes, "a", false);
    let reaching = ReachingDefinitions::of(tree, scopes, &names);
    let lines: Vec<&str> = text.lines().collect();
    let mut checked = 0;
    for expr in tree.expr_ids() {
        let ExprKind::Name { name, context: Context::Load } = tree[expr].kind else { continue };
        let line = file.line_column(tree[expr].range.start).line as usize;
        let Some((_, expected)) = lines[line - 1].split_once("# ") else { continue };
        if tree.text(name) != "x" {
            continue;
        }
        checked += 1;
        let mut found: Vec<String> = reaching
            .at(expr)
            .iter()
            .map(|&id| file.line_column(names.definition(id).range.start).line.to_string())
            .collect();
        if reaching.may_be_unbound(expr) {
            found.push("unbound".to_owned());
        }
        if !reaching.is_reachable(expr) {
            found.push("unreachable".to_owned());
        }
        assert_eq!(found.join(", "), expected, "line {line} of\n{text}");
    }
    assert_eq!(checked, lines.iter().filter(|line| line.contains("# ")).count(), "{text}");
}

#[test]
fn branches_join() {
    check(
        "
x = 1
if c:
    x = 2
    print(x)  # 3
elif d:
    x = 4
print(x)  # 1, 3, 6
if c:
    x = 8
else:
    x = 10
print(x)  # 9, 11
if c:
    y = 1
else:
    raise ValueError
",
    );
}

#[test]
fn what_leaves_does_not_go_on() {
    check(
        "
def f(c):
    if c:
        x = 1
    else:
        return 0
    print(x)  # 3
    raise ValueError
    print(x)  # unreachable
",
    );
    check("print(x)  # unbound\nx = 1\ndel x\nprint(x)  # unbound\n");
}

#[test]
fn loops_run_to_a_fixed_point() {
    check(
        "
x = 1
for i in items:
    print(x)  # 1, 7
    if i:
        break
    y = x
    x = i
else:
    print(x)  # 1, 7
print(x)  # 1, 7
while True:
    x = 12
    if c:
        x = 14
        break
print(x)  # 14
for x in items:
    print(x)  # 17
print(x)  # 14, 17
while c:
    if d:
        x = 22
        continue
    x = 24
print(x)  # 14, 17, 22, 24
",
    );
}

#[test]
fn handlers_start_from_all_states_inside() {
    check(
        "
x = 1
try:
    f()
    x = 4
    x = 5
except ValueError as e:
    print(x)  # 1, 4, 5
    x = 8
else:
    print(x)  # 5
print(x)  # 5, 8
try:
    x = 13
finally:
    print(x)  # 5, 8, 13
print(x)  # 13
",
    );
    check("try:\n    f()\nexcept E as x:\n    print(x)  # 3\nprint(x)  # unbound\n");
    check(
        "
for i in items:
    x = 2
    try:
        break
    finally:
        x = 6
print(x)  # 6, unbound
",
    );
}

#[test]
fn context_managers_are_taken_to_let_exceptions_through() {
    check("x = 1\nwith open(p) as f:\n    x = 3\nprint(x)  # 3\nwith g() as x:\n    print(x)  # 5\n");
}

#[test]
fn patterns_bind_where_they_match() {
    check(
        "
x = 1
match y:
    case [x, 2]:
        print(x)  # 3
    case 3:
        print(x)  # 1, 3
    case _:
        x = 8
print(x)  # 1, 3, 8
",
    );
}

#[test]
fn short_circuits_and_walruses() {
    check("x = 1\nif c and (x := 2):\n    pass\nprint(x)  # 1, 2\n");
    check("if (x := f()) > 1:\n    print(x)  # 1\n");
    check("x = 1\n[(x := i) for i in items]\nprint(x)  # 1, 2\n");
    check("y = (x := 1) if c else (x := 2)\nprint(x)  # 1, 1\n");
}

#[test]
fn augmented_assignments_and_declarations() {
    check("x: int\nprint(x)  # unbound\nx = 3\nx += 1\nprint(x)  # 4\n");
}

#[test]
fn inner_functions_see_every_definition() {
    check(
        "
def outer():
    x = 2
    def inner():
        return x  # 2, 6
    g = lambda: x  # 2, 6
    x = 6
    return [x for _ in g]  # 6
",
    );
}

#[test]
fn inner_functions_may_rebind() {
    check(
        "
x = 1
def f():
    global x
    x = 4
x = 5
f()
print(x)  # 4, 5
def outer():
    x = 9
    def inner():
        nonlocal x
        x = 12
    inner()
    print(x)  # 9, 12
",
    );
}

#[test]
fn comprehensions_and_classes_have_scopes_of_their_own() {
    check("x = 1\ny = [x for x in items]  # 2\nprint(x)  # 1\n");
    check("x = 1\ny = [z for z in x]  # 1\n");
    check(
        "
x = 1
class C:
    y = x  # 1
    x = 4
    z = x  # 4
    def m(self):
        return x  # 1
",
    );
    check("def f(x, y=2):\n    print(x)  # 1\n    x = 3\n    print(x)  # 3\n");
}
