//! What is particular to models of Keras: names that layers get by their classes, and inputs that models declare.

use rustc_hash::FxHashMap;

use super::Size;
use super::record::{shown_members, strip_quotes};

/// An input that a model declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DeclaredInput {
    pub name: String,
    /// Its sizes; those that are open have a name, such as `batch`.
    pub sizes: Vec<Size>,
    pub dtype: &'static str,
}

/// The layers that were met, by their numbers, with what they are called.
#[derive(Debug, Clone, Default)]
pub(super) struct LayerNames {
    names: FxHashMap<String, String>,
    /// How many layers of a class have got a name by it.
    counts: FxHashMap<String, usize>,
}

impl LayerNames {
    /// The name of a layer: the one that the program gives, or its class and a number, as Keras writes it.
    pub fn name_layer(&mut self, number: &str, class: &str, given: &str) -> String {
        if let Some(name) = self.names.get(number) {
            return name.clone();
        }
        let name = match given {
            "None" | "?" => self.name_by_class(class),
            // Its number among the layers of its class, in the order in which they are made.
            "0" => snake_case(class),
            index if index.chars().all(|c| c.is_ascii_digit()) => format!("{}_{index}", snake_case(class)),
            name => name.to_owned(),
        };
        self.names.insert(number.to_owned(), name.clone());
        name
    }

    fn name_by_class(&mut self, class: &str) -> String {
        let base = snake_case(class);
        let count = self.counts.entry(base.clone()).or_default();
        *count += 1;
        if *count == 1 { base } else { format!("{base}_{}", *count - 1) }
    }

    /// The names of what the driver lists, each once: numbers of layers, and names of inputs in quotes.
    pub fn read_sources(&self, listed: &[String]) -> Vec<String> {
        let mut sources: Vec<String> = Vec::new();
        for one in listed {
            let name = self.names.get(one).cloned().unwrap_or_else(|| strip_quotes(one));
            if !sources.contains(&name) {
                sources.push(name);
            }
        }
        sources
    }
}

/// `GlobalAveragePooling2D` as `global_average_pooling2d`.
fn snake_case(class: &str) -> String {
    let characters: Vec<char> = class.chars().collect();
    let mut text = String::new();
    for (at, character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| characters[at]);
        let next = characters.get(at + 1);
        let begins_word = character.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase() || (before != '_' && next.is_some_and(char::is_ascii_lowercase))
            });
        if begins_word {
            text.push('_');
        }
        text.push(character.to_ascii_lowercase());
    }
    text
}

/// Inputs as they are shown: `[('images', [None, 32, 32, 3], 'float32')]`.
pub(super) fn read_inputs(shown: &str) -> Option<Vec<DeclaredInput>> {
    if !shown.starts_with('[') {
        return None;
    }
    shown_members(shown).iter().map(|input| read_input(input)).collect()
}

fn read_input(shown: &str) -> Option<DeclaredInput> {
    let members = shown_members(shown);
    let [name, sizes, dtype] = members.as_slice() else { return None };
    let name = strip_quotes(name);
    let size = |(axis, size): (usize, &String)| match (size.parse(), axis) {
        (Ok(number), _) => Size::Number(number),
        (Err(_), 0) => Size::Name("batch".to_owned()),
        (Err(_), axis) => Size::Name(format!("{name}{axis}")),
    };
    let sizes = shown_members(sizes).iter().enumerate().map(size).collect();
    Some(DeclaredInput { name, sizes, dtype: known_dtype(&strip_quotes(dtype)) })
}

/// The type of the elements of an input; what Keras computes with where it is not known.
fn known_dtype(name: &str) -> &'static str {
    const DTYPES: [&str; 8] = ["float16", "float64", "int8", "uint8", "int32", "int64", "bool", "string"];
    DTYPES.into_iter().find(|dtype| *dtype == name).unwrap_or("float32")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_named_as_keras_names_them() {
        for (class, name) in [
            ("Conv2D", "conv2d"),
            ("MaxPooling2D", "max_pooling2d"),
            ("LSTM", "lstm"),
            ("MultiHeadAttention", "multi_head_attention"),
            ("MyLSTMCell", "my_lstm_cell"),
            ("Conv2DTranspose", "conv2d_transpose"),
            ("PReLU", "p_re_lu"),
            ("_Block", "_block"),
        ] {
            assert_eq!(snake_case(class), name);
        }
        let mut names = LayerNames::default();
        assert_eq!(names.name_layer("0", "Dense", "None"), "dense");
        assert_eq!(names.name_layer("1", "Dense", "head"), "head");
        assert_eq!(names.name_layer("2", "Dense", "None"), "dense_1");
        assert_eq!(names.name_layer("0", "Dense", "None"), "dense");
        assert_eq!(names.name_layer("3", "Conv2D", "0"), "conv2d");
        assert_eq!(names.name_layer("4", "Conv2D", "2"), "conv2d_2");
        assert_eq!(names.read_sources(&["2".into(), "'images'".into(), "2".into()]), ["dense_1", "images"]);
    }

    #[test]
    fn declared_inputs_are_read_with_names_for_open_sizes() {
        let number = Size::Number;
        let name = |name: &str| Size::Name(name.to_owned());
        assert_eq!(
            read_inputs("[('a', [None, 8], 'int32'), ('b', [None, None, 3], 'float32')]"),
            Some(vec![
                DeclaredInput { name: "a".to_owned(), sizes: vec![name("batch"), number(8)], dtype: "int32" },
                DeclaredInput {
                    name: "b".to_owned(),
                    sizes: vec![name("batch"), name("b1"), number(3)],
                    dtype: "float32"
                },
            ])
        );
        assert_eq!(read_inputs("None"), None);
    }
}
