//! Random programs with arrays: the same few functions, loops and operations again and again, some of them failing.

/// Where the variables start.
const START: &str = "\
import numpy as np
import math

def unknown_size(argument):
    return len(argument)

n = unknown_size(input())
rate = 0.1
sizes = [2, 3]
a = np.zeros((2, 3))
b = np.ones((3, 2))
c = np.arange(6)
d = np.zeros((n, 3))
e = [1, 2, 3]
k = 2

class Scaler:
    def __init__(self, factor):
        self.factor = factor
        self.calls = 0
    def apply(self, x):
        return x * self.factor
    def count(self, x):
        self.calls += 1
        return self.calls

scaler = Scaler(2)
";

/// Definitions that a program may choose from; their calls are among the expressions.
const FUNCTIONS: [&str; 12] = [
    "def g(x):\n    return x.T\ndef f(x, y):\n    return g(y) if k > 2 else g(x)\n",
    "table = {'a': math.sqrt, 'b': [a]}\ndef f(x, y):\n    return table['b'][0], table\n",
    "def g(x):\n    return sizes\ndef f(x, y):\n    def inner():\n        return g(k)\n    return inner()\n",
    "class g:\n    size = 3\n    def __init__(self, x):\n        self.x = x\n    @property\n    def double(self):\n        return self.x * g.size\ndef f(x, y):\n    return g(x).double, y\n",
    "def f(x, y):\n    return x @ y\n",
    "def f(x, y):\n    m = x.shape[0]\n    return np.zeros((m, y.shape[-1]))\n",
    "def f(x, y):\n    sizes.append(len(sizes))\n    return x, y\n",
    "def f(x, y):\n    if k > 2:\n        return x\n    return [y, sizes, n]\n",
    "def f(x, y):\n    total = 0\n    for row in x:\n        total = total + row.sum()\n    return total, y\n",
    "def f(x, y=rate):\n    return np.concatenate([x, x]), y\n",
    "def f(x, y):\n    try:\n        return x + y\n    except ValueError:\n        return None\n",
    "def f(x, y):\n    x[0] = 1\n    return x.T\n",
];

const EXPRESSIONS: [&str; 30] = [
    "V + V",
    "V * 2",
    "V @ V",
    "V.T",
    "V.sum(axis=0)",
    "V.mean(axis=1, keepdims=True)",
    "V.reshape(-1, 2)",
    "V.reshape(3, 2)",
    "V[1:]",
    "V[0]",
    "V[:, None]",
    "V[..., -1]",
    "np.concatenate([V, V])",
    "np.stack([V, V])",
    "np.zeros(V.shape)",
    "np.where(V > 0, V, 0)",
    "np.dot(V, V)",
    "np.sqrt(V)",
    "np.linspace(0, 1, k)",
    "len(V)",
    "f(V, V)",
    "f(V, 1)",
    "f(V, V)[0]",
    "scaler.apply(V)",
    "scaler.count(V)",
    "math.sqrt(k)",
    "np.asarray(V)",
    "np.broadcast_to(V, (4, 2, 3))",
    "[V, V]",
    "V",
];

const STATEMENTS: [&str; 11] = [
    "def g(x): return x + 1",
    "g = len",
    "Scaler.apply = lambda self, x: x.sum()",
    "V = E",
    "V = E",
    "V = E",
    "V = E",
    "V += E",
    "E",
    "k = k + 1",
    "sizes = [k]",
];

const VARIABLES: [&str; 6] = ["a", "b", "c", "d", "e", "k"];

/// A small generator of numbers (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    fn one_of(&mut self, choices: &[&'static str]) -> &'static str {
        choices[self.roll(choices.len())]
    }
}

/// Writes a template with random expressions for `E` and variables for `V`.
fn fill(dice: &mut Dice, template: &str) -> String {
    let mut text = String::new();
    for letter in template.chars() {
        match letter {
            'E' => {
                let expression = dice.one_of(&EXPRESSIONS);
                text.push_str(&fill(dice, expression));
            }
            'V' => text.push_str(dice.one_of(&VARIABLES)),
            other => text.push(other),
        }
    }
    text
}

fn statement(dice: &mut Dice) -> String {
    let template = dice.one_of(&STATEMENTS);
    fill(dice, template)
}

/// The program of a number.
pub fn random(seed: u64) -> String {
    let mut dice = Dice(seed);
    let mut text = START.to_owned();
    text.push_str(dice.one_of(&FUNCTIONS));
    for _ in 0..6 + dice.roll(8) {
        let head = match dice.roll(8) {
            0 | 1 => Some(format!("for iteration in range({}):", 2 + dice.roll(6))),
            2 => Some("while input():".to_owned()),
            3 => Some("if n > 2:".to_owned()),
            4 => Some("if k < 4:".to_owned()),
            _ => None,
        };
        if let Some(head) = head {
            text.push_str(&head);
            text.push('\n');
            for _ in 0..=dice.roll(3) {
                text.push_str(&format!("    {}\n", statement(&mut dice)));
            }
        } else {
            text.push_str(&statement(&mut dice));
            text.push('\n');
        }
    }
    for variable in VARIABLES {
        text.push_str(&format!("reveal_type({variable})\n"));
    }
    text.push_str("reveal_type(sizes)\nreveal_type(scaler.calls)\n");
    text
}
