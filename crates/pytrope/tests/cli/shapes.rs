//! `check --show-shapes`.

use crate::project::Project;

const SOURCE: &str = "\
import numpy as np


def half(x):
    n, m = x.shape
    y = x[: n // 2]
    return y


def never_called(z):
    w = np.zeros((3, 4))
    return w @ z


a = np.ones((8, 3))
b = half(a)
c = load(a)
";

#[test]
fn assignments_have_their_shapes_beside_them() {
    let project = Project::with(&[("a.py", SOURCE)]);
    let run = project.run(&["check", "--show-shapes", "a.py"]).code(1);
    let lines: Vec<&str> = run.stdout.lines().collect();
    for (line, note) in [
        (5, "# n: 8; m: 3"),
        (6, "# y: ndarray[4, 3]"),
        (11, "# w: ndarray[3, 4]"),
        (15, "# a: ndarray[8, 3]"),
        (16, "# b: ndarray[4, 3]"),
        (17, "error[PT100]: NameError: name 'load' is not defined"),
    ] {
        assert!(lines[line - 1].contains(note), "line {line} has no {note:?}\n{}", run.stdout);
    }
    let code =
        |text: &str| text.lines().map(|line| line.split("  #").next().unwrap_or("").trim_end().to_owned()).collect();
    let (printed, source): (Vec<String>, Vec<String>) = (code(&run.stdout), code(SOURCE));
    assert_eq!(printed, source, "the source itself is as it was");
}

#[test]
fn shapes_are_json_too() {
    let project = Project::with(&[("a.py", SOURCE)]);
    let run = project.run(&["check", "--show-shapes", "--output-format", "json", "a.py"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let of_b = report["shapes"].as_array().and_then(|shapes| shapes.iter().find(|shape| shape["name"] == "b"));
    let of_b = of_b.expect("b is bound");
    assert_eq!((of_b["line"].as_u64(), of_b["value"].as_str()), (Some(16), Some("ndarray[4, 3]")));
}

#[test]
fn what_is_unknown_says_why() {
    let source = "\
import numpy as np
import elsewhere
from elsewhere import thing

def area(width, height):
    total = width * height
    return total

a = elsewhere.load()
b = elsewhere.table
c = np.ones(3) + np.ones(4)
d = thing
reveal_type(d)
";
    let project = Project::with(&[("a.py", source)]);
    let run = project.run(&["check", "--show-shapes", "a.py"]).code(1);
    for note in [
        "# total: Unknown (depends on an unknown value)",
        "# a: Unknown (`elsewhere.load()` is not modelled)",
        "# b: Unknown (`table` is not known here)",
        "# c: Unknown (an error was reported where it is created)",
        "# d: Unknown (`thing` comes from a library that is not modelled)",
    ] {
        assert!(run.stdout.contains(note), "no {note:?} in\n{}", run.stdout);
    }
    project.run(&["check", "a.py"]).code(1).out("= help: `thing` comes from a library that is not modelled");
}
