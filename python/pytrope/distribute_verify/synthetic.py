# Runs in the interpreter that has the framework, which type checkers of this package do not see.
# mypy: ignore-errors
# pyright: basic, reportMissingImports=false, reportMissingModuleSource=false, reportAttributeAccessIssue=false
"""Data sets of the right shape where the real ones are not on this machine: nothing is downloaded while verifying."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import Any

# Image sizes, channels and numbers of classes of torchvision's data sets.
TORCHVISION = {
    "MNIST": (28, 1, 10),
    "FashionMNIST": (28, 1, 10),
    "KMNIST": (28, 1, 10),
    "EMNIST": (28, 1, 47),
    "QMNIST": (28, 1, 10),
    "USPS": (16, 1, 10),
    "CIFAR10": (32, 3, 10),
    "CIFAR100": (32, 3, 100),
    "SVHN": (32, 3, 10),
    "STL10": (96, 3, 10),
    "Food101": (224, 3, 101),
    "Flowers102": (224, 3, 102),
    "OxfordIIITPet": (224, 3, 37),
    "CelebA": (178, 3, 40),
    "ImageNet": (256, 3, 1000),
    # Folders of images; two classes are labels of any classifier.
    "ImageFolder": (256, 3, 2),
}
KERAS = {
    "mnist": ((28, 28), 10),
    "fashion_mnist": ((28, 28), 10),
    "cifar10": ((32, 32, 3), 10),
    "cifar100": ((32, 32, 3), 100),
}
TRAIN, TEST = 256, 64
# Images of this size and more are fewer, and so a run is as short.
LARGE_IMAGE, FEW = 178, 4


def install(framework: str) -> None:
    """Put the stand-ins where scripts look for the data sets."""
    if framework == "torch":
        if importlib.util.find_spec("torchvision") is not None:
            _install_torchvision()
    else:
        _install_keras()


def _say(name: str) -> None:
    print(f"synthetic data in place of {name}", file=sys.stderr)


def _install_torchvision() -> None:
    datasets = importlib.import_module("torchvision.datasets")
    for name, (size, channels, classes) in TORCHVISION.items():
        real = getattr(datasets, name, None)
        if real is not None:
            setattr(datasets, name, _stand_in(real, name, size, channels, classes))
    _leave_weights_untrained()


def _leave_weights_untrained() -> None:
    """Pretrained weights that are not on this machine stay as they were drawn."""
    import torch

    hub = torch.hub
    fetch = hub.load_state_dict_from_url
    load = torch.nn.Module.load_state_dict

    class MissingWeights(dict):  # type: ignore[type-arg]
        """Weights that could not be fetched."""

    def fetching(url: str, *args: Any, **options: Any) -> Any:
        folder = options.get("model_dir") or os.path.join(hub.get_dir(), "checkpoints")
        if os.path.exists(os.path.join(folder, os.path.basename(url))):
            return fetch(url, *args, **options)
        _say(os.path.basename(url))
        return MissingWeights()

    def loading(module: Any, state: Any, *args: Any, **options: Any) -> Any:
        return None if isinstance(state, MissingWeights) else load(module, state, *args, **options)

    hub.load_state_dict_from_url = fetching
    torch.nn.Module.load_state_dict = loading
    for name in ("torchvision._internally_replaced_utils", "torchvision.models._api"):
        try:
            importlib.import_module(name).load_state_dict_from_url = fetching
        except (ImportError, AttributeError):
            continue


def _stand_in(real: Any, name: str, size: int, channels: int, classes: int) -> Any:
    import numpy as np
    import torch
    from PIL import Image

    class Synthetic(torch.utils.data.Dataset):  # type: ignore[misc]
        """Random images, the same in every process, with labels that the images tell."""

        def __init__(self, train: bool, transform: Any, target_transform: Any) -> None:
            draw = np.random.default_rng(1 if train else 2)
            count = (TRAIN if train else TEST) // (FEW if size >= LARGE_IMAGE else 1)
            self.targets = torch.as_tensor(draw.integers(0, classes, count))
            shape = (count, size, size) if channels == 1 else (count, size, size, channels)
            self.data = torch.as_tensor(draw.integers(0, 200, shape, dtype=np.uint8))
            for i, label in enumerate(self.targets.tolist()):
                self.data[i, label % size] = 255
            self.classes = [str(i) for i in range(classes)]
            self.class_to_idx = {label: i for i, label in enumerate(self.classes)}
            self.samples = self.imgs = [(f"{i}.png", label) for i, label in enumerate(self.targets.tolist())]
            self.transform, self.target_transform = transform, target_transform

        def __len__(self) -> int:
            return len(self.targets)

        def __getitem__(self, index: int) -> Any:
            image: Any = Image.fromarray(self.data[index].numpy())
            label: Any = int(self.targets[index])
            if self.transform is not None:
                image = self.transform(image)
            if self.target_transform is not None:
                label = self.target_transform(label)
            return image, label

    def make(root: Any = "data", *args: Any, **options: Any) -> Any:
        wanted = dict(options, download=False)
        try:
            return real(root, *args, **wanted)
        except (RuntimeError, TypeError, OSError):
            _say(name)
            is_train = options.get("train", options.get("split", "train") == "train")
            if name == "ImageFolder":
                is_train = not any(word in str(root).lower() for word in ("test", "val"))
            if args and isinstance(args[0], (bool, str)):
                is_train = args[0] in (True, "train")
            transform = options.get("transform") or next((a for a in args if callable(a)), None)
            return Synthetic(bool(is_train), transform, options.get("target_transform"))

    return make


def _install_keras() -> None:
    import numpy as np
    import tensorflow as tf

    folder = os.path.join(os.path.expanduser("~"), ".keras", "datasets")
    files = {
        "mnist": "mnist.npz",
        "fashion_mnist": "fashion-mnist",
        "cifar10": "cifar-10-batches-py",
        "cifar100": "cifar-100-python",
    }

    def loader(name: str, shape: tuple[int, ...], classes: int, real: Any) -> Any:
        def load_data(*args: Any, **options: Any) -> Any:
            if os.path.exists(os.path.join(folder, files[name])):
                return real(*args, **options)
            _say(f"keras.datasets.{name}")
            draw = np.random.default_rng(3)
            parts = []
            for count in (TRAIN, TEST):
                labels = draw.integers(0, classes, count).astype("uint8")
                images = draw.integers(0, 200, (count, *shape), dtype=np.uint8)
                images[np.arange(count), labels % shape[0]] = 255
                parts.append((images, labels if len(shape) == 2 else labels[:, None]))
            return tuple(parts)

        return load_data

    for name, (shape, classes) in KERAS.items():
        module = getattr(tf.keras.datasets, name)
        module.load_data = loader(name, shape, classes, module.load_data)
    imdb = tf.keras.datasets.imdb
    real = imdb.load_data

    def load_reviews(path: str = "imdb.npz", num_words: int | None = None, **options: Any) -> Any:
        if os.path.exists(os.path.join(folder, path)):
            return real(path, num_words=num_words, **options)
        _say("keras.datasets.imdb")
        draw = np.random.default_rng(4)
        parts = []
        for count in (TRAIN, TEST):
            texts = np.empty(count, dtype=object)
            for i in range(count):
                texts[i] = draw.integers(1, num_words or 1000, 40).tolist()
            parts.append((texts, draw.integers(0, 2, count)))
        return tuple(parts)

    imdb.load_data = load_reviews
    _leave_applications_untrained(tf)


def _leave_applications_untrained(tf: Any) -> None:
    """Applications whose weights are not on this machine stay as they were drawn."""
    folder = os.path.join(os.path.expanduser("~"), ".keras", "models")

    def stand_in(real: Any, name: str) -> Any:
        def make(*args: Any, **options: Any) -> Any:
            given = [None if value == "imagenet" else value for value in args]
            weights = args[1] if len(args) > 1 else options.get("weights", "imagenet")
            wanted = weights == "imagenet"
            if wanted and not (os.path.isdir(folder) and any(name.lower() in f.lower() for f in os.listdir(folder))):
                _say(f"the weights of {name}")
                if len(args) < 2:
                    options["weights"] = None
                return real(*given, **options)
            return real(*args, **options)

        return make

    applications = tf.keras.applications
    for module in [applications, *(value for value in vars(applications).values() if type(value) is type(os))]:
        for name, real in list(vars(module).items()):
            if name[0].isupper() and callable(real):
                setattr(module, name, stand_in(real, name))
