"""keras.applications: pretrained networks by what goes in and comes out; their layers are not followed."""

from _pytrope import array, fresh, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from keras._base import batched
from keras.models import Model
from tensorflow._make import is_tensor, like, opened, shown, symbolic


def halved(size):
    """A step of two with padding: half of a size, rounded up."""
    return (size + 1) // 2


def floored(size):
    """A step of two without padding: half of a size, rounded down."""
    return size // 2


def windowed(size):
    """A window of three in steps of two, without padding."""
    return (size - 3) // 2 + 1


def residual(size):
    return halved(halved(halved(halved(halved(size)))))


def depthwise(size):
    """The first step is padded on both sides, the others on one."""
    return floored(floored(floored(floored(halved(size)))))


def stacked(size):
    return floored(floored(floored(floored(floored(size)))))


def dense_blocks(size):
    return floored(floored(floored(halved(halved(size)))))


def inception(size):
    """A stem of windows of three, then two blocks that reduce."""
    stem = windowed(windowed(size) - 2)
    return windowed(windowed(windowed(stem - 2)))


def separable(size):
    return halved(halved(halved(halved(windowed(size) - 2))))


# The least size of an image, the channels of the features, the size of an axis of them, the size with a top.
NETWORKS = {
    "VGG16": (32, 512, stacked, 224),
    "VGG19": (32, 512, stacked, 224),
    "ResNet50": (32, 2048, residual, 224),
    "ResNet101": (32, 2048, residual, 224),
    "ResNet152": (32, 2048, residual, 224),
    "ResNet50V2": (32, 2048, residual, 224),
    "ResNet101V2": (32, 2048, residual, 224),
    "MobileNet": (32, 1024, depthwise, 224),
    "MobileNetV2": (32, 1280, residual, 224),
    "EfficientNetB0": (32, 1280, residual, 224),
    "InceptionV3": (75, 2048, inception, 299),
    "Xception": (71, 2048, separable, 299),
    "DenseNet121": (32, 1024, dense_blocks, 224),
    "DenseNet169": (32, 1664, dense_blocks, 224),
    "DenseNet201": (32, 1920, dense_blocks, 224),
}

# What Keras calls each, its weights without a top for images of three channels, and how many are never trained.
WEIGHTS = {
    "VGG16": ("vgg16", 14714688, 0),
    "VGG19": ("vgg19", 20024384, 0),
    "ResNet50": ("resnet50", 23587712, 53120),
    "ResNet101": ("resnet101", 42658176, 105344),
    "ResNet152": ("resnet152", 58370944, 151424),
    "ResNet50V2": ("resnet50v2", 23564800, 45440),
    "ResNet101V2": ("resnet101v2", 42626560, 97664),
    "MobileNet": ("mobilenet_1.00", 3228864, 21888),
    "MobileNetV2": ("mobilenetv2_1.00", 2257984, 34112),
    "EfficientNetB0": ("efficientnetb0", 4049571, 42023),
    "InceptionV3": ("inception_v3", 21802784, 34432),
    "Xception": ("xception", 20861480, 54528),
    "DenseNet121": ("densenet121", 7037504, 83648),
    "DenseNet169": ("densenet169", 12642880, 158400),
    "DenseNet201": ("densenet201", 18321984, 229056),
}


class Pretrained(Model):
    """A network whose inner layers are not followed; its output is known for the shape that it was made for."""

    @property
    def layers(self):
        # They may be frozen one by one.
        if self._pytrope_counts is not None and not is_unknown(self._pytrope_counts):
            self._pytrope_counts = (self._pytrope_counts[0], None)
        return unknown("the layers of a pretrained network")

    def get_weights(self):
        return unknown("the weights of a pretrained network")

    def get_layer(self, name=None, index=None):
        return unknown("a layer of a pretrained network")


def network(name, include_top, input_tensor, input_shape, pooling, classes, options):
    """The model that a function of `keras.applications` gives."""
    least, channels, reduced, usual = NETWORKS[name]
    for option in (include_top, input_shape, pooling, classes):
        if not is_constant(option):
            return unknown("a network with unknown arguments")
    if input_tensor is not None or is_unknown(options) or "alpha" in options or "classifier_activation" in options:
        return unknown("a network with arguments of its own")
    if input_shape is None:
        sizes = (usual, usual, 3) if include_top else (None, None, 3)
    else:
        sizes = tuple(input_shape)
    if len(sizes) != 3:
        return unknown("a network for inputs of another rank")
    for size in sizes[:2]:
        if size is not None and not include_top:
            message = f"{name} takes images of {least} places at least, not {shown(sizes)}"
            require(size >= least, ValueError, message, rule="layer-mismatch")
        elif size is not None and size < least:
            return unknown("a network for small images")
    inputs = symbolic(batched(sizes), "float32")
    inputs._is_input = True
    if include_top:
        shape = (inputs_batch(inputs), classes)
    elif pooling is not None:
        shape = (inputs_batch(inputs), channels)
    else:
        places = [fresh("size") if size is None else reduced(size) for size in sizes[:2]]
        shape = (inputs_batch(inputs), places[0], places[1], channels)
    outputs = symbolic(opened(shape), "float32")
    outputs._parents = [inputs]
    made = Pretrained(inputs, outputs)
    made._pytrope_name = name_of(name, sizes)
    made._pytrope_counts = counts_of(name, sizes, classes if include_top else None)
    return made


def name_of(name, sizes):
    called = WEIGHTS[name][0]
    if not called.startswith("mobilenet"):
        return called
    return f"{called}_{sizes[0]}" if sizes[0] is not None and sizes[0] == sizes[1] else f"{called}_224"


def counts_of(name, sizes, classes):
    """The number of weights, and of those that are never trained; Unknown for images of other channels."""
    _, total, fixed = WEIGHTS[name]
    _, channels, reduced, _ = NETWORKS[name]
    if sizes[2] != 3:
        return unknown("the number of weights")
    if classes is None:
        return (total, fixed)
    if name.startswith("VGG"):
        features = reduced(sizes[0]) * reduced(sizes[1]) * channels
        return (total + (features + 1) * 4096 + 4097 * 4096 + 4097 * classes, fixed)
    return (total + (channels + 1) * classes, fixed)


def inputs_batch(inputs):
    return shape_of(inputs)[0]


def maker(name):
    def make(
        include_top=True,
        weights="imagenet",
        input_tensor=None,
        input_shape=None,
        pooling=None,
        classes=1000,
        **options,
    ):
        return network(name, include_top, input_tensor, input_shape, pooling, classes, options)

    return make


def mobile(name):
    """MobileNet takes other options between the first ones."""

    def make(input_shape=None, *args, include_top=True, input_tensor=None, pooling=None, classes=1000, **options):
        if len(args) > 0 or "depth_multiplier" in options:
            return unknown("a network with arguments of its own")
        return network(name, include_top, input_tensor, input_shape, pooling, classes, options)

    return make


VGG16, VGG19 = maker("VGG16"), maker("VGG19")
ResNet50, ResNet101, ResNet152 = maker("ResNet50"), maker("ResNet101"), maker("ResNet152")
ResNet50V2, ResNet101V2 = maker("ResNet50V2"), maker("ResNet101V2")
MobileNet, MobileNetV2 = mobile("MobileNet"), mobile("MobileNetV2")
EfficientNetB0 = maker("EfficientNetB0")
InceptionV3, Xception = maker("InceptionV3"), maker("Xception")
DenseNet121, DenseNet169, DenseNet201 = maker("DenseNet121"), maker("DenseNet169"), maker("DenseNet201")


def preprocess_input(x, data_format=None):
    """Images as a network wants them, in the shape that they had."""
    if not is_array(x) or not has_rank(shape_of(x)):
        return unknown("unknown images")
    if is_tensor(x):
        return like([x], shape_of(x), unknown("the dtype of images"))
    from numpy import ndarray

    return array(ndarray, shape_of(x), unknown("the dtype of images"))


def __getattr__(name):
    return unknown(name)
