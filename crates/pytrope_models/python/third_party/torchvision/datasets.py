"""torchvision.datasets: items of the sizes that the documentation gives, behind the transforms of the program."""

import torch
from _pytrope import array, fresh, is_constant, is_unknown, some, unknown
from torch._make import tensor
from torch.utils.data import Dataset

from ._images import Picture


class VisionDataset(Dataset):
    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        self.root = root
        self.transform = transform
        self.target_transform = target_transform
        self.transforms = transforms

    def _pytrope_item(self, picture, target):
        if self.transforms is not None:
            return self.transforms(picture, target)
        if self.transform is not None:
            picture = self.transform(picture)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return picture, target

    def __getattr__(self, name):
        return unknown("a property of a data set")


def counted(train, sizes):
    """How many items the training and the test part have."""
    if is_constant(train):
        return sizes[0] if train else sizes[1]
    return fresh("items")


class _Parts(VisionDataset):
    """A data set with a part for training and one for tests."""

    _sizes = (0, 0)
    _picture = (1, 0, 0)
    classes = unknown("the names of the classes")

    def __init__(self, root=None, train=True, transform=None, target_transform=None, download=False, **options):
        super().__init__(root, None, transform, target_transform)
        self.train = train
        self._count = counted(train, self._sizes)

    def __len__(self):
        return self._count

    def __getitem__(self, index):
        channels, height, width = self._picture
        return self._pytrope_item(Picture(channels, height, width), some(int))


class MNIST(_Parts):
    _sizes = (60000, 10000)
    _picture = (1, 28, 28)

    @property
    def data(self):
        return tensor((self._count, 28, 28), "uint8")

    @property
    def targets(self):
        return tensor((self._count,), "int64")


class FashionMNIST(MNIST):
    pass


class KMNIST(MNIST):
    pass


class CIFAR10(_Parts):
    _sizes = (50000, 10000)
    _picture = (3, 32, 32)

    @property
    def data(self):
        from numpy import ndarray

        return array(ndarray, (self._count, 32, 32, 3), "uint8")


class CIFAR100(CIFAR10):
    pass


class USPS(_Parts):
    _sizes = (7291, 2007)
    _picture = (1, 16, 16)


class _Split(VisionDataset):
    """A data set of which a part is chosen by name."""

    _sizes = {}
    _picture = (3, 0, 0)

    def __init__(self, root=None, split="train", transform=None, target_transform=None, download=False, **options):
        super().__init__(root, None, transform, target_transform)
        self.split = split
        known = is_constant(split) and split in self._sizes
        self._count = self._sizes[split] if known else fresh("items")

    def __len__(self):
        return self._count

    def __getitem__(self, index):
        channels, height, width = self._picture
        return self._pytrope_item(Picture(channels, height, width), some(int))


class SVHN(_Split):
    _sizes = {"train": 73257, "test": 26032, "extra": 531131}
    _picture = (3, 32, 32)


class GTSRB(_Split):
    def __getitem__(self, index):
        return self._pytrope_item(Picture(3, fresh("height"), fresh("width")), some(int))


class STL10(VisionDataset):
    def __init__(self, root, split="train", folds=None, transform=None, target_transform=None, download=False):
        super().__init__(root, None, transform, target_transform)
        self._count = fresh("items")

    def __len__(self):
        return self._count

    def __getitem__(self, index):
        return self._pytrope_item(Picture(3, 96, 96), some(int))


class DatasetFolder(VisionDataset):
    """Files in one folder for each class: how many and what they hold is not known."""

    def __init__(self, root, *args, **kwargs):
        super().__init__(root, None, kwargs.get("transform"), kwargs.get("target_transform"))
        self._count = fresh("items")

    def __len__(self):
        return self._count

    def __getitem__(self, index):
        return unknown("an item that a loader of the program reads")


class ImageFolder(DatasetFolder):
    def __init__(self, root, transform=None, target_transform=None, *args, **kwargs):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self._own_loader = len(args) > 0 or "loader" in kwargs

    def __getitem__(self, index):
        if self._own_loader:
            return unknown("an item that a loader of the program reads")
        return self._pytrope_item(Picture(3, fresh("height"), fresh("width")), some(int))


class FakeData(VisionDataset):
    def __init__(
        self,
        size=1000,
        image_size=(3, 224, 224),
        num_classes=10,
        transform=None,
        target_transform=None,
        random_offset=0,
    ):
        super().__init__(None, None, transform, target_transform)
        self.size = size
        self.image_size = image_size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if is_unknown(self.image_size):
            return unknown("an image of unknown size")
        channels, height, width = self.image_size
        return self._pytrope_item(Picture(channels, height, width), some(int))
