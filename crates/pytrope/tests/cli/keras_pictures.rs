//! `draw` of models of Keras. The numbers are those of `model.summary()` in Keras 3.

use crate::project::{Project, Run};

fn draw(text: &str, arguments: &[&str]) -> Run {
    let project = Project::with(&[("net.py", text)]);
    project.run(&[&["draw", "net.py", "--entry"], arguments].concat())
}

/// The row of a layer, its cells apart.
fn row_of(run: &Run, layer: &str) -> Vec<String> {
    let row = run.stdout.lines().find(|line| line.contains(&format!(" {layer} (")));
    let row = row.unwrap_or_else(|| panic!("no row of {layer}:\n{}", run.stdout));
    row.split("  ").map(str::trim).filter(|cell| !cell.is_empty() && *cell != "│").map(str::to_owned).collect()
}

const IMAGES: &str = "\
import keras
from keras import layers


def build():
    return keras.Sequential(
        [
            keras.Input((32, 32, 3), name='images'),
            layers.Conv2D(32, 3, activation='relu'),
            layers.BatchNormalization(),
            layers.MaxPooling2D(),
            layers.SeparableConv2D(8, 3, depth_multiplier=2),
            layers.GlobalAveragePooling2D(),
            layers.Dense(10, name='head'),
        ]
    )
";

#[test]
fn a_sequential_model_is_drawn_with_the_batch_as_a_symbol() {
    let run = draw(IMAGES, &["build()"]).code(0);
    assert_eq!(row_of(&run, "conv2d"), ["├─ conv2d (Conv2D)", "(batch, 30, 30, 32)", "896", "777,600·batch"]);
    assert_eq!(row_of(&run, "separable_conv2d")[1..], ["(batch, 13, 13, 8)", "1,096"]);
    assert_eq!(row_of(&run, "head")[1..], ["(batch, 10)", "90", "80·batch"]);
    assert!(run.stdout.contains("Parameters: 2,210 (8.6 KiB as 32-bit floats), 64 of them not trained\n"), "{run:?}");
    assert!(run.stdout.contains("Returns: (batch, 10)\n"), "{run:?}");
    assert!(!run.stderr.contains("example"), "the model says itself what it takes: {run:?}");
}

#[test]
fn an_input_is_given_by_its_name() {
    let run = draw(IMAGES, &["build()", "--input", "images=8,32,32,3"]).code(0);
    assert!(run.stdout.contains("Returns: (8, 10)\n"), "{run:?}");
    draw(IMAGES, &["build()", "--input", "x=8,32,32,3"])
        .code(2)
        .err("`x` is not an input of the model, whose inputs are: images");
    let run = draw(IMAGES, &["build()", "--input", "images=n,32,32,1"]).code(1);
    assert!(row_of(&run, "conv2d")[1].starts_with("✗ given (n, 32, 32, 1)"), "{run:?}");
}

#[test]
fn the_model_of_tf_keras_is_the_same() {
    let run = draw(
        &IMAGES.replace("import keras\nfrom keras", "from tensorflow import keras\nfrom tensorflow.keras"),
        &["build()"],
    );
    assert!(run.code(0).stdout.contains("Returns: (batch, 10)\n"));
}

const BRANCHES: &str = "\
from keras import Input, Model, layers


def build():
    image = Input((28, 28, 1), name='image')
    meta = Input((5,), name='meta')
    shared = layers.Dense(8, name='shared')
    a = shared(layers.Flatten()(image[:, ::4]))
    b = layers.Dense(196, name='widen')(meta)
    both = layers.Concatenate(name='both')([a, shared(b) * 2])
    sequence, *_ = layers.LSTM(6, return_state=True)(layers.Reshape((4, 4))(both))
    return Model([image, meta], {'kind': layers.Dense(3, name='kind')(sequence)}['kind'])
";

#[test]
fn branches_name_what_they_are_connected_to_and_shared_layers_count_once() {
    let run = draw(BRANCHES, &["build()"]).code(0);
    assert_eq!(row_of(&run, "flatten")[2], "image");
    assert_eq!(row_of(&run, "widen")[1..], ["(batch, 196)", "meta", "1,176", "980·batch"]);
    assert_eq!(row_of(&run, "both")[1..], ["(batch, 16)", "0"]);
    assert_eq!(row_of(&run, "lstm")[1], "(batch, 6), (batch, 6), (batch, 6)");
    assert_eq!(run.stdout.matches("shared (Dense)").count(), 2, "{run:?}");
    // 8 · 197 + 196 · 6 + 4 · 6 · (4 + 6 + 1) + 3 · 7
    assert!(run.stdout.contains("Parameters: 3,037 "), "{run:?}");
}

const NESTED: &str = "\
import keras
from keras import layers


class Scale(layers.Layer):
    def build(self, shape):
        self.factor = self.add_weight(shape=(shape[-1],), name='factor')
        self.offset = self.add_weight(shape=(shape[-1],), trainable=False, name='offset')

    def call(self, x):
        return x * self.factor + self.offset


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.stem = keras.Sequential([layers.Conv2D(4, 3), layers.BatchNormalization()])
        self.scales = [Scale(), Scale()]
        self.head = layers.Dense(2)

    def call(self, images, training=False):
        x = self.stem(images)
        for scale in self.scales:
            x = scale(x)
        return self.head(layers.Flatten()(x))


def frozen():
    base = keras.applications.ResNet50(include_top=False, weights=None, input_shape=(64, 64, 3))
    base.trainable = False
    inputs = keras.Input((64, 64, 3))
    return keras.Model(inputs, layers.Dense(3)(layers.GlobalAveragePooling2D()(base(inputs))))
";

#[test]
fn a_model_of_a_class_is_drawn_with_the_names_of_its_attributes() {
    let run = draw(NESTED, &["Net()", "--input", "images=n,8,8,1"]).code(0);
    assert_eq!(row_of(&run, "stem"), ["├─ stem (Sequential)", "(n, 6, 6, 4)"]);
    assert_eq!(row_of(&run, "scales.1")[1..], ["(n, 6, 6, 4)", "8"]);
    // 40 + 16, two times 8, 144 · 2 + 2
    assert!(run.stdout.contains("Parameters: 362 ") && run.stdout.contains(", 16 of them not trained"), "{run:?}");
    draw(NESTED, &["Net()"])
        .code(2)
        .err("the model does not say which shapes its inputs have; give them, such as --input images=");
}

#[test]
fn weights_of_pretrained_networks_are_counted() {
    let run = draw(NESTED, &["frozen()"]).code(0);
    assert_eq!(row_of(&run, "resnet50"), ["├─ resnet50 (Functional)", "(batch, 2, 2, 2048)", "23,587,712"]);
    assert!(run.stdout.contains("Parameters: 23,593,859 (90.0 MiB as 32-bit floats), 23,587,712 of them not trained"));
}

#[test]
fn the_layer_that_keeps_a_model_from_being_made_is_red() {
    let code = "\
import keras
from keras import layers


def build():
    inputs = keras.Input((28, 28, 1))
    x = layers.Flatten()(layers.Conv2D(8, 3)(inputs))
    return keras.Model(inputs, layers.Conv2D(16, 3, name='second')(x))


def chain():
    return keras.Sequential([keras.Input((28, 28, 1)), layers.Conv2D(8, 3), layers.LSTM(4)])
";
    let run = draw(code, &["build()"]).code(1);
    assert_eq!(row_of(&run, "second")[1], "✗ given (batch, 5408)");
    assert!(run.stdout.contains("Fails: ValueError: a convolution over 2 axes takes rank 4 or more, but the input has shape (None, 5408) (net.py:8)"), "{run:?}");
    let run = draw(code, &["chain()"]).code(1);
    assert_eq!(row_of(&run, "conv2d")[1], "(batch, 26, 26, 8)");
    assert_eq!(row_of(&run, "lstm")[1..], ["✗ given (batch, 26, 26, 8)"]);
}

const NAMED: &str = "\
from keras import Input, Model, layers


def build():
    given = {'words': Input((6,), name='w'), 'scores': Input((6, 3), name='s')}
    x = layers.Embedding(50, 4)(given['words'])
    x = layers.Conv1D(8, 3, padding='same')(layers.Conv1D(5, 1)(layers.Concatenate()([x, given['scores']])))
    x = layers.TimeDistributed(layers.Dense(2))(x)
    return Model(given, {'tags': x, 'whole': layers.Flatten()(x)})
";

#[test]
fn inputs_and_outputs_may_be_dictionaries_and_layers_are_numbered_as_they_are_made() {
    let run = draw(NAMED, &["build()"]).code(0);
    assert!(run.stdout.contains("Returns: tags: (batch, 6, 2), whole: (batch, 12)\n"), "{run:?}");
    assert_eq!(row_of(&run, "conv1d_1")[1], "(batch, 6, 5)", "the inner one is made later");
    assert_eq!(row_of(&run, "conv1d")[1], "(batch, 6, 8)");
    // 200 + 7 · 5 + 5 + 3 · 5 · 8 + 8 + 8 · 2 + 2
    assert!(run.stdout.contains("Parameters: 386 "), "{run:?}");
    let run = draw(NAMED, &["build()", "--input", "scores=n,6,4", "--input", "words=n,6"]).code(1);
    assert!(run.stdout.contains("the model takes inputs of shape (None, 6, 3)"), "{run:?}");
    assert!(!run.stdout.contains("<command line>"), "{run:?}");
}

#[test]
fn what_is_trained_of_a_network_whose_layers_are_frozen_one_by_one_is_not_said() {
    let code = "\
import keras


def build():
    base = keras.applications.VGG16(include_top=False, weights=None, input_shape=(64, 64, 3))
    for layer in base.layers[:-4]:
        layer.trainable = False
    return keras.Sequential([base, keras.layers.Flatten(), keras.layers.Dense(2)])
";
    let run = draw(code, &["build()"]).code(0);
    assert_eq!(row_of(&run, "vgg16")[1..], ["(batch, 2, 2, 512)", "14,714,688"]);
    assert!(run.stdout.contains("Parameters: 14,718,786 ") && !run.stdout.contains("not trained"), "{run:?}");
}
