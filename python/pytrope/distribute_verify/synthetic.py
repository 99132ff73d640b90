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
}
KERAS = {
    "mnist": ((28, 28), 10),
    "fashion_mnist": ((28, 28), 10),
    "cifar10": ((32, 32, 3), 10),
    "cifar100": ((32, 32, 3), 100),
}
TRAIN, TEST = 256, 64


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


def _stand_in(real: Any, name: str, size: int, channels: int, classes: int) -> Any:
    import numpy as np
    import torch
    from PIL import Image

    class Synthetic(torch.utils.data.Dataset):  # type: ignore[misc]
        """Random images, the same in every process, with labels that the images tell."""

        def __init__(self, train: bool, transform: Any, target_transform: Any) -> None:
            draw = np.random.default_rng(1 if train else 2)
            count = TRAIN if train else TEST
            self.targets = torch.as_tensor(draw.integers(0, classes, count))
            shape = (count, size, size) if channels == 1 else (count, size, size, channels)
            self.data = torch.as_tensor(draw.integers(0, 200, shape, dtype=np.uint8))
            for i, label in enumerate(self.targets.tolist()):
                self.data[i, label % size] = 255
            self.classes = [str(i) for i in range(classes)]
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
